//! Calls of the library's methods by `java` and by `heapwright run`.
//! `cargo calls [--every N] [--program FILE]` makes every N-th of some 15,000 calls of the public
//! methods and constructors of `java.base`, compares their outcomes and prints a table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::corpus::{Trial, try_calls};
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    let (mut every, mut program) = (1, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--every" => every = value().parse().unwrap_or(1).max(1),
            "--program" => program = Some(PathBuf::from(value())),
            _ => {
                eprintln!("calls: no option {argument}");
                return ExitCode::from(2);
            }
        }
    }
    let target = project().join("target");
    let program = program.unwrap_or_else(|| target.join("release").join("heapwright"));
    let trial = Trial {
        // Calls are made in a separate folder.
        program: program.canonicalize().unwrap_or(program),
        folder: target.join("calls"),
        jdk: compilers()[0].clone(),
        runtimes: Vec::new(),
        time_limit: Duration::ZERO,
        jobs: 1,
    };
    let calls = try_calls(&trial, every, &trial.folder);
    println!("{calls}");
    ExitCode::from(u8::from(!calls.different.is_empty()))
}

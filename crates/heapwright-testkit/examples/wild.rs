//! The corpus. `cargo wild [--every N] [--offset K] [--time MS] [--verb NAME]… [LIBRARY]…` runs
//! every verb on every N-th class of each library from the K-th on, and prints the results. Tests
//! and logs stay below `target/wild`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::corpus::{Report, Trial, VERBS, Verb, libraries, try_library};
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::{all_jdks, compilers};
use heapwright_testkit::target::release;

fn main() -> ExitCode {
    let (mut every, mut offset, mut time, mut verbs, mut names) =
        (1, 0, 5_000, Vec::new(), Vec::new());
    let mut program = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--every" => every = value().parse().unwrap_or(1).max(1),
            "--offset" => offset = value().parse().unwrap_or(0),
            "--time" => time = value().parse().unwrap_or(5_000),
            "--verb" => verbs.push(value()),
            "--program" => program = Some(PathBuf::from(value())),
            _ if argument.starts_with('-') => {
                eprintln!("wild: no option {argument}");
                return ExitCode::from(2);
            }
            _ => names.push(argument),
        }
    }
    let target = project().join("target");
    let program = program.unwrap_or_else(release);
    let verbs: Vec<&Verb> = VERBS
        .iter()
        .filter(|verb| verbs.is_empty() || verbs.iter().any(|name| name == verb.name))
        .collect();
    let trial = Trial {
        program,
        folder: target.join("wild"),
        jdk: compilers()[0].clone(),
        runtimes: all_jdks(),
        time_limit: Duration::from_millis(time),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut all = Report::default();
    for library in libraries() {
        if !names.is_empty() && !names.iter().any(|name| name == library.name()) {
            continue;
        }
        let classes: Vec<String> = library
            .classes(&trial.jdk)
            .into_iter()
            .skip(offset)
            .step_by(every)
            .collect();
        let report = try_library(&trial, &library, &classes, &verbs);
        println!(
            "{} ({} classes)\n{report}",
            library.coordinates,
            classes.len()
        );
        all.add(report);
    }
    println!("All libraries\n{all}");
    ExitCode::from(u8::from(!all.faults().is_empty()))
}

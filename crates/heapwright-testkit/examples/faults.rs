//! Faults put in by hand. `cargo faults [--program FILE] [--verb "VERB OPTIONS"] [--time MS]
//! [--folder DIR] [PACKAGE]…` generates suites from the correct classes of `fixtures/faults`, and
//! prints which faults they catch. Tests and logs stay below `target/faults`, or the folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::faults::{Generator, subjects};
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    let target = project().join("target");
    let (mut verb, mut time, mut names) = ("sequences".to_owned(), 30_000, Vec::new());
    let mut program = target.join("release").join("heapwright");
    let mut folder = target.join("faults");
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--verb" => verb = value(),
            "--time" => time = value().parse().unwrap_or(30_000),
            "--program" => program = PathBuf::from(value()),
            "--folder" => folder = PathBuf::from(value()),
            _ if argument.starts_with('-') => {
                eprintln!("faults: no option {argument}");
                return ExitCode::from(2);
            }
            _ => names.push(argument),
        }
    }
    if !program.is_file() {
        eprintln!("faults: no program {}; build it first", program.display());
        return ExitCode::from(2);
    }
    let generator = Generator {
        program,
        arguments: verb.split_whitespace().map(str::to_owned).collect(),
        time_limit: Duration::from_millis(time),
        jdk: compilers()[0].clone(),
        folder,
    };
    let (mut caught, mut all, mut tests) = (0, 0, 0);
    for subject in subjects() {
        if !names.is_empty() && !names.contains(&subject.package) {
            continue;
        }
        let of_subject = generator.catches(&subject);
        println!("{}: {of_subject}", subject.package);
        caught += of_subject.number();
        all += of_subject.faults.len();
        tests += of_subject.tests;
    }
    println!("All: {caught} of {all} faults caught by {tests} tests");
    ExitCode::SUCCESS
}

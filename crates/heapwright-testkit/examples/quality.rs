//! Quality of suites by policies of selection. `cargo quality [--program FILE] [--mutants GROUP]
//! [CLASS]…` writes suites of the subjects of Korat+ and of field coverage at the papers' scopes,
//! by each policy, and prints what `measure` finds of them.

use std::path::PathBuf;
use std::process::ExitCode;

use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::quality::{FIELDS, FIELDS_POLICIES, KORAT_PLUS, QualityJudge, Subject};

/// Arguments of the finitizations, in the order of the subjects; the largest scopes of the paper have
/// more structures than tests can be written of.
const ARGUMENTS: [&[&str]; 3] = [
    &["2,3", "3,3", "4,4", "4,5"],
    &["2", "3", "4"],
    &["3,3", "3,4", "3,6", "3,8", "5,8"],
];

/// Scopes of the subjects of field coverage, in their order.
const SCOPES: [&[&str]; 5] = [
    &["6", "15", "25", "35", "45"],
    &["6", "7", "8", "9", "10"],
    &["6", "7", "8", "9"],
    &["8", "10", "12", "14", "15"],
    &["6", "8", "10", "12", "13"],
];

fn main() -> ExitCode {
    let mut program = project().join("target").join("release").join("heapwright");
    let (mut operators, mut names) = ("logic".to_owned(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--program" => program = PathBuf::from(value()),
            "--mutants" => operators = value(),
            _ if argument.starts_with('-') => {
                eprintln!("quality: no option {argument}");
                return ExitCode::from(2);
            }
            _ => names.push(argument),
        }
    }
    if !program.is_file() {
        eprintln!("quality: no program {}; build it first", program.display());
        return ExitCode::from(2);
    }
    let judge = QualityJudge {
        program,
        jdk: compilers()[0].clone(),
        operators,
        is_checked: false,
    };
    let is_wanted =
        |subject: &Subject| names.is_empty() || names.iter().any(|name| name == subject.name());
    for ((subject, criterion), scopes) in KORAT_PLUS.iter().zip(ARGUMENTS) {
        for scope in scopes.iter().filter(|_| is_wanted(subject)) {
            for (policy, options) in Subject::korat_policies(criterion) {
                let options = [&["--args", scope], &options[..]].concat();
                let quality = judge.quality(subject, &options);
                println!("{} {scope}, {policy}: {quality}", subject.name());
            }
        }
    }
    for (subject, scopes) in FIELDS.iter().zip(SCOPES) {
        for scope in scopes.iter().filter(|_| is_wanted(subject)) {
            for (policy, options) in FIELDS_POLICIES {
                let options = [&["--scope", scope], options].concat();
                let quality = judge.quality(subject, &options);
                println!("{} {scope}, {policy}: {quality}", subject.name());
            }
        }
    }
    ExitCode::SUCCESS
}

//! Short run of the corpus: verbs on classes of libraries chosen at regular intervals. `cargo wild`
//! is the long form.

use std::path::PathBuf;
use std::time::Duration;

use heapwright_testkit::corpus::{Outcome, Report, Trial, VERBS, Verb, libraries, try_library};
use heapwright_testkit::coverage::Share;
use heapwright_testkit::jdk::{compilers, jdks};

/// Libraries, each with the number of classes skipped between two tested ones.
const SHORT: [(&str, usize); 3] = [("commons-csv", 4), ("javatuples", 8), ("minimal-json", 4)];

#[test]
#[ignore = "servers: libraries"]
fn nothing_breaks_and_what_is_written_holds() {
    let folder = tempfile::tempdir().unwrap();
    let trial = Trial {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        folder: folder.path().to_owned(),
        jdk: compilers()[0].clone(),
        runtimes: jdks(),
        time_limit: Duration::from_secs(3),
        jobs: 2,
    };
    let verbs: Vec<&Verb> = VERBS.iter().collect();
    let mut report = Report::default();
    let corpus = libraries();
    for (name, step) in SHORT {
        let library = corpus
            .iter()
            .find(|library| library.name() == name)
            .unwrap();
        let classes = library.classes(&trial.jdk).into_iter().step_by(step);
        report.add(try_library(
            &trial,
            library,
            &classes.collect::<Vec<_>>(),
            &verbs,
        ));
    }
    println!("{report}");
    // Run times depend on the machine.
    let faults = report.faults().into_iter();
    let faults: Vec<String> = faults
        .filter(|fault| !fault.starts_with("Overrun"))
        .collect();
    assert!(faults.is_empty(), "{report}");
    let of_sequences = report.runs.iter().filter(|run| run.verb == "sequences");
    let useful = of_sequences.filter(|run| matches!(run.outcome, Outcome::Fine | Outcome::Partial));
    assert!(useful.count() >= 2, "{report}");
    let suites = report.suites.iter();
    let suites = suites.filter(|suite| suite.verb == "sequences");
    let mut branches = Share::default();
    suites.for_each(|suite| branches += suite.branches);
    let is_measured = 0 < branches.covered && branches.covered <= branches.total;
    assert!(is_measured, "{report}");
}

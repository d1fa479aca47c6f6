//! What the program claims holds on a real JVM: of the classes on which the hunter has seen it not to
//! hold (`fixtures/hunt`, a case is a file), and of some random ones. `cargo hunt` is the long form.

use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_testkit::fixtures::project;
use heapwright_testkit::hunt::{Fate, Hunt, KINDS, kept_cases};
use heapwright_testkit::jdk::compilers;

fn hunt(folder: &Path, cases: u64) -> Hunt {
    Hunt {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        jdk: compilers()[0].clone(),
        folder: folder.to_owned(),
        seed: 1,
        cases,
        kinds: KINDS.iter().map(|one| one.1).collect(),
        verbs: Vec::new(),
        jobs: 2,
        time_limit: None,
        // What was found stays judged on a machine that has much else to do.
        most_wait: Duration::from_secs(240),
        minimises: false,
    }
}

#[test]
#[ignore = "long"]
fn no_claim_is_false_where_one_was() {
    let folder = tempfile::tempdir().unwrap();
    let (names, cases): (Vec<String>, Vec<_>) = kept_cases(&project().join("fixtures/hunt"))
        .into_iter()
        .unzip();
    let judged = hunt(folder.path(), 0).judge(cases);
    let wrong = judged.iter().filter_map(|(at, verb, fate)| match fate {
        Fate::False(answer) => Some(format!(
            "{} {verb}: {} ({})",
            names[*at], answer.kind, answer.detail
        )),
        _ => None,
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Each is judged, and most of the claims are made still.
    for (at, name) in names.iter().enumerate() {
        let has_fate = |one: &&(usize, &str, Fate)| one.0 == at && one.2 != Fate::NotJudged;
        assert!(
            judged.iter().any(|one| has_fate(&one)),
            "{name} is not judged"
        );
    }
}

#[test]
fn a_short_hunt_finds_nothing() {
    finds_nothing(1, 10);
}

#[test]
#[ignore = "long"]
fn a_longer_hunt_finds_nothing() {
    finds_nothing(24, 100);
}

/// Hunts with a number of cases of each kind; there are more claims than `least`.
fn finds_nothing(cases: u64, least: u64) {
    let folder = tempfile::tempdir().unwrap();
    let caught = hunt(folder.path(), cases).run();
    println!("{caught}");
    let found = caught
        .found
        .iter()
        .map(|one| format!("{} in\n{}", one.answer.detail, one.case.to_keep(one.verb)));
    assert!(
        caught.found.is_empty(),
        "{caught}{}",
        found.collect::<Vec<_>>().join("\n")
    );
    let claims: u64 = caught.verbs.values().map(|tally| tally.claims).sum();
    assert!(claims > least, "{caught}");
}

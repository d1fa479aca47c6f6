//! The game in `fixtures/src/sequences/game` and its handwritten tests, with which generated
//! tests are compared: they pass and leave little uncovered.

use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::junit::jars;

#[test]
fn the_tests_of_the_game_pass_and_cover_it() {
    let strict = || Fixture::new(&["-Xlint:all", "-Werror", "--release", "17"]);
    let classes = strict().package("sequences").classes();
    let tests = strict().against(&classes).against(&jars().console);
    let tests = tests.folder(&project().join("fixtures/tests/sequences/game"));
    let tests = tests.classes();

    let measured = coverage(&compilers()[0], &classes, &tests, &[], |class| {
        class.starts_with("sequences.game.")
    });
    let run = &measured.tests;
    assert!(
        run.found > 100 && run.succeeded == run.found,
        "{}",
        run.output
    );
    let (lines, branches) = (measured.total.lines, measured.total.branches);
    assert!(lines.total > 800 && lines.percent() > 95.0, "{lines:?}");
    assert!(
        branches.total > 800 && branches.percent() > 70.0,
        "{branches:?}"
    );
}

//! The game in `fixtures/src/sequences/game` and the tests that people wrote for it, which are what
//! generated tests are held against: they pass, and leave little of it uncovered.

use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{compile, files, project};
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::junit::jars;

#[test]
fn the_tests_of_the_game_pass_and_cover_it() {
    let jdk = &compilers()[0];
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder: {error}"));
    let (classes, tests) = (folder.path().join("classes"), folder.path().join("tests"));
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let sources = |place: &str| files(&project().join("fixtures").join(place), "java");
    compile(jdk, &sources("src/sequences"), &[], &classes, &options);
    let class_path = [classes.clone(), jars().console];
    compile(
        jdk,
        &sources("tests/sequences/game"),
        &class_path,
        &tests,
        &options,
    );

    let measured = coverage(jdk, &classes, &tests, &[], |class| {
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

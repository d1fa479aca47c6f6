//! Counts beyond a machine word are exact in every output.

use std::process::Output;

use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

use crate::common::program;

/// Lists of up to 39 nodes, each with one of 40 boxes or null: (41^40 - 1) / 40, past 2^208.
const LIST: [&str; 4] = ["-c", "fixtures.list.SinglyLinkedList", "--scope", "40"];
const LISTS: &str = "811510750385799999215487342050820887796273981805884752637279240";

fn run(verb: &str, arguments: &[&str]) -> Output {
    let jdks = jdks();
    let output = program()
        .args([verb, "--jdk", jdks[0].home.to_str().unwrap()])
        .arg("-p")
        .arg(fixtures::classes())
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Digits of a key of a summary.
fn digits<'t>(summary: &'t str, key: &str) -> &'t str {
    let behind = summary.split_once(&format!("\"{key}\":")).unwrap().1;
    let end = behind.find([',', '}']).unwrap();
    &behind[..end]
}

#[test]
fn all_digits_are_said() {
    for jobs in ["1", "3"] {
        let more = ["--json", "--jobs", jobs];
        let summary = run("enumerate", &[&LIST[..], &more].concat());
        assert_eq!(digits(text(&summary), "valid"), LISTS);
    }
    let line = run("enumerate", &LIST);
    let grouped = text(&line).split_once(": ").unwrap().1;
    assert!(grouped.starts_with("811,510,750,"), "{grouped}");
    let number = grouped.split_once(' ').unwrap().0;
    assert_eq!(number.replace(',', ""), LISTS);
}

#[test]
fn both_searches_count_what_no_word_holds() {
    let buffer = ["-c", "fixtures.plain.TextBuffer", "--scope", "30", "--json"];
    let counts = ["lazy", "korat"].map(|search| {
        let summary = run("enumerate", &[&buffer[..], &["--search", search]].concat());
        let text = text(&summary).to_owned();
        (
            digits(&text, "valid").to_owned(),
            digits(&text, "explored").to_owned(),
        )
    });
    let ((lazy, _), (korat, explored)) = (&counts[0], &counts[1]);
    assert_eq!(lazy, korat);
    assert!(
        lazy.len() > 20 && explored.len() >= lazy.len(),
        "{counts:?}"
    );
}

#[test]
fn shards_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (1..=3)
        .map(|number| {
            let file = folder.path().join(number.to_string());
            let (file, shard) = (file.to_str().unwrap().to_owned(), format!("{number}/3"));
            run(
                "enumerate",
                &[&LIST[..], &["--shard", &shard, "-o", &file]].concat(),
            );
            file
        })
        .collect();
    let merged = program()
        .args(["merge", "--json"])
        .args(&files)
        .output()
        .unwrap();
    assert_eq!(digits(text(&merged), "valid"), LISTS);
}

#[test]
fn calls_are_counted_alike() {
    let checked = [
        "-c",
        "fixtures.plain.BoundedStack",
        "--scope",
        "24",
        "--json",
    ];
    let summary = run("check", &[&checked[..], &["-m", "push"]].concat());
    let structures = digits(text(&summary), "structures").to_owned();
    assert_eq!(
        structures,
        digits(text(&run("enumerate", &checked)), "valid")
    );
    // 24 boxes, and null.
    let pushes = 25 * structures.parse::<u128>().unwrap();
    assert_eq!(digits(text(&summary), "calls"), pushes.to_string());
    assert!(structures.parse::<u128>().unwrap() > u64::MAX.into());
}

//! Workers, shards and resumed runs give the output of one run; parts that do not belong together
//! are refused with the reason.

use std::path::Path;
use std::process::Output;

use heapwright_testkit::fixtures::{self, Fixture};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

const TREE: [&str; 4] = ["-c", "fixtures.tree.SearchTree", "--args", "5"];

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn enumerate_in(classes: &Path, arguments: &[&str]) -> Output {
    let jdks = jdks();
    let home = jdks[0].home.to_str().unwrap();
    let mut all = vec!["enumerate", "--jdk", home, "-p", classes.to_str().unwrap()];
    all.extend_from_slice(arguments);
    run(&all)
}

fn enumerate(arguments: &[&str]) -> Output {
    enumerate_in(&fixtures::classes(), arguments)
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Summary without the keys that differ between runs.
fn summary(output: &Output) -> serde_json::Value {
    let mut summary: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let keys = summary.as_object_mut().unwrap();
    for key in ["seconds", "peak_memory_bytes", "shards", "verb", "files"] {
        keys.remove(key);
    }
    summary
}

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

#[test]
#[ignore = "long"]
fn output_does_not_depend_on_the_number_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    for search in ["lazy", "korat"] {
        let base = with(&TREE, &["--search", search]);
        let counts = |jobs| summary(&enumerate(&with(&base, &["--json", "--jobs", jobs])));
        assert_eq!(counts("3"), counts("1"));
        for format in ["text", "jsonl", "dot"] {
            let lines = |jobs: &str, limit: &str| {
                let more = ["--format", format, "--limit", limit, "-j", jobs];
                enumerate(&with(&base, &more)).stdout
            };
            assert_eq!(lines("3", "40"), lines("1", "40"), "{search} {format}");
            assert_eq!(lines("2", "9999"), lines("1", "9999"), "{search} {format}");
        }
        let tests = |jobs| {
            let to = folder.path().join(search).join(jobs);
            let to_text = to.to_str().unwrap();
            let more = [
                "--limit", "60", "--format", "junit", "-o", to_text, "-j", jobs,
            ];
            assert_eq!(code(&enumerate(&with(&base, &more))), 3);
            let mut all: Vec<(String, Vec<u8>)> = Vec::new();
            for file in std::fs::read_dir(to.join("fixtures").join("tree")).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                all.push((name, std::fs::read(path).unwrap()));
            }
            all.sort();
            all
        };
        assert!(tests("3") == tests("1"), "{search}: other tests");
    }
    // Every candidate throws an exception; the first one reported stays the first.
    let thrower = [
        "-c",
        "fixtures.graph.Person",
        "--args",
        "3,false",
        "--search",
        "korat",
    ];
    let one = error(&enumerate(&with(&thrower, &["-j", "1"])));
    assert_eq!(error(&enumerate(&with(&thrower, &["-j", "3"]))), one);
}

#[test]
fn shards_merge_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for search in ["lazy", "korat"] {
        for format in [&["--count"][..], &["--format", "jsonl"]] {
            let base = with(&with(&TREE, &["--search", search]), format);
            let files: Vec<String> = (1..=3).map(|shard| file(&shard.to_string())).collect();
            for (shard, file) in files.iter().enumerate() {
                let shard = format!("{}/3", shard + 1);
                let output = enumerate(&with(&base, &["--shard", &shard, "-o", file]));
                assert_eq!(code(&output), 0, "{output:?}");
            }
            let (merged, whole) = (file("merged"), file("whole"));
            let output = run(&[
                "merge", &files[2], &files[0], &files[1], "--json", "-o", &merged,
            ]);
            let mut given = with(&base, &["--json"]);
            if format.len() > 1 {
                given.extend(["-o", &whole]);
            }
            let expected = enumerate(&given);
            assert_eq!((code(&output), summary(&output)), (0, summary(&expected)));
            if format.len() > 1 {
                assert!(std::fs::read(&merged).unwrap() == std::fs::read(&whole).unwrap());
            }

            let failed = |files: &[&str], message: &str| {
                let output = run(&with(&["merge"], files));
                let text = error(&output);
                assert_eq!((code(&output), output.stdout.as_slice()), (2, &b""[..]));
                assert!(text.contains(message), "{text}");
            };
            let (a, b, c) = (&*files[0], &*files[1], &*files[2]);
            failed(&[a, c], "shard 2/3 is missing");
            failed(&[a, b, b], "are both shard 2/3");
            failed(&[a, b, "/no/such/file"], "failed to read /no/such/file");
            std::fs::write(file("none"), "{}\n").unwrap();
            failed(
                &[a, b, &file("none")],
                "is no file that --shard has written",
            );
            let all = std::fs::read_to_string(c).unwrap();
            std::fs::write(file("cut"), &all[..all.rfind("{\"explored").unwrap()]).unwrap();
            failed(&[a, b, &file("cut")], "is cut off");
            let other = file("other");
            let more = [
                "--args", "4", "--search", search, "--shard", "3/3", "-o", &other,
            ];
            let mut more = with(&TREE[..2], &more);
            more.extend_from_slice(format);
            assert_eq!(code(&enumerate(&more)), 0);
            failed(&[a, b, &other], "the bounds or invariant differs");
        }
    }
}

#[test]
fn a_stopped_run_goes_on() {
    let lines = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines");
        let to = ["--format", "jsonl", "--json", "-o", file.to_str().unwrap()];
        let output = enumerate(&with(&with(&TREE, &to), more));
        let lines = std::fs::read_to_string(&file).unwrap_or_default();
        (code(&output), summary(&output), lines)
    };
    for search in ["lazy", "korat"] {
        let (_, all, whole) = lines(&["--search", search]);
        let mut prefix = String::new();
        let (mut found, mut explored, mut steps) = (String::new(), 0, 0);
        loop {
            let mut more = vec!["--search", search, "--limit", "37"];
            if !prefix.is_empty() {
                more.extend(["--resume", &prefix]);
            }
            let (code, part, more) = lines(&more);
            found += &more;
            explored += part["explored"].as_u64().unwrap();
            steps += part["steps"].as_u64().unwrap();
            if part["status"] == "complete" {
                assert_eq!((code, &part["resume"]), (0, &serde_json::Value::Null));
                break;
            }
            assert_eq!((code, &part["stopped_by"]), (3, &"--limit".into()));
            prefix = part["resume"].as_str().unwrap().to_owned();
        }
        assert!(found == whole, "{search}");
        assert_eq!(Some(explored), all["explored"].as_u64());
        assert_eq!(Some(steps), all["steps"].as_u64());
    }
}

#[test]
fn a_prefix_of_something_else_is_refused() {
    let base = with(&TREE, &["--format", "text", "--limit", "5", "--json", "-o"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines");
    let file = file.to_str().unwrap();
    let stopped = summary(&enumerate(&with(&base, &[file])));
    let prefix = stopped["resume"].as_str().unwrap();
    let text = with(&TREE, &["--format", "text", "--resume", prefix]);
    assert_eq!(code(&enumerate(&text)), 0);

    let refused = |output: &Output, message: &str| {
        let text = error(output);
        assert_eq!((code(output), output.stdout.as_slice()), (2, &b""[..]));
        assert!(text.contains(message), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    };
    let resumed = |more: &[&str], prefix: &str| {
        enumerate(&with(more, &["--format", "text", "--resume", prefix]))
    };
    let other_bounds = with(&TREE[..2], &["--args", "4"]);
    refused(
        &resumed(&other_bounds, prefix),
        "is of another bounds or invariant for class fixtures.tree.SearchTree",
    );
    let other_search = with(&TREE, &["--search", "korat"]);
    refused(&resumed(&other_search, prefix), "another search");
    refused(
        &enumerate(&with(&TREE, &["--count", "--resume", prefix])),
        "another request (counts, structures, calls or paths)",
    );
    refused(&resumed(&TREE, "0/1.2"), "--resume takes the prefix");
    let start = prefix.rsplit_once(':').unwrap().0;
    refused(&resumed(&TREE, &format!("{start}:")), "is damaged");
    refused(&resumed(&TREE, &format!("{start}:0/1+0/0")), "not in order");
    refused(
        &resumed(&TREE, &format!("{start}:0/0_200")),
        "leads to choices that this search does not make",
    );

    // The same class with one more field.
    let source = "package fixtures.tree; public class SearchTree { int size, more; \
         public boolean repOK() { return size == 1; } }";
    let changed = Fixture::new(&[]).text("SearchTree", source).classes();
    let one = ["-c", "fixtures.tree.SearchTree", "--scope", "2"];
    let other = enumerate_in(
        &changed,
        &with(&one, &["--format", "text", "--resume", prefix]),
    );
    refused(
        &other,
        "another version of the classes for class fixtures.tree.SearchTree",
    );
}

#[test]
fn bad_shards_are_refused() {
    for (more, message) in [
        (&["--shard", "0/2", "-o", "x"][..], "a shard is its number"),
        (&["--shard", "3/2", "-o", "x"], "a shard is its number"),
        (&["--shard", "1/2"], "--output"),
        (&["--shard", "1/2", "-o", "x", "--limit", "3"], "--limit"),
        (
            &["--shard", "1/2", "-o", "x", "--format", "svg"],
            "--shard writes counts",
        ),
        (&["--jobs", "0"], "--jobs"),
    ] {
        let output = enumerate(&with(&TREE, more));
        assert_eq!(code(&output), 2, "{more:?}");
        assert!(error(&output).contains(message), "{}", error(&output));
    }
}

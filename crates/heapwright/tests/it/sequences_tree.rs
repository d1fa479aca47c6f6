//! `heapwright sequences --print-tree` and `--goal paths`: the tree of `gcd` in the thesis.

use std::path::Path;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

fn gcd(classes: &Path, arguments: &[&str]) -> String {
    let output = program()
        .args([
            "sequences",
            "--no-config",
            "--junit-check",
            "none",
            "-c",
            "sequences.Gcd",
            "-p",
        ])
        .arg(classes)
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(["--goal", "paths", "--loop-k", "3", "--max-length", "1"])
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_path_of_gcd_is_one_node_beside_the_shared_one() {
    let source = project().join("fixtures/src/sequences/Gcd.java");
    let fixture = Fixture::new(&["-g", "--release", "17"]).file(source);
    let classes = fixture.classes();
    expect![[r#"
        gcd(int,int): 4 paths, 5 nodes
          not followed further
          gcd:8 equal: path 1 returns
          gcd:8 not equal: not followed further
            gcd:11 calls gcd(int,int) path 1: path 2 returns
            gcd:11 calls gcd(int,int) path 2: path 3 returns
            gcd:11 calls gcd(int,int) path 3: path 4 returns
    "#]]
    .assert_eq(&gcd(&classes, &["--print-tree"]));
    let summary = gcd(&classes, &["--json"]);
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["goals_covered"], 4);
    assert_eq!(summary["goals_total"], 4);
    assert_eq!(
        (&summary["tree_paths"], &summary["tree_nodes"]),
        (&4.into(), &5.into())
    );
}

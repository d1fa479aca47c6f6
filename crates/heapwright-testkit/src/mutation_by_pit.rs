//! Mutation analysis of JUnit tests on a real JVM, by PIT.

use std::path::{Path, PathBuf};
use std::process::Command;

use roxmltree::{Document, Node};

use crate::jars::resolved;
use crate::jdk::Jdk;
use crate::junit;

const PIT: &str = "org.pitest:pitest-command-line:1.20.3";
const JUNIT5_PLUGIN: &str = "org.pitest:pitest-junit5-plugin:1.2.3";

/// A mutant as PIT reports it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutant {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source line.
    pub line: u32,
    /// Simple name of the operator's class without its ending: `NegateConditionals`.
    pub operator: String,
    /// Description of the change.
    pub description: String,
    /// Whether a test fails, times out or exhausts memory on it.
    pub is_killed: bool,
}

/// Runs the JUnit tests in a folder on the mutants of the classes in another folder that match one of
/// the patterns (`a.B*`), by the operators of a group, or by those that PIT takes by default.
///
/// # Panics
/// A jar cannot be fetched, a test fails on the original classes, or PIT fails.
#[must_use]
pub fn mutants(
    jdk: &Jdk,
    classes: &Path,
    tests: &Path,
    patterns: &[String],
    group: Option<&str>,
) -> Vec<Mutant> {
    mutants_with(jdk, (classes, &[]), tests, patterns, group)
}

/// Does the same as [`mutants`] for classes that need libraries.
///
/// # Panics
/// As [`mutants`].
#[must_use]
pub fn mutants_with(
    jdk: &Jdk,
    (classes, libraries): (&Path, &[PathBuf]),
    tests: &Path,
    patterns: &[String],
    group: Option<&str>,
) -> Vec<Mutant> {
    let reports = tempfile::tempdir().expect("a folder for PIT's report");
    let jars = junit::jars();
    let mut pit = resolved(PIT);
    pit.extend(resolved(JUNIT5_PLUGIN));
    let own = [
        classes.to_owned(),
        tests.to_owned(),
        jars.console,
        jars.junit4,
        jars.hamcrest,
    ];
    let listed = |paths: &[PathBuf]| {
        let paths: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        paths.join(",")
    };
    let path = [&own[..], libraries, &pit[..]].concat();
    let mut java: Command = jdk.java();
    java.arg("-cp").arg(junit::join(&pit));
    java.arg("org.pitest.mutationtest.commandline.MutationCoverageReport");
    java.arg("--reportDir").arg(reports.path());
    java.arg("--sourceDirs").arg(tests);
    java.args(["--targetClasses", &patterns.join(",")]);
    java.args(["--targetTests", "*Test"]);
    java.args(["--classPath", &listed(&path)]);
    java.args(["--mutableCodePaths", &listed(&own[..1])]);
    java.args(["--outputFormats", "XML", "--timestampedReports", "false"]);
    java.args(["--jvmArgs", "-ea"]);
    if let Some(group) = group {
        java.args(["--mutators", group]);
    }
    let output = java.output().expect("a JVM for PIT");
    let report = reports.path().join("mutations.xml");
    let text = std::fs::read_to_string(report).unwrap_or_else(|_| {
        panic!(
            "PIT wrote no report:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    });
    let document = Document::parse(&text).expect("PIT's report");
    let of = |mutation: Node<'_, '_>, name: &str| {
        let mut children = mutation.children();
        let child = children.find(|child| child.has_tag_name(name));
        child
            .and_then(|child| child.text().map(str::to_owned))
            .unwrap_or_default()
    };
    let mutations = document.descendants();
    let mutations = mutations.filter(|node| node.has_tag_name("mutation"));
    let mut found: Vec<Mutant> = mutations
        .map(|mutation| {
            let operator = of(mutation, "mutator");
            let operator = operator.rsplit('.').next().unwrap_or_default();
            let operator = operator.trim_end_matches("Mutator");
            Mutant {
                class: of(mutation, "mutatedClass"),
                method: of(mutation, "mutatedMethod"),
                line: of(mutation, "lineNumber").parse().unwrap_or_default(),
                operator: operator.to_owned(),
                description: of(mutation, "description"),
                is_killed: mutation.attribute("detected") == Some("true"),
            }
        })
        .collect();
    found.sort();
    found
}

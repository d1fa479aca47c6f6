//! Runs of compiled tests in random order, with the outcome of each test.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use roxmltree::Document;

use crate::fixtures::files;
use crate::jdk::Jdk;
use crate::junit::launcher;
use crate::process;

/// Whether the tests of a class are reproducers, which must fail.
fn is_of_reproducers(class: &str) -> bool {
    let class = class.split('$').next().unwrap_or(class);
    class.ends_with("FailureTest") || class.ends_with("CounterexampleTest")
}

/// Runs all tests below the folder `classes` for at most `limit`, with assertions enabled, in the
/// random order of a seed and with further options of `java`. Returns their number and those with a
/// wrong result; reports and logs are below `folder`.
///
/// # Errors
/// The run did not end, or ended without a report.
pub(crate) fn run_shuffled(
    jdk: &Jdk,
    (seed, options): (u32, &[OsString]),
    classes: &Path,
    further: &[PathBuf],
    folder: &Path,
    limit: Duration,
) -> Result<(usize, BTreeSet<String>), String> {
    let reports = folder.join(format!("reports-{}-{seed}", jdk.feature));
    let _ = fs::remove_dir_all(&reports);
    let order = "org.junit.jupiter.api.MethodOrderer$Random";
    let mut selection: Vec<OsString> = vec!["--scan-classpath".into(), classes.into()];
    selection.extend(["--reports-dir".into(), reports.clone().into()]);
    for setting in [
        format!("--config=junit.jupiter.testmethod.order.default={order}"),
        format!("--config=junit.jupiter.execution.order.random.seed={seed}"),
    ] {
        selection.push(setting.into());
    }
    let whole = [&[classes.to_owned()], further].concat();
    let mut java = jdk.java();
    // Assertions enabled, as by build tools.
    java.arg("-ea").args(options);
    let mut command = launcher(java, &whole, &selection);
    command.current_dir(folder);
    let ended = process::run(
        command,
        limit,
        &folder.join(format!("junit-{}-{seed}.log", jdk.feature)),
    );
    if ended.status.is_none() {
        return Err("did not end".to_owned());
    }
    let (mut found, mut failed) = (0, BTreeSet::new());
    let of_engines = files(&reports, "xml");
    for report in &of_engines {
        let text = fs::read_to_string(report).unwrap_or_default();
        let report = Document::parse(&text).map_err(|error| error.to_string())?;
        found += read(&report, &mut failed);
    }
    match of_engines.is_empty() {
        true => Err("ended without a report".to_owned()),
        false => Ok((found, failed)),
    }
}

/// Number of tests of a report; those with a wrong result are added to `failed`.
fn read(report: &Document, failed: &mut BTreeSet<String>) -> usize {
    let nodes = report.descendants();
    let mut found = 0;
    for test in nodes.filter(|node| node.has_tag_name("testcase")) {
        found += 1;
        let mut children = test.children();
        let has_failed =
            children.any(|node| node.has_tag_name("failure") || node.has_tag_name("error"));
        let name = |key| test.attribute(key).unwrap_or_default();
        if has_failed != is_of_reproducers(name("classname")) {
            failed.insert(format!("{}.{}", name("classname"), name("name")));
        }
    }
    found
}

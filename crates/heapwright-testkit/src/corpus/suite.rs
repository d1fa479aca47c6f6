//! Tests that a verb has written for a library: compiled together, and run twice on each JDK in
//! different order.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Library, Trial, Verb, process};
use crate::fixtures::files;
use crate::jdk::Jdk;
use crate::junit::{jars, join, launcher};

/// Result of the tests that a verb wrote for a library.
#[derive(Clone, Debug)]
pub struct SuiteRun {
    /// Name of the verb.
    pub verb: &'static str,
    /// Number of source files that compile without a warning.
    pub compiled: usize,
    /// First compiler message of each refused file.
    pub uncompilable: Vec<String>,
    /// Number of tests found in the runs.
    pub tests: usize,
    /// Tests that fail in every run.
    pub failing: Vec<String>,
    /// Tests that fail in some runs only.
    pub flaky: Vec<String>,
    /// Runs that did not end.
    pub unfinished: Vec<String>,
}

/// Time limit of the compilation and of each test run.
const LIMIT: Duration = Duration::from_secs(300);

/// Compiles and runs the tests in `folder/tests`; `None` if there are none.
pub(super) fn run(
    trial: &Trial,
    library: &Library,
    verb: &Verb,
    folder: &Path,
) -> Option<SuiteRun> {
    let mut sources = files(&folder.join("tests"), "java");
    if sources.is_empty() {
        return None;
    }
    let classes = folder.join("classes");
    let jars = jars();
    let class_path = [
        library.jars(),
        vec![jars.console, jars.junit4, jars.hamcrest],
    ]
    .concat();
    let mut run = SuiteRun {
        verb: verb.name,
        compiled: 0,
        uncompilable: Vec::new(),
        tests: 0,
        failing: Vec::new(),
        flaky: Vec::new(),
        unfinished: Vec::new(),
    };
    // Refused files are removed, and the others compiled again.
    loop {
        let (is_done, refused) = compile(&trial.jdk, &sources, &class_path, &classes, folder);
        run.uncompilable
            .extend(refused.iter().map(|(_, line)| line.clone()));
        if is_done || refused.is_empty() {
            break;
        }
        sources.retain(|source| !refused.iter().any(|(file, _)| file == source));
    }
    run.compiled = sources.len();
    let mut further = library.jars();
    // Data files are beside the sources.
    let written = fs::read_dir(folder.join("tests")).into_iter().flatten();
    further.extend(written.flatten().map(|entry| entry.path()));
    let mut times = Vec::new();
    for jdk in trial.runtimes.iter().filter(|jdk| {
        // Tests of a JDK's own classes are specific to that JDK.
        !library.jars().is_empty() || jdk.home == trial.jdk.home
    }) {
        for seed in [1, 2] {
            match execute(jdk, seed, &classes, &further, folder) {
                Ok((found, failed)) => {
                    run.tests = run.tests.max(found);
                    times.push(failed);
                }
                Err(why) => run.unfinished.push(format!("JDK {}: {why}", jdk.feature)),
            }
        }
    }
    let all: BTreeSet<&String> = times.iter().flatten().collect();
    for test in all {
        let is_constant = times.iter().all(|failed| failed.contains(test));
        let kind = if is_constant {
            &mut run.failing
        } else {
            &mut run.flaky
        };
        kind.push(test.clone());
    }
    Some(run)
}

/// Compiles with all warnings as errors. Returns whether that succeeded, and the refused files
/// with the compiler's first message.
fn compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    classes: &Path,
    folder: &Path,
) -> (bool, Vec<(PathBuf, String)>) {
    let _ = fs::remove_dir_all(classes);
    let list = folder.join("sources.txt");
    let names: Vec<String> = sources
        .iter()
        .map(|path| format!("\"{}\"", path.display()))
        .collect();
    let written = fs::write(&list, names.join("\n"));
    written.unwrap_or_else(|error| panic!("failed to write {}: {error}", list.display()));
    let mut javac = jdk.javac();
    javac.args([
        "-encoding",
        "UTF-8",
        "-proc:none",
        "-Xlint:all,-path,-classfile,-processing",
        "-Werror",
    ]);
    javac
        .args(["-Xmaxerrs", "100000", "-Xmaxwarns", "100000", "-d"])
        .arg(classes);
    javac
        .arg("-cp")
        .arg(join(class_path))
        .arg(format!("@{}", list.display()));
    let ended = process::run(javac, LIMIT, &folder.join("javac.log"));
    let mut refused: Vec<(PathBuf, String)> = Vec::new();
    for line in ended.errors.lines().chain(ended.output.lines()) {
        let Some((file, rest)) = line.split_once(".java:") else {
            continue;
        };
        let file = PathBuf::from(format!("{file}.java"));
        if refused.iter().all(|(known, _)| *known != file) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            refused.push((file.clone(), format!("{name}:{rest}")));
        }
    }
    (ended.status.is_some_and(|status| status.success()), refused)
}

/// Whether the tests of a class are reproducers, which must fail.
fn is_of_reproducers(class: &str) -> bool {
    class.ends_with("FailureTest") || class.ends_with("CounterexampleTest")
}

/// Runs all tests in random order; returns their number and those with a wrong result.
fn execute(
    jdk: &Jdk,
    seed: u32,
    classes: &Path,
    further: &[PathBuf],
    folder: &Path,
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
    java.arg("-ea");
    let mut command = launcher(java, &whole, &selection);
    command.current_dir(folder);
    let ended = process::run(
        command,
        LIMIT,
        &folder.join(format!("junit-{}-{seed}.log", jdk.feature)),
    );
    if ended.status.is_none() {
        return Err("did not end".to_owned());
    }
    let report = reports.join("TEST-junit-jupiter.xml");
    let text = fs::read_to_string(&report);
    let text = text.map_err(|_| "ended without a report".to_owned())?;
    let document = roxmltree::Document::parse(&text).map_err(|error| error.to_string())?;
    let mut found = 0;
    let mut failed = BTreeSet::new();
    for test in document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
    {
        found += 1;
        let mut children = test.children();
        let has_failed =
            children.any(|node| node.has_tag_name("failure") || node.has_tag_name("error"));
        let name = |key| test.attribute(key).unwrap_or_default();
        if has_failed != is_of_reproducers(name("classname")) {
            failed.insert(format!("{}.{}", name("classname"), name("name")));
        }
    }
    Ok((found, failed))
}

//! Tests that a verb has written for a library: compiled together, and run twice on each JDK in
//! different order.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Library, Trial, Verb};
use crate::coverage::{Share, recorded, recording};
use crate::fixtures::files;
use crate::jdk::Jdk;
use crate::junit::{jars, join};
use crate::process;
use crate::shuffled::run_shuffled;

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
    /// Branches of the tried classes and of their member classes, as JaCoCo counts them; zero for
    /// the JDK's own classes, into which it does not look.
    pub branches: Share,
}

/// Time limit of the compilation and of each test run.
const LIMIT: Duration = Duration::from_secs(300);

/// Compiles and runs the tests in `folder/tests`, which are for some classes of a library. Branches
/// count even if there are none.
pub(super) fn run(
    trial: &Trial,
    library: &Library,
    tried: &[String],
    verb: &Verb,
    folder: &Path,
) -> SuiteRun {
    let mut sources = files(&folder.join("tests"), "java");
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
        branches: Share::default(),
    };
    let under_test = folder.join("under-test");
    library.write_classes(tried, &under_test);
    let data = folder.join("jacoco.exec");
    let _ = fs::remove_file(&data);
    if sources.is_empty() {
        let known = recorded(&trial.jdk, &data, &under_test).unwrap_or_default();
        run.branches = known.branches;
        return run;
    }
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
            match run_shuffled(jdk, (seed, &[]), &classes, &further, folder, LIMIT) {
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
    if !library.jars().is_empty() {
        let ran = (&*classes, &*further);
        match branches(&trial.jdk, &under_test, ran, &data) {
            Ok(branches) => run.branches = branches,
            Err(why) => run.unfinished.push(format!("JaCoCo: {why}")),
        }
    }
    run
}

/// Branches of the classes in a folder that the compiled tests cover. It takes a run of its own, as
/// JaCoCo adds members to classes, which reflection shows.
fn branches(
    jdk: &Jdk,
    under_test: &Path,
    (classes, further): (&Path, &[PathBuf]),
    data: &Path,
) -> Result<Share, String> {
    let folder = data.parent().unwrap_or(data);
    let options = [recording(data)];
    run_shuffled(jdk, (1, &options), classes, further, folder, LIMIT)?;
    Ok(recorded(jdk, data, under_test)?.branches)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixture;
    use crate::jdk::compilers;

    #[test]
    #[ignore = "long"]
    fn branches_are_those_of_the_classes_under_test() {
        let fixture = || Fixture::new(&["-g", "--release", "17"]);
        let sign = "package p;
            public class Sign {
                public static String of(int i) { return i < 0 ? \"minus\" : Other.of(i); }
            }
            class Other {
                static String of(int i) { return i > 0 ? \"plus\" : \"zero\"; }
            }";
        let test = "package p;
            class SignTest {
                @org.junit.jupiter.api.Test void plus() { Sign.of(1); Sign.of(0); }
            }";
        let under_test = fixture().text("Sign", sign).classes();
        let tests = fixture().against(&under_test).against(&jars().console);
        let tests = tests.text("SignTest", test).classes();
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("one");
        fs::create_dir(&one).unwrap();
        fs::copy(under_test.join("p/Sign.class"), one.join("p.Sign.class")).unwrap();
        let all = std::slice::from_ref(&under_test);
        for (classes, covered, total) in [(&one, 1, 2), (&under_test, 3, 4)] {
            let data = folder.path().join(format!("{total}.exec"));
            let jdk = &compilers()[0];
            let without_tests = recorded(jdk, &data, classes).unwrap().branches;
            assert_eq!(without_tests, Share { covered: 0, total });
            let measured = branches(jdk, classes, (&tests, all), &data);
            assert_eq!(measured, Ok(Share { covered, total }));
        }
    }
}

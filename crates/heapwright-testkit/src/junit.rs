//! JUnit: its jars and its console launcher; AssertJ and TestNG.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::fixtures::{Fixture, project};
use crate::jars::{fetched, resolved};
use crate::java_server::{JavaServer, Pool};

/// Paths of the jars.
#[derive(Clone, Debug)]
pub struct JunitJars {
    /// Console launcher, with all of JUnit 5 and the engine for JUnit 4.
    pub console: PathBuf,
    /// JUnit 4.
    pub junit4: PathBuf,
    /// Dependency of JUnit 4.
    pub hamcrest: PathBuf,
}

/// Summary of the console launcher.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LauncherReport {
    /// Number of tests found.
    pub found: usize,
    /// Number of tests that passed.
    pub succeeded: usize,
    /// Number of tests that failed.
    pub failed: usize,
    /// Standard output, followed by standard error.
    pub output: String,
}

/// Options of JVMs that run tests: short runs need no second compiler and no large heap.
const OPTIONS: [&str; 3] = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
];
/// Options of the launcher: every class may be a test class, and what is printed is plain.
const PRINTED: [&str; 4] = [
    "--disable-banner",
    "--disable-ansi-colors",
    "--details=tree",
    "--include-classname=.*",
];

const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
const JUNIT4: &str = "junit:junit:4.13.2";
const HAMCREST: &str = "org.hamcrest:hamcrest-core:1.3";

/// JUnit's jars, fetched at their first use in this build folder.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn jars() -> JunitJars {
    static JARS: OnceLock<JunitJars> = OnceLock::new();
    JARS.get_or_init(|| {
        let [console, junit4, hamcrest] = fetched("jars", [CONSOLE, JUNIT4, HAMCREST]);
        JunitJars {
            console,
            junit4,
            hamcrest,
        }
    })
    .clone()
}

/// Jars of AssertJ, fetched at their first use in this build folder.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn assertj() -> Vec<PathBuf> {
    static JARS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    JARS.get_or_init(|| resolved("org.assertj:assertj-core:3.27.3"))
        .clone()
}

/// Jars of TestNG, fetched at their first use in this build folder.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn testng() -> Vec<PathBuf> {
    static JARS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    JARS.get_or_init(|| resolved("org.testng:testng:7.10.2"))
        .clone()
}

/// Runs test classes with TestNG.
///
/// # Panics
/// TestNG cannot be started or ends without its summary.
#[must_use]
pub fn run_testng(java: &Path, classpath: &[PathBuf], classes: &[String]) -> LauncherReport {
    let whole = [classpath, &testng()].concat();
    let reports = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder: {error}"));
    let output = Command::new(java)
        .arg("-cp")
        .arg(join(&whole))
        .args(["org.testng.TestNG", "-usedefaultlisteners", "false", "-d"])
        .arg(reports.path())
        .args(["-testclass", &classes.join(",")])
        .output()
        .unwrap_or_else(|error| panic!("failed to start TestNG: {error}"));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    let count = |what: &str| {
        let (_, behind) = text
            .split_once(what)
            .unwrap_or_else(|| panic!("no {what} in:\n{text}"));
        let digits = behind.split(|letter: char| !letter.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    LauncherReport {
        found: count("Total tests run: "),
        succeeded: count("Passes: "),
        failed: count("Failures: "),
        output: text.clone(),
    }
}

/// Runs every test class on a class path with the console launcher.
///
/// # Panics
/// The launcher cannot be started or ends without its summary.
#[must_use]
pub fn run_console(java: &Path, classpath: &[PathBuf]) -> LauncherReport {
    run_console_with(java, classpath, &[])
}

/// Runs every test class on `classpath`; `further` has their dependencies and is not searched for
/// tests.
///
/// # Panics
/// The launcher cannot be started or ends without its summary.
#[must_use]
pub fn run_console_with(java: &Path, classpath: &[PathBuf], further: &[PathBuf]) -> LauncherReport {
    let whole = [classpath, further].concat();
    let selection = ["--scan-classpath".into(), join(classpath)];
    launch(Command::new(java), &whole, &selection)
}

/// Runs the tests selected by the launcher's options in `selection`. The command starts `java`
/// and may have options for it.
///
/// # Panics
/// The launcher cannot be started or ends without its summary.
#[must_use]
pub fn launch(java: Command, classpath: &[PathBuf], selection: &[OsString]) -> LauncherReport {
    let text = in_a_warm_process(&java, classpath, selection).unwrap_or_else(|| {
        let mut launcher = launcher(java, classpath, selection);
        let output = launcher
            .output()
            .unwrap_or_else(|error| panic!("failed to start {launcher:?}: {error}"));
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        text
    });
    let count = |what: &str| {
        summary(&text, what).unwrap_or_else(|| panic!("no number of tests {what} in:\n{text}"))
    };
    LauncherReport {
        found: count("found"),
        succeeded: count("successful"),
        failed: count("failed"),
        output: text,
    }
}

/// What the launcher prints in a process that has run other tests before, in loaders of their own;
/// `None` if the tests ask for a process of their own: by options of the JVM or an environment, or
/// by ending it.
fn in_a_warm_process(
    java: &Command,
    classpath: &[PathBuf],
    selection: &[OsString],
) -> Option<String> {
    static LAUNCHERS: Pool = Pool::new();
    let has_environment = java.get_envs().any(|(_, value)| value.is_some());
    if java.get_args().len() > 0 || has_environment || java.get_current_dir().is_some() {
        return None;
    }
    let start = || {
        let jars = jars();
        let source = project().join("crates/heapwright-testkit/java/launcher/Launcher.java");
        let program = Fixture::new(&["--release", "17"])
            .against(&jars.console)
            .file(source);
        let whole = [program.classes(), jars.console, jars.junit4, jars.hamcrest];
        let mut process = Command::new(java.get_program());
        process.args(OPTIONS).arg("-cp").arg(join(&whole));
        JavaServer::start(process.arg("Launcher"))
    };
    let mut request = vec![
        "execute".into(),
        "--class-path".into(),
        join(classpath).into_string().ok()?,
    ];
    request.extend(PRINTED.map(str::to_owned));
    for option in selection {
        request.push(option.to_str()?.to_owned());
    }
    let request: Vec<&str> = request.iter().map(String::as_str).collect();
    let name = java.get_program().to_string_lossy();
    let (_, lines) = LAUNCHERS.ask(&name, start, &request)?;
    Some(lines.join("\n"))
}

/// Command that [`launch`] runs.
///
/// # Panics
/// JUnit's jars cannot be fetched.
#[must_use]
pub fn launcher(mut java: Command, classpath: &[PathBuf], selection: &[OsString]) -> Command {
    let jars = jars();
    let mut whole: Vec<PathBuf> = vec![jars.console, jars.junit4, jars.hamcrest];
    whole.extend_from_slice(classpath);
    java.args(OPTIONS)
        .arg("-cp")
        .arg(join(&whole))
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args(PRINTED)
        .args(selection);
    java
}

/// Number in a line `[        12 tests successful      ]`.
fn summary(output: &str, what: &str) -> Option<usize> {
    output.lines().find_map(|line| {
        let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
        let mut words = inner.split_whitespace();
        let number = words.next()?.parse().ok()?;
        (words.next() == Some("tests") && words.next() == Some(what)).then_some(number)
    })
}

/// Joins paths to a class path.
///
/// # Panics
/// A path contains the platform's separator.
#[must_use]
pub fn join(paths: &[PathBuf]) -> OsString {
    std::env::join_paths(paths)
        .unwrap_or_else(|error| panic!("failed to join a class path: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_read() {
        let output = "\n[         4 tests found           ]\n[         3 tests successful      ]\n";
        assert_eq!(summary(output, "found"), Some(4));
        assert_eq!(summary(output, "successful"), Some(3));
        assert_eq!(summary(output, "failed"), None);
    }

    #[test]
    fn the_jars_are_there() {
        let jars = jars();
        for jar in [jars.console, jars.junit4, jars.hamcrest] {
            assert!(jar.is_file(), "{}", jar.display());
        }
    }
}

//! JUnit: its jars, fetched once by Maven, and its console launcher.
//!
//! The jars are whole or absent: they are fetched under a lock, into a folder of their own that is
//! then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Paths of the jars.
#[derive(Clone, Debug)]
pub struct JunitJars {
    /// The console launcher with everything of JUnit 5 and the engine for JUnit 4 in it.
    pub console: PathBuf,
    /// JUnit 4.
    pub junit4: PathBuf,
    /// What JUnit 4 needs.
    pub hamcrest: PathBuf,
}

/// What the console launcher said at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LauncherReport {
    /// Tests found.
    pub found: usize,
    /// Tests that passed.
    pub succeeded: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Standard output and then standard error.
    pub output: String,
}

const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
const JUNIT4: &str = "junit:junit:4.13.2";
const HAMCREST: &str = "org.hamcrest:hamcrest-core:1.3";

/// The jars of JUnit, fetched if this is the first use in this build folder.
///
/// # Panics
/// If they cannot be fetched; the message says what to install.
#[must_use]
pub fn jars() -> JunitJars {
    static JARS: OnceLock<JunitJars> = OnceLock::new();
    JARS.get_or_init(|| {
        let folder = target_folder().join("testkit");
        fetch(&folder);
        let jar = |coordinates: &str| folder.join("jars").join(file_name(coordinates));
        JunitJars {
            console: jar(CONSOLE),
            junit4: jar(JUNIT4),
            hamcrest: jar(HAMCREST),
        }
    })
    .clone()
}

/// Runs every test class on a class path, with the console launcher.
///
/// # Panics
/// If the launcher cannot be started or ends without its summary.
#[must_use]
pub fn run_console(java: &Path, classpath: &[PathBuf]) -> LauncherReport {
    run_console_with(java, classpath, &[])
}

/// Runs every test class on `classpath`; what they need besides is on `further`, where no tests are
/// looked for.
///
/// # Panics
/// If the launcher cannot be started or ends without its summary.
#[must_use]
pub fn run_console_with(java: &Path, classpath: &[PathBuf], further: &[PathBuf]) -> LauncherReport {
    let jars = jars();
    let mut whole: Vec<PathBuf> = vec![jars.console, jars.junit4, jars.hamcrest];
    whole.extend_from_slice(classpath);
    whole.extend_from_slice(further);
    let output = Command::new(java)
        // For short runs: no second compiler, no large heap.
        .args([
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
        ])
        .arg("-cp")
        .arg(join(&whole))
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args([
            "--disable-banner",
            "--disable-ansi-colors",
            "--details=tree",
        ])
        .arg("--include-classname=.*")
        .arg("--scan-classpath")
        .arg(join(classpath))
        .output()
        .unwrap_or_else(|error| panic!("failed to start {}: {error}", java.display()));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
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

/// The number in a line `[        12 tests successful      ]`.
fn summary(output: &str, what: &str) -> Option<usize> {
    output.lines().find_map(|line| {
        let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
        let mut words = inner.split_whitespace();
        let number = words.next()?.parse().ok()?;
        (words.next() == Some("tests") && words.next() == Some(what)).then_some(number)
    })
}

/// Paths joined as a class path.
///
/// # Panics
/// If a path holds the platform's separator.
#[must_use]
pub fn join(paths: &[PathBuf]) -> OsString {
    std::env::join_paths(paths)
        .unwrap_or_else(|error| panic!("failed to join a class path: {error}"))
}

fn fetch(folder: &Path) {
    let done = folder.join("jars");
    let wanted = [CONSOLE, JUNIT4, HAMCREST];
    let is_whole = || wanted.iter().all(|jar| done.join(file_name(jar)).is_file());
    if is_whole() {
        return;
    }
    let check = |what: &str, result: std::io::Result<()>| {
        if let Err(error) = result {
            panic!("failed to {what} {}: {error}", folder.display());
        }
    };
    check("make", fs::create_dir_all(folder));
    let lock = File::create(folder.join("jars.lock"));
    check(
        "lock",
        lock.as_ref()
            .map_or_else(|error| Err(error.kind().into()), File::lock),
    );
    if is_whole() {
        return;
    }
    let fresh = folder.join("jars.new");
    for old in [&fresh, &done] {
        if old.exists() {
            check("clear", fs::remove_dir_all(old));
        }
    }
    let maven = maven();
    for jar in wanted {
        let output = Command::new(&maven)
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={jar}"))
            .arg(format!("-DoutputDirectory={}", fresh.display()))
            .current_dir(folder)
            .output();
        match output {
            Ok(output) if output.status.success() => {}
            Ok(output) => panic!(
                "failed to fetch {jar} with Maven; tests with JUnit need it:\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ),
            Err(error) => panic!("failed to start Maven: {error}"),
        }
    }
    check("finish", fs::rename(&fresh, &done));
}

/// `junit-4.13.2.jar` for `junit:junit:4.13.2`.
fn file_name(coordinates: &str) -> String {
    let mut parts = coordinates.split(':').skip(1);
    let artifact = parts.next().unwrap_or_default();
    let version = parts.next().unwrap_or_default();
    format!("{artifact}-{version}.jar")
}

/// Maven's command, installed if that is possible without asking.
fn maven() -> PathBuf {
    let find = || find_command(if cfg!(windows) { "mvn.cmd" } else { "mvn" });
    if let Some(maven) = find() {
        return maven;
    }
    if let Some(apt_get) = find_command("apt-get")
        && is_root()
    {
        // A failure shows below, when Maven is still not there.
        let _ = Command::new(apt_get)
            .args(["install", "-y", "-qq", "maven"])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .output();
    }
    find().unwrap_or_else(|| {
        panic!(
            "tests with JUnit fetch its jars with Maven: install it so that `mvn` is on the PATH"
        )
    })
}

fn find_command(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The workspace's `target`: where the running test itself was built.
fn target_folder() -> PathBuf {
    let test = std::env::current_exe()
        .unwrap_or_else(|error| panic!("failed to find the running test: {error}"));
    // target/debug/deps/name-hash
    match test.ancestors().nth(3) {
        Some(target) => target.to_owned(),
        None => panic!("failed to find the build folder of {}", test.display()),
    }
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

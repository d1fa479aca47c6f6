//! Conformance of the engine with real JVMs. For every JDK found, each program under
//! `conformance/<topic>/<case>/` has the same output, exit code and uncaught exception with `java`
//! and with `heapwright run`.
//!
//! Expected results are never written down; they come from the JDK at hand, which is asked once in a
//! build folder for a program that stays as it is. Set
//! `HEAPWRIGHT_CONFORMANCE` to a part of a case's name (`arrays/`, `copying`) to run only those
//! cases. A case whose folder contains a file `requires` with a feature version needs that JDK or a
//! newer one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::{self, Jdk};
use heapwright_testkit::target::whole_folder;

use crate::common::program;

/// Minimum number of cases: fewer mean that the folder is missing or incomplete.
const FEWEST_CASES: usize = 300;
/// Number of programs that run at the same time.
const WORKERS: usize = 2;
/// Time limit far beyond the needs of any case: a longer run hangs.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Settings that must not depend on the machine, and options for a fast start.
const JAVA_OPTIONS: [&str; 8] = [
    "-Xmx512m",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-Dsun.stdout.encoding=UTF-8",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
];

/// Conformance program.
struct Case {
    /// `topic/case`.
    name: String,
    sources: Vec<PathBuf>,
    /// Oldest feature version that the program runs on; 0 for any.
    requires: u32,
}

impl Case {
    fn main_class(&self) -> String {
        format!("{}.Main", self.name.replace('/', "."))
    }
}

/// All classes of the cases, compiled for one JDK.
struct Compiled {
    jdk: Jdk,
    /// Class path of the compiled cases.
    classes: OsString,
}

/// Result of one run of a program.
struct Outcome {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// Exit code; `None` if the process was killed, at the time limit or from outside.
    exit_code: Option<i32>,
}

#[test]
fn programs_behave_as_on_a_real_jvm() {
    programs_behave_as_on(vec![jdk::jdks().remove(0)]);
}

#[test]
#[ignore = "servers: a second JDK"]
fn programs_behave_as_on_other_real_jvms() {
    programs_behave_as_on(jdk::further_jdks());
}

fn programs_behave_as_on(jdks: Vec<Jdk>) {
    let all = find_cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance"));
    assert!(
        all.len() >= FEWEST_CASES,
        "only {} conformance cases found",
        all.len()
    );
    let filter = std::env::var("HEAPWRIGHT_CONFORMANCE").unwrap_or_default();
    let cases: Vec<Case> = all
        .into_iter()
        .filter(|case| case.name.contains(&filter))
        .collect();
    assert!(
        !cases.is_empty(),
        "no conformance case has {filter:?} in its name"
    );

    let scratch = tempfile::tempdir().unwrap();
    let compiled: Vec<Compiled> = jdks.into_iter().map(|jdk| compile(jdk, &cases)).collect();
    let jobs: Vec<(&Compiled, &Case)> = compiled
        .iter()
        .flat_map(|compiled| cases.iter().map(move |case| (compiled, case)))
        .filter(|(compiled, case)| case.requires <= compiled.jdk.feature)
        .collect();

    let failures = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((index, (compiled, case))) = take(&next, &jobs) {
                    if let Some(difference) = check(compiled, case, scratch.path()) {
                        failures.lock().unwrap().insert(index, difference);
                    }
                }
            });
        }
    });

    let failures = failures.into_inner().unwrap();
    if !failures.is_empty() {
        for (index, difference) in &failures {
            let (compiled, case) = jobs[*index];
            eprintln!(
                "{} on JDK {}: {difference}",
                case.name, compiled.jdk.feature
            );
        }
        panic!(
            "{} of {} runs differ from a real JVM's",
            failures.len(),
            jobs.len()
        );
    }
}

fn take<'a, T>(next: &AtomicUsize, jobs: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, jobs.get(index)?))
}

fn find_cases(root: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for topic in children(root) {
        for folder in children(&topic) {
            let mut sources = children(&folder);
            sources.retain(|file| {
                file.extension()
                    .is_some_and(|extension| extension == "java")
            });
            if sources.is_empty() {
                continue;
            }
            let name = format!("{}/{}", file_name(&topic), file_name(&folder));
            let requires = match fs::read_to_string(folder.join("requires")) {
                Ok(text) => text
                    .trim()
                    .parse()
                    .unwrap_or_else(|_| panic!("{name}/requires holds no number: {text:?}")),
                Err(_) => 0,
            };
            cases.push(Case {
                name,
                sources,
                requires,
            });
        }
    }
    cases
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Compiles all cases that `jdk` can run: one call for those without a requirement, and one for
/// each newer feature version that some require.
fn compile(jdk: Jdk, cases: &[Case]) -> Compiled {
    let newest = || jdk::compilers().pop().unwrap();
    let compiler = if jdk.has_compiler() {
        jdk.clone()
    } else {
        newest()
    };
    let mut by_release: BTreeMap<u32, Fixture> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.requires <= jdk.feature) {
        let mut fixture = by_release.remove(&case.requires).unwrap_or_else(|| {
            let release = match case.requires {
                0 if compiler == jdk => None,
                0 => Some(jdk.feature),
                release => Some(release),
            };
            let release = release.map(|release| release.to_string());
            let mut options = vec!["-nowarn", "-proc:none"];
            options.extend(release.iter().flat_map(|release| ["--release", release]));
            Fixture::new(&options).by(&compiler)
        });
        fixture = case.sources.iter().fold(fixture, Fixture::file);
        by_release.insert(case.requires, fixture);
    }
    let folders = by_release.values().map(Fixture::classes);
    Compiled {
        classes: std::env::join_paths(folders).unwrap(),
        jdk,
    }
}

/// Runs one case on both and returns their difference, if there is one.
fn check(compiled: &Compiled, case: &Case, scratch: &Path) -> Option<String> {
    let Compiled { jdk, classes } = compiled;
    let mut java = jdk.java();
    java.args(JAVA_OPTIONS)
        .arg("-cp")
        .arg(classes)
        .arg(case.main_class());
    let mut heapwright = program();
    // Objects that are still needed outlive collections at any time.
    heapwright
        .args(["run", "--collect-every", "5000"])
        .args(["--max-memory", "512m", "--jdk"])
        .arg(&jdk.home)
        .arg("-p")
        .arg(classes)
        .arg(case.main_class());
    let mut unoptimized = program();
    unoptimized
        .args(["run", "--unoptimized", "--jdk"])
        .arg(&jdk.home)
        .arg("-p")
        .arg(classes)
        .arg(case.main_class());
    let expected = expected(compiled, case, java);
    let actual = run(heapwright, scratch);
    // Optimised code must behave as unoptimised code.
    difference(&expected, &actual).or_else(|| {
        Some(format!(
            "without passes:\n{}",
            difference(&expected, &run(unoptimized, scratch))?
        ))
    })
}

/// Outcome of a program on the real JVM.
fn expected(Compiled { jdk, classes }: &Compiled, case: &Case, java: Command) -> Outcome {
    let mut hasher = DefaultHasher::new();
    let release = fs::read(jdk.home.join("release")).unwrap();
    // The name of the folder of classes identifies their sources.
    (&case.name, release, JAVA_OPTIONS, classes).hash(&mut hasher);
    let name = format!("{:016x}", hasher.finish());
    let folder = whole_folder("conformance", &name, |fresh| {
        let outcome = run(java, fresh.parent().unwrap());
        // A run that was killed is no answer to keep.
        let code = outcome.exit_code;
        let code =
            code.unwrap_or_else(|| panic!("{} does not end on JDK {}", case.name, jdk.feature));
        fs::create_dir(fresh).unwrap();
        fs::write(fresh.join("stdout"), outcome.stdout).unwrap();
        fs::write(fresh.join("stderr"), outcome.stderr).unwrap();
        fs::write(fresh.join("exit-code"), code.to_string()).unwrap();
    });
    let code = fs::read_to_string(folder.join("exit-code")).unwrap();
    Outcome {
        stdout: fs::read(folder.join("stdout")).unwrap(),
        stderr: fs::read(folder.join("stderr")).unwrap(),
        exit_code: Some(code.parse().unwrap()),
    }
}

/// Runs a program to its end or its time limit. Its output goes to files, so that it never blocks
/// on a full pipe.
fn run(mut command: Command, scratch: &Path) -> Outcome {
    let folder = tempfile::tempdir_in(scratch).unwrap();
    let (stdout, stderr) = (folder.path().join("stdout"), folder.path().join("stderr"));
    command
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap());
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TIME_LIMIT {
            // The process may have ended since.
            let _ = child.kill();
            break child.wait().unwrap();
        }
        thread::sleep(Duration::from_millis(4));
    };
    Outcome {
        stdout: fs::read(stdout).unwrap(),
        stderr: fs::read(stderr).unwrap(),
        exit_code: status.code(),
    }
}

/// First difference, with the engine's message on standard error.
fn difference(expected: &Outcome, actual: &Outcome) -> Option<String> {
    let exit = |code: Option<i32>| {
        code.map_or_else(
            || "killed, or out of time".to_owned(),
            |code| code.to_string(),
        )
    };
    let mut what = if expected.stdout != actual.stdout {
        differing_line(&expected.stdout, &actual.stdout)
    } else if uncaught(&expected.stderr) != uncaught(&actual.stderr) {
        let show = |stderr| uncaught(stderr).unwrap_or_else(|| "none".to_owned());
        versus(
            "uncaught exception",
            &show(&expected.stderr),
            &show(&actual.stderr),
        )
    } else if expected.exit_code != actual.exit_code {
        "exit code".to_owned()
    } else {
        return None;
    };
    if expected.exit_code != actual.exit_code {
        what += &format!(
            "\n    exit:   {}, not {}",
            exit(actual.exit_code),
            exit(expected.exit_code)
        );
    }
    let stderr = String::from_utf8_lossy(&actual.stderr);
    let said: String = stderr
        .lines()
        .take(4)
        .map(|line| format!("\n    stderr: {line}"))
        .collect();
    Some(what + &said)
}

fn differing_line(expected: &[u8], actual: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(Vec::from)
            .collect()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    let index = expected
        .iter()
        .zip(&actual)
        .take_while(|(a, b)| a == b)
        .count();
    let show = |lines: &[Vec<u8>]| match lines.get(index) {
        Some(line) => line.escape_ascii().to_string(),
        None => "(ends here)".to_owned(),
    };
    versus(
        &format!("line {}", index + 1),
        &show(&expected),
        &show(&actual),
    )
}

fn versus(what: &str, expected: &str, actual: &str) -> String {
    format!("{what}\n    java:   {expected}\n    engine: {actual}")
}

/// Uncaught exception that ended the main thread: the first line of its trace.
fn uncaught(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    text.lines()
        .find(|line| line.starts_with("Exception in thread \"main\""))
        .map(str::to_owned)
}

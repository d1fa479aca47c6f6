//! The project's Java fixtures, compiled.

use std::path::{Path, PathBuf};

use crate::jdk::Jdk;
use crate::junit::join;

/// The root of the project's source tree.
#[must_use]
pub fn project() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..");
    root.canonicalize().unwrap_or(root)
}

/// All files with an extension below a folder, sorted.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(listing) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in listing.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compiles sources in UTF-8, whatever the locale is, into a folder; `options` are javac's.
///
/// # Panics
/// If javac does not accept them; the message holds what it says.
pub fn compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    to: &Path,
    options: &[&str],
) {
    let output = jdk
        .javac()
        .args(["-encoding", "UTF-8"])
        .args(options)
        .arg("-d")
        .arg(to)
        .arg("-cp")
        .arg(join(class_path))
        .args(sources)
        .output()
        .unwrap_or_else(|error| panic!("failed to start javac of {}: {error}", jdk.home.display()));
    assert!(
        output.status.success(),
        "javac of JDK {}:\n{}{}",
        jdk.feature,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Compiles the classes in `fixtures/` into `to/classes`, and the `korat.finitization` package they
/// are written against into `to/api`; returns both folders.
///
/// # Panics
/// If javac fails.
#[must_use]
pub fn compile_fixtures(jdk: &Jdk, to: &Path) -> (PathBuf, PathBuf) {
    let (classes, api) = (to.join("classes"), to.join("api"));
    let java = project()
        .join("crates")
        .join("heapwright-techniques")
        .join("java");
    compile(
        jdk,
        &files(&java, "java"),
        &[],
        &api,
        &["--release", "17", "-nowarn"],
    );
    let sources = files(&project().join("fixtures").join("src"), "java");
    compile(
        jdk,
        &sources,
        std::slice::from_ref(&api),
        &classes,
        &["--release", "17", "-nowarn"],
    );
    (classes, api)
}

/// What a run prints with the seconds of its summary, which differ each time, and the prefix to
/// resume from, which differs with the compiler, left out.
#[must_use]
pub fn without_seconds(printed: &str) -> String {
    let lines = printed.lines().map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(at) = words.iter().position(|word| *word == "s;") {
            words[at - 1] = "…";
        }
        if let Some(at) = words.iter().position(|word| *word == "--resume") {
            words[at + 1] = "…";
        }
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

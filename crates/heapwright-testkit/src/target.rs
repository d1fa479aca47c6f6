//! Folders below the build's `target` that are filled once.
//!
//! Such a folder is complete or absent: it is filled under a lock and a temporary name, and then
//! renamed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's `target` folder, in which the running program was built.
pub(crate) fn target_folder() -> PathBuf {
    let program = std::env::current_exe()
        .unwrap_or_else(|error| panic!("failed to find the running program: {error}"));
    // target/debug/deps/name-hash
    match program.ancestors().nth(3) {
        Some(target) => target.to_owned(),
        None => panic!("failed to find the build folder of {}", program.display()),
    }
}

/// Folder `name` of a `set` below the target, made and filled by `fill` at its first use in this build
/// folder; the name must identify the contents. Concurrent threads and processes wait for each
/// other.
///
/// # Panics
/// A folder cannot be made.
#[must_use]
pub fn whole_folder(set: &str, name: &str, fill: impl FnOnce(&Path)) -> PathBuf {
    let folder = target_folder().join(set);
    let done = folder.join(name);
    if done.is_dir() {
        return done;
    }
    check("make", &folder, fs::create_dir_all(&folder));
    let lock = File::create(folder.join(format!("{name}.lock")));
    let locked = lock
        .as_ref()
        .map_or_else(|error| Err(error.kind().into()), File::lock);
    check("lock", &folder, locked);
    if done.is_dir() {
        return done;
    }
    let fresh = folder.join(format!("{name}.new"));
    if fresh.exists() {
        check("clear", &fresh, fs::remove_dir_all(&fresh));
    }
    fill(&fresh);
    check("finish", &done, fs::rename(&fresh, &done));
    done
}

/// Builds the program as it is released, and returns its path.
///
/// # Panics
/// The build fails.
#[must_use]
pub fn release() -> PathBuf {
    let project = crate::fixtures::project();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--bin", "heapwright"])
        .current_dir(&project)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "failed to build heapwright"
    );
    project.join("target/release/heapwright")
}

/// Panics if a file operation failed.
pub(crate) fn check<T>(what: &str, path: &Path, result: std::io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("failed to {what} {}: {error}", path.display()))
}

//! Folders below the build's `target` that are filled once.
//!
//! Such a folder is whole or absent: it is filled under a lock and under another name, and then renamed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The workspace's `target`: where the running program itself was built.
pub(crate) fn target_folder() -> PathBuf {
    let program = std::env::current_exe()
        .unwrap_or_else(|error| panic!("failed to find the running program: {error}"));
    // target/debug/deps/name-hash
    match program.ancestors().nth(3) {
        Some(target) => target.to_owned(),
        None => panic!("failed to find the build folder of {}", program.display()),
    }
}

/// A folder below the target, filled by `fill` if this is its first use in this build folder. Threads and processes
/// that ask at the same time wait for one another.
pub(crate) fn whole_folder(set: &str, name: &str, fill: impl FnOnce(&Path)) -> PathBuf {
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

/// Ends the program where something on the disk failed.
pub(crate) fn check<T>(what: &str, path: &Path, result: std::io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("failed to {what} {}: {error}", path.display()))
}

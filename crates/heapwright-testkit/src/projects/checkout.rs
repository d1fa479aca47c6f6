//! Checking out, and what has changed since.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::target::check;

/// Clone of `owner/name` below a folder: `owner/name` or `owner+name`, or a folder in one of these.
#[must_use]
pub fn clone_of(clones: &Path, name: &str) -> Option<PathBuf> {
    let places = [clones.join(name), clones.join(name.replace('/', "+"))];
    let inside = places.iter().flat_map(|place| {
        let listing = fs::read_dir(place).into_iter().flatten().flatten();
        listing.map(|entry| entry.path())
    });
    let mut candidates: Vec<PathBuf> = places.to_vec();
    candidates.extend(inside);
    let mut candidates = candidates.into_iter();
    candidates.find(|folder| is_clone(folder))
}

fn is_clone(folder: &Path) -> bool {
    folder.join(".git").join("HEAD").is_file()
        || folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

/// Checks a commit out into a folder, in place of what was there.
///
/// # Errors
/// The clone does not have it.
pub(super) fn fresh(clone: &Path, commit: &str, folder: &Path) -> Result<(), String> {
    if folder.exists() {
        check("clear", folder, fs::remove_dir_all(folder));
    }
    let parent = folder.parent().unwrap_or(folder);
    check("make", parent, fs::create_dir_all(parent));
    let mut cloning = Command::new("git");
    cloning.args(["clone", "--quiet", "--no-checkout"]);
    cloning.arg(clone).arg(folder);
    run(cloning)?;
    let mut checking_out = git(folder);
    checking_out.args(["-c", "advice.detachedHead=false"]);
    checking_out.args(["checkout", "--quiet", commit]);
    run(checking_out).map(drop)
}

/// Files that differ from the commit or are new, of those that the project does not ignore.
pub(super) fn changed_files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut status = git(folder);
    status.args(["status", "--porcelain", "-z", "--untracked-files=all"]);
    let printed = run(status).unwrap_or_default();
    let names = printed.split('\0').filter_map(|entry| entry.get(3..));
    names.map(|name| folder.join(name)).collect()
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    command
}

/// Output of a command, or its message.
fn run(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

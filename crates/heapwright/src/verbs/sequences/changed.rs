//! Classes whose source files have changed since a revision of git.
//!
//! Invariant: a class whose source file cannot be told counts as changed.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{anyhow, bail};
use heapwright_jvm::classfile;
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::name::Names;

use super::sources::{class_file, end_of_source};

/// Files of a repository that differ from a revision: committed, staged, unstaged and untracked
/// ones.
pub struct ChangedFiles {
    /// Paths from the top folder of the repository, with slashes.
    paths: Vec<String>,
}

impl ChangedFiles {
    /// Asks git for the files of the current folder's repository that differ from a revision.
    ///
    /// # Errors
    /// There is no git, the current folder is in no repository, or the revision is unknown.
    pub fn since(revision: &str) -> anyhow::Result<ChangedFiles> {
        let top = match git(None, &["rev-parse", "--show-toplevel"])? {
            Ok(top) => PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches(['\r', '\n'])),
            Err(reason) => bail!(
                "--changed-since {revision}: the current folder is in no work tree of git: run heapwright in \
                 that of the project ({reason})"
            ),
        };
        let top = Some(top);
        let commit = format!("{revision}^{{commit}}");
        let verified = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let Ok(commit) = git(top.clone(), &verified)? else {
            bail!(
                "--changed-since {revision}: git knows no such revision: name a commit, branch or tag, as HEAD~1 \
                 or origin/main; a shallow clone lacks older ones (git fetch --unshallow)"
            );
        };
        let commit = String::from_utf8_lossy(&commit).trim_end().to_owned();
        let mut paths = Vec::new();
        for listing in [
            &["diff", "--name-only", "--no-renames", "-z", &commit, "--"][..],
            &["ls-files", "--others", "--exclude-standard", "-z"][..],
        ] {
            let found = git(top.clone(), listing)?
                .map_err(|reason| anyhow!("--changed-since {revision}: git failed: {reason}"))?;
            let found = found.split(|&byte| byte == 0);
            let found = found.map(|path| String::from_utf8_lossy(path).into_owned());
            paths.extend(found.filter(|path| !path.is_empty()));
        }
        Ok(ChangedFiles { paths })
    }

    /// Whether the source file of a class of the class path is among them. A class that is not
    /// there is passed on to those who report that.
    pub fn has_source_of(&self, class: &str, class_path: &ClassPath) -> bool {
        let file = class_file(class, class_path);
        let Some(end) = file.as_ref().and_then(end_of_source) else {
            return true;
        };
        let mut paths = self.paths.iter();
        paths.any(|path| format!("/{path}").ends_with(&end))
    }
}

/// Whether a class of the class path is a member of another one, and not only named like one.
pub fn is_member(class: &str, class_path: &ClassPath) -> bool {
    let mut names = Names::default();
    let file = class_file(class, class_path)
        .and_then(|(internal, bytes)| Some((internal, classfile::parse(&bytes, &mut names).ok()?)));
    file.is_some_and(|(internal, file)| {
        let mut inner = file.inner_classes.iter();
        inner.any(|inner| names.text(inner.inner) == internal)
    })
}

/// Runs git in a folder, by default the current one. Returns what it printed, or the reason why it
/// failed in its own words.
///
/// # Errors
/// It cannot be started.
fn git(folder: Option<PathBuf>, arguments: &[&str]) -> anyhow::Result<Result<Vec<u8>, String>> {
    let mut command = Command::new("git");
    if let Some(folder) = folder {
        command.arg("-C").arg(folder);
    }
    // Other processes of git may run in the same repository.
    let output = command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .args(arguments)
        .output()
        .map_err(|error| {
            anyhow!("--changed-since asks git, which cannot be started: {error}: install it, or leave the option out")
        })?;
    Ok(match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    })
}

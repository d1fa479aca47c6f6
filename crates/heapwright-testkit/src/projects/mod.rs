//! Public projects: builds each, generates tests in it, and builds it again.
//!
//! Invariant: the list names projects and nothing of how to build them. That is found from their
//! files.

mod build;
mod checkout;
mod generation;
mod linters;
mod list;
mod report;

pub use build::{Build, Tool};
pub use checkout::clone_of;
pub use generation::Generation;
pub use linters::Refusals;
pub use list::{Project, projects};
pub use report::{Report, Trial, head};

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jdk::Jdk;
use crate::target::check;

/// Configuration of the trials.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The `heapwright` program.
    pub program: PathBuf,
    /// Folder with a clone of each project.
    pub clones: PathBuf,
    /// Folder for the projects and the logs.
    pub folder: PathBuf,
    /// JDKs with a compiler, sorted by feature.
    pub jdks: Vec<Jdk>,
    /// Value of `--time-limit`.
    pub time_limit: Duration,
}

impl Setting {
    /// Oldest JDK that compiles a project.
    fn jdk(&self, project: &Project) -> Option<&Jdk> {
        self.jdks.iter().find(|jdk| jdk.feature >= project.java())
    }
}

/// Checks a project out afresh, builds it, generates tests in it, and builds it twice more.
///
/// # Errors
/// There is no clone or no JDK for it, or it cannot be built even without new tests.
///
/// # Panics
/// A process cannot be started or a folder cannot be written.
pub fn try_project(setting: &Setting, project: &Project) -> Result<Trial, String> {
    let jdk = setting
        .jdk(project)
        .ok_or_else(|| format!("no JDK for Java {}", project.java()))?;
    let clone = clone_of(&setting.clones, &project.name).ok_or("no clone")?;
    let root = setting.folder.join(project.file_name());
    checkout::fresh(&clone, &project.commit, &root)?;
    let folder = root.join(&project.folder);
    let logs = setting.folder.join("logs");
    check("make", &logs, fs::create_dir_all(&logs));
    let log = |step: &str| logs.join(format!("{}-{step}", project.file_name()));

    let tool = Tool::of(&folder, &root, jdk);
    let before = tool.test(&log("before.log"));
    if !before.has_ended_well {
        return Err(format!("does not build here: {}", before.reason));
    }
    let linters = linters::Before::of(&tool, &log("lint-before.log"));
    let files_before = checkout::changed_files(&root);
    let generation = Generation::of(
        (&setting.program, setting.time_limit),
        &[],
        &folder,
        jdk,
        &log("generate.log"),
    );
    let files_after = checkout::changed_files(&root);
    let foreign = files_after.difference(&files_before);
    let foreign = foreign.filter(|file| !generation.has_written(file));
    let foreign = foreign.cloned().collect();
    let after = [tool.test(&log("after.log")), tool.test(&log("again.log"))];
    let refusals = linters.after(&tool, &generation, &log("lint-after.log"));
    Ok(Trial {
        name: project.file_name(),
        limit: setting.time_limit,
        before,
        generation,
        after,
        refusals,
        foreign,
    })
}

/// Name of a file in the folders of a project, as messages have it.
fn shown(file: &Path, root: &Path) -> String {
    let relative = file.strip_prefix(root).unwrap_or(file);
    relative.display().to_string()
}

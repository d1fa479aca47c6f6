//! Modules of a build of Gradle, as a task of an initialization script tells them.

use std::path::Path;

use crate::report::Report;
use crate::{BuildRequest, BuildRoot, Module, ProjectError, tool};

/// Task of the script.
pub(crate) const TASK: &str = "heapwrightTell";

/// Script that gives each project of a build a task which tells what it is made of.
const SCRIPT: &str = include_str!("tell.gradle");

/// Asks Gradle for the modules of a build. Nothing is compiled.
///
/// # Errors
/// Gradle is missing, fails or takes too long.
pub(crate) fn ask(root: &BuildRoot, request: &BuildRequest) -> Result<Report, ProjectError> {
    let io = |what, path: &Path| {
        let path = path.to_owned();
        move |source| ProjectError::Io { what, path, source }
    };
    let folder = tempfile::tempdir().map_err(io("create a folder in", &std::env::temp_dir()))?;
    let (script, lines) = (
        folder.path().join("tell.gradle"),
        folder.path().join("lines"),
    );
    std::fs::write(&script, SCRIPT).map_err(io("write", &script))?;
    let arguments = [
        "-q".to_owned(),
        "--init-script".to_owned(),
        script.display().to_string(),
        format!("-Dheapwright.project={}", lines.display()),
        // The task looks at the projects while it runs, which this cache forbids.
        "-Dorg.gradle.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.isolated-projects=false".to_owned(),
        "-Dorg.gradle.parallel=false".to_owned(),
        TASK.to_owned(),
    ];
    tool::run(root, request, &arguments)?;
    Report::read(root, &lines)
}

/// Arguments that compile a module, its tests and the modules that it needs.
pub(crate) fn compile_arguments(module: &Module) -> Vec<String> {
    let path = module.name.trim_end_matches(':');
    vec!["-q".to_owned(), format!("{path}:testClasses")]
}

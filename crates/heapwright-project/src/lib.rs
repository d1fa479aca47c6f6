//! Builds of Maven and Gradle: the modules of a project, with their class paths, sources and output
//! folders, as the build tool itself tells them.
//!
//! Invariant: nothing is guessed from a build file. What the tool has told is stored, and used
//! again as long as the content of the build files is the same.

mod cache;
mod compilation;
mod formatters;
mod gradle;
mod maven;
mod report;
mod root;
mod test_run;
mod tool;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

pub use compilation::Compilation;
pub use root::{BuildRoot, BuildTool, build_folder, runs_tests_in_parallel};
pub use test_run::{FailedTest, TestRun};

/// Modules of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Build that they belong to.
    pub root: BuildRoot,
    /// The modules in the order of the build tool. At least one.
    pub modules: Vec<Module>,
}

/// Part of a project with sources, tests and a class path of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Name by which the build tool knows it: `group:artifact` of Maven, `:path` of Gradle.
    pub name: String,
    /// Folder of the module.
    pub folder: PathBuf,
    /// Java release that it is compiled for, if the build says that.
    pub release: Option<String>,
    /// Folder of the JDK that it is built with, if the build names one.
    pub jdk: Option<PathBuf>,
    /// What the build asks of its JDK, if it names one that the build tool did not find.
    pub no_jdk: Option<String>,
    /// Folders of its classes and resources.
    pub outputs: Vec<PathBuf>,
    /// Folders of the classes and resources of its tests.
    pub test_outputs: Vec<PathBuf>,
    /// Folders of its sources, those that do not exist included.
    pub sources: Vec<PathBuf>,
    /// Folders of the sources of its tests, those that do not exist included.
    pub test_sources: Vec<PathBuf>,
    /// Folders and jars that its classes need.
    pub class_path: Vec<PathBuf>,
    /// Folders and jars that only its tests need.
    pub test_class_path: Vec<PathBuf>,
    /// Folder in which its tests run, if the build names another one than its own.
    pub test_folder: Option<PathBuf>,
    /// System properties that the build gives its tests, with their values.
    pub test_properties: Vec<(String, String)>,
    /// Further arguments of the JVM that the build gives its tests, word by word.
    pub test_arguments: Vec<String>,
    /// Variables of the environment that the build gives its tests beside its own, with their values.
    pub test_variables: Vec<(String, String)>,
    /// Message of the build tool about dependencies that it did not find, if there are some.
    pub unresolved: Option<String>,
    /// Coordinates of libraries that run its tests, and that the build tool did not find.
    pub no_engine: Vec<String>,
    /// What the build tool is called with to format its sources: goals of plugins that its build uses,
    /// or tasks.
    pub formatters: Vec<String>,
}

/// Arguments of a JVM that have their value in the next word, if not behind `=`.
const WITH_VALUE: [&str; 7] = [
    "--add-exports",
    "--add-modules",
    "--add-opens",
    "--add-reads",
    "--limit-modules",
    "--module-path",
    "--upgrade-module-path",
];

impl Module {
    /// Arguments that a JVM needs to run its tests, each in one word. Agents that measure coverage and debuggers are
    /// none of them, nor is what only the running build can fill in.
    #[must_use]
    pub fn jvm_arguments(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut words = self.test_arguments.iter();
        while let Some(word) = words.next() {
            let whole = match WITH_VALUE.contains(&word.as_str()) {
                true => words.next().map(|value| format!("{word}={value}")),
                false => Some(word.clone()),
            };
            let Some(whole) = whole else {
                break;
            };
            let agent = whole.strip_prefix("-javaagent:");
            let observes = agent.is_some_and(|agent| agent.contains("jacoco"))
                || ["-agentlib:jdwp", "-Xrunjdwp", "-Xdebug"]
                    .iter()
                    .any(|debugger| whole.starts_with(debugger));
            if whole.starts_with('-') && !observes && !whole.contains("${") {
                found.push(whole);
            }
        }
        found
    }

    /// Short name, as options may have it: the artifact of Maven, the last part of Gradle's path.
    #[must_use]
    pub fn short_name(&self) -> &str {
        let name = self.name.rsplit(':').next().unwrap_or_default();
        if name.is_empty() { &self.name } else { name }
    }

    /// Whether it has code, compiled or not.
    #[must_use]
    pub fn has_code(&self) -> bool {
        let mut folders = self.sources.iter().chain(&self.outputs);
        folders.any(|folder| folder.is_dir())
    }
}

/// What is asked of a build tool.
#[derive(Clone, Debug, Default)]
pub struct BuildRequest {
    /// Further arguments of the build tool, as profiles.
    pub arguments: Vec<String>,
    /// Time at which it is ended, if there is one.
    pub deadline: Option<Instant>,
}

/// Error of asking a build tool.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The build tool is not installed.
    #[error(
        "{}: {tool} not found: put {command} on the PATH, or add the wrapper ({wrapper}) to the project; with \
         -p CLASSPATH nothing is asked of the build",
        build.display()
    )]
    NoTool {
        /// Build file.
        build: PathBuf,
        /// Name of the tool.
        tool: BuildTool,
        /// Its command.
        command: &'static str,
        /// Its wrapper.
        wrapper: &'static str,
    },
    /// The build tool cannot be started.
    #[error("failed to start {}: {source}", command.display())]
    NotStarted {
        /// Command.
        command: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// The build tool failed.
    #[error("{}: {tool} failed: {message}\n    to see all of it: {shown}; with -p CLASSPATH nothing is asked of the build", build.display())]
    Failed {
        /// Build file.
        build: PathBuf,
        /// Name of the tool.
        tool: BuildTool,
        /// What it said.
        message: String,
        /// Command that shows the failure.
        shown: String,
    },
    /// The build tool took longer than it may.
    #[error("{}: {tool} did not answer within the time limit", build.display())]
    TimedOut {
        /// Build file.
        build: PathBuf,
        /// Name of the tool.
        tool: BuildTool,
    },
    /// A file cannot be read or written.
    #[error("failed to {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// File.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// The build tool told something else than was asked.
    #[error("{}: {tool} told nothing of its modules: {reason}", build.display())]
    Unreadable {
        /// Build file.
        build: PathBuf,
        /// Name of the tool.
        tool: BuildTool,
        /// Reason.
        reason: String,
    },
}

impl Project {
    /// Reads the modules of a build: what is stored if it still holds, else what the build tool
    /// tells.
    ///
    /// # Errors
    /// The build tool is missing, fails or takes too long.
    pub fn read(root: &BuildRoot, request: &BuildRequest) -> Result<Project, ProjectError> {
        let cache = cache::Cache::of(root, request);
        if let Some(project) = cache.project() {
            return Ok(project);
        }
        let report = match root.tool {
            BuildTool::Maven => maven::ask(root, request)?,
            BuildTool::Gradle => gradle::ask(root, request)?,
        };
        let project = Project {
            root: root.clone(),
            modules: report.modules,
        };
        cache.store(&project, report.build_files);
        Ok(project)
    }

    /// Modules that a folder stands for: those below it, else the innermost one around it; of
    /// these, the ones with code.
    #[must_use]
    pub fn modules_at(&self, folder: &Path) -> Vec<&Module> {
        let with_code = self.modules.iter().filter(|module| module.has_code());
        let below = with_code
            .clone()
            .filter(|module| module.folder.starts_with(folder));
        let below: Vec<&Module> = below.collect();
        if !below.is_empty() {
            return below;
        }
        let around = with_code.filter(|module| folder.starts_with(&module.folder));
        let innermost = around.max_by_key(|module| module.folder.components().count());
        innermost.into_iter().collect()
    }

    /// Modules with a name, as the build tool has it, or a short name.
    #[must_use]
    pub fn modules_named(&self, name: &str) -> Vec<&Module> {
        let exact = self.modules.iter().filter(|module| module.name == name);
        let exact: Vec<&Module> = exact.collect();
        if !exact.is_empty() {
            return exact;
        }
        let modules = self.modules.iter();
        modules
            .filter(|module| module.short_name() == name)
            .collect()
    }

    /// Compiles a module, its tests and the modules that it needs, with the build tool.
    ///
    /// # Errors
    /// The build tool is missing, fails or takes too long.
    pub fn compile(&self, module: &Module, request: &BuildRequest) -> Result<(), ProjectError> {
        let arguments = self.compile_arguments(module);
        tool::run(&self.root, request, &arguments).map(drop)
    }

    /// Command that compiles a module, its tests and the modules that it needs.
    #[must_use]
    pub fn compile_command(&self, module: &Module) -> String {
        tool::shown(self.root.tool, &self.compile_arguments(module))
    }

    fn compile_arguments(&self, module: &Module) -> Vec<String> {
        match self.root.tool {
            BuildTool::Maven => maven::compile_arguments(self, module),
            BuildTool::Gradle => gradle::compile_arguments(module),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jvm_of_tests_gets_what_it_needs() {
        let words = "--add-opens java.base/java.lang=ALL-UNNAMED --add-exports=a/b=c -Xmx64m ${argLine} \
                     -javaagent:/m2/org.jacoco.agent-0.8.12-runtime.jar=destfile=target/jacoco.exec \
                     -javaagent:/m2/spring-instrument.jar -agentlib:jdwp=transport=dt_socket,server=y \
                     --enable-preview stray -Xlog:${level} --add-modules";
        let module = Module {
            test_arguments: words.split_whitespace().map(str::to_owned).collect(),
            ..Module::default()
        };
        let wanted = [
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-exports=a/b=c",
            "-Xmx64m",
            "-javaagent:/m2/spring-instrument.jar",
            "--enable-preview",
        ];
        assert_eq!(module.jvm_arguments(), wanted);
    }
}

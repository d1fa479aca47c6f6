//! Builds with Maven, and the tests that failed in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use roxmltree::Document;

use crate::fixtures::files;
use crate::jdk::Jdk;
use crate::process;
use crate::target::check;

/// Time that a build may take.
const LIMIT: Duration = Duration::from_mins(6);

/// The build tool of a project.
pub struct Tool {
    /// Folder with the build file.
    pub(super) folder: PathBuf,
    /// The project's wrapper.
    wrapper: Option<PathBuf>,
    jdk: Jdk,
}

/// What a build did.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// Whether all steps but tests succeeded, in time.
    pub has_ended_well: bool,
    /// First line that says why not.
    pub reason: String,
    /// Number of tests.
    pub tests: usize,
    /// Tests that failed, as `class.method`.
    pub failed: BTreeSet<String>,
    /// Elapsed time.
    pub took: Duration,
    /// All that was printed.
    pub(super) printed: String,
}

impl Tool {
    /// Tool of the build in a folder of a project: its wrapper, or what the machine has.
    #[must_use]
    pub fn of(folder: &Path, root: &Path, jdk: &Jdk) -> Self {
        let around = folder
            .ancestors()
            .take_while(|folder| folder.starts_with(root));
        let wrappers = around.map(|folder| folder.join("mvnw"));
        Self {
            folder: folder.to_owned(),
            wrapper: wrappers.into_iter().find(|file| file.is_file()),
            jdk: jdk.clone(),
        }
    }

    /// Runs the tests. Those that fail do not end the build.
    ///
    /// # Panics
    /// It cannot be started or the log cannot be written.
    pub(super) fn test(&self, log: &Path) -> Build {
        for report in self.reports() {
            check("remove", &report, fs::remove_file(&report));
        }
        let mut build = self.run(&["test", "-Dmaven.test.failure.ignore=true"], log);
        for report in self.reports() {
            let text = fs::read_to_string(&report).unwrap_or_default();
            // A report that is cut off is of a process that was ended.
            if let Ok(report) = Document::parse(&text) {
                build.add_tests(&report);
            }
        }
        build
    }

    /// Runs goals.
    ///
    /// # Panics
    /// It cannot be started or the log cannot be written.
    pub(crate) fn run(&self, goals: &[&str], log: &Path) -> Build {
        let mut command = match &self.wrapper {
            Some(wrapper) => {
                let mut command = Command::new("sh");
                command.arg(wrapper);
                command
            }
            None => Command::new("mvn"),
        };
        command
            .arg("-B")
            .args(goals)
            .current_dir(&self.folder)
            .env("JAVA_HOME", &self.jdk.home);
        let ended = process::run(command, LIMIT, log);
        let printed = ended.output + &ended.errors;
        Build {
            has_ended_well: ended.status.is_some_and(|status| status.success()),
            reason: match ended.status {
                None => format!("more than {} s", LIMIT.as_secs()),
                Some(_) => first_error(&printed),
            },
            took: ended.took,
            printed,
            ..Build::default()
        }
    }

    fn reports(&self) -> Vec<PathBuf> {
        let mut reports = files(&self.folder, "xml");
        reports.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let is_of_tests = file
                .components()
                .any(|part| part.as_os_str() == "surefire-reports");
            is_of_tests && name.starts_with("TEST-")
        });
        reports
    }
}

impl Build {
    fn add_tests(&mut self, report: &Document) {
        let cases = report.descendants();
        for case in cases.filter(|node| node.has_tag_name("testcase")) {
            self.tests += 1;
            let is_failed =
                |node: roxmltree::Node| node.has_tag_name("failure") || node.has_tag_name("error");
            if case.children().any(is_failed) {
                let name = |key| case.attribute(key).unwrap_or_default();
                let test = format!("{}.{}", name("classname"), name("name"));
                self.failed.insert(test);
            }
        }
    }

    /// What is worse than in a build before.
    #[must_use]
    pub fn worse_than(&self, before: &Build) -> Vec<String> {
        let failing = self.failed.difference(&before.failed);
        let mut worse: Vec<String> = failing.map(|test| format!("fails: {test}")).collect();
        if before.has_ended_well && !self.has_ended_well {
            worse.push(self.reason.clone());
        }
        if self.tests < before.tests {
            worse.push(format!(
                "{} tests ran before, now {}",
                before.tests, self.tests
            ));
        }
        worse
    }
}

/// First line that Maven marks as an error and that says more than that there is one.
fn first_error(printed: &str) -> String {
    let errors = printed
        .lines()
        .filter_map(|line| line.strip_prefix("[ERROR] "));
    let mut telling = errors.filter(|line| !line.starts_with("COMPILATION ERROR"));
    telling.next().unwrap_or_default().trim().to_owned()
}

//! Runs the tests of a module by its build, and reads the reports of what failed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

use crate::{BuildTool, Module, Project, ProjectError, tool};

/// Result of the tests of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestRun {
    /// Whether the build is green.
    pub is_green: bool,
    /// Tests that failed, by the reports of the build.
    pub failures: Vec<FailedTest>,
    /// Binary names of the classes, without those that are nested, of which a test ran.
    pub classes: BTreeSet<String>,
    /// First lines of the build tool's own reason for a failure.
    pub reason: String,
    /// All that it printed.
    pub printed: String,
}

/// Test that failed in a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// Binary name of its class.
    pub class: String,
    /// Name as the framework reports it; empty if the class failed outside of its tests.
    pub test: String,
    /// First line of the failure.
    pub reason: String,
}

/// Difference between the clock and times of files.
const CLOCK: Duration = Duration::from_secs(2);

impl Project {
    /// Runs the tests of a module, and compiles what they need; `ends` tells when the time is over.
    ///
    /// # Errors
    /// The build tool is missing, cannot be started or takes too long.
    pub fn test(
        &self,
        module: &Module,
        arguments: &[String],
        ends: &dyn Fn() -> bool,
    ) -> Result<TestRun, ProjectError> {
        let started = SystemTime::now() - CLOCK;
        let words = self.test_arguments(module);
        let output = tool::output_until(&self.root, arguments, &words, ends)?;
        let reports = match self.root.tool {
            BuildTool::Maven => "target/surefire-reports",
            BuildTool::Gradle => "build/test-results",
        };
        let reports = reports_in(&module.folder.join(reports), started);
        let results = reports.iter().map(|text| results(text));
        let (failures, classes): (Vec<_>, Vec<_>) = results.unzip();
        Ok(TestRun {
            is_green: output.is_success,
            failures: failures.concat(),
            classes: classes.into_iter().flatten().collect(),
            reason: output.failure(),
            printed: output.printed + &output.said,
        })
    }

    /// Command that runs the tests of a module.
    #[must_use]
    pub fn test_command(&self, module: &Module) -> String {
        tool::shown(self.root.tool, &self.test_arguments(module))
    }

    fn test_arguments(&self, module: &Module) -> Vec<String> {
        match self.root.tool {
            BuildTool::Maven => {
                let mut words = vec!["-q".to_owned(), "-B".to_owned(), "test".to_owned()];
                if self.modules.len() > 1 {
                    words.extend(["-pl".to_owned(), module.name.clone(), "-am".to_owned()]);
                }
                words
            }
            BuildTool::Gradle => {
                let path = module.name.trim_end_matches(':');
                vec!["-q".to_owned(), format!("{path}:test")]
            }
        }
    }
}

/// Reports below a folder that were written since a time, in the order of their files. What cannot be
/// read is none.
fn reports_in(folder: &Path, since: SystemTime) -> Vec<String> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok).filter(|file| {
        let name = file.file_name().to_string_lossy();
        let written = file.metadata().ok().and_then(|data| data.modified().ok());
        name.starts_with("TEST-")
            && name.ends_with(".xml")
            && written.is_some_and(|written| written >= since)
    });
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    texts.collect()
}

/// Failed tests of a report in the format of Ant's JUnit task, and the classes of those that were not
/// skipped.
fn results(report: &str) -> (Vec<FailedTest>, BTreeSet<String>) {
    let (mut failures, mut classes) = (Vec::new(), BTreeSet::new());
    let Ok(document) = roxmltree::Document::parse(report) else {
        return (failures, classes);
    };
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    for case in cases {
        let Some(class) = case.attribute("classname") else {
            continue;
        };
        let child = |tags: &[&str]| {
            let mut children = case.children();
            children.find(|child| tags.iter().any(|tag| child.has_tag_name(*tag)))
        };
        if child(&["skipped"]).is_none() {
            classes.insert(class.split('$').next().unwrap_or(class).to_owned());
        }
        let Some(failure) = child(&["failure", "error"]) else {
            continue;
        };
        let text = failure
            .attribute("message")
            .or(failure.text())
            .unwrap_or_default();
        let test = case.attribute("name").unwrap_or_default();
        failures.push(FailedTest {
            class: class.to_owned(),
            // A class that failed as a whole has its own name, or none.
            test: if test == class { "" } else { test }.to_owned(),
            reason: text.trim().lines().next().unwrap_or_default().to_owned(),
        });
    }
    (failures, classes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_tell_what_failed() {
        let report = r#"<?xml version="1.0"?>
            <testsuite name="a.FooTest">
              <testcase name="holds" classname="a.FooTest"/>
              <testcase name="adds(int)[1]" classname="a.FooTest$Add">
                <failure message="expected: &lt;1&gt; but was: &lt;2&gt;&#10;more">trace</failure>
              </testcase>
              <testcase name="" classname="a.BarTest"><error>java.lang.Error: no
                at a.B</error></testcase>
            </testsuite>"#;
        let failed = |class: &str, test: &str, reason: &str| FailedTest {
            class: class.to_owned(),
            test: test.to_owned(),
            reason: reason.to_owned(),
        };
        let (failures, ran) = results(report);
        assert_eq!(
            failures,
            [
                failed(
                    "a.FooTest$Add",
                    "adds(int)[1]",
                    "expected: <1> but was: <2>"
                ),
                failed("a.BarTest", "", "java.lang.Error: no"),
            ]
        );
        assert_eq!(results("<testsuite>").0, []);
        assert_eq!(ran.iter().collect::<Vec<_>>(), ["a.BarTest", "a.FooTest"]);
    }
}

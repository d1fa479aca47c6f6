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
        Ok(TestRun {
            is_green: output.is_success,
            failures: reports.iter().flat_map(|text| failures(text)).collect(),
            classes: reports.iter().flat_map(|text| classes(text)).collect(),
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

/// Classes of the tests of a report that were not skipped.
fn classes(report: &str) -> BTreeSet<String> {
    let Ok(document) = roxmltree::Document::parse(report) else {
        return BTreeSet::new();
    };
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let names = cases.filter_map(|case| {
        let is_skipped = case.children().any(|child| child.has_tag_name("skipped"));
        let class = case.attribute("classname").filter(|_| !is_skipped)?;
        Some(class.split('$').next().unwrap_or(class).to_owned())
    });
    names.collect()
}

/// Failed tests of a report in the format of Ant's JUnit task.
fn failures(report: &str) -> Vec<FailedTest> {
    let Ok(document) = roxmltree::Document::parse(report) else {
        return Vec::new();
    };
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let failed = cases.filter_map(|case| {
        let mut children = case.children();
        let failure =
            children.find(|child| child.has_tag_name("failure") || child.has_tag_name("error"))?;
        let text = failure
            .attribute("message")
            .or(failure.text())
            .unwrap_or_default();
        let class = case.attribute("classname")?;
        let test = case.attribute("name").unwrap_or_default();
        Some(FailedTest {
            class: class.to_owned(),
            // A class that failed as a whole has its own name, or none.
            test: if test == class { "" } else { test }.to_owned(),
            reason: text.trim().lines().next().unwrap_or_default().to_owned(),
        })
    });
    failed.collect()
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
        assert_eq!(
            failures(report),
            [
                failed(
                    "a.FooTest$Add",
                    "adds(int)[1]",
                    "expected: <1> but was: <2>"
                ),
                failed("a.BarTest", "", "java.lang.Error: no"),
            ]
        );
        assert_eq!(failures("<testsuite>"), []);
        let ran = classes(report);
        assert_eq!(ran.iter().collect::<Vec<_>>(), ["a.BarTest", "a.FooTest"]);
    }
}

//! Test classes that a run wrote, and tests of them that are taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use heapwright_suite::junit::{ExistingTest, existing_tests, without_tests};
use heapwright_trial::ModuleFailure;

use super::report::ClassReport;
use super::summary::RemovedTest;
use crate::files::{
    Origin, counted, note_removed, read_test_class, remove_file, rewrite_test_class,
};
use crate::junit::TestWriter;

/// Number of tests that are named in a message.
const NAMED: usize = 5;

/// New test class.
pub struct NewTests {
    pub path: PathBuf,
    /// Path in the output folder, with slashes.
    pub name: String,
    /// Binary name.
    pub class: String,
    /// Text of what is left of it.
    pub text: String,
    /// Number of the report of its class.
    report: usize,
    /// Tests that were taken back, each with the number of its rows, which is 1 without any.
    removed: Vec<(RemovedTest, usize)>,
}

impl NewTests {
    /// Finds the test classes in a folder that a run wrote, without reproducers, which are to fail.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of(
        told: &[&mut ClassReport],
        folder: &Path,
        writer: &TestWriter,
    ) -> anyhow::Result<Vec<NewTests>> {
        let reproducers = format!("{}Test", writer.failures());
        let mut new: Vec<NewTests> = Vec::new();
        let reports = told.iter().enumerate();
        let fresh = reports.filter(|(_, told)| !told.is_cached());
        let files =
            fresh.flat_map(|(report, told)| told.files.iter().map(move |file| (report, file)));
        for (report, path) in files {
            let Ok(name) = path.strip_prefix(folder) else {
                continue;
            };
            let name = name.to_string_lossy().replace('\\', "/");
            let Some(class) = name.strip_suffix(".java") else {
                continue;
            };
            if class.ends_with(&reproducers) || new.iter().any(|new| new.path == *path) {
                continue;
            }
            if let Some((text, Origin::Generated)) = read_test_class(path)? {
                new.push(NewTests {
                    path: path.clone(),
                    class: class.replace('/', "."),
                    name,
                    text,
                    report,
                    removed: Vec::new(),
                });
            }
        }
        Ok(new)
    }

    /// Whether no test of it is left.
    pub fn is_empty(&self) -> bool {
        existing_tests(&self.text).is_empty()
    }

    /// Takes back some of its tests.
    pub fn take_back(&mut self, tests: &[ExistingTest], reason: &str) {
        self.removed.extend(tests.iter().map(|test| {
            let removed = RemovedTest {
                file: self.name.rsplit('/').next().unwrap_or_default().to_owned(),
                test: test.to_string(),
                reason: reason.to_owned(),
            };
            (removed, test.rows)
        }));
        self.text = without_tests(&self.text, tests);
    }

    /// Takes back all of its tests that fail, or all where none of these is named; returns whether
    /// there are any.
    pub fn take_back_failing(&mut self, failures: &[ModuleFailure], why: &str) -> bool {
        let own = failures
            .iter()
            .filter(|failure| failure.class == self.class);
        let own: Vec<&ModuleFailure> = own.collect();
        let Some(first) = own.first().filter(|_| !self.is_empty()) else {
            return false;
        };
        let named: BTreeSet<_> = own.iter().filter_map(|one| method_of(&one.test)).collect();
        let mut tests = existing_tests(&self.text);
        tests.retain(|test| named.contains(&(&*test.nested, &*test.method)));
        if tests.is_empty() {
            tests = existing_tests(&self.text);
        }
        self.take_back(&tests, &format!("{why}: {}", first.reason));
        true
    }
}

/// Writes what is left of the files of new tests, takes off the reports what is not, and says so.
///
/// # Errors
/// A file cannot be written or removed.
pub fn write_back(new: Vec<NewTests>, told: &mut [&mut ClassReport]) -> anyhow::Result<()> {
    let mut by_reason: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for new in new {
        if new.removed.is_empty() {
            continue;
        }
        match new.is_empty() {
            true if new.path.exists() => remove_file(&new.path)?,
            true => note_removed(&new.path),
            false => rewrite_test_class(&new.path, &new.text)?,
        }
        for (removed, rows) in &new.removed {
            let (count, tests) = by_reason.entry(removed.reason.clone()).or_default();
            *count += rows;
            tests.push(format!("{}.{}", new.class, removed.test));
        }
        let gone = new.is_empty().then_some(&*new.path);
        let rows = new.removed.iter().map(|(_, rows)| rows).sum();
        let removed = new.removed.into_iter().map(|(removed, _)| removed);
        told[new.report].take_back(removed.collect(), rows, gone);
    }
    for (reason, (count, tests)) in by_reason {
        let count = counted(count as u64, "test");
        notice!("{count} taken back: {reason}: {}", named(&tests));
    }
    Ok(())
}

/// The first of some names, and the number of the others.
pub fn named(names: &[String]) -> String {
    let first = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        others => format!("{first} and {others} more"),
    }
}

/// Nested class and method in the name of a test: `a.FooTest$Nested.method(int)[1]`; `None` for that
/// of a class.
fn method_of(test: &str) -> Option<(&str, &str)> {
    let end = test.find(['(', '[', '{']).unwrap_or(test.len());
    let (class, method) = test[..end].rsplit_once('.')?;
    let simple = class.rsplit('.').next().unwrap_or(class);
    let nested = simple.rsplit_once('$').map_or("", |(_, nested)| nested);
    let is_method = method.starts_with(|letter: char| letter.is_lowercase() || letter == '_');
    is_method.then_some((nested, method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reported_name_has_a_method_or_none() {
        let names = [
            ("a.FooTest.adds_one(int)[1]", Some(("", "adds_one"))),
            ("a.FooTest$Add.adds()", Some(("Add", "adds"))),
            ("a.FooTest.adds[2]", Some(("", "adds"))),
            // As Maven's Surefire has it.
            ("a.FooTest.adds_one{int}[1]", Some(("", "adds_one"))),
            ("a.FooTest$Add", None),
            ("a.FooTest", None),
        ];
        for (name, method) in names {
            assert_eq!(method_of(name), method, "{name}");
        }
    }
}

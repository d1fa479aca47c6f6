//! Faults put in by hand into ordinary classes, and how many of them suites catch that are
//! generated from the correct classes.
//!
//! A folder of `fixtures/faults` is a package with the list `faults.txt`, and so is an application of
//! `fixtures/services` (`services`):
//!
//! ```text
//! file LruCache.java
//!
//! fault evicts-newest: the entry used most recently is dropped
//! -text of the correct class
//! +text of the faulty class
//! ```
//!
//! Invariant: the text of the correct class occurs in it exactly once, and the faulty class
//! compiles.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::fixtures::{Fixture, compile, files, project};
use crate::jdk::Jdk;
use crate::junit::jars;
use crate::process;
use crate::shuffled::run_shuffled;

/// Time limit of a run of the tests on faulty classes, which may not end.
const LIMIT: Duration = Duration::from_secs(60);
/// Time that the program may take beyond its limit.
const PATIENCE: Duration = Duration::from_secs(30);

/// Package of correct classes with its faults.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Name of the package, or of the application.
    pub package: String,
    /// Faults in the order of the list.
    pub faults: Vec<Fault>,
}

/// Fault of a class, as a change of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// Name, unique in the package.
    pub name: String,
    /// Behaviour of the faulty class.
    pub description: String,
    /// File of the class, below the folder of the sources.
    pub(crate) file: String,
    correct: String,
    faulty: String,
}

/// Generator of tests, and how its suites are tried.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The `heapwright` program.
    pub program: PathBuf,
    /// Verb with its options, except for class path, classes, limit and output.
    pub arguments: Vec<String>,
    /// Value of `--time-limit` for each package.
    pub time_limit: Duration,
    /// JDK that compiles and runs everything.
    pub jdk: Jdk,
    /// Folder for tests and logs.
    pub folder: PathBuf,
}

/// Faults of a package that a suite catches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Number of tests.
    pub tests: usize,
    /// Tests that fail on the correct classes; they catch nothing.
    pub wrong: Vec<String>,
    /// Names of faults, each with a test that fails on it, or none. Tests that do not end catch a
    /// fault, too.
    pub faults: BTreeMap<String, Option<String>>,
}

/// All packages of `fixtures/faults`, by name.
///
/// # Panics
/// A list cannot be read or is malformed.
#[must_use]
pub fn subjects() -> Vec<Subject> {
    subjects_of(&project().join("fixtures").join("faults"))
}

/// Folders with a list of faults below a folder, by name.
///
/// # Panics
/// A list cannot be read or is malformed.
pub(crate) fn subjects_of(folder: &Path) -> Vec<Subject> {
    let mut lists = files(folder, "txt");
    lists.retain(|list| list.ends_with("faults.txt"));
    let subject = |list: &PathBuf| {
        let package = list.parent().and_then(Path::file_name).unwrap_or_default();
        let text = fs::read_to_string(list)
            .unwrap_or_else(|error| panic!("failed to read {}: {error}", list.display()));
        Subject {
            package: package.to_string_lossy().into_owned(),
            faults: parse(&text),
        }
    };
    lists.iter().map(subject).collect()
}

fn parse(list: &str) -> Vec<Fault> {
    let mut file = String::new();
    let mut faults: Vec<Fault> = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("file ") {
            name.clone_into(&mut file);
            continue;
        }
        if let Some((name, description)) = line
            .strip_prefix("fault ")
            .and_then(|line| line.split_once(": "))
        {
            faults.push(Fault {
                name: name.to_owned(),
                description: description.to_owned(),
                file: file.clone(),
                ..Fault::default()
            });
            continue;
        }
        let fault = faults
            .last_mut()
            .unwrap_or_else(|| panic!("no fault before the line {line}"));
        let (text, line) = match line.split_at(1) {
            ("-", line) => (&mut fault.correct, line),
            ("+", line) => (&mut fault.faulty, line),
            _ => panic!("malformed line of faults: {line}"),
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    faults
}

impl Subject {
    /// Folder of the compiled classes: of the correct ones, or with a fault.
    ///
    /// # Panics
    /// The text that the fault changes does not occur exactly once, or javac refuses the classes.
    #[must_use]
    pub fn classes(&self, fault: Option<&Fault>) -> PathBuf {
        let folder = project()
            .join("fixtures")
            .join("faults")
            .join(&self.package);
        let mut fixture = Fixture::new(&["--release", "17", "-g"]);
        let mut is_changed = fault.is_none();
        for file in files(&folder, "java") {
            match fault {
                Some(fault) if file.ends_with(&fault.file) => {
                    let class = fault.file.trim_end_matches(".java");
                    let text = fault.put_into(&file).unwrap_or_else(|why| panic!("{why}"));
                    fixture = fixture.text(class, &text);
                    is_changed = true;
                }
                _ => fixture = fixture.file(file),
            }
        }
        assert!(is_changed, "no file of {fault:?}");
        fixture.classes()
    }
}

impl Fault {
    /// Text of the faulty class.
    ///
    /// # Errors
    /// The file cannot be read, or the text that the fault changes does not occur exactly once.
    pub(crate) fn put_into(&self, file: &Path) -> Result<String, String> {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("failed to read {}: {error}", file.display()))?;
        match text.matches(&self.correct).count() {
            1 => Ok(text.replacen(&self.correct, &self.faulty, 1)),
            times => Err(format!("{times} occurrences of {self:?}")),
        }
    }
}

impl Generator {
    /// Generates a suite from a package's correct classes, and runs it on each faulty version.
    ///
    /// # Panics
    /// The program cannot be started, javac refuses the suite, or it cannot be run on the correct
    /// classes.
    #[must_use]
    pub fn catches(&self, subject: &Subject) -> Caught {
        let folder = self.folder.join(&subject.package);
        let _ = fs::remove_dir_all(&folder);
        let (tests, compiled) = (folder.join("tests"), folder.join("classes"));
        for folder in [&tests, &compiled] {
            fs::create_dir_all(folder).expect("a folder that can be written");
        }
        let correct = subject.classes(None);
        self.generate(subject, &correct, &tests, &folder.join("generator"));
        let mut sources = files(&tests, "java");
        sources.retain(|source| !source.to_string_lossy().ends_with("FailureTest.java"));
        if sources.is_empty() {
            let none = subject
                .faults
                .iter()
                .map(|fault| (fault.name.clone(), None));
            return Caught {
                faults: none.collect(),
                ..Caught::default()
            };
        }
        let junit = jars();
        let class_path = [correct.clone(), junit.console, junit.junit4, junit.hamcrest];
        compile(&self.jdk, &sources, &class_path, &compiled, &["-nowarn"]);
        // Data files are beside the sources.
        let run = |classes: PathBuf| {
            let further = [tests.clone(), classes];
            run_shuffled(&self.jdk, (1, &[]), &compiled, &further, &folder, LIMIT)
        };
        let (found, wrong) =
            run(correct).unwrap_or_else(|why| panic!("tests of {}: {why}", subject.package));
        let judge = |fault: &Fault| match run(subject.classes(Some(fault))) {
            Ok((_, failed)) => failed.difference(&wrong).next().cloned(),
            Err(why) => Some(format!("the run {why}")),
        };
        let faults = subject.faults.iter();
        Caught {
            tests: found,
            faults: faults
                .map(|fault| (fault.name.clone(), judge(fault)))
                .collect(),
            wrong: wrong.into_iter().collect(),
        }
    }

    fn generate(&self, subject: &Subject, classes: &Path, tests: &Path, log: &Path) {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg("--no-config");
        command.arg("-c").arg(format!("{}.**", subject.package));
        command.arg("-p").arg(classes).arg("-o").arg(tests);
        command.arg("--jdk").arg(&self.jdk.home);
        let limit = format!("{}ms", self.time_limit.as_millis());
        command.arg("--time-limit").arg(limit);
        let _ = process::run(command, self.time_limit + PATIENCE, log);
    }
}

impl Caught {
    /// Number of faults that are caught.
    #[must_use]
    pub fn number(&self) -> usize {
        self.faults.values().flatten().count()
    }
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (caught, all) = (self.number(), self.faults.len());
        write!(f, "{caught} of {all} faults caught by {} tests", self.tests)?;
        for test in &self.wrong {
            write!(f, "\n  wrong on the correct class: {test}")?;
        }
        for (fault, test) in &self.faults {
            match test {
                Some(test) => write!(f, "\n  caught {fault}: {test}")?,
                None => write!(f, "\n  missed {fault}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_changes_one_place_and_compiles() {
        let subjects = subjects();
        assert_eq!(subjects.len(), 27);
        for subject in subjects {
            assert_eq!(subject.faults.len(), 4, "{}", subject.package);
            let correct = subject.classes(None);
            for fault in &subject.faults {
                assert_ne!(subject.classes(Some(fault)), correct, "{fault:?}");
            }
        }
    }

    #[test]
    fn lists_are_read() {
        let list = "file A.java\n\nfault one: some text\n-a\n-  b\n+c\n\nfault two: more\n-x\n";
        let fault = |name: &str, description: &str, correct: &str, faulty: &str| Fault {
            name: name.to_owned(),
            description: description.to_owned(),
            file: "A.java".to_owned(),
            correct: correct.to_owned(),
            faulty: faulty.to_owned(),
        };
        let expected = [
            fault("one", "some text", "a\n  b", "c"),
            fault("two", "more", "x", ""),
        ];
        assert_eq!(parse(list), expected);
    }
}

//! Applications as companies write them, the tests that `generate` writes in them as in any project,
//! and the faults put in by hand that these tests catch.
//!
//! A folder of `fixtures/services` is a Maven project with a list of faults (`faults`). The classes of
//! the files in the list are under test; what is around them is there for them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::faults::{Caught, Fault, Subject, subjects_of};
use crate::fixtures::{files, project, try_to_compile};
use crate::jdk::Jdk;
use crate::projects::{Generation, Tool};
use crate::review::Review;
use crate::shuffled::run_shuffled;
use crate::target::check;

/// Time limit of a run of the tests.
const LIMIT: Duration = Duration::from_secs(60);
/// Goals that compile everything and tell the class path of the tests.
const GOALS: [&str; 4] = [
    "test-compile",
    "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath",
    "-Dmdep.includeScope=test",
    "-Dmdep.outputFile=target/class-path.txt",
];
/// Folders of a Maven repository with what JUnit's console launcher has, too.
const JUNIT: [&str; 3] = ["org/junit", "junit/junit", "org/hamcrest/hamcrest-core"];

/// Configuration of the trials.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The `heapwright` program.
    pub program: PathBuf,
    /// Time for each class under test.
    pub time: Duration,
    /// JDK that builds and runs everything.
    pub jdk: Jdk,
    /// Folder for the applications, their tests and the logs.
    pub folder: PathBuf,
}

/// What came of an application.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The run that wrote tests.
    pub generation: Generation,
    /// What these tests catch.
    pub caught: Caught,
    /// Review sheet of these tests.
    pub review: Review,
}

/// All applications, by name, each with its faults.
///
/// # Panics
/// A list cannot be read or is malformed.
#[must_use]
pub fn applications() -> Vec<Subject> {
    subjects_of(&folder())
}

fn folder() -> PathBuf {
    project().join("fixtures").join("services")
}

/// Names of the classes under test of an application.
fn classes(application: &Subject) -> Vec<String> {
    let faults = application.faults.iter();
    let files: BTreeSet<&str> = faults.map(|fault| fault.file.as_str()).collect();
    let names = files.into_iter().map(|file| {
        let name = file.strip_suffix(".java").unwrap_or(file);
        name.replace('/', ".")
    });
    names.collect()
}

/// Generates tests in a copy of an application, and runs them on it and on each faulty version.
///
/// # Errors
/// The application or its tests cannot be built or run, `generate` refuses it, or a faulty class does
/// not compile.
///
/// # Panics
/// A process cannot be started or a folder cannot be written.
pub fn try_application(setting: &Setting, application: &Subject) -> Result<Trial, String> {
    let root = setting.folder.join(&application.package);
    copy(&folder().join(&application.package), &root);
    let logs = setting.folder.join("logs");
    check("make", &logs, fs::create_dir_all(&logs));
    let log = |step: &str| logs.join(format!("{}-{step}.log", application.package));

    let tool = Tool::of(&root, &root, &setting.jdk);
    let build = tool.run(&GOALS, &log("build"));
    if !build.has_ended_well {
        return Err(format!("does not build here: {}", build.reason));
    }
    let classes = classes(application);
    let limit = setting.time * u32::try_from(classes.len()).unwrap_or(1);
    let generation = Generation::of(
        (&setting.program, limit),
        &classes,
        &root,
        &setting.jdk,
        &log("generate"),
    );
    // Faults that were found, classes that failed and classes without tests are no reason to end.
    if !matches!(generation.exit_code, Some(0 | 1 | 3 | 4)) {
        let log = log("generate").with_extension("err");
        return Err(format!(
            "generate did not run to its end: {}",
            log.display()
        ));
    }
    let build = tool.run(&["test-compile"], &log("tests"));
    if !build.has_ended_well {
        return Err(format!("tests do not compile: {}", build.reason));
    }
    let runner = Runner::new(setting, &root);
    Ok(Trial {
        generation,
        caught: runner.catches(application)?,
        review: Review::of_folders(&[root.join("src").join("test")]),
    })
}

/// Copies a project afresh, without what builds have made in it.
fn copy(from: &Path, to: &Path) {
    if to.exists() {
        check("clear", to, fs::remove_dir_all(to));
    }
    for name in ["java", "xml", "properties"] {
        let sources = files(from, name);
        for file in sources
            .iter()
            .filter(|file| !file.starts_with(from.join("target")))
        {
            let copy = to.join(file.strip_prefix(from).unwrap_or(file));
            let parent = copy.parent().unwrap_or(to);
            check("make", parent, fs::create_dir_all(parent));
            check("copy", &copy, fs::copy(file, &copy));
        }
    }
}

/// Runs the tests of an application that is built.
struct Runner<'a> {
    jdk: &'a Jdk,
    root: &'a Path,
    /// Folder for faulty classes and reports.
    folder: PathBuf,
    /// Jars of the class path of tests.
    libraries: Vec<PathBuf>,
}

impl<'a> Runner<'a> {
    fn new(setting: &'a Setting, root: &'a Path) -> Self {
        let list = root.join("target").join("class-path.txt");
        let list = check("read", &list, fs::read_to_string(&list));
        let is_of_junit = |jar: &PathBuf| {
            let folder = jar.to_string_lossy().replace('\\', "/");
            JUNIT
                .iter()
                .any(|part| folder.contains(&format!("/{part}/")))
        };
        let folder = root.join("target").join("trial");
        check("make", &folder, fs::create_dir_all(&folder));
        Self {
            jdk: &setting.jdk,
            root,
            folder,
            libraries: std::env::split_paths(list.trim())
                .filter(|jar| !is_of_junit(jar))
                .collect(),
        }
    }

    fn catches(&self, application: &Subject) -> Result<Caught, String> {
        let mut caught = Caught::default();
        let mut wrong = BTreeSet::new();
        // The second run has another order.
        for seed in [1, 2] {
            let (found, failed) = self.run(seed, None)?;
            caught.tests = found;
            wrong.extend(failed);
        }
        for fault in &application.faults {
            let faulty = self.faulty(fault)?;
            let test = match self.run(1, Some(faulty)) {
                Ok((_, failed)) => failed.difference(&wrong).next().cloned(),
                Err(why) => Some(format!("the run {why}")),
            };
            caught.faults.insert(fault.name.clone(), test);
        }
        caught.wrong = wrong.into_iter().collect();
        Ok(caught)
    }

    /// Runs the tests with other classes, if any, in front of the correct ones.
    fn run(&self, seed: u32, faulty: Option<PathBuf>) -> Result<(usize, BTreeSet<String>), String> {
        let tests = self.root.join("target").join("test-classes");
        if files(&tests, "class").is_empty() {
            return Ok((0, BTreeSet::new()));
        }
        let mut further: Vec<PathBuf> = faulty.into_iter().collect();
        further.push(self.root.join("target").join("classes"));
        further.extend(self.libraries.iter().cloned());
        run_shuffled(self.jdk, (seed, &[]), &tests, &further, &self.folder, LIMIT)
    }

    /// Folder of the class with a fault, compiled against the correct ones.
    fn faulty(&self, fault: &Fault) -> Result<PathBuf, String> {
        let sources = self.root.join("src").join("main").join("java");
        let text = fault.put_into(&sources.join(&fault.file))?;
        let folder = self.folder.join(&fault.name);
        let name = Path::new(&fault.file).file_name().unwrap_or_default();
        let file = folder.join("source").join(name);
        let to = folder.join("classes");
        for folder in [&folder.join("source"), &to] {
            check("make", folder, fs::create_dir_all(folder));
        }
        check("write", &file, fs::write(&file, text));
        let mut class_path = vec![self.root.join("target").join("classes")];
        class_path.extend(self.libraries.iter().cloned());
        let options = ["-nowarn", "-parameters", "-g", "--release", "17"];
        try_to_compile(self.jdk, &[file], &class_path, &to, &options)
            .map_err(|messages| format!("{}: {messages}", fault.name))?;
        Ok(to)
    }
}

impl Trial {
    /// Adds the numbers of another application.
    pub fn add(&mut self, other: Self) {
        let pairs = [
            (&mut self.generation.goals, other.generation.goals),
            (&mut self.generation.branches, other.generation.branches),
            (&mut self.generation.mutants, other.generation.mutants),
        ];
        for (sum, part) in pairs {
            sum[0] += part[0];
            sum[1] += part[1];
        }
        self.generation.took += other.generation.took;
        self.generation.lost += other.generation.lost;
        self.generation.not_begun += other.generation.not_begun;
        self.caught.tests += other.caught.tests;
        self.caught.wrong.extend(other.caught.wrong);
        self.caught.faults.extend(other.caught.faults);
        self.review.add(other.review);
    }

    /// Numbers in a line.
    #[must_use]
    pub fn line(&self) -> String {
        let share = |[part, whole]: [u64; 2]| format!("{part} of {whole}");
        let run = &self.generation;
        format!(
            "{} goals, {} branches, {} mutants, {} of {} faults, {} tests ({} wrong, {} lost), {} classes not begun, {:.0} s",
            share(run.goals),
            share(run.branches),
            share(run.mutants),
            self.caught.number(),
            self.caught.faults.len(),
            self.caught.tests,
            self.caught.wrong.len(),
            run.lost,
            run.not_begun,
            run.took.as_secs_f64(),
        )
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n{}\nReview: {}",
            self.line(),
            self.caught,
            self.review
        )?;
        let mut faults = self.generation.faults.iter();
        faults.try_for_each(|fault| write!(f, "\nFault of the program: {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_changes_one_place() {
        let applications = applications();
        for application in &applications {
            let sources = folder().join(&application.package).join("src/main/java");
            assert_eq!(classes(application).len(), 4, "{}", application.package);
            assert_eq!(application.faults.len(), 12, "{}", application.package);
            for fault in &application.faults {
                let correct = fs::read_to_string(sources.join(&fault.file)).unwrap();
                assert_ne!(fault.put_into(&sources.join(&fault.file)), Ok(correct));
            }
        }
        let mut names: Vec<&str> = applications
            .iter()
            .flat_map(|application| &application.faults)
            .map(|fault| fault.name.as_str())
            .collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

//! Runs whole test classes one after the other in one virtual machine, by the frameworks on their
//! class path, as a build does.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use crate::CLASSES;
use crate::agent::{self, Agent};
use crate::process::{Process, Urgency};
use crate::test_jvm::{ClassEnd, TestClassRun, TestEnd, TestEvent, TestJvm, TestUnits};
use crate::trial::{TrialError, java, write};

/// Time without a response after which a test is taken to hang.
const SILENCE: Duration = Duration::from_secs(60);
/// Option that no other collector may stand beside.
const COLLECTOR: &str = "-XX:+UseSerialGC";
/// Options of the virtual machine. Builds enable assertions.
const OPTIONS: [&str; 5] = [
    "-ea",
    "-XX:TieredStopAtLevel=1",
    COLLECTOR,
    "-Xshare:auto",
    "-XX:-UsePerfData",
];

/// Virtual machine for the test classes of a module; it is started anew for each run.
pub struct TestModule {
    java: PathBuf,
    folder: TempDir,
    class_path: Vec<PathBuf>,
    base: PathBuf,
    silence: Duration,
    /// Further options of the virtual machine.
    options: Vec<String>,
    /// Further variables of its environment.
    variables: Vec<(String, String)>,
    /// Number of virtual machines that were started.
    started: AtomicUsize,
}

/// Test that fails, or a test class that fails outside of its tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleFailure {
    /// Binary name of the test class that was run.
    pub class: String,
    /// Name of the test as the framework reports it, with the class that declares it; empty for the
    /// class itself.
    pub test: String,
    /// First line of the exception.
    pub reason: String,
}

/// Result of a run of several test classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleRun {
    /// What fails, in the order of the run.
    pub failures: Vec<ModuleFailure>,
    /// Number of tests that ended.
    pub tests: usize,
}

impl ModuleRun {
    /// Returns the test classes of which anything fails.
    #[must_use]
    pub fn failing(&self) -> BTreeSet<String> {
        let classes = self.failures.iter();
        classes.map(|failure| failure.class.clone()).collect()
    }

    fn add(&mut self, class: &str, found: TestClassRun) {
        let mut running = String::new();
        let mut fail = |test: &str, reason: &str| {
            self.failures.push(ModuleFailure {
                class: class.to_owned(),
                test: test.to_owned(),
                reason: reason.to_owned(),
            });
        };
        for event in found.events {
            match event {
                TestEvent::Started(name, _) => running = name,
                TestEvent::Finished(end, reason) => {
                    self.tests += 1;
                    if end == TestEnd::Failed {
                        fail(&running, &reason);
                    }
                    running.clear();
                }
                TestEvent::Broken(name, reason) => {
                    fail(if name == class { "" } else { &name }, &reason);
                }
                TestEvent::Skipped(..) => {}
            }
        }
        match found.end {
            ClassEnd::Done => {}
            ClassEnd::JvmEnded => fail(&running, "ends the JVM"),
            ClassEnd::Endless => fail(&running, "does not end"),
        }
    }
}

impl TestModule {
    /// Prepares runs with a JDK. `driver` are the classes that run tests by their frameworks,
    /// `class_path` is that of the tests, these included, and `base` the folder of the module.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new(
        jdk: &Path,
        driver: &[(&str, &[u8])],
        class_path: &[PathBuf],
        base: &Path,
    ) -> Result<TestModule, TrialError> {
        let folder = tempfile::Builder::new()
            .prefix("heapwright-module-")
            .tempdir()?;
        // The declarations of frameworks that the trial has are none for these runs.
        let own = CLASSES
            .iter()
            .filter(|(name, _)| name.starts_with("heapwright/") && !agent::is_own(name));
        // What stands in the place of a library's class is for the engine alone.
        let driver = driver
            .iter()
            .filter(|(name, _)| name.starts_with("heapwright/"));
        // What the trial has of the driver reports to a process, and comes last.
        for (name, bytes) in driver.chain(own) {
            write(&folder.path().join(format!("{name}.class")), bytes)?;
        }
        let class_path: Result<Vec<PathBuf>, io::Error> =
            class_path.iter().map(std::path::absolute).collect();
        Ok(TestModule {
            java: java(jdk),
            folder,
            class_path: class_path?,
            base: base.to_owned(),
            silence: SILENCE,
            options: Vec::new(),
            variables: Vec::new(),
            started: AtomicUsize::new(0),
        })
    }

    /// Sets further options of the virtual machine.
    #[must_use]
    pub fn options(self, options: &[String]) -> TestModule {
        TestModule {
            options: options.to_vec(),
            ..self
        }
    }

    /// Sets further variables of its environment.
    #[must_use]
    pub fn variables(self, variables: &[(String, String)]) -> TestModule {
        TestModule {
            variables: variables.to_vec(),
            ..self
        }
    }

    /// Time without a response after which a test is taken to hang.
    #[must_use]
    pub fn silence_of_tests(&self) -> Duration {
        self.silence
    }

    /// Folder for files that go with this value.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets the time without a response after which a test is taken to hang.
    #[must_use]
    pub fn silence(self, silence: Duration) -> TestModule {
        TestModule { silence, ..self }
    }

    /// Starts a virtual machine, which has the folder `first` in front of the class path, and perhaps an
    /// agent.
    ///
    /// # Errors
    /// It cannot be started, or `gives_up` returns true.
    pub fn start(
        &self,
        first: Option<&Path>,
        agent: Option<&Agent>,
        urgency: Urgency,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<TestJvm, TrialError> {
        let entries = first.into_iter().map(Path::to_owned);
        let entries = entries.chain(self.class_path.iter().cloned());
        let entries = entries.chain([self.folder.path().to_owned()]);
        let class_path = std::env::join_paths(entries).map_err(io::Error::other)?;
        // The folder of a process is removed with it.
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let own = self.folder.path().join(format!("process-{number}"));
        fs::create_dir_all(&own)?;
        let basedir = format!("-Dbasedir={}", self.base.display());
        let chooses_collector = |option: &String| {
            let collector = option.strip_prefix("-XX:+Use");
            collector.is_some_and(|collector| collector.ends_with("GC"))
        };
        let mut options: Vec<&str> = OPTIONS.into_iter().chain([basedir.as_str()]).collect();
        if self.options.iter().any(chooses_collector) {
            options.retain(|option| *option != COLLECTOR);
        }
        options.extend(self.options.iter().map(String::as_str));
        options.extend(agent.map(|agent| agent.option.as_str()));
        let mut arguments = vec!["heapwright.trial.Together".as_ref(), own.as_os_str()];
        arguments.extend(agent.map(|_| OsStr::new("agent")));
        let hears = |_: &str| {};
        let java = (self.java.as_path(), urgency);
        let errors = self.folder.path().join(format!("errors-{number}"));
        let file = fs::File::create(&errors)?;
        let process = Process::start(
            java,
            file.into(),
            (&self.base, &self.variables),
            &options,
            &class_path,
            arguments,
            hears,
        )?;
        TestJvm::new(process, &errors, gives_up)
    }

    /// Runs the tests of classes in this order, those of the folder `first` in front of the class
    /// path. A class whose test ends the virtual machine, or hangs, fails, and the next ones run in
    /// a new one.
    ///
    /// # Errors
    /// A process cannot be started, or `gives_up` returns true.
    pub fn run(
        &self,
        first: Option<&Path>,
        classes: &[String],
        urgency: Urgency,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<ModuleRun, TrialError> {
        let mut run = ModuleRun::default();
        let mut usable: Option<TestJvm> = None;
        for class in classes {
            let mut jvm = match usable.take() {
                Some(jvm) => jvm,
                None => self.start(first, None, urgency, gives_up)?,
            };
            let all = (class.as_str(), TestUnits::Without(&[]));
            run.add(class, jvm.run(all, None, self.silence, gives_up)?);
            usable = Some(jvm).filter(TestJvm::is_usable);
        }
        Ok(run)
    }
}

//! Trial on a JVM of tests that do not pass on the engine.
//!
//! Invariant: a test counts as failing only if it fails there, too. One that fails on the engine alone
//! could not be run, for this reason.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Config;
use heapwright_techniques::measure::{DRIVER, MeasureReport, TestOutcome, TestResult};
use heapwright_trial::{
    ClassEnd, TestClassRun, TestEnd, TestEvent, TestJvm, TestModule, TrialError, Urgency,
};

use super::MeasureArgs;
use crate::compiled_tests::CompiledTests;

/// Tries the tests that do not pass. `stops` tells when there is no time left.
///
/// # Errors
/// The folder of the tests cannot be found.
pub fn confirm(
    report: &mut MeasureReport,
    (suite, config, arguments): (&CompiledTests, &Config, &MeasureArgs),
    stops: &dyn Fn() -> bool,
) -> anyhow::Result<()> {
    let needs_trial = |test: &&mut TestResult| {
        matches!(
            test.outcome,
            TestOutcome::Failed(_) | TestOutcome::NotRun(_)
        )
    };
    let tests = report.tests.iter_mut().filter(needs_trial);
    let mut tests: Vec<&mut TestResult> = tests.collect();
    if tests.is_empty() {
        return Ok(());
    }
    let classes = tests.iter().map(|test| test.class.clone());
    let classes: BTreeSet<String> = classes.collect();
    let base = suite.module_folder()?;
    let runs = TestModule::new(&config.jdk.home, DRIVER, &config.class_path, &base)
        .map(|module| module.silence(arguments.jvm_timeout))
        .and_then(|module| run_all(&module, &classes, stops));
    let (runs, missing) = match runs {
        Ok((runs, missing)) => (runs, missing),
        Err(error) => (BTreeMap::new(), Some(error)),
    };
    for test in &mut tests {
        let found = runs.get(&test.class).and_then(|run| run.of(&test.name));
        let known = match &missing {
            Some(error) if found.is_none() => format!("no JVM has tried it: {error}"),
            _ => "it was not run on a JVM".to_owned(),
        };
        test.outcome = joined(&test.outcome, found, &known, arguments);
    }
    Ok(())
}

/// Outcome of a test by that on the engine and that on a JVM.
fn joined(
    on_engine: &TestOutcome,
    on_jvm: Option<&Tried>,
    unknown: &str,
    arguments: &MeasureArgs,
) -> TestOutcome {
    let (reason, fails) = match on_engine {
        TestOutcome::Failed(reason) => (reason, true),
        TestOutcome::NotRun(reason) => (reason, false),
        other => return other.clone(),
    };
    let seconds = arguments.jvm_timeout.as_secs_f64();
    match (on_jvm, fails) {
        (Some(Tried::Failed(reason)), _) => TestOutcome::Failed(reason.clone()),
        (Some(Tried::Passed), true) => {
            TestOutcome::NotRun(format!("{reason}; only on the engine, it passes on a JVM"))
        }
        (Some(Tried::Skipped(reason)), true) => TestOutcome::Skipped(reason.clone()),
        (Some(Tried::Endless), true) => TestOutcome::NotRun(format!(
            "{reason}; on a JVM it does not end within {seconds} s (--jvm-timeout)"
        )),
        (None, true) => TestOutcome::NotRun(format!("{reason}; {unknown}")),
        (_, false) => TestOutcome::NotRun(reason.clone()),
    }
}

/// Outcome of a test on a JVM.
enum Tried {
    Passed,
    Failed(String),
    Skipped(String),
    Endless,
}

/// Outcomes of the tests of a class on a JVM, by the names of the tests.
struct TriedClass(BTreeMap<String, Tried>);

impl TriedClass {
    fn new(run: TestClassRun) -> TriedClass {
        let mut tried = BTreeMap::new();
        let mut running = None;
        for event in run.events {
            let (name, outcome) = match event {
                TestEvent::Started(name) => {
                    running = Some(name);
                    continue;
                }
                TestEvent::Finished(end, reason) => {
                    let outcome = match end {
                        TestEnd::Passed => Tried::Passed,
                        TestEnd::Aborted => Tried::Skipped(reason),
                        TestEnd::Failed => Tried::Failed(reason),
                    };
                    (running.take().unwrap_or_default(), outcome)
                }
                TestEvent::Skipped(name, reason) => (name, Tried::Skipped(reason)),
                TestEvent::Broken(name, reason) => (name, Tried::Failed(reason)),
            };
            // Of several tests with one name, one that fails counts.
            if !matches!(tried.get(&name), Some(Tried::Failed(_))) {
                tried.insert(name, outcome);
            }
        }
        let last = match run.end {
            ClassEnd::Done => None,
            ClassEnd::JvmEnded => Some(Tried::Failed("it ends the JVM".to_owned())),
            ClassEnd::Endless => Some(Tried::Endless),
        };
        if let (Some(name), Some(outcome)) = (running, last) {
            tried.insert(name, outcome);
        }
        TriedClass(tried)
    }

    fn of(&self, test: &str) -> Option<&Tried> {
        self.0.get(test)
    }
}

/// Runs of classes by name, with what has ended the trial early, if anything has.
type Runs = (BTreeMap<String, TriedClass>, Option<TrialError>);

/// Runs test classes on a JVM.
fn run_all(
    module: &TestModule,
    classes: &BTreeSet<String>,
    stops: &dyn Fn() -> bool,
) -> Result<Runs, TrialError> {
    let mut runs = BTreeMap::new();
    let mut usable: Option<TestJvm> = None;
    for class in classes {
        let mut jvm = match usable.take() {
            Some(jvm) => jvm,
            None => module.start(None, Urgency::Awaited)?,
        };
        match jvm.run(class, stops) {
            Ok(run) => runs.insert(class.clone(), TriedClass::new(run)),
            Err(error) => return Ok((runs, Some(error))),
        };
        usable = Some(jvm).filter(TestJvm::is_usable);
    }
    Ok((runs, None))
}

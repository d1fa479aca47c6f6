//! Virtual machine that runs the tests of whole classes, and reports each of their events.
//!
//! Invariant: a test that ends the virtual machine, or does not end, costs this virtual machine alone:
//! what was reported before is returned.

use std::time::{Duration, Instant};

use crate::process::{NoResponse, Process};
use crate::trial::TrialError;

/// Virtual machine for test classes; dropping this value ends it.
pub struct TestJvm {
    process: Process,
    silence: Duration,
    is_usable: bool,
}

/// What a framework reports of the tests of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestEvent {
    /// A test begins.
    Started(String),
    /// The test that began last ends in this way, for a reason that is empty if it passes.
    Finished(TestEnd, String),
    /// A test or a group of tests is not run.
    Skipped(String, String),
    /// A group of tests fails as a whole.
    Broken(String, String),
}

/// End of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEnd {
    /// It passes.
    Passed,
    /// It finds that it cannot be run here.
    Aborted,
    /// It fails.
    Failed,
}

/// How a run of a class ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassEnd {
    /// All tests were run.
    #[default]
    Done,
    /// A test has ended the virtual machine.
    JvmEnded,
    /// A test does not end within the time that it has.
    Endless,
}

/// Run of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestClassRun {
    /// The events, in order.
    pub events: Vec<TestEvent>,
    /// How it ended.
    pub end: ClassEnd,
}

impl TestJvm {
    /// Takes a process that runs tests, which hang if they report nothing for the time `silence`.
    pub(super) fn new(process: Process, silence: Duration) -> TestJvm {
        TestJvm {
            process,
            silence,
            is_usable: true,
        }
    }

    /// Whether it can run further classes.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Runs the tests of a class.
    ///
    /// # Errors
    /// `gives_up` returns true.
    pub fn run(
        &mut self,
        class: &str,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<TestClassRun, TrialError> {
        let mut run = TestClassRun::default();
        self.process.ask(&[class]);
        loop {
            let asked = Instant::now();
            let is_silent = || gives_up() || asked.elapsed() > self.silence;
            let line = match self.process.answer(&is_silent) {
                Ok(line) => line,
                Err(silence) => {
                    self.is_usable = false;
                    run.end = match silence {
                        NoResponse::GivenUp if gives_up() => return Err(TrialError::GivenUp),
                        NoResponse::GivenUp => ClassEnd::Endless,
                        NoResponse::Ended => ClassEnd::JvmEnded,
                    };
                    return Ok(run);
                }
            };
            let mut fields = line.split('\t');
            let kind = fields.next().unwrap_or_default();
            let mut field = || fields.next().unwrap_or_default().to_owned();
            let event = match kind {
                "started" => TestEvent::Started(field()),
                "finished" => {
                    let end = match &*field() {
                        "0" => TestEnd::Passed,
                        "1" => TestEnd::Aborted,
                        _ => TestEnd::Failed,
                    };
                    TestEvent::Finished(end, field())
                }
                "skipped" => TestEvent::Skipped(field(), field()),
                "broken" => TestEvent::Broken(field(), field()),
                "ran" => return Ok(run),
                _ => continue,
            };
            run.events.push(event);
        }
    }
}

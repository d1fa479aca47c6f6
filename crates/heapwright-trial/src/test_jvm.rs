//! Virtual machine that runs the tests of whole classes, and reports each of their events.
//!
//! Invariant: a test that ends the virtual machine, or does not end, costs this virtual machine alone:
//! what was reported before is returned.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::{NoResponse, Process};
use crate::trial::TrialError;

/// Time in which a virtual machine, or a framework on it, starts.
const START: Duration = Duration::from_secs(30);

/// Virtual machine for test classes; dropping this value ends it.
pub struct TestJvm {
    process: Process,
    is_usable: bool,
}

/// Mutant on which tests are run.
#[derive(Clone, Copy, Debug)]
pub struct MutantRun<'a> {
    /// Internal name of its class.
    pub class: &'a str,
    /// File with the changed class file, which no other mutant has.
    pub file: &'a Path,
    /// Windows in which the code is changed: ranges of numbers, whose ends belong to them. Without them
    /// it is in all.
    pub windows: Option<&'a [(usize, usize)]>,
}

/// Units of a class that run, by the names that [`TestEvent::Started`] has.
#[derive(Clone, Copy, Debug)]
pub enum TestUnits<'a> {
    /// All but these.
    Without(&'a [String]),
    /// This one.
    Only(&'a str),
}

/// What a framework reports of the tests of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestEvent {
    /// A test begins; its framework can leave out the unit that it is part of, if one is named.
    Started(String, Option<TestUnit>),
    /// The test that began last ends in this way, for a reason that is empty if it passes.
    Finished(TestEnd, String),
    /// A test or a group of tests is not run.
    Skipped(String, String),
    /// A group of tests fails as a whole.
    Broken(String, String),
}

/// Tests that a framework can leave out, such as a method with all its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestUnit {
    /// Its name.
    pub name: String,
    /// Whether it may also run without the tests before it.
    pub runs_alone: bool,
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

/// Time up to an event, or from the last one to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestWindow {
    /// Slots that probes set, in ascending order.
    pub slots: Vec<u32>,
    /// How long it took.
    pub time: Duration,
}

/// Run of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestClassRun {
    /// The events, in order.
    pub events: Vec<TestEvent>,
    /// The window before each event, and the one behind the last.
    pub windows: Vec<TestWindow>,
    /// Why a mutant could not be run.
    pub refused: Option<String>,
    /// Internal names of classes under test of which another version was loaded.
    pub foreign: Vec<String>,
    /// How it ended.
    pub end: ClassEnd,
}

impl TestJvm {
    /// Takes a process that runs tests, once it is ready. `errors` is the file with its messages.
    ///
    /// # Errors
    /// It does not start, or `gives_up` returns true.
    pub(super) fn new(
        process: Process,
        errors: &Path,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<TestJvm, TrialError> {
        let asked = Instant::now();
        loop {
            match process.answer(&|| gives_up() || asked.elapsed() > START) {
                Ok(line) if line == "ready" => {
                    return Ok(TestJvm {
                        process,
                        is_usable: true,
                    });
                }
                Ok(_) => {}
                Err(_) if gives_up() => return Err(TrialError::GivenUp),
                Err(_) => {
                    let messages = fs::read(errors).unwrap_or_default();
                    let messages = String::from_utf8_lossy(&messages);
                    let lines = messages.lines().map(str::trim);
                    let mut lines =
                        lines.filter(|line| !line.is_empty() && !line.contains(" warning: "));
                    let first = lines.next().unwrap_or("it says nothing");
                    return Err(TrialError::NoStart(first.to_owned()));
                }
            }
        }
    }

    /// Whether it can run further classes.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Runs tests of a class, perhaps on a mutant. A test hangs if it reports nothing for the time
    /// `silence`.
    ///
    /// # Errors
    /// `gives_up` returns true.
    pub fn run(
        &mut self,
        (class, units): (&str, TestUnits<'_>),
        mutant: Option<MutantRun<'_>>,
        silence: Duration,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<TestClassRun, TrialError> {
        let mut run = TestClassRun::default();
        let mut fields = vec![class.to_owned()];
        match mutant {
            None => fields.extend([const { String::new() }; 3]),
            Some(mutant) => {
                let windows = mutant.windows.map(|windows| {
                    let windows = windows.iter().map(|(from, to)| format!("{from}-{to}"));
                    windows.collect::<Vec<String>>().join(",")
                });
                let file = mutant.file.to_string_lossy().into_owned();
                let windows = windows.unwrap_or_else(|| "*".to_owned());
                fields.extend([mutant.class.to_owned(), file, windows]);
            }
        }
        match units {
            TestUnits::Only(unit) => fields.push(format!("+{unit}")),
            TestUnits::Without(units) => {
                fields.extend(units.iter().map(|unit| format!("-{unit}")));
            }
        }
        self.process.ask(&fields);
        let mut begun = Instant::now();
        let mut slots = Vec::new();
        let mut unit = None;
        let mut end_window = |run: &mut TestClassRun, slots: &mut Vec<u32>| {
            run.windows.push(TestWindow {
                slots: std::mem::take(slots),
                time: begun.elapsed(),
            });
            begun = Instant::now();
        };
        loop {
            let asked = Instant::now();
            // The first event may have to wait for the frameworks to start.
            let silence = match run.events.is_empty() {
                true => silence.max(START),
                false => silence,
            };
            let is_silent = || gives_up() || asked.elapsed() > silence;
            let line = match self.process.answer(&is_silent) {
                Ok(line) => line,
                Err(silence) => {
                    self.is_usable = false;
                    run.end = match silence {
                        NoResponse::GivenUp if gives_up() => return Err(TrialError::GivenUp),
                        NoResponse::GivenUp => ClassEnd::Endless,
                        NoResponse::Ended => ClassEnd::JvmEnded,
                    };
                    end_window(&mut run, &mut slots);
                    return Ok(run);
                }
            };
            let mut fields = line.split('\t');
            let kind = fields.next().unwrap_or_default();
            let mut field = || fields.next().unwrap_or_default().to_owned();
            let event = match kind {
                "unit" | "part" => {
                    unit = Some(TestUnit {
                        name: field(),
                        runs_alone: kind == "unit",
                    });
                    continue;
                }
                "started" => TestEvent::Started(field(), unit.take()),
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
                "slots" => {
                    slots.extend(numbers(&field()));
                    continue;
                }
                "refused" => {
                    run.refused = Some(field());
                    continue;
                }
                "foreign" => {
                    run.foreign.push(field());
                    continue;
                }
                "ran" => {
                    end_window(&mut run, &mut slots);
                    return Ok(run);
                }
                _ => continue,
            };
            end_window(&mut run, &mut slots);
            run.events.push(event);
        }
    }
}

/// Numbers in a text of ranges, separated by commas.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let ranges = text.split(',').filter_map(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        Some(from.parse().ok()?..=to.parse().ok()?)
    });
    ranges.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let read = |text: &str| numbers(text).collect::<Vec<u32>>();
        assert_eq!(read("0-2,7,9-9"), [0, 1, 2, 7, 9]);
        assert_eq!(read(""), [0_u32; 0]);
    }
}

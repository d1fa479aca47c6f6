//! Measurement on virtual machines outside of the engine, of the tests that the engine cannot run, or
//! of all: what the techniques ask of these ([`OutsideJvms`]), which the command line provides.
//!
//! [`observe`] runs test classes on code with probes, [`tests`] says what that tells of their tests, and
//! [`judge`] runs tests on mutants. The code under test gets its probes and mutants as class files.
//! **Invariant:** the points are those of the [`crate::coverage::CodePlan`], and the mutants the same changes, so that both
//! halves make one result.

mod judge;
mod observe;
mod tests;

use std::time::Duration;

pub(super) use judge::{Judging, judge};
pub(super) use observe::Outside;
pub(super) use tests::OutsideTests;

/// Source of virtual machines outside of the engine.
pub trait OutsideJvms: Sync {
    /// Starts a virtual machine, on the code with probes or on the original code.
    ///
    /// # Errors
    /// There is none, or no time.
    fn start(
        &self,
        code: &OutsideCode,
        has_probes: bool,
    ) -> Result<Box<dyn OutsideJvm + '_>, OutsideError>;
}

/// Virtual machine outside of the engine, which ends when it is dropped.
pub trait OutsideJvm {
    /// Runs tests of a class.
    ///
    /// # Errors
    /// There is no time.
    fn run(&mut self, request: &OutsideRequest<'_>) -> Result<OutsideRun, OutsideError>;

    /// Whether it can run further tests: none has ended it, or hangs.
    fn is_usable(&self) -> bool;
}

/// Reason for which nothing runs outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideError {
    /// Everything is to stop.
    Stopped,
    /// There is no virtual machine, for this reason.
    NoJvm(String),
}

/// Classes under test for a virtual machine outside.
#[derive(Clone, Debug, Default)]
pub struct OutsideCode {
    /// The classes with code.
    pub classes: Vec<OutsideClassFile>,
    /// Number of slots that their probes set.
    pub slots: u32,
    /// For each switch its keys in ascending order, with the number of the slot behind the first one.
    pub tables: Vec<Vec<(i32, u32)>>,
}

/// Class under test.
#[derive(Clone, Debug)]
pub struct OutsideClassFile {
    /// Internal name.
    pub name: String,
    /// Its file.
    pub original: Vec<u8>,
    /// The same with probes.
    pub probed: Vec<u8>,
}

/// What is to run.
#[derive(Clone, Copy, Debug)]
pub struct OutsideRequest<'a> {
    /// Binary name of the test class.
    pub class: &'a str,
    /// Units of it that run.
    pub units: OutsideUnits<'a>,
    /// The mutant; none runs the original code.
    pub mutant: Option<OutsideMutant<'a>>,
    /// Time without an event after which a test does not end; without it as the user wants it.
    pub silence: Option<Duration>,
}

/// Tests that a framework can leave out, such as a method with all its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsideUnit {
    /// Its name.
    pub name: String,
    /// Whether it may also run without the tests before it.
    pub runs_alone: bool,
}

/// Units of a test class that run.
#[derive(Clone, Copy, Debug)]
pub enum OutsideUnits<'a> {
    /// All but these.
    Without(&'a [String]),
    /// This one.
    Only(&'a str),
}

/// Mutant that is judged.
#[derive(Clone, Copy, Debug)]
pub struct OutsideMutant<'a> {
    /// Its number.
    pub number: usize,
    /// The internal name of its class.
    pub class: &'a str,
    /// The changed class file.
    pub file: &'a [u8],
    /// Windows in which it is there, as ranges whose ends belong to them; without them in all.
    pub windows: Option<&'a [(usize, usize)]>,
}

/// Event of a framework.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideEvent {
    /// A test begins. Its framework can leave out the unit that it is part of, if one is named.
    Started(String, Option<OutsideUnit>),
    /// The test that began last ends; it fails, or is skipped, for a reason.
    Finished(OutsideOutcome),
    /// A test or a group of tests is not run, for a reason.
    Skipped(String, String),
    /// A group of tests fails as a whole, for a reason.
    Broken(String, String),
}

/// End of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideOutcome {
    /// It passes.
    Passed,
    /// It fails with this exception.
    Failed(String),
    /// It is skipped, for this reason.
    Skipped(String),
}

/// How a run of a class ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutsideEnd {
    /// All tests were run.
    #[default]
    Done,
    /// The virtual machine has ended.
    JvmEnded,
    /// No event came in time.
    Endless,
}

/// Time up to an event, or up to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsideWindow {
    /// Slots that were set, in ascending order.
    pub slots: Vec<u32>,
    /// How long it took.
    pub time: Duration,
}

/// Run of a class.
#[derive(Clone, Debug, Default)]
pub struct OutsideRun {
    /// The events, in order.
    pub events: Vec<OutsideEvent>,
    /// The window before each event, and the one behind the last.
    pub windows: Vec<OutsideWindow>,
    /// How it ended.
    pub end: OutsideEnd,
    /// Why the mutant was not run, if so.
    pub refused: Option<String>,
    /// Classes under test, by their internal names, of which another version was loaded.
    pub foreign: Vec<String>,
}

//! Machine that runs tests: it observes probes, and stops where the host has to do something.

use std::rc::Rc;

use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ConditionTruth, Machine};
use rustc_hash::FxHashMap;

use crate::coverage::{Fact, Point};

/// What the machine does at probes of the code under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Notes what it observes.
    Observes,
    /// Stops at the first visit, in each test, of an instruction with a mutant that is to be judged.
    Judges,
    /// Passes.
    Passes,
}

/// Machine that runs tests.
pub(super) struct TestMachine {
    pub mode: Mode,
    /// What was observed, by point.
    pub facts: Vec<Fact>,
    /// Whether mutants of a point are to be judged.
    pub armed: Vec<bool>,
    /// Number of the test, or of the time between two, in which a point was last stopped at or, on the
    /// original code, first visited.
    judged: Vec<u32>,
    window: u32,
    /// Points that were visited in this window.
    visited: Vec<u32>,
    /// Number of the first probe of the code; those before it are the driver's.
    first: u32,
    points: Rc<[Point]>,
    /// The point passed last in each frame, by its depth.
    last: FxHashMap<u32, u32>,
    /// The probe at which it has stopped.
    stopped_at: Option<u32>,
    /// The probe that the next visit passes.
    passes: Option<u32>,
}

impl TestMachine {
    /// Creates a machine for code whose probes begin with `first`.
    pub fn new(first: u32, points: Rc<[Point]>) -> TestMachine {
        TestMachine {
            mode: Mode::Observes,
            facts: vec![Fact::default(); points.len()],
            armed: vec![false; points.len()],
            judged: vec![0; points.len()],
            window: 0,
            visited: Vec::new(),
            first,
            points,
            last: FxHashMap::default(),
            stopped_at: None,
            passes: None,
        }
    }

    /// Begins a test, or the time behind it; returns the points that were visited on the original
    /// code since the last time.
    pub fn begin_window(&mut self) -> Vec<u32> {
        self.window += 1;
        std::mem::take(&mut self.visited)
    }

    /// Takes the probe at which the run has stopped, which it passes when it goes on.
    pub fn take_stop(&mut self) -> Option<u32> {
        let probe = self.stopped_at.take()?;
        self.passes = Some(probe);
        if let Some(point) = self.point(probe) {
            self.judged[point] = self.window;
        }
        Some(probe)
    }

    /// Lets the run pass the probe before it once more, after the machine went back there.
    pub fn pass(&mut self, probe: u32) {
        self.passes = Some(probe);
    }

    /// Takes what was observed.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        self.last.clear();
        let fresh = vec![Fact::default(); self.points.len()];
        std::mem::replace(&mut self.facts, fresh)
    }

    /// Number of a probe among those of the code.
    pub fn point(&self, probe: u32) -> Option<usize> {
        probe.checked_sub(self.first).map(|point| point as usize)
    }

    fn stops_at(&self, probe: u32) -> bool {
        let Some(point) = self.point(probe) else {
            return true;
        };
        self.mode == Mode::Judges && self.armed[point] && self.judged[point] != self.window
    }
}

impl Machine for TestMachine {
    const CHOOSES: bool = false;
    const NOTES_VISITS: bool = false;

    fn visit(&mut self, visit: ProbeVisit) -> ConditionTruth {
        if self.passes.take() != Some(visit.point) && self.stops_at(visit.point) {
            self.stopped_at = Some(visit.point);
            return ConditionTruth::Known(false);
        }
        if self.mode == Mode::Observes
            && let Some(point) = self.point(visit.point)
        {
            // The last visit at this depth may be one of an earlier call.
            let last = self.last.insert(visit.depth, point as u32);
            let before = last.filter(|_| !self.points[point].is_entry);
            self.facts[point].reach(before);
            if self.judged[point] != self.window {
                self.judged[point] = self.window;
                self.visited.push(point as u32);
            }
        }
        ConditionTruth::Known(true)
    }

    fn watches(&self, probe: u32) -> bool {
        self.mode == Mode::Observes
            && self
                .point(probe)
                .is_some_and(|point| self.points[point].jump.is_some())
    }

    fn watch(&mut self, probe: u32, operands: [u64; 3]) -> ConditionTruth {
        if let Some(point) = self.point(probe)
            && let Some(jump) = &self.points[point].jump
        {
            let target = jump.target(operands);
            self.facts[point].go(target);
        }
        ConditionTruth::Known(true)
    }
}

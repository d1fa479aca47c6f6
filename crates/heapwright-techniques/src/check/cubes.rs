//! Calls on cubes: one run represents all inputs that it does not distinguish.
//!
//! Invariant: counts and findings equal those of calls on the cube's structures, one by one. If a
//! run does not end, is refused or cannot be judged in this way, the method is called on each
//! structure instead. If it fails in a way not yet known, it is called on each structure to report
//! the failure. The runs made and counted depend on the cube alone, unless a method does not end.

use std::ops::ControlFlow;

use heapwright_explore::{AtEnd, Count, Cube, StateSpace};
use heapwright_jvm::{Exit, Vm};

use super::calls::{MethodUnderTest, Tuple};
use super::counterexample::{SmallestCounterexamples, StructureSize, size_of};
use super::judge::{CallFailure, CallVerdict, CheckedStructure, ContinueCallback, Judge};
use super::{Checker, CurrentStructure};

/// Cost of a run on a cube, relative to a call on a structure.
const COST: f64 = 3.0;
/// Share of the cost of calls on the structures that is spent before deciding whether runs on the
/// cube cost less.
const TRIAL: f64 = 0.25;
/// Instructions after which a run on a cube is abandoned: it may not end, which a call on a
/// structure shows sooner.
const LONG: u64 = 200_000;

/// Reason why calls on a cube are broken off.
enum CubeStop {
    /// The caller's `ask` broke off.
    Asked,
    /// The calls must be made on each structure.
    OneByOne,
}

/// Results of the calls of one method on a cube.
#[derive(Default)]
struct CubeResults {
    calls: Count,
    runs: u64,
    rejected: Count,
    failed: Vec<(CallFailure, Count)>,
    /// Whether some failure must still be reported.
    has_news: bool,
}

/// Calls of a method on a cube, with one argument tuple.
struct CubeCalls<'a, 'f> {
    judge: &'a Judge,
    findings: &'a SmallestCounterexamples,
    index: usize,
    operation: &'a MethodUnderTest,
    tuple: &'a Tuple,
    root: u64,
    /// Size of the structures, if all have the same.
    size: Option<StructureSize>,
    /// Number of concrete calls, if runs are abandoned where they cost more.
    inputs: Option<f64>,
    /// Number of `StackOverflowError`s caught before.
    overflows: u64,
    ask: &'a mut ContinueCallback<'f>,
    came: CubeResults,
}

/// Runs of the invariant after a call with `verdict`.
struct InvariantRuns<'b, 'a, 'f> {
    calls: &'b mut CubeCalls<'a, 'f>,
    verdict: CallVerdict,
}

impl Checker {
    /// Makes all calls on a cube and restores the machine's state. If `ask` breaks off, nothing is
    /// counted.
    pub(super) fn visit_cube(
        &mut self,
        vm: &mut Vm,
        cube: &mut Cube<'_, '_>,
        space: &StateSpace,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        let counts = self.found.counts();
        let flow = self.call_on_all_of(vm, cube, space, ask);
        if flow.is_break() {
            self.found.go_back(counts);
        }
        flow
    }

    fn call_on_all_of(
        &mut self,
        vm: &mut Vm,
        cube: &mut Cube<'_, '_>,
        space: &StateSpace,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        self.found.structures += cube.structures();
        let mark = vm.mark();
        let mut here = CurrentStructure {
            site: CheckedStructure::of(space),
            mark,
            snapshot: None,
        };
        let (mut one_by_one, mut shown) = (Vec::new(), Vec::new());
        for index in self.active.clone() {
            match self.call_on_cube(vm, cube, &mut here, index, ask) {
                ControlFlow::Continue(false) => {}
                ControlFlow::Continue(true) => shown.push(index),
                ControlFlow::Break(CubeStop::OneByOne) => one_by_one.push(index),
                ControlFlow::Break(CubeStop::Asked) => return ControlFlow::Break(()),
            }
        }
        vm.forget(mark);
        for (methods, counts) in [(one_by_one, true), (shown, false)] {
            if !methods.is_empty() {
                cube.expand(vm, |vm| self.call_each(vm, space, &methods, counts, ask))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls a method; returns whether it has a failure still to be reported.
    fn call_on_cube(
        &mut self,
        vm: &mut Vm,
        cube: &mut Cube<'_, '_>,
        here: &mut CurrentStructure<'_>,
        index: usize,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<CubeStop, bool> {
        let operation = &self.operations[index];
        let has_one_shape = cube.has_one_shape();
        let endless = self.found.findings.endless_from(index);
        let open = match &operation.open {
            Some(open) if !operation.is_judged_alone() => open,
            _ => return ControlFlow::Break(CubeStop::OneByOne),
        };
        if (endless.is_some() || open.fixed.is_none()) && !has_one_shape {
            return ControlFlow::Break(CubeStop::OneByOne);
        }
        let root = here.site.space.root;
        // Open values take their first value in the snapshot.
        let snapshot = here.snapshot(vm, &mut self.reader);
        let size = has_one_shape.then(|| size_of(&snapshot.structure));
        if endless.is_some_and(|endless| size.is_some_and(|size| size >= endless)) {
            self.found.tallies[index].left_out += cube.structures();
            return ControlFlow::Continue(false);
        }
        let own;
        let tuples: &[Tuple] = match &open.fixed {
            Some(fixed) => fixed,
            None => {
                own = open.on(vm, root, snapshot);
                &own
            }
        };
        let Some(first) = tuples.first() else {
            return ControlFlow::Break(CubeStop::OneByOne);
        };
        let inputs = cube.structures().about() * (tuples.len() as u64 * open.ways) as f64;
        if self.weighs_costs && COST > inputs {
            return ControlFlow::Break(CubeStop::OneByOne);
        }
        let mut calls = CubeCalls {
            judge: &self.judge,
            findings: &self.found.findings,
            index,
            operation,
            tuple: first,
            root: root.slot(),
            size,
            inputs: self.weighs_costs.then_some(inputs),
            overflows: vm.caught_overflows(),
            ask,
            came: CubeResults::default(),
        };
        let flow = cube.with_open(vm, |cube, vm| {
            for tuple in tuples {
                calls.tuple = tuple;
                let limit = calls.step_limit();
                cube.call(
                    vm,
                    (operation.call.method, &tuple.slots),
                    operation.asked.is_some(),
                    limit,
                    &mut calls,
                )?;
            }
            ControlFlow::Continue(())
        });
        let came = calls.came;
        flow?;
        self.enter(index, cube.structures(), &came);
        ControlFlow::Continue(came.has_news)
    }

    fn enter(&mut self, index: usize, structures: &Count, came: &CubeResults) {
        let tally = &mut self.found.tallies[index];
        if let Some(tuples) = tally.tuples {
            debug_assert_eq!(came.calls, structures * tuples, "{}", tally.method);
        }
        tally.structures += structures;
        tally.calls += &came.calls;
        tally.runs += came.runs;
        tally.rejected += &came.rejected;
        for (failure, runs) in &came.failed {
            tally.failed += runs;
            // Reported failures are counted when they are reported.
            if !came.has_news {
                self.found.findings.count(index, *failure, runs);
            }
        }
    }
}

impl CubeCalls<'_, '_> {
    /// Enters the verdict on a run.
    fn enter(&mut self, cube: &mut Cube<'_, '_>, verdict: &CallVerdict) -> ControlFlow<CubeStop> {
        let inputs = cube.inputs(&self.tuple.slots);
        if inputs.is_zero() {
            // The constraints on the values are contradictory: no input takes this path.
            return ControlFlow::Continue(());
        }
        self.came.runs += 1;
        match verdict {
            CallVerdict::Good => {}
            CallVerdict::Rejected => self.came.rejected += &inputs,
            CallVerdict::Failed(failure) if !failure.is_endless() => {
                let knows = |size| self.findings.knows(self.index, *failure, size);
                self.came.has_news |= !self.size.is_some_and(knows);
                self.came.failed.push((*failure, inputs.clone()));
            }
            CallVerdict::Failed(_) | CallVerdict::Refused(_) | CallVerdict::Limited(_) => {
                return ControlFlow::Break(CubeStop::OneByOne);
            }
        }
        self.came.calls += &inputs;
        match self.pays() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(CubeStop::OneByOne),
        }
    }

    /// Whether runs seem to cost less than the calls that they represent.
    fn pays(&self) -> bool {
        let cost = self.came.runs as f64 * COST;
        let is_more = |inputs| cost > TRIAL * inputs && cost > self.came.calls.about();
        !self.inputs.is_some_and(is_more)
    }

    fn step_limit(&self) -> u64 {
        self.judge.step_limit.min(LONG)
    }

    /// Continues if no run has depended on the stack's depth.
    fn is_of_any_depth(&self, vm: &Vm) -> ControlFlow<CubeStop> {
        match vm.caught_overflows() == self.overflows {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(CubeStop::OneByOne),
        }
    }

    fn asked(&mut self) -> ControlFlow<CubeStop> {
        (self.ask)().map_break(|()| CubeStop::Asked)
    }
}

impl AtEnd for CubeCalls<'_, '_> {
    type Stop = CubeStop;

    fn ask(&mut self) -> ControlFlow<CubeStop> {
        self.asked()
    }

    fn ended(&mut self, cube: &mut Cube<'_, '_>, vm: &mut Vm, exit: Exit) -> ControlFlow<CubeStop> {
        self.is_of_any_depth(vm)?;
        let verdict = self.judge.of_call(vm, self.operation, self.tuple, &exit);
        if !verdict.is_accepted() || cube.is_untouched(vm) {
            return self.enter(cube, &verdict);
        }
        let invariant = (self.judge.invariant, &[self.root][..]);
        let limit = self.step_limit();
        let mut afterwards = InvariantRuns {
            calls: self,
            verdict,
        };
        cube.call(vm, invariant, true, limit, &mut afterwards)
    }
}

impl AtEnd for InvariantRuns<'_, '_, '_> {
    type Stop = CubeStop;

    fn ask(&mut self) -> ControlFlow<CubeStop> {
        self.calls.asked()
    }

    fn ended(&mut self, cube: &mut Cube<'_, '_>, vm: &mut Vm, exit: Exit) -> ControlFlow<CubeStop> {
        self.calls.is_of_any_depth(vm)?;
        let wrong = Judge::of_invariant(vm, exit);
        self.calls
            .enter(cube, wrong.as_ref().unwrap_or(&self.verdict))
    }
}

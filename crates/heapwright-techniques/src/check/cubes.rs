//! Calls on cubes: one run stands for all inputs that it does not tell apart.
//!
//! Invariant: what is counted and found is what calls on the cube's structures, one by one, would
//! give. Where a run does anything that is not known already (a new failure, one on a smaller
//! structure, a refusal) or cannot be judged so, the method is called on each structure instead, and
//! that is what counts.

use std::ops::ControlFlow;

use heapwright_explore::{AtEnd, Cube, Search, StateSpace};
use heapwright_jvm::{Exit, Vm};

use super::calls::{Operation, Tuple};
use super::counterexample::{Findings, Size, size_of};
use super::judge::{Ask, Failure, Judge, Site, Verdict};
use super::{Checker, Here};
use crate::Error;
use crate::invariant::{Enumeration, Outcome};

/// What a run on a cube costs, in calls on a structure.
const COST: f64 = 3.0;
/// Instructions after which a run on a cube is given up: it may be one that does not end, which a
/// call on a structure shows sooner.
const LONG: u64 = 200_000;

/// Why calls on a cube are broken off.
enum Stop {
    /// Somebody asked for it.
    Asked,
    /// They must be made on each structure.
    OneByOne,
}

/// What came of the calls of one method on a cube.
#[derive(Default)]
struct Came {
    calls: u64,
    runs: u64,
    rejected: u64,
    failed: Vec<(Failure, u64)>,
}

/// The calls of a method on a cube, with one tuple of arguments.
struct CubeCalls<'a, 'f> {
    judge: &'a Judge,
    findings: &'a Findings,
    index: usize,
    operation: &'a Operation,
    tuple: &'a Tuple,
    root: u64,
    /// The size of all structures, if they have the same.
    size: Option<Size>,
    ask: &'a mut Ask<'f>,
    came: Came,
}

/// The invariant's runs after a call that came to `verdict`.
struct Afterwards<'b, 'a, 'f> {
    calls: &'b mut CubeCalls<'a, 'f>,
    verdict: Verdict,
}

impl Checker {
    /// Makes all calls on a cube. Afterwards the machine stands where it stood.
    fn visit_cube(
        &mut self,
        vm: &mut Vm,
        cube: &mut Cube<'_, '_>,
        space: &StateSpace,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<()> {
        self.structures += cube.structures();
        let mark = vm.mark();
        let mut here = Here {
            site: Site {
                space,
                before: None,
            },
            mark,
            snapshot: None,
        };
        let mut one_by_one = Vec::new();
        for index in 0..self.operations.len() {
            match self.call_on_cube(vm, cube, &mut here, index, ask) {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(Stop::OneByOne) => one_by_one.push(index),
                ControlFlow::Break(Stop::Asked) => return ControlFlow::Break(()),
            }
        }
        vm.forget(mark);
        if one_by_one.is_empty() {
            return ControlFlow::Continue(());
        }
        cube.expand(vm, |vm| {
            self.call_each(vm, space, one_by_one.iter().copied(), ask)
        })
    }

    fn call_on_cube(
        &mut self,
        vm: &mut Vm,
        cube: &mut Cube<'_, '_>,
        here: &mut Here<'_>,
        index: usize,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<Stop> {
        let operation = &self.operations[index];
        let has_one_shape = cube.has_one_shape();
        let endless = self.findings.endless_from(index);
        let open = match &operation.open {
            Some(open) if operation.oracle.is_none() => open,
            _ => return ControlFlow::Break(Stop::OneByOne),
        };
        if (endless.is_some() || open.fixed.is_none()) && !has_one_shape {
            return ControlFlow::Break(Stop::OneByOne);
        }
        let root = here.site.space.root;
        // As with the first value of all that is open.
        let snapshot = here.snapshot(vm, &mut self.reader);
        let size = has_one_shape.then(|| size_of(&snapshot.structure));
        if endless.is_some_and(|endless| size.is_some_and(|size| size >= endless)) {
            self.tallies[index].left_out += cube.structures();
            return ControlFlow::Continue(());
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
            return ControlFlow::Break(Stop::OneByOne);
        };
        let inputs = cube.structures() as f64 * (tuples.len() as u64 * open.ways) as f64;
        let expected = size.and_then(|size| self.runs_on.get(&(index, size)));
        if self.weighs_costs && expected.map_or(1.0, |&runs| runs as f64) * COST > inputs {
            return ControlFlow::Break(Stop::OneByOne);
        }
        let mut calls = CubeCalls {
            judge: &self.judge,
            findings: &self.findings,
            index,
            operation,
            tuple: first,
            root: root.slot(),
            size,
            ask,
            came: Came::default(),
        };
        let flow = cube.with_open(vm, |cube, vm| {
            for tuple in tuples {
                calls.tuple = tuple;
                let limit = calls.step_limit();
                cube.call(
                    vm,
                    (operation.method, &tuple.slots),
                    false,
                    limit,
                    &mut calls,
                )?;
            }
            ControlFlow::Continue(())
        });
        let came = calls.came;
        self.tallies[index].runs += came.runs;
        if let Some(size) = size {
            self.runs_on.insert((index, size), came.runs);
        }
        flow?;
        self.enter(index, cube.structures(), &came);
        ControlFlow::Continue(())
    }

    fn enter(&mut self, index: usize, structures: u64, came: &Came) {
        let tally = &mut self.tallies[index];
        if let Some(tuples) = tally.tuples {
            debug_assert_eq!(came.calls, structures * tuples, "{}", tally.method);
        }
        tally.structures += structures;
        tally.calls += came.calls;
        tally.rejected += came.rejected;
        for &(failure, runs) in &came.failed {
            tally.failed += runs;
            self.findings.count(index, failure, runs);
        }
    }
}

impl CubeCalls<'_, '_> {
    /// Enters what a run came to.
    fn enter(&mut self, cube: &mut Cube<'_, '_>, verdict: &Verdict) -> ControlFlow<Stop> {
        let inputs = match cube.inputs(&self.tuple.slots) {
            // What was asked of the values contradicts itself: no input takes this path.
            Some(0) => return ControlFlow::Continue(()),
            Some(inputs) => inputs,
            None => return ControlFlow::Break(Stop::OneByOne),
        };
        self.came.runs += 1;
        match verdict {
            Verdict::Good => {}
            Verdict::Rejected => self.came.rejected += inputs,
            Verdict::Failed(failure)
                if !failure.is_endless()
                    && self
                        .size
                        .is_some_and(|size| self.findings.knows(self.index, *failure, size)) =>
            {
                self.came.failed.push((*failure, inputs));
            }
            Verdict::Failed(_) | Verdict::Refused(_) => return ControlFlow::Break(Stop::OneByOne),
        }
        self.came.calls += inputs;
        ControlFlow::Continue(())
    }

    fn step_limit(&self) -> u64 {
        self.judge.step_limit.min(LONG)
    }

    fn asked(&mut self) -> ControlFlow<Stop> {
        (self.ask)().map_break(|()| Stop::Asked)
    }
}

impl AtEnd for CubeCalls<'_, '_> {
    type Stop = Stop;

    fn ask(&mut self) -> ControlFlow<Stop> {
        self.asked()
    }

    fn ended(&mut self, cube: &mut Cube<'_, '_>, vm: &mut Vm, exit: Exit) -> ControlFlow<Stop> {
        let verdict = self.judge.of_call(vm, self.operation, self.tuple, &exit);
        if !verdict.is_accepted() || cube.is_untouched(vm) {
            return self.enter(cube, &verdict);
        }
        let invariant = (self.judge.invariant, &[self.root][..]);
        let limit = self.step_limit();
        let mut afterwards = Afterwards {
            calls: self,
            verdict,
        };
        cube.call(vm, invariant, true, limit, &mut afterwards)
    }
}

impl AtEnd for Afterwards<'_, '_, '_> {
    type Stop = Stop;

    fn ask(&mut self) -> ControlFlow<Stop> {
        self.calls.asked()
    }

    fn ended(&mut self, cube: &mut Cube<'_, '_>, vm: &mut Vm, exit: Exit) -> ControlFlow<Stop> {
        let wrong = Judge::of_invariant(vm, exit);
        self.calls
            .enter(cube, wrong.as_ref().unwrap_or(&self.verdict))
    }
}

impl Enumeration {
    pub(super) fn check_cubes(
        &self,
        vm: &mut Vm,
        checker: &mut Checker,
        ask_search: impl FnMut(&dyn Search) -> ControlFlow<()>,
        ask: &mut Ask<'_>,
    ) -> Result<Outcome, Error> {
        let root = self.space.root;
        let mut search = self.cubes();
        for operation in &mut checker.operations {
            operation.leave_open(root, |values, wide| search.add_argument(values, wide));
        }
        self.search_cubes(vm, &mut search, ask_search, |vm, cube| {
            checker.visit_cube(vm, cube, &self.space, ask)
        })
    }
}

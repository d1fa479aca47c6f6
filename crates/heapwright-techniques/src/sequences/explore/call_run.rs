//! Runs calls on a component on the engine, and records their paths.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{
    PathEnd, ScriptStep, SearchScript, SideVerdicts, SolverError, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{End, Search, Span, Tree};
use heapwright_jvm::Vm;

use super::component::{CallPurpose, Component};
use super::outcome::SearchCounts;
use super::recorder::{CallPathTally, PathRecorder};
use super::search::Explorer;
use crate::Error;
use crate::statements::Statement;

/// Calls to run on a component.
pub(super) struct CallRun<'r> {
    pub base: &'r Component,
    /// For each part of the base, the number of the statement after its last one.
    pub parts: &'r [usize],
    /// The numbers of the components of the base.
    pub job: &'r [usize],
    pub calls: &'r [(Statement, CallPurpose)],
    /// The steps of the base and of the calls.
    pub steps: Vec<ScriptStep>,
    pub next: Vec<ScriptStep>,
    /// The results of the first queries.
    pub known_results: Vec<SideVerdicts>,
    /// The paths to run.
    pub span: Span,
    /// The limit of solver work for each call.
    pub work: u64,
    /// The limit of the effort of the run, in instructions.
    pub effort: u64,
}

/// Result of a run.
pub(super) struct CallResults {
    pub end: CallEnd,
    /// The number of paths of each call.
    pub tallies: Vec<CallPathTally>,
    /// New components, with the sketches of their states.
    pub kept: Vec<(Component, u64)>,
    /// The calls whose paths were cut, refused or left without values.
    pub unsure: BTreeSet<usize>,
    /// The effort, in instructions: those of the paths, and the solver's work.
    pub effort: u64,
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallEnd {
    /// All wanted paths were run, or the effort was made.
    Done,
    /// The search was stopped.
    Stopped,
    /// The path of the base is not one of its paths: joined components that share static state may
    /// take other paths than each alone.
    Misfit,
}

impl Explorer<'_> {
    /// Runs calls until `stops` returns true or `at_leaf`, which is called after each path, breaks
    /// off.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn run_calls(
        &mut self,
        vm: &mut Vm,
        run: CallRun<'_>,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
        at_leaf: &mut dyn FnMut(&mut SymbolicSearch<'_>) -> ControlFlow<()>,
    ) -> Result<CallResults, Error> {
        self.search.follow(SearchScript {
            steps: run.steps,
            next: run.next,
            known_results: run.known_results,
            after_exceptions: self.bounds.after_exceptions,
            ends_at_exception: false,
            work: run.work,
        });
        self.search.start_at(run.span);
        let solved = self.search.solver_effort();
        let (before, most, mut is_exhausted) = (vm.steps() + solved, run.effort, false);
        let start = Instant::now();
        let mut recorder = PathRecorder {
            plan: self.plan,
            bounds: self.bounds,
            base: run.base,
            parts: run.parts,
            calls: run.calls,
            open: &self.open,
            job: run.job,
            progress: &mut self.progress,
            tallies: vec![CallPathTally::default(); run.calls.len()],
            identity: self.identity,
            asks_identity: false,
            matching: Duration::ZERO,
            kept: Vec::new(),
            initialized: Vec::new(),
            unsure: BTreeSet::new(),
            failure: None,
        };
        let end = {
            let recorder = std::cell::RefCell::new(&mut recorder);
            let mut ask = |search: &mut SymbolicSearch<'_>| {
                let recorder = recorder.borrow();
                is_exhausted = search.progress().steps + search.solver_effort() - solved > most;
                match is_exhausted || recorder.is_enough() || stops(&recorder.progress.counts) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
                // Recording adds constraints to the path.
                let wanted = at_leaf(search);
                let recorded = recorder.borrow_mut().visit(vm, end, search);
                match recorded.is_break() {
                    true => recorded,
                    false => wanted,
                }
            };
            self.search.run(vm, &mut ask, &mut visit)
        };
        let PathRecorder {
            tallies,
            asks_identity,
            matching,
            kept,
            initialized,
            unsure,
            failure,
            ..
        } = recorder;
        self.phases.matching += matching;
        self.asks_identity |= asks_identity;
        for class in initialized {
            // An initialiser's failure recurs when a program uses the class.
            let _ = vm.initialize_now(class);
        }
        self.progress.counts.work =
            self.search.statistics().work + self.progress.states.statistics().work;
        self.phases.searching += start.elapsed();
        let end = match (failure, end) {
            (None, Ok(End::Interrupted)) if is_exhausted => CallEnd::Done,
            // The recorder's own query was stopped, or one of the search.
            (Some(Error::Symbolic(SymbolicError::Solver(SolverError::Stopped))), _)
            | (None, Ok(End::Interrupted) | Err(SymbolicError::Solver(SolverError::Stopped))) => {
                CallEnd::Stopped
            }
            (Some(error), _) => return Err(error),
            (None, Ok(_)) => CallEnd::Done,
            (None, Err(SymbolicError::Misfit)) => CallEnd::Misfit,
            (None, Err(error)) => return Err(error.into()),
        };
        Ok(CallResults {
            end,
            tallies,
            kept,
            unsure,
            effort: vm.steps() + self.search.solver_effort() - before,
        })
    }
}

//! Replays sequences with values on the engine, to find the goals reached and the outcome.

use heapwright_explore::symbolic::{PathOutcome, SearchScript, SymbolicSearch};
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::Error;
use crate::sequences::explore::run_known;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::{Statement, StatementArgument, StatementKind};
use crate::symbolic::as_written;

impl Concrete {
    /// Merges repeated loads of the same field into one. The sequence must not store in a field
    /// after loading it.
    #[must_use]
    pub fn with_shared_loads(mut self, plan: &SearchPlan) -> Concrete {
        let mut kept: Vec<Statement> = Vec::new();
        let mut places = Vec::new();
        for mut statement in std::mem::take(&mut self.statements) {
            for argument in &mut statement.arguments {
                if let StatementArgument::Result(place) = argument {
                    *place = places[*place];
                }
            }
            let is_load = matches!(
                plan.invokables[statement.invokable].kind,
                StatementKind::LoadField(_)
            );
            let known = kept.iter().position(|other| is_load && *other == statement);
            places.push(known.unwrap_or(kept.len()));
            if known.is_none() {
                kept.push(statement);
            }
        }
        self.statements = kept;
        self
    }
}

/// Replays sequences.
pub struct Replayer<'a> {
    plan: &'a SearchPlan,
    search: SymbolicSearch<'a>,
}

/// A replayed run at its end, with the machine in that state.
pub struct ReplayedRun<'r, 'a> {
    /// The outcome.
    pub outcome: &'r PathOutcome,
    /// The time that it spent in waits, in nanoseconds.
    pub waited: u64,
    /// The slots of the open values.
    pub values: &'r [u64],
    /// The search that ran it.
    pub search: &'r SymbolicSearch<'a>,
}

impl ReplayedRun<'_, '_> {
    /// Returns the class of the exception that was thrown, if any.
    #[must_use]
    pub fn thrown(&self, vm: &Vm) -> Option<ClassId> {
        match self.outcome {
            PathOutcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
            _ => None,
        }
    }
}

impl ReplayedRun<'_, '_> {
    /// Returns the goals that the last statement, a call of a method, reached.
    pub fn reached(&self, vm: &mut Vm, goals: &mut GoalTable, method: MethodId) -> Vec<usize> {
        let visits = vm.visits()[self.search.visits_before()..].to_vec();
        let seen = (
            &visits[..],
            self.search.events(),
            self.search.events_before(),
        );
        goals.reached(vm, method, seen, self.thrown(vm))
    }
}

impl<'a> Replayer<'a> {
    /// Creates a replayer for sequences of a plan, with its own search.
    #[must_use]
    pub fn new(plan: &'a SearchPlan, search: SymbolicSearch<'a>) -> Replayer<'a> {
        Replayer { plan, search }
    }

    /// Sets the limit of instructions of a run; returns the previous one.
    pub fn set_step_limit(&mut self, steps: u64) -> u64 {
        self.search.set_step_limit(steps)
    }

    /// Replays a sequence as a test runs it, with equal boxes of small numbers identical, and
    /// visits its end. `None` if an earlier statement throws, or the run does not end. The
    /// machine's state is restored afterwards.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub fn run<T>(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        look: &mut dyn FnMut(&mut Vm, &ReplayedRun<'_, '_>) -> T,
    ) -> Result<Option<T>, Error> {
        let ran_threads = vm.run_threads(true);
        let seen = vm.with_mark(|vm| self.run_from_here(vm, concrete, look));
        vm.run_threads(ran_threads);
        vm.limit_steps(u64::MAX);
        seen
    }

    fn run_from_here<T>(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        look: &mut dyn FnMut(&mut Vm, &ReplayedRun<'_, '_>) -> T,
    ) -> Result<Option<T>, Error> {
        vm.limit_steps(u64::MAX);
        let known = as_written(vm, &concrete.input)?;
        let Some(known) = self.plan.known_steps(vm, concrete, &known)? else {
            return Ok(None);
        };
        let script = SearchScript {
            steps: known.steps,
            // Statements before a joined sequence may throw.
            after_exceptions: self.plan.after_exceptions || self.plan.is_loose,
            ..SearchScript::default()
        };
        let begun = vm.time();
        run_known(vm, &mut self.search, script, &mut |vm, outcome, search| {
            let waited = vm.time().saturating_sub(begun);
            let ran = ReplayedRun {
                outcome,
                waited,
                values: &known.values,
                search,
            };
            look(vm, &ran)
        })
    }

    /// Returns the goals that a sequence reaches in its last statement. `None` if that calls no
    /// method under test, or the run does not end.
    ///
    /// # Errors
    /// The same as for [`Replayer::run`].
    pub fn reached(
        &mut self,
        vm: &mut Vm,
        goals: &mut GoalTable,
        concrete: &Concrete,
    ) -> Result<Option<Vec<usize>>, Error> {
        self.last_reached(vm, goals, concrete, &mut |_| {})
    }

    /// Returns the goals as [`Replayer::reached`] does, and looks at the state at the end.
    ///
    /// # Errors
    /// The same as for [`Replayer::run`].
    pub fn last_reached(
        &mut self,
        vm: &mut Vm,
        goals: &mut GoalTable,
        concrete: &Concrete,
        look: &mut dyn FnMut(&Vm),
    ) -> Result<Option<Vec<usize>>, Error> {
        let last = concrete.statements.last().map(|last| last.invokable);
        let Some(method) = last.and_then(|last| self.plan.roles[last].under_test) else {
            return Ok(None);
        };
        self.run(vm, concrete, &mut |vm, ran| {
            look(vm);
            ran.reached(vm, goals, method)
        })
    }
}

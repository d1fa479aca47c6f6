//! Records each path at its end: the goals that it reached first, with values, and the component
//! that it built.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{
    Assignment, Bound, Event, Lookahead, PathEnd, PathOutcome, PathState, ProbeResult,
    SymbolicError, SymbolicSearch,
};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use super::component::{CallPurpose, Component};
use super::outcome::FoundSequence;
use super::progress::ExplorationProgress;
use crate::Error;
use crate::sequences::goals::reachability::Open;
use crate::sequences::goals::{Goal, GoalTable};
use crate::sequences::model::{Concrete, CoverageCriterion, SequenceBounds};
use crate::sequences::plan::SearchPlan;
use crate::statements::{Statement, StatementArgument, is_value_class};
use crate::symbolic::{CutBy, read_input};

/// Preferred range of open numbers in tests.
const SMALL: Range<u32> = 0..10;
/// Preferred range of boxes that must not be identical when equal: `Integer.valueOf` caches small
/// ones.
const LARGE: Range<u32> = 1_000..1_010;

/// After the wanted paths of a call, this fraction more may continue on any side from which an open
/// goal is reachable. Up to twice the wanted number, only sides with an open goal before the next
/// jump continue.
const BEHIND: u32 = 4;

/// Number of paths of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallPathTally {
    pub paths: u32,
    /// Paths since the last one that reached a new goal.
    pub since_last_goal: u32,
}

/// Records the paths of the calls of one job.
pub(super) struct PathRecorder<'r> {
    pub plan: &'r SearchPlan,
    pub bounds: SequenceBounds,
    pub base: &'r Component,
    /// For each component of the base, the number of the statement after its last one.
    pub parts: &'r [usize],
    pub calls: &'r [(Statement, CallPurpose)],
    pub open: &'r Open,
    /// The components on which the calls are made.
    pub job: &'r [usize],
    /// The tally of each call.
    pub tallies: Vec<CallPathTally>,
    pub identity: bool,
    pub asks_identity: bool,
    /// Time spent on comparing states.
    pub matching: Duration,
    /// New components, with the sketches of their states.
    pub kept: Vec<(Component, u64)>,
    pub initialized: Vec<ClassId>,
    /// The calls whose paths were cut, refused or left without values.
    pub unsure: BTreeSet<usize>,
    pub failure: Option<Error>,
    /// The progress of the search.
    pub progress: &'r mut ExplorationProgress,
}

/// Publishes the locations of the open goals.
pub(super) fn publish_open_goals(open: &Open, goals: &GoalTable, reached: &[Option<bool>]) {
    let both = goals.all.iter().zip(reached);
    let left = both.filter(|(_, reached)| **reached != Some(true));
    let places = left.filter_map(|(goal, _)| match *goal {
        Goal::Branch(method, _, to, _) => Some((method, to)),
        Goal::Line(method, at) | Goal::Place(method, at) => Some((method, at)),
        _ => None,
    });
    open.borrow_mut().set(places);
}

/// Whether an event compared boxes or strings by identity.
fn compares(vm: &Vm, event: &Event) -> bool {
    let is_value = |object: Ref| object.is_null() || is_value_class(vm, vm.heap.class_of(object));
    match event.answer {
        ProbeResult::Same(a, b) => (!a.is_null() || !b.is_null()) && is_value(a) && is_value(b),
        _ => false,
    }
}

/// Returns the statements with each `OneOf` argument resolved by the model.
fn chosen(
    statements: &[Statement],
    search: &SymbolicSearch<'_>,
    model: &Assignment,
) -> Vec<Statement> {
    let mut chosen = statements.to_vec();
    for (step, statement) in chosen.iter_mut().enumerate() {
        for (operand, argument) in statement.arguments.iter_mut().enumerate() {
            if let StatementArgument::OneOf(makers) = argument {
                let made = search.one_of(step, operand, model);
                let any = || makers.statements().next();
                *argument = made
                    .or_else(any)
                    .map_or(StatementArgument::Null, StatementArgument::Result);
            }
        }
    }
    chosen
}

impl PathRecorder<'_> {
    pub fn visit(
        &mut self,
        vm: &mut Vm,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
    ) -> ControlFlow<()> {
        match self.look(vm, &end.outcome, search) {
            Ok(()) if self.is_enough() || self.asks_identity => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Whether all goals are reached, or the maximum number of paths was run.
    pub fn is_enough(&self) -> bool {
        self.progress.goals.are_done(&self.progress.reached)
            || self.progress.counts.paths >= self.bounds.all_paths
    }

    fn look(
        &mut self,
        vm: &mut Vm,
        outcome: &PathOutcome,
        search: &mut SymbolicSearch<'_>,
    ) -> Result<(), Error> {
        for class in vm.begun_library_classes() {
            if !self.initialized.contains(&class) {
                self.initialized.push(class);
            }
        }
        let Some(last) = search.last() else {
            return Ok(());
        };
        if !self.identity {
            let compares = |event: &Event| compares(vm, event);
            self.asks_identity |=
                search.has_identity_conditions() || search.events().iter().any(compares);
        }
        self.progress.counts.paths += 1;
        let memory = &mut self.progress.memory;
        memory.running = memory.running.max(vm.heap.used_bytes());
        memory.solving = memory.solving.max(search.term_bytes());
        self.tallies[last].paths += 1;
        self.tallies[last].since_last_goal += 1;
        let enough = self.bounds.paths;
        let in_vain = self.tallies[last].since_last_goal;
        if enough > 0 && in_vain == enough {
            self.progress.counts.note_cut(CutBy::PathsPerCall);
            search.leave(Lookahead::Call);
        } else if enough > 0 && in_vain == enough + enough.div_ceil(BEHIND) {
            search.leave(Lookahead::Jump);
        } else if enough > 0 && in_vain == enough * 2 {
            search.leave(Lookahead::Side);
        }
        if vm.has_threads() {
            self.progress.counts.note_cut(CutBy::Schedules);
        }
        let (call, purpose) = &self.calls[last];
        let length = self.base.statements.len() + 1;
        let is_last = length == self.bounds.length as usize;
        self.progress.counts.at_length +=
            u64::from(is_last && matches!(outcome, PathOutcome::Returned(_)));
        match outcome {
            // The call is repeated later.
            PathOutcome::Bounded(Bound::Work) => {}
            PathOutcome::Bounded(_) | PathOutcome::Limit(_) => {
                self.unsure.insert(last);
                // Users have no option for the number of decisions or of values tried.
                let by = match CutBy::end(outcome) {
                    Some(CutBy::Decisions | CutBy::Values) | None => CutBy::Machine,
                    Some(by) => by,
                };
                self.progress.counts.note_cut(by);
            }
            PathOutcome::Refused(reason)
            | PathOutcome::Exited(reason)
            | PathOutcome::Deadlocked(reason)
            | PathOutcome::Unmade(reason) => {
                self.unsure.insert(last);
                self.progress.counts.refused += 1;
                *self.progress.mishaps.entry(reason.clone()).or_default() += 1;
            }
            PathOutcome::Threw(exception) => {
                let class = vm.binary_name(vm.heap.class_of(*exception));
                let what = format!("{class} thrown by {}", self.plan.roles[call.invokable].name);
                *self.progress.mishaps.entry(what).or_default() += 1;
                if *purpose != CallPurpose::Test {
                    match self.bounds.after_exceptions {
                        true => self.keep(vm, search, call),
                        false => self.leave(vm, search, call),
                    }
                }
            }
            PathOutcome::Returned(_) if *purpose != CallPurpose::Test => {
                self.keep(vm, search, call);
            }
            PathOutcome::Returned(_) => {}
        }
        // Judging comes last, since a model adds constraints on values to the path. Even if all
        // goals of a method are reached, a call that returns may replace one that throws.
        let is_wanted = purpose.is_test()
            || matches!(outcome, PathOutcome::Returned(_)) && !self.progress.thrown.is_empty();
        if is_wanted && let Some(method) = self.plan.roles[call.invokable].under_test {
            self.judge(vm, method, outcome, search, call)?;
        }
        Ok(())
    }

    /// Records the goals that a path of a method under test reached.
    fn judge(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        outcome: &PathOutcome,
        search: &mut SymbolicSearch<'_>,
        call: &Statement,
    ) -> Result<(), Error> {
        let thrown = match outcome {
            PathOutcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
            PathOutcome::Returned(_) => None,
            _ => {
                let visits = vm.visits()[search.visits_before()..].to_vec();
                self.progress.goals.record_abandoned(vm, method, &visits);
                return Ok(());
            }
        };
        let visits = &vm.visits()[search.visits_before()..];
        let visits = visits.to_vec();
        let goals = {
            let seen = (&visits[..], search.events(), search.events_before());
            self.progress.goals.reached(vm, method, seen, thrown)
        };
        self.progress
            .reached
            .resize(self.progress.goals.all.len(), None);
        if self.progress.is_of_null(vm, outcome) {
            self.progress.record_null(&goals);
            return Ok(());
        }
        let fails_assertion = self.progress.is_unfit(vm, outcome);
        let is_new = self.progress.is_new(&goals, fails_assertion);
        // A test that returns a result replaces one that throws.
        let length = self.base.statements.len() + 1;
        let returns = thrown.is_none() && self.progress.is_better(&goals, length);
        if !is_new && !returns {
            return Ok(());
        }
        let mut statements = self.base.statements.clone();
        statements.push(call.clone());
        search.prefer_objects();
        let names = self.plan.open_names(&statements);
        // Equal boxes of small numbers are identical in a test; boxes of larger ones are not.
        let ranges = [SMALL, LARGE];
        let ranges =
            &ranges[..1 + usize::from(self.identity && self.plan.has_identity(&statements))];
        let mut found = Vec::new();
        for range in ranges {
            let model = search.small_model(range.clone());
            if let Some(model) = model.map_err(SymbolicError::Solver)? {
                let classes = &self.plan.classes;
                found.push(Concrete {
                    input: read_input(vm, search, classes, &names, &model),
                    statements: chosen(&statements, search, &model),
                });
            }
        }
        if found.is_empty() {
            self.unsure.extend(search.last());
            for goal in goals {
                let call = || (self.job.to_vec(), call.clone());
                self.progress.unsolved.entry(goal).or_insert_with(call);
            }
            return Ok(());
        }
        // An input that no source can express serves only goals that nothing else reaches.
        if found.iter().all(|one| one.input.has_cyclic_array()) {
            let is_further = goals
                .iter()
                .any(|goal| !self.progress.unwritten.contains(goal));
            self.progress.unwritten.extend(goals);
            if !is_further {
                return Ok(());
            }
        } else {
            // A call with an object instead of null is an improvement at any length.
            let most = match call.arguments.contains(&StatementArgument::Null) {
                true => usize::MAX,
                false => length,
            };
            self.progress
                .record(&goals, thrown.map(|_| most), fails_assertion);
            publish_open_goals(self.open, &self.progress.goals, &self.progress.reached);
            // A new goal suggests that more are near. Under the path criterion every path is new.
            if is_new
                && let Some(last) = search.last()
                && self.tallies[last].since_last_goal < self.bounds.paths
                && self.progress.goals.criterion != CoverageCriterion::Paths
            {
                self.tallies[last].since_last_goal = 0;
            }
        }
        self.progress
            .found
            .extend(found.into_iter().map(|concrete| FoundSequence {
                concrete,
                fails_assertion,
            }));
        Ok(())
    }

    /// Counts a call that threw if it left an unknown state, since no statement may follow it.
    fn leave(&mut self, vm: &Vm, search: &SymbolicSearch<'_>, call: &Statement) {
        // After a cut or an earlier change the count has no effect.
        if self.progress.counts.cut() > 0 || self.progress.counts.unobserved_changes > 0 {
            return;
        }
        let start = Instant::now();
        let mut from = 0;
        let mut is_known = self.plan.statics.is_empty() || !self.parts.is_empty();
        for &to in self.parts {
            let of_part = self.base.objects.iter().copied();
            let of_part = of_part.filter(|object| (from..to).contains(&object.0));
            let objects: Vec<(usize, ClassId)> = of_part.collect();
            let state = self.state(vm, search, call, &objects);
            is_known &= state.is_some_and(|state| self.progress.states.subsumes(&state));
            from = to;
        }
        self.progress.counts.unobserved_changes += u64::from(!is_known);
        self.matching += start.elapsed();
    }

    /// Returns the state of some objects that statements created; the last statement is a call.
    fn state(
        &self,
        vm: &Vm,
        search: &SymbolicSearch<'_>,
        call: &Statement,
        objects: &[(usize, ClassId)],
    ) -> Option<PathState> {
        let statements = self.base.statements.iter().chain([call]);
        let kinds: Vec<u64> = statements.map(|made| self.plan.kind(made)).collect();
        let mut roots: Vec<(u32, u64, Ref)> = Vec::new();
        for &(place, class) in objects {
            let kind = kinds.get(place).copied().unwrap_or_default();
            roots.extend(search.object(place).map(|object| (class.0, kind, object)));
        }
        roots.sort_by_key(|root| (root.0, root.1));
        // Collections with different content types are distinct even if their elements do not show
        // it.
        let mut kinds = vec![roots.len() as u64];
        kinds.extend(roots.iter().map(|root| root.1));
        let roots: Vec<Ref> = roots.into_iter().map(|root| root.2).collect();
        search.state(vm, &kinds, &roots, &self.plan.statics)
    }

    /// Retains the component that a path built, unless its state is known.
    fn keep(&mut self, vm: &mut Vm, search: &mut SymbolicSearch<'_>, call: &Statement) {
        let mut objects = self.base.objects.clone();
        let place = self.base.statements.len();
        self.plan.serve(&self.base.statements, call, &mut objects);
        let of = |search: &SymbolicSearch<'_>, place: usize| search.object(place);
        let held: Vec<Option<Ref>> = objects
            .iter()
            .map(|&(place, _)| of(search, place))
            .collect();
        if let Some(object) = search.object(place)
            && self.plan.roles[call.invokable].gives_object
            && !object.is_null()
            && !held.contains(&Some(object))
        {
            let class = vm.heap.class_of(object);
            if self.plan.is_taken(vm, class) {
                objects.push((place, class));
            }
        }
        let start = Instant::now();
        let state = self.state(vm, search, call, &objects);
        let sketch = state.as_ref().map_or(0, PathState::sketch);
        let length = self.base.statements.len() + 1;
        let is_new = state.is_none_or(|state| self.progress.states.add(state, length));
        self.matching += start.elapsed();
        if !is_new {
            return;
        }
        let mut statements = self.base.statements.clone();
        statements.push(call.clone());
        let mut path = search.taken();
        let place_of_last = search.place_of_last();
        path.remove(place_of_last);
        self.progress.counts.components += 1;
        let component = Component {
            statements,
            path,
            verdicts: search.verdicts().to_vec(),
            objects,
        };
        self.kept.push((component, sketch));
    }
}

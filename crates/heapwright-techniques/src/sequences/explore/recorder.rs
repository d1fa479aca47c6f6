//! What is noted of a path at whose end a search of scripts stands: the goals that it reached first,
//! with values, and what it has built.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{
    Answered, Assignment, Bound, Event, Extent, Outcome, PathEnd, State, SymbolicError,
    SymbolicSearch,
};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use super::component::{Component, Purpose};
use super::outcome::Found;
use super::progress::Progress;
use crate::Error;
use crate::sequences::goals::reachability::Open;
use crate::sequences::goals::{Goal, Goals};
use crate::sequences::model::{Argument, Bounds, Concrete, Criterion, Statement, is_value_class};
use crate::sequences::plan::Plan;
use crate::symbolic::{CutBy, read_input};

/// The numbers that tests are made of where they may be any.
const SMALL: Range<u32> = 0..10;
/// The same of boxes that are not to be the same for being equal: `Integer.valueOf` keeps those below.
const LARGE: Range<u32> = 1_000..1_010;

/// Past the paths of a call that are wanted, one in so many more goes by any side behind which something is
/// not reached yet; then as many as there were go by those where that is at the next jump.
const BEHIND: u32 = 4;

/// How many paths a call took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub paths: u32,
    /// Those since the last that reached something new.
    pub in_vain: u32,
}

/// Records the paths of the calls of one job.
pub(super) struct PathRecorder<'r> {
    pub plan: &'r Plan,
    pub bounds: Bounds,
    pub base: &'r Component,
    /// Before which statement each component ends that it is made of.
    pub parts: &'r [usize],
    pub calls: &'r [(Statement, Purpose)],
    pub open: &'r Open,
    /// The components that the calls are made on.
    pub job: &'r [usize],
    /// How many paths each call took.
    pub tallies: Vec<Tally>,
    pub identity: bool,
    pub asks_identity: bool,
    /// Time that it took to hold states against each other.
    pub matching: Duration,
    /// Components, with the sketches of their states.
    pub kept: Vec<(Component, u64)>,
    pub initialized: Vec<ClassId>,
    pub failure: Option<Error>,
    /// What exploring has come to so far.
    pub progress: &'r mut Progress,
}

/// Says where what is not reached yet begins.
pub(super) fn tell_open(open: &Open, goals: &Goals, reached: &[Option<bool>]) {
    let both = goals.all.iter().zip(reached);
    let left = both.filter(|(_, reached)| **reached != Some(true));
    let places = left.filter_map(|(goal, _)| match *goal {
        Goal::Branch(method, _, to, _) => Some((method, to)),
        Goal::Line(method, at) => Some((method, at)),
        _ => None,
    });
    open.borrow_mut().set(places);
}

/// Whether boxes or strings were compared by which object they are.
fn compares(vm: &Vm, event: &Event) -> bool {
    let is_value = |object: Ref| object.is_null() || is_value_class(vm, vm.heap.class_of(object));
    match event.answer {
        Answered::Same(a, b) => (!a.is_null() || !b.is_null()) && is_value(a) && is_value(b),
        _ => false,
    }
}

/// Statements with what each argument is that was left open to be one of several objects.
fn chosen(
    statements: &[Statement],
    search: &SymbolicSearch<'_>,
    model: &Assignment,
) -> Vec<Statement> {
    let mut chosen = statements.to_vec();
    for (step, statement) in chosen.iter_mut().enumerate() {
        for (operand, argument) in statement.arguments.iter_mut().enumerate() {
            if let Argument::OneOf(makers) = argument {
                let made = search.one_of(step, operand, model);
                let any = || makers.statements().next();
                *argument = made.or_else(any).map_or(Argument::Null, Argument::Made);
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

    /// Whether nothing is left to reach, or as many paths were run as may be.
    pub fn is_enough(&self) -> bool {
        self.progress.goals.are_done(&self.progress.reached)
            || self.progress.counts.paths >= self.bounds.all_paths
    }

    fn look(
        &mut self,
        vm: &mut Vm,
        outcome: &Outcome,
        search: &mut SymbolicSearch<'_>,
    ) -> Result<(), Error> {
        for class in vm.initialized_library_classes() {
            if !self.initialized.contains(&class) {
                self.initialized.push(class);
            }
        }
        let Some(last) = search.last() else {
            return Ok(());
        };
        if !self.identity {
            self.asks_identity |= search.events().iter().any(|event| compares(vm, event));
        }
        self.progress.counts.paths += 1;
        let memory = &mut self.progress.memory;
        memory.running = memory.running.max(vm.heap.used_bytes());
        memory.solving = memory.solving.max(search.term_bytes());
        self.tallies[last].paths += 1;
        self.tallies[last].in_vain += 1;
        let enough = self.bounds.paths;
        let in_vain = self.tallies[last].in_vain;
        if enough > 0 && in_vain == enough {
            self.progress.counts.note_cut(CutBy::PathsPerCall);
            search.leave(Extent::Call);
        } else if enough > 0 && in_vain == enough + enough.div_ceil(BEHIND) {
            search.leave(Extent::Jump);
        } else if enough > 0 && in_vain == enough * 2 {
            search.leave(Extent::Side);
        }
        let (call, purpose) = &self.calls[last];
        let length = self.base.statements.len() + 1;
        let is_last = length == self.bounds.length as usize;
        self.progress.counts.at_length +=
            u64::from(is_last && matches!(outcome, Outcome::Returned(_)));
        match outcome {
            // It comes again.
            Outcome::Bounded(Bound::Work) => {}
            Outcome::Bounded(_) | Outcome::Limit(_) => {
                // No option says how many decisions a path has, and how many values are tried.
                let by = match CutBy::end(outcome) {
                    Some(CutBy::Decisions | CutBy::Values) | None => CutBy::Machine,
                    Some(by) => by,
                };
                self.progress.counts.note_cut(by);
            }
            Outcome::Refused(reason) | Outcome::Exited(reason) | Outcome::Unmade(reason) => {
                self.progress.counts.refused += 1;
                *self.progress.mishaps.entry(reason.clone()).or_default() += 1;
            }
            Outcome::Threw(exception) => {
                let class = vm.binary_name(vm.heap.class_of(*exception));
                let what = format!("{class} thrown by {}", self.plan.roles[call.invokable].name);
                *self.progress.mishaps.entry(what).or_default() += 1;
                if *purpose != Purpose::Test {
                    match self.bounds.after_exceptions {
                        true => self.keep(vm, search, call),
                        false => self.leave(vm, search, call),
                    }
                }
            }
            Outcome::Returned(_) if *purpose != Purpose::Test => {
                self.keep(vm, search, call);
            }
            Outcome::Returned(_) => {}
        }
        // A model narrows what the path says of values: it comes last.
        // All goals of a method may be reached, and some only by calls that throw.
        let is_wanted = *purpose != Purpose::Build
            || matches!(outcome, Outcome::Returned(_)) && !self.progress.thrown.is_empty();
        if is_wanted && let Some(method) = self.plan.roles[call.invokable].under_test {
            self.judge(vm, method, outcome, search, call)?;
        }
        Ok(())
    }

    /// Notes what a path of a method under test has reached.
    fn judge(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        outcome: &Outcome,
        search: &mut SymbolicSearch<'_>,
        call: &Statement,
    ) -> Result<(), Error> {
        let thrown = match outcome {
            Outcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
            Outcome::Returned(_) => None,
            _ => {
                let visits = vm.visits()[search.visits_before()..].to_vec();
                self.progress.goals.left(vm, method, &visits);
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
        let fails_assertion =
            thrown.is_some_and(|class| vm.class_name(class) == "java/lang/AssertionError");
        let is_new = goals.iter().any(|&goal| match self.progress.reached[goal] {
            None => true,
            Some(is_clean) => !is_clean && !fails_assertion,
        });
        // A test that ends by an exception makes room for one that shows what comes of the call.
        let length = self.base.statements.len() + 1;
        let is_better = |goal| {
            self.progress
                .thrown
                .get(goal)
                .is_some_and(|&most| length <= most)
        };
        let returns = thrown.is_none() && goals.iter().any(is_better);
        if !is_new && !returns {
            return Ok(());
        }
        let mut statements = self.base.statements.clone();
        statements.push(call.clone());
        search.prefer_objects();
        let names = self.plan.open_names(&statements);
        // Equal boxes of small numbers are the same where a test makes them: larger ones are not.
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
            for goal in goals {
                let call = || (self.job.to_vec(), call.clone());
                self.progress.unsolved.entry(goal).or_insert_with(call);
            }
            return Ok(());
        }
        // What no source can write down is a test only of goals that nothing else reaches.
        if found.iter().all(|one| one.input.has_cyclic_array()) {
            let is_further = goals
                .iter()
                .any(|goal| !self.progress.unwritten.contains(goal));
            self.progress.unwritten.extend(goals);
            if !is_further {
                return Ok(());
            }
        } else {
            let is_place = matches!(
                self.progress.goals.criterion,
                Criterion::Branches | Criterion::Statements
            );
            // Of how to make an object in the place of null a test may well say more.
            let most = match call.arguments.contains(&Argument::Null) {
                true => usize::MAX,
                false => length,
            };
            for &goal in &goals {
                let reached = &mut self.progress.reached[goal];
                match thrown {
                    None => {
                        self.progress.thrown.remove(&goal);
                    }
                    Some(_) if reached.is_none() && is_place => {
                        self.progress.thrown.insert(goal, most);
                    }
                    Some(_) => {}
                }
                *reached = Some(reached.unwrap_or(false) || !fails_assertion);
            }
            tell_open(self.open, &self.progress.goals, &self.progress.reached);
            // Where something new was, more may be; every path is something new where paths are wanted.
            if is_new
                && let Some(last) = search.last()
                && self.tallies[last].in_vain < self.bounds.paths
                && self.progress.goals.criterion != Criterion::Paths
            {
                self.tallies[last].in_vain = 0;
            }
        }
        self.progress
            .found
            .extend(found.into_iter().map(|concrete| Found {
                concrete,
                fails_assertion,
            }));
        Ok(())
    }

    /// Notes whether a call that threw has left behind what is not known: no statement follows it.
    fn leave(&mut self, vm: &Vm, search: &SymbolicSearch<'_>, call: &Statement) {
        // Where something was left out or changed already nothing depends on it.
        if self.progress.counts.cut() > 0 || self.progress.counts.altered > 0 {
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
            is_known &= state.is_some_and(|state| self.progress.states.knows(&state));
            from = to;
        }
        self.progress.counts.altered += u64::from(!is_known);
        self.matching += start.elapsed();
    }

    /// The state of some objects that statements gave; the last one is a call.
    fn state(
        &self,
        vm: &Vm,
        search: &SymbolicSearch<'_>,
        call: &Statement,
        objects: &[(usize, ClassId)],
    ) -> Option<State> {
        let statements = self.base.statements.iter().chain([call]);
        let kinds: Vec<u64> = statements.map(|made| self.plan.kind(made)).collect();
        let mut roots: Vec<(u32, u64, Ref)> = Vec::new();
        for &(place, class) in objects {
            let kind = kinds.get(place).copied().unwrap_or_default();
            roots.extend(search.object(place).map(|object| (class.0, kind, object)));
        }
        roots.sort_by_key(|root| (root.0, root.1));
        // Lists of one thing are no lists of another, though nothing that they hold says so.
        let mut kinds = vec![roots.len() as u64];
        kinds.extend(roots.iter().map(|root| root.1));
        let roots: Vec<Ref> = roots.into_iter().map(|root| root.2).collect();
        search.state(vm, &kinds, &roots, &self.plan.statics)
    }

    /// Keeps what the path has built, unless it is known.
    fn keep(&mut self, vm: &mut Vm, search: &mut SymbolicSearch<'_>, call: &Statement) {
        let mut objects = self.base.objects.clone();
        let place = self.base.statements.len();
        if !self.plan.is_support(call) {
            // What only arguments are made of has served: with it what is built would be new each time.
            let statements = &self.base.statements;
            let serves = |place| self.plan.is_support(&statements[place]) && call.takes(place);
            objects.retain(|&(place, _)| !serves(place));
        }
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
        let sketch = state.as_ref().map_or(0, State::sketch);
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

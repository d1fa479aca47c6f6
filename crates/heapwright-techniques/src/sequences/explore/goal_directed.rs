//! Calls methods under test on objects made in the fewest statements, before the search by cost.
//!
//! In a system of many classes, the search by cost makes thousands of calls before an object
//! reaches a method under test. This phase goes backward from each of these methods: every
//! argument comes from the cheapest statements that make one. It then calls the methods under test
//! again on the objects that their calls left, round by round.
//!
//! **Invariant:** the phase claims nothing. Its components, states and cuts are dropped at its end;
//! the goals that it reached stay reached.

use std::collections::BTreeSet;
use std::mem;
use std::ops::Range;

use heapwright_explore::symbolic::States;
use heapwright_jvm::{MethodId, Vm};
use rustc_hash::FxHashMap;

use super::component::{CallPurpose, ComponentJob};
use super::costs::Costs;
use super::outcome::SearchCounts;
use super::populated::FieldUse;
use super::progress::ProgressSnapshot;
use super::search::Explorer;
use crate::Error;
use crate::sequences::analysis::effects::FieldKey;
use crate::sequences::model::CoverageCriterion;
use crate::statements::{Statement, StatementArgument, StatementKind};

/// Number of invokables above which the phase precedes the search by cost.
const LARGE: usize = 150;
/// Maximum number of givers tried for an argument.
const GIVERS: usize = 3;
/// Price of null where an object could be passed, in statements.
const NULL: usize = 3;
/// Number of statements by which a sequence of the phase may exceed the maximum length, if that is not
/// less than the usual one. Tests leave out those without effect.
const FURTHER: usize = 14;
const FULL_LENGTH: usize = 10;
/// Maximum numbers of paths and of units of solver work (about eight seconds). Each method under test has
/// the same part of what is left when its turn comes.
const PATHS: u64 = 12_000;
const WORK: u64 = 3_200_000;

impl Explorer<'_> {
    /// Calls methods under test on objects made in the fewest statements, if the system is large, and
    /// on objects whose collaborators answer, if there are such.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn explore_goal_directed(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<(), Error> {
        let is_large = self.plan.invokables.len() > LARGE;
        let is_by_goals = self.progress.goals.criterion != CoverageCriterion::Paths;
        let mut stubs = self.plan.invokables.iter();
        let has_stubs = stubs.any(|one| one.scripted_stub().is_some());
        if !(is_large || has_stubs) || !is_by_goals || self.plan.setup.is_some() {
            return Ok(());
        }
        let counts = self.progress.counts.clone();
        let (most_paths, most_work) = (counts.paths + PATHS, counts.work + WORK);
        let mut stops = |counts: &SearchCounts| {
            counts.paths >= most_paths || counts.work >= most_work || stops(counts)
        };
        self.aim();
        self.publish();
        let prices = prices(self, &mut stops);
        let mut phase = GoalDirected {
            explorer: self,
            prices,
            made: FxHashMap::default(),
            arranged: FxHashMap::default(),
            read: BTreeSet::new(),
            fields: FxHashMap::default(),
            populated: FxHashMap::default(),
            stops: &mut stops,
            most_work,
            turn_end: most_work,
            is_stopped: false,
        };
        if has_stubs {
            phase.run_arranged(vm)?;
        }
        if is_large {
            phase.run(vm)?;
        }
        self.drop_components(counts);
        Ok(())
    }

    /// Drops what the phase built, and the counts on which claims stand.
    fn drop_components(&mut self, before: SearchCounts) {
        self.components.clear();
        self.costs = Costs::default();
        self.postponed.clear();
        self.overfull.clear();
        self.progress.unsolved.clear();
        self.progress.states = States::new();
        let counts = &self.progress.counts;
        self.progress.counts = SearchCounts {
            generated: counts.generated,
            explored: counts.explored,
            paths: counts.paths,
            work: counts.work,
            ..before
        };
        self.before = ProgressSnapshot {
            reached: self.progress.reached.clone(),
            found: self.progress.found.len(),
            counts: self.progress.counts.clone(),
            mishaps: self.progress.mishaps.clone(),
        };
    }
}

/// Returns the minimum number of statements that make the result of each invokable, itself
/// included; `None` if nothing makes its arguments, or if `stops` comes first.
fn prices(
    explorer: &Explorer<'_>,
    stops: &mut dyn FnMut(&SearchCounts) -> bool,
) -> Vec<Option<usize>> {
    let count = explorer.plan.invokables.len();
    let mut prices: Vec<Option<usize>> = vec![None; count];
    loop {
        let mut is_changed = false;
        for number in 0..count {
            let price = price(explorer, &prices, number);
            if price.is_some_and(|price| prices[number].is_none_or(|known| price < known)) {
                prices[number] = price;
                is_changed = true;
            }
        }
        if !is_changed || stops(&explorer.progress.counts) {
            return prices;
        }
    }
}

/// Returns the price of an invokable, given those of others.
fn price(explorer: &Explorer<'_>, prices: &[Option<usize>], number: usize) -> Option<usize> {
    match explorer.plan.invokables[number].kind {
        // An empty array.
        StatementKind::NewArray(_) => return Some(1),
        StatementKind::StoreElement(_) => return None,
        _ => {}
    }
    let takes = explorer.plan.roles[number].takes.iter().enumerate();
    let sum = takes.map(|(place, taking)| {
        if taking.is_open {
            return Some(0);
        }
        let null = (taking.is_nullable && explorer.bounds.nulls).then_some(NULL);
        let givers = explorer.criteria.givers(number, place);
        let givers = givers.into_iter().flat_map(|givers| givers.members());
        givers.filter_map(|giver| prices[giver]).chain(null).min()
    });
    Some(1 + sum.sum::<Option<usize>>()?)
}

/// Argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ArgumentChoice {
    Open,
    Null,
    /// The object that a statement of a component made.
    Object(usize, usize),
}

/// Component that makes the result of an invokable.
#[derive(Clone, Copy)]
enum ConstructionState {
    InProgress,
    Failed,
    By(usize),
}

pub(super) struct GoalDirected<'p, 'a> {
    pub(super) explorer: &'p mut Explorer<'a>,
    pub(super) prices: Vec<Option<usize>>,
    made: FxHashMap<usize, ConstructionState>,
    /// Objects of statements with certain arguments.
    pub(super) arranged: FxHashMap<(usize, Vec<ArgumentChoice>), Option<ArgumentChoice>>,
    /// Fields that the call under test reads.
    pub(super) read: BTreeSet<FieldKey>,
    /// Fields that methods of the program read and write.
    pub(super) fields: FxHashMap<MethodId, FieldUse>,
    /// Components of calls that put something into an object.
    pub(super) populated: FxHashMap<(usize, Vec<ArgumentChoice>), Option<usize>>,
    stops: &'p mut dyn FnMut(&SearchCounts) -> bool,
    /// Units of work at which the phase ends, and the turn of the method under test.
    most_work: u64,
    turn_end: u64,
    is_stopped: bool,
}

impl GoalDirected<'_, '_> {
    fn run(mut self, vm: &mut Vm) -> Result<(), Error> {
        let mut last = Vec::new();
        for number in self.tested() {
            for variant in 0..GIVERS {
                if !self.is_open(number) {
                    break;
                }
                if let Some(choices) = self.choices(vm, number, variant, None)? {
                    last.extend(self.call(vm, number, &choices, CallPurpose::Both)?);
                }
            }
        }
        while !last.is_empty() && !self.is_over() {
            self.explorer.aim();
            let mut next = Vec::new();
            for component in mem::take(&mut last) {
                next.extend(self.call_on(vm, component)?);
            }
            last = next;
        }
        Ok(())
    }

    /// Calls the methods under test that take an object of a component; returns the new components.
    pub(super) fn call_on(&mut self, vm: &mut Vm, component: usize) -> Result<Vec<usize>, Error> {
        let mut new = Vec::new();
        for number in self.tested() {
            if self.is_over() {
                break;
            }
            if let Some(choices) = self.choices(vm, number, 0, Some(component))? {
                new.extend(self.call(vm, number, &choices, CallPurpose::Both)?);
            }
        }
        Ok(new)
    }

    /// Returns the invokables that lead to open goals, the cheapest first.
    pub(super) fn tested(&self) -> Vec<usize> {
        let priced = self.prices.iter().enumerate();
        let priced = priced.filter_map(|(number, price)| Some(((*price)?, number)));
        let mut tested: Vec<(usize, usize)> = priced
            .filter(|&(_, number)| self.explorer.is_tested[number])
            .collect();
        tested.sort_unstable();
        tested.into_iter().map(|(_, number)| number).collect()
    }

    /// Whether the method under test that an invokable calls has open goals.
    pub(super) fn is_open(&self, number: usize) -> bool {
        let method: Option<MethodId> = self.explorer.plan.roles[number].under_test;
        let progress = &self.explorer.progress;
        let mut goals = progress.goals.all.iter().zip(&progress.reached);
        !self.is_stopped
            && method.is_some_and(|method| {
                goals.any(|(goal, reached)| goal.method() == method && *reached != Some(true))
            })
    }

    /// Begins the turn of one of some methods, which has its part of the work that is left.
    pub(super) fn begin_turn(&mut self, methods: usize) {
        let done = self.explorer.progress.counts.work;
        let left = self.most_work.saturating_sub(done);
        self.turn_end = done + left / methods.max(1) as u64;
    }

    pub(super) fn is_over(&mut self) -> bool {
        let progress = &self.explorer.progress;
        self.is_stopped = self.is_stopped
            || self.explorer.asks_identity
            || progress.goals.are_done(&progress.reached)
            || (self.stops)(&progress.counts);
        self.is_stopped || self.explorer.progress.counts.work >= self.turn_end
    }

    /// Returns arguments for a call; `None` if an object cannot be made. The first argument that
    /// can be an object of `component` is one; otherwise `variant` numbers the giver of the
    /// receiver.
    fn choices(
        &mut self,
        vm: &mut Vm,
        number: usize,
        variant: usize,
        component: Option<usize>,
    ) -> Result<Option<Vec<ArgumentChoice>>, Error> {
        let plan = self.explorer.plan;
        if matches!(plan.invokables[number].kind, StatementKind::NewArray(_)) {
            return Ok(Some(Vec::new()));
        }
        let mut component = component;
        let is_on_component = component.is_some();
        let mut choices = Vec::new();
        for place in 0..plan.roles[number].takes.len() {
            let given = component.and_then(|component| self.object(vm, number, place, component));
            let choice = match given {
                Some(object) => {
                    component = None;
                    Some(object)
                }
                None => {
                    let is_receiver = plan.invokables[number].parameters[place].is_receiver;
                    let variant = if is_receiver { variant } else { 0 };
                    self.choice(vm, number, place, variant)?
                }
            };
            let Some(choice) = choice else {
                return Ok(None);
            };
            choices.push(choice);
        }
        Ok((!is_on_component || component.is_none()).then_some(choices))
    }

    /// Returns the argument of a parameter from the giver with this number among those that
    /// succeed.
    fn choice(
        &mut self,
        vm: &mut Vm,
        number: usize,
        place: usize,
        variant: usize,
    ) -> Result<Option<ArgumentChoice>, Error> {
        let explorer = &self.explorer;
        let taking = &explorer.plan.roles[number].takes[place];
        let null = taking.is_nullable && explorer.bounds.nulls;
        if taking.is_open {
            return Ok((variant == 0).then_some(ArgumentChoice::Open));
        }
        let givers = explorer.criteria.givers(number, place);
        let givers = givers.into_iter().flat_map(|givers| givers.members());
        let mut givers: Vec<(usize, usize)> = givers
            .filter_map(|giver| Some((self.prices[giver]?, giver)))
            .filter(|&(price, _)| !null || price <= NULL)
            .collect();
        givers.sort_unstable();
        let mut objects = Vec::new();
        for (_, giver) in givers.into_iter().take(GIVERS + variant) {
            if let Some(component) = self.component(vm, giver)?
                && let Some(object) = self.object(vm, number, place, component)
            {
                objects.push(object);
                if objects.len() > variant {
                    break;
                }
            }
        }
        let null = (null && variant == 0).then_some(ArgumentChoice::Null);
        Ok(objects.get(variant).copied().or(null))
    }

    /// Returns the newest object of a component that a parameter accepts.
    pub(super) fn object(
        &self,
        vm: &Vm,
        number: usize,
        place: usize,
        component: usize,
    ) -> Option<ArgumentChoice> {
        let plan = self.explorer.plan;
        let taking = &plan.roles[number].takes[place];
        let made = &self.explorer.components[component];
        let mut objects = made.objects.iter().rev();
        let found = objects.find(|&&(place, class)| {
            let maker = made.statements[place].invokable;
            taking.accepts(vm, class) && taking.holds(&plan.roles[maker])
        });
        found.map(|&(place, _)| ArgumentChoice::Object(component, place))
    }

    /// Returns a component with the result of an invokable.
    pub(super) fn component(&mut self, vm: &mut Vm, giver: usize) -> Result<Option<usize>, Error> {
        match self.made.get(&giver) {
            Some(ConstructionState::By(component)) => return Ok(Some(*component)),
            Some(ConstructionState::InProgress | ConstructionState::Failed) => return Ok(None),
            None => {}
        }
        self.made.insert(giver, ConstructionState::InProgress);
        let mut found = None;
        if let Some(choices) = self.choices(vm, giver, 0, None)? {
            let mut new = self.call(vm, giver, &choices, CallPurpose::Build)?;
            found = new.find(|&component| {
                let made = &self.explorer.components[component];
                let last = made.statements.len() - 1;
                made.objects.iter().any(|object| object.0 == last)
            });
        }
        match found {
            Some(component) => {
                self.made.insert(giver, ConstructionState::By(component));
            }
            // The next turn may make it.
            None if self.is_over() => {
                self.made.remove(&giver);
            }
            None => {
                self.made.insert(giver, ConstructionState::Failed);
            }
        }
        Ok(found)
    }

    /// Makes a call; returns the components that it built.
    pub(super) fn call(
        &mut self,
        vm: &mut Vm,
        invokable: usize,
        choices: &[ArgumentChoice],
        purpose: CallPurpose,
    ) -> Result<Range<usize>, Error> {
        let first = self.explorer.components.len();
        let (mut parts, mut length, mut arguments) = (Vec::new(), 0, Vec::new());
        for choice in choices {
            arguments.push(match *choice {
                ArgumentChoice::Open => StatementArgument::Open,
                ArgumentChoice::Null => StatementArgument::Null,
                ArgumentChoice::Object(component, place) => {
                    let shift = length;
                    length += self.explorer.components[component].statements.len();
                    parts.push(component);
                    StatementArgument::Result(shift + place)
                }
            });
        }
        let bound = self.explorer.bounds.length as usize;
        let most = if bound < FULL_LENGTH {
            bound
        } else {
            bound + FURTHER
        };
        if length >= most || self.is_over() {
            return Ok(first..first);
        }
        let statement = Statement {
            invokable,
            arguments,
        };
        if purpose == CallPurpose::Both {
            let mut statements = self.explorer.joined(&parts).statements;
            statements.push(statement.clone());
            self.explorer.arranged.push(statements);
        }
        let job = ComponentJob {
            parts,
            calls: Some(vec![(statement, purpose)]),
            is_repeated: false,
            work: self.explorer.bounds.work,
            values: None,
        };
        // The cost orders nothing here.
        let ended = self.explorer.work(vm, &job, 0, &mut *self.stops)?;
        self.is_stopped |= ended.is_break();
        Ok(first..self.explorer.components.len())
    }
}

//! Exploring sequences on the engine, the short and the varied ones first.
//!
//! What a sequence has built is a *component*: the objects that it holds, all of which hang together
//! by the calls that made them, in the state in which one path through the sequence has left them. A
//! further call takes its objects from one component, or joins several. So only sequences whose
//! invokables have data flow between them are formed (thesis, 4.3.3); a component that an earlier one
//! subsumes goes no further, which takes with it sequences in another order (4.3.4) and those with a
//! call that changes nothing (Table 4.4).
//!
//! What is gone on from first is said by `costs`: the short and the varied.
//!
//! Invariant: a component costs more than those that it was built from, and what is formed depends on the
//! request alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{
    Decided, PathEnd, Script, SolverError, States, Step, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{End, Span};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::costs::Costs;
use super::criteria::Criteria;
use super::goals::{Criterion, Goals};
use super::invokables::{Invokable, What};
use super::joins::Joins;
use super::noted::{Run, tell_open};
use super::onward::Open;
use super::plan::{Argument, Makers, Plan, Statement, Taking};
use super::replay::Concrete;
use super::{Memory, Phases};
use crate::Error;
use crate::arguments::combinations;

/// How many components, or several together, are gone through between two questions whether to stop.
const PATIENCE: usize = 256;
/// After how many costs calls are made again for which the solver had worked enough.
const LATER: usize = 1;
/// How many times as much it works for them then.
const MORE: u64 = 4;
/// Most paths by which exploring goes further, besides as many as were run before; and the solver's work for
/// them, some two seconds.
const FURTHER_PATHS: u64 = 2_000;
const FURTHER_WORK: u64 = 800_000;
/// How many times as much it works at the end for a question on the paths to goals that nothing else
/// reaches, and for all of a call.
const PATIENCE_AT_END: u64 = 10;
const WORK_AT_END: u64 = 20;
/// How much for all such calls, some ten seconds.
const MOST_AT_END: u64 = 4_000_000;
/// How many paths may be run for that beyond those that there may be.
const PATHS_AT_END: u64 = 1_000;

/// Calls to be made.
struct Job {
    /// The components that they are made on together.
    parts: Vec<usize>,
    /// These; none for all that there are.
    calls: Option<Vec<(Statement, Purpose)>>,
    /// The solver's work for each.
    work: u64,
}

/// What a sequence has built.
#[derive(Clone, Debug)]
pub struct Component {
    /// The sequence.
    pub statements: Vec<Statement>,
    /// The path through it.
    pub(super) path: Vec<i64>,
    pub(super) verdicts: Vec<Decided>,
    /// The objects it holds: the statement that made each, and its class.
    pub(super) objects: Vec<(usize, ClassId)>,
}

impl Component {
    /// What it takes in memory.
    fn bytes(&self) -> usize {
        let arguments = self.statements.iter().map(|one| &one.arguments[..]);
        size_of::<Component>()
            + size_of_val(&self.statements[..])
            + arguments.map(size_of_val).sum::<usize>()
            + size_of_val(&self.path[..])
            + size_of_val(&self.verdicts[..])
            + size_of_val(&self.objects[..])
    }
}

/// How far sequences go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most statements of a sequence.
    pub length: u32,
    /// Most paths of one call on one component; no limit if 0.
    pub paths: u32,
    /// Whether references may be null where an object could stand.
    pub nulls: bool,
    /// Whether statements may follow one that threw.
    pub after_exceptions: bool,
    /// Most paths in all.
    pub all_paths: u64,
    /// The solver's work for all paths of one call on one component, before others have their turn; no
    /// bound if 0.
    pub work: u64,
}

/// What is longer where something is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// Strings and arrays of values that are arguments, up to so many elements.
    Elements(u32),
    /// Sequences, up to so many statements.
    Statements(u32),
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Candidate sequences formed: they end with a method under test.
    pub generated: u64,
    /// Of these, those of which a path was run to its end.
    pub explored: u64,
    /// Paths run to their ends.
    pub paths: u64,
    /// Paths that were not followed further, or that a limit left out.
    pub cut: u64,
    /// Paths that came upon something that is refused.
    pub refused: u64,
    /// Calls that threw when they had changed something that no statement then looks at.
    pub altered: u64,
    /// The solver's work.
    pub work: u64,
    /// The longest length that was done in full.
    pub max_length: u32,
    /// Components that were kept.
    pub components: u64,
}

/// How exploring ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to reach.
    AllReached,
    /// There is no further sequence: what was not reached no sequence reaches.
    Closed,
    /// All sequences up to the length are explored.
    Length,
    /// As many paths were run as may be.
    Paths,
    /// It was stopped.
    Stopped,
}

/// A path that reached a goal first.
#[derive(Clone, Debug)]
pub struct Found {
    /// The sequence, with values.
    pub concrete: Concrete,
    /// Whether it ends by a failing assertion.
    pub fails_assertion: bool,
}

/// What exploring comes to.
pub struct Explored {
    /// The goals.
    pub goals: Goals,
    /// Whether each was reached, and if so whether without failing an assertion.
    pub reached: Vec<Option<bool>>,
    /// What was found, in order.
    pub found: Vec<Found>,
    /// Goals that paths came by of which the solver found no values.
    pub unsolved: BTreeSet<usize>,
    /// What was done.
    pub counts: Counts,
    /// How calls ended otherwise than by returning, with how often.
    pub mishaps: BTreeMap<String, u64>,
    /// The time that it took.
    pub phases: Phases,
    /// The memory that it took.
    pub memory: Memory,
    /// Whether everything that sequences may be made of was tried, where they came to an end.
    pub is_whole: bool,
}

/// Explores.
pub struct Explorer<'a> {
    plan: &'a Plan,
    criteria: &'a Criteria,
    /// Where what is not reached yet begins.
    open: Open,
    /// Of each invokable whether it calls a method that could reach what is not reached yet.
    is_tested: Vec<bool>,
    /// Of each invokable whether it can influence one of those.
    is_relevant: Vec<bool>,
    bounds: Bounds,
    search: SymbolicSearch<'a>,
    states: States,
    components: Vec<Component>,
    costs: Costs,
    /// Calls that were left when the solver had worked enough for them, by what they cost.
    postponed: BTreeMap<usize, Vec<Job>>,
    /// Goals and whether each was reached without failing an assertion.
    goals: Goals,
    /// Whether questions split paths.
    splits: bool,
    /// Whether the code has just asked that, for the first time.
    asks_identity: bool,
    /// Whether it matters which of two equal boxes or strings are the same: the code has asked.
    identity: bool,
    reached: Vec<Option<bool>>,
    found: Vec<Found>,
    /// What exploring has come to before it went further.
    kept: Kept,
    unsolved: Unsolved,
    unwritten: BTreeSet<usize>,
    /// Goals reached only by paths that throw, with the most statements of one that is better.
    thrown: BTreeMap<usize, usize>,
    counts: Counts,
    mishaps: BTreeMap<String, u64>,
    phases: Phases,
    memory: Memory,
}

/// What is kept when exploring begins anew.
#[derive(Default)]
struct Kept {
    reached: Vec<Option<bool>>,
    /// How much of what was found.
    found: usize,
    counts: Counts,
    mishaps: BTreeMap<String, u64>,
}

/// Goals with the components and the call of a path that came by each.
pub(super) type Unsolved = BTreeMap<usize, (Vec<usize>, Statement)>;

/// What a call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To see what it reaches.
    Test,
    /// To go on from what it builds.
    Build,
    /// Both at once.
    Both,
}

impl<'a> Explorer<'a> {
    /// To explore what a plan allows.
    pub fn new(
        plan: &'a Plan,
        criteria: &'a Criteria,
        bounds: Bounds,
        search: SymbolicSearch<'a>,
        states: States,
        goals: Goals,
        open: Open,
    ) -> Explorer<'a> {
        Explorer {
            plan,
            criteria,
            open,
            is_tested: Vec::new(),
            is_relevant: Vec::new(),
            bounds,
            search,
            states,
            components: Vec::new(),
            costs: Costs::default(),
            postponed: BTreeMap::new(),
            splits: goals.criterion.splits(),
            identity: false,
            asks_identity: false,
            reached: vec![None; goals.all.len()],
            goals,
            found: Vec::new(),
            kept: Kept::default(),
            unsolved: Unsolved::new(),
            unwritten: BTreeSet::new(),
            thrown: BTreeMap::new(),
            counts: Counts::default(),
            mishaps: BTreeMap::new(),
            phases: Phases::default(),
            memory: Memory::default(),
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn finish(self) -> Explored {
        let mut phases = self.phases;
        phases.solving = self.search.solving();
        let sequences = self.components.iter().map(Component::bytes);
        let memory = Memory {
            generating: sequences.sum::<usize>() as u64,
            matching: self.states.bytes(),
            ..self.memory
        };
        let has_part = self.is_tested.iter().zip(&self.is_relevant);
        let mut parts = has_part.zip(&self.plan.is_partial);
        let is_partial =
            parts.any(|((tested, relevant), partial)| (*tested || *relevant) && *partial);
        Explored {
            goals: self.goals,
            reached: self.reached,
            found: self.found,
            unsolved: self.unsolved.into_keys().collect(),
            counts: self.counts,
            mishaps: self.mishaps,
            phases,
            memory,
            is_whole: self.plan.is_whole && !is_partial,
        }
    }

    /// What solvers were asked.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.search.statistics().queries + self.states.statistics().queries
    }

    /// States met, and those of them that others subsume.
    #[must_use]
    pub fn states(&self) -> (u64, u64) {
        self.states.counts()
    }

    /// Explores cost by cost, until `stops` says so; then goes further for what that has left.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn explore(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&Counts) -> bool,
    ) -> Result<Ending, Error> {
        let mut ending = self.explore_by_cost(vm, stops)?;
        if !matches!(ending, Ending::AllReached | Ending::Stopped) {
            ending = self.solve_again(vm, ending, stops)?;
        }
        for further in self.plan.further.clone() {
            let has_more = match further {
                Further::Elements(_) => self.has_lengths(),
                Further::Statements(_) => ending == Ending::Length,
            };
            // Of paths as many as bounds let through are wanted.
            let is_bounded = self.goals.criterion == Criterion::Paths;
            if !matches!(ending, Ending::Closed | Ending::Length) || is_bounded || !has_more {
                continue;
            }
            self.go_further(further);
            let most_paths = self.counts.paths * 2 + FURTHER_PATHS;
            let most_work = self.counts.work + FURTHER_WORK;
            let mut is_stopped = false;
            let ended = self.explore_by_cost(vm, &mut |counts| {
                is_stopped |= stops(counts);
                is_stopped || counts.paths >= most_paths || counts.work >= most_work
            })?;
            match (ended, further) {
                (Ending::AllReached, _) => ending = ended,
                (Ending::Stopped, _) if is_stopped => ending = ended,
                (Ending::Closed, Further::Statements(_)) => ending = ended,
                _ => {}
            }
        }
        Ok(ending)
    }

    /// Whether what could still reach something takes values of which only short ones are tried.
    fn has_lengths(&self) -> bool {
        let has_part = self.is_tested.iter().zip(&self.is_relevant);
        let mut both = has_part.zip(&self.plan.has_lengths);
        both.any(|((tested, relevant), has_lengths)| (*tested || *relevant) && *has_lengths)
    }

    /// Begins anew for what is not reached.
    fn go_further(&mut self, further: Further) {
        match further {
            Further::Elements(length) => self.search.lengthen(length),
            Further::Statements(length) => {
                self.search.lengthen(self.plan.max_elements as u32);
                self.bounds.length = length;
            }
        }
        self.kept = Kept {
            reached: self.reached.clone(),
            found: self.found.len(),
            counts: self.counts.clone(),
            mishaps: self.mishaps.clone(),
        };
        self.forget();
    }

    fn forget(&mut self) {
        self.components.clear();
        self.costs = Costs::default();
        self.postponed.clear();
        self.states.clear();
    }

    /// Makes the calls again by which paths came to goals without values being found, and looks longer for
    /// these.
    fn solve_again(
        &mut self,
        vm: &mut Vm,
        ending: Ending,
        stops: &mut dyn FnMut(&Counts) -> bool,
    ) -> Result<Ending, Error> {
        let (bounds, cut) = (self.bounds, self.counts.cut);
        let limits = self.search.be_patient(PATIENCE_AT_END);
        let most_work = self.counts.work + MOST_AT_END;
        self.bounds.all_paths = bounds.all_paths.max(self.counts.paths + PATHS_AT_END);
        let mut done: Vec<(Vec<usize>, Statement)> = Vec::new();
        let mut ending = ending;
        for (goal, call) in self.unsolved.clone() {
            if self.reached[goal].is_some() || done.contains(&call) {
                continue;
            }
            if self.counts.work >= most_work {
                break;
            }
            done.push(call.clone());
            let (parts, call) = call;
            let job = Job {
                parts,
                calls: Some(vec![(call, Purpose::Test)]),
                work: bounds.work.saturating_mul(WORK_AT_END),
            };
            if stops(&self.counts) || self.work(vm, &job, 0, stops)?.is_break() {
                ending = Ending::Stopped;
                break;
            }
        }
        self.bounds = bounds;
        self.search.set_limits(limits);
        // What was left out before is left out again.
        self.counts.cut = cut;
        Ok(match self.goals.are_done(&self.reached) {
            true => Ending::AllReached,
            false => ending,
        })
    }

    fn explore_by_cost(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&Counts) -> bool,
    ) -> Result<Ending, Error> {
        let (most, longest) = (self.most(), self.bounds.length as usize);
        for cost in 0.. {
            self.aim();
            tell_open(&self.open, &self.goals, &self.reached);
            let ranks = self.costs.ranks();
            let work = self.bounds.work;
            let joined = Joins::new(&ranks, cost, longest - 1, most).map(|parts| Job {
                parts,
                calls: None,
                work,
            });
            let again = self.postponed.remove(&cost).unwrap_or_default();
            for (number, job) in joined.chain(again).enumerate() {
                if number % PATIENCE == 0 && stops(&self.counts) {
                    return Ok(Ending::Stopped);
                }
                if self.asks_identity {
                    return self.explore_again(vm, stops);
                }
                if self.goals.are_done(&self.reached) {
                    return Ok(Ending::AllReached);
                }
                let is_stopped = self.work(vm, &job, cost + 1, stops)?.is_break();
                // What is reached, or is to be asked again, comes first: the last path may have done it.
                if self.goals.are_done(&self.reached) || self.asks_identity {
                    continue;
                }
                if self.counts.paths >= self.bounds.all_paths {
                    return Ok(Ending::Paths);
                }
                if is_stopped {
                    return Ok(Ending::Stopped);
                }
            }
            if self.asks_identity {
                return self.explore_again(vm, stops);
            }
            drop(ranks);
            self.costs.settle();
            let left = self.postponed.values().flatten();
            let left = left.map(|job| self.parts(&job.parts).last().copied().unwrap_or(0));
            let done = self.costs.done(cost, longest, most);
            let length = left.fold(done, usize::min) as u32;
            // What was done before is done.
            self.counts.max_length = self.kept.counts.max_length.max(length);
            if self.goals.are_done(&self.reached) {
                return Ok(Ending::AllReached);
            }
            if cost >= self.costs.dearest(most) && self.postponed.is_empty() {
                let together = (most.0 * self.costs.longest()).max(most.1);
                // Nothing was too long.
                let is_closed = together + 1 < longest;
                if is_closed {
                    let length = together as u32 + 2;
                    self.counts.max_length = self.kept.counts.max_length.max(length);
                }
                return Ok(match is_closed {
                    true => Ending::Closed,
                    false => Ending::Length,
                });
            }
        }
        Ok(Ending::Length)
    }

    /// Of how many components calls take objects, and of how many of a statement each, for an array.
    fn most(&self) -> (usize, usize) {
        (self.plan.joins, self.plan.max_in_array())
    }

    /// Begins anew, with values that are the same as earlier ones.
    fn explore_again(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&Counts) -> bool,
    ) -> Result<Ending, Error> {
        (self.identity, self.asks_identity) = (true, false);
        self.forget();
        self.goals.forget_paths();
        self.reached.clone_from(&self.kept.reached);
        self.reached.resize(self.goals.all.len(), None);
        self.thrown.clear();
        let lost = self.found.split_off(self.kept.found);
        self.unsolved.clear();
        self.unwritten.clear();
        self.counts = Counts {
            work: self.counts.work,
            ..self.kept.counts.clone()
        };
        self.mishaps.clone_from(&self.kept.mishaps);
        let ending = self.explore_by_cost(vm, stops)?;
        // What was found before is as good as it was, should it not be found again.
        if matches!(ending, Ending::Stopped | Ending::Paths) {
            self.found.extend(lost);
        }
        Ok(ending)
    }

    /// Finds out what could still reach something, and what influences that (thesis, 4.3.1).
    fn aim(&mut self) {
        let open: Vec<MethodId> = self
            .goals
            .all
            .iter()
            .zip(&self.reached)
            .filter(|(_, reached)| **reached != Some(true))
            .map(|(goal, _)| goal.method())
            .collect();
        let is_any = self.goals.criterion == Criterion::Paths;
        let leads = |method: &MethodId| {
            let reached = self.goals.led_to(*method);
            is_any || open.iter().any(|method| reached.contains(method))
        };
        let under_test = self.plan.under_test.iter();
        let is_tested: Vec<bool> = under_test
            .map(|method| method.as_ref().is_some_and(leads))
            .collect();
        let count = is_tested.len();
        let ends: Vec<usize> = (0..count).filter(|&number| is_tested[number]).collect();
        let leads: Vec<usize> = (0..count)
            .filter(|&number| {
                let mut ends = ends.iter();
                ends.any(|&end| self.criteria.distance(number, end).is_some())
            })
            .collect();
        let influences = |number: usize| {
            let mut leads = leads.iter();
            !self.plan.is_idle[number]
                && leads.any(|&other| self.criteria.influences(number, other))
        };
        self.is_relevant = (0..count).map(influences).collect();
        self.is_tested = is_tested;
    }

    /// Makes every call that there is on some components together.
    fn work(
        &mut self,
        vm: &mut Vm,
        job: &Job,
        cost: usize,
        stops: &mut dyn FnMut(&Counts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let base = self.joined(&job.parts);
        let parts = self.parts(&job.parts);
        let is_last = base.statements.len() + 1 == self.bounds.length as usize;
        let start = Instant::now();
        let mut calls = match &job.calls {
            Some(calls) => calls.clone(),
            None => self.calls(vm, &base, &parts, is_last),
        };
        // What is no statement on the engine: its class or field is missing.
        calls.retain(|(call, _)| self.plan.step(vm, call).is_some());
        self.phases.generating += start.elapsed();
        if calls.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let tests = calls.iter().filter(|call| call.1 != Purpose::Build);
        if job.calls.is_none() {
            self.counts.generated += tests.count() as u64;
        }
        let steps = base.statements.iter();
        let steps = steps.map(|statement| self.plan.step(vm, statement));
        let steps: Option<Vec<Step>> = steps.collect();
        let next = calls.iter().map(|(call, purpose)| {
            let step = self.plan.step(vm, call)?;
            let asks = *purpose == Purpose::Test;
            Some(Step { asks, ..step })
        });
        let next: Option<Vec<Step>> = next.collect();
        let (Some(steps), Some(next)) = (steps, next) else {
            return Ok(ControlFlow::Continue(()));
        };
        self.search.follow(Script {
            steps,
            next,
            verdicts: base.verdicts.clone(),
            after_exceptions: self.bounds.after_exceptions,
            work: job.work,
        });
        self.search.start_at(Span::below(base.path.clone()));
        let start = Instant::now();
        let mut run = Run {
            plan: self.plan,
            bounds: self.bounds,
            base: &base,
            parts: &parts,
            calls: &calls,
            open: &self.open,
            goals: &mut self.goals,
            reached: &mut self.reached,
            states: &mut self.states,
            found: &mut self.found,
            unsolved: &mut self.unsolved,
            job: &job.parts,
            unwritten: &mut self.unwritten,
            thrown: &mut self.thrown,
            counts: &mut self.counts,
            mishaps: &mut self.mishaps,
            memory: &mut self.memory,
            taken: vec![0; calls.len()],
            in_vain: vec![0; calls.len()],
            identity: self.identity,
            asks_identity: false,
            matching: Duration::ZERO,
            kept: Vec::new(),
            initialized: Vec::new(),
            failure: None,
        };
        let end = {
            let run = std::cell::RefCell::new(&mut run);
            let mut ask = |_: &mut SymbolicSearch<'_>| {
                let run = run.borrow();
                match run.is_enough() || stops(run.counts) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
                run.borrow_mut().visit(vm, end, search)
            };
            self.search.run(vm, &mut ask, &mut visit)
        };
        self.phases.matching += run.matching;
        self.asks_identity |= run.asks_identity;
        let (kept, initialized, failure) = (run.kept, run.initialized, run.failure);
        let left = self.search.left().iter();
        let left: Vec<(Statement, Purpose)> = left.map(|&call| calls[call].clone()).collect();
        if job.calls.is_none() {
            let ran = run.taken.iter().zip(&calls);
            let ran = ran.filter(|(taken, call)| **taken > 0 && call.1 != Purpose::Build);
            self.counts.explored += ran.count() as u64;
        }
        if !left.is_empty() {
            let later = self.postponed.entry(cost + LATER).or_default();
            later.push(Job {
                parts: job.parts.clone(),
                calls: Some(left),
                work: job.work.saturating_mul(MORE),
            });
        }
        for class in initialized {
            // A failure shows again, in its place.
            let _ = vm.initialize_now(class);
        }
        for (component, sketch) in kept {
            let length = component.statements.len();
            self.costs.add(self.components.len(), length, sketch, cost);
            self.components.push(component);
        }
        self.counts.work = self.search.statistics().work;
        self.phases.searching += start.elapsed();
        match failure {
            None => {}
            // A question of its own, not of the search.
            Some(Error::Symbolic(SymbolicError::Solver(SolverError::Stopped))) => {
                return Ok(ControlFlow::Break(()));
            }
            Some(error) => return Err(error),
        }
        match end {
            Ok(End::Interrupted) => Ok(ControlFlow::Break(())),
            Ok(_) => Ok(ControlFlow::Continue(())),
            // Joined components that share static state go other ways than each alone.
            Err(SymbolicError::Misfit) => {
                self.counts.cut += 1;
                Ok(ControlFlow::Continue(()))
            }
            Err(SymbolicError::Solver(SolverError::Stopped)) => Ok(ControlFlow::Break(())),
            Err(error) => Err(error.into()),
        }
    }

    /// Several components as one sequence.
    fn joined(&self, job: &[usize]) -> Component {
        let mut base = Component {
            statements: Vec::new(),
            path: Vec::new(),
            verdicts: Vec::new(),
            objects: Vec::new(),
        };
        for &number in job {
            let part = &self.components[number];
            let shift = base.statements.len();
            let values = base.statements.iter().map(Statement::open).sum();
            let shifted = part.statements.iter();
            let shifted = shifted.map(|statement| statement.shifted(shift, values));
            base.statements.extend(shifted);
            base.path.extend(&part.path);
            base.verdicts.extend(&part.verdicts);
            let objects = part.objects.iter();
            base.objects
                .extend(objects.map(|&(place, class)| (place + shift, class)));
        }
        base
    }

    /// Before which statement each component ends.
    fn parts(&self, job: &[usize]) -> Vec<usize> {
        let mut end = 0;
        let ends = job.iter().map(|&number| {
            end += self.components[number].statements.len();
            end
        });
        ends.collect()
    }

    /// The calls that take an object of each part.
    fn calls(
        &self,
        vm: &Vm,
        base: &Component,
        parts: &[usize],
        is_last: bool,
    ) -> Vec<(Statement, Purpose)> {
        let mut calls = Vec::new();
        if let Some(setup) = self.plan.setup.filter(|_| parts.is_empty()) {
            let statement = Statement {
                invokable: setup,
                arguments: Vec::new(),
            };
            return vec![(statement, Purpose::Build)];
        }
        for (number, invokable) in self.plan.invokables.iter().enumerate() {
            let is_test = self.is_tested[number];
            let builds = !is_last && self.is_relevant[number];
            // What questions split is of no use to go on from.
            let purposes: &[Purpose] = match (is_test, builds) {
                (true, true) if self.splits => &[Purpose::Test, Purpose::Build],
                (true, true) => &[Purpose::Both],
                (true, false) => &[Purpose::Test],
                (false, true) => &[Purpose::Build],
                (false, false) => continue,
            };
            let takes = self.plan.takes[number].iter();
            let choices: Vec<Vec<Argument>> =
                takes.map(|taking| self.choices(vm, taking, base)).collect();
            let choices = match invokable.what {
                What::NewArray(_) | What::StoreElement(_) => choices,
                _ => {
                    let takes = self.plan.takes[number].iter();
                    let both = takes.zip(choices);
                    both.map(|(taking, choices)| self.joint(vm, taking, choices, base, parts))
                        .collect()
                }
            };
            let mut all = match invokable.what {
                What::NewArray(_) => self.plan.arrays(&choices, parts.len()),
                What::StoreElement(_) => self.plan.stores(&choices, &base.statements),
                _ => combinations(&choices),
            };
            if matches!(invokable.what, What::NewArray(_)) {
                all.retain(|elements| self.plan.leaves_no_array(elements, &base.statements));
            }
            all.retain(|arguments| {
                let mut from = 0;
                parts.iter().all(|&to| {
                    let part = from..to;
                    from = to;
                    let mut arguments = arguments.iter();
                    arguments.any(|argument| part.clone().any(|place| argument.can_be(place)))
                }) || self.is_by_statics(invokable, parts)
            });
            for arguments in all {
                let statement = Statement {
                    invokable: number,
                    arguments,
                };
                if self.is_full(&statement, base) {
                    continue;
                }
                calls.extend(purposes.iter().map(|&purpose| (statement.clone(), purpose)));
            }
        }
        calls
    }

    /// Whether a statement would put more into a collection that only arguments are made of than it is to
    /// hold.
    fn is_full(&self, statement: &Statement, base: &Component) -> bool {
        let Some(&Argument::Made(held)) = statement.arguments.first() else {
            return false;
        };
        let same = |other: &&Statement| other.invokable == statement.invokable && other.takes(held);
        self.plan.is_support(statement)
            && base.statements.iter().filter(same).count() >= self.plan.max_elements
    }

    /// What an argument can be.
    fn choices(&self, vm: &Vm, taking: &Taking, base: &Component) -> Vec<Argument> {
        let mut choices = Vec::new();
        if taking.is_open {
            choices.push(Argument::Open);
            if self.identity && taking.has_identity {
                choices.extend(self.values(vm, taking, base).map(Argument::Again));
            }
        }
        for &(place, class) in &base.objects {
            let maker = base.statements[place].invokable;
            let contents = &self.plan.invokables[maker].contents;
            if taking.accepts(vm, class) && taking.holds(contents) {
                choices.push(Argument::Made(place));
            }
        }
        if taking.is_nullable && self.bounds.nulls && !taking.is_open {
            choices.push(Argument::Null);
        }
        choices
    }

    /// What an argument can be, the objects of one part in one: which of them it is the solver decides.
    fn joint(
        &self,
        vm: &Vm,
        taking: &Taking,
        choices: Vec<Argument>,
        base: &Component,
        parts: &[usize],
    ) -> Vec<Argument> {
        if self.plan.simulates || self.bounds.length > u64::BITS || !taking.is_nullable {
            return choices;
        }
        let is_plain = |place: usize| {
            let held = base.objects.iter().find(|object| object.0 == place);
            held.is_some_and(|&(_, class)| !vm.class_name(class).starts_with('['))
                && !self.plan.is_support(&base.statements[place])
        };
        let mut joint: Vec<(Argument, Option<usize>, Vec<usize>)> = Vec::new();
        for &choice in &choices {
            match choice {
                Argument::Made(place) if is_plain(place) => {
                    let part = parts.partition_point(|&end| end <= place);
                    match joint.iter_mut().find(|(_, of, _)| *of == Some(part)) {
                        Some((_, _, places)) => places.push(place),
                        None => joint.push((choice, Some(part), vec![place])),
                    }
                }
                choice => joint.push((choice, None, Vec::new())),
            }
        }
        let joint = joint.into_iter();
        let joint = joint.map(|(choice, _, places)| match places.len() {
            0 | 1 => choice,
            _ => Makers::of(&places).map_or(choice, Argument::OneOf),
        });
        joint.collect()
    }

    /// The open values of a component that an argument can be.
    fn values(&self, vm: &Vm, taking: &Taking, base: &Component) -> impl Iterator<Item = usize> {
        let mut fitting = Vec::new();
        for statement in &base.statements {
            let takes = &self.plan.takes[statement.invokable];
            for (place, argument) in statement.arguments.iter().enumerate() {
                if *argument == Argument::Open {
                    fitting.push(takes.get(place).is_some_and(|held| taking.takes(vm, held)));
                }
            }
        }
        let numbered = fitting.into_iter().enumerate();
        numbered.filter_map(|(value, fits)| fits.then_some(value))
    }

    /// Whether a call hangs together with one component by static state alone.
    fn is_by_statics(&self, invokable: &Invokable, parts: &[usize]) -> bool {
        parts.len() == 1 && self.plan.is_loose && !matches!(invokable.what, What::Instance(..))
    }
}

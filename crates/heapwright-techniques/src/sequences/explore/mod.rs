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

mod calls;
mod further;
mod kinds;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{
    PathEnd, Script, SolverError, States, Step, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{End, Search, Span, Tree};
use heapwright_jvm::{MethodId, Vm};

use super::costs::Costs;
use super::goals::Goals;
use super::joins::Joins;
use super::noted::{Run, tell_open};
use super::plan::Plan;
use crate::Error;
use crate::sequences::analysis::criteria::Criteria;
use crate::sequences::goals::reachability::Open;
use crate::sequences::model::{Criterion, Memory, Phases, Statement};
use crate::sequences::plan::unconstructible;
use crate::symbolic::{CutBy, CutCounts};

pub use crate::sequences::model::{Bounds, Further};
use further::Kept;
pub(super) use further::Unsolved;
pub(super) use kinds::Purpose;
pub use kinds::{Component, Counts, Ending, Explored, Found};

/// How many components, or several together, are gone through between two questions whether to stop.
const PATIENCE: usize = 256;
/// After how many costs calls are made again for which the solver had worked enough.
const LATER: usize = 1;
/// How many times as much it works for them then.
const MORE: u64 = 4;

/// Calls to be made.
struct Job {
    /// The components that they are made on together.
    parts: Vec<usize>,
    /// These; none for all that there are.
    calls: Option<Vec<(Statement, Purpose)>>,
    /// The solver's work for each.
    work: u64,
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
    /// The invokables with more combinations of arguments than they are called with.
    overfull: BTreeSet<usize>,
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
            overfull: BTreeSet::new(),
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
    pub fn finish(self, vm: &mut Vm) -> Explored {
        let untried = self.untried(vm);
        let mut phases = self.phases;
        phases.solving = self.search.solving();
        let sequences = self.components.iter().map(Component::bytes);
        let memory = Memory {
            generating: sequences.sum::<usize>() as u64,
            matching: self.states.bytes(),
            ..self.memory
        };
        let is_whole =
            self.plan.is_whole && self.overfull.is_empty() && !self.has_any(&self.plan.is_partial);
        Explored {
            goals: self.goals,
            reached: self.reached,
            found: self.found,
            unsolved: self.unsolved.into_keys().collect(),
            counts: self.counts,
            mishaps: self.mishaps,
            phases,
            memory,
            is_whole,
            untried,
        }
    }

    /// What sequences may be made of and was not tried whole.
    fn untried(&self, vm: &mut Vm) -> CutCounts {
        let mut lacks = self.plan.has_others.clone();
        for (number, _) in unconstructible::lacking(vm, self.plan) {
            lacks[number] = true;
        }
        let mut is_overfull = vec![false; lacks.len()];
        for &number in &self.overfull {
            is_overfull[number] = true;
        }
        let kinds = [
            (CutBy::Elements, &self.plan.has_elements),
            (CutBy::Arguments, &lacks),
            (CutBy::Combinations, &is_overfull),
        ];
        let counts = kinds.map(|(by, is_so)| (by, self.that_matter(is_so).count() as u64));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Whether one of the invokables that could still reach something, or influence that, is so.
    fn has_any(&self, is_so: &[bool]) -> bool {
        self.that_matter(is_so).next().is_some()
    }

    /// The invokables that could still reach something, or influence that, and are so.
    fn that_matter(&self, is_so: &[bool]) -> impl Iterator<Item = usize> {
        let matters = self.is_tested.iter().zip(&self.is_relevant);
        let both = matters.zip(is_so).enumerate();
        both.filter_map(|(number, ((tested, relevant), is_so))| {
            ((*tested || *relevant) && *is_so).then_some(number)
        })
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

    /// Forgets what was built.
    fn forget(&mut self) {
        self.components.clear();
        self.costs = Costs::default();
        self.postponed.clear();
        self.states.clear();
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
        let open = self.goals.all.iter().zip(&self.reached);
        let open = open.filter(|(_, reached)| **reached != Some(true));
        let leading = self.goals.leading_to(open.map(|(goal, _)| goal.method()));
        let is_any = self.goals.criterion == Criterion::Paths;
        let leads = |method: &MethodId| is_any || leading.contains(method);
        let under_test = self.plan.under_test.iter();
        let is_tested: Vec<bool> = under_test
            .map(|method| method.as_ref().is_some_and(leads))
            .collect();
        let count = is_tested.len();
        let ends: Vec<usize> = (0..count).filter(|&number| is_tested[number]).collect();
        let leads = self.criteria.leading_to(&ends);
        let influencing = self.criteria.influencing(&leads);
        let is_relevant =
            |number: usize| !self.plan.is_idle[number] && influencing.contains(number);
        self.is_relevant = (0..count).map(is_relevant).collect();
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
        let calls = match &job.calls {
            Some(calls) => calls.clone(),
            None => self.calls(vm, &base, &parts, is_last, stops),
        };
        // What is no statement on the engine is left out: its class or field is missing.
        let steps = calls.into_iter().filter_map(|(call, purpose)| {
            let step = self.plan.step(vm, &call)?;
            let asks = purpose == Purpose::Test;
            Some(((call, purpose), Step { asks, ..step }))
        });
        let (calls, next): (Vec<(Statement, Purpose)>, Vec<Step>) = steps.unzip();
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
        let Some(steps) = steps else {
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
        self.counts.work = self.search.statistics().work + self.states.statistics().work;
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
                self.counts.note_cut(CutBy::Shared);
                Ok(ControlFlow::Continue(()))
            }
            Err(SymbolicError::Solver(SolverError::Stopped)) => Ok(ControlFlow::Break(())),
            Err(error) => Err(error.into()),
        }
    }
}

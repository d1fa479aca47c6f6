//! The search loop over costs: calls on components, each run on the engine.
//!
//! **Invariant:** a component costs more than those from which it was built, and the request alone
//! determines the calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::time::Instant;

use heapwright_explore::Span;
use heapwright_explore::symbolic::{ScriptStep, SymbolicSearch};
use heapwright_jvm::{MethodId, Vm};

use super::call_run::{CallEnd, CallRun};
use super::calls::takes_all;
use super::component::{CallPurpose, Component, ComponentJob};
use super::component_tuples::ComponentTuples;
use super::costs::Costs;
use super::fixed_values;
use super::generational::{GenerationalSearch, Share};
use super::outcome::{Explored, SearchCounts, SearchOutcome};
use super::progress::{ExplorationProgress, ProgressSnapshot};
use super::random::{RandomSearch, RandomSettings};
use super::recorder::publish_open_goals;
use super::shares::Efforts;
use crate::Error;
use crate::sequences::analysis::criteria::Criteria;
use crate::sequences::analysis::effects::Effects;
use crate::sequences::goals::GoalTable;
use crate::sequences::goals::rarity::SharedBranchCounts;
use crate::sequences::goals::reachability::Open;
use crate::sequences::model::{CoverageCriterion, Memory, Phases, SequenceBounds};
use crate::sequences::plan::unconstructible::{self, AssumedArguments};
use crate::sequences::plan::{InvokableRole, SearchPlan};
use crate::statements::Statement;
use crate::symbolic::{CutBy, CutCounts};

/// Number of calls on one component that are made in parts, and the number of calls of a part.
const MANY: usize = 48;
const PART: usize = 16;
/// Number of jobs between two checks of `stops`.
const PATIENCE: usize = 256;
/// Increase of cost at which a call that exceeded its solver work is repeated.
const LATER: usize = 1;
/// Factor of the solver work of a repeated call.
const MORE: u64 = 4;
/// Increase of cost at which calls are made that static state alone relates to the component.
const LOOSE: usize = 2;

/// The search for sequences.
pub struct Explorer<'a> {
    pub(super) plan: &'a SearchPlan,
    pub(super) criteria: &'a Criteria,
    /// The effects of each invokable.
    pub(super) effects: &'a [Effects],
    /// The locations of open goals.
    pub(super) open: Open,
    /// The numbers of times that paths of the search by generations took sides of branches.
    pub(super) branch_counts: SharedBranchCounts,
    /// For each invokable, whether it calls a method that could reach an open goal.
    pub(super) is_tested: Vec<bool>,
    /// For each invokable, whether it can influence one of those.
    pub(super) is_relevant: Vec<bool>,
    /// For each invokable, the increase of cost at which it is called: the number of statements that
    /// must follow before a call under test can take its object, less one; [`LOOSE`] if none can.
    pub(super) delays: Vec<usize>,
    pub(super) bounds: SequenceBounds,
    pub(super) search: SymbolicSearch<'a>,
    pub(super) components: Vec<Component>,
    pub(super) costs: Costs,
    /// Calls that exceeded their solver work, by the cost at which they are repeated.
    pub(super) postponed: BTreeMap<usize, Vec<ComponentJob>>,
    /// Invokables with more argument combinations than are tried.
    pub(super) overfull: BTreeSet<usize>,
    /// Number of calls of each invokable that were repeated on fixed numbers.
    pub(super) fixed: BTreeMap<usize, u32>,
    /// Sequences searched by generations, the next one first.
    pub(super) generations: VecDeque<GenerationalSearch>,
    /// Calls of methods under test on objects whose collaborators answer, which the random search has
    /// not taken yet.
    pub(super) arranged: Vec<Vec<Statement>>,
    /// The random search, once it has begun.
    pub(super) random: Option<Box<RandomSearch<'a>>>,
    pub(super) settings: RandomSettings,
    pub(super) efforts: Efforts,
    /// Whether questions about operands split paths.
    pub(super) splits: bool,
    /// Whether the code has compared boxes or strings by identity for the first time.
    pub(super) asks_identity: bool,
    /// Whether the identity of equal boxes and strings matters, because the code compares it.
    pub(super) identity: bool,
    /// The progress before the current extension.
    pub(super) before: ProgressSnapshot,
    pub(super) phases: Phases,
    /// The progress so far.
    pub(super) progress: ExplorationProgress,
}

impl<'a> Explorer<'a> {
    /// Prepares the search of a plan.
    pub fn new(
        plan: &'a SearchPlan,
        criteria: &'a Criteria,
        (bounds, settings): (SequenceBounds, RandomSettings),
        search: SymbolicSearch<'a>,
        goals: GoalTable,
        open: Open,
        branch_counts: SharedBranchCounts,
    ) -> Explorer<'a> {
        Explorer {
            plan,
            criteria,
            effects: &[],
            open,
            branch_counts,
            is_tested: Vec::new(),
            is_relevant: Vec::new(),
            delays: Vec::new(),
            bounds,
            search,
            components: Vec::new(),
            costs: Costs::default(),
            postponed: BTreeMap::new(),
            overfull: BTreeSet::new(),
            fixed: BTreeMap::new(),
            generations: VecDeque::new(),
            arranged: Vec::new(),
            random: None,
            settings,
            efforts: Efforts::default(),
            splits: goals.criterion.splits(),
            identity: false,
            asks_identity: false,
            before: ProgressSnapshot::default(),
            phases: Phases::default(),
            progress: ExplorationProgress::new(goals),
        }
    }

    /// Counts goals as reached before the search begins.
    pub fn settle(&mut self, goals: &[usize]) {
        for &goal in goals {
            self.progress.reached[goal] = Some(true);
        }
        self.before.reached.clone_from(&self.progress.reached);
    }

    /// Returns the result.
    #[must_use]
    pub fn finish(self, vm: &mut Vm, ending: SearchOutcome, chances: u64) -> Explored {
        let (queries, states) = (self.queries(), self.states());
        let untried = self.untried(vm);
        let mut phases = self.phases;
        phases.solving = self.search.solving();
        let sequences = self.components.iter().map(Component::bytes);
        let memory = Memory {
            generating: sequences.sum::<usize>() as u64,
            matching: self.progress.states.bytes(),
            ..self.progress.memory
        };
        let is_whole = self.covers_all_arguments();
        Explored {
            goals: self.progress.goals,
            reached: self.progress.reached,
            of_nulls: self.progress.of_nulls,
            found: self.progress.found,
            usual: { self.random.as_ref() }.map_or_else(Vec::new, |random| random.usual()),
            varied: self
                .random
                .map_or_else(Vec::new, |random| random.sequences()),
            ending,
            nondeterministic_results: chances,
            queries,
            states,
            unsolved: self.progress.unsolved.into_keys().collect(),
            counts: self.progress.counts,
            mishaps: self.progress.mishaps,
            phases,
            memory,
            is_whole,
            untried,
        }
    }

    /// Whether the search left out nothing, so that its end proves goals infeasible.
    pub(super) fn is_exhaustive(&self) -> bool {
        let counts = &self.progress.counts;
        self.covers_all_arguments()
            && counts.cut() == 0
            && counts.refused == 0
            && counts.unobserved_changes == 0
    }

    /// Whether arguments of sequences range over all their values.
    fn covers_all_arguments(&self) -> bool {
        self.plan.is_whole && self.overfull.is_empty() && !self.has_any(|role| role.is_partial)
    }

    /// Returns the kinds of arguments that were not all tried.
    fn untried(&self, vm: &mut Vm) -> CutCounts {
        let lacking = unconstructible::lacking(vm, self.plan, AssumedArguments::Null).into_iter();
        let lacking: BTreeSet<usize> = lacking.map(|(number, _)| number).collect();
        let roles = &self.plan.roles;
        let lacks = |number: &usize| roles[*number].has_others || lacking.contains(number);
        let has_elements = |number: &usize| roles[*number].has_elements;
        let is_overfull = |number: &usize| self.overfull.contains(number);
        let counts = [
            (
                CutBy::Elements,
                self.that_matter().filter(has_elements).count(),
            ),
            (CutBy::Arguments, self.that_matter().filter(lacks).count()),
            (
                CutBy::Combinations,
                self.that_matter().filter(is_overfull).count(),
            ),
        ];
        let counts = counts.map(|(by, count)| (by, count as u64));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Whether a predicate holds for an invokable that could reach an open goal or influence one
    /// that does.
    pub(super) fn has_any(&self, is_so: impl Fn(&InvokableRole) -> bool) -> bool {
        self.that_matter()
            .any(|number| is_so(&self.plan.roles[number]))
    }

    /// Enumerates the invokables that could reach an open goal or influence one that does.
    fn that_matter(&self) -> impl Iterator<Item = usize> {
        let both = self.is_tested.iter().zip(&self.is_relevant).enumerate();
        both.filter_map(|(number, (tested, relevant))| (*tested || *relevant).then_some(number))
    }

    /// Returns the number of solver queries.
    fn queries(&self) -> u64 {
        self.search.statistics().queries + self.progress.states.statistics().queries
    }

    /// Returns the numbers of states met, and of those among them that others subsume.
    fn states(&self) -> (u64, u64) {
        self.progress.states.counts()
    }

    pub(super) fn explore_by_cost(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        let (most, longest) = (self.most(), self.bounds.length as usize);
        for cost in 0.. {
            self.aim();
            self.publish();
            let ranks = self.costs.ranks();
            let work = self.bounds.work;
            let joined =
                ComponentTuples::new(&ranks, cost, longest - 1, most).map(|parts| ComponentJob {
                    parts,
                    calls: None,
                    is_repeated: false,
                    work,
                    values: None,
                });
            let again = self.postponed.remove(&cost).unwrap_or_default();
            for (number, job) in joined.chain(again).enumerate() {
                if number % PATIENCE == 0 && stops(&self.progress.counts) {
                    return Ok(SearchOutcome::Stopped);
                }
                if self.asks_identity {
                    return self.explore_again(vm, stops);
                }
                if self.progress.goals.are_done(&self.progress.reached) {
                    return Ok(SearchOutcome::AllReached);
                }
                let is_stopped = self.work(vm, &job, cost + 1, stops)?.is_break();
                // These outcomes take precedence over limits; they are returned below or in the
                // next iteration.
                if self.progress.goals.are_done(&self.progress.reached) || self.asks_identity {
                    continue;
                }
                if self.progress.counts.paths >= self.bounds.all_paths {
                    return Ok(SearchOutcome::Paths);
                }
                if is_stopped {
                    return Ok(SearchOutcome::Stopped);
                }
            }
            if self.asks_identity {
                return self.explore_again(vm, stops);
            }
            if self.search_generations(vm, Share::Equal, stops)?.is_break() {
                return Ok(SearchOutcome::Stopped);
            }
            drop(ranks);
            self.costs.settle();
            let left = self.postponed.values().flatten();
            let left = left.map(|job| self.parts(&job.parts).last().copied().unwrap_or(0));
            let done = self.costs.complete_length(cost, longest, most);
            let length = left.fold(done, usize::min) as u32;
            // Lengths completed before an extension stay complete.
            self.progress.counts.max_length = self.before.counts.max_length.max(length);
            if self.progress.goals.are_done(&self.progress.reached) {
                return Ok(SearchOutcome::AllReached);
            }
            if cost >= self.costs.max_tuple_cost(most) && self.postponed.is_empty() {
                let together = (most.0 * self.costs.longest()).max(most.1);
                // No sequence reached the maximum length.
                let is_closed = together + 1 < longest;
                if is_closed {
                    let length = together as u32 + 2;
                    self.progress.counts.max_length = self.before.counts.max_length.max(length);
                }
                return Ok(match is_closed {
                    true => SearchOutcome::Closed,
                    false => SearchOutcome::Length,
                });
            }
        }
        Ok(SearchOutcome::Length)
    }

    /// Gives up the goals that are none of the criterion if they have taken enough, and notes whether
    /// all have.
    pub(super) fn weigh_efforts(&mut self) {
        if self.efforts.is_past_places() {
            self.progress.give_up_places();
        }
        self.progress.counts.is_in_vain = self.efforts.are_past_patience(&self.bounds);
    }

    /// Returns the maximum number of components per call, and of components of one statement in an
    /// array.
    fn most(&self) -> (usize, usize) {
        (self.plan.joins, self.plan.max_in_array())
    }

    /// Discards all components.
    pub(super) fn forget(&mut self) {
        self.components.clear();
        self.costs = Costs::default();
        self.postponed.clear();
        self.progress.states.clear();
    }

    /// Starts again with arguments that may repeat earlier values.
    fn explore_again(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        (self.identity, self.asks_identity) = (true, false);
        // Its sequences are lost with the others.
        self.random = None;
        self.forget();
        self.progress.goals.forget_paths();
        self.progress.reached.clone_from(&self.before.reached);
        self.progress
            .reached
            .resize(self.progress.goals.all.len(), None);
        self.progress.thrown.clear();
        let lost = self.progress.found.split_off(self.before.found);
        self.progress.unsolved.clear();
        self.progress.unwritten.clear();
        self.progress.counts = SearchCounts {
            work: self.progress.counts.work,
            ..self.before.counts.clone()
        };
        self.progress.mishaps.clone_from(&self.before.mishaps);
        let ending = self.explore_by_cost(vm, stops)?;
        // Sequences found before stay valid if the restarted search was cut short.
        if matches!(ending, SearchOutcome::Stopped | SearchOutcome::Paths) {
            self.progress.found.extend(lost);
        }
        Ok(ending)
    }

    /// Publishes the locations of the open goals.
    pub(super) fn publish(&self) {
        publish_open_goals(&self.open, &self.progress.goals, &self.progress.reached);
    }

    /// Determines the invokables that could reach an open goal, and those that influence them
    /// (thesis, 4.3.1).
    pub(super) fn aim(&mut self) {
        let open = self.progress.goals.all.iter().zip(&self.progress.reached);
        let open = open.filter(|(_, reached)| **reached != Some(true));
        let leading = self
            .progress
            .goals
            .leading_to(open.map(|(goal, _)| goal.method()));
        let is_any = self.progress.goals.criterion == CoverageCriterion::Paths;
        let leads = |method: &MethodId| is_any || leading.contains(method);
        let roles = self.plan.roles.iter();
        let is_tested: Vec<bool> = roles
            .map(|role| role.under_test.as_ref().is_some_and(leads))
            .collect();
        let count = is_tested.len();
        let ends: Vec<usize> = (0..count).filter(|&number| is_tested[number]).collect();
        let leads = self.criteria.leading_to(&ends);
        let influencing = self.criteria.influencing(&leads);
        let is_relevant =
            |number: usize| !self.plan.roles[number].is_idle && influencing.contains(number);
        self.is_relevant = (0..count).map(is_relevant).collect();
        let distances = self.criteria.object_distances(&ends).into_iter();
        self.delays = distances
            .map(|distance| distance.map_or(LOOSE, |distance| distance.saturating_sub(1)))
            .collect();
        self.is_tested = is_tested;
    }

    /// Returns the calls that are due, and postpones others: those whose objects are far from a call
    /// of a method under test, and those that static state alone relates to the component. Otherwise
    /// these, which are many, would delay all longer sequences.
    fn postpone(
        &mut self,
        job: &ComponentJob,
        calls: Vec<(Statement, CallPurpose)>,
        parts: &[usize],
        cost: usize,
    ) -> Vec<(Statement, CallPurpose)> {
        // The setup statement relates to every call.
        let has_setup = self.plan.setup.is_some();
        let mut by_delay: BTreeMap<usize, Vec<(Statement, CallPurpose)>> = BTreeMap::new();
        for (call, purpose) in calls {
            let is_close = has_setup || takes_all(&call.arguments, parts);
            let loose = if is_close { 0 } else { LOOSE };
            let role = &self.plan.roles[call.invokable];
            let delay = self.delays[call.invokable] + loose + role.delay;
            by_delay.entry(delay).or_default().push((call, purpose));
        }
        let due = by_delay.remove(&0).unwrap_or_default();
        for (delay, calls) in by_delay {
            // `cost` is that of the calls' components, one above the job's.
            let later = self.postponed.entry(cost - 1 + delay).or_default();
            later.push(ComponentJob {
                parts: job.parts.clone(),
                calls: Some(calls),
                is_repeated: false,
                work: job.work,
                values: None,
            });
        }
        due
    }

    /// Makes the calls of a job on its components.
    pub(super) fn work(
        &mut self,
        vm: &mut Vm,
        job: &ComponentJob,
        cost: usize,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let mut base = self.joined(&job.parts);
        let parts = self.parts(&job.parts);
        if job.values.is_some() {
            // The path belongs to open numbers.
            base.path.clear();
            base.verdicts.clear();
        }
        let is_last = base.statements.len() + 1 == self.bounds.length as usize;
        let start = Instant::now();
        let calls = match &job.calls {
            Some(calls) => calls.clone(),
            None => {
                let calls = self.calls(vm, &base, &parts, is_last, stops);
                self.postpone(job, calls, &parts, cost)
            }
        };
        // Statements whose class or field is missing are skipped.
        let steps = calls.into_iter().filter_map(|(call, purpose)| {
            let step = self.plan.step(vm, &call)?;
            let asks = purpose == CallPurpose::Test;
            Some(((call, purpose), ScriptStep { asks, ..step }))
        });
        let (calls, mut next): (Vec<(Statement, CallPurpose)>, Vec<ScriptStep>) = steps.unzip();
        self.phases.generating += start.elapsed();
        // Other searches have their turns between the parts of very many calls.
        let part = match calls.len() {
            0..=MANY => MANY,
            _ => PART,
        };
        for (calls, next) in calls.chunks(part).zip(next.chunks_mut(part)) {
            let made = self.make_calls(vm, job, (&base, &parts), (calls, next), cost, stops)?;
            if made.is_break()
                || job.values.is_none() && self.search_randomly(vm, stops)?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            // The caller restarts or ends the search.
            if self.asks_identity || self.progress.goals.are_done(&self.progress.reached) {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Makes some calls of a job on its components.
    fn make_calls(
        &mut self,
        vm: &mut Vm,
        job: &ComponentJob,
        (base, parts): (&Component, &[usize]),
        (calls, next): (&[(Statement, CallPurpose)], &mut [ScriptStep]),
        cost: usize,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let tests = calls.iter().filter(|call| call.1.is_test());
        if !job.is_repeated {
            self.progress.counts.generated += tests.count() as u64;
        }
        let steps = base.statements.iter();
        let steps = steps.map(|statement| self.plan.step(vm, statement));
        let steps: Option<Vec<ScriptStep>> = steps.collect();
        let Some(mut steps) = steps else {
            return Ok(ControlFlow::Continue(()));
        };
        if let Some(values) = &job.values {
            fixed_values::fix(steps.iter_mut().chain(&mut *next), values);
        }
        let run = CallRun {
            base,
            parts,
            job: &job.parts,
            calls,
            steps,
            next: next.to_vec(),
            known_results: base.verdicts.clone(),
            span: Span::below(base.path.clone()),
            work: job.work,
            effort: u64::MAX,
        };
        let open = self.progress.open_goals();
        let ran = self.run_calls(vm, run, stops, &mut |_| ControlFlow::Continue(()))?;
        let gained = open.saturating_sub(self.progress.open_goals());
        self.efforts.add_by_cost(ran.effort, gained);
        self.weigh_efforts();
        let left = self.search.left().iter();
        let left: Vec<(Statement, CallPurpose)> = left.map(|&call| calls[call].clone()).collect();
        let unsure = ran.unsure.union(self.search.left());
        let unsure: Vec<usize> = unsure.copied().collect();
        if !job.is_repeated {
            let tallies = ran.tallies.iter().zip(calls);
            let tested = tallies.filter(|(tally, call)| tally.paths > 0 && call.1.is_test());
            self.progress.counts.explored += tested.count() as u64;
        }
        if !left.is_empty() && job.values.is_none() {
            let later = self.postponed.entry(cost + LATER).or_default();
            later.push(ComponentJob {
                parts: job.parts.clone(),
                calls: Some(left),
                is_repeated: true,
                work: job.work.saturating_mul(MORE),
                values: None,
            });
        }
        for (component, sketch) in ran.kept {
            let length = component.statements.len();
            self.costs.add(self.components.len(), length, sketch, cost);
            self.components.push(component);
        }
        match ran.end {
            CallEnd::Stopped => return Ok(ControlFlow::Break(())),
            CallEnd::Misfit => self.progress.counts.note_cut(CutBy::Shared),
            CallEnd::Done => {}
        }
        if job.values.is_none() {
            let statements = unsure.iter().map(|&call| calls[call].0.clone()).collect();
            self.try_fixed_values(vm, job, statements, stops)?;
        }
        if !job.is_repeated {
            let has_lengths = |made: &Statement| self.plan.roles[made.invokable].has_lengths;
            let is_short = base.statements.iter().any(has_lengths);
            for (number, (call, purpose)) in calls.iter().enumerate() {
                let is_cut = self.bounds.paths > 0
                    && ran.tallies[number].since_last_goal >= self.bounds.paths;
                if purpose.is_test()
                    && (is_short || has_lengths(call) || is_cut || unsure.contains(&number))
                {
                    self.add_generations(base, call);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

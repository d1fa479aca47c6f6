//! Searches for sequences that notice mutants which no test notices yet.
//!
//! The sequences of the random search are tried first. Then sequences that run the code of such a
//! mutant are varied, the mutant tried least in its turn (cf. Fraser and Zeller, "Mutation-Driven
//! Generation of Unit Tests and Oracles", ISSTA 2010).
//!
//! **Invariant:** the search is bounded by work; time only ever ends it earlier.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;

use super::minimal::SequenceTest;
use super::mutants::{MutantTable, TestKills, VainRuns};
use super::replay::Replayer;
use super::writer::ScriptWriter;
use crate::Error;
use crate::sequences::explore::{Neighbours, simplified};
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::statements::StatementArgument;
use crate::watch::Watch;

/// Maximum numbers of sequences varied for each mutant.
const NEAREST: usize = 6;
const RICHEST: usize = 6;
/// Number of sequences tried in vain after which a mutant is given up.
const TRIES: u32 = 2_000;
/// Maximum number of variations of a sequence at once.
const VARIATIONS: usize = 6;
/// Maximum number of instructions of a run.
const RUN_STEPS: u64 = 200_000;
/// Maximum number of bytes that a run allocates.
const RUN_BYTES: u64 = 1 << 20;
/// Maximum number of instructions of the whole search.
const WORK: u64 = 2_000_000_000;

/// What a search for further tests runs with.
pub(super) struct TestSearch<'k, 'a, 'n> {
    pub writer: &'k mut ScriptWriter<'a>,
    pub replayer: &'k mut Replayer<'a>,
    pub goals: &'k mut GoalTable,
    pub table: &'k MutantTable,
    pub neighbours: &'k mut Neighbours<'n>,
    pub watch: Watch<'k>,
}

/// Mutants that no test notices, with what is known about each.
struct Survivors {
    /// The number of sequences tried in vain.
    tries: BTreeMap<usize, u32>,
    vain: VainRuns,
    /// Sequences that run the code of each.
    bases: BTreeMap<usize, Bases>,
}

/// A sequence that runs the code of a mutant.
#[derive(Clone)]
struct Base {
    concrete: Concrete,
    /// Whether it leaves another state behind on the mutant, which no observation tells.
    is_infected: bool,
    /// Whether it throws, which hides most of what the code did.
    throws: bool,
    /// The richness of its last call; 0 if it throws.
    richness: u32,
}

/// Sequences that run the code of a mutant: those nearest to a test, which infect the state or are
/// short, and the richest, which build larger states. Those that throw come last.
#[derive(Default)]
struct Bases {
    nearest: Vec<Base>,
    richest: Vec<Base>,
}

impl Bases {
    fn add(&mut self, base: Base) {
        let mut all = self.nearest.iter().chain(&self.richest);
        if all.any(|other| other.concrete == base.concrete) {
            return;
        }
        let nearness = |one: &Base| (!one.is_infected, one.throws, one.concrete.statements.len());
        let richness = |one: &Base| {
            (
                one.throws,
                Reverse(one.richness),
                one.concrete.statements.len(),
            )
        };
        let place = self
            .nearest
            .partition_point(|other| nearness(other) <= nearness(&base));
        self.nearest.insert(place, base.clone());
        self.nearest.truncate(NEAREST);
        let place = self
            .richest
            .partition_point(|other| richness(other) <= richness(&base));
        self.richest.insert(place, base);
        self.richest.truncate(RICHEST);
    }
}

impl Survivors {
    /// Whether a mutant runs in the current round.
    fn is_due(&self, mutant: usize) -> bool {
        self.tries.contains_key(&mutant) && self.vain.is_due(mutant)
    }

    /// Notes the mutants whose code a sequence of some richness runs, and those that it notices.
    fn note(&mut self, concrete: &Concrete, kills: &TestKills, richness: u32) {
        for mutant in kills.noticed.keys() {
            self.tries.remove(mutant);
            self.bases.remove(mutant);
        }
        for mutant in &kills.reached {
            if !self.tries.contains_key(mutant) {
                continue;
            }
            let base = Base {
                concrete: concrete.clone(),
                is_infected: kills.infected.contains(mutant),
                throws: kills.throws,
                richness,
            };
            self.bases.entry(*mutant).or_default().add(base);
        }
    }

    /// Returns the mutant that was tried least, among those not given up whose code a sequence
    /// runs.
    fn next(&self) -> Option<usize> {
        let known = self
            .tries
            .iter()
            .filter(|(mutant, tries)| **tries < TRIES && self.bases.contains_key(mutant));
        let least = known.min_by_key(|(_, tries)| **tries);
        least.map(|(mutant, _)| *mutant)
    }
}

impl TestSearch<'_, '_, '_> {
    /// Adds tests that notice further mutants. `kills` are those of the first tests, `varied` the
    /// sequences to try first.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn add_killing(
        &mut self,
        vm: &mut Vm,
        tests: &mut Vec<SequenceTest>,
        kills: &[TestKills],
        varied: &[Concrete],
    ) -> Result<(), Error> {
        let of_tests = tests.iter().flat_map(|test| &test.kills);
        let killed: BTreeSet<&usize> = of_tests.chain(&self.table.killed_before).collect();
        let alive = (0..self.table.len())
            .filter(|mutant| !killed.contains(mutant) && !self.table.is_equivalent(*mutant));
        let mut survivors = Survivors {
            tries: alive.map(|mutant| (mutant, 0)).collect(),
            vain: VainRuns::default(),
            bases: BTreeMap::new(),
        };
        let begun = vm.steps();
        for (test, kills) in tests.iter().zip(kills) {
            let richness = self.richness_of_call(vm, &test.concrete)?;
            survivors.note(&test.concrete, kills, richness);
        }
        // Objects with more values, and other ones, show which of them the code uses.
        for place in 0..tests.len() {
            for is_renamed in [false, true] {
                if self.is_over(vm, begun) {
                    return Ok(());
                }
                let concrete = &tests[place].concrete;
                if let Some(filled) = self.neighbours.filled(vm, concrete, is_renamed) {
                    self.within_limits(vm, |search, vm| {
                        search.try_out(vm, &mut survivors, tests, (&filled, None))
                    })?;
                }
            }
        }
        for concrete in varied {
            if self.is_over(vm, begun) {
                return Ok(());
            }
            self.within_limits(vm, |search, vm| {
                search.try_out(vm, &mut survivors, tests, (concrete, None))
            })?;
        }
        while let Some(mutant) = survivors.next() {
            if self.is_over(vm, begun) {
                break;
            }
            let bases = &survivors.bases[&mutant];
            let base = match self.neighbours.tosses() {
                true => self.neighbours.pick(&bases.nearest),
                false => self.neighbours.pick(&bases.richest),
            };
            let near = match base {
                Some(base) if base.is_infected && self.neighbours.tosses() => {
                    self.neighbours.further(vm, &base.concrete)
                }
                Some(base) => self.neighbours.varied(vm, &base.concrete, VARIATIONS),
                None => None,
            };
            // A try counts even if nothing comes of it.
            survivors
                .tries
                .entry(mutant)
                .and_modify(|tries| *tries += 1);
            if let Some(near) = near {
                self.within_limits(vm, |search, vm| {
                    search.try_out(vm, &mut survivors, tests, (&near, Some(mutant)))
                })?;
            }
        }
        Ok(())
    }

    fn is_over(&self, vm: &Vm, begun: u64) -> bool {
        self.is_over_at(vm, begun, WORK)
    }

    /// Whether time is over, or so many instructions were run since `begun`.
    pub(super) fn is_over_at(&self, vm: &Vm, begun: u64, work: u64) -> bool {
        (self.watch.stops)() || vm.steps() - begun > work
    }

    /// Does some work whose runs have little memory and few instructions.
    pub(super) fn within_limits<T>(
        &mut self,
        vm: &mut Vm,
        work: impl FnOnce(&mut Self, &mut Vm) -> T,
    ) -> T {
        let withheld = vm.heap.withhold_beyond(RUN_BYTES);
        let steps = self.replayer.set_step_limit(RUN_STEPS);
        self.replayer.set_step_limit(steps.min(RUN_STEPS));
        let done = work(self, vm);
        self.replayer.set_step_limit(steps);
        vm.heap.withhold_again(withheld);
        done
    }

    /// Runs a sequence on the survivors that it reaches, the one that it was made for among them,
    /// and adds it as a test if it notices any.
    fn try_out(
        &mut self,
        vm: &mut Vm,
        survivors: &mut Survivors,
        tests: &mut Vec<SequenceTest>,
        (concrete, aim): (&Concrete, Option<usize>),
    ) -> Result<(), Error> {
        let is_due = |mutant: usize| Some(mutant) == aim || survivors.is_due(mutant);
        let kills = self.judge(vm, concrete, &is_due)?;
        let ran = kills.among_reached(&is_due);
        survivors.vain.note(&ran, &kills);
        let is_alive = |mutant: usize| survivors.tries.contains_key(&mutant);
        let richness = self.richness_of_call(vm, concrete)?;
        if kills.noticed.is_empty() || !self.is_clean(vm, concrete)? {
            let reached = TestKills {
                noticed: BTreeMap::new(),
                ..kills
            };
            survivors.note(concrete, &reached, richness);
            return Ok(());
        }
        let wanted: BTreeSet<usize> = kills.noticed.keys().copied().collect();
        let mut simple = self.simplified(vm, concrete, &wanted, false)?;
        if !self.is_clean(vm, &simple)? {
            simple = self.simplified(vm, concrete, &wanted, true)?;
        }
        let reached = self.replayer.reached(vm, self.goals, &simple)?;
        // The simple sequence may notice others.
        let mut kills = kills;
        kills
            .noticed
            .extend(self.judge(vm, &simple, &is_alive)?.noticed);
        survivors.note(concrete, &kills, richness);
        if let Some(reached) = reached {
            let mut test = SequenceTest::new(simple, reached);
            test.kills = kills.noticed.into_keys().collect();
            tests.push(test);
        }
        Ok(())
    }

    /// Simplifies a sequence that notices some mutants; it `is_always_clean` if each step is to be.
    fn simplified(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        wanted: &BTreeSet<usize>,
        is_always_clean: bool,
    ) -> Result<Concrete, Error> {
        let is_wanted = |mutant: usize| wanted.contains(&mutant);
        simplified(concrete.clone(), self.writer.plan, &mut |other| {
            if (self.watch.closes)() {
                return Ok(false);
            }
            let kills = self.judge(vm, other, &is_wanted)?;
            let mut all = wanted.iter();
            Ok(all.all(|mutant| kills.noticed.contains_key(mutant))
                && (!is_always_clean || self.is_clean(vm, other)?))
        })
    }

    fn richness_of_call(&mut self, vm: &mut Vm, concrete: &Concrete) -> Result<u32, Error> {
        let richness = self.richness(vm, concrete)?;
        Ok(richness.map_or(0, |richness| richness.of_call))
    }

    pub(super) fn judge(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        wanted: &dyn Fn(usize) -> bool,
    ) -> Result<TestKills, Error> {
        let run = (&mut *self.replayer, &*self.goals);
        self.writer
            .judge(vm, run, self.table, concrete, wanted, self.watch)
    }

    /// Whether a sequence throws no exception that no test may have, and a test can assert its outcome.
    pub(super) fn is_clean(&mut self, vm: &mut Vm, concrete: &Concrete) -> Result<bool, Error> {
        let plan = self.writer.plan;
        // Into the object that the last statement creates a test injects nothing.
        if let Some(last) = concrete.statements.last() {
            let count = plan.invokables[last.invokable].injected().count();
            let mut given = last.arguments.iter().take(count);
            if given.any(|argument| *argument != StatementArgument::Null) {
                return Ok(false);
            }
        }
        // The code is run in another state, too, in which classes are to be initialized.
        let steps = self.replayer.set_step_limit(self.writer.step_limit);
        let is_clean = self.is_fit(vm, concrete);
        self.replayer.set_step_limit(steps);
        is_clean
    }

    fn is_fit(&mut self, vm: &mut Vm, concrete: &Concrete) -> Result<bool, Error> {
        let oracles = &self.writer.oracles;
        let unfit = oracles.unfit(vm, self.writer.plan, self.replayer, concrete)?;
        Ok(unfit.is_none() && self.writer.is_assertable(vm, self.replayer, concrete)?)
    }
}

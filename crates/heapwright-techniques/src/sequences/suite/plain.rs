//! Makes chosen tests plain, as long as they reach the same goals and notice the same mutants: those with
//! collaborators get the least arrangement and the values of which people think, the others lose values that
//! nobody writes.
//!
//! Invariant: a test loses no gain.

use heapwright_jvm::Vm;

use super::kill_search::TestSearch;
use super::minimal::SequenceTest;
use super::stub_scripts::StubScript;
use crate::Error;
use crate::sequences::explore::{aligned, named, usual};
use crate::sequences::model::Concrete;

/// Maximum number of instructions for all tests of a class.
const WORK: u64 = 2_000_000_000;
/// Maximum number of rounds for a test: what is left out may make more superfluous.
const ROUNDS: usize = 3;

/// What a test must not lose.
#[derive(Clone, Copy)]
struct Gains<'t> {
    /// The test with its goals and kills.
    test: &'t SequenceTest,
    /// The number of its statements before the last one that throw.
    throwing: usize,
}

impl TestSearch<'_, '_, '_> {
    /// Makes tests plain, as far as time allows.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn make_plain(
        &mut self,
        vm: &mut Vm,
        tests: &mut [SequenceTest],
        chosen: &[usize],
    ) -> Result<(), Error> {
        let begun = vm.steps();
        let mut models: Vec<Concrete> = Vec::new();
        for &place in chosen {
            if self.is_over_at(vm, begun, WORK) {
                break;
            }
            let test = tests[place].clone();
            // Without collaborators, what a test does besides catches faults that no mutant is like.
            let is_whole = test.is_rich
                || test.is_usual
                || StubScript::all(self.writer.plan, &test.concrete).is_empty();
            // Those of constructors that earlier statements call are added again.
            let reached = self.replayer.reached(vm, self.goals, &test.concrete)?;
            let test = SequenceTest {
                goals: reached.unwrap_or_default(),
                ..test
            };
            let concrete = self.within_limits(vm, |search, vm| {
                let throwing = search.throwing(vm, &test.concrete)?;
                let gains = Gains {
                    test: &test,
                    throwing: throwing.len(),
                };
                let plan = search.writer.plan;
                match is_whole {
                    true => {
                        let concrete = test.concrete.clone();
                        usual(concrete, plan, &mut |other| {
                            search.has_gains(vm, gains, other)
                        })
                    }
                    false => {
                        let concrete = search.plain(vm, gains, throwing)?;
                        let mut models = models.iter();
                        match models.find(|model| model.statements == concrete.statements) {
                            Some(model) => aligned(concrete, model, plan, &mut |other| {
                                search.has_gains(vm, gains, other)
                            }),
                            None => Ok(concrete),
                        }
                    }
                }
            })?;
            models.push(concrete.clone());
            if concrete != test.concrete
                && let Some(reached) = self.replayer.reached(vm, self.goals, &concrete)?
            {
                tests[place] = SequenceTest {
                    concrete,
                    goals: reached,
                    ..test
                };
            }
        }
        Ok(())
    }

    fn plain(
        &mut self,
        vm: &mut Vm,
        test: Gains<'_>,
        throwing: Vec<usize>,
    ) -> Result<Concrete, Error> {
        let mut concrete = test.test.concrete.clone();
        // Those before one that is left out keep their places.
        for number in throwing.into_iter().rev() {
            if let Some(other) = concrete.without_result(number)
                && self.has_gains(vm, test, &other)?
            {
                concrete = other;
            }
        }
        for _ in 0..ROUNDS {
            let before = concrete.clone();
            concrete = self.fused(vm, test, concrete)?;
            let plan = self.writer.plan;
            concrete = named(concrete, plan, &mut |other| self.has_gains(vm, test, other))?;
            concrete = self.with_plain_scripts(vm, test, concrete)?;
            if concrete == before {
                break;
            }
        }
        Ok(concrete)
    }

    /// Whether a sequence has the goals and kills of a test, and a test can assert its outcome.
    fn has_gains(
        &mut self,
        vm: &mut Vm,
        Gains { test, throwing }: Gains<'_>,
        concrete: &Concrete,
    ) -> Result<bool, Error> {
        if (self.watch.stops)() {
            return Ok(false);
        }
        // No value is plain with which the arrangement fails.
        if self.throwing(vm, concrete)?.len() > throwing {
            return Ok(false);
        }
        let reached = self.replayer.reached(vm, self.goals, concrete)?;
        let reached = reached.unwrap_or_default();
        if !test.goals.iter().all(|goal| reached.contains(goal)) {
            return Ok(false);
        }
        let is_wanted = |mutant: usize| test.kills.contains(&mutant);
        let kills = self.judge(vm, concrete, &is_wanted)?;
        let mut noticed = test.kills.iter();
        Ok(noticed.all(|mutant| kills.noticed.contains_key(mutant))
            && self.is_clean(vm, concrete)?)
    }

    /// Returns the statements before the last one that throw.
    fn throwing(&mut self, vm: &mut Vm, concrete: &Concrete) -> Result<Vec<usize>, Error> {
        let before = 0..concrete.statements.len().saturating_sub(1);
        let throwing = self.replayer.run(vm, concrete, &mut |_, ran| {
            let throwing = before.clone();
            throwing
                .filter(|&number| ran.search.thrown(number).is_some())
                .collect()
        })?;
        Ok(throwing.unwrap_or_default())
    }

    /// Lets statements take an earlier object instead of a further one that the same call made.
    fn fused(
        &mut self,
        vm: &mut Vm,
        test: Gains<'_>,
        mut concrete: Concrete,
    ) -> Result<Concrete, Error> {
        let mut number = concrete.statements.len().saturating_sub(1);
        while number > 1 {
            number -= 1;
            for earlier in 0..number {
                // Objects that differ tell more than one that is there twice.
                if concrete.are_elements(earlier, number) || self.differ(&concrete, earlier, number)
                {
                    continue;
                }
                if let Some(apart) = concrete.apart(earlier, number)
                    && self.has_gains(vm, test, &apart)?
                {
                    concrete = apart;
                    break;
                }
                if let Some(fused) = concrete.fused(earlier, number)
                    && self.has_gains(vm, test, &fused)?
                {
                    concrete = fused;
                    break;
                }
            }
        }
        Ok(concrete)
    }

    /// Whether two statements make different objects of one kind. Stubs do not count, which may do for each
    /// other.
    fn differ(&self, concrete: &Concrete, one: usize, other: usize) -> bool {
        let invokable = concrete.statements[one].invokable;
        let is_stub = self.writer.plan.invokables[invokable].stub.is_some();
        !is_stub && invokable == concrete.statements[other].invokable && {
            let [first, second] = [one, other].map(|place| &concrete.statements[place].arguments);
            first != second || concrete.values(one) != concrete.values(other)
        }
    }

    /// Makes the scripts of stubs simpler.
    fn with_plain_scripts(
        &mut self,
        vm: &mut Vm,
        test: Gains<'_>,
        mut concrete: Concrete,
    ) -> Result<Concrete, Error> {
        let plan = self.writer.plan;
        // Values alone change, so that places stay.
        for script in StubScript::all(plan, &concrete) {
            for step in 0.. {
                let Some(simpler) = script.simpler(&concrete, step) else {
                    break;
                };
                for simpler in simpler {
                    if simpler == concrete {
                        break;
                    }
                    if self.has_gains(vm, test, &simpler)? {
                        concrete = simpler;
                        break;
                    }
                }
            }
        }
        Ok(concrete)
    }
}

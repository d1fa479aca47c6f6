//! Searches for tests in large states: for each method under test the sequence of most richness.
//! Sequences grow by calls that other sequences make, on the same object and often with the same
//! values (cf. Pacheco et al., "Feedback-Directed Random Test Generation", ICSE 2007).
//!
//! Faults that no mutant is like show in such tests: they assert all that can be observed.
//!
//! **Invariant:** the search is bounded by work; time only ever ends it earlier.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;

use super::kill_search::TestSearch;
use super::minimal::SequenceTest;
use super::mutants::TestKills;
use super::richness::{Richness, Shown};
use super::stub_scripts::StubScript;
use crate::Error;
use crate::functional::AnswerInput;
use crate::sequences::explore::tidied;
use crate::sequences::model::Concrete;
use crate::statements::StatementArgument;
use crate::symbolic::InputValue;

/// Number of sequences that are grown, and of the populations in which they are.
const ROUNDS: usize = 1_200;
const POPULATIONS: usize = 3;
/// Maximum numbers of calls by which a sequence grows, and of its statements.
const CALLS: usize = 10;
const STATEMENTS: usize = 16;
/// Maximum numbers of instructions of the search, and until its results are made plain.
const WORK: u64 = 120_000_000;
const ALL_WORK: u64 = 240_000_000;
/// Richness that a test must have beyond those that there are.
const MORE: u32 = 4;

/// The richest sequences of what they show.
#[derive(Default)]
struct Richest {
    of: BTreeMap<Shown, (u32, Concrete)>,
}

impl Richest {
    fn add(&mut self, richness: Richness, concrete: &Concrete) {
        let Richness {
            shown,
            of_call: richness,
            is_access,
            ..
        } = richness;
        if is_access {
            return;
        }
        let length = concrete.statements.len();
        let is_better = self.of.get(&shown).is_none_or(|(known, other)| {
            richness > *known || richness == *known && length < other.statements.len()
        });
        if is_better {
            self.of.insert(shown, (richness, concrete.clone()));
        }
    }
}

impl TestSearch<'_, '_, '_> {
    /// Adds a test of each method in the richest state that is found, where the tests so far have
    /// poorer ones. `kills` are those of the tests, `varied` further sequences to begin with.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn add_rich(
        &mut self,
        vm: &mut Vm,
        (tests, kills): (&mut Vec<SequenceTest>, &mut Vec<TestKills>),
        varied: &[Concrete],
    ) -> Result<(), Error> {
        // What existing tests show in large states is not known.
        if self.table.has_existing {
            return Ok(());
        }
        let begun = vm.steps();
        let mut known: BTreeMap<Shown, u32> = BTreeMap::new();
        let mut populations: [Richest; POPULATIONS] = Default::default();
        // Sequences by what they show.
        let mut donors: BTreeMap<Shown, Vec<Concrete>> = BTreeMap::new();
        let first: Vec<Concrete> = tests.iter().map(|test| test.concrete.clone()).collect();
        for (number, concrete) in first.iter().chain(varied).enumerate() {
            if self.is_enough(vm, begun) {
                break;
            }
            if let Some(richness) = self.richness(vm, concrete)? {
                if number < first.len() {
                    let known = known.entry(richness.shown).or_default();
                    *known = richness.of_call.max(*known);
                }
                for richest in &mut populations {
                    richest.add(richness, concrete);
                }
                donors
                    .entry(richness.shown)
                    .or_default()
                    .push(concrete.clone());
            }
        }
        let donors: Vec<Vec<Concrete>> = donors.into_values().collect();
        for round in 0..ROUNDS {
            if self.is_enough(vm, begun) {
                break;
            }
            self.grow(vm, &donors, &mut populations[round % POPULATIONS])?;
        }
        // Tests from different populations show different states.
        let shown: BTreeSet<Shown> = populations
            .iter()
            .flat_map(|one| one.of.keys())
            .copied()
            .collect();
        for (number, shown) in shown.into_iter().enumerate() {
            let Some((richness, concrete)) = populations[number % POPULATIONS].of.remove(&shown)
            else {
                continue;
            };
            let least = known.get(&shown).copied().unwrap_or_default() + MORE;
            if self.is_over_at(vm, begun, ALL_WORK) || kills.len() < tests.len() {
                break;
            }
            if richness < least || !self.is_clean(vm, &concrete)? {
                continue;
            }
            let simple = tidied(concrete, self.writer.plan, &mut |other| {
                if self.is_over_at(vm, begun, ALL_WORK) {
                    return Ok(false);
                }
                let same = self.richness(vm, other)?;
                Ok(same.is_some_and(|same| same.shown == shown && same.of_call >= richness))
            })?;
            if !self.is_clean(vm, &simple)? {
                continue;
            }
            let noticed = self.judge(vm, &simple, &|_| true)?;
            let mut test = SequenceTest::new(simple, Vec::new());
            test.kills = noticed.noticed.keys().copied().collect();
            test.is_rich = true;
            tests.push(test);
            kills.push(noticed);
        }
        Ok(())
    }

    /// Adds those of some usual sequences that notice mutants. They are left as people write them: what
    /// no mutant needs shows other faults.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn add_usual(
        &mut self,
        vm: &mut Vm,
        (tests, kills): (&mut Vec<SequenceTest>, &mut Vec<TestKills>),
        usual: &[Concrete],
    ) -> Result<(), Error> {
        let begun = vm.steps();
        for concrete in usual {
            if self.is_over_at(vm, begun, WORK) || kills.len() < tests.len() {
                break;
            }
            // Other objects are shown by the richest states.
            let plan = self.writer.plan;
            let mut made = concrete.statements.iter();
            if !made.any(|made| plan.invokables[made.invokable].stub.is_some()) {
                continue;
            }
            let concrete = self.without_unasked(vm, concrete)?;
            if !self.is_clean(vm, &concrete)? {
                continue;
            }
            let noticed = self.judge(vm, &concrete, &|_| true)?;
            let reached = self.replayer.reached(vm, self.goals, &concrete)?;
            if noticed.noticed.is_empty() {
                continue;
            }
            let given = self.writer.plan.count_given(&concrete);
            let mut test = SequenceTest::new(concrete, reached.unwrap_or_default());
            test.kills = noticed.noticed.keys().copied().collect();
            test.is_usual = true;
            test.given = given;
            tests.push(test);
            kills.push(noticed);
        }
        Ok(())
    }

    /// Returns a sequence without the answers of stubs for which nobody asks, and without what only these
    /// need.
    fn without_unasked(&mut self, vm: &mut Vm, concrete: &Concrete) -> Result<Concrete, Error> {
        let writer = &mut *self.writer;
        let asked = self.replayer.run(vm, concrete, &mut |vm, ran| {
            let objects = writer.objects(ran, concrete);
            writer.asked_methods(vm, &objects)
        })?;
        let Some(asked) = asked else {
            return Ok(concrete.sliced(0));
        };
        let mut asking = concrete.clone();
        for (number, statement) in concrete.statements.iter().enumerate() {
            let invokable = &self.writer.plan.invokables[statement.invokable];
            let Some((before, inputs)) = invokable.script_inputs() else {
                continue;
            };
            for (at, (method, input)) in (before..).zip(inputs) {
                let name = vm.text(vm.method(method.method).name).to_owned();
                let calls = asked.get(&(number, name, method.parameters.len()));
                let calls = calls.map_or(0, Vec::len);
                let is_unasked = match input {
                    AnswerInput::Object => calls == 0,
                    AnswerInput::Later | AnswerInput::IsKept => calls < 2,
                    AnswerInput::IsThrowing(call) | AnswerInput::Value(call) => call >= calls,
                    AnswerInput::IsParameter => false,
                };
                if !is_unasked {
                    continue;
                }
                let argument = &mut asking.statements[number].arguments[at];
                if let StatementArgument::Result(_) = argument {
                    *argument = StatementArgument::Null;
                    continue;
                }
                let open = statement.arguments[..at].iter();
                let open = open.filter(|argument| **argument == StatementArgument::Open);
                let root = concrete.places(number).start + open.count();
                let roots = &mut asking.input.roots;
                match input {
                    AnswerInput::IsKept => {
                        roots[root].1 = InputValue::Primitive(Kind::Boolean, 1);
                    }
                    AnswerInput::IsThrowing(_) => {
                        roots[root].1 = InputValue::Primitive(Kind::Boolean, 0);
                    }
                    // The last answer is that of all further calls.
                    AnswerInput::Value(1..) => roots[root].1 = roots[root - 1].1.clone(),
                    _ => {}
                }
            }
        }
        Ok(asking.sliced(0))
    }

    /// Lets a sequence grow as long as its calls return.
    fn grow(
        &mut self,
        vm: &mut Vm,
        donors: &[Vec<Concrete>],
        richest: &mut Richest,
    ) -> Result<(), Error> {
        let begun = match self.neighbours.tosses() {
            true => self.donor(donors),
            false => self.rich_donor(richest),
        };
        let Some(mut current) = begun else {
            return Ok(());
        };
        let mut state = 0;
        for _ in 0..CALLS {
            let other = match self.neighbours.tosses() {
                true => self.donor(donors),
                false => self.rich_donor(richest),
            };
            let next = match (self.neighbours.tosses(), other) {
                (true, Some(other)) => self.neighbours.adopting(vm, &current, &other),
                _ if self.neighbours.tosses() => self.neighbours.further(vm, &current),
                _ => self.neighbours.near(vm, &current),
            };
            let Some(next) = next.filter(|next| next.statements.len() <= STATEMENTS) else {
                continue;
            };
            if let Some(richness) = self.richness(vm, &next)? {
                richest.add(richness, &next);
                if richness.of_state >= state || self.neighbours.tosses() {
                    state = richness.of_state;
                    current = next;
                }
            }
        }
        Ok(())
    }

    /// Returns one of the sequences, of each method alike.
    fn donor(&mut self, donors: &[Vec<Concrete>]) -> Option<Concrete> {
        let of_method = self.neighbours.pick(donors)?;
        self.neighbours.pick(of_method).cloned()
    }

    /// Returns one of the richest sequences.
    fn rich_donor(&mut self, richest: &Richest) -> Option<Concrete> {
        let all: Vec<&(u32, Concrete)> = richest.of.values().collect();
        let (_, concrete) = self.neighbours.pick(&all)?;
        Some(concrete.clone())
    }

    pub(super) fn richness(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
    ) -> Result<Option<Richness>, Error> {
        // With collaborators that do as they are told, a large state shows arrangement alone.
        if !StubScript::all(self.writer.plan, concrete).is_empty() {
            return Ok(None);
        }
        self.within_limits(vm, |search, vm| {
            search.writer.richness(vm, search.replayer, concrete)
        })
    }

    fn is_enough(&self, vm: &Vm, begun: u64) -> bool {
        self.is_over_at(vm, begun, WORK)
    }
}

//! Selects as few tests as needed, and writes their scripts.
//!
//! Invariant: each retained test reaches its goals in any order of tests, given the state restored
//! before each.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::{MethodId, Vm};
use heapwright_suite::{CallOutcome, Script, Suite};

use super::answers::forget_answers;
use super::candidates::uses_deprecated;
use super::cover::{needed, smallest};
use super::kill_search::TestSearch;
use super::minimal::SequenceTest;
use super::mutants::{MutantTable, complete_gains, note_kills};
use super::oracles::{Oracles, Undeclared, Unfit};
use super::pipeline::FurtherSequences;
use super::resets::{OrderReplay, TestReplay};
use super::statics::{self, Changes};
use super::writer::ScriptWriter;
use crate::Error;
use crate::findings::Failing;
use crate::observe::{Obstacle, invariant_sig};
use crate::sequences::explore::Neighbours;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{Concrete, CoverageCriterion, SequencesRequest};
use crate::sequences::plan::{RequestSubject, SearchPlan};
use crate::target::{NO_INVARIANT, find_invariant};
use crate::watch::{Watch, Watches};

/// Goals of sequences whose outcome no test can assert, with reasons.
type UnassertedGoals = Vec<(Vec<usize>, Obstacle)>;

/// The selected tests, and the reasons against the others.
pub(in crate::sequences) struct Selection {
    /// The retained tests, in the order of the suite.
    pub tests: Vec<SequenceTest>,
    pub suite: Suite,
    /// Failing tests, in a separate suite.
    pub failing: Failing,
    pub untold: UnassertedGoals,
    /// Whether the analysis found all classes whose static state tests change.
    pub is_static_seen: bool,
    /// The mutants, if they were asked for.
    pub mutants: Option<MutantTable>,
}

impl Selection {
    /// Whether some tests were not written for lack of time.
    pub(in crate::sequences) fn is_cut_short(&self) -> bool {
        let mut untold = self.untold.iter();
        untold.any(|(_, obstacle)| *obstacle == Obstacle::Time)
    }
}

impl RequestSubject {
    /// Selects as few tests as needed, each with its script. A test whose outcome cannot be
    /// asserted is replaced by others that reach the same goals.
    ///
    /// The sequences in `asserting` end with a failing assertion. `further` ones are tried where mutants are
    /// left. Existing tests cover the goals in `before`.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn select(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        (goals, before): (&mut GoalTable, &BTreeSet<usize>),
        (mut tests, asserting): (Vec<SequenceTest>, Vec<Concrete>),
        further: &FurtherSequences,
        watches: Watches<'_>,
    ) -> Result<Selection, Error> {
        let watch = watches.writing;
        let oracles = Oracles::new(vm, self.class, request, self.refuses_nulls(request))?;
        let (undeclared, mut untold) = self.take_undeclared(
            vm,
            request,
            goals,
            &oracles,
            (&mut tests, &asserting),
            watch,
        )?;
        for test in &mut tests {
            let concrete = std::mem::take(&mut test.concrete);
            test.concrete = concrete.with_filled_arrays(&self.plan);
        }
        let invariant = match request.invariant.as_deref() {
            Some(NO_INVARIANT) => None,
            Some(name) => Some(find_invariant(vm, self.class, Some(name))?),
            None => find_invariant(vm, self.class, None).ok(),
        };
        let mutants = request
            .mutants
            .map(|group| MutantTable::new(vm, self.class, request, group));
        if let Some(mutants) = &mutants {
            let mut replayer = self.replayer(vm, request, goals, &self.plan);
            let mut writer = self.writer(vm, request, &self.plan, invariant, &oracles);
            let run = (&mut replayer, &*goals);
            let mut kills = note_kills(vm, &mut writer, run, mutants, &mut tests, watch)?;
            let criteria = &self.analysis.criteria;
            let mut neighbours = Neighbours::new(vm, goals, &self.plan, criteria, request);
            let mut search = TestSearch {
                writer: &mut writer,
                replayer: &mut replayer,
                goals,
                table: mutants,
                neighbours: &mut neighbours,
                watch: watches.varying,
            };
            search.add_usual(vm, (&mut tests, &mut kills), &further.usual)?;
            search.add_rich(vm, (&mut tests, &mut kills), &further.varied)?;
            search.add_killing(vm, &mut tests, &kills, &further.varied)?;
            let chosen = smallest(&tests, mutants.requested(), before);
            search.watch = watches.polishing;
            search.make_plain(vm, &mut tests, &chosen)?;
            self.add_constructed(goals, &mut tests);
            let run = (&mut replayer, &*goals);
            complete_gains(vm, &mut writer, run, mutants, &mut tests, watch)?;
        }
        loop {
            let mut chosen = match &mutants {
                Some(mutants) => smallest(&tests, mutants.requested(), before),
                None => needed(&tests, before),
            };
            // No others are tried in place of those that cannot be written.
            if (watch.closes)() {
                tests = chosen.drain(..).map(|place| tests[place].clone()).collect();
                chosen = (0..tests.len()).collect();
            }
            let kept: Vec<SequenceTest> = chosen
                .into_iter()
                .map(|place| tests[place].clone())
                .collect();
            let mut plan = self.plan.clone();
            // Tests may change static state that the analysis did not find, hence this check
            // without any in the plan. If time is over, the later trial of the tests finds such
            // changes.
            let mut changes = Changes::default();
            if !(watch.closes)() {
                let mut replayer = self.replayer(vm, request, goals, &self.plan);
                changes = statics::changes(vm, &mut plan, &mut replayer, &kept)?;
            }
            // A test may follow one that throws.
            plan.is_loose |= !changes.found.is_empty();
            let mut replayer = self.replayer(vm, request, goals, &plan);
            let first = self.replayer(vm, request, goals, &plan);
            let mut writer = self.writer(vm, request, &plan, invariant, &oracles);
            let mut replay = OrderReplay {
                before: first,
                tests: TestReplay {
                    replayer: &mut replayer,
                    goals,
                    stops: watch.closes,
                },
            };
            let resets = match writer.resets(vm, &mut replay, &kept, &changes) {
                Err(Error::Stopped) => continue,
                resets => resets?,
            };
            let written = writer.write_tests(
                vm,
                (&mut replayer, &*goals),
                mutants.as_ref(),
                (kept, resets.obstacles),
                before,
                watch,
            )?;
            let is_short = !(written.failed.is_empty() && written.lost.is_empty());
            forget_answers(&mut tests, &written.lost);
            for (test, obstacle) in written.failed {
                tests.retain(|other| other.concrete != test.concrete);
                untold.push((test.goals, obstacle));
            }
            if is_short && !(watch.closes)() {
                continue;
            }
            let late = written.late.into_iter();
            untold.extend(late.map(|test| (test.goals, Obstacle::Time)));
            let mut written = written.tests;
            let place = |test: &SequenceTest| {
                let is_same = |other: &SequenceTest| other.concrete == test.concrete;
                tests.iter().position(is_same)
            };
            written.sort_by_cached_key(|(test, _)| place(test));
            let written = normal_first(written);
            let (kept, scripts): (Vec<SequenceTest>, Vec<Script>) = written.into_iter().unzip();
            // States do not include static state that the analysis did not find.
            let is_seen = |change: &statics::Change| self.plan.statics.contains(&change.class);
            let asserts_deprecated = scripts.iter().any(|script| uses_deprecated(vm, script));
            let suite = Suite {
                class_under_test: writer.class_sig(vm),
                invariant: invariant.map(|invariant| invariant_sig(vm, invariant)),
                cases: Vec::new(),
                scripts,
                hides: crate::hidden_names(vm, self.class),
                resets: resets.statements,
                uses_deprecated: asserts_deprecated
                    || vm.mentions(self.class, "Ljava/lang/Deprecated;"),
            };
            writer.write_undeclared(vm, &mut replayer, &undeclared)?;
            let (findings, scripts) = writer.take_failing();
            let failing = Failing {
                suite: Suite {
                    scripts,
                    ..suite.clone()
                },
                findings,
            };
            return Ok(Selection {
                tests: kept,
                suite,
                failing,
                untold,
                is_static_seen: changes.found.iter().all(is_seen),
                mutants,
            });
        }
    }

    /// Creates a writer of tests of a plan that has the classes of this subject.
    pub(super) fn writer<'a>(
        &'a self,
        vm: &mut Vm,
        request: &SequencesRequest,
        plan: &'a SearchPlan,
        invariant: Option<MethodId>,
        oracles: &Oracles,
    ) -> ScriptWriter<'a> {
        ScriptWriter::new(
            vm,
            &self.analysis,
            plan,
            invariant,
            oracles.clone(),
            request.step_limit,
            request.asserts_fields,
        )
    }

    /// Removes the tests that end with an undeclared exception, and reports their goals as not
    /// covered by other tests. Tests for which no time is left are dropped. Under the exception
    /// criterion nothing is removed.
    fn take_undeclared(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        goals: &mut GoalTable,
        oracles: &Oracles,
        (tests, asserting): (&mut Vec<SequenceTest>, &[Concrete]),
        watch: Watch<'_>,
    ) -> Result<(Vec<Undeclared>, UnassertedGoals), Error> {
        let mut replayer = self.replayer(vm, request, goals, &self.plan);
        let (mut found, mut untold) = (Vec::new(), Vec::new());
        if request.criterion == CoverageCriterion::Exceptions {
            return Ok((found, untold));
        }
        for test in std::mem::take(tests) {
            if watch.has_enough(tests.len()) {
                untold.push((test.goals, Obstacle::Time));
                continue;
            }
            match oracles.unfit(vm, &self.plan, &mut replayer, &test.concrete)? {
                Some(Unfit::Undeclared(undeclared)) => {
                    untold.push((test.goals, undeclared.obstacle(vm)));
                    found.push(undeclared);
                }
                Some(Unfit::Null) => untold.push((test.goals, Obstacle::UnguardedNull)),
                Some(Unfit::Untyped) => untold.push((test.goals, Obstacle::Unwritten)),
                None => tests.push(test),
            }
        }
        for concrete in asserting.iter().take_while(|_| !(watch.closes)()) {
            match oracles.unfit(vm, &self.plan, &mut replayer, concrete)? {
                Some(Unfit::Undeclared(undeclared)) => found.push(undeclared),
                Some(Unfit::Null | Unfit::Untyped) | None => {}
            }
        }
        Ok((found, untold))
    }
}

/// Returns tests with those of each method that return before those that throw, in the places of its
/// tests.
fn normal_first(tests: Vec<(SequenceTest, Script)>) -> Vec<(SequenceTest, Script)> {
    let method = |script: &Script| {
        let (step, _) = script.call_under_test()?;
        let method = &step.method;
        Some((
            step.class.name.clone(),
            method.name.clone(),
            method.descriptor.clone(),
        ))
    };
    let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, (_, script)) in tests.iter().enumerate() {
        places.entry(method(script)).or_default().push(place);
    }
    let throws = |script: &Script| matches!(script.outcome, CallOutcome::Threw { .. });
    let mut ordered: Vec<(usize, usize)> = Vec::new();
    for places in places.values() {
        let mut own = places.clone();
        own.sort_by_key(|&place| throws(&tests[place].1));
        ordered.extend(places.iter().copied().zip(own));
    }
    ordered.sort_unstable();
    let mut tests: Vec<Option<(SequenceTest, Script)>> = tests.into_iter().map(Some).collect();
    let ordered = ordered.into_iter();
    ordered
        .filter_map(|(_, place)| tests[place].take())
        .collect()
}

//! Mutation analysis of tests: which mutants of the code under test each test notices, and by which
//! observations.
//!
//! A test runs once on the original code and once on each mutant that this run came by. It notices
//! the mutant if it ends in another way or if one of its observations differs. What a test could
//! observe is compared, not only what it asserts, so that assertions can be chosen afterwards.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::Observation;
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::texts_of;
use super::minimal::SequenceTest;
use super::questions::{Inquiry, OriginalEnd, Question};
use super::replay::{ReplayedRun, Replayer};
use super::script::Inspected;
use super::writer::ScriptWriter;
use crate::Error;
use crate::mutation::{Mutant, OperatorGroup, made_by_tools, mutants_of};
use crate::observe::{in_other_language, is_same, text_of};
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{Concrete, SequencesRequest};
use crate::target::classes_under_test;
use crate::watch::Watch;

/// Instructions that a mutant may execute for each one of the original, and in addition; beyond
/// them it does not end.
const STEPS_PER_STEP: u64 = 20;
const MORE_STEPS: u64 = 100_000;
/// Number of tests that notice a mutant, after which further ones are not run on it: enough for a
/// choice among them.
const FEW: u32 = 3;

/// Mutants of the code under test.
///
/// Tests are to notice those by all operators, errors of logic included: suites that notice only a
/// small group of simple changes miss most faults that people make. Reports count those of the
/// group that was asked for.
pub(in crate::sequences) struct MutantTable {
    /// The mutants, those of the requested group first, by method and place.
    mutants: Vec<Mutant>,
    /// How many of them are of the requested group.
    requested: usize,
    /// The mutants by probes, once they were asked for. Other searches place other probes.
    blocks: RefCell<Option<Rc<MutantBlocks>>>,
    /// The numbers of those that existing tests notice.
    pub(super) killed_before: BTreeSet<usize>,
    /// Whether there are existing tests, of whose states nothing is known.
    pub(super) has_existing: bool,
}

/// What a test notices of one mutant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Noticed {
    /// An earlier statement throws, or the test does not end.
    Failure,
    /// The outcome of the call under test differs.
    Outcome,
    /// The observations with these numbers differ.
    Observations(Vec<usize>),
}

/// The mutants that a test notices.
#[derive(Clone, Debug, Default)]
pub(super) struct TestKills {
    /// What can be observed after the test.
    pub after: Vec<Observation>,
    /// The noticed mutants, by number.
    pub noticed: BTreeMap<usize, Noticed>,
    /// The mutants whose code the test or an observer runs.
    pub reached: BTreeSet<usize>,
    /// Those that leave another state behind, of which no observation tells.
    pub infected: BTreeSet<usize>,
    /// Whether the test ends with an exception.
    pub throws: bool,
    /// The goals that observers are to reach, each with the observations that do.
    pub asked: BTreeMap<usize, Vec<Observation>>,
}

impl MutantTable {
    /// Collects the mutants of a request's class, and if asked for of its member classes, and makes
    /// the code patchable.
    pub(in crate::sequences) fn new(
        vm: &mut Vm,
        class: ClassId,
        request: &SequencesRequest,
        group: OperatorGroup,
    ) -> MutantTable {
        let classes = classes_under_test(vm, class, request.tests_members);
        let mut methods: Vec<MethodId> = classes
            .iter()
            .flat_map(|&class| vm.class(class).methods.clone())
            .collect();
        if !request.has_boilerplate {
            let made = classes.iter().flat_map(|&class| made_by_tools(vm, class));
            let made: Vec<MethodId> = made.collect();
            methods.retain(|method| !made.contains(method));
        }
        let mut mutants = Vec::new();
        for method in methods {
            let Ok(listing) = vm.listing(method) else {
                continue;
            };
            let existing = request.existing.as_ref();
            let existing = existing.and_then(|existing| existing.of(vm, method));
            let is_noticed = |number| existing.is_some_and(|it| it.noticed.contains(&number));
            let own = mutants_of(vm, method, &listing, OperatorGroup::Logic);
            mutants.extend((0..).map(is_noticed).zip(own));
            vm.make_patchable(method);
        }
        let (mut all, others): (Vec<_>, Vec<_>) = mutants
            .into_iter()
            .partition(|(_, mutant)| group.contains(mutant.operator));
        let count = all.len();
        all.extend(others);
        let numbered = all.iter().enumerate();
        let killed_before = numbered.filter(|(_, (is_noticed, _))| *is_noticed);
        let killed_before = killed_before.map(|(number, _)| number).collect();
        let mutants: Vec<Mutant> = all.into_iter().map(|(_, mutant)| mutant).collect();
        MutantTable {
            mutants,
            requested: count,
            blocks: RefCell::default(),
            killed_before,
            has_existing: request.existing.is_some(),
        }
    }

    /// Returns the number of mutants.
    pub(super) fn len(&self) -> usize {
        self.mutants.len()
    }

    /// Returns the number of mutants of the requested group, which have the first numbers.
    pub(super) fn requested(&self) -> usize {
        self.requested
    }

    /// Returns for each mutant the number of tests known to notice it, before any generated test.
    fn times_before(&self) -> Vec<u32> {
        let times = |mutant| {
            if self.killed_before.contains(&mutant) {
                FEW
            } else {
                0
            }
        };
        (0..self.mutants.len()).map(times).collect()
    }

    /// Whether no test can notice a mutant.
    pub(super) fn is_equivalent(&self, mutant: usize) -> bool {
        self.mutants[mutant].is_equivalent
    }

    /// Returns the mutants of the requested group, which have the first numbers, and the numbers of
    /// those that existing tests notice.
    pub(in crate::sequences) fn into_requested(mut self) -> (Vec<Mutant>, BTreeSet<usize>) {
        self.mutants.truncate(self.requested);
        self.killed_before.split_off(&self.requested);
        (self.mutants, self.killed_before)
    }

    /// Returns the mutants by the probes that stand before them now.
    fn blocks(&self, vm: &Vm, goals: &GoalTable) -> Rc<MutantBlocks> {
        let mut known = self.blocks.borrow_mut();
        match &*known {
            Some(blocks) if goals.probes().eq(blocks.probes.iter().copied()) => Rc::clone(blocks),
            _ => {
                let blocks = Rc::new(MutantBlocks::new(vm, goals, &self.mutants));
                *known = Some(Rc::clone(&blocks));
                blocks
            }
        }
    }
}

/// Mutants by the probes that stand before them. Probes stand wherever straight code begins.
struct MutantBlocks {
    /// The numbers of the probes.
    probes: Vec<u32>,
    by_probe: FxHashMap<u32, Vec<usize>>,
    /// Those in code without probes, which any run may reach.
    others: Vec<usize>,
}

impl MutantBlocks {
    fn new(vm: &Vm, goals: &GoalTable, mutants: &[Mutant]) -> MutantBlocks {
        let mut places: FxHashMap<MethodId, BTreeMap<u16, u32>> = FxHashMap::default();
        for number in goals.probes() {
            let point = vm.point(number);
            places
                .entry(point.method)
                .or_default()
                .insert(point.at, number);
        }
        let mut blocks = MutantBlocks {
            probes: goals.probes().collect(),
            by_probe: FxHashMap::default(),
            others: Vec::new(),
        };
        for (number, mutant) in mutants.iter().enumerate() {
            let Some(places) = places.get(&mutant.method) else {
                blocks.others.push(number);
                continue;
            };
            if let Some((_, &probe)) = places.range(..=mutant.at).next_back() {
                blocks.by_probe.entry(probe).or_default().push(number);
            }
        }
        blocks
    }

    /// Returns the mutants behind some probes.
    fn behind(&self, probes: &FxHashSet<u32>) -> impl Iterator<Item = usize> {
        let of_probes = probes.iter().filter_map(|probe| self.by_probe.get(probe));
        of_probes.flatten().copied()
    }

    /// Returns the mutants whose code a run may have come by, from the probes that it visited.
    fn reached(&self, visited: &FxHashSet<u32>) -> BTreeSet<usize> {
        let others = self.others.iter().copied();
        self.behind(visited).chain(others).collect()
    }
}

impl ScriptWriter<'_> {
    /// Returns the mutants that a test notices, of those that are `wanted` and that it reaches.
    /// Those for which no time is left count as not noticed.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn judge(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &GoalTable),
        table: &MutantTable,
        concrete: &Concrete,
        wanted: &dyn Fn(usize) -> bool,
        watch: Watch<'_>,
    ) -> Result<TestKills, Error> {
        self.check_result(vm, replayer, concrete)?;
        let begun = vm.steps();
        let mut kills = TestKills::default();
        self.visited = Some(FxHashSet::default());
        self.answers = Some(Vec::new());
        self.pace.take_longest();
        self.digests.begin(vm);
        let mut of_run = FxHashSet::default();
        let mut steps_of_run = 0;
        let seen = replayer.run(vm, concrete, &mut |vm, ran| {
            steps_of_run = vm.steps() - begun;
            let visits = vm.visits().iter();
            of_run.extend(visits.map(|visit| visit.point));
            kills.throws = ran.thrown(vm).is_some();
            let digest = self.digest(vm, ran, concrete);
            let seen = self.look(vm, ran, concrete, Inspected::Observers);
            seen.map(|seen| (seen, digest))
        });
        let mut visited = self.visited.take().unwrap_or_default();
        let answers = self.answers.take().unwrap_or_default();
        let Some(Ok((original, digest))) = seen? else {
            return Ok(kills);
        };
        // Observers whose own code is changed answer otherwise in the same state.
        let blocks = table.blocks(vm, goals);
        let of_observers = blocks.reached(&visited);
        let has_digests = self.plan.statics.is_empty();
        visited.extend(of_run);
        let reached = blocks.reached(&visited);
        let of_observer = STEPS_PER_STEP * self.pace.take_longest();
        let limit = |steps: u64| steps * STEPS_PER_STEP + MORE_STEPS;
        let steps = limit(vm.steps() - begun);
        let usual = (
            replayer.set_step_limit(limit(steps_of_run)),
            std::mem::replace(&mut self.step_limit, steps),
        );
        let end = Rc::new(OriginalEnd::new(&original, answers));
        let questions = end.questions();
        let of_mutants = of_mutants(&blocks, &end, &questions);
        let mut failure = None;
        for &number in reached.iter().filter(|&&number| wanted(number)) {
            if (watch.closes)() {
                break;
            }
            let mutant = &table.mutants[number];
            let mut patch = match mutant.patch(vm) {
                Ok(Some(patch)) => patch,
                Ok(None) => continue,
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            vm.exchange(&mut patch);
            self.pace.begin_mutant(of_observer);
            let mut is_infected = false;
            let seen = replayer.run(vm, concrete, &mut |vm, ran| {
                let behind = self.digest(vm, ran, concrete);
                is_infected = behind.is_none() || behind != digest;
                let is_same = has_digests && !is_infected;
                if is_same && !of_observers.contains(&number) {
                    return Ok(None);
                }
                let asked = match of_mutants.get(&number) {
                    Some(asked) if is_same => asked.clone(),
                    None if is_same && !blocks.others.contains(&number) => Vec::new(),
                    _ => questions.clone(),
                };
                self.inquiry = Some(Inquiry::new(&end, asked));
                let seen = self.look(vm, ran, concrete, Inspected::Observers);
                let inquiry = self.inquiry.take();
                seen.map(|seen| Some(seen).zip(inquiry))
            });
            vm.exchange(&mut patch);
            let noticed = match seen {
                Ok(Some(Ok(None))) => None,
                Ok(Some(Ok(Some((mutated, asked))))) => match end.differing(&mutated, &asked) {
                    None => Some(Noticed::Outcome),
                    Some(differing) if differing.is_empty() => None,
                    Some(differing) => Some(Noticed::Observations(differing)),
                },
                Err(Error::Stopped) => break,
                Ok(None | Some(Err(_))) => Some(Noticed::Failure),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            match noticed {
                Some(noticed) => {
                    kills.noticed.insert(number, noticed);
                }
                None if is_infected => {
                    kills.infected.insert(number);
                }
                None => {}
            }
        }
        self.pace.end_mutants();
        replayer.set_step_limit(usual.0);
        self.step_limit = usual.1;
        match failure {
            Some(error) => Err(error),
            None => {
                let candidates = original.candidates.into_iter();
                kills.after = candidates.map(|candidate| candidate.observation).collect();
                kills.reached = reached;
                self.leave_out_unsteady(vm, replayer, concrete, &mut kills)?;
                Ok(kills)
            }
        }
    }

    /// Leaves out what a test notices by observations that are others in another language, which no test
    /// asserts.
    fn leave_out_unsteady(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
        kills: &mut TestKills,
    ) -> Result<(), Error> {
        let is_seen = |noticed: &Noticed| matches!(noticed, Noticed::Observations(_));
        if !kills.noticed.values().any(is_seen) {
            return Ok(());
        }
        let other = in_other_language(vm, |vm| {
            replayer.run(vm, concrete, &mut |vm, ran| {
                self.look(vm, ran, concrete, Inspected::Observers)
            })
        });
        let Some(Ok(other)) = other? else {
            return Ok(());
        };
        let others = texts_of(&other.candidates);
        let steady = kills
            .after
            .iter()
            .map(|seen| others.contains(&text_of(seen)));
        let steady: Vec<bool> = steady.collect();
        kills.noticed.retain(|_, noticed| match noticed {
            Noticed::Observations(numbers) => {
                numbers.retain(|&number| steady[number]);
                !numbers.is_empty()
            }
            _ => true,
        });
        Ok(())
    }
}

impl ScriptWriter<'_> {
    /// Returns the digest of a run at its end.
    fn digest(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
    ) -> Option<u64> {
        let called = self.under_test(concrete);
        let kind = called.map_or(Kind::Void, |method| vm.method(method).result);
        let objects = self.objects(ran, concrete);
        self.digests.of(vm, ran, concrete, (kind, &objects))
    }
}

/// Returns the questions whose observers run the code of each mutant.
fn of_mutants(
    blocks: &MutantBlocks,
    end: &OriginalEnd,
    questions: &[Question],
) -> FxHashMap<usize, Vec<Question>> {
    let mut of_mutants: FxHashMap<usize, Vec<Question>> = FxHashMap::default();
    for question in questions {
        let mutants: BTreeSet<usize> = blocks.behind(end.visited(question)).collect();
        for mutant in mutants {
            of_mutants.entry(mutant).or_default().push(*question);
        }
    }
    of_mutants
}

impl TestKills {
    /// Returns the mutants whose code the test runs, of those that are `wanted`.
    pub(super) fn among_reached(&self, wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let reached = self.reached.iter().copied();
        reached.filter(|&mutant| wanted(mutant)).collect()
    }

    /// Returns few of the given observations that, with those `shown`, notice every mutant which
    /// one of all notices, and reach the goals that observers are asked to, the first ones in
    /// doubt. Mutants that the outcome shows need none.
    pub(super) fn needed(&self, given: &[&Observation], shown: &[usize]) -> BTreeSet<usize> {
        // The numbers, among those given, of the observations that notice each mutant.
        let places: Vec<Option<usize>> = self
            .after
            .iter()
            .map(|seen| given.iter().position(|other| is_same(seen, other)))
            .collect();
        let of_mutants = self.noticed.values().filter_map(|noticed| match noticed {
            Noticed::Observations(numbers) => {
                let by = numbers.iter().filter_map(|&number| places[number]);
                Some(by.collect())
            }
            _ => None,
        });
        let of_goals = self.asked.values().map(|by| by_places(by, given));
        let mut open: Vec<BTreeSet<usize>> = of_mutants.chain(of_goals).collect();
        open.retain(|by| !by.is_empty() && !shown.iter().any(|place| by.contains(place)));
        let mut needed = BTreeSet::new();
        while !open.is_empty() {
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            for place in open.iter().flatten() {
                *counts.entry(*place).or_default() += 1;
            }
            let best = counts
                .into_iter()
                .max_by_key(|&(place, count)| (count, std::cmp::Reverse(place)));
            let Some((best, _)) = best else {
                break;
            };
            needed.insert(best);
            open.retain(|by| !by.contains(&best));
        }
        needed
    }

    /// Returns the goals that the observations `asserted`, of those given, reach of those that they
    /// are asked to.
    pub(super) fn answered(&self, given: &[&Observation], asserted: &[usize]) -> Vec<usize> {
        let answered = self.asked.iter().filter(|(_, by)| {
            let by = by_places(by, given);
            asserted.iter().any(|place| by.contains(place))
        });
        answered.map(|(&goal, _)| goal).collect()
    }
}

/// Returns the places of some observations among those given.
fn by_places(observations: &[Observation], given: &[&Observation]) -> BTreeSet<usize> {
    let places = observations.iter();
    places
        .filter_map(|seen| given.iter().position(|other| is_same(seen, other)))
        .collect()
}

/// Number of vain runs of a mutant after which it is left out of every second run that it is not
/// the aim of; with twice as many, of two out of three, and so on.
const PATIENCE: u32 = 16;

/// Numbers of vain runs. Mutants that ran often in vain are mostly equivalent, and would take most
/// of the time.
#[derive(Default)]
pub(super) struct VainRuns {
    of: BTreeMap<usize, u32>,
    rounds: u32,
}

impl VainRuns {
    /// Whether a mutant runs in the current round.
    pub(super) fn is_due(&self, mutant: usize) -> bool {
        let runs = self.of.get(&mutant).copied().unwrap_or(0);
        let turn = self.rounds.wrapping_add(mutant as u32);
        turn.is_multiple_of(1 + runs / PATIENCE)
    }

    /// Notes what came of a round in which these mutants ran, and begins the next.
    pub(super) fn note(&mut self, ran: &[usize], kills: &TestKills) {
        for &mutant in ran {
            if !kills.noticed.contains_key(&mutant) {
                *self.of.entry(mutant).or_default() += 1;
            }
        }
        self.rounds = self.rounds.wrapping_add(1);
    }
}

/// Notes with each test the mutants that it notices, of those that few tests before it notice;
/// returns these in the order of the tests, fewer if no time is left.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(super) fn note_kills(
    vm: &mut Vm,
    writer: &mut ScriptWriter<'_>,
    (replayer, goals): (&mut Replayer<'_>, &GoalTable),
    table: &MutantTable,
    tests: &mut [SequenceTest],
    watch: Watch<'_>,
) -> Result<Vec<TestKills>, Error> {
    let mut all = Vec::new();
    let mut times = table.times_before();
    let mut vain = VainRuns::default();
    for test in tests {
        if (watch.stops)() {
            break;
        }
        let run = (&mut *replayer, goals);
        let concrete = &test.concrete;
        let is_wanted = |mutant: usize| times[mutant] < FEW && vain.is_due(mutant);
        let kills = writer.judge(vm, run, table, concrete, &is_wanted, watch)?;
        let ran: Vec<usize> = kills.among_reached(&is_wanted);
        vain.note(&ran, &kills);
        for &mutant in kills.noticed.keys() {
            times[mutant] += 1;
        }
        test.kills = kills.noticed.keys().copied().collect();
        all.push(kills);
    }
    Ok(all)
}

/// Completes what each test notices, of the mutants that few tests are known to notice, and what it
/// covers beside its last call, so that fewer tests can be chosen; ends early if no time is left.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(super) fn complete_gains(
    vm: &mut Vm,
    writer: &mut ScriptWriter<'_>,
    (replayer, goals): (&mut Replayer<'_>, &GoalTable),
    table: &MutantTable,
    tests: &mut [SequenceTest],
    watch: Watch<'_>,
) -> Result<(), Error> {
    let mut times = table.times_before();
    for &mutant in tests.iter().flat_map(|test| &test.kills) {
        times[mutant] += 1;
    }
    // Those that no test notices were tried before.
    let open = |times: &[u32], mutant: usize| (1..FEW).contains(&times[mutant]);
    for test in &mut *tests {
        if (watch.stops)() {
            return Ok(());
        }
        writer.note_goals_beside(vm, (&mut *replayer, goals), test)?;
    }
    for test in tests {
        if (watch.stops)() {
            break;
        }
        let is_wanted =
            |mutant: usize| open(&times, mutant) && test.kills.binary_search(&mutant).is_err();
        let run = (&mut *replayer, goals);
        let kills = writer.judge(vm, run, table, &test.concrete, &is_wanted, watch)?;
        for &mutant in kills.noticed.keys() {
            times[mutant] += 1;
        }
        let kills = test.kills.drain(..).chain(kills.noticed.into_keys());
        let kills: BTreeSet<usize> = kills.collect();
        test.kills = kills.into_iter().collect();
    }
    Ok(())
}

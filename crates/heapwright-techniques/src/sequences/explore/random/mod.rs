//! Searches randomly for sequences that run in new ways: calls are appended to known sequences and
//! their values varied (Pacheco et al., "Feedback-Directed Random Test Generation", ICSE 2007), and
//! each sequence with a call that runs in a new way enters a pool from which further ones come.
//!
//! `proposals` chooses what is run next: `drafts` appends calls, `variation` changes sequences,
//! `values` and `texts` their values with constants of the `dictionary` and with those that a user
//! has `given`, `focus` the values on
//! which an open branch depends. `runs` runs them, `pool` has those that ran in new ways, and
//! `simplify` simplifies those that reach a new goal.
//!
//! **Invariant:** the search claims nothing. It builds no components and counts no paths; the goals
//! that it reached stay reached, each by a sequence that was run a second time as a test runs it.

mod dictionary;
mod drafts;
mod focus;
mod given;
mod neighbours;
mod numbers;
mod pool;
mod proposals;
mod runs;
mod simplify;
mod texts;
mod usual;
mod usual_values;
mod values;
mod variation;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use heapwright_explore::symbolic::ProbeResult;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::outcome::{FoundSequence, SearchCounts, SearchOutcome};
use super::search::Explorer;
use crate::Error;
use crate::findings::Declared;
use crate::functional::AnswerInput;
use crate::observe::method_sig;
use crate::sequences::analysis::criteria::Criteria;
use crate::sequences::goals::Goal;
use crate::sequences::model::{Concrete, CoverageCriterion};
use crate::sequences::plan::SearchPlan;
use crate::statements::{Statement, StatementArgument};
use crate::symbolic::{InputValue, RunInput};

use dictionary::Dictionary;
use drafts::Draft;
pub(in crate::sequences) use neighbours::Neighbours;
pub(in crate::sequences) use simplify::{aligned, named, simplified, tidied, usual};

use focus::{Focus, Operands};
use numbers::Random;
use pool::Pool;
use runs::{Way, fails_assertion, has_null, hash_of, judged, run, thrown};
use usual::UsualSequences;
use values::Values;
use variation::truncated;

/// Effort of a turn, in instructions.
const TURN: u64 = 2_000_000;
/// Maximum number of instructions of a run.
const RUN_STEPS: u64 = 200_000;
/// Maximum number of bytes that a run allocates.
const RUN_BYTES: u64 = 8 << 20;
/// Effort of a run besides its instructions, and of each of its statements.
const RUN: u64 = 1_000;
const STATEMENT: u64 = 100;
/// Number of runs between two checks of `stops`.
const PATIENCE: u64 = 64;
/// Share of turns' runs that begin to focus on one open branch, in percent, and the number of runs
/// of a focus.
const FOCUS: usize = 8;
const FOCUS_RUNS: usize = 24;
/// Share of those that go on from the nearest sequence so far, in percent.
const AGAIN: usize = 60;
/// Number of runs of an arranged call with different values.
const ARRANGED: usize = 5;
/// Number of those runs with values that people write.
const USUAL: usize = 3;
/// Distance to an open side from which on each step counts.
const FEW_STEPS: u64 = 16;
/// Maximum number of sequences whose hashes are known.
const KNOWN: usize = 1 << 20;

/// Settings of the random search.
#[derive(Clone, Debug)]
pub(super) struct RandomSettings {
    /// The seed of its random numbers.
    pub seed: u64,
    /// The exceptions that calls in tests may throw.
    pub declared: Declared,
    /// Whether strings hold any characters, not only Latin-1.
    pub utf16: bool,
    /// Whether sequences such as people write are run before all other searches.
    pub begins_usual: bool,
}

/// The search.
pub(super) struct RandomSearch<'a> {
    plan: &'a SearchPlan,
    criteria: &'a Criteria,
    random: Random,
    values: Values<'a>,
    pool: Pool,
    /// The probes by their locations.
    points: FxHashMap<(MethodId, u16), u32>,
    /// The probes of branches with an open side that sequences of the pool visit.
    frontier: Vec<u32>,
    /// Their open goals.
    open: Vec<(u32, Goal)>,
    /// Invokables under test with open goals, and those that influence them.
    tested: Vec<usize>,
    building: Vec<usize>,
    length: usize,
    /// Hashes of the sequences that were run.
    known: FxHashSet<u64>,
    /// The sequences whose operands were nearest to an open side.
    nearest: FxHashMap<Goal, Nearest>,
    /// Number of sequences of other searches that are in the pool.
    seeds: usize,
    /// Sequences such as people write first.
    usual: UsualSequences,
    /// What the last run did of its last call.
    last_call: Option<LastCall>,
    runs: u64,
    /// Effort besides the instructions of runs.
    spent: u64,
    /// Library classes that runs initialised.
    initialized: BTreeSet<u32>,
}

/// A sequence whose operands were the nearest to an open side of a branch.
struct Nearest {
    /// The distance of its operands, and the largest that was the nearest before.
    distance: u64,
    first: u64,
    draft: Draft,
}

/// What a run did of its last call.
#[derive(Clone, Copy)]
enum LastCall {
    /// Its way.
    Ran(Way),
    /// The statement before it that threw.
    NotBegun(usize),
}

/// What a run showed of one of its calls.
struct CallTrace {
    /// The number of the statement.
    statement: usize,
    visits: Vec<ProbeVisit>,
    throws: bool,
    /// The goals that it reached, if that is a gain.
    gain: Option<BTreeSet<usize>>,
}

/// What a run showed.
struct Trace {
    /// The newest of the calls that ran in a new way, and all with a gain.
    calls: Vec<CallTrace>,
    /// The objects that the sequence created, by statement.
    classes: Vec<Option<ClassId>>,
}

impl<'a> Explorer<'a> {
    /// Gives the random search turns while they are due.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn search_randomly(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        while self.has_random_goals()
            && self.efforts.is_random_due()
            && !self.progress.goals.are_done(&self.progress.reached)
        {
            if self.take_random_turn(vm, stops)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Gives the random search turns until it is given up, after the other searches have ended.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn finish_randomly(
        &mut self,
        vm: &mut Vm,
        ending: SearchOutcome,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        let is_proved = ending == SearchOutcome::Closed && self.is_exhaustive();
        if !self.has_random_goals() || is_proved {
            return Ok(ending);
        }
        loop {
            let is_near = self.random.as_ref().is_some_and(|search| search.is_near());
            if self.efforts.random.in_vain >= self.efforts.most_at_end(is_near) {
                break;
            }
            if self.progress.goals.are_done(&self.progress.reached) {
                return Ok(SearchOutcome::AllReached);
            }
            if self.take_random_turn(vm, stops)?.is_break() {
                return Ok(SearchOutcome::Stopped);
            }
        }
        Ok(ending)
    }

    /// Whether the criterion has goals at which random sequences can aim.
    fn has_random_goals(&self) -> bool {
        matches!(
            self.progress.goals.criterion,
            CoverageCriterion::Branches | CoverageCriterion::Statements
        )
    }

    /// Runs random sequences until a turn is over.
    fn take_random_turn(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        self.with_random(vm, |vm, explorer, search| {
            search.take_turn(vm, explorer, stops)
        })
    }

    /// Runs sequences such as people write first, if they are asked for and the criterion has goals at which
    /// they can aim.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn run_usual(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<(), Error> {
        if !self.settings.begins_usual || !self.has_random_goals() {
            return Ok(());
        }
        self.with_random(vm, |vm, explorer, search| {
            search.run_usual(vm, explorer, stops)
        })
    }

    /// Lets the random search run sequences, in little memory each.
    fn with_random<T>(
        &mut self,
        vm: &mut Vm,
        runs: impl FnOnce(&mut Vm, &mut Explorer<'a>, &mut RandomSearch<'a>) -> T,
    ) -> T {
        let mut search = match self.random.take() {
            Some(search) => search,
            None => Box::new(RandomSearch::new(vm, self)),
        };
        let steps = self.search.set_step_limit(RUN_STEPS);
        self.search.set_step_limit(steps.min(RUN_STEPS));
        let withheld = vm.heap.withhold_beyond(RUN_BYTES);
        // One mark for all runs makes those within it cheap.
        let ended = vm.with_mark(|vm| runs(vm, self, &mut search));
        vm.heap.withhold_again(withheld);
        self.search.set_step_limit(steps);
        for &class in &search.initialized {
            // An initialiser's failure recurs when a program uses the class.
            let _ = vm.initialize_now(ClassId(class));
        }
        self.random = Some(search);
        ended
    }
}

/// Whether a distance is so much smaller that the search is worth going on with: half of the other
/// one, or a step nearer among the last few.
fn is_much_nearer(distance: u64, other: u64) -> bool {
    distance <= other / 2 || distance < other && other <= FEW_STEPS
}

/// Returns the numbers of the values of a sequence's last call, with the types and names of their
/// parameters.
fn parameters_of_last<'p>(
    plan: &'p SearchPlan,
    concrete: &Concrete,
) -> Vec<(usize, (&'p str, &'p str))> {
    let Some(last) = concrete.statements.last() else {
        return Vec::new();
    };
    let first = concrete.input.roots.len().saturating_sub(last.open());
    let arguments = last.arguments.iter().enumerate();
    let open = arguments.filter(|(_, argument)| **argument == StatementArgument::Open);
    let numbered = open.zip(first..);
    let parameters = numbered.filter_map(|((place, _), number)| {
        let parameter = plan.open_parameter(last.invokable, place)?;
        Some((number, parameter))
    });
    parameters.collect()
}

impl<'a> RandomSearch<'a> {
    /// Returns the sequences of the pool.
    pub(super) fn sequences(&self) -> Vec<Concrete> {
        let members = self.pool.members.iter();
        members
            .map(|member| member.draft.concrete.clone())
            .collect()
    }

    /// Returns sequences such as people write first, few of each method.
    pub(super) fn usual(&self) -> Vec<Concrete> {
        self.usual.all()
    }

    fn new(vm: &mut Vm, explorer: &Explorer<'a>) -> RandomSearch<'a> {
        let goals = &explorer.progress.goals;
        let points = goals.probes().map(|number| {
            let point = vm.point(number);
            ((point.method, point.at), number)
        });
        RandomSearch {
            plan: explorer.plan,
            criteria: explorer.criteria,
            random: Random::new(explorer.settings.seed),
            values: Values {
                plan: explorer.plan,
                dictionary: Dictionary::of(vm, goals, explorer.plan),
                is_nullable: explorer.bounds.nulls,
                utf16: explorer.settings.utf16,
                length: explorer.bounds.generation_length as usize,
            },
            pool: Pool::default(),
            points: points.collect(),
            frontier: Vec::new(),
            open: Vec::new(),
            tested: Vec::new(),
            building: Vec::new(),
            length: explorer.bounds.random_length as usize,
            known: FxHashSet::default(),
            nearest: FxHashMap::default(),
            seeds: 0,
            usual: UsualSequences::default(),
            last_call: None,
            runs: 0,
            spent: 0,
            initialized: BTreeSet::new(),
        }
    }

    fn take_turn(
        &mut self,
        vm: &mut Vm,
        explorer: &mut Explorer<'a>,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let mut turn = 0;
        self.aim(explorer);
        self.take_seeds(vm, explorer)?;
        while turn < TURN && !self.tested.is_empty() {
            if self.runs.is_multiple_of(PATIENCE) && stops(&explorer.progress.counts) {
                return Ok(ControlFlow::Break(()));
            }
            self.runs += 1;
            let (before, open) = (vm.steps() + self.spent, explorer.progress.open_goals());
            self.spent += RUN;
            if !self.open.is_empty() && self.random.is_likely(FOCUS) {
                self.focus(vm, explorer)?;
            } else if let Some(concrete) = self.propose(vm) {
                self.try_out(vm, explorer, &concrete, None)?;
            }
            let effort = vm.steps() + self.spent - before;
            let gained = open.saturating_sub(explorer.progress.open_goals());
            explorer.efforts.add_random(effort, gained);
            explorer.weigh_efforts();
            turn += effort;
            if gained > 0 {
                self.aim(explorer);
            }
        }
        // Nothing is left to call.
        if self.tested.is_empty() {
            explorer.efforts.add_random(TURN, 0);
            explorer.weigh_efforts();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Determines the invokables worth calling, and the branches with open sides.
    fn aim(&mut self, explorer: &mut Explorer<'a>) {
        explorer.aim();
        explorer.publish();
        let chosen = |flags: &[bool]| -> Vec<usize> {
            let numbered = flags.iter().enumerate();
            let chosen = numbered.filter_map(|(number, flag)| flag.then_some(number));
            chosen.collect()
        };
        self.tested = chosen(&explorer.is_tested);
        self.building = chosen(&explorer.is_relevant);
        let progress = &explorer.progress;
        let open = progress.goals.all.iter().zip(&progress.reached).enumerate();
        let open = open.filter(|(goal, (_, reached))| {
            **reached != Some(true) || progress.thrown.contains_key(goal)
        });
        let mut frontier: BTreeSet<u32> = BTreeSet::new();
        self.open.clear();
        for (_, (&goal, _)) in open {
            if let Goal::Branch(method, at, ..) = goal
                && let Some(&point) = self.points.get(&(method, at))
                && self.pool.visits(point)
            {
                frontier.insert(point);
                self.open.push((point, goal));
            }
        }
        self.frontier = frontier.into_iter().collect();
    }

    /// Takes the sequences that other searches found into the pool.
    fn take_seeds(&mut self, vm: &mut Vm, explorer: &mut Explorer<'a>) -> Result<(), Error> {
        while self.seeds < explorer.progress.found.len() {
            let found = &explorer.progress.found[self.seeds];
            self.seeds += 1;
            let concrete = found.concrete.clone();
            self.try_out(vm, explorer, &concrete, None)?;
        }
        for statements in std::mem::take(&mut explorer.arranged) {
            for number in 0..ARRANGED {
                if let Some(concrete) = self.with_values(vm, &statements, number < USUAL) {
                    self.try_out(vm, explorer, &concrete, None)?;
                }
            }
        }
        Ok(())
    }

    /// Returns a sequence with random values, or with usual ones.
    fn with_values(
        &mut self,
        vm: &mut Vm,
        statements: &[Statement],
        is_usual: bool,
    ) -> Option<Concrete> {
        let mut input = RunInput::default();
        for statement in statements {
            for (place, argument) in statement.arguments.iter().enumerate() {
                match argument {
                    StatementArgument::Open => {}
                    StatementArgument::OneOf(_) => return None,
                    _ => continue,
                }
                let (parameter, name) = self.plan.taking(statement.invokable, place)?;
                let (values, random) = (&self.values, &mut self.random);
                let mut value = values.fresh(vm, random, parameter, &mut input);
                if is_usual {
                    let usual = self.plan.usual(vm, (statement.invokable, place), name);
                    let of = (parameter, usual);
                    values.make_usual(vm, random, of, (&mut value, &mut input), false);
                    // Calls of stubs do not throw, and return their object.
                    let invokable = &self.plan.invokables[statement.invokable];
                    let answer = invokable.script_inputs().and_then(|(before, inputs)| {
                        Some(inputs.get(place.checked_sub(before)?)?.1)
                    });
                    if let (Some(answer), InputValue::Primitive(Kind::Boolean, slot)) =
                        (answer, &mut value)
                        && !matches!(answer, AnswerInput::Value(_))
                    {
                        *slot = u64::from(answer == AnswerInput::IsKept);
                    }
                }
                input.roots.push((name.to_owned(), value));
            }
        }
        Some(Concrete {
            statements: statements.to_vec(),
            input,
        })
    }

    /// Varies a sequence that leads to an open branch, towards operands that take its open side.
    fn focus(&mut self, vm: &mut Vm, explorer: &mut Explorer<'a>) -> Result<(), Error> {
        let Some(&(point, goal)) = self.random.pick(&self.open) else {
            return Ok(());
        };
        let focus = Focus::on(vm, &explorer.progress.goals, point, goal);
        let nearest = self.nearest.get(&goal);
        let nearest = nearest.filter(|_| self.random.is_likely(AGAIN));
        let visitor = self.pool.visitor(&mut self.random, point);
        let (Some(focus), Some(draft)) = (focus, nearest.map(|one| &one.draft).or(visitor)) else {
            return Ok(());
        };
        let mut draft = draft.clone();
        self.known.remove(&hash_of(&draft.concrete));
        let mut nearest = self.try_out(vm, explorer, &draft.concrete, Some(&focus))?;
        for _ in 0..FOCUS_RUNS {
            let Some(operands) = nearest.filter(|operands| operands.distance > 0) else {
                break;
            };
            let replaced = match self.random.below(100) {
                0..50 => focus.replaced(&mut self.random, &draft.concrete, operands),
                50..75 => self.crossed(&draft.concrete),
                _ => None,
            };
            let replaced = replaced.filter(|replaced| self.values.admit(replaced));
            let Some(other) = replaced.or_else(|| self.varied(vm, &draft)) else {
                continue;
            };
            let seen = self.try_out(vm, explorer, &other, Some(&focus))?;
            if let Some(seen) = seen
                && seen.distance <= operands.distance
            {
                // The places of objects are those of the statements before.
                let is_same = other.statements == draft.concrete.statements;
                draft.objects.retain(|_| is_same);
                draft.concrete = other;
                nearest = Some(seen);
            }
        }
        if let Some(operands) = nearest {
            let distance = operands.distance;
            let known = self.nearest.get(&goal);
            let first = known.map_or(distance, |known| known.first.max(distance));
            if known.is_some_and(|known| is_much_nearer(distance, known.distance)) {
                explorer.efforts.random.in_vain = 0;
            }
            if known.is_none_or(|known| distance <= known.distance) {
                let nearest = Nearest {
                    distance,
                    first,
                    draft,
                };
                self.nearest.insert(goal, nearest);
            }
        }
        Ok(())
    }

    /// Whether an open side of a branch is few steps away, and was farther away before.
    fn is_near(&self) -> bool {
        let mut open = self
            .open
            .iter()
            .filter_map(|(_, goal)| self.nearest.get(goal));
        open.any(|near| (1..=FEW_STEPS).contains(&near.distance) && near.distance < near.first)
    }

    /// Returns a sequence with one value of its last call exchanged for that of a parameter with the
    /// same name and type in another sequence of the pool: what is right may be spread over several.
    fn crossed(&mut self, concrete: &Concrete) -> Option<Concrete> {
        let own = parameters_of_last(self.plan, concrete);
        let (number, parameter) = *self.random.pick(&own)?;
        let mut same: Vec<(&Concrete, usize)> = Vec::new();
        for member in &self.pool.members {
            let other = &member.draft.concrete;
            let of_last = parameters_of_last(self.plan, other).into_iter();
            let of_last = of_last.filter(|(_, other)| *other == parameter);
            same.extend(of_last.map(|(number, _)| (other, number)));
        }
        let &(other, from) = self.random.pick(&same)?;
        let mut joined = other.behind(concrete);
        let from = concrete.input.roots.len() + from;
        joined.input.roots[number].1 = joined.input.roots[from].1.clone();
        let mut crossed = truncated(&joined, concrete.statements.len());
        values::compacted(&mut crossed.input);
        Some(crossed)
    }

    /// Whether a sequence has not been run before.
    fn is_unknown(&mut self, concrete: &Concrete) -> bool {
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(hash_of(concrete))
    }

    /// Runs a sequence, unless it was run before. If a call of it runs in a new way, the sequence
    /// up to it enters the pool; if that reaches a new goal, it is found. Returns the operands at a
    /// branch nearest to its open side.
    fn try_out(
        &mut self,
        vm: &mut Vm,
        explorer: &mut Explorer<'a>,
        concrete: &Concrete,
        focus: Option<&Focus>,
    ) -> Result<Option<Operands>, Error> {
        if !self.is_unknown(concrete) {
            return Ok(None);
        }
        debug_assert!(variation::is_well_formed(concrete), "{concrete:?}");
        self.spent += RUN + STATEMENT * concrete.statements.len() as u64;
        let mut nearest: Option<Operands> = None;
        let noted = focus.map(Focus::noted);
        let pool = &mut self.pool;
        let initialized = &mut self.initialized;
        let plan = self.plan;
        let Explorer {
            search, progress, ..
        } = explorer;
        let known = vec![None; concrete.input.objects.len()];
        search.note_operands(noted);
        let mut last_call = None;
        let traced = run(
            vm,
            plan,
            search,
            concrete,
            &known,
            &mut |vm, outcome, search| {
                let thrown = thrown(vm, outcome);
                let mut calls: Vec<CallTrace> = Vec::new();
                let starts = search.starts();
                if starts.len() < concrete.statements.len() {
                    last_call = starts.len().checked_sub(1).map(LastCall::NotBegun);
                }
                for (number, start) in starts.iter().enumerate() {
                    let statement = &concrete.statements[number];
                    if plan.roles[statement.invokable].under_test.is_none() {
                        continue;
                    }
                    let (next, all) = (starts.get(number + 1), search.events());
                    let visits = &vm.visits()
                        [start.visits..next.map_or(vm.visits().len(), |next| next.visits)];
                    let events = &all[..next.map_or(all.len(), |next| next.events)];
                    let is_last = next.is_none();
                    let thrown = thrown.filter(|_| is_last);
                    if number + 1 == concrete.statements.len() {
                        last_call = Some(LastCall::Ran(Way::of(visits, thrown.is_some())));
                    }
                    if !pool.count(visits, thrown.is_some()) {
                        continue;
                    }
                    let goals = progress
                        .goals
                        .places(vm, (visits, events, start.events), thrown);
                    let reached: Vec<usize> = goals.iter().copied().collect();
                    let is_unfit = is_last && progress.is_unfit(vm, outcome);
                    let is_gain = progress.is_new(&reached, is_unfit)
                        || thrown.is_none() && progress.is_better(&reached, 0);
                    calls.retain(|call| call.gain.is_some());
                    calls.push(CallTrace {
                        statement: number,
                        visits: visits.to_vec(),
                        throws: thrown.is_some(),
                        gain: is_gain.then_some(goals),
                    });
                }
                for event in search.events() {
                    if let (Some(focus), ProbeResult::Operands(slots)) = (focus, event.answer) {
                        let operands = focus.operands(vm, slots);
                        if nearest.is_none_or(|nearest| operands.distance < nearest.distance) {
                            nearest = Some(operands);
                        }
                    }
                }
                if calls.is_empty() {
                    return None;
                }
                initialized.extend(vm.begun_library_classes().iter().map(|class| class.0));
                let made = (0..search.completed()).map(|place| {
                    let gives = plan.roles[concrete.statements[place].invokable].gives_object;
                    let object = search
                        .object(place)
                        .filter(|object| gives && !object.is_null());
                    object.map(|object| vm.heap.class_of(object))
                });
                Some(Trace {
                    classes: made.collect(),
                    calls,
                })
            },
        );
        explorer.search.note_operands(None);
        self.last_call = last_call;
        let Some(trace) = traced?.flatten() else {
            return Ok(nearest);
        };
        let last = trace.calls.len() - 1;
        for (number, call) in trace.calls.iter().enumerate() {
            let shorter = truncated(concrete, call.statement + 1);
            if call.gain.is_some() {
                self.find(vm, explorer, &shorter, call.throws)?;
            }
            if number == last {
                let objects = self.objects(&shorter.statements, &trace.classes);
                let mut shorter = shorter;
                values::compacted(&mut shorter.input);
                let draft = Draft {
                    concrete: shorter,
                    objects,
                };
                self.pool.add(draft, &call.visits, call.throws);
            }
        }
        Ok(nearest)
    }

    /// Returns the objects that further statements may take.
    fn objects(
        &self,
        statements: &[Statement],
        classes: &[Option<ClassId>],
    ) -> Vec<(usize, ClassId)> {
        let mut objects = Vec::new();
        for (place, statement) in statements.iter().enumerate() {
            self.plan
                .serve(&statements[..place], statement, &mut objects);
            if self.plan.roles[statement.invokable].gives_object {
                let class = classes.get(place).copied().flatten();
                objects.extend(class.map(|class| (place, class)));
            }
        }
        objects
    }

    /// Whether a test may expect that the last call of a sequence throws an exception of a class.
    fn is_declared(
        &self,
        vm: &mut Vm,
        explorer: &Explorer<'a>,
        concrete: &Concrete,
        thrown: ClassId,
    ) -> bool {
        let last = concrete.statements.last();
        let method = last.and_then(|last| self.plan.roles[last.invokable].under_test);
        method.is_some_and(|method| {
            let sig = method_sig(vm, vm.method(method).class, method);
            let declared = &explorer.settings.declared;
            declared.covers(vm, &sig, thrown, has_null(concrete))
        })
    }

    /// Records a sequence that reaches new goals, in its simplest form.
    fn find(
        &mut self,
        vm: &mut Vm,
        explorer: &mut Explorer<'a>,
        concrete: &Concrete,
        throws: bool,
    ) -> Result<(), Error> {
        let Some((goals, thrown)) = judged(vm, explorer, concrete, true)? else {
            return Ok(());
        };
        if thrown.is_some_and(|thrown| thrown.is_of_null) {
            explorer.progress.record_null(&goals);
            return Ok(());
        }
        // A fault is in no test, and another call may return.
        if let Some(thrown) = thrown
            && !thrown.refuses
            && !self.is_declared(vm, explorer, concrete, thrown.class)
        {
            return Ok(());
        }
        let progress = &explorer.progress;
        let wanted: Vec<usize> = goals
            .into_iter()
            .filter(|goal| {
                progress.is_new(&[*goal], false) || !throws && progress.is_better(&[*goal], 0)
            })
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let values = &self.values;
        let simple = simplified(concrete.clone(), self.plan, &mut |other| {
            if !values.admit(other) {
                return Ok(false);
            }
            let reached = judged(vm, explorer, other, false)?;
            Ok(reached.is_some_and(|(goals, thrown)| {
                thrown.is_some() == throws && wanted.iter().all(|goal| goals.contains(goal))
            }))
        })?;
        let Some((goals, thrown)) = judged(vm, explorer, &simple, true)? else {
            return Ok(());
        };
        let class = thrown.map(|thrown| thrown.class);
        let fails_assertion = fails_assertion(vm, class);
        let most = class.map(|_| usize::MAX);
        explorer.progress.record(&goals, most, fails_assertion);
        explorer.publish();
        explorer.progress.found.push(FoundSequence {
            concrete: simple,
            fails_assertion,
        });
        self.seeds += usize::from(self.seeds + 1 == explorer.progress.found.len());
        Ok(())
    }
}

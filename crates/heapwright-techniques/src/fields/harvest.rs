//! What is made of the paths of one round, and what has come together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use heapwright_explore::End;
use heapwright_explore::symbolic::{Beyond, Outcome, PathEnd, SymbolicError, SymbolicSearch};
use heapwright_jvm::{Place, Vm};

use super::{
    Clock, Criterion, Cut, Estimate, FieldName, FieldRow, Graph, Member, Pair, Policy, Report,
    Request, Row, Subject, Vocabulary,
};
use crate::Error;
use crate::symbolic::{Ending, Harvest, Input, Part, Taker, Target, limit_text};

/// What a question to the solver counts as, in instructions.
const QUERY: u64 = 1_000;

/// How large a structure is: the objects of the class of which it has most, and all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub scope: u32,
    pub objects: u32,
}

/// The structures that are looked for in one search of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// Those of a size.
    Of(Size),
    /// Those of a size or a larger one.
    From(Size),
}

impl Round {
    fn has(self, size: Size) -> bool {
        match self {
            Round::Of(wanted) => size == wanted,
            Round::From(least) => size >= least,
        }
    }
}

/// A moment of a part of a round at which something is to be taken.
pub(super) struct Found {
    size: Size,
    /// A structure with pairs that were not known where it was found.
    structure: Option<(Input, Vec<Pair>)>,
    /// What was counted of this size in this part up to here, this path included.
    counts: Counts,
}

/// What paths came to.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    explored: u64,
    valid: u64,
    queries: u64,
    work: u64,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.explored += other.explored;
        self.valid += other.valid;
        self.queries += other.queries;
        self.work += other.work;
    }
}

/// What is counted in a part of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    sizes: BTreeMap<Size, Counts>,
    bounded: u64,
    bounded_by: Option<String>,
    refused: u64,
    refused_by: Option<String>,
    threw: u64,
    exception: Option<String>,
    unknown: u64,
    /// Pairs in structures that were handed out, by their size.
    pairs: BTreeMap<Size, BTreeSet<Pair>>,
    /// Fields that were looked at.
    read: BTreeSet<String>,
    /// What the search had counted at the last leaf.
    before: (u64, u64),
    /// How many of the predicted times are over.
    over: usize,
}

impl Tally {
    /// Adds what another part counted behind this one.
    fn add(&mut self, other: &Tally) {
        for (size, counts) in &other.sizes {
            self.sizes.entry(*size).or_default().add(counts);
        }
        self.bounded += other.bounded;
        self.refused += other.refused;
        self.threw += other.threw;
        self.unknown += other.unknown;
        for (own, others) in [
            (&mut self.bounded_by, &other.bounded_by),
            (&mut self.refused_by, &other.refused_by),
            (&mut self.exception, &other.exception),
        ] {
            if own.is_none() {
                own.clone_from(others);
            }
        }
        self.read.extend(other.read.iter().cloned());
    }
}

/// What workers do with the paths of a round.
pub(super) struct Harvester<'a> {
    request: &'a Request,
    round: Round,
    /// Pairs of structures that come before all that are still looked for.
    covered: RwLock<BTreeSet<Pair>>,
    vocabulary: Vocabulary,
    /// The predicted times of scopes without a row, counted from the start of the round.
    times: Vec<u64>,
    /// When the round began, if time is measured by the clock on the wall.
    began: Option<Instant>,
}

impl Harvester<'_> {
    pub fn new<'a>(request: &'a Request, state: &State<'_>, round: Round) -> Harvester<'a> {
        let (times, began) = state.times();
        Harvester {
            request,
            round,
            covered: RwLock::new(state.covered.clone()),
            vocabulary: state.vocabulary.clone(),
            times,
            began,
        }
    }

    /// Whether another of the predicted times is over.
    fn is_over(&self, counts: &Counts, tally: &mut Tally) -> bool {
        let before = tally.over;
        if before < self.times.len() {
            let now = self.began.map(|began| began.elapsed().as_millis() as u64);
            let now = now.unwrap_or(counts.work);
            let over = self.times.iter().filter(|&&time| now >= time);
            tally.over = over.count().max(before);
        }
        tally.over > before
    }

    fn is_new(&self, pair: &Pair, handed_out: &BTreeSet<Pair>) -> bool {
        let covered = self.covered.read().unwrap_or_else(PoisonError::into_inner);
        self.request.criterion.wants(pair) && !handed_out.contains(pair) && !covered.contains(pair)
    }

    /// Notes the fields that the path looked at, as long as there are some that none did.
    fn note_read(&self, vm: &Vm, search: &SymbolicSearch<'_>, tally: &mut Tally) {
        if tally.read.len() == self.vocabulary.fields().count() {
            return;
        }
        for input in search.input_objects() {
            let class = vm.binary_name(input.class);
            let display = &vm.class(input.class).display;
            let declared = display.iter().flat_map(|&class| &vm.class(class).fields);
            let declared: Vec<_> = declared.filter(|field| !field.is_static()).collect();
            for &(place, slot) in &input.slots {
                let name = match place {
                    Place::Element(index) => FieldName::Element(index as usize),
                    Place::Field(word) => {
                        let Some(field) = declared.iter().find(|field| field.word == word) else {
                            continue;
                        };
                        let owner = vm.binary_name(field.class);
                        FieldName::Field(Some(owner), vm.text(field.name).to_owned())
                    }
                    Place::Length => continue,
                };
                if let Some(name) = self.vocabulary.field(&class, &name)
                    && search.was_read(slot)
                {
                    tally.read.insert(name.to_owned());
                }
            }
        }
    }

    /// Counts how a path ended; whether it stands for a valid structure.
    fn count_end(&self, vm: &Vm, end: &PathEnd, tally: &mut Tally) -> bool {
        tally.unknown += u64::from(end.unknown > 0);
        match &end.outcome {
            Outcome::Returned(answer) => return *answer != 0,
            Outcome::Threw(exception) => {
                tally.threw += 1;
                let class = || vm.binary_name(vm.heap.class_of(*exception));
                tally.exception.get_or_insert_with(class);
            }
            Outcome::Bounded(bound) => {
                tally.bounded += 1;
                let bound = || Ending::Bounded(*bound).to_string();
                tally.bounded_by.get_or_insert_with(bound);
            }
            Outcome::Limit(limit) => {
                tally.bounded += 1;
                tally.bounded_by.get_or_insert_with(|| limit_text(*limit));
            }
            Outcome::Refused(reason) => {
                tally.refused += 1;
                tally.refused_by.get_or_insert_with(|| reason.clone());
            }
        }
        false
    }
}

impl Harvest for Harvester<'_> {
    type Item = Found;
    type Sum = Tally;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        let invariant = self.request.invariant.as_deref();
        Ok(Subject::find(vm, &self.request.paths.class, invariant)?.target)
    }

    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        tally: &mut Tally,
    ) -> Result<Option<Found>, Error> {
        let progress = search.progress();
        let now = (progress.steps, progress.queries);
        // What leads to the first leaf of a part is counted from there on.
        let (steps, queries) = (
            now.0.checked_sub(tally.before.0).unwrap_or(now.0),
            now.1.checked_sub(tally.before.1).unwrap_or(now.1),
        );
        tally.before = now;
        let (objects, scope) = search.counts();
        let size = Size { scope, objects };
        if !self.round.has(size) {
            return Ok(None);
        }
        self.note_read(vm, search, tally);
        let is_valid = self.count_end(vm, end, tally);
        let counts = tally.sizes.entry(size).or_default();
        counts.add(&Counts {
            explored: 1,
            valid: u64::from(is_valid),
            queries,
            work: steps + queries * QUERY,
        });
        let counts = *counts;
        let is_over = self.is_over(&counts, tally);
        let structure = match is_valid {
            true => self.structure(vm, target, search, size, tally)?,
            false => None,
        };
        let is_worth_it = is_over || structure.is_some();
        Ok(is_worth_it.then_some(Found {
            size,
            structure,
            counts,
        }))
    }
}

impl Harvester<'_> {
    /// The valid structure at hand, if it has new pairs.
    fn structure(
        &self,
        vm: &mut Vm,
        target: &Target,
        search: &mut SymbolicSearch<'_>,
        size: Size,
        tally: &mut Tally,
    ) -> Result<Option<(Input, Vec<Pair>)>, Error> {
        let shape = target.input(vm, search, &Default::default());
        let handed_out = tally.pairs.entry(size).or_default();
        let pairs = self.vocabulary.pairs(&Graph::from(&shape)).into_iter();
        let new = pairs.filter(|pair| self.is_new(pair, handed_out));
        let new: Vec<Pair> = new.collect();
        if new.is_empty() {
            return Ok(None);
        }
        let model = search.small_model(self.request.scope);
        let Some(model) = model.map_err(SymbolicError::from)? else {
            tally.unknown += 1;
            return Ok(None);
        };
        let input = target.input(vm, search, &model);
        handed_out.extend(new.iter().cloned());
        Ok(Some((input, new)))
    }
}

/// What has come together so far.
pub(super) struct State<'a> {
    request: &'a Request,
    vocabulary: &'a Vocabulary,
    start: Instant,
    covered: BTreeSet<Pair>,
    suite: Vec<Member>,
    found: Vec<(f64, String)>,
    rows: Vec<Row>,
    /// What is expected of each scope past the small ones.
    predictions: BTreeMap<u32, Prediction>,
    /// What was counted in the parts that are done, and how it stands in the one at hand.
    done: Counts,
    here: Counts,
    /// What else was counted.
    tally: Tally,
    /// The work up to the last new pair.
    last: u64,
}

/// What is expected of a scope.
#[derive(Clone, Debug, Default)]
struct Prediction {
    pairs: BTreeMap<String, u64>,
    work: Option<u64>,
}

impl<'a> State<'a> {
    pub fn new(request: &'a Request, vocabulary: &'a Vocabulary, start: Instant) -> State<'a> {
        State {
            request,
            vocabulary,
            start,
            covered: BTreeSet::new(),
            suite: Vec::new(),
            found: Vec::new(),
            rows: Vec::new(),
            predictions: BTreeMap::new(),
            done: Counts::default(),
            here: Counts::default(),
            tally: Tally::default(),
            last: 0,
        }
    }

    /// Paths of a size.
    pub fn paths_of(&self, size: Size) -> u64 {
        self.tally
            .sizes
            .get(&size)
            .map_or(0, |counts| counts.explored)
    }

    /// Whether the last scope has its row.
    pub fn is_finished(&self) -> bool {
        self.rows.len() >= self.request.scope as usize
    }

    fn policy(&self) -> Option<Policy> {
        self.request.policy
    }

    /// The predicted times of the scopes without a row, from now on; and now, if time is measured
    /// by the clock on the wall.
    fn times(&self) -> (Vec<u64>, Option<Instant>) {
        let is_wall = self
            .policy()
            .is_some_and(|policy| policy.clock == Clock::Wall);
        let now = self.elapsed(self.done.work);
        let next = self.rows.len() as u32 + 1;
        let times = self.predictions.range(next..);
        let times = times.filter_map(|(_, of)| Some(of.work?.saturating_sub(now)));
        (times.collect(), is_wall.then(Instant::now))
    }

    fn elapsed(&self, work: u64) -> u64 {
        match self.policy().map(|policy| policy.clock) {
            Some(Clock::Wall) => self.start.elapsed().as_millis() as u64,
            _ => work,
        }
    }

    /// Whether everything that was expected of a scope is there.
    fn is_reached(&self, scope: u32) -> Option<Cut> {
        if let Criterion::Given(pairs) = &self.request.criterion
            && pairs.len() == self.covered.len()
        {
            return Some(Cut::Covered);
        }
        let prediction = self.predictions.get(&scope)?;
        let counts = super::by_field(&self.covered);
        let is_reached = match prediction.work {
            Some(work) => self.elapsed(self.done.work + self.here.work) >= work,
            None => prediction.pairs.iter().all(|(field, expected)| {
                counts.get(field).copied().unwrap_or_default() >= *expected
            }),
        };
        is_reached.then_some(Cut::Estimate)
    }

    /// Writes the rows of the scopes of which everything expected is there; whether that was the
    /// last.
    pub fn settle(&mut self) -> Result<bool, Error> {
        while !self.is_finished() {
            let scope = self.rows.len() as u32 + 1;
            let Some(cut) = self.is_reached(scope) else {
                return Ok(false);
            };
            self.write_row(scope, Some(cut))?;
        }
        Ok(true)
    }

    /// The scopes up to this one were searched to their end.
    pub fn scopes_are_done(&mut self, scope: u32) -> Result<(), Error> {
        while self.rows.len() < scope as usize {
            self.write_row(self.rows.len() as u32 + 1, None)?;
            self.settle()?;
        }
        Ok(())
    }

    fn write_row(&mut self, scope: u32, cut: Option<Cut>) -> Result<(), Error> {
        let counts = super::by_field(&self.covered);
        let prediction = self.predictions.get(&scope);
        let names: BTreeSet<&str> = self.vocabulary.fields().collect();
        let fields = names.into_iter().map(|name| FieldRow {
            name: name.to_owned(),
            pairs: counts.get(name).copied().unwrap_or_default(),
            predicted: prediction.and_then(|of| of.pairs.get(name).copied()),
        });
        self.rows.push(Row {
            scope,
            suite_size: self.suite.len(),
            explored: self.done.explored + self.here.explored,
            valid: self.done.valid + self.here.valid,
            queries: self.done.queries + self.here.queries,
            work: self.last,
            predicted_work: prediction.and_then(|of| of.work),
            seconds: self.start.elapsed().as_secs_f64(),
            cut,
            fields: fields.collect(),
        });
        match self.policy() {
            Some(policy) if policy.small_scope == scope => self.predict(policy),
            _ => Ok(()),
        }
    }

    /// Works out what to expect of the scopes that are left.
    fn predict(&mut self, policy: Policy) -> Result<(), Error> {
        for scope in policy.small_scope + 1..=self.request.scope {
            let of = |values: &[u64]| policy.regression.predict(policy.estimate, values, scope);
            let mut prediction = Prediction::default();
            match policy.estimate {
                Estimate::Time => {
                    let values: Vec<u64> = self.rows.iter().map(|row| row.work).collect();
                    prediction.work = Some(of(&values)?);
                }
                Estimate::Size => {
                    for (place, field) in self.rows[0].fields.iter().enumerate() {
                        let values = self.rows.iter().map(|row| row.fields[place].pairs);
                        let values: Vec<u64> = values.collect();
                        prediction.pairs.insert(field.name.clone(), of(&values)?);
                    }
                }
            }
            self.predictions.insert(scope, prediction);
        }
        Ok(())
    }

    /// Takes a structure; its pairs that are new still.
    fn take(&mut self, input: Input, pairs: Vec<Pair>) -> Vec<Pair> {
        let new = pairs
            .into_iter()
            .filter(|pair| !self.covered.contains(pair));
        let new: Vec<Pair> = new.collect();
        if new.is_empty() {
            return new;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        self.found
            .extend(new.iter().map(|pair| (seconds, pair.field.clone())));
        self.covered.extend(new.iter().cloned());
        self.last = self.elapsed(self.done.work + self.here.work);
        self.suite.push(Member {
            input,
            adds: new.clone(),
        });
        new
    }

    pub fn report(mut self, end: End, vocabulary: &Vocabulary) -> Report {
        // What there was of the scope at hand.
        if end == End::Interrupted && !self.is_finished() {
            let scope = self.rows.len() as u32 + 1;
            let _ = self.write_row(scope, Some(Cut::Interrupted));
        }
        let missing = match &self.request.criterion {
            Criterion::Given(pairs) => pairs.difference(&self.covered).cloned().collect(),
            _ => Vec::new(),
        };
        let fields: BTreeSet<&str> = vocabulary.fields().collect();
        let is_read = |field: &&str| self.tally.read.contains(*field);
        let never_read = fields.into_iter().filter(|field| !is_read(field));
        Report {
            missing,
            never_read: never_read.map(str::to_owned).collect(),
            bounded: (self.tally.bounded, self.tally.bounded_by),
            covered: self.covered,
            refused: (self.tally.refused, self.tally.refused_by),
            threw: (self.tally.threw, self.tally.exception),
            unknown: self.tally.unknown,
            rows: self.rows,
            suite: self.suite,
            found: self.found,
            end,
        }
    }
}

/// Takes what the workers of a round have found.
pub(super) struct Taking<'a, 'b, 'c> {
    state: &'a mut State<'b>,
    harvester: &'a Harvester<'c>,
    pub beyond: Beyond,
    /// Of several sizes: what is taken once all is there.
    later: BTreeMap<Size, Vec<Found>>,
    tally: Tally,
}

impl<'a, 'b, 'c> Taking<'a, 'b, 'c> {
    pub fn new(state: &'a mut State<'b>, harvester: &'a Harvester<'c>) -> Taking<'a, 'b, 'c> {
        Taking {
            state,
            harvester,
            beyond: Beyond::default(),
            later: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Takes what was found of several sizes, one after the other; if that is all there is, each
    /// scope ends where the next begins.
    pub fn take_all(mut self, is_whole: bool) -> Result<(), Error> {
        let Round::From(_) = self.harvester.round else {
            return Ok(());
        };
        for (size, counts) in &self.tally.sizes {
            if is_whole {
                self.state.scopes_are_done(size.scope - 1)?;
            }
            for found in self.later.remove(size).unwrap_or_default() {
                self.state.here = found.counts;
                if let Some((input, pairs)) = found.structure {
                    self.state.take(input, pairs);
                }
            }
            self.state.here = Counts::default();
            self.state.done.add(counts);
        }
        Ok(())
    }
}

impl Taker<Harvester<'_>> for Taking<'_, '_, '_> {
    fn take(&mut self, found: Found) -> Result<ControlFlow<()>, Error> {
        if let Round::From(_) = self.harvester.round {
            self.later.entry(found.size).or_default().push(found);
            return Ok(ControlFlow::Continue(()));
        }
        self.state.here = found.counts;
        // A structure that was found when time was over comes too late.
        if self.state.settle()? {
            return Ok(ControlFlow::Break(()));
        }
        if let Some((input, pairs)) = found.structure {
            let new = self.state.take(input, pairs);
            let covered = self.harvester.covered.write();
            covered.unwrap_or_else(PoisonError::into_inner).extend(new);
            if self.state.settle()? {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finished(&mut self, part: Part<Tally>) {
        self.state.tally.add(&part.sum);
        self.tally.add(&part.sum);
        self.beyond.add(part.beyond);
        if let Round::Of(size) = self.harvester.round {
            let counts = part.sum.sizes.get(&size).copied();
            self.state.done.add(&counts.unwrap_or_default());
            self.state.here = Counts::default();
        }
    }
}

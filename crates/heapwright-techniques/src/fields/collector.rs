//! Collection of the workers' results: the suite, one row for each scope, and the ends of scopes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::PoisonError;
use std::time::Instant;

use heapwright_explore::End;
use heapwright_explore::symbolic::BeyondBounds;
use serde::{Deserialize, Serialize};

use super::harvest::{
    Harvester, PairPathCounts, PartInProgress, RoundEvent, RoundTally, ScopeSize, SizeRound,
};
use super::{
    Clock, Estimate, FieldRow, FieldsReport, FieldsRequest, Member, NoEstimate, Pair,
    PairCriterion, Policy, Row, ScopeCut, Vocabulary,
};
use crate::Error;
use crate::symbolic::{CutBy, CutCounts, RunInput, SymbolicPart, Taker};

/// Results collected so far, with what they are collected for.
pub(super) struct CollectorState<'a> {
    request: &'a FieldsRequest,
    pub vocabulary: &'a Vocabulary,
    start: Instant,
    found: Vec<(f64, String)>,
    pub collected: Collected,
}

/// Results collected so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Collected {
    pub covered: BTreeSet<Pair>,
    suite: Vec<Member>,
    rows: Vec<Row>,
    /// Predictions for the scopes beyond the small ones.
    predictions: BTreeMap<u32, Prediction>,
    /// Counts of the completed parts; the next field has those of the current part.
    done: PairPathCounts,
    here: PairPathCounts,
    /// Further counts.
    tally: RoundTally,
    /// Work until the last new pair.
    last: u64,
    /// First scope whose predicted time overflows.
    endless: Option<u32>,
}

impl Collected {
    /// Number of structures of the suite.
    pub fn structures(&self) -> usize {
        self.suite.len()
    }
}

/// Prediction for a scope.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Prediction {
    pairs: BTreeMap<String, u64>,
    work: Option<u64>,
}

impl<'a> CollectorState<'a> {
    /// State that goes on from results collected before.
    pub fn new(
        request: &'a FieldsRequest,
        vocabulary: &'a Vocabulary,
        collected: Collected,
    ) -> CollectorState<'a> {
        CollectorState {
            request,
            vocabulary,
            start: Instant::now(),
            found: Vec::new(),
            collected,
        }
    }

    /// Number of paths of a size.
    pub fn paths_of(&self, size: ScopeSize) -> u64 {
        self.collected.tally.of_size(size).explored
    }

    /// Whether the last scope has its row.
    pub fn is_finished(&self) -> bool {
        self.collected.rows.len() >= self.request.scope as usize
    }

    fn policy(&self) -> Option<Policy> {
        self.request.policy
    }

    /// Predicted times of the scopes without a row, relative to now; with the current time if
    /// wall-clock time is measured.
    pub fn times(&self) -> (Vec<u64>, Option<Instant>) {
        let is_wall = self
            .policy()
            .is_some_and(|policy| policy.clock == Clock::Wall);
        let now = self.elapsed(self.collected.done.work);
        let next = self.collected.rows.len() as u32 + 1;
        let times = self.collected.predictions.range(next..);
        let times = times.filter_map(|(_, of)| Some(of.work?.saturating_sub(now)));
        (times.collect(), is_wall.then(Instant::now))
    }

    fn elapsed(&self, work: u64) -> u64 {
        match self.policy().map(|policy| policy.clock) {
            Some(Clock::Wall) => self.start.elapsed().as_millis() as u64,
            _ => work,
        }
    }

    /// Whether a scope has reached its prediction, with the reason.
    fn is_reached(&self, scope: u32) -> Option<ScopeCut> {
        if let PairCriterion::Given(pairs) = &self.request.criterion
            && pairs.len() == self.collected.covered.len()
        {
            return Some(ScopeCut::Covered);
        }
        let prediction = self.collected.predictions.get(&scope)?;
        let counts = super::by_field(&self.collected.covered);
        let is_reached = match prediction.work {
            Some(work) => self.elapsed(self.collected.done.work + self.collected.here.work) >= work,
            None => prediction.pairs.iter().all(|(field, expected)| {
                counts.get(field).copied().unwrap_or_default() >= *expected
            }),
        };
        is_reached.then_some(ScopeCut::Estimate)
    }

    /// Writes the rows of scopes that have reached their prediction; returns whether the last scope
    /// is among them.
    pub fn settle(&mut self) -> Result<bool, Error> {
        while !self.is_finished() {
            let scope = self.collected.rows.len() as u32 + 1;
            let Some(cut) = self.is_reached(scope) else {
                return Ok(false);
            };
            self.write_row(scope, Some(cut))?;
        }
        Ok(true)
    }

    /// Records that the scopes up to this one were searched exhaustively.
    pub fn scopes_are_done(&mut self, scope: u32) -> Result<(), Error> {
        while self.collected.rows.len() < scope as usize {
            self.write_row(self.collected.rows.len() as u32 + 1, None)?;
            self.settle()?;
        }
        Ok(())
    }

    fn write_row(&mut self, scope: u32, cut: Option<ScopeCut>) -> Result<(), Error> {
        let counts = super::by_field(&self.collected.covered);
        let prediction = self.collected.predictions.get(&scope);
        let names: BTreeSet<&str> = self.vocabulary.fields().collect();
        let fields = names.into_iter().map(|name| FieldRow {
            name: name.to_owned(),
            pairs: counts.get(name).copied().unwrap_or_default(),
            predicted: prediction.and_then(|of| of.pairs.get(name).copied()),
        });
        self.collected.rows.push(Row {
            scope,
            suite_size: self.collected.suite.len(),
            explored: self.collected.done.explored + self.collected.here.explored,
            valid: self.collected.done.valid + self.collected.here.valid,
            queries: self.collected.done.queries + self.collected.here.queries,
            work: self.collected.last,
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

    /// Computes the predictions for the remaining scopes.
    fn predict(&mut self, policy: Policy) -> Result<(), Error> {
        for scope in policy.small_scope + 1..=self.request.scope {
            let of = |values: &[u64]| policy.regression.predict(policy.estimate, values, scope);
            let mut prediction = Prediction::default();
            match policy.estimate {
                Estimate::Time => {
                    let values: Vec<u64> = self.collected.rows.iter().map(|row| row.work).collect();
                    let work = of(&values);
                    prediction.work = Some(match work {
                        Err(NoEstimate::Overflow { scope }) => {
                            self.collected.endless.get_or_insert(scope);
                            u64::MAX
                        }
                        work => work?,
                    });
                }
                Estimate::Size => {
                    for (place, field) in self.collected.rows[0].fields.iter().enumerate() {
                        let values = self
                            .collected
                            .rows
                            .iter()
                            .map(|row| row.fields[place].pairs);
                        let values: Vec<u64> = values.collect();
                        prediction.pairs.insert(field.name.clone(), of(&values)?);
                    }
                }
            }
            self.collected.predictions.insert(scope, prediction);
        }
        Ok(())
    }

    /// Adds a structure; returns its pairs that are still new.
    fn take(&mut self, structure: Option<RunInput>, pairs: Vec<Pair>) -> Vec<Pair> {
        let new = pairs
            .into_iter()
            .filter(|pair| !self.collected.covered.contains(pair));
        let new: Vec<Pair> = new.collect();
        if new.is_empty() {
            return new;
        }
        let Some(input) = structure else {
            self.collected.tally.unknown += 1;
            return Vec::new();
        };
        let seconds = self.start.elapsed().as_secs_f64();
        self.found
            .extend(new.iter().map(|pair| (seconds, pair.field.clone())));
        self.collected.covered.extend(new.iter().cloned());
        self.collected.last = self.elapsed(self.collected.done.work + self.collected.here.work);
        self.collected.suite.push(Member {
            input,
            adds: new.clone(),
        });
        new
    }

    pub fn report(mut self, end: End, vocabulary: &Vocabulary) -> FieldsReport {
        // An interrupted scope gets a row with its partial results.
        if end == End::Interrupted && !self.is_finished() {
            let scope = self.collected.rows.len() as u32 + 1;
            let _ = self.write_row(scope, Some(ScopeCut::Interrupted));
        }
        let missing = match &self.request.criterion {
            PairCriterion::Given(pairs) => {
                pairs.difference(&self.collected.covered).cloned().collect()
            }
            _ => Vec::new(),
        };
        let never_read = vocabulary.unread().difference(&self.collected.tally.read);
        let is_covered =
            matches!(self.request.criterion, PairCriterion::Given(_)) && missing.is_empty();
        FieldsReport {
            cut: match is_covered {
                true => CutCounts::new(),
                false => self.cut(),
            },
            missing,
            never_read: never_read.cloned().collect(),
            bounded: (
                self.collected.tally.bounded,
                self.collected.tally.bounded_by,
            ),
            covered: self.collected.covered,
            refused: (
                self.collected.tally.refused,
                self.collected.tally.refused_by,
            ),
            threw: (self.collected.tally.threw, self.collected.tally.exception),
            unknown: self.collected.tally.unknown,
            first_unbounded_scope: self.collected.endless,
            rows: self.collected.rows,
            suite: self.collected.suite,
            found: self.found,
            end,
        }
    }
}

impl CollectorState<'_> {
    /// Counts of cuts by cause.
    fn cut(&self) -> CutCounts {
        let mut cut = self.collected.tally.cuts.clone();
        let estimated = self
            .collected
            .rows
            .iter()
            .filter(|row| row.cut == Some(ScopeCut::Estimate));
        cut.extend([
            (CutBy::Work, self.collected.tally.unknown),
            (CutBy::Estimate, estimated.count() as u64),
        ]);
        cut.retain(|_, count| *count > 0);
        cut
    }
}

/// Collector of a round's results.
pub(super) struct RoundCollector<'a, 'b, 'c> {
    state: &'a mut CollectorState<'b>,
    harvester: &'a Harvester<'c>,
    beyond: BeyondBounds,
    /// Results of several sizes, to be processed once all are there.
    later: BTreeMap<ScopeSize, Vec<RoundEvent>>,
    tally: RoundTally,
}

impl<'a, 'b, 'c> RoundCollector<'a, 'b, 'c> {
    pub fn new(
        state: &'a mut CollectorState<'b>,
        harvester: &'a Harvester<'c>,
    ) -> RoundCollector<'a, 'b, 'c> {
        RoundCollector {
            state,
            harvester,
            beyond: BeyondBounds::default(),
            later: BTreeMap::new(),
            tally: RoundTally::default(),
        }
    }

    /// Processes the results of several sizes in order. If they are complete, each scope ends where
    /// the next begins. Returns what lies beyond the bounds of the round.
    pub fn take_all(mut self, is_whole: bool) -> Result<BeyondBounds, Error> {
        if let SizeRound::Of(_) = self.harvester.round {
            return Ok(self.beyond);
        }
        for (size, counts) in &self.tally.sizes {
            if is_whole {
                self.state.scopes_are_done(size.scope - 1)?;
            }
            for found in self.later.remove(size).unwrap_or_default() {
                self.state.collected.here = found.counts();
                self.state.take(found.structure, found.pairs);
            }
            self.state.collected.here = PairPathCounts::default();
            self.state.collected.done.add(counts);
        }
        Ok(self.beyond)
    }

    /// Takes an event of a part; breaks off if the last scope has ended.
    pub fn take_event(&mut self, mut found: RoundEvent) -> Result<ControlFlow<()>, Error> {
        if let SizeRound::From(_) = self.harvester.round {
            // Earlier parts count, too.
            let counts = found.so_far.sizes.entry(found.size).or_default();
            counts.add(&self.tally.of_size(found.size));
            self.later.entry(found.size).or_default().push(found);
            return Ok(ControlFlow::Continue(()));
        }
        self.state.collected.here = found.counts();
        // A structure found after the predicted time is ignored.
        let mut is_over = self.state.settle()?;
        if !is_over && !found.pairs.is_empty() {
            let new = self.state.take(found.structure, found.pairs);
            let covered = self.harvester.covered.write();
            covered.unwrap_or_else(PoisonError::into_inner).extend(new);
            is_over = self.state.settle()?;
        }
        if is_over {
            self.state.collected.tally.add(&found.so_far);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes the counts of a part, after its events.
    pub fn end_part(&mut self, tally: &RoundTally, beyond: BeyondBounds) {
        self.state.collected.tally.add(tally);
        self.tally.add(tally);
        self.beyond.add(beyond);
        if let SizeRound::Of(size) = self.harvester.round {
            self.state.collected.done.add(&tally.of_size(size));
            self.state.collected.here = PairPathCounts::default();
        }
    }
}

impl Taker<Harvester<'_>> for RoundCollector<'_, '_, '_> {
    fn take(&mut self, found: RoundEvent) -> Result<ControlFlow<()>, Error> {
        self.take_event(found)
    }

    fn finished(&mut self, part: SymbolicPart<PartInProgress>) {
        self.end_part(&part.sum.tally, part.beyond);
    }
}

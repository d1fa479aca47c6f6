//! Search of a round by parts, each at another place or time, with the result of one search.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{BeyondBounds, Stopper};
use heapwright_explore::{End, Part, Span};
use heapwright_jvm::Vm;
use serde::{Deserialize, Serialize};

use super::collector::RoundCollector;
use super::harvest::{Harvester, RoundEvent, RoundTally};
use super::sizes::{FieldsState, SizeBySize};
use super::{FieldsReport, FieldsRequest, InvariantSubject};
use crate::Error;
use crate::symbolic::{PartSearch, SymbolicRequest};

/// Results of a part of a round, as data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartOfRound {
    events: Vec<RoundEvent>,
    tally: RoundTally,
    /// What lies beyond the bounds of the round.
    beyond_all: bool,
    beyond_class: Option<u32>,
}

/// Search by parts: of a round, and then of the next.
///
/// **Invariant:** a part retains every structure that one search retains there, as it knows no more
/// covered pairs than that. So the results of all parts, in the order of the tree, have all that one
/// search takes.
pub struct RoundParts<'a> {
    subject: &'a InvariantSubject,
    sizes: SizeBySize<'a>,
    /// Request of the round, and what is made of its paths; none if the search is at its end.
    round: Option<(SymbolicRequest, Harvester<'a>)>,
}

impl<'a> RoundParts<'a> {
    /// Search of the first round, or of that after the rounds whose results are given.
    ///
    /// # Errors
    /// A requested pair has no field, or there is no estimate.
    pub fn new(
        request: &'a FieldsRequest,
        subject: &'a InvariantSubject,
        state: Option<FieldsState>,
    ) -> Result<RoundParts<'a>, Error> {
        let vocabulary = &subject.vocabulary;
        let sizes = match state {
            None => SizeBySize::new(request, vocabulary)?,
            Some(state) => SizeBySize::from_state(request, vocabulary, state),
        };
        let round = sizes.round();
        let round = round.map(|round| (sizes.paths(round), sizes.harvester(round)));
        Ok(RoundParts {
            subject,
            sizes,
            round,
        })
    }

    /// Whether the search is at its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.round.is_none()
    }

    /// Divides some parts of the tree into `count` ones, in about `effort` instructions; some may be
    /// empty.
    ///
    /// # Errors
    /// The invariant cannot be called, or the solver cannot be used.
    pub fn divide(
        &self,
        vm: &mut Vm,
        spans: &[Span],
        count: usize,
        effort: u64,
    ) -> Result<Vec<Part>, Error> {
        match &self.round {
            None => Ok(Vec::new()),
            Some((paths, harvester)) => self
                .part_search(paths, harvester)
                .divide(vm, spans, count, effort),
        }
    }

    fn part_search<'s>(
        &'s self,
        paths: &SymbolicRequest,
        harvester: &'s Harvester<'a>,
    ) -> PartSearch<'s, Harvester<'a>> {
        PartSearch::new(paths, &self.subject.target, harvester, &Stopper::default())
    }

    /// Searches a part until `stops`. Returns its results, what is left of it, and the work in
    /// instructions.
    ///
    /// # Errors
    /// The invariant cannot be called, or the solver cannot be used.
    pub fn search(
        &self,
        vm: &mut Vm,
        span: &Span,
        stops: &dyn Fn() -> bool,
    ) -> Result<(PartOfRound, Option<Span>, u64), Error> {
        let Some((paths, harvester)) = &self.round else {
            return Err(Error::Bounds("the search has ended".to_owned()));
        };
        let mut search = self.part_search(paths, harvester);
        let goes_on = || match stops() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut events = Vec::new();
        let mut take = |event| events.push(event);
        let part = search.search(vm, span, &mut |_| goes_on(), &goes_on, &mut take)?;
        let rest = part.rest.filter(|_| part.end != End::Complete);
        let found = PartOfRound {
            events,
            tally: part.sum.tally,
            beyond_all: part.beyond.all,
            beyond_class: part.beyond.class,
        };
        Ok((found, rest, part.progress.work()))
    }

    /// Results of the search after this round, whose parts are given in the order of the tree.
    ///
    /// # Errors
    /// A part cannot be had, or there is no estimate.
    pub fn end_round<E: From<Error>>(
        mut self,
        parts: impl FnOnce(&mut dyn FnMut(PartOfRound) -> Result<(), E>) -> Result<(), E>,
    ) -> Result<FieldsState, E> {
        let Some((_, harvester)) = &self.round else {
            return Ok(self.sizes.into_state());
        };
        let mut taking = RoundCollector::new(&mut self.sizes.state, harvester);
        let mut is_over = false;
        parts(&mut |part| {
            for event in part.events {
                is_over = is_over || taking.take_event(event)?.is_break();
            }
            if !is_over {
                let beyond = BeyondBounds {
                    all: part.beyond_all,
                    class: part.beyond_class,
                };
                taking.end_part(&part.tally, beyond);
            }
            Ok(())
        })?;
        let beyond = taking.take_all(true)?;
        if !is_over {
            self.sizes.end_round(beyond)?;
        }
        Ok(self.sizes.into_state())
    }

    /// Report of the rounds so far.
    #[must_use]
    pub fn report(self) -> FieldsReport {
        self.sizes
            .state
            .report(End::Complete, &self.subject.vocabulary)
    }
}

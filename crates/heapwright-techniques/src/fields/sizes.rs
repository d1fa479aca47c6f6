//! Order in which the sizes of structures are searched.

use heapwright_explore::symbolic::BeyondBounds;
use serde::{Deserialize, Serialize};

use super::collector::{Collected, CollectorState};
use super::harvest::{Harvester, ScopeSize, SizeRound};
use super::{Estimate, FieldsRequest, PairCriterion, Vocabulary, known_fields};
use crate::Error;
use crate::symbolic::SymbolicRequest;

/// Number of paths of a size from which the next size is searched in parallel, and all larger ones
/// together if requested.
const MANY: u64 = 2_000;

/// Results of a search after some of its rounds, as data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FieldsState {
    position: Position,
    collected: Collected,
}

impl FieldsState {
    /// Number of structures so far.
    #[must_use]
    pub fn structures(&self) -> usize {
        self.collected.structures()
    }
}

/// Next size, and what is known of those after it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Position {
    scope: u32,
    /// Number of objects of the next size of the scope; none if the scope has no more.
    objects: Option<u32>,
    /// Least number of objects of the next scope, as far as is known.
    of_next_scope: Option<u32>,
    /// Number of paths of the last size.
    leaves: u64,
    /// Whether this and all larger scopes are searched together.
    sweeps: bool,
}

/// Search in rounds, each of a size or of all sizes that are left.
pub(super) struct SizeBySize<'a> {
    request: &'a FieldsRequest,
    pub state: CollectorState<'a>,
    position: Position,
}

impl<'a> SizeBySize<'a> {
    /// Search that begins with the smallest size.
    ///
    /// # Errors
    /// A requested pair has no field, or there is no estimate.
    pub fn new(
        request: &'a FieldsRequest,
        vocabulary: &'a Vocabulary,
    ) -> Result<SizeBySize<'a>, Error> {
        if let PairCriterion::Given(pairs) = &request.criterion {
            known_fields(vocabulary, pairs)?;
        }
        if let Some(policy) = request
            .policy
            .filter(|policy| policy.small_scope < request.scope)
        {
            let given = policy.small_scope as usize;
            policy.regression.check(policy.estimate, given)?;
        }
        let position = Position {
            scope: 1,
            objects: Some(1),
            of_next_scope: None,
            leaves: 0,
            sweeps: false,
        };
        let collected = Collected::default();
        Ok(SizeBySize::from_state(
            request,
            vocabulary,
            FieldsState {
                position,
                collected,
            },
        ))
    }

    /// Search that goes on after some rounds.
    pub fn from_state(
        request: &'a FieldsRequest,
        vocabulary: &'a Vocabulary,
        state: FieldsState,
    ) -> SizeBySize<'a> {
        SizeBySize {
            request,
            state: CollectorState::new(request, vocabulary, state.collected),
            position: state.position,
        }
    }

    /// Results so far.
    pub fn into_state(self) -> FieldsState {
        FieldsState {
            position: self.position,
            collected: self.state.collected,
        }
    }

    /// The next round; none if the search is at its end.
    pub fn round(&self) -> Option<SizeRound> {
        let Position { scope, sweeps, .. } = self.position;
        let objects = self.position.objects?;
        let size = ScopeSize { scope, objects };
        (!self.state.is_finished()).then_some(match sweeps {
            true => SizeRound::From(size),
            false => SizeRound::Of(size),
        })
    }

    /// Request of the paths of a round.
    pub fn paths(&self, round: SizeRound) -> SymbolicRequest {
        let mut paths = self.request.paths.clone();
        paths.bounds.new_first = true;
        (paths.bounds.objects, paths.bounds.all_objects) = match round {
            SizeRound::From(_) => (self.request.scope, u32::MAX),
            SizeRound::Of(size) => (size.scope, size.objects),
        };
        paths
    }

    /// Harvest of a round.
    pub fn harvester(&self, round: SizeRound) -> Harvester<'a> {
        Harvester::new(self.request, &self.state, round)
    }

    /// Whether a single worker searches the next round: it is small, or its work is limited, which
    /// is exact only in order.
    pub fn is_in_order(&self) -> bool {
        let policy = self.request.policy;
        let is_timed = policy.is_some_and(|policy| policy.estimate == Estimate::Time);
        is_timed || self.position.leaves < MANY
    }

    /// Goes on to the next round after one that was searched as a whole, with what lies beyond its
    /// bounds.
    ///
    /// # Errors
    /// There is no estimate.
    pub fn end_round(&mut self, beyond: BeyondBounds) -> Result<(), Error> {
        let mut here = self.position;
        let Some(objects) = here.objects else {
            return Ok(());
        };
        let scope = here.scope;
        here.leaves = self.state.paths_of(ScopeSize { scope, objects });
        here.of_next_scope = here.of_next_scope.into_iter().chain(beyond.class).min();
        here.objects = (beyond.all && !here.sweeps).then_some(objects + 1);
        while here.objects.is_none() {
            let last = if here.sweeps {
                self.request.scope
            } else {
                here.scope
            };
            self.state.scopes_are_done(last)?;
            if self.state.is_finished() {
                break;
            }
            here.scope += 1;
            here.objects = here.of_next_scope.take();
            here.sweeps = self.may_sweep() && here.leaves >= MANY;
        }
        self.position = here;
        Ok(())
    }

    /// Whether large sizes may be searched together: nothing but the scope ends the search.
    fn may_sweep(&self) -> bool {
        let is_given = matches!(self.request.criterion, PairCriterion::Given(_));
        self.request.sweeps && self.request.policy.is_none() && !is_given
    }
}

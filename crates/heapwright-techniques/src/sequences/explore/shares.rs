//! Shares of the effort among the searches that take turns.
//!
//! **Invariant:** effort is counted in instructions, so that whose turn it is depends on the
//! request alone.

use std::ops::Range;

use crate::sequences::model::SequenceBounds;

/// Effort of a search in instructions, with the solver's work converted to such.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    /// All effort.
    pub total: u64,
    /// Effort since the search last reached a new goal.
    pub in_vain: u64,
    /// Recent effort, and the number of goals that it reached for the first time, times [`GOAL`].
    /// What is older counts less.
    recent: u64,
    gained: u64,
}

/// Unit of [`Effort::gained`].
const GOAL: u64 = 1 << 10;
/// Recent effort at which it is halved, with its gain.
const RECENT: u64 = 8_000_000;

impl Effort {
    /// Adds effort, which reached this number of new goals.
    pub fn add(&mut self, effort: u64, goals: usize) {
        self.total += effort;
        self.in_vain = match goals {
            0 => self.in_vain + effort,
            _ => 0,
        };
        self.recent += effort;
        self.gained += goals as u64 * GOAL;
        while self.recent > RECENT {
            self.recent /= 2;
            self.gained /= 2;
        }
    }

    /// Whether it gained more for the same effort than another one lately.
    fn is_better(&self, other: &Effort) -> bool {
        let own = u128::from(self.gained) * u128::from(other.recent);
        let others = u128::from(other.gained) * u128::from(self.recent);
        match own == others {
            true => self.total < other.total,
            false => own > others,
        }
    }
}

/// Efforts of the searches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Efforts {
    /// The search by cost.
    pub by_cost: Effort,
    /// The search by generations.
    pub generations: Effort,
    /// The random search.
    pub random: Effort,
    /// Effort of all, and since one of them last reached a new goal.
    all: u64,
    in_vain: u64,
}

/// Number of instructions on known values that take the time of one on open ones.
const KNOWN_VALUES: u64 = 8;
/// Effort that the other searches make before the random one begins.
const HEAD_START: u64 = 2_000_000;
/// Limits of the random search's effort in vain after the end of the others.
const AT_END: Range<u64> = 1_000_000..20_000_000;
/// The limit where a goal is few steps away.
const NEAR_END: u64 = 100_000_000;
/// The limit of the effort in vain for goals that are none of the criterion.
const PLACES: u64 = 6_000_000;
/// Least share of each search, as a part of the effort of all.
const LEAST_SHARE: u64 = 8;

impl Efforts {
    /// Whether the next turn is the random search's: it gained more for its effort than the search
    /// by cost lately. Neither side has less than its least share.
    pub fn is_random_due(&self) -> bool {
        let others = self.by_cost.total + self.generations.total;
        if others < HEAD_START {
            return false;
        }
        let all = others + self.random.total;
        if self.random.total < all / LEAST_SHARE {
            return true;
        }
        others >= all / LEAST_SHARE && self.random.is_better(&self.by_cost)
    }

    /// Returns the maximum effort in vain of the random search after the end of the others: half of
    /// theirs, within limits, or more if it `is_near` a goal.
    pub fn most_at_end(&self, is_near: bool) -> u64 {
        if is_near {
            return NEAR_END;
        }
        let others = self.by_cost.total + self.generations.total;
        (others / 2).clamp(AT_END.start, AT_END.end)
    }

    /// Adds effort of the search by cost.
    pub fn add_by_cost(&mut self, effort: u64, goals: usize) {
        self.by_cost.add(effort, goals);
        self.add(effort, goals);
    }

    /// Adds effort of the search by generations.
    pub fn add_generations(&mut self, effort: u64, goals: usize) {
        self.generations.add(effort, goals);
        self.add(effort, goals);
    }

    /// Adds effort of the random search, in instructions on known values.
    pub fn add_random(&mut self, effort: u64, goals: usize) {
        self.random.add(effort / KNOWN_VALUES, goals);
        self.add(effort / KNOWN_VALUES, goals);
    }

    fn add(&mut self, effort: u64, goals: usize) {
        self.all += effort;
        self.in_vain = match goals {
            0 => self.in_vain + effort,
            _ => 0,
        };
    }

    /// Whether all searches have reached nothing new for so long that further goals, which are none
    /// of the criterion, are worth no more.
    pub fn is_past_places(&self) -> bool {
        self.in_vain >= PLACES
    }

    /// Whether the request's patience with all searches is over.
    pub fn are_past_patience(&self, bounds: &SequenceBounds) -> bool {
        bounds.gives_up(self.all, self.in_vain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_to_the_search_that_gains() {
        let mut efforts = Efforts::default();
        assert!(!efforts.is_random_due(), "the others have a head start");
        efforts.add_by_cost(HEAD_START, 2);
        assert!(efforts.is_random_due(), "the random search has its share");
        efforts.random.add(HEAD_START, 1);
        assert!(!efforts.is_random_due(), "the search by cost gains more");
        efforts.random.add(1, 3);
        assert!(efforts.is_random_due());
        efforts.random.add(20 * HEAD_START, 9);
        assert!(!efforts.is_random_due(), "the others have their share");
    }

    #[test]
    fn further_goals_are_given_up_after_effort_in_vain() {
        let mut efforts = Efforts::default();
        efforts.add_by_cost(PLACES - 1, 0);
        efforts.add_generations(1, 1);
        assert!(
            !efforts.is_past_places(),
            "another search reaches something new"
        );
        efforts.add_by_cost(PLACES / 2, 0);
        efforts.add_random(PLACES / 2 * KNOWN_VALUES, 0);
        assert!(efforts.is_past_places(), "none does");
    }

    #[test]
    fn searches_without_gain_alternate() {
        let mut efforts = Efforts::default();
        efforts.add_by_cost(2 * HEAD_START, 0);
        efforts.random.add(HEAD_START, 0);
        assert!(efforts.is_random_due());
        efforts.random.add(2 * HEAD_START, 0);
        assert!(!efforts.is_random_due());
    }
}

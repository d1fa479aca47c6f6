//! Bounds of the searches, from small to wide.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::ArrayTerms;

use super::SearchSettings;
use crate::symbolic::CutBy;

/// First search: characters of strings and elements of arrays, decisions of a branch both ways, and
/// instructions of a run.
const LENGTH: u32 = 3;
pub(super) const LOOPS: u32 = 4;
const STEPS: u64 = 2_000_000;

/// Widest search.
const MAX_LENGTH: u32 = 4_000;
const MAX_LOOPS: u32 = 1 << 20;
const MAX_STEPS: u64 = 1 << 40;

/// Parts of the time that is left which a search may take at most, before the last.
const SHARES: [f64; 4] = [0.1, 0.2, 0.3, 0.4];

/// Bounds of the first search.
#[must_use]
pub fn initial() -> SearchSettings {
    let bounds = InputBounds {
        length: LENGTH,
        loops: LOOPS,
        decisions: 1_000_000,
        abstracts_numbers: true,
        array_terms: ArrayTerms::Long,
        ..InputBounds::default()
    };
    SearchSettings {
        bounds,
        step_limit: STEPS,
        merges: false,
        runs_started_first: false,
    }
}

/// Which bounds are widened after a search that they have cut; the user has set the others.
#[derive(Clone, Copy, Debug)]
pub struct Widening {
    /// Characters of strings, elements of arrays, and objects of inputs.
    pub scope: bool,
    /// Iterations of loops and levels of recursion.
    pub loops: bool,
    /// Instructions of a run.
    pub steps: bool,
    /// Elements of arrays that the program makes.
    pub room: bool,
    /// Values of what must be fixed.
    pub values: bool,
}

impl Widening {
    /// Time for the search with this number, from 0, of that which is left; all of it if `None`.
    pub(super) fn share(self, number: usize, left: Duration) -> Option<Duration> {
        SHARES.get(number).map(|&share| left.mul_f64(share))
    }

    /// Whether all that was cut off was so by bounds of the user, or by any if there are none.
    pub(super) fn accepts(self, cut: &BTreeSet<CutBy>) -> bool {
        let widened = [self.scope, self.loops, self.steps, self.room, self.values];
        let has_own = widened.contains(&false);
        cut.iter().all(|by| {
            let is_widened = match by {
                CutBy::Lengths | CutBy::Objects => self.scope,
                CutBy::Loops => self.loops,
                CutBy::Steps => self.steps,
                CutBy::Room => self.room,
                CutBy::Values => self.values,
                _ => return false,
            };
            !(has_own && is_widened)
        })
    }

    /// Widens the bounds that have cut something off; returns whether any has become wider. A search
    /// that was not completed is widened in all respects.
    pub(super) fn next(
        self,
        settings: &mut SearchSettings,
        cut: &BTreeSet<CutBy>,
        number: usize,
    ) -> bool {
        let SearchSettings {
            bounds,
            step_limit: steps,
            ..
        } = settings;
        let factor = if number == 0 { 3 } else { 4 };
        let mut is_wider = false;
        let mut widen = |bound: &mut u32, factor: u32, most: u32| {
            is_wider |= *bound < most;
            *bound = bound.saturating_mul(factor).min(most);
        };
        for by in cut {
            match by {
                CutBy::Lengths if self.scope => widen(&mut bounds.length, factor, MAX_LENGTH),
                CutBy::Objects if self.scope => widen(&mut bounds.objects, 2, MAX_LENGTH),
                CutBy::Loops if self.loops => widen(&mut bounds.loops, factor, MAX_LOOPS),
                CutBy::Room if self.room => widen(&mut bounds.room, factor, MAX_LENGTH),
                CutBy::Values if self.values => widen(&mut bounds.values, factor, MAX_LENGTH),
                _ => {}
            }
        }
        if cut.contains(&CutBy::Characters) && !bounds.utf16 {
            bounds.utf16 = true;
            is_wider = true;
        }
        if cut.contains(&CutBy::Steps) && self.steps && *steps < MAX_STEPS {
            *steps = steps.saturating_mul(20).min(MAX_STEPS);
            is_wider = true;
        }
        is_wider
    }
}

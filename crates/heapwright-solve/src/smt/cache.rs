//! Cache of results for sets of conditions, keyed by the sum of their digests.
//!
//! The size is bounded: when a generation is full, results not used since the last change of
//! generation are dropped.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decision::Satisfiability;
use super::term::Assignment;

/// Number of results in a generation; beyond this the older generation is dropped.
const HALF: usize = 1 << 15;

/// Result for a set of conditions.
#[derive(Clone, Debug)]
pub(super) struct CachedAnswer {
    pub(super) verdict: Satisfiability,
    /// Assignment, if `verdict` is `Sat`.
    pub(super) model: Option<Rc<Assignment>>,
    /// Whether the result depends on the set alone.
    pub(super) is_canonical: bool,
}

impl CachedAnswer {
    pub(super) fn sat(model: Rc<Assignment>, is_canonical: bool) -> CachedAnswer {
        CachedAnswer {
            verdict: Satisfiability::Sat,
            model: Some(model),
            is_canonical,
        }
    }

    pub(super) fn without_model(verdict: Satisfiability, is_canonical: bool) -> CachedAnswer {
        CachedAnswer {
            verdict,
            model: None,
            is_canonical,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Cache {
    newer: FxHashMap<u128, CachedAnswer>,
    older: FxHashMap<u128, CachedAnswer>,
    pub(super) is_off: bool,
}

impl Cache {
    pub(super) fn get(&mut self, key: u128) -> Option<CachedAnswer> {
        if let Some(answer) = self.newer.get(&key) {
            return Some(answer.clone());
        }
        let answer = self.older.remove(&key)?;
        self.put(key, answer.clone());
        Some(answer)
    }

    /// Removes unknown results.
    pub(super) fn forget_unknown(&mut self) {
        for answers in [&mut self.newer, &mut self.older] {
            answers.retain(|_, answer| answer.verdict != Satisfiability::Unknown);
        }
    }

    /// Stores a result; a canonical one is not replaced by one that is not.
    pub(super) fn put(&mut self, key: u128, answer: CachedAnswer) {
        let is_worse = |known: &CachedAnswer| known.is_canonical && !answer.is_canonical;
        if self.is_off || self.newer.get(&key).is_some_and(is_worse) {
            return;
        }
        if self.newer.len() >= HALF {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, answer);
    }
}

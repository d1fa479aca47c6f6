//! Enumerates the candidate sequences of an invokable under test backwards, one at a time (listing
//! 4.2).
//!
//! Invariant: shorter sequences come first. Sequences of one length are ordered by invokable
//! numbers, compared from the end. Only the current sequence is stored.

use super::criteria::{Criteria, Set};

/// Numbers of sequences enumerated so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateCounts {
    /// Sequences in which every invokable influences a later one; one for each set of equivalent
    /// orders.
    pub generated: u64,
    /// Generated sequences that are executable ([`Criteria::is_executable`]).
    pub executable: u64,
    /// Executable sequences that objects and static fields can link ([`Criteria::is_linked`]).
    pub linked: u64,
}

/// Iterator over the candidate sequences.
pub struct Candidates<'a> {
    criteria: &'a Criteria,
    method: usize,
    max_length: usize,
    /// The current sequence, of the current length; filled from its end.
    sequence: Vec<usize>,
    /// For each position, the invokables that may influence it or a later one.
    influencers: Vec<Set>,
    /// Whether a sequence of the current length exists.
    found: bool,
    counts: CandidateCounts,
}

impl<'a> Candidates<'a> {
    /// Enumerates the sequences for an invokable, of at most `max_length` statements including
    /// itself.
    #[must_use]
    pub fn new(criteria: &'a Criteria, method: usize, max_length: usize) -> Candidates<'a> {
        Candidates {
            criteria,
            method,
            max_length,
            sequence: Vec::new(),
            influencers: Vec::new(),
            found: true,
            counts: CandidateCounts::default(),
        }
    }

    /// Returns the numbers of sequences so far.
    #[must_use]
    pub fn counts(&self) -> CandidateCounts {
        self.counts
    }

    /// Returns the next sequence, executable or not; `None` after the last.
    pub fn advance(&mut self) -> Option<&[usize]> {
        self.step().map(|_| &self.sequence[..])
    }

    /// Returns the next sequence that is executable and linked; `None` after the last.
    pub fn next_linked(&mut self) -> Option<&[usize]> {
        while let Some(is_explorable) = self.step() {
            if is_explorable {
                return Some(&self.sequence);
            }
        }
        None
    }

    /// Generates and counts the next sequence, and returns whether it is executable and linked.
    fn step(&mut self) -> Option<bool> {
        let (mut at, mut from) = match self.sequence.len() {
            0 => self.lengthen()?,
            _ => (0, self.sequence[0] + 1),
        };
        loop {
            let last = self.sequence.len() - 1;
            let next = if at == last {
                // The last invokable is fixed.
                (from <= self.method).then_some(self.method)
            } else {
                (from..self.criteria.count()).find(|&first| {
                    self.influencers[at + 1].contains(first)
                        && self.criteria.is_ordered(first, &self.sequence[at + 1..])
                })
            };
            match next {
                Some(invokable) => {
                    self.sequence[at] = invokable;
                    if at == 0 {
                        return Some(self.count());
                    }
                    self.influencers[at] = self.criteria.influencers(invokable).clone();
                    if at < last {
                        let (here, later) = self.influencers.split_at_mut(at + 1);
                        here[at].add(&later[0]);
                    }
                    (at, from) = (at - 1, 0);
                }
                None if at == last => (at, from) = self.lengthen()?,
                None => (at, from) = (at + 1, self.sequence[at + 1] + 1),
            }
        }
    }

    /// Continues with sequences one statement longer: returns the position and the number to
    /// continue from. `None` if there are none.
    fn lengthen(&mut self) -> Option<(usize, usize)> {
        let length = self.sequence.len() + 1;
        if !self.found || length > self.max_length {
            return None;
        }
        self.found = false;
        self.sequence = vec![self.method; length];
        let own = self.criteria.influencers(self.method);
        self.influencers = vec![own.clone(); length];
        Some((length - 1, self.method))
    }

    fn count(&mut self) -> bool {
        self.found = true;
        self.counts.generated += 1;
        if !self.criteria.is_executable(&self.sequence) {
            return false;
        }
        self.counts.executable += 1;
        let is_linked = self.criteria.is_linked(&self.sequence);
        self.counts.linked += u64::from(is_linked);
        is_linked
    }
}

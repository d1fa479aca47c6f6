//! The candidate sequences of an invokable under test, backwards from it, one at a time (listing 4.2).
//!
//! Invariant: they come by length, those of one length in the order of the invokables' numbers compared
//! from the end, as a queue would give them; no sequence but the one at hand is kept.

use super::criteria::{Criteria, Set};

/// How many sequences there were so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All in which every invokable influences a later one, in one of the orders that differ in
    /// nothing.
    pub generated: u64,
    /// Those of them that can be run ([`Criteria::is_executable`]).
    pub executable: u64,
    /// Those of the executable ones that objects and static fields can link
    /// ([`Criteria::is_linked`]).
    pub linked: u64,
}

/// Goes through the candidate sequences.
pub struct Candidates<'a> {
    criteria: &'a Criteria,
    method: usize,
    max_length: usize,
    /// The sequence at hand, as long as those being made; filled from its end.
    sequence: Vec<usize>,
    /// For each place those that may influence it or a later one.
    influencers: Vec<Set>,
    /// Whether a sequence of the length at hand was found.
    found: bool,
    counts: Counts,
}

impl<'a> Candidates<'a> {
    /// The sequences for an invokable, of at most so many statements, itself counted.
    #[must_use]
    pub fn new(criteria: &'a Criteria, method: usize, max_length: usize) -> Candidates<'a> {
        Candidates {
            criteria,
            method,
            max_length,
            sequence: Vec::new(),
            influencers: Vec::new(),
            found: true,
            counts: Counts::default(),
        }
    }

    /// How many there were.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The next sequence, whether it can be run or not; `None` after the last.
    pub fn advance(&mut self) -> Option<&[usize]> {
        self.step().map(|_| &self.sequence[..])
    }

    /// The next sequence that is executable and linked; `None` if there is none any more.
    pub fn advance_explorable(&mut self) -> Option<&[usize]> {
        while let Some(is_explorable) = self.step() {
            if is_explorable {
                return Some(&self.sequence);
            }
        }
        None
    }

    /// Makes the next sequence and counts it; whether it is executable and linked.
    fn step(&mut self) -> Option<bool> {
        let (mut at, mut from) = match self.sequence.len() {
            0 => self.lengthen()?,
            _ => (0, self.sequence[0] + 1),
        };
        loop {
            let last = self.sequence.len() - 1;
            let next = if at == last {
                // The last is given, once.
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

    /// Goes on with sequences one longer: where to, and with which number. None if none is that long.
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

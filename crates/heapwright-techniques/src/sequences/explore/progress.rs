//! What exploring has come to so far.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::States;

use super::component::Unsolved;
use super::outcome::{Counts, Found};
use crate::sequences::goals::Goals;
use crate::sequences::model::Memory;

/// What paths have reached, found and built.
pub(super) struct Progress {
    pub goals: Goals,
    /// Of each goal whether it was reached, and if so whether without failing an assertion.
    pub reached: Vec<Option<bool>>,
    pub states: States,
    pub found: Vec<Found>,
    /// Goals that paths came by of which the solver found no values: of the first path of each the
    /// components and the call.
    pub unsolved: Unsolved,
    /// Goals reached with inputs that no source can write down.
    pub unwritten: BTreeSet<usize>,
    /// Goals reached only by paths that throw, with the most statements of one that is better.
    pub thrown: BTreeMap<usize, usize>,
    pub counts: Counts,
    pub mishaps: BTreeMap<String, u64>,
    pub memory: Memory,
}

impl Progress {
    /// Nothing reached yet.
    pub fn new(goals: Goals, states: States) -> Progress {
        Progress {
            reached: vec![None; goals.all.len()],
            goals,
            states,
            found: Vec::new(),
            unsolved: Unsolved::new(),
            unwritten: BTreeSet::new(),
            thrown: BTreeMap::new(),
            counts: Counts::default(),
            mishaps: BTreeMap::new(),
            memory: Memory::default(),
        }
    }
}

/// What stays when exploring begins anew.
#[derive(Default)]
pub(super) struct Snapshot {
    pub reached: Vec<Option<bool>>,
    /// How much of what was found.
    pub found: usize,
    pub counts: Counts,
    pub mishaps: BTreeMap<String, u64>,
}

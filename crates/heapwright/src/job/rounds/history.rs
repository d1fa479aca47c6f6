//! Rounds that are over, and the plan of the next one. All workers compute the same from the same
//! results.

use std::sync::Arc;

use anyhow::ensure;
use heapwright_explore::external::{OwnerRange, SpillError};
use heapwright_techniques::api::{
    LengthLimit, OutcomeTally, PortableFindings, RoundSlice, SearchEnd,
};

use super::PlannedRounds;
use super::objects::{GatheredSlice, Segment};

/// Fewest and most calls that a slice is expected to make: some milliseconds and some seconds.
const FEWEST_CALLS: u64 = 1 << 12;
const MOST_CALLS: u64 = 1 << 20;
/// Most structures of a slice.
const MOST_STRUCTURES: u64 = 1 << 16;
/// Slices for each planned part, so that workers end at about the same time.
const SLICES_A_PART: u64 = 4;
/// Structures from which on another owner is worth its objects.
const WORTH_AN_OWNER: u64 = 1 << 10;

/// Structures of a class so far.
#[derive(Clone, Debug)]
pub struct ClassHistory {
    /// Internal name of the class.
    pub class: String,
    /// Number of structures before the last round.
    pub old: u64,
    /// Number of structures after it.
    pub known: u64,
    /// Objects of the structures.
    pub segments: Arc<Vec<Segment>>,
}

/// Known forms that a round wrote.
#[derive(Clone, Debug)]
struct KnownRound {
    /// Object of each owner.
    objects: Vec<String>,
}

/// Plan of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPlan {
    /// Slices in their order.
    pub slices: Vec<RoundSlice>,
    /// Number of owners.
    pub owners: u32,
}

/// Rounds that are over.
#[derive(Clone, Debug)]
pub struct History {
    /// Number of times that the search has started again.
    pub epoch: u32,
    /// Internal names of classes that are initialised beforehand.
    pub initialized: Vec<String>,
    /// The round that is under way, from 1; the last one if the search has ended.
    pub round: u32,
    /// Structures by class, in the order of their first structures.
    pub classes: Vec<ClassHistory>,
    /// Counts of calls.
    pub tally: OutcomeTally,
    /// Faults found.
    pub findings: PortableFindings,
    /// End of the search.
    pub ended: Option<SearchEnd>,
    /// Tasks of the rounds that are over.
    pub tasks: u64,
    known: Vec<KnownRound>,
    length: LengthLimit,
    first_length: LengthLimit,
    /// Counts of the calls that need no structure, equal in each round.
    without_structures: OutcomeTally,
    /// Calls and structures of the last round.
    last_calls: u64,
    last_leads: u64,
}

impl History {
    /// History before the first round.
    pub fn new(planned: &PlannedRounds) -> History {
        History {
            epoch: 0,
            initialized: planned.initialized.clone(),
            round: 1,
            classes: Vec::new(),
            tally: OutcomeTally::default(),
            findings: PortableFindings::default(),
            ended: None,
            tasks: 0,
            known: Vec::new(),
            length: planned.length,
            first_length: planned.length,
            without_structures: OutcomeTally::default(),
            last_calls: 0,
            last_leads: 0,
        }
    }

    /// Starts again with further classes initialised.
    pub fn restart(&mut self, names: Vec<String>) {
        let mut initialized = std::mem::take(&mut self.initialized);
        initialized.extend(names);
        let epoch = self.epoch + 1;
        let planned = PlannedRounds {
            initialized,
            classes: Vec::new(),
            length: self.first_length,
        };
        *self = History {
            epoch,
            ..History::new(&planned)
        };
    }

    /// Number of structures.
    pub fn structures(&self) -> u64 {
        self.classes.iter().map(|class| class.known).sum()
    }

    /// Number of structures that were new in the last round.
    fn new_structures(&self) -> u64 {
        let new = self.classes.iter().map(|class| class.known - class.old);
        new.sum()
    }

    /// Plan of the round that is under way.
    pub fn plan(&self, parts: u64) -> RoundPlan {
        if self.round == 1 {
            return RoundPlan {
                slices: vec![RoundSlice::Start],
                owners: 1,
            };
        }
        let calls = (self.last_calls / self.last_leads.max(1)).max(1);
        let most = (MOST_CALLS / calls).clamp(1, MOST_STRUCTURES);
        let fewest = (FEWEST_CALLS / calls).clamp(1, most);
        let length = (self.new_structures() / (SLICES_A_PART * parts)).clamp(fewest, most);
        let mut slices = Vec::new();
        for (pool, class) in (0u32..).zip(&self.classes) {
            for start in (class.old..class.known).step_by(length as usize) {
                let end = (start + length).min(class.known);
                slices.push(RoundSlice::Structures(pool, start as u32..end as u32));
            }
        }
        let owners = (self.structures() / WORTH_AN_OWNER).clamp(1, parts);
        RoundPlan {
            slices,
            owners: owners as u32,
        }
    }

    /// Objects of the known forms that an owner needs, and how many of them the round that is under
    /// way does not merge with its own. Round r writes the forms of as many rounds as the lowest bit
    /// of r says, so that few objects hold all.
    pub fn known(&self, range: OwnerRange) -> (Vec<&str>, usize) {
        let lowest = |round: u32| 1 << round.trailing_zeros();
        let not_merged = self.round - lowest(self.round);
        let mut rounds = Vec::new();
        let mut last = self.round - 1;
        while last > 0 {
            rounds.push(last);
            last -= lowest(last);
        }
        let (mut objects, mut kept) = (Vec::new(), 0);
        for round in rounds.into_iter().rev() {
            let known = &self.known[round as usize - 1].objects;
            let of = known.len() as u32;
            for (number, object) in (0..).zip(known) {
                if (OwnerRange { number, of }).overlaps(range) {
                    objects.push(object.as_str());
                }
            }
            if round <= not_merged {
                kept = objects.len();
            }
        }
        (objects, kept)
    }

    /// Adds the results of a round: those of its slices, and the objects of known forms.
    ///
    /// # Errors
    /// A class has more structures than can be numbered.
    pub fn add(&mut self, slices: &[GatheredSlice], known: Vec<String>) -> anyhow::Result<()> {
        self.tasks += 2 * slices.len() as u64 + known.len() as u64;
        self.last_leads = self.new_structures();
        for class in &mut self.classes {
            class.old = class.known;
        }
        let mut calls = OutcomeTally::default();
        for slice in slices {
            calls += slice.tally;
            self.findings.append(&slice.findings);
            for structures in &slice.structures {
                self.add_structures(&structures.class, structures.count, &structures.records)?;
            }
        }
        self.known.push(KnownRound { objects: known });
        self.last_calls = calls.explored;
        self.tally += calls;
        if self.round == 1 {
            self.without_structures = OutcomeTally {
                building: 0,
                ..calls
            };
        }
        let new = self.new_structures();
        self.ended = if slices.last().is_some_and(|slice| slice.is_heap_full) {
            Some(SearchEnd::HeapFull)
        } else if new == 0 {
            Some(SearchEnd::Complete)
        } else if self.length.is_reached(self.round, new as usize) {
            Some(SearchEnd::AtLength)
        } else {
            self.round += 1;
            self.tally += self.without_structures;
            None
        };
        Ok(())
    }

    fn add_structures(&mut self, class: &str, count: u64, object: &str) -> anyhow::Result<()> {
        let known = self.classes.iter().position(|known| known.class == class);
        let place = known.unwrap_or_else(|| {
            self.classes.push(ClassHistory {
                class: class.to_owned(),
                old: 0,
                known: 0,
                segments: Arc::default(),
            });
            self.classes.len() - 1
        });
        let class = &mut self.classes[place];
        Arc::make_mut(&mut class.segments).push(Segment {
            first: class.known,
            object: object.to_owned(),
        });
        class.known += count;
        ensure!(class.known <= u32::MAX.into(), SpillError::TooMany);
        Ok(())
    }
}

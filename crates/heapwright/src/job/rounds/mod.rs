//! Searches in rounds: breadth-first searches whose states are divided among workers, so that the
//! memory of all adds up (Stern and Dill 1995; Korf and Schultze 2005).
//!
//! A round is an iteration of the search from the API. It has three kinds of tasks, each kind after
//! the other:
//!
//! - *expand*: the calls of a slice of the structures that were new in the last round. They leave
//!   candidates in order, and sorted by owner.
//! - *settle*: an owner finds out which of its candidates are new, of equal ones the first. It owns
//!   the forms of a range of hashes.
//! - *gather*: the new structures of a slice, in order.
//!
//! The structures of a round are those of its slices, one after the other. So their numbers, which
//! the next round needs, follow from those that each slice has of each class.
//!
//! **Invariant: a task is a function of objects in the storage.** Its result is written as a whole
//! or not at all, and two workers on one task write the same. A worker that is killed loses its task.
//!
//! A call that initialises a class starts the search again with the class initialised, as in one
//! process: that is another *epoch*.

mod engine;
mod history;
mod objects;
mod restore;
mod state;
mod task;
mod worker;

use heapwright_techniques::api::LengthLimit;
use serde::{Deserialize, Serialize};

pub use engine::plan;
pub use restore::restore;
pub use state::{RoundState, Step};
pub use task::TaskId;

/// What workers of a search in rounds agree on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlannedRounds {
    /// Internal names of classes that are initialised beforehand, in order.
    pub initialized: Vec<String>,
    /// Internal names of classes that forms refer to by number; others are spelled out.
    pub classes: Vec<String>,
    /// Limit of the number of rounds.
    pub length: LengthLimit,
}

//! What the searches have in common, for those who run them and watch.

use crate::criterion::Coverage;
use crate::korat::{InClass, Progress};

/// How the choices are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Each field gets a value at its first read, in Korat's order: [`KoratSearch`](crate::KoratSearch).
    Korat,
    /// Fields stay open until the program tells their values apart: [`LazySearch`](crate::LazySearch).
    Lazy,
}

/// A search under way.
pub trait Search {
    /// The counts so far.
    fn progress(&self) -> Progress;

    /// An estimate of the share of the search that is behind, from 0 to 1.
    fn share_seen(&self) -> f64;

    /// What the criterion has said so far, if there is one.
    fn coverage(&self) -> Option<&Coverage>;

    /// The class of the current structure, if the criterion has named one.
    fn class(&self) -> Option<InClass>;

    /// Whether the limit that ended the search was reached by the criterion.
    fn stopped_in_criterion(&self) -> bool;

    /// The number of the current leaf, from 1.
    fn leaf(&self) -> u64 {
        self.progress().explored + self.progress().refused
    }
}

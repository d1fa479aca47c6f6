//! What the searches have in common: each goes through a part of a tree, can be stopped anywhere,
//! and can give away part of what it has left.

use std::ops::ControlFlow;

use heapwright_jvm::Vm;

use crate::korat::{End, KoratSearch, Leaf, Progress, SearchError, Visit};
use crate::lazy::LazySearch;
use crate::span::{Descent, Span};

/// A search under way, as whoever is asked whether it goes on sees it.
pub trait Underway {
    /// The counts so far.
    fn progress(&self) -> Progress;
    /// An estimate of the share of the whole tree that is behind, from 0 to 1.
    fn share_seen(&self) -> f64;
    /// Gives away what is untried at the oldest choice with something left; `None` if there is
    /// none. What comes back is behind all that this search still goes through.
    fn split(&mut self) -> Option<Span>;
}

/// A search through a tree of choices, part by part.
pub trait Search: Underway {
    /// Searches this part of the tree only.
    fn start_at(&mut self, span: Span);

    /// What was left of the part when the search was stopped.
    fn rest(&self) -> Option<&Span>;

    /// Visits every leaf of the part, with the counts up to it and with it. A visitor that breaks
    /// off has not taken its leaf, or of a cube this structure: it is not counted and is the first
    /// of what is left. So does `ask` break off, between two slices of instructions.
    ///
    /// # Errors
    /// The predicate cannot be called, there are too many structures to count, or the part is one
    /// of another tree.
    fn explore(
        &mut self,
        vm: &mut Vm,
        ask: &mut dyn FnMut(&mut dyn Underway) -> ControlFlow<()>,
        visit: &mut dyn FnMut(&mut Vm, &Leaf, Progress) -> Visit,
    ) -> Result<End, SearchError>;

    /// Goes to one leaf of the part, taking any alternative at each fork past its path with the
    /// same probability; these forks come back.
    ///
    /// # Errors
    /// As for [`Search::explore`].
    fn descend(&mut self, vm: &mut Vm, seed: u64) -> Result<Vec<Descent>, SearchError>;
}

macro_rules! search {
    ($search:ident) => {
        impl Underway for $search<'_> {
            fn progress(&self) -> Progress {
                $search::progress(self)
            }

            fn share_seen(&self) -> f64 {
                $search::share_seen(self)
            }

            fn split(&mut self) -> Option<Span> {
                $search::split(self)
            }
        }

        impl Search for $search<'_> {
            fn start_at(&mut self, span: Span) {
                $search::start_at(self, span);
            }

            fn rest(&self) -> Option<&Span> {
                $search::rest(self)
            }

            fn explore(
                &mut self,
                vm: &mut Vm,
                ask: &mut dyn FnMut(&mut dyn Underway) -> ControlFlow<()>,
                visit: &mut dyn FnMut(&mut Vm, &Leaf, Progress) -> Visit,
            ) -> Result<End, SearchError> {
                self.run(
                    vm,
                    |search| ask(search),
                    |vm, leaf, search| visit(vm, leaf, search.progress()),
                )
            }

            fn descend(&mut self, vm: &mut Vm, seed: u64) -> Result<Vec<Descent>, SearchError> {
                $search::descend(self, vm, seed)
            }
        }
    };
}

search!(KoratSearch);
search!(LazySearch);

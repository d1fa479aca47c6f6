//! Interface common to all searches: each explores a part of a tree, can be stopped anywhere, and
//! can split off part of its remaining work.

use std::ops::ControlFlow;

use heapwright_jvm::Vm;
use heapwright_solve::Count;

use crate::criterion::{Coverage, InClass};
use crate::depth_first::{self, Tree};
use crate::progress::{End, Leaf, Progress, SearchError, Visit};
use crate::span::Span;

/// Strategy for making choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Each field gets a value at its first read, in Korat's order:
    /// [`KoratSearch`](crate::KoratSearch).
    Korat,
    /// Fields stay open until the program distinguishes their values:
    /// [`LazySearch`](crate::LazySearch).
    Lazy,
}

/// Search in progress.
pub trait Search {
    /// Counts so far.
    fn progress(&self) -> &Progress;

    /// Estimates the explored share of the whole tree, from 0 to 1.
    fn share_seen(&self) -> f64;

    /// Coverage of the criterion so far, if there is one.
    fn coverage(&self) -> Option<&Coverage>;

    /// Class of the current structure, if the criterion has named one.
    fn class(&self) -> Option<InClass>;

    /// Whether the criterion reached the limit that ended the search.
    fn stopped_in_criterion(&self) -> bool;

    /// The number of the current leaf, from 1.
    fn leaf(&self) -> Count {
        self.progress().leaves()
    }

    /// Span that begins at the current leaf (or at the current structure of a cube), from which a
    /// search can be resumed; and the counts before it.
    fn resume_point(&self) -> (Span, Progress);

    /// Splits off the untried alternatives of the oldest open fork; `None` if there is none. The
    /// split-off part comes after all that this search still explores, and may be empty.
    fn split(&mut self) -> Option<Span>;

    /// Restricts the search to this part of the tree. A Korat search must have no criterion then,
    /// because its pruning depends on earlier structures.
    fn start_at(&mut self, span: Span);

    /// Rest of the part when the search was stopped.
    fn rest(&self) -> Option<&Span>;

    /// Path below which all later leaves are left out, including those of later parts: the
    /// criterion names no other class there. `None` if the left-out leaves all lie within the part.
    fn left_out(&self) -> Option<&[i64]>;
}

/// Callback that decides whether a search continues.
pub type SearchCallback<'f> = dyn FnMut(&mut dyn Search) -> ControlFlow<()> + 'f;

/// Callback invoked at each leaf.
pub type Visitor<'f> = dyn FnMut(&mut Vm, &Leaf, &dyn Search) -> Visit + 'f;

/// Search of a tree of choices, part by part.
pub trait Explorer: Search {
    /// Visits every leaf of the part. If the visitor breaks off, its leaf (or its structure of a
    /// cube) is not counted and is the first of the rest. `ask` can break off between two slices of
    /// instructions.
    ///
    /// # Errors
    /// The predicate cannot be called, or the part is one of another tree.
    fn explore(
        &mut self,
        vm: &mut Vm,
        ask: &mut SearchCallback<'_>,
        visit: &mut Visitor<'_>,
    ) -> Result<End, SearchError>;

    /// Returns the alternatives at the first fork past the path of the part; some may prove
    /// infeasible. Empty if the path leads to a leaf.
    ///
    /// # Errors
    /// Same as [`Explorer::explore`].
    fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SearchError>;
}

impl<T: Tree> Search for T {
    fn progress(&self) -> &Progress {
        &self.trail().progress
    }

    fn share_seen(&self) -> f64 {
        depth_first::share_seen(self)
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.criterion_results()
            .map(|classified| classified.coverage)
    }

    fn class(&self) -> Option<InClass> {
        self.criterion_results()?.current
    }

    fn stopped_in_criterion(&self) -> bool {
        self.criterion_results()
            .is_some_and(|classified| classified.is_stopped)
    }

    fn resume_point(&self) -> (Span, Progress) {
        depth_first::here(self)
    }

    fn split(&mut self) -> Option<Span> {
        depth_first::split(self)
    }

    fn start_at(&mut self, span: Span) {
        self.trail_mut().guide.span = span;
    }

    fn rest(&self) -> Option<&Span> {
        self.trail().guide.rest.as_ref()
    }

    fn left_out(&self) -> Option<&[i64]> {
        self.criterion_results()?.left_out
    }
}

impl<T: Tree<Leaf = Leaf, Error = SearchError>> Explorer for T {
    fn explore(
        &mut self,
        vm: &mut Vm,
        ask: &mut SearchCallback<'_>,
        visit: &mut Visitor<'_>,
    ) -> Result<End, SearchError> {
        self.run(vm, &mut |search| ask(search), &mut |vm, leaf, search| {
            visit(vm, leaf, search)
        })
    }

    fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SearchError> {
        depth_first::alternatives(self, vm)
    }
}

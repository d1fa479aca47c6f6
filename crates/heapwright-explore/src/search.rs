//! What the searches have in common: each goes through a part of a tree, can be stopped anywhere,
//! and can give away part of what it has left.

use std::ops::ControlFlow;

use heapwright_jvm::Vm;
use heapwright_solve::Count;

use crate::criterion::{Coverage, InClass};
use crate::depth_first::{self, Tree};
use crate::progress::{End, Leaf, Progress, SearchError, Visit};
use crate::span::Span;

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
    fn progress(&self) -> &Progress;

    /// An estimate of the share of the whole tree that is behind, from 0 to 1.
    fn share_seen(&self) -> f64;

    /// What the criterion has said so far, if there is one.
    fn coverage(&self) -> Option<&Coverage>;

    /// The class of the current structure, if the criterion has named one.
    fn class(&self) -> Option<InClass>;

    /// Whether the limit that ended the search was reached by the criterion.
    fn stopped_in_criterion(&self) -> bool;

    /// The number of the current leaf, from 1.
    fn leaf(&self) -> Count {
        self.progress().leaves()
    }

    /// The place of the current leaf, or of a cube of its current structure, as a search that goes
    /// on from there wants it; and what was counted before it.
    fn here(&self) -> (Span, Progress);

    /// Gives away what is untried at the oldest fork with something left; `None` if there is none.
    /// What comes back is behind all that this search still goes through, and may be nothing.
    fn split(&mut self) -> Option<Span>;

    /// Searches this part of the tree only. A Korat search must have no criterion then: what that
    /// prunes depends on what was found before.
    fn start_at(&mut self, span: Span);

    /// What was left of the part when the search was stopped.
    fn rest(&self) -> Option<&Span>;

    /// The path below which all leaves that come later are left out, those of later parts too: a
    /// criterion is known to name no other class there. `None` if all that is left out was in the
    /// part.
    fn left_out(&self) -> Option<&[i64]>;
}

/// Answers whether a search is to go on.
pub type Ask<'f> = dyn FnMut(&mut dyn Search) -> ControlFlow<()> + 'f;

/// What is done at each leaf.
pub type Visitor<'f> = dyn FnMut(&mut Vm, &Leaf, &dyn Search) -> Visit + 'f;

/// A search through a tree of choices, part by part.
pub trait Explorer: Search {
    /// Visits every leaf of the part. A visitor that breaks off has not taken its leaf, or of a
    /// cube this structure: it is not counted and is the first of what is left. So does `ask` break
    /// off, between two slices of instructions.
    ///
    /// # Errors
    /// The predicate cannot be called, or the part is one of another tree.
    fn explore(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut Visitor<'_>,
    ) -> Result<End, SearchError>;

    /// The alternatives at the first fork past the path of the part; some may turn out not to be
    /// possible. None if the path leads to a leaf.
    ///
    /// # Errors
    /// As for [`Explorer::explore`].
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
        self.classified().map(|classified| classified.coverage)
    }

    fn class(&self) -> Option<InClass> {
        self.classified()?.current
    }

    fn stopped_in_criterion(&self) -> bool {
        self.classified()
            .is_some_and(|classified| classified.is_stopped)
    }

    fn here(&self) -> (Span, Progress) {
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
        self.classified()?.left_out
    }
}

impl<T: Tree<Leaf = Leaf, Error = SearchError>> Explorer for T {
    fn explore(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
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

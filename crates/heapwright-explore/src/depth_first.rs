//! The depth-first search over a tree of choices.
//!
//! A [`Tree`] runs a program from fork to fork and takes the first alternative of each. This module
//! holds the parts common to all trees:
//! - the traversal of the leaves in order, with backtracking to the newest fork that has an untried
//!   alternative;
//! - spans of a tree, and how they are split;
//! - the first runs, which initialise the library.

use std::ops::ControlFlow;

use heapwright_jvm::{ClassId, MarkId, Vm};

use crate::criterion::{Coverage, InClass};
use crate::progress::{End, Progress, Visit};
use crate::span::{Guide, Span};

/// Instructions between two calls of `ask`: some hundredths of a second.
pub(crate) const SLICE: u64 = 1_000_000;

/// Cost of a leaf of a search for structures, in instructions besides those run.
pub(crate) const LEAF: u64 = 64;

/// Callback that decides whether a search continues.
pub type TreeCallback<'f, T> = dyn FnMut(&mut T) -> ControlFlow<()> + 'f;

/// Callback invoked at each leaf.
pub type Visitor<'f, T> = dyn FnMut(&mut Vm, &<T as Tree>::Leaf, &mut T) -> Visit + 'f;

/// Current position of a search in its tree.
pub struct Trail<F> {
    /// Forks of the path, oldest first, each with the alternative taken.
    pub(crate) forks: Vec<F>,
    /// Part of the tree that is searched.
    pub(crate) guide: Guide,
    /// Counts of the search so far.
    pub(crate) progress: Progress,
    /// Instructions between two calls of `ask`.
    pub(crate) slice: u64,
    /// Instructions since the last call of `ask`.
    pub(crate) steps_since_ask: u64,
    /// Whether the library's classes that the program needs are initialised.
    pub(crate) is_warm: bool,
}

impl<F> Default for Trail<F> {
    fn default() -> Trail<F> {
        Trail {
            forks: Vec::new(),
            guide: Guide::default(),
            progress: Progress::default(),
            slice: SLICE,
            steps_since_ask: 0,
            is_warm: false,
        }
    }
}

impl<F> Trail<F> {
    /// Enters a fork.
    pub(crate) fn push(&mut self, fork: F) {
        self.forks.push(fork);
        self.progress.choices += 1;
    }

    /// Restarts the counts: the search that took the first alternative has counted the path up to
    /// here.
    pub(crate) fn rebase(&mut self) {
        self.progress = Progress::default();
        self.guide.rebased = true;
    }
}

/// Results of a criterion in a search.
pub struct CriterionResults<'a> {
    /// Coverage of all structures so far.
    pub coverage: &'a Coverage,
    /// Class of the current structure, if known.
    pub current: Option<InClass>,
    /// Whether the criterion has reached a limit.
    pub is_stopped: bool,
    /// Path below which all later leaves are left out, including those of later parts.
    pub left_out: Option<&'a [i64]>,
}

/// A tree of choices that a program makes.
pub trait Tree: Sized {
    /// Point with several alternatives, and the alternative taken.
    type Fork;
    /// Outcome of a run.
    type Stop;
    /// Description of a leaf for the visitor.
    type Leaf;
    /// Error that ends a search.
    type Error;
    /// Position to which the tree's knowledge of the path can be restored.
    type Mark;

    /// Whether the program runs on symbolic values. Visitors always run concretely.
    const IS_SYMBOLIC: bool;
    /// Cost of a leaf towards a slice, in instructions, besides those executed.
    const LEAF: u64;

    /// Position of the search.
    fn trail(&self) -> &Trail<Self::Fork>;

    /// Mutable position of the search.
    fn trail_mut(&mut self) -> &mut Trail<Self::Fork>;

    /// The alternative that is taken at a fork.
    fn taken(fork: &Self::Fork) -> i64;

    /// Least possible number of an untried alternative at the fork with this number, if one may
    /// exist.
    fn next_alternative(&self, fork: usize) -> Option<i64>;

    /// Number of alternatives before the one taken at the fork with this number, and their total.
    fn place(&self, fork: usize) -> (u32, u32);

    /// Prepares for a walk over the leaves.
    fn begin(&mut self) {}

    /// Returns a mark for the current position, at the root.
    fn mark(&mut self) -> Self::Mark;

    /// Opens all entries to be chosen, and calls the program.
    ///
    /// # Errors
    /// The program cannot be called.
    fn enter(&mut self, vm: &mut Vm) -> Result<(), Self::Error>;

    /// Discards the knowledge of the path back to `mark`; the machine has gone back already.
    fn leave(&mut self, mark: Self::Mark);

    /// Runs some paths to find the library classes that they initialise; stops where `ask` breaks
    /// off.
    ///
    /// # Errors
    /// The program cannot go on.
    fn warm_up_runs(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// Adapts to the initialised library; called once, after the first runs.
    fn after_warm_up(&mut self, _: &mut Vm) {}

    /// Runs to the end of the program, taking the first alternative of every fork; stops where
    /// `ask` breaks off.
    ///
    /// # Errors
    /// The program cannot go on.
    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
    ) -> Result<ControlFlow<(), Self::Stop>, Self::Error>;

    /// Counts the outcome of a run and passes the leaf to the visitor; returns the end of the
    /// search, if it ends here.
    ///
    /// # Errors
    /// The program cannot go on, or the part is one of another tree.
    fn visit_leaf(
        &mut self,
        vm: &mut Vm,
        stop: Self::Stop,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, Self::Error>;

    /// Goes back to the newest fork with an untried alternative and takes it; `None` if there is
    /// none. Returns the outcome of the run if it is known without running on.
    ///
    /// # Errors
    /// The program cannot go on.
    fn advance(&mut self, vm: &mut Vm) -> Result<Option<Option<Self::Stop>>, Self::Error>;

    /// Converts an error that stands for an interruption into the end of the search.
    ///
    /// # Errors
    /// Any other error is returned unchanged.
    fn interrupted(error: Self::Error) -> Result<End, Self::Error> {
        Err(error)
    }

    /// Whether parts of the tree can be split off for other workers.
    fn has_parts(&self) -> bool {
        true
    }

    /// Number of structures of the current leaf visited before the current one, and the counts
    /// before it; `None` at the first structure.
    fn within_leaf(&self) -> Option<(u64, &Progress)> {
        None
    }

    /// Results of the criterion, if there is one.
    fn criterion_results(&self) -> Option<CriterionResults<'_>> {
        None
    }

    /// Sets the number of instructions between two calls of `ask`, at least one.
    #[must_use]
    fn with_slice(mut self, steps: u64) -> Self {
        self.trail_mut().slice = steps.max(1);
        self
    }

    /// Alternatives taken on the current path.
    fn path(&self) -> impl Iterator<Item = i64> {
        self.trail().forks.iter().map(Self::taken)
    }

    /// Visits every leaf of the part in order, with the machine at that leaf. The search ends early
    /// if the visitor breaks off, or `ask`, which is also called during runs. Afterwards the
    /// machine is in its initial state again.
    ///
    /// # Errors
    /// The program cannot be called or go on, or the part is one of another tree.
    fn run(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<End, Self::Error> {
        let mut visit = |vm: &mut Vm, leaf: &Self::Leaf, tree: &mut Self| {
            vm.set_symbolic(false);
            let visited = visit(vm, leaf, tree);
            vm.set_symbolic(Self::IS_SYMBOLIC);
            visited
        };
        vm.set_symbolic(Self::IS_SYMBOLIC);
        let warm = warm_up(self, vm, ask);
        let result = warm.and_then(|go_on| match go_on {
            ControlFlow::Continue(()) => walk_from_root(self, vm, ask, &mut visit),
            ControlFlow::Break(()) => {
                self.trail_mut().guide.begin();
                stop(self);
                Ok(End::Interrupted)
            }
        });
        vm.set_symbolic(false);
        result.or_else(Self::interrupted)
    }

    /// Visits the leaves below the root, where the machine stands.
    ///
    /// # Errors
    /// See [`Tree::run`].
    fn walk(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<End, Self::Error> {
        let mut run = self.run_to_leaf(vm, ask)?;
        loop {
            let ControlFlow::Continue(stop) = run else {
                return Ok(End::Interrupted);
            };
            if let Some(end) = self.visit_leaf(vm, stop, ask, visit)? {
                return Ok(end);
            }
            let trail = self.trail_mut();
            let before = trail.progress.clone();
            let Some(next) = self.advance(vm)? else {
                return Ok(End::Complete);
            };
            let trail = self.trail_mut();
            trail.guide.begin_leaf(trail.forks.len(), before);
            trail.steps_since_ask += Self::LEAF;
            if trail.steps_since_ask >= trail.slice && self.asked(ask).is_break() {
                return Ok(End::Interrupted);
            }
            run = match next {
                Some(stop) => ControlFlow::Continue(stop),
                None => self.run_to_leaf(vm, ask)?,
            };
        }
    }

    /// Calls `ask` and restarts the slice.
    #[cold]
    fn asked(&mut self, ask: &mut TreeCallback<'_, Self>) -> ControlFlow<()> {
        self.trail_mut().steps_since_ask = 0;
        ask(self)
    }
}

/// Initialises the library classes that the program needs, permanently. Their initialisers have no
/// visible effect, and the search need not repeat them for each leaf. The rest of the machine's
/// state is unchanged.
fn warm_up<T: Tree>(
    tree: &mut T,
    vm: &mut Vm,
    ask: &mut TreeCallback<'_, T>,
) -> Result<ControlFlow<()>, T::Error> {
    if tree.trail().is_warm {
        return Ok(ControlFlow::Continue(()));
    }
    let span = std::mem::take(&mut tree.trail_mut().guide.span);
    tree.trail_mut().guide.begin();
    let mut initialized = Vec::new();
    let root = (vm.mark(), tree.mark());
    let entered = tree.enter(vm);
    let tried = entered.and_then(|()| tree.warm_up_runs(vm, ask, &mut initialized));
    go_back(tree, vm, root);
    let trail = tree.trail_mut();
    trail.guide.span = span;
    trail.progress = Progress::default();
    let go_on = tried?;
    if go_on.is_continue() {
        for class in initialized {
            // A failure shows again when the program itself initialises the class.
            let _ = vm.initialize_now(class);
        }
        tree.trail_mut().is_warm = true;
        tree.after_warm_up(vm);
    }
    Ok(go_on)
}

fn walk_from_root<T: Tree>(
    tree: &mut T,
    vm: &mut Vm,
    ask: &mut TreeCallback<'_, T>,
    visit: &mut Visitor<'_, T>,
) -> Result<End, T::Error> {
    let trail = tree.trail_mut();
    trail.guide.begin();
    trail.progress = Progress::default();
    tree.begin();
    let root = (vm.mark(), tree.mark());
    let entered = tree.enter(vm);
    let result = entered.and_then(|()| tree.walk(vm, ask, visit).or_else(T::interrupted));
    if !matches!(result, Ok(End::Complete)) {
        stop(tree);
    }
    go_back(tree, vm, root);
    result
}

fn go_back<T: Tree>(tree: &mut T, vm: &mut Vm, (machine, own): (MarkId, T::Mark)) {
    vm.undo_to(machine);
    vm.forget(machine);
    vm.abandon();
    tree.trail_mut().forks.clear();
    tree.leave(own);
}

/// Records the rest of the part, and the counts before it.
fn stop<T: Tree>(tree: &mut T) {
    let (rest, progress) = here(tree);
    let trail = tree.trail_mut();
    trail.guide.rest = Some(rest);
    trail.progress = progress;
}

/// See [`Search::resume_point`](crate::Search::resume_point).
pub(crate) fn here<T: Tree>(tree: &T) -> (Span, Progress) {
    let Some((taken, before)) = tree.within_leaf() else {
        return tree.trail().guide.here(tree.path());
    };
    // The structures of a leaf form one more fork, whose alternatives are their numbers.
    let mut path: Vec<i64> = tree.path().collect();
    path.push(taken as i64);
    let fixed = tree.trail().guide.span.fixed;
    (Span { path, fixed }, before.clone())
}

/// See [`Search::split`](crate::Search::split).
pub(crate) fn split<T: Tree>(tree: &mut T) -> Option<Span> {
    let trail = tree.trail();
    if !trail.is_warm || !trail.guide.has_arrived() || !tree.has_parts() {
        return None;
    }
    let mut open = trail.guide.span.fixed..trail.forks.len();
    let (fork, next) = open.find_map(|fork| Some((fork, tree.next_alternative(fork)?)))?;
    let mut path: Vec<i64> = tree.path().take(fork).collect();
    path.push(next);
    tree.trail_mut().guide.span.fixed = fork + 1;
    Some(Span { path, fixed: fork })
}

/// Estimates the explored share of the tree, from 0 to 1, as if all alternatives of a fork led to
/// equally many leaves.
pub(crate) fn share_seen<T: Tree>(tree: &T) -> f64 {
    let (mut seen, mut width) = (0.0, 1.0);
    for fork in 0..tree.trail().forks.len() {
        let (before, all) = tree.place(fork);
        width /= f64::from(all);
        seen += f64::from(before) * width;
    }
    seen
}

/// See [`Explorer::alternatives`](crate::Explorer::alternatives).
pub(crate) fn alternatives<T: Tree>(tree: &mut T, vm: &mut Vm) -> Result<Vec<i64>, T::Error> {
    // The walk stops as soon as the alternatives are known; the leaf need not be reached.
    let mut until_told = |tree: &mut T| match tree.trail().guide.has_alternatives() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    vm.set_symbolic(T::IS_SYMBOLIC);
    let result = warm_up(tree, vm, &mut until_told).and_then(|_| {
        tree.trail_mut().guide.request_alternatives();
        let visit = &mut |_: &mut Vm, _: &T::Leaf, _: &mut T| ControlFlow::Break(());
        let end = walk_from_root(tree, vm, &mut until_told, visit);
        let alternatives = tree.trail_mut().guide.take_alternatives();
        end.map(|_| alternatives)
    });
    vm.set_symbolic(false);
    result
}

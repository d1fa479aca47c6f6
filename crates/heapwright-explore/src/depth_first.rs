//! The depth-first search over a tree of choices.
//!
//! A [`Tree`] runs a program from fork to fork and takes the first alternative of each. Here is what all trees have in
//! common: the way through the leaves in order, back over the newest fork with something left; parts of a tree, and
//! how one is given away; and the first runs, which initialise the library.

use std::ops::ControlFlow;

use heapwright_jvm::{ClassId, MarkId, Vm};

use crate::criterion::{Coverage, InClass};
use crate::progress::{End, Progress, Visit};
use crate::span::{Guide, Span};

/// Instructions between two questions whether to go on: some hundredths of a second.
pub(crate) const SLICE: u64 = 1_000_000;

/// Answers whether a search is to go on.
pub type Ask<'f, T> = dyn FnMut(&mut T) -> ControlFlow<()> + 'f;

/// What is done at each leaf.
pub type Visitor<'f, T> = dyn FnMut(&mut Vm, &<T as Tree>::Leaf, &mut T) -> Visit + 'f;

/// Where a search stands in its tree.
pub struct Trail<F> {
    /// The forks of the path, oldest first, each with the alternative that is taken.
    pub(crate) forks: Vec<F>,
    /// The part of the tree that is searched.
    pub(crate) guide: Guide,
    /// What was counted in it so far.
    pub(crate) progress: Progress,
    /// Instructions between two questions whether to go on.
    pub(crate) slice: u64,
    /// Instructions since the last question.
    pub(crate) unasked: u64,
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
            unasked: 0,
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

    /// Counts anew from here on: what led here was counted by whoever took the first alternative.
    pub(crate) fn rebase(&mut self) {
        self.progress = Progress::default();
        self.guide.rebased = true;
    }
}

/// What a criterion has said in a search.
pub struct Classified<'a> {
    /// Of all structures so far.
    pub coverage: &'a Coverage,
    /// Of the current one, if that is known.
    pub current: Option<InClass>,
    /// Whether it has reached a limit.
    pub is_stopped: bool,
    /// The path below which all leaves that come later are left out, those of later parts too.
    pub left_out: Option<&'a [i64]>,
}

/// A tree of choices that a program makes.
pub trait Tree: Sized {
    /// A point where the program can go on in several ways, and the one that is taken.
    type Fork;
    /// What a run comes to.
    type Stop;
    /// What a visitor is shown.
    type Leaf;
    /// Why a search cannot go on.
    type Error;
    /// Where what the tree knows of the path stands.
    type Mark;

    /// Whether the program runs on symbolic values. Visitors never do.
    const IS_SYMBOLIC: bool;
    /// What a leaf counts towards a slice besides its instructions.
    const LEAF: u64;

    /// Where the search stands.
    fn trail(&self) -> &Trail<Self::Fork>;

    /// The same, to change it.
    fn trail_mut(&mut self) -> &mut Trail<Self::Fork>;

    /// The alternative that is taken at a fork.
    fn taken(fork: &Self::Fork) -> i64;

    /// The least number that an alternative behind the one taken may have, if there may be one, at the fork with this
    /// number.
    fn untaken(&self, fork: usize) -> Option<i64>;

    /// How many alternatives come before the one that is taken at the fork with this number, and how many there are.
    fn place(&self, fork: usize) -> (u32, u32);

    /// A walk over the leaves begins.
    fn begin(&mut self) {}

    /// Where it stands now, at the root.
    fn mark(&mut self) -> Self::Mark;

    /// Opens all that is to be chosen, and calls the program.
    ///
    /// # Errors
    /// It cannot be called.
    fn enter(&mut self, vm: &mut Vm) -> Result<(), Self::Error>;

    /// Forgets what is known of the path; the machine has gone back already.
    fn leave(&mut self, mark: Self::Mark);

    /// Runs some paths to find the library's classes they initialise; breaks off where `ask` does.
    ///
    /// # Errors
    /// The program cannot go on.
    fn try_out(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// The library is initialised.
    fn settle_in(&mut self, _: &mut Vm) {}

    /// Runs to where the program ends, taking the first alternative of every fork; breaks off where `ask` does.
    ///
    /// # Errors
    /// The program cannot go on.
    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
    ) -> Result<ControlFlow<(), Self::Stop>, Self::Error>;

    /// Counts what a run came to and shows it to the visitor; says how the search ends, if it does.
    ///
    /// # Errors
    /// The program cannot go on, or the part is one of another tree.
    fn meet(
        &mut self,
        vm: &mut Vm,
        stop: Self::Stop,
        ask: &mut Ask<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, Self::Error>;

    /// Goes back to the newest fork with something left and takes that; `None` if there is none. Gives what the run
    /// comes to if that is known without running on.
    ///
    /// # Errors
    /// The program cannot go on.
    fn advance(&mut self, vm: &mut Vm) -> Result<Option<Option<Self::Stop>>, Self::Error>;

    /// The end that an error stands for, if it is that somebody asked to stop.
    ///
    /// # Errors
    /// It is none.
    fn interrupted(error: Self::Error) -> Result<End, Self::Error> {
        Err(error)
    }

    /// Whether parts of the tree may be given away.
    fn has_parts(&self) -> bool {
        true
    }

    /// How many structures of the current leaf were visited before this one, and what was counted before it; `None` if
    /// that is the first.
    fn within_leaf(&self) -> Option<(u64, &Progress)> {
        None
    }

    /// What the criterion has said, if there is one.
    fn classified(&self) -> Option<Classified<'_>> {
        None
    }

    /// Asks whether to go on after so many instructions, at least one.
    #[must_use]
    fn with_slice(mut self, steps: u64) -> Self {
        self.trail_mut().slice = steps.max(1);
        self
    }

    /// The alternatives that are taken.
    fn path(&self) -> impl Iterator<Item = i64> {
        self.trail().forks.iter().map(Self::taken)
    }

    /// Visits every leaf of the part, in order, the machine standing there. A visitor that breaks off ends the search,
    /// as does `ask`, which is called now and then, also while a run is under way. Afterwards the machine stands where
    /// it stood before.
    ///
    /// # Errors
    /// The program cannot be called or go on, or the part is one of another tree.
    fn run(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
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

    /// Goes through the leaves below the root, where the machine stands.
    ///
    /// # Errors
    /// See [`Tree::run`].
    fn walk(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<End, Self::Error> {
        let mut run = self.run_to_leaf(vm, ask)?;
        loop {
            let ControlFlow::Continue(stop) = run else {
                return Ok(End::Interrupted);
            };
            if let Some(end) = self.meet(vm, stop, ask, visit)? {
                return Ok(end);
            }
            let before = self.trail().progress.clone();
            let Some(next) = self.advance(vm)? else {
                return Ok(End::Complete);
            };
            let trail = self.trail_mut();
            trail.guide.set_out(trail.forks.len(), before);
            trail.unasked += Self::LEAF;
            if trail.unasked >= trail.slice && self.asked(ask).is_break() {
                return Ok(End::Interrupted);
            }
            run = match next {
                Some(stop) => ControlFlow::Continue(stop),
                None => self.run_to_leaf(vm, ask)?,
            };
        }
    }

    /// Asks whether to go on.
    #[cold]
    fn asked(&mut self, ask: &mut Ask<'_, Self>) -> ControlFlow<()> {
        self.trail_mut().unasked = 0;
        ask(self)
    }
}

/// Initialises the library's classes that the program needs, for good: what their initialisers do shows nowhere, and
/// the search need not do it again for each leaf. The machine stands where it stood but for that.
fn warm_up<T: Tree>(
    tree: &mut T,
    vm: &mut Vm,
    ask: &mut Ask<'_, T>,
) -> Result<ControlFlow<()>, T::Error> {
    if tree.trail().is_warm {
        return Ok(ControlFlow::Continue(()));
    }
    let span = std::mem::take(&mut tree.trail_mut().guide.span);
    tree.trail_mut().guide.begin();
    let mut initialized = Vec::new();
    let root = (vm.mark(), tree.mark());
    let entered = tree.enter(vm);
    let tried = entered.and_then(|()| tree.try_out(vm, ask, &mut initialized));
    go_back(tree, vm, root);
    let trail = tree.trail_mut();
    trail.guide.span = span;
    trail.progress = Progress::default();
    let go_on = tried?;
    if go_on.is_continue() {
        for class in initialized {
            // A failure shows again, in its place, when the program is run.
            let _ = vm.initialize_now(class);
        }
        tree.trail_mut().is_warm = true;
        tree.settle_in(vm);
    }
    Ok(go_on)
}

fn walk_from_root<T: Tree>(
    tree: &mut T,
    vm: &mut Vm,
    ask: &mut Ask<'_, T>,
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

/// Notes what is left of the part, and what was counted before that.
fn stop<T: Tree>(tree: &mut T) {
    let (rest, progress) = here(tree);
    let trail = tree.trail_mut();
    trail.guide.rest = Some(rest);
    trail.progress = progress;
}

/// See [`Search::here`](crate::Search::here).
pub(crate) fn here<T: Tree>(tree: &T) -> (Span, Progress) {
    let Some((taken, before)) = tree.within_leaf() else {
        return tree.trail().guide.here(tree.path());
    };
    // The structures of a leaf are one more fork: their number is the alternative.
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
    let (fork, next) = open.find_map(|fork| Some((fork, tree.untaken(fork)?)))?;
    let mut path: Vec<i64> = tree.path().take(fork).collect();
    path.push(next);
    tree.trail_mut().guide.span.fixed = fork + 1;
    Some(Span { path, fixed: fork })
}

/// An estimate of the share of the tree that is behind, from 0 to 1: as if all alternatives of a fork led to equally
/// many leaves.
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
    // Once they are known, the leaf need not be reached.
    let mut until_told = |tree: &mut T| match tree.trail().guide.is_told() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    vm.set_symbolic(T::IS_SYMBOLIC);
    let result = warm_up(tree, vm, &mut until_told).and_then(|_| {
        tree.trail_mut().guide.ask();
        let visit = &mut |_: &mut Vm, _: &T::Leaf, _: &mut T| ControlFlow::Break(());
        let end = walk_from_root(tree, vm, &mut until_told, visit);
        let alternatives = tree.trail_mut().guide.told();
        end.map(|_| alternatives)
    });
    vm.set_symbolic(false);
    result
}

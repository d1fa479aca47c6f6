//! Division of a tree into parts of about the same expected work, for processes that cannot request
//! work from each other.
//!
//! The size of a subtree is not known before its search: most alternatives lead to few leaves, a
//! few to nearly all. Each subtree is therefore searched for a limited time. One that is finished in
//! that time has a known size. That of an unfinished one is estimated by random walks to its leaves
//! (Knuth 1975). Subtrees are cut at their first fork until there are enough, of which each part then
//! has some. Estimates are too small for most uneven trees, the more so the larger the tree. Hence
//! every other cut is that of the largest subtree, and the others those of the subtrees next to the
//! root, whatever their estimates. Invariant: the same search is divided in the same way everywhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use heapwright_jvm::Vm;

use crate::depth_first::{self, LEAF, Tree};
use crate::progress::{End, Leaf, Progress, SearchError};
use crate::search::{Explorer, Search};
use crate::span::Span;
use crate::symbolic::{PathEnd, SymbolicError, SymbolicSearch};

/// Instructions of the first trial of a subtree, and the growth factor of the length of trials.
const FIRST_TRIAL: u64 = 4_000;
const LONGER: u64 = 8;
/// Number of subtrees of a part, high enough for the errors of estimates to average out.
const SUBTREES: usize = 24;
/// Cost of a query to a solver on the way from the root, in instructions.
const REPLAYED_QUERY: u64 = 5_000;

/// Part of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Subtrees of the part, in the order of the search. They do not overlap.
    pub spans: Vec<Span>,
    /// Estimate of the work of its search, in instructions: those run, and the cost of its leaves.
    pub steps: u64,
    /// Whether the work is known: all of the part was tried.
    pub is_known: bool,
}

/// Subtree, with the work of its search in instructions.
struct Subtree {
    span: Span,
    steps: u64,
    /// Whether the work is an estimate.
    is_open: bool,
}

/// Search whose tree can be surveyed. All costs are in instructions, so that they do not depend on the machine.
pub trait Surveyed {
    /// Error that ends the survey.
    type Error;

    /// Cost of a start at the root, besides instructions run.
    const START: u64;
    /// Cost of a leaf, besides instructions run.
    const LEAF: u64;

    /// Cost of all that was done so far, but for starts and leaves; only differences have a meaning.
    fn meter(&self, vm: &Vm) -> u64;

    /// Restricts the search to a part of the tree.
    fn start_at(&mut self, span: Span);

    /// Searches the part until that has cost more than `most`. Returns whether it was searched as a
    /// whole, and the counts, without those of the path to the part, which another part has.
    ///
    /// # Errors
    /// The tree cannot be searched, or has no such part.
    fn try_for(&mut self, vm: &mut Vm, most: u64) -> Result<(bool, &Progress), Self::Error>;

    /// Returns the alternatives at the first fork past the path of the part; some may prove
    /// infeasible. Empty if the path leads to a leaf.
    ///
    /// # Errors
    /// Same as [`Surveyed::try_for`].
    fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, Self::Error>;
}

impl Surveyed for dyn Explorer + '_ {
    type Error = SearchError;

    const START: u64 = 800;
    const LEAF: u64 = LEAF;

    fn start_at(&mut self, span: Span) {
        Search::start_at(self, span);
    }

    fn meter(&self, vm: &Vm) -> u64 {
        vm.steps()
    }

    fn try_for(&mut self, vm: &mut Vm, most: u64) -> Result<(bool, &Progress), SearchError> {
        let start = vm.steps();
        let visit = &mut |vm: &mut Vm, _: &Leaf, search: &dyn Search| {
            go_on(vm.steps() - start + search.progress().leaf_cost <= most)
        };
        // Asked after so many instructions that it has been long enough.
        let end = self.explore(vm, &mut |_| ControlFlow::Break(()), visit)?;
        Ok((end == End::Complete, self.progress()))
    }

    fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SearchError> {
        Explorer::alternatives(self, vm)
    }
}

impl Surveyed for SymbolicSearch<'_> {
    type Error = SymbolicError;

    const START: u64 = 20_000;
    const LEAF: u64 = <Self as Tree>::LEAF;

    fn meter(&self, vm: &Vm) -> u64 {
        vm.steps() + self.statistics().queries * REPLAYED_QUERY
    }

    fn start_at(&mut self, span: Span) {
        Search::start_at(self, span);
    }

    fn try_for(&mut self, vm: &mut Vm, most: u64) -> Result<(bool, &Progress), SymbolicError> {
        let visit = &mut |_: &mut Vm, _: &PathEnd, search: &mut SymbolicSearch<'_>| {
            go_on(search.progress().work() <= most)
        };
        let end = self.run(vm, &mut |_| ControlFlow::Break(()), visit)?;
        Ok((end == End::Complete, self.progress()))
    }

    fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SymbolicError> {
        depth_first::alternatives(self, vm)
    }
}

fn go_on(goes_on: bool) -> ControlFlow<()> {
    match goes_on {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

/// Divides some parts of a tree into `count` parts, at least one; some may be empty. Trials and walks
/// take about `effort` instructions.
///
/// # Errors
/// The program cannot be called, or the spans are not of this tree.
pub fn partition<T: Surveyed + ?Sized>(
    search: &mut T,
    vm: &mut Vm,
    spans: &[Span],
    count: usize,
    effort: u64,
) -> Result<Vec<Part>, T::Error> {
    let count = count.max(1);
    let mut surveyor = Surveyor {
        search,
        vm,
        spent: 0,
    };
    let mut subtrees = surveyor.cut(spans, SUBTREES * count, effort)?;
    subtrees.sort_by_key(|subtree| Reverse(subtree.steps));
    let mut parts = vec![
        Part {
            spans: Vec::new(),
            steps: 0,
            is_known: true,
        };
        count
    ];
    for subtree in subtrees {
        if let Some(part) = parts.iter_mut().min_by_key(|part| part.steps) {
            part.steps += subtree.steps;
            part.is_known &= !subtree.is_open;
            part.spans.push(subtree.span);
        }
    }
    for part in &mut parts {
        part.spans.sort_unstable();
    }
    Ok(parts)
}

/// First fork below a path: its alternatives, of which a leaf has none, and the work from the root
/// to it, in instructions.
struct ForkAfter {
    alternatives: Vec<i64>,
    steps: u64,
}

/// Measures subtrees.
struct Surveyor<'a, T: ?Sized> {
    search: &'a mut T,
    vm: &'a mut Vm,
    /// Work so far, in instructions.
    spent: u64,
}

impl<T: Surveyed + ?Sized> Surveyor<'_, T> {
    /// Cuts subtrees until there are enough, then measures each for longer.
    fn cut(
        &mut self,
        spans: &[Span],
        wanted: usize,
        effort: u64,
    ) -> Result<Vec<Subtree>, T::Error> {
        let mut trial = FIRST_TRIAL;
        let mut subtrees = Subtrees::default();
        for span in spans.iter().flat_map(Span::by_forks) {
            if span.fixed == span.path.len() {
                subtrees.add(self.measure(span, trial)?);
            } else {
                let below = self.expand(span, trial)?;
                below.into_iter().for_each(|subtree| subtrees.add(subtree));
            }
        }
        loop {
            while subtrees.open < wanted
                && self.spent < effort
                && let Some(next) = subtrees.take_next()
            {
                let before = &next.span.path;
                let alternatives = self.fork_after(before)?.alternatives;
                if alternatives.is_empty() {
                    // The path leads to a leaf.
                    let is_open = false;
                    subtrees.add(Subtree { is_open, ..next });
                    continue;
                }
                for alternative in alternatives {
                    let path = [&before[..], &[alternative]].concat();
                    subtrees.add(self.measure(Span::below(path), trial)?);
                }
            }
            let open = subtrees.open as u64;
            trial *= LONGER;
            if open == 0 || self.spent + 2 * trial * open > effort {
                return Ok(subtrees.into_all());
            }
            let mut measured = Subtrees::default();
            for subtree in subtrees.into_all() {
                measured.add(match subtree.is_open {
                    true => self.measure(subtree.span, trial)?,
                    false => subtree,
                });
            }
            subtrees = measured;
        }
    }

    /// Subtrees below the alternatives of a fork from the last item of the path on.
    fn expand(&mut self, span: Span, trial: u64) -> Result<Vec<Subtree>, T::Error> {
        let (before, first) = (&span.path[..span.fixed], span.path[span.fixed]);
        let alternatives = self.fork_after(before)?.alternatives;
        if alternatives.is_empty() {
            let (steps, is_open) = (trial, false);
            return Ok(vec![Subtree {
                span,
                steps,
                is_open,
            }]);
        }
        let later = alternatives.into_iter().filter(|&item| item >= first);
        later
            .map(|item| self.measure(Span::below([before, &[item]].concat()), trial))
            .collect()
    }

    /// Searches a subtree for about `trial` instructions, and estimates its size by walks of about as
    /// many if that does not suffice.
    fn measure(&mut self, span: Span, trial: u64) -> Result<Subtree, T::Error> {
        let start = self.search.meter(self.vm);
        self.search.start_at(span.clone());
        let (is_whole, progress) = self.search.try_for(self.vm, trial)?;
        let (tried, of_leaves) = (progress.work(), progress.leaf_cost);
        self.spent += T::START + self.search.meter(self.vm) - start + of_leaves;
        if is_whole {
            return Ok(Subtree {
                span,
                steps: tried,
                is_open: false,
            });
        }
        let (start, mut sum, mut walks) = (self.spent, 0.0, 0_u32);
        let mut dice = Dice::default();
        while walks == 0 || self.spent - start < trial {
            sum += self.walk(&span.path, &mut dice)?;
            walks += 1;
        }
        // Estimates may be of any size; of their sums no more than an order of magnitude is needed.
        let mean = (sum / f64::from(walks)).min(1e15) as u64;
        Ok(Subtree {
            span,
            steps: mean.max(tried),
            is_open: true,
        })
    }

    /// Estimates the work of the search of a subtree by a random walk. The walk goes on below one of
    /// those alternatives of each fork that lead to another fork: a walk that also ends where one of
    /// the others is drawn rarely sees the long paths, which most of the work is for.
    fn walk(&mut self, path: &[i64], dice: &mut Dice) -> Result<f64, T::Error> {
        let (mut path, mut ways, mut sum) = (path.to_vec(), 1.0, 0.0);
        let mut here = self.fork_after(&path)?;
        loop {
            let mut inner = Vec::new();
            for &alternative in &here.alternatives {
                path.push(alternative);
                let next = self.fork_after(&path)?;
                path.pop();
                sum += ways * (next.steps.saturating_sub(here.steps)) as f64;
                if next.alternatives.is_empty() {
                    sum += ways * T::LEAF as f64;
                } else {
                    inner.push((alternative, next));
                }
            }
            ways *= inner.len() as f64;
            if inner.is_empty() {
                return Ok(sum);
            }
            let (alternative, next) = inner.swap_remove(dice.below(inner.len()));
            path.push(alternative);
            here = next;
        }
    }

    fn fork_after(&mut self, path: &[i64]) -> Result<ForkAfter, T::Error> {
        let (start, steps) = (self.search.meter(self.vm), self.vm.steps());
        self.search.start_at(Span::below(path.to_vec()));
        let alternatives = self.search.alternatives(self.vm)?;
        self.spent += T::START + self.search.meter(self.vm) - start;
        Ok(ForkAfter {
            alternatives,
            steps: self.vm.steps() - steps,
        })
    }
}

/// Subtrees that do not overlap, with the open ones in two orders.
#[derive(Default)]
struct Subtrees {
    /// None in place of one that was cut.
    all: Vec<Option<Subtree>>,
    /// Number of open ones.
    open: usize,
    /// Open ones by number: the largest first, and those next to the root first.
    by_size: BinaryHeap<(u64, Reverse<usize>, usize)>,
    by_depth: BinaryHeap<(Reverse<usize>, u64, usize)>,
    is_turn_of_size: bool,
}

impl Subtrees {
    fn add(&mut self, subtree: Subtree) {
        if subtree.is_open {
            let (number, depth) = (self.all.len(), Reverse(subtree.span.path.len()));
            self.by_size.push((subtree.steps, depth, number));
            self.by_depth.push((depth, subtree.steps, number));
            self.open += 1;
        }
        self.all.push(Some(subtree));
    }

    /// Takes the largest open subtree, and the next time the largest of those next to the root.
    fn take_next(&mut self) -> Option<Subtree> {
        self.is_turn_of_size = !self.is_turn_of_size;
        loop {
            let number = match self.is_turn_of_size {
                true => self.by_size.pop()?.2,
                false => self.by_depth.pop()?.2,
            };
            // The other order may have had it before.
            if let Some(subtree) = self.all[number].take() {
                self.open -= 1;
                return Some(subtree);
            }
        }
    }

    fn into_all(self) -> Vec<Subtree> {
        self.all.into_iter().flatten().collect()
    }
}

/// Pseudo-random numbers of a linear congruential generator, the same in every run.
#[derive(Default)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        let factor: u64 = 6_364_136_223_846_793_005;
        self.0 = factor
            .wrapping_mul(self.0)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_and_those_next_to_the_root_are_cut_by_turns() {
        let subtree = |path: &[i64], steps, is_open| Subtree {
            span: Span::below(path.to_vec()),
            steps,
            is_open,
        };
        let mut subtrees = Subtrees::default();
        for one in [
            subtree(&[0], 10, true),
            subtree(&[1], 20, true),
            subtree(&[2], 900, false),
            subtree(&[3, 0, 0], 30, true),
            subtree(&[3, 1, 0], 40, true),
            subtree(&[3, 2], 5, true),
        ] {
            subtrees.add(one);
        }
        assert_eq!(subtrees.open, 5);
        let taken: Vec<u64> = std::iter::from_fn(|| subtrees.take_next())
            .map(|one| one.steps)
            .collect();
        assert_eq!(taken, [40, 20, 30, 10, 5]);
        assert_eq!(subtrees.open, 0);
        let left: Vec<u64> = subtrees.into_all().iter().map(|one| one.steps).collect();
        assert_eq!(left, [900]);
    }
}

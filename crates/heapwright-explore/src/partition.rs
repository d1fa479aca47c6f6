//! Division of a tree into parts of about the same expected work, for processes that cannot request
//! work from each other.
//!
//! The size of a subtree is not known before its search: most alternatives lead to few leaves, a
//! few to nearly all. Each subtree is therefore searched for a limited time. One that is finished in
//! that time has a known size. That of an unfinished one is estimated by random walks to its leaves
//! (Knuth 1975). The largest subtree is cut at its first fork until there are enough subtrees, of
//! which each part then has some. Invariant: the same search is divided in the same way everywhere.

use std::ops::ControlFlow;

use heapwright_jvm::Vm;

use crate::progress::{End, SearchError};
use crate::search::Explorer;
use crate::span::Span;

/// Instructions of the first trial of a subtree, and the growth factor of the length of trials.
const FIRST_TRIAL: u64 = 4_000;
const LONGER: u64 = 8;
/// Number of subtrees of a part, high enough for the errors of estimates to average out.
const SUBTREES: usize = 24;

/// Part of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Subtrees of the part, in the order of the search. They do not overlap.
    pub spans: Vec<Span>,
    /// Estimate of the instructions that its search takes.
    pub steps: u64,
}

/// Subtree, with the instructions that its search takes.
struct Subtree {
    span: Span,
    steps: u64,
    /// Whether the number of instructions is an estimate.
    is_open: bool,
}

/// Divides some parts of a tree into `count` parts, at least one; some may be empty. Trials and walks
/// take about `effort` instructions.
///
/// # Errors
/// The predicate cannot be called, or the spans are not of this tree.
pub fn partition(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    spans: &[Span],
    count: usize,
    effort: u64,
) -> Result<Vec<Part>, SearchError> {
    let count = count.max(1);
    let mut subtrees = cut(search, vm, spans, SUBTREES * count, effort)?;
    subtrees.sort_by_key(|subtree| std::cmp::Reverse(subtree.steps));
    let mut parts = vec![
        Part {
            spans: Vec::new(),
            steps: 0,
        };
        count
    ];
    for subtree in subtrees {
        if let Some(part) = parts.iter_mut().min_by_key(|part| part.steps) {
            part.steps += subtree.steps;
            part.spans.push(subtree.span);
        }
    }
    for part in &mut parts {
        part.spans.sort_unstable();
    }
    Ok(parts)
}

/// Cuts the largest subtree until there are enough, then measures each for longer.
fn cut(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    spans: &[Span],
    wanted: usize,
    effort: u64,
) -> Result<Vec<Subtree>, SearchError> {
    let start = vm.steps();
    let mut trial = FIRST_TRIAL;
    let mut subtrees = Vec::new();
    for span in spans.iter().flat_map(Span::by_forks) {
        if span.fixed == span.path.len() {
            subtrees.push(measure(search, vm, span, trial)?);
        } else {
            subtrees.extend(expand(search, vm, span, trial)?);
        }
    }
    loop {
        while subtrees.iter().filter(|subtree| subtree.is_open).count() < wanted
            && vm.steps() - start < effort
            && let Some(largest) = take_largest(&mut subtrees)
        {
            let before = &largest.span.path;
            search.start_at(largest.span.clone());
            let alternatives = search.alternatives(vm)?;
            if alternatives.is_empty() {
                // The path leads to a leaf.
                let is_open = false;
                subtrees.push(Subtree { is_open, ..largest });
                continue;
            }
            for alternative in alternatives {
                let path = [&before[..], &[alternative]].concat();
                subtrees.push(measure(search, vm, Span::below(path), trial)?);
            }
        }
        let open = subtrees.iter().filter(|subtree| subtree.is_open).count() as u64;
        let used = vm.steps() - start;
        trial *= LONGER;
        if open == 0 || used + 2 * trial * open > effort {
            return Ok(subtrees);
        }
        for subtree in &mut subtrees {
            if subtree.is_open {
                *subtree = measure(search, vm, subtree.span.clone(), trial)?;
            }
        }
    }
}

/// Takes the largest of the open subtrees next to the root: sizes are the less certain the larger
/// they are, so that none is cut a second time before the others.
fn take_largest(subtrees: &mut Vec<Subtree>) -> Option<Subtree> {
    let numbered = subtrees.iter().enumerate();
    let open = numbered.filter(|(_, subtree)| subtree.is_open);
    let depth = |subtree: &Subtree| std::cmp::Reverse(subtree.span.path.len());
    let (largest, _) = open.max_by_key(|(_, subtree)| (depth(subtree), subtree.steps))?;
    Some(subtrees.swap_remove(largest))
}

/// Subtrees below the alternatives of a fork from the last item of the path on.
fn expand(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    span: Span,
    trial: u64,
) -> Result<Vec<Subtree>, SearchError> {
    let (before, first) = (&span.path[..span.fixed], span.path[span.fixed]);
    search.start_at(Span::below(before.to_vec()));
    let alternatives = search.alternatives(vm)?;
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
        .map(|item| measure(search, vm, Span::below([before, &[item]].concat()), trial))
        .collect()
}

/// Searches a subtree for `trial` instructions, and estimates its size by walks of about as many if
/// that does not suffice.
fn measure(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    span: Span,
    trial: u64,
) -> Result<Subtree, SearchError> {
    search.start_at(span.clone());
    let start = vm.steps();
    let end = search.explore(
        vm, // Asked after so many instructions that it has been long enough.
        &mut |_| ControlFlow::Break(()),
        &mut |vm, _, _| {
            if vm.steps() - start > trial {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    )?;
    // Without those of the path to the subtree, which another part counts.
    let tried = search.progress().steps;
    if end == End::Complete {
        return Ok(Subtree {
            span,
            steps: tried,
            is_open: false,
        });
    }
    let (start, mut sum, mut walks) = (vm.steps(), 0.0, 0_u32);
    let mut dice = Dice::default();
    while walks == 0 || vm.steps() - start < trial {
        sum += walk(search, vm, &span.path, &mut dice)?;
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

/// Estimates the instructions of the search of a subtree by a random walk. The walk goes on below one
/// of those alternatives of each fork that lead to another fork: a walk that also ends where one of
/// the others is drawn rarely sees the long paths, which most of the work is for.
fn walk(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    path: &[i64],
    dice: &mut Dice,
) -> Result<f64, SearchError> {
    let (mut path, mut ways, mut sum) = (path.to_vec(), 1.0, 0.0);
    let mut here = fork_after(search, vm, &path)?;
    loop {
        let mut inner = Vec::new();
        for &alternative in &here.alternatives {
            path.push(alternative);
            let next = fork_after(search, vm, &path)?;
            path.pop();
            sum += ways * (next.steps.saturating_sub(here.steps)) as f64;
            if !next.alternatives.is_empty() {
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

/// First fork below a path: its alternatives, of which a leaf has none, and the instructions from the
/// root to it.
struct ForkAfter {
    alternatives: Vec<i64>,
    steps: u64,
}

fn fork_after(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    path: &[i64],
) -> Result<ForkAfter, SearchError> {
    search.start_at(Span::below(path.to_vec()));
    let start = vm.steps();
    let alternatives = search.alternatives(vm)?;
    let steps = vm.steps() - start;
    Ok(ForkAfter {
        alternatives,
        steps,
    })
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

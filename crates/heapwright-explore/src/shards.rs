//! Division of a tree into parts before the search, for processes that cannot request work from
//! each other.
//!
//! The size of a subtree cannot be predicted: most alternatives lead to few leaves, a few to nearly
//! all. Each part is therefore searched for a limited time. A part finished in that time has a
//! known size. An unfinished part is cut at its first fork, breadth first, until there are enough
//! parts; then the time limit grows. Invariant: the same search is divided in the same way
//! everywhere.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use heapwright_jvm::Vm;

use crate::progress::{End, SearchError};
use crate::search::Explorer;
use crate::span::Span;

/// Instructions of the first trial of a part.
const FIRST_TRIAL: u64 = 4_000;
/// Growth factor of the trial length.
const LONGER: u64 = 8;
/// Most instructions of all trials: some tenths of a second.
const ALL_TRIALS: u64 = 20_000_000;
/// Approximate number of large parts for each shard, high enough for their unknown sizes to average
/// out.
const PARTS: usize = 40;

/// Subtree, with a lower bound of the instructions of its search.
struct Subtree {
    path: Vec<i64>,
    steps: u64,
}

/// Returns the parts of each of `shards` shards, at least one. Each number is the part's index
/// among all parts of the tree.
///
/// # Errors
/// The predicate cannot be called.
pub fn shards(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    shards: usize,
) -> Result<Vec<Vec<(usize, Span)>>, SearchError> {
    let mut parts = cut(search, vm, PARTS * shards)?;
    parts.sort_by(|a, b| a.path.cmp(&b.path));
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by_key(|&part| std::cmp::Reverse(parts[part].steps));
    let mut found: Vec<(u64, Vec<(usize, Span)>)> = vec![(0, Vec::new()); shards];
    for number in by_size {
        if let Some((steps, spans)) = found.iter_mut().min_by_key(|(steps, _)| *steps) {
            *steps += parts[number].steps;
            spans.push((number, Span::below(parts[number].path.clone())));
        }
    }
    Ok(found
        .into_iter()
        .map(|(_, mut spans)| {
            spans.sort_unstable();
            spans
        })
        .collect())
}

/// Cuts the tree until about `wanted` large parts are left, or all are finished.
fn cut(search: &mut dyn Explorer, vm: &mut Vm, wanted: usize) -> Result<Vec<Subtree>, SearchError> {
    let start = vm.steps();
    let (mut finished, mut large) = (Vec::new(), VecDeque::from([Vec::new()]));
    let mut trial = FIRST_TRIAL;
    loop {
        while large.len() < wanted
            && vm.steps() - start < ALL_TRIALS
            && let Some(path) = large.pop_front()
        {
            search.start_at(Span::below(path.clone()));
            let alternatives = search.alternatives(vm)?;
            if alternatives.is_empty() {
                finished.push(Subtree { path, steps: trial });
                continue;
            }
            for alternative in alternatives {
                let mut longer = path.clone();
                longer.push(alternative);
                try_part(search, vm, longer, trial, &mut finished, &mut large)?;
            }
        }
        let used = vm.steps() - start;
        let next = trial * LONGER;
        if large.is_empty() || used + next * large.len() as u64 > ALL_TRIALS {
            break;
        }
        trial = next;
        for path in std::mem::take(&mut large) {
            try_part(search, vm, path, trial, &mut finished, &mut large)?;
        }
    }
    let steps = trial;
    finished.extend(large.into_iter().map(|path| Subtree { path, steps }));
    Ok(finished)
}

/// Searches a part for at most `trial` instructions, or a slice more.
fn try_part(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    path: Vec<i64>,
    trial: u64,
    finished: &mut Vec<Subtree>,
    large: &mut VecDeque<Vec<i64>>,
) -> Result<(), SearchError> {
    search.start_at(Span::below(path.clone()));
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
    if end == End::Complete {
        let steps = vm.steps() - start;
        finished.push(Subtree { path, steps });
    } else {
        large.push_back(path);
    }
    Ok(())
}

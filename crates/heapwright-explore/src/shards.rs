//! Cutting a tree into parts before it is searched, for processes that cannot ask each other for
//! work.
//!
//! No formula tells how large a subtree is: most alternatives lead nowhere, a few to nearly all. So
//! each part is searched for a while. Those that are finished by then have a known size; those that
//! are not are cut at their first fork, breadth first, until there are enough of them; then they
//! are given more time. Invariant: the same search is cut the same way everywhere.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use heapwright_jvm::Vm;

use crate::progress::{End, SearchError};
use crate::search::Explorer;
use crate::span::Span;

/// Instructions that a part is searched for at first.
const FIRST_TRIAL: u64 = 4_000;
/// How much longer the next time.
const LONGER: u64 = 8;
/// Most instructions of all trials: some tenths of a second.
const ALL_TRIALS: u64 = 20_000_000;
/// Large parts that a shard has, about: many, so that what is not known of them evens out.
const PARTS: usize = 40;

/// A subtree, and how many instructions its search takes at least.
struct Subtree {
    path: Vec<i64>,
    steps: u64,
}

/// The parts of each of `shards` shards, at least one; the numbers say where a part stands among
/// all parts of the tree.
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

/// Cuts the tree until about so many large parts are left, or all are finished.
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

/// Searches a part for a while.
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

//! Cutting a tree into parts of about the same size before it is searched, for processes that
//! cannot ask each other for work.
//!
//! Sizes are estimated by random descents (Knuth, "Estimating the efficiency of backtrack
//! programs", 1975): a leaf that is come to with probability p stands for 1/p leaves. What is
//! estimated largest is cut first. Invariant: the same search is cut the same way everywhere.

use heapwright_jvm::Vm;

use crate::korat::SearchError;
use crate::search::Explorer;
use crate::span::Span;

/// Descents by which a subtree is estimated.
const DESCENTS: u64 = 6;
/// Parts that a shard has, about: many, so that what is estimated wrong evens out.
const PARTS: usize = 48;
/// Most parts there are.
const MAX_PARTS: usize = 8_192;

/// A subtree, about how large it is, and the alternatives at its first fork, if it has one.
struct Subtree {
    path: Vec<i64>,
    leaves: f64,
    alternatives: Vec<i64>,
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
    let mut parts = cut(search, vm, (PARTS * shards).min(MAX_PARTS))?;
    parts.sort_by(|a, b| a.path.cmp(&b.path));
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by(|&a, &b| parts[b].leaves.total_cmp(&parts[a].leaves));
    let mut found: Vec<(f64, Vec<(usize, Span)>)> = vec![(0.0, Vec::new()); shards];
    for number in by_size {
        let least = found.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((leaves, spans)) = least {
            *leaves += parts[number].leaves;
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

/// Cuts the tree into about so many subtrees.
fn cut(search: &mut dyn Explorer, vm: &mut Vm, wanted: usize) -> Result<Vec<Subtree>, SearchError> {
    let mut parts = vec![estimate(search, vm, Vec::new())?];
    while parts.len() < wanted {
        let largest = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.alternatives.is_empty())
            .max_by(|(_, a), (_, b)| a.leaves.total_cmp(&b.leaves));
        let Some((place, _)) = largest else {
            break;
        };
        let part = parts.swap_remove(place);
        for alternative in part.alternatives {
            let mut path = part.path.clone();
            path.push(alternative);
            parts.push(estimate(search, vm, path)?);
        }
    }
    Ok(parts)
}

fn estimate(
    search: &mut dyn Explorer,
    vm: &mut Vm,
    path: Vec<i64>,
) -> Result<Subtree, SearchError> {
    search.start_at(Span::below(path.clone()));
    let mut leaves = 0.0;
    let mut alternatives = Vec::new();
    for seed in 0..DESCENTS {
        let forks = search.descend(vm, seed)?;
        leaves += forks
            .iter()
            .map(|fork| fork.alternatives.len() as f64)
            .product::<f64>();
        if let Some(first) = forks.into_iter().next() {
            alternatives = first.alternatives;
        }
    }
    Ok(Subtree {
        path,
        leaves: leaves / DESCENTS as f64,
        alternatives,
    })
}

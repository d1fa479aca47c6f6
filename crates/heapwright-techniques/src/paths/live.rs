//! Liveness of local variables, which determines the arguments of predicates.

use heapwright_jvm::listing::ListedOperation;

use super::flow::{BlockGraph, To};

/// Live local variables, in order, and the number of words on the operand stack.
pub(super) type Needed = (Vec<u16>, usize);

/// Live variables around each block.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveVariables {
    /// Words of the parameters.
    pub parameters: Vec<u16>,
    /// At the start of each block.
    pub at_start: Vec<Needed>,
    /// Before the last instruction of each block.
    pub before_last: Vec<Needed>,
    /// After the last instruction of each block.
    pub after_last: Vec<Needed>,
}

type Locals = std::collections::BTreeSet<u16>;

fn back(step: &ListedOperation, needed: &mut Locals) {
    match step {
        ListedOperation::Store(_, local) => {
            needed.remove(local);
        }
        ListedOperation::Load(_, local) | ListedOperation::Increment(local, _) => {
            needed.insert(*local);
        }
        _ => {}
    }
}

/// Computes liveness by backward data flow.
pub(super) fn live(flow: &BlockGraph, parameters: Vec<u16>) -> LiveVariables {
    let count = flow.blocks.len();
    let mut starts: Vec<Locals> = vec![Locals::new(); count];
    let ends = |starts: &[Locals], block: usize| {
        let exits = flow.blocks[block].exits.iter();
        let mut needed = Locals::new();
        for exit in exits {
            if let To::Block(to) = exit.to {
                needed.extend(&starts[to]);
            }
        }
        needed
    };
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..count).rev() {
            let mut needed = ends(&starts, block);
            let range = flow.blocks[block].instructions.clone();
            for listed in flow.listing.instructions[range].iter().rev() {
                back(&listed.step, &mut needed);
            }
            if starts[block] != needed {
                starts[block] = needed;
                changed = true;
            }
        }
    }
    let depths = depths(flow);
    let mut live = LiveVariables {
        parameters,
        ..LiveVariables::default()
    };
    for block in 0..count {
        let list = |needed: &Locals| needed.iter().copied().collect::<Vec<u16>>();
        let last = flow.last(block);
        let (start, before) = depths[block];
        let mut needed = ends(&starts, block);
        let (pop, push) = last.effect;
        let after = (before + usize::from(push)).saturating_sub(usize::from(pop));
        live.after_last.push((list(&needed), after));
        back(&last.step, &mut needed);
        live.before_last.push((list(&needed), before));
        live.at_start.push((list(&starts[block]), start));
    }
    live
}

/// Stack depths at the start of each block, and before its last instruction.
fn depths(flow: &BlockGraph) -> Vec<(usize, usize)> {
    let mut depths: Vec<Option<(usize, usize)>> = vec![None; flow.blocks.len()];
    let mut open = vec![(0, 0)];
    while let Some((block, start)) = open.pop() {
        if depths[block].is_some() {
            continue;
        }
        let (mut before, mut after) = (start, start);
        let range = flow.blocks[block].instructions.clone();
        for listed in &flow.listing.instructions[range] {
            before = after;
            let (pop, push) = listed.effect;
            after = (before + usize::from(push)).saturating_sub(usize::from(pop));
        }
        depths[block] = Some((start, before));
        for exit in &flow.blocks[block].exits {
            if let To::Block(to) = exit.to {
                open.push((to, if exit.is_normal() { after } else { 1 }));
            }
        }
    }
    depths.into_iter().map(Option::unwrap_or_default).collect()
}

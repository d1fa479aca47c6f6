//! Control flow of a method: the successors of each instruction, exception handlers included.

use std::collections::BTreeSet;
use std::ops::Range;

use heapwright_jvm::listing::{ListedOperation, Listing};

/// Control-flow graph of a method. Instructions are identified by their index in its listing.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    at: Vec<u16>,
    next: Vec<Vec<usize>>,
    is_fork: Vec<bool>,
    is_return: Vec<bool>,
    /// Ranges of instructions covered by a handler, with the handler's first instruction, in the
    /// order of the exception table.
    handlers: Vec<(Range<usize>, usize)>,
}

impl ControlFlow {
    /// Builds the control flow of a listing.
    #[must_use]
    pub fn new(listing: &Listing) -> ControlFlow {
        let instructions = &listing.instructions;
        let place = |at: u16| listing.place(at);
        let mut next = Vec::with_capacity(instructions.len());
        let mut is_fork = Vec::with_capacity(instructions.len());
        for (number, listed) in instructions.iter().enumerate() {
            let ways = branch_targets(listing, listed.at);
            is_fork.push(ways.len() > 1);
            let mut to: Vec<usize> = ways.into_iter().filter_map(place).collect();
            match &listed.step {
                ListedOperation::Goto(target) => to.extend(place(*target)),
                ListedOperation::Branch(..) | ListedOperation::Switch(_) => {}
                step if step.falls_through() && number + 1 < instructions.len() => {
                    to.push(number + 1);
                }
                _ => {}
            }
            next.push(to);
        }
        let number = |at: u16| instructions.partition_point(|listed| listed.at < at);
        let handlers = listing.handlers.iter().filter_map(|handler| {
            let covered = number(handler.start)..number(handler.end);
            Some((covered, place(handler.target)?))
        });
        ControlFlow {
            at: instructions.iter().map(|listed| listed.at).collect(),
            next,
            is_fork,
            is_return: instructions
                .iter()
                .map(|listed| matches!(listed.step, ListedOperation::Return(_)))
                .collect(),
            handlers: handlers.collect(),
        }
    }

    /// Number of instructions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// Bytecode index of an instruction.
    ///
    /// # Panics
    /// There is no such instruction.
    #[must_use]
    pub fn at(&self, number: usize) -> u16 {
        self.at[number]
    }

    /// Index of the instruction at a bytecode index; `None` if no instruction starts there.
    #[must_use]
    pub fn place(&self, at: u16) -> Option<usize> {
        self.at.binary_search(&at).ok()
    }

    /// Successors of an instruction without exceptions, each once. A conditional jump has its
    /// fall-through successor first.
    ///
    /// # Panics
    /// There is no such instruction.
    #[must_use]
    pub fn next(&self, number: usize) -> &[usize] {
        &self.next[number]
    }

    /// Whether an instruction is a conditional jump or a switch with more than one successor.
    ///
    /// # Panics
    /// There is no such instruction.
    #[must_use]
    pub fn is_fork(&self, number: usize) -> bool {
        self.is_fork[number]
    }

    /// Whether an instruction returns.
    ///
    /// # Panics
    /// There is no such instruction.
    #[must_use]
    pub fn is_return(&self, number: usize) -> bool {
        self.is_return[number]
    }

    /// Handlers of the exceptions that an instruction throws, in the order of the exception
    /// table.
    pub fn handlers(&self, number: usize) -> impl Iterator<Item = usize> {
        let own = self.handlers.iter();
        let own = own.filter(move |(covered, _)| covered.contains(&number));
        own.map(|&(_, target)| target)
    }

    /// All successors of an instruction, handlers included.
    pub fn successors(&self, number: usize) -> impl Iterator<Item = usize> {
        let next = self.next[number].iter().copied();
        next.chain(self.handlers(number))
    }

    /// Bytecode indices of the handlers of the instruction at a bytecode index.
    #[must_use]
    pub fn handlers_at(&self, at: u16) -> Vec<u16> {
        let own = self.place(at).into_iter();
        let caught = own.flat_map(|number| self.handlers(number));
        caught.map(|number| self.at[number]).collect()
    }

    /// Bytecode indices of all successors of the instruction at a bytecode index, handlers
    /// included.
    #[must_use]
    pub fn successors_at(&self, at: u16) -> Vec<u16> {
        let own = self.place(at).into_iter();
        let behind = own.flat_map(|number| self.successors(number));
        behind.map(|number| self.at[number]).collect()
    }

    /// Heads of the loops that contain an instruction, innermost first. A loop is what leads back to
    /// an earlier or the same instruction, its head, by a jump.
    #[must_use]
    pub fn loop_heads(&self, number: usize) -> Vec<usize> {
        let mut before = vec![Vec::new(); self.count()];
        for from in 0..self.count() {
            for to in self.successors(from) {
                before[to].push(from);
            }
        }
        let mut loops = Vec::new();
        for head in 0..self.count() {
            let mut open: Vec<usize> = before[head].clone();
            open.retain(|&from| from >= head);
            let mut body = BTreeSet::from([head]);
            while let Some(at) = open.pop() {
                if body.insert(at) {
                    open.extend(&before[at]);
                }
            }
            let leads_back = before[head].iter().any(|&from| from >= head);
            if leads_back && body.contains(&number) {
                loops.push((body.len(), head));
            }
        }
        loops.sort_unstable_by_key(|&(size, head)| (size, std::cmp::Reverse(head)));
        loops.into_iter().map(|(_, head)| head).collect()
    }

    /// Returns for each instruction the least cost of a path to an instruction that satisfies
    /// `ends`. The cost of both ends of the path counts; paths through handlers do not.
    /// `u32::MAX` marks instructions without such a path.
    pub fn distances(&self, cost: impl Fn(usize) -> u32, ends: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.count()];
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for number in (0..self.count()).rev() {
                let rest = match ends(number) {
                    true => Some(0),
                    false => self.next[number].iter().map(|&next| distances[next]).min(),
                };
                let own = rest.unwrap_or(u32::MAX).saturating_add(cost(number));
                if own < distances[number] {
                    distances[number] = own;
                    has_changed = true;
                }
            }
        }
        distances
    }
}

/// Bytecode indices of the targets of a conditional jump or a switch, each once; a jump has its
/// fall-through target first. Empty for other instructions.
#[must_use]
pub fn branch_targets(listing: &Listing, at: u16) -> Vec<u16> {
    let Some(place) = listing.place(at) else {
        return Vec::new();
    };
    let mut ways = Vec::new();
    match &listing.instructions[place].step {
        ListedOperation::Branch(_, target) => {
            ways.extend(listing.instructions.get(place + 1).map(|next| next.at));
            ways.push(*target);
        }
        ListedOperation::Switch(switch) => {
            ways.extend(switch.pairs.iter().map(|pair| pair.1));
            ways.push(switch.default);
        }
        _ => {}
    }
    let mut seen = BTreeSet::new();
    ways.retain(|&way| seen.insert(way));
    ways
}

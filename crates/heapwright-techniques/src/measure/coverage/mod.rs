//! Coverage of a class by instructions, branches and lines, with JaCoCo's definitions.

mod filters;
mod flow;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use heapwright_jvm::listing::Listing;
use heapwright_jvm::{MethodId, Vm};

pub(super) use filters::leaves_out;
pub(super) use flow::{Executed, Labels, targets};

/// Covered part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Covered number.
    pub covered: u64,
    /// Total number.
    pub total: u64,
}

/// Coverage of a method, a class or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bytecode instructions.
    pub instructions: Share,
    /// Outcomes of conditional jumps, and targets of switches.
    pub branches: Share,
    /// Source lines, covered if one of their instructions is.
    pub lines: Share,
}

/// Lines with whether they are covered.
pub(super) type Lines = BTreeMap<u16, bool>;

impl AddAssign for Share {
    fn add_assign(&mut self, other: Share) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
    }
}

/// Share of lines that are covered.
pub(super) fn share_of(lines: &Lines) -> Share {
    Share {
        covered: lines.values().filter(|&&is_covered| is_covered).count() as u64,
        total: lines.len() as u64,
    }
}

/// Coverage of a method's code that counts, and its lines. `None` if nothing of it counts.
pub(super) fn count(
    vm: &Vm,
    method: MethodId,
    (listing, labels): (&Listing, &Labels),
    executed: &dyn Executed,
) -> Option<(Counters, Lines)> {
    let all = labels.covered(listing, executed);
    let left = filters::apply(vm, method, listing, all);
    let mut counters = Counters::default();
    let mut lines = Lines::new();
    for covered in &left {
        let is_covered = !covered.taken.is_empty();
        counters.instructions += Share {
            covered: u64::from(is_covered),
            total: 1,
        };
        if covered.edges > 1 {
            counters.branches += Share {
                covered: covered.taken.len() as u64,
                total: covered.edges as u64,
            };
        }
        if let Some(line) = covered.line {
            *lines.entry(line).or_default() |= is_covered;
        }
    }
    counters.lines = share_of(&lines);
    (!left.is_empty()).then_some((counters, lines))
}

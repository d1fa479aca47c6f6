//! Mutants that no test can tell from the original code, proved from the code alone (cf. Papadakis
//! et al., "Trivial Compiler Equivalence", ICSE 2015): a value that nothing reads, a neutral
//! operand, a branch both of whose sides go on at the same place.
//!
//! **Invariant:** what is said is a proof. A mutant of which nothing is said may be equivalent.

use std::collections::BTreeSet;

use heapwright_code::ControlFlow;
use heapwright_jvm::Operation;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::patches::Change;

/// Facts about a method's code from which mutants are proved equivalent.
pub(super) struct Equivalence<'l> {
    listing: &'l Listing,
    /// The variables, by first word, that may be read behind each instruction.
    live: Vec<BTreeSet<u16>>,
    /// Instructions to which control comes from elsewhere than the one before.
    entered: BTreeSet<usize>,
    /// Whether control may come back from subroutines of old compilers, which is not followed.
    has_subroutines: bool,
}

impl Equivalence<'_> {
    /// Analyses a method.
    pub(super) fn of(listing: &Listing) -> Equivalence<'_> {
        let flow = ControlFlow::new(listing);
        let mut entered: BTreeSet<usize> = BTreeSet::new();
        for place in 0..listing.instructions.len() {
            entered.extend(flow.next(place).iter().filter(|&&next| next != place + 1));
            entered.extend(flow.handlers(place));
        }
        Equivalence {
            listing,
            live: live_variables(listing, &flow),
            entered,
            has_subroutines: listing
                .instructions
                .iter()
                .any(|listed| matches!(listed.step, ListedOperation::Subroutine)),
        }
    }

    /// Whether a change of the instruction at a place is proved to change nothing.
    pub(super) fn proves(&self, place: usize, change: Change) -> bool {
        if self.has_subroutines {
            return false;
        }
        match (&self.listing.instructions[place].step, change) {
            (ListedOperation::Store(_, word), Change::Discard)
            | (ListedOperation::Increment(word, _), Change::Increment(_)) => {
                !self.live[place].contains(word)
            }
            (ListedOperation::Operate(operation, kind), change) => self
                .constant_before(place)
                .is_some_and(|constant| is_neutral(*operation, *kind, constant, change)),
            (ListedOperation::Branch(_, to), _) => {
                let jumps = self.listing.place(*to);
                jumps.is_some_and(|jumps| self.followed(jumps) == self.followed(place + 1))
            }
            _ => false,
        }
    }

    /// Returns the number that the instruction before one pushes, as the bits of its slot.
    fn constant_before(&self, place: usize) -> Option<u64> {
        if self.entered.contains(&place) {
            return None;
        }
        match self.listing.instructions[place.checked_sub(1)?].step {
            ListedOperation::Number(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns the first instruction from a place on that is no jump without condition.
    fn followed(&self, mut place: usize) -> usize {
        let mut seen = BTreeSet::new();
        while let Some(ListedOperation::Goto(to)) =
            self.listing.instructions.get(place).map(|it| &it.step)
            && seen.insert(place)
            && let Some(next) = self.listing.place(*to)
        {
            place = next;
        }
        place
    }
}

/// Whether a change of arithmetic on integers with a constant as its second operand is none.
fn is_neutral(operation: Operation, kind: Kind, constant: u64, change: Change) -> bool {
    let constant = match kind {
        Kind::Int => i64::from(constant as u32 as i32),
        Kind::Long => constant as i64,
        // A sum with zero tells the zeros of floating-point numbers apart.
        _ => return false,
    };
    let keeps = |operation: Operation| match operation {
        Operation::Add | Operation::Sub | Operation::Or | Operation::Xor => constant == 0,
        Operation::Shl | Operation::Shr | Operation::Ushr => {
            let bits = if kind == Kind::Int { 32 } else { 64 };
            constant % bits == 0
        }
        Operation::Mul | Operation::Div => constant == 1,
        Operation::And => constant == -1,
        _ => false,
    };
    match change {
        Change::Keep => keeps(operation),
        Change::Compute(other) => keeps(operation) && keeps(other),
        Change::KeepSecond => matches!(operation, Operation::And | Operation::Mul) && constant == 0,
        _ => false,
    }
}

/// Returns the variables that may be read behind each instruction (backward data flow).
fn live_variables(listing: &Listing, flow: &ControlFlow) -> Vec<BTreeSet<u16>> {
    let count = listing.instructions.len();
    let mut before: Vec<BTreeSet<u16>> = vec![BTreeSet::new(); count];
    let mut behind = before.clone();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for place in (0..count).rev() {
            let next = flow.next(place).iter();
            behind[place] = next.flat_map(|&next| before[next].clone()).collect();
            let mut live = behind[place].clone();
            match listing.instructions[place].step {
                ListedOperation::Store(_, word) => {
                    live.remove(&word);
                }
                ListedOperation::Load(_, word) | ListedOperation::Increment(word, _) => {
                    live.insert(word);
                }
                _ => {}
            }
            for handler in flow.handlers(place) {
                live.extend(before[handler].clone());
            }
            if live != before[place] {
                before[place] = live;
                has_changed = true;
            }
        }
    }
    behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_operands_change_nothing() {
        let is = |operation, kind, constant: i64, change| {
            is_neutral(operation, kind, constant as u64, change)
        };
        let other = Change::Compute;
        assert!(is(Operation::Add, Kind::Int, 0, other(Operation::Sub)));
        assert!(!is(Operation::Add, Kind::Int, 1, other(Operation::Sub)));
        assert!(!is(Operation::Add, Kind::Double, 0, other(Operation::Sub)));
        assert!(is(Operation::Mul, Kind::Long, 1, Change::Keep));
        assert!(!is(Operation::Mul, Kind::Long, 1, Change::KeepSecond));
        assert!(is(Operation::And, Kind::Int, 0, Change::KeepSecond));
        assert!(!is(Operation::And, Kind::Int, -1, other(Operation::Or)));
        assert!(is(Operation::Shl, Kind::Int, 32, other(Operation::Shr)));
        assert!(!is(Operation::Rem, Kind::Int, 1, other(Operation::Mul)));
    }
}

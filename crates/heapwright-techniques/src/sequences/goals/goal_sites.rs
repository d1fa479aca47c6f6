//! Finds the locations of goals in code: outgoing edges of jumps, lines, and instructions that
//! throw, compare or may overflow.

use std::collections::BTreeSet;

use heapwright_code::{
    ControlFlow, branch_targets, can_throw, closing_code, inner_jumps, operands, thrown,
};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{
    BranchCondition, Listed, ListedOperation, Listing, SignedComparison,
};
use heapwright_jvm::{MethodId, Operation};

use super::goal::{Goal, OperandOrder};

pub(in crate::sequences) fn branches(method: MethodId, listing: &Listing) -> Vec<Goal> {
    let mut goals = Vec::new();
    let inner = inner_jumps(listing);
    for (place, listed) in listing.instructions.iter().enumerate() {
        let before = place
            .checked_sub(1)
            .map(|before| &listing.instructions[before].step);
        let is_switch = |step: &ListedOperation| matches!(step, ListedOperation::GetField(field, true) if field.name == "$assertionsDisabled");
        let ways = branch_targets(listing, listed.at);
        if ways.len() < 2 || inner.contains(&listed.at) || before.is_some_and(is_switch) {
            continue;
        }
        let numbered = (0..).zip(ways);
        goals.extend(numbered.map(|(way, to)| Goal::Branch(method, listed.at, to, way)));
    }
    goals
}

/// Returns the places of code for which no branch stands: the exception handlers of the source and, if
/// `has_returns`, the returns, which a run that throws misses.
pub(super) fn places(method: MethodId, listing: &Listing, has_returns: bool) -> Vec<Goal> {
    let instructions = &listing.instructions;
    let throws = |listed: &Listed| can_throw(&listed.step) || is_call(&listed.step);
    if !instructions.iter().any(throws) {
        return Vec::new();
    }
    let closing = closing_code(listing);
    let returns = instructions
        .iter()
        .filter(|listed| has_returns && matches!(listed.step, ListedOperation::Return(_)));
    // Handlers without a class are those of `finally` and `synchronized`.
    let handlers = listing.handlers.iter().filter(|handler| {
        let place = listing.place(handler.target);
        handler.catch.is_some() && place.is_some_and(|place| !closing.contains(&place))
    });
    let returns = returns.map(|listed| listed.at);
    let places: BTreeSet<u16> = returns
        .chain(handlers.map(|handler| handler.target))
        .collect();
    let places = places.into_iter();
    places.map(|at| Goal::Place(method, at)).collect()
}

/// Returns the first instruction of each line.
pub(in crate::sequences) fn lines(method: MethodId, listing: &Listing) -> Vec<Goal> {
    let mut seen = BTreeSet::new();
    let mut goals = Vec::new();
    for listed in &listing.instructions {
        if seen.insert(listed.line.unwrap_or(listed.at)) {
            goals.push(Goal::Line(method, listed.at));
        }
    }
    goals
}

/// Returns the instructions that may throw, except those that data flow shows not to.
pub(in crate::sequences) fn exceptions(
    method: MethodId,
    listing: &Listing,
    is_static: bool,
) -> Vec<Goal> {
    let operands = operands(listing, &ControlFlow::new(listing), !is_static);
    let own = listing.instructions.iter().zip(operands);
    let own = own.filter(|(listed, operands)| {
        let throws = |operands| !thrown(&listed.step, operands).is_empty();
        can_throw(&listed.step) && operands.is_some_and(throws)
    });
    own.map(|(listed, _)| Goal::Exception(method, listed.at))
        .collect()
}

/// Returns the kind of integers that an instruction compares, if it does.
pub(super) fn edge_of(instructions: &[Listed], place: usize) -> Option<Kind> {
    let is_branch = |step: &ListedOperation| {
        matches!(
            step,
            ListedOperation::Branch(BranchCondition::WithZero(_), _)
        )
    };
    match &instructions[place].step {
        ListedOperation::Branch(BranchCondition::Compare(_), _) => Some(Kind::Int),
        ListedOperation::Branch(BranchCondition::WithZero(comparison), _) => {
            let before = &instructions[place.checked_sub(1)?].step;
            let is_equality = matches!(comparison, SignedComparison::Eq | SignedComparison::Ne);
            let is_integer = |text: &str| {
                let last = text.rsplit(')').next().unwrap_or_default();
                matches!(last, "B" | "C" | "S" | "I")
            };
            let fits = match before {
                ListedOperation::Operate(Operation::Sign | Operation::SignUp, _) => false,
                ListedOperation::GetField(field, _) => {
                    !is_equality || is_integer(&field.descriptor)
                }
                ListedOperation::Invoke(_, method) => {
                    !is_equality || is_integer(&method.descriptor)
                }
                ListedOperation::Operate(..) | ListedOperation::ArrayLength => true,
                // Such a value may be a boolean.
                _ => !is_equality,
            };
            fits.then_some(Kind::Int)
        }
        ListedOperation::Operate(Operation::Sign, Kind::Long) => {
            let next = instructions.get(place + 1)?;
            is_branch(&next.step).then_some(Kind::Long)
        }
        _ => None,
    }
}

/// Returns the boundaries of integer comparisons.
pub(in crate::sequences) fn edges(method: MethodId, listing: &Listing) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (place, listed) in listing.instructions.iter().enumerate() {
        let Some(kind) = edge_of(&listing.instructions, place) else {
            continue;
        };
        let branch = match kind {
            Kind::Long => place + 1,
            _ => place,
        };
        let ListedOperation::Branch(
            BranchCondition::Compare(comparison) | BranchCondition::WithZero(comparison),
            _,
        ) = &listing.instructions[branch].step
        else {
            continue;
        };
        let sides: &[OperandOrder] = match comparison {
            SignedComparison::Lt | SignedComparison::Ge => {
                &[OperandOrder::Below, OperandOrder::Equal]
            }
            SignedComparison::Gt | SignedComparison::Le => {
                &[OperandOrder::Equal, OperandOrder::Above]
            }
            _ => &[
                OperandOrder::Below,
                OperandOrder::Equal,
                OperandOrder::Above,
            ],
        };
        goals.extend(
            sides
                .iter()
                .map(|&side| Goal::Edge(method, listed.at, side)),
        );
    }
    goals
}

/// Whether an instruction is integer arithmetic that may overflow.
pub(super) fn wraps_at(step: &ListedOperation) -> bool {
    match step {
        ListedOperation::Operate(operation, kind) => {
            matches!(kind, Kind::Int | Kind::Long)
                && matches!(
                    operation,
                    Operation::Add
                        | Operation::Sub
                        | Operation::Mul
                        | Operation::Div
                        | Operation::Neg
                )
        }
        ListedOperation::Increment(..) => true,
        _ => false,
    }
}

pub(in crate::sequences) fn wraps(method: MethodId, listing: &Listing) -> Vec<Goal> {
    let own = listing.instructions.iter();
    let own = own.filter(|listed| wraps_at(&listed.step));
    own.map(|listed| Goal::Wrap(method, listed.at)).collect()
}

pub(super) fn is_call(step: &ListedOperation) -> bool {
    matches!(
        step,
        ListedOperation::Invoke(..)
            | ListedOperation::Dynamic(..)
            | ListedOperation::Throw
            | ListedOperation::New(_)
            | ListedOperation::Text(_)
            | ListedOperation::Constant(_)
    )
}

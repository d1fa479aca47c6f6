//! Formats goals for users: their location and condition.
//!
//! Invariant: the text of a branch describes the bytecode's condition, even if the source negates
//! it.

use heapwright_code::{branch_targets, case_of_strings};
use heapwright_jvm::Vm;
use heapwright_jvm::listing::{
    BranchCondition, ListedOperation, Listing, SignedComparison, Switch,
};

use super::goal::{Goal, OperandOrder};
use super::goal_table::GoalTable;

impl GoalTable {
    /// Returns the source line of a goal.
    #[must_use]
    pub fn line(&self, goal: Goal) -> Option<u16> {
        let listing = self.listings.get(&goal.method())?;
        let place = listing.place(goal.at())?;
        listing.instructions[place].line
    }

    /// Formats a goal, for example as `put:31 not less`.
    #[must_use]
    pub fn text(&self, vm: &Vm, goal: Goal) -> String {
        let this = vm.method(goal.method());
        let name = vm.text(this.name);
        let place = match self.line(goal) {
            Some(line) => format!("{name}:{line}"),
            None => format!("{name}@{}", goal.at()),
        };
        let Some(listing) = self.listings.get(&goal.method()) else {
            return place;
        };
        let step = listing.place(goal.at());
        let step = step.map(|place| &listing.instructions[place].step);
        match (goal, step) {
            (Goal::Branch(_, at, to, _), Some(ListedOperation::Branch(test, _))) => {
                let jumps = branch_targets(listing, at).last() == Some(&to);
                format!("{place} {}", test_text(*test, jumps))
            }
            (Goal::Branch(.., way), Some(ListedOperation::Switch(switch))) => {
                format!("{place} {}", case_text(listing, switch, way))
            }
            (Goal::Exception(..), Some(step)) => format!("{place} {}", throws_text(step)),
            (Goal::Edge(_, _, side), _) => {
                let side = match side {
                    OperandOrder::Below => "one less",
                    OperandOrder::Equal => "equal",
                    OperandOrder::Above => "one more",
                };
                format!("{place} {side}")
            }
            (Goal::Wrap(..), _) => format!("{place} wraps"),
            (Goal::Pair(write, _), Some(ListedOperation::GetField(field, _))) => {
                let line = self.line(Goal::Line(write.0, write.1));
                let writer = vm.text(vm.method(write.0).name);
                let writer = match line {
                    Some(line) => format!("{writer}:{line}"),
                    None => format!("{writer}@{}", write.1),
                };
                format!("{place} reads {} of {writer}", field.name)
            }
            (Goal::Path(path), _) => format!("{name} path {}", path.number),
            (Goal::Entry(_), _) => format!("{name} is called"),
            _ => place,
        }
    }
}

fn test_text(test: BranchCondition, jumps: bool) -> String {
    let (text, is_positive) = match test {
        BranchCondition::Compare(comparison) | BranchCondition::WithZero(comparison) => {
            let (positive, text) = match comparison {
                SignedComparison::Eq => (true, "equal"),
                SignedComparison::Ne => (false, "equal"),
                SignedComparison::Lt => (true, "less"),
                SignedComparison::Ge => (false, "less"),
                SignedComparison::Gt => (true, "greater"),
                SignedComparison::Le => (false, "greater"),
            };
            (text, positive)
        }
        BranchCondition::Same(positive) => ("the same", positive),
        BranchCondition::Null(positive) => ("null", positive),
    };
    let not = if is_positive == jumps { "" } else { "not " };
    format!("{not}{text}")
}

fn case_text(listing: &Listing, switch: &Switch, way: u16) -> String {
    let mut seen = Vec::new();
    for case in &switch.pairs {
        if !seen.contains(&case.1) {
            seen.push(case.1);
        }
        if seen.len() == usize::from(way) + 1 {
            return case_of_strings(listing, switch, case.1)
                .unwrap_or_else(|| format!("case {}", case.0));
        }
    }
    "default".to_owned()
}

fn throws_text(step: &ListedOperation) -> String {
    let text = match step {
        ListedOperation::ArrayLoad(_) | ListedOperation::ArrayStore(_) => {
            "throws: null, or an index out of bounds"
        }
        ListedOperation::CheckCast(_) => "throws: not of the class",
        ListedOperation::NewArray(..) => "throws: a negative size",
        ListedOperation::Operate(..) => "throws: divided by zero",
        ListedOperation::Invoke(_, member) => return format!("throws: null.{}()", member.name),
        _ => "throws: null",
    };
    text.to_owned()
}

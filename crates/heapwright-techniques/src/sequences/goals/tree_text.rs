//! Formats constraint trees for users.

use std::fmt::Write;

use heapwright_jvm::{MethodId, Vm};

use super::goal::Goal;
use super::goal_table::GoalTable;
use super::trees::{ConstraintTrees, PathLeaf, PathStep, PathTree, START};
use crate::statements::name_of;

impl ConstraintTrees {
    /// Formats the trees. A line contains the decisions up to the next fork and the paths that end
    /// there; its successors are indented below it.
    #[must_use]
    pub fn text(&self, vm: &Vm, goals: &GoalTable) -> String {
        let mut text = String::new();
        let of_goals = goals.methods.iter();
        let of_goals = of_goals.filter_map(|method| self.trees.get_key_value(method));
        let others = self.trees.iter();
        let others = others.filter(|(method, _)| !goals.methods.contains(method));
        for (&method, tree) in of_goals.chain(others) {
            let plural = |count: usize| if count == 1 { "" } else { "s" };
            let (paths, nodes) = (tree.paths.len(), tree.nodes.len());
            let _ = writeln!(
                text,
                "{}: {paths} path{}, {nodes} node{}",
                name_of(vm, method),
                plural(paths),
                plural(nodes),
            );
            tree.write(vm, goals, method, &mut text);
        }
        text
    }
}

impl PathTree {
    fn write(&self, vm: &Vm, goals: &GoalTable, method: MethodId, text: &mut String) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len() + 1];
        for (&(parent, _), number) in self.nodes.iter().zip(1..) {
            children[parent as usize].push(number);
        }
        let mut leaves: Vec<Vec<String>> = vec![Vec::new(); self.nodes.len() + 1];
        for (&(node, leaf), number) in self.paths.iter().zip(1..) {
            leaves[node as usize].push(leaf_text(vm, goals, method, number, leaf));
        }
        for &node in &self.left {
            leaves[node as usize].push("not followed further".to_owned());
        }
        let mut open: Vec<(u32, usize)> = vec![(START, 0)];
        while let Some((first, indent)) = open.pop() {
            let mut node = first;
            let mut turns = Vec::new();
            loop {
                if node != START {
                    let turn = self.nodes[node as usize - 1].1;
                    turns.push(turn_text(vm, goals, method, turn));
                }
                match (&children[node as usize][..], &leaves[node as usize][..]) {
                    (&[only], []) => node = only,
                    _ => break,
                }
            }
            let leaves = leaves[node as usize].join(", ");
            let turns = turns.join(", ");
            let mut below = indent;
            if !turns.is_empty() || !leaves.is_empty() {
                let colon = match turns.is_empty() || leaves.is_empty() {
                    true => "",
                    false => ": ",
                };
                let _ = writeln!(text, "  {:1$}{turns}{colon}{leaves}", "", 2 * indent);
                below += usize::from(!turns.is_empty());
            }
            let children = children[node as usize].iter().rev();
            open.extend(children.map(|&child| (child, below)));
        }
    }
}

fn leaf_text(vm: &Vm, goals: &GoalTable, method: MethodId, number: u32, leaf: PathLeaf) -> String {
    match leaf {
        PathLeaf::Returned => format!("path {number} returns"),
        PathLeaf::Threw(class, at) => {
            let class = class.map_or("an exception".to_owned(), |class| vm.binary_name(class));
            let place = goals.text(vm, Goal::Line(method, at));
            format!("path {number} throws {class} from {place}")
        }
    }
}

fn turn_text(vm: &Vm, goals: &GoalTable, method: MethodId, turn: PathStep) -> String {
    let place = |at| goals.text(vm, Goal::Line(method, at));
    match turn {
        PathStep::Way(at, to, way) => goals.text(vm, Goal::Branch(method, at, to, way)),
        PathStep::Caught(from, at, class) => {
            let class = vm.binary_name(class);
            format!("{} handles {class} from {}", place(at), place(from))
        }
        PathStep::Call(at, path) => {
            let called = name_of(vm, path.method);
            format!("{} calls {called} path {}", place(at), path.number)
        }
    }
}

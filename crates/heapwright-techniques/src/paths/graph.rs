//! Drawable control-flow graph of a method, with the coverage of cases.

use heapwright_jvm::Vm;
use heapwright_jvm::listing::{BranchCondition, ListedOperation, SignedComparison};
use heapwright_suite::flow::{BlockKind, EdgeKind, FlowBlock, FlowEdge, FlowGraph};

use super::flow::{BlockGraph, EdgeCondition, To};
use super::rules::RuleProgram;
use super::search::RetainedPath;
use super::values::simple;

/// Returns the control-flow graph of the method under test, with the edges that cases take.
#[must_use]
pub fn flow_graph(vm: &Vm, program: &RuleProgram, cases: &[RetainedPath]) -> FlowGraph {
    let flow = &program.flows[0];
    let comes_by = |block: usize| {
        cases
            .iter()
            .any(|case| case.run.blocks.contains(&(0, block)))
    };
    let mut blocks: Vec<FlowBlock> = (0..flow.blocks.len())
        .map(|block| FlowBlock {
            lines: block_lines(flow, block),
            is_covered: comes_by(block),
            kind: if block == 0 {
                BlockKind::Entry
            } else {
                BlockKind::Inner
            },
        })
        .collect();
    let (returns, throws) = (blocks.len(), blocks.len() + 1);
    let mut edges = Vec::new();
    for (from, block) in flow.blocks.iter().enumerate() {
        for (number, exit) in block.exits.iter().enumerate() {
            let taken = cases
                .iter()
                .filter(|case| case.run.exits.contains(&(0, from, number)));
            edges.push(FlowEdge {
                from,
                to: match exit.to {
                    To::Block(to) => to,
                    To::Return => returns,
                    To::Throw => throws,
                },
                label: label(flow, from, &exit.way),
                kind: match exit.is_normal() {
                    true => EdgeKind::Normal,
                    false => EdgeKind::Exceptional,
                },
                cases: taken.count() as u32,
            });
        }
    }
    for (name, place) in [("returns", returns), ("throws", throws)] {
        blocks.push(FlowBlock {
            lines: vec![name.to_owned()],
            is_covered: edges.iter().any(|edge| edge.to == place && edge.cases > 0),
            kind: BlockKind::Exit,
        });
    }
    // Without exceptions the exit node for them is dropped.
    if !edges.iter().any(|edge| edge.to == throws) {
        blocks.pop();
    }
    FlowGraph {
        title: vm.method_text(flow.method),
        blocks,
        edges,
    }
}

/// Text lines of a block: its source lines, and its last instruction.
fn block_lines(flow: &BlockGraph, block: usize) -> Vec<String> {
    let instructions = &flow.listing.instructions[flow.blocks[block].instructions.clone()];
    let lines = instructions.iter().filter_map(|listed| listed.line);
    let place = match (lines.clone().min(), lines.max()) {
        (Some(first), Some(last)) if first == last => format!("line {first}"),
        (Some(first), Some(last)) => format!("lines {first} to {last}"),
        _ => format!("from {}", flow.places()[block]),
    };
    let end = match &flow.last(block).step {
        ListedOperation::Invoke(_, member) if member.name == "<init>" => {
            Some(format!("new {}", simple(&member.class)))
        }
        ListedOperation::Invoke(_, member) => {
            Some(format!("{}.{}", simple(&member.class), member.name))
        }
        ListedOperation::GetField(member, _) => Some(format!("get {}", member.name)),
        ListedOperation::PutField(member, _) => Some(format!("set {}", member.name)),
        ListedOperation::Throw => Some("throw".to_owned()),
        _ => None,
    };
    std::iter::once(place).chain(end).collect()
}

fn label(flow: &BlockGraph, block: usize, way: &EdgeCondition) -> String {
    match way {
        EdgeCondition::Thrown(Some(class)) => simple(class).to_owned(),
        EdgeCondition::Thrown(None) => "exception".to_owned(),
        EdgeCondition::Keys(keys) => {
            let keys: Vec<String> = keys.iter().map(i32::to_string).collect();
            keys.join(", ")
        }
        EdgeCondition::Default(_) => "default".to_owned(),
        way => match &flow.last(block).step {
            ListedOperation::Branch(test, _) => {
                test_text(*test, *way == EdgeCondition::Jump).to_owned()
            }
            _ => String::new(),
        },
    }
}

fn test_text(test: BranchCondition, jumps: bool) -> &'static str {
    let sign = |comparison| match comparison {
        SignedComparison::Eq => "==",
        SignedComparison::Ne => "!=",
        SignedComparison::Lt => "<",
        SignedComparison::Ge => ">=",
        SignedComparison::Gt => ">",
        SignedComparison::Le => "<=",
    };
    match test {
        BranchCondition::Compare(comparison) | BranchCondition::WithZero(comparison) => match jumps
        {
            true => sign(comparison),
            false => sign(comparison.negated()),
        },
        BranchCondition::Same(same) if same == jumps => "==",
        BranchCondition::Same(_) => "!=",
        BranchCondition::Null(is_null) if is_null == jumps => "null",
        BranchCondition::Null(_) => "not null",
    }
}

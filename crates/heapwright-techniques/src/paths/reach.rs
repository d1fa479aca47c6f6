//! Backward reachability of program points: the slice towards a point (paper, definition 8),
//! evaluated during a path.
//!
//! The paper's slice drops the rules from which a point is unreachable. A rule may have several
//! calls that lead to the point, of which one suffices. The position in all frames of the path
//! therefore decides, and everything is free after the point.

use std::collections::{BTreeSet, HashMap};

use heapwright_jvm::MethodId;

use super::flow::{BlockGraph, To};
use super::local::Traces;
use super::rules::{PredicateId, RuleProgram};
use super::slice::Slice;

/// Place that a path is to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReachGoal {
    /// Block of a method, by their numbers.
    Block(usize, usize),
    /// Outgoing edge of a block.
    Exit(usize, usize, usize),
}

impl ReachGoal {
    /// Method and block.
    pub fn place(self) -> (usize, usize) {
        match self {
            ReachGoal::Block(method, block) | ReachGoal::Exit(method, block, _) => (method, block),
        }
    }
}

/// Reversed control flow of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Back {
    /// Predecessors of each block in the same frame, by method.
    before: Vec<Vec<Vec<usize>>>,
    /// Blocks that call each method.
    callers: Vec<Vec<(usize, usize)>>,
    /// Blocks that call unfollowed code.
    others: Vec<(usize, usize)>,
    /// Whether unfollowed code may call each method.
    is_callback: Vec<bool>,
}

impl Back {
    /// Computes the reversed control flow of methods, by method number.
    pub fn new(
        flows: &[BlockGraph],
        callbacks: &[usize],
        number: &dyn Fn(MethodId) -> Option<usize>,
    ) -> Back {
        let blocks = flows.iter().map(|flow| vec![Vec::new(); flow.blocks.len()]);
        let mut back = Back {
            before: blocks.collect(),
            callers: vec![Vec::new(); flows.len()],
            others: Vec::new(),
            is_callback: vec![false; flows.len()],
        };
        for &method in callbacks {
            back.is_callback[method] = true;
        }
        for (method, flow) in flows.iter().enumerate() {
            for (from, block) in flow.blocks.iter().enumerate() {
                let exits = block.exits.iter().filter_map(|exit| match exit.to {
                    To::Block(to) => Some(to),
                    To::Return | To::Throw => None,
                });
                for to in exits.chain(block.handlers.iter().copied()) {
                    back.before[method][to].push(from);
                }
                let called = block.call.iter().flat_map(|call| &call.targets);
                for target in called.filter_map(|&target| number(target)) {
                    back.callers[target].push((method, from));
                }
                if block.calls_others {
                    back.others.push((method, from));
                }
            }
        }
        back
    }
}

/// Reachability of goals from blocks.
#[derive(Clone, Debug)]
pub struct Reach {
    /// Reachability from the start of each block, in its frame or in its callees.
    from_start: Vec<Vec<bool>>,
    /// Reachability from the end of each block, after the return of its call.
    from_end: Vec<Vec<bool>>,
}

impl Reach {
    /// Computes the reachability of goals, in time linear in the program.
    pub fn new(program: &RuleProgram, goals: &[ReachGoal]) -> Reach {
        let back = &program.back;
        let no = || {
            let flows = program.flows.iter();
            flows.map(|flow| vec![false; flow.blocks.len()])
        };
        let mut from_start: Vec<Vec<bool>> = no().collect();
        let mut from_end: Vec<Vec<bool>> = no().collect();
        let mut open = Vec::new();
        let mut enter = |(method, block): (usize, usize), open: &mut Vec<(usize, usize)>| {
            if !std::mem::replace(&mut from_start[method][block], true) {
                open.push((method, block));
            }
        };
        for goal in goals {
            let (method, block) = goal.place();
            enter((method, block), &mut open);
            from_end[method][block] |= matches!(goal, ReachGoal::Exit(..));
        }
        let mut is_called_back = false;
        while let Some((method, block)) = open.pop() {
            for &before in &back.before[method][block] {
                from_end[method][before] = true;
                enter((method, before), &mut open);
            }
            if block != 0 {
                continue;
            }
            for &caller in &back.callers[method] {
                enter(caller, &mut open);
            }
            if back.is_callback[method] && !is_called_back {
                is_called_back = true;
                for &caller in &back.others {
                    // The unfollowed callee may call back again.
                    from_end[caller.0][caller.1] = true;
                    enter(caller, &mut open);
                }
            }
        }
        Reach {
            from_start,
            from_end,
        }
    }

    /// Whether a goal is reachable from a block that is entered.
    pub fn is_ahead(&self, method: usize, block: usize) -> bool {
        self.from_start[method][block]
    }

    /// Whether a goal is reachable after the return of a block's call.
    pub fn is_behind_call(&self, method: usize, block: usize) -> bool {
        self.from_end[method][block]
    }
}

/// Trace prefixes that were tried towards a goal, in the rules of its slice (definition 8).
#[derive(Debug, Default)]
pub struct Tried {
    slice: Slice,
    /// Nodes after rules: by parent node, predicate and rule.
    nodes: HashMap<(u32, PredicateId, usize), u32>,
    /// Predicates that waited at nodes.
    waited: BTreeSet<(u32, PredicateId)>,
}

impl Tried {
    /// Creates an empty set for goals.
    pub fn new(program: &RuleProgram, goals: &[ReachGoal]) -> Tried {
        Tried {
            slice: Slice::towards_goals(program, goals),
            ..Tried::default()
        }
    }

    /// Node after a rule; unchanged if the rule is outside the slice.
    pub fn enter(&mut self, node: u32, predicate: PredicateId, rule: usize) -> u32 {
        if !self.slice.has_rule(predicate, rule) {
            return node;
        }
        self.waited.insert((node, predicate));
        let next = self.nodes.len() as u32 + 1;
        *self.nodes.entry((node, predicate, rule)).or_insert(next)
    }

    /// Numbers of tried traces: the infeasible ones, and the one found, if any, which ended at this
    /// node.
    pub fn traces(&self, program: &RuleProgram, found: Option<u32>) -> Traces {
        let edges = self.nodes.iter();
        let before: HashMap<u32, u32> = edges.map(|(from, &to)| (to, from.0)).collect();
        let way = std::iter::successors(found, |node| before.get(node).copied());
        let on_way: BTreeSet<u32> = way.collect();
        let mut traces = Traces::default();
        for &(node, predicate) in &self.waited {
            // Alternatives beside the found trace were not tried.
            if on_way.contains(&node) {
                continue;
            }
            let rules = 0..program.predicates[predicate].rules.len();
            let missed = rules.filter(|&rule| {
                self.slice.has_rule(predicate, rule)
                    && !self.nodes.contains_key(&(node, predicate, rule))
            });
            traces.infeasible += missed.count() as u64;
        }
        traces.generated = traces.infeasible + u64::from(found.is_some());
        traces
    }
}

//! From where a program point can still be reached: the slice towards a point (paper, definition 8),
//! as it is asked for while a path runs.
//!
//! The paper's slice drops the rules from which a point is not reached. A rule may have several calls
//! that lead to it, of which one suffices; so what counts here is where the path stands in all of its
//! frames, and behind the point everything is free.

use std::collections::{BTreeSet, HashMap};

use heapwright_jvm::MethodId;

use super::flow::{Flow, To};
use super::local::Traces;
use super::rules::{PredicateId, Program};
use super::slice::Slice;

/// A place that a path is to come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// A block of a method, by their numbers.
    Block(usize, usize),
    /// An exit of a block.
    Exit(usize, usize, usize),
}

impl Goal {
    /// The method and the block.
    pub fn place(self) -> (usize, usize) {
        match self {
            Goal::Block(method, block) | Goal::Exit(method, block, _) => (method, block),
        }
    }
}

/// The ways of a program backwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Back {
    /// Of each block of each method those from the end of which it is entered, in the same frame.
    before: Vec<Vec<Vec<usize>>>,
    /// Of each method the blocks that call it.
    callers: Vec<Vec<(usize, usize)>>,
    /// The blocks that call code which is not followed.
    others: Vec<(usize, usize)>,
    /// Whether each method may be called by such code.
    is_callback: Vec<bool>,
}

impl Back {
    /// Those of methods whose flows are known, by numbers of methods.
    pub fn new(
        flows: &[Flow],
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

/// From which blocks one of some goals can be reached.
#[derive(Clone, Debug)]
pub struct Reach {
    /// From the start of each block of each method, in its frame or in those of what it calls.
    from_start: Vec<Vec<bool>>,
    /// The same from the end of each block, once a method that it calls has come back.
    from_end: Vec<Vec<bool>>,
}

impl Reach {
    /// From where one of some goals can be reached. Takes time linear in the program.
    pub fn new(program: &Program, goals: &[Goal]) -> Reach {
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
            from_end[method][block] |= matches!(goal, Goal::Exit(..));
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
                    // What is called that is not followed may call back again.
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

    /// Whether it can be reached from a block that is entered.
    pub fn is_ahead(&self, method: usize, block: usize) -> bool {
        self.from_start[method][block]
    }

    /// Whether it can be reached once a method has come back that a block calls, or has called.
    pub fn is_behind_call(&self, method: usize, block: usize) -> bool {
        self.from_end[method][block]
    }
}

/// The beginnings of traces that were tried towards a goal: the rules of its slice (definition 8).
#[derive(Debug, Default)]
pub struct Tried {
    slice: Slice,
    /// The nodes after rules: by the node before, the predicate and the rule.
    nodes: HashMap<(u32, PredicateId, usize), u32>,
    /// The predicates that waited at nodes.
    waited: BTreeSet<(u32, PredicateId)>,
}

impl Tried {
    /// Towards goals.
    pub fn new(program: &Program, goals: &[Goal]) -> Tried {
        Tried {
            slice: Slice::towards_goals(program, goals),
            ..Tried::default()
        }
    }

    /// The node after a rule; the same where the rule is none of the slice.
    pub fn enter(&mut self, node: u32, predicate: PredicateId, rule: usize) -> u32 {
        if !self.slice.has_rule(predicate, rule) {
            return node;
        }
        self.waited.insert((node, predicate));
        let next = self.nodes.len() as u32 + 1;
        *self.nodes.entry((node, predicate, rule)).or_insert(next)
    }

    /// The traces that were tried: those that no input takes, and the one that was found, if it was,
    /// with the node at which it ended.
    pub fn traces(&self, program: &Program, found: Option<u32>) -> Traces {
        let edges = self.nodes.iter();
        let before: HashMap<u32, u32> = edges.map(|(from, &to)| (to, from.0)).collect();
        let way = std::iter::successors(found, |node| before.get(node).copied());
        let on_way: BTreeSet<u32> = way.collect();
        let mut traces = Traces::default();
        for &(node, predicate) in &self.waited {
            // What lies beside the way to what was found was not tried.
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

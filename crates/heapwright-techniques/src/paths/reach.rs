//! From where a program point can still be reached: the slice towards a point (paper, definition 8),
//! as it is asked for while a path runs.
//!
//! The paper's slice drops the rules from which a point is not reached. A rule may have several calls
//! that lead to it, of which one suffices; so what counts here is where the path stands in all of its
//! frames, and behind the point everything is free.

use std::collections::{BTreeSet, HashMap};

use super::flow::To;
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

/// From which blocks one of some goals can be reached.
#[derive(Clone, Debug)]
pub struct Reach {
    /// From the start of each block of each method, in its frame or in those of what it calls.
    from_start: Vec<Vec<bool>>,
    /// The same from the end of each block, once a method that it calls has come back.
    from_end: Vec<Vec<bool>>,
}

impl Reach {
    /// From where one of some goals can be reached.
    pub fn new(program: &Program, goals: &[Goal]) -> Reach {
        let no = || {
            program
                .flows
                .iter()
                .map(|flow| vec![false; flow.blocks.len()])
        };
        let mut reach = Reach {
            from_start: no().collect(),
            from_end: no().collect(),
        };
        for goal in goals {
            let (method, block) = goal.place();
            reach.from_start[method][block] = true;
            reach.from_end[method][block] |= matches!(goal, Goal::Exit(..));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (method, flow) in program.flows.iter().enumerate() {
                for (number, block) in flow.blocks.iter().enumerate() {
                    let mut exits = block.exits.iter();
                    let mut handlers = block.handlers.iter();
                    let from_end = exits.any(|exit| match exit.to {
                        To::Block(to) => reach.from_start[method][to],
                        To::Return | To::Throw => false,
                    }) || handlers.any(|&to| reach.from_start[method][to]);
                    let called = block.call.iter().flat_map(|call| &call.targets);
                    let called = called.filter_map(|&target| program.number(target));
                    let callbacks = program.callbacks.iter().copied();
                    let mut called = called.chain(callbacks.filter(|_| block.calls_others));
                    let from_start = from_end || called.any(|target| reach.from_start[target][0]);
                    changed |= from_end && !reach.from_end[method][number];
                    changed |= from_start && !reach.from_start[method][number];
                    reach.from_end[method][number] |= from_end;
                    reach.from_start[method][number] |= from_start;
                }
            }
        }
        // What is called that is not followed may call back again.
        let starts = |&called: &usize| reach.from_start[called][0];
        if program.callbacks.iter().any(starts) {
            for (method, flow) in program.flows.iter().enumerate() {
                for (number, block) in flow.blocks.iter().enumerate() {
                    reach.from_end[method][number] |= block.calls_others;
                }
            }
        }
        reach
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
        let mut on_way = BTreeSet::new();
        let mut next = found;
        while let Some(node) = next {
            on_way.insert(node);
            let mut before = self.nodes.iter();
            next = before.find(|one| *one.1 == node).map(|one| one.0.0);
        }
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

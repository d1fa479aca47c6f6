//! The traces of a slice, made as they are needed: a tree of the choices that the slice leaves open.
//!
//! Each node is the start of a trace. It is done when every trace that begins so has a test case, or
//! cannot have one; then no path that begins so is wanted any more.

use std::rc::Rc;

use super::follow::{Chosen, Turns};
use super::rules::{PredicateId, Program};

/// A node of the tree.
pub type Node = u32;

/// What is still to come of a trace: predicates that wait for a choice, the next one first.
type Ahead = Option<Rc<Waiting>>;

#[derive(Clone, Debug)]
struct Waiting {
    predicate: PredicateId,
    turns: Turns,
    /// How many frames of the method there are.
    depth: u32,
    next: Ahead,
}

struct Entry {
    /// What is to come; `None` at the end of a trace.
    ahead: Ahead,
    /// By the numbers of rules; where there is nothing a bound ends the trace.
    children: Option<Vec<Option<Node>>>,
    is_entered: bool,
    is_done: bool,
}

/// The traces of a method's own rules (definition 7), calls of itself included.
pub struct Local {
    program: Rc<Program>,
    method: usize,
    most: u32,
    entries: Vec<Entry>,
}

/// How many traces there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Handed to the machine: each either led to a test case or ended where no input goes on.
    pub generated: u64,
    /// Of these, those that no input takes.
    pub infeasible: u64,
}

impl Local {
    /// The traces of a method's own rules, loops and recursion run at most so often.
    pub fn new(program: Rc<Program>, method: usize, most: u32) -> Local {
        let mut local = Local {
            program,
            method,
            most,
            entries: Vec::new(),
        };
        let ahead = local.call(1, None);
        local.entries.push(Entry {
            ahead: ahead.flatten(),
            children: None,
            is_entered: true,
            is_done: false,
        });
        local
    }

    /// The node before any choice.
    pub const ROOT: Node = 0;

    /// Calls the method in a frame of this depth; `None` if it may not be as deep.
    fn call(&mut self, depth: u32, next: Ahead) -> Option<Ahead> {
        if depth > self.most {
            return None;
        }
        let program = Rc::clone(&self.program);
        let start = program.starts[self.method];
        let turns = Turns::default();
        let mut chosen = Vec::new();
        let waiting = program.settle(start, &mut chosen);
        self.after(&chosen, waiting, turns, depth, next)
    }

    /// What is to come after rules were chosen in a frame.
    fn after(
        &mut self,
        chosen: &[Chosen],
        waiting: Option<PredicateId>,
        mut turns: Turns,
        depth: u32,
        next: Ahead,
    ) -> Option<Ahead> {
        if !turns.note(&self.program, chosen, self.most) {
            return None;
        }
        let mut ahead = match waiting {
            Some(predicate) => Some(Rc::new(Waiting {
                predicate,
                turns,
                depth,
                next,
            })),
            None => next,
        };
        let program = Rc::clone(&self.program);
        let own = program.flows[self.method].method;
        for &(predicate, rule) in chosen.iter().rev() {
            let calls: Vec<_> = program.predicates[predicate].rules[rule].calls().collect();
            for _ in calls.iter().filter(|targets| targets.contains(&own)) {
                ahead = self.call(depth + 1, ahead)?;
            }
        }
        Some(ahead)
    }

    /// The node after a choice; `None` if the trace does not go there within the bounds.
    pub fn child(&mut self, node: Node, rule: usize) -> Option<Node> {
        self.expand(node);
        let children = self.entries[node as usize].children.as_ref()?;
        children.get(rule).copied().flatten()
    }

    /// The predicate that waits for a choice at a node.
    pub fn waiting(&self, node: Node) -> Option<PredicateId> {
        let ahead = self.entries[node as usize].ahead.as_ref()?;
        Some(ahead.predicate)
    }

    fn expand(&mut self, node: Node) {
        let entry = &self.entries[node as usize];
        if entry.children.is_some() {
            return;
        }
        let Some(waiting) = entry.ahead.clone() else {
            self.entries[node as usize].children = Some(Vec::new());
            return;
        };
        let program = Rc::clone(&self.program);
        let mut children = Vec::new();
        for rule in 0..program.predicates[waiting.predicate].rules.len() {
            let mut chosen = Vec::new();
            let next = program.choose((waiting.predicate, rule), &mut chosen);
            let ahead = self.after(
                &chosen,
                next,
                waiting.turns.clone(),
                waiting.depth,
                waiting.next.clone(),
            );
            children.push(ahead.map(|ahead| {
                self.entries.push(Entry {
                    ahead,
                    children: None,
                    is_entered: false,
                    is_done: false,
                });
                self.entries.len() as Node - 1
            }));
        }
        self.entries[node as usize].children = Some(children);
    }

    /// A path has come to a node.
    pub fn enter(&mut self, node: Node) {
        self.entries[node as usize].is_entered = true;
    }

    /// A test case was found for the trace that ends at a node.
    pub fn found(&mut self, node: Node) {
        self.entries[node as usize].is_done = true;
    }

    /// Whether a trace ends at a node.
    pub fn is_end(&self, node: Node) -> bool {
        self.entries[node as usize].ahead.is_none()
    }

    /// Whether no trace that begins so is wanted any more.
    pub fn is_done(&mut self, node: Node) -> bool {
        if self.entries[node as usize].is_done || self.is_end(node) {
            return self.entries[node as usize].is_done;
        }
        self.expand(node);
        let children = self.entries[node as usize].children.clone().unwrap_or_default();
        let is_done = children.into_iter().flatten().all(|child| self.is_done(child));
        self.entries[node as usize].is_done = is_done;
        is_done
    }

    /// How many traces there were once the search has come to its end.
    pub fn traces(&mut self) -> Traces {
        let mut traces = Traces::default();
        let mut open = vec![Local::ROOT];
        while let Some(node) = open.pop() {
            let is_end = self.is_end(node);
            let entry = &self.entries[node as usize];
            if !entry.is_entered {
                traces.generated += 1;
                traces.infeasible += 1;
            } else if is_end {
                traces.generated += 1;
                traces.infeasible += u64::from(!entry.is_done);
            } else {
                self.expand(node);
                let children = self.entries[node as usize].children.iter();
                open.extend(children.flatten().flatten());
            }
        }
        traces
    }
}

//! The traces of a slice, made as they are needed: a tree of the choices that the slice leaves open.
//!
//! Each node is the start of a trace. It is done when every trace that begins so has a test case, or
//! cannot have one; then no path that begins so is wanted any more.

use std::rc::Rc;

use super::follow::{Chosen, Turns};
use super::refine::Refine;
use super::rules::{PredicateId, Program};

/// A node of the tree.
pub type Node = u32;

/// What is still to come of a trace: predicates that wait for a choice, the next one first.
type Ahead = Option<Rc<Waiting>>;

#[derive(Clone, Debug)]
struct Waiting {
    predicate: PredicateId,
    turns: Turns,
    frames: Frames,
    next: Ahead,
}

/// The methods of the frames, innermost first.
type Frames = Option<Rc<Frame>>;

#[derive(Debug)]
struct Frame {
    method: usize,
    below: Frames,
}

fn count(frames: &Frames, method: usize) -> u32 {
    let mut next = frames.as_ref();
    let mut count = 0;
    while let Some(frame) = next {
        count += u32::from(frame.method == method);
        next = frame.below.as_ref();
    }
    count
}

struct Entry {
    /// What is to come; `None` at the end of a trace.
    ahead: Ahead,
    /// The node before it, and the rule chosen there.
    from: Option<(Node, usize)>,
    /// By the numbers of rules; where there is nothing a bound ends the trace.
    children: Option<Vec<Option<Node>>>,
    is_entered: bool,
    is_done: bool,
    /// Whether a test case was found for it.
    is_found: bool,
    /// Whether it was looked for alone, in vain, as far as that went.
    is_tried: bool,
}

/// The traces of the rules of some methods (definition 7: of one), what these call of each other
/// included.
pub struct Local {
    program: Rc<Program>,
    /// The methods.
    is_kept: Vec<bool>,
    refine: Option<Refine>,
    most: u32,
    entries: Vec<Entry>,
    /// The nodes of the trace that is looked for, if it is one.
    aim: Vec<Node>,
}

/// Most rules that are looked at to count traces.
const MAX_STEPS: u64 = 1_000_000;

/// How many traces there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Handed to the machine: each either led to a test case or ended where no input goes on.
    pub generated: u64,
    /// Of these, those that no input takes.
    pub infeasible: u64,
}

impl Local {
    /// The traces from the first method on, of the rules of methods that are kept; loops and recursion
    /// are run at most so often.
    pub fn new(
        program: Rc<Program>,
        is_kept: Vec<bool>,
        most: u32,
        refine: Option<Refine>,
    ) -> Local {
        let mut local = Local {
            program,
            is_kept,
            refine,
            most,
            entries: Vec::new(),
            aim: Vec::new(),
        };
        let ahead = local.call(0, None, None).flatten();
        local.add(ahead, None);
        local.entries[Local::ROOT as usize].is_entered = true;
        local
    }

    /// The methods that are kept of a method's own rules: it alone.
    pub fn own(program: &Program) -> Vec<bool> {
        let mut is_kept = vec![false; program.flows.len()];
        is_kept[0] = true;
        is_kept
    }

    /// Whether the rules of a method are kept.
    pub fn is_kept(&self, method: usize) -> bool {
        self.is_kept[method]
    }

    fn add(&mut self, ahead: Ahead, from: Option<(Node, usize)>) -> Node {
        self.entries.push(Entry {
            ahead,
            from,
            children: None,
            is_entered: false,
            is_done: false,
            is_found: false,
            is_tried: false,
        });
        self.entries.len() as Node - 1
    }

    /// How many traces there are, up to `most`, or as far as [`MAX_STEPS`] go; whether there are more.
    pub fn count(&mut self, most: u64) -> (u64, bool) {
        let mut open = vec![(Local::ROOT, 1)];
        let (mut traces, mut steps) = (0, 0);
        while let Some((node, length)) = open.pop() {
            if traces == most || steps > MAX_STEPS {
                return (traces, true);
            }
            traces += u64::from(self.is_end(node));
            // A trace that goes on is looked at from its start.
            steps += length;
            self.expand(node);
            let children = self.entries[node as usize].children.iter();
            let children = children.flatten().flatten().rev();
            open.extend(children.map(|&child| (child, length + 1)));
        }
        (traces, false)
    }

    /// The node before any choice.
    pub const ROOT: Node = 0;

    /// Calls a method from frames; `None` if they may not be as many.
    fn call(&mut self, method: usize, frames: Frames, next: Ahead) -> Option<Ahead> {
        if count(&frames, method) >= self.most {
            return None;
        }
        let frames = Some(Rc::new(Frame {
            method,
            below: frames,
        }));
        let start = self.program.starts[method];
        let mut chosen = Vec::new();
        let waiting = self.program.settle(start, &mut chosen);
        self.after(&chosen, waiting, Turns::default(), frames, next)
    }

    /// What is to come after rules were chosen in a frame.
    fn after(
        &mut self,
        chosen: &[Chosen],
        waiting: Option<PredicateId>,
        mut turns: Turns,
        frames: Frames,
        next: Ahead,
    ) -> Option<Ahead> {
        if !turns.note(&self.program, chosen, self.most) {
            return None;
        }
        let mut ahead = match waiting {
            Some(predicate) => Some(Rc::new(Waiting {
                predicate,
                turns,
                frames: frames.clone(),
                next,
            })),
            None => next,
        };
        let program = Rc::clone(&self.program);
        for &(predicate, rule) in chosen.iter().rev() {
            let calls: Vec<_> = program.predicates[predicate].rules[rule].calls().collect();
            for targets in calls.into_iter().rev() {
                let mut numbers = targets.iter().filter_map(|&target| program.number(target));
                if let Some(number) = numbers.find(|&number| self.is_kept[number]) {
                    ahead = self.call(number, frames.clone(), ahead)?;
                }
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
        let mut choices = self.choices(node);
        let mut children = Vec::new();
        for rule in 0..program.predicates[waiting.predicate].rules.len() {
            let mut chosen = Vec::new();
            let next = program.choose((waiting.predicate, rule), &mut chosen);
            let ahead = self.after(
                &chosen,
                next,
                waiting.turns.clone(),
                waiting.frames.clone(),
                waiting.next.clone(),
            );
            choices.push(rule);
            let is_possible = self
                .refine
                .as_mut()
                .is_none_or(|refine| refine.is_possible(0, &choices, &self.is_kept));
            choices.pop();
            let ahead = ahead.filter(|_| is_possible);
            children.push(ahead.map(|ahead| self.add(ahead, Some((node, rule)))));
        }
        self.entries[node as usize].children = Some(children);
    }

    /// The rules that lead to a node.
    fn choices(&self, node: Node) -> Vec<usize> {
        let mut choices = Vec::new();
        let mut from = self.entries[node as usize].from;
        while let Some((before, rule)) = from {
            choices.push(rule);
            from = self.entries[before as usize].from;
        }
        choices.reverse();
        choices
    }

    /// A path has come to a node.
    pub fn enter(&mut self, node: Node) {
        self.entries[node as usize].is_entered = true;
    }

    /// A test case was found for the trace that ends at a node.
    pub fn found(&mut self, node: Node) {
        let entry = &mut self.entries[node as usize];
        (entry.is_done, entry.is_found) = (true, true);
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
        let children = self.entries[node as usize]
            .children
            .clone()
            .unwrap_or_default();
        let is_done = children
            .into_iter()
            .flatten()
            .all(|child| self.is_done(child));
        self.entries[node as usize].is_done = is_done;
        is_done
    }

    /// Looks for one trace alone from now on: the first one that is still wanted and was not looked
    /// for so. `None` if there is none.
    pub fn aim(&mut self) -> Option<Node> {
        self.aim.clear();
        let mut open = vec![vec![Local::ROOT]];
        while let Some(path) = open.pop() {
            let node = *path.last()?;
            if self.is_done(node) {
                continue;
            }
            if self.is_end(node) {
                if !self.entries[node as usize].is_tried {
                    self.aim = path;
                    return Some(node);
                }
                continue;
            }
            self.expand(node);
            let children = self.entries[node as usize]
                .children
                .iter()
                .flatten()
                .flatten();
            for &child in children.rev() {
                open.push(path.iter().copied().chain([child]).collect());
            }
        }
        None
    }

    /// Looks for all traces again. `is_whole`: the one that was looked for alone was looked for to
    /// the end, so that what was not come to on the way cannot be.
    pub fn end_aim(&mut self, is_whole: bool) {
        let aim = std::mem::take(&mut self.aim);
        if let Some(&last) = aim.last() {
            self.entries[last as usize].is_tried = true;
        }
        if is_whole {
            let dead = aim
                .iter()
                .find(|&&node| !self.entries[node as usize].is_entered);
            if let Some(&dead) = dead.or(aim.last()) {
                self.entries[dead as usize].is_done = true;
            }
        }
    }

    /// Whether a node is on the way that is looked for.
    pub fn is_aimed_at(&self, node: Node) -> bool {
        self.aim.is_empty() || self.aim.contains(&node)
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
                traces.infeasible += u64::from(!entry.is_found);
            } else {
                self.expand(node);
                let children = self.entries[node as usize].children.iter();
                open.extend(children.flatten().flatten());
            }
        }
        traces
    }
}

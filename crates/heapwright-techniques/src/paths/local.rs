//! Traces of a slice, generated on demand as a tree of open choices.
//!
//! Each node is a prefix of traces. A node is done when every trace with this prefix has a test
//! case or is infeasible; paths with this prefix are then no longer wanted.

use std::rc::Rc;

use super::follow::{ChosenRule, LoopCounts};
use super::refine::Refine;
use super::rules::{PredicateId, RuleProgram};

/// Node of the tree.
pub type TraceNode = u32;

/// Rest of a trace: predicates that wait for a choice, the next one first.
type Ahead = Option<Rc<Waiting>>;

#[derive(Clone, Debug)]
struct Waiting {
    predicate: PredicateId,
    turns: LoopCounts,
    frames: Frames,
    next: Ahead,
}

/// Methods of the frames, innermost first.
type Frames = Option<Rc<ActiveMethod>>;

#[derive(Debug)]
struct ActiveMethod {
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

struct TraceEntry {
    /// Rest of the trace; `None` at its end.
    ahead: Ahead,
    /// Parent node, and the rule chosen there.
    from: Option<(TraceNode, usize)>,
    /// Children by rule number; `None` where a bound ends the trace.
    children: Option<Vec<Option<TraceNode>>>,
    is_entered: bool,
    is_done: bool,
    /// Whether a test case was found for the trace.
    is_found: bool,
    /// Whether the trace was searched for separately without success.
    is_tried: bool,
}

/// Traces of the rules of some methods (definition 7: of one), including their calls of each other.
pub struct TraceTree {
    program: Rc<RuleProgram>,
    /// Whether each method's rules are included.
    is_kept: Vec<bool>,
    refine: Option<Refine>,
    most: u32,
    entries: Vec<TraceEntry>,
    /// Nodes of the trace that is searched for separately, if any.
    aim: Vec<TraceNode>,
}

/// Most rules visited when traces are counted.
const MAX_STEPS: u64 = 1_000_000;

/// Number of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Traces passed to the machine: each led to a test case or proved infeasible.
    pub generated: u64,
    /// Infeasible traces among these.
    pub infeasible: u64,
}

impl TraceTree {
    /// Creates the traces that begin at the first method, of the rules of included methods. `most`
    /// bounds loops and recursion.
    pub fn new(
        program: Rc<RuleProgram>,
        is_kept: Vec<bool>,
        most: u32,
        refine: Option<Refine>,
    ) -> TraceTree {
        let mut local = TraceTree {
            program,
            is_kept,
            refine,
            most,
            entries: Vec::new(),
            aim: Vec::new(),
        };
        let ahead = local.call(0, None, None).flatten();
        local.add(ahead, None);
        local.entries[TraceTree::ROOT as usize].is_entered = true;
        local
    }

    /// Selects a method's own rules: only the first method is included.
    pub fn own(program: &RuleProgram) -> Vec<bool> {
        let mut is_kept = vec![false; program.flows.len()];
        is_kept[0] = true;
        is_kept
    }

    /// Whether the rules of a method are included.
    pub fn is_kept(&self, method: usize) -> bool {
        self.is_kept[method]
    }

    fn add(&mut self, ahead: Ahead, from: Option<(TraceNode, usize)>) -> TraceNode {
        self.entries.push(TraceEntry {
            ahead,
            from,
            children: None,
            is_entered: false,
            is_done: false,
            is_found: false,
            is_tried: false,
        });
        self.entries.len() as TraceNode - 1
    }

    /// Counts traces up to `most`, within [`MAX_STEPS`]; returns whether there are more.
    pub fn count(&mut self, most: u64) -> (u64, bool) {
        let mut open = vec![(TraceTree::ROOT, 1)];
        let (mut traces, mut steps) = (0, 0);
        while let Some((node, length)) = open.pop() {
            if traces == most || steps > MAX_STEPS {
                return (traces, true);
            }
            traces += u64::from(self.is_end(node));
            // The extension of a trace is recomputed from its start.
            steps += length;
            self.expand(node);
            let children = self.entries[node as usize].children.iter();
            let children = children.flatten().flatten().rev();
            open.extend(children.map(|&child| (child, length + 1)));
        }
        (traces, false)
    }

    /// Root: the empty prefix.
    pub const ROOT: TraceNode = 0;

    /// Calls a method from frames; `None` if the recursion bound is exceeded.
    fn call(&mut self, method: usize, frames: Frames, next: Ahead) -> Option<Ahead> {
        if count(&frames, method) >= self.most {
            return None;
        }
        let frames = Some(Rc::new(ActiveMethod {
            method,
            below: frames,
        }));
        let start = self.program.starts[method];
        let mut chosen = Vec::new();
        let waiting = self.program.settle(start, &mut chosen);
        self.after(&chosen, waiting, LoopCounts::default(), frames, next)
    }

    /// Rest of a trace after rules were chosen in a frame.
    fn after(
        &mut self,
        chosen: &[ChosenRule],
        waiting: Option<PredicateId>,
        mut turns: LoopCounts,
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

    /// Child of a node by a choice; `None` if the bounds exclude it.
    pub fn child(&mut self, node: TraceNode, rule: usize) -> Option<TraceNode> {
        self.expand(node);
        let children = self.entries[node as usize].children.as_ref()?;
        children.get(rule).copied().flatten()
    }

    /// Predicate that waits for a choice at a node.
    pub fn waiting(&self, node: TraceNode) -> Option<PredicateId> {
        let ahead = self.entries[node as usize].ahead.as_ref()?;
        Some(ahead.predicate)
    }

    fn expand(&mut self, node: TraceNode) {
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

    /// Rules that lead to a node.
    fn choices(&self, node: TraceNode) -> Vec<usize> {
        let mut choices = Vec::new();
        let mut from = self.entries[node as usize].from;
        while let Some((before, rule)) = from {
            choices.push(rule);
            from = self.entries[before as usize].from;
        }
        choices.reverse();
        choices
    }

    /// Records that a path has reached a node.
    pub fn enter(&mut self, node: TraceNode) {
        self.entries[node as usize].is_entered = true;
    }

    /// Records a test case for the trace that ends at a node.
    pub fn found(&mut self, node: TraceNode) {
        let entry = &mut self.entries[node as usize];
        (entry.is_done, entry.is_found) = (true, true);
    }

    /// Whether a trace ends at a node.
    pub fn is_end(&self, node: TraceNode) -> bool {
        self.entries[node as usize].ahead.is_none()
    }

    /// Whether no trace with this prefix is wanted any more.
    pub fn is_done(&mut self, node: TraceNode) -> bool {
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

    /// Begins a separate search for a single trace: the first wanted one without such a search so
    /// far. `None` if there is none.
    pub fn begin_single_search(&mut self) -> Option<TraceNode> {
        self.aim.clear();
        let mut open = vec![vec![TraceTree::ROOT]];
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

    /// Ends the separate search. With `is_whole` that search was exhaustive, so that prefixes of
    /// its trace that were not reached are infeasible.
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

    /// Whether a node is on the trace that is searched for.
    pub fn is_aimed_at(&self, node: TraceNode) -> bool {
        self.aim.is_empty() || self.aim.contains(&node)
    }

    /// Numbers of traces, once the search has ended.
    pub fn traces(&mut self) -> Traces {
        let mut traces = Traces::default();
        let mut open = vec![TraceTree::ROOT];
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

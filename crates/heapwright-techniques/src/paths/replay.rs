//! Reconstruction of a path's trace and coverage from the visited probes.

use std::collections::BTreeSet;

use heapwright_jvm::ClassId;
use heapwright_jvm::probes::ProbeVisit;

use super::follow::{At, BlockEvent, ChosenRule, ExceptionClasses, Move};
use super::rules::{PredicateId, RuleProgram};
use super::term::TraceTerm;

/// Trace and coverage of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTrace {
    /// Blocks entered: method and block.
    pub blocks: BTreeSet<(usize, usize)>,
    /// Edges taken: method, block and edge.
    pub exits: BTreeSet<(usize, usize, usize)>,
    /// Its trace.
    pub trace: Activation,
}

/// Call of a followed method.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Activation {
    /// Number of the method.
    pub method: usize,
    /// Rules chosen, in order.
    pub chosen: Vec<ChosenRule>,
    /// Calls made by its rules; call-backs are not included.
    pub calls: Vec<Activation>,
    /// Whether the rules of its caller call it.
    is_called: bool,
}

struct ReplayFrame {
    activation: Activation,
    depth: u32,
    block: usize,
    waiting: Option<PredicateId>,
}

/// Reconstructs a run from the call of the first method. `first` is the number of the first probe;
/// `thrown` the class of the exception that ended the run, if any.
pub fn replay(
    program: &RuleProgram,
    classes: &ExceptionClasses,
    first: u32,
    visits: &[ProbeVisit],
    thrown: Option<ClassId>,
) -> RunTrace {
    let places: Vec<(usize, usize)> = program
        .flows
        .iter()
        .enumerate()
        .flat_map(|(method, flow)| (0..flow.blocks.len()).map(move |block| (method, block)))
        .collect();
    let mut replay = Replay {
        program,
        classes,
        run: RunTrace::default(),
        frames: Vec::new(),
    };
    for visit in visits {
        let place = visit.point.checked_sub(first);
        let place = place.and_then(|place| places.get(place as usize));
        if let Some(&(method, block)) = place {
            replay.visit(visit, method, block);
        }
    }
    let end = thrown.map_or(BlockEvent::Returns, BlockEvent::Throws);
    while !replay.frames.is_empty() {
        replay.pop(end);
    }
    replay.run
}

struct Replay<'a> {
    program: &'a RuleProgram,
    classes: &'a ExceptionClasses,
    run: RunTrace,
    frames: Vec<ReplayFrame>,
}

impl Replay<'_> {
    fn visit(&mut self, visit: &ProbeVisit, method: usize, block: usize) {
        if self.frames.is_empty() && (visit.depth, method, block) != (1, 0, 0) {
            return;
        }
        self.run.blocks.insert((method, block));
        let mut frames = self.frames.iter().rev().map(|frame| At {
            depth: frame.depth,
            method: frame.activation.method,
            block: frame.block,
            waiting: frame.waiting,
        });
        let place = (method, block);
        let moves = self.program.moves(self.classes, &mut frames, visit, place);
        for next in moves {
            match next {
                Move::Ends(event) => self.pop(event),
                Move::Goes(event, is_foreseen) => {
                    self.leave(event);
                    if let Some(top) = self.frames.last_mut() {
                        top.block = block;
                        top.waiting = top.waiting.filter(|_| is_foreseen);
                    }
                }
                Move::Enters(is_called) => self.enter(method, visit.depth, is_called),
            }
        }
    }

    /// Enters a frame of a method.
    fn enter(&mut self, method: usize, depth: u32, is_called: bool) {
        if is_called {
            let own = self.program.flows[method].method;
            self.leave(BlockEvent::Enters(own));
        }
        let mut chosen = Vec::new();
        let waiting = self
            .program
            .settle(self.program.starts[method], &mut chosen);
        self.frames.push(ReplayFrame {
            activation: Activation {
                method,
                chosen,
                calls: Vec::new(),
                is_called,
            },
            depth,
            block: 0,
            waiting,
        });
    }

    /// Records that the innermost frame leaves its block, or calls from it.
    fn leave(&mut self, event: BlockEvent) {
        let Some(top) = self.frames.last_mut() else {
            return;
        };
        let place = (top.activation.method, top.block);
        if let Some(exit) = self.program.exit(self.classes, top.waiting, place, event) {
            self.run.exits.insert((place.0, place.1, exit));
        }
        let chosen = &mut top.activation.chosen;
        top.waiting = self
            .program
            .follow(self.classes, top.waiting, place, event, chosen);
    }

    fn pop(&mut self, event: BlockEvent) {
        self.leave(event);
        let Some(frame) = self.frames.pop() else {
            return;
        };
        match self.frames.last_mut() {
            Some(below) if frame.activation.is_called => {
                below.activation.calls.push(frame.activation);
            }
            Some(_) => {}
            None => self.run.trace = frame.activation,
        }
    }
}

impl Activation {
    /// Trace as a term.
    pub fn term(&self, program: &RuleProgram) -> TraceTerm {
        self.part(program, &|_| true)
    }

    /// Trace as a term, in which calls of methods outside a set are free.
    pub fn part(&self, program: &RuleProgram, is_in: &dyn Fn(usize) -> bool) -> TraceTerm {
        let mut calls = self.calls.iter();
        let mut open: Vec<(String, usize, Vec<TraceTerm>, bool)> = Vec::new();
        for &(predicate, number) in &self.chosen {
            let rule = &program.predicates[predicate].rules[number];
            let mut below = Vec::new();
            for targets in rule.calls() {
                let is_target =
                    |call: &&Activation| targets.contains(&program.flows[call.method].method);
                let call = calls.as_slice().first().filter(is_target);
                if call.is_some() {
                    calls.next();
                }
                let call = call.filter(|call| is_in(call.method));
                below.push(call.map_or(TraceTerm::Free, |call| call.part(program, is_in)));
            }
            let name = program.predicates[predicate].name.clone();
            open.push((name, number + 1, below, rule.then.is_some()));
        }
        let mut term: Option<TraceTerm> = None;
        for (name, number, mut below, goes_on) in open.into_iter().rev() {
            if goes_on {
                below.push(term.take().unwrap_or(TraceTerm::Free));
            }
            term = Some(TraceTerm::Rule(name, number, below));
        }
        term.unwrap_or(TraceTerm::Free)
    }
}

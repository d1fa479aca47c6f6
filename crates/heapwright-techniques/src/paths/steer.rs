//! Steering of paths by a criterion: compares the criterion's traces with the blocks that a path
//! enters.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_explore::symbolic::{AtMost, InputCut, Steering};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{BranchSuccessor, ClassId, MethodId, ReadPosition};

use super::flow::To;
use super::follow::{At, BlockEvent, ChosenRule, ExceptionClasses, LoopCounts, Move};
use super::goals::PathGoals;
use super::local::{TraceNode, TraceTree};
use super::reach::ReachGoal;
use super::rules::{PredicateId, PredicatePoint, RuleChoice, RuleProgram};
use super::term::Pattern;
use crate::symbolic::CutBy;

/// Paths that are wanted.
pub enum Wanted {
    /// All paths.
    All,
    /// One path for each trace of a method's own rules.
    Local(Rc<RefCell<TraceTree>>),
    /// Paths that reach a goal not reached before. The flag says whether the search ends after many
    /// consecutive paths without one.
    Goals(Rc<PathGoals>, bool),
    /// Paths of a trace.
    Trace(Rc<Pattern>),
}

/// Comparison of paths with the wanted ones.
pub struct PathFilter {
    program: Rc<RuleProgram>,
    classes: Rc<ExceptionClasses>,
    /// Paths that are wanted.
    pub wanted: Wanted,
    bounds: Depths,
    /// Number of the first probe, and the method and block of each probe.
    points: (u32, Vec<(usize, usize)>),
    /// State of the path after each probe.
    states: RefCell<Vec<SteeringState>>,
    /// Numbers of abandoned paths, by reason.
    pub pruned: Cell<Pruned>,
    /// Places where paths were cut off.
    pub cut_at: RefCell<BTreeMap<CutBy, CutPlaces>>,
}

/// Follows the wanted paths, and abandons all others.
struct Following(Rc<PathFilter>);

/// Tries the side first whose rule comes first.
struct RuleOrder(Rc<PathFilter>);

/// Strategy for at most `most` of the wanted paths, in the order of the rules.
pub fn strategy(filter: &Rc<PathFilter>, most: u64) -> impl Steering + use<> {
    Following(Rc::clone(filter))
        .and(RuleOrder(Rc::clone(filter)))
        .and(AtMost::new(most))
}

/// Numbers of abandoned paths, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Paths that would exceed a bound on loops or recursion.
    pub by_bounds: u64,
    /// Paths excluded by the criterion.
    pub by_criterion: u64,
}

/// Bounds on loops and recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Most evaluations of a loop's test, and most frames of one method.
    pub loops: u32,
    /// Most frames of followed methods.
    pub frames: u32,
}

#[derive(Clone, Default)]
struct SteeringState {
    top: Option<Rc<SteeredFrame>>,
    /// Node among the traces of a method's own rules; `None` once the path has left them.
    node: Option<TraceNode>,
    /// Goals that were passed.
    passed: Option<Rc<Passed>>,
    /// Node among the trace prefixes towards the goal.
    tried: u32,
}

struct Passed {
    goal: usize,
    before: Option<Rc<Passed>>,
}

impl SteeringState {
    fn pass(&mut self, goal: usize) {
        let before = self.passed.take();
        self.passed = Some(Rc::new(Passed { goal, before }));
    }

    /// Whether the path has passed a goal not reached before.
    fn is_past(&self, goals: &PathGoals) -> bool {
        let mut passed = self.passed.as_ref();
        while let Some(one) = passed {
            if !goals.is_found(one.goal) {
                return true;
            }
            passed = one.before.as_ref();
        }
        false
    }
}

#[derive(Clone)]
struct SteeredFrame {
    below: Option<Rc<SteeredFrame>>,
    depth: u32,
    method: usize,
    block: usize,
    waiting: Option<PredicateId>,
    turns: LoopCounts,
    /// Whether the rules of the caller call it, and it is part of the slice.
    is_sliced: bool,
    /// Whether the goal is reachable in a frame below.
    is_goal_below: bool,
    /// Trace of the waiting predicate; the next field has those of calls to come.
    pattern: Rc<Pattern>,
    pending: Rc<[Rc<Pattern>]>,
    /// Number of frames of followed methods, including this one.
    level: u32,
}

/// Whether a path is still wanted.
type PathVerdict = Result<(), Unwanted>;

enum Unwanted {
    Bounds(CutBy),
    Criterion,
}

/// Places where paths were cut off: methods and blocks.
#[derive(Clone, Debug, Default)]
pub struct CutPlaces {
    /// Blocks of the active frames: whatever is reachable from them may have been cut off.
    pub frames: BTreeSet<(usize, usize)>,
    /// Blocks passed by the path: possibly no other path passes them and ends.
    pub passed: BTreeSet<(usize, usize)>,
}

impl CutPlaces {
    /// Adds other places.
    pub fn add(&mut self, other: &CutPlaces) {
        self.frames.extend(&other.frames);
        self.passed.extend(&other.passed);
    }
}

impl PathFilter {
    /// Creates a filter. The probes of all methods are numbered from `first`, in the order of
    /// methods and blocks.
    pub fn new(
        program: &Rc<RuleProgram>,
        classes: &Rc<ExceptionClasses>,
        wanted: Wanted,
        bounds: Depths,
        first: u32,
    ) -> PathFilter {
        let flows = program.flows.iter().enumerate();
        let points = flows
            .flat_map(|(method, flow)| (0..flow.blocks.len()).map(move |block| (method, block)));
        let points: Vec<(usize, usize)> = points.collect();
        PathFilter {
            cut_at: RefCell::default(),
            program: Rc::clone(program),
            classes: Rc::clone(classes),
            wanted,
            bounds,
            points: (first, points),
            states: RefCell::default(),
            pruned: Cell::default(),
        }
    }

    /// Whether the rules of a method are part of the wanted traces.
    fn is_kept(&self, method: usize) -> bool {
        match &self.wanted {
            Wanted::Local(local) => local.borrow().is_kept(method),
            _ => true,
        }
    }

    fn state(&self) -> SteeringState {
        self.states.borrow().last().cloned().unwrap_or_default()
    }

    /// Method and block of a probe.
    fn place(&self, visit: ProbeVisit) -> Option<(usize, usize)> {
        let number = visit.point.checked_sub(self.points.0)?;
        self.points.1.get(number as usize).copied()
    }

    fn step(&self, visit: ProbeVisit) -> Result<SteeringState, Unwanted> {
        let mut state = self.state();
        let Some((method, block)) = self.place(visit) else {
            return Ok(state);
        };
        let is_call = (visit.depth, method, block) == (1, 0, 0);
        if let (Wanted::Local(local), Some(node)) = (&self.wanted, state.node) {
            let mut local = local.borrow_mut();
            if local.is_end(node) && local.is_done(node) {
                return Err(Unwanted::Criterion);
            }
        }
        if state.top.is_none() {
            if is_call {
                state.node = Some(TraceTree::ROOT);
                self.enter(&mut state, visit.depth, method, false)?;
            }
            return Ok(state);
        }
        let first = state.top.clone();
        let mut frames = std::iter::successors(first, |frame| frame.below.clone());
        let mut frames = frames.by_ref().map(|frame| At {
            depth: frame.depth,
            method: frame.method,
            block: frame.block,
            waiting: frame.waiting,
        });
        let place = (method, block);
        let moves = self
            .program
            .moves(&self.classes, &mut frames, &visit, place);
        for next in moves {
            let Some(top) = state.top.clone() else { break };
            match next {
                Move::Ends(event) => {
                    self.choose(&mut state, &top, event)?;
                    state.top.clone_from(&top.below);
                }
                Move::Goes(event, is_foreseen) => {
                    let mut frame = self.choose(&mut state, &top, event)?;
                    frame.block = block;
                    if !is_foreseen {
                        (frame.waiting, state.node) = (None, None);
                    }
                    state.top = Some(Rc::new(frame));
                    self.arrive(&mut state, method, block)?;
                }
                Move::Enters(is_called) => {
                    self.enter(&mut state, visit.depth, method, is_called)?;
                }
            }
        }
        Ok(state)
    }

    /// Enters a frame of a method; `is_called` says whether the rules of the caller call it.
    fn enter(
        &self,
        state: &mut SteeringState,
        depth: u32,
        method: usize,
        is_called: bool,
    ) -> PathVerdict {
        let program = &self.program;
        let mut below = state.top.clone();
        let mut pattern = Rc::new(Pattern::Free);
        let mut is_sliced = below.is_none();
        let mut is_goal_below = false;
        let mut level = 1;
        match (&mut below, &self.wanted) {
            (None, Wanted::Trace(trace)) => pattern = Rc::clone(trace),
            (None, _) => {}
            (Some(under), wanted) => {
                level += under.level;
                let mut frame = (**under).clone();
                if is_called {
                    let own = program.flows[method].method;
                    frame = self.choose(state, under, BlockEvent::Enters(own))?;
                    if let [first, rest @ ..] = &*Rc::clone(&frame.pending) {
                        pattern = Rc::clone(first);
                        frame.pending = rest.into();
                    }
                    is_sliced = under.is_sliced && self.is_kept(method);
                }
                if let Wanted::Goals(reach, _) = wanted {
                    // Unfollowed code may call back once more.
                    is_goal_below = frame.is_goal_below
                        || match is_called {
                            true => reach.is_behind_call(frame.method, frame.block),
                            false => reach.is_ahead(frame.method, frame.block),
                        };
                }
                *under = Rc::new(frame);
            }
        }
        let mut frames = 1;
        let mut next = below.clone();
        while let Some(frame) = next {
            frames += u32::from(frame.method == method);
            next = frame.below.clone();
        }
        if frames > self.bounds.loops {
            return Err(Unwanted::Bounds(CutBy::Loops));
        }
        if level > self.bounds.frames {
            return Err(Unwanted::Bounds(CutBy::Depth));
        }
        let start = program.starts[method];
        let turns = LoopCounts::default();
        let mut chosen = Vec::new();
        let waiting = program.settle(start, &mut chosen);
        let mut frame = SteeredFrame {
            below,
            depth,
            method,
            block: 0,
            waiting,
            turns,
            is_sliced,
            is_goal_below,
            pattern,
            pending: Rc::new([]),
            level,
        };
        self.note(state, &mut frame, &chosen)?;
        state.top = Some(Rc::new(frame));
        self.arrive(state, method, 0)
    }

    /// Advances a frame that leaves its block, or calls from it.
    fn choose(
        &self,
        state: &mut SteeringState,
        frame: &SteeredFrame,
        event: BlockEvent,
    ) -> Result<SteeredFrame, Unwanted> {
        if let Wanted::Goals(goals, _) = &self.wanted {
            let (method, block) = (frame.method, frame.block);
            let exit = self
                .program
                .exit(&self.classes, frame.waiting, (method, block), event);
            let goal = exit.and_then(|exit| goals.at(ReachGoal::Exit(method, block, exit)));
            if let Some(goal) = goal {
                state.pass(goal);
            }
        }
        let mut frame = frame.clone();
        let mut chosen = Vec::new();
        let place = (frame.method, frame.block);
        frame.waiting =
            (self.program).follow(&self.classes, frame.waiting, place, event, &mut chosen);
        self.note(state, &mut frame, &chosen)?;
        Ok(frame)
    }

    /// Compares the rules that a frame has chosen with the wanted paths.
    fn note(
        &self,
        state: &mut SteeringState,
        frame: &mut SteeredFrame,
        chosen: &[ChosenRule],
    ) -> PathVerdict {
        if !frame.turns.note(&self.program, chosen, self.bounds.loops) {
            return Err(Unwanted::Bounds(CutBy::Loops));
        }
        for &(predicate, number) in chosen {
            let rule = &self.program.predicates[predicate].rules[number];
            if let Pattern::Rule(wanted, wanted_rule, below) = &*Rc::clone(&frame.pattern) {
                if (*wanted, *wanted_rule) != (predicate, number) {
                    return Err(Unwanted::Criterion);
                }
                let calls = rule.calls().count();
                let pending = frame.pending.iter().chain(&below[..calls.min(below.len())]);
                frame.pending = pending.cloned().collect();
                let free = || Rc::new(Pattern::Free);
                frame.pattern = below.get(calls).cloned().unwrap_or_else(free);
            } else if !frame.pending.is_empty() {
                let calls = rule.calls().map(|_| Rc::new(Pattern::Free));
                frame.pending = frame.pending.iter().cloned().chain(calls).collect();
            }
            if let Wanted::Goals(goals, _) = &self.wanted
                && !state.is_past(goals)
                && rule.choice != RuleChoice::Only
            {
                state.tried = goals
                    .tried
                    .borrow_mut()
                    .enter(state.tried, predicate, number);
            }
            if let Wanted::Local(local) = &self.wanted
                && frame.is_sliced
                && rule.choice != RuleChoice::Only
                && let Some(node) = state.node
            {
                let mut local = local.borrow_mut();
                if local.waiting(node) != Some(predicate) {
                    state.node = None;
                    continue;
                }
                let Some(child) = local.child(node, number) else {
                    return Err(Unwanted::Bounds(CutBy::Loops));
                };
                local.enter(child);
                if local.is_done(child) || !local.is_aimed_at(child) {
                    return Err(Unwanted::Criterion);
                }
                state.node = Some(child);
            }
        }
        Ok(())
    }

    /// Handles the entry of a block.
    fn arrive(&self, state: &mut SteeringState, method: usize, block: usize) -> PathVerdict {
        let Wanted::Goals(goals, _) = &self.wanted else {
            return Ok(());
        };
        if let Some(goal) = goals.at(ReachGoal::Block(method, block)) {
            state.pass(goal);
        }
        let is_ahead = state.is_past(goals)
            || goals.is_ahead(method, block)
            || state.top.as_ref().is_some_and(|top| top.is_goal_below);
        match is_ahead {
            true => Ok(()),
            false => Err(Unwanted::Criterion),
        }
    }

    /// Records a cut at the current position of the path.
    pub fn cut(&self, by: CutBy) {
        self.cut_behind(by, None);
    }

    /// Records a cut of a path that is about to enter block `next`.
    fn cut_behind(&self, by: CutBy, next: Option<(usize, usize)>) {
        let mut frame = self.state().top;
        // Before the method is entered, all of it is still ahead.
        let mut places = vec![next.unwrap_or_default()];
        if next.is_none() && frame.is_some() {
            places.clear();
        }
        while let Some(top) = frame {
            places.push((top.method, top.block));
            frame = top.below.clone();
        }
        let states = self.states.borrow();
        let tops = states.iter().filter_map(|state| state.top.as_ref());
        let passed = tops.map(|top| (top.method, top.block));
        let mut cut_at = self.cut_at.borrow_mut();
        let cut = cut_at.entry(by).or_default();
        cut.passed.extend(passed.chain(next));
        cut.frames.extend(places);
    }

    /// Records where the path has read static state of the program and the world: whatever is
    /// reachable from there may depend on it.
    fn note_reads(&self, reads: &[ReadPosition]) {
        let states = self.states.borrow();
        let mut cut_at = self.cut_at.borrow_mut();
        for read in reads {
            let by = read.chance.map_or(CutBy::Statics, CutBy::world);
            let last = read.visits.min(states.len()).checked_sub(1);
            let mut frame = last.and_then(|last| states[last].top.clone());
            let frames = &mut cut_at.entry(by).or_default().frames;
            if frame.is_none() {
                frames.insert(Default::default());
            }
            while let Some(top) = frame {
                frames.insert((top.method, top.block));
                frame = top.below.clone();
            }
        }
    }

    /// Node of the ended path among the trace prefixes towards a goal.
    pub fn tried(&self) -> u32 {
        self.state().tried
    }

    /// Whether the ended path is wanted. `thrown` is the class of the exception that ended it, if
    /// any.
    pub fn take(&self, thrown: Option<ClassId>) -> bool {
        let mut state = self.state();
        let Some(mut top) = state.top.clone() else {
            return matches!(self.wanted, Wanted::All);
        };
        let event = thrown.map_or(BlockEvent::Returns, BlockEvent::Throws);
        // The frames end, the innermost first.
        loop {
            match self.choose(&mut state, &top, event) {
                Ok(_) => {}
                Err(unwanted) => {
                    if let Unwanted::Bounds(by) = unwanted {
                        self.cut(by);
                    }
                    return false;
                }
            }
            match top.below.clone() {
                Some(below) => top = below,
                None => break,
            }
        }
        let local = match &self.wanted {
            Wanted::Local(local) => local,
            Wanted::Goals(goals, _) => return state.is_past(goals),
            Wanted::All | Wanted::Trace(_) => return true,
        };
        let mut local = local.borrow_mut();
        match state.node.filter(|&node| local.is_end(node)) {
            Some(node) => {
                let is_first = !local.is_done(node);
                local.found(node);
                is_first
            }
            // The rules have no such path; the caller detects duplicates.
            None => true,
        }
    }
}

impl Steering for Following {
    fn begin(&mut self) {
        self.0.pruned.set(Pruned::default());
        self.0.cut_at.take();
    }

    fn visit(&mut self, visit: ProbeVisit) -> bool {
        let filter = &self.0;
        match filter.step(visit) {
            Ok(state) => {
                filter.states.borrow_mut().push(state);
                true
            }
            Err(unwanted) => {
                let mut pruned = filter.pruned.get();
                match unwanted {
                    Unwanted::Bounds(by) => {
                        pruned.by_bounds += 1;
                        filter.cut_behind(by, filter.place(visit));
                    }
                    Unwanted::Criterion => pruned.by_criterion += 1,
                }
                filter.pruned.set(pruned);
                false
            }
        }
    }

    fn is_over(&self) -> bool {
        match &self.0.wanted {
            Wanted::Goals(goals, is_impatient) => *is_impatient && goals.is_idle(),
            _ => false,
        }
    }

    fn mark(&self) -> usize {
        self.0.states.borrow().len()
    }

    fn undo_to(&mut self, mark: usize) {
        self.0.states.borrow_mut().truncate(mark);
    }

    fn cut(&mut self, cut: InputCut) {
        self.0.cut(CutBy::input(cut));
    }

    fn note_reads(&mut self, reads: &[ReadPosition]) {
        self.0.note_reads(reads);
    }

    fn bounds(&self, method: MethodId) -> bool {
        self.0.program.number(method).is_some()
    }
}

impl Steering for RuleOrder {
    fn holds_first(
        &self,
        method: MethodId,
        holds: BranchSuccessor,
        fails: BranchSuccessor,
    ) -> Option<bool> {
        let state = self.0.state();
        let top = state.top.as_ref()?;
        let program = &self.0.program;
        let flow = &program.flows[top.method];
        if flow.method != method {
            return None;
        }
        let waiting = &program.predicates[top.waiting?];
        if waiting.place == PredicatePoint::Dispatch(top.block) {
            return None;
        }
        let rank = |side: BranchSuccessor| {
            let BranchSuccessor::At(at) = side else {
                return Some(usize::MAX);
            };
            let to = To::Block(flow.block_at(at)?);
            let mut exits = flow.blocks[top.block].exits.iter();
            let exit = exits.position(|exit| exit.is_normal() && exit.to == to)?;
            let mut rules = waiting.rules.iter();
            rules.position(|rule| rule.choice == RuleChoice::Exit(top.block, exit))
        };
        Some(rank(holds)? <= rank(fails)?)
    }
}

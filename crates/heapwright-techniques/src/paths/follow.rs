//! Mapping of a path's blocks to the rules that it chooses.

use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::flow::{BlockGraph, EdgeCondition, To};
use super::rules::{PredicateId, PredicatePoint, RuleChoice, RuleProgram};

/// Event that ends a block in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEvent {
    /// The frame calls a followed method.
    Enters(MethodId),
    /// The frame continues with a block; for a handler, with the class of the exception.
    Goes(usize, Option<ClassId>),
    /// The frame returns.
    Returns,
    /// An exception of this class leaves the frame.
    Throws(ClassId),
}

/// Position of a frame.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Number of frames up to and including this one.
    pub depth: u32,
    /// Number of the frame's method.
    pub method: usize,
    /// Block that the frame entered last.
    pub block: usize,
    /// Predicate that waits for a choice at the end of the block.
    pub waiting: Option<PredicateId>,
}

/// Change of the frames derived from a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The innermost frame has ended.
    Ends(BlockEvent),
    /// The innermost frame continues with a block; the flag says whether an edge exists.
    Goes(BlockEvent, bool),
    /// A frame is entered; the flag says whether the rules of the caller call it.
    Enters(bool),
}

/// Chosen rule: the predicate and the number of the rule.
pub type ChosenRule = (PredicateId, usize);

/// Exception classes that edges name.
#[derive(Clone, Debug, Default)]
pub struct ExceptionClasses(Vec<(ClassId, &'static str)>);

impl ExceptionClasses {
    /// Looks up the classes that the methods' edges name.
    pub fn new(vm: &mut Vm, flows: &[BlockGraph]) -> ExceptionClasses {
        let mut classes = ExceptionClasses::default();
        let exits = flows
            .iter()
            .flat_map(|flow| &flow.blocks)
            .flat_map(|block| &block.exits);
        for exit in exits {
            if let EdgeCondition::Thrown(Some(name)) = exit.way
                && !classes.0.iter().any(|one| one.1 == name)
                && let Ok(class) = vm.load_class(name)
            {
                classes.0.push((class, name));
            }
        }
        classes
    }

    fn name(&self, class: ClassId) -> Option<&'static str> {
        self.0.iter().find(|one| one.0 == class).map(|one| one.1)
    }
}

impl RuleProgram {
    /// Edge by which a block is left, given the predicate waiting at its end; `None` if there is
    /// none.
    pub fn exit(
        &self,
        classes: &ExceptionClasses,
        waiting: Option<PredicateId>,
        (method, block): (usize, usize),
        event: BlockEvent,
    ) -> Option<usize> {
        let (to, thrown) = match event {
            BlockEvent::Enters(_) => return None,
            BlockEvent::Goes(to, thrown) => (To::Block(to), thrown),
            BlockEvent::Returns => (To::Return, None),
            BlockEvent::Throws(class) => (To::Throw, Some(class)),
        };
        let exits = &self.flows[method].blocks[block].exits;
        let find = |way: &dyn Fn(&EdgeCondition) -> bool| {
            let mut exits = exits.iter();
            exits.position(|exit| exit.to == to && way(&exit.way))
        };
        match thrown {
            None => find(&|way| !matches!(way, EdgeCondition::Thrown(_))),
            Some(class) => {
                // An exception of the callee differs from one of the call instruction itself.
                let is_called = waiting.is_some_and(|waiting| {
                    self.predicates[waiting].place == PredicatePoint::Check(block)
                });
                let name = classes.name(class).filter(|_| !is_called);
                let named =
                    name.and_then(|name| find(&|way| *way == EdgeCondition::Thrown(Some(name))));
                named.or_else(|| find(&|way| *way == EdgeCondition::Thrown(None)))
            }
        }
    }

    /// Derives the changes of the existing frames, innermost first, from the visit of a block.
    pub fn moves(
        &self,
        classes: &ExceptionClasses,
        frames: &mut dyn Iterator<Item = At>,
        visit: &ProbeVisit,
        (method, block): (usize, usize),
    ) -> Vec<Move> {
        let mut moves = Vec::new();
        let ended = visit.thrown.map_or(BlockEvent::Returns, BlockEvent::Throws);
        let mut top = frames.next();
        while let Some(frame) = top.filter(|frame| frame.depth > visit.depth) {
            moves.push(Move::Ends(ended));
            top = frames.next();
            debug_assert!(top.is_none_or(|below| below.depth < frame.depth));
        }
        if let Some(frame) = top.filter(|frame| frame.depth == visit.depth) {
            let event = BlockEvent::Goes(block, visit.thrown);
            let place = (frame.method, frame.block);
            let is_foreseen =
                frame.method == method && self.exit(classes, frame.waiting, place, event).is_some();
            if is_foreseen || block != 0 {
                moves.push(Move::Goes(event, is_foreseen));
                return moves;
            }
            // The frame has returned, and the same method was entered again.
            moves.push(Move::Ends(BlockEvent::Returns));
            top = frames.next();
        }
        let own = self.flows[method].method;
        let is_called = top.is_some_and(|under| {
            let call = self.flows[under.method].blocks[under.block].call.as_ref();
            under.depth + 1 == visit.depth && call.is_some_and(|call| call.targets.contains(&own))
        });
        moves.push(Move::Enters(is_called));
        moves
    }

    /// Continues from a waiting predicate when its frame leaves a block or calls from it. Appends
    /// the chosen rules; returns the predicate that waits next.
    pub fn follow(
        &self,
        classes: &ExceptionClasses,
        waiting: Option<PredicateId>,
        (method, block): (usize, usize),
        event: BlockEvent,
        chosen: &mut Vec<ChosenRule>,
    ) -> Option<PredicateId> {
        let mut waiting = waiting?;
        if let BlockEvent::Enters(target) = event {
            let rule = self
                .rule(waiting, RuleChoice::Enter(block, target))
                .or_else(|| self.rule(waiting, RuleChoice::Others(block)));
            return match rule {
                Some(rule) => self.choose((waiting, rule), chosen),
                None => Some(waiting),
            };
        }
        let by_exit = |waiting| {
            let exit = self.exit(classes, Some(waiting), (method, block), event)?;
            self.rule(waiting, RuleChoice::Exit(block, exit))
        };
        if by_exit(waiting).is_none()
            && let Some(rule) = self.rule(waiting, RuleChoice::Others(block))
        {
            waiting = self.choose((waiting, rule), chosen)?;
        }
        match by_exit(waiting) {
            Some(rule) => self.choose((waiting, rule), chosen),
            None => Some(waiting),
        }
    }

    fn rule(&self, predicate: PredicateId, choice: RuleChoice) -> Option<usize> {
        let mut rules = self.predicates[predicate].rules.iter();
        rules.position(|rule| rule.choice == choice)
    }

    /// Chooses a rule and those that follow without a choice; returns the predicate that waits
    /// next.
    pub fn choose(&self, first: ChosenRule, chosen: &mut Vec<ChosenRule>) -> Option<PredicateId> {
        chosen.push(first);
        let next = self.predicates[first.0].rules[first.1].then?;
        self.settle(next, chosen)
    }

    /// Chooses rules while there is a single one.
    pub fn settle(
        &self,
        predicate: PredicateId,
        chosen: &mut Vec<ChosenRule>,
    ) -> Option<PredicateId> {
        let mut next = predicate;
        while let [rule] = &self.predicates[next].rules[..]
            && rule.choice == RuleChoice::Only
        {
            chosen.push((next, 0));
            next = rule.then?;
        }
        Some(next)
    }
}

/// Number of iterations of a frame's loops since their entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopCounts(Vec<(PredicateId, u32)>);

impl LoopCounts {
    /// Records the targets of rules; returns whether no loop exceeds its bound.
    pub fn note(&mut self, program: &RuleProgram, chosen: &[ChosenRule], most: u32) -> bool {
        chosen.iter().all(|&(predicate, rule)| {
            let rule = &program.predicates[predicate].rules[rule];
            match rule.then {
                Some(then) if program.is_loop(then) => self.begin(then, rule.is_back) <= most,
                _ => true,
            }
        })
    }

    /// Counts an iteration of a loop, or its entry; returns the count.
    fn begin(&mut self, predicate: PredicateId, is_back: bool) -> u32 {
        match self.0.iter_mut().find(|one| one.0 == predicate) {
            Some((_, times)) => {
                *times = if is_back { *times + 1 } else { 1 };
                *times
            }
            None => {
                self.0.push((predicate, 1));
                1
            }
        }
    }
}

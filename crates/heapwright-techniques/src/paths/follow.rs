//! Following a path through the rules: which rules the blocks that it enters have chosen.

use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::flow::{Flow, To, Way};
use super::rules::{Choice, Place, PredicateId, Program};

/// What happens to a frame that stands at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It enters a method that is followed.
    Enters(MethodId),
    /// It goes on with a block; the class of the exception that the block handles.
    Goes(usize, Option<ClassId>),
    /// It returns.
    Returns,
    /// An exception of this class leaves it.
    Throws(ClassId),
}

/// Where a frame stands.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// How many frames there are up to it, itself included.
    pub depth: u32,
    /// Its method.
    pub method: usize,
    /// The block that it entered last.
    pub block: usize,
    /// What waits at the end of that.
    pub waiting: Option<PredicateId>,
}

/// What a visit of a probe says of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The innermost frame has ended.
    Ends(Event),
    /// The innermost frame goes on with a block; whether that was foreseen.
    Goes(Event, bool),
    /// A frame is entered; whether the rules of the one below call it.
    Enters(bool),
}

/// A rule that was chosen: the predicate and the number of the rule.
pub type Chosen = (PredicateId, usize);

/// The classes that exits by exceptions name.
#[derive(Clone, Debug, Default)]
pub struct Classes(Vec<(ClassId, &'static str)>);

impl Classes {
    /// Looks up the classes that the methods' exits name.
    pub fn new(vm: &mut Vm, flows: &[Flow]) -> Classes {
        let mut classes = Classes::default();
        let exits = flows
            .iter()
            .flat_map(|flow| &flow.blocks)
            .flat_map(|block| &block.exits);
        for exit in exits {
            if let Way::Thrown(Some(name)) = exit.way
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

impl Program {
    /// The exit by which a block is left, with what waits at its end; `None` if none was foreseen.
    pub fn exit(
        &self,
        classes: &Classes,
        waiting: Option<PredicateId>,
        (method, block): (usize, usize),
        event: Event,
    ) -> Option<usize> {
        let (to, thrown) = match event {
            Event::Enters(_) => return None,
            Event::Goes(to, thrown) => (To::Block(to), thrown),
            Event::Returns => (To::Return, None),
            Event::Throws(class) => (To::Throw, Some(class)),
        };
        let exits = &self.flows[method].blocks[block].exits;
        let find = |way: &dyn Fn(&Way) -> bool| {
            let mut exits = exits.iter();
            exits.position(|exit| exit.to == to && way(&exit.way))
        };
        match thrown {
            None => find(&|way| !matches!(way, Way::Thrown(_))),
            Some(class) => {
                // What comes out of a call is not what the call itself throws.
                let is_called = waiting
                    .is_some_and(|waiting| self.predicates[waiting].place == Place::Check(block));
                let name = classes.name(class).filter(|_| !is_called);
                let named = name.and_then(|name| find(&|way| *way == Way::Thrown(Some(name))));
                named.or_else(|| find(&|way| *way == Way::Thrown(None)))
            }
        }
    }

    /// What a visit of a block says of the frames there were, which come innermost first.
    pub fn moves(
        &self,
        classes: &Classes,
        frames: &mut dyn Iterator<Item = At>,
        visit: &Visit,
        (method, block): (usize, usize),
    ) -> Vec<Move> {
        let mut moves = Vec::new();
        let ended = visit.thrown.map_or(Event::Returns, Event::Throws);
        let mut top = frames.next();
        while let Some(frame) = top.filter(|frame| frame.depth > visit.depth) {
            moves.push(Move::Ends(ended));
            top = frames.next();
            debug_assert!(top.is_none_or(|below| below.depth < frame.depth));
        }
        if let Some(frame) = top.filter(|frame| frame.depth == visit.depth) {
            let event = Event::Goes(block, visit.thrown);
            let place = (frame.method, frame.block);
            let is_foreseen =
                frame.method == method && self.exit(classes, frame.waiting, place, event).is_some();
            if is_foreseen || block != 0 {
                moves.push(Move::Goes(event, is_foreseen));
                return moves;
            }
            // The frame has returned, and another one came.
            moves.push(Move::Ends(Event::Returns));
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

    /// Goes on from a predicate that waits for a choice, as its frame leaves a block or calls from
    /// it. Notes what was chosen; gives what waits then.
    pub fn follow(
        &self,
        classes: &Classes,
        waiting: Option<PredicateId>,
        (method, block): (usize, usize),
        event: Event,
        chosen: &mut Vec<Chosen>,
    ) -> Option<PredicateId> {
        let mut waiting = waiting?;
        if let Event::Enters(target) = event {
            let rule = self
                .rule(waiting, Choice::Enter(block, target))
                .or_else(|| self.rule(waiting, Choice::Others(block)));
            return match rule {
                Some(rule) => self.choose((waiting, rule), chosen),
                None => Some(waiting),
            };
        }
        let by_exit = |waiting| {
            let exit = self.exit(classes, Some(waiting), (method, block), event)?;
            self.rule(waiting, Choice::Exit(block, exit))
        };
        if by_exit(waiting).is_none()
            && let Some(rule) = self.rule(waiting, Choice::Others(block))
        {
            waiting = self.choose((waiting, rule), chosen)?;
        }
        match by_exit(waiting) {
            Some(rule) => self.choose((waiting, rule), chosen),
            None => Some(waiting),
        }
    }

    fn rule(&self, predicate: PredicateId, choice: Choice) -> Option<usize> {
        let mut rules = self.predicates[predicate].rules.iter();
        rules.position(|rule| rule.choice == choice)
    }

    /// Chooses a rule, and those that follow without a choice; gives what waits for one then.
    pub fn choose(&self, first: Chosen, chosen: &mut Vec<Chosen>) -> Option<PredicateId> {
        chosen.push(first);
        let next = self.predicates[first.0].rules[first.1].then?;
        self.settle(next, chosen)
    }

    /// Chooses rules as long as there is one.
    pub fn settle(&self, predicate: PredicateId, chosen: &mut Vec<Chosen>) -> Option<PredicateId> {
        let mut next = predicate;
        while let [rule] = &self.predicates[next].rules[..]
            && rule.choice == Choice::Only
        {
            chosen.push((next, 0));
            next = rule.then?;
        }
        Some(next)
    }
}

/// How often the loops of a frame were begun since they were entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns(Vec<(PredicateId, u32)>);

impl Turns {
    /// Notes what rules lead to; whether no loop is run more often than it may.
    pub fn note(&mut self, program: &Program, chosen: &[Chosen], most: u32) -> bool {
        chosen.iter().all(|&(predicate, rule)| {
            let rule = &program.predicates[predicate].rules[rule];
            match rule.then {
                Some(then) if program.is_loop(then) => self.begin(then, rule.is_back) <= most,
                _ => true,
            }
        })
    }

    /// A loop begins again, or is entered; how often it has begun.
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

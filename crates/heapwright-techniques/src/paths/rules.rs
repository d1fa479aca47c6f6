//! Methods as rules (paper, definition 1): one a block of the control flow, loops as recursion, the
//! rules of a predicate with guards that exclude each other, exceptional outcomes and the targets of
//! virtual calls as rules of their own.
//!
//! A predicate stands for a place where control goes on: the start of a method, a place where several
//! ways meet, or what is left to decide in the middle of a rule. A trace is told by the rules chosen
//! for predicates that have several.

use std::collections::{HashMap, HashSet};

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::Step;
use heapwright_jvm::{MethodId, Vm};

use super::flow::Flow;
use super::names::Names;
use super::reach::Back;
use super::translate::translate;
use super::values::{Expr, Goal};
use crate::Error;

/// The number of a predicate.
pub type PredicateId = usize;

/// Methods as rules.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The methods; the one that is run first.
    pub flows: Vec<Flow>,
    /// The predicates, those of a method together, its own first.
    pub predicates: Vec<Predicate>,
    /// Of each method the predicate of its start.
    pub starts: Vec<PredicateId>,
    /// Methods that code which is not followed may call.
    pub callbacks: Vec<usize>,
    /// The blocks that read a static field which code can write: method and block.
    pub static_reads: Vec<(usize, usize)>,
    /// Its ways backwards.
    pub(super) back: Back,
    numbers: HashMap<MethodId, usize>,
}

/// What a predicate stands for, in its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The start of the method.
    Enter,
    /// The start of a block.
    Start(usize),
    /// The end of a block, where it splits.
    Split(usize),
    /// The call at the end of a block, where its receiver is looked at.
    Dispatch(usize),
    /// How the call at the end of a block ended.
    Check(usize),
}

/// Where control goes on, in one of several ways.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The number of its method.
    pub method: usize,
    /// What it stands for.
    pub place: Place,
    /// Its arguments' names: what is needed of local variables and the operand stack.
    pub variables: Vec<String>,
    /// Its rules, shortest way first, exceptional ones last.
    pub rules: Vec<Rule>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// How it is told that it was chosen.
    pub choice: Choice,
    /// The names of its variables, the arguments first.
    pub names: Vec<String>,
    /// What it does, guards first where they are.
    pub goals: Vec<Goal>,
    /// Where it goes on.
    pub then: Option<PredicateId>,
    /// What it hands on.
    pub handed: Vec<Expr>,
    /// How it ends where it does not go on.
    pub end: End,
    /// The first and the last source line of its blocks.
    pub lines: Option<(u16, u16)>,
    /// The blocks that it enters or leaves.
    pub blocks: Vec<usize>,
    /// Whether it goes back to the start of a loop that it is part of.
    pub is_back: bool,
    /// Instructions to the nearest return.
    pub(super) distance: Option<u32>,
}

/// How it is told that a rule was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// There is no other.
    Only,
    /// A block was left by this exit of its.
    Exit(usize, usize),
    /// This method was entered from a block's call.
    Enter(usize, MethodId),
    /// The call of a block came to code that is not followed.
    Others(usize),
}

/// How a rule ends that goes no further.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It goes on.
    GoesOn,
    /// The method returns this, if anything.
    Returns(Option<Expr>),
    /// The method ends by an exception.
    Throws,
}

impl Rule {
    /// The calls that it makes of methods that are followed, in order.
    pub fn calls(&self) -> impl Iterator<Item = &[MethodId]> {
        self.goals.iter().filter_map(|goal| match goal {
            Goal::Call(targets, ..) => Some(&targets[..]),
            _ => None,
        })
    }
}

impl Program {
    /// The rules of methods, the first of which is run; those that code which is not followed may call.
    ///
    /// # Errors
    /// Something `stops` it.
    pub fn new(
        vm: &Vm,
        flows: Vec<Flow>,
        callbacks: &HashSet<MethodId>,
        stops: &dyn Fn() -> bool,
    ) -> Result<Program, Error> {
        let numbers = flows.iter().map(|flow| flow.method).zip(0..).collect();
        let called_back = flows.iter().enumerate();
        let called_back = called_back.filter(|(_, flow)| callbacks.contains(&flow.method));
        let mut program = Program {
            callbacks: called_back.map(|(number, _)| number).collect(),
            static_reads: static_reads(vm, &flows),
            numbers,
            ..Program::default()
        };
        let mut names = Names::new(vm, &flows);
        for (method, flow) in flows.iter().enumerate() {
            if stops() {
                return Err(Error::Stopped);
            }
            let first = program.predicates.len();
            let predicates = translate(vm, flow, method, first, &mut names);
            program.starts.push(program.predicates.len());
            program.predicates.extend(predicates);
        }
        let number = |method| program.number(method);
        program.back = Back::new(&flows, &program.callbacks, &number);
        program.flows = flows;
        Ok(program)
    }

    /// The number of a method that is followed.
    pub fn number(&self, method: MethodId) -> Option<usize> {
        self.numbers.get(&method).copied()
    }

    /// The predicate of a method's start.
    pub fn start(&self, method: MethodId) -> Option<PredicateId> {
        Some(self.starts[self.number(method)?])
    }

    /// Whether a loop begins at a predicate.
    pub fn is_loop(&self, predicate: PredicateId) -> bool {
        let predicate = &self.predicates[predicate];
        match predicate.place {
            Place::Start(block) => self.flows[predicate.method].blocks[block].is_loop,
            _ => false,
        }
    }
}

/// The blocks that read a static field which is not final.
fn static_reads(vm: &Vm, flows: &[Flow]) -> Vec<(usize, usize)> {
    let is_open = |step: &Step| match step {
        Step::GetField(member, true) => match vm.loaded_class(&member.class) {
            // One that is not found is an interface's, and so final.
            Some(class) => vm
                .find_field(class, &member.name)
                .is_some_and(|field| field.flags & flags::FINAL == 0),
            None => true,
        },
        _ => false,
    };
    let mut found = Vec::new();
    for (method, flow) in flows.iter().enumerate() {
        for (number, block) in flow.blocks.iter().enumerate() {
            let mut listed = flow.listing.instructions[block.instructions.clone()].iter();
            if listed.any(|listed| is_open(&listed.step)) {
                found.push((method, number));
            }
        }
    }
    found
}

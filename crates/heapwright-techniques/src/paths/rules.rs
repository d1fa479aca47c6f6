//! Methods as rules (paper, definition 1): one for each block of the control flow, with loops as
//! recursion. The guards of a predicate's rules exclude each other. Exceptional outcomes and the
//! targets of virtual calls have rules of their own.
//!
//! A predicate represents a point where control continues: the start of a method, a join, or an
//! open choice within a rule. A trace is determined by the rules chosen for predicates with
//! several.

use std::collections::{HashMap, HashSet};

use heapwright_jvm::{MethodId, Vm};

use super::flow::BlockGraph;
use super::names::NameGenerator;
use super::reach::Back;
use super::translate::translate;
use super::values::{Expr, RuleGoal};
use crate::Error;

/// Number of a predicate.
pub type PredicateId = usize;

/// Methods as rules.
#[derive(Clone, Debug, Default)]
pub struct RuleProgram {
    /// Methods; the first is the one under test.
    pub flows: Vec<BlockGraph>,
    /// Predicates, grouped by method, those of the first method first.
    pub predicates: Vec<Predicate>,
    /// Start predicate of each method.
    pub starts: Vec<PredicateId>,
    /// Methods that unfollowed code may call.
    pub callbacks: Vec<usize>,
    /// Reversed control flow.
    pub(super) back: Back,
    numbers: HashMap<MethodId, usize>,
}

/// Point of a method that a predicate represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredicatePoint {
    /// Start of the method.
    Enter,
    /// Start of a block.
    Start(usize),
    /// Branch at the end of a block.
    Split(usize),
    /// Dispatch of the call at the end of a block.
    Dispatch(usize),
    /// Outcome of the call at the end of a block.
    Check(usize),
}

/// Point with one or several continuations.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// Number of its method.
    pub method: usize,
    /// Point that it represents.
    pub place: PredicatePoint,
    /// Names of its arguments: the live local variables and words of the operand stack.
    pub variables: Vec<String>,
    /// Rules, shortest path first, exceptional ones last.
    pub rules: Vec<Rule>,
}

/// Rule of a predicate.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Event that identifies the choice of this rule.
    pub choice: RuleChoice,
    /// Names of its variables, the arguments first.
    pub names: Vec<String>,
    /// Steps of the rule, beginning with any guards.
    pub goals: Vec<RuleGoal>,
    /// Predicate with which it continues.
    pub then: Option<PredicateId>,
    /// Arguments passed to that predicate.
    pub handed: Vec<Expr>,
    /// Outcome where it does not continue.
    pub end: RuleEnd,
    /// First and last source line of its blocks.
    pub lines: Option<(u16, u16)>,
    /// Blocks that it enters or leaves.
    pub blocks: Vec<usize>,
    /// Whether it follows a back edge of its loop.
    pub is_back: bool,
    /// Instructions to the nearest return.
    pub(super) distance: Option<u32>,
}

/// Event that identifies the choice of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleChoice {
    /// None: it is the only rule.
    Only,
    /// A block was left by this edge.
    Exit(usize, usize),
    /// This method was entered from a block's call.
    Enter(usize, MethodId),
    /// The call of a block dispatched to unfollowed code.
    Others(usize),
}

/// Outcome of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleEnd {
    /// The rule continues.
    GoesOn,
    /// The method returns this value, if any.
    Returns(Option<Expr>),
    /// The method ends by an exception.
    Throws,
}

impl Rule {
    /// Calls of followed methods that the rule makes, in order.
    pub fn calls(&self) -> impl Iterator<Item = &[MethodId]> {
        self.goals.iter().filter_map(|goal| match goal {
            RuleGoal::Call(targets, ..) => Some(&targets[..]),
            _ => None,
        })
    }
}

impl RuleProgram {
    /// Creates the rules of methods, of which the first is under test; `callbacks` are those that
    /// unfollowed code may call.
    ///
    /// # Errors
    /// The translation was stopped.
    pub fn new(
        vm: &Vm,
        flows: Vec<BlockGraph>,
        callbacks: &HashSet<MethodId>,
        stops: &dyn Fn() -> bool,
    ) -> Result<RuleProgram, Error> {
        let numbers = flows.iter().map(|flow| flow.method).zip(0..).collect();
        let called_back = flows.iter().enumerate();
        let called_back = called_back.filter(|(_, flow)| callbacks.contains(&flow.method));
        let mut program = RuleProgram {
            callbacks: called_back.map(|(number, _)| number).collect(),
            numbers,
            ..RuleProgram::default()
        };
        let mut names = NameGenerator::new(vm, &flows);
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

    /// Number of a followed method.
    pub fn number(&self, method: MethodId) -> Option<usize> {
        self.numbers.get(&method).copied()
    }

    /// Predicate of a method's start.
    pub fn start(&self, method: MethodId) -> Option<PredicateId> {
        Some(self.starts[self.number(method)?])
    }

    /// Whether a predicate is a loop header.
    pub fn is_loop(&self, predicate: PredicateId) -> bool {
        let predicate = &self.predicates[predicate];
        match predicate.place {
            PredicatePoint::Start(block) => self.flows[predicate.method].blocks[block].is_loop,
            _ => false,
        }
    }
}

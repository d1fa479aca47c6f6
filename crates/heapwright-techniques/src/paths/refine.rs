//! Trace abstractions with values (paper, section 6.2): a trace is dropped before it is run if
//! guards and arithmetic on its static variables contradict each other.
//!
//! Calls outside a slice return any value. All other knowledge is retained, as callees cannot
//! change local variables.

use std::rc::Rc;

use heapwright_explore::symbolic::Store;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Comparison, Operation};

use super::modes::Modes;
use super::rules::{PredicateId, RuleChoice, RuleEnd, RuleProgram};
use super::values::{Expr, Guard, RuleGoal, RuleVariable};

/// Use of values in the generation of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// No values.
    None,
    /// Values of static variables.
    #[default]
    Modes,
    /// Values of all variables.
    Full,
}

/// Feasibility check for trace prefixes.
pub struct Refine {
    program: Rc<RuleProgram>,
    modes: Modes,
    store: Store,
}

/// Variables of a rule: kind and slot of each, once needed.
type VariableSlots = Vec<Option<(Kind, u64)>>;

/// Interpreter of a trace prefix.
struct Walk<'a> {
    program: &'a RuleProgram,
    modes: &'a Modes,
    store: &'a mut Store,
    /// Rules chosen where there are several.
    choices: std::slice::Iter<'a, usize>,
    /// Whether each method's rules are part of the trace.
    is_kept: &'a [bool],
}

/// Reason for the end of the interpretation.
enum Halt {
    /// The prefix is at its end.
    Over,
    /// The prefix is infeasible.
    Impossible,
}

impl Refine {
    /// Creates the check for a program's traces.
    pub fn new(
        program: &Rc<RuleProgram>,
        refinement: Refinement,
        is_unbounded: bool,
    ) -> Option<Refine> {
        let modes = match refinement {
            Refinement::None => return None,
            Refinement::Modes => Modes::new(program),
            Refinement::Full => Modes::all(program),
        };
        Some(Refine {
            program: Rc::clone(program),
            modes,
            store: Store::new(is_unbounded),
        })
    }

    /// Whether a trace can begin with these rules, as far as it is decided without search.
    /// `choices` are those among several rules, in included methods, from the start of a method.
    pub fn is_possible(&mut self, method: usize, choices: &[usize], is_kept: &[bool]) -> bool {
        self.store.clear();
        let program = Rc::clone(&self.program);
        let start = program.starts[method];
        let mut walk = Walk {
            program: &program,
            modes: &self.modes,
            store: &mut self.store,
            choices: choices.iter(),
            is_kept,
        };
        let arguments = vec![None; program.predicates[start].variables.len()];
        !matches!(walk.run(start, arguments), Err(Halt::Impossible))
    }
}

impl Walk<'_> {
    /// Interprets a predicate to the end of its method; returns the result, if it is numeric.
    fn run(
        &mut self,
        predicate: PredicateId,
        arguments: VariableSlots,
    ) -> Result<Option<(Kind, u64)>, Halt> {
        let program = self.program;
        let (mut predicate, mut arguments) = (predicate, arguments);
        loop {
            let rules = &program.predicates[predicate].rules;
            let rule = match &rules[..] {
                [only] if only.choice == RuleChoice::Only => only,
                rules => {
                    let number = *self.choices.next().ok_or(Halt::Over)?;
                    rules.get(number).ok_or(Halt::Over)?
                }
            };
            let mut values = arguments;
            for (argument, value) in values.iter_mut().enumerate() {
                if !self.modes.is_static(predicate, argument) {
                    *value = None;
                }
            }
            values.resize(rule.names.len(), None);
            for goal in &rule.goals {
                self.goal(&mut values, goal)?;
            }
            let Some(then) = rule.then else {
                return Ok(match &rule.end {
                    RuleEnd::Returns(Some(Expr::Variable(variable))) => values[*variable],
                    RuleEnd::Returns(Some(value)) => {
                        let kind = kind_of(value);
                        kind.map(|kind| (kind, self.value(&mut values, value, kind)))
                    }
                    _ => None,
                });
            };
            let handed = rule
                .handed
                .iter()
                .map(|value| self.handed(&mut values, value));
            arguments = handed.collect();
            predicate = then;
        }
    }

    fn goal(&mut self, values: &mut VariableSlots, goal: &RuleGoal) -> Result<(), Halt> {
        match goal {
            RuleGoal::Guard(guard) => match self.guard(values, guard) {
                true => Ok(()),
                false => Err(Halt::Impossible),
            },
            RuleGoal::Heap(what, _, _, result) => {
                if let (Some(variable), "new_object" | "new_array") = (result, *what) {
                    let object = self.store.open(Kind::Int);
                    values[*variable] = Some((Kind::Int, object));
                    self.store.assume(Comparison::Ne, Kind::Int, object, 0);
                }
                Ok(())
            }
            RuleGoal::Call(targets, arguments, result) => {
                let mut numbers = targets
                    .iter()
                    .filter_map(|&target| self.program.number(target));
                let Some(number) = numbers.find(|&number| self.is_kept[number]) else {
                    return Ok(());
                };
                let handed = arguments.iter().map(|value| self.handed(values, value));
                let handed: VariableSlots = handed.collect();
                let came = self.run(self.program.starts[number], handed)?;
                if let Some(variable) = result {
                    values[*variable] = came;
                }
                Ok(())
            }
        }
    }

    /// Value of a passed argument; `None` if it is unconstrained.
    fn handed(&mut self, values: &mut VariableSlots, value: &Expr) -> Option<(Kind, u64)> {
        match value {
            Expr::Variable(variable) => values[*variable],
            value => {
                let kind = kind_of(value)?;
                Some((kind, self.value(values, value, kind)))
            }
        }
    }

    /// Assumes a guard; returns whether it is possible.
    fn guard(&mut self, values: &mut VariableSlots, guard: &Guard) -> bool {
        match guard {
            Guard::Compare(_, Kind::Float | Kind::Double, ..) | Guard::Heap(..) => true,
            Guard::Compare(comparison, kind, left, right) => {
                let left = self.value(values, left, *kind);
                let right = self.value(values, right, *kind);
                self.store.assume((*comparison).into(), *kind, left, right)
            }
            Guard::Null(value, is_null) => {
                let value = self.value(values, value, Kind::Int);
                self.store.assume(equal(*is_null), Kind::Int, value, 0)
            }
            Guard::Same(left, right, is_same) => {
                let left = self.value(values, left, Kind::Int);
                let right = self.value(values, right, Kind::Int);
                self.store.assume(equal(*is_same), Kind::Int, left, right)
            }
            Guard::Among(value, numbers, is_in) => {
                let value = self.value(values, value, Kind::Int);
                let slot = |number: i32| u64::from(number as u32);
                match (numbers[..].split_first(), is_in) {
                    (Some((number, [])), true) => {
                        self.store
                            .assume(Comparison::Eq, Kind::Int, value, slot(*number))
                    }
                    (_, true) => true,
                    (_, false) => numbers.iter().all(|&number| {
                        self.store
                            .assume(Comparison::Ne, Kind::Int, value, slot(number))
                    }),
                }
            }
        }
    }

    /// Slot of a value of a kind; references are represented by numbers, null by 0.
    fn value(&mut self, values: &mut VariableSlots, value: &Expr, kind: Kind) -> u64 {
        match value {
            Expr::Number(_, bits) => *bits,
            Expr::Null => 0,
            Expr::Constant(_) => {
                let object = self.store.open(kind);
                self.store.assume(Comparison::Ne, kind, object, 0);
                object
            }
            Expr::Variable(variable) => self.variable(values, *variable, kind),
            Expr::Operate(_, Kind::Float | Kind::Double, ..) => self.store.open(kind),
            Expr::Operate(operation, of, left, right) => {
                let left = self.value(values, left, *of);
                let of_right = match operation {
                    Operation::Shl | Operation::Shr | Operation::Ushr => Kind::Int,
                    _ => *of,
                };
                let right = right
                    .as_ref()
                    .map(|right| self.value(values, right, of_right));
                match (operation, right) {
                    (Operation::Convert(Kind::Float | Kind::Double), _) => self.store.open(kind),
                    (Operation::Neg, _) => self.store.operate(Operation::Sub, *of, 0, left),
                    (Operation::Div | Operation::Rem, Some(0)) => self.store.open(kind),
                    (operation, right) => {
                        self.store
                            .operate(*operation, *of, left, right.unwrap_or_default())
                    }
                }
            }
        }
    }

    fn variable(&mut self, values: &mut VariableSlots, variable: RuleVariable, kind: Kind) -> u64 {
        match values[variable] {
            Some((known, slot)) if known == kind => slot,
            Some(_) => self.store.open(kind),
            None => {
                let slot = self.store.open(kind);
                values[variable] = Some((kind, slot));
                slot
            }
        }
    }
}

fn equal(is_equal: bool) -> Comparison {
    match is_equal {
        true => Comparison::Eq,
        false => Comparison::Ne,
    }
}

/// Kind of an expression, if it is evident.
fn kind_of(value: &Expr) -> Option<Kind> {
    match value {
        Expr::Number(kind, _) | Expr::Operate(Operation::Convert(kind), ..) => Some(*kind),
        Expr::Null | Expr::Constant(_) => Some(Kind::Int),
        Expr::Operate(Operation::Sign | Operation::SignUp, ..) => Some(Kind::Int),
        Expr::Operate(_, kind, ..) => Some(*kind),
        Expr::Variable(_) => None,
    }
}

//! Sequences with values, run again on the engine: what they reach and what comes of them.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{Operand, Outcome, PathEnd, Script, SymbolicSearch};
use heapwright_explore::{Search, Tree};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::Error;
use crate::sequences::goals::Goals;
use crate::sequences::model::{Argument, Concrete, Statement, What};
use crate::sequences::plan::Plan;
use crate::symbolic::{Value, as_written, make_with};

impl Concrete {
    /// The same with each object that static fields lead to loaded once. Nothing in it stores in a field
    /// behind a load of it.
    #[must_use]
    pub fn with_shared_loads(mut self, plan: &Plan) -> Concrete {
        let mut kept: Vec<Statement> = Vec::new();
        let mut places = Vec::new();
        for mut statement in std::mem::take(&mut self.statements) {
            for argument in &mut statement.arguments {
                if let Argument::Made(place) = argument {
                    *place = places[*place];
                }
            }
            let is_load = matches!(
                plan.invokables[statement.invokable].what,
                What::LoadField(_)
            );
            let known = kept.iter().position(|other| is_load && *other == statement);
            places.push(known.unwrap_or(kept.len()));
            if known.is_none() {
                kept.push(statement);
            }
        }
        self.statements = kept;
        self
    }
}

/// Runs sequences again.
pub struct Replayer<'a> {
    plan: &'a Plan,
    search: SymbolicSearch<'a>,
}

/// A run that has come to its end, the machine standing there.
pub struct Ran<'r, 'a> {
    /// How it ended.
    pub outcome: &'r Outcome,
    /// The run.
    pub search: &'r SymbolicSearch<'a>,
}

impl Ran<'_, '_> {
    /// The class of the exception that it ended by.
    #[must_use]
    pub fn thrown(&self, vm: &Vm) -> Option<ClassId> {
        match self.outcome {
            Outcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
            _ => None,
        }
    }
}

impl Ran<'_, '_> {
    /// The goals that its last statement, a call of a method, has reached.
    pub fn reached(&self, vm: &mut Vm, goals: &mut Goals, method: MethodId) -> Vec<usize> {
        let visits = vm.visits()[self.search.visits_before()..].to_vec();
        let seen = (
            &visits[..],
            self.search.events(),
            self.search.events_before(),
        );
        goals.reached(vm, method, seen, self.thrown(vm))
    }
}

impl<'a> Replayer<'a> {
    /// Runs sequences of a plan on a search of its own.
    #[must_use]
    pub fn new(plan: &'a Plan, search: SymbolicSearch<'a>) -> Replayer<'a> {
        Replayer { plan, search }
    }

    /// Runs a sequence as a test has it, equal boxes of small numbers being the same, and looks at its
    /// end. None if an earlier statement throws, or it does not end. The machine stands afterwards as
    /// before.
    ///
    /// # Errors
    /// A class is not there any more, or no memory is left.
    pub fn run<T>(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        look: &mut dyn FnMut(&mut Vm, &Ran<'_, '_>) -> T,
    ) -> Result<Option<T>, Error> {
        let seen = vm.with_mark(|vm| self.run_from_here(vm, concrete, look));
        vm.limit_steps(u64::MAX);
        seen
    }

    fn run_from_here<T>(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        look: &mut dyn FnMut(&mut Vm, &Ran<'_, '_>) -> T,
    ) -> Result<Option<T>, Error> {
        vm.limit_steps(u64::MAX);
        let known = as_written(vm, &concrete.input)?;
        let made = make_with(vm, &concrete.input, &known)?;
        let mut slots = made.slots.iter();
        let mut values = concrete.input.roots.iter();
        let mut steps = Vec::new();
        let mut held = Vec::new();
        for statement in &concrete.statements {
            let Some(mut step) = self.plan.step(vm, statement) else {
                return Ok(None);
            };
            step.asks = true;
            for operand in &mut step.operands {
                if let Operand::Again(value) = *operand {
                    *operand = Operand::Known(held[value], false);
                }
                if !matches!(operand, Operand::Open { .. }) {
                    continue;
                }
                let slot = slots.next().copied().unwrap_or_default();
                let value = values.next().map(|(_, value)| value);
                let is_wide = matches!(value, Some(Value::Primitive(Kind::Long | Kind::Double, _)));
                if is_wide {
                    slots.next();
                }
                held.push(slot);
                *operand = Operand::Known(slot, is_wide);
            }
            steps.push(step);
        }
        self.search.follow(Script {
            steps,
            // What stands in front of another sequence may throw.
            after_exceptions: self.plan.after_exceptions || self.plan.is_loose,
            ..Script::default()
        });
        self.search.start_at(Default::default());
        let mut seen = None;
        let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
            let ran = Ran {
                outcome: &end.outcome,
                search,
            };
            if matches!(end.outcome, Outcome::Returned(_) | Outcome::Threw(_)) {
                seen = Some(look(vm, &ran));
            }
            ControlFlow::Break(())
        };
        self.search
            .run(vm, &mut |_| ControlFlow::Continue(()), &mut visit)?;
        Ok(seen)
    }

    /// The goals that a sequence reaches in its last statement, and whether it ends by an assertion
    /// that fails.
    ///
    /// # Errors
    /// As [`Replayer::run`].
    pub fn reached(
        &mut self,
        vm: &mut Vm,
        goals: &mut Goals,
        concrete: &Concrete,
    ) -> Result<Option<Vec<usize>>, Error> {
        let last = concrete.statements.last().map(|last| last.invokable);
        let Some(method) = last.and_then(|last| self.plan.roles[last].under_test) else {
            return Ok(None);
        };
        self.run(vm, concrete, &mut |vm, ran| ran.reached(vm, goals, method))
    }
}

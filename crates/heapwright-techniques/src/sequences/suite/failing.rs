//! Failing tests: calls that throw an undeclared exception, or leave an object that violates the
//! invariant or a contract.
//!
//! Invariant: a call that throws an undeclared exception is in no other test, unless exceptions are
//! the goals.

use heapwright_jvm::{Ref, Vm};
use heapwright_suite::{
    Action, CallOutcome, Input, Label, Literal, Requirement, Script, Statement, Step,
    Value as Written,
};

use super::oracles::{Broken, Undeclared};
use super::replay::{ReplayedRun, Replayer};
use super::typing::add_types;
use super::writer::{ScriptWriter, StatementResults, shared};
use crate::Error;
use crate::contracts::ContractArgument;
use crate::findings::{Finding, smallest};
use crate::sequences::model::Concrete;
use crate::statements::name_of;

/// Maximum number of other objects with which one is compared.
const MAX_OTHERS: usize = 3;

impl ScriptWriter<'_> {
    /// Returns the contracts that an object violates, alone or together with others of its class.
    pub(super) fn broken_contracts(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        object: usize,
    ) -> Vec<Broken> {
        let is_own = |vm: &Vm, object: Option<Ref>| {
            object.filter(|object| !object.is_null() && vm.heap.class_of(*object) == self.class)
        };
        let Some(this) = objects.get(object).and_then(|this| is_own(vm, *this)) else {
            return Vec::new();
        };
        let others = (0..objects.len()).filter(|&place| {
            let other = is_own(vm, objects[place]);
            other.is_some_and(|other| other != this)
        });
        let others: Vec<usize> = others.take(MAX_OTHERS).collect();
        let mut broken = Vec::new();
        for asked in self.oracles.contracts.iter().collect::<Vec<_>>() {
            let alone = [object];
            let places = match asked.given() {
                ContractArgument::Other => &others[..],
                _ => &alone[..],
            };
            for &other in places {
                let beside = objects[other].unwrap_or(this);
                let ended = self.asked(vm, asked.entry(), &asked.slots(this, beside));
                let breach = ended.and_then(|(ended, _)| asked.breach(vm, this, &ended));
                broken.extend(breach.map(|breach| Broken {
                    asked,
                    breach,
                    object,
                    other,
                }));
            }
        }
        broken
    }

    /// Records that a test, the script of a sequence, violates a contract.
    pub(super) fn note_broken(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        (test, places): (&Script, &[usize]),
        broken: Broken,
    ) {
        let Some(method) = broken.asked.stated_by(vm, self.class) else {
            return;
        };
        let mut statements = test.statements.clone();
        if let (Some(last), CallOutcome::Threw { class, .. }) =
            (statements.last_mut(), &test.outcome)
        {
            last.thrown = Some(class.clone());
        }
        if self.is_idle(concrete, broken) {
            statements.pop();
        }
        let argument = match broken.asked.given() {
            ContractArgument::Nothing => None,
            ContractArgument::Itself => Some(Input::Object(places[broken.object])),
            ContractArgument::Null => Some(Input::Literal(Literal::Value(Written::Null))),
            ContractArgument::Other => Some(Input::Object(places[broken.other])),
        };
        let step = Step {
            method: method.into(),
            class: self.class_sig(vm),
            receiver: Some(places[broken.object]),
            arguments: argument.into_iter().collect(),
            made: None,
            spelling: None,
            is_variadic: false,
            body: None,
        };
        statements.push(Statement {
            action: Action::Call(step),
            name: None,
            thrown: None,
            contents: Vec::new(),
            given: None,
        });
        let mut script = Script {
            label: Label::default(),
            statements,
            outcome: CallOutcome::Failed(Requirement::Keeps(broken.asked.contract)),
            after: Vec::new(),
            invariant_holds_after: None,
            settings: test.settings.clone(),
            exchange: None,
        };
        add_types(vm, &mut self.reader, &mut script);
        let finding = Finding::breaks_contract(vm, broken.asked, broken.breach);
        self.failing.push((finding, script));
    }

    /// Whether the last call of a sequence is irrelevant to a contract: it changes nothing and
    /// creates none of the objects.
    fn is_idle(&self, concrete: &Concrete, broken: Broken) -> bool {
        let Some((last, before)) = concrete.statements.split_last() else {
            return false;
        };
        let method = self.plan.roles[last.invokable].under_test;
        let is_quiet = method.is_some_and(|method| self.quiet.contains(&method));
        is_quiet && broken.object.max(broken.other) < before.len()
    }

    /// Writes, for each method and exception, the shortest test that requires a call not to throw
    /// it.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn write_undeclared(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        found: &[Undeclared],
    ) -> Result<(), Error> {
        let found = found.iter().map(|found| {
            let method = name_of(vm, found.method);
            (Finding::throws(vm, method, found.thrown), found)
        });
        let shortest = smallest(found.collect(), |found| found.concrete.statements.len());
        for (
            finding,
            Undeclared {
                concrete, thrown, ..
            },
        ) in shortest
        {
            let held = replayer.run(vm, concrete, &mut |vm, ran| self.held(vm, ran, concrete))?;
            let Some(held) = held else { continue };
            if let Ok(written) = self.statements(vm, concrete, &held, &shared(concrete))? {
                let class = vm.binary_name(*thrown);
                let mut script = Script {
                    label: Label::default(),
                    statements: written.statements,
                    outcome: CallOutcome::Failed(Requirement::DoesNotThrow(class)),
                    after: Vec::new(),
                    invariant_holds_after: None,
                    settings: held.settings,
                    exchange: None,
                };
                add_types(vm, &mut self.reader, &mut script);
                self.failing.push((finding, script));
            }
        }
        Ok(())
    }

    /// Returns the classes of the objects that the statements of a run created, and the exceptions
    /// thrown.
    fn held(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
    ) -> StatementResults {
        let count = concrete.statements.len();
        let objects = self.objects(ran, concrete);
        let objects = &objects[..count];
        StatementResults {
            asked: self.asked_methods(vm, objects),
            ..self.held_by(vm, ran, objects)
        }
    }

    /// Returns the shortest failing test for each method, kind and exception.
    pub(super) fn take_failing(&mut self) -> (Vec<Finding>, Vec<Script>) {
        let failing = std::mem::take(&mut self.failing);
        let shortest = smallest(failing, |script| script.statements.len());
        shortest.into_iter().unzip()
    }
}

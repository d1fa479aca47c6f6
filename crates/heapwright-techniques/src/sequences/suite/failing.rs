//! Tests that fail: calls that end by an exception that nobody declared, leave an object that breaks the invariant, or
//! one that breaks a contract.
//!
//! Invariant: what throws an exception that nobody declared is in no other test.

use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{
    Action, Input, Label, Literal, Outcome, Requirement, Script, Statement, Step, Value as Written,
};

use super::replay::{Ran, Replayer};
use super::statements::Held;
use super::typing::add_types;
use super::writer::Writer;
use crate::Error;
use crate::check::name_of;
use crate::contracts::{Asked, Breach, Contracts, Given};
use crate::findings::{Declared, Finding, smallest};
use crate::observe::{Obstacle, method_sig};
use crate::sequences::model::{Argument, Concrete};
use crate::sequences::plan::Plan;
use crate::symbolic::{Contents, Value};

/// Most objects that one is held against.
const MAX_OTHERS: usize = 3;

/// A contract that an object of a test breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    asked: Asked,
    breach: Breach,
    /// The statement whose object it is, and that of the other one.
    object: usize,
    other: usize,
}

/// A test whose last call throws what nobody declared.
pub(in crate::sequences) struct Undeclared {
    concrete: Concrete,
    method: MethodId,
    thrown: ClassId,
}

impl Undeclared {
    /// Why no other test says what comes of it.
    pub fn obstacle(&self, vm: &Vm) -> Obstacle {
        Obstacle::Undeclared(vm.binary_name(self.thrown))
    }
}

/// What sequences are held to.
#[derive(Clone, Debug)]
pub(super) struct Oracles {
    pub contracts: Contracts,
    declared: Declared,
}

impl Oracles {
    /// Those of a class, which expects the usual refusals and the exceptions named.
    ///
    /// # Errors
    /// There is no such exception.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        expected: &[String],
        leaves_contracts: bool,
    ) -> Result<Oracles, Error> {
        Ok(Oracles {
            contracts: match leaves_contracts {
                true => Contracts::default(),
                false => Contracts::of(vm, class)?,
            },
            declared: Declared::new(vm, class, expected)?,
        })
    }

    /// The exception, which nobody declared, by which a sequence ends.
    pub fn undeclared(
        &self,
        vm: &mut Vm,
        plan: &Plan,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Option<Undeclared>, Error> {
        let last = concrete.statements.last();
        let Some(method) = last.and_then(|last| plan.under_test[last.invokable]) else {
            return Ok(None);
        };
        let thrown = replayer.run(vm, concrete, &mut |vm, ran| {
            let thrown = ran.thrown(vm)?;
            Some((thrown, takes_null(concrete, ran)))
        })?;
        let Some((thrown, has_null)) = thrown.flatten() else {
            return Ok(None);
        };
        let sig = method_sig(vm, vm.method(method).class, method);
        let is_declared = self.declared.covers(vm, &sig, thrown, has_null);
        Ok((!is_declared).then(|| Undeclared {
            concrete: concrete.clone(),
            method,
            thrown,
        }))
    }
}

/// Whether null is among what the statements of a sequence are given.
fn takes_null(concrete: &Concrete, ran: &Ran<'_, '_>) -> bool {
    let is_null = |value: &Value| *value == Value::Null;
    let is_made_null = |place: usize| ran.search.object(place).is_some_and(Ref::is_null);
    let arguments = concrete
        .statements
        .iter()
        .flat_map(|statement| &statement.arguments);
    let mut objects = concrete.input.objects.iter();
    concrete.input.roots.iter().any(|(_, value)| is_null(value))
        || objects.any(|object| match &object.contents {
            // An answer that nobody looked at is null.
            Contents::Fields(fields) => {
                fields.is_empty() || fields.iter().any(|(.., value)| is_null(value))
            }
            Contents::Elements(elements) => elements.iter().any(is_null),
            Contents::Text(_) => false,
        })
        || arguments.into_iter().any(|argument| match argument {
            Argument::Null => true,
            Argument::Made(place) => is_made_null(*place),
            _ => false,
        })
}

impl Writer<'_> {
    /// The contracts that an object breaks, by itself or beside others of its class.
    pub(super) fn broken_contracts(
        &self,
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
        for asked in self.oracles.contracts.iter() {
            let alone = [object];
            let places = match asked.given() {
                Given::Other => &others[..],
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

    /// Notes that a test, the script of a sequence, breaks a contract.
    pub(super) fn note_broken(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        test: &Script,
        broken: Broken,
    ) {
        let behind = test.statements.len() - concrete.statements.len();
        let Some(method) = broken.asked.stated_by(vm, self.class) else {
            return;
        };
        let mut statements = test.statements.clone();
        if let (Some(last), Outcome::Threw { class }) = (statements.last_mut(), &test.outcome) {
            last.thrown = Some(class.clone());
        }
        if self.is_idle(concrete, broken) {
            statements.pop();
        }
        let argument = match broken.asked.given() {
            Given::Nothing => None,
            Given::Itself => Some(Input::Object(broken.object + behind)),
            Given::Null => Some(Input::Literal(Literal::Value(Written::Null))),
            Given::Other => Some(Input::Object(broken.other + behind)),
        };
        let step = Step {
            method: method.into(),
            class: self.class_sig(vm),
            receiver: Some(broken.object + behind),
            arguments: argument.into_iter().collect(),
            made: None,
            spelling: None,
            spreads: false,
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
            outcome: Outcome::Failed(Requirement::Keeps(broken.asked.contract)),
            after: Vec::new(),
            invariant_holds_after: None,
        };
        add_types(vm, &mut self.reader, &mut script);
        let finding = Finding::breaks_contract(vm, broken.asked, broken.breach);
        self.failing.push((finding, script));
    }

    /// Whether the last call of a sequence has nothing to do with a contract: it changes nothing, and gives none of
    /// the objects.
    fn is_idle(&self, concrete: &Concrete, broken: Broken) -> bool {
        let Some((last, before)) = concrete.statements.split_last() else {
            return false;
        };
        let method = self.plan.under_test[last.invokable];
        let is_quiet = method.is_some_and(|method| self.quiet.contains(&method));
        is_quiet && broken.object.max(broken.other) < before.len()
    }

    /// Writes, of each method and exception, the shortest test that a call does not throw what it throws.
    ///
    /// # Errors
    /// A class is not there any more, or no memory is left.
    pub(super) fn write_undeclared(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        found: &[Undeclared],
    ) -> Result<(), Error> {
        let found = found.iter().map(|found| {
            let thrown = vm.binary_name(found.thrown);
            (Finding::throws(name_of(vm, found.method), thrown), found)
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
            if let Ok(statements) = self.statements(vm, concrete, &held)? {
                let class = vm.binary_name(*thrown);
                let mut script = Script {
                    label: Label::default(),
                    statements,
                    outcome: Outcome::Failed(Requirement::DoesNotThrow(class)),
                    after: Vec::new(),
                    invariant_holds_after: None,
                };
                add_types(vm, &mut self.reader, &mut script);
                self.failing.push((finding, script));
            }
        }
        Ok(())
    }

    /// What the statements of a run made, and by what they ended.
    fn held(&mut self, vm: &mut Vm, ran: &Ran<'_, '_>, concrete: &Concrete) -> Held {
        let count = concrete.statements.len();
        let objects = self.objects(ran, concrete, 0);
        self.held_by(vm, ran, &objects[..count])
    }

    /// The shortest tests that fail of each method, kind and exception.
    pub(super) fn take_failing(&mut self) -> (Vec<Finding>, Vec<Script>) {
        let failing = std::mem::take(&mut self.failing);
        let shortest = smallest(failing, |script| script.statements.len());
        shortest.into_iter().unzip()
    }
}

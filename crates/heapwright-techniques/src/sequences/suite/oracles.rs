//! Oracles: contracts that objects must satisfy, and exceptions that a call may throw.

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use super::replay::{ReplayedRun, Replayer};
use super::stub_scripts::StubScript;
use crate::Error;
use crate::contracts::{Breach, ContractCheck, Contracts};
use crate::findings::Declared;
use crate::functional::is_thrown_by_stub;
use crate::misuse::{is_of_unguarded_null, refuses};
use crate::observe::{Obstacle, method_sig};
use crate::sequences::model::{Concrete, SequencesRequest};
use crate::sequences::plan::SearchPlan;
use crate::statements::StatementArgument;
use crate::symbolic::{Contents, InputValue};

/// A contract that an object of a test violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub asked: ContractCheck,
    pub breach: Breach,
    /// The statements that created the object and, in `other`, the second object of the contract.
    pub object: usize,
    pub other: usize,
}

/// A test whose last call throws an undeclared exception.
pub(super) struct Undeclared {
    pub concrete: Concrete,
    pub method: MethodId,
    pub thrown: ClassId,
}

impl Undeclared {
    /// Returns the reason why no other test asserts the outcome.
    pub fn obstacle(&self, vm: &Vm) -> Obstacle {
        Obstacle::Undeclared(vm.binary_name(self.thrown))
    }
}

/// Oracles for sequences.
#[derive(Clone, Debug)]
pub(super) struct Oracles {
    pub contracts: Contracts,
    declared: Declared,
    /// Whether tests must not end with the exception of an unguarded null.
    refuses_nulls: bool,
}

/// Reason why no test ends as a sequence does.
pub(super) enum Unfit {
    /// It throws an undeclared exception.
    Undeclared(Undeclared),
    /// It throws the exception of an unguarded null.
    Null,
    /// A cast fails that may be of an element whose type is not known where it was put into a collection:
    /// no declaration permits it, and no compiler saw it.
    Untyped,
}

impl Oracles {
    /// Collects the oracles of a class, for which the usual refusals and the exceptions that a request
    /// names are expected.
    ///
    /// # Errors
    /// A named exception does not exist.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        request: &SequencesRequest,
        refuses_nulls: bool,
    ) -> Result<Oracles, Error> {
        Ok(Oracles {
            contracts: match request.leaves_contracts {
                true => Contracts::default(),
                false => Contracts::of(vm, class)?,
            },
            declared: Declared::new(vm, class, &request.expected)?,
            refuses_nulls,
        })
    }

    /// Returns why no test ends as a sequence does, if none does.
    pub fn unfit(
        &self,
        vm: &mut Vm,
        plan: &SearchPlan,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Option<Unfit>, Error> {
        let last = concrete.statements.last();
        let Some(method) = last.and_then(|last| plan.roles[last.invokable].under_test) else {
            return Ok(None);
        };
        let thrown = replayer.run(vm, concrete, &mut |vm, ran| {
            let thrown = ran.thrown(vm)?;
            let PathOutcome::Threw(exception) = *ran.outcome else {
                return None;
            };
            let is_of_null = self.refuses_nulls && is_of_unguarded_null(vm, exception);
            let is_expected = is_thrown_by_stub(vm, exception) || refuses(vm, exception);
            if is_expected && !is_of_null {
                return None;
            }
            let has_null = takes_null(plan, concrete, ran);
            Some((thrown, has_null, is_expected, is_of_null))
        })?;
        let Some((thrown, has_null, is_expected, is_of_null)) = thrown.flatten() else {
            return Ok(None);
        };
        let sig = method_sig(vm, vm.method(method).class, method);
        if !is_expected && !self.declared.covers(vm, &sig, thrown, has_null) {
            let is_cast = vm.class_name(thrown) == "java/lang/ClassCastException";
            let mut made = concrete.statements.iter();
            if is_cast && made.any(|made| plan.holds_anything(made.invokable)) {
                return Ok(Some(Unfit::Untyped));
            }
            return Ok(Some(Unfit::Undeclared(Undeclared {
                concrete: concrete.clone(),
                method,
                thrown,
            })));
        }
        // One that the method declares, or that was said to be expected, is a rule.
        let is_rule = self.declared.covers(vm, &sig, thrown, false);
        Ok((is_of_null && !is_rule).then_some(Unfit::Null))
    }
}

/// Whether null is among the arguments of a sequence, or returned by a stub.
fn takes_null(plan: &SearchPlan, concrete: &Concrete, ran: &ReplayedRun<'_, '_>) -> bool {
    let is_null = |value: &InputValue| *value == InputValue::Null;
    let is_made_null = |place: usize| ran.search.object(place).is_some_and(Ref::is_null);
    let arguments = concrete
        .statements
        .iter()
        .flat_map(|statement| &statement.arguments);
    let scripts = StubScript::all(plan, concrete);
    let mut objects = concrete.input.objects.iter();
    let mut statements = concrete.statements.iter();
    concrete.input.roots.iter().any(|(_, value)| is_null(value))
        || statements.any(|statement| plan.answers_null(statement))
        || scripts.iter().any(|script| script.ends_with_null(concrete))
        || objects.any(|object| match &object.contents {
            // A stub's return value that was never read is null.
            Contents::Fields(fields) => {
                fields.is_empty() || fields.iter().any(|(.., value)| is_null(value))
            }
            Contents::Elements(elements) => elements.iter().any(is_null),
            Contents::Text(_) => false,
        })
        || arguments.into_iter().any(|argument| match argument {
            StatementArgument::Null => true,
            StatementArgument::Result(place) => is_made_null(*place),
            _ => false,
        })
}

//! Oracles: the contracts that objects must keep, and the exceptions that a call may end by.

use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use super::replay::{Ran, Replayer};
use crate::Error;
use crate::contracts::{Asked, Breach, Contracts};
use crate::findings::Declared;
use crate::observe::{Obstacle, method_sig};
use crate::sequences::model::{Argument, Concrete};
use crate::sequences::plan::Plan;
use crate::symbolic::{Contents, Value};

/// A contract that an object of a test breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub asked: Asked,
    pub breach: Breach,
    /// The statement whose object it is, and that of the other one.
    pub object: usize,
    pub other: usize,
}

/// A test whose last call throws what nobody declared.
pub(super) struct Undeclared {
    pub concrete: Concrete,
    pub method: MethodId,
    pub thrown: ClassId,
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
        let Some(method) = last.and_then(|last| plan.roles[last.invokable].under_test) else {
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

//! Sequences as written in tests.

use std::sync::Arc;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite as suite;

use super::operations::Form;
use super::sequence::{Argument, Call, Sequence};
use super::{Operation, Prepared};
use crate::observe::method_sig;
use crate::read::StructureReader;

impl Prepared {
    /// Converts a sequence to the form of tests and messages.
    #[must_use]
    pub fn written(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        sequence: &Sequence,
    ) -> suite::Sequence {
        let steps = sequence.calls.iter().map(|call| {
            let operation = &self.caller.operations[call.operation];
            self.step(vm, reader, operation, call)
        });
        suite::Sequence {
            steps: steps.collect(),
            object: sequence.object,
        }
    }

    fn step(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        operation: &Operation,
        call: &Call,
    ) -> suite::Step {
        let arguments = &call.arguments;
        let class = operation.class;
        let mut sig = method_sig(vm, class, operation.method);
        sig.is_static = operation.form != Form::Instance;
        let text = vm.text(vm.method(operation.method).descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).unwrap_or_default();
        let (receiver, arguments) = match (operation.form, arguments.split_first()) {
            (Form::Instance, Some((&Argument::Object(receiver), rest))) => (Some(receiver), rest),
            _ => (None, arguments.as_slice()),
        };
        let inputs = arguments.iter().zip(parameters);
        let inputs = inputs.map(|(argument, descriptor)| match argument {
            Argument::Object(object) => suite::Input::Object(*object),
            Argument::Value(slot) => {
                suite::Input::Literal(self.literals.written(Kind::of(descriptor), *slot))
            }
        });
        let made = match (operation.form, &call.result) {
            (Form::Constructor(class), _) => Some(class),
            (_, Some(name)) => self.declared(vm, name),
            _ => None,
        };
        suite::Step {
            made: made.map(|class| reader.class_sig(vm, class)),
            method: Arc::new(sig),
            class: reader.class_sig(vm, class),
            receiver,
            arguments: inputs.collect(),
            spelling: None,
            spreads: false,
            body: None,
        }
    }

    /// Returns the class in play for the declaration of a variable that holds an object of a class.
    /// It is one of the object's types that is no superclass of another.
    fn declared(&self, vm: &Vm, name: &str) -> Option<ClassId> {
        let class = vm.loaded_class(name)?;
        let classes = self.caller.classes.iter().copied();
        let fitting = classes.filter(|&wanted| vm.is_subclass(class, wanted));
        fitting.reduce(|best, next| match vm.is_subclass(next, best) {
            true => next,
            false => best,
        })
    }
}

//! Sequences in the words of tests.

use std::sync::Arc;

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_suite as suite;

use super::operations::Form;
use super::sequence::{Argument, Sequence};
use super::{Operation, Prepared};
use crate::observe::method_sig;
use crate::read::StructureReader;

impl Prepared {
    /// A sequence as tests and messages write it.
    #[must_use]
    pub fn written(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        sequence: &Sequence,
    ) -> suite::Sequence {
        let steps = sequence.calls.iter().map(|call| {
            let operation = &self.caller.operations[call.operation];
            self.step(vm, reader, operation, &call.arguments)
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
        arguments: &[Argument],
    ) -> suite::Step {
        let class = operation.class;
        let mut sig = method_sig(vm, class, operation.method);
        sig.is_static = operation.form == Form::Static;
        let text = vm.text(vm.method(operation.method).descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).unwrap_or_default();
        let (receiver, arguments) = match (operation.form, arguments.split_first()) {
            (Form::Instance, Some((&Argument::Object(receiver), rest))) => (Some(receiver), rest),
            _ => (None, arguments),
        };
        let inputs = arguments.iter().zip(parameters);
        let inputs = inputs.map(|(argument, descriptor)| match argument {
            Argument::Object(object) => suite::Input::Object(*object),
            Argument::Value(slot) => {
                suite::Input::Literal(self.literals.written(Kind::of(descriptor), *slot))
            }
        });
        suite::Step {
            method: Arc::new(sig),
            class: reader.class_sig(vm, class),
            receiver,
            arguments: inputs.collect(),
        }
    }
}

//! Sequences as written in tests.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite as suite;

use super::{Prepared, Sequence};
use crate::read::StructureReader;
use crate::statements::{StatementArgument, written};

impl Prepared {
    /// Converts a sequence to the form of tests and messages.
    #[must_use]
    pub fn written(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        sequence: &Sequence,
    ) -> suite::Sequence {
        let numbers = 0..sequence.statements.len();
        let steps = numbers.map(|number| self.step(vm, reader, sequence, number));
        suite::Sequence {
            steps: steps.collect(),
            object: sequence.object,
        }
    }

    fn step(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        sequence: &Sequence,
        number: usize,
    ) -> suite::Step {
        let statement = &sequence.statements[number];
        let call = self.caller.operations[statement.invokable].call;
        let parameters = call.parameters(vm);
        let (receiver, arguments) = match statement.arguments.split_first() {
            Some((&StatementArgument::Result(receiver), rest)) if call.has_receiver() => {
                (Some(receiver), rest)
            }
            _ => (None, statement.arguments.as_slice()),
        };
        let inputs = arguments.iter().zip(&parameters);
        let inputs = inputs.map(|(argument, descriptor)| match *argument {
            StatementArgument::Result(object) => suite::Input::Object(object),
            StatementArgument::Value(slot) => {
                suite::Input::Literal(self.literals.written(Kind::of(descriptor), slot))
            }
            // Sequences of structures have no others.
            _ => suite::Input::Literal(suite::Literal::Value(suite::Value::Null)),
        });
        let inputs = inputs.collect();
        let made = match sequence.results.get(&number) {
            _ if call.is_constructor() => Some(call.class),
            Some(name) => self.declared(vm, name),
            None => None,
        };
        written::step(vm, reader, call, receiver, inputs, made)
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

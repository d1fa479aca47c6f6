//! Strings whose creation is deferred until they are needed.

use crate::class::MethodId;
use crate::descriptor::{Kind, is_value_class, split_method};
use crate::heap::Ref;
use crate::machine::{ConditionTruth, Machine, term_of};
use crate::vm::Vm;

use super::ReplacedCall;

impl Vm {
    /// Defers the creation of a string from open values, because most such strings are messages
    /// that nothing reads. All its parts must be immutable.
    pub(crate) fn defer_text<M: Machine>(
        &self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> ReplacedCall {
        let descriptor = self.text(self.method(method).descriptor);
        let Some((parameters, _)) = split_method(descriptor) else {
            return ReplacedCall::Plain;
        };
        // The receiver of an instance method is a string.
        let is_static = self.method(method).is_static();
        if !is_static && !self.is_open_text_at(machine, first) {
            return ReplacedCall::Plain;
        }
        let end = first + usize::from(self.method(method).argument_words);
        let (mut is_open, mut register) = (!is_static, first + usize::from(!is_static));
        for parameter in parameters {
            let slot = self.state.registers[register];
            register += Kind::of(parameter).words() as usize;
            is_open |= match term_of(slot) {
                Some(term) if Kind::of(parameter) != Kind::Reference => {
                    machine.value(term).is_none()
                }
                Some(term) => match machine.type_bound(term) {
                    Some(class) if is_value_class(self.class_name(class)) => true,
                    _ => return ReplacedCall::Plain,
                },
                None if Kind::of(parameter) != Kind::Reference || slot == 0 => false,
                None => match self.heap.class_of(Ref::from_slot(slot)) {
                    class if is_value_class(self.class_name(class)) => {
                        let boxed = self.read_box_slot(Ref::from_slot(slot));
                        boxed.is_some_and(|slot| term_of(slot).is_some())
                    }
                    // Arguments of a message, in an immutable list.
                    class
                        if self
                            .class_name(class)
                            .starts_with("java/util/ImmutableCollections$") =>
                    {
                        true
                    }
                    _ => return ReplacedCall::Plain,
                },
            };
        }
        if !is_open {
            return ReplacedCall::Plain;
        }
        let arguments = &self.state.registers[first..end];
        machine
            .defer_string(method, arguments)
            .map_or(ReplacedCall::Plain, ReplacedCall::Done)
    }

    /// Whether a register holds an open string that is not null.
    fn is_open_text_at<M: Machine>(&self, machine: &mut M, register: usize) -> bool {
        let Some(term) = term_of(self.state.registers[register]) else {
            return false;
        };
        machine.value(term).is_none()
            && machine.type_bound(term) == Some(self.known().string)
            && machine.is_one_of(term, &[Ref::NULL]) == ConditionTruth::Known(false)
    }
}

//! Inputs that a program asks for by itself, and what it assumes of them.
//!
//! The methods are those of a class embedded in the host program, in terms of which it declares the
//! libraries that programs name.

use crate::class::{Loader, MethodId};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{ConditionTruth, InputRequest, Machine, is_symbolic, term_of};
use crate::vm::{Exit, Vm};

use super::ReplacedCall;
use super::world::is_of_world;

/// Class with the native methods of inputs.
pub(crate) const INPUTS: &str = "heapwright/verify/Inputs";

impl Vm {
    /// Makes an input for the nearest caller outside of the library and of the embedded classes. Its
    /// name is the string in the register `first`; null and a string that is open are none.
    pub(super) fn make_input<M: Machine>(
        &self,
        machine: &mut M,
        kind: Kind,
        first: usize,
    ) -> ReplacedCall {
        let name = self.state.registers[first];
        let is_known = name != 0 && !is_symbolic(name);
        let name = is_known.then(|| self.string_text(Ref::from_slot(name)));
        let asking = self.frames().last();
        let asking = asking.map(|frame| self.class_name(self.method(frame.method).class));
        let caller = self.frames().iter().rev().find(|frame| {
            let class = self.method(frame.method).class;
            self.class(class).loader != Loader::Boot && !self.is_embedded(self.class_name(class))
        });
        let site = caller.map(|frame| self.site(frame));
        let made = machine.input(InputRequest {
            kind,
            site: site.unwrap_or((MethodId(0), 0)),
            name: name.as_deref(),
            is_outside: asking.is_some_and(is_of_world),
        });
        made.map_or(ReplacedCall::Plain, ReplacedCall::Done)
    }

    pub(super) fn assume<M: Machine>(&self, machine: &mut M, first: usize) -> ReplacedCall {
        match machine.assume(self.state.registers[first]) {
            ConditionTruth::Known(true) => ReplacedCall::Done(0),
            ConditionTruth::Known(false) => ReplacedCall::Stop(Exit::Pruned),
            ConditionTruth::Open => ReplacedCall::Stop(Exit::Branch),
            ConditionTruth::Unable => ReplacedCall::Plain,
        }
    }

    /// Whether the value in the register `first` depends on inputs that are not decided.
    pub(super) fn is_open<M: Machine>(&self, machine: &mut M, first: usize) -> ReplacedCall {
        let term = term_of(self.state.registers[first]);
        let is_open = term.is_some_and(|term| machine.value(term).is_none());
        ReplacedCall::Done(is_open.into())
    }

    /// Whether a class is one of those embedded in the host program.
    pub(crate) fn is_embedded(&self, class: &str) -> bool {
        let classes = self.config.embedded;
        classes.iter().any(|(name, _)| *name == class)
    }
}

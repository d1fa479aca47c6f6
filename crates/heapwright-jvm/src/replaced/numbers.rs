//! Numbers in open strings.
//!
//! Where the machine does not look at the characters of a string, any number may be in it, or none:
//! more than its characters allow.

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{ConditionTruth, Machine, term_of};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;
use super::messages::raise;

/// Class with the messages of exceptions.
const NUMBERS: &str = "heapwright/verify/Numbers";

/// Radix of numbers without another one.
const DECIMAL: u64 = 10;

impl Vm {
    /// Parses an open string as a number.
    pub(super) fn parse_number<M: Machine>(
        &mut self,
        machine: &mut M,
        kind: Kind,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let text = self.state.registers[first];
        let Some(term) = term_of(text).filter(|_| M::TOTAL) else {
            return Ok(ReplacedCall::Plain);
        };
        let has_radix = self.method(method).argument_words > 1;
        let is_decimal = !has_radix || self.state.registers[first + 1] == DECIMAL;
        let is_text = machine.type_bound(term) == Some(self.known().string);
        if !is_decimal || !is_text || machine.value(term).is_some() {
            return Ok(ReplacedCall::Plain);
        }
        match machine.is_one_of(term, &[Ref::NULL]) {
            ConditionTruth::Known(false) => {}
            ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
            _ => return Ok(ReplacedCall::Plain),
        }
        let Some((is_number, number)) = machine.number_in(term, kind) else {
            return Ok(ReplacedCall::Plain);
        };
        match is_number {
            ConditionTruth::Known(true) => Ok(ReplacedCall::Done(number)),
            ConditionTruth::Known(false) => {
                let name = match kind {
                    Kind::Float | Kind::Double => "decimalMessage",
                    _ => "integerMessage",
                };
                let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
                let message = self.method_named(NUMBERS, name, descriptor)?;
                let class = "java/lang/NumberFormatException";
                Err(raise(machine, class, message, &[text]))
            }
            ConditionTruth::Open => Ok(ReplacedCall::Stop(Exit::Branch)),
            ConditionTruth::Unable => Ok(ReplacedCall::Plain),
        }
    }
}

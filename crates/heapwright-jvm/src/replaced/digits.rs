//! Digits stored in the bytes of a string (JDK 25). The plain code skips array checks and is
//! therefore a native, for which the digits would have to be fixed.

use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Machine, Operation, is_symbolic};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;
use super::strings::settled;

impl Vm {
    /// `DecimalDigits.uncheckedPutCharLatin1`: stores a byte.
    pub(super) fn put_digit<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        if let Some(exit) = self.settle_arguments(machine, first, 2) {
            return Ok(ReplacedCall::Stop(exit));
        }
        let bytes = Ref::from_slot(self.state.registers[first]);
        let place = self.state.registers[first + 1] as u32;
        let mut digit = settled(machine, self.state.registers[first + 2]);
        let is_open = is_symbolic(digit) || !self.heap.array_shadow(bytes).is_null();
        if bytes.is_null() || !is_open || place >= self.heap.array_length(bytes) {
            return Ok(ReplacedCall::Plain);
        }
        if is_symbolic(digit) {
            let byte = machine.operate(Operation::Convert(Kind::Byte), Kind::Int, digit, 0);
            let Some(byte) = byte else {
                return Ok(ReplacedCall::Plain);
            };
            digit = byte;
        }
        self.store_element(bytes, place, digit)?;
        Ok(ReplacedCall::Done(0))
    }
}

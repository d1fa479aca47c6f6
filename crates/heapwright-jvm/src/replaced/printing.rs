//! Text that is printed to a standard stream which nobody reads.

use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;

/// Classes from a standard stream down to its file, each with the field that holds the next. The last one
/// depends on the JDK.
const CHAIN: [(&[&str], &str); 3] = [
    (&["java/io/PrintStream"], "out"),
    (&["java/io/BufferedOutputStream"], "out"),
    (&["java/io/FileOutputStream", "java/lang/System$Out"], "fd"),
];

/// Descriptors of standard output and standard error.
const PRINTED: [u64; 2] = [1, 2];

impl Vm {
    /// Prints nothing if the stream is a standard one that is open, and its output is discarded.
    pub(super) fn print<M: Machine>(&mut self, first: usize) -> Result<ReplacedCall, Fault> {
        let stream = self.state.registers[first];
        if !M::TOTAL || !self.config.discards_output || is_symbolic(stream) || stream == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let mut object = Ref::from_slot(stream);
        for (classes, field) in CHAIN {
            if !classes.iter().any(|class| self.has_class(object, class)) {
                return Ok(ReplacedCall::Plain);
            }
            match self.held(object, field)? {
                Some(next) => object = next,
                None => return Ok(ReplacedCall::Plain),
            }
        }
        let word = self.word_of(self.heap.class_of(object), "fd")?;
        let is_standard = PRINTED.contains(&self.heap.field(object, word));
        Ok(match is_standard {
            true => ReplacedCall::Done(0),
            false => ReplacedCall::Plain,
        })
    }

    /// Like [`Vm::print`], for an array, whose absence the plain code reports.
    pub(super) fn print_array<M: Machine>(&mut self, first: usize) -> Result<ReplacedCall, Fault> {
        let array = self.state.registers[first + 1];
        match is_symbolic(array) || array == 0 {
            true => Ok(ReplacedCall::Plain),
            false => self.print::<M>(first),
        }
    }
}

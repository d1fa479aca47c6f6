//! Messages of exceptions about open numbers, deferred like any [`Intrinsic::Text`].
//!
//! [`Intrinsic::Text`]: super::Intrinsic::Text

use crate::assembler::Assembler;
use crate::class::MethodId;
use crate::concat::Piece;
use crate::descriptor::Kind;
use crate::instr::Instr;
use crate::machine::{Machine, term_of};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;

impl Vm {
    /// For a constructor that makes a message of a number: defers the message and calls the
    /// constructor that takes a message.
    pub(super) fn defer_message<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let Some(term) = term_of(self.state.registers[first + 1]) else {
            return Ok(ReplacedCall::Plain);
        };
        let class = self.method(method).class;
        let taking_text = self.names.intern("(Ljava/lang/String;)V");
        let name = self.method(method).name;
        let Some(instead) = self.resolve_method(class, name, taking_text) else {
            return Ok(ReplacedCall::Plain);
        };
        // The call may have stopped after its argument was replaced.
        let bound = machine.type_bound(term);
        if bound.is_some_and(|class| self.class_name(class) == "java/lang/String") {
            return Ok(ReplacedCall::Instead(instead));
        }
        let text = self.message_text(method)?;
        let is_asked = self.state.frames.last().map(|frame| frame.method) == Some(text);
        if !M::TOTAL || is_asked || machine.value(term).is_some() {
            return Ok(ReplacedCall::Plain);
        }
        let end = first + usize::from(self.method(method).argument_words);
        match machine.defer_string(text, &self.state.registers[first + 1..end]) {
            Some(slot) => {
                self.state.registers[first + 1] = slot;
                Ok(ReplacedCall::Instead(instead))
            }
            None => Ok(ReplacedCall::Plain),
        }
    }

    /// Generates a static method that returns the message which a constructor makes of a number.
    fn message_text(&mut self, constructor: MethodId) -> Result<MethodId, Fault> {
        if let Some(&known) = self.message_texts.get(&constructor) {
            return Ok(known);
        }
        let this = self.method(constructor);
        let (class, words) = (this.class, this.argument_words - 1);
        let descriptor = self
            .text(this.descriptor)
            .replace('V', "Ljava/lang/String;");
        let descriptor = self.names.intern(&descriptor);
        let message =
            self.method_named("java/lang/Throwable", "getMessage", "()Ljava/lang/String;")?;
        let made = words;
        let mut code = Assembler::default();
        code.push(Instr::NewChecked {
            d: made,
            class: class.0,
        });
        code.push(Instr::Move {
            d: made + 1,
            a: made,
        });
        for word in 0..words {
            code.push(Instr::Move {
                d: made + 2 + word,
                a: word,
            });
        }
        code.push(Instr::InvokeSpecial {
            a: made + 1,
            method: constructor.0,
        });
        code.push(Instr::InvokeSpecial {
            a: made,
            method: message.0,
        });
        code.push(Instr::Return { a: made });
        let text = self.add_hidden(class, "message", descriptor, code);
        self.message_texts.insert(constructor, text);
        Ok(text)
    }

    /// Exception for an index out of bounds, where the index or the length is open.
    pub(crate) fn raise_index<M: Machine>(
        &mut self,
        machine: &mut M,
        index: u64,
        length: u64,
    ) -> Result<Fault, Fault> {
        let text = self.index_text()?;
        Ok(raise(
            machine,
            "java/lang/ArrayIndexOutOfBoundsException",
            text,
            &[index, length],
        ))
    }

    /// Exception for a negative open length.
    pub(crate) fn raise_size<M: Machine>(
        &mut self,
        machine: &mut M,
        length: u64,
    ) -> Result<Fault, Fault> {
        let text = self.method_named("java/lang/Integer", "toString", "(I)Ljava/lang/String;")?;
        Ok(raise(
            machine,
            "java/lang/NegativeArraySizeException",
            text,
            &[length],
        ))
    }

    /// Generates a static method that returns the message about an index and a length.
    fn index_text(&mut self) -> Result<MethodId, Fault> {
        if let Some(known) = self.index_text {
            return Ok(known);
        }
        let units = |text: &str| Piece::Text(text.encode_utf16().collect());
        let pieces = [
            units("Index "),
            Piece::Argument,
            units(" out of bounds for length "),
            Piece::Argument,
        ];
        let int = Kind::Int.descriptor().to_owned();
        let text = self.concatenation(self.known().object, &pieces, &[int.clone(), int])?;
        self.index_text = Some(text);
        Ok(text)
    }
}

/// Exception of a class with a deferred message.
pub(super) fn raise<M: Machine>(
    machine: &mut M,
    class: &'static str,
    text: MethodId,
    arguments: &[u64],
) -> Fault {
    match machine.defer_string(text, arguments) {
        Some(slot) => Fault::RaiseText(class, slot),
        None => Fault::Raise(class, None),
    }
}

//! Numbers in open strings.
//!
//! A string that was made of a number alone is parsed as that number. Where the machine does not look
//! at the characters of another string, any number may be in it, or none: more than its characters
//! allow.

use crate::class::MethodId;
use crate::concat::Piece;
use crate::descriptor::{Kind, split_method};
use crate::heap::Ref;
use crate::machine::{Comparison, ConditionTruth, Machine, Operation, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;
use super::messages::raise;
use super::opaque_texts::TextQuery;

/// Class with the messages of exceptions.
const NUMBERS: &str = "heapwright/verify/Numbers";

/// Radix of numbers without another one.
const DECIMAL: u64 = 10;

/// Radixes that printing and parsing take; another one is 10 to the former, and refused by the
/// latter.
const RADIXES: std::ops::RangeInclusive<u64> = 2..=36;

/// Classes and names of methods that make a text of a number, and of a radix if there is one.
const PRINTING: [(&str, &str); 5] = [
    ("java/lang/Integer", "toString"),
    ("java/lang/Long", "toString"),
    ("java/lang/Float", "toString"),
    ("java/lang/Double", "toString"),
    ("java/lang/String", "valueOf"),
];

/// First release in which each `float` and `double` is the number nearest to its text.
const EXACT_TEXTS: u32 = 19;

/// Most texts of which a text is made, one of the other.
const MAX_NESTED: usize = 16;

/// Number of which a string was made, without anything else.
struct Printed {
    kind: Kind,
    slot: u64,
    radix: u64,
}

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
        let radix = match has_radix {
            true => self.number_at(machine, first + 1),
            false => DECIMAL,
        };
        let is_text = machine.type_bound(term) == Some(self.known().string);
        if !is_text || machine.value(term).is_some() {
            return Ok(ReplacedCall::Plain);
        }
        if let Some(printed) = self.printed(machine, term).filter(|one| one.radix == radix) {
            return self.parse_printed(machine, kind, &printed, text);
        }
        // Strings of any length are parsed to any base.
        if radix != DECIMAL
            && (is_symbolic(radix) || !machine.opaque_texts() || !RADIXES.contains(&radix))
        {
            return Ok(ReplacedCall::Plain);
        }
        match machine.is_one_of(term, &[Ref::NULL]) {
            ConditionTruth::Known(false) => {}
            ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
            _ => return Ok(ReplacedCall::Plain),
        }
        let Some((is_number, number)) = machine.number_in(term, kind, radix) else {
            return Ok(ReplacedCall::Plain);
        };
        match is_number {
            ConditionTruth::Known(true) => {
                if machine.opaque_texts()
                    && let Some(parts) = self.text_of(machine, text, 0)
                {
                    let base = if is_integer(kind) { radix } else { 0 };
                    machine.text_answer(TextQuery::IsNumber, &[parts], &[base]);
                }
                Ok(ReplacedCall::Done(number))
            }
            ConditionTruth::Known(false) => Err(self.no_number(machine, kind, text)?),
            ConditionTruth::Open => Ok(ReplacedCall::Stop(Exit::Branch)),
            ConditionTruth::Unable => Ok(ReplacedCall::Plain),
        }
    }

    /// Exception for a string that is no number of a kind.
    fn no_number<M: Machine>(
        &mut self,
        machine: &mut M,
        kind: Kind,
        text: u64,
    ) -> Result<Fault, Fault> {
        let name = match kind {
            Kind::Float | Kind::Double => "decimalMessage",
            _ => "integerMessage",
        };
        let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
        let message = self.method_named(NUMBERS, name, descriptor)?;
        let class = "java/lang/NumberFormatException";
        Ok(raise(machine, class, message, &[text]))
    }

    /// Parses the text of a number as one of another kind, to the same base.
    fn parse_printed<M: Machine>(
        &mut self,
        machine: &mut M,
        kind: Kind,
        printed: &Printed,
        text: u64,
    ) -> Result<ReplacedCall, Fault> {
        let has_exact_texts = self.config.jdk.feature >= EXACT_TEXTS;
        let converted = match (printed.kind, kind) {
            (from, to) if from == to && is_integer(from) => Some(printed.slot),
            (from, to) if from == to && has_exact_texts => Some(printed.slot),
            (Kind::Int, Kind::Long) | (Kind::Int | Kind::Long, Kind::Float | Kind::Double) => {
                machine.operate(Operation::Convert(kind), printed.kind, printed.slot, 0)
            }
            (Kind::Long, Kind::Int) if printed.radix == DECIMAL => {
                return self.parse_long_as_int(machine, printed.slot, text);
            }
            _ => None,
        };
        Ok(converted.map_or(ReplacedCall::Plain, ReplacedCall::Done))
    }

    fn parse_long_as_int<M: Machine>(
        &mut self,
        machine: &mut M,
        number: u64,
        text: u64,
    ) -> Result<ReplacedCall, Fault> {
        let narrow = Operation::Convert(Kind::Int);
        let Some(narrowed) = machine.operate(narrow, Kind::Long, number, 0) else {
            return Ok(ReplacedCall::Plain);
        };
        let widen = Operation::Convert(Kind::Long);
        let Some(widened) = machine.operate(widen, Kind::Int, narrowed, 0) else {
            return Ok(ReplacedCall::Plain);
        };
        match machine.compare(Comparison::Eq, Kind::Long, widened, number) {
            ConditionTruth::Known(true) => Ok(ReplacedCall::Done(narrowed)),
            ConditionTruth::Known(false) => Err(self.no_number(machine, Kind::Int, text)?),
            ConditionTruth::Open => Ok(ReplacedCall::Stop(Exit::Branch)),
            ConditionTruth::Unable => Ok(ReplacedCall::Plain),
        }
    }

    /// Open number of which a deferred string is made.
    fn printed<M: Machine>(&self, machine: &M, text: u32) -> Option<Printed> {
        let mut text = text;
        for _ in 0..MAX_NESTED {
            let (method, arguments) = machine.deferred_string(text)?;
            let this = self.method(method);
            let (parameters, _) = split_method(self.text(this.descriptor))?;
            let &slot = arguments.first()?;
            let kind = Kind::of(parameters.first()?);
            let is_alone = match self.concatenations.get(&method) {
                Some(pieces) => {
                    let mut texts = pieces.iter();
                    parameters.len() == 1
                        && texts.all(|piece| match piece {
                            Piece::Text(text) => text.is_empty(),
                            Piece::Argument => true,
                        })
                }
                None => {
                    let class = self.class_name(this.class);
                    PRINTING.contains(&(class, self.text(this.name)))
                }
            };
            if !is_alone {
                return None;
            }
            match kind {
                Kind::Reference => text = term_of(slot)?,
                Kind::Int | Kind::Short | Kind::Byte | Kind::Long | Kind::Float | Kind::Double => {
                    let radix = match parameters.get(1) {
                        Some(_) => arguments[kind.words() as usize],
                        None => DECIMAL,
                    };
                    let kind = match kind {
                        Kind::Short | Kind::Byte => Kind::Int,
                        kind => kind,
                    };
                    if is_symbolic(radix) {
                        return None;
                    }
                    let is_used = RADIXES.contains(&radix);
                    let radix = if is_used { radix } else { DECIMAL };
                    return Some(Printed { kind, slot, radix });
                }
                _ => return None,
            }
        }
        None
    }
}

fn is_integer(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Long)
}

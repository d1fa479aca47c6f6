//! Static methods, constructors and methods of other classes that make, or look at, a string at whose
//! characters nothing has looked.

use crate::class::MethodId;
use crate::machine::{Machine, term_of};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;
use super::messages::raise;
use super::opaque_texts::{
    STRING, TEXTS, Text, TextMaker, TextPart, TextQuery, URL_DECODER, URL_ENCODER, ask, is_opaque,
};
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, Unresolved, called};

impl Vm {
    /// Calls such a method if a string, or the number that a string is made of, is open.
    pub(super) fn call_with_text<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !machine.opaque_texts() {
            return Ok(ReplacedCall::Plain);
        }
        let this = self.method(method);
        let (class, name) = (self.class_name(this.class), self.text(this.name));
        called(match (class, name) {
            (STRING, "<init>") => self.construct_text(machine, first),
            (STRING, "join") => self.join_texts(machine, first),
            (STRING, "format" | "formatted") => self.format_text(machine, method, first),
            ("java/util/regex/Matcher", _) => self.match_text(machine, method, first),
            (URL_ENCODER, _) => self.url_encode(machine, method, first),
            (URL_DECODER, _) => self.url_decode(machine, method, first),
            _ => self.digits(machine, method, first),
        })
    }

    /// Continues if the second argument of a conversion is UTF-8.
    fn is_in_utf8<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<()> {
        let slot = settled(machine, self.state.registers[first + 1]);
        match self.charset_name(slot).ok_or(PLAIN)?.as_str() {
            "UTF-8" | "sun/nio/cs/UTF_8" => Ok(()),
            _ => Err(PLAIN),
        }
    }

    fn url_encode<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        self.is_in_utf8(machine, first)?;
        match is_opaque(&self.opaque_at(machine, first)?) {
            true => self.made(machine, method, first),
            false => Err(PLAIN),
        }
    }

    fn url_decode<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        self.is_in_utf8(machine, first)?;
        let text = self.opaque_at(machine, first)?;
        if !is_opaque(&text) {
            return Err(PLAIN);
        }
        // What was encoded is decoded to itself, but for surrogates that are no pairs.
        if let Some(encoded) = self.url_encoded(machine, first) {
            let inner = self.text_in_slot(machine, encoded)?;
            let is_paired = match is_opaque(&inner) {
                true => ask(machine, TextQuery::IsPaired, vec![inner], &[])?,
                false => return Err(PLAIN),
            };
            if (Terms { machine }).decide(is_paired)? {
                return Ok(encoded);
            }
        }
        let is_url = ask(machine, TextQuery::IsUrl, vec![text], &[])?;
        if (Terms { machine }).decide(is_url)? {
            return self.made(machine, method, first);
        }
        let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
        let message = self.method_named(TEXTS, "urlMessage", descriptor)?;
        let class = "java/lang/IllegalArgumentException";
        let text = self.state.registers[first];
        Err(Unresolved::Fault(raise(machine, class, message, &[text])))
    }

    /// Slot of the string that the one in a register was encoded from.
    fn url_encoded<M: Machine>(&self, machine: &M, register: usize) -> Option<u64> {
        let term = term_of(self.state.registers[register])?;
        let (method, arguments) = machine.deferred_string(term)?;
        let class = self.method(method).class;
        (self.class_name(class) == URL_ENCODER).then(|| arguments[0])
    }

    /// Parts of a decoded string: what is known in front of the first escape is decoded at once.
    pub(super) fn url_decoded(&self, text: Text) -> Text {
        let mut rest = text;
        let mut decoded = Vec::new();
        while let Some(TextPart::Known(units)) = rest.first_mut() {
            let escape = units.iter().position(|&unit| unit == u16::from(b'%'));
            let plain = units.drain(..escape.unwrap_or(units.len()));
            let plain = plain.map(|unit| match unit {
                0x2B => 0x20,
                unit => unit,
            });
            let plain: Vec<u16> = plain.collect();
            if !plain.is_empty() {
                decoded.push(TextPart::Known(plain));
            }
            if !units.is_empty() {
                break;
            }
            rest.remove(0);
        }
        if !rest.is_empty() {
            decoded.push(TextPart::Made(
                TextMaker::UrlDecoded,
                vec![rest],
                Vec::new(),
            ));
        }
        decoded
    }
}

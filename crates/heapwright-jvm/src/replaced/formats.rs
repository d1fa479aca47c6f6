//! `String.format` of plain directives, where an argument is open: a concatenation of texts.

use crate::choice::Place;
use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::Vm;

use super::opaque_texts::{STRING, TEXTS, TextPart};
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms};

const TEXT: &str = "Ljava/lang/String;";
/// Greatest width of a directive, and greatest number of decimal places.
const MAX_WIDTH: u32 = 64;
const MAX_PLACES: u32 = 16;
/// Languages whose numbers have the digits and signs of ASCII.
const LANGUAGES: [&str; 2] = ["", "en"];

/// Part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(Vec<u16>),
    Directive(Directive),
}

/// `%`, flags, width, precision and conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Directive {
    is_left: bool,
    has_zeros: bool,
    width: u32,
    places: Option<u32>,
    conversion: char,
}

/// Parts of a format, if it has plain directives only.
fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '%' {
            text.push(char);
            continue;
        }
        let mut directive = Directive::default();
        while let Some(&flag @ ('-' | '0')) = chars.peek() {
            let set = match flag {
                '-' => &mut directive.is_left,
                _ => &mut directive.has_zeros,
            };
            if std::mem::replace(set, true) {
                return None;
            }
            chars.next();
        }
        let mut number = || {
            let mut number = None;
            while let Some(digit) = chars.peek().and_then(|char| char.to_digit(10)) {
                number = Some(number.unwrap_or(0) * 10 + digit).filter(|&all| all <= MAX_WIDTH);
                number?;
                chars.next();
            }
            Some(number)
        };
        let width = number()?;
        directive.width = width.unwrap_or(0);
        if chars.next_if_eq(&'.').is_some() {
            let mut places = None;
            while let Some(digit) = chars.peek().and_then(|char| char.to_digit(10)) {
                places = Some(places.unwrap_or(0) * 10 + digit).filter(|&all| all <= MAX_PLACES);
                places?;
                chars.next();
            }
            directive.places = Some(places?);
        }
        directive.conversion = chars.next()?;
        let is_number = matches!(directive.conversion, 'd' | 'x');
        let has_places = directive.conversion == 'f';
        if directive.has_zeros && (!is_number || directive.is_left || width.is_none())
            || directive.is_left && width.is_none()
            || directive.places.is_some() && !has_places
        {
            return None;
        }
        match directive.conversion {
            '%' | 'n' if width.is_none() => {
                text.push(if directive.conversion == 'n' {
                    '\n'
                } else {
                    '%'
                });
                continue;
            }
            'd' | 'x' | 's' | 'c' | 'b' | 'f' => {}
            _ => return None,
        }
        pieces.push(Piece::Text(text.encode_utf16().collect()));
        pieces.push(Piece::Directive(directive));
        text.clear();
    }
    pieces.push(Piece::Text(text.encode_utf16().collect()));
    Some(pieces)
}

impl Vm {
    /// `String.format`, also with a locale, or `formatted`.
    pub(super) fn format_text<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let has_locale = self.method(method).argument_words > 2;
        let locale = has_locale.then(|| settled(machine, self.state.registers[first]));
        self.has_ascii_digits(locale)?;
        let start = first + usize::from(has_locale);
        let format = self.object_at(machine, start)?;
        let arguments = self.object_at(machine, start + 1)?;
        let units = self.known_units(format).ok_or(PLAIN)?;
        if self.contents(arguments).is_some() {
            return Err(PLAIN);
        }
        let format = String::from_utf16(&units).ok();
        let pieces = format.and_then(|format| pieces(&format)).ok_or(PLAIN)?;
        let count = self.heap.array_length(arguments);
        let mut texts = Vec::new();
        let mut next = 0;
        for piece in pieces {
            match piece {
                Piece::Text(units) if units.is_empty() => {}
                Piece::Text(units) => texts.push(self.literal(&units)?.slot()),
                Piece::Directive(directive) => {
                    if next >= count {
                        return Err(PLAIN);
                    }
                    let argument = self.slot_of_place(arguments, Place::Element(next));
                    next += 1;
                    let argument = settled(machine, argument);
                    texts.extend(self.formatted(machine, &directive, argument)?);
                }
            }
        }
        self.joined_if_open(machine, &texts)
    }

    /// Continues if numbers have the digits of ASCII in a locale, or in that of the run.
    fn has_ascii_digits(&self, locale: Option<u64>) -> Resolved<()> {
        let class = self.loaded_class("java/util/Locale").ok_or(PLAIN)?;
        let locales: Vec<u64> = match locale {
            Some(locale) => vec![locale],
            None => {
                let fields = ["defaultLocale", "defaultFormatLocale"];
                let fields = fields.map(|field| self.find_field(class, field));
                let slots = fields.map(|field| field.map(|field| self.heap.load(field.word)));
                let set = slots.into_iter().map(|slot| slot.ok_or(PLAIN));
                let set: Vec<u64> = set.collect::<Resolved<_>>()?;
                set.into_iter().filter(|&slot| slot != 0).collect()
            }
        };
        for slot in locales {
            if is_symbolic(slot) || slot == 0 {
                return Err(PLAIN);
            }
            let locale = Ref::from_slot(slot);
            let field = |object: Ref, name: &str| -> Resolved<Ref> {
                let word = self.word_of(self.heap.class_of(object), name)?;
                let slot = self.heap.field(object, word);
                match is_symbolic(slot) {
                    true => Err(PLAIN),
                    false => Ok(Ref::from_slot(slot)),
                }
            };
            let language = field(field(locale, "baseLocale")?, "language")?;
            let is_plain = field(locale, "localeExtensions")?.is_null();
            if !is_plain || !self.is_plain_language(language) {
                return Err(PLAIN);
            }
        }
        Ok(())
    }

    fn is_plain_language(&self, language: Ref) -> bool {
        let units = self.known_units(language).unwrap_or_else(|| vec![0]);
        LANGUAGES
            .iter()
            .any(|language| language.encode_utf16().eq(units.iter().copied()))
    }

    /// Texts that a directive makes of an argument.
    fn formatted<M: Machine>(
        &mut self,
        machine: &mut M,
        directive: &Directive,
        argument: u64,
    ) -> Resolved<Vec<u64>> {
        if directive.has_zeros {
            return self.with_zeros(machine, directive, argument);
        }
        let text = self.converted(machine, directive, argument)?;
        if directive.width == 0 {
            return Ok(vec![text]);
        }
        let padding = self.padding(machine, text, directive.width, ' ')?;
        Ok(match directive.is_left {
            true => vec![text, padding],
            false => vec![padding, text],
        })
    }

    /// Number with zeros behind its sign.
    fn with_zeros<M: Machine>(
        &mut self,
        machine: &mut M,
        directive: &Directive,
        argument: u64,
    ) -> Resolved<Vec<u64>> {
        let (kind, slot) = self.value_in_box(argument).ok_or(PLAIN)?;
        let text = self.converted(machine, directive, argument)?;
        let is_signed = directive.conversion == 'd';
        let is_negative = match kind {
            _ if !is_signed => 0,
            Kind::Int | Kind::Short | Kind::Byte => Terms { machine }.less(slot, 0)?,
            _ => {
                let is = crate::machine::Comparison::Lt;
                let is = machine.comparison_as_int(is, Kind::Long, slot, 0);
                is.ok_or(PLAIN)?
            }
        };
        if !(Terms { machine }).decide(is_negative)? {
            let padding = self.padding(machine, text, directive.width, '0')?;
            return Ok(vec![padding, text]);
        }
        let sign = self.literal(&[u16::from(b'-')])?.slot();
        let number = self.deferred(machine, "substring", "(I)", &[text, 1])?;
        let width = directive.width.saturating_sub(1);
        let padding = self.padding(machine, number, width, '0')?;
        Ok(vec![sign, padding, number])
    }

    fn padding<M: Machine>(
        &mut self,
        machine: &mut M,
        text: u64,
        width: u32,
        char: char,
    ) -> Resolved<u64> {
        let padding = self.method_named(TEXTS, "padding", &format!("({TEXT}IC){TEXT}"))?;
        let arguments = [text, width.into(), u64::from(char)];
        machine.defer_string(padding, &arguments).ok_or(PLAIN)
    }

    /// Kind and value of a box.
    fn value_in_box(&self, slot: u64) -> Option<(Kind, u64)> {
        if is_symbolic(slot) || slot == 0 {
            return None;
        }
        let object = Ref::from_slot(slot);
        let kind = Kind::of_box(self.class_name(self.heap.class_of(object)))?;
        Some((kind, self.read_box_slot(object)?))
    }

    /// Text that a conversion makes of an argument.
    fn converted<M: Machine>(
        &mut self,
        machine: &mut M,
        directive: &Directive,
        argument: u64,
    ) -> Resolved<u64> {
        let boxed = self.value_in_box(argument);
        let boxed = boxed.map(|(kind, slot)| (kind, settled(machine, slot)));
        if argument == 0 && matches!(directive.conversion, 'd' | 's' | 'x' | 'c') {
            let null: Vec<u16> = "null".encode_utf16().collect();
            return Ok(self.literal(&null)?.slot());
        }
        let (class, name, kind) = match (directive.conversion, boxed) {
            ('d' | 's', Some((Kind::Int | Kind::Short | Kind::Byte, _))) => {
                ("java/lang/Integer", "toString", Kind::Int)
            }
            ('d' | 's', Some((Kind::Long, _))) => ("java/lang/Long", "toString", Kind::Long),
            ('x', Some((Kind::Int, _))) => ("java/lang/Integer", "toHexString", Kind::Int),
            ('x', Some((Kind::Long, _))) => ("java/lang/Long", "toHexString", Kind::Long),
            ('c' | 's', Some((Kind::Char, _))) => (STRING, "valueOf", Kind::Char),
            ('b' | 's', Some((Kind::Boolean, _))) => (STRING, "valueOf", Kind::Boolean),
            ('s', Some((kind @ (Kind::Float | Kind::Double), _))) => (STRING, "valueOf", kind),
            ('f', Some((Kind::Double, slot))) if is_symbolic(slot) => {
                let decimal = self.method_named(TEXTS, "decimal", &format!("(DI){TEXT}"))?;
                let places = directive.places.unwrap_or(6);
                let made = machine.defer_string(decimal, &[slot, 0, places.into()]);
                return made.ok_or(PLAIN);
            }
            ('s', None) => {
                let text = self.text_in_slot(machine, argument)?;
                return match text.is_empty() {
                    true => Ok(self.literal(&[])?.slot()),
                    false => Ok(argument),
                };
            }
            _ => return Err(PLAIN),
        };
        let descriptor = format!("({}){TEXT}", kind.descriptor());
        let method = self.method_named(class, name, &descriptor)?;
        let (_, slot) = boxed.ok_or(PLAIN)?;
        let mut arguments = vec![slot];
        arguments.resize(usize::from(kind.words()), 0);
        machine.defer_string(method, &arguments).ok_or(PLAIN)
    }

    /// Characters of a string object, if they are known.
    pub(super) fn known_units(&self, text: Ref) -> Option<Vec<u16>> {
        match &self.known_text(text)?[..] {
            [] => Some(Vec::new()),
            [TextPart::Known(units)] => Some(units.clone()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_directives_are_read() {
        let read = pieces("a%5d|%-3s%%%05x%.2f%n").unwrap();
        let directives = read.iter().filter_map(|piece| match piece {
            Piece::Directive(one) => Some((one.conversion, one.width, one.places)),
            Piece::Text(_) => None,
        });
        let expected = [
            ('d', 5, None),
            ('s', 3, None),
            ('x', 5, None),
            ('f', 0, Some(2)),
        ];
        assert_eq!(directives.collect::<Vec<_>>(), expected);
        for refused in [
            "%", "%1$d", "%,d", "%0d", "%-d", "%.3s", "%05s", "%D", "%e", "%00d", "%.f",
        ] {
            assert_eq!(pieces(refused), None, "{refused}");
        }
    }
}

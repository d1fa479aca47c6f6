//! Operations on strings whose characters nothing has looked at, where the machine has terms for
//! them ([`Machine::opaque_texts`]).
//!
//! A string is a concatenation of parts. One that another makes is deferred; numbers and conditions
//! are terms of the machine. Invariant: an exception is thrown where the plain code throws it.

use crate::class::MethodId;
use crate::concat::Piece;
use crate::descriptor::{Kind, split_method};
use crate::heap::Ref;
use crate::machine::{ConditionTruth, Machine, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;
use super::messages::raise;
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, Unresolved, called};

pub(super) const STRING: &str = "java/lang/String";
pub(super) const URL_ENCODER: &str = "java/net/URLEncoder";
pub(super) const URL_DECODER: &str = "java/net/URLDecoder";
/// Class with the messages of exceptions, and with texts that the JDK has no method for.
pub(super) const TEXTS: &str = "heapwright/verify/Texts";
const OUT_OF_BOUNDS: &str = "java/lang/StringIndexOutOfBoundsException";

/// Most characters of a known string that is a part.
const MAX_KNOWN: usize = 256;
/// Deepest nesting of strings that are made of others.
const MAX_DEPTH: usize = 64;
/// Greatest number of copies by `String.repeat`.
const MAX_COPIES: u64 = 16;

/// Parts of a string, in their order.
pub type Text = Vec<TextPart>;

/// Part of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// These characters.
    Known(Vec<u16>),
    /// The character in this slot.
    Char(u64),
    /// String that is an input: a reference.
    Open(u32),
    /// Text of the number in a slot, to a base.
    Number(Kind, u64, u64),
    /// Text of the bits of the number in a slot, so many for a digit.
    Digits(Kind, u64, u32),
    /// Text of the number in a slot with so many decimal places.
    Decimal(u64, u64),
    /// String made of others and of ints.
    Made(TextMaker, Vec<Text>, Vec<u64>),
}

/// Operation that makes a string of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMaker {
    /// `substring`: from an index to another.
    Part,
    /// `trim`
    Trim,
    /// `strip`
    Strip,
    /// `stripLeading`
    StripLeading,
    /// `stripTrailing`
    StripTrailing,
    /// `toLowerCase` in a locale, of which the int is the identity.
    Lower,
    /// `toUpperCase`, likewise.
    Upper,
    /// `replace` of a character by another.
    ReplaceChar,
    /// `replace` of a string by another.
    Replace,
    /// `replaceAll` of a regular expression by another string, which is meant as it is.
    ReplaceAll,
    /// Part of a `split` by a regular expression, by its limit and the number of the part.
    SplitPart,
    /// String of the same characters in reverse order; surrogates stay pairs.
    Reverse,
    /// What is added to a string up to a number of characters: a character, repeated.
    Padding,
    /// `URLEncoder.encode` in UTF-8.
    UrlEncoded,
    /// `URLDecoder.decode` in UTF-8, of what can be decoded.
    UrlDecoded,
}

/// Question about strings; the answer is an int. Places are ints, and follow the strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextQuery {
    /// Number of characters.
    Length,
    /// Character at a place within the string.
    Char,
    /// Whether two strings are equal.
    Equal,
    /// Whether two strings are equal but for case.
    EqualWithoutCase,
    /// `compareTo`
    Order,
    /// `compareToIgnoreCase`
    OrderWithoutCase,
    /// Whether the second string stands at a place in the first.
    Starts,
    /// Whether the first string ends with the second.
    Ends,
    /// `indexOf` from a place on.
    Find,
    /// `lastIndexOf` up to a place.
    FindLast,
    /// `hashCode`
    Hash,
    /// Whether there are only white spaces.
    IsBlank,
    /// Number of parts of a `split` by a regular expression, with a limit.
    SplitCount,
    /// What holds of the text of a number, to a base: states it.
    IsNumber,
    /// Whether all characters are of ASCII.
    IsAscii,
    /// Number of bytes in a charset: 0 for UTF-8, 1 for one of a byte for each character.
    Bytes,
    /// Whether a string can be decoded by `URLDecoder`.
    IsUrl,
    /// Whether surrogates are pairs.
    IsPaired,
    /// Whether facts about a regular expression, which matches no empty string, are known.
    IsPattern,
    /// What an attempt of a match says of the end of the string, by its start, kind and property.
    HitsEnd,
}

/// Attempt of a match with a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// Of a string from a place on to its end.
    Whole,
    /// Of what begins at a place.
    Start,
    /// Of what begins at a place, or at the first place behind it.
    Search,
}

/// Method of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextMethod {
    Ask(TextQuery),
    IsEmpty,
    Contains,
    /// `indexOf` or `lastIndexOf` of a character.
    FindChar(TextQuery),
    Make(TextMaker),
    Concat,
    Repeat,
    Itself,
    /// `regionMatches`, also without case.
    Region,
    ReplaceFirst,
    Matches,
    Split,
    Chars,
    Bytes,
}

/// Methods of `String`, by name and descriptor.
#[rustfmt::skip]
const METHODS: &[(&str, &str, TextMethod)] = &[
    ("length", "()I", TextMethod::Ask(TextQuery::Length)),
    ("isEmpty", "()Z", TextMethod::IsEmpty),
    ("isBlank", "()Z", TextMethod::Ask(TextQuery::IsBlank)),
    ("charAt", "(I)C", TextMethod::Ask(TextQuery::Char)),
    ("hashCode", "()I", TextMethod::Ask(TextQuery::Hash)),
    ("equals", "(Ljava/lang/Object;)Z", TextMethod::Ask(TextQuery::Equal)),
    ("equalsIgnoreCase", "(Ljava/lang/String;)Z", TextMethod::Ask(TextQuery::EqualWithoutCase)),
    ("compareTo", "(Ljava/lang/String;)I", TextMethod::Ask(TextQuery::Order)),
    ("compareTo", "(Ljava/lang/Object;)I", TextMethod::Ask(TextQuery::Order)),
    ("compareToIgnoreCase", "(Ljava/lang/String;)I", TextMethod::Ask(TextQuery::OrderWithoutCase)),
    ("startsWith", "(Ljava/lang/String;)Z", TextMethod::Ask(TextQuery::Starts)),
    ("startsWith", "(Ljava/lang/String;I)Z", TextMethod::Ask(TextQuery::Starts)),
    ("endsWith", "(Ljava/lang/String;)Z", TextMethod::Ask(TextQuery::Ends)),
    ("contains", "(Ljava/lang/CharSequence;)Z", TextMethod::Contains),
    ("indexOf", "(Ljava/lang/String;)I", TextMethod::Ask(TextQuery::Find)),
    ("indexOf", "(Ljava/lang/String;I)I", TextMethod::Ask(TextQuery::Find)),
    ("lastIndexOf", "(Ljava/lang/String;)I", TextMethod::Ask(TextQuery::FindLast)),
    ("lastIndexOf", "(Ljava/lang/String;I)I", TextMethod::Ask(TextQuery::FindLast)),
    ("indexOf", "(I)I", TextMethod::FindChar(TextQuery::Find)),
    ("indexOf", "(II)I", TextMethod::FindChar(TextQuery::Find)),
    ("lastIndexOf", "(I)I", TextMethod::FindChar(TextQuery::FindLast)),
    ("lastIndexOf", "(II)I", TextMethod::FindChar(TextQuery::FindLast)),
    ("substring", "(I)Ljava/lang/String;", TextMethod::Make(TextMaker::Part)),
    ("substring", "(II)Ljava/lang/String;", TextMethod::Make(TextMaker::Part)),
    ("subSequence", "(II)Ljava/lang/CharSequence;", TextMethod::Make(TextMaker::Part)),
    ("trim", "()Ljava/lang/String;", TextMethod::Make(TextMaker::Trim)),
    ("strip", "()Ljava/lang/String;", TextMethod::Make(TextMaker::Strip)),
    ("stripLeading", "()Ljava/lang/String;", TextMethod::Make(TextMaker::StripLeading)),
    ("stripTrailing", "()Ljava/lang/String;", TextMethod::Make(TextMaker::StripTrailing)),
    ("toLowerCase", "()Ljava/lang/String;", TextMethod::Make(TextMaker::Lower)),
    ("toUpperCase", "()Ljava/lang/String;", TextMethod::Make(TextMaker::Upper)),
    ("toLowerCase", "(Ljava/util/Locale;)Ljava/lang/String;", TextMethod::Make(TextMaker::Lower)),
    ("toUpperCase", "(Ljava/util/Locale;)Ljava/lang/String;", TextMethod::Make(TextMaker::Upper)),
    ("replace", "(CC)Ljava/lang/String;", TextMethod::Make(TextMaker::ReplaceChar)),
    ("replace", "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;", TextMethod::Make(TextMaker::Replace)),
    ("replaceAll", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", TextMethod::Make(TextMaker::ReplaceAll)),
    ("replaceFirst", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", TextMethod::ReplaceFirst),
    ("regionMatches", "(ILjava/lang/String;II)Z", TextMethod::Region),
    ("regionMatches", "(ZILjava/lang/String;II)Z", TextMethod::Region),
    ("matches", "(Ljava/lang/String;)Z", TextMethod::Matches),
    ("split", "(Ljava/lang/String;)[Ljava/lang/String;", TextMethod::Split),
    ("split", "(Ljava/lang/String;I)[Ljava/lang/String;", TextMethod::Split),
    ("toCharArray", "()[C", TextMethod::Chars),
    ("getBytes", "(Ljava/nio/charset/Charset;)[B", TextMethod::Bytes),
    ("getBytes", "(Ljava/lang/String;)[B", TextMethod::Bytes),
    ("getBytes", "()[B", TextMethod::Bytes),
    ("concat", "(Ljava/lang/String;)Ljava/lang/String;", TextMethod::Concat),
    ("repeat", "(I)Ljava/lang/String;", TextMethod::Repeat),
    ("toString", "()Ljava/lang/String;", TextMethod::Itself),
];

impl TextMethod {
    /// Whether another string is an argument of which anything is known.
    fn has_others(self) -> bool {
        match self {
            TextMethod::Ask(query) => !matches!(
                query,
                TextQuery::Length | TextQuery::Char | TextQuery::Hash | TextQuery::IsBlank
            ),
            TextMethod::Make(maker) => maker == TextMaker::Replace,
            TextMethod::Contains | TextMethod::Concat | TextMethod::Region => true,
            _ => false,
        }
    }
}

fn method_named(name: &str, descriptor: &str) -> Option<TextMethod> {
    let mut methods = METHODS.iter();
    let found = methods.find(|method| (method.0, method.1) == (name, descriptor));
    found.map(|method| method.2)
}

impl Vm {
    /// Calls a method of a string, or one that strings inherit, if the string or an argument is one
    /// whose characters nothing has looked at.
    pub(crate) fn call_on_text<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !machine.opaque_texts() {
            return Ok(ReplacedCall::Plain);
        }
        let this = self.method(method);
        let (name, descriptor) = (self.text(this.name), self.text(this.descriptor));
        let Some(text_method) = method_named(name, descriptor) else {
            return Ok(ReplacedCall::Plain);
        };
        // Most strings are known, and have no others as arguments.
        let receiver = self.state.registers[first];
        if !is_symbolic(receiver) && !text_method.has_others() {
            let text = Ref::from_slot(receiver);
            if text.is_null() || !is_symbolic(self.heap.field(text, self.known().string_value)) {
                return Ok(ReplacedCall::Plain);
            }
        }
        // Strings have all methods that they implement.
        let method = match self.class_name(self.method(method).class) {
            STRING => method,
            _ => {
                let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
                self.method_named(STRING, &name, &descriptor)?
            }
        };
        called(self.on_text(machine, text_method, method, first))
    }

    fn on_text<M: Machine>(
        &mut self,
        machine: &mut M,
        text_method: TextMethod,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let text = self.opaque_at(machine, first)?;
        let registers = &self.state.registers;
        let register = [1, 2].map(|place| registers.get(first + place).copied().unwrap_or(0));
        let has_one = self.method(method).argument_words > 1;
        let has_two = self.method(method).argument_words > 2;
        match text_method {
            TextMethod::Itself if is_opaque(&text) => Ok(self.state.registers[first]),
            TextMethod::Itself => Err(PLAIN),
            TextMethod::Ask(query @ (TextQuery::Length | TextQuery::Hash | TextQuery::IsBlank)) => {
                ask(machine, query, vec![text], &[])
            }
            TextMethod::IsEmpty => {
                let length = ask(machine, TextQuery::Length, vec![text], &[])?;
                Terms { machine }.same(length, 0)
            }
            TextMethod::Ask(TextQuery::Char) => {
                let index = settled(machine, register[0]);
                let length = ask(machine, TextQuery::Length, vec![text.clone()], &[])?;
                let mut terms = Terms { machine };
                let is_within = within(&mut terms, &[0, index])?;
                let is_before = terms.less(index, length)?;
                let is_within = terms.both(is_within, is_before)?;
                if !terms.decide(is_within)? {
                    return Err(self.out_of_bounds(machine, "charMessage", &[length, index])?);
                }
                ask(machine, TextQuery::Char, vec![text], &[index])
            }
            TextMethod::Ask(TextQuery::Equal) => {
                if self.is_other_class(machine, register[0]) {
                    return if is_opaque(&text) { Ok(0) } else { Err(PLAIN) };
                }
                let other = self.opaque_at(machine, first + 1)?;
                ask(machine, TextQuery::Equal, vec![text, other], &[])
            }
            TextMethod::Ask(query) => {
                let other = self.opaque_at(machine, first + 1)?;
                let place = match (query, has_two) {
                    (_, true) => vec![settled(machine, register[1])],
                    (TextQuery::FindLast, false) => {
                        vec![ask_any(
                            machine,
                            TextQuery::Length,
                            vec![text.clone()],
                            &[],
                        )?]
                    }
                    (TextQuery::Find | TextQuery::Starts, false) => vec![0],
                    _ => Vec::new(),
                };
                ask(machine, query, vec![text, other], &place)
            }
            TextMethod::Contains => {
                let other = self.opaque_at(machine, first + 1)?;
                let place = ask(machine, TextQuery::Find, vec![text, other], &[0])?;
                let mut terms = Terms { machine };
                terms.at_most(0, place)
            }
            TextMethod::FindChar(query) => {
                let wanted = settled(machine, register[0]);
                let wanted = (!is_symbolic(wanted)).then(|| char::from_u32(wanted as u32));
                let wanted = wanted.flatten().ok_or(PLAIN)?;
                let mut units = [0; 2];
                let other = vec![TextPart::Known(wanted.encode_utf16(&mut units).to_vec())];
                let place = match (has_two, query) {
                    (true, _) => settled(machine, register[1]),
                    (false, TextQuery::Find) => 0,
                    (false, _) => ask(machine, TextQuery::Length, vec![text.clone()], &[])?,
                };
                ask(machine, query, vec![text, other], &[place])
            }
            TextMethod::Make(TextMaker::Part) => {
                let length = ask(machine, TextQuery::Length, vec![text], &[])?;
                let start = settled(machine, register[0]);
                let end = if has_two {
                    settled(machine, register[1])
                } else {
                    length
                };
                let mut terms = Terms { machine };
                let is_within = within(&mut terms, &[0, start, end, length])?;
                if !terms.decide(is_within)? {
                    let numbers = if has_two {
                        &[length, start, end][..]
                    } else {
                        &[length, start]
                    };
                    let name = if has_two {
                        "partMessage"
                    } else {
                        "tailMessage"
                    };
                    return Err(self.out_of_bounds(machine, name, numbers)?);
                }
                self.made(machine, method, first)
            }
            TextMethod::Make(TextMaker::Lower | TextMaker::Upper) if has_one => {
                if is_symbolic(register[0]) || register[0] == 0 || !is_opaque(&text) {
                    return Err(PLAIN);
                }
                self.made(machine, method, first)
            }
            TextMethod::Make(TextMaker::Replace) => {
                let others = [
                    self.opaque_at(machine, first + 1)?,
                    self.opaque_at(machine, first + 2)?,
                ];
                if !is_opaque(&text) && !others.iter().any(|other| is_opaque(other)) {
                    return Err(PLAIN);
                }
                self.made(machine, method, first)
            }
            TextMethod::Make(TextMaker::ReplaceAll) => {
                self.all_replaced(machine, method, &text, first)
            }
            TextMethod::Make(_) if is_opaque(&text) => self.made(machine, method, first),
            TextMethod::Make(_) => Err(PLAIN),
            TextMethod::Concat => {
                let other = self.opaque_at(machine, first + 1)?;
                if !is_opaque(&text) && !is_opaque(&other) {
                    return Err(PLAIN);
                }
                self.made(machine, method, first)
            }
            TextMethod::Region => self.region_matches(machine, method, text, first),
            TextMethod::ReplaceFirst => self.first_replaced(machine, text, first),
            TextMethod::Matches => {
                let pattern = self.opaque_at(machine, first + 1)?;
                let matched = machine.text_match(MatchKind::Whole, &text, &pattern, 0);
                Ok(matched.ok_or(PLAIN)?.0)
            }
            TextMethod::Split => {
                let limit = if has_two { register[1] } else { 0 };
                self.split(machine, text, first, limit)
            }
            TextMethod::Chars => self.chars_of_text(machine, text, self.state.registers[first]),
            TextMethod::Bytes => self.bytes_of_text(machine, method, text, first),
            TextMethod::Repeat => {
                let count = settled(machine, register[0]);
                if is_symbolic(count) || count > MAX_COPIES || !is_opaque(&text) {
                    return Err(PLAIN);
                }
                self.made(machine, method, first)
            }
        }
    }

    /// Defers the string that a method makes.
    pub(super) fn made<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let end = first + usize::from(self.method(method).argument_words);
        let arguments = self.state.registers[first..end].to_vec();
        self.made_of(machine, method, &arguments)
    }

    /// Defers the string that a method makes of arguments.
    pub(super) fn made_of<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        arguments: &[u64],
    ) -> Resolved<u64> {
        let made = machine.defer_string(method, arguments).ok_or(PLAIN)?;
        // A string that is not a text of the machine would have to be computed at once.
        match self.text_of(machine, made, 0) {
            Some(_) => Ok(made),
            None => Err(PLAIN),
        }
    }

    pub(super) fn out_of_bounds<M: Machine>(
        &mut self,
        machine: &mut M,
        message: &str,
        numbers: &[u64],
    ) -> Result<Unresolved, Fault> {
        let parameters = "I".repeat(numbers.len());
        let descriptor = format!("({parameters})Ljava/lang/String;");
        let message = self.method_named(TEXTS, message, &descriptor)?;
        Ok(Unresolved::Fault(raise(
            machine,
            OUT_OF_BOUNDS,
            message,
            numbers,
        )))
    }

    /// Whether a slot holds null or an object that is no string.
    fn is_other_class<M: Machine>(&self, machine: &mut M, slot: u64) -> bool {
        let slot = settled(machine, slot);
        !is_symbolic(slot)
            && (slot == 0 || self.heap.class_of(Ref::from_slot(slot)) != self.known().string)
    }

    /// String in a register, which is not null.
    pub(super) fn opaque_at<M: Machine>(
        &mut self,
        machine: &mut M,
        register: usize,
    ) -> Resolved<Text> {
        self.text_in_slot(machine, self.state.registers[register])
    }

    /// String in a slot, which is not null.
    pub(super) fn text_in_slot<M: Machine>(
        &mut self,
        machine: &mut M,
        slot: u64,
    ) -> Resolved<Text> {
        let slot = settled(machine, slot);
        if let Some(term) = term_of(slot) {
            if machine.type_bound(term) != Some(self.known().string) {
                return Err(PLAIN);
            }
            match machine.is_one_of(term, &[Ref::NULL]) {
                ConditionTruth::Known(false) => {}
                ConditionTruth::Open => {
                    return Err(Unresolved::Call(ReplacedCall::Stop(Exit::Branch)));
                }
                _ => return Err(PLAIN),
            }
        }
        self.text_of(machine, slot, 0).ok_or(PLAIN)
    }

    /// Parts of the string in a slot; `None` if something has looked at its characters.
    pub(super) fn text_of<M: Machine>(
        &self,
        machine: &mut M,
        slot: u64,
        depth: usize,
    ) -> Option<Text> {
        let slot = settled(machine, slot);
        if depth > MAX_DEPTH {
            return None;
        }
        let Some(term) = term_of(slot) else {
            return self.text_of_object(machine, Ref::from_slot(slot), depth);
        };
        if machine.type_bound(term) != Some(self.known().string) {
            return None;
        }
        let Some((method, arguments)) = machine.deferred_string(term) else {
            return machine
                .open_text(term)
                .map(|open| vec![TextPart::Open(open)]);
        };
        let arguments = arguments.to_vec();
        let this = self.method(method);
        let (name, descriptor) = (self.text(this.name), self.text(this.descriptor));
        if let Some(pieces) = self.concatenations.get(&method) {
            return self.joined(machine, pieces, descriptor, &arguments, depth);
        }
        let (parameters, _) = split_method(descriptor)?;
        match (self.class_name(this.class), name) {
            (TEXTS | URL_ENCODER | URL_DECODER, _) => {
                self.text_by_library(machine, name, &arguments, depth)
            }
            ("java/lang/Integer" | "java/lang/Long", _) if bits_of_digits(name).is_some() => {
                let slot = settled(machine, arguments[0]);
                Some(digits(Kind::of(parameters[0]), slot, bits_of_digits(name)?))
            }
            (STRING, "valueOf") | ("java/lang/Integer" | "java/lang/Long", "toString") => {
                let radix = match parameters.get(1) {
                    Some(_) => *arguments.last()?,
                    None => 10,
                };
                self.printed_part(machine, parameters[0], arguments[0], radix, depth)
            }
            ("java/lang/Float" | "java/lang/Double", "toString") => {
                self.printed_part(machine, parameters[0], arguments[0], 10, depth)
            }
            (STRING, _) if !this.is_static() => {
                let text = self.text_of(machine, arguments[0], depth + 1)?;
                let method = method_named(name, descriptor)?;
                self.text_made(machine, method, text, &arguments[1..], depth)
            }
            _ => None,
        }
    }

    /// Parts of the string that a static method of a class of texts makes.
    fn text_by_library<M: Machine>(
        &self,
        machine: &mut M,
        name: &str,
        arguments: &[u64],
        depth: usize,
    ) -> Option<Text> {
        let text = |this: &Vm, machine: &mut M, place: usize| {
            this.text_of(machine, *arguments.get(place)?, depth + 1)
        };
        let numbers = |places: std::ops::Range<usize>| arguments.get(places).map(<[u64]>::to_vec);
        let made = match name {
            "part" => {
                let texts = vec![text(self, machine, 0)?, text(self, machine, 1)?];
                TextPart::Made(TextMaker::SplitPart, texts, numbers(2..4)?)
            }
            "padding" => {
                let texts = vec![text(self, machine, 0)?];
                TextPart::Made(TextMaker::Padding, texts, numbers(1..3)?)
            }
            "decimal" => TextPart::Decimal(settled(machine, arguments[0]), *arguments.get(2)?),
            "reversed" => TextPart::Made(
                TextMaker::Reverse,
                vec![text(self, machine, 0)?],
                Vec::new(),
            ),
            "encode" => TextPart::Made(
                TextMaker::UrlEncoded,
                vec![text(self, machine, 0)?],
                Vec::new(),
            ),
            "decode" => return Some(self.url_decoded(text(self, machine, 0)?)),
            _ => return None,
        };
        Some(vec![made])
    }

    /// Parts of the string that a method of a string makes.
    fn text_made<M: Machine>(
        &self,
        machine: &mut M,
        method: TextMethod,
        text: Text,
        arguments: &[u64],
        depth: usize,
    ) -> Option<Text> {
        let mut numbers: Vec<u64> = arguments.to_vec();
        let mut texts = vec![text];
        let maker = match method {
            TextMethod::Concat => {
                let mut joined = texts.remove(0);
                joined.extend(self.text_of(machine, arguments[0], depth + 1)?);
                return Some(joined);
            }
            TextMethod::Repeat => {
                let count = usize::try_from(settled(machine, arguments[0])).ok()?;
                return Some(
                    std::iter::repeat_n(texts.remove(0), count)
                        .flatten()
                        .collect(),
                );
            }
            TextMethod::Make(TextMaker::Part) => {
                if numbers.len() == 1 {
                    numbers.push(ask_any(machine, TextQuery::Length, texts.clone(), &[]).ok()?);
                }
                TextMaker::Part
            }
            TextMethod::Make(maker @ (TextMaker::Lower | TextMaker::Upper)) => {
                if numbers.is_empty() {
                    numbers.push(self.default_locale()?);
                }
                maker
            }
            TextMethod::Make(TextMaker::Replace) => {
                for &argument in arguments {
                    texts.push(self.text_of(machine, argument, depth + 1)?);
                }
                numbers.clear();
                TextMaker::Replace
            }
            TextMethod::Make(maker @ TextMaker::ReplaceAll) => {
                for &argument in arguments {
                    texts.push(self.text_of(machine, argument, depth + 1)?);
                }
                numbers.clear();
                maker
            }
            TextMethod::Make(maker) => maker,
            _ => return None,
        };
        Some(vec![TextPart::Made(maker, texts, numbers)])
    }

    /// Slot of the locale that strings are converted in.
    fn default_locale(&self) -> Option<u64> {
        let class = self.loaded_class("java/util/Locale")?;
        let field = self.find_field(class, "defaultLocale")?;
        Some(self.heap.load(field.word))
    }

    /// Parts of a concatenation.
    fn joined<M: Machine>(
        &self,
        machine: &mut M,
        pieces: &[Piece],
        descriptor: &str,
        arguments: &[u64],
        depth: usize,
    ) -> Option<Text> {
        let (parameters, _) = split_method(descriptor)?;
        let (mut parameters, mut place) = (parameters.iter(), 0);
        let mut parts = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => parts.push(TextPart::Known(text.clone())),
                Piece::Argument => {
                    let parameter = parameters.next()?;
                    let slot = *arguments.get(place)?;
                    place += usize::from(Kind::of(parameter).words());
                    parts.extend(self.printed_part(machine, parameter, slot, 10, depth)?);
                }
            }
        }
        Some(parts)
    }

    /// Text of a value of a type in a concatenation, or by `valueOf` or `toString`.
    fn printed_part<M: Machine>(
        &self,
        machine: &mut M,
        descriptor: &str,
        slot: u64,
        radix: u64,
        depth: usize,
    ) -> Option<Text> {
        let slot = settled(machine, slot);
        let known = |text: &str| Some(vec![TextPart::Known(text.encode_utf16().collect())]);
        let kind = match Kind::of(descriptor) {
            Kind::Reference => {
                if slot == 0 {
                    return known("null");
                }
                if let Some(term) = term_of(slot)
                    && machine.is_one_of(term, &[Ref::NULL]) != ConditionTruth::Known(false)
                {
                    return None;
                }
                return self.text_of(machine, slot, depth + 1);
            }
            Kind::Char if is_symbolic(slot) => return Some(vec![TextPart::Char(slot)]),
            Kind::Char => return Some(vec![TextPart::Known(vec![slot as u16])]),
            Kind::Byte | Kind::Short => Kind::Int,
            kind => kind,
        };
        if is_symbolic(slot) || radix != 10 {
            return (!is_symbolic(radix)).then(|| vec![TextPart::Number(kind, slot, radix)]);
        }
        match kind {
            Kind::Boolean => known(if slot == 0 { "false" } else { "true" }),
            Kind::Int => known(&(slot as u32 as i32).to_string()),
            Kind::Long => known(&(slot as i64).to_string()),
            _ => Some(vec![TextPart::Number(kind, slot, radix)]),
        }
    }

    /// Parts of a string object: it has known characters, or stands for another string.
    fn text_of_object<M: Machine>(&self, machine: &mut M, text: Ref, depth: usize) -> Option<Text> {
        if text.is_null() || self.heap.class_of(text) != self.known().string {
            return None;
        }
        match term_of(self.heap.field(text, self.known().string_value)) {
            Some(bytes) => {
                let held = machine.held_text(bytes)?;
                self.text_of(machine, held, depth + 1)
            }
            None => self.known_text(text),
        }
    }

    /// Characters of a string object, if they are known.
    pub(super) fn known_text(&self, text: Ref) -> Option<Text> {
        if text.is_null() || self.heap.class_of(text) != self.known().string {
            return None;
        }
        let known = self.known();
        let fields = [known.string_coder, known.string_value];
        let [coder, value] = fields.map(|field| self.heap.field(text, field));
        if is_symbolic(coder) || is_symbolic(value) || value == 0 {
            return None;
        }
        let bytes = Ref::from_slot(value);
        let is_short = self.heap.array_length(bytes) as usize <= 2 * MAX_KNOWN;
        if !self.heap.array_shadow(bytes).is_null() || !is_short {
            return None;
        }
        let units = self.string_units(text);
        (units.len() <= MAX_KNOWN).then(|| match units.is_empty() {
            true => Vec::new(),
            false => vec![TextPart::Known(units)],
        })
    }
}

/// Whether a string has a part that is not known.
pub(super) fn is_opaque(text: &[TextPart]) -> bool {
    text.iter().any(|part| !matches!(part, TextPart::Known(_)))
}

/// Text of the bits of a number, so many for a digit.
fn digits(kind: Kind, slot: u64, bits: u32) -> Text {
    if is_symbolic(slot) {
        return vec![TextPart::Digits(kind, slot, bits)];
    }
    let number = match kind {
        Kind::Long => slot,
        _ => u64::from(slot as u32),
    };
    let text = match bits {
        4 => format!("{number:x}"),
        3 => format!("{number:o}"),
        _ => format!("{number:b}"),
    };
    vec![TextPart::Known(text.encode_utf16().collect())]
}

/// Number of bits of a digit in the text that a method makes of the bits of a number.
fn bits_of_digits(name: &str) -> Option<u32> {
    match name {
        "toHexString" => Some(4),
        "toOctalString" => Some(3),
        "toBinaryString" => Some(1),
        _ => None,
    }
}

/// Answer about strings of which one is not known.
pub(super) fn ask<M: Machine>(
    machine: &mut M,
    query: TextQuery,
    texts: Vec<Text>,
    places: &[u64],
) -> Resolved<u64> {
    match texts.iter().any(|text| is_opaque(text)) {
        true => ask_any(machine, query, texts, places),
        false => Err(PLAIN),
    }
}

pub(super) fn ask_any<M: Machine>(
    machine: &mut M,
    query: TextQuery,
    texts: Vec<Text>,
    places: &[u64],
) -> Resolved<u64> {
    machine.text_answer(query, &texts, places).ok_or(PLAIN)
}

/// Whether numbers do not decrease.
pub(super) fn within<M: Machine>(terms: &mut Terms<'_, M>, numbers: &[u64]) -> Resolved<u64> {
    let mut all = 1;
    for pair in numbers.windows(2) {
        let holds = terms.at_most(pair[0], pair[1])?;
        all = terms.both(all, holds)?;
    }
    Ok(all)
}

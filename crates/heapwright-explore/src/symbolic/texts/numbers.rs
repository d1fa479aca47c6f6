//! Texts of numbers, and numbers in texts.

use heapwright_jvm::descriptor::Kind;
use heapwright_solve::smt::{Sort, Term};

use super::super::machine::SymbolicMachine;
use super::units::{Allowed, UnitSet};
use super::{Origin, Segment, TextEntry};

/// Radixes of digits; any other one is 10.
const RADIXES: std::ops::RangeInclusive<u64> = 2..=36;
/// Characters of the texts of `float`s and `double`s: `-`, `+`, `.`, digits, `E`, `NaN` and
/// `Infinity`.
const DECIMALS: [(u16, u16); 11] = [
    (0x2B, 0x2B),
    (0x2D, 0x2E),
    (0x30, 0x39),
    (0x45, 0x45),
    (0x49, 0x49),
    (0x4E, 0x4E),
    (0x61, 0x61),
    (0x66, 0x66),
    (0x69, 0x69),
    (0x6E, 0x6E),
    (0x74, 0x79),
];
const MINUS: u16 = 0x2D;
const PLUS: u16 = 0x2B;
/// First character beyond ASCII, where there are other digits.
const BEYOND_ASCII: u16 = 0x80;

impl SymbolicMachine {
    /// Slice that is the text of a number.
    pub(super) fn printed(&mut self, origin: Origin) -> Segment {
        let origin = match origin {
            Origin::Number(kind, slot, radix) if !RADIXES.contains(&radix) => {
                Origin::Number(kind, slot, 10)
            }
            origin => origin,
        };
        let is_new = self.known_base(&origin).is_none();
        let whole = self.whole(origin.clone());
        let Segment::Slice { base, length, .. } = whole else {
            return whole;
        };
        if is_new {
            match origin {
                Origin::Number(Kind::Boolean, slot, _) => self.is_text_of_truth(base, slot, length),
                Origin::Number(kind @ (Kind::Int | Kind::Long), slot, radix) => {
                    self.is_text_of_integer(whole, kind, slot, radix);
                }
                Origin::Digits(kind, slot, bits) => {
                    self.base_has(base, digits_below(1 << bits));
                    self.is_text_of_bits(kind, slot, bits, length);
                }
                _ => self.base_has(base, UnitSet::of(&DECIMALS)),
            }
        }
        whole
    }

    fn is_text_of_truth(&mut self, base: usize, slot: u64, length: Term) {
        let truth = self.truth_of(slot);
        let lengths = [4, 5].map(|length| self.pool.int(length));
        let expected = self.pool.ite(truth, lengths[0], lengths[1]);
        let fact = self.same(length, expected);
        self.state(fact);
        for (place, (&yes, &no)) in (0..).zip(b"true ".iter().zip(b"false")) {
            let [yes, no] = [yes, no].map(|unit| self.pool.int(unit.into()));
            let is = self.pool.ite(truth, yes, no);
            let place = self.pool.int(place);
            self.texts.push(TextEntry::Char { base, place, is });
        }
    }

    /// Text of an `int` or a `long`: a sign if it is negative, and as few digits as possible.
    fn is_text_of_integer(&mut self, whole: Segment, kind: Kind, slot: u64, radix: u64) {
        let number = self.term(slot, kind);
        let Segment::Slice { base, length, .. } = whole else {
            return;
        };
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let zero_of_kind = self.integer(kind, 0);
        let is_negative = self.less(number, zero_of_kind);
        let sign = self.pool.ite(is_negative, one, zero);
        let count = self.minus(length, sign);
        let greatest = match kind {
            Kind::Int => i128::from(i32::MAX),
            _ => i128::from(i64::MAX),
        };
        let mut power = i128::from(radix);
        let mut digits = 1;
        while power <= greatest + 1 {
            let least = self.integer(kind, -power);
            let mut is_long = self.at_most(number, least);
            if power <= greatest {
                let most = self.integer(kind, power);
                let is_large = self.at_most(most, number);
                is_long = self.either_of(is_long, is_large);
            }
            let passed = self.pool.int(digits);
            let has_more = self.less(passed, count);
            self.equivalent(has_more, is_long);
            power *= i128::from(radix);
            digits += 1;
        }
        let most = self.pool.int(digits);
        let fact = self.at_most(count, most);
        self.state(fact);
        let digits = digits_below(radix as u32);
        self.base_has(base, digits.union(&UnitSet::unit(MINUS)));
        let always = self.pool.bool(true);
        let allowed = Allowed::units(digits);
        self.all_are(always, &[whole], Some([one, length]), &allowed);
        let Some(first) = self.char_at(&[whole], zero) else {
            return;
        };
        let minus = self.pool.int(MINUS.into());
        let is_minus = self.same(first, minus);
        self.equivalent(is_minus, is_negative);
        let nought = self.pool.int('0' as i32);
        let is_nought = self.same(first, nought);
        let is_zero = self.same(number, zero_of_kind);
        self.equivalent(is_nought, is_zero);
    }

    /// Text of the bits of a number, without leading zeros.
    fn is_text_of_bits(&mut self, kind: Kind, slot: u64, bits: u32, length: Term) {
        let number = self.term(slot, kind);
        let zero = self.integer(kind, 0);
        let is_negative = self.less(number, zero);
        let width = if kind == Kind::Long { 64 } else { 32 };
        for digits in 1..=width / bits {
            let place = digits * bits;
            let is_long = match place {
                _ if place >= width => self.pool.bool(false),
                _ if place == width - 1 => is_negative,
                _ => {
                    let least = self.integer(kind, 1 << place);
                    let is_large = self.at_most(least, number);
                    self.either_of(is_negative, is_large)
                }
            };
            let passed = self.pool.int(digits as i32);
            let has_more = self.less(passed, length);
            self.equivalent(has_more, is_long);
        }
    }

    fn integer(&mut self, kind: Kind, value: i128) -> Term {
        match kind {
            Kind::Long => self.pool.long(value as i64),
            _ => self.pool.int(value as i32),
        }
    }

    /// Condition that the text of a number is a known one; `None` if it is no text of a number.
    pub(super) fn is_number_text(&mut self, slice: Segment, units: &[u16]) -> Option<Term> {
        let Segment::Slice {
            base,
            start,
            length,
        } = slice
        else {
            return None;
        };
        let TextEntry::Base {
            origin,
            length: all,
        } = self.texts[base].clone()
        else {
            return None;
        };
        if !self.is_zero(start) || length != all {
            return None;
        }
        let text = String::from_utf16(units).ok()?;
        let never = self.pool.bool(false);
        match origin {
            Origin::Number(kind @ (Kind::Int | Kind::Long), slot, radix) => {
                let number = i64::from_str_radix(&text, radix as u32).ok();
                let Some(value) = number.filter(|&number| is_text_of(number, radix, &text)) else {
                    return Some(never);
                };
                if kind == Kind::Int && i32::try_from(value).is_err() {
                    return Some(never);
                }
                let number = self.term(slot, kind);
                let value = self.integer(kind, value.into());
                Some(self.same(number, value))
            }
            Origin::Digits(kind, slot, bits) => {
                let is_plain = text == "0" || !text.starts_with(['0', '+']);
                let is_lower = !text.contains(|char: char| char.is_ascii_uppercase());
                let number = u64::from_str_radix(&text, 1 << bits).ok();
                let Some(value) = number.filter(|_| is_plain && is_lower) else {
                    return Some(never);
                };
                if kind == Kind::Int && u32::try_from(value).is_err() {
                    return Some(never);
                }
                let number = self.term(slot, kind);
                let value = self.integer(kind, i128::from(value as i64));
                Some(self.same(number, value))
            }
            // The text of a number is parsed as it, but other texts are, too.
            Origin::Number(Kind::Double, slot, _) => {
                let value: f64 = text.parse().ok()?;
                let is = self.new_answer(Kind::Boolean);
                let number = self.term(slot, Kind::Double);
                let value = self.pool.constant(Sort::Double, value.to_bits());
                let is_same = self.same(number, value);
                if !text.contains(|char: char| char.is_ascii_alphabetic()) {
                    self.if_then(is, is_same);
                }
                let count = self.pool.int(units.len() as i32);
                let is_same_length = self.same(length, count);
                self.if_then(is, is_same_length);
                Some(is)
            }
            _ => None,
        }
    }

    /// States what holds of a text that is a number to a base, 0 for one with decimal places.
    pub(super) fn is_number(&mut self, text: &[Segment], radix: u32) -> Term {
        let one = self.pool.int(1);
        let length = self.total(text);
        let has_any = self.at_most(one, length);
        self.state(has_any);
        if (2..=36).contains(&radix) {
            let mut digits = digits_below(radix);
            if radix > 10 {
                digits = digits.union(&UnitSet::of(&[(0x41, 0x41 + radix as u16 - 11)]));
            }
            let digits = digits.union(&UnitSet::of(&[(BEYOND_ASCII, u16::MAX)]));
            let signs = UnitSet::of(&[(PLUS, PLUS), (MINUS, MINUS)]);
            let always = self.pool.bool(true);
            let allowed = Allowed::units(digits.union(&signs));
            self.all_are(always, text, None, &allowed);
            let allowed = Allowed::units(digits);
            self.all_are(always, text, Some([one, length]), &allowed);
        }
        self.pool.bool(true)
    }
}

/// Digits to a base, of which letters are small.
fn digits_below(radix: u32) -> UnitSet {
    let last = radix.min(10) as u16 - 1;
    let mut ranges = vec![(0x30, 0x30 + last)];
    if radix > 10 {
        ranges.push((0x61, 0x61 + radix as u16 - 11));
    }
    UnitSet::of(&ranges)
}

/// Whether a text is that of a number to a base.
fn is_text_of(number: i64, radix: u64, text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits == "0" || !digits.starts_with(['0', '+']);
    let has_sign = text.starts_with('-');
    let is_lower = !text.contains(|char: char| char.is_ascii_uppercase());
    is_plain && is_lower && has_sign == (number < 0) && RADIXES.contains(&radix)
}

/// Least and greatest number of characters of a number's text.
pub(super) fn lengths_of_numbers(kind: Kind, radix: u64) -> (i32, i32) {
    match (kind, radix) {
        (Kind::Boolean, _) => (4, 5),
        (Kind::Int, 10) => (1, 11),
        (Kind::Int, _) => (1, 33),
        (Kind::Long, 10) => (1, 20),
        (Kind::Long, _) => (1, 65),
        // The longest texts of older JDKs have 26 characters.
        _ => (3, 32),
    }
}

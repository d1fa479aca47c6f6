//! Strings that operations make of others.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::{Text, TextMaker};
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::equality::all_chars;
use super::patterns::Pattern;
use super::units::{Allowed, UnitSet};
use super::{Origin, Question, Segment};

/// Characters that `Character.isWhitespace` accepts.
const WHITE_SPACES: [(u16, u16); 8] = [
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x2028, 0x2029),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];
/// Characters of encoded parts of URLs.
const URL_UNITS: [(u16, u16); 7] = [
    (0x25, 0x25),
    (0x2A, 0x2B),
    (0x2D, 0x2E),
    (0x30, 0x39),
    (0x41, 0x5A),
    (0x5F, 0x5F),
    (0x61, 0x7A),
];

/// Last character that `String.trim` removes.
const LAST_TRIMMED: u16 = 0x20;

/// Characters that an operation strips.
fn blanks_of(maker: TextMaker) -> UnitSet {
    match maker {
        TextMaker::Trim => UnitSet::of(&[(0, LAST_TRIMMED)]),
        _ => UnitSet::of(&WHITE_SPACES),
    }
}

impl SymbolicMachine {
    /// Segments of the string that an operation makes.
    pub(super) fn made(
        &mut self,
        maker: TextMaker,
        texts: &[Text],
        numbers: &[u64],
    ) -> Option<Vec<Segment>> {
        let texts: Option<Vec<Vec<Segment>>> =
            texts.iter().map(|text| self.segments(text)).collect();
        let texts = texts?;
        let text = &texts[0];
        match maker {
            TextMaker::Part => {
                let [start, end] = [numbers[0], numbers[1]].map(|slot| self.term(slot, Kind::Int));
                self.part(text, start, end)
            }
            TextMaker::Trim
            | TextMaker::Strip
            | TextMaker::StripLeading
            | TextMaker::StripTrailing => {
                let (start, end) = self.stripped(maker, text)?;
                self.part(text, start, end)
            }
            TextMaker::ReplaceChar => {
                let chars = [numbers[0], numbers[1]].map(|slot| self.term(slot, Kind::Char));
                Some(self.with_char_replaced(text, chars))
            }
            TextMaker::Replace => {
                if let ([Segment::Char(from)], [Segment::Char(to)]) = (&texts[1][..], &texts[2][..])
                {
                    return Some(self.with_char_replaced(text, [*from, *to]));
                }
                self.replaced(&texts)
            }
            TextMaker::Lower | TextMaker::Upper => {
                let locale = self.pool.int(numbers[0] as u32 as i32);
                let origin = Origin::Made(maker, vec![text.clone()], vec![locale]);
                let is_new = self.known_base(&origin).is_none();
                let made = self.whole(origin);
                if is_new {
                    self.are_empty_alike(made, text);
                    let excluded = match maker {
                        TextMaker::Lower => (0x41, 0x5A),
                        _ => (0x61, 0x7A),
                    };
                    self.has_units(made, UnitSet::of(&[excluded]).complement());
                }
                Some(vec![made])
            }
            TextMaker::ReplaceAll => self.all_replaced(&texts),
            TextMaker::SplitPart => {
                let numbers = [numbers[0], numbers[1]].map(|slot| self.term(slot, Kind::Int));
                self.split_part(text, &texts[1], numbers)
            }
            TextMaker::Reverse => {
                let length = self.total(text);
                let origin = Origin::Made(maker, texts.clone(), Vec::new());
                Some(vec![self.whole_of(origin, length)])
            }
            TextMaker::Padding => {
                let [width, unit] = [numbers[0], numbers[1]].map(|slot| self.term(slot, Kind::Int));
                self.padding(&texts, width, unit)
            }
            TextMaker::UrlEncoded | TextMaker::UrlDecoded => {
                let origin = Origin::Made(maker, texts.clone(), Vec::new());
                let is_new = self.known_base(&origin).is_none();
                let made = self.whole(origin);
                if is_new {
                    self.are_empty_alike(made, text);
                    let mut lengths = [self.total(text), self.length_of_segment(made)];
                    if maker == TextMaker::UrlDecoded {
                        lengths.reverse();
                    } else {
                        self.has_units(made, UnitSet::of(&URL_UNITS));
                    }
                    let fact = self.at_most(lengths[0], lengths[1]);
                    self.state(fact);
                }
                Some(vec![made])
            }
        }
    }

    /// Slice that is all of a base with an origin and a length.
    fn whole_of(&mut self, origin: Origin, length: Term) -> Segment {
        let base = match self.known_base(&origin) {
            Some(known) => known,
            None => self.add_base(origin, length),
        };
        Segment::Slice {
            base,
            start: self.pool.int(0),
            length,
        }
    }

    /// States that a string is empty where the one that it is made of is.
    fn are_empty_alike(&mut self, made: Segment, text: &[Segment]) {
        let zero = self.pool.int(0);
        let lengths = [self.length_of_segment(made), self.total(text)];
        let are_empty = lengths.map(|length| self.same(length, zero));
        self.equivalent(are_empty[0], are_empty[1]);
    }

    /// States that a new base has characters of a set.
    fn has_units(&mut self, whole: Segment, units: UnitSet) {
        if let Segment::Slice { base, .. } = whole {
            self.base_has(base, units);
        }
    }

    /// Repetitions of a character that a string lacks up to a width.
    fn padding(&mut self, texts: &[Vec<Segment>], width: Term, unit: Term) -> Option<Vec<Segment>> {
        let zero = self.pool.int(0);
        let length = self.total(&texts[0]);
        let is_short = self.less(length, width);
        let rest = self.minus(width, length);
        let count = self.pool.ite(is_short, rest, zero);
        if let Some(count) = self.pool.constant_of(count) {
            return Some(vec![Segment::Char(unit); count as usize]);
        }
        let origin = Origin::Made(TextMaker::Padding, texts.to_vec(), vec![width, unit]);
        let is_new = self.known_base(&origin).is_none();
        let made = self.whole_of(origin, count);
        if is_new {
            self.has_units(made, UnitSet::unit(self.pool.constant_of(unit)? as u16));
        }
        Some(vec![made])
    }

    /// String in which all matches of a regular expression are replaced by a known string.
    fn all_replaced(&mut self, texts: &[Vec<Segment>]) -> Option<Vec<Segment>> {
        let pattern = Pattern::read(&self.known_chars(&texts[1])?)?;
        if let Some(literal) = pattern.literal() {
            let literal = literal.into_iter();
            let chars = literal.map(|unit| Segment::Char(self.pool.int(unit.into())));
            let chars = chars.collect();
            return self.replaced(&[texts[0].clone(), chars, texts[2].clone()]);
        }
        if let Some(exchange) = self.exchanged(texts) {
            return Some(self.with_units_replaced(texts, &exchange));
        }
        let origin = Origin::Made(TextMaker::ReplaceAll, texts.to_vec(), Vec::new());
        let is_new = self.known_base(&origin).is_none();
        let made = self.whole(origin);
        if is_new && let Some((units, are_many)) = pattern.set() {
            let to = self.known_chars(&texts[2])?;
            let ranges: Vec<(u16, u16)> = to.iter().map(|&unit| (unit, unit)).collect();
            self.has_units(made, units.complement().union(&UnitSet::of(&ranges)));
            let lengths = [self.length_of_segment(made), self.total(&texts[0])];
            if to.len() <= 1 {
                let fact = self.at_most(lengths[0], lengths[1]);
                self.state(fact);
            }
            if !to.is_empty() && !are_many {
                let fact = self.at_most(lengths[1], lengths[0]);
                self.state(fact);
            }
            let zero = self.pool.int(0);
            let range = [zero, lengths[1]];
            let is_changed = self.has_other(&texts[0], range, &units.complement())?;
            let is_same = self.same(lengths[0], lengths[1]);
            let fact = self.either_of(is_changed, is_same);
            self.state(fact);
        }
        Some(vec![made])
    }

    /// Characters each of which is replaced by one, and that one.
    pub(super) fn exchanged(&mut self, texts: &[Vec<Segment>]) -> Option<(UnitSet, Term)> {
        let pattern = Pattern::read(&self.known_chars(&texts[1])?)?;
        match (pattern.set(), &texts[2][..]) {
            (Some((units, false)), &[Segment::Char(to)]) => Some((units, to)),
            _ => None,
        }
    }

    fn with_units_replaced(
        &mut self,
        texts: &[Vec<Segment>],
        (units, to): &(UnitSet, Term),
    ) -> Vec<Segment> {
        let replaced = texts[0].iter().map(|&segment| match segment {
            Segment::Char(char) => {
                let is_replaced = self.is_unit_of(char, units);
                Segment::Char(self.pool.ite(is_replaced, *to, char))
            }
            slice => {
                let others = [texts[1].clone(), texts[2].clone()];
                self.exchanged_in(slice, TextMaker::ReplaceAll, &others, Vec::new())
            }
        });
        replaced.collect()
    }

    /// Slice at the same places of what an operation makes of a whole base, character by character.
    fn exchanged_in(
        &mut self,
        slice: Segment,
        maker: TextMaker,
        others: &[Vec<Segment>],
        numbers: Vec<Term>,
    ) -> Segment {
        let Segment::Slice {
            base,
            start,
            length,
        } = slice
        else {
            return slice;
        };
        let all = self.length_of(base);
        let whole = Segment::Slice {
            base,
            start: self.pool.int(0),
            length: all,
        };
        let mut texts = vec![vec![whole]];
        texts.extend_from_slice(others);
        let origin = Origin::Made(maker, texts, numbers);
        let base = match self.known_base(&origin) {
            Some(known) => known,
            None => self.add_base(origin, all),
        };
        Segment::Slice {
            base,
            start,
            length,
        }
    }

    /// Part of a string between two places within it.
    pub(super) fn part(
        &mut self,
        text: &[Segment],
        start: Term,
        end: Term,
    ) -> Option<Vec<Segment>> {
        let total = self.total(text);
        let (mut from, mut left) = (start, self.minus(total, end));
        let mut rest = text;
        while let Some((&first, others)) = rest.split_first()
            && self.is_passed(first, from)
        {
            let length = self.length_of_segment(first);
            from = self.minus(from, length);
            rest = others;
        }
        while let Some((&last, others)) = rest.split_last()
            && self.is_passed(last, left)
        {
            let length = self.length_of_segment(last);
            left = self.minus(left, length);
            rest = others;
        }
        if self.is_zero(from) && self.is_zero(left) {
            return Some(rest.to_vec());
        }
        let length = self.minus(end, start);
        if self.is_zero(from)
            && let Some(count) = self.pool.constant_of(length)
            && let Some(first) = rest.get(..count as usize)
            && all_chars(first).is_some()
        {
            return Some(first.to_vec());
        }
        if let &[Segment::Slice { base, start, .. }] = rest {
            let start = self.plus(start, from);
            return Some(vec![Segment::Slice {
                base,
                start,
                length,
            }]);
        }
        let origin = Origin::Made(TextMaker::Part, vec![text.to_vec()], vec![start, end]);
        Some(vec![self.whole_of(origin, length)])
    }

    /// Whether so many characters at an end include a whole segment.
    fn is_passed(&mut self, segment: Segment, count: Term) -> bool {
        match segment {
            Segment::Char(_) => self.pool.constant_of(count).is_some_and(|count| count > 0),
            Segment::Slice { length, .. } => length == count,
        }
    }

    /// First place of a stripped string, and the place behind its last.
    pub(super) fn stripped(&mut self, maker: TextMaker, text: &[Segment]) -> Option<(Term, Term)> {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let length = self.total(text);
        let (start, is_new) = match maker {
            TextMaker::StripTrailing => (zero, false),
            _ => self.recalled(Question::StripStart(maker), &[text], &[], Kind::Int),
        };
        let (end, is_end_new) = match maker {
            TextMaker::StripLeading => (length, false),
            _ => self.recalled(Question::StripEnd(maker), &[text], &[], Kind::Int),
        };
        if !is_new && !is_end_new {
            return Some((start, end));
        }
        for (a, b) in [(zero, start), (start, end), (end, length)] {
            let fact = self.at_most(a, b);
            self.state(fact);
        }
        let blanks = Allowed::units(blanks_of(maker));
        let always = self.pool.bool(true);
        for range in [[zero, start], [end, length]] {
            self.all_are(always, text, Some(range), &blanks);
        }
        let last = self.minus(length, one);
        let last_kept = self.minus(end, one);
        let mut blank = Vec::new();
        for place in [zero, last, start, last_kept] {
            let char = self.char_at(text, place)?;
            blank.push(self.is_unit_of(char, &blanks_of(maker)));
        }
        let is_empty = self.same(start, end);
        for (is_stripped, is_outer_blank, is_inner_blank) in [
            (maker != TextMaker::StripTrailing, blank[0], blank[2]),
            (maker != TextMaker::StripLeading, blank[1], blank[3]),
        ] {
            if is_stripped {
                let is_inner_other = self.pool.not(is_inner_blank);
                let fact = self.either_of(is_empty, is_inner_other);
                self.state(fact);
            }
            // A string of which nothing is left is blank.
            let has_none = self.same(length, zero);
            let has_rest = self.pool.not(is_empty);
            let is_kept = self.either_of(has_none, has_rest);
            let fact = self.either_of(is_kept, is_outer_blank);
            self.state(fact);
        }
        let is_cut = self.less(zero, start);
        self.if_then(is_cut, blank[0]);
        let is_cut = self.less(end, length);
        self.if_then(is_cut, blank[1]);
        Some((start, end))
    }

    fn with_char_replaced(&mut self, text: &[Segment], [from, to]: [Term; 2]) -> Vec<Segment> {
        let replaced = text.iter().map(|&segment| match segment {
            Segment::Char(char) => {
                let is_replaced = self.same(char, from);
                Segment::Char(self.pool.ite(is_replaced, to, char))
            }
            slice => self.exchanged_in(slice, TextMaker::ReplaceChar, &[], vec![from, to]),
        });
        replaced.collect()
    }

    /// String in which another is replaced by a third.
    fn replaced(&mut self, texts: &[Vec<Segment>]) -> Option<Vec<Segment>> {
        let origin = Origin::Made(TextMaker::Replace, texts.to_vec(), Vec::new());
        let is_new = self.known_base(&origin).is_none();
        let made = self.whole(origin);
        if !is_new {
            return Some(vec![made]);
        }
        let length = self.length_of_segment(made);
        let before = self.total(&texts[0]);
        let counts = [self.known_length(&texts[1]), self.known_length(&texts[2])];
        if let [Some(from), Some(to)] = counts {
            if from == 0 || from <= to {
                let fact = self.at_most(before, length);
                self.state(fact);
            }
            if from > 0 && from >= to {
                let fact = self.at_most(length, before);
                self.state(fact);
            }
        }
        if let (&[Segment::Char(from)], Some(to)) = (&texts[1][..], self.known_chars(&texts[2]))
            && let Some(unit) = self.pool.constant_of(from)
            && !to.contains(&(unit as u16))
        {
            self.has_units(made, UnitSet::unit(unit as u16).complement());
        }
        let zero = self.pool.int(0);
        let place = self.find(&texts[0], &texts[1], zero)?;
        let is_missing = self.less(place, zero);
        let is_same = self.same(length, before);
        self.if_then(is_missing, is_same);
        Some(vec![made])
    }
}

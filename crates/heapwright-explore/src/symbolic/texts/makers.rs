//! Strings that operations make of others.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::{Text, TextMaker};
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::equality::all_chars;
use super::{Origin, Question, Segment};

/// Ranges of the characters that `Character.isWhitespace` accepts.
const WHITE_SPACES: [(i32, i32); 8] = [
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x2028, 0x2029),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];

/// Last character that `String.trim` removes.
const LAST_TRIMMED: i32 = 0x20;

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
                    let zero = self.pool.int(0);
                    let lengths = [self.length_of_segment(made), self.total(text)];
                    let are_empty = lengths.map(|length| self.same(length, zero));
                    self.equivalent(are_empty[0], are_empty[1]);
                }
                Some(vec![made])
            }
        }
    }

    /// Part of a string between two places within it.
    fn part(&mut self, text: &[Segment], start: Term, end: Term) -> Option<Vec<Segment>> {
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
        let base = match self.known_base(&origin) {
            Some(known) => known,
            None => self.add_base(origin, length),
        };
        Some(vec![Segment::Slice {
            base,
            start: self.pool.int(0),
            length,
        }])
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
        let last = self.minus(length, one);
        let last_kept = self.minus(end, one);
        let mut blank = Vec::new();
        for place in [zero, last, start, last_kept] {
            let char = self.char_at(text, place)?;
            blank.push(self.is_blank(maker, char));
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

    /// Whether an operation strips a character.
    fn is_blank(&mut self, maker: TextMaker, char: Term) -> Term {
        if maker == TextMaker::Trim {
            let last = self.pool.int(LAST_TRIMMED);
            return self.at_most(char, last);
        }
        let mut is_any = self.pool.bool(false);
        for (first, last) in WHITE_SPACES {
            let [first, last] = [first, last].map(|unit| self.pool.int(unit));
            let is_behind = self.at_most(first, char);
            let is_before = self.at_most(char, last);
            let is_within = self.both(is_behind, is_before);
            is_any = self.either_of(is_any, is_within);
        }
        is_any
    }

    fn with_char_replaced(&mut self, text: &[Segment], [from, to]: [Term; 2]) -> Vec<Segment> {
        let replaced = text.iter().map(|&segment| match segment {
            Segment::Char(char) => {
                let is_replaced = self.same(char, from);
                Segment::Char(self.pool.ite(is_replaced, to, char))
            }
            Segment::Slice {
                base,
                start,
                length,
            } => {
                let zero = self.pool.int(0);
                let all = self.length_of(base);
                let whole = Segment::Slice {
                    base,
                    start: zero,
                    length: all,
                };
                let origin =
                    Origin::Made(TextMaker::ReplaceChar, vec![vec![whole]], vec![from, to]);
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
        let zero = self.pool.int(0);
        let place = self.find(&texts[0], &texts[1], zero)?;
        let is_missing = self.less(place, zero);
        let is_same = self.same(length, before);
        self.if_then(is_missing, is_same);
        Some(vec![made])
    }

    /// Facts about a character of a base.
    pub(super) fn is_possible(&mut self, origin: &Origin, char: Term) {
        let Origin::Made(maker, texts, _) = origin else {
            return;
        };
        let excluded = match maker {
            TextMaker::Lower => [b'A', b'Z'].map(|unit| self.pool.int(unit.into())),
            TextMaker::Upper => [b'a', b'z'].map(|unit| self.pool.int(unit.into())),
            TextMaker::Replace => match (&texts[1][..], self.known_chars(&texts[2])) {
                (&[Segment::Char(from)], Some(to)) => match self.pool.constant_of(from) {
                    Some(unit) if !to.contains(&(unit as u16)) => [from, from],
                    _ => return,
                },
                _ => return,
            },
            _ => return,
        };
        let is_behind = self.at_most(excluded[0], char);
        let is_before = self.at_most(char, excluded[1]);
        let is_excluded = self.both(is_behind, is_before);
        let fact = self.pool.not(is_excluded);
        self.state(fact);
    }
}

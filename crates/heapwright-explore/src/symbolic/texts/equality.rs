//! Comparisons of strings: ends that are alike are taken off, and a variable stands for the rest.

use std::collections::VecDeque;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::TextQuery;
use heapwright_solve::smt::{Binary, Term};

use super::super::machine::SymbolicMachine;
use super::units::UnitSet;
use super::{MAX_SEGMENTS, Question, Segment, TextEntry};

/// Most characters of a string to which those of an equal one are said to be equal.
const MAX_SHARED: usize = 8;

/// Two strings, of which what is alike at an end is taken off.
struct Pair {
    sides: [VecDeque<Segment>; 2],
    /// Whether the strings are compared only where their lengths are equal.
    is_aligned: bool,
    /// Conditions under which what was taken off is equal.
    conditions: Vec<Term>,
}

/// End of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

impl Pair {
    fn new(a: &[Segment], b: &[Segment], is_aligned: bool) -> Pair {
        Pair {
            sides: [a, b].map(|side| side.iter().copied().collect()),
            is_aligned,
            conditions: Vec::new(),
        }
    }

    fn at(&self, side: usize, end: End) -> Option<Segment> {
        let side = &self.sides[side];
        match end {
            End::Front => side.front(),
            End::Back => side.back(),
        }
        .copied()
    }

    fn take(&mut self, side: usize, end: End) {
        let side = &mut self.sides[side];
        match end {
            End::Front => side.pop_front(),
            End::Back => side.pop_back(),
        };
    }

    fn take_both(&mut self, end: End) {
        for side in [0, 1] {
            self.take(side, end);
        }
    }

    /// Whether the segment at an end of a side is as long as all that is left of the other side.
    fn is_last(&self, side: usize) -> bool {
        self.is_aligned && self.sides[side].len() == 1
    }
}

impl SymbolicMachine {
    /// Condition that two strings are equal; `None` if there is no term for it.
    pub(super) fn equal_segments(&mut self, a: &[Segment], b: &[Segment]) -> Option<Term> {
        if a == b {
            return Some(self.pool.bool(true));
        }
        let query = Question::Query(TextQuery::Equal);
        for texts in [[a, b], [b, a]] {
            if let Some(known) = self.known_answer(query, &texts, &[]) {
                return Some(known);
            }
        }
        let lengths = [a, b].map(|text| self.total(text));
        let mut all = self.same(lengths[0], lengths[1]);
        if self.settled(all) != Some(false) {
            let mut pair = Pair::new(a, b, true);
            self.take_alike(&mut pair, End::Front)?;
            self.take_alike(&mut pair, End::Back)?;
            for &condition in &pair.conditions {
                all = self.both(all, condition);
            }
            let [a, b] = pair.sides.map(Vec::from);
            if !a.is_empty() && !b.is_empty() {
                let rest = self.equal_rest(&a, &b)?;
                all = self.both(all, rest);
            }
        }
        self.texts.push(TextEntry::Answer {
            query,
            texts: vec![a.to_vec(), b.to_vec()],
            numbers: Vec::new(),
            is: all,
        });
        if let (Some(left), Some(right)) = (self.known_hash(a), self.known_hash(b)) {
            let is_same = self.same(left, right);
            self.if_then(all, is_same);
        }
        Some(all)
    }

    /// Variable for whether two strings are equal of which nothing more is known.
    fn equal_rest(&mut self, a: &[Segment], b: &[Segment]) -> Option<Term> {
        if let Some(known) = self.known_answer(Question::EqualRest, &[b, a], &[]) {
            return Some(known);
        }
        let others = self.equal_rests();
        let (is, is_new) = self.recalled(Question::EqualRest, &[a, b], &[], Kind::Boolean);
        if !is_new {
            return Some(is);
        }
        // What was taken off is longer than a string whose length is not that of the other.
        let lengths = [a, b].map(|text| self.sum(text));
        let is_same_length = self.same(lengths[0], lengths[1]);
        self.if_then(is, is_same_length);
        let zero = self.pool.int(0);
        let are_empty = lengths.map(|length| self.same(length, zero));
        let are_empty = self.both(are_empty[0], are_empty[1]);
        self.if_then(are_empty, is);
        self.share_chars(is, a, b)?;
        self.share_chars(is, b, a)?;
        self.is_transitive(is, a, b, &others);
        Some(is)
    }

    fn equal_rests(&self) -> Vec<(Vec<Segment>, Vec<Segment>, Term)> {
        let entries = self.texts.iter().filter_map(|entry| match entry {
            TextEntry::Answer {
                query: Question::EqualRest,
                texts,
                is,
                ..
            } => Some((texts[0].clone(), texts[1].clone(), *is)),
            _ => None,
        });
        entries.collect()
    }

    /// Of three strings that are compared with one another, no two pairs are equal alone.
    fn is_transitive(
        &mut self,
        is: Term,
        a: &[Segment],
        b: &[Segment],
        others: &[(Vec<Segment>, Vec<Segment>, Term)],
    ) {
        for (one, other, is_first) in others {
            for (one, other) in [(one, other), (other, one)] {
                if one != a {
                    continue;
                }
                let third = others.iter().find(|(left, right, _)| {
                    (left == other && right == b) || (left == b && right == other)
                });
                let Some(&(_, _, is_second)) = third else {
                    continue;
                };
                for [x, y, z] in [
                    [is, *is_first, is_second],
                    [is, is_second, *is_first],
                    [*is_first, is_second, is],
                ] {
                    let both = self.both(x, y);
                    self.if_then(both, z);
                }
            }
        }
    }

    /// Characters of a string at which something has looked are those of an equal string.
    fn share_chars(&mut self, is: Term, from: &[Segment], to: &[Segment]) -> Option<()> {
        let &[
            Segment::Slice {
                base,
                start,
                length,
            },
        ] = from
        else {
            return Some(());
        };
        let chars: Vec<(Term, Term)> = self.chars_of(base).take(MAX_SHARED).collect();
        let zero = self.pool.int(0);
        for (place, char) in chars {
            let place = self.minus(place, start);
            let is_behind = self.at_most(zero, place);
            let is_before = self.less(place, length);
            let mut condition = self.both(is_behind, is_before);
            condition = self.both(condition, is);
            let other = self.char_at(to, place)?;
            let is_same = self.same(char, other);
            self.if_then(condition, is_same);
        }
        Some(())
    }

    /// Takes what is alike off an end of two strings.
    fn take_alike(&mut self, pair: &mut Pair, end: End) -> Option<()> {
        while let (Some(left), Some(right)) = (pair.at(0, end), pair.at(1, end)) {
            let is_taken = match (left, right) {
                (Segment::Char(a), Segment::Char(b)) => {
                    let is_same = self.same(a, b);
                    pair.conditions.push(is_same);
                    pair.take_both(end);
                    true
                }
                (Segment::Slice { .. }, Segment::Slice { .. }) => {
                    self.take_slices(pair, end, left, right)
                }
                (Segment::Char(char), slice) => self.take_char(pair, end, 0, char, slice)?,
                (slice, Segment::Char(char)) => self.take_char(pair, end, 1, char, slice)?,
            };
            if !is_taken {
                break;
            }
        }
        Some(())
    }

    /// Takes a character of one side off, and off the slice that is all that is left of the other.
    fn take_char(
        &mut self,
        pair: &mut Pair,
        end: End,
        side: usize,
        char: Term,
        slice: Segment,
    ) -> Option<bool> {
        let Segment::Slice { base, length, .. } = slice else {
            return Some(false);
        };
        if !pair.is_last(1 - side) || self.is_zero(length) {
            return Some(false);
        }
        let known: Vec<Segment> = pair.sides[side].iter().copied().collect();
        if let Some(units) = self.known_chars(&known)
            && let Some(is_number) = self.is_number_text(slice, &units)
        {
            pair.conditions.push(is_number);
            pair.sides = Default::default();
            return Some(false);
        }
        let one = self.pool.int(1);
        let (taken, rest) = self.divided(slice, end, one);
        let Segment::Slice { start, .. } = taken else {
            return Some(false);
        };
        let other = self.char_of(base, start)?;
        let is_same = self.same(char, other);
        pair.conditions.push(is_same);
        pair.take(side, end);
        pair.sides[1 - side][0] = rest;
        Some(true)
    }

    fn take_slices(&mut self, pair: &mut Pair, end: End, left: Segment, right: Segment) -> bool {
        let slices = [left, right];
        let Some([first, second]) = self.same_ends(end, slices) else {
            return false;
        };
        // Where both are all that is left, they have the same length.
        if first == second || pair.sides.iter().all(|side| side.len() == 1) {
            pair.take_both(end);
            return true;
        }
        let lengths = [first, second];
        // A shorter end of a slice is an end of what the slice is an end of.
        if !pair.is_aligned && pair.sides[1].len() == 1 {
            let is_shorter = self.at_most(second, first);
            if self.follows(is_shorter) {
                pair.take(1, end);
                return true;
            }
        }
        for side in [0, 1] {
            if pair.is_last(side) {
                let (_, rest) = self.divided(slices[side], end, lengths[1 - side]);
                pair.sides[side][0] = rest;
                pair.take(1 - side, end);
                return true;
            }
        }
        false
    }

    /// Lengths of two slices that are of one base and have an end in common.
    fn same_ends(&mut self, end: End, slices: [Segment; 2]) -> Option<[Term; 2]> {
        let [
            Segment::Slice {
                base,
                start,
                length,
            },
            Segment::Slice {
                base: other_base,
                start: other_start,
                length: other_length,
            },
        ] = slices
        else {
            return None;
        };
        let ends = match end {
            End::Front => [start, other_start],
            End::Back => [
                self.plus(start, length),
                self.plus(other_start, other_length),
            ],
        };
        (base == other_base && ends[0] == ends[1]).then_some([length, other_length])
    }

    /// Parts of a slice: so many characters at an end, and the rest.
    fn divided(&mut self, slice: Segment, end: End, count: Term) -> (Segment, Segment) {
        let Segment::Slice {
            base,
            start,
            length,
        } = slice
        else {
            return (slice, slice);
        };
        let left = self.minus(length, count);
        let part = |start, length| Segment::Slice {
            base,
            start,
            length,
        };
        match end {
            End::Front => {
                let behind = self.plus(start, count);
                (part(start, count), part(behind, left))
            }
            End::Back => {
                let behind = self.plus(start, left);
                (part(behind, count), part(start, left))
            }
        }
    }

    /// Condition that a string stands at a place in another.
    pub(super) fn stands_at(
        &mut self,
        text: &[Segment],
        wanted: &[Segment],
        place: Term,
    ) -> Option<Term> {
        let zero = self.pool.int(0);
        let [length, count] = [text, wanted].map(|text| self.total(text));
        let last = self.minus(length, count);
        let is_behind = self.at_most(zero, place);
        let is_before = self.at_most(place, last);
        let is_within = self.both(is_behind, is_before);
        let stands = match all_chars(wanted) {
            Some(chars) => self.stands(text, place, &chars)?,
            None if self.is_zero(place) => self.has_end(text, wanted, End::Front)?,
            None => {
                let query = Question::Query(TextQuery::Starts);
                self.recalled(query, &[text, wanted], &[place], Kind::Boolean)
                    .0
            }
        };
        Some(self.both(is_within, stands))
    }

    /// Condition that a string ends with another.
    pub(super) fn ends_with(&mut self, text: &[Segment], wanted: &[Segment]) -> Option<Term> {
        let [length, count] = [text, wanted].map(|text| self.total(text));
        let is_within = self.at_most(count, length);
        let ends = match all_chars(wanted) {
            Some(chars) => {
                let place = self.minus(length, count);
                self.stands(text, place, &chars)?
            }
            None => self.has_end(text, wanted, End::Back)?,
        };
        Some(self.both(is_within, ends))
    }

    /// Condition that a string has another at an end, which is not longer.
    fn has_end(&mut self, text: &[Segment], wanted: &[Segment], end: End) -> Option<Term> {
        let mut pair = Pair::new(text, wanted, false);
        self.take_alike(&mut pair, end)?;
        let mut all = self.pool.bool(true);
        for &condition in &pair.conditions {
            all = self.both(all, condition);
        }
        let [text, wanted] = pair.sides.map(Vec::from);
        if wanted.is_empty() {
            return Some(all);
        }
        let query = match end {
            End::Front => TextQuery::Starts,
            End::Back => TextQuery::Ends,
        };
        let (is, is_new) = self.recalled(
            Question::Query(query),
            &[&text, &wanted],
            &[],
            Kind::Boolean,
        );
        if is_new {
            let zero = self.pool.int(0);
            let [length, count] = [&text, &wanted].map(|text| self.total(text));
            let is_empty = self.same(count, zero);
            self.if_then(is_empty, is);
            let is_all = self.same(length, count);
            let is_equal = self.equal_segments(&text, &wanted)?;
            self.if_then(is_equal, is);
            let is_all = self.both(is_all, is);
            self.if_then(is_all, is_equal);
        }
        Some(self.both(all, is))
    }

    /// Condition that characters stand at a place in a string.
    pub(super) fn stands(&mut self, text: &[Segment], place: Term, chars: &[Term]) -> Option<Term> {
        let mut all = self.pool.bool(true);
        for (number, &char) in (0..).zip(chars) {
            let number = self.pool.int(number);
            let place = self.plus(place, number);
            let other = self.char_at(text, place)?;
            let is_same = self.same(char, other);
            all = self.both(all, is_same);
        }
        Some(all)
    }

    /// Condition that two strings are equal but for case.
    pub(super) fn equal_without_case(&mut self, a: &[Segment], b: &[Segment]) -> Option<Term> {
        let query = Question::Query(TextQuery::EqualWithoutCase);
        let (is, is_new) = self.recalled(query, &[a, b], &[], Kind::Boolean);
        if !is_new {
            return Some(is);
        }
        let is_equal = self.equal_segments(a, b)?;
        self.if_then(is_equal, is);
        let lengths = [a, b].map(|text| self.total(text));
        let is_same_length = self.same(lengths[0], lengths[1]);
        self.if_then(is, is_same_length);
        for (text, known) in [(a, b), (b, a)] {
            let Some(units) = self.ascii(known) else {
                continue;
            };
            let mut all = is_same_length;
            for (place, unit) in (0..).zip(units) {
                let place = self.pool.int(place);
                let char = self.char_at(text, place)?;
                let is_either = self.is_unit_of(char, &cases_of(unit));
                all = self.both(all, is_either);
            }
            self.equivalent(all, is);
        }
        Some(is)
    }

    /// Characters of a string that is known and in ASCII.
    fn ascii(&self, text: &[Segment]) -> Option<Vec<u8>> {
        let chars = self.known_chars(text)?;
        let ascii = chars.into_iter().map(|unit| u8::try_from(unit).ok());
        ascii.map(|unit| unit.filter(u8::is_ascii)).collect()
    }

    /// Characters of a string if all are known.
    pub(super) fn known_chars(&self, text: &[Segment]) -> Option<Vec<u16>> {
        let chars = text.iter().map(|segment| match *segment {
            Segment::Char(char) => self.pool.constant_of(char).map(|unit| unit as u16),
            Segment::Slice { .. } => None,
        });
        chars.collect()
    }

    /// Order of two strings, by [`TextQuery::Order`] or [`TextQuery::OrderWithoutCase`].
    pub(super) fn order(&mut self, query: TextQuery, a: &[Segment], b: &[Segment]) -> Option<Term> {
        let question = Question::Query(query);
        let zero = self.pool.int(0);
        if query == TextQuery::Order
            && let Some(opposite) = self.known_answer(question, &[b, a], &[])
        {
            return Some(self.minus(zero, opposite));
        }
        let (is, is_new) = self.recalled(question, &[a, b], &[], Kind::Int);
        if !is_new {
            return Some(is);
        }
        let is_equal = self.equal_segments(a, b)?;
        let is_zero = self.same(is, zero);
        self.if_then(is_equal, is_zero);
        if query != TextQuery::Order {
            return Some(is);
        }
        self.if_then(is_zero, is_equal);
        let least = self.pool.int(i32::MIN);
        let is_least = self.same(is, least);
        let is_not_least = self.pool.not(is_least);
        self.state(is_not_least);
        let [length, other] = [a, b].map(|text| self.total(text));
        let difference = self.minus(length, other);
        let is_difference = self.same(is, difference);
        let are_empty = [length, other].map(|length| self.same(length, zero));
        let is_any_empty = self.either_of(are_empty[0], are_empty[1]);
        self.if_then(is_any_empty, is_difference);
        let chars = [self.char_at(a, zero)?, self.char_at(b, zero)?];
        let is_same_char = self.same(chars[0], chars[1]);
        let is_decided = self.either_of(is_any_empty, is_same_char);
        let distance = self.minus(chars[0], chars[1]);
        let is_distance = self.same(is, distance);
        let fact = self.either_of(is_decided, is_distance);
        self.state(fact);
        Some(is)
    }

    /// Hash code of a string.
    pub(super) fn hash(&mut self, text: &[Segment]) -> Option<Term> {
        if let Some(known) = self.hash_of_known(text) {
            return Some(known);
        }
        let query = Question::Query(TextQuery::Hash);
        let (is, is_new) = self.recalled(query, &[text], &[], Kind::Int);
        if !is_new {
            return Some(is);
        }
        let zero = self.pool.int(0);
        let length = self.total(text);
        let is_empty = self.same(length, zero);
        let is_zero = self.same(is, zero);
        self.if_then(is_empty, is_zero);
        let equals = self.texts.iter().filter_map(|entry| match entry {
            TextEntry::Answer {
                query: Question::Query(TextQuery::Equal),
                texts,
                is,
                ..
            } if texts[0] == text => Some((texts[1].clone(), *is)),
            TextEntry::Answer {
                query: Question::Query(TextQuery::Equal),
                texts,
                is,
                ..
            } if texts[1] == text => Some((texts[0].clone(), *is)),
            _ => None,
        });
        let equals: Vec<(Vec<Segment>, Term)> = equals.collect();
        for (other, is_equal) in equals {
            if let Some(hash) = self.known_hash(&other) {
                let is_same = self.same(is, hash);
                self.if_then(is_equal, is_same);
            }
        }
        Some(is)
    }

    fn known_hash(&mut self, text: &[Segment]) -> Option<Term> {
        let known = self.hash_of_known(text);
        known.or_else(|| self.known_answer(Question::Query(TextQuery::Hash), &[text], &[]))
    }

    fn hash_of_known(&mut self, text: &[Segment]) -> Option<Term> {
        let chars = self.known_chars(text)?.into_iter();
        let hash = chars.fold(0_i32, |hash, unit| {
            hash.wrapping_mul(31).wrapping_add(unit.into())
        });
        Some(self.pool.int(hash))
    }

    /// States that two conditions have the same truth value.
    pub(super) fn equivalent(&mut self, a: Term, b: Term) {
        self.if_then(a, b);
        self.if_then(b, a);
    }

    /// Length of a string if it is known.
    pub(super) fn known_length(&mut self, text: &[Segment]) -> Option<u64> {
        let length = self.total(text);
        self.pool.constant_of(length)
    }

    /// Smaller of two ints.
    pub(super) fn smaller(&mut self, a: Term, b: Term) -> Term {
        let is_first = self.pool.binary(Binary::Le, a, b);
        self.pool.ite(is_first, a, b)
    }
}

/// Characters that are equal to one of ASCII but for case.
fn cases_of(unit: u8) -> UnitSet {
    let mut cases = vec![
        unit.to_ascii_lowercase().into(),
        unit.to_ascii_uppercase().into(),
    ];
    cases.extend_from_slice(match unit.to_ascii_lowercase() {
        b'i' => &[0x130, 0x131],
        b'k' => &[0x212A],
        b's' => &[0x17F],
        _ => &[],
    });
    let ranges: Vec<(u16, u16)> = cases.into_iter().map(|unit| (unit, unit)).collect();
    UnitSet::of(&ranges)
}

/// Characters of a string without slices, of a moderate length.
pub(super) fn all_chars(text: &[Segment]) -> Option<Vec<Term>> {
    let chars = text.iter().map(|segment| match *segment {
        Segment::Char(char) => Some(char),
        Segment::Slice { .. } => None,
    });
    let chars: Option<Vec<Term>> = chars.collect();
    chars.filter(|chars| chars.len() <= MAX_SEGMENTS)
}

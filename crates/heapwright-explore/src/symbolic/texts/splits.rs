//! Parts of strings between the matches of a regular expression that matches no empty string
//! (`String.split`).

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::{MatchKind, TextMaker, TextQuery};
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::patterns::Pattern;
use super::{Origin, Question, Segment};

/// Most parts in front of one that is known.
const MAX_PARTS: usize = 8;
/// Parts of which the number of parts tells at once.
const FIRST_PARTS: usize = 2;

/// Part of a string, and the match behind it.
struct Divided {
    start: Term,
    /// Place of the match, or the end of the string.
    end: Term,
    /// Whether there is a part, as far as the matches in front of it tell.
    is_reached: Term,
    /// Whether there is a match.
    is_found: Term,
    /// Place from which on the next match is searched for.
    next: Term,
}

impl SymbolicMachine {
    /// Number of the parts of a string.
    pub(super) fn split_count(
        &mut self,
        text: &[Segment],
        pattern: &[Segment],
        limit: i32,
    ) -> Option<Term> {
        let one = self.pool.int(1);
        let number = self.pool.int(limit);
        let question = Question::Query(TextQuery::SplitCount);
        let units = self.known_chars(pattern)?;
        if Pattern::read(&units)?.root.lengths().0 == 0 {
            return None;
        }
        let (count, is_new) = self.recalled(question, &[text, pattern], &[number], Kind::Int);
        if !is_new {
            return Some(count);
        }
        let length = self.total(text);
        let before = self.minus(count, one);
        let least = self.pool.int(i32::from(limit != 0));
        for (a, b) in [(least, count), (before, length)] {
            let fact = self.at_most(a, b);
            self.state(fact);
        }
        if limit > 0 {
            let fact = self.at_most(count, number);
            self.state(fact);
        }
        for part in 0..FIRST_PARTS {
            self.counts_at(text, pattern, limit, count, part)?;
        }
        Some(count)
    }

    /// Part of a string; it exists.
    pub(super) fn split_part(
        &mut self,
        text: &[Segment],
        pattern: &[Segment],
        [limit, index]: [Term; 2],
    ) -> Option<Vec<Segment>> {
        let number = self.pool.constant_of(index).map(|index| index as usize);
        let Some(part) = number.filter(|&part| part < MAX_PARTS) else {
            let texts = vec![text.to_vec(), pattern.to_vec()];
            let origin = Origin::Made(TextMaker::SplitPart, texts, vec![limit, index]);
            let is_new = self.known_base(&origin).is_none();
            let made = self.whole(origin);
            if is_new {
                let lengths = [self.length_of_segment(made), self.total(text)];
                let fact = self.at_most(lengths[0], lengths[1]);
                self.state(fact);
            }
            return Some(vec![made]);
        };
        let limit = self.pool.constant_of(limit)? as u32 as i32;
        let count = self.split_count(text, pattern, limit)?;
        for part in FIRST_PARTS..=part {
            self.counts_at(text, pattern, limit, count, part)?;
        }
        let divided = self.divided_at(text, pattern, part)?;
        let end = match limit > 0 && part + 1 == limit as usize {
            true => self.total(text),
            false => divided.end,
        };
        self.part(text, divided.start, end)
    }

    /// Part with a number, if all matches in front of it divide the string.
    fn divided_at(
        &mut self,
        text: &[Segment],
        pattern: &[Segment],
        part: usize,
    ) -> Option<Divided> {
        let units = self.known_chars(pattern)?;
        let length = self.total(text);
        let zero = self.pool.int(0);
        let mut divided = Divided {
            start: zero,
            end: zero,
            is_reached: self.pool.bool(true),
            is_found: self.pool.bool(true),
            next: zero,
        };
        for _ in 0..=part {
            let matched = self.matched(MatchKind::Search, text, &units, divided.next)?;
            let is_reached = self.both(divided.is_reached, divided.is_found);
            let [place, behind] = matched.places[0];
            // What the path implies needs no choice.
            let is_found = match self.follows(matched.is_found) {
                true => self.pool.bool(true),
                false => matched.is_found,
            };
            divided = Divided {
                start: divided.next,
                end: self.pool.ite(is_found, place, length),
                is_reached,
                is_found: matched.is_found,
                next: self.pool.ite(is_found, behind, length),
            };
        }
        Some(divided)
    }

    /// States how the number of parts agrees with a part and the match behind it.
    fn counts_at(
        &mut self,
        text: &[Segment],
        pattern: &[Segment],
        limit: i32,
        count: Term,
        part: usize,
    ) -> Option<()> {
        // The last part is what is left.
        if limit > 0 && part + 1 >= limit as usize {
            return Some(());
        }
        let number = self.pool.int(limit);
        let question = Question::SplitAt(part);
        if self
            .known_answer(question, &[text, pattern], &[number])
            .is_some()
        {
            return Some(());
        }
        let divided = self.divided_at(text, pattern, part)?;
        self.texts.push(super::TextEntry::Answer {
            query: question,
            texts: vec![text.to_vec(), pattern.to_vec()],
            numbers: vec![number],
            is: count,
        });
        let this = self.pool.int(part as i32 + 1);
        let next = self.pool.int(part as i32 + 2);
        let is_missing = self.pool.not(divided.is_found);
        let is_last = self.both(divided.is_reached, is_missing);
        let is_divided = self.both(divided.is_reached, divided.is_found);
        let has_next = self.at_most(next, count);
        self.if_then(has_next, is_divided);
        let is_this = self.same(count, this);
        if limit != 0 {
            self.if_then(is_last, is_this);
            self.if_then(is_divided, has_next);
            return Some(());
        }
        // Empty parts at the end are left out, unless nothing divides the string.
        let is_filled = self.less(divided.start, divided.end);
        if part == 0 {
            self.if_then(is_last, is_this);
        } else {
            let is_all = self.both(is_last, is_filled);
            self.if_then(is_all, is_this);
            let is_up_to = self.at_most(count, this);
            self.if_then(is_last, is_up_to);
        }
        let has_this = self.at_most(this, count);
        let is_kept = self.both(divided.is_reached, is_filled);
        self.if_then(is_kept, has_this);
        let is_whole = match part {
            0 => is_missing,
            _ => self.pool.bool(false),
        };
        let is_good = self.either_of(is_whole, is_filled);
        self.if_then(is_this, is_good);
        self.ends_with_part(text, pattern, is_divided, has_next)
    }

    /// A string whose last character is in no match has a last part.
    fn ends_with_part(
        &mut self,
        text: &[Segment],
        pattern: &[Segment],
        is_divided: Term,
        has_next: Term,
    ) -> Option<()> {
        let units = self.known_chars(pattern)?;
        let alphabet = Pattern::read(&units)?.root.alphabet();
        let one = self.pool.int(1);
        let length = self.total(text);
        let last = self.minus(length, one);
        let char = self.char_at(text, last)?;
        let is_matched = self.is_unit_of(char, &alphabet);
        let is_other = self.pool.not(is_matched);
        let has_any = self.at_most(one, length);
        let condition = self.both(is_divided, is_other);
        let condition = self.both(condition, has_any);
        self.if_then(condition, has_next);
        Some(())
    }
}

//! Searches for a string in another: places that satisfy some facts.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::TextQuery;
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::equality::all_chars;
use super::units::Allowed;
use super::{MAX_SEGMENTS, Question, Segment, TextEntry};

/// Most characters of a wanted string that are compared with those at a place.
const MAX_WANTED: usize = 8;

/// Search for a string in another.
struct Search<'a> {
    text: &'a [Segment],
    wanted: &'a [Segment],
    /// Characters of the wanted string, if they are few.
    chars: Option<Vec<Term>>,
    /// Lengths of the two strings.
    length: Term,
    count: Term,
    /// Last place at which the wanted string can be.
    last: Term,
    /// Place, or a negative number.
    is: Term,
    is_found: Term,
}

impl SymbolicMachine {
    /// First place of a string in another, from a place on; -1 if there is none.
    pub(super) fn find(
        &mut self,
        text: &[Segment],
        wanted: &[Segment],
        from: Term,
    ) -> Option<Term> {
        let zero = self.pool.int(0);
        let question = Question::Query(TextQuery::Find);
        let others = self.found(question, text, wanted);
        let (is, is_new) = self.recalled(question, &[text, wanted], &[from], Kind::Int);
        if !is_new {
            return Some(is);
        }
        let search = self.search(text, wanted, is);
        let is_negative = self.less(from, zero);
        let first = self.pool.ite(is_negative, zero, from);
        self.empty_is_at(&search, first);
        let is_empty = self.same(search.count, zero);
        let is_from = self.at_most(first, is);
        let is_from = self.either_of(is_from, is_empty);
        self.if_then(search.is_found, is_from);
        for place in self.known_places(&search) {
            let is_searched = self.at_most(first, place);
            let is_up_to = self.at_most(is, place);
            let found = self.both(search.is_found, is_up_to);
            self.if_then(is_searched, found);
        }
        if let Some(chars) = &search.chars {
            let leading = leading_chars(text.iter());
            for number in 0..leading.max(1) {
                let place = self.pool.int(number as i32);
                let is_searched = self.at_most(first, place);
                let is_there = self.is_there(&search, place, chars, is_searched)?;
                let is_up_to = self.at_most(is, place);
                let found = self.both(search.is_found, is_up_to);
                self.if_then(is_there, found);
            }
            // What ends with a string has it.
            let is_searched = self.at_most(first, search.last);
            let is_there = self.is_there(&search, search.last, chars, is_searched)?;
            self.if_then(is_there, search.is_found);
        }
        if let &[Segment::Char(wanted)] = wanted {
            let start = self.smaller(first, search.length);
            let end = self.pool.ite(search.is_found, is, search.length);
            let always = self.pool.bool(true);
            self.all_are(always, text, Some([start, end]), &Allowed::Other(wanted));
        }
        for (other_from, other) in others {
            self.are_consistent([(from, is), (other_from, other)]);
            self.are_consistent([(other_from, other), (from, is)]);
        }
        if self.is_zero(from) {
            let last = Question::Query(TextQuery::FindLast);
            if let Some(last) = self.known_answer(last, &[text, wanted], &[search.length]) {
                self.is_first_of(is, last);
            }
            let equal = Question::Query(TextQuery::Equal);
            if let Some(is_equal) = self.known_answer(equal, &[text, wanted], &[]) {
                let is_first = self.same(is, zero);
                self.if_then(is_equal, is_first);
            }
        }
        Some(is)
    }

    /// Last place of a string in another, up to a place; -1 if there is none.
    pub(super) fn find_last(
        &mut self,
        text: &[Segment],
        wanted: &[Segment],
        from: Term,
    ) -> Option<Term> {
        let zero = self.pool.int(0);
        let question = Question::Query(TextQuery::FindLast);
        let (is, is_new) = self.recalled(question, &[text, wanted], &[from], Kind::Int);
        if !is_new {
            return Some(is);
        }
        let search = self.search(text, wanted, is);
        let is_up_to = self.at_most(is, from);
        self.if_then(search.is_found, is_up_to);
        let is_searched = self.at_most(zero, from);
        let is_empty = self.same(search.count, zero);
        let is_empty = self.both(is_empty, is_searched);
        let end = self.smaller(from, search.length);
        let is_end = self.same(is, end);
        self.if_then(is_empty, is_end);
        for place in self.known_places(&search) {
            let is_searched = self.at_most(place, from);
            let is_from = self.at_most(place, is);
            self.if_then(is_searched, is_from);
        }
        if let Some(chars) = &search.chars {
            let trailing = leading_chars(text.iter().rev());
            for number in 0..trailing.max(1) {
                let number = self.pool.int(number as i32);
                let place = self.minus(search.last, number);
                let is_searched = self.at_most(place, from);
                let is_there = self.is_there(&search, place, chars, is_searched)?;
                let is_from = self.at_most(place, is);
                self.if_then(is_there, is_from);
            }
            // What begins with a string has it.
            let is_there = self.is_there(&search, zero, chars, is_searched)?;
            self.if_then(is_there, search.is_found);
        }
        if let &[Segment::Char(wanted)] = wanted {
            let one = self.pool.int(1);
            let last = self.smaller(from, search.last);
            let [start, end] = [is, last].map(|place| self.plus(place, one));
            self.all_are(
                is_searched,
                text,
                Some([start, end]),
                &Allowed::Other(wanted),
            );
        }
        if from == search.length {
            let first = Question::Query(TextQuery::Find);
            if let Some(first) = self.known_answer(first, &[text, wanted], &[zero]) {
                self.is_first_of(first, is);
            }
        }
        Some(is)
    }

    /// Facts that any place that is found satisfies.
    fn search<'a>(&mut self, text: &'a [Segment], wanted: &'a [Segment], is: Term) -> Search<'a> {
        let (zero, none) = (self.pool.int(0), self.pool.int(-1));
        let [length, count] = [text, wanted].map(|text| self.total(text));
        let last = self.minus(length, count);
        let is_place = self.at_most(none, is);
        self.state(is_place);
        let is_found = self.at_most(zero, is);
        let is_within = self.at_most(is, last);
        self.if_then(is_found, is_within);
        let chars =
            all_chars(wanted).filter(|chars| !chars.is_empty() && chars.len() <= MAX_WANTED);
        if let Some(chars) = &chars
            && let Some(stands) = self.stands(text, is, chars)
        {
            self.if_then(is_found, stands);
        }
        Search {
            text,
            wanted,
            chars,
            length,
            count,
            last,
            is,
            is_found,
        }
    }

    /// An empty string is found at the place where the search begins, or at the end.
    fn empty_is_at(&mut self, search: &Search<'_>, first: Term) {
        let zero = self.pool.int(0);
        let is_empty = self.same(search.count, zero);
        let place = self.smaller(first, search.length);
        let is_there = self.same(search.is, place);
        self.if_then(is_empty, is_there);
    }

    /// Whether characters stand at a place within the text that is searched.
    fn is_there(
        &mut self,
        search: &Search<'_>,
        place: Term,
        chars: &[Term],
        is_searched: Term,
    ) -> Option<Term> {
        let zero = self.pool.int(0);
        let stands = self.stands(search.text, place, chars)?;
        let is_behind = self.at_most(zero, place);
        let is_before = self.at_most(place, search.last);
        let is_within = self.both(is_behind, is_before);
        let is_there = self.both(stands, is_within);
        Some(self.both(is_there, is_searched))
    }

    /// Places at which the wanted string is, as segments tell.
    fn known_places(&mut self, search: &Search<'_>) -> Vec<Term> {
        let (text, wanted) = (search.text, search.wanted);
        let mut places = Vec::new();
        let mut before = self.pool.int(0);
        for (number, &segment) in text.iter().enumerate().take(MAX_SEGMENTS) {
            if text[number..].starts_with(wanted) {
                places.push(before);
            } else if let (
                &[
                    Segment::Slice {
                        base,
                        start,
                        length,
                    },
                ],
                Segment::Slice {
                    base: around,
                    start: first,
                    length: all,
                },
            ) = (wanted, segment)
                && base == around
            {
                let offset = self.minus(start, first);
                let [end, end_around] = [self.plus(start, length), self.plus(first, all)];
                let is_behind = self.at_most(first, start);
                let is_before = self.at_most(end, end_around);
                // A part of a part lies within it, if only by what the path says.
                if self.follows(is_behind) && self.follows(is_before) {
                    let place = self.plus(before, offset);
                    places.push(place);
                }
            }
            let length = self.length_of_segment(segment);
            before = self.plus(before, length);
        }
        places
    }

    /// Whether the path is known to imply a condition.
    pub(super) fn follows(&mut self, condition: Term) -> bool {
        if let Some(holds) = self.settled(condition) {
            return holds;
        }
        let decision = self.solver.decide_at_once(&self.pool, condition);
        decision.fails == heapwright_solve::smt::Satisfiability::Unsat
    }

    /// Starts and places of the searches for a string in another so far.
    fn found(&self, question: Question, text: &[Segment], wanted: &[Segment]) -> Vec<(Term, Term)> {
        let entries = self.texts.iter().filter_map(|entry| match entry {
            TextEntry::Answer {
                query,
                texts,
                numbers,
                is,
            } if *query == question && texts[0] == text && texts[1] == wanted => {
                Some((numbers[0], *is))
            }
            _ => None,
        });
        entries.collect()
    }

    /// A search that begins later finds what one that begins earlier finds, or something behind it.
    fn are_consistent(&mut self, [(early, first), (late, second)]: [(Term, Term); 2]) {
        let zero = self.pool.int(0);
        let is_ordered = self.at_most(early, late);
        let is_found = self.at_most(zero, first);
        let is_second_found = self.at_most(zero, second);
        let is_up_to = self.at_most(first, second);
        let is_first = self.both(is_found, is_up_to);
        let condition = self.both(is_ordered, is_second_found);
        self.if_then(condition, is_first);
        let is_late = self.at_most(late, first);
        let condition = self.both(is_ordered, is_found);
        let condition = self.both(condition, is_late);
        let is_same = self.same(first, second);
        self.if_then(condition, is_same);
    }

    /// The first place is not behind the last one, and there are both or neither.
    fn is_first_of(&mut self, first: Term, last: Term) {
        let zero = self.pool.int(0);
        let are_found = [first, last].map(|place| self.at_most(zero, place));
        self.equivalent(are_found[0], are_found[1]);
        let is_ordered = self.at_most(first, last);
        self.state(is_ordered);
    }
}

/// Number of characters before the first slice.
fn leading_chars<'a>(segments: impl Iterator<Item = &'a Segment>) -> usize {
    let chars = segments.take_while(|segment| matches!(segment, Segment::Char(_)));
    chars.count().min(MAX_SEGMENTS)
}

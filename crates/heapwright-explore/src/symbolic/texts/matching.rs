//! Matches of regular expressions: places that satisfy some facts.
//!
//! A match divides a string into parts, one for each part of the expression. Which they are is open;
//! what each has is not. That there is no match is known of expressions that are sequences of
//! characters of sets, of which one is repeated.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::MatchKind;
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::patterns::{Item, Node, Pattern};
use super::units::{Allowed, UnitSet};
use super::{Segment, TextEntry};

/// Most repetitions of a part of an expression that are parts of their own.
const MAX_PARTS: u32 = 16;
/// Ends of lines that an anchor at the end leaves.
const LINE_ENDS: [(u16, u16); 4] = [(0x0A, 0x0A), (0x0D, 0x0D), (0x85, 0x85), (0x2028, 0x2029)];

/// Attempt of a match on a path.
#[derive(Clone, Debug)]
pub(in crate::symbolic) struct Matched {
    pub kind: MatchKind,
    pub text: Vec<Segment>,
    pub pattern: Vec<u16>,
    pub from: Term,
    /// Whether there is a match.
    pub is_found: Term,
    /// First place of each group and the place behind it, those of the whole match first; -1 where
    /// a group has no part.
    pub places: Vec<[Term; 2]>,
}

/// Match of which the facts are stated.
struct Matching<'a> {
    text: &'a [Segment],
    length: Term,
    groups: Vec<Option<[Term; 2]>>,
}

impl SymbolicMachine {
    /// Attempt of a match from a place on, which is within the string.
    pub(super) fn matched(
        &mut self,
        kind: MatchKind,
        text: &[Segment],
        units: &[u16],
        from: Term,
    ) -> Option<Rc<Matched>> {
        let known = self.texts.iter().find_map(|entry| match entry {
            TextEntry::Matched(one)
                if one.kind == kind
                    && one.from == from
                    && one.pattern == units
                    && one.text == text =>
            {
                Some(Rc::clone(one))
            }
            _ => None,
        });
        if let Some(known) = known {
            return Some(known);
        }
        let pattern = Pattern::read(units)?;
        let length = self.total(text);
        let (is_found, whole) = match pattern.literal() {
            Some(literal) if kind == MatchKind::Search => {
                self.found_literal(text, &literal, from)?
            }
            _ => self.found_match(kind, length, from),
        };
        let mut matching = Matching {
            text,
            length,
            groups: vec![None; pattern.groups],
        };
        let root = match kind {
            MatchKind::Whole => pattern.unanchored(),
            _ => pattern.root.clone(),
        };
        self.is_match(&mut matching, &root, is_found, whole, false)?;
        match kind {
            MatchKind::Whole => self.is_mismatch(text, length, &root, is_found)?,
            MatchKind::Search => {
                self.is_first_match(text, length, &pattern, is_found, [from, whole[0]])
            }
            MatchKind::Start => {}
        }
        let mut places = vec![whole];
        for group in matching.groups {
            let none = self.pool.int(-1);
            places.push(group.unwrap_or([none; 2]));
        }
        let matched = Rc::new(Matched {
            kind,
            text: text.to_vec(),
            pattern: units.to_vec(),
            from,
            is_found,
            places,
        });
        self.texts.push(TextEntry::Matched(Rc::clone(&matched)));
        Some(matched)
    }

    fn found_literal(
        &mut self,
        text: &[Segment],
        literal: &[u16],
        from: Term,
    ) -> Option<(Term, [Term; 2])> {
        let chars = literal
            .iter()
            .map(|&unit| Segment::Char(self.pool.int(unit.into())));
        let chars: Vec<Segment> = chars.collect();
        let place = self.find(text, &chars, from)?;
        let zero = self.pool.int(0);
        let count = self.pool.int(literal.len() as i32);
        let is_found = self.at_most(zero, place);
        Some((is_found, [place, self.plus(place, count)]))
    }

    /// Variables for whether there is a match, and for its places.
    fn found_match(&mut self, kind: MatchKind, length: Term, from: Term) -> (Term, [Term; 2]) {
        self.has_abstracted = true;
        let is_found = self.new_answer(Kind::Boolean);
        let start = match kind {
            MatchKind::Search => self.new_answer(Kind::Int),
            _ => from,
        };
        let end = match kind {
            MatchKind::Whole => length,
            _ => self.new_answer(Kind::Int),
        };
        for (a, b) in [(from, start), (start, end), (end, length)] {
            let fact = self.at_most(a, b);
            self.if_then(is_found, fact);
        }
        (is_found, [start, end])
    }

    /// Place between two others where a condition holds.
    fn place_between(&mut self, condition: Term, start: Term, end: Term) -> Term {
        let place = self.new_answer(Kind::Int);
        for (a, b) in [(start, place), (place, end)] {
            let fact = self.at_most(a, b);
            self.if_then(condition, fact);
        }
        place
    }

    /// States that, where a condition holds, a part of an expression matches what is between two
    /// places. Groups of what may be repeated, or left out, have open places.
    fn is_match(
        &mut self,
        matching: &mut Matching<'_>,
        node: &Node,
        condition: Term,
        [start, end]: [Term; 2],
        is_optional: bool,
    ) -> Option<()> {
        let (least, most) = node.lengths();
        let length = self.minus(end, start);
        self.is_count(condition, length, least, most);
        match node {
            Node::Units(units, is_wide) => {
                if !is_wide {
                    let char = self.char_at(matching.text, start)?;
                    let is_unit = self.is_unit_of(char, units);
                    self.if_then(condition, is_unit);
                    return Some(());
                }
                self.is_pair(matching.text, condition, [start, end])?;
                self.are_units(matching, condition, [start, end], units)
            }
            Node::Concat(nodes) => {
                self.is_sequence(matching, nodes, condition, [start, end], is_optional)
            }
            Node::Either(nodes) => {
                let mut is_any = self.pool.bool(false);
                for node in nodes {
                    let is_this = self.new_answer(Kind::Boolean);
                    is_any = self.either_of(is_any, is_this);
                    let condition = self.both(condition, is_this);
                    self.is_match(matching, node, condition, [start, end], true)?;
                }
                self.if_then(condition, is_any);
                Some(())
            }
            Node::Repeat(node, 0, Some(1)) => {
                let is_there = self.less(start, end);
                let condition = self.both(condition, is_there);
                self.is_match(matching, node, condition, [start, end], true)
            }
            Node::Repeat(inner, least, most) => match &**inner {
                Node::Units(_, false) if *most == Some(*least) && *least <= MAX_PARTS => {
                    let nodes = vec![(**inner).clone(); *least as usize];
                    self.is_sequence(matching, &nodes, condition, [start, end], is_optional)
                }
                node => {
                    self.are_units(matching, condition, [start, end], &node.alphabet())?;
                    self.open_groups(matching, node);
                    Some(())
                }
            },
            Node::Group(number, inner) => {
                if is_optional {
                    self.open_groups(matching, node);
                    return self.is_match(matching, inner, condition, [start, end], true);
                }
                *matching.groups.get_mut(number - 1)? = Some([start, end]);
                self.is_match(matching, inner, condition, [start, end], false)
            }
            Node::Start => {
                let zero = self.pool.int(0);
                let is_first = self.same(start, zero);
                self.if_then(condition, is_first);
                Some(())
            }
            Node::End => {
                let two = self.pool.int(2);
                let rest = self.minus(matching.length, end);
                let is_last = self.at_most(rest, two);
                self.if_then(condition, is_last);
                let ends = UnitSet::of(&LINE_ENDS);
                self.are_units(matching, condition, [end, matching.length], &ends)
            }
            Node::Boundary => Some(()),
        }
    }

    /// States that a number of units is between two bounds where a condition holds.
    fn is_count(&mut self, condition: Term, count: Term, least: u32, most: Option<u32>) {
        let least = self.pool.int(least.min(i32::MAX as u32) as i32);
        let fact = self.at_most(least, count);
        self.if_then(condition, fact);
        if let Some(most) = most.and_then(|most| i32::try_from(most).ok()) {
            let most = self.pool.int(most);
            let fact = self.at_most(count, most);
            self.if_then(condition, fact);
        }
    }

    fn are_units(
        &mut self,
        matching: &Matching<'_>,
        condition: Term,
        range: [Term; 2],
        units: &UnitSet,
    ) -> Option<()> {
        let allowed = Allowed::units(units.clone());
        self.all_are(condition, matching.text, Some(range), &allowed);
        // The ends of what is repeated are looked at.
        let [start, end] = range;
        let one = self.pool.int(1);
        let last = self.minus(end, one);
        for place in [start, last] {
            self.char_at(matching.text, place)?;
        }
        Some(())
    }

    /// States that parts of an expression match one after the other.
    fn is_sequence(
        &mut self,
        matching: &mut Matching<'_>,
        nodes: &[Node],
        condition: Term,
        [mut start, mut end]: [Term; 2],
        is_optional: bool,
    ) -> Option<()> {
        let fixed = |node: &Node| {
            let (least, most) = node.lengths();
            (most == Some(least)).then_some(least as i32)
        };
        let mut nodes = nodes;
        while let [rest @ .., last] = nodes
            && !rest.is_empty()
            && let Some(count) = fixed(last)
        {
            let count = self.pool.int(count);
            let before = self.minus(end, count);
            self.is_match(matching, last, condition, [before, end], is_optional)?;
            (end, nodes) = (before, rest);
        }
        while let [first, rest @ ..] = nodes {
            let behind = match fixed(first) {
                _ if rest.is_empty() => end,
                Some(count) => {
                    let count = self.pool.int(count);
                    self.plus(start, count)
                }
                None => self.place_between(condition, start, end),
            };
            self.is_match(matching, first, condition, [start, behind], is_optional)?;
            (start, nodes) = (behind, rest);
        }
        Some(())
    }

    /// Gives the groups in a part of an expression open places in the string, or none.
    fn open_groups(&mut self, matching: &mut Matching<'_>, node: &Node) {
        match node {
            Node::Group(number, inner) => {
                let (zero, none) = (self.pool.int(0), self.pool.int(-1));
                let is_there = self.new_answer(Kind::Boolean);
                let start = self.place_between(is_there, zero, matching.length);
                let end = self.place_between(is_there, start, matching.length);
                let places = [start, end].map(|place| self.pool.ite(is_there, place, none));
                if let Some(group) = matching.groups.get_mut(number - 1) {
                    *group = Some(places);
                }
                self.open_groups(matching, inner);
            }
            Node::Concat(nodes) | Node::Either(nodes) => {
                for node in nodes {
                    self.open_groups(matching, node);
                }
            }
            Node::Repeat(inner, ..) => self.open_groups(matching, inner),
            _ => {}
        }
    }

    /// States that two units between two places, where a condition holds, are a pair of surrogates.
    fn is_pair(
        &mut self,
        text: &[Segment],
        condition: Term,
        [start, end]: [Term; 2],
    ) -> Option<()> {
        let one = self.pool.int(1);
        let length = self.minus(end, start);
        let is_pair = self.less(one, length);
        let condition = self.both(condition, is_pair);
        let second = self.plus(start, one);
        for (place, range) in [(start, (0xD800, 0xDBFF)), (second, (0xDC00, 0xDFFF))] {
            let char = self.char_at(text, place)?;
            let is_half = self.is_unit_of(char, &UnitSet::of(&[range]));
            self.if_then(condition, is_half);
        }
        Some(())
    }

    /// States what a string has that no match is the whole of.
    fn is_mismatch(
        &mut self,
        text: &[Segment],
        length: Term,
        root: &Node,
        is_found: Term,
    ) -> Option<()> {
        let is_missing = self.pool.not(is_found);
        for shape in root.shapes() {
            let open = shape.iter().filter(|item| item.count().is_none()).count();
            if open <= 1 {
                let is_shaped = self.has_shape(text, length, &shape)?;
                let is_other = self.pool.not(is_shaped);
                self.if_then(is_missing, is_other);
            } else if let [before, item, after] = &shape[..]
                && before == after
                && (before.least, before.most, item.count()) == (0, None, Some(1))
            {
                self.is_nowhere(text, length, is_missing, [before, item])?;
            }
        }
        Some(())
    }

    /// Condition that a string is a sequence of characters of sets, of which one may be repeated.
    fn has_shape(&mut self, text: &[Segment], length: Term, shape: &[Item]) -> Option<Term> {
        let place = shape.iter().position(|item| item.count().is_none());
        let (front, back) = shape.split_at(place.unwrap_or(shape.len()));
        let ends = |items: &[Item]| -> Vec<UnitSet> {
            let items = items
                .iter()
                .filter_map(|item| Some((&item.units, item.count()?)));
            let units = items.flat_map(|(units, count)| {
                std::iter::repeat_n(units.clone(), count.min(MAX_PARTS * 2) as usize)
            });
            units.collect()
        };
        let is_long = shape
            .iter()
            .any(|item| item.count().is_some_and(|count| count > MAX_PARTS * 2));
        let (front, open, back) = match (back, place) {
            ([open, back @ ..], Some(_)) => (ends(front), Some(open), ends(back)),
            _ => (ends(front), None, Vec::new()),
        };
        if is_long {
            return Some(self.pool.bool(false));
        }
        let fixed = self.pool.int((front.len() + back.len()) as i32);
        let rest = self.minus(length, fixed);
        let (least, most) = open.map_or((0, Some(0)), |open| (open.least, open.most));
        let least = self.pool.int(least as i32);
        let mut all = self.at_most(least, rest);
        if let Some(most) = most {
            let most = self.pool.int(most as i32);
            let is_short = self.at_most(rest, most);
            all = self.both(all, is_short);
        }
        for (number, units) in front.iter().enumerate() {
            let place = self.pool.int(number as i32);
            let char = self.char_at(text, place)?;
            let is_unit = self.is_unit_of(char, units);
            all = self.both(all, is_unit);
        }
        for (number, units) in back.iter().rev().enumerate() {
            let count = self.pool.int(number as i32 + 1);
            let place = self.minus(length, count);
            let char = self.char_at(text, place)?;
            let is_unit = self.is_unit_of(char, units);
            all = self.both(all, is_unit);
        }
        if let Some(open) = open {
            let start = self.pool.int(front.len() as i32);
            let end = self.pool.int(back.len() as i32);
            let end = self.minus(length, end);
            let is_other = self.has_other(text, [start, end], &open.units)?;
            let are_units = self.pool.not(is_other);
            all = self.both(all, are_units);
        }
        Some(all)
    }

    /// Condition that a character between two places is none of a set: that at a variable place, which
    /// has such a character where there is any.
    pub(super) fn has_other(
        &mut self,
        text: &[Segment],
        range: [Term; 2],
        units: &UnitSet,
    ) -> Option<Term> {
        let [start, end] = range;
        let place = self.new_answer(Kind::Int);
        let is_behind = self.at_most(start, place);
        let is_before = self.less(place, end);
        let is_in = self.both(is_behind, is_before);
        let char = self.char_at(text, place)?;
        let is_unit = self.is_unit_of(char, units);
        let is_other = self.pool.not(is_unit);
        let has_other = self.both(is_in, is_other);
        let has_none = self.pool.not(has_other);
        let allowed = Allowed::units(units.clone());
        self.all_are(has_none, text, Some(range), &allowed);
        Some(has_other)
    }

    /// States that a string without a match of an item among others of a set does not have it.
    fn is_nowhere(
        &mut self,
        text: &[Segment],
        length: Term,
        is_missing: Term,
        [around, item]: [&Item; 2],
    ) -> Option<()> {
        let zero = self.pool.int(0);
        let has_other = self.has_other(text, [zero, length], &around.units)?;
        let has_none = self.pool.not(has_other);
        let condition = self.both(is_missing, has_none);
        let allowed = Allowed::units(item.units.complement());
        self.all_are(condition, text, None, &allowed);
        Some(())
    }

    /// States that nothing matches in front of the first match.
    fn is_first_match(
        &mut self,
        text: &[Segment],
        length: Term,
        pattern: &Pattern,
        is_found: Term,
        [from, start]: [Term; 2],
    ) {
        if let Some((units, _)) = pattern.set() {
            let end = self.pool.ite(is_found, start, length);
            let allowed = Allowed::units(units.complement());
            let always = self.pool.bool(true);
            self.all_are(always, text, Some([from, end]), &allowed);
        }
    }
}

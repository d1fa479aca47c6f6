//! Regular expressions (`java.util.regex.Pattern`) without flags, as far as facts about their
//! matches are known.
//!
//! Invariant: an expression that is read means what Java takes it for; any other one is refused.

use super::units::UnitSet;

/// Most units of an expression.
const MAX_UNITS: usize = 256;
/// Deepest nesting of groups.
const MAX_DEPTH: u32 = 16;
/// Greatest number of repetitions that an expression asks for.
const MAX_COUNT: u32 = 1 << 12;
/// Most sequences that an expression is taken apart into, and most items of one.
const MAX_SHAPES: usize = 16;
const MAX_ITEMS: usize = 48;

/// Part of a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A character of a set; if it may lie beyond the Basic Multilingual Plane, one of two units.
    Units(UnitSet, bool),
    Concat(Vec<Node>),
    Either(Vec<Node>),
    /// Repetition from a least to a greatest number of times.
    Repeat(Box<Node>, u32, Option<u32>),
    /// Group with a number.
    Group(usize, Box<Node>),
    Start,
    End,
    /// Condition on the place.
    Boundary,
}

/// Regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub root: Node,
    /// Number of groups that capture.
    pub groups: usize,
}

/// Repetitions of a character of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub units: UnitSet,
    pub least: u32,
    pub most: Option<u32>,
}

impl Item {
    /// Number of repetitions, if there is only one.
    pub fn count(&self) -> Option<u32> {
        (self.most == Some(self.least)).then_some(self.least)
    }
}

impl Node {
    /// Least and greatest number of units of a match.
    pub fn lengths(&self) -> (u32, Option<u32>) {
        match self {
            Node::Units(_, is_wide) => (1, Some(if *is_wide { 2 } else { 1 })),
            Node::Concat(nodes) => nodes.iter().fold((0, Some(0)), |sum: (u32, _), node| {
                let (least, most) = node.lengths();
                let both = sum.1.zip(most);
                let most = both.and_then(|(a, b): (u32, u32)| a.checked_add(b));
                (sum.0.saturating_add(least), most)
            }),
            Node::Either(nodes) => {
                let all: Vec<_> = nodes.iter().map(Node::lengths).collect();
                let least = all.iter().map(|lengths| lengths.0).min();
                let most: Option<Vec<u32>> = all.iter().map(|lengths| lengths.1).collect();
                (
                    least.unwrap_or(0),
                    most.and_then(|all| all.into_iter().max()),
                )
            }
            Node::Repeat(node, least, most) => {
                let (shortest, longest) = node.lengths();
                let most = longest.zip(*most);
                let most = most.and_then(|(a, b)| a.checked_mul(b));
                (shortest.saturating_mul(*least), most)
            }
            Node::Group(_, node) => node.lengths(),
            Node::Start | Node::End | Node::Boundary => (0, Some(0)),
        }
    }

    /// Units that a match may have.
    pub fn alphabet(&self) -> UnitSet {
        match self {
            Node::Units(units, _) => units.clone(),
            Node::Concat(nodes) | Node::Either(nodes) => {
                let none = UnitSet::default();
                nodes
                    .iter()
                    .fold(none, |all, node| all.union(&node.alphabet()))
            }
            Node::Repeat(node, ..) | Node::Group(_, node) => node.alphabet(),
            Node::Start | Node::End | Node::Boundary => UnitSet::default(),
        }
    }

    /// Whether a match depends on what is around it.
    fn looks_around(&self) -> bool {
        match self {
            Node::Units(..) => false,
            Node::Concat(nodes) | Node::Either(nodes) => nodes.iter().any(Node::looks_around),
            Node::Repeat(node, ..) | Node::Group(_, node) => node.looks_around(),
            Node::Start | Node::End | Node::Boundary => true,
        }
    }

    /// Sequences of which each string matches, without surrogates; not all strings that match.
    pub fn shapes(&self) -> Vec<Vec<Item>> {
        self.try_shapes().unwrap_or_default()
    }

    fn try_shapes(&self) -> Option<Vec<Vec<Item>>> {
        let shapes = match self {
            Node::Units(units, _) => vec![vec![Item {
                units: units.without_surrogates(),
                least: 1,
                most: Some(1),
            }]],
            Node::Concat(nodes) => {
                let mut all = vec![Vec::new()];
                for node in nodes {
                    let next = node.try_shapes()?;
                    let joined = all.iter().flat_map(|before| {
                        let after = next.iter();
                        after.map(move |after| [&before[..], after].concat())
                    });
                    all = joined.collect();
                    if all.len() > MAX_SHAPES {
                        return None;
                    }
                }
                all
            }
            Node::Either(nodes) => {
                let all: Option<Vec<_>> = nodes.iter().map(Node::try_shapes).collect();
                all?.concat()
            }
            Node::Repeat(node, 0, Some(1)) => {
                let mut all = node.try_shapes()?;
                all.push(Vec::new());
                all
            }
            Node::Repeat(node, least, most) => {
                let mut inner = node.try_shapes()?;
                let [item] = &mut inner.first_mut()?[..] else {
                    return None;
                };
                if item.count() != Some(1) || inner.len() != 1 {
                    return None;
                }
                let units = inner.remove(0).remove(0).units;
                vec![vec![Item {
                    units,
                    least: *least,
                    most: *most,
                }]]
            }
            Node::Group(_, node) => node.try_shapes()?,
            Node::Start | Node::End | Node::Boundary => return None,
        };
        let is_small = shapes.len() <= MAX_SHAPES;
        let is_short = shapes.iter().all(|shape| shape.len() <= MAX_ITEMS);
        (is_small && is_short).then_some(shapes)
    }
}

impl Pattern {
    /// Reads an expression without flags.
    pub fn read(units: &[u16]) -> Option<Pattern> {
        if units.len() > MAX_UNITS {
            return None;
        }
        let mut reader = Reader {
            units,
            at: 0,
            groups: 0,
            names: Vec::new(),
            depth: 0,
        };
        let root = reader.either()?;
        (reader.at == units.len()).then_some(Pattern {
            root,
            groups: reader.groups,
        })
    }

    /// Expression that the whole of a string matches in the same cases, without anchors at its ends.
    pub fn unanchored(&self) -> Node {
        let Node::Concat(nodes) = &self.root else {
            return self.root.clone();
        };
        let mut nodes = &nodes[..];
        if let [Node::Start, rest @ ..] = nodes {
            nodes = rest;
        }
        if let [rest @ .., Node::End] = nodes {
            nodes = rest;
        }
        Node::Concat(nodes.to_vec())
    }

    /// Characters that are all that matches.
    pub fn literal(&self) -> Option<Vec<u16>> {
        if self.groups > 0 || self.root.looks_around() || self.root.lengths().1.is_none() {
            return None;
        }
        let shapes = self.root.shapes();
        let [shape] = &shapes[..] else {
            return None;
        };
        let mut units = Vec::new();
        for item in shape {
            let unit = item.units.only()?;
            units.extend(std::iter::repeat_n(unit, item.count()? as usize));
        }
        // A set that had surrogates, too, is none of one character.
        let (least, most) = self.root.lengths();
        let is_plain = most == Some(least) && least as usize == units.len();
        (is_plain && !units.is_empty()).then_some(units)
    }

    /// Characters of which one matches, or as many as there are, and whether these are many; none of
    /// them is part of a pair of surrogates.
    pub fn set(&self) -> Option<(UnitSet, bool)> {
        let mut node = &self.root;
        loop {
            match node {
                Node::Group(_, inner) => node = inner,
                Node::Concat(nodes) if nodes.len() == 1 => node = &nodes[0],
                Node::Units(units, false) => return Some((units.clone(), false)),
                Node::Repeat(inner, 1, None) => match &**inner {
                    Node::Units(units, false) => return Some((units.clone(), true)),
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

/// Reader of an expression.
struct Reader<'a> {
    units: &'a [u16],
    at: usize,
    groups: usize,
    names: Vec<Vec<u16>>,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        let unit = *self.units.get(self.at)?;
        char::from_u32(unit.into())
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        Some(char)
    }

    fn accepts(&mut self, wanted: &str) -> bool {
        let wanted: Vec<u16> = wanted.encode_utf16().collect();
        let is_there = self.units[self.at..].starts_with(&wanted);
        if is_there {
            self.at += wanted.len();
        }
        is_there
    }

    fn either(&mut self) -> Option<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut nodes = vec![self.concat()?];
        while self.accepts("|") {
            nodes.push(self.concat()?);
        }
        self.depth -= 1;
        Some(match nodes.len() {
            1 => nodes.remove(0),
            _ => Node::Either(nodes),
        })
    }

    fn concat(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while self.at < self.units.len() && !matches!(self.peek(), Some('|' | ')')) {
            let atom = self.atom()?;
            nodes.push(self.repeated(atom)?);
        }
        Some(Node::Concat(nodes))
    }

    fn repeated(&mut self, atom: Node) -> Option<Node> {
        let (least, most) = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                self.at += 1;
                let least = self.number()?;
                let most = match self.accepts(",") {
                    false => Some(least),
                    true if self.peek() == Some('}') => None,
                    true => Some(self.number()?),
                };
                if self.peek() != Some('}') || most.is_some_and(|most| most < least) {
                    return None;
                }
                (least, most)
            }
            _ => return Some(atom),
        };
        self.at += 1;
        // A possessive repetition matches less.
        if self.peek() == Some('+') || atom.looks_around() {
            return None;
        }
        // A reluctant repetition matches the same, but not as much as it can: see `Pattern::set`.
        let atom = match self.accepts("?") {
            true => Node::Concat(vec![atom]),
            false => atom,
        };
        Some(Node::Repeat(Box::new(atom), least, most))
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|char| char.to_digit(10)) {
            number = number * 10 + digit;
            self.at += 1;
            if number > MAX_COUNT {
                return None;
            }
        }
        (self.at > start).then_some(number)
    }

    fn atom(&mut self) -> Option<Node> {
        match self.next()? {
            '(' => {
                let is_named = self.accepts("?<");
                let group = if is_named {
                    self.name()?;
                    self.groups += 1;
                    Some(self.groups)
                } else if self.accepts("?") {
                    if !self.accepts(":") {
                        return None;
                    }
                    None
                } else {
                    self.groups += 1;
                    Some(self.groups)
                };
                let inner = self.either()?;
                if !self.accepts(")") {
                    return None;
                }
                Some(match group {
                    Some(number) => Node::Group(number, Box::new(inner)),
                    None => inner,
                })
            }
            '[' => self.set(),
            '.' => {
                let ends = [(0x0A, 0x0A), (0x0D, 0x0D), (0x85, 0x85), (0x2028, 0x2029)];
                Some(Node::Units(UnitSet::of(&ends).complement(), true))
            }
            '^' => Some(Node::Start),
            '$' => Some(Node::End),
            '\\' => self.escaped(),
            '*' | '+' | '?' | '{' | ')' => None,
            char => Some(Node::Units(UnitSet::unit(unit(char)?), false)),
        }
    }

    /// New name of a group, with the bracket behind it.
    fn name(&mut self) -> Option<()> {
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        let start = self.at;
        while self.peek()?.is_ascii_alphanumeric() {
            self.at += 1;
        }
        let name = self.units[start..self.at].to_vec();
        if self.names.contains(&name) {
            return None;
        }
        self.names.push(name);
        self.accepts(">").then_some(())
    }

    fn escaped(&mut self) -> Option<Node> {
        if self.accepts("b") || self.accepts("B") {
            return Some(Node::Boundary);
        }
        if let Some(negated) = self
            .peek()
            .filter(|char| matches!(char, 'D' | 'S' | 'W'))
            .and_then(|char| class(char.to_ascii_lowercase()))
        {
            self.at += 1;
            return Some(Node::Units(negated.complement(), true));
        }
        Some(Node::Units(self.escape()?, false))
    }

    /// Set of characters behind a backslash.
    fn escape(&mut self) -> Option<UnitSet> {
        if self.accepts("p{") {
            return self.property();
        }
        let char = self.next()?;
        if let Some(units) = class(char) {
            return Some(units);
        }
        Some(UnitSet::unit(match char {
            't' => 0x09,
            'n' => 0x0A,
            'r' => 0x0D,
            'f' => 0x0C,
            _ if char.is_ascii_alphanumeric() => return None,
            char => unit(char)?,
        }))
    }

    /// Property of characters of ASCII.
    fn property(&mut self) -> Option<UnitSet> {
        const PROPERTIES: [(&str, &[(u16, u16)]); 7] = [
            ("Lower}", &[(0x61, 0x7A)]),
            ("Upper}", &[(0x41, 0x5A)]),
            ("Alpha}", &[(0x41, 0x5A), (0x61, 0x7A)]),
            ("Digit}", &[(0x30, 0x39)]),
            ("Alnum}", &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]),
            (
                "Punct}",
                &[(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)],
            ),
            ("Space}", &[(0x09, 0x0D), (0x20, 0x20)]),
        ];
        let mut properties = PROPERTIES.iter();
        let found = properties.find(|property| self.accepts(property.0));
        found.map(|property| UnitSet::of(property.1))
    }

    /// Set in brackets, without unions and intersections of sets.
    fn set(&mut self) -> Option<Node> {
        let is_negated = self.accepts("^");
        let mut units = UnitSet::default();
        let mut is_first = true;
        loop {
            let is_class = self.peek() == Some('\\')
                && self
                    .units
                    .get(self.at + 1)
                    .is_some_and(|&unit| b"dswp".map(u16::from).contains(&unit));
            let one = match self.next()? {
                ']' if is_first => return None,
                ']' => break,
                '[' => return None,
                '&' if self.peek() == Some('&') => return None,
                '^' if is_first => return None,
                '\\' => self.escape()?,
                char => UnitSet::unit(unit(char)?),
            };
            is_first = false;
            let is_range =
                self.peek() == Some('-') && self.units.get(self.at + 1) != Some(&u16::from(b']'));
            let Some(from) = one.only().filter(|_| is_range && !is_class) else {
                if is_range && is_class {
                    return None;
                }
                units = units.union(&one);
                continue;
            };
            self.at += 1;
            let to = match self.next()? {
                '[' | '&' | '-' => return None,
                '\\' => self.escape()?.only()?,
                char => unit(char)?,
            };
            if to < from || from < 0xD800 && to > 0xDFFF {
                return None;
            }
            units = units.union(&UnitSet::of(&[(from, to)]));
        }
        Some(match is_negated {
            true => Node::Units(units.complement(), true),
            false => Node::Units(units, false),
        })
    }
}

/// Predefined class of characters.
fn class(char: char) -> Option<UnitSet> {
    Some(match char {
        'd' => UnitSet::of(&[(0x30, 0x39)]),
        's' => UnitSet::of(&[(0x09, 0x0D), (0x20, 0x20)]),
        'w' => UnitSet::of(&[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]),
        _ => return None,
    })
}

/// Unit of a character that has one.
fn unit(char: char) -> Option<u16> {
    u16::try_from(u32::from(char)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: &str) -> Option<Pattern> {
        Pattern::read(&pattern.encode_utf16().collect::<Vec<u16>>())
    }

    #[test]
    fn lengths_and_characters_of_matches_are_known() {
        let expected = [
            ("", 0, Some(0), ""),
            ("abc", 3, Some(3), "abc"),
            ("[a-c]{2}-?", 2, Some(3), "-abc"),
            ("(a|bc)+", 1, None, "abc"),
            ("(?<name>x)?\\.", 1, Some(2), ".x"),
            ("\\d{2,3}\\p{Punct}", 3, Some(4), "!\"#0123456789"),
            ("^a$", 1, Some(1), "a"),
            ("[^\\x]", 0, None, "refused"),
        ];
        for (pattern, least, most, first) in expected {
            let Some(pattern) = read(pattern) else {
                assert_eq!(first, "refused", "{pattern}");
                continue;
            };
            assert_eq!(pattern.root.lengths(), (least, most));
            let alphabet = pattern.root.alphabet();
            let units = (0..0x80).filter(|&unit| alphabet.contains(unit));
            let units: String = units.map(|unit| char::from(unit as u8)).collect();
            assert!(
                units.contains(first) || first.chars().all(|unit| units.contains(unit)),
                "{units}"
            );
        }
        assert_eq!(read("[^a]").unwrap().root.lengths(), (1, Some(2)));
        assert_eq!(read("a+").unwrap().literal(), None);
        assert_eq!(
            read("a{2}\\.").unwrap().literal(),
            Some(vec![0x61, 0x61, 0x2E])
        );
    }

    #[test]
    fn sets_are_those_of_characters_that_are_matched_at_will() {
        assert!(read("[ab]+").unwrap().set().unwrap().1);
        assert!(!read("([ab])").unwrap().set().unwrap().1);
        for other in ["[^a]", "a+?", "a*", "ab", "a|b", "a{2,}"] {
            assert_eq!(read(other).unwrap().set(), None, "{other}");
        }
    }

    #[test]
    fn other_expressions_are_refused() {
        let refused = [
            "(",
            ")",
            "[",
            "[]",
            "[]a]",
            "[a",
            "a**",
            "a++",
            "*",
            "+a",
            "{2}",
            "a{2",
            "a{,2}",
            "a{3,2}",
            "\\",
            "(?i)a",
            "(?=a)",
            "(?<=a)b",
            "(?<!a)b",
            "(?>a)",
            "\\1",
            "\\k<a>",
            "\\Q.\\E",
            "\\x41",
            "\\u0041",
            "\\R",
            "\\h",
            "[a-z&&[^b]]",
            "[a[b]]",
            "[\\w-z]",
            "[z-a]",
            "[a-\\d]",
            "[\\D]",
            "\\p{L}",
            "\\P{Alpha}",
            "\\G",
            "\\Z",
            "^*",
            "\\b+",
            "[^^]",
            "\u{1F600}",
        ];
        for pattern in refused {
            assert_eq!(read(pattern), None, "{pattern}");
        }
    }
}

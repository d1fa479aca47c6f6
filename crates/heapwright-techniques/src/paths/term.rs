//! Trace terms: `lcm(1,[cont_9(1,[_,div_11(2,[])])])`.

use std::fmt;
use std::rc::Rc;

use super::rules::{PredicateId, RuleProgram};

/// Trace, or part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceTerm {
    /// `_`: any subtrace.
    Free,
    /// Rule of a predicate, counted from 1, with its subtraces: calls, then the continuation.
    Rule(String, usize, Vec<TraceTerm>),
}

/// Trace resolved to rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Any subtrace.
    Free,
    /// Rule, counted from 0, with its subtraces.
    Rule(PredicateId, usize, Vec<Rc<Pattern>>),
}

impl fmt::Display for TraceTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceTerm::Free => f.write_str("_"),
            TraceTerm::Rule(name, number, below) => {
                write!(f, "{name}({number},[")?;
                for (place, term) in below.iter().enumerate() {
                    let comma = if place > 0 { "," } else { "" };
                    write!(f, "{comma}{term}")?;
                }
                f.write_str("])")
            }
        }
    }
}

/// Greatest nesting depth of terms.
const MAX_DEPTH: usize = 500;

impl TraceTerm {
    /// Parses a term.
    ///
    /// # Errors
    /// Syntax error with its position.
    pub fn parse(text: &str) -> Result<TraceTerm, String> {
        let mut parser = TraceParser { text, at: 0 };
        let term = parser.term(0)?;
        parser.space();
        match parser.rest().is_empty() {
            true => Ok(term),
            false => Err(parser.wrong("nothing more")),
        }
    }

    /// Resolves the term to rules, beginning with a predicate.
    ///
    /// # Errors
    /// Part of the term is no trace; the text lists alternatives.
    pub fn resolve(
        &self,
        program: &RuleProgram,
        predicate: PredicateId,
    ) -> Result<Pattern, String> {
        let TraceTerm::Rule(name, number, below) = self else {
            return Ok(Pattern::Free);
        };
        let known = &program.predicates[predicate];
        if *name != known.name {
            return Err(format!("{name} stands where {} is called", known.name));
        }
        let rules = known.rules.len();
        let rule = number
            .checked_sub(1)
            .and_then(|number| known.rules.get(number));
        let rule =
            rule.ok_or_else(|| format!("{name} has the rules 1 to {rules}, not {number}"))?;
        let calls = rule.calls().map(|targets| {
            let start = targets.iter().find_map(|&target| program.start(target));
            start.unwrap_or_default()
        });
        let places: Vec<PredicateId> = calls.chain(rule.then).collect();
        if places.len() != below.len() {
            let names: Vec<&str> = places
                .iter()
                .map(|&place| &program.predicates[place].name[..])
                .collect();
            return Err(format!(
                "rule {number} of {name} calls [{}], so it takes {} and not {} below it",
                names.join(", "),
                places.len(),
                below.len()
            ));
        }
        let below = below.iter().zip(places);
        let below: Result<Vec<_>, String> = below
            .map(|(term, place)| term.resolve(program, place).map(Rc::new))
            .collect();
        Ok(Pattern::Rule(predicate, number - 1, below?))
    }
}

struct TraceParser<'a> {
    text: &'a str,
    at: usize,
}

impl TraceParser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, expected: &str) -> String {
        let column = self.text[..self.at].chars().count() + 1;
        match self.rest().chars().next() {
            Some(found) => format!("expected {expected} at column {column}, found '{found}'"),
            None => format!("expected {expected} at column {column}, found the end"),
        }
    }

    fn take(&mut self, wanted: char) -> Result<(), String> {
        self.space();
        if self.rest().starts_with(wanted) {
            self.at += wanted.len_utf8();
            return Ok(());
        }
        Err(self.wrong(&format!("'{wanted}'")))
    }

    fn word(&mut self) -> &str {
        self.space();
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$');
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += length;
        &self.text[start..self.at]
    }

    fn term(&mut self, depth: usize) -> Result<TraceTerm, String> {
        if depth > MAX_DEPTH {
            return Err(format!("terms are nested deeper than {MAX_DEPTH}"));
        }
        let name = self.word().to_owned();
        match &name[..] {
            "" => return Err(self.wrong("a predicate or _")),
            "_" => return Ok(TraceTerm::Free),
            _ => {}
        }
        self.take('(')?;
        let number = self.word().to_owned();
        let number = number.parse().map_err(|_| self.wrong("a rule's number"))?;
        self.take(',')?;
        self.take('[')?;
        let mut below = Vec::new();
        self.space();
        if !self.rest().starts_with(']') {
            below.push(self.term(depth + 1)?);
            loop {
                self.space();
                if !self.rest().starts_with(',') {
                    break;
                }
                self.take(',')?;
                below.push(self.term(depth + 1)?);
            }
        }
        self.take(']')?;
        self.take(')')?;
        Ok(TraceTerm::Rule(name, number, below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["_", "a(1,[])", "C.m_int(2,[_,loop_3(1,[a(10,[])]),_])"] {
            assert_eq!(TraceTerm::parse(text).expect("a term").to_string(), text);
        }
        assert_eq!(
            TraceTerm::parse(" a ( 1 , [ _ ] ) ")
                .expect("a term")
                .to_string(),
            "a(1,[_])"
        );
    }

    #[test]
    fn what_is_no_term_is_refused() {
        for (text, message) in [
            ("", "expected a predicate or _ at column 1, found the end"),
            ("a", "expected '(' at column 2, found the end"),
            ("a(x,[])", "expected a rule's number at column 4, found ','"),
            ("a(1,[)", "expected a predicate or _ at column 6, found ')'"),
            ("a(1,[])b", "expected nothing more at column 8, found 'b'"),
        ] {
            assert_eq!(TraceTerm::parse(text).expect_err(text), message);
        }
        let deep = "a(1,[".repeat(1000);
        assert!(TraceTerm::parse(&deep).is_err());
    }
}

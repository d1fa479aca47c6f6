//! Tokens of Java sources.

use std::iter::Peekable;
use std::str::Chars;

/// Words that stand before brackets and are no calls.
const KEYWORDS: [&str; 10] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "try",
    "synchronized",
    "return",
    "super",
    "this",
];

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Name or keyword.
    Word,
    Number,
    /// String or text block, with its quotes.
    Text,
    /// Literal of a character, with its quotes.
    Letter,
    /// A single character.
    Symbol,
}

/// Token with the line where it begins, from 1.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) line: usize,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && !matches!(self.kind, Kind::Text | Kind::Letter)
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn is_keyword(&self) -> bool {
        KEYWORDS.contains(&self.text.as_str())
    }

    /// Content of a string, text block or character, as it is written.
    pub(super) fn content(&self) -> &str {
        let is_block = self.text.len() >= 6 && self.text.starts_with("\"\"\"");
        let quotes = if is_block { 3 } else { 1 };
        let content = quotes..self.text.len().saturating_sub(quotes);
        self.text.get(content).unwrap_or_default()
    }
}

/// Reader of the characters of a source.
struct Reader<'a> {
    characters: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.characters.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    fn peek(&mut self) -> Option<char> {
        self.characters.peek().copied()
    }

    fn is_ahead(&self, text: &str) -> bool {
        let mut ahead = self.characters.clone();
        text.chars()
            .all(|character| ahead.next() == Some(character))
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|character| character != '\n') {}
    }

    fn skip_comment(&mut self) {
        self.next();
        while !self.is_ahead("*/") && self.next().is_some() {}
        self.next();
        self.next();
    }

    fn take_while(&mut self, text: &mut String, is_part: impl Fn(&str, char) -> bool) {
        while let Some(character) = self.peek().filter(|&character| is_part(text, character)) {
            text.push(character);
            self.next();
        }
    }

    /// Rest of a literal behind its first quote.
    fn quoted(&mut self, quote: char) -> String {
        let end = match quote == '"' && self.is_ahead("\"\"") {
            true => "\"\"\"",
            false if quote == '"' => "\"",
            false => "'",
        };
        let mut text = quote.to_string();
        for _ in 1..end.len() {
            text.extend(self.next());
        }
        while !self.is_ahead(end) {
            let Some(character) = self.next() else {
                return text;
            };
            text.push(character);
            if character == '\\' {
                text.extend(self.next());
            }
        }
        for _ in 0..end.len() {
            text.extend(self.next());
        }
        text
    }
}

/// Tokens of a source without its comments.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut reader = Reader {
        characters: source.chars().peekable(),
        line: 1,
    };
    let mut tokens = Vec::new();
    loop {
        if reader.is_ahead("//") {
            reader.skip_line();
            continue;
        }
        if reader.is_ahead("/*") {
            reader.skip_comment();
            continue;
        }
        let line = reader.line;
        let Some(character) = reader.next() else {
            return tokens;
        };
        let mut text = character.to_string();
        let kind = match character {
            _ if character.is_whitespace() => continue,
            '"' | '\'' => {
                text = reader.quoted(character);
                match character {
                    '"' => Kind::Text,
                    _ => Kind::Letter,
                }
            }
            '0'..='9' => {
                reader.take_while(&mut text, |before, next| {
                    let is_exponent = before.ends_with(['e', 'E', 'p', 'P'])
                        && (!before.starts_with("0x") || before.contains(['p', 'P']));
                    next.is_alphanumeric()
                        || "._".contains(next)
                        || is_exponent && "+-".contains(next)
                });
                Kind::Number
            }
            _ if character.is_alphabetic() || "_$".contains(character) => {
                reader.take_while(&mut text, |_, next| {
                    next.is_alphanumeric() || "_$".contains(next)
                });
                Kind::Word
            }
            _ => Kind::Symbol,
        };
        tokens.push(Token { kind, text, line });
    }
}

/// Place of the bracket that closes the one at `open`, or of the last token.
pub(super) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Symbol if "({[".contains(&token.text) => depth += 1,
            Kind::Symbol if ")}]".contains(&token.text) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1)
}

/// Place of the bracket that the one at `close` closes, or of the first token.
pub(super) fn opening(tokens: &[Token], close: usize) -> usize {
    let mut candidates = (0..close).rev();
    let opens = |at: &usize| {
        let is_open = tokens[*at].kind == Kind::Symbol && "({[".contains(&tokens[*at].text);
        is_open && closing(tokens, *at) == close
    };
    candidates.find(opens).unwrap_or(0)
}

/// Whether a call or a declaration of a method has its name at a place.
pub(super) fn is_called(tokens: &[Token], at: usize) -> bool {
    let is_name = tokens[at].is_word() && !tokens[at].is_keyword();
    is_name && tokens.get(at + 1).is_some_and(|next| next.is("("))
}

/// Places of the tokens in a call's brackets.
pub(super) fn arguments(tokens: &[Token], name: usize) -> &[Token] {
    tokens
        .get(name + 2..closing(tokens, name + 1))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_by_tokens() {
        let source = "a /* b \" */ = \"c\\\"\" + 'd'; // e\n1.5e-3 \"\"\"\n f\"\n\"\"\" 0x1F-2";
        let read: Vec<(Kind, String, usize)> = tokens(source)
            .into_iter()
            .map(|token| (token.kind, token.text, token.line))
            .collect();
        let expected = [
            (Kind::Word, "a", 1),
            (Kind::Symbol, "=", 1),
            (Kind::Text, "\"c\\\"\"", 1),
            (Kind::Symbol, "+", 1),
            (Kind::Letter, "'d'", 1),
            (Kind::Symbol, ";", 1),
            (Kind::Number, "1.5e-3", 2),
            (Kind::Text, "\"\"\"\n f\"\n\"\"\"", 2),
            (Kind::Number, "0x1F", 4),
            (Kind::Symbol, "-", 4),
            (Kind::Number, "2", 4),
        ];
        let expected = expected.map(|(kind, text, line)| (kind, text.to_owned(), line));
        assert_eq!(read, expected);
    }

    #[test]
    fn brackets_are_matched() {
        let read = tokens("f(\")\", g(x[1]))");
        assert_eq!(closing(&read, 1), read.len() - 1);
        assert_eq!(opening(&read, read.len() - 1), 1);
        assert!(is_called(&read, 0) && !is_called(&read, 1));
        assert_eq!(arguments(&read, 0).len(), 9);
    }
}

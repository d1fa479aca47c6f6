//! Tokens of Java sources, with the white space and the comments between them.
//!
//! Invariant: the texts of all tokens, one after the other, are the source.

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space.
    Space,
    /// Comment of either kind, a line end behind it excluded.
    Comment,
    /// String, text block or character.
    Literal,
    /// Name, keyword or digits.
    Word,
    /// Character of a separator or operator.
    Mark,
}

/// Token of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'s> {
    /// Kind.
    pub kind: TokenKind,
    /// Text.
    pub text: &'s str,
    /// Place of its first byte in the source.
    pub at: usize,
}

impl Token<'_> {
    /// Whether it is neither white space nor a comment.
    #[must_use]
    pub fn is_code(&self) -> bool {
        !matches!(self.kind, TokenKind::Space | TokenKind::Comment)
    }

    /// Whether it opens a bracket.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.kind == TokenKind::Mark && matches!(self.text, "(" | "[" | "{")
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.kind == TokenKind::Mark && matches!(self.text, ")" | "]" | "}")
    }
}

/// Returns the tokens of a source. One that ends too early has its rest as the last token.
pub fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &source[at..];
        let (kind, length) = first_token(rest, rest.chars().next()?);
        let token = Token {
            kind,
            text: &rest[..length],
            at,
        };
        at += length;
        Some(token)
    })
}

/// Kind and length in bytes of the first token of a text that begins with a character.
fn first_token(text: &str, first: char) -> (TokenKind, usize) {
    let while_all = |is_part: fn(char) -> bool| {
        let end = text.find(|letter| !is_part(letter));
        end.unwrap_or(text.len())
    };
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    if first.is_whitespace() {
        return (TokenKind::Space, while_all(char::is_whitespace));
    }
    if text.starts_with("//") {
        let line = text.find('\n').unwrap_or(text.len());
        let line = text[..line].trim_end_matches('\r').len();
        return (TokenKind::Comment, line);
    }
    if let Some(inner) = text.strip_prefix("/*") {
        let end = inner.find("*/").map_or(text.len(), |end| end + 4);
        return (TokenKind::Comment, end);
    }
    if text.starts_with("\"\"\"") {
        return (TokenKind::Literal, quoted(text, "\"\"\""));
    }
    match first {
        '"' => (TokenKind::Literal, quoted(text, "\"")),
        '\'' => (TokenKind::Literal, quoted(text, "'")),
        _ if is_word(first) => (TokenKind::Word, while_all(is_word)),
        _ => (TokenKind::Mark, first.len_utf8()),
    }
}

/// Length of a literal with that mark at its beginning and its end. Those with a single character
/// end with the line at the latest.
fn quoted(text: &str, mark: &str) -> usize {
    let mut at = mark.len();
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '\\' => at += 1,
            '\n' if mark.len() == 1 => return at,
            _ if text[at..].starts_with(mark) => return at + mark.len(),
            _ => {}
        }
        // The character itself, or the one behind a backslash.
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_characters_are_in_tokens() {
        let source = "/** A. */ class A { // B\r\n  String s = \"a\\\"//\" + '\\'' + \"\"\"\n  x \\\"\"\" \"y\"\n  \"\"\"; int é$1; }\n";
        let all: Vec<Token<'_>> = tokens(source).collect();
        assert_eq!(
            all.iter().map(|token| token.text).collect::<String>(),
            source
        );
        let of = |kind| {
            let of_kind = all.iter().filter(|token| token.kind == kind);
            of_kind.map(|token| token.text).collect::<Vec<_>>()
        };
        assert_eq!(of(TokenKind::Comment), ["/** A. */", "// B"]);
        assert_eq!(
            of(TokenKind::Literal),
            [
                "\"a\\\"//\"",
                "'\\''",
                "\"\"\"\n  x \\\"\"\" \"y\"\n  \"\"\""
            ]
        );
        assert_eq!(
            of(TokenKind::Word),
            ["class", "A", "String", "s", "int", "é$1"]
        );
        assert_eq!(
            all.last().map(|last| last.at + last.text.len()),
            Some(source.len())
        );
    }

    #[test]
    fn what_ends_too_early_is_a_token() {
        for source in ["/* a", "\"a", "\"\"\" a \\", "'", "\"a\n\"", "//", "\\"] {
            let all: String = tokens(source).map(|token| token.text).collect();
            assert_eq!(all, source);
        }
    }
}

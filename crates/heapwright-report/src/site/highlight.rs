//! Java source as HTML, with keywords, literals and comments marked.

const KEYWORDS: [&str; 59] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "permits",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "when",
    "while",
    "with",
    "yield",
];

/// What the end of a line leaves open.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Code,
    Comment,
    TextBlock,
}

/// Lines of a source text as HTML, each complete in itself.
pub fn highlighted(text: &str) -> Vec<String> {
    let mut open = Open::Code;
    text.split('\n')
        .map(|line| highlight(line, &mut open))
        .collect()
}

fn highlight(line: &str, open: &mut Open) -> String {
    let mut html = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (length, class) = match open {
            Open::Comment => (end_of(rest, "*/", open), "c"),
            Open::TextBlock => (end_of(rest, "\"\"\"", open), "s"),
            Open::Code if rest.starts_with("//") => (rest.len(), "c"),
            Open::Code if rest.starts_with("/*") => {
                *open = Open::Comment;
                (2 + end_of(&rest[2..], "*/", open), "c")
            }
            Open::Code if rest.starts_with("\"\"\"") => {
                *open = Open::TextBlock;
                (3 + end_of(&rest[3..], "\"\"\"", open), "s")
            }
            Open::Code => token(rest),
        };
        let (shown, behind) = rest.split_at(length);
        match class {
            "" => html += &escaped(shown),
            _ => html += &format!("<span class=\"{class}\">{}</span>", escaped(shown)),
        }
        rest = behind;
    }
    html
}

/// Length up to the end of what is open, or of the line.
fn end_of(text: &str, end: &str, open: &mut Open) -> usize {
    match text.find(end) {
        Some(place) => {
            *open = Open::Code;
            place + end.len()
        }
        None => text.len(),
    }
}

/// Length and class of the first token of code.
fn token(text: &str) -> (usize, &'static str) {
    let first = text.chars().next().unwrap_or_default();
    let while_ = |is_in: fn(char) -> bool| text.find(|letter| !is_in(letter)).unwrap_or(text.len());
    match first {
        '"' | '\'' => (quoted(text, first), "s"),
        '0'..='9' => {
            let is_in = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
            (while_(is_in), "n")
        }
        '@' if text[1..].starts_with(char::is_alphabetic) && !text.starts_with("@interface") => {
            let is_in =
                |letter: char| letter.is_alphanumeric() || matches!(letter, '@' | '.' | '_');
            (while_(is_in), "n")
        }
        letter if letter.is_alphabetic() || letter == '_' || letter == '$' => {
            let is_in = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
            let length = while_(is_in);
            let is_keyword = KEYWORDS.binary_search(&&text[..length]).is_ok();
            (length, if is_keyword { "k" } else { "" })
        }
        letter => (letter.len_utf8(), ""),
    }
}

/// Length of a literal in quotes, or of the rest where it is not closed.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == quote => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// Text whose letters mean themselves in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_tokens_and_what_goes_over_lines() {
        let html =
            highlighted("int a = 'x'; /* <b>\n */ return \"\\\"&\"; // end\n@Test void é1() {}");
        assert_eq!(
            html,
            [
                "<span class=\"k\">int</span> a = <span class=\"s\">'x'</span>; <span class=\"c\">/* &lt;b&gt;</span>",
                "<span class=\"c\"> */</span> <span class=\"k\">return</span> <span class=\"s\">&quot;\\&quot;&amp;&quot;</span>; \
                 <span class=\"c\">// end</span>",
                "<span class=\"n\">@Test</span> <span class=\"k\">void</span> é1() {}",
            ]
        );
        assert!(KEYWORDS.is_sorted());
    }
}

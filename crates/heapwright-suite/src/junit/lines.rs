//! Lines of a test: where long ones are broken, and which of them assert an observation.
//!
//! Invariant: a break is white space between two tokens, so that the source keeps its meaning.

/// Maximum number of columns of a test's lines where a project says nothing else.
pub(super) const WIDTH: usize = 120;
/// Maximum number of columns of comments and lists of numbers.
const LIST_WIDTH: usize = 88;
/// Indentation of the lines that continue another one.
pub(super) const CONTINUATION: &str = "        ";

/// Beginning of the lines that continue a comment.
pub(super) const COMMENT_CONTINUATION: &str = "//     ";

/// Line of a test's body without its indentation; an anonymous class has several lines in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BodyLine {
    pub text: String,
    /// Observation that it asserts, by its index.
    pub observation: Option<usize>,
}

impl From<String> for BodyLine {
    fn from(text: String) -> BodyLine {
        BodyLine {
            text,
            observation: None,
        }
    }
}

impl BodyLine {
    /// The line in the body of another method.
    pub fn indented(self) -> BodyLine {
        let lines = self.text.split('\n').map(|line| match line {
            "" => String::new(),
            line => format!("    {line}"),
        });
        BodyLine {
            text: lines.collect::<Vec<_>>().join("\n"),
            ..self
        }
    }
}

/// Wraps a long list of literals.
pub(super) fn wrap(line: &str) -> Vec<String> {
    let is_list = line.ends_with("};") && !line.contains(['"', '\'']);
    match is_list {
        true => fold(line, CONTINUATION, LIST_WIDTH),
        false => vec![line.to_owned()],
    }
}

/// Wraps a comment where it is too long.
pub(super) fn fold_comment(comment: &str) -> Vec<String> {
    fold(comment, COMMENT_CONTINUATION, LIST_WIDTH)
}

/// Wraps a line of more than these columns between words; lines after the first begin with `start`.
pub(super) fn fold(line: &str, start: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    for word in line.split_inclusive(' ') {
        // A single word is never broken.
        let is_empty = current.is_empty() || current == start;
        if !is_empty && current.len() + word.trim_end().len() > width {
            lines.push(current.trim_end().to_owned());
            current = start.to_owned();
        }
        current.push_str(word);
    }
    lines.push(current.trim_end().to_owned());
    lines
}

/// Breaks a line of Java that has more than `width` columns behind an indentation: between arguments,
/// else before the first of them. A single long literal stays as it is.
pub(super) fn broken(line: &str, indentation: usize, width: usize) -> Vec<String> {
    let width = width.saturating_sub(indentation);
    if line.trim_start().starts_with("//") {
        return vec![line.to_owned()];
    }
    let own = line.len() - line.trim_start().len();
    let start = " ".repeat(own) + CONTINUATION;
    let mut lines = Vec::new();
    let mut rest = line.to_owned();
    while rest.len() > width {
        let Some(at) = best_break(&rest, width) else {
            break;
        };
        lines.push(rest[..at].trim_end().to_owned());
        rest = format!("{start}{}", rest[at..].trim_start());
    }
    lines.push(rest);
    lines
}

/// Place of a break within the width: the outermost comma, else the outermost opening
/// parenthesis, else the last arrow or assignment; without any the first comma behind it.
fn best_break(line: &str, width: usize) -> Option<usize> {
    let breaks = breaks(line);
    let own = line.len() - line.trim_start().len();
    let possible = breaks
        .iter()
        .filter(|found| found.at > own + 1 && found.at < line.len());
    let fitting = possible.clone().filter(|found| found.at <= width);
    let best = fitting.min_by_key(|found| (found.kind, found.depth, std::cmp::Reverse(found.at)));
    // Behind a literal that is too long itself.
    let mut behind = possible.filter(|found| found.kind == BreakKind::Comma);
    best.or_else(|| behind.next()).map(|found| found.at)
}

/// Place where a line may be broken.
struct Break {
    kind: BreakKind,
    /// Number of brackets around it that were opened on the line.
    depth: i32,
    at: usize,
}

/// Kind of place, the better ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BreakKind {
    Comma,
    Parenthesis,
    Arrow,
}

/// All places where a line may be broken, outside of literals and type arguments.
fn breaks(line: &str) -> Vec<Break> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let (mut depth, mut angles) = (0, 0_usize);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, &byte) in bytes.iter().enumerate() {
        if let Some(open) = quote {
            if byte == open && !is_escaped {
                quote = None;
            }
            is_escaped = byte == b'\\' && !is_escaped;
            continue;
        }
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        let mut add = |kind, depth| {
            let at = at + 1;
            found.push(Break { kind, depth, at });
        };
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            // An operator stands between spaces.
            b'<' if before != b' ' => angles += 1,
            b'>' if before == b'-' => add(BreakKind::Arrow, depth),
            b'>' => angles = angles.saturating_sub(1),
            b'=' if before == b' ' && next == b' ' => add(BreakKind::Arrow, depth),
            b'(' | b'[' | b'{' => {
                depth += 1;
                if byte == b'(' && next != b')' {
                    add(BreakKind::Parenthesis, depth);
                }
            }
            b')' | b']' | b'}' => depth -= 1,
            b',' if angles == 0 => add(BreakKind::Comma, depth),
            _ => {}
        }
    }
    found
}

/// Exchanges the arguments of each assertion of equality that is a line of its own.
pub(super) fn with_actual_first(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let (indentation, statement) = line.split_at(line.len() - line.trim_start().len());
        exchanged(statement).map_or_else(
            || line.to_owned(),
            |exchanged| format!("{indentation}{exchanged}\n"),
        )
    });
    lines.collect()
}

fn exchanged(statement: &str) -> Option<String> {
    let (name, rest) = statement.split_once('(')?;
    if !matches!(name, "assertEquals" | "assertSame") {
        return None;
    }
    let arguments = rest.trim_end().strip_suffix(");")?;
    let comma = breaks(arguments)
        .into_iter()
        .find(|found| found.kind == BreakKind::Comma && found.depth == 0)?;
    let (expected, actual) = arguments.split_at(comma.at);
    let expected = expected.trim_end_matches(',');
    Some(format!("{name}({}, {expected});", actual.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_arguments() {
        let long = "a".repeat(60);
        let call =
            format!("Map<String, Integer> map = of(List.of(\"{long}, b\", {long}), 'x', 7);");
        let lines = broken(&call, 8, WIDTH);
        assert_eq!(
            lines,
            [
                format!("Map<String, Integer> map = of(List.of(\"{long}, b\","),
                format!("        {long}), 'x', 7);"),
            ]
        );
        assert_eq!(broken("f(1, 2);", 8, WIDTH), ["f(1, 2);"]);
        let text = format!("    f(\"{long}{long}\");");
        assert_eq!(
            broken(&text, 8, WIDTH),
            [
                "    f(".to_owned(),
                format!("            \"{long}{long}\");")
            ]
        );
    }

    #[test]
    fn arguments_of_assertions_are_exchanged() {
        let text = "    assertEquals(value(word, \"a,b\"), result.get(1));\n    other(1, 2);\n";
        assert_eq!(
            with_actual_first(text),
            "    assertEquals(result.get(1), value(word, \"a,b\"));\n    other(1, 2);\n"
        );
    }
}

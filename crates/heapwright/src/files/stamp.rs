//! Checksums in generated files, which tell whether somebody has edited them.
//!
//! The checksum of a Java source is that of its tokens, so that formatters, import sorters and
//! licence headers change nothing. Comments within methods count, as they are somebody's words.

use std::ffi::OsStr;
use std::path::Path;

use super::checksum::checksum;

/// Text before and after the checksum in the last line of a generated file.
const STAMP: (&str, &str) = (
    "Checksum ",
    " of what Heapwright wrote: it overwrites no file that was edited.",
);

/// Depth of braces from which comments count: classes have the first, methods the second.
const METHOD_DEPTH: usize = 2;

/// Appends a comment with the checksum of the contents.
pub(super) fn stamped(path: &Path, contents: &[u8]) -> Vec<u8> {
    let (open, close) = match path.extension().and_then(OsStr::to_str) {
        Some("java") => ("// ", ""),
        Some("txt") => ("# ", ""),
        _ => ("<!-- ", " -->"),
    };
    let text = String::from_utf8_lossy(contents);
    let sum = match is_java(path) {
        true => checksum(tokens(&text).as_bytes()),
        false => checksum(contents),
    };
    let (before, behind) = STAMP;
    let line = format!("{open}{before}{sum:08x}{behind}{close}\n");
    [contents, line.as_bytes()].concat()
}

/// Whether the last line has the checksum of the rest, of its tokens or of its characters.
/// Converted line ends are tolerated.
pub(super) fn is_unedited(path: &Path, file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let lines = text.trim_end();
    let start = lines.rfind('\n').map_or(0, |end| end + 1);
    let stated = lines[start..]
        .split_once(STAMP.0)
        .and_then(|(_, rest)| rest.get(..8));
    let contents = text[..start].replace('\r', "");
    let is_stated = |text: &str| {
        stated.is_some_and(|stated| stated == format!("{:08x}", checksum(text.as_bytes())))
    };
    is_java(path) && is_stated(&tokens(&contents)) || is_stated(&contents)
}

fn is_java(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "java")
}

/// Tokens of a Java source, a line each: its imports in order, and the rest. Operators are divided
/// into their characters.
fn tokens(source: &str) -> String {
    let (mut imports, mut others) = (Vec::new(), Vec::new());
    let mut import: Option<String> = None;
    let mut depth = 0;
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first);
        let (token, behind) = rest.split_at(length);
        rest = behind;
        let is_comment = token.starts_with("//") || token.starts_with("/*");
        match token {
            _ if first.is_whitespace() || is_comment && depth < METHOD_DEPTH => continue,
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let token = match is_comment {
            true => token.split_whitespace().collect::<Vec<_>>().join(" "),
            false => token.to_owned(),
        };
        match &mut import {
            Some(names) if token == ";" => {
                imports.push(std::mem::take(names));
                import = None;
            }
            Some(names) => *names += &format!(" {token}"),
            None if token == "import" && depth == 0 => import = Some(token),
            None => others.push(token),
        }
    }
    imports.sort_unstable();
    imports.extend(import);
    imports.extend(others);
    imports.join("\n")
}

/// Length of the first token of a text, or of the white space or the comment there, in bytes.
fn token_length(text: &str, first: char) -> usize {
    let while_all = |is_part: fn(char) -> bool| {
        let end = text.find(|letter| !is_part(letter));
        end.unwrap_or(text.len())
    };
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    if first.is_whitespace() {
        return while_all(char::is_whitespace);
    }
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    for (open, close) in [("/*", "*/"), ("\"\"\"", "\"\"\"")] {
        if let Some(inner) = text.strip_prefix(open) {
            let end = inner.find(close);
            return end.map_or(text.len(), |end| open.len() + end + close.len());
        }
    }
    if matches!(first, '"' | '\'') {
        let mut is_escaped = false;
        let end = text.char_indices().skip(1).find(|&(_, letter)| {
            let is_end = letter == first && !is_escaped || letter == '\n';
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        });
        return end.map_or(text.len(), |(at, letter)| at + letter.len_utf8());
    }
    match is_word(first) {
        true => while_all(is_word),
        false => first.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "package a;\n\nimport b.C;\nimport static d.E.f;\n\n/** Tests. */\nclass T {\n    \
                          @Test\n    void t() {\n        // Before.\n        List<List<A>> all = f('\"', \"a // b\");\n    \
                          }\n}\n";

    /// Whether a file that was generated counts as edited once its text is another.
    fn is_edited(change: impl Fn(&str) -> String) -> bool {
        let path = Path::new("T.java");
        let file = String::from_utf8(stamped(path, SOURCE.as_bytes())).unwrap();
        !is_unedited(path, change(&file).as_bytes())
    }

    #[test]
    fn formatting_is_no_edit() {
        assert!(!is_edited(str::to_owned));
        assert!(!is_edited(|file| file
            .replace("    ", "\t")
            .replace('\n', "\r\n")));
        assert!(!is_edited(|file| format!(
            "/* Licence of acme. */\n{file}\n\n"
        )));
        assert!(!is_edited(
            |file| file.replace("Tests.", "Tests of a class.")
        ));
        let sorted = "import static d.E.f;\n\nimport b.C;\n";
        let as_written = "import b.C;\nimport static d.E.f;\n";
        assert!(!is_edited(|file| file.replace(as_written, sorted)));
        assert!(!is_edited(|file| file
            .replace("t() {", "t()\n    {")
            .replace(">> all", "> > all")));
    }

    #[test]
    fn changed_words_are_an_edit() {
        for (old, new) in [
            ("a // b", "a //  b"),
            ("Before.", "Why."),
            ("import b.C;", "import b.D;"),
            ("void t()", "void u()"),
            ("'\"'", "'\\''"),
        ] {
            assert!(is_edited(|file| file.replace(old, new)), "{old}");
        }
        assert!(is_edited(
            |file| file.replace("class T {", "class T { int i;")
        ));
    }

    /// Files of earlier versions have the checksum of all characters.
    #[test]
    fn a_checksum_of_characters_holds() {
        let sum = checksum(SOURCE.as_bytes());
        let file = format!("{SOURCE}// {}{sum:08x}{}\n", STAMP.0, STAMP.1);
        assert!(is_unedited(Path::new("T.java"), file.as_bytes()));
    }
}

//! Checksums in generated files, which tell whether somebody has edited them.
//!
//! The checksum of a Java source is that of its tokens, so that formatters, import sorters and
//! licence headers change nothing. Comments within methods count, as they are somebody's words.

use std::ffi::OsStr;
use std::path::Path;

use heapwright_suite::tokens::{TokenKind, tokens};

use super::checksum::checksum;
use super::is_java;

/// Text before and after the checksum in the last line of a generated file, which has 80 columns.
const STAMP: (&str, &str) = (
    "Checksum ",
    " of what Heapwright wrote: edited files are not overwritten.",
);

/// Depth of braces from which comments count: classes have the first, methods the second.
const METHOD_DEPTH: usize = 2;

/// Beginnings of comments in files.
const COMMENTS: [&str; 3] = ["//", "#", "<!--"];

/// Appends a comment with the checksum of the contents, whose line ends as theirs do.
pub(super) fn stamped(path: &Path, contents: &[u8]) -> Vec<u8> {
    let (open, close) = match path.extension().and_then(OsStr::to_str) {
        Some("java") => ("// ", ""),
        Some("txt") => ("# ", ""),
        _ => ("<!-- ", " -->"),
    };
    let text = String::from_utf8_lossy(contents);
    let sum = match is_java(path) {
        true => checksum(tokens_of(&text).as_bytes()),
        false => checksum(contents),
    };
    let (before, behind) = STAMP;
    let line = format!("{open}{before}{sum:08x}{behind}{close}");
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    match text.ends_with('\n') || text.is_empty() {
        true => format!("{text}{line}{end}").into_bytes(),
        false => format!("{text}{end}{line}").into_bytes(),
    }
}

/// Whether the comment at the end has the checksum of the rest, of its tokens or of its characters.
/// Converted line ends are tolerated.
pub(super) fn is_unedited(path: &Path, file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file).replace('\r', "");
    let Some((contents, stated)) = divided(&text) else {
        return false;
    };
    let is_stated = |text: &str| stated == format!("{:08x}", checksum(text.as_bytes()));
    is_java(path) && is_stated(&tokens_of(contents)) || is_stated(contents)
}

/// Contents of a file before the comment with the checksum, and the checksum; `None` if the file ends
/// in another way. Formatters may have given the comment several lines.
pub(super) fn divided(text: &str) -> Option<(&str, &str)> {
    let at = text.rfind(STAMP.0)?;
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let is_comment = |line: &str| {
        let line = line.trim_start();
        line.is_empty() || COMMENTS.iter().any(|open| line.starts_with(open))
    };
    let stated = text.get(at + STAMP.0.len()..)?.get(..8)?;
    text[start..]
        .lines()
        .all(is_comment)
        .then_some((&text[..start], stated))
}

/// Puts the checksum of what a formatter has made of the contents in the place of that in a file.
/// `None` if no checksum is there.
pub(super) fn restamped(path: &Path, file: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(file).ok()?;
    let (contents, stated) = divided(text)?;
    let contents_read = contents.replace('\r', "");
    let sum = match is_java(path) {
        true => checksum(tokens_of(&contents_read).as_bytes()),
        false => checksum(contents_read.as_bytes()),
    };
    let (before, behind) = text[contents.len()..].split_once(stated)?;
    Some(format!("{contents}{before}{sum:08x}{behind}").into_bytes())
}

/// Tokens of a Java source, a line each: its imports in order, and the rest. Operators are divided
/// into their characters.
pub(super) fn tokens_of(source: &str) -> String {
    let (mut imports, mut others) = (Vec::new(), Vec::new());
    let mut import: Option<String> = None;
    let mut depth = 0;
    for token in tokens(source) {
        let is_comment = token.kind == TokenKind::Comment;
        match token.text {
            _ if token.kind == TokenKind::Space || is_comment && depth < METHOD_DEPTH => continue,
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let text = match is_comment {
            true => token.text.split_whitespace().collect::<Vec<_>>().join(" "),
            false => token.text.to_owned(),
        };
        match &mut import {
            Some(names) if text == ";" => {
                imports.push(std::mem::take(names));
                import = None;
            }
            Some(names) => *names += &format!(" {text}"),
            None if text == "import" && depth == 0 => import = Some(text),
            None => others.push(text),
        }
    }
    imports.sort_unstable();
    imports.extend(import);
    imports.extend(others);
    imports.join("\n")
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

    #[test]
    fn the_comment_ends_as_the_contents_do() {
        let of = |contents: &str| {
            let bytes = stamped(Path::new("T.java"), contents.as_bytes());
            let file = String::from_utf8(bytes).unwrap();
            assert!(is_unedited(Path::new("T.java"), file.as_bytes()), "{file}");
            file
        };
        assert!(of("class T {\n}\n").ends_with("overwritten.\n"));
        assert!(of("class T {\r\n}\r\n").ends_with("overwritten.\r\n"));
        assert!(of("class T {\r\n}").ends_with("overwritten."));
    }

    #[test]
    fn what_a_formatter_changed_is_no_edit_once_it_is_known() {
        let path = Path::new("T.java");
        let file = String::from_utf8(stamped(path, SOURCE.as_bytes())).unwrap();
        // The comment itself may be broken, too.
        let broken = file.replace("files are not ", "files are not\n// ");
        assert!(is_unedited(path, broken.as_bytes()));
        let changed = broken.replace("void t()", "final void t()");
        assert!(!is_unedited(path, changed.as_bytes()));
        let again = restamped(path, changed.as_bytes()).unwrap();
        assert!(is_unedited(path, &again));
        let digits = |text: &str| text.replace(|letter: char| letter.is_ascii_hexdigit(), "");
        assert_eq!(digits(&String::from_utf8(again).unwrap()), digits(&changed));
        assert_eq!(restamped(path, SOURCE.as_bytes()), None);
        // Code behind the comment is an edit.
        assert!(!is_unedited(
            path,
            format!("{file}class U {{}}\n").as_bytes()
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

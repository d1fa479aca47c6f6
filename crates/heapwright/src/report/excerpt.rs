//! Excerpts of sources, with what a message is about underlined.

use std::fs;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::LazyLock;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use regex::Regex;

/// Extensions of sources whose lines class files know.
const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// Excerpt of a text with a part underlined, in bytes; with colours on a terminal, unless the
/// variable `NO_COLOR` is set.
pub fn excerpt(text: &str, underlined: Range<usize>, path: Option<&str>) -> String {
    let annotation = AnnotationKind::Primary.span(underlined);
    let snippet = Snippet::source(text).annotation(annotation);
    let snippet = match path {
        Some(path) => snippet.path(path),
        None => snippet,
    };
    let is_coloured = io::stdout().is_terminal()
        && io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let renderer = match is_coloured {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    renderer.render(&[Group::with_level(Level::ERROR).element(snippet)])
}

/// Excerpts of the source lines that a message names, as `at a.B.get(int):12`, each once; of those
/// whose source is in one of these folders.
pub fn excerpts_of(message: &str, sources: &[PathBuf]) -> Vec<String> {
    static PLACE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\bat ([\w.$]+)\.[\w$<>]+\([^()]*\):(\d+)").ok());
    let Some(pattern) = &*PLACE else {
        return Vec::new();
    };
    let mut excerpts = Vec::new();
    for (_, [class, line]) in pattern.captures_iter(message).map(|found| found.extract()) {
        let found = line
            .parse()
            .ok()
            .and_then(|line| excerpt_of_line(class, line, sources));
        if let Some(excerpt) = found
            && !excerpts.contains(&excerpt)
        {
            excerpts.push(excerpt);
        }
    }
    excerpts
}

/// Excerpt with a line of a class's source.
fn excerpt_of_line(class: &str, line: usize, sources: &[PathBuf]) -> Option<String> {
    let outer = class.split('$').next().unwrap_or(class).replace('.', "/");
    let names = EXTENSIONS.map(|extension| format!("{outer}.{extension}"));
    let mut paths = sources
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let path = paths.find(|path| path.is_file())?;
    let text = fs::read_to_string(&path).ok()?;
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for before in lines.by_ref().take(line.checked_sub(1)?) {
        start += before.len();
    }
    let whole = lines.next()?;
    let code = whole.trim();
    let start = start + whole.find(code)?;
    let end = start + code.len();
    (!code.is_empty()).then(|| excerpt(&text, start..end, Some(&super::output::shown(&path))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn lines_that_a_message_names_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        let source = "package a;\n\nclass B {\n    int get() {\n        return 1 / 0;\n    }\n}\n";
        fs::write(folder.path().join("a/B.java"), source).unwrap();
        let sources = [folder.path().to_owned()];
        let message =
            "throws (at a.B$C.get():5, at a.B.get(int, a.C):5, at a.None.x():1, at a.B.get():99)";
        let excerpts = excerpts_of(message, &sources).join("\n");
        let excerpts = excerpts.replace(&super::super::output::shown(folder.path()), "SOURCES");
        expect![[r#"
             --> SOURCES/a/B.java:5:9
              |
            5 |         return 1 / 0;
              |         ^^^^^^^^^^^^^
        "#]]
        .assert_eq(&(excerpts + "\n"));
    }
}

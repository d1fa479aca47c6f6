//! Style of a project around files of tests: what `.editorconfig` says, else what sources beside
//! them show.

use std::fs;
use std::path::{Path, PathBuf};

use ec4rs::Properties;
use heapwright_suite::junit::{ImportLayout, Indentation, LineEnd, SeenStyle, Style};

use super::{HEAD, MARK};
use crate::junit::sources_of;

/// Number of sources that are looked at in a folder.
const SAMPLED: usize = 200;
/// Number of files and folders that are looked at in search of them.
const VISITED: usize = 20_000;
/// Sources without a class.
const WITHOUT_CLASS: [&str; 2] = ["package-info.java", "module-info.java"];
/// Columns of a tab, and of an indentation, where only the kind of indentation is said.
const COLUMNS: usize = 4;

/// Style that the sources of a project show.
#[derive(Clone, Debug)]
pub struct ProjectStyle {
    shown: SeenStyle,
}

impl ProjectStyle {
    /// Looks at the sources in a folder of tests, then at those in the folders of what they test.
    pub fn of(tests: &Path, sources: &[PathBuf]) -> ProjectStyle {
        let mut shown = shown_in(&[tests.to_owned()]);
        let usual = sources_of(tests);
        let sources: Vec<PathBuf> = match sources {
            [] => usual.into_iter().collect(),
            sources => sources.to_vec(),
        };
        shown = shown.or(shown_in(&sources));
        ProjectStyle { shown }
    }

    /// Style of a file.
    pub fn at(&self, path: &Path) -> Style {
        // Sections apply to whole paths.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let said = match ec4rs::properties_of(&whole) {
            Ok(properties) => said_by(&properties, self.shown.indentation),
            Err(error) => {
                detail!(".editorconfig is not used for {}: {error}", path.display());
                SeenStyle::default()
            }
        };
        said.or(self.shown.clone()).into_style()
    }
}

/// What sources in folders show. Generated ones count for nothing.
fn shown_in(folders: &[PathBuf]) -> SeenStyle {
    let files = folders.iter().filter(|folder| folder.is_dir());
    let files = files.flat_map(|folder| {
        let entries = walkdir::WalkDir::new(folder)
            .sort_by_file_name()
            .into_iter();
        entries.take(VISITED).filter_map(Result::ok)
    });
    let sources = files.filter_map(|entry| {
        let name = entry.file_name().to_str()?;
        if !name.ends_with(".java") || WITHOUT_CLASS.contains(&name) {
            return None;
        }
        // Those in another encoding count for nothing, either.
        let text = fs::read_to_string(entry.path()).ok()?;
        let head = text.as_bytes();
        let head = String::from_utf8_lossy(&head[..head.len().min(HEAD)]);
        (!head.contains(MARK)).then_some(text)
    });
    let sources: Vec<String> = sources.take(SAMPLED).collect();
    SeenStyle::of_sources(&sources)
}

/// What `.editorconfig` says; `shown` is the indentation of sources, for what it leaves open.
fn said_by(properties: &Properties, shown: Option<Indentation>) -> SeenStyle {
    let value = |key: &str| {
        let value = properties.get_raw_for_key(key).into_option()?;
        Some(value.trim().to_lowercase()).filter(|value| value != "unset")
    };
    let number = |key: &str| {
        value(key)?
            .parse::<usize>()
            .ok()
            .filter(|&number| number > 0)
    };
    let size = number("indent_size");
    let width = number("tab_width").or(size).unwrap_or(COLUMNS);
    let indentation = match (value("indent_style").as_deref(), size, shown) {
        (Some("tab"), ..) => Some(Indentation::Tabs { width }),
        (Some("space"), Some(size), _) => Some(Indentation::Spaces(size)),
        (Some("space"), None, Some(Indentation::Tabs { .. }) | None) => {
            Some(Indentation::Spaces(COLUMNS))
        }
        (Some("space"), None, shown) => shown,
        (_, _, Some(Indentation::Tabs { .. })) => Some(Indentation::Tabs { width }),
        (_, Some(size), _) => Some(Indentation::Spaces(size)),
        (_, None, _) => None,
    };
    let yes_or_no = |key: &str| match value(key).as_deref() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    let layout = properties.get_raw_for_key("ij_java_imports_layout");
    SeenStyle {
        indentation,
        width: number("max_line_length"),
        line_end: match value("end_of_line").as_deref() {
            Some("lf") => Some(LineEnd::Lf),
            Some("crlf") => Some(LineEnd::CrLf),
            _ => None,
        },
        has_final_line_end: yes_or_no("insert_final_newline"),
        imports: layout.into_option().map(ImportLayout::parse),
        header: None,
        final_variables: yes_or_no("ij_java_generate_final_locals"),
        final_parameters: yes_or_no("ij_java_generate_final_parameters"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folder of a project with these files.
    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn style_in(folder: &tempfile::TempDir) -> Style {
        let tests = folder.path().join("src/test/java");
        ProjectStyle::of(&tests, &[]).at(&tests.join("a/AHeapwrightTest.java"))
    }

    #[test]
    fn sections_for_java_of_the_nearest_files_apply() {
        let root = "root = true\n[*]\nindent_style = tab\nmax_line_length = 100\nend_of_line = crlf\n\
                    [*.{java,kt}]\nindent_size = 8\nij_java_imports_layout = *,|,$*\n[*.md]\ninsert_final_newline = false\n";
        let folder = project(&[(".editorconfig", root)]);
        let style = style_in(&folder);
        assert_eq!(style.indentation, Indentation::Tabs { width: 8 });
        assert_eq!((style.width, style.line_end), (100, LineEnd::CrLf));
        assert_eq!(style.imports, ImportLayout::parse("*,|,$*"));
        assert!(style.has_final_line_end);

        let nearer = "[*.java]\nindent_style = space\nindent_size = 2\ninsert_final_newline = false\nmax_line_length = off\n";
        let folder = project(&[(".editorconfig", root), ("src/test/.editorconfig", nearer)]);
        let style = style_in(&folder);
        assert_eq!(style.indentation, Indentation::Spaces(2));
        assert_eq!(style.width, Style::default().width);
        assert!(!style.has_final_line_end);
    }

    #[test]
    fn without_any_word_sources_show_the_style() {
        const MAIN: &str = "/* Copyright 2020 A. */\npackage a;\nclass A {\n\tint i;\n}\n";
        const TEST: &str = "/* Copyright 2020 A. */\npackage a;\nclass ATest {\n  int i;\n}\n";
        let none = style_in(&project(&[("root", "")]));
        assert_eq!(none, Style::default());
        let main = [("src/main/java/a/A.java", MAIN)];
        let style = style_in(&project(&main));
        assert_eq!(style.indentation, Indentation::Tabs { width: 4 });
        assert_eq!(style.header, "/* Copyright 2020 A. */\n");
        // Tests come before what they test, and generated ones count for nothing.
        let generated = "package a;\n/** Written by Heapwright. */\nclass B {\n        int i;\n}\n";
        let style = style_in(&project(&[
            main[0],
            ("src/test/java/a/ATest.java", TEST),
            ("src/test/java/a/BHeapwrightTest.java", generated),
            ("src/test/java/a/CHeapwrightTest.java", generated),
            ("src/test/java/a/package-info.java", "package a;\n"),
        ]));
        assert_eq!(style.indentation, Indentation::Spaces(2));
        assert_eq!(style.header, "/* Copyright 2020 A. */\n");
    }
}

//! A run of `generate` in a project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::fixtures::files;
use crate::jdk::Jdk;
use crate::process;

/// Parts of messages on tests that time did not suffice for.
const LOST: [&str; 2] = [
    " not written: --time-limit",
    " in no test: no time was left",
];
/// Part of a message on what only Heapwright can be to blame for.
const FAULT: &str = "a fault of Heapwright's";
/// Bytes in a class file with code: the name of an attribute of methods.
const CODE: &[u8] = b"\x01\x00\x04Code";

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// Exit code; `None` if it was killed.
    pub exit_code: Option<i32>,
    /// Elapsed time.
    pub took: Duration,
    /// Files that it names.
    pub files: Vec<PathBuf>,
    /// Number of tests.
    pub tests: u64,
    /// Goals: those covered, and all.
    pub goals: [u64; 2],
    /// Branches: those reached, and all.
    pub branches: [u64; 2],
    /// Mutants: those noticed, and all.
    pub mutants: [u64; 2],
    /// Number of tests that were found and not written for want of time.
    pub lost: usize,
    /// Number of classes that were not begun for want of time.
    pub not_begun: usize,
    /// Messages of faults of its own.
    pub faults: Vec<String>,
    /// Classes with code of which nothing is said.
    pub silent: Vec<String>,
}

impl Generation {
    /// Runs `generate` in a folder, for the classes that are named, or for all of the project.
    ///
    /// # Panics
    /// It cannot be started or the log cannot be written.
    pub(crate) fn of(
        (program, limit): (&Path, Duration),
        classes: &[String],
        folder: &Path,
        jdk: &Jdk,
        log: &Path,
    ) -> Self {
        let mut command = Command::new(program);
        command
            .args(["generate", "--json", "--time-limit"])
            .arg(format!("{}ms", limit.as_millis()))
            .args(classes.iter().flat_map(|class| ["-c", class]))
            .current_dir(folder)
            .env("JAVA_HOME", &jdk.home);
        let ended = process::run(command, limit * 3 + Duration::from_mins(1), log);
        let summary: Value = serde_json::from_str(&ended.output).unwrap_or_default();
        let notices = ended.errors;
        let mut run = Self {
            exit_code: ended.status.and_then(|status| status.code()),
            took: ended.took,
            tests: summary["tests"].as_u64().unwrap_or(0),
            lost: notices.lines().filter_map(lost).sum(),
            silent: silent(folder, &ended.output, &notices),
            ..Self::default()
        };
        let named = summary["files"].as_array().into_iter().flatten();
        let named = named.filter_map(Value::as_str);
        run.files = named.map(|file| folder.join(file)).collect();
        let modules = summary["modules"].as_array().into_iter().flatten();
        let mut parts: Vec<&Value> = modules.map(|module| &module["summary"]).collect();
        if parts.is_empty() {
            parts.push(&summary);
        }
        for part in parts {
            let number = |key: &str| part[key].as_u64().unwrap_or(0);
            run.goals[0] += number("goals_covered");
            run.goals[1] += number("goals_total");
            run.branches[0] += number("branches_covered");
            run.branches[1] += number("branches_total");
            run.mutants[0] += number("killed");
            run.mutants[1] += number("mutants");
            // Of classes that were searched the criterion is told.
            let by_class = part["by_class"].as_array().into_iter().flatten();
            let not_searched = |class: &&Value| class["criterion"].is_null();
            run.not_begun += by_class.filter(not_searched).count();
            run.not_begun += number("classes_not_begun") as usize;
        }
        let faults = notices
            .lines()
            .filter(|line| line.contains(FAULT) || line.contains("panicked"));
        run.faults = faults.map(str::to_owned).collect();
        run
    }

    /// Whether it names a file, or the file is of its own cache or of what builds make.
    pub(super) fn has_written(&self, file: &Path) -> bool {
        let is_made = file
            .components()
            .any(|part| part.as_os_str() == ".heapwright" || part.as_os_str() == "target");
        is_made || self.files.iter().any(|written| written == file)
    }
}

/// Number of tests that a message says were lost.
fn lost(notice: &str) -> Option<usize> {
    let (before, _) = LOST.iter().find_map(|part| notice.split_once(part))?;
    let mut words = before.rsplit(' ');
    words.find_map(|word| word.replace(',', "").parse().ok())
}

/// Compiled classes of a project's modules with code, which neither the summary nor a message names,
/// nor a message on the whole module.
fn silent(folder: &Path, summary: &str, notices: &str) -> Vec<String> {
    let mut silent = Vec::new();
    for class in files(folder, "class") {
        let folders: Vec<&Path> = class.ancestors().collect();
        let Some(classes) = folders
            .iter()
            .find(|folder| folder.ends_with("target/classes"))
        else {
            continue;
        };
        let name = class.strip_prefix(classes).unwrap_or(&class);
        let name = name.with_extension("").to_string_lossy().replace('/', ".");
        let is_member = name.contains('$') || name.ends_with("-info");
        // Versions of classes for newer releases have the names of the others.
        let is_version = name.starts_with("META-INF.");
        if is_member || is_version || is_named(&name, summary) || is_named(&name, notices) {
            continue;
        }
        let module = folders.iter().find_map(|folder| artifact(folder));
        let is_module_named = notices.lines().any(|line| {
            let is_of_module = module.as_ref().is_some_and(|module| is_named(module, line));
            line.contains("module ") && line.contains("none are written") && is_of_module
        });
        let bytes = fs::read(&class).unwrap_or_default();
        let has_code = bytes.windows(CODE.len()).any(|window| window == CODE);
        if has_code && !is_module_named {
            silent.push(name);
        }
    }
    silent
}

/// Whether a text has a name that is no part of a longer one.
fn is_named(name: &str, text: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_$-".contains(&byte);
    text.match_indices(name).any(|(start, _)| {
        let before = text[..start].bytes().next_back();
        let after = text[start + name.len()..].bytes().next();
        !before.is_some_and(|byte| is_of_name(byte) || byte == b'.')
            && !after.is_some_and(is_of_name)
    })
}

/// Artifact that is built in a folder.
fn artifact(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("pom.xml")).ok()?;
    let build_file = roxmltree::Document::parse(&text).ok()?;
    let mut children = build_file.root_element().children();
    let artifact = children.find(|node| node.has_tag_name("artifactId"));
    artifact
        .and_then(|node| node.text())
        .map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_named, lost};

    #[test]
    fn tests_that_time_did_not_suffice_for_are_counted() {
        let notice = "heapwright: a.B: 1,007 tests not written: --time-limit ended the run";
        assert_eq!(lost(notice), Some(1007));
        let notice = "heapwright: a.B: 2 sequences in no test: no time was left to write it down";
        assert_eq!(lost(notice), Some(2));
        assert_eq!(lost("heapwright: a.B: 7 tests left out"), None);
    }

    #[test]
    fn a_part_of_a_longer_name_is_no_name() {
        assert!(is_named("a.B", "heapwright: a.B: 7 tests"));
        assert!(!is_named("a.B", "heapwright: a.Bar: 7 tests"));
        assert!(!is_named("a.B", "heapwright: java.a.B: 7 tests"));
    }
}

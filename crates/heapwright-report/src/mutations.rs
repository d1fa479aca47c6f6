//! Mutants in the schema of mutation-testing elements, version 2, as Stryker's viewer and dashboard
//! read it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::{Class, Mutant, MutantFate, Run, SourceFile, Test};
use crate::sarif::pretty;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework<'a>,
    files: BTreeMap<&'a str, File<'a>>,
    test_files: BTreeMap<&'a str, TestFile<'a>>,
}

/// Scores in percent from which viewers show a file as good, or as not bad.
#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct File<'a> {
    language: &'static str,
    source: String,
    mutants: Vec<MutantResult<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult<'a> {
    id: String,
    mutator_name: &'a str,
    description: &'a str,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'static str>,
    covered_by: Vec<String>,
    killed_by: Vec<String>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

/// Line and column, from 1; an end is behind the last character.
#[derive(Clone, Copy, Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct TestFile<'a> {
    tests: Vec<TestDefinition<'a>>,
}

#[derive(Serialize)]
struct TestDefinition<'a> {
    id: String,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<TestLocation>,
}

#[derive(Serialize)]
struct TestLocation {
    start: Position,
}

/// Mutants of a run.
#[must_use]
pub fn mutations(run: &Run) -> String {
    let mut files = BTreeMap::new();
    let mut id = 0;
    for (number, file) in run.files.iter().enumerate() {
        let mut mutants = Vec::new();
        for class in run.classes_of(number) {
            for mutant in &class.mutants {
                mutants.push(result(mutant, (class, file), id));
                id += 1;
            }
        }
        let source = source_of(file, run.classes_of(number));
        let file_of = File {
            language: "java",
            source,
            mutants,
        };
        files.insert(file.uri(), file_of);
    }
    let mut test_files: BTreeMap<&str, TestFile<'_>> = BTreeMap::new();
    for (number, test) in run.tests.iter().enumerate() {
        let file = test.code.as_ref().and_then(|code| code.file.as_deref());
        let tests = test_files.entry(file.unwrap_or(&test.class));
        let tests = tests.or_insert_with(|| TestFile { tests: Vec::new() });
        tests.tests.push(definition(number, test));
    }
    pretty(&Report {
        schema_version: "2",
        thresholds: Thresholds { high: 80, low: 60 },
        framework: Framework {
            name: "Heapwright",
            version: &run.version,
        },
        files,
        test_files,
    })
}

fn definition(number: usize, test: &Test) -> TestDefinition<'_> {
    // A test file without source has no place to show.
    let code = test.code.as_ref().filter(|code| code.file.is_some());
    TestDefinition {
        id: number.to_string(),
        name: &test.name,
        location: code.map(|code| TestLocation {
            start: Position {
                line: code.line.max(1),
                column: 1,
            },
        }),
    }
}

fn result<'a>(mutant: &'a Mutant, place: (&Class, &SourceFile), id: u32) -> MutantResult<'a> {
    let (class, file) = place;
    let tests_of_line = mutant.line.map(|number| {
        let lines = class.methods.iter().flat_map(|method| &method.lines);
        let of_line = lines.filter(|line| line.number == number);
        let mut tests: Vec<usize> = of_line.flat_map(|line| &line.tests).copied().collect();
        tests.sort_unstable();
        tests.dedup();
        tests
    });
    let ids = |tests: &[usize]| tests.iter().map(usize::to_string).collect();
    let (status, status_reason) = match mutant.fate {
        MutantFate::Killed => ("Killed", None),
        MutantFate::KilledBefore => ("Killed", Some(mutant.fate.text())),
        MutantFate::Alive => ("Survived", None),
        MutantFate::NotReached => ("NoCoverage", None),
        MutantFate::Unknown | MutantFate::Untried => ("Pending", Some(mutant.fate.text())),
        MutantFate::Equivalent => ("Ignored", Some(mutant.fate.text())),
    };
    MutantResult {
        id: id.to_string(),
        mutator_name: &mutant.operator,
        description: &mutant.description,
        location: location(file, mutant.line.unwrap_or(1)),
        status,
        status_reason,
        covered_by: ids(&tests_of_line.unwrap_or_default()),
        killed_by: ids(&mutant.killers),
    }
}

/// Place of a line's code, without its indentation.
fn location(file: &SourceFile, line: u32) -> Location {
    let text = file.text.as_deref().unwrap_or_default();
    let code = text.lines().nth(line.saturating_sub(1) as usize);
    let code = code.unwrap_or_default();
    let length = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX - 1);
    let indentation = length(code) - length(code.trim_start());
    let column = |before| Position {
        line: line.max(1),
        column: before + 1,
    };
    Location {
        start: column(indentation),
        end: column(length(code.trim_end()).max(indentation + 1)),
    }
}

/// Source that viewers show. Where it is not known, as many empty lines as mutants need, behind a
/// line that says so.
fn source_of<'a>(file: &SourceFile, classes: impl Iterator<Item = &'a Class>) -> String {
    file.text.clone().unwrap_or_else(|| {
        let mutants = classes.flat_map(|class| &class.mutants);
        let last = mutants.filter_map(|mutant| mutant.line).max();
        let lines = "\n".repeat(last.unwrap_or(1) as usize);
        format!(
            "// The source of {} was not found: name its folder with --sources.{lines}",
            file.path
        )
    })
}

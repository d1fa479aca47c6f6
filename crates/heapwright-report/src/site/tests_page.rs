//! Page of all tests, those that fail first.

use askama::Template;

use super::views::{CodeView, DrawingView, Extent, Page};
use super::{DRAWINGS, head, rendered};
use crate::model::{Drawing, Run, TestOutcome};

/// Path of the page.
pub const PATH: &str = "tests.html";
/// Number of tests up to which their sources are shown at once.
const FEW: usize = 40;

#[derive(Template)]
#[template(path = "tests.html")]
struct TestsPage<'r> {
    page: Page<'r>,
    tests: Vec<TestView<'r>>,
}

struct TestView<'r> {
    number: usize,
    class: &'r str,
    name: &'r str,
    outcome: &'static str,
    mood: &'static str,
    reason: &'r str,
    facts: String,
    code: Option<CodeView>,
    states: Vec<DrawingView<'r>>,
    is_open: bool,
}

/// Page of the tests.
pub fn page(run: &Run) -> String {
    let mut lines = vec![0_usize; run.tests.len()];
    let mut mutants = vec![0_usize; run.tests.len()];
    let all = run.classes.iter();
    for class in all {
        let of_class = class.lines();
        for &test in of_class.iter().flat_map(|line| &line.tests) {
            lines[test] += 1;
        }
        for &test in class.mutants.iter().flat_map(|mutant| &mutant.killers) {
            mutants[test] += 1;
        }
    }
    let tests = run.tests.iter().enumerate().map(|(number, test)| {
        let (outcome, mood, reason) = match &test.outcome {
            TestOutcome::Passed => ("passes", "good", ""),
            TestOutcome::Failed(reason) => ("fails", "bad", reason.as_str()),
            TestOutcome::Skipped(reason) => ("skipped", "", reason.as_str()),
            TestOutcome::Written => ("not run", "", ""),
        };
        TestView {
            number,
            class: &test.class,
            name: &test.name,
            outcome,
            mood,
            reason,
            facts: facts(lines[number], mutants[number]),
            code: test.code.as_ref().map(CodeView::of),
            states: states(number, &test.states),
            is_open: run.tests.len() <= FEW,
        }
    });
    let mut tests: Vec<TestView<'_>> = tests.collect();
    tests.sort_by_key(|test| test.mood != "bad");
    rendered(&TestsPage {
        page: head(run, PATH, "Tests"),
        tests,
    })
}

/// Path of a drawing of a test's states.
pub fn state_path(test: usize, state: usize) -> String {
    format!("{DRAWINGS}/test-{test}-{}.svg", state + 1)
}

fn states(test: usize, states: &[Drawing]) -> Vec<DrawingView<'_>> {
    let numbered = states.iter().enumerate();
    numbered
        .map(|(number, state)| DrawingView {
            href: state_path(test, number),
            text: format!("{}: {}", state.caption, state.text),
            caption: &state.caption,
            extent: Extent::of(&state.svg),
        })
        .collect()
}

fn facts(lines: usize, mutants: usize) -> String {
    let count = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let mut facts = Vec::new();
    if lines > 0 {
        facts.push(format!("comes to {}", count(lines, "line")));
    }
    if mutants > 0 {
        facts.push(format!("notices {}", count(mutants, "mutant")));
    }
    facts.join(", ")
}

//! First page of a site.

use askama::Template;

use super::trend::{self, HistoryTable};
use super::views::{BehaviourView, Page, Tile, behaviours, grouped, tiles};
use super::{INDEX, class_path, head, rendered};
use crate::history::HistoryEntry;
use crate::model::{Ending, LOWER_BOUND, Run, Share, TestOutcome};
use crate::totals::{ClassTotals, Totals};

#[derive(Template)]
#[template(path = "index.html")]
struct FirstPage<'r> {
    page: Page<'r>,
    heading: String,
    facts: String,
    stopped: Option<String>,
    behaviours: Vec<BehaviourView<'r>>,
    failing_tests: Vec<FailingTest<'r>>,
    tiles: Vec<Tile>,
    trend: Option<String>,
    history: HistoryTable,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    notes: Vec<String>,
}

/// Failing test.
struct FailingTest<'r> {
    number: usize,
    class: &'r str,
    name: &'r str,
    reason: &'r str,
}

/// Row of the table of classes: a source file.
struct Row {
    name: String,
    href: String,
    cells: Vec<Cell>,
}

/// Cell with a number by which rows are sorted.
struct Cell {
    value: f64,
    percent: Option<u64>,
    text: String,
    detail: String,
}

/// Column of the table: its name, and how it is shown.
type Column = (&'static str, fn(&Run, &ClassTotals) -> Cell);

const COLUMNS: [Column; 6] = [
    ("Lines", |run, totals| share(run, totals.lines)),
    ("Branches", |run, totals| share(run, totals.branches)),
    ("Goals", |run, totals| share(run, totals.goals)),
    ("Infeasible", |_, totals| number(totals.infeasible)),
    ("Mutants", |run, totals| share(run, totals.mutants)),
    ("Alive", |_, totals| number(totals.alive)),
];

fn share(run: &Run, share: Share) -> Cell {
    Cell {
        // Files without anything to cover come behind all others.
        value: share.rate().unwrap_or(2.0),
        percent: share.percent(),
        text: run.percent(share).unwrap_or_else(|| "–".to_owned()),
        detail: match share.total {
            0 => String::new(),
            total => format!("{}/{}", grouped(share.covered), grouped(total)),
        },
    }
}

fn number(number: u64) -> Cell {
    Cell {
        value: number as f64,
        percent: None,
        text: grouped(number),
        detail: String::new(),
    }
}

/// First page.
pub fn page(run: &Run, history: &[HistoryEntry]) -> String {
    let totals = Totals::of(run);
    let of_verb: Vec<HistoryEntry> = history
        .iter()
        .filter(|entry| entry.verb == run.verb)
        .cloned()
        .collect();
    let columns = columns_of(&totals.code);
    let bound = run.is_lower_bound.then(|| LOWER_BOUND.to_owned());
    let without = run.without.iter();
    let without = without.map(|what| format!("Results are without {what}."));
    let mut notes: Vec<String> = bound.into_iter().chain(without).collect();
    notes.extend(run.notes.iter().cloned());
    let page = FirstPage {
        page: head(run, INDEX, "Summary"),
        heading: heading(run),
        facts: facts(run, &totals),
        stopped: run.stopped_by().map(|by| {
            format!("The run was stopped by {by} before its end: the report has what was found until then.")
        }),
        behaviours: behaviours(run, |_| true),
        failing_tests: failing_tests(run),
        tiles: all_tiles(run, &totals),
        trend: trend::picture(&of_verb),
        history: trend::table(&of_verb),
        rows: rows(run, &columns),
        columns: columns.iter().map(|(name, _)| *name).collect(),
        notes,
    };
    rendered(&page)
}

fn heading(run: &Run) -> String {
    match &run.classes[..] {
        [class] => format!("{}: {}", run.verb, class.simple_name()),
        classes => match common_package(classes.iter().map(|class| class.package())) {
            "" => format!("{}: {} classes", run.verb, classes.len()),
            package => format!("{}: {package}", run.verb),
        },
    }
}

/// Longest package that all of these are, or are in.
fn common_package<'p>(packages: impl Iterator<Item = &'p str>) -> &'p str {
    packages
        .reduce(|one, other| {
            let mut ends = one
                .match_indices('.')
                .map(|(end, _)| end)
                .collect::<Vec<usize>>();
            ends.push(one.len());
            let is_in = |end: &usize| {
                let rest = other.strip_prefix(&one[..*end]);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            ends.into_iter()
                .rev()
                .find(is_in)
                .map_or("", |end| &one[..end])
        })
        .unwrap_or_default()
}

fn facts(run: &Run, totals: &Totals) -> String {
    let classes = match totals.classes {
        1 => "1 class".to_owned(),
        classes => format!("{} classes", grouped(classes)),
    };
    let ending = match run.ending {
        Ending::Complete => "complete",
        Ending::Partial => "partial",
        Ending::Stopped(_) => "stopped",
    };
    let started = super::started(run.started);
    format!("{classes} · {started} · {:.1} s · {ending}", run.seconds)
}

fn failing_tests(run: &Run) -> Vec<FailingTest<'_>> {
    let numbered = run.tests.iter().enumerate();
    numbered
        .filter_map(|(number, test)| match &test.outcome {
            TestOutcome::Failed(reason) => Some(FailingTest {
                number,
                class: &test.class,
                name: &test.name,
                reason: reason.lines().next().unwrap_or_default(),
            }),
            _ => None,
        })
        .collect()
}

fn all_tiles(run: &Run, totals: &Totals) -> Vec<Tile> {
    let mut all = Vec::new();
    if !run.structures.is_empty() {
        let count = run.structures.len() as u64;
        all.push(Tile::number("Structures drawn", count, String::new(), ""));
    }
    if !run.graphs.is_empty() {
        let count = run.graphs.len() as u64;
        all.push(Tile::number(
            "Control-flow graphs",
            count,
            String::new(),
            "",
        ));
    }
    if totals.tests + totals.behaviours == 0 && !run.has_coverage {
        return all;
    }
    let behaviours = totals.behaviours;
    if behaviours > 0 || !run.has_coverage {
        let mood = if behaviours > 0 { "bad" } else { "good" };
        all.push(Tile::number(
            "Failing behaviours",
            behaviours,
            String::new(),
            mood,
        ));
    }
    let mut parts = Vec::new();
    for (count, what) in [(totals.failed, "fail"), (totals.skipped, "skipped")] {
        if count > 0 {
            parts.push(format!("{} {what}", grouped(count)));
        }
    }
    let mood = if totals.failed > 0 { "bad" } else { "" };
    let name = if run.has_coverage {
        "Tests"
    } else {
        "Methods without failure"
    };
    let count = if run.has_coverage {
        totals.tests
    } else {
        totals.passed
    };
    all.push(Tile::number(name, count, parts.join(", "), mood));
    all.extend(tiles(run, &totals.code));
    all
}

/// Columns that have something to show.
fn columns_of(totals: &ClassTotals) -> Vec<Column> {
    let has_mutants = totals.mutants.total > 0;
    let is_shown = |name: &str| match name {
        "Lines" => totals.lines.total > 0,
        "Branches" => totals.branches.total > 0,
        "Goals" => totals.goals.total > 0,
        "Infeasible" => totals.infeasible > 0,
        _ => has_mutants,
    };
    COLUMNS
        .into_iter()
        .filter(|(name, _)| is_shown(name))
        .collect()
}

fn rows(run: &Run, columns: &[Column]) -> Vec<Row> {
    let files = run.files.iter().enumerate();
    let rows = files.map(|(number, file)| {
        let totals = ClassTotals::of_all(run.classes_of(number));
        let name = file.path.strip_suffix(".java").unwrap_or(&file.path);
        Row {
            name: name.replace('/', "."),
            href: class_path(run, number),
            cells: columns.iter().map(|(_, cell)| cell(run, &totals)).collect(),
        }
    });
    rows.collect()
}

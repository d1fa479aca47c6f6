//! Page of a source file: its lines with what tests cover, do not reach and do not notice.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::highlight::highlighted;
use super::views::{BehaviourView, Page, Tile, behaviours, tiles};
use super::{class_path, head, rendered};
use crate::model::{Class, Fate, Line, MutantFate, Run, merged};
use crate::totals::ClassTotals;

/// Number of tests that are named at a line.
const FEW: usize = 12;

#[derive(Template)]
#[template(path = "class.html")]
struct ClassPage<'r> {
    page: Page<'r>,
    name: String,
    package: &'r str,
    location: &'r str,
    has_source: bool,
    has_coverage: bool,
    behaviours: Vec<BehaviourView<'r>>,
    tiles: Vec<Tile>,
    lists: Vec<List>,
    lines: Vec<LineView<'r>>,
    notes: Vec<&'r str>,
}

/// List of findings of one kind.
struct List {
    id: &'static str,
    title: &'static str,
    explanation: &'static str,
    is_open: bool,
    items: Vec<Item>,
}

struct Item {
    line: Option<u32>,
    name: String,
    text: String,
}

struct LineView<'r> {
    number: u32,
    html: String,
    /// Class of its style: `covered`, `partly`, `missed` or none.
    mood: &'static str,
    mark: &'static str,
    state: &'static str,
    branches: String,
    count: usize,
    tests: Vec<TestLink<'r>>,
    further: usize,
    notes: Vec<Note>,
}

struct TestLink<'r> {
    number: usize,
    name: &'r str,
}

/// Remark at a line.
#[derive(Clone)]
struct Note {
    kind: &'static str,
    text: String,
    mood: &'static str,
}

/// Page of a source file.
pub fn page(run: &Run, number: usize) -> String {
    let file = &run.files[number];
    let classes: Vec<&Class> = run.classes_of(number).collect();
    let names: BTreeSet<&str> = classes.iter().map(|class| class.name.as_str()).collect();
    let (_, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let name = name.strip_suffix(".java").unwrap_or(name);
    let page = ClassPage {
        page: head(run, &class_path(run, number), name),
        name: name.to_owned(),
        package: classes.first().map_or("", |class| class.package()),
        location: file.uri(),
        has_source: file.text.is_some(),
        has_coverage: run.has_coverage,
        behaviours: behaviours(run, |it| names.contains(it.class.as_str())),
        tiles: tiles(run, &ClassTotals::of_all(classes.iter().copied())),
        lists: lists(&classes),
        lines: lines(run, number, &classes),
        notes: classes
            .iter()
            .flat_map(|class| &class.notes)
            .map(String::as_str)
            .collect(),
    };
    rendered(&page)
}

fn lists(classes: &[&Class]) -> Vec<List> {
    let mut unreached = Vec::new();
    let mut infeasible = Vec::new();
    let mut alive = Vec::new();
    for class in classes {
        for goal in &class.goals {
            let item = |text: &str| Item {
                line: goal.line,
                name: goal.text.clone(),
                text: text.to_owned(),
            };
            match &goal.fate {
                Fate::NotReached(why) => unreached.push(item(why)),
                Fate::Infeasible(why) => infeasible.push(item(why)),
                Fate::Covered(_) | Fate::CoveredBefore => {}
            }
        }
        for mutant in class.mutants.iter().filter(|mutant| mutant.fate.is_alive()) {
            alive.push(Item {
                line: mutant.line,
                name: mutant.method.clone(),
                text: format!("{} – {}", mutant.description, mutant.fate.text()),
            });
        }
    }
    let all = [
        List {
            id: "unreached",
            title: "Not reached",
            explanation: "No test reaches these goals, and nothing proves that none can.",
            is_open: true,
            items: unreached,
        },
        List {
            id: "alive",
            title: "Mutants alive",
            explanation: "The code can be changed like this without any test failing.",
            is_open: true,
            items: alive,
        },
        List {
            id: "infeasible",
            title: "Infeasible",
            explanation: "No test can reach these goals, for the reason stated.",
            is_open: false,
            items: infeasible,
        },
    ];
    all.into_iter()
        .filter(|list| !list.items.is_empty())
        .collect()
}

fn lines<'r>(run: &'r Run, number: usize, classes: &[&'r Class]) -> Vec<LineView<'r>> {
    let methods = classes.iter().flat_map(|class| &class.methods);
    let known = merged(methods.flat_map(|method| &method.lines));
    let mut known: BTreeMap<u32, Line> = known.into_iter().map(|it| (it.number, it)).collect();
    let mut notes = notes_by_line(run, classes);
    let text = run.files[number].text.as_deref();
    let Some(text) = text else {
        let numbers: BTreeSet<u32> = known.keys().chain(notes.keys()).copied().collect();
        return numbers
            .into_iter()
            .map(|number| {
                let notes = notes.remove(&number).unwrap_or_default();
                view(run, number, String::new(), known.remove(&number), notes)
            })
            .collect();
    };
    let sources = highlighted(text.trim_end_matches('\n'))
        .into_iter()
        .zip(1..);
    sources
        .map(|(html, number)| {
            let notes = notes.remove(&number).unwrap_or_default();
            view(run, number, html, known.remove(&number), notes)
        })
        .collect()
}

fn view(
    run: &Run,
    number: u32,
    html: String,
    line: Option<Line>,
    notes: Vec<Note>,
) -> LineView<'_> {
    let mut view = LineView {
        number,
        html,
        mood: "",
        mark: "",
        state: "",
        branches: String::new(),
        count: 0,
        tests: Vec::new(),
        further: 0,
        notes,
    };
    let Some(line) = line else {
        return view;
    };
    let is_whole = line.instructions.missed() + line.branches.missed() == 0;
    (view.mood, view.mark, view.state) = match (line.is_covered(), is_whole) {
        (false, _) => ("missed", "✗", "not covered"),
        (true, true) => ("covered", "✓", "covered"),
        (true, false) => ("partly", "◐", "partly covered"),
    };
    if line.branches.total > 0 {
        view.branches = format!("{}/{}", line.branches.covered, line.branches.total);
    }
    view.count = line.tests.len();
    let shown = line.tests.iter().take(FEW).filter_map(|&number| {
        let name = &run.tests.get(number)?.name;
        Some(TestLink { number, name })
    });
    view.tests = shown.collect();
    view.further = view.count - view.tests.len();
    view
}

fn notes_by_line(run: &Run, classes: &[&Class]) -> BTreeMap<u32, Vec<Note>> {
    let mut notes: BTreeMap<u32, Vec<Note>> = BTreeMap::new();
    let mut add = |line: Option<u32>, kind, text: String, mood| {
        if let Some(line) = line {
            notes
                .entry(line)
                .or_default()
                .push(Note { kind, text, mood });
        }
    };
    for behaviour in &run.behaviours {
        if classes.iter().any(|class| class.name == behaviour.class) {
            let text = format!("{}: {}", behaviour.calls, behaviour.reason);
            add(behaviour.line, "fails", text, "bad");
        }
    }
    for class in classes {
        for goal in &class.goals {
            match &goal.fate {
                Fate::NotReached(why) => {
                    add(
                        goal.line,
                        "not reached",
                        format!("{} – {why}", goal.text),
                        "",
                    );
                }
                Fate::Infeasible(why) => {
                    add(
                        goal.line,
                        "infeasible",
                        format!("{} – {why}", goal.text),
                        "calm",
                    );
                }
                Fate::Covered(_) | Fate::CoveredBefore => {}
            }
        }
        for mutant in &class.mutants {
            let (kind, mood) = match mutant.fate {
                MutantFate::Alive => ("mutant alive", ""),
                MutantFate::NotReached => ("mutant not reached", ""),
                MutantFate::Unknown => ("mutant not judged", "calm"),
                MutantFate::Untried => ("mutant not tried", "calm"),
                MutantFate::Killed | MutantFate::KilledBefore | MutantFate::Equivalent => continue,
            };
            add(mutant.line, kind, mutant.description.clone(), mood);
        }
    }
    notes
}

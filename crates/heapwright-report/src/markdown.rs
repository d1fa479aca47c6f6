//! Summary of a run in Markdown, for pull requests and for the summary page of a CI job.

use std::fmt::Write as _;

use crate::findings::{Kind, findings};
use crate::model::{Ending, LOWER_BOUND, Run, Share};
use crate::totals::{ClassTotals, Totals};

/// Maximum number of rows of a table and of findings of a kind; the number of the others is stated.
const MOST: usize = 50;

/// Summary of a run.
#[must_use]
pub fn markdown(run: &Run) -> String {
    let totals = Totals::of(run);
    let mut text = format!("## Heapwright {}\n\n", run.verb);
    let ending = match &run.ending {
        Ending::Complete => "complete".to_owned(),
        Ending::Partial => "partial".to_owned(),
        Ending::Stopped(by) => {
            format!("**stopped by {}**: this is what was found before", code(by))
        }
    };
    let _ = writeln!(
        text,
        "{} {}, {:.1} s, {ending}.",
        totals.classes,
        plural(totals.classes),
        run.seconds
    );
    if run.is_lower_bound {
        let _ = writeln!(text, "- {LOWER_BOUND}");
    }
    for without in &run.without {
        let _ = writeln!(text, "- without {}", escaped(without));
    }
    text.push('\n');
    add_totals(&mut text, run, &totals);
    add_findings(&mut text, run);
    if run.classes.len() > 1 && (run.has_coverage || run.has_mutants) {
        add_classes(&mut text, run);
    }
    if !run.notes.is_empty() {
        text.push('\n');
        for note in &run.notes {
            let _ = writeln!(text, "> {}", escaped(note));
        }
    }
    text
}

fn add_totals(text: &mut String, run: &Run, totals: &Totals) {
    text.push_str("| | | |\n| --- | ---: | ---: |\n");
    let code = &totals.code;
    let mut row = |name: &str, value: String, percent: String| {
        let _ = writeln!(text, "| {name} | {value} | {percent} |");
    };
    row(
        "Failing behaviours",
        totals.behaviours.to_string(),
        String::new(),
    );
    let mut tests = totals.tests.to_string();
    if totals.failed > 0 {
        let _ = write!(tests, ", {} failing", totals.failed);
    }
    if totals.skipped > 0 {
        let _ = write!(tests, ", {} skipped", totals.skipped);
    }
    row("Tests", tests, String::new());
    let shares = [
        ("Lines", code.lines),
        ("Branches", code.branches),
        ("Goals of tests", code.goals),
        ("Mutants noticed", code.mutants),
    ];
    for (name, share) in shares.into_iter().filter(|(_, share)| share.total > 0) {
        row(name, of(share), percent(run, share));
    }
    if run.has_coverage && code.infeasible > 0 {
        row(
            "Infeasible goals",
            code.infeasible.to_string(),
            String::new(),
        );
    }
}

fn add_findings(text: &mut String, run: &Run) {
    let all = findings(run);
    for kind in Kind::ALL
        .into_iter()
        .filter(|&kind| kind != Kind::InfeasibleGoal)
    {
        let own: Vec<_> = all.iter().filter(|finding| finding.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        let is_open = matches!(kind, Kind::FailingBehaviour | Kind::FailingTest);
        let count = own.len();
        // The blank lines let Markdown begin again inside the element.
        let _ = match is_open {
            true => writeln!(text, "\n### {} ({count})\n", kind.title()),
            false => writeln!(
                text,
                "\n<details><summary>{} ({count})</summary>\n",
                kind.title()
            ),
        };
        for finding in own.iter().take(MOST) {
            let place = finding.file.as_deref().unwrap_or(&finding.element);
            let line = finding
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            let message = finding.message.lines().next().unwrap_or_default();
            let _ = writeln!(
                text,
                "- {} {}",
                code(&format!("{place}{line}")),
                escaped(message)
            );
        }
        if count > MOST {
            let _ = writeln!(text, "- and {} more, which the report lists", count - MOST);
        }
        if !is_open {
            text.push_str("\n</details>\n");
        }
    }
}

fn add_classes(text: &mut String, run: &Run) {
    text.push_str("\n<details><summary>Classes</summary>\n\n");
    text.push_str("| Class | Lines | Branches | Goals | Mutants |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: |\n");
    for class in run.classes.iter().take(MOST) {
        let totals = ClassTotals::of(class);
        let shares = [totals.lines, totals.branches, totals.goals, totals.mutants];
        let cells = shares.map(|share| percent(run, share)).join(" | ");
        let _ = writeln!(text, "| {} | {cells} |", code(&class.name));
    }
    if run.classes.len() > MOST {
        let rest = run.classes.len() - MOST;
        let _ = writeln!(text, "\nand {rest} more, which the report lists");
    }
    text.push_str("\n</details>\n");
}

fn of(share: Share) -> String {
    format!("{} of {}", share.covered, share.total)
}

fn percent(run: &Run, share: Share) -> String {
    run.percent(share).unwrap_or_default()
}

fn plural(classes: u64) -> &'static str {
    if classes == 1 { "class" } else { "classes" }
}

/// Text as code; a back-quote in it would end it.
fn code(text: &str) -> String {
    format!(
        "`{}`",
        text.replace('`', "'")
            .replace('|', "\\|")
            .replace('\n', " ")
    )
}

/// Text whose letters mean themselves.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

//! Shares of runs over time, as an SVG picture and as a table.

use std::fmt::Write as _;

use super::highlight::escaped;
use super::started;
use super::views::grouped;
use crate::history::HistoryEntry;
use crate::model::Share;

/// Number of runs that are shown.
const MOST: usize = 50;
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 30.0;

/// Numbers of the latest runs.
#[derive(Default)]
pub struct HistoryTable {
    pub columns: Vec<&'static str>,
    pub rows: Vec<HistoryRow>,
}

/// Numbers of a run.
pub struct HistoryRow {
    pub name: String,
    pub cells: Vec<String>,
}

/// Share with its name and its class of style.
struct Series {
    name: &'static str,
    style: &'static str,
    of: fn(&HistoryEntry) -> Share,
}

const SERIES: [Series; 4] = [
    Series {
        name: "Lines",
        style: "a",
        of: |entry| entry.totals.code.lines,
    },
    Series {
        name: "Branches",
        style: "b",
        of: |entry| entry.totals.code.branches,
    },
    Series {
        name: "Goals",
        style: "c",
        of: |entry| entry.totals.code.goals,
    },
    Series {
        name: "Mutants",
        style: "d",
        of: |entry| entry.totals.code.mutants,
    },
];

/// Latest runs.
fn latest(history: &[HistoryEntry]) -> &[HistoryEntry] {
    &history[history.len().saturating_sub(MOST)..]
}

/// Series that a run of these has.
fn known(history: &[HistoryEntry]) -> impl Iterator<Item = &'static Series> {
    let is_known = |series: &&Series| history.iter().any(|entry| (series.of)(entry).total > 0);
    SERIES.iter().filter(is_known)
}

/// Table of the latest runs.
pub fn table(history: &[HistoryEntry]) -> HistoryTable {
    let history = latest(history);
    let mut columns: Vec<&'static str> = known(history).map(|series| series.name).collect();
    columns.extend(["Tests", "Failing"]);
    let rows = history.iter().rev().map(|entry| {
        let shares = known(history).map(|series| match (series.of)(entry).percent() {
            Some(percent) => format!("{percent} %"),
            None => String::new(),
        });
        let mut cells: Vec<String> = shares.collect();
        cells.push(grouped(entry.totals.tests));
        cells.push(grouped(entry.totals.failed + entry.totals.behaviours));
        HistoryRow {
            name: started(entry.started),
            cells,
        }
    });
    HistoryTable {
        rows: rows.collect(),
        columns,
    }
}

/// Picture of the shares of the latest runs; `None` for less than two runs, or without shares.
pub fn picture(history: &[HistoryEntry]) -> Option<String> {
    let history = latest(history);
    let series: Vec<&Series> = known(history).collect();
    if history.len() < 2 || series.is_empty() {
        return None;
    }
    let step = (WIDTH - LEFT - RIGHT) / (history.len() - 1) as f64;
    let x = |place: usize| LEFT + step * place as f64;
    let y = |rate: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - rate);
    let names: Vec<&str> = series.iter().map(|series| series.name).collect();
    let mut svg = format!(
        "<svg class=\"trend\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{} of {} runs in percent; the table below has the numbers\">\n",
        names.join(", "),
        history.len()
    );
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let (end, text) = (WIDTH - RIGHT, at + 4.0);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{:.1}\" y=\"{text:.1}\" text-anchor=\"end\">{percent} %</text>",
            LEFT - 8.0
        );
    }
    for (place, anchor) in [(0, "start"), (history.len() - 1, "end")] {
        let day = started(history[place].started);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            x(place),
            HEIGHT - 8.0,
            escaped(day.get(..10).unwrap_or(&day))
        );
    }
    let mut labels = Vec::new();
    for series in series {
        let points: Vec<(f64, f64)> = history
            .iter()
            .enumerate()
            .filter_map(|(place, entry)| Some((x(place), y((series.of)(entry).rate()?))))
            .collect();
        let text: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let style = series.style;
        let _ = writeln!(
            svg,
            "<polyline class=\"{style}\" points=\"{}\"/>",
            text.join(" ")
        );
        for (x, y) in &points {
            let _ = writeln!(
                svg,
                "<circle class=\"{style}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
            );
        }
        let last = history
            .iter()
            .rev()
            .find_map(|entry| (series.of)(entry).percent());
        if let (Some((_, y)), Some(percent)) = (points.last(), last) {
            labels.push((*y, style, format!("{} {percent} %", series.name)));
        }
    }
    // Labels move down until none covers another, and all of them up again at the lower end.
    labels.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut free = 0.0f64;
    for (at, ..) in &mut labels {
        *at = at.max(free);
        free = *at + 15.0;
    }
    let over = (free - 15.0 - (HEIGHT - BOTTOM)).max(0.0);
    for (at, style, text) in labels {
        let (x, y) = (WIDTH - RIGHT + 12.0, at - over);
        let (end, name, base) = (x + 24.0, x + 30.0, y + 4.0);
        let _ = writeln!(
            svg,
            "<line class=\"key {style}\" x1=\"{x:.1}\" x2=\"{end:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"name\" x=\"{name:.1}\" y=\"{base:.1}\">{text}</text>"
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

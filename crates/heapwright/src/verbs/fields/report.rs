//! Report of a search, for people and for programs.

use heapwright_techniques::fields::{FieldsReport, Row, ScopeCut};

use super::FieldsArgs;
use super::suite::WrittenSuite;
use super::summary::{FieldsSummary, ScopeSummary};
use crate::api::SubstitutionCounts;
use crate::files::{counted, grouped};
use crate::report::claim::Claim;
use crate::report::summary::{Body, Head, Solver};

/// Warns on standard error of limitations of a search.
pub fn warn(report: &FieldsReport, arguments: &FieldsArgs) {
    let say = |text: String| notice!("{text}");
    for field in &report.never_read {
        say(format!(
            "the invariant never reads {field}: it is null in every structure"
        ));
    }
    for (count, reason, what) in [
        (
            report.bounded.0,
            &report.bounded.1,
            "not followed to their end",
        ),
        (report.refused.0, &report.refused.1, "refused"),
        (
            report.threw.0,
            &report.threw.1,
            "taken for invalid, because the invariant threw an exception",
        ),
    ] {
        if let Some(reason) = reason {
            let paths = counted(count, "path");
            say(format!("{paths} of the invariant {what}: {reason}"));
        }
    }
    if let Some(scope) = report.first_unbounded_scope {
        say(format!(
            "the time that is estimated for scope {scope} and above is past all numbers: they are searched whole"
        ));
    }
    if report.unknown > 0 {
        let paths = counted(report.unknown, "path");
        say(format!(
            "the solver could not decide whether {paths} are feasible: raise --solver-work"
        ));
    }
    if !report.missing.is_empty() {
        let missing = report.missing.len();
        let scope = arguments.scope();
        let first = &report.missing[0];
        say(format!(
            "{} in no structure within scope {scope}, as {first}",
            counted(missing as u64, "pair")
        ));
    }
}

/// Search with its output, as the report needs it.
pub struct FieldsResults<'a> {
    pub arguments: &'a FieldsArgs,
    pub report: &'a FieldsReport,
    pub written: &'a WrittenSuite,
    /// Claim of the search.
    pub claim: Claim,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl FieldsResults<'_> {
    /// Result for programs.
    pub fn result(&self) -> Body<FieldsSummary> {
        let report = self.report;
        let last = report.rows.last();
        let cut = report.cut.iter();
        let own = FieldsSummary {
            suite_size: report.suite.len(),
            unknown: report.unknown,
            cut: cut.map(|(by, &count)| (by.name(), count)).collect(),
            bounded: report.bounded.0,
            refused: report.refused.0,
            threw: report.threw.0,
            never_read: report.never_read.clone(),
            missing: report.missing.iter().map(ToString::to_string).collect(),
            scopes: report.rows.iter().map(ScopeSummary::of).collect(),
            failing_behaviours: self.written.tests.map(|_| self.written.found.behaviours()),
            prefer_api: self
                .written
                .inputs
                .as_ref()
                .map(SubstitutionCounts::to_summary),
        };
        Head::new(&self.arguments.class, &self.claim, self.seconds)
            .explored(last.map_or(0, |row| row.explored), "paths")
            .solver(Solver {
                queries: last.map_or(0, |row| row.queries),
                unknown: report.unknown,
                ..Solver::default()
            })
            .tests(self.written.tests)
            .with(own)
    }

    /// Summary for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.report.rows {
            text.push_str(&row_text(row));
        }
        if let Some(tests) = self.written.tests {
            text.push_str(&format!("{} written\n", counted(tests as u64, "test")));
        }
        text.push_str(&end_text(&self.claim, self.seconds));
        text
    }
}

/// Last line of the summary for people.
pub fn end_text(claim: &Claim, seconds: f64) -> String {
    format!("{seconds:.2} s; {claim}\n")
}

pub fn cut_text(cut: ScopeCut) -> &'static str {
    match cut {
        ScopeCut::Estimate => "estimate",
        ScopeCut::Covered => "pairs",
        ScopeCut::Interrupted => "interrupted",
    }
}

fn row_text(row: &Row) -> String {
    let fields = row.fields.iter().map(|field| {
        let predicted = field.predicted.map(|predicted| format!(" of {predicted}"));
        format!(
            "{} {}{}",
            field.name,
            field.pairs,
            predicted.unwrap_or_default()
        )
    });
    let cut = row.cut.map(|cut| match cut {
        ScopeCut::Estimate => "; ended by the estimate",
        ScopeCut::Covered => "; all pairs covered",
        ScopeCut::Interrupted => "; interrupted",
    });
    format!(
        "scope {}: {} in {:.2} s; {}; {} of {} valid{}\n",
        row.scope,
        counted(row.suite_size as u64, "structure"),
        row.seconds,
        fields.collect::<Vec<_>>().join(", "),
        grouped(row.valid),
        counted(row.explored, "path"),
        cut.unwrap_or_default()
    )
}

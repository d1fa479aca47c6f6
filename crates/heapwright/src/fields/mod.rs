//! `heapwright fields`.

mod args;

use std::process::ExitCode;
use std::time::Instant;

use heapwright_explore::End;
use heapwright_explore::symbolic::{Bounds, Limits};
use heapwright_jvm::Vm;
use heapwright_techniques::fields::{
    self, Criterion, Cut, Estimate, Policy, Report, Request, Row, Subject,
};
use heapwright_techniques::korat_api;
use heapwright_techniques::symbolic::{self, Crew};
use serde_json::{Value as Json, json};

use crate::cli::jobs;
use crate::enumerate::explain;
use crate::exit;
use crate::interrupt::Interrupt;
use crate::output::{counted, grouped, print};
use crate::progress::ProgressLine;

pub use args::FieldsArgs;
use args::{CriterionName, EstimateName};

/// The scope if nothing is said.
const SCOPE: u32 = 5;
/// Instructions that one run of the invariant may take if nothing is said.
const MAX_STEPS: u64 = 10_000_000;
/// Decisions on a path.
const MAX_DECISIONS: u32 = 100_000;

/// Generates or measures a suite by field coverage.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &FieldsArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config.clone())?;
    let request = request(arguments)?;
    let subject = Subject::find(&mut vm, &arguments.class, arguments.invariant.as_deref());
    let subject = subject.map_err(|error| explain(&vm, error))?;
    for (class, reason) in subject.refused_classes() {
        eprintln!("heapwright: no object of {class} is made: {reason}");
    }
    let interrupt = Interrupt::watch(arguments.time_limit)?;
    let mut line = ProgressLine::new(true);
    let mut crew = Crew {
        jobs: jobs(arguments.jobs),
        more: &|| Vm::new(config.clone()).ok(),
        stops: &|| interrupt.reason().is_some(),
        watch: &mut |progress, share| line.update(progress, share),
    };
    let report = fields::search(&mut vm, &request, &subject, &mut crew);
    line.clear();
    let report = report.map_err(|error| explain(&vm, error))?;
    let stopped_by = interrupt.reason().filter(|_| report.end == End::Interrupted);
    let whole = Whole {
        arguments,
        report: &report,
        stopped_by,
        start,
    };
    match arguments.json {
        true => print(&format!("{}\n", whole.json()))?,
        false => print(&whole.text())?,
    }
    Ok(match (stopped_by, report.suite.is_empty()) {
        (Some(_), _) => exit::ExitCode::Partial,
        (None, true) => exit::ExitCode::Nothing,
        (None, false) => exit::ExitCode::Done,
    }
    .into())
}

fn request(arguments: &FieldsArgs) -> anyhow::Result<Request> {
    let scope = arguments.scope.unwrap_or(SCOPE);
    let estimate = match arguments.estimate {
        EstimateName::None => None,
        EstimateName::Size => Some(Estimate::Size),
        EstimateName::Time => Some(Estimate::Time),
    };
    Ok(Request {
        paths: symbolic::Request {
            class: arguments.class.clone(),
            methods: Vec::new(),
            bounds: Bounds {
                length: scope,
                loops: arguments.loop_k,
                decisions: MAX_DECISIONS,
                ..Bounds::default()
            },
            limits: Limits {
                work: arguments.solver_work.unwrap_or(Limits::default().work),
            },
            step_limit: arguments.max_steps.unwrap_or(MAX_STEPS),
            scripts: false,
        },
        invariant: arguments.invariant.clone(),
        scope,
        criterion: match arguments.criterion {
            CriterionName::Exhaustive => Criterion::Exhaustive,
            CriterionName::NonNull => Criterion::NonNull,
        },
        policy: estimate.map(|estimate| Policy {
            estimate,
            regression: arguments.regression.into(),
            small_scope: arguments.small_scope,
            clock: arguments.clock.into(),
        }),
    })
}

/// What came of the search, to be told.
struct Whole<'a> {
    arguments: &'a FieldsArgs,
    report: &'a Report,
    stopped_by: Option<&'static str>,
    start: Instant,
}

impl Whole<'_> {
    fn json(&self) -> Json {
        let report = self.report;
        let last = report.rows.last();
        let mut summary = json!({
            "status": if self.stopped_by.is_some() { "stopped" } else { "complete" },
            "seconds": self.start.elapsed().as_secs_f64(),
            "class": self.arguments.class,
            "explored": last.map_or(0, |row| row.explored),
            "suite_size": report.suite.len(),
            "solver_queries": last.map_or(0, |row| row.queries),
            "unknown": report.unknown,
            "bounded": report.bounded,
            "refused": report.refused.0,
            "threw": report.threw.0,
            "never_read": report.never_read,
            "scopes": report.rows.iter().map(row_json).collect::<Vec<_>>(),
        });
        if let Some(by) = self.stopped_by {
            summary["stopped_by"] = json!(by);
        }
        summary
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.report.rows {
            text.push_str(&row_text(row));
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let end = self
            .stopped_by
            .map_or_else(|| "complete".to_owned(), |by| format!("stopped by {by}"));
        text.push_str(&format!("{seconds:.2} s; {end}\n"));
        text
    }
}

fn row_json(row: &Row) -> Json {
    let fields = row.fields.iter().map(|field| {
        let mut json = json!({"pairs": field.pairs});
        if let Some(predicted) = field.predicted {
            json["predicted"] = json!(predicted);
        }
        (field.name.clone(), json)
    });
    let mut json = json!({
        "scope": row.scope,
        "suite_size": row.suite_size,
        "explored": row.explored,
        "valid": row.valid,
        "solver_queries": row.queries,
        "work": row.work,
        "seconds": row.seconds,
        "stopped_by": row.cut.map(cut_text),
        "fields": fields.collect::<serde_json::Map<_, _>>(),
    });
    if let Some(work) = row.predicted_work {
        json["predicted_work"] = json!(work);
    }
    json
}

fn cut_text(cut: Cut) -> &'static str {
    match cut {
        Cut::Estimate => "estimate",
        Cut::Covered => "pairs",
        Cut::Interrupted => "interrupted",
    }
}

fn row_text(row: &Row) -> String {
    let fields = row.fields.iter().map(|field| {
        let predicted = field.predicted.map(|predicted| format!(" of {predicted}"));
        format!("{} {}{}", field.name, field.pairs, predicted.unwrap_or_default())
    });
    let cut = row.cut.map(|cut| format!("; {}", cut_text(cut)));
    format!(
        "scope {}: {}; {}; {} of {} valid; {:.2} s{}\n",
        row.scope,
        counted(row.suite_size as u64, "structure"),
        fields.collect::<Vec<_>>().join(", "),
        grouped(row.valid),
        counted(row.explored, "path"),
        row.seconds,
        cut.unwrap_or_default()
    )
}

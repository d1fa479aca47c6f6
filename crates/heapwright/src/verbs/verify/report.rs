//! Text and summary of `verify`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Chance, ReadSource};
use heapwright_techniques::symbolic::CutBy;
use heapwright_techniques::verify::{
    Invariant, Place, Program, Round, Subject, Verdict, VerifyReport, VerifyRequest, Violation,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::property::PropertyArg;
use crate::files::{counted, print as print_text};
use crate::options::OutputArgs;
use crate::report::claim::Claim;
use crate::report::paths::values_json;
use crate::report::summary::{Body, Head, Solver, SolverStages};

/// Verdict on a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifySummary {
    /// `true`, `false`, `bounded` (`true` up to the bounds that were accepted) or `unknown`.
    verdict: &'static str,
    /// Property that was verified.
    property: &'static str,
    /// Run that violates it.
    violation: Option<ViolationSummary>,
    /// Searches, each with wider bounds than the one before.
    rounds: Vec<RoundSummary>,
    /// Loops and recursive methods of a proof by induction, with what it rests on; empty if all paths
    /// were searched.
    induction: Vec<InvariantSummary>,
}

/// Loop, recursive method, or class of a proof by induction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct InvariantSummary {
    /// Binary name of the class.
    class: String,
    /// Method with its parameters; null for a class.
    method: Option<String>,
    /// Name of the source file.
    file: Option<String>,
    /// Line.
    line: Option<u32>,
    /// `loop`, `method` or `class`.
    kind: &'static str,
    /// Iterations of the loop that run before what holds does.
    after: u32,
    /// What holds whenever a run comes to the head of the loop, of the arguments of each call, or of
    /// each object of the class whenever a run comes to such a place, in the notation of JML.
    holds: Vec<String>,
    /// What holds when a call of the method returns, in the notation of JML.
    ensures: Vec<String>,
}

/// Run that violates a property.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ViolationSummary {
    /// What ends the run.
    what: String,
    /// Inputs that the program asked for, in order.
    inputs: Vec<InputSummary>,
    /// Arguments of a method by name.
    arguments: Json,
    /// Frames of the exception, innermost first.
    trace: Vec<PlaceSummary>,
}

/// Input that a program asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct InputSummary {
    #[serde(flatten)]
    place: PlaceSummary,
    /// Name that the program gives it.
    name: Option<String>,
    /// Java type.
    r#type: &'static str,
    /// Value.
    value: Json,
}

/// Place in the source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PlaceSummary {
    /// Binary name of the class.
    class: String,
    /// Method with its parameters.
    method: String,
    /// Name of the source file.
    file: Option<String>,
    /// Line.
    line: Option<u32>,
}

/// One search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RoundSummary {
    /// Most characters of strings and elements of arrays in inputs.
    scope: u32,
    /// Most iterations of a loop.
    loops: u32,
    /// Most instructions of a run.
    steps: u64,
    /// Whether states were merged behind branches.
    merged: bool,
    /// Paths followed to their end.
    paths: u64,
    /// Whether all paths were searched.
    complete: bool,
    /// Paths that each bound or limit has cut.
    cut: BTreeMap<&'static str, u64>,
    /// What was refused, with the number of paths.
    refused: BTreeMap<String, u64>,
    /// What was read that differs from run to run.
    chances: Vec<String>,
}

impl From<&Place> for PlaceSummary {
    fn from(place: &Place) -> PlaceSummary {
        PlaceSummary {
            class: place.class.clone(),
            method: place.method.clone(),
            file: place.file.clone(),
            line: place.line,
        }
    }
}

impl From<&Invariant> for InvariantSummary {
    fn from(invariant: &Invariant) -> InvariantSummary {
        let (kind, class, place) = match &invariant.subject {
            Subject::Loop(place) => ("loop", &place.class, Some(place)),
            Subject::Method(place) => ("method", &place.class, Some(place)),
            Subject::Class(class) => ("class", class, None),
        };
        InvariantSummary {
            class: class.clone(),
            method: place.map(|place| place.method.clone()),
            file: place.and_then(|place| place.file.clone()),
            line: place.and_then(|place| place.line),
            kind,
            after: invariant.after,
            holds: invariant.holds.clone(),
            ensures: invariant.ensures.clone(),
        }
    }
}

impl From<&Round> for RoundSummary {
    fn from(round: &Round) -> RoundSummary {
        RoundSummary {
            scope: round.settings.bounds.length,
            loops: round.settings.bounds.loops,
            steps: round.settings.step_limit,
            merged: round.settings.merges,
            paths: round.paths,
            complete: round.is_complete,
            cut: round
                .cut
                .iter()
                .map(|(by, &count)| (by.name(), count))
                .collect(),
            refused: round.refused.clone(),
            chances: round.chances.iter().map(Chance::to_string).collect(),
        }
    }
}

/// Prints the verdict.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(
    output: &OutputArgs,
    request: &VerifyRequest,
    report: &VerifyReport,
    reads: &BTreeSet<ReadSource>,
    stopped_by: Option<&str>,
    start: Instant,
) -> anyhow::Result<()> {
    let claim = claim(request, report, reads, stopped_by);
    let seconds = start.elapsed().as_secs_f64();
    if output.json {
        return summary(request, report, &claim, seconds).print("verify");
    }
    let mut text = verdict_text(request, report, &claim);
    text.push_str(&format!(
        "{} in {}; {seconds:.2} s\n",
        counted(report.paths(), "path"),
        match report.rounds.len() {
            1 => "1 search".to_owned(),
            many => format!("{many} searches"),
        }
    ));
    print_text(&text)
}

fn claim(
    request: &VerifyRequest,
    report: &VerifyReport,
    reads: &BTreeSet<ReadSource>,
    stopped_by: Option<&str>,
) -> Claim {
    let claim = match report.verdict {
        Verdict::False(_) => return Claim::ended(None),
        Verdict::True => Claim::ended(None),
        Verdict::Bounded => Claim::new(None, report.cut(), |_| true),
        Verdict::Unknown => Claim::new(stopped_by, report.cut(), |_| false).partial(),
    };
    let settings = report.rounds.iter().flat_map(|round| &round.chances);
    let settings: BTreeSet<ReadSource> = settings
        .filter(|chance| chance.is_setting())
        .map(|&chance| ReadSource::World(chance))
        .collect();
    match request.program {
        // A program begins with the static fields that it has.
        Program::Main(_) => claim.with_reads(&settings),
        Program::Method(_) => {
            let fields = reads
                .iter()
                .filter(|read| matches!(read, ReadSource::Static(_)));
            claim.with_reads(&settings.into_iter().chain(fields.cloned()).collect())
        }
    }
}

fn verdict_text(request: &VerifyRequest, report: &VerifyReport, claim: &Claim) -> String {
    let property = PropertyArg(request.property).name();
    match &report.verdict {
        Verdict::True => {
            let mut text = format!("true: {property}{}\n", claim.without());
            for invariant in &report.invariants {
                text.push_str(&invariant_text(invariant));
            }
            text
        }
        Verdict::Bounded => {
            let round = report.rounds.last();
            let bounds = round.map(|round| bounds_text(round, &report.cut()));
            format!("true up to {}: {property}\n", bounds.unwrap_or_default())
        }
        Verdict::False(violation) => format!("false: {property}\n{}", violation_text(violation)),
        Verdict::Unknown => {
            let mut text = format!("unknown: {property}; {claim}\n");
            let refused = report.rounds.last().into_iter();
            for (reason, count) in refused.flat_map(|round| &round.refused) {
                text.push_str(&format!("  {}: {reason}\n", counted(*count, "path")));
            }
            let chances = report.rounds.last().into_iter();
            for chance in chances.flat_map(|round| &round.chances) {
                text.push_str(&format!("  it has read {chance}\n"));
            }
            text
        }
    }
}

/// Loop, method or class of a proof by induction, with its invariants.
fn invariant_text(invariant: &Invariant) -> String {
    let (subject, holds) = match &invariant.subject {
        Subject::Loop(place) => (format!("loop at {}", place_text(place)), "invariant"),
        Subject::Method(place) => (format!("calls of {}", place_text(place)), "requires"),
        Subject::Class(class) => (format!("objects of {class}"), "invariant"),
    };
    let after = match invariant.after {
        0 => String::new(),
        count => format!(", after {}", counted(u64::from(count), "iteration")),
    };
    let mut text = format!("  by induction over the {subject}{after}\n");
    for (clause, facts) in [(holds, &invariant.holds), ("ensures", &invariant.ensures)] {
        for fact in facts {
            text.push_str(&format!("    {clause} {fact}\n"));
        }
    }
    text
}

/// Bounds that have cut a search, as options.
fn bounds_text(round: &Round, cut: &BTreeSet<CutBy>) -> String {
    let settings = &round.settings;
    let mut options: Vec<String> = Vec::new();
    for by in cut {
        let option = match by {
            CutBy::Lengths | CutBy::Objects => format!("--scope {}", settings.bounds.length),
            CutBy::Loops => format!("--loop-k {}", settings.bounds.loops),
            CutBy::Steps => format!("--max-steps {}", settings.step_limit),
            CutBy::Room => format!("--max-array {}", settings.bounds.room),
            CutBy::Values => format!("--max-values {}", settings.bounds.values),
            by => by.to_string(),
        };
        if !options.contains(&option) {
            options.push(option);
        }
    }
    options.join(" ")
}

fn violation_text(violation: &Violation) -> String {
    let mut text = format!("  {}\n", violation.what);
    for place in &violation.trace {
        text.push_str(&format!("    at {}\n", place_text(place)));
    }
    for (name, value) in &violation.inputs.roots {
        text.push_str(&format!("  {name} = {}\n", violation.inputs.shown(value)));
    }
    for asked in &violation.asked {
        let value = violation.inputs.shown(&asked.value);
        let place = place_text(&asked.place);
        text.push_str(&match &asked.name {
            Some(name) => format!("  {name} = {value} at {place}\n"),
            None => format!("  {value} at {place}\n"),
        });
    }
    text
}

fn place_text(place: &Place) -> String {
    let (class, method) = (&place.class, &place.method);
    match place.line {
        Some(line) => format!("{class}.{method}:{line}"),
        None => format!("{class}.{method}"),
    }
}

/// Java type of an input that a program asks for.
fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Reference => "java.lang.String",
        kind => kind.keyword(),
    }
}

fn summary(
    request: &VerifyRequest,
    report: &VerifyReport,
    claim: &Claim,
    seconds: f64,
) -> Body<VerifySummary> {
    let violation = match &report.verdict {
        Verdict::False(violation) => Some(violation_summary(violation)),
        _ => None,
    };
    let own = VerifySummary {
        verdict: match report.verdict {
            Verdict::True => "true",
            Verdict::Bounded => "bounded",
            Verdict::False(_) => "false",
            Verdict::Unknown => "unknown",
        },
        property: PropertyArg(request.property).name(),
        violation,
        rounds: report.rounds.iter().map(RoundSummary::from).collect(),
        induction: report
            .invariants
            .iter()
            .map(InvariantSummary::from)
            .collect(),
    };
    let solver = &report.solver;
    Head::new(&request.class, claim, seconds)
        .explored(report.paths(), "paths")
        .solver(Solver {
            queries: solver.queries,
            unknown: solver.unknown,
            seconds: None,
            stages: Some(SolverStages {
                decided_cheaply: solver.decided_cheaply,
                by_model: solver.by_model,
                cache_hits: solver.cache_hits,
                calls: solver.solver_calls,
                work: solver.work,
            }),
        })
        .with(own)
}

fn violation_summary(violation: &Violation) -> ViolationSummary {
    let asked: Vec<_> = violation.asked.iter().map(|asked| &asked.value).collect();
    let (arguments, values) = values_json(&violation.inputs, &asked);
    let inputs = violation.asked.iter().zip(values);
    ViolationSummary {
        what: violation.what.clone(),
        inputs: inputs
            .map(|(asked, value)| InputSummary {
                place: (&asked.place).into(),
                name: asked.name.clone(),
                r#type: type_name(asked.kind),
                value,
            })
            .collect(),
        arguments,
        trace: violation.trace.iter().map(PlaceSummary::from).collect(),
    }
}

//! `heapwright run --symbolic`: every path of methods with symbolic inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use heapwright_explore::End;
use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::symbolic::{
    self, Crew, CutBy, Path, SymbolicReport, SymbolicRequest, Target,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{PathFormat, RunArgs, SymbolicArgs};
use crate::exit;
use crate::files::{Output, counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::messages;
use crate::options::{Integers, Strings, jobs, limits};
use crate::progress::ProgressLines;
use crate::report::claim::Claim;
use crate::report::explain::{explain, explain_run, nothing_to_run};
use crate::report::paths::{PathSummary, line_of, path_summary};
use crate::report::summary::{Body, Head, Solver, SolverStages};
use crate::solver;

/// Explores the paths of methods.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &RunArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    if let Some(main) = &arguments.main {
        bail!("--symbolic runs methods of the class named with --class: leave out {main}");
    }
    let symbolic = &arguments.symbolic;
    let interrupt = StopSignal::watch(
        symbolic.time_limit,
        &arguments.class_path,
        jobs(symbolic.jobs),
    )?;
    solver::notice_if_missing();
    let mut config = arguments.class_path.config()?;
    config.assertions = true;
    config.optimize = !arguments.unoptimized;
    let mut vm = Vm::new(config.clone())?;
    let request = request(symbolic);
    let targets = symbolic::targets(&mut vm, &request).map_err(|error| explain(&vm, error))?;
    if targets.is_empty() {
        notice!("{}", nothing_to_run(&mut vm, &request.class));
    }
    let mut line = ProgressLines::new(symbolic.output.is_none());
    let mut crew = Crew {
        jobs: jobs(symbolic.jobs),
        more: &|| Vm::new(config.clone()).ok(),
        stops: &|| interrupt.reason().is_some(),
        watch: &mut |state| line.update_search(state),
    };
    let mut writer = PathWriter::open(symbolic)?;
    let mut reports = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        for (class, reason) in target.refused_classes() {
            notice!("{}: no object of {class} is made: {reason}", target.name);
        }
        let mut take = |path: Path| writer.take(&target.name, &path);
        let report = symbolic::explore(&mut vm, &request, &targets, number, &mut crew, &mut take);
        let report = report.map_err(|error| explain_run(&vm, error))?;
        let is_stopped = report.end != End::Complete;
        reports.push(report);
        if is_stopped {
            break;
        }
    }
    line.clear();
    symbolic.inputs.warn();
    writer.finish()?;
    let whole = SymbolicResults {
        stopped_by: stopped_by(&reports, &writer, &interrupt),
        targets: &targets,
        reports: &reports,
        reads: vm.reads(),
    };
    whole.print(symbolic, &writer, start)?;
    let code = match targets.is_empty() {
        true => exit::ExitCode::Nothing,
        false => exit::ExitCode::Done,
    };
    Ok(whole.claim(symbolic).exit_code().unwrap_or(code).into())
}

fn request(arguments: &SymbolicArgs) -> SymbolicRequest {
    let inputs = &arguments.inputs;
    let default = inputs.bounds(arguments.scope);
    SymbolicRequest {
        class: arguments.class.clone().unwrap_or_default(),
        methods: arguments.methods.clone(),
        bounds: InputBounds {
            loops: arguments.loop_k.unwrap_or(default.loops),
            ..default
        },
        limits: limits(inputs.solver_work),
        step_limit: inputs.max_steps(),
        scripts: arguments.format == PathFormat::Smt2,
        merges: false,
    }
}

fn stopped_by(
    reports: &[SymbolicReport],
    writer: &PathWriter<'_>,
    interrupt: &StopSignal,
) -> Option<&'static str> {
    if writer.is_past_limit {
        return Some("--limit");
    }
    let is_stopped = reports.iter().any(|report| report.end != End::Complete);
    interrupt.reason().filter(|_| is_stopped)
}

/// Writer of paths.
struct PathWriter<'a> {
    arguments: &'a SymbolicArgs,
    output: Option<Output>,
    paths: Vec<PathSummary>,
    taken: u64,
    is_past_limit: bool,
    failure: Option<anyhow::Error>,
}

impl<'a> PathWriter<'a> {
    fn open(arguments: &'a SymbolicArgs) -> anyhow::Result<PathWriter<'a>> {
        let output = match arguments.json && arguments.output.is_none() {
            true => None,
            false => Some(Output::open(arguments.output.as_deref())?),
        };
        Ok(PathWriter {
            arguments,
            output,
            paths: Vec::new(),
            taken: 0,
            is_past_limit: false,
            failure: None,
        })
    }

    fn take(&mut self, method: &str, path: &Path) -> ControlFlow<()> {
        if self.arguments.limit == Some(self.taken) {
            self.is_past_limit = true;
            return ControlFlow::Break(());
        }
        self.taken += 1;
        if self.arguments.json {
            self.paths.push(path_summary(method, path));
        }
        let Some(output) = &mut self.output else {
            return ControlFlow::Continue(());
        };
        let text = match self.arguments.format {
            PathFormat::Text => line_of(method, path),
            PathFormat::Smt2 => {
                let script = path.script.as_deref().unwrap_or_default();
                format!("; {method} {}\n{script}(reset)", path.ending)
            }
        };
        match output.write_line(&text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        match self.output.take() {
            Some(output) => output.finish(),
            None => Ok(()),
        }
    }
}

/// Results of all methods.
struct SymbolicResults<'a> {
    targets: &'a [Target],
    reports: &'a [SymbolicReport],
    stopped_by: Option<&'static str>,
    reads: BTreeSet<ReadSource>,
}

impl SymbolicResults<'_> {
    fn claim(&self, arguments: &SymbolicArgs) -> Claim {
        let cut = self.reports.iter().flat_map(|report| report.cut.keys());
        let mut cut: BTreeSet<CutBy> = cut.copied().collect();
        let mut targets = self.targets.iter();
        if targets.any(|target| !target.refused_classes().is_empty()) {
            cut.insert(CutBy::Refusals);
        }
        let claim = Claim::new(self.stopped_by, cut, |by| match by {
            CutBy::Loops => arguments.loop_k.is_some(),
            by => arguments.inputs.is_asked(by, arguments.scope),
        });
        claim.with_reads(&self.reads)
    }

    /// Number of paths on which each bound cut something off.
    fn cut(&self) -> BTreeMap<&'static str, u64> {
        let mut all: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (by, count) in self.reports.iter().flat_map(|report| &report.cut) {
            *all.entry(by.name()).or_default() += count;
        }
        all
    }

    fn print(
        &self,
        arguments: &SymbolicArgs,
        writer: &PathWriter<'_>,
        start: Instant,
    ) -> anyhow::Result<()> {
        if arguments.json {
            return self
                .result(arguments, writer.paths.clone(), start)
                .print("run");
        }
        let mut text = String::new();
        for (target, report) in self.targets.iter().zip(self.reports) {
            text.push_str(&summary_of(&target.name, report));
        }
        let seconds = start.elapsed().as_secs_f64();
        text.push_str(&format!("{seconds:.2} s; {}\n", self.claim(arguments)));
        match arguments.output.is_some() {
            true => print(&text),
            // Standard output has the paths.
            false => {
                messages::report(&text);
                Ok(())
            }
        }
    }

    fn result(
        &self,
        arguments: &SymbolicArgs,
        paths: Vec<PathSummary>,
        start: Instant,
    ) -> Body<SymbolicSummary> {
        let sum = |count: fn(&SymbolicReport) -> u64| self.reports.iter().map(count).sum::<u64>();
        let fixed_at = self.reports.iter().flat_map(|report| &report.fixed_at);
        let own = SymbolicSummary {
            integers: match arguments.inputs.integers {
                Integers::Java => "java",
                Integers::Unbounded => "unbounded",
            },
            strings: match arguments.inputs.strings {
                Strings::Latin1 => "latin1",
                Strings::Utf16 => "utf16",
            },
            bounded: sum(|report| report.bounded),
            unknown: sum(|report| report.unknown),
            fixed: sum(|report| report.fixed),
            refused: sum(|report| report.refused),
            decisions: sum(|report| report.decisions),
            cut: self.cut(),
            fixed_at: fixed_at
                .map(|(place, &times)| (place.clone(), times))
                .collect(),
            paths,
        };
        let seconds = start.elapsed().as_secs_f64();
        let class = arguments.class.as_deref().unwrap_or_default();
        Head::new(class, &self.claim(arguments), seconds)
            .explored(sum(|report| report.paths), "paths")
            .solver(Solver {
                queries: sum(|report| report.solver.queries),
                unknown: sum(|report| report.solver.unknown),
                seconds: None,
                stages: Some(SolverStages {
                    decided_cheaply: sum(|report| report.solver.decided_cheaply),
                    by_model: sum(|report| report.solver.by_model),
                    cache_hits: sum(|report| report.solver.cache_hits),
                    calls: sum(|report| report.solver.solver_calls),
                    work: sum(|report| report.solver.work),
                }),
            })
            .with(own)
    }
}

/// Paths of methods with symbolic inputs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SymbolicSummary {
    /// Reading of arithmetic: `java` or `unbounded`.
    integers: &'static str,
    /// Characters of strings: `latin1` or `utf16`.
    strings: &'static str,
    /// Paths that were not followed to their end.
    bounded: u64,
    /// Paths that the solver could not tell to be possible.
    unknown: u64,
    /// Paths on which values were fixed.
    fixed: u64,
    /// Paths that were refused.
    refused: u64,
    /// Decisions on symbolic values.
    decisions: u64,
    /// Paths on which a bound cut something off, by the bound.
    cut: BTreeMap<&'static str, u64>,
    /// Times that values were fixed, by the place in the code.
    fixed_at: BTreeMap<String, u64>,
    /// Paths.
    paths: Vec<PathSummary>,
}

/// Line for people about the result of a method.
fn summary_of(name: &str, report: &SymbolicReport) -> String {
    let solver = &report.solver;
    let mut text = format!("{name}: {}", counted(report.paths, "path"));
    for (count, what) in [
        (report.bounded, "not followed to their end"),
        (report.refused, "refused"),
        (report.fixed, "with values fixed"),
        (report.unknown, "of unknown feasibility"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    // Bounds that end a path are reported with it, documented ones at the end; these are the rest.
    let is_told = |by: CutBy| by.is_beside() && !by.is_documented();
    for (by, &count) in report.cut.iter().filter(|(by, _)| is_told(**by)) {
        text.push_str(&format!(", {} without {by}", grouped(count)));
    }
    text.push_str(&format!(
        "; {}, {} to the solver ({} work, {} unknown), {} from its cache\n",
        counted(solver.queries, "question"),
        grouped(solver.solver_calls),
        grouped(solver.work),
        grouped(solver.unknown),
        grouped(solver.cache_hits)
    ));
    for (place, times) in &report.fixed_at {
        text.push_str(&format!(
            "  values fixed {} at {place}\n",
            counted(*times, "time")
        ));
    }
    text
}

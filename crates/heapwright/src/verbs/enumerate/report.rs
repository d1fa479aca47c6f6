//! Report of `enumerate`: a line for people or a summary for programs, and warnings.

use std::collections::BTreeSet;
use std::time::Instant;

use heapwright_explore::{Coverage, Span, Strategy};
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::invariant::{Enumeration, EnumerationOutcome};

use super::args::EnumerateArgs;
use super::gallery::Gallery;
use crate::api::SubstitutionCounts;
use crate::files::{grouped, print};
use crate::messages;
use crate::report::claim::Claim;
use crate::report::structures::{
    ClaimBounds, StructuresSummary, leaves, search_name, unanswered, unit,
};
use crate::report::summary::{Body, Digits, Exact, Head};

/// Result of a run.
pub struct Report {
    /// Outcome of the search.
    pub outcome: EnumerationOutcome,
    /// Static fields that code has read.
    pub reads: BTreeSet<ReadSource>,
    /// Reason why the search ended early.
    pub stopped_by: Option<&'static str>,
    /// Remaining parts of a stopped search.
    pub left: Vec<Span>,
    /// Prefix from which a stopped search resumes.
    pub resume: Option<String>,
    /// Number of tests written.
    pub tests: Option<usize>,
    /// Construction of the tests' inputs, if calls are preferred.
    pub inputs: Option<SubstitutionCounts>,
    /// Structures that reports draw.
    pub gallery: Gallery,
}

impl Report {
    /// Claim of the search.
    pub fn claim(&self, vm: &Vm, enumeration: &Enumeration, strategy: Strategy) -> Claim {
        let refused = unanswered(strategy, self.outcome.progress.refused);
        let claim = ClaimBounds::of(vm, enumeration).claim(self.stopped_by, refused);
        let claim = claim.with_reads(&self.reads);
        let coverage = self.outcome.coverage.as_ref();
        match coverage.map_or(0, |coverage| coverage.unanswered.count) {
            0 => claim,
            count => claim.with_gap(format!("a class on {}", leaves(strategy, count))),
        }
    }
}

/// Prints the summary on standard output, or on standard error if the structures are on standard
/// output.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print_summary(
    vm: &Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    report: &Report,
    start: Instant,
) -> anyhow::Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    if arguments.common.output.json {
        let result = result(vm, enumeration, arguments.strategy(), report, seconds);
        return result.print("enumerate");
    }
    let line = line(vm, enumeration, arguments, report, seconds);
    let resume = || {
        if let Some(prefix) = &report.resume {
            notice!("to resume: --resume {prefix}");
        }
    };
    if arguments.format.is_some() && arguments.output.is_none() {
        messages::report(&format!("{line}\n"));
        resume();
        return Ok(());
    }
    print(&format!("{line}\n"))?;
    resume();
    Ok(())
}

fn line(
    vm: &Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    report: &Report,
    seconds: f64,
) -> String {
    let progress = &report.outcome.progress;
    let bounds = arguments.bounds.shown();
    let classes = match &report.outcome.coverage {
        Some(coverage) if arguments.one_per_class => {
            format!(" in {}, one of each kept", classes_text(coverage))
        }
        Some(coverage) => format!(" in {}", classes_text(coverage)),
        None => String::new(),
    };
    let strategy = arguments.strategy();
    let cubes = match (strategy, progress.cubes) {
        (Strategy::Korat, _) => String::new(),
        (Strategy::Lazy, 1) => " in 1 cube".to_owned(),
        (Strategy::Lazy, cubes) => format!(" in {} cubes", grouped(cubes)),
    };
    let mut line = format!(
        "{}{bounds}: {} structures{cubes}{classes}, {} explored, {seconds:.2} s; ",
        vm.simple_name(enumeration.class),
        grouped(&progress.valid),
        leaves(strategy, &progress.explored),
    );
    line.push_str(&report.claim(vm, enumeration, strategy).to_string());
    if let Some(tests) = report.tests {
        line.push_str(&format!("; {} tests written", grouped(tests as u64)));
    }
    line
}

fn classes_text(coverage: &Coverage) -> String {
    let count = coverage.classes.len();
    let plural = if count == 1 { "" } else { "es" };
    format!("{} class{plural}", grouped(count as u64))
}

fn result(
    vm: &Vm,
    enumeration: &Enumeration,
    strategy: Strategy,
    report: &Report,
    seconds: f64,
) -> Body<StructuresSummary> {
    let progress = &report.outcome.progress;
    let own = StructuresSummary {
        search: search_name(strategy).to_owned(),
        valid: Exact::from(&progress.valid),
        cubes: (strategy == Strategy::Lazy).then_some(progress.cubes),
        threw: progress.threw,
        refused: progress.refused,
        candidates: Digits::from(&enumeration.space.candidates()),
        steps: progress.steps,
        bounds: ClaimBounds::of(vm, enumeration).bounds,
        resume: report.resume.clone(),
        shards: None,
        classes_found: report
            .outcome
            .coverage
            .as_ref()
            .map(|found| found.classes.len()),
        prefer_api: report.inputs.as_ref().map(SubstitutionCounts::to_summary),
    };
    let claim = report.claim(vm, enumeration, strategy);
    Head::new(&vm.binary_name(enumeration.class), &claim, seconds)
        .explored(&progress.explored, unit(strategy))
        .tests(report.tests)
        .with(own)
}

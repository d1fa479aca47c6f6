//! `heapwright fields`: a small suite that covers the pairs of fields and referents.

mod args;
mod job;
mod measure;
mod report;
mod suite;
mod summary;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use heapwright_explore::End;
use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::{Config, ReadSource, Vm};
use heapwright_techniques::fields::{
    self, Estimate, FieldsReport, FieldsRequest, InvariantSubject, Pair, PairCriterion, Policy,
};
use heapwright_techniques::symbolic::{self, Crew, CutBy};
use serde_json::Value;

use crate::exit;
use crate::files::print;
use crate::interrupt::StopSignal;
use crate::job::JobSearch;
use crate::messages;
use crate::options::{Format, limits};
use crate::progress::ProgressLines;
use crate::report::claim::Claim;
use crate::report::explain::explain_run;
use crate::report::summary::Head;
use crate::solver;

pub use summary::{FieldsSummary, MeasureSummary};

pub use args::FieldsArgs;
use args::{EstimateName, PairCriterionName};
use measure::Measured;
use report::FieldsResults;
use suite::WrittenSuite;

/// Maximum number of decisions on a path.
const MAX_DECISIONS: u32 = 100_000;

/// Generates or measures a suite by field coverage.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &FieldsArgs) -> anyhow::Result<ExitCode> {
    search_or_merge(arguments, None)
}

/// Writes and reports the suite of a job that has ended, as that of one run.
///
/// # Errors
/// The state is none of this search, or the output cannot be written.
pub fn merge(arguments: &FieldsArgs, ended: &Value) -> anyhow::Result<ExitCode> {
    search_or_merge(arguments, Some(ended))
}

/// Opens the search as one that a job divides.
///
/// # Errors
/// The request is wrong.
pub fn job_search(arguments: &FieldsArgs) -> anyhow::Result<Box<dyn JobSearch + '_>> {
    Ok(Box::new(job::FieldSearch::open(arguments)?))
}

/// Searches, unless a search of workers has ended with a state.
fn search_or_merge(arguments: &FieldsArgs, ended: Option<&Value>) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    ensure!(
        !(arguments.common.output.json && arguments.format.is_some() && arguments.output.is_none()),
        "--json writes the summary to standard output: name the file of the suite with -o"
    );
    ensure!(
        arguments.format != Some(Format::Junit) || arguments.output.is_some(),
        "--format junit writes files: name their folder with -o"
    );
    ensure!(
        arguments.format.is_some() || arguments.output.is_none(),
        "-o names the file of the suite: name its format with --format"
    );
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    solver::notice_if_missing();
    let config = arguments.common.class_path.exploring()?;
    let mut vm = Vm::new(config.clone())?;
    let subject = InvariantSubject::find(&mut vm, &arguments.class, arguments.invariant.as_deref());
    let subject = subject.map_err(|error| explain_run(&vm, error))?;
    for (class, reason) in subject.refused_classes() {
        notice!("no object of {class} is made: {reason}");
    }
    if arguments.format == Some(Format::Junit) {
        let calls = arguments.observed_calls();
        let found = calls.find(&vm, subject.class, subject.invariant);
        found.map_err(|error| explain_run(&vm, error))?;
    }
    let given = match &arguments.pairs {
        None => None,
        Some(file) => Some(measure::read_pairs(file)?),
    };
    let measured = match &arguments.measure {
        None => None,
        Some(file) => {
            let class = vm.binary_name(subject.class);
            Some(Measured::read(file, &class)?)
        }
    };
    let mut job = FieldsJob {
        arguments,
        config: &config,
        subject: &subject,
        interrupt,
        start,
        reads: BTreeSet::new(),
    };
    match (measured, given) {
        (Some(mut measured), Some(wanted)) => {
            measured.find_pairs(&subject.vocabulary, &[]);
            job.report_coverage(&measured, &wanted, None)
        }
        (Some(mut measured), None) => {
            let scope = arguments.scope.unwrap_or(measured.scope);
            let report = job.search(&mut vm, scope, None)?;
            measured.find_pairs(&subject.vocabulary, &report.never_read);
            job.report_coverage(&measured, &report.covered, Some(&report))
        }
        (None, given) => {
            let report = match ended {
                None => job.generate(&mut vm, given)?,
                Some(state) => job.restore(state)?,
            };
            job.write(&mut vm, &report)
        }
    }
}

/// Run of the verb: options, configuration and subject.
struct FieldsJob<'a> {
    arguments: &'a FieldsArgs,
    config: &'a Config,
    subject: &'a InvariantSubject,
    interrupt: StopSignal,
    start: Instant,
    /// Static fields that the search has read.
    reads: BTreeSet<ReadSource>,
}

impl FieldsJob<'_> {
    fn generate(
        &mut self,
        vm: &mut Vm,
        given: Option<BTreeSet<Pair>>,
    ) -> anyhow::Result<FieldsReport> {
        self.warn_of_small_scope();
        self.search(vm, self.arguments.scope(), given)
    }

    /// Report of a search that workers have ended.
    fn restore(&mut self, ended: &Value) -> anyhow::Result<FieldsReport> {
        self.warn_of_small_scope();
        let request = request(self.arguments, self.arguments.scope(), None);
        let (report, reads) = job::report(&request, self.subject, ended)?;
        report::warn(&report, self.arguments);
        self.reads = reads;
        Ok(report)
    }

    fn warn_of_small_scope(&self) {
        let arguments = self.arguments;
        let scope = arguments.scope();
        if arguments.estimate != EstimateName::None && arguments.small_scope >= scope {
            notice!(
                "nothing is estimated: --scope {scope} is no larger than --small-scope {}",
                arguments.small_scope
            );
        }
    }

    /// Writes the suite and reports the search.
    fn write(&self, vm: &mut Vm, report: &FieldsReport) -> anyhow::Result<ExitCode> {
        let arguments = self.arguments;
        let written = match report.suite.is_empty() {
            true => WrittenSuite::default(),
            false => suite::write(
                arguments,
                vm,
                self.config,
                self.subject,
                report,
                &self.interrupt,
            )?,
        };
        if let Some(file) = &arguments.plot {
            suite::plot(file, &arguments.class, report)?;
        }
        let claim = self.claim(Some(report), written.stopped_by);
        let code = claim.exit_code();
        let whole = FieldsResults {
            arguments,
            report,
            written: &written,
            claim,
            seconds: self.start.elapsed().as_secs_f64(),
        };
        match (
            arguments.common.output.json,
            arguments.format,
            &arguments.output,
        ) {
            (true, ..) => whole.result().print("fields")?,
            // Standard output has the suite.
            (false, Some(_), None) => messages::report(&whole.text()),
            _ => print(&whole.text())?,
        }
        let code = match code {
            _ if written.found.are_sure() => exit::ExitCode::Found,
            Some(code) => code,
            None if report.suite.is_empty() => exit::ExitCode::Nothing,
            None => exit::ExitCode::Done,
        };
        Ok(code.into())
    }

    /// Reports the coverage of the `wanted` pairs; a report exists if a search found these pairs.
    fn report_coverage(
        &self,
        measured: &Measured,
        wanted: &BTreeSet<Pair>,
        report: Option<&FieldsReport>,
    ) -> anyhow::Result<ExitCode> {
        let claim = self.claim(report, None);
        let seconds = self.start.elapsed().as_secs_f64();
        if self.arguments.common.output.json {
            let head = Head::new(&self.arguments.class, &claim, seconds);
            let head = head.explored(measured.structures, "structures");
            head.with(measured.summary(wanted)).print("fields")?;
        } else {
            let end = report::end_text(&claim, seconds);
            print(&format!("{}{end}", measured.text(wanted)))?;
        }
        Ok(claim.exit_code().unwrap_or(exit::ExitCode::Done).into())
    }

    fn search(
        &mut self,
        vm: &mut Vm,
        scope: u32,
        given: Option<BTreeSet<Pair>>,
    ) -> anyhow::Result<FieldsReport> {
        let request = request(self.arguments, scope, given);
        let interrupt = &self.interrupt;
        let mut line = ProgressLines::new(true);
        let mut crew = Crew {
            jobs: self.arguments.common.jobs(),
            more: &|| Vm::new(self.config.clone()).ok(),
            stops: &|| interrupt.reason().is_some(),
            watch: &mut |state| line.update_search(state),
        };
        let report = fields::search(vm, &request, self.subject, &mut crew);
        line.clear();
        let report = report.map_err(|error| explain_run(vm, error))?;
        report::warn(&report, self.arguments);
        self.reads = vm.reads();
        Ok(report)
    }

    /// Claim of a search, if there was one, and of the output.
    fn claim(&self, report: Option<&FieldsReport>, unwritten_by: Option<&str>) -> Claim {
        let interrupted = report.filter(|report| report.end == End::Interrupted);
        let stopped_by = interrupted.and_then(|_| self.interrupt.reason());
        let mut cut: BTreeSet<CutBy> =
            report.map_or_else(BTreeSet::new, |report| report.cut.keys().copied().collect());
        if report.is_some() && !self.subject.refused_classes().is_empty() {
            cut.insert(CutBy::Refusals);
        }
        let is_latin = cut.remove(&CutBy::Characters);
        let is_asked = |by| self.arguments.is_asked(by);
        let claim = Claim::new(stopped_by.or(unwritten_by), cut, is_asked);
        let mut claim = claim.with_reads(&self.reads);
        let unread = self.subject.vocabulary.unread();
        if report.is_some() && !unread.is_empty() {
            let unread: Vec<&str> = unread.iter().map(String::as_str).collect();
            claim = claim.with_exclusion(format!(
                "other values than null of fields that the invariant does not name: {}",
                unread.join(", ")
            ));
        }
        match is_latin {
            // No option of this verb creates other characters.
            true => claim.with_exclusion("characters past Latin-1"),
            false => claim,
        }
    }
}

fn request(arguments: &FieldsArgs, scope: u32, given: Option<BTreeSet<Pair>>) -> FieldsRequest {
    let estimate = match arguments.estimate {
        EstimateName::None => None,
        EstimateName::Size => Some(Estimate::Size),
        EstimateName::Time => Some(Estimate::Time),
    };
    FieldsRequest {
        paths: symbolic::SymbolicRequest {
            class: arguments.class.clone(),
            methods: Vec::new(),
            bounds: InputBounds {
                length: scope,
                loops: arguments.loop_k(),
                decisions: MAX_DECISIONS,
                ..InputBounds::default()
            },
            limits: limits(arguments.solver_work),
            step_limit: arguments.max_steps(),
            scripts: false,
            merges: false,
        },
        invariant: arguments.invariant.clone(),
        scope,
        criterion: match (given, arguments.criterion) {
            (Some(pairs), _) => PairCriterion::Given(pairs),
            (None, PairCriterionName::Exhaustive) => PairCriterion::Exhaustive,
            (None, PairCriterionName::NonNull) => PairCriterion::NonNull,
        },
        policy: estimate.map(|estimate| Policy {
            estimate,
            regression: arguments.regression.into(),
            small_scope: arguments.small_scope,
            clock: arguments.clock.into(),
        }),
        // With a time limit or a plot, each scope is completed before the next, so that partial
        // results are useful.
        sweeps: arguments.common.time_limit.is_none() && arguments.plot.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use expect_test::expect;

    use super::*;
    use crate::cli::{Cli, Verb};

    #[test]
    fn options_choose_criterion_and_policy() {
        let mut said = String::new();
        for options in [
            "",
            "--criterion non-null --time-limit 10m",
            "--estimate size --plot x.svg",
            "--estimate time --regression linear --clock wall",
            "--estimate size --regression quadratic --small-scope 3",
            "--estimate time --regression exponential --loop-k 7",
        ] {
            let words = format!("heapwright fields -c p.C {options}");
            let cli = Cli::try_parse_from(words.split_whitespace()).unwrap();
            let Verb::Fields(arguments) = cli.verb else {
                panic!("another verb");
            };
            let asked = request(&arguments, arguments.scope(), None);
            let bounds = (
                asked.scope,
                asked.paths.bounds.length,
                asked.paths.bounds.loops,
            );
            let policy = (asked.criterion, asked.policy, asked.sweeps);
            said += &format!("{options}: {bounds:?} {policy:?}\n");
        }
        expect![[r#"
            : (5, 5, 1000) (Exhaustive, None, true)
            --criterion non-null --time-limit 10m: (5, 5, 1000) (NonNull, None, false)
            --estimate size --plot x.svg: (5, 5, 1000) (Exhaustive, Some(Policy { estimate: Size, regression: Average, small_scope: 5, clock: Work }), false)
            --estimate time --regression linear --clock wall: (5, 5, 1000) (Exhaustive, Some(Policy { estimate: Time, regression: Linear, small_scope: 5, clock: Wall }), true)
            --estimate size --regression quadratic --small-scope 3: (5, 5, 1000) (Exhaustive, Some(Policy { estimate: Size, regression: Quadratic, small_scope: 3, clock: Work }), true)
            --estimate time --regression exponential --loop-k 7: (5, 5, 7) (Exhaustive, Some(Policy { estimate: Time, regression: Exponential, small_scope: 5, clock: Work }), true)
        "#]].assert_eq(&said);
    }
}

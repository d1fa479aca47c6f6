//! `heapwright enumerate --from api`: structures built by calls.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{bail, ensure};
use heapwright_jvm::ReadSource;
use heapwright_suite::svg::Drawing;
use heapwright_suite::{Structure, jsonl};
use heapwright_techniques::api::{
    CallFinding, ChecksRequest, InvariantCheck, STEP_LIMIT, StructurePool, StructureRef,
};
use heapwright_techniques::target::NO_INVARIANT;

use super::args::EnumerateArgs;
use super::{api_report, api_tests};
use crate::api::{ApiSearchJob, ApiSearchResult, StructureWriter, request};
use crate::files::drawings::{MAX_DRAWINGS, write_captioned};
use crate::files::{Output, grouped};
use crate::interrupt::StopSignal;
use crate::job::{Job, check_same, digest, restore};
use crate::junit::TestWriter;
use crate::options::{ContractsName, Format};
use crate::progress::ProgressLines;

/// Builds the structures of a class by calls.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &EnumerateArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    refuse_others(arguments)?;
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let mut job = search(arguments)?;
    job.limit = arguments.limit;
    let mut line = ProgressLines::new(arguments.format.is_some() && arguments.output.is_none());
    let is_junit = arguments.format() == Some(Format::Junit);
    let tests_of =
        is_junit.then(|| TestWriter::new("Api", &arguments.junit, &job.config, &interrupt));
    let tests_of = tests_of.transpose()?;
    let done = job.run(&Arc::default(), &interrupt, &mut line)?;
    let reads = done.vm.reads();
    let tests_of = tests_of.as_ref().map(|writer| (writer, &interrupt));
    write_and_report(arguments, &job, (done, reads), tests_of, start)
}

/// Search of the options.
fn search(arguments: &EnumerateArgs) -> anyhow::Result<ApiSearchJob> {
    let mut request = request(
        &arguments.api,
        &arguments.class,
        arguments.bounds.scope,
        arguments.max_steps.unwrap_or(STEP_LIMIT),
        arguments.invariant.as_deref(),
    )?;
    if arguments.format() == Some(Format::Junit) {
        check_by_default(&mut request.checks, arguments);
    }
    ApiSearchJob::spilling(request, &arguments.common, &arguments.spill)
}

/// Search of the options in rounds, with its identity.
///
/// # Errors
/// The request is wrong, or needs files or an order that workers do not have.
pub fn round_search(arguments: &EnumerateArgs) -> anyhow::Result<(ApiSearchJob, String)> {
    refuse_others(arguments)?;
    let api = &arguments.api;
    let others = [
        (arguments.reports.report.is_some(), "--report"),
        (api.no_state_matching, "--no-state-matching"),
        (api.methods_file.is_some(), "--methods-file"),
        (api.beapi_config.is_some(), "--beapi-config"),
        (api.literals_file.is_some(), "--literals-file"),
    ];
    if let Some((_, option)) = others.iter().find(|(is_given, _)| *is_given) {
        bail!("{option} does not go with --job and --from api");
    }
    let search = search(arguments)?;
    let identity = digest(format!("{:?}", search.request).as_bytes());
    Ok((search, format!("api:{identity}")))
}

/// Writes and reports the structures of a search in rounds.
///
/// # Errors
/// The search has not ended, a result cannot be read, or the output cannot be written.
pub fn merge(arguments: &EnumerateArgs, job: &Job) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let (search, identity) = round_search(arguments)?;
    check_same(job, &identity)?;
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let is_junit = arguments.format() == Some(Format::Junit);
    let tests_of =
        is_junit.then(|| TestWriter::new("Api", &arguments.junit, &search.config, &interrupt));
    let tests_of = tests_of.transpose()?;
    let done = restore(job, &search, &interrupt)?;
    let tests_of = tests_of.as_ref().map(|writer| (writer, &interrupt));
    write_and_report(arguments, &search, done, tests_of, start)
}

/// Writes the structures of a finished search, with the static fields that code has read, and
/// reports it.
fn write_and_report(
    arguments: &EnumerateArgs,
    job: &ApiSearchJob,
    (mut done, mut reads): (ApiSearchResult, BTreeSet<ReadSource>),
    tests_of: Option<(&TestWriter, &StopSignal)>,
    start: Instant,
) -> anyhow::Result<ExitCode> {
    let mut writer = StructureWriter {
        vm: &mut done.vm,
        prepared: &mut done.prepared,
        search: &done.search,
    };
    let findings = done.outcome.findings.list();
    let (written, tests) = writer.write(arguments, findings, tests_of)?;
    let cut_by = tests.as_ref().and_then(|tests| tests.stopped_by);
    reads.extend(writer.vm.reads());
    let report = api_report::ApiReport {
        request: &job.request,
        outcome: &done.outcome,
        stopped_by: done.stopped_by.or(cut_by),
        reads,
        written,
        tests,
        seconds: start.elapsed().as_secs_f64(),
    };
    report.print(&mut writer, arguments)
}

/// Enables the checks that are on by default where tests are written.
fn check_by_default(checks: &mut ChecksRequest, arguments: &EnumerateArgs) {
    checks.contracts |= arguments.contracts == ContractsName::All;
    if checks.invariant == InvariantCheck::No {
        checks.invariant = match arguments.invariant.as_deref() {
            Some(NO_INVARIANT) => InvariantCheck::No,
            Some(name) => InvariantCheck::Must(Some(name.to_owned())),
            None => InvariantCheck::IfThereIsOne,
        };
    }
}

fn refuse_others(arguments: &EnumerateArgs) -> anyhow::Result<()> {
    let others = [
        (
            arguments.invariant.is_some()
                && !arguments.api.check_invariant
                && arguments.format() != Some(Format::Junit),
            "--invariant without --check-invariant and without tests",
        ),
        (arguments.eq_class.is_some(), "--eq-class"),
        (arguments.resume.is_some(), "--resume"),
        (!arguments.calls.is_empty(), "--call"),
        (!arguments.observe.is_empty(), "--observe"),
        (arguments.prefer_api, "--prefer-api"),
        (arguments.shard.is_some(), "--shard"),
        (arguments.bounds.args.is_some(), "--args"),
        (arguments.bounds.finitization.is_some(), "--finitization"),
        (arguments.bounds.explain_bounds, "--explain-bounds"),
    ];
    if let Some((_, option)) = others.iter().find(|(is_given, _)| *is_given) {
        bail!("{option} is of searches from the invariant: it does not go with --from api");
    }
    ensure!(
        !(arguments.common.output.json && arguments.format.is_some() && arguments.output.is_none()),
        "--json writes the summary to standard output: name the file of the structures with -o"
    );
    Ok(())
}

impl StructureWriter<'_> {
    /// Writes the requested output. Returns the number of structures and the tests.
    fn write(
        &mut self,
        arguments: &EnumerateArgs,
        findings: &[CallFinding],
        tests_of: Option<(&TestWriter, &StopSignal)>,
    ) -> anyhow::Result<(u64, Option<api_tests::WrittenApiTests>)> {
        let Some(format) = arguments.format() else {
            return Ok((0, None));
        };
        let class = self.prepared.class.replace('.', "/");
        let pool = self.search.pools.find(&class);
        let found = pool.map(|pool| self.search.pools.get(pool as u32));
        let count = found.map_or(0, StructurePool::len);
        let most = arguments
            .limit
            .map_or(count, |limit| count.min(limit as usize));
        let built = (0..most as u32).map(|index| StructureRef {
            pool: pool.unwrap_or(0) as u32,
            index,
        });
        let path = arguments.output.as_deref();
        if let Some(tests_of) = tests_of {
            let built: Vec<StructureRef> = built.collect();
            let tests = self.write_tests(&built, findings, arguments, tests_of)?;
            return Ok((built.len() as u64, Some(tests)));
        }
        match format {
            // Tests are written above.
            Format::Junit => {}
            Format::Text | Format::Jsonl => {
                let mut output = Output::open(path)?;
                for built in built {
                    let (structure, calls) = self.read(built)?;
                    match format {
                        Format::Text => output.write_line(&format!("{structure}  // {calls}"))?,
                        _ => output.write_line(&jsonl::line_with_calls(&structure, &calls))?,
                    }
                }
                output.finish()?;
            }
            Format::Boxes | Format::Svg | Format::Dot => {
                ensure!(
                    most as u64 <= MAX_DRAWINGS,
                    "more than {} structures to draw: draw the first ones with --limit N, or count \
                     them with --count",
                    grouped(MAX_DRAWINGS)
                );
                let read: Vec<(Structure, String)> = built
                    .map(|built| {
                        let (structure, calls) = self.read(built)?;
                        Ok((structure, calls.to_string()))
                    })
                    .collect::<anyhow::Result<_>>()?;
                let drawings: Vec<Drawing<'_>> = read
                    .iter()
                    .map(|(structure, caption)| Drawing { structure, caption })
                    .collect();
                write_captioned(&drawings, format, path)?;
            }
        }
        Ok((most as u64, None))
    }
}

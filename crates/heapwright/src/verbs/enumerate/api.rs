//! `heapwright enumerate --from api`: structures built by calls.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{bail, ensure};
use heapwright_suite::svg::Drawing;
use heapwright_suite::{Structure, jsonl};
use heapwright_techniques::api::{
    CallFinding, ChecksRequest, InvariantCheck, STEP_LIMIT, StructurePool, StructureRef,
};
use heapwright_techniques::target::NO_INVARIANT;

use super::args::EnumerateArgs;
use super::{api_report, api_tests};
use crate::api::{ApiSearchJob, StructureWriter, request};
use crate::files::drawings::{MAX_DRAWINGS, write_captioned};
use crate::files::{Output, grouped};
use crate::interrupt::StopSignal;
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
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let mut job = ApiSearchJob::spilling(request, &arguments.common, &arguments.spill)?;
    job.limit = arguments.limit;
    let mut line = ProgressLines::new(arguments.format.is_some() && arguments.output.is_none());
    let is_junit = arguments.format() == Some(Format::Junit);
    let tests_of =
        is_junit.then(|| TestWriter::new("Api", &arguments.junit, &job.config, &interrupt));
    let tests_of = tests_of.transpose()?;
    let mut done = job.run(&Arc::default(), &interrupt, &mut line)?;
    let mut writer = StructureWriter {
        vm: &mut done.vm,
        prepared: &mut done.prepared,
        search: &done.search,
    };
    let findings = done.outcome.findings.list();
    let (written, tests) = writer.write(
        arguments,
        findings,
        tests_of.as_ref().map(|writer| (writer, &interrupt)),
    )?;
    let cut_by = tests.as_ref().and_then(|tests| tests.stopped_by);
    let report = api_report::ApiReport {
        request: &job.request,
        outcome: &done.outcome,
        stopped_by: done.stopped_by.or(cut_by),
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

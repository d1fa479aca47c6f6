//! `heapwright enumerate --from api`, `builders` and `compare`.

mod args;
mod builders;
mod compare;
mod prefer;
mod report;
mod settings;
mod tests;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use heapwright_explore::ClassNumbers;
use heapwright_jvm::{Config, Vm};
use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_suite::{Structure, dot, jsonl};
use heapwright_techniques::api::{
    Built, ChecksRequest, Finding, InvariantCheck, Machines, Outcome, Prepared, Request,
    STEP_LIMIT, Search, Sequence,
};
use heapwright_techniques::korat_api;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::target::NO_INVARIANT;

use crate::cli::{ClassPathArgs, ContractsName, EnumerateArgs, Format};
use crate::enumerate::{MAX_DRAWINGS, explain};
use crate::interrupt::Interrupt;
use crate::junit::TestWriter;
use crate::output::{Output, grouped};
use crate::progress::ProgressLine;

pub use args::{ApiArgs, BuildersArgs, CompareArgs};
pub use builders::builders;
pub use compare::compare;
pub use prefer::{Inputs, Preferred, Wanted};
pub use settings::request;

/// Where the program under test is, what is called and within which limits.
pub struct Job {
    /// What is to be built.
    pub request: Request,
    /// What machines are made with.
    pub config: Config,
    /// Workers.
    pub jobs: usize,
    /// Most bytes of structures.
    pub max_memory: Option<u64>,
    /// Most structures.
    pub limit: Option<u64>,
}

/// A search, the machine it was made on and what came of it.
pub struct Done {
    /// The machine.
    pub vm: Vm,
    /// What is called on it.
    pub prepared: Prepared,
    /// The structures.
    pub search: Search,
    /// What came of it.
    pub outcome: Outcome,
    /// The limit that ended it.
    pub stopped_by: Option<&'static str>,
}

impl Job {
    /// A job without limits of its own.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn new(request: Request, class_path: &ClassPathArgs, jobs: usize) -> anyhow::Result<Job> {
        let mut config = class_path.config()?;
        config.embedded = korat_api::CLASSES;
        config.assertions = true;
        Ok(Job {
            request,
            config,
            jobs,
            max_memory: class_path.max_memory,
            limit: None,
        })
    }

    /// A machine with the calls of the request.
    ///
    /// # Errors
    /// The request cannot be carried out.
    pub fn machine(
        &self,
        numbers: &Arc<ClassNumbers>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<(Vm, Prepared)> {
        let mut vm = Vm::new(self.config.clone())?;
        let prepared = Prepared::new(&mut vm, &self.request, numbers);
        match prepared {
            Ok(mut prepared) => {
                prepared.caller.stop = Some(interrupt.stop());
                Ok((vm, prepared))
            }
            Err(error) => Err(explain(&vm, error)),
        }
    }

    /// Builds all structures.
    ///
    /// # Errors
    /// The request cannot be carried out.
    pub fn run(
        &self,
        numbers: &Arc<ClassNumbers>,
        interrupt: &Interrupt,
        line: &mut ProgressLine,
    ) -> anyhow::Result<Done> {
        let (mut vm, mut prepared) = self.machine(numbers, interrupt)?;
        let mut search = Search::new(&self.request);
        let mut reached_limit = None;
        let outcome = search.run(
            &mut vm,
            &mut prepared,
            Machines {
                jobs: self.jobs,
                more: &|| self.machine(numbers, interrupt).ok(),
            },
            &mut |progress| {
                line.update_counts(progress.tally.explored, progress.structures);
                reached_limit = if interrupt.reason().is_some() {
                    interrupt.reason()
                } else if self.limit.is_some_and(|most| progress.structures >= most) {
                    Some("--limit")
                } else if self.max_memory.is_some_and(|most| progress.memory > most) {
                    Some("--max-memory")
                } else {
                    None
                };
                match reached_limit {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        );
        line.clear();
        let stopped_by = report::stopped_by(&outcome, reached_limit.or(interrupt.reason()));
        Ok(Done {
            vm,
            prepared,
            search,
            outcome,
            stopped_by,
        })
    }
}

/// Builds the structures of a class by calls.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn enumerate(arguments: &EnumerateArgs) -> anyhow::Result<ExitCode> {
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
    let interrupt = Interrupt::watch(
        arguments.time_limit,
        &arguments.class_path,
        arguments.jobs(),
    )?;
    let mut job = Job::new(request, &arguments.class_path, arguments.jobs())?;
    job.limit = arguments.limit;
    let mut line = ProgressLine::new(arguments.format.is_some() && arguments.output.is_none());
    let is_junit = arguments.format() == Some(Format::Junit);
    let tests_of = is_junit.then(|| TestWriter::new("Api", arguments.junit, &job.config));
    let mut done = job.run(&Arc::default(), &interrupt, &mut line)?;
    let mut writer = Writer {
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
    let report = report::Report {
        request: &job.request,
        outcome: &done.outcome,
        stopped_by: done.stopped_by.or(cut_by),
        written,
        tests,
        seconds: start.elapsed().as_secs_f64(),
    };
    report.print(&mut writer, arguments)
}

/// What is checked where tests are written, though nobody asks for it.
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
        !(arguments.json && arguments.format.is_some() && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the structures go"
    );
    Ok(())
}

/// Writes structures and sequences.
pub struct Writer<'a> {
    /// A machine.
    pub vm: &'a mut Vm,
    /// What is called on it.
    pub prepared: &'a mut Prepared,
    /// The structures.
    pub search: &'a Search,
}

impl Writer<'_> {
    /// Writes what is asked for; gives the number of structures, and what tests there are.
    fn write(
        &mut self,
        arguments: &EnumerateArgs,
        findings: &[Finding],
        tests_of: Option<(&TestWriter, &Interrupt)>,
    ) -> anyhow::Result<(u64, Option<tests::Written>)> {
        let Some(format) = arguments.format() else {
            return Ok((0, None));
        };
        let class = self.prepared.class.replace('.', "/");
        let pool = self.search.pools.find(&class);
        let found = pool.map(|pool| self.search.pools.get(pool as u32));
        let count = found.map_or(0, |pool| pool.reached.len());
        let most = arguments
            .limit
            .map_or(count, |limit| count.min(limit as usize));
        let built = (0..most as u32).map(|index| Built {
            pool: pool.unwrap_or(0) as u32,
            index,
        });
        let built: Vec<Built> = built.collect();
        let path = arguments.output.as_deref();
        if let Some(tests_of) = tests_of {
            let tests = self.write_tests(&built, findings, arguments, tests_of)?;
            return Ok((built.len() as u64, Some(tests)));
        }
        match format {
            // Tests are written above.
            Format::Junit => {}
            Format::Text | Format::Jsonl => {
                let mut output = Output::open(path)?;
                for &built in &built {
                    let (structure, calls) = self.read(built)?;
                    match format {
                        Format::Text => output.write_line(&format!("{structure}  // {calls}"))?,
                        _ => output.write_line(&jsonl::line_with_calls(&structure, &calls))?,
                    }
                }
                output.finish()?;
            }
            Format::Svg | Format::Dot => {
                ensure!(
                    built.len() as u64 <= MAX_DRAWINGS,
                    "more than {} structures to draw: draw the first ones with --limit N, or count \
                     them with --count",
                    grouped(MAX_DRAWINGS)
                );
                let read: Vec<(Structure, String)> = built
                    .iter()
                    .map(|&built| {
                        let (structure, calls) = self.read(built)?;
                        Ok((structure, calls.to_string()))
                    })
                    .collect::<anyhow::Result<_>>()?;
                let drawings: Vec<Drawing<'_>> = read
                    .iter()
                    .map(|(structure, caption)| Drawing { structure, caption })
                    .collect();
                let text = match format {
                    Format::Dot => dot::write(&drawings),
                    _ => draw_sheet(&drawings),
                };
                let mut output = Output::open(path)?;
                output.write_line(text.trim_end())?;
                output.finish()?;
            }
        }
        Ok((built.len() as u64, None))
    }

    /// A structure as data, and the calls that build it.
    pub fn read(
        &mut self,
        built: Built,
    ) -> anyhow::Result<(Structure, heapwright_suite::Sequence)> {
        let (vm, prepared, pools) = (&mut *self.vm, &mut *self.prepared, &self.search.pools);
        let class = prepared.caller.classes[0];
        let mut reader = StructureReader::new(vm, class);
        let structure = vm.with_mark(|vm| {
            let root = prepared.caller.make(vm, pools, built).ok()?;
            Some(reader.read(vm, root).structure)
        });
        let structure = structure.context("no memory is left to make a structure again")?;
        let sequence = Sequence::of(pools, &prepared.caller.operations, built);
        let calls = prepared.written(vm, &mut reader, &sequence);
        Ok((structure, calls))
    }
}

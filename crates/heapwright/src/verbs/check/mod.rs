//! `heapwright check`: calls methods on all structures within bounds and reports failures.

mod args;
mod job;
mod run_report;

use std::process::ExitCode;
use std::time::Instant;

use heapwright_explore::{Span, partition};
use heapwright_jvm::{Config, Vm};
use heapwright_suite::{Case, ClassSig};
use heapwright_techniques::check::{self, CallTask, Checker, WorkerConfig};
use heapwright_techniques::invariant::{Enumeration, StructuresRequest};
use heapwright_techniques::target::find_class;
use heapwright_techniques::{Error, hidden_names};

use crate::api::{CallSubstitution, SubstitutionCounts, SubstitutionRequest};
use crate::files::prefix::{self, Fingerprint};
use crate::files::print;
use crate::files::results::ResultFile;
use crate::files::shard::PARTITION_EFFORT;
use crate::interrupt::StopSignal;
use crate::job::{JobSearch, Merged};
use crate::junit::{TestWriter, WrittenTests, package_of_tests, require_mockito};
use crate::progress::ProgressLines;
use crate::report::calls::{CheckResults, ReportExtras};
use crate::report::explain::explain;
use crate::report::output;
use crate::report::reproducers::write;
use crate::report::structures::{self, ClaimBounds};

pub use args::CheckArgs;

/// Checks the methods of a class.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &CheckArgs) -> anyhow::Result<ExitCode> {
    run_from(arguments, None)
}

/// Opens the search for calls as one that a job divides.
///
/// # Errors
/// The request is wrong.
pub fn job_search(arguments: &CheckArgs) -> anyhow::Result<Box<dyn JobSearch + '_>> {
    Ok(Box::new(job::CallSearch::open(arguments)?))
}

/// Reports the results of a job, as those of one run.
///
/// # Errors
/// A result cannot be read, or the output cannot be written.
pub fn merge(arguments: &CheckArgs, merged: &Merged<'_>) -> anyhow::Result<ExitCode> {
    run_from(arguments, Some(merged))
}

/// Checks the methods of a class, or takes the results of a job.
fn run_from(arguments: &CheckArgs, merged: Option<&Merged<'_>>) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    output::check_folder(&arguments.reports)?;
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let config = arguments.common.class_path.exploring()?;
    require_mockito(&arguments.junit, &config)?;
    let mut vm = Vm::new(config.clone())?;
    let request = structures_request(arguments)?;
    if arguments.bounds.explain_bounds {
        let prepared = Enumeration::prepare(&mut vm, &request);
        let enumeration = prepared.map_err(|error| explain(&vm, error))?;
        print(&enumeration.bounds.explain(&vm))?;
        return Ok(ExitCode::SUCCESS);
    }
    let asked = Asked {
        config: &config,
        structures: &request,
        arguments,
        interrupt: &interrupt,
        start,
    };
    let searched = search(&mut vm, &asked, merged);
    let Searched {
        results,
        fingerprint,
        left,
    } = match searched {
        Ok(searched) => searched,
        Err(error) => {
            return Err(match error.downcast::<Error>() {
                Ok(error) => explain(&vm, error),
                Err(error) => error,
            });
        }
    };
    results.warn();
    let mut written = WrittenTests::default();
    let mut inputs = None;
    match (arguments.shard, &arguments.output) {
        (Some(shard), Some(path)) => ResultFile::new(&fingerprint, shard, &results).write(path)?,
        (None, Some(folder)) => {
            let writer = TestWriter::new("Counterexample", &arguments.junit, &config, &interrupt)?;
            let cases;
            (cases, inputs) = self::cases(&results, arguments, config, &request, &interrupt)?;
            written = write(&results, cases, folder, (&writer, &interrupt))?;
        }
        (_, None) => {}
    }
    let resumes = !left.is_empty() && arguments.shard.is_none();
    let resume = resumes.then(|| fingerprint.prefix(&left));
    let further = ReportExtras {
        draws: arguments.draw,
        sources: &arguments.reports.sources,
        resume: resume.as_deref(),
        inputs: inputs.as_ref(),
        shards: None,
    };
    let is_json = arguments.common.output.json;
    if arguments.reports.report.is_some() {
        let class = find_class(&mut vm, &arguments.class)?;
        let run = run_report::run(&results, &vm, class, &written.methods);
        output::write(&arguments.reports, run, is_json)?;
    }
    results.print(is_json, &written.files, &further)?;
    Ok(results.exit_code().into())
}

/// Results of a search and its calls.
struct Searched {
    results: CheckResults,
    fingerprint: Fingerprint,
    left: Vec<Span>,
}

/// What a search is made of.
struct Asked<'a> {
    config: &'a Config,
    structures: &'a StructuresRequest,
    arguments: &'a CheckArgs,
    interrupt: &'a StopSignal,
    start: Instant,
}

/// Structures on which calls are made.
fn structures_request(arguments: &CheckArgs) -> anyhow::Result<StructuresRequest> {
    Ok(StructuresRequest {
        class: arguments.class.clone(),
        invariant: arguments.invariant.clone(),
        bounds: arguments.bounds.request()?,
        criterion: None,
        step_limit: arguments.max_steps(),
    })
}

/// Calls to make.
fn check_request(arguments: &CheckArgs) -> check::CheckRequest {
    check::CheckRequest {
        methods: arguments.methods.clone(),
        expected: arguments.judged.expected.clone(),
        oracles: arguments.oracles.clone(),
        against: arguments.against.clone(),
        leaves_contracts: arguments.judged.leaves_contracts(),
        step_limit: arguments.max_steps(),
    }
}

fn search(vm: &mut Vm, asked: &Asked<'_>, merged: Option<&Merged<'_>>) -> anyhow::Result<Searched> {
    let Asked {
        config,
        structures,
        arguments,
        interrupt,
        start,
    } = *asked;
    let enumeration = Enumeration::prepare(vm, structures)?;
    let request = check_request(arguments);
    enumeration.look_for_dependence(vm)?;
    let strategy = arguments.strategy();
    let mode = prefix::mode_of_calls(&request);
    let fingerprint = Fingerprint::new(vm, &enumeration, strategy, &mode);
    let task = task(vm, &enumeration, arguments, &fingerprint)?;
    let mut checker = Checker::new(vm, &enumeration, &request)?;
    let mut line = ProgressLines::new(false);
    let mut crew = WorkerConfig {
        jobs: arguments.common.jobs(),
        more: &|| {
            let mut vm = Vm::new(config.clone()).ok()?;
            let enumeration = Enumeration::prepare(&mut vm, structures).ok()?;
            Some((vm, enumeration))
        },
        stops: &|| interrupt.reason().is_some(),
        watch: &mut |state| line.update_search(state),
    };
    let came = match merged {
        None => {
            let came = check::check(vm, &enumeration, &mut checker, &request, &task, &mut crew);
            let came = came.map_err(anyhow::Error::from);
            came.map(|(outcome, left)| (outcome, left, vm.reads()))
        }
        Some(merged) => job::merge(
            merged,
            vm,
            (&enumeration, &mut checker),
            (&request, &task),
            &mut crew,
        ),
    };
    line.clear();
    let (outcome, left, reads) = came?;
    structures::warn(vm, &enumeration, &outcome, strategy);
    let class = enumeration.class;
    let progress = outcome.progress;
    let results = CheckResults {
        class: ClassSig::clone(&checker.class_sig()),
        name: vm.simple_name(class),
        bounds: arguments.bounds.shown(),
        within: ClaimBounds::of(vm, &enumeration),
        search: structures::search_name(strategy).to_owned(),
        invariant: enumeration.invariant_sig(vm),
        hides: hidden_names(vm, class),
        package: package_of_tests(vm, class),
        uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
        explored: progress.explored,
        valid: progress.valid,
        threw: progress.threw,
        refused: progress.refused,
        limited: progress.limited,
        reads,
        found: checker.found().clone(),
        skipped: checker.skipped().to_vec(),
        warnings: checker.warnings().to_vec(),
        stopped_by: structures::stopped_by(outcome.end, interrupt).map(str::to_owned),
        left: left.iter().map(Span::to_string).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok(Searched {
        results,
        fingerprint,
        left,
    })
}

/// Part of the whole search that this run does.
fn task(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &CheckArgs,
    fingerprint: &Fingerprint,
) -> anyhow::Result<CallTask> {
    let calls = arguments.calls();
    if let Some(prefix) = &arguments.resume {
        return Ok(CallTask::parts(calls, fingerprint.spans(prefix)?));
    }
    let Some(shard) = arguments.shard else {
        return Ok(CallTask::whole(calls));
    };
    let mut search = enumeration.explorer(arguments.strategy(), false);
    let whole = [Span::default()];
    let parts = partition(&mut *search, vm, &whole, shard.of, PARTITION_EFFORT);
    let mut parts = parts.map_err(Error::from)?.into_iter();
    let own = parts.nth(shard.number - 1);
    let mut spans = own.map_or_else(Vec::new, |part| part.spans);
    if shard.number == 1 {
        spans.push(CallTask::alone());
    }
    Ok(CallTask::parts(calls, spans))
}

/// Test cases that reproduce the counterexamples. On request, their structures are built by calls
/// if possible.
fn cases(
    results: &CheckResults,
    arguments: &CheckArgs,
    config: Config,
    structures: &StructuresRequest,
    interrupt: &StopSignal,
) -> anyhow::Result<(Vec<Case>, Option<SubstitutionCounts>)> {
    let cases = results.cases();
    if !arguments.prefer_api || cases.is_empty() {
        return Ok((cases, None));
    }
    let wanted = SubstitutionRequest {
        api: &arguments.api,
        classes: std::slice::from_ref(&arguments.class),
        scope: arguments.bounds.scope,
        max_steps: arguments.max_steps,
        observed: None,
    };
    let Some(mut preferred) = CallSubstitution::find(&wanted, config, structures, interrupt)?
    else {
        return Ok((cases, None));
    };
    let cases = preferred.rewrite(cases)?;
    let inputs = preferred.inputs();
    notice!("{}", inputs.summary());
    Ok((cases, Some(inputs.clone())))
}

//! `heapwright check`: calls methods on all structures within bounds and reports failures.

mod args;
mod run_report;

use std::process::ExitCode;
use std::time::Instant;

use heapwright_explore::{Span, shards};
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
use crate::interrupt::StopSignal;
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
    let start = Instant::now();
    output::check_folder(&arguments.reports)?;
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let config = arguments.common.class_path.exploring()?;
    require_mockito(&arguments.junit, &config)?;
    let mut vm = Vm::new(config.clone())?;
    let request = StructuresRequest {
        class: arguments.class.clone(),
        invariant: arguments.invariant.clone(),
        bounds: arguments.bounds.request()?,
        criterion: None,
        step_limit: arguments.max_steps(),
    };
    if arguments.bounds.explain_bounds {
        let prepared = Enumeration::prepare(&mut vm, &request);
        let enumeration = prepared.map_err(|error| explain(&vm, error))?;
        print(&enumeration.bounds.explain(&vm))?;
        return Ok(ExitCode::SUCCESS);
    }
    let searched = search(&mut vm, &config, &request, arguments, &interrupt, start);
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

fn search(
    vm: &mut Vm,
    config: &Config,
    structures: &StructuresRequest,
    arguments: &CheckArgs,
    interrupt: &StopSignal,
    start: Instant,
) -> anyhow::Result<Searched> {
    let enumeration = Enumeration::prepare(vm, structures)?;
    let request = check::CheckRequest {
        methods: arguments.methods.clone(),
        expected: arguments.judged.expected.clone(),
        oracles: arguments.oracles.clone(),
        against: arguments.against.clone(),
        leaves_contracts: arguments.judged.leaves_contracts(),
        step_limit: arguments.max_steps(),
    };
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
    let came = check::check(vm, &enumeration, &mut checker, &request, &task, &mut crew);
    line.clear();
    let (outcome, left) = came?;
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
        static_reads: vm.static_reads(),
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
    let parts = shards(&mut *search, vm, shard.of).map_err(Error::from)?;
    let parts = parts.into_iter().nth(shard.number - 1).unwrap_or_default();
    let mut spans: Vec<Span> = parts.into_iter().map(|(_, span)| span).collect();
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

//! `heapwright enumerate`: structures that the invariant accepts.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use heapwright_explore::{Span, Strategy, partition};
use heapwright_jvm::{Config, Vm};
use heapwright_suite::{Structure, Suite};
use heapwright_techniques::invariant::{CriterionRequest, Enumeration, StructuresRequest};
use heapwright_techniques::observe::CallsLeftOut;
use heapwright_techniques::parts::{self, CombinedResult, Plan};
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::{Error, hidden_names};

use super::args::EnumerateArgs;
use super::gallery::Gallery;
use super::items::{ItemCollector, ItemMaker, OutputItem};
use super::job;
use super::report::{self, Report};
use crate::api::{CallSubstitution, SubstitutionRequest};
use crate::case_limit::{SmallestCases, warn_of_left_out};
use crate::exit;
use crate::files::drawings::{MAX_DRAWINGS, write_drawings};
use crate::files::prefix::Fingerprint;
use crate::files::shard::{Footer, Header, PARTITION_EFFORT, Shard, ShardWriter, numbered};
use crate::files::{Output, grouped, print};
use crate::interrupt::StopSignal;
use crate::job::Merged;
use crate::junit::{TestWriter, package_of_tests, warn_of_calls, warn_of_skipped};
use crate::options::Format;
use crate::progress::ProgressLines;
use crate::report::explain::explain;
use crate::report::output;
use crate::report::structures;
use crate::report::summary::Digits;

/// Enumerates the structures of a class, or takes those of a job's results.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &EnumerateArgs, merged: Option<&Merged<'_>>) -> anyhow::Result<ExitCode> {
    ensure!(
        !arguments.prefer_api || arguments.format() == Some(Format::Junit),
        "--prefer-api concerns the inputs of tests: it requires --format junit"
    );
    ensure!(
        !(arguments.common.output.json && arguments.format.is_some() && arguments.output.is_none()),
        "--json writes the summary to standard output: name the file of the structures with -o"
    );
    ensure!(
        arguments.calls.is_empty() && arguments.observe.is_empty()
            || arguments.format() == Some(Format::Junit),
        "--call and --observe concern tests: they require --format junit"
    );
    output::check_folder(&arguments.reports)?;
    let start = Instant::now();
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let config = arguments.common.class_path.exploring()?;
    let mut vm = Vm::new(config.clone())?;
    let (request, enumeration) = prepare(&mut vm, arguments)?;
    let calls = arguments.observed_calls();
    let found = calls.find(&vm, enumeration.class, enumeration.invariant);
    found.map_err(|error| explain(&vm, error))?;
    if arguments.bounds.explain_bounds {
        print(&enumeration.bounds.explain(&vm))?;
        return Ok(ExitCode::SUCCESS);
    }
    enumeration.look_for_dependence(&mut vm)?;
    let mut job = InvariantJob {
        vm: &mut vm,
        enumeration: &enumeration,
        arguments,
        config,
        request,
        parts: None,
        merged,
        interrupt: interrupt.clone(),
    };
    let result = match arguments.shard {
        Some(shard) => write_shard(&mut job, shard, start),
        None => generate(&mut job),
    };
    let report = result.map_err(|error| match error.downcast::<Error>() {
        Ok(error) => explain(&vm, error),
        Err(error) => error,
    })?;
    structures::warn(&mut vm, &enumeration, &report.outcome, arguments.strategy());
    if arguments.reports.report.is_some() {
        let claim = report.claim(&vm, &enumeration, arguments.strategy());
        let mut run = output::begin("enumerate", &claim, start.elapsed());
        report
            .gallery
            .add_to(&mut run, &vm, enumeration.class, &interrupt);
        output::write(&arguments.reports, run, arguments.common.output.json)?;
    }
    report::print_summary(&vm, &enumeration, arguments, &report, start)?;
    let progress = &report.outcome.progress;
    Ok(
        if report.stopped_by.is_some()
            || progress.refused > 0
            || structures::has_unanswered(&report.outcome)
        {
            exit::ExitCode::Partial.into()
        } else if arguments.format.is_some() && progress.valid == 0 {
            exit::ExitCode::Nothing.into()
        } else {
            ExitCode::SUCCESS
        },
    )
}

/// Enumeration, its options and its engine.
struct InvariantJob<'a> {
    vm: &'a mut Vm,
    enumeration: &'a Enumeration,
    arguments: &'a EnumerateArgs,
    config: Config,
    request: StructuresRequest,
    /// Parts of the tree that a shard searches, with their numbers.
    parts: Option<Vec<(usize, Span)>>,
    /// Results that are taken instead of searching.
    merged: Option<&'a Merged<'a>>,
    /// Stop signal of the run.
    interrupt: StopSignal,
}

fn generate(job: &mut InvariantJob<'_>) -> anyhow::Result<Report> {
    match job.arguments.format() {
        None => search_items(job, |_| Ok(())),
        Some(Format::Junit) => write_tests(job),
        Some(format) if format.is_drawing() => draw(job, format),
        Some(_) => write_lines(job),
    }
}

/// Runs the search and passes the item of each structure to `take`, until `--limit` or an
/// interruption.
fn search_items(
    job: &mut InvariantJob<'_>,
    mut take: impl FnMut(OutputItem) -> anyhow::Result<()> + Send,
) -> anyhow::Result<Report> {
    let InvariantJob {
        vm,
        enumeration,
        arguments,
        ..
    } = job;
    let fingerprint = fingerprint(vm, enumeration, arguments);
    let spans = match (&job.parts, &arguments.resume) {
        (Some(parts), _) => parts.iter().map(|(_, span)| span.clone()).collect(),
        (None, Some(prefix)) => fingerprint.spans(prefix)?,
        (None, None) => vec![Span::default()],
    };
    if let Some(merged) = job.merged {
        return merge_items(merged, enumeration, arguments, take);
    }
    let plan = Plan {
        strategy: arguments.strategy(),
        counts_only: arguments.counts_only(),
        spans,
        limit: arguments.limit,
        jobs: match (arguments.strategy(), &arguments.eq_class) {
            (Strategy::Korat, Some(_)) => 1,
            _ => arguments.common.jobs(),
        },
        one_per_class: arguments.one_per_class,
    };
    let interrupt = job.interrupt.clone();
    let line = ProgressLines::new(arguments.format.is_some() && arguments.output.is_none());
    let mut gallery = Gallery::default();
    let mut collector = ItemCollector::new(interrupt.clone(), line, |(item, drawn)| {
        if let Some(structure) = drawn {
            gallery.add(structure);
        }
        take(item)
    });
    let (config, request) = (&job.config, &job.request);
    let whole = parts::explore(
        vm,
        enumeration,
        &plan,
        &|| {
            let mut vm = Vm::new(config.clone()).ok()?;
            let enumeration = Enumeration::prepare(&mut vm, request).ok()?;
            Some((vm, enumeration))
        },
        &|vm, enumeration| ItemMaker::new(vm, enumeration, arguments, job.interrupt.stop()),
        &mut collector,
    );
    collector.finish()?;
    let CombinedResult {
        outcome,
        is_past_limit,
        left,
        ..
    } = whole?;
    let stopped_by = if is_past_limit {
        Some("--limit")
    } else {
        structures::stopped_by(outcome.end, &interrupt)
    };
    let resumes = !left.is_empty() && arguments.eq_class.is_none() && arguments.shard.is_none();
    let resume = resumes.then(|| fingerprint.prefix(&left));
    Ok(Report {
        outcome,
        reads: vm.reads(),
        stopped_by,
        resume,
        left,
        tests: None,
        inputs: None,
        gallery,
    })
}

/// Passes the items of a job's results to `take`.
fn merge_items(
    merged: &Merged<'_>,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    mut take: impl FnMut(OutputItem) -> anyhow::Result<()>,
) -> anyhow::Result<Report> {
    let mut gallery = Gallery::default();
    let found = job::merge(merged, enumeration, arguments, &mut |(item, drawn)| {
        if let Some(structure) = drawn {
            gallery.add(structure);
        }
        take(item)
    });
    let (outcome, reads) = found?;
    Ok(Report {
        outcome,
        reads,
        stopped_by: None,
        resume: None,
        left: Vec::new(),
        tests: None,
        inputs: None,
        gallery,
    })
}

/// Finds the class and its bounds.
///
/// # Errors
/// The request is wrong.
pub fn prepare(
    vm: &mut Vm,
    arguments: &EnumerateArgs,
) -> anyhow::Result<(StructuresRequest, Enumeration)> {
    let [class] = arguments.class.as_slice() else {
        bail!("one -c CLASS: several classes are for --from api");
    };
    let request = StructuresRequest {
        class: class.clone(),
        invariant: arguments.invariant.clone(),
        bounds: arguments.bounds.request()?,
        criterion: arguments.eq_class.clone().map(|method| CriterionRequest {
            method,
            prunes: true,
        }),
        step_limit: arguments.max_steps(),
    };
    let prepared = Enumeration::prepare(vm, &request);
    let enumeration = prepared.map_err(|error| explain(vm, error))?;
    Ok((request, enumeration))
}

/// Identity of the search.
pub fn fingerprint(vm: &Vm, enumeration: &Enumeration, arguments: &EnumerateArgs) -> Fingerprint {
    Fingerprint::new(
        vm,
        enumeration,
        arguments.strategy(),
        match arguments.counts_only() {
            true => "count",
            false => "list",
        },
    )
}

/// Searches a shard and writes its file.
fn write_shard(job: &mut InvariantJob<'_>, shard: Shard, start: Instant) -> anyhow::Result<Report> {
    let (arguments, enumeration) = (job.arguments, job.enumeration);
    let format = match arguments.format() {
        None => None,
        Some(Format::Text) => Some("text".to_owned()),
        Some(Format::Jsonl) => Some("jsonl".to_owned()),
        Some(_) => bail!("--shard writes counts, text or jsonl: draw and test from one run"),
    };
    let mut search = enumeration.explorer(arguments.strategy(), arguments.counts_only());
    let whole = [Span::default()];
    let parts = partition(&mut *search, job.vm, &whole, shard.of, PARTITION_EFFORT);
    let parts = numbered(parts.map_err(Error::from)?, shard.number);
    let header = Header {
        heapwright_shard: fingerprint(job.vm, enumeration, arguments).to_string(),
        shard,
        class: job.vm.binary_name(enumeration.class),
        search: structures::search_name(arguments.strategy()).to_owned(),
        format,
        candidates: Some(Digits::from(&enumeration.space.candidates())),
        within: structures::ClaimBounds::of(job.vm, enumeration),
    };
    let output = Output::open(arguments.output.as_deref())?;
    let mut writer = ShardWriter::new(output, &header, &parts)?;
    job.parts = Some(parts.clone());
    let report = search_items(job, |item| match item {
        OutputItem::Line(line, Some(place)) => writer.write(&place, line.trim_end()),
        _ => Ok(()),
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let progress = &report.outcome.progress;
    let reads = job.vm.reads();
    let footer = Footer::new(progress, seconds, report.stopped_by, &report.left, reads);
    writer.finish(&footer)?;
    Ok(report)
}

fn write_lines(job: &mut InvariantJob<'_>) -> anyhow::Result<Report> {
    let mut output = Output::open(job.arguments.output.as_deref())?;
    let report = search_items(job, |item| match item {
        OutputItem::Line(line, _) => output.write_line(line.trim_end()),
        _ => Ok(()),
    })?;
    output.finish()?;
    Ok(report)
}

fn draw(job: &mut InvariantJob<'_>, format: Format) -> anyhow::Result<Report> {
    let mut structures: Vec<Structure> = Vec::new();
    let report = search_items(job, |item| {
        ensure!(
            (structures.len() as u64) < MAX_DRAWINGS,
            "more than {} structures to draw: draw the first ones with --limit N, or count them with --count",
            grouped(MAX_DRAWINGS)
        );
        if let OutputItem::Structure(structure) = item {
            structures.push(structure);
        }
        Ok(())
    })?;
    write_drawings(&structures, format, job.arguments.output.as_deref())?;
    Ok(report)
}

fn write_tests(job: &mut InvariantJob<'_>) -> anyhow::Result<Report> {
    let arguments = job.arguments;
    let folder = arguments
        .output
        .as_deref()
        .context("--format junit writes files: name their folder with -o")?;
    let writer = TestWriter::new("Structures", &arguments.junit, &job.config, &job.interrupt)?;
    let (vm, class) = (&mut *job.vm, job.enumeration.class);
    let mut suite = Suite {
        class_under_test: StructureReader::new(vm, class).class_sig(vm, class),
        invariant: job.enumeration.invariant_sig(vm),
        cases: Vec::new(),
        scripts: Vec::new(),
        hides: hidden_names(vm, class),
        resets: Vec::new(),
        uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
    };
    let mut cases = SmallestCases::new(arguments.max_tests);
    let mut left_out_calls = CallsLeftOut::default();
    let mut report = search_items(job, |item| {
        let OutputItem::Case(case, calls) = item else {
            return Ok(());
        };
        left_out_calls += calls;
        cases.add(case);
        Ok(())
    })?;
    let (cases, left_out) = cases.finish();
    suite.cases = cases;
    if left_out > 0 {
        warn_of_left_out(left_out, arguments.max_tests);
        report.stopped_by = report.stopped_by.or(Some("--max-tests"));
    }
    let wanted = SubstitutionRequest {
        api: &arguments.api,
        classes: &arguments.class,
        scope: arguments.bounds.scope,
        max_steps: arguments.max_steps,
        observed: Some(arguments.observed_calls()),
    };
    if arguments.prefer_api {
        let found =
            CallSubstitution::find(&wanted, job.config.clone(), &job.request, &job.interrupt)?;
        if let Some(mut preferred) = found {
            suite.cases = preferred.rewrite(suite.cases)?;
            notice!("{}", preferred.inputs().summary());
            report.inputs = Some(preferred.inputs().clone());
        }
    }
    let package = package_of_tests(job.vm, class);
    let whole = suite.cases.len();
    let written = writer.write(suite, package, folder, &job.interrupt)?;
    warn_of_skipped(&written.skipped, whole, "structures");
    warn_of_calls(left_out_calls);
    report.tests = Some(written.tests);
    report.stopped_by = report.stopped_by.or(written.stopped_by);
    Ok(report)
}

//! `heapwright merge`: merges the files of all shards into the result of one run.

mod args;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use heapwright_explore::{Progress, Span, Strategy};

use crate::cli::Verb;
use crate::exit;
use crate::files::results::{ResultFile, ShardResults};
use crate::files::shard::{Header, ShardReader};
use crate::files::{Output, grouped, prefix, print};
use crate::interrupt::StopSignal;
use crate::job::{self, Job, LocalSearch, Merged};
use crate::junit::TestWriter;
use crate::messages::report;
use crate::report::calls::{CheckResults, ReportExtras};
use crate::report::reproducers::write;
use crate::report::structures;
use crate::report::structures::StructuresSummary;
use crate::report::summary::{Digits, Exact, Head};

use super::paths::{self, PathsReporter, PathsResults};
use super::{check, enumerate, fields, sequences};

pub use args::MergeArgs;

/// Merges the files of all shards of a search.
///
/// # Errors
/// A file cannot be read, or the files are not all shards of one search.
pub fn run(arguments: &MergeArgs) -> anyhow::Result<ExitCode> {
    if let [only] = &arguments.files[..]
        && (only.is_dir() || !only.exists())
    {
        return merge_job(&only.to_string_lossy(), arguments);
    }
    if let Some(shards) = results_of::<CheckResults>(arguments)? {
        return merge_check(shards, arguments);
    }
    if let Some(shards) = results_of::<PathsResults>(arguments)? {
        return merge_paths(shards, arguments);
    }
    let mut shards = Vec::new();
    for path in &arguments.files {
        shards.push(ShardReader::open(path)?);
    }
    let headers = shards.iter();
    check_headers(
        &headers
            .map(|shard| (shard.path.as_path(), &shard.header))
            .collect::<Vec<_>>(),
    )?;
    shards.sort_by_key(|shard| shard.header.shard.number);
    let writes = shards[0].header.format.is_some();
    ensure!(
        !(arguments.out.json && writes && arguments.output.is_none()),
        "--json writes the summary to standard output: name the file of the structures with -o"
    );
    let mut output = if writes {
        Some(Output::open(arguments.output.as_deref())?)
    } else {
        None
    };
    while let Some(first) = shards
        .iter_mut()
        .filter(|shard| shard.part.is_some())
        .min_by_key(|shard| shard.part)
    {
        while let Some(line) = first.next_structure()? {
            if let Some(output) = &mut output {
                output.write_line(&line)?;
            }
        }
    }
    if let Some(output) = output {
        output.finish()?;
    }
    summarize(&shards, arguments, writes && arguments.output.is_none())
}

/// Merges the results of a job: the verb reports them as those of one run.
fn merge_job(place: &str, arguments: &MergeArgs) -> anyhow::Result<ExitCode> {
    let job = Job::open(place)?;
    if job.plan.rounds.is_some() {
        return merge_rounds(&job, arguments);
    }
    if job.plan.is_staged {
        return merge_stages(&job, arguments);
    }
    let merged = Merged::read(&job)?;
    let local = LocalSearch::fetch(&job, arguments.jdk.as_ref())?;
    let mut cli = local.command_line(&job)?;
    let search = job::open(&cli)?;
    job::check_identity(&job, &*search)?;
    drop(search);
    let name = cli.verb.name();
    if let (Some(own), Some(classes)) = (cli.verb.sequences_mut(), &job.plan.classes) {
        own.common.output = arguments.out;
        own.output = arguments.output.clone().or_else(|| own.output.take());
        return sequences::merge(name, own, classes.not_changed, &merged);
    }
    match &mut cli.verb {
        Verb::Enumerate(own) => {
            own.common.output = arguments.out;
            own.output = arguments.output.clone().or_else(|| own.output.take());
            enumerate::merge(own, &merged)
        }
        Verb::Check(own) => {
            own.common.output = arguments.out;
            own.output = arguments.output.clone().or_else(|| own.output.take());
            check::merge(own, &merged)
        }
        Verb::Paths(own) => {
            own.common.output = arguments.out;
            own.output = arguments.output.clone().or_else(|| own.output.take());
            paths::merge(own, &merged)
        }
        other => bail!(
            "{place} holds a job of {}, which has no parts",
            other.name()
        ),
    }
}

/// Merges the results of a search in stages.
fn merge_stages(job: &Job, arguments: &MergeArgs) -> anyhow::Result<ExitCode> {
    let last = job.last_stage()?;
    let local = LocalSearch::fetch(job, arguments.jdk.as_ref())?;
    let mut cli = local.command_line(job)?;
    let search = job::open(&cli)?;
    job::check_identity(job, &*search)?;
    drop(search);
    let Verb::Fields(own) = &mut cli.verb else {
        bail!("{} holds a job of no search in stages", job.store.place());
    };
    own.common.output = arguments.out;
    own.output = arguments.output.clone().or_else(|| own.output.take());
    fields::merge(own, &last.state)
}

/// Merges the results of a search in rounds.
fn merge_rounds(job: &Job, arguments: &MergeArgs) -> anyhow::Result<ExitCode> {
    let local = LocalSearch::fetch(job, arguments.jdk.as_ref())?;
    let mut cli = local.command_line(job)?;
    let Verb::Enumerate(own) = &mut cli.verb else {
        bail!("{} holds a job of no search in rounds", job.store.place());
    };
    own.common.output = arguments.out;
    own.output = arguments.output.clone().or_else(|| own.output.take());
    enumerate::merge_rounds(own, job)
}

/// Reads the files of the shards of a verb, in order of the shards; none if no file is of this verb.
fn results_of<R: ShardResults>(
    arguments: &MergeArgs,
) -> anyhow::Result<Option<Vec<ResultFile<R>>>> {
    let mut shards = Vec::new();
    for path in &arguments.files {
        let file = ResultFile::<R>::read(path)?;
        shards.extend(file.map(|file| (path.as_path(), file)));
    }
    let Some((path, _)) = shards.first() else {
        return Ok(None);
    };
    ensure!(
        shards.len() == arguments.files.len(),
        "{} is of {}, and others are not",
        path.display(),
        R::VERB
    );
    let headers = shards.iter().map(|(path, shard)| (*path, &shard.header));
    check_headers(&headers.collect::<Vec<_>>())?;
    shards.sort_by_key(|(_, shard)| shard.header.shard.number);
    Ok(Some(shards.into_iter().map(|(_, shard)| shard).collect()))
}

/// Checks that the shards are all shards of one search, each once.
fn check_headers(shards: &[(&Path, &Header)]) -> anyhow::Result<()> {
    let Some(((path, first), others)) = shards.split_first() else {
        bail!("merge takes the files of all shards");
    };
    let (one, of) = (path.display(), first.shard.of);
    for (path, other) in others {
        let another = path.display();
        ensure!(
            first.class == other.class,
            "{one} is of class {}, {another} of class {}",
            first.class,
            other.class
        );
        let prefixes = (&first.heapwright_shard, &other.heapwright_shard);
        if let Some((what, a, b)) = prefix::difference(prefixes.0, prefixes.1) {
            bail!("{one} and {another} are not of one search: the {what} differs ({a}, {b})");
        }
        ensure!(
            of == other.shard.of,
            "{one} is one of {of} shards, {another} one of {}",
            other.shard.of
        );
        ensure!(
            first.format == other.format,
            "{one} and {another} hold structures in different formats"
        );
    }
    for number in 1..=of {
        let mut same = shards
            .iter()
            .filter(|(_, shard)| shard.shard.number == number);
        match (same.next(), same.next()) {
            (None, _) => bail!("shard {number}/{of} is missing"),
            (Some((one, _)), Some((other, _))) => bail!(
                "{} and {} are both shard {number}/{of}",
                one.display(),
                other.display()
            ),
            _ => {}
        }
    }
    Ok(())
}

/// Merges the results of shards of `paths`.
fn merge_paths(
    shards: Vec<ResultFile<PathsResults>>,
    arguments: &MergeArgs,
) -> anyhow::Result<ExitCode> {
    let count = shards.len();
    let mut shards = shards.into_iter();
    let Some(ResultFile { mut results, .. }) = shards.next() else {
        bail!("merge takes the files of all shards");
    };
    for shard in shards {
        results.add(shard.results);
    }
    ensure!(
        results.frame.is_none() || arguments.output.is_some(),
        "the cases are JUnit tests, which are files: name their folder with -o"
    );
    results.select();
    results.warn();
    let reporter = PathsReporter {
        results,
        verb: "merge",
        json: arguments.out.json,
        output: arguments.output.as_deref(),
        shards: Some(count),
        start: None,
    };
    reporter.write((&TestWriter::untried(paths::TESTS), &StopSignal::never()))
}

/// Merges the results of shards of `check`.
fn merge_check(
    shards: Vec<ResultFile<CheckResults>>,
    arguments: &MergeArgs,
) -> anyhow::Result<ExitCode> {
    let count = shards.len();
    let mut shards = shards.into_iter();
    let Some(ResultFile {
        header,
        mut results,
    }) = shards.next()
    else {
        bail!("merge takes the files of all shards");
    };
    for shard in shards {
        results.add(shard.results);
    }
    let spans: Result<Vec<Span>, _> = results.left.iter().map(|span| span.parse()).collect();
    let resume = resume_from(&header, spans?);
    results.warn();
    let files = match &arguments.output {
        Some(folder) => {
            write(
                &results,
                results.cases(),
                folder,
                (&TestWriter::untried("Counterexample"), &StopSignal::never()),
            )?
            .files
        }
        None => Vec::new(),
    };
    let further = ReportExtras {
        resume: resume.as_deref(),
        shards: Some(count),
        ..ReportExtras::default()
    };
    results.print(arguments.out.json, &files, &further)?;
    Ok(results.exit_code().into())
}

/// Prefix from which the remaining parts of the shards resume, if there are some.
fn resume_from(header: &Header, mut left: Vec<Span>) -> Option<String> {
    left.sort();
    let spans: Vec<String> = left.iter().map(Span::to_string).collect();
    (!left.is_empty()).then(|| format!("{}:{}", header.heapwright_shard, spans.join("+")))
}

fn summarize(
    shards: &[ShardReader],
    arguments: &MergeArgs,
    has_written: bool,
) -> anyhow::Result<ExitCode> {
    let mut progress = Progress::default();
    let mut seconds: f64 = 0.0;
    let mut stopped_by = None;
    let mut left: Vec<Span> = Vec::new();
    let mut reads = BTreeSet::new();
    for footer in shards.iter().filter_map(|shard| shard.footer.as_ref()) {
        progress += &footer.progress();
        seconds = seconds.max(footer.seconds);
        stopped_by = stopped_by.or(footer.stopped_by.clone());
        reads.extend(footer.reads.iter().cloned());
        for span in &footer.left {
            left.push(span.parse()?);
        }
    }
    let header = &shards[0].header;
    let resume = resume_from(header, left);
    let is_lazy = header.search == "lazy";
    let strategy = match is_lazy {
        true => Strategy::Lazy,
        false => Strategy::Korat,
    };
    let refused = structures::unanswered(strategy, progress.refused);
    let claim = header.within.claim(stopped_by.as_deref(), refused);
    let claim = claim.with_reads(&reads);
    if arguments.out.json {
        let own = StructuresSummary {
            search: header.search.clone(),
            valid: Exact::from(&progress.valid),
            cubes: is_lazy.then_some(progress.cubes),
            threw: progress.threw,
            refused: progress.refused,
            candidates: header.candidates.clone().unwrap_or(Digits::Number(0)),
            steps: progress.steps,
            bounds: header.within.bounds.clone(),
            resume,
            shards: Some(shards.len()),
            classes_found: None,
            prefer_api: None,
        };
        Head::new(&header.class, &claim, seconds)
            .explored(&progress.explored, structures::unit(strategy))
            .with(own)
            .print("merge")?;
    } else {
        let cubes = if is_lazy {
            format!(" in {} cubes", grouped(progress.cubes))
        } else {
            String::new()
        };
        let line = format!(
            "{}: {} structures{cubes}, {} {} explored in {} shards, {seconds:.2} s; {claim}",
            header.class,
            grouped(&progress.valid),
            grouped(&progress.explored),
            if is_lazy { "leaves" } else { "candidates" },
            shards.len()
        );
        if has_written {
            report(&format!("{line}\n"));
        } else {
            print(&format!("{line}\n"))?;
        }
        if let Some(prefix) = resume {
            notice!("to resume: --resume {prefix}");
        }
    }
    let code = if stopped_by.is_some() || progress.refused > 0 {
        exit::ExitCode::Partial
    } else if header.format.is_some() && progress.valid == 0 {
        exit::ExitCode::Nothing
    } else {
        exit::ExitCode::Done
    };
    Ok(code.into())
}

//! `heapwright merge`: the files of all shards as the result of one run.

use std::process::ExitCode;

use anyhow::{bail, ensure};
use heapwright_explore::{Progress, Span};

use crate::cli::MergeArgs;
use crate::exit;
use crate::output::{Output, grouped, json_number, print};
use crate::prefix;
use crate::shard::ShardReader;

/// Merges the files of all shards of a search.
///
/// # Errors
/// A file cannot be read, or the files do not make one search.
pub fn run(arguments: &MergeArgs) -> anyhow::Result<ExitCode> {
    let mut shards = Vec::new();
    for path in &arguments.files {
        shards.push(ShardReader::open(path)?);
    }
    check(&shards)?;
    shards.sort_by_key(|shard| shard.header.shard.number);
    let writes = shards[0].header.format.is_some();
    ensure!(
        !(arguments.json && writes && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the structures go"
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

/// Whether the shards are those of one search, all of them, each once.
fn check(shards: &[ShardReader]) -> anyhow::Result<()> {
    let Some((first, others)) = shards.split_first() else {
        bail!("merge takes the files of all shards");
    };
    let (one, of) = (first.path.display(), first.header.shard.of);
    for other in others {
        let another = other.path.display();
        ensure!(
            first.header.class == other.header.class,
            "{one} is of class {}, {another} of class {}",
            first.header.class,
            other.header.class
        );
        let prefixes = (
            &first.header.heapwright_shard,
            &other.header.heapwright_shard,
        );
        if let Some((what, a, b)) = prefix::difference(prefixes.0, prefixes.1) {
            bail!("{one} and {another} are not of one search: the {what} differs ({a}, {b})");
        }
        ensure!(
            of == other.header.shard.of,
            "{one} is one of {of} shards, {another} one of {}",
            other.header.shard.of
        );
        ensure!(
            first.header.format == other.header.format,
            "{one} and {another} hold structures in different formats"
        );
    }
    for number in 1..=of {
        let mut same = shards
            .iter()
            .filter(|shard| shard.header.shard.number == number);
        match (same.next(), same.next()) {
            (None, _) => bail!("shard {number}/{of} is missing"),
            (Some(one), Some(other)) => bail!(
                "{} and {} are both shard {number}/{of}",
                one.path.display(),
                other.path.display()
            ),
            _ => {}
        }
    }
    Ok(())
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
    for footer in shards.iter().filter_map(|shard| shard.footer.as_ref()) {
        progress += &footer.progress();
        seconds = seconds.max(footer.seconds);
        stopped_by = stopped_by.or(footer.stopped_by.clone());
        for span in &footer.left {
            left.push(span.parse()?);
        }
    }
    left.sort();
    let header = &shards[0].header;
    let spans: Vec<String> = left.iter().map(Span::to_string).collect();
    let resume =
        (!left.is_empty()).then(|| format!("{}:{}", header.heapwright_shard, spans.join("+")));
    let is_lazy = header.search == "lazy";
    if arguments.json {
        let mut summary = serde_json::json!({
            "class": header.class,
            "search": header.search,
            "explored": json_number(&progress.explored),
            "valid": json_number(&progress.valid),
            "threw": progress.threw,
            "refused": progress.refused,
            "candidates": header.candidates,
            "steps": progress.steps,
            "shards": shards.len(),
            "status": if stopped_by.is_some() { "stopped" } else { "complete" },
            "seconds": seconds,
        });
        if is_lazy {
            summary["cubes"] = progress.cubes.into();
        }
        if let Some(limit) = &stopped_by {
            summary["stopped_by"] = limit.as_str().into();
        }
        if let Some(prefix) = resume {
            summary["resume"] = prefix.into();
        }
        print(&format!("{summary}\n"))?;
    } else {
        let ended = match &stopped_by {
            Some(limit) => format!("stopped by {limit}"),
            None => "complete".to_owned(),
        };
        let cubes = if is_lazy {
            format!(" in {} cubes", grouped(progress.cubes))
        } else {
            String::new()
        };
        let line = format!(
            "{}: {} structures{cubes}, {} {} explored in {} shards, {seconds:.2} s; {ended}",
            header.class,
            grouped(&progress.valid),
            grouped(&progress.explored),
            if is_lazy { "leaves" } else { "candidates" },
            shards.len()
        );
        if has_written {
            eprintln!("{line}");
        } else {
            print(&format!("{line}\n"))?;
        }
        if let Some(prefix) = resume {
            eprintln!("heapwright: to go on: --resume {prefix}");
        }
    }
    let code = if progress.refused > 0 {
        exit::ExitCode::Usage
    } else if stopped_by.is_some() {
        exit::ExitCode::Partial
    } else if header.format.is_some() && progress.valid == 0 {
        exit::ExitCode::Nothing
    } else {
        exit::ExitCode::Done
    };
    Ok(code.into())
}

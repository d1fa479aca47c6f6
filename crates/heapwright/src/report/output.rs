//! Reports of a run in a folder, and for the job of GitHub Actions that the run is part of.
//!
//! Invariant: nothing is written over a page that Heapwright did not write.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use heapwright_jvm::{ClassId, Vm};
use heapwright_report::{
    BehaviourRank, Ending, HistoryEntry, Run, RunPart, SourceFile, annotations, cobertura,
    history_text, jacoco, json, junit, markdown, mutations, read_history, sarif, site,
};
use heapwright_techniques::findings::FindingRank;

use super::claim::Claim;
use super::summary::Status;
use crate::files::{check_writable, print, remove_file, replace_file, replace_quietly};
use crate::options::{ReportArgs, ReportFormat};

/// Totals of this run and of those before, in the folder of reports.
const HISTORY: &str = "history.json";
/// Number of earlier runs in the history.
const MOST_RUNS: usize = 1_000;

/// Format in a file of its own: the name of the file, and its writer.
type TextFormat = (ReportFormat, &'static str, fn(&Run) -> String);

const TEXTS: [TextFormat; 7] = [
    (ReportFormat::Json, "report.json", json::json),
    (ReportFormat::Sarif, "heapwright.sarif", sarif::sarif),
    (ReportFormat::Junit, "junit.xml", junit::junit),
    (ReportFormat::Jacoco, "jacoco.xml", jacoco::jacoco),
    (
        ReportFormat::Cobertura,
        "cobertura.xml",
        cobertura::cobertura,
    ),
    (
        ReportFormat::Mutations,
        "mutations.json",
        mutations::mutations,
    ),
    (ReportFormat::Markdown, "summary.md", markdown::markdown),
];

/// Rank of a finding, for reports.
pub fn rank(rank: FindingRank) -> BehaviourRank {
    match rank {
        FindingRank::Contract => BehaviourRank::Contract,
        FindingRank::Invariant => BehaviourRank::Invariant,
        FindingRank::Index => BehaviourRank::Index,
        FindingRank::Cast => BehaviourRank::Cast,
        FindingRank::Arithmetic => BehaviourRank::Arithmetic,
        FindingRank::Null => BehaviourRank::Null,
        FindingRank::Other => BehaviourRank::Other,
    }
}

/// Begin of a report of a run that has lasted for some time.
pub fn begin(verb: &str, claim: &Claim, elapsed: Duration) -> Run {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let started = now.unwrap_or_default().saturating_sub(elapsed);
    Run {
        verb: verb.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: started.as_secs(),
        seconds: elapsed.as_secs_f64(),
        ending: match (claim.stopped_by(), claim.status()) {
            (Some(by), _) => Ending::Stopped(by.to_owned()),
            (None, Status::Complete) => Ending::Complete,
            (None, _) => Ending::Partial,
        },
        without: claim.left_out().to_vec(),
        notes: Vec::new(),
        has_coverage: false,
        has_mutants: false,
        is_lower_bound: false,
        source_folders: Vec::new(),
        files: Vec::new(),
        classes: Vec::new(),
        tests: Vec::new(),
        behaviours: Vec::new(),
        structures: Vec::new(),
        graphs: Vec::new(),
    }
}

/// Checks before the work that reports can be written into the folder that is named.
///
/// # Errors
/// Its first page is not Heapwright's, or no file can be created there.
pub fn check_folder(arguments: &ReportArgs) -> anyhow::Result<()> {
    let Some(folder) = &arguments.report else {
        return Ok(());
    };
    check_writable(folder)?;
    let index = folder.join(site::INDEX);
    if let Ok(text) = fs::read(&index)
        && !String::from_utf8_lossy(&text).contains(site::MARK)
    {
        bail!(
            "{} exists and is no report of Heapwright's: name another folder with --report",
            index.display()
        );
    }
    read_earlier(folder).map(drop)
}

/// Totals of earlier runs, the oldest first.
fn read_earlier(folder: &Path) -> anyhow::Result<Vec<HistoryEntry>> {
    let path = folder.join(HISTORY);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(error).with_context(|| format!("failed to read {}", path.display()));
        }
    };
    read_history(&text).with_context(|| {
        let path = path.display();
        format!(
            "{path} is no history of reports: move it away, or name another folder with --report"
        )
    })
}

/// Writes the reports of a run that are asked for. With `is_json` nothing goes to standard output.
///
/// # Errors
/// A file or standard output cannot be written.
pub fn write(arguments: &ReportArgs, mut run: Run, is_json: bool) -> anyhow::Result<()> {
    let Some(folder) = &arguments.report else {
        return Ok(());
    };
    add_sources(&mut run, arguments);
    for (format, name, write) in TEXTS {
        if arguments.has(format) {
            replace_file(&folder.join(name), write(&run).as_bytes())?;
        }
    }
    if arguments.has(ReportFormat::Html) {
        write_site(folder, &run)?;
    }
    if arguments.has(ReportFormat::Github) {
        tell_github(&run, is_json)?;
    }
    Ok(())
}

/// Writes the pages, and removes those of an earlier run that this one does not have.
fn write_site(folder: &Path, run: &Run) -> anyhow::Result<()> {
    let mut history = read_earlier(folder)?;
    history.push(HistoryEntry::of(run));
    let superfluous = history.len().saturating_sub(MOST_RUNS);
    history.drain(..superfluous);
    let files = site::site(run, &history);
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for own in site::FOLDERS {
        for entry in fs::read_dir(folder.join(own))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = format!("{own}/{}", entry.file_name().to_string_lossy());
            if !paths.contains(name.as_str()) {
                remove_file(&entry.path())?;
            }
        }
    }
    for file in &files {
        let path = folder.join(&file.path);
        match file.path == site::INDEX {
            true => replace_file(&path, file.contents.as_bytes())?,
            false => replace_quietly(&path, file.contents.as_bytes())?,
        }
    }
    replace_quietly(&folder.join(HISTORY), history_text(&history).as_bytes())
}

/// Marks lines and adds to the summary of the job, if GitHub Actions runs this process.
fn tell_github(run: &Run, is_json: bool) -> anyhow::Result<()> {
    if env::var_os("GITHUB_ACTIONS").is_none_or(|value| value != "true") {
        return Ok(());
    }
    if !is_json {
        print(&annotations::annotations(run))?;
    }
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY") else {
        return Ok(());
    };
    let path = Path::new(&path);
    let failed = || format!("failed to write the summary of the job: {}", path.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(failed)?;
    file.write_all(markdown::markdown(run).as_bytes())
        .with_context(failed)
}

/// Reads the sources of the classes, and says what is missing.
fn add_sources(run: &mut Run, arguments: &ReportArgs) {
    let folders = &arguments.sources;
    run.source_folders = folders.iter().map(|folder| shown(folder)).collect();
    for file in &mut run.files {
        read_source(file, arguments);
    }
    let missing: Vec<&str> = run
        .files
        .iter()
        .filter(|file| file.text.is_none())
        .map(|file| file.path.as_str())
        .collect();
    let note = match (&missing[..], folders.is_empty()) {
        ([], _) => return,
        (_, true) => "The report has no sources: name their folders with --sources.".to_owned(),
        ([path], false) => format!("The source {path} is in no folder of --sources."),
        ([path, others @ ..], false) => format!(
            "{path} and {} other sources are in no folder of --sources.",
            others.len()
        ),
    };
    run.notes.push(note);
}

fn read_source(file: &mut SourceFile, arguments: &ReportArgs) {
    for folder in &arguments.sources {
        let path = folder.join(&file.path);
        if let Ok(bytes) = fs::read(&path) {
            file.location = Some(shown(&path));
            file.text = Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
            return;
        }
    }
}

/// Path with slashes, from the current folder on where it is below that.
pub fn shown(path: &Path) -> String {
    let below = match (
        path.canonicalize(),
        env::current_dir().and_then(|it| it.canonicalize()),
    ) {
        (Ok(whole), Ok(current)) => whole.strip_prefix(current).ok().map(Path::to_owned),
        _ => None,
    };
    let path = below.as_deref().unwrap_or(path);
    let text = path.to_string_lossy();
    match cfg!(windows) {
        true => text.replace('\\', "/"),
        false => text.into_owned(),
    }
}

/// Index of the source file of a class in a part of a report.
pub fn file_of(part: &mut RunPart, class: &str, source_file: Option<&str>) -> usize {
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    // Without the attribute, the name of the outermost class is what javac wants.
    let outermost = name.split('$').next().filter(|name| !name.is_empty());
    let guessed = format!("{}.java", outermost.unwrap_or(name));
    let name = source_file.unwrap_or(&guessed);
    match package.is_empty() {
        true => part.file(name),
        false => part.file(&format!("{}/{name}", package.replace('.', "/"))),
    }
}

/// Source file of a class as its class file names it.
pub fn source_file(vm: &Vm, class: ClassId) -> Option<String> {
    let file = vm.class(class).file.as_ref()?;
    let name = file.info.source_file?;
    Some(vm.text(name).to_owned())
}

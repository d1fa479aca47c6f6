//! Classes as the parts of a job, a class a part, and their results as those of one run.
//!
//! A worker writes the tests of a class into a folder of its own and tries them there. The result
//! of the part has the files; they come to their place when the job is merged.

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Instant;

use anyhow::{Context, anyhow, bail, ensure};
use heapwright_explore::{Part, Span};
use heapwright_jvm::classpath::ClassPath;
use heapwright_techniques::makers::MakerIndex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;

use super::existing::ExistingTests;
use super::report::ClassReport;
use super::several::{self, GRACE, PATIENCE};
use super::{EarlierArgs, SequencesArgs, SequencesJob, check, chosen, format, report_on, writer};
use crate::fault::{self, Fault};
use crate::files::style::ProjectStyle;
use crate::files::{is_java, read_test_class, write_file};
use crate::interrupt::StopSignal;
use crate::job::{
    JobSearch, Merged, PlannedClasses, ResultWriter, Slice, digest, even_parts, number_of,
};
use crate::junit::{TestWriter, failures_of, resources_of};
use crate::report::output;

/// Instructions that the search for tests of a class is expected to take for each byte of its file.
const STEPS_A_BYTE: u64 = 20_000;

/// Classes of a request.
///
/// # Errors
/// A pattern fits no class, nothing is to be done, or the class path cannot be read.
pub fn planned(
    arguments: &SequencesArgs,
    earlier: Option<&EarlierArgs>,
) -> anyhow::Result<PlannedClasses> {
    check(arguments)?;
    let (names, not_changed) = chosen(arguments, earlier)?;
    ensure!(!names.is_empty(), "there is no class for the job");
    Ok(PlannedClasses { names, not_changed })
}

/// Tests of classes by parts.
pub struct ClassSearch {
    task: Arc<ClassTask>,
    /// Expected instructions for each class.
    expected: Vec<u64>,
    /// Folder that holds what is written, removed in the end.
    folder: TempDir,
}

/// What the work on each class needs. It outlives the search if a class does not end in its time.
struct ClassTask {
    arguments: SequencesArgs,
    makers: Arc<MakerIndex>,
    /// Tests that were there before: there are none.
    existing: ExistingTests,
    /// Writer of tests, once one is needed.
    writer: OnceLock<TestWriter>,
}

impl ClassTask {
    fn new(arguments: SequencesArgs) -> Arc<ClassTask> {
        Arc::new(ClassTask {
            arguments,
            makers: Arc::default(),
            existing: ExistingTests::default(),
            writer: OnceLock::new(),
        })
    }

    fn explore(&self, number: usize, interrupt: &StopSignal) -> anyhow::Result<ClassReport> {
        let job = self.job(interrupt);
        let class = self.arguments.classes.get(number);
        job.explore(class.context("there is no such class")?, &|_| {})
    }

    fn job<'a>(&'a self, interrupt: &'a StopSignal) -> SequencesJob<'a> {
        SequencesJob {
            arguments: &self.arguments,
            writer: self.writer.get(),
            existing: &self.existing,
            cache: None,
            classes: self.arguments.classes.len(),
            interrupt,
            share: 1.0,
            makers: &self.makers,
        }
    }
}

impl ClassSearch {
    /// Looks for the files of the classes, whose names are no patterns.
    ///
    /// # Errors
    /// The class path cannot be read, or there is no folder for temporary files.
    pub fn open(arguments: &SequencesArgs) -> anyhow::Result<ClassSearch> {
        let config = arguments.common.class_path.config()?;
        let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
        let expected = arguments.classes.iter().map(|class| {
            let file = class_path.find(&class.replace('.', "/"))?;
            let size = file.map_or(0, |(bytes, _)| bytes.len());
            Ok(size as u64 * STEPS_A_BYTE)
        });
        let expected: anyhow::Result<_> = expected.collect();
        let made = tempfile::Builder::new()
            .prefix("heapwright-tests-")
            .tempdir();
        let folder = made.context("failed to make a folder for tests")?;
        let output = arguments.output.as_deref();
        Ok(ClassSearch {
            expected: expected?,
            task: ClassTask::new(SequencesArgs {
                output: output.map(|output| folder.path().join(names_of(output))),
                ..arguments.clone()
            }),
            folder,
        })
    }

    /// Explores a class until it is done, or has taken longer than it may; none if the run is to
    /// stop.
    ///
    /// # Errors
    /// Tests cannot be written here.
    fn explore(
        &mut self,
        number: usize,
        slice: &Slice,
    ) -> anyhow::Result<Option<anyhow::Result<ClassReport>>> {
        let interrupt = slice.interrupt().unshortened();
        let task = Arc::clone(&self.task);
        if task.writer.get().is_none()
            && let Some(made) = writer(&task.arguments, &interrupt)?
        {
            let _ = task.writer.set(made);
        }
        let most = task.job(&interrupt).time_per_class();
        let end = most.and_then(|most| Instant::now().checked_add(most + GRACE));
        let (sender, told) = mpsc::channel();
        // A thread that does not look at the time is left to itself.
        thread::spawn(move || {
            let told = fault::catch(|| task.explore(number, &interrupt));
            let _ = sender.send(told.unwrap_or_else(|fault| Err(fault.into())));
        });
        let mut raised: Option<Instant> = None;
        loop {
            match told.recv_timeout(PATIENCE) {
                Ok(told) => return Ok((!slice.is_interrupted()).then_some(told)),
                Err(RecvTimeoutError::Disconnected) => bail!("the work ended without a result"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if slice.is_interrupted() {
                let since = raised.get_or_insert_with(Instant::now);
                if since.elapsed() > slice.interrupt().grace_time() {
                    return Ok(None);
                }
            } else if end.is_some_and(|end| Instant::now() > end) {
                // The thread may hold the writer for ever.
                self.task = ClassTask::new(self.task.arguments.clone());
                return Ok(Some(Err(several::left_behind())));
            }
        }
    }
}

/// Path of the names in a path: it leads nowhere else.
fn names_of(path: &Path) -> PathBuf {
    let components = path.components();
    components
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect()
}

impl JobSearch for ClassSearch {
    fn class(&self) -> String {
        match &self.task.arguments.classes[..] {
            [only] => only.clone(),
            several => format!("{} classes", several.len()),
        }
    }

    fn identity(&self) -> String {
        let names = self.task.arguments.classes.join("\n");
        format!("tests of {}: {}", self.class(), digest(names.as_bytes()))
    }

    fn uses_solver(&self) -> bool {
        true
    }

    fn whole(&self) -> Vec<Span> {
        let numbers = 0..self.task.arguments.classes.len() as i64;
        numbers.map(|number| Span::below(vec![number])).collect()
    }

    fn divide(&mut self, spans: &[Span], count: usize, _: u64) -> anyhow::Result<Vec<Part>> {
        let expected = |span: &Span| number_of(span).and_then(|number| self.expected.get(number));
        Ok(even_parts(spans, count, |span| {
            expected(span).copied().unwrap_or_default()
        }))
    }

    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)> {
        let number = number_of(span).context("the part names no class")?;
        let Some(told) = self.explore(number, slice)? else {
            return Ok((vec![span.clone()], 0));
        };
        let steps = told.as_ref().map_or(0, |told| told.steps);
        let output = self.task.arguments.output.as_deref();
        let record = ClassRecord::of(told, self.folder.path(), output)?;
        result.begin(span);
        result.end(&record)?;
        slice.note_size(result);
        Ok((Vec::new(), steps))
    }
}

/// Result of a class in a job.
#[derive(Serialize, Deserialize)]
struct ClassRecord {
    /// Folder of the worker, which paths in texts begin with.
    folder: String,
    /// Files of tests.
    files: Vec<FileRecord>,
    told: Result<ClassReport, ErrorRecord>,
}

/// File of tests.
#[derive(Serialize, Deserialize)]
struct FileRecord {
    place: FilePlace,
    /// Path in the folder of this place.
    path: PathBuf,
    text: String,
}

/// Place of a file, by the folder of the output.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum FilePlace {
    Tests,
    Resources,
    Failures,
}

impl FilePlace {
    const ALL: [FilePlace; 3] = [FilePlace::Tests, FilePlace::Resources, FilePlace::Failures];

    /// Folder of the files.
    fn folder(self, output: &Path) -> PathBuf {
        match self {
            FilePlace::Tests => output.to_owned(),
            FilePlace::Resources => resources_of(output),
            FilePlace::Failures => failures_of(output),
        }
    }
}

/// Reason why a class has no result.
#[derive(Serialize, Deserialize)]
struct ErrorRecord {
    message: String,
    fault: Option<Fault>,
}

impl ClassRecord {
    /// Record of a class, whose tests were written below a folder.
    fn of(
        told: anyhow::Result<ClassReport>,
        folder: &Path,
        output: Option<&Path>,
    ) -> anyhow::Result<ClassRecord> {
        let mut files = Vec::new();
        let told = match told {
            Ok(mut told) => {
                for file in std::mem::take(&mut told.files) {
                    files.push(FileRecord::read(&file, output.unwrap_or(folder))?);
                }
                Ok(told)
            }
            Err(error) => Err(ErrorRecord {
                message: format!("{error:#}"),
                fault: error.downcast_ref::<Fault>().cloned(),
            }),
        };
        Ok(ClassRecord {
            folder: folder.to_string_lossy().into_owned(),
            files,
            told,
        })
    }

    /// Reads a record, with the place of the tests in its texts.
    fn read(mut record: Value, output: Option<&Path>) -> anyhow::Result<ClassRecord> {
        if let (Some(folder), Some(output)) = (record["folder"].as_str(), output) {
            let of_worker = Path::new(folder).join(names_of(output));
            // The name of the one folder may begin with that of the other.
            for place in [FilePlace::Failures, FilePlace::Tests] {
                let there = place.folder(&of_worker);
                let here = output::shown(&place.folder(output));
                replace(&mut record, &there.to_string_lossy(), &here);
            }
        }
        Ok(serde_json::from_value(record)?)
    }

    /// Writes the tests of the class.
    fn write(
        self,
        output: Option<&Path>,
        style: Option<&ProjectStyle>,
    ) -> anyhow::Result<ClassReport> {
        let mut told = self.told.map_err(|error| match error.fault {
            Some(fault) => fault.into(),
            None => anyhow!(error.message),
        })?;
        if let Some(output) = output {
            for file in &self.files {
                let path = file.place.folder(output).join(&file.path);
                // The worker does not know the project.
                match style.filter(|_| is_java(&path)) {
                    Some(style) => {
                        let text = style.at(&path).apply(&file.text);
                        write_file(&path, text.as_bytes())?;
                    }
                    None => write_file(&path, file.text.as_bytes())?,
                }
                told.files.push(path);
            }
        }
        Ok(told)
    }
}

impl FileRecord {
    fn read(file: &Path, output: &Path) -> anyhow::Result<FileRecord> {
        let read = read_test_class(file)?;
        let (text, _) = read.with_context(|| format!("{} is missing", file.display()))?;
        let mut places = FilePlace::ALL.into_iter();
        let found = places.find_map(|place| {
            let path = file.strip_prefix(place.folder(output)).ok()?;
            Some((place, path.to_owned()))
        });
        let (place, path) =
            found.with_context(|| format!("{} is in no folder of tests", file.display()))?;
        Ok(FileRecord { place, path, text })
    }
}

/// Replaces a text in all texts of a value.
fn replace(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text.contains(old) => *text = text.replace(old, new),
        Value::Array(values) => values.iter_mut().for_each(|it| replace(it, old, new)),
        Value::Object(fields) => fields.values_mut().for_each(|it| replace(it, old, new)),
        _ => {}
    }
}

/// Writes and reports the results of a job, as those of one run of the verb.
///
/// # Errors
/// A result cannot be read, or the output cannot be written.
pub fn merge(
    verb: &'static str,
    arguments: &SequencesArgs,
    not_changed: usize,
    merged: &Merged<'_>,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    check(arguments)?;
    let interrupt = arguments.common.watch(1)?;
    let output = arguments.output.as_deref();
    let style = output.map(|output| ProjectStyle::of(output, &arguments.reports.sources));
    let mut done = Vec::new();
    let mut item = |line: &str| bail!("{line:?} is no item of {verb}");
    merged.each(&mut item, &mut |record: Value| {
        done.push(Some(
            ClassRecord::read(record, output)?.write(output, style.as_ref()),
        ));
        Ok(())
    })?;
    let classes = &arguments.classes;
    ensure!(
        done.len() == classes.len(),
        "the job has results of {} classes, not of {}",
        done.len(),
        classes.len()
    );
    format(arguments, done.iter().flatten().flatten(), &interrupt);
    if let ([_], 0, Some(told)) = (&classes[..], not_changed, done.first_mut())
        && let Some(told) = told.take()
    {
        return report_on(verb, arguments, told?, start.elapsed());
    }
    for place in several::work_order(classes, arguments)? {
        if let Some(told) = &done[place] {
            several::show(arguments, &classes[place], told)?;
        }
    }
    let named = (&classes[..], not_changed);
    let code = several::finish(verb, arguments, named, &done, (start, &interrupt))?;
    Ok(code.into())
}

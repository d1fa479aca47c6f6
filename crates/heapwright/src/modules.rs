//! A verb on several modules of a project: a process for each, one after the other, since each has a
//! class path and folders of its own.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::exit::ExitCode;
use crate::interrupt::started;
use crate::project::ModuleShare;
use crate::report::summary::{Head, print_sum};

/// Interval between two checks of the running process.
const POLL: Duration = Duration::from_millis(20);
/// Time that an interrupted process has to write what it has found.
const GRACE: Duration = Duration::from_secs(3);
/// Least time that a module has, so that its process can start.
const LEAST: Duration = Duration::from_millis(500);

/// Run of a verb on several modules.
pub struct ModulesRun {
    verb: String,
    /// Words of the command line, without program, verb and what is said for each module anew.
    words: Vec<OsString>,
    limit: Option<Duration>,
    is_json: bool,
    modules: Vec<ModuleShare>,
}

/// Keys of a summary of several modules.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModulesSummary {
    /// The modules, in the order of the build.
    modules: Vec<ModuleResult>,
}

/// Result of a module.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModuleResult {
    /// Name by which the build tool knows it.
    module: String,
    /// Exit code of the run on it; null if a signal ended it.
    exit_code: Option<i32>,
    /// Summary of the run on it; null if it failed.
    summary: Option<Value>,
}

impl ModulesRun {
    /// Run on these modules. `words` are those of the whole command line.
    pub fn new(
        verb: &str,
        words: &[OsString],
        limit: Option<Duration>,
        is_json: bool,
        modules: Vec<ModuleShare>,
    ) -> ModulesRun {
        ModulesRun {
            verb: verb.to_owned(),
            words: for_modules(&words[2..]),
            limit,
            is_json,
            modules,
        }
    }

    /// Time that a module has: a part of what is left, by the number of its classes.
    fn limit_of(&self, place: usize) -> Option<Duration> {
        let left = self.limit?.saturating_sub(started().elapsed());
        let classes = |modules: &[ModuleShare]| {
            let classes = modules.iter().map(|module| module.classes.max(1));
            classes.sum::<usize>() as f64
        };
        let share = classes(&self.modules[place..=place]) / classes(&self.modules[place..]);
        Some(left.mul_f64(share).max(LEAST))
    }

    /// Process of a run on a module.
    fn process(&self, place: usize) -> anyhow::Result<Child> {
        let program = std::env::current_exe().context("failed to find the program itself")?;
        let mut command = Command::new(program);
        command.arg(&self.verb);
        command.arg(format!("--module={}", self.modules[place].name));
        if let Some(limit) = self.limit_of(place) {
            command.arg(format!("--time-limit={}ms", limit.as_millis()));
        }
        command.args(&self.words).stdin(Stdio::null());
        if self.is_json {
            command.stdout(Stdio::piped());
        }
        // Ctrl-C reaches this process alone, which passes it on once: a second one would end the
        // other before it has written its results.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
            .spawn()
            .context("failed to start the program itself")
    }
}

/// Words for the run on a module: without those that are for all.
fn for_modules(words: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if text == "--time-limit" {
            words.next();
        } else if text != "--compile" && !text.starts_with("--time-limit=") {
            kept.push(word.clone());
        }
    }
    kept
}

/// Runs the verb on each module.
///
/// # Errors
/// A process cannot be started, or standard output cannot be written to.
pub fn run(run: &ModulesRun) -> anyhow::Result<std::process::ExitCode> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&is_interrupted);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .context("failed to listen to Ctrl-C")?;
    let mut results = Vec::new();
    for (place, module) in run.modules.iter().enumerate() {
        if is_interrupted.load(Ordering::Relaxed) {
            break;
        }
        notice!("module {}", module.name);
        let mut process = run.process(place)?;
        let printed = process.stdout.take().map(|mut stream| {
            thread::spawn(move || {
                let mut text = String::new();
                // A summary that was not read to its end is none.
                let _ = stream.read_to_string(&mut text);
                text
            })
        });
        let status = wait(&mut process, &is_interrupted)?;
        let printed = printed.map(|reader| reader.join().unwrap_or_default());
        let summary = printed.and_then(|text| serde_json::from_str(&text).ok());
        results.push(ModuleResult {
            module: module.name.clone(),
            exit_code: status.code(),
            summary,
        });
    }
    let not_begun = run.modules.len() - results.len();
    let codes: Vec<Option<i32>> = results.iter().map(|result| result.exit_code).collect();
    if run.is_json {
        let stopped = (not_begun > 0).then_some("Ctrl-C");
        print_modules(run, results, stopped)?;
    }
    Ok(exit_code(&codes, not_begun).into())
}

/// Waits for a process. If this one is interrupted, so is that one, which is ended when it takes
/// too long.
fn wait(process: &mut Child, is_interrupted: &AtomicBool) -> anyhow::Result<ExitStatus> {
    let mut since: Option<Instant> = None;
    loop {
        if let Some(status) = process.try_wait().context("failed to wait for a module")? {
            return Ok(status);
        }
        match since {
            None if is_interrupted.load(Ordering::Relaxed) => {
                interrupt(process);
                since = Some(Instant::now());
            }
            Some(since) if since.elapsed() > GRACE => {
                process
                    .kill()
                    .context("failed to end the run on a module")?;
            }
            _ => {}
        }
        thread::sleep(POLL);
    }
}

/// Sends a process what Ctrl-C sends.
fn interrupt(process: &Child) {
    #[cfg(unix)]
    if let Some(id) = rustix::process::Pid::from_raw(process.id().cast_signed()) {
        // A process that has ended by itself needs none.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Prints the sum of the results, and each of them.
fn print_modules(
    run: &ModulesRun,
    results: Vec<ModuleResult>,
    stopped: Option<&str>,
) -> anyhow::Result<()> {
    let head = |result: &ModuleResult| {
        let summary = result.summary.clone()?;
        serde_json::from_value::<Head>(summary).ok()
    };
    let heads: Vec<(String, Option<Head>)> = results
        .iter()
        .map(|result| (result.module.clone(), head(result)))
        .collect();
    let summaries = results.iter().filter_map(|result| result.summary.as_ref());
    let files = summaries
        .clone()
        .filter_map(|summary| summary["files"].as_array());
    let files = files.flatten().filter_map(Value::as_str).map(str::to_owned);
    let memory = summaries.filter_map(|summary| summary["peak_memory_bytes"].as_u64());
    let (files, memory) = (files.collect(), memory.max());
    let head = Head::sum(&heads, stopped, started().elapsed().as_secs_f64());
    let body = head.with(ModulesSummary { modules: results });
    print_sum(run.verb.clone(), body, files, memory)
}

/// Exit code of the runs on all modules.
fn exit_code(codes: &[Option<i32>], not_begun: usize) -> ExitCode {
    let is = |code: &Option<i32>, wanted: ExitCode| *code == Some(wanted as i32);
    let any = |wanted: ExitCode| codes.iter().any(|code| is(code, wanted));
    let all = |wanted: ExitCode| not_begun == 0 && codes.iter().all(|code| is(code, wanted));
    let has_failed = |code: &Option<i32>| {
        let good = [ExitCode::Done, ExitCode::Found, ExitCode::Nothing];
        !good.iter().any(|wanted| is(code, *wanted))
    };
    match () {
        () if all(ExitCode::Usage) => ExitCode::Usage,
        () if all(ExitCode::Nothing) => ExitCode::Nothing,
        () if any(ExitCode::Found) => ExitCode::Found,
        () if not_begun > 0 || codes.iter().any(has_failed) => ExitCode::Partial,
        () => ExitCode::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_all_modules_is_not_passed_on() {
        let words = [
            "-c",
            "a.B",
            "--time-limit",
            "5s",
            "--compile",
            "--json",
            "--time-limit=5s",
        ];
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        assert_eq!(for_modules(&words), ["-c", "a.B", "--json"]);
    }

    #[test]
    fn exit_codes_tell_the_worst() {
        let of = |codes: &[i32], not_begun| {
            let codes: Vec<Option<i32>> = codes.iter().map(|&code| Some(code)).collect();
            exit_code(&codes, not_begun)
        };
        assert_eq!(of(&[0, 4], 0), ExitCode::Done);
        assert_eq!(of(&[4, 4], 0), ExitCode::Nothing);
        assert_eq!(of(&[2, 2], 0), ExitCode::Usage);
        assert_eq!(of(&[0, 2], 0), ExitCode::Partial);
        assert_eq!(of(&[70, 0], 0), ExitCode::Partial);
        assert_eq!(of(&[3, 1], 0), ExitCode::Found);
        assert_eq!(of(&[0], 1), ExitCode::Partial);
        assert_eq!(exit_code(&[None], 0), ExitCode::Partial);
    }
}

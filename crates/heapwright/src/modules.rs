//! A verb on several modules of a project: a process for each, one after the other, since each has a
//! class path and folders of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::exit::ExitCode;
use crate::interrupt::started;
use crate::options::MessageArgs;
use crate::project::ModuleShare;
use crate::report::summary::{Head, print_sum};
use crate::subprocess::{Subprocess, raised_by_keys};

/// Least time that a module has, so that its process can start.
const LEAST: Duration = Duration::from_millis(500);
/// Number of classes that take as long as what every module costs: its class path, the JVMs that try
/// tests, and the trial with the tests of the module.
const CLASSES_OF_ANY: usize = 6;

/// Run of a verb on several modules.
pub struct ModulesRun {
    verb: String,
    /// Words of the command line, without program, verb and what is said for each module anew.
    words: Vec<OsString>,
    all: ForAll,
    /// In the order of the build.
    modules: Vec<ModuleShare>,
    /// The modules in the order of the runs. With a time limit the smallest come first: what they leave
    /// of their time is for the others.
    turns: Vec<usize>,
}

/// What a command line says for all modules together.
pub struct ForAll {
    /// Time limit.
    pub limit: Option<Duration>,
    /// Folder of reports: each module has one below it.
    pub report: Option<PathBuf>,
    /// Whether one summary for programs is printed.
    pub is_json: bool,
    /// Verbosity of standard error.
    pub messages: MessageArgs,
    /// What a user should know before the runs.
    pub notices: Vec<String>,
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
        all: ForAll,
        modules: Vec<ModuleShare>,
    ) -> ModulesRun {
        let mut turns: Vec<usize> = (0..modules.len()).collect();
        if all.limit.is_some() {
            turns.sort_by_key(|&place| modules[place].classes);
        }
        ModulesRun {
            turns,
            verb: verb.to_owned(),
            words: for_modules(&words[2..]),
            all,
            modules,
        }
    }

    /// Time that the module at a turn has: a part of what is left, by the number of its classes.
    fn limit_of(&self, turn: usize) -> Option<Duration> {
        let left = self.all.limit?.saturating_sub(started().elapsed());
        let work = |turns: &[usize]| {
            let classes = turns.iter().map(|&place| self.modules[place].classes);
            classes.map(|count| count + CLASSES_OF_ANY).sum::<usize>() as f64
        };
        let share = work(&self.turns[turn..=turn]) / work(&self.turns[turn..]);
        Some(left.mul_f64(share).max(LEAST))
    }

    /// Command line of the run at a turn.
    fn command_line(&self, turn: usize) -> Vec<OsString> {
        let place = self.turns[turn];
        let module = format!("--module={}", self.modules[place].name);
        let limit = self.limit_of(turn);
        let limit = limit.map(|limit| format!("--time-limit={}ms", limit.as_millis()));
        let own = [self.verb.clone(), module].into_iter().chain(limit);
        let report = self.all.report.as_ref().map(|folder| {
            let mut word = OsString::from("--report=");
            word.push(folder.join(folder_name(&self.modules[place].name)));
            word
        });
        own.map(OsString::from)
            .chain(report)
            .chain(self.words.iter().cloned())
            .collect()
    }
}

/// Name of a folder for a module: that of the build tool, without the characters that separate its
/// parts.
fn folder_name(module: &str) -> String {
    let parts: Vec<&str> = module.split(':').filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => "root".to_owned(),
        false => parts.join("."),
    }
}

/// Words for the run on a module: without those that are for all.
fn for_modules(words: &[OsString]) -> Vec<OsString> {
    const WITH_VALUE: [&str; 2] = ["--time-limit", "--report"];
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (&*text, None),
        };
        match WITH_VALUE.contains(&name) {
            true if value.is_none() => drop(words.next()),
            true => {}
            false if name == "--compile" => {}
            false => kept.push(word.clone()),
        }
    }
    kept
}

/// Runs the verb on each module.
///
/// # Errors
/// A process cannot be started, or standard output cannot be written to.
pub fn run(run: &ModulesRun) -> anyhow::Result<std::process::ExitCode> {
    run.all.messages.level().set();
    for notice in &run.all.notices {
        notice!("{notice}");
    }
    let is_interrupted = raised_by_keys()?;
    let mut results = Vec::new();
    for (turn, &place) in run.turns.iter().enumerate() {
        let module = &run.modules[place];
        if is_interrupted.load(Ordering::Relaxed) {
            break;
        }
        match run.modules.len() {
            1 => notice!("module {}", module.name),
            all => notice!("module {} ({} of {all})", module.name, turn + 1),
        }
        let process = Subprocess::start(&run.command_line(turn), run.all.is_json)?;
        let ended = process.wait(&|| is_interrupted.load(Ordering::Relaxed))?;
        let summary = ended.printed;
        let result = ModuleResult {
            module: module.name.clone(),
            exit_code: ended.status.code(),
            summary: summary.and_then(|text| serde_json::from_str(&text).ok()),
        };
        results.push((place, result));
    }
    results.sort_by_key(|(place, _)| *place);
    let results: Vec<ModuleResult> = results.into_iter().map(|(_, result)| result).collect();
    let not_begun = run.modules.len() - results.len();
    let codes: Vec<Option<i32>> = results.iter().map(|result| result.exit_code).collect();
    if run.all.is_json {
        let stopped = (not_begun > 0).then_some("Ctrl-C");
        print_modules(run, results, stopped)?;
    }
    Ok(exit_code(&codes, not_begun).into())
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
            "--report",
            "r",
            "--report-formats=html",
        ];
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let kept = ["-c", "a.B", "--json", "--report-formats=html"];
        assert_eq!(for_modules(&words), kept);
    }

    #[test]
    fn modules_have_folders() {
        let names = ["shop:stack", ":a:b", ":"].map(folder_name);
        assert_eq!(names, ["shop.stack", "a.b", "root"]);
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

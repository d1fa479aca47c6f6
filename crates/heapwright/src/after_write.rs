//! Formatters of a project, run on the files of tests of a run.
//!
//! Invariant: whatever becomes of a formatter, the tests stay: as they were written if it fails, else
//! as it has formatted them, and known again as generated ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use heapwright_project::{BuildRequest, Module, Project, ProjectError};

use crate::files::{
    RESULTS, accept_formatting, digest_of, is_generated, is_java, remove_file, replace_file,
    replace_quietly,
};
use crate::interrupt::StopSignal;
use crate::options::{AfterWrite, AfterWriteArgs};
use crate::project;

/// Longest time of a formatter in a run without a time limit.
const MOST: Duration = Duration::from_secs(300);
/// Part of the time limit that is left to a formatter: at most this, and nothing if no formatter of a
/// build could end in it.
const SHARE: f64 = 0.25;
const RESERVE: Duration = Duration::from_secs(15);
const LEAST: Duration = Duration::from_secs(2);
/// Interval between two checks of the running command.
const POLL: Duration = Duration::from_millis(20);
/// File in the folder of results with the files that no formatter has run on, a path in the folder of
/// the tests a line.
const PENDING: &str = "unformatted";

/// File that a formatter has changed, with its digests before and after.
pub struct Reformatted {
    pub path: PathBuf,
    pub before: String,
    pub after: String,
}

/// Time of a limit that a formatter needs.
pub fn reserve(arguments: &AfterWriteArgs, limit: Option<Duration>) -> Duration {
    match (arguments.choice(), limit) {
        (AfterWrite::Nothing, _) | (_, None) => Duration::ZERO,
        (_, Some(limit)) => match limit.mul_f64(SHARE).min(RESERVE) {
            share if share < LEAST => Duration::ZERO,
            share => share,
        },
    }
}

/// Runs the formatter on files that this run has written, and on those that it could not run on
/// before. A failure is a notice. `output` is the folder of the tests. Returns the files of which it
/// changed more than their formatting.
pub fn run(
    arguments: &AfterWriteArgs,
    build_arguments: &[String],
    (written, output): (Vec<PathBuf>, &Path),
    interrupt: &StopSignal,
) -> Vec<Reformatted> {
    let choice = arguments.choice();
    if choice == AfterWrite::Nothing {
        return Vec::new();
    }
    let pending = Pending::of(output);
    let mut files: Vec<PathBuf> = written;
    files.extend(pending.files());
    files.retain(|file| is_java(file) && is_generated(file));
    files.sort();
    files.dedup();
    if files.is_empty() {
        return Vec::new();
    }
    let digests: Vec<Option<String>> = files.iter().map(|file| digest_of(file)).collect();
    let texts: Vec<Option<Vec<u8>>> = files.iter().map(|file| fs::read(file).ok()).collect();
    let started = Instant::now();
    let ends = || interrupt.is_raised() || started.elapsed() > MOST;
    let ended = match choice {
        AfterWrite::Command(command) => run_command(command, &files, &ends),
        AfterWrite::Build(_) => run_formatters(build_arguments, &files, (&ends, interrupt)),
        AfterWrite::Nothing => Ok(()),
    };
    let is_done = ended.is_ok();
    for (file, text) in files.iter().zip(texts) {
        // A formatter that was ended may have been at work on the file.
        if (!is_done || !file.exists())
            && let Some(text) = text
            && let Err(error) = replace_file(file, &text)
        {
            notice!("{error:#}");
        }
    }
    if let Err(reason) = ended {
        let by = interrupt
            .reason_raised()
            .unwrap_or("a time limit of its own");
        let reason = match reason {
            Unformatted::Ended(command) => format!("`{command}` was ended by {by}"),
            Unformatted::Failed(error) => format!("{error:#}"),
        };
        notice!(
            "tests are not formatted: {reason}; they hold as they are (--no-after-write runs no formatter)"
        );
    }
    match is_done {
        true => pending.clear(),
        false => pending.store(&files),
    }
    let changed = files.into_iter().zip(digests).filter_map(|(path, before)| {
        let (before, now) = (before?, digest_of(&path)?);
        if is_generated(&path) && before == now {
            return None;
        }
        match accept_formatting(&path) {
            Ok(true) => {}
            Ok(false) => notice!(
                "{}: the formatter removed the line with the checksum: the file is no generated one any more",
                path.display()
            ),
            Err(error) => notice!("{error:#}"),
        }
        let after = digest_of(&path)?;
        Some(Reformatted {
            path,
            before,
            after,
        })
    });
    changed.collect()
}

/// List of files that no formatter has run on, in the folder of results, if there is one.
struct Pending<'a> {
    output: &'a Path,
    list: PathBuf,
}

impl Pending<'_> {
    fn of(output: &Path) -> Pending<'_> {
        Pending {
            output,
            list: output.join(RESULTS).join(PENDING),
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let list = fs::read_to_string(&self.list).unwrap_or_default();
        list.lines().map(|name| self.output.join(name)).collect()
    }

    /// Stores a list. Without one the next run does nothing about the files.
    fn store(&self, files: &[PathBuf]) {
        let has_folder = self.list.parent().is_some_and(Path::is_dir);
        let names = files
            .iter()
            .filter_map(|file| file.strip_prefix(self.output).ok());
        let list: String = names.map(|name| format!("{}\n", name.display())).collect();
        if has_folder && let Err(error) = replace_quietly(&self.list, list.as_bytes()) {
            detail!("{error:#}");
        }
    }

    fn clear(&self) {
        if self.list.exists()
            && let Err(error) = remove_file(&self.list)
        {
            detail!("{error:#}");
        }
    }
}

/// Reason why files are not formatted.
enum Unformatted {
    /// The time was over for this command.
    Ended(String),
    Failed(anyhow::Error),
}

/// Runs a command of a shell with the files as its last arguments, in the current folder.
fn run_command(
    command: &str,
    files: &[PathBuf],
    ends: &dyn Fn() -> bool,
) -> Result<(), Unformatted> {
    if ends() {
        return Err(Unformatted::Ended(command.to_owned()));
    }
    let mut process = match cfg!(windows) {
        true => {
            let mut process = Command::new("cmd");
            process.args(["/C", command]);
            process
        }
        false => {
            let mut process = Command::new("sh");
            process.args(["-c", &format!("{command} \"$@\""), "sh"]);
            process
        }
    };
    // Standard output is that of the run.
    process
        .args(files)
        .stdin(Stdio::null())
        .stdout(Stdio::from(std::io::stderr()));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let failed = |error: anyhow::Error| Unformatted::Failed(error);
    let child = process.spawn();
    let mut child = child
        .with_context(|| format!("failed to start `{command}`"))
        .map_err(failed)?;
    let status = loop {
        let status = child.try_wait().context("failed to wait for a process");
        if let Some(status) = status.map_err(failed)? {
            break status;
        }
        if ends() {
            end(&mut child);
            return Err(Unformatted::Ended(command.to_owned()));
        }
        thread::sleep(POLL);
    };
    match status.success() {
        true => Ok(()),
        false => Err(failed(anyhow!("`{command}` failed: {status}"))),
    }
}

/// Ends a process with those that it has started.
fn end(child: &mut std::process::Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        // One that has ended by itself needs none.
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Runs the formatters of the modules that the files belong to.
fn run_formatters(
    build_arguments: &[String],
    files: &[PathBuf],
    (ends, interrupt): (&dyn Fn() -> bool, &StopSignal),
) -> Result<(), Unformatted> {
    let request = BuildRequest {
        arguments: build_arguments.to_vec(),
        deadline: interrupt.end_of_run(),
    };
    let build = project::around(&request).map_err(Unformatted::Failed)?;
    for (module, files) in files_of_modules(&build, files) {
        let command = build.format_command(module);
        if ends() {
            return Err(Unformatted::Ended(command));
        }
        detail!("the formatter of the build is run: {command}");
        let formatted = build.format(module, &files, build_arguments, ends);
        formatted.map_err(|error| match error {
            ProjectError::TimedOut { .. } => Unformatted::Ended(command.clone()),
            ProjectError::Failed { message, .. } => {
                Unformatted::Failed(anyhow!("`{command}` failed: {message}"))
            }
            error => Unformatted::Failed(anyhow!("`{command}` failed: {error}")),
        })?;
    }
    Ok(())
}

/// Files by the modules with formatters that they are in. Those of no such module are left out.
fn files_of_modules<'p>(build: &'p Project, files: &[PathBuf]) -> Vec<(&'p Module, Vec<PathBuf>)> {
    let mut of_modules: Vec<(&Module, Vec<PathBuf>)> = Vec::new();
    for file in files {
        let Ok(file) = std::path::absolute(file) else {
            continue;
        };
        let Some(module) = module_of(build, &file).filter(|module| !module.formatters.is_empty())
        else {
            detail!("{} is in no module with a formatter", file.display());
            continue;
        };
        match of_modules
            .iter_mut()
            .find(|(other, _)| other.name == module.name)
        {
            Some((_, files)) => files.push(file),
            None => of_modules.push((module, vec![file])),
        }
    }
    of_modules
}

/// Module that a file is in: the innermost of those whose tests or folder have it.
pub fn module_of<'p>(build: &'p Project, file: &Path) -> Option<&'p Module> {
    let has_test = |module: &&Module| {
        let mut folders = module.test_sources.iter();
        folders.any(|folder| file.starts_with(folder))
    };
    let modules = || build.modules.iter();
    let around = modules().filter(|module| file.starts_with(&module.folder));
    let innermost = around.max_by_key(|module| module.folder.components().count());
    modules().find(has_test).or(innermost)
}

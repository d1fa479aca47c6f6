//! `heapwright job`: writes what a scheduler needs to run the workers of a job.

mod slurm;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;

use crate::files::{print, replace_file};
use crate::job::Job;
use crate::options::parse_time;

/// Options of `job`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("scheduler").required(true))]
pub struct JobVerbArgs {
    /// Folder of the job
    #[arg(value_name = "DIR")]
    pub job: String,
    /// Write an array job for Slurm and a job that merges its results
    #[arg(long, group = "scheduler")]
    pub slurm: bool,
    /// Folder for the files [default: slurm, in this folder]
    #[arg(short = 'o', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Most workers at the same time [default: one for each planned part]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Time limit of a worker, after which it is queued again to go on, as 30m or 4h
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_time)]
    pub time: Duration,
}

/// Program, job and limits, for scripts.
pub struct Scripts<'a> {
    /// Path of the program.
    pub program: String,
    /// Absolute path of the job.
    pub place: String,
    /// Number of planned parts.
    pub parts: usize,
    /// Memory that a worker needs in MiB.
    pub memory: u64,
    /// Options.
    pub arguments: &'a JobVerbArgs,
}

/// Writes the files for a scheduler.
///
/// # Errors
/// There is no such job, or the files cannot be written.
pub fn run(arguments: &JobVerbArgs) -> anyhow::Result<ExitCode> {
    let job = Job::open(&arguments.job)?;
    ensure!(
        arguments.time >= LEAST,
        "--time is at least {}: a worker is started again after it",
        humantime::format_duration(LEAST)
    );
    let place = std::path::absolute(&arguments.job)?;
    let program = std::env::current_exe().context("failed to find the path of the program")?;
    let cli = job.command_line(&[], None)?;
    let class_path = cli.verb.class_path();
    let memory = class_path.map_or(2 << 30, |class_path| class_path.max_memory());
    let scripts = Scripts {
        program: program.to_string_lossy().into_owned(),
        place: place.to_string_lossy().into_owned(),
        parts: job.plan.parts.len(),
        memory: (memory >> 20) + OWN_MEMORY,
        arguments,
    };
    let folder = arguments.output.clone();
    let folder = std::path::absolute(folder.unwrap_or_else(|| PathBuf::from("slurm")))?;
    for (name, text) in slurm::scripts(&scripts, &folder) {
        let path = folder.join(name);
        replace_file(&path, text.as_bytes())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, mode)
                .with_context(|| format!("failed to make {} executable", path.display()))?;
        }
    }
    print(&format!(
        "{} written: to submit the job, run {}\n",
        folder.display(),
        folder.join(slurm::SUBMIT).display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Least time of a worker.
const LEAST: Duration = Duration::from_secs(60);
/// Memory that the program needs besides the limit of its engine, in MiB.
const OWN_MEMORY: u64 = 256;

/// Word of a shell script.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

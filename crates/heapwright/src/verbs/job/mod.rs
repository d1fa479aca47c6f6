//! `heapwright job`: writes what a scheduler needs to run the workers of a job.

mod kubernetes;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::files::{print, replace_file};
use crate::job::Job;
use crate::options::parse_time;

/// Options of `job`.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("scheduler").required(true))]
pub struct JobVerbArgs {
    /// Folder of the job, or its URL in an object store
    #[arg(value_name = "DIR")]
    pub job: String,
    /// Write an array job for Slurm and a job that merges its results
    #[arg(long, group = "scheduler")]
    pub slurm: bool,
    /// Write an Indexed Job for Kubernetes and a Job that merges its results
    #[arg(long, group = "scheduler", requires = "image")]
    pub kubernetes: bool,
    /// Folder for the files [default: slurm or kubernetes, in this folder]
    #[arg(short = 'o', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Most workers at the same time [default: one for each planned part]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub workers: Option<u32>,
    /// Time limit of a worker of Slurm, after which it is queued again to go on, as 30m or 4h
    #[arg(long, value_name = "TIME", default_value = "1h", conflicts_with = "kubernetes", value_parser = parse_time)]
    pub time: Duration,
    /// Image of the program and a JDK, for --kubernetes
    #[arg(long, value_name = "IMAGE", conflicts_with = "slurm")]
    pub image: Option<String>,
    /// Claim of the persistent volume that holds the folder of the job, for --kubernetes
    #[arg(long, value_name = "NAME", conflicts_with = "slurm")]
    pub claim: Option<String>,
    /// Path of the folder of the job in that volume [default: its name]
    #[arg(long, value_name = "PATH", requires = "claim")]
    pub claim_path: Option<String>,
    /// Secret whose keys are the environment of the pods: the credentials of an object store, for
    /// --kubernetes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["slurm", "claim"])]
    pub secret: Option<String>,
}

/// Most workers that are numbered: the usual limit of a Slurm cluster.
const MOST_WORKERS: usize = 1_000;
/// Memory that the program needs besides the limit of its engine, in MiB.
const OWN_MEMORY: u64 = 256;

/// What the files of all schedulers tell of the job's workers.
struct Workers {
    /// Number of workers, each with a planned part to begin with.
    count: usize,
    /// Most of them at the same time, if that is limited.
    most: Option<u32>,
    /// Memory that one needs in MiB.
    memory: u64,
}

/// File for a scheduler.
struct Written {
    name: &'static str,
    text: String,
    is_executable: bool,
}

/// Writes the files for a scheduler.
///
/// # Errors
/// There is no such job, an option does not suit it, or the files cannot be written.
pub fn run(arguments: &JobVerbArgs) -> anyhow::Result<ExitCode> {
    let job = Job::open(&arguments.job)?;
    let cli = job.command_line(None, None)?;
    let class_path = cli.verb.class_path();
    let memory = class_path.map_or(2 << 30, |class_path| class_path.max_memory());
    let workers = Workers {
        count: job.plan.parts.len().clamp(1, MOST_WORKERS),
        most: arguments.workers,
        memory: (memory >> 20) + OWN_MEMORY,
    };
    let default = if arguments.slurm {
        "slurm"
    } else {
        "kubernetes"
    };
    let folder = arguments.output.as_deref();
    let folder = std::path::absolute(folder.unwrap_or(Path::new(default)))?;
    let (files, command) = match arguments.slurm {
        true => slurm::files(arguments, &workers, &folder)?,
        false => kubernetes::files(arguments, &workers, (&job, cli.verb.job_output()), &folder)?,
    };
    for file in files {
        let path = folder.join(file.name);
        replace_file(&path, file.text.as_bytes())?;
        #[cfg(unix)]
        if file.is_executable {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, mode)
                .with_context(|| format!("failed to make {} executable", path.display()))?;
        }
    }
    print(&format!(
        "{} written: to submit the job, run {command}\n",
        folder.display(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Word of a shell script.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

//! Scripts for Slurm: an array job of workers, a job that merges, and one that submits both.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::{JobVerbArgs, Workers, Written, quoted};
use crate::job::is_url;

/// Name of the script that submits the others.
const SUBMIT: &str = "submit.sh";
/// Names of the scripts of a worker and of merging.
const WORK: &str = "work.sh";
const MERGE: &str = "merge.sh";
/// Least time of a worker.
const LEAST: Duration = Duration::from_secs(60);
/// Time that a worker has for its last result before Slurm ends it, at most a quarter.
const RESERVE: Duration = Duration::from_secs(120);

/// The scripts in a folder, and the command that submits the job.
///
/// # Errors
/// The time of a worker is too short, or a path cannot be found.
pub fn files(
    arguments: &JobVerbArgs,
    workers: &Workers,
    folder: &Path,
) -> anyhow::Result<(Vec<Written>, String)> {
    ensure!(
        arguments.time >= LEAST,
        "--time is at least {}: a worker is started again after it",
        humantime::format_duration(LEAST)
    );
    let place = match is_url(&arguments.job) {
        true => arguments.job.clone(),
        false => {
            let folder = std::path::absolute(&arguments.job)?;
            folder.to_string_lossy().into_owned()
        }
    };
    let program = std::env::current_exe().context("failed to find the path of the program")?;
    let scripts = Scripts {
        program: quoted(&program.to_string_lossy()),
        place: quoted(&place),
        folder,
        time: arguments.time,
        workers,
    };
    let texts = [
        (WORK, scripts.work()),
        (MERGE, scripts.merge()),
        (SUBMIT, scripts.submit()),
    ];
    let files = texts.map(|(name, text)| Written {
        name,
        text,
        is_executable: true,
    });
    Ok((files.into(), folder.join(SUBMIT).display().to_string()))
}

/// What the scripts name.
struct Scripts<'a> {
    /// Path of the program, as a word.
    program: String,
    /// Absolute path of the job, as a word.
    place: String,
    /// Folder of the scripts.
    folder: &'a Path,
    /// Time limit of a worker.
    time: Duration,
    workers: &'a Workers,
}

impl Scripts<'_> {
    fn work(&self) -> String {
        let most = self
            .workers
            .most
            .map_or_else(String::new, |most| format!("%{most}"));
        let minutes = self.time.as_secs().div_ceil(60);
        let limit = (self.time - RESERVE.min(self.time / 4)).as_secs();
        let Workers { count, memory, .. } = self.workers;
        let Scripts { program, place, .. } = self;
        let folder = self.folder.display();
        format!(
            r#"#!/bin/sh
# Worker of a job of Heapwright: searches a part, then whatever is left.
#SBATCH --job-name=heapwright-work
#SBATCH --array=1-{count}{most}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={memory}M
#SBATCH --time={minutes}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={folder}/work-%a.log
end=$(($(date +%s) + {limit}))
{program} work {place} --index "$((SLURM_ARRAY_TASK_ID - 1))" --jobs 1 --time-limit {limit}s
code=$?
# The time is over, and parts are left: this task is queued again, and goes on from the results.
if [ "$code" = 3 ] && [ "$(date +%s)" -ge "$((end - 5))" ]; then
  scontrol requeue "$SLURM_JOB_ID" && sleep 60
fi
exit "$code"
"#
        )
    }

    fn merge(&self) -> String {
        let Scripts { program, place, .. } = self;
        let (memory, folder) = (self.workers.memory, self.folder.display());
        format!(
            r#"#!/bin/sh
# Merges the results of a job of Heapwright.
#SBATCH --job-name=heapwright-merge
#SBATCH --ntasks=1
#SBATCH --mem={memory}M
#SBATCH --requeue
#SBATCH --output={folder}/merge.log
exec {program} merge {place}
"#
        )
    }

    fn submit(&self) -> String {
        let folder = quoted(&self.folder.to_string_lossy());
        format!(
            r#"#!/bin/sh
# Submits the workers of a job of Heapwright, and the job that merges their results after them.
set -eu
workers=$(sbatch --parsable {folder}/{WORK})
merge=$(sbatch --parsable --kill-on-invalid-dep=yes --dependency="afterok:$workers" {folder}/{MERGE})
echo "workers $workers, merge $merge"
"#
        )
    }
}

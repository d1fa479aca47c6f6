//! Scripts for Slurm: an array job of workers, a job that merges, and one that submits both.

use std::path::Path;
use std::time::Duration;

use super::{Scripts, quoted};

/// Name of the script that submits the others.
pub const SUBMIT: &str = "submit.sh";
/// Names of the scripts of a worker and of merging.
const WORK: &str = "work.sh";
const MERGE: &str = "merge.sh";
/// Time that a worker has for its last result before Slurm ends it, at most a quarter.
const RESERVE: Duration = Duration::from_secs(120);
/// Most tasks of an array: the usual limit of a Slurm cluster.
const MOST_TASKS: usize = 1_000;

/// Names and texts of the scripts in a folder.
pub fn scripts(scripts: &Scripts<'_>, folder: &Path) -> [(&'static str, String); 3] {
    [
        (WORK, work(scripts, folder)),
        (MERGE, merge(scripts, folder)),
        (SUBMIT, submit(folder)),
    ]
}

fn work(scripts: &Scripts<'_>, folder: &Path) -> String {
    let time = scripts.arguments.time;
    let tasks = scripts.parts.clamp(1, MOST_TASKS);
    let most = scripts
        .arguments
        .workers
        .map_or_else(String::new, |most| format!("%{most}"));
    let minutes = time.as_secs().div_ceil(60);
    let limit = (time - RESERVE.min(time / 4)).as_secs();
    let (program, place) = (quoted(&scripts.program), quoted(&scripts.place));
    let (memory, folder) = (scripts.memory, folder.display());
    format!(
        r#"#!/bin/sh
# Worker of a job of Heapwright: searches a part, then whatever is left.
#SBATCH --job-name=heapwright-work
#SBATCH --array=1-{tasks}{most}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={memory}M
#SBATCH --time={minutes}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={folder}/work-%a.log
heapwright={program}
job={place}
end=$(($(date +%s) + {limit}))
for part in "--part=$SLURM_ARRAY_TASK_ID" ""; do
  left=$((end - $(date +%s)))
  # shellcheck disable=SC2086
  "$heapwright" work "$job" $part --jobs 1 --time-limit "$((left > 1 ? left : 1))s"
  code=$?
  # The time is over, and parts are left: this task is queued again, and goes on from the results.
  if [ "$code" = 3 ] && [ "$(date +%s)" -ge "$((end - 5))" ]; then
    scontrol requeue "$SLURM_JOB_ID" && sleep 60
  fi
  [ "$code" = 0 ] || exit "$code"
done
"#
    )
}

fn merge(scripts: &Scripts<'_>, folder: &Path) -> String {
    let (program, place) = (quoted(&scripts.program), quoted(&scripts.place));
    let (memory, folder) = (scripts.memory, folder.display());
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

fn submit(folder: &Path) -> String {
    let folder = quoted(&folder.to_string_lossy());
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

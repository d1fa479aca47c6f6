"""A job of Heapwright whose workers are tasks of Ray.

The program does the work: it plans the parts, searches them and merges the results. A task runs one
worker, which searches a part and then whatever is left. Whichever tasks are lost, what results leave
is searched by others, so that the result is that of one run.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import ray

from . import __name__ as PACKAGE

# Exit codes of the program: done, partial, and ended by a signal before it could write.
_DONE, _PARTIAL, _KILLED = 0, 3, 130
# Number of the system call's operation that sets the signal which follows the end of the parent.
_PR_SET_PDEATHSIG = 1


class JobError(Exception):
    """The program refuses the job, or a part of it fails again and again; the text says why."""


class WorkerLost(Exception):
    """A worker was ended from outside. Its task is tried again."""


@dataclass(frozen=True)
class State:
    """How far a job is."""

    done: int
    """Parts with a result."""
    open: int
    """Parts without one."""
    running: int
    """Those of the latter that workers search."""
    failed: int
    """Those that no worker takes any more, as they have failed."""
    instructions_left: int
    """Estimate of the instructions that are left."""
    seconds_left: float | None
    """Estimate of the time that is left, if that is known."""

    def __str__(self) -> str:
        left = "" if self.seconds_left is None else f", about {self.seconds_left:,.0f} s left"
        return (
            f"{self.done:,} parts done, {self.running:,} running, {self.failed:,} failed, "
            f"{max(0, self.open - self.running - self.failed):,} waiting{left}"
        )


def run(
    job: str,
    search: Sequence[str] | None = None,
    *,
    parts: int = 64,
    workers: int | None = None,
    program: str = "heapwright",
    jdk: str | None = None,
    output: str | None = None,
    json_summary: bool = False,
    retries: int = 8,
    interval: float = 5.0,
    progress: Callable[[State], None] | None = None,
) -> int:
    """Runs a search on the cluster that Ray is connected to, and merges its results here.

    ``job`` is the folder of the job, which all nodes reach by this name, an absolute path; or a URL
    as ``s3://bucket/path``, for which the environment of all nodes has the credentials.
    ``search`` is the command line of the search, a verb and its options, which is divided into
    ``parts``; without it, the job that the folder holds goes on. ``workers`` is the number of tasks, by default that of the
    cluster's CPUs, of which each takes one. ``program`` is the native program, on the PATH of all
    nodes or by its path, and ``jdk`` the folder of the JDK, by default that of each environment. A
    task whose worker or node is lost is tried again up to ``retries`` times. ``progress`` is called
    every ``interval`` seconds. ``output`` and ``json_summary`` are ``-o`` and ``--json`` of
    ``merge``, which writes to standard output.

    Returns the exit code of the search. Raises ``JobError`` if the job cannot be done.
    """
    program_and_jdk = (program, [] if jdk is None else ["--jdk", jdk])
    if search is not None:
        _call([program, *search, "--job", job, "--parts", str(parts)])
    _work(job, workers, program_and_jdk, retries, interval, progress)
    merge = [program, "merge", job, *program_and_jdk[1]]
    merge += [] if output is None else ["-o", output]
    merge += ["--json"] if json_summary else []
    sys.stdout.flush()
    return subprocess.run(merge, check=False).returncode


def _work(
    job: str,
    workers: int | None,
    program_and_jdk: tuple[str, list[str]],
    retries: int,
    interval: float,
    progress: Callable[[State], None] | None,
) -> None:
    """Runs workers until nothing is left."""
    # Nodes need not have this package.
    ray.cloudpickle.register_pickle_by_value(sys.modules[PACKAGE])
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    task = ray.remote(num_cpus=1, max_retries=retries, retry_exceptions=[WorkerLost])(_worker)
    waiting = [task.remote(job, index, *program_and_jdk) for index in range(count)]
    try:
        while waiting:
            ended, waiting = ray.wait(waiting, timeout=interval)
            ray.get(ended)
            if progress is not None:
                progress(_state(program_and_jdk[0], job))
    except ray.exceptions.RayTaskError as error:
        raise JobError(str(error.cause)) from error
    except ray.exceptions.RayError as error:
        raise JobError(f"a task was lost more than {retries} times: {error}") from error
    finally:
        for left in waiting:
            ray.cancel(left, force=True)


def _worker(job: str, index: int, program: str, jdk: list[str]) -> None:
    """Runs a worker in a task, until nothing is left."""
    command = [program, "work", job, "--index", str(index), "--jobs", "1", "--json", *jdk]
    try:
        ended = subprocess.run(
            command,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
    except OSError as error:
        raise JobError(f"{program} cannot be started on {os.uname().nodename}: {error}") from error
    if ended.returncode == _DONE:
        return
    said = ended.stderr.strip()
    is_stopped = ended.returncode == _PARTIAL and json.loads(ended.stdout)["stopped_by"] is not None
    if is_stopped or ended.returncode < 0 or ended.returncode == _KILLED:
        raise WorkerLost(f"worker {index} was ended: {said}")
    raise JobError(said or f"parts are left that failed: {program} status {job} says why")


def _end_with_parent() -> None:
    """Has the system end this process when that of the task ends: it writes what it has found."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _state(program: str, job: str) -> State:
    """State of a job."""
    summary = json.loads(_call([program, "status", job, "--json"], (_DONE, _PARTIAL)))
    return State(
        done=summary["done"],
        open=summary["open"],
        running=len(summary["running"]),
        failed=len(summary["failed"]),
        instructions_left=summary["instructions_left"],
        seconds_left=summary["seconds_left"],
    )


def _call(command: list[str], codes: Sequence[int] = (_DONE,)) -> str:
    """Output of a command that has to end with one of these exit codes."""
    try:
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
    except OSError as error:
        raise JobError(f"{command[0]} cannot be started: {error}") from error
    if ended.returncode not in codes:
        raise JobError(ended.stderr.strip())
    return ended.stdout

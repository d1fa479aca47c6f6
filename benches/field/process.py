"""Processes with a limit, and the processor time that they and their children use."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

POLL = 0.1
"""Largest number of seconds between two looks at a process, the first of which follow quickly: how
long it runs is seen to a twentieth."""
TICKS = os.sysconf("SC_CLK_TCK")


class Ended(NamedTuple):
    """How a process ended."""

    code: int | None
    """Exit code; `None` if it was ended at the limit."""
    cpu: float
    """Processor seconds, user and system, of it and the processes that it started, nearly."""


def run(command: list, log: Path, limit: float, *, cwd: Path, core: int | None = None,
        priority: int | None = None, environment: dict | None = None) -> Ended:
    """Runs a command for at most `limit` seconds, on one core and with a priority if they are named;
    the log has what it printed."""
    def prepare() -> None:
        if priority is not None:
            os.setpriority(os.PRIO_PROCESS, 0, priority)
        if core is not None:
            os.sched_setaffinity(0, {core})

    with open(log, "wb") as output:
        child = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, cwd=cwd, start_new_session=True,
                                 preexec_fn=prepare, env=os.environ | (environment or {}))
    end = time.monotonic() + limit
    is_ended = False
    pause = 0.001
    seen: dict[str, float] = {}
    while True:
        # A process may leave children behind that it never waits for.
        seen |= used_by_session(child.pid)
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if not is_ended and time.monotonic() > end:
            os.killpg(child.pid, signal.SIGKILL)
            is_ended = True
        time.sleep(pause)
        pause = min(POLL, pause * 1.05)
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = max(sum(seen.values()), used.ru_utime + used.ru_stime)
    return Ended(None if is_ended else child.returncode, cpu)


def used_by_session(session: int) -> dict[str, float]:
    """Processor seconds that each running process of a session has used."""
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path("/proc", process, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[3] == str(session):
            found[process] = (int(fields[11]) + int(fields[12])) / TICKS
    return found


def share_of_core(core: int, priority: int, folder: Path) -> float:
    """Share of the core that a process of this priority gets now: above 0, at most 1."""
    spin = "import time; end = time.monotonic() + 1\nwhile time.monotonic() < end: pass"
    ended = run(["python3", "-c", spin], folder / "share.log", 60, cwd=folder, core=core,
                priority=priority)
    return min(1.0, max(0.05, ended.cpu))

"""Our side: what `heapwright measure` finds of the same class and tests."""

import json
import time
from collections import Counter
from pathlib import Path

from library import Library
from outcome import COUNTERS, Mutant, Outcome

import process

LIMIT = 1500
NOTHING = """class Nothing {{ @{}.Test public void nothing() {{}} }}"""
"""Test class that reaches no mutant, so that all of them are listed."""


class Heapwright:
    """Program with what it needs."""

    def __init__(self, program: Path, jdk: Path) -> None:
        self.program, self.jdk = program, jdk

    def measure(self, class_name: str, of: Library, group: str, jobs: int, folder: Path) -> Outcome:
        test = class_name + "Test"
        start = time.monotonic()
        summary, ended = self.run(class_name, of, [of.tests], test, group, jobs,
                                  folder / "heapwright.log")
        seconds = time.monotonic() - start
        if not summary:
            return Outcome(0, 0, {}, Counter(), Counter(), seconds, "", ended.cpu,
                           f"exit {ended.code}")
        counts = {f"{each['class']}.{counter}": f"{each[f'{counter}_covered']}/{each[f'{counter}_total']}"
                  for each in summary["by_class"] for counter in COUNTERS}
        notes = [f"exit {ended.code}"] if ended.code else []
        for key in ["tests_failed", "mutants_unknown"]:
            notes += [f"{summary[key]} {key}"] if summary[key] else []
        notes += [f"{one['test']} refused: {one['reason']}" for one in summary["skipped"]
                  if one["refused"]]
        return Outcome(summary["tests"], summary["tests_passed"], counts,
                       self.mutants(class_name, of, group, folder),
                       listed(summary["mutants_alive"]), seconds, f"{summary['seconds']:.3f}",
                       ended.cpu, "; ".join(notes))

    def mutants(self, class_name: str, of: Library, group: str, folder: Path) -> Counter:
        """All mutants: those that a test which does nothing leaves alive."""
        source, classes = folder / "Nothing.java", folder / "nothing"
        source.write_text(NOTHING.format("org.junit.jupiter.api" if of.is_of_junit5 else "org.junit"))
        process.run([self.jdk / "bin" / "javac", "-cp", ":".join(map(str, of.needed)), "-d", classes,
                     source], folder / "nothing.log", LIMIT, cwd=folder)
        summary, _ = self.run(class_name, of, [classes], "Nothing", group, 1, folder / "all.log")
        return listed(summary["mutants_alive"])

    def run(self, class_name: str, of: Library, tests: list[Path], test: str, group: str, jobs: int,
            log: Path) -> tuple[dict, process.Ended]:
        """Summary of a run, empty if the request is refused."""
        command = [self.program, "measure", "--no-config", "--json", "--jdk", self.jdk,
                   "-p", ":".join(map(str, [of.jar, *of.needed])), "-c", class_name,
                   "--tests", ":".join(map(str, tests)), "--test-class", test,
                   "--mutants", group, "--jobs", str(jobs)]
        ended = process.run(command, log, LIMIT, cwd=log.parent)
        lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
        return (json.loads(lines[-1]) if lines else {}), ended


def listed(mutants: list[dict]) -> Counter:
    return Counter(Mutant(one["class"], one["method"], one["line"] or 0, one["operator"],
                          one["description"]) for one in mutants)

"""Counts and mutants as both sides report them, and what differs."""

import json
from collections import Counter
from typing import NamedTuple

COUNTERS = {"instructions": "INSTRUCTION", "branches": "BRANCH", "lines": "LINE"}
"""Our names of the counters, with JaCoCo's."""


class Mutant(NamedTuple):
    """A mutant, as far as both sides tell it from others."""

    class_name: str
    method: str
    line: int
    operator: str
    description: str

    def __str__(self) -> str:
        return (f"{self.class_name}.{self.method}:{self.line} {self.operator} {self.description}")


class Outcome(NamedTuple):
    """What one side found."""

    tests: int
    passed: int
    counts: dict[str, str]
    """`covered/total` by the name of the counter and of `class.counter`."""
    mutants: Counter
    """Number of mutants of each kind."""
    alive: Counter
    """Those of them on which no test fails."""
    seconds: float
    """Elapsed seconds of the whole process that judges the mutants."""
    analysis: str
    """Seconds of the analysis, as the tool itself reports them."""
    cpu: float
    """Processor seconds of that process and those that it started."""
    note: str = ""

    @property
    def killed(self) -> int:
        return self.mutants.total() - self.alive.total()

    def text(self) -> str:
        """The outcome as JSON."""
        own = self._asdict()
        for key in ["mutants", "alive"]:
            own[key] = [[*mutant, count] for mutant, count in sorted(own[key].items())]
        return json.dumps(own, indent=1)

    @staticmethod
    def of(text: str) -> "Outcome":
        own = json.loads(text)
        for key in ["mutants", "alive"]:
            own[key] = Counter({Mutant(*row[:-1]): row[-1] for row in own[key]})
        return Outcome(**own)


class Difference(NamedTuple):
    """What differs between the JVM's side and ours."""

    counts: list[str]
    """Counters of classes, with both figures."""
    only_there: Counter
    only_here: Counter
    killed_there: Counter
    """Mutants of both that only PIT's run kills."""
    killed_here: Counter

    def lines(self) -> list[str]:
        parts = [("mutant of PIT only", self.only_there), ("mutant of ours only", self.only_here),
                 ("killed by PIT only", self.killed_there), ("killed by ours only", self.killed_here)]
        mutants = [f"{what}: {mutant}" + (f" ({count} times)" if count > 1 else "")
                   for what, found in parts for mutant, count in sorted(found.items())]
        return self.counts + mutants


def difference(there: Outcome, here: Outcome) -> Difference:
    names = sorted(there.counts.keys() | here.counts.keys())
    counts = [f"{name}: JaCoCo {there.counts.get(name)}, ours {here.counts.get(name)}"
              for name in names if there.counts.get(name) != here.counts.get(name)]
    shared = there.mutants & here.mutants
    # Of mutants that look alike, as many as both sides have are compared.
    dead_there, dead_here = there.mutants - there.alive, here.mutants - here.alive
    if there.note:
        # PIT has no verdicts.
        dead_here = dead_there
    return Difference(counts, there.mutants - here.mutants, here.mutants - there.mutants,
                      (dead_there & shared) - dead_here, (dead_here & shared) - dead_there)

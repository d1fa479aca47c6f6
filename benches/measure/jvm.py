"""The JVM's side: JaCoCo's counters and PIT's verdicts on one class by one test class."""

import re
import shutil
import time
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

from library import Library
from outcome import COUNTERS, Mutant, Outcome

import process
from judge import DETECTED, classes_of

LIMIT = 1500
"""Seconds of elapsed time for a run of the tests or of PIT."""
OPERATORS = {
    "ConditionalsBoundary": "CONDITIONALS_BOUNDARY", "NegateConditionals": "NEGATE_CONDITIONALS",
    "Math": "MATH", "Increments": "INCREMENTS", "InvertNegs": "INVERT_NEGS",
    "VoidMethodCall": "VOID_METHOD_CALLS", "NonVoidMethodCall": "NON_VOID_METHOD_CALLS",
    "EmptyObjectReturnVals": "EMPTY_RETURNS", "BooleanFalseReturnVals": "FALSE_RETURNS",
    "BooleanTrueReturnVals": "TRUE_RETURNS", "NullReturnVals": "NULL_RETURNS",
    "PrimitiveReturns": "PRIMITIVE_RETURNS",
    "RemoveConditionalMutator_EQUAL_IF": "REMOVE_CONDITIONALS_EQUAL_IF",
    "RemoveConditionalMutator_EQUAL_ELSE": "REMOVE_CONDITIONALS_EQUAL_ELSE",
    "RemoveConditionalMutator_ORDER_IF": "REMOVE_CONDITIONALS_ORDER_IF",
    "RemoveConditionalMutator_ORDER_ELSE": "REMOVE_CONDITIONALS_ORDER_ELSE",
}
"""PIT's names of operators by those of their classes, without the package and `Mutator` behind."""
OF_JUNIT4 = re.compile(r"^OK \((\d+) tests?\)|^Tests run: (\d+),  Failures: (\d+)", re.MULTILINE)
ANALYSIS = re.compile(r"run mutation analysis : (.*)")


class Jvm:
    """What the JVM's side needs."""

    def __init__(self, jdk: Path, jacoco: list[Path], pit: list[Path]) -> None:
        self.jdk, self.jacoco, self.pit = jdk, jacoco, pit

    def java(self, *arguments) -> list:
        return [self.jdk / "bin" / "java", *arguments]

    def measure(self, class_name: str, of: Library, group: str, threads: int,
                folder: Path) -> Outcome:
        own = classes_of(class_name, of.jar, folder / "own")
        path = [own, of.tests, of.jar, *of.needed]
        test = class_name + "Test"
        tests, passed = self.execute(test, of, path, folder)
        counts = self.coverage(folder, own)
        start = time.monotonic()
        ended = self.run_pit(class_name, of, path, group, threads, folder)
        seconds = time.monotonic() - start
        report = folder / "pit" / "mutations.xml"
        note = "" if report.exists() else "PIT wrote no report"
        mutants, alive = Counter(), Counter()
        if report.exists():
            mutants, alive = read(report)
            if passed and covers_nothing(report):
                note = "PIT covers nothing"
        analysis = ANALYSIS.search((folder / "pit.log").read_text(errors="replace"))
        return Outcome(tests, passed, counts, mutants, alive, seconds,
                       analysis[1] if analysis else "", ended.cpu, note)

    def execute(self, test: str, of: Library, path: list[Path], folder: Path) -> tuple[int, int]:
        """Runs the tests with JaCoCo; returns how many there are, and how many pass."""
        data, log = folder / "jacoco.exec", folder / "tests.log"
        data.unlink(missing_ok=True)
        main = ["org.junit.runner.JUnitCore", test]
        if of.is_of_junit5:
            main = ["org.junit.platform.console.ConsoleLauncher", "--disable-banner",
                    f"--reports-dir={folder / 'tests'}", f"--select-class={test}"]
        process.run(self.java("-ea", f"-javaagent:{self.jacoco[0]}=destfile={data}",
                              "-cp", ":".join(map(str, path)), *main), log, LIMIT, cwd=folder)
        if of.is_of_junit5:
            # A test may close the standard output, so that nothing is printed at the end.
            suite = xml.parse(folder / "tests" / "TEST-junit-jupiter.xml").getroot()
            tests, *others = (int(suite.get(key))
                              for key in ("tests", "skipped", "failures", "errors"))
            return tests, tests - sum(others)
        text = log.read_text(errors="replace")
        found = OF_JUNIT4.search(text)
        if found is None:
            return 0, 0
        tests = int(found[1] or found[2])
        return tests, tests - int(found[3] or 0)

    def coverage(self, folder: Path, own: Path) -> dict[str, str]:
        """Covered and total counts of each class that has code."""
        table, data = folder / "jacoco.xml", folder / "jacoco.exec"
        process.run(self.java("-jar", self.jacoco[1], "report", *([data] if data.exists() else []),
                              "--classfiles", own, "--xml", table),
                    folder / "jacoco.log", LIMIT, cwd=folder)
        counts = {}
        for of_class in xml.parse(table).getroot().iter("class"):
            name = of_class.get("name").replace("/", ".")
            found = {counter.get("type"): counter for counter in of_class.findall("counter")}
            for counter, of_jacoco in COUNTERS.items() if found else ():
                share = found.get(of_jacoco)
                covered, missed = (int(share.get(key)) if share is not None else 0
                                   for key in ("covered", "missed"))
                counts[f"{name}.{counter}"] = f"{covered}/{covered + missed}"
        return counts

    def run_pit(self, class_name: str, of: Library, path: list[Path], group: str, threads: int,
                folder: Path) -> process.Ended:
        """PIT on a class. Tests that fail by themselves are left out."""
        # The plugin for JUnit 5 cannot do without it.
        pit = [jar for jar in self.pit if of.is_of_junit5 or "junit5" not in jar.name]
        reports = folder / "pit"
        shutil.rmtree(reports, ignore_errors=True)
        command = self.java(
            # PIT has libraries of its own, and would read those of the class under test there.
            "-cp", ":".join(map(str, [path[0], *pit])),
            "org.pitest.mutationtest.commandline.MutationCoverageReport",
            "--reportDir", reports, "--sourceDirs", folder,
            "--targetClasses", f"{class_name},{class_name}$*", "--targetTests", class_name + "Test",
            "--classPath", ",".join(map(str, [*path, *pit])),
            "--mutableCodePaths", path[0], "--outputFormats", "XML",
            # Its group of this name is another one than what it takes by default.
            *([] if group == "defaults" else ["--mutators", group.upper()]),
            "--timestampedReports", "false", "--skipFailingTests", "true",
            "--threads", str(threads), "--failWhenNoMutations", "false", "--jvmArgs", "-ea")
        return process.run(command, folder / "pit.log", LIMIT, cwd=folder)


def covers_nothing(report: Path) -> bool:
    """Whether PIT takes no mutant for reached, as of classes that it uses itself."""
    found = xml.parse(report).getroot().iter("mutation")
    return all(mutant.get("status") == "NO_COVERAGE" for mutant in found)


def read(report: Path) -> tuple[Counter, Counter]:
    """Mutants of PIT's report, and those that no test detects."""
    mutants, alive = Counter(), Counter()
    for found in xml.parse(report).getroot().iter("mutation"):
        operator = found.findtext("mutator").rpartition(".")[2].removesuffix("Mutator")
        mutant = Mutant(found.findtext("mutatedClass"), found.findtext("mutatedMethod"),
                        int(found.findtext("lineNumber")), OPERATORS.get(operator, operator),
                        found.findtext("description"))
        mutants[mutant] += 1
        if found.get("status") not in DETECTED:
            alive[mutant] += 1
    return mutants, alive

"""Judges a suite on a JVM: compiled by javac, run in three orders, measured by JaCoCo and PIT."""

import csv
import shutil
import zipfile
from pathlib import Path

import process
from generators import Generator, is_of_suite, plain

LIMIT = 900
"""Seconds of elapsed time for a run of the tests or of PIT."""
SEEDS = (1, 2, 3)
DETECTED = {"KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"}


class Judge:
    """What suites are measured with."""

    def __init__(self, jdk: Path, junit: list[Path], jacoco: list[Path], pit: list[Path],
                 runner: Path) -> None:
        self.jdk, self.junit, self.jacoco, self.pit, self.runner = jdk, junit, jacoco, pit, runner

    def java(self, *arguments) -> list:
        return [self.jdk / "bin" / "java", *arguments]

    def judge(self, class_name: str, class_path: list[Path], generator: Generator,
              folder: Path) -> dict:
        """Figures of the tests in `folder/tests`; those of a class without tests are 0."""
        own = classes_of(class_name, class_path[0], folder / "own")
        class_path = [unsigned(jar, folder / "unsigned") for jar in class_path]
        path = [own, *class_path, *self.junit, *generator.runtime]
        classes = folder / "classes"
        sources, figures = self.compile(folder, path, classes)
        environment = generator.environment
        runs = [self.execute(folder, [classes, *path], seed, environment) for seed in SEEDS]
        tests = set().union(*runs)
        passed = [sum(run.get(test) == "pass" for run in runs) for test in tests]
        figures["tests"] = len(tests)
        figures["failing"] = passed.count(0)
        figures["flaky"] = sum(0 < count < len(SEEDS) for count in passed)
        figures |= self.coverage(folder, own)
        if any(plain(source.read_text()) != source.read_text() for source in sources):
            classes = self.compile_plain(folder, sources, path)
        figures |= self.mutants(folder, class_name, [classes, *path], len(tests), environment)
        return figures

    def compile(self, folder: Path, path: list[Path], classes: Path) -> tuple[list[Path], dict]:
        """Compiles the tests; sources that javac refuses are left out and counted."""
        sources = sorted(filter(is_of_suite, (folder / "tests").rglob("*.java")))
        wanted = len(sources)
        while True:
            refused = self.javac(folder, sources, path, classes)
            left = [source for source in sources if str(source) not in refused]
            if len(left) == len(sources):
                break
            sources = left
        lines = [line for source in sources if not source.stem.endswith("_scaffolding")
                 for line in source.read_text(errors="replace").splitlines() if line.strip()]
        return sources, {"uncompilable": wanted - len(sources), "lines": len(lines)}

    def compile_plain(self, folder: Path, sources: list[Path], path: list[Path]) -> Path:
        """Compiles the tests for plain JUnit."""
        copies = []
        for source in sources:
            copies.append(folder / "plain" / source.relative_to(folder))
            copies[-1].parent.mkdir(parents=True, exist_ok=True)
            copies[-1].write_text(plain(source.read_text()))
        self.javac(folder, copies, path, folder / "plain" / "classes")
        return folder / "plain" / "classes"

    def javac(self, folder: Path, sources: list[Path], path: list[Path], classes: Path) -> set[str]:
        """Compiles sources; returns the paths of those that are refused."""
        shutil.rmtree(classes, ignore_errors=True)
        # Data of tests lies beside their sources.
        shutil.copytree(folder / "tests", classes, ignore=shutil.ignore_patterns("*.java"))
        if not sources:
            return set()
        log = folder / "javac.log"
        process.run([self.jdk / "bin" / "javac", "-nowarn", "-proc:none", "-encoding", "UTF-8",
                     "-Xmaxerrs", "10000", "-d", classes, "-cp", ":".join(map(str, path)), *sources],
                    log, LIMIT, cwd=folder)
        return {line.split(".java:")[0] + ".java"
                for line in log.read_text(errors="replace").splitlines()
                if ".java:" in line and ": error:" in line}

    def execute(self, folder: Path, path: list[Path], seed: int, environment: dict) -> dict:
        """Outcome of each test in the order of a seed; the first order is measured by JaCoCo."""
        results = folder / f"results-{seed}.txt"
        results.unlink(missing_ok=True)
        agent = []
        if seed == SEEDS[0]:
            data = folder / "jacoco.exec"
            data.unlink(missing_ok=True)
            agent = [f"-javaagent:{self.jacoco[0]}=destfile={data}"]
        process.run(self.java("-ea", *agent, "-cp", ":".join(map(str, [self.runner, *path])),
                              "Order", path[0], str(seed), results),
                    folder / f"run-{seed}.log", LIMIT, cwd=folder, environment=environment)
        lines = results.read_text().splitlines() if results.exists() else []
        outcomes = {}
        for outcome, _, test in (line.partition(" ") for line in lines):
            outcomes[test] = "fail" if "fail" in (outcome, outcomes.get(test)) else "pass"
        return outcomes

    def coverage(self, folder: Path, own: Path) -> dict:
        """Covered branches and lines of the class and its nested classes."""
        table, data = folder / "jacoco.csv", folder / "jacoco.exec"
        process.run(self.java("-jar", self.jacoco[1], "report", *([data] if data.exists() else []),
                              "--classfiles", own, "--csv", table),
                    folder / "jacoco.log", LIMIT, cwd=folder)
        with open(table, newline="") as rows:
            rows = list(csv.DictReader(rows))
        total = lambda *keys: sum(int(row[key]) for row in rows for key in keys)
        return {"branches": total("BRANCH_MISSED", "BRANCH_COVERED"),
                "branches_covered": total("BRANCH_COVERED"),
                "class_lines": total("LINE_MISSED", "LINE_COVERED"),
                "lines_covered": total("LINE_COVERED")}

    def mutants(self, folder: Path, class_name: str, path: list[Path], tests: int,
                environment: dict) -> dict:
        """PIT's mutants of its default group, and those that tests detect. Tests that fail by
        themselves are left out. The number of mutants is empty if PIT did not end."""
        reports = folder / "pit"
        shutil.rmtree(reports, ignore_errors=True)
        names = sorted(".".join(file.relative_to(path[0]).with_suffix("").parts)
                       for file in path[0].rglob("*.class") if "$" not in file.name)
        command = self.java(
            "-cp", ":".join(map(str, self.pit)),
            "org.pitest.mutationtest.commandline.MutationCoverageReport",
            "--reportDir", reports, "--sourceDirs", folder / "tests",
            "--targetClasses", f"{class_name},{class_name}$*",
            "--targetTests", ",".join(names) or "none.*",
            "--classPath", ",".join(map(str, [*path, *self.pit])),
            "--mutableCodePaths", folder / "own", "--outputFormats", "CSV",
            "--timestampedReports", "false", "--skipFailingTests", "true", "--threads", "1",
            "--failWhenNoMutations", "false", "--timeoutConst", "2000",
            "--jvmArgs", ",".join(["-ea", *environment.get("JAVA_TOOL_OPTIONS", "").split()]))
        ended = process.run(command, folder / "pit.log", LIMIT, cwd=folder)
        table = reports / "mutations.csv"
        if ended.code is None or not table.exists():
            return {"mutants": "", "killed": "" if tests else 0}
        with open(table, newline="") as rows:
            outcomes = [row[5] for row in csv.reader(rows)]
        return {"mutants": len(outcomes), "killed": sum(one in DETECTED for one in outcomes)}


def unsigned(jar: Path, folder: Path) -> Path:
    """A copy without signatures of a jar that has some: beside signed classes of its package a class
    outside of the jar is refused."""
    with zipfile.ZipFile(jar) as archive:
        signatures = {name for name in archive.namelist()
                      if name.startswith("META-INF/") and name.endswith((".SF", ".RSA", ".DSA", ".EC"))}
        if not signatures:
            return jar
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(folder / jar.name, "w", zipfile.ZIP_DEFLATED) as copy:
            for name in archive.namelist():
                if name not in signatures:
                    copy.writestr(name, archive.read(name))
    return folder / jar.name


def classes_of(class_name: str, jar: Path, folder: Path) -> Path:
    """Copies the class files of a class and its nested classes out of a jar."""
    entry = class_name.replace(".", "/")
    with zipfile.ZipFile(jar) as archive:
        archive.extractall(folder, [name for name in archive.namelist()
                                    if name == entry + ".class" or name.startswith(entry + "$")])
    return folder

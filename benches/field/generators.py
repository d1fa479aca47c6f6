"""Generators of tests: how each is run on one class.

The processor seconds are the limit of EvoSuite's and Randoop's search alone, and of all that
Heapwright does.
"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

# EvoSuite looks into the library, and predates the JDKs that close it.
OPENED = ["java.lang", "java.lang.reflect", "java.util", "java.util.concurrent", "java.util.regex",
          "java.io", "java.net", "java.nio", "java.text", "java.time", "java.math", "sun.nio.ch",
          "jdk.internal.misc"]


EVO_RUNNER = re.compile(r"^@RunWith\(EvoRunner\.class\).*$", re.MULTILINE)


class Generator(NamedTuple):
    """Tool with what its runs need."""

    name: str
    command: list
    """Command; class, class path and so on follow."""
    environment: dict
    """Variables of its runs, and of those of its tests."""
    runtime: list[Path] = []
    """Jars that its tests need beside JUnit's."""

    def on(self, class_name: str, class_path: list[Path], seconds: int, output: Path) -> list:
        """Command that writes tests of a class below `output`."""
        path = ":".join(map(str, class_path))
        arguments = {
            "heapwright": ["-p", path, "-c", class_name, "--time-limit", f"{seconds}s", "-o", output],
            "evosuite": ["-class", class_name, "-projectCP", path, f"-Dsearch_budget={seconds}",
                         f"-Dtest_dir={output}", f"-Dreport_dir={output.parent / 'evosuite'}"],
            "randoop": [f"--testclass={class_name}", f"--time-limit={seconds}",
                        f"--junit-output-dir={output}",
                        f"--junit-package-name={class_name.rpartition('.')[0]}"],
        }[self.name]
        if self.name == "randoop":
            command = [part.format(path) if isinstance(part, str) else part for part in self.command]
            return command + arguments
        return self.command + arguments


def is_of_suite(source: Path) -> bool:
    """Whether a written file belongs to the regression tests. Reproducers of faults do not, nor
    does Randoop's list of its test classes."""
    return not source.name.endswith(("FailureTest.java", "ErrorTest.java", "RegressionTest.java"))


def plain(text: str) -> str:
    """Test without EvoSuite's runner. That changes the shape of the classes under test, so that
    PIT cannot exchange their code."""
    return EVO_RUNNER.sub("", text)


def generators(options) -> list[Generator]:
    """Generators that the options name."""
    java = options.jdk / "bin" / "java"
    found = []
    if options.heapwright:
        verb = shlex.split(options.verb)
        command = [options.heapwright, *verb, "--no-config", "--jobs", "1", "--jdk", options.jdk]
        found.append(Generator("heapwright", command, {}))
    if options.evosuite:
        opens = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED]
        opens += ["--add-opens=java.desktop/java.awt=ALL-UNNAMED",
                  "-Djdk.attach.allowAttachSelf=true"]
        command = [java, "-jar", options.evosuite, "-seed", str(options.seed),
                   "-Duse_separate_classloader=false", "-Dshow_progress=false"]
        found.append(Generator("evosuite", command, {"JAVA_TOOL_OPTIONS": " ".join(opens)},
                               [options.evosuite_runtime]))
    if options.randoop:
        command = [java, "-cp", "{}:" + str(options.randoop), "randoop.main.Main", "gentests",
                   f"--randomseed={options.seed}", "--no-error-revealing-tests=true"]
        found.append(Generator("randoop", command, {}))
    return found

"""Libraries of Maven's central repository with their published tests, and what these need."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "field"))

import maven

PLATFORM = "junit-platform-engine-"


class Library(NamedTuple):
    """Jars of a library."""

    jar: Path
    tests: Path
    """Folder of its compiled tests: PIT looks for none in jars."""
    needed: list[Path]
    """Jars that its tests need, JUnit and what starts it included."""

    @property
    def is_of_junit5(self) -> bool:
        return any(jar.name.startswith("junit-jupiter-api-") for jar in self.needed)


def library(coordinates: str, folder: Path) -> Library:
    """The jars of `group:artifact:version`, fetched once into a folder. What tests need is what the
    library's own project names for them; what starts JUnit 5 is of the version found there."""
    name = coordinates.split(":")[1]
    jar, tests = maven.fetched(folder, name, [coordinates, coordinates + ":jar:tests"])[:2]
    folder_of_tests = folder / (name + "-test-classes")
    with zipfile.ZipFile(tests) as archive:
        archive.extractall(folder_of_tests)
    needed = {path.name: path for path in needed_by(coordinates, folder / (name + "-tests"))}
    engines = [file for file in needed if file.startswith(PLATFORM)]
    if engines:
        version = engines[0].removeprefix(PLATFORM).removesuffix(".jar")
        starter = [f"org.junit.platform:junit-platform-{part}:{version}"
                   for part in ("launcher", "console")]
        for path in maven.fetched(folder, f"junit-platform-{version}", starter):
            needed.setdefault(path.name, path)
    # A library that the tests need may name another version of the one under test.
    needed = {file: path for file, path in needed.items() if not is_version(file, name)}
    return Library(jar, folder_of_tests, list(needed.values()))


def is_version(file: str, name: str) -> bool:
    return file.startswith(name + "-") and file[len(name) + 1].isdigit()


def needed_by(coordinates: str, done: Path) -> list[Path]:
    """Jars that the project of a library names for its code and tests."""
    if not done.is_dir():
        fresh = done.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        project = fresh / "-".join([*coordinates.split(":")[1:]])
        mvn(["dependency:copy", f"-Dartifact={coordinates}:pom", f"-DoutputDirectory={fresh}"])
        mvn(["dependency:copy-dependencies", "-DincludeScope=test", "-f", f"{project}.pom",
             f"-DoutputDirectory={fresh}"])
        os.rename(fresh, done)
    return sorted(done.glob("*.jar"))


def mvn(arguments: list[str]) -> None:
    ended = subprocess.run(["mvn", "-q", "-B", *arguments], capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"failed to run mvn {' '.join(arguments)}:\n{ended.stdout}")

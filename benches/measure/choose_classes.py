#!/usr/bin/env python3
"""Chooses the classes of `classes.csv` by the rule in README.md, from code alone.

usage: choose_classes.py [--output DIR] [--each N]
"""

import argparse
import csv
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from library import Library, library

import maven
from choose import BRANCHES, branches

HERE = Path(__file__).resolve().parent
LEFT_OUT = {"org.apache.commons.lang3.time.FastDateParser"}
"""Classes whose tests run for minutes on a JVM."""
HEADER = re.compile(r"^(?:public )?(?:final )?class ([\w.$]+)", re.MULTILINE)


def classes_in(folder: Path, package: str) -> set[str]:
    """Binary names of the top-level classes of a package and those below it."""
    files = (folder / package.replace(".", "/")).rglob("*.class")
    return {".".join(file.relative_to(folder).with_suffix("").parts) for file in files
            if "$" not in file.name}


def candidates(of: Library, package: str, folder: Path, reporter: Path) -> list[tuple[str, int]]:
    """Classes that the rule admits with their branches, in the rule's order."""
    with zipfile.ZipFile(of.jar) as jar:
        jar.extractall(folder, [entry for entry in jar.namelist() if entry.endswith(".class")
                                and not entry.startswith("META-INF/")])
    tests, counted = classes_in(of.tests, package), branches(folder, reporter)
    named = [name for name in sorted(classes_in(folder, package)) if name + "Test" in tests
             and counted[name] in BRANCHES]
    path = ":".join(map(str, [of.tests, of.jar, *of.needed]))
    shown = subprocess.run(["javap", "-cp", path, *(name + "Test" for name in named)],
                           check=True, capture_output=True, text=True).stdout
    concrete = set(HEADER.findall(shown))
    admitted = [name for name in named if name + "Test" in concrete]
    admitted.sort(key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return [(name, counted[name]) for name in admitted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "target" / "measure")
    parser.add_argument("--each", type=int, default=3, help="classes of each library")
    options = parser.parse_args()
    jars = options.output / "jars"
    reporter = maven.fetched(jars, "jacoco", maven.JACOCO)[1]
    rows = []
    with open(HERE / "libraries.csv", newline="") as table:
        for row in csv.DictReader(table):
            coordinates = row["coordinates"]
            folder = options.output / "classes" / coordinates.split(":")[1]
            admitted = candidates(library(coordinates, jars), row["packages"], folder, reporter)
            print(f"{coordinates}: {len(admitted)} admitted", file=sys.stderr)
            rows += [(name, coordinates, count) for name, count in admitted[:options.each]
                     if name not in LEFT_OUT]
    rows.sort(key=lambda row: hashlib.sha256(row[0].encode()).hexdigest())
    with open(HERE / "classes.csv", "w", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["class", "library", "branches"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()

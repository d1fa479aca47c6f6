#!/usr/bin/env python3
"""Chooses the classes of `classes.csv` by the rule in README.md, from code alone.

usage: choose.py [--work DIR] [--each N]
"""

import argparse
import csv
import hashlib
import io
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import maven

HERE = Path(__file__).resolve().parent
BRANCHES = range(20, 401)
HEADER = re.compile(r"public (?:final )?class ([\w.$]+)(.*)\{")
THROWABLE = re.compile(r"extends \S*(Exception|Error|Throwable)\b|extends java\.lang\.Enum")


def branches(classes: Path, reporter: Path) -> Counter:
    """Branches that JaCoCo counts in each top-level class, its nested classes included."""
    table = classes / "branches.csv"
    subprocess.run(["java", "-jar", reporter, "report", "--classfiles", classes, "--csv", table],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = Counter()
    for row in csv.DictReader(io.StringIO(table.read_text())):
        name = f"{row['PACKAGE']}.{row['CLASS'].split('.')[0]}"
        found[name] += int(row["BRANCH_MISSED"])
    return found


def can_be_made(members: str) -> str | None:
    """Name of the class that `javap -public` shows, if it is a concrete public class with a
    public constructor or a public static method that returns it."""
    header = HEADER.search(members)
    if header is None or THROWABLE.search(header[2]):
        return None
    name = re.escape(header[1])
    factory = re.compile(rf"^  public (?:static|final|synchronized| )*? (?:<.*> )?{name}(<.*>)? \w+\(",
                         re.MULTILINE)
    statics = "\n".join(line for line in members.splitlines() if " static " in line)
    made = re.search(rf"^  public {name}\(", members, re.MULTILINE) or factory.search(statics)
    return header[1] if made else None


def classes_of(library: dict, work: Path, reporter: Path) -> list[tuple[str, int]]:
    """Classes of a library that the rule admits with their branches, in the rule's order."""
    name = library["coordinates"].split(":")[1]
    jars = maven.fetched(work / "jars", name, [library["coordinates"]])
    folder = work / "classes" / name
    with zipfile.ZipFile(jars[0]) as jar:
        prefix = library["packages"].replace(".", "/") + "/"
        entries = [entry for entry in jar.namelist()
                   if entry.startswith(prefix) and entry.endswith(".class")]
        jar.extractall(folder, entries)
    counted = branches(folder, reporter)
    fit = sorted(name for name, count in counted.items() if count in BRANCHES)
    shown = subprocess.run(["javap", "-public", "-cp", ":".join(map(str, jars)), *fit],
                           check=True, capture_output=True, text=True).stdout
    admitted = filter(None, map(can_be_made, shown.split("Compiled from ")))
    by_hash = sorted(admitted, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return [(name, counted[name]) for name in by_hash]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=HERE.parent.parent / "target" / "field")
    parser.add_argument("--each", type=int, default=3, help="classes of each library")
    options = parser.parse_args()
    reporter = maven.fetched(options.work / "jars", "jacoco", maven.JACOCO)[1]
    rows = []
    with open(HERE / "libraries.csv", newline="") as table:
        for library in csv.DictReader(table):
            admitted = classes_of(library, options.work, reporter)
            print(f"{library['coordinates']}: {len(admitted)} admitted", file=sys.stderr)
            rows += [(name, library["coordinates"], library["kind"], count)
                     for name, count in admitted[:options.each]]
    rows.sort(key=lambda row: hashlib.sha256(row[0].encode()).hexdigest())
    with open(HERE / "classes.csv", "w", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["class", "library", "kind", "branches"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()

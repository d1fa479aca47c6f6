#!/usr/bin/env python3
"""Holds `heapwright measure` against JaCoCo and PIT on classes of libraries with their own tests.
Prints tables. Outcomes are kept in DIR/CLASS/GROUP, and those that are there are not found again;
what differs is in `difference.txt` beside them. README.md beside this file says what is measured."""

import argparse
import csv
import sys
from pathlib import Path

from jvm import Jvm
from library import library
from ours import Heapwright
from outcome import Outcome, difference
from shown import print_tables

import maven

HERE = Path(__file__).resolve().parent


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "target" / "measure",
                        metavar="DIR", help="folder of outcomes, jars, reports and logs")
    parser.add_argument("--jdk", type=Path, required=True, help="JDK 17 that runs everything")
    parser.add_argument("--heapwright", type=Path, required=True, help="program")
    parser.add_argument("--group", default="defaults", choices=["defaults", "stronger", "all"],
                        help="operators of the mutants")
    parser.add_argument("--jobs", type=int, default=1, help="workers here, threads there")
    parser.add_argument("--classes", type=Path, default=HERE / "classes.csv")
    parser.add_argument("--only", nargs="+", default=[], help="names of classes")
    parser.add_argument("--first", type=int, help="number of classes")
    parser.add_argument("--again", action="store_true", help="find the outcomes of our side again")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    for name in ["output", "jdk", "heapwright"]:
        setattr(options, name, getattr(options, name).resolve())
    return options


def chosen(options: argparse.Namespace) -> list[dict]:
    with open(options.classes, newline="") as table:
        rows = list(csv.DictReader(table))
    if options.only:
        rows = [row for row in rows if row["class"] in options.only]
    return rows[:options.first]


def kept(file: Path, find) -> Outcome:
    """Outcome in a file, found and written if it is not there."""
    if not file.exists():
        file.write_text(find().text())
    return Outcome.of(file.read_text())


def main() -> None:
    options = arguments()
    jars = options.output / "jars"
    jvm = Jvm(options.jdk, maven.fetched(jars, "jacoco", maven.JACOCO),
              maven.fetched(jars, "pit", maven.PIT))
    ours = Heapwright(options.heapwright, options.jdk)
    outcomes = {}
    for row in chosen(options):
        name = row["class"]
        folder = options.output / "outcomes" / name / options.group
        folder.mkdir(parents=True, exist_ok=True)
        there, here = folder / "jvm.json", folder / "heapwright.json"
        if options.table and not (there.exists() and here.exists()):
            continue
        if options.again and not options.table:
            here.unlink(missing_ok=True)
        of = library(row["library"], jars)
        sides = (kept(there, lambda: jvm.measure(name, of, options.group, options.jobs, folder)),
                 kept(here, lambda: ours.measure(name, of, options.group, options.jobs, folder)))
        outcomes[name] = sides
        found = difference(*sides).lines()
        (folder / "difference.txt").write_text("".join(line + "\n" for line in found))
        print(f"{name}: {len(found)} differences", file=sys.stderr, flush=True)
    print_tables(outcomes)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs generators of tests on the same classes for the same processor seconds, and judges their
tests on a JVM. Prints tables; rows are kept in DIR/rows.csv, and those that are there are not
run again. README.md beside this file says what is measured."""

import argparse
import csv
import shutil
import sys
import time
from pathlib import Path

import maven
import process
from generators import generators
from judge import Judge
from table import print_tables

HERE = Path(__file__).resolve().parent
COLUMNS = ["seconds", "tool", "class", "library", "kind", "cpu", "elapsed", "note", "tests", "lines",
           "uncompilable", "failing", "flaky", "branches", "branches_covered", "class_lines",
           "lines_covered", "mutants", "killed"]
PATIENCE = 300
"""Seconds that a generator may take for all else but its search."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE.parent.parent / "target" / "field",
                        metavar="DIR", help="folder of rows, jars, tests and logs")
    parser.add_argument("--seconds", type=int, nargs="+", default=[10, 30, 120])
    parser.add_argument("--jdk", type=Path, required=True, help="JDK 17 that runs everything")
    parser.add_argument("--heapwright", type=Path, help="program")
    parser.add_argument("--verb", default="generate",
                        help="verb of the program, with its options")
    parser.add_argument("--evosuite", type=Path, help="jar of EvoSuite 1.2.0")
    parser.add_argument("--evosuite-runtime", type=Path, help="jar of its standalone runtime")
    parser.add_argument("--randoop", type=Path, help="jar of Randoop with its dependencies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=0, help="core that generators run on")
    parser.add_argument("--priority", type=int, default=0,
                        help="priority of generators, negative ones as root only")
    parser.add_argument("--classes", type=Path, default=HERE / "classes.csv",
                        help="table of classes; `library` is a coordinate, or jars joined by `:`")
    parser.add_argument("--only", nargs="+", default=[], help="names of classes")
    parser.add_argument("--first", type=int, help="number of classes")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    for name in ["output", "jdk", "heapwright", "evosuite", "evosuite_runtime", "randoop"]:
        path = getattr(options, name)
        setattr(options, name, path and path.resolve())
    return options


def chosen(options: argparse.Namespace) -> list[dict]:
    with open(options.classes, newline="") as table:
        rows = list(csv.DictReader(table))
    if options.only:
        rows = [row for row in rows if row["class"] in options.only]
    return rows[:options.first]


def known(rows: Path) -> list[dict]:
    if not rows.exists():
        return []
    with open(rows, newline="") as table:
        return list(csv.DictReader(table))


def jars_of(library: str, jars: Path) -> list[Path]:
    if library.endswith(".jar"):
        return [Path(jar).resolve() for jar in library.split(":")]
    return maven.fetched(jars, library.split(":")[1], [library])


def set_up(options: argparse.Namespace) -> Judge:
    jars = options.output / "jars"
    junit = maven.fetched(jars, "junit", maven.JUNIT)
    runner = options.output / "runner"
    runner.mkdir(parents=True, exist_ok=True)
    ended = process.run([options.jdk / "bin" / "javac", "-d", runner, "-cp", junit[0],
                         HERE / "Order.java"], options.output / "runner.log", 60, cwd=runner)
    if ended.code != 0:
        sys.exit((options.output / "runner.log").read_text())
    return Judge(options.jdk, junit, maven.fetched(jars, "jacoco", maven.JACOCO),
                 maven.fetched(jars, "pit", maven.PIT), runner)


def generate(options: argparse.Namespace, generator, row: dict, class_path: list[Path],
             seconds: int, folder: Path) -> dict:
    """Runs a generator. Where others use its core, the time is stretched."""
    share = process.share_of_core(options.core, options.priority, folder)
    stretched = round(seconds / share)
    command = generator.on(row["class"], class_path, stretched, folder / "tests")
    start = time.monotonic()
    ended = process.run(command, folder / "generator.log", stretched + PATIENCE / share, cwd=folder,
                        core=options.core, priority=options.priority,
                        environment=generator.environment)
    note = "did not end" if ended.code is None else f"exit {ended.code}" if ended.code else ""
    return {"cpu": f"{ended.cpu:.1f}", "elapsed": f"{time.monotonic() - start:.1f}", "note": note}


def main() -> None:
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    rows_file = options.output / "rows.csv"
    rows = known(rows_file)
    if not options.table:
        judge = set_up(options)
        done = {(row["seconds"], row["tool"], row["class"]) for row in rows}
        for seconds in options.seconds:
            for row in chosen(options):
                for generator in generators(options):
                    key = (str(seconds), generator.name, row["class"])
                    if key in done:
                        continue
                    folder = options.output / key[0] / key[1] / key[2]
                    shutil.rmtree(folder, ignore_errors=True)
                    (folder / "tests").mkdir(parents=True)
                    class_path = jars_of(row["library"], options.output / "jars")
                    figures = dict(zip(COLUMNS, key)) | {name: row[name] for name in ["library", "kind"]}
                    figures |= generate(options, generator, row, class_path, seconds, folder)
                    figures |= judge.judge(row["class"], class_path, generator, folder)
                    rows.append({name: str(value) for name, value in figures.items()})
                    is_new = not rows_file.exists()
                    with open(rows_file, "a", newline="") as table:
                        writer = csv.DictWriter(table, COLUMNS, lineterminator="\n")
                        if is_new:
                            writer.writeheader()
                        writer.writerow(figures)
                    print(",".join(str(figures[name]) for name in COLUMNS), file=sys.stderr, flush=True)
    print_tables(rows)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures `heapwright verify` on a checkout of the tasks of the Competition on Software Verification."""

import argparse
import concurrent.futures
import csv
import json
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from tasks import PROPERTIES, Task, compile_sources, tasks_of

# Points of the competition's rules: by whether the verdict is right, and by the verdict.
POINTS = {(True, "true"): 2, (True, "false"): 1, (False, "true"): -32, (False, "false"): -16}
COLUMNS = ["tool", "task", "folder", "expected", "verdict", "seconds", "left_out"]


def classes_of(task: Task, arguments: argparse.Namespace) -> Path | None:
    """Folder with the classes of a task; compiled if it is not there."""
    folder = arguments.output / "classes" / task.name.split(":")[0]
    if not (folder / ".compiled").exists():
        refusal = compile_sources(f"{arguments.jdk}/bin/javac" if arguments.jdk else "javac", task.inputs, folder)
        if refusal:
            print(f"{task.name}: {refusal}", file=sys.stderr)
            return None
        (folder / ".compiled").touch()
    return folder


def command_of(tool: str, task: Task, classes: Path, arguments: argparse.Namespace) -> list[str]:
    """Command line of a tool on a task."""
    if tool != "heapwright":
        words = dict(classes=classes, seconds=arguments.seconds, property=task.property_file)
        return [word.format(**words) for word in arguments.peer[tool]]
    command = [arguments.heapwright, "verify", "-p", str(classes), "--time-limit", f"{arguments.seconds}s"]
    command += ["--jobs", str(arguments.jobs), "--json", "--property", PROPERTIES[task.property_file.stem]]
    return command + (["--jdk", arguments.jdk] if arguments.jdk else []) + arguments.options + ["Main"]


def run(tool: str, task: Task, arguments: argparse.Namespace) -> dict[str, str]:
    """Row of a tool on a task."""
    row = dict(tool=tool, task=task.name, folder=task.folder, expected=task.expected, left_out="")
    classes = classes_of(task, arguments)
    if classes is None or task.property_file.stem not in PROPERTIES:
        return row | dict(verdict="unknown", seconds="0", left_out="not compiled, or another property")
    start = time.monotonic()
    try:
        ran = subprocess.run(
            command_of(tool, task, classes, arguments),
            capture_output=True,
            text=True,
            timeout=arguments.seconds + 15,
            check=False,
        )
        out = ran.stdout
    except subprocess.TimeoutExpired:
        out = ""
    seconds = f"{time.monotonic() - start:.2f}"
    if tool == "heapwright":
        try:
            summary = json.loads(out)
        except ValueError:
            summary = {}
        left_out = "; ".join(summary.get("without", [])) or summary.get("stopped_by") or ""
        return row | dict(verdict=summary.get("verdict", "error"), seconds=seconds, left_out=left_out)
    verdicts = re.findall(r"^\W*(true|false)\b", out, re.IGNORECASE | re.MULTILINE)
    return row | dict(verdict=verdicts[-1].lower() if verdicts else "unknown", seconds=seconds)


def rows_of(file: Path) -> list[dict[str, str]]:
    """Rows that are there already."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def table(rows: list[dict[str, str]]) -> str:
    """Table of the tools by folder, and the wrong verdicts."""
    lines = ["| tool | folder | tasks | right | wrong | score | of | median s |", "| --- | --- " + "| ---: " * 6 + "|"]
    groups = defaultdict(list)
    for row in rows:
        groups[row["tool"], row["folder"]].append(row)
        groups[row["tool"], "all"].append(row)
    for (tool, folder), group in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] == "all", item[0][1])):
        decided = [row for row in group if row["verdict"] in ("true", "false")]
        right = [row for row in decided if row["verdict"] == row["expected"]]
        score = sum(POINTS[row["verdict"] == row["expected"], row["verdict"]] for row in decided)
        most = sum(POINTS[True, row["expected"]] for row in group)
        median = statistics.median(float(row["seconds"]) for row in group)
        counts = f"{len(group)} | {len(right)} | {len(decided) - len(right)} | {score} | {most}"
        lines.append(f"| {tool} | {folder} | {counts} | {median:.2f} |")
    wrong = [row for row in rows if row["verdict"] in ("true", "false") and row["verdict"] != row["expected"]]
    lines += [f"\nWrong: {row['tool']} says {row['verdict']} of {row['task']}" for row in wrong]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", type=Path, help="folder with task definitions (*.yml), such as java/ of a checkout")
    parser.add_argument("--heapwright", default="target/release/heapwright", help="the program")
    parser.add_argument("--jdk", help="JDK (default: that on the path)")
    parser.add_argument("--seconds", type=int, default=10, help="time limit of a task (default: 10)")
    parser.add_argument("--jobs", type=int, default=1, help="workers of a task (default: 1)")
    parser.add_argument("--at-once", type=int, default=1, help="tasks that run at the same time (default: 1)")
    parser.add_argument("--only", default="", help="regular expression of the names of tasks")
    parser.add_argument("--output", type=Path, default=Path("target/svcomp"), help="folder for classes and rows")
    parser.add_argument("--table", action="store_true", help="print the table of the rows that are there")
    parser.add_argument("--option", dest="options", action="append", default=[], help="further word for the program")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="another tool: its command with {classes}, {property} and {seconds}, which prints a line true or false",
    )
    arguments = parser.parse_args()
    arguments.peer = {name: words.split() for name, words in (peer.split("=", 1) for peer in arguments.peer)}
    arguments.output.mkdir(parents=True, exist_ok=True)
    file = arguments.output / "rows.csv"
    rows = rows_of(file)
    done = {(row["tool"], row["task"]) for row in rows}
    tasks = [task for task in tasks_of(arguments.tasks) if re.search(arguments.only, task.name)]
    if not tasks:
        parser.error(f"no tasks in {arguments.tasks}")
    tools = ["heapwright", *arguments.peer]
    open_tasks = [(tool, task) for task in tasks for tool in tools if (tool, task.name) not in done]
    if not arguments.table:
        with (
            file.open("a", encoding="utf-8", newline="") as out,
            concurrent.futures.ThreadPoolExecutor(arguments.at_once) as workers,
        ):
            writer = csv.DictWriter(out, COLUMNS)
            if not rows:
                writer.writeheader()
            for row in workers.map(lambda pair: run(*pair, arguments), open_tasks):
                writer.writerow(row)
                out.flush()
                rows.append(row)
    names = {task.name for task in tasks}
    print(table([row for row in rows if row["task"] in names]))


if __name__ == "__main__":
    main()

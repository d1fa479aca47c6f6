#!/usr/bin/env python3
"""Measures jobs: their cost beside one process, and how their parts would spread over workers."""

import argparse
import csv
import heapq
import os
import resource
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKERS = (16, 256, 1000, 4096)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heapwright", type=Path, required=True)
    parser.add_argument("--classes", required=True, help="class path of the subjects")
    parser.add_argument("--subjects", type=Path, default=HERE / "subjects.csv")
    parser.add_argument("--parts", type=int, default=4096, help="planned parts of a job")
    parser.add_argument("--owners", type=int, default=16, help="parts of a job in rounds")
    parser.add_argument("--few", type=int, default=64, help="parts of the job that is timed")
    parser.add_argument("--checkpoint", default="200ms", help="time after which a worker ends a part of the job that is replayed")
    parser.add_argument("--output", type=Path, default=Path("target/jobs"))
    return parser.parse_args()


def cpu(command: list, checks: bool = True) -> float:
    """Runs a command; returns the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=checks, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass
class Piece:
    """Result of a part: instructions that it took, and the parts that it left."""

    digest: str
    left: int
    steps: int


class Forest:
    """Results of a job. Their names say everything: results/PART/DIGEST-LEFT-STEPS-BYTES. A stage is a
    result that leaves the parts of the stage; it begins when the one before has ended."""

    def __init__(self, job: Path) -> None:
        self.pieces: dict[str, list[Piece]] = defaultdict(list)
        self.planned: list[str] = []
        self.stages: list[list[str]] = []
        for result in (job / "results").glob("*/*"):
            digest, left, steps, _ = result.name.split("-")
            part = result.parent.name
            self.pieces[part].append(Piece(digest, int(left), int(steps)))
            if "." not in part:
                self.planned.append(part)
        self.planned.sort(key=lambda part: (len(part), part))
        is_staged = any(part.startswith("stage-") for part in self.planned)
        if is_staged:
            self.stages = [self.rest(self.piece(stage)) for stage in self.planned]
            self.planned = [part for stage in self.stages for part in stage]
        else:
            self.stages = [self.planned]

    def piece(self, part: str) -> Piece:
        """Of two results of a part, the one with less left."""
        return min(self.pieces[part], key=lambda piece: (-piece.steps, piece.digest))

    def rest(self, piece: Piece) -> list[str]:
        return [f"{piece.digest}.{number}" for number in range(piece.left)]

    def whole(self, part: str) -> int:
        """Instructions of a part with all that it leaves."""
        steps, open_parts = 0, [part]
        while open_parts:
            piece = self.piece(open_parts.pop())
            steps += piece.steps
            open_parts += self.rest(piece)
        return steps

    def span(self, workers: int, splits: bool) -> int:
        """Instructions until all workers have ended, if each takes the next part when it has none
        (list scheduling). With `splits`, a part ends where it did in the job, and its rest waits
        behind the planned parts."""
        return sum(self.span_of(stage, workers, splits) for stage in self.stages)

    def span_of(self, planned: list[str], workers: int, splits: bool) -> int:
        ready = [(0, order, part) for order, part in enumerate(planned)]
        free = [0] * workers
        heapq.heapify(ready)
        heapq.heapify(free)
        end, order = 0, len(ready)
        while ready:
            since, _, part = heapq.heappop(ready)
            piece = self.piece(part)
            begin = max(heapq.heappop(free), since)
            done = begin + (piece.steps if splits else self.whole(part))
            heapq.heappush(free, done)
            end = max(end, done)
            for rest in self.rest(piece) if splits else []:
                heapq.heappush(ready, (done, order, rest))
                order += 1
        return end


class Rounds:
    """Tasks of a search in rounds that a single worker has done, and the nanoseconds that each took: from the
    record of the task before to its own, rounds/EPOCH-ROUND/PHASE-NUMBER/done-DIGEST."""

    def __init__(self, job: Path) -> None:
        done = sorted((record.stat().st_mtime_ns, record) for record in job.glob("rounds/*/*/done-*"))
        before = (job / "job.json").stat().st_mtime_ns
        # Tasks of a phase of a round, which follows the one before.
        self.phases: list[list[int]] = []
        last = None
        for time, record in done:
            task = record.parent
            phase = (task.parent.name, task.name.split("-")[0])
            if phase != last:
                self.phases.append([])
            self.phases[-1].append(time - before)
            before, last = time, phase

    def span(self, workers: int) -> int:
        """Nanoseconds until all workers have ended, by list scheduling of each phase."""
        end = 0
        for phase in self.phases:
            free = [0] * workers
            for task in phase:
                heapq.heappush(free, heapq.heappop(free) + task)
            end += max(free)
        return end


class Subject:
    """A search, with the commands on it."""

    def __init__(self, row: dict, options: argparse.Namespace) -> None:
        self.name = row["name"]
        self.program = options.heapwright
        verb, *words = row["search"].split()
        self.search = [options.heapwright, verb, "--no-config", "-p", options.classes, *words]
        self.folder = options.output / row["name"].replace(" ", "-")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.options = options

    def parts(self, wanted: int) -> int:
        return self.options.owners if "api" in self.search else wanted

    def work(self, job: Path, *more) -> float:
        return cpu([self.program, "work", job, *more])

    def overhead(self) -> tuple[float, float, float, float, float]:
        """Processor time of one process, of planning, of one worker process with two engines, of
        two with one, and of merging."""
        one = cpu([*self.search, "-j", 1])
        plans = []
        jobs = [self.folder / "engines", self.folder / "processes"]
        for job in jobs:
            plans.append(cpu([*self.search, "--job", job, "--parts", self.parts(self.options.few)]))
        engines = self.work(jobs[0], "-j", 2)
        before = os.times()
        with ThreadPoolExecutor() as pool:
            command = list(map(str, [self.program, "work", jobs[1], "-j", 1]))
            run = lambda _: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            list(pool.map(run, range(2)))
        after = os.times()
        processes = (after.children_user + after.children_system - before.children_user
                     - before.children_system)
        merge = cpu([self.program, "merge", jobs[0]])
        return one, sum(plans) / 2, engines, processes, merge

    def many(self) -> Path:
        """A job of many parts that one worker has done."""
        job = self.folder / "many"
        cpu([*self.search, "--job", job, "--parts", self.parts(self.options.parts)])
        self.work(job, "-j", 1, "--checkpoint", self.options.checkpoint)
        return job


def main() -> None:
    options = arguments()
    with open(options.subjects, newline="") as file:
        subjects = [Subject(row, options) for row in csv.DictReader(file)]
    print("| search | one process, s | planning, s | `work -j 2`, s | efficiency "
          "| two workers, s | efficiency | merging, s |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for subject in subjects:
        one, plan, engines, processes, merge = subject.overhead()
        print(f"| {subject.name} | {one:.1f} | {plan:.1f} | {engines:.1f} | {one / engines:.2f} "
              f"| {processes:.1f} | {one / processes:.2f} | {merge:.2f} |", flush=True)
    columns = [f"{workers:,}{kind}" for workers in WORKERS for kind in ("", ", split")]
    print("\n| search | parts | pieces | largest part, % | " + " | ".join(columns) + " |\n"
          "| --- | --- | --- | --- |" + " --- |" * len(columns), flush=True)
    for subject in subjects:
        job = subject.many()
        if (job / "rounds").exists():
            rounds = Rounds(job)
            one = rounds.span(1)
            tasks = [task for phase in rounds.phases for task in phase]
            speedups = [f"{one / rounds.span(workers):,.0f} | –" for workers in WORKERS]
            print(f"| {subject.name} | {len(tasks):,} | – | {100 * max(tasks) / one:.2f} | "
                  + " | ".join(speedups) + " |", flush=True)
            continue
        forest = Forest(job)
        one = forest.span(1, True)
        speedups = [one / forest.span(workers, splits)
                    for workers in WORKERS for splits in (False, True)]
        largest = max(map(forest.whole, forest.planned))
        print(f"| {subject.name} | {len(forest.planned):,} | {len(forest.pieces):,} "
              f"| {100 * largest / one:.2f} | "
              + " | ".join(f"{speedup:,.0f}" for speedup in speedups) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

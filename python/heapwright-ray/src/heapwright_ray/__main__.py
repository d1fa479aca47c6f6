"""Command line: ``python -m heapwright_ray DIR [options] -- VERB ...``."""

from __future__ import annotations

import argparse
import sys

import ray

from .job import JobError, State, run


def _show(state: State) -> None:
    print(state, file=sys.stderr, flush=True)


def main() -> int:
    """Runs a search on a cluster. Returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m heapwright_ray",
        usage="%(prog)s DIR [options] [-- VERB ...]",
        description="Divides the search that `heapwright VERB ...` runs among the nodes of a Ray "
        "cluster. Without VERB, the job that DIR holds goes on.",
    )
    parser.add_argument("job", metavar="DIR", help="folder of the job, which all nodes reach, or its URL")
    parser.add_argument(
        "--parts", type=int, default=64, metavar="N", help="parts at the start [%(default)s]"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="tasks [one for each CPU of the cluster]"
    )
    parser.add_argument(
        "--address",
        metavar="ADDRESS",
        help="address of the cluster [RAY_ADDRESS, else that of this machine, else a new one]",
    )
    parser.add_argument(
        "--program",
        default="heapwright",
        metavar="FILE",
        help="the native program on all nodes [%(default)s on the PATH]",
    )
    parser.add_argument(
        "--jdk", metavar="DIR", help="JDK on all nodes [JAVA_HOME, else java on the PATH]"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="file or folder for the result, in place of that of the search",
    )
    parser.add_argument("--json", action="store_true", help="print a summary for programs")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    search = words[end + 1 :] or None
    options = parser.parse_args(words[:end])
    try:
        ray.init(address=options.address, log_to_driver=False)
    except (ConnectionError, ValueError) as error:
        print(f"error: no cluster can be reached: {error}", file=sys.stderr)
        return 2
    try:
        return run(
            options.job,
            search,
            parts=options.parts,
            workers=options.workers,
            program=options.program,
            jdk=options.jdk,
            output=options.output,
            json_summary=options.json,
            progress=_show,
        )
    except JobError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

"""Tables of the rows: each class, and medians, means, wins and sums of each tool."""

from statistics import mean, median

SHARES = [("branches", "branches_covered"), ("class_lines", "lines_covered"), ("mutants", "killed")]
SUMS = ["tests", "lines", "uncompilable", "failing", "flaky"]


def print_tables(rows: list[dict]) -> None:
    for seconds in sorted({row["seconds"] for row in rows}, key=int):
        print_table(seconds, [row for row in rows if row["seconds"] == seconds])


def print_table(seconds: str, rows: list[dict]) -> None:
    tools = list(dict.fromkeys(row["tool"] for row in rows))
    of = {(row["class"], row["tool"]): row for row in rows}
    classes = [name for name in dict.fromkeys(row["class"] for row in rows)
               if all((name, tool) in of for tool in tools)]
    shares = {(name, tool, total): share(of, name, tools, tool, total, part)
              for name in classes for tool in tools for total, part in SHARES}
    print(f"\n{seconds} s, {len(classes)} classes: percent of branches, lines, mutants; tests")
    print(f"{'class':60}" + "".join(f"{tool:>26}" for tool in tools))
    for name in classes:
        cells = ["".join(f"{percent(shares[name, tool, total]):>7}" for total, _ in SHARES)
                 + f"{of[name, tool]['tests']:>5}" for tool in tools]
        print(f"{name[-60:]:60}" + "".join(f"{cell:>26}" for cell in cells))
    for tool in tools:
        print(f"\n{tool}")
        for total, _ in SHARES:
            known = [name for name in classes
                     if all(shares[name, other, total] is not None for other in tools)]
            own = [shares[name, tool, total] for name in known]
            if not own:
                continue
            others = {name: [shares[name, other, total] for other in tools if other != tool]
                      for name in known}
            wins = sum(shares[name, tool, total] > max(others[name], default=-1) for name in known)
            losses = sum(shares[name, tool, total] < max(others[name], default=-1) for name in known)
            print(f"  {total:12} mean {100 * mean(own):5.1f}  median {100 * median(own):5.1f}  "
                  f"wins {wins}  losses {losses}  of {len(own)}")
        of_tool = [of[name, tool] for name in classes]
        sums = [f"{column} {sum(int(row[column] or 0) for row in of_tool)}" for column in SUMS]
        seconds_used = [float(row["cpu"]) for row in of_tool]
        empty = sum(row["tests"] == "0" for row in of_tool)
        print(f"  {'  '.join(sums)}  classes without a test {empty}  "
              f"processor seconds a class {mean(seconds_used or [0]):.1f}")


def share(of: dict, name: str, tools: list[str], tool: str, total: str, part: str) -> float | None:
    """Covered part of the largest total that was counted for any tool: from 0 to 1; `None` if the
    measurement did not end."""
    totals = [int(of[name, each][total] or 0) for each in tools]
    covered = of[name, tool][part]
    if covered == "" or max(totals) == 0:
        return None
    return int(covered) / max(totals)


def percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.1f}"

"""Tables of both sides: counts, mutants, speed, and medians."""

from statistics import median

from outcome import COUNTERS, Outcome, difference


def total(side: Outcome, counter: str) -> str:
    """Covered and total number of a class and those nested in it."""
    shares = [share.split("/") for name, share in side.counts.items() if name.endswith("." + counter)]
    return "/".join(str(sum(int(share[at]) for share in shares)) for at in (0, 1))


def both(there: str, here: str) -> str:
    return here if there == here else f"{there}≠{here}"


def print_tables(outcomes: dict[str, tuple[Outcome, Outcome]]) -> None:
    """Prints what both sides found of each class; where they differ, the JVM's figure first."""
    print(f"{'class':62}{'tests':>11}" + "".join(f"{counter:>20}" for counter in COUNTERS)
          + f"{'killed':>18}{'differ':>8}")
    for name, (there, here) in outcomes.items():
        found = difference(there, here)
        differing = sum(part.total() for part in found[1:])
        cells = [both(total(there, counter), total(here, counter)) for counter in COUNTERS]
        killed = both(*(f"{side.killed}/{side.mutants.total()}" for side in (there, here)))
        tests = both(*(f"{side.passed}/{side.tests}" for side in (there, here)))
        print(f"{name[-61:]:62}{tests:>11}" + "".join(f"{cell:>20}" for cell in cells)
              + f"{killed:>18}{differing:>8}")
        for note in filter(None, [there.note, here.note]):
            print(f"    {note[:200]}")
    print_speed({name: sides for name, sides in outcomes.items() if sides[1].mutants})
    print_sums(outcomes)


def print_speed(outcomes: dict[str, tuple[Outcome, Outcome]]) -> None:
    """Prints the mutants a second of whole processes and of processor time, PIT's first."""
    print(f"\n{'class':62}{'mutants':>8}{'seconds':>16}{'mutants a second':>20}{'times':>8}"
          f"{'by processor':>14}  PIT's own analysis; ours")
    times, times_cpu = [], []
    for name, (there, here) in outcomes.items():
        number = here.mutants.total()
        times.append(there.seconds / here.seconds)
        times_cpu.append(there.cpu / max(here.cpu, 0.01))
        print(f"{name[-61:]:62}{number:>8}{there.seconds:>9.1f}{here.seconds:>7.2f}"
              f"{number / there.seconds:>11.1f}{number / here.seconds:>9.1f}{times[-1]:>8.1f}"
              f"{times_cpu[-1]:>14.1f}  {there.analysis}; {here.analysis}")
    if times:
        print(f"median times {median(times):.1f}, by processor time {median(times_cpu):.1f}")


def print_sums(outcomes: dict[str, tuple[Outcome, Outcome]]) -> None:
    """Prints how many classes and mutants agree."""
    found = {name: difference(*sides) for name, sides in outcomes.items()}
    equal_counts = sum(not each.counts for each in found.values())
    # Without what PIT has no verdicts on.
    judged = {name: each for name, each in found.items() if not outcomes[name][0].note}
    equal_mutants = sum(not any(each[1:]) for each in judged.values())
    mutants = sum(outcomes[name][0].mutants.total() for name in judged)
    sums = [sum(each[at].total() for each in judged.values()) for at in range(1, 5)]
    print(f"\nall counters equal in {equal_counts} of {len(found)} classes, all mutants and verdicts "
          f"in {equal_mutants} of {len(judged)}\n{mutants} mutants of PIT: {sums[0]} not here, "
          f"{sums[1]} further ones here, {sums[2]} killed there only, {sums[3]} here only")

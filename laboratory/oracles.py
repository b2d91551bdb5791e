"""The command behind `run.py oracles`: operators against brute force, comparison by comparison.

    python3 run.py oracles                       1 000 000 comparisons of all operators
    python3 run.py oracles --count 20000         fewer, in a minute
    python3 run.py oracles --only agm.revise     one operator, or all with this in their names
    python3 run.py oracles --only agm.revise --seed 7 --case 123     one comparison, again

Each operator of the library is put the same seeded questions as its definition, which goes through
all parts of a base or all worlds (`laboratory.definitions`). One result held against the definition
is one comparison. Exit status 1 means a difference: it is printed with both answers and the command
that repeats it.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from laboratory.comparing import PAIRS
from laboratory.comparing.pairs import compared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from laboratory.comparing.pairs import Comparison, Pair

MILLION = 1_000_000


class Task(NamedTuple):
    """Comparisons of one operator: those with the numbers from 0 up to `comparisons`."""

    name: str
    seed: int
    comparisons: int


class Tally(NamedTuple):
    """How a task came out: comparisons done, those that mattered, and the differences found.

    `first` tells the first difference in full; after it the rest is counted only.
    """

    task: Task
    compared: int
    mattered: int
    differences: int
    first: str
    seconds: float

    def __str__(self) -> str:
        """One line."""
        return (
            f"{self.task.name:<52} seed {self.task.seed}  {self.compared:>7} compared"
            f"  {self.mattered:>7} mattered  {self.differences} differences  {self.seconds:5.1f} s"
        )


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    asked = _parser().parse_args(arguments)
    names = chosen(asked.only)
    if not names:
        _parser().error(f"no operator has {asked.only!r} in its name; there is {', '.join(PAIRS)}")
    if asked.count < 1 or asked.processes < 1:
        _parser().error("--count and --processes are 1 or more")
    if asked.case is not None:
        return again(names, asked.seed, asked.case)
    tallies = []
    for tally in run(names, asked.count, asked.seed, processes=asked.processes):
        tallies.append(tally)
        print(tally, flush=True)
    for tally in tallies:
        if tally.first:
            print(f"\n{tally.first}")
    print(summed(tallies))
    return int(any(tally.differences for tally in tallies))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run.py oracles",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--count", type=int, default=MILLION, help="comparisons, shared among the operators"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the questions")
    parser.add_argument("--only", default="", metavar="OPERATOR", help="its name, or a part of it")
    parser.add_argument("--case", type=int, help="put one question again and show everything")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser


def chosen(only: str) -> list[str]:
    """The operator of this name, else all with this in their names."""
    return [only] if only in PAIRS else [name for name in PAIRS if only in name]


def run(
    names: Sequence[str], count: int, seed: int, *, processes: int | None = 1
) -> Iterator[Tally]:
    """Share the comparisons among the operators and do them; tallies come in the order of names."""
    each, more = divmod(count, len(names))
    tasks = [Task(name, seed, each + (place < more)) for place, name in enumerate(names)]
    if processes == 1:
        yield from map(tallied, tasks)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(tallied, tasks)


def tallied(task: Task, pairs: Callable[[str], Pair] = PAIRS.__getitem__) -> Tally:
    """Do the comparisons of one task."""
    start = perf_counter()
    pair = pairs(task.name)
    mattered = differences = 0
    first = ""
    for case in range(task.comparisons):
        one = compared(pair, task.seed, case)
        mattered += one.mattered
        if not one.agrees:
            differences += 1
            first = first or told(task.name, task.seed, case, one)
    return Tally(task, task.comparisons, mattered, differences, first, perf_counter() - start)


def again(names: Iterable[str], seed: int, case: int) -> int:
    """Put one question of each of these operators again and tell all of it."""
    agree = True
    for name in names:
        one = compared(PAIRS[name], seed, case)
        print(told(name, seed, case, one), end="\n\n")
        agree = agree and one.agrees
    return int(not agree)


def told(name: str, seed: int, case: int, one: Comparison) -> str:
    """A comparison for a reader, and the command that repeats it."""
    verdict = "agrees with its definition" if one.agrees else "DIFFERS from its definition"
    command = f"python3 run.py oracles --only {shlex.quote(name)} --seed {seed} --case {case}"
    return "\n".join(
        [
            f"{name} {verdict}",
            str(one.question),
            f"the operator says:   {_shown(one.found)}",
            f"the definition says: {_shown(one.due)}",
            f"again: {command}",
        ]
    )


def summed(tallies: Sequence[Tally]) -> str:
    """One line about all."""
    seeds = ", ".join(str(seed) for seed in sorted({tally.task.seed for tally in tallies}))
    return (
        f"{sum(tally.compared for tally in tallies)} comparisons of {len(tallies)} operators,"
        f" {sum(tally.mattered for tally in tallies)} mattered,"
        f" {sum(tally.differences for tally in tallies)} differences,"
        f" seed {seeds}, {sum(tally.seconds for tally in tallies):.0f} s of work"
    )


def _shown(answer: object) -> str:
    """An answer in a fixed order, claims as text."""
    if isinstance(answer, frozenset):
        return "{" + ", ".join(sorted(map(_shown, answer))) + "}"
    if isinstance(answer, dict):
        return "{" + ", ".join(f"{key}: {_shown(answer[key])}" for key in sorted(answer)) + "}"
    if isinstance(answer, tuple | list) and not hasattr(answer, "_fields"):
        return "(" + ", ".join(map(_shown, answer)) + ")"
    return str(answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The threshold on simulated streams of retirements: is the bound kept, and how much is applied all the same?

A stream is a machine of its own: how often it errs (8 to 20 in 100), and how sure it says it is when it is
right and when it is wrong, two overlapping Beta distributions drawn for each stream.  Models like round
numbers, so half of the streams round to 0.05 and the others to 0.01.  Of 2,000 labelled retirements a
threshold is chosen; on 5,000 further ones of the same machine it is counted what it applies.
What is applied differs much between streams, so there are 1,000 of them.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from agm_store.learning import Label, Threshold, auto_threshold
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.figures import Figure

BOUND, DELTA = 0.05, 0.05


class Sizes(NamedTuple):
    """How much is tried."""

    streams: int = 1000
    labels: int = 2000
    later: int = 5000
    first: int = 0


FULL, QUICK = Sizes(), Sizes(streams=10, labels=300, later=1000)


class Machine:
    """One machine: how often it errs, and how sure it says it is."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.errs = random.uniform(0.08, 0.2)
        self._right = random.uniform(5, 9), random.uniform(1.0, 1.8)
        self._wrong = random.uniform(2, 4), random.uniform(1.5, 3.0)
        self._step = random.choice((0.05, 0.01))

    def labels(self, count: int) -> list[Label]:
        """So many retirements of it."""
        found = []
        for _ in range(count):
            right = self._random.random() >= self.errs
            raw = self._random.betavariate(*(self._right if right else self._wrong))
            found.append(Label(round(round(raw / self._step) * self._step, 2), right))
        return found


class Outcome(NamedTuple):
    """What one threshold did to later retirements; rates are shares."""

    found: bool
    wrong: float
    """Of what it applied, the share that was wrong."""
    applied: float
    """Of what was right, the share that it applied."""
    default: float
    """Of what the default policy would apply, the share that was wrong."""
    best: float
    """What would have been applied of it, had the outcomes been known."""
    sure: float
    """Of what was wrong, the share of a confidence of 0.85 or more."""


def outcome(seed: int, labels: int, later: int) -> Outcome:
    """One stream."""
    machine = Machine(Random(f"stream {seed}"))
    chosen = auto_threshold(machine.labels(labels), max_wrong=BOUND, delta=DELTA)
    further = machine.labels(later)
    wrongs = [x for x in further if not x.right]
    sure = sum(x.confidence >= 0.85 for x in wrongs) / max(1, len(wrongs))
    default = _wrong([x for x in further if x.confidence >= 0.7])
    best = _best(further)
    if not isinstance(chosen, Threshold):
        return Outcome(False, 0.0, 0.0, default, best, sure)
    applied = [x for x in further if x.confidence >= chosen.confidence]
    right = sum(x.right for x in applied) / sum(x.right for x in further)
    return Outcome(True, _wrong(applied), right, default, best, sure)


def _best(labels: list[Label]) -> float:
    """The most of what is right that any threshold applies within the bound."""
    found = 0
    for level in sorted({x.confidence for x in labels}):
        applied = [x for x in labels if x.confidence >= level]
        if _wrong(applied) <= BOUND:
            found = max(found, sum(x.right for x in applied))
    return found / sum(x.right for x in labels)


def _wrong(labels: list[Label]) -> float:
    return sum(not x.right for x in labels) / max(1, len(labels))


def figures(sizes: Sizes) -> Iterator[Figure]:
    """The bound, and what is applied."""
    seeds = range(sizes.first, sizes.first + sizes.streams)
    found = [outcome(seed, sizes.labels, sizes.later) for seed in seeds]
    count = len(found)
    kept = [one.wrong <= BOUND for one in found]
    none = sum(not one.found for one in found)
    yield measured(
        "threshold: streams in 200 whose rate of wrong retirements is at most the bound",
        200 * _mean(kept),
        ">= 184",
        n=count,
        note=(
            f"bound {BOUND:g}, level {1 - DELTA:g}; {sizes.labels:,} labels, {sizes.later:,} later retirements; "
            f"mean rate {_mean([x.wrong for x in found]):.3f}, by the default policy "
            f"{_mean([x.default for x in found]):.3f}; no threshold in {none}; "
            f"the first 200 alone: {sum(kept[:200])}"
        ),
    )
    shares = [one.applied for one in found]
    yield measured(
        "threshold: share of the right retirements that are applied",
        _mean(shares),
        ">= 0.6",
        n=count,
        note=(
            f"mean over the streams, give or take {_give(shares):.3f} (95 %), no threshold counts as 0; "
            "with the outcomes known "
            f"{_mean([x.best for x in found]):.2f}; "
            f"the first 200 alone {_mean(shares[:200]):.3f}; "
            f"{_mean([x.sure for x in found]):.0%} of what is wrong has a confidence of 0.85 or more"
        ),
    )


def _give(numbers: list[float]) -> float:
    """Half of the 95 % interval of a mean."""
    mean, count = _mean(numbers), len(numbers)
    return 1.96 * sqrt(sum((x - mean) ** 2 for x in numbers) / max(1, count - 1) / count)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)

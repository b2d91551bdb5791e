"""Speeds as ratios: two things done in turns within one run, compared by medians.

Seconds say more about the machine than about the code, and a machine that is busy with something
else slows both sides. So each round does both, the first in odd rounds second, and what counts is
the median over the rounds. Within a round each call is timed by itself and the round stands for its
median call: a long batch would be interrupted by other programs where a short one is not, and the
ratio would say so. `exponent` tells how a time grows with a size.
"""

from __future__ import annotations

import gc
import math
from contextlib import contextmanager
from statistics import linear_regression, median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    Action: TypeAlias = Callable[[], object]

ROUNDS = 20
"""The fewest rounds a figure rests on."""


class Ratio(NamedTuple):
    """How many times longer one action takes than another."""

    value: float
    """The median over the rounds of (seconds of the one / seconds of the other)."""
    n: int
    """Rounds."""
    one: float
    """Median seconds of the one."""
    other: float
    """Median seconds of the other."""


def ratio(
    one: Action, other: Action, *, rounds: int = ROUNDS, calls: tuple[int, int] = (1, 1)
) -> Ratio:
    """How many times longer a call of `one` takes than one of `other`, with so many calls a round.

    A round that is not counted warms both up.

    >>> ratio(lambda: sum(range(20_000)), lambda: sum(range(2_000)), rounds=5).value > 1
    True
    """
    both = {"one": (one, calls[0]), "other": (other, calls[1])}
    times = interleaved(both, rounds=rounds)
    pairs = zip(times["one"], times["other"], strict=True)
    shares = [mine / theirs for mine, theirs in pairs]
    return Ratio(median(shares), rounds, median(times["one"]), median(times["other"]))


def interleaved(
    actions: Mapping[str, tuple[Action, int]], *, rounds: int = ROUNDS
) -> dict[str, list[float]]:
    """Seconds of the median call of each action in each round, given with its calls a round.

    Every other round goes through the actions backwards.
    """
    names = list(actions)
    for name in names:
        middle(*actions[name])
    times: dict[str, list[float]] = {name: [] for name in names}
    with quiet():
        for count in range(rounds):
            for name in names[:: -1 if count % 2 else 1]:
                times[name].append(middle(*actions[name]))
    return times


def middle(action: Action, calls: int) -> float:
    """How long the median one of some calls takes."""
    return median(seconds(action) for _ in range(calls))


def seconds(action: Action) -> float:
    """How long one call takes."""
    start = perf_counter()
    action()
    return perf_counter() - start


def exponent(times: Mapping[int, float]) -> float:
    """The b of the power law a·size^b that fits the times best (least squares of logarithms).

    >>> round(exponent({10: 3.0, 100: 30.0, 1000: 300.0}), 6)
    1.0
    """
    sizes = [math.log(size) for size in times]
    return linear_regression(sizes, [math.log(time) for time in times.values()]).slope


def growth(
    actions: Mapping[int, Action], *, rounds: int = ROUNDS, calls: int = 1
) -> tuple[float, dict[int, float]]:
    """The exponent with which the times of actions grow, given by their sizes, and the medians."""
    named = {str(size): (action, calls) for size, action in actions.items()}
    times = interleaved(named, rounds=rounds)
    medians = {size: median(times[str(size)]) for size in actions}
    return exponent(medians), medians


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the cyclic collector out of the measurement; what was made so far is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()

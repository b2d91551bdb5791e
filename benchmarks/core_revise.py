"""Revision in memory: against z3 doing the same, and how its time grows with the base.

Every base here holds slots with one value each and, apart from them, sums of quantities that only z3
can judge. A revision is timed together with the base that results, and the next one starts from
there, as in use. What z3 is given is the least that answers the same question: is the new claim
possible, and which of the slot's claims cannot stay. The terms of what is held are made beforehand,
that of the new claim when it comes.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import BeliefBase, attr, revise
from benchmarks.figures import measured
from benchmarks.timing import growth, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm import Claim, Term
    from benchmarks.figures import Figure
    from benchmarks.timing import Action


class Sizes(NamedTuple):
    """How much is measured."""

    growing: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    slot: int = 10_000
    whole: int = 100_000
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(growing=(100, 1_000), slot=100, whole=1_000, rounds=3)

SUMS = 10
"""Beliefs in the component that needs z3, once it was revised."""
FAST, SLOW = 200, 5
"""Revisions a round on the slot route and on the z3 route."""


def figures(sizes: Sizes) -> Iterator[Figure]:
    """The figures of revision in memory."""
    import z3

    base = base_of(sizes.slot)
    slot = Revising(base, slot_claims())
    for name, make, least in (("Solver", z3.Solver, 100), ("SimpleSolver", z3.SimpleSolver, 40)):
        found = ratio(through_z3(make, 1), slot, rounds=sizes.rounds, calls=(SLOW, FAST))
        note = f"{_us(found.other)} against {_us(found.one)}, {sizes.slot:,} beliefs"
        title = f"revise on a slot: times faster than a fresh z3.{name}"
        yield measured(title, found.value, f">= {least}", n=found.n, note=note)
    whole = Revising(base_of(sizes.whole), slot_claims())
    solver = through_z3(z3.Solver, sizes.whole)
    found = ratio(solver, whole, rounds=sizes.rounds, calls=(1, FAST))
    note = f"{_us(found.other)} against {found.one:.2g} s, {sizes.whole:,} beliefs"
    title = "revise on a slot: times faster than z3 over the whole base"
    yield measured(title, found.value, ">= 1000", n=found.n, note=note)
    del base, slot, whole
    yield from _growth(sizes)


def _growth(sizes: Sizes) -> Iterator[Figure]:
    bases = {size: base_of(size) for size in sizes.growing}
    fast = {size: Revising(base, slot_claims()) for size, base in bases.items()}
    slope, medians = growth(fast, rounds=sizes.rounds, calls=FAST)
    note = _spread(medians)
    span = f"{sizes.growing[0]:,} to {sizes.growing[-1]:,} beliefs"
    title = f"revise on a slot: growth exponent, {span}"
    yield measured(title, slope, "<= 0.20", n=sizes.rounds, note=note)
    slow = {size: Revising(one.base, sum_claims()) for size, one in fast.items()}
    slope, medians = growth(slow, rounds=sizes.rounds, calls=SLOW)
    note = _spread(medians)
    title = f"revise through z3 on {SUMS} beliefs: growth exponent, {span}"
    yield measured(title, slope, "<= 0.10", n=sizes.rounds, note=note)


class Revising:
    """An action: a base is revised by the given claims in turn, over and over."""

    def __init__(self, base: BeliefBase, claims: tuple[Claim, ...]) -> None:
        self.base = base
        self.routes: set[str] = set()
        self._claims = cycle(claims)

    def __call__(self) -> None:
        """Revise once more."""
        change = revise(self.base, next(self._claims))
        self.base = change.after
        self.routes.add(change.route)


def base_of(size: int) -> BeliefBase:
    """A base of so many beliefs: the sums, and a slot with a value for each of the rest."""
    sums = [_count(i) + _count(i + 1) <= 100 + i for i in range(SUMS - 1)]
    slots = [attr(f"item{i}", "level") == i % 7 for i in range(size - len(sums))]
    return BeliefBase([*sums, *slots])


def slot_claims() -> tuple[Claim, ...]:
    """Two values of one slot, each of which retires the other."""
    level = attr("item50", "level", of=int)
    return level == 100, level == 200


def sum_claims() -> tuple[Claim, ...]:
    """Two sums that exclude each other."""
    both = _count(3) + _count(5)
    return both >= 50, both <= 20


def through_z3(make: Callable[[], Any], size: int) -> Action:
    """An action that does the slot's revision with a fresh solver over `size` slots."""
    import z3

    level = [z3.Int(f"level{i}") for i in range(size)]
    held = [one == i % 7 for i, one in enumerate(level)]

    def action() -> None:
        solver = make()
        solver.add(level[0] == 100)
        if solver.check() != z3.sat:
            raise AssertionError("the new value is possible")
        solver.push()
        solver.add(held)
        if solver.check() != z3.unsat:
            raise AssertionError("the old value cannot stay")

    return action


def _count(place: int) -> Term[int]:
    return attr(f"bin{place}", "count", of=int)


def _us(time: float) -> str:
    return f"{time * 1e6:.3g} µs"


def _spread(medians: dict[int, float]) -> str:
    return ", ".join(f"{size:,}: {_us(time)}" for size, time in medians.items())

"""Partial meet contraction of plain literals, against formal-belief-set, and in a large base.

Both sides are asked for the common part of all remainders of the first two literals together, and
must give the same. The published package looks at every subset of the base and at every world, which
takes about a minute for 12 literals: it is timed once. In the large base only the component of the
question holds more than one belief.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agm import Belief, BeliefBase, attr, prop
from agm.claims import conjoin
from agm.contraction import partial_meet
from agm.selection import everything, most_by_rank
from benchmarks.figures import measured, skipped
from benchmarks.timing import quiet, ratio, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm import Change, Claim
    from agm.selection import Selection
    from benchmarks.figures import Figure
    from benchmarks.timing import Action


class Sizes(NamedTuple):
    """How much is measured."""

    literals: int = 12
    large: int = 10_000
    component: int = 20
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(literals=6, large=100, component=5, rounds=2)

TARGET = ">= 1000"


def figures(sizes: Sizes) -> Iterator[Figure]:
    """The figures of partial meet contraction."""
    yield _against_package(sizes)
    yield from _large(sizes)


def _against_package(sizes: Sizes) -> Figure:
    count = sizes.literals
    title = f"partial meet, {count} literals: times faster than formal-belief-set"
    try:
        theirs = published(count)
    except ImportError as fault:
        return skipped(title, TARGET, f"{fault}; install the extra bench")
    base, claims = BeliefBase(literals(count)), literals(count)
    goal = conjoin(claims[:2])

    def ours() -> Change:
        return certified(base, goal, everything)

    expected = {str(claim) for claim in claims[2:]}
    if {str(belief.claim) for belief in ours().after} != expected:
        raise AssertionError(f"the common part of the remainders is {expected}")
    with quiet():
        mine = median(seconds(ours) for _ in range(sizes.rounds))
        other = seconds(theirs)
    note = f"{mine * 1e3:.3g} ms against {other:.3g} s, timed once"
    return measured(title, other / mine, TARGET, n=sizes.rounds, note=note)


def _large(sizes: Sizes) -> Iterator[Figure]:
    """A base of many slots, and literals that a question joins; one is weaker, so selections differ."""
    weak, *others = literals(sizes.component)
    goal = conjoin([weak, *others])
    parts = [Belief(weak, "observed"), *others]
    slots = [attr(f"item{i}", "level") == i % 7 for i in range(sizes.large - len(parts))]
    large, small = BeliefBase([*parts, *slots]), BeliefBase(parts)
    right = 0
    for selection, lost in ((everything, len(parts)), (most_by_rank, 1)):
        change = certified(large, goal, selection)
        right += len(change.given_up) == lost and not change.after.entails(goal)
    title = (
        f"partial meet at {sizes.large:,} beliefs, component of {sizes.component}: right answers"
    )
    yield measured(title, right, "= 2", n=2)
    found = ratio(
        lambda: certified(large, goal, everything),
        lambda: certified(small, goal, everything),
        rounds=sizes.rounds,
    )
    title = (
        f"partial meet at {sizes.large:,} beliefs: times the same over its {sizes.component} alone"
    )
    note = f"{found.one * 1e3:.3g} ms against {found.other * 1e3:.3g} ms"
    yield measured(title, found.value, "<= 2", n=found.n, note=note)


def certified(base: BeliefBase, goal: Claim, selection: Selection) -> Change:
    """The contraction, with the certificate of each loss worked out."""
    change = partial_meet(selection)(base, goal)
    for loss in change.given_up:
        _ = loss.kernel
    return change


def literals(count: int) -> list[Claim]:
    """So many propositions."""
    return [prop(f"p{i}") for i in range(count)]


def published(count: int) -> Action:
    """The same contraction by formal-belief-set, checked; ImportError where it is not installed."""
    from belief_set.base import BeliefBase as Published
    from belief_set.language import Atom, conjunction

    atoms = tuple(Atom(f"p{i}") for i in range(count))
    base = Published(frozenset(), atoms)

    def action() -> None:
        kept = base.simple_partial_meet_contract([conjunction(*atoms[:2])], lambda every: every)
        if kept.formulas != atoms[2:]:
            raise AssertionError(f"formal-belief-set keeps {kept.formulas}")

    return action

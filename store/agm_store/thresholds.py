"""From which confidence on a machine may retire beliefs, so that few retirements are wrong: Learn-then-Test.

`labelled` reads the labels off corrections, `auto_threshold` chooses.  A threshold is a hypothesis, "above it
more than ``max_wrong`` of the retirements are wrong".  The hypotheses are tested in a fixed order, from the
highest threshold down, each at level ``delta``, until one is not rejected; the last that was rejected is the
answer (Angelopoulos, Bates, Candès, Jordan and Lei 2021, fixed sequence testing).  A test rejects when the
Clopper–Pearson upper bound of the share of wrong ones is at most ``max_wrong``.

Where the sequence begins depends on the confidences alone, never on what turned out right: at the highest
threshold above which lies an eighth of the labels, and as many as could pass with none wrong.  Given the
confidences, the count of wrong ones is a sum of independent trials with unequal chances, whose lower tail is
no heavier than the binomial's of the same mean (Hoeffding 1956), so the test stays valid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp, lgamma, log, log1p
from typing import TYPE_CHECKING, NamedTuple, cast

from agm_store.bounds import at_most, upper
from agm_store.errors import InvalidArgument
from agm_store.examples import Correction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.policy import Policy

_FIRST = 8
"""The sequence begins with one label in so many."""
_MANY = 2.0**63
"""More labels than there are."""
_SMALLEST = 1e-290
"""Below it a number has fewer digits."""


class Label(NamedTuple):
    """A retirement that a machine asked for: how sure it was, and whether it was right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A confidence from which on at most a share of retirements is wrong, at a level that was asked for."""

    confidence: float
    bound: float
    """The upper bound of the share of wrong ones from this confidence on, at level 1 - delta."""
    applied: int
    """Labels from this confidence on."""
    wrong: int
    """Those of them that were wrong."""
    labels: int
    """All labels that there were."""
    coverage: float
    """The share of the right retirements that would be applied."""

    def policy(self, base: Policy | None = None) -> Policy:
        """A policy that applies from this confidence on, and asks the judge not above it; else as the base."""
        from agm_store.policy import Policy

        bounds = Policy() if base is None else base
        return replace(bounds, auto=self.confidence, judge=min(bounds.judge, self.confidence))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoThreshold:
    """Why no confidence qualifies; ``needed`` are the labels without which none can."""

    reason: str
    labels: int
    needed: int


def labelled(corrections: Iterable[Correction]) -> tuple[Label, ...]:
    """The labels that corrections give: one a statement by which a machine retired, or would have retired, something.

    What was applied and nobody undid counts as right, as precision has it.  A statement without a confidence
    gives none: no threshold applies it.
    """
    found: dict[str, Label] = {}
    for one in corrections:
        if one.verdict is not None and one.stood is not None and one.confidence is not None:
            found[one.statement] = Label(one.confidence, one.stood)
    return tuple(found.values())


def auto_threshold(
    given: Iterable[Correction | Label], *, max_wrong: float, delta: float = 0.05
) -> Threshold | NoThreshold:
    """The confidence from which on at most ``max_wrong`` of the retirements are wrong, at level 1 - delta.

    It is the last that passes, tried from the highest down until one does not.  Corrections are turned into
    labels by `labelled`.

    Raises:
        InvalidArgument: ``max_wrong`` or ``delta`` is no share between 0 and 1, or a label is none.

    >>> good = [Label(0.9, True)] * 80
    >>> auto_threshold(good, max_wrong=0.05).confidence
    0.9
    >>> auto_threshold(good[:30], max_wrong=0.05).reason
    'too few labels: 30, at least 59 are needed for a share of 0.05 at level 0.95, all of them right'
    """
    _shares(max_wrong=max_wrong, delta=delta)
    labels = _labels(given)
    least = ceil(min(log(delta) / log1p(-max_wrong), _MANY))
    if len(labels) < least:
        why = (
            f"too few labels: {len(labels)}, at least {least} are needed for a share of "
            f"{max_wrong:g} at level {1 - delta:g}, all of them right"
        )
        return NoThreshold(reason=why, labels=len(labels), needed=least)
    passed = _passed(labels, max(least, len(labels) // _FIRST), max_wrong, delta)
    if isinstance(passed, str):
        return NoThreshold(reason=passed, labels=len(labels), needed=least)
    return passed


def _shares(**given: object) -> None:
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise InvalidArgument(name, value, "a share above 0 and below 1")


def _labels(given: Iterable[object]) -> list[Label]:
    """The labels, the surest first."""
    rows = list(given)
    labels = list(labelled(row for row in rows if isinstance(row, Correction)))
    labels += [row for row in rows if isinstance(row, Label)]
    others = (row for row in rows if not isinstance(row, Correction | Label))
    for wrong in (*others, *(label for label in labels if not _is_one(*label))):
        wanted = "corrections, or labels of a confidence from 0 to 1 and True or False"
        raise InvalidArgument("given", wrong, wanted)
    return sorted(labels, key=lambda label: -label.confidence)


def _is_one(confidence: object, right: object) -> bool:
    number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    return number and 0 <= cast("float", confidence) <= 1 and isinstance(right, bool)


class _Passed(NamedTuple):
    """The last confidence that passed, and what lies from it on."""

    confidence: float
    place: int
    wrong: int
    kept: int


def _passed(labels: Sequence[Label], first: int, max_wrong: float, delta: float) -> Threshold | str:
    """The last threshold of the sequence that passes; why none does."""
    right = sum(label.right for label in labels)
    wrong = kept = 0
    passed: _Passed | None = None
    tail = _Tail(max_wrong, delta)
    for place, label in enumerate(labels, 1):
        wrong += not label.right
        kept += label.right
        tail.step(wrong, place)
        last = place == len(labels) or labels[place].confidence < label.confidence
        if place < first or not last:
            continue
        # The same as a bound of at most max_wrong, for one tail instead of a bisection over tails.
        if not tail.surely_passes and tail.exactly(wrong, place) > delta:
            if passed is None:
                bound = upper(wrong, place, delta)
                return (
                    f"already from {label.confidence:g} on {wrong} of {place} were wrong: "
                    f"up to {bound:.3g} may be, more than {max_wrong:g}"
                )
            break
        passed = _Passed(label.confidence, place, wrong, kept)
    assert passed is not None  # the last place is tested in any case
    return Threshold(
        confidence=passed.confidence, bound=upper(passed.wrong, passed.place, delta),
        applied=passed.place, wrong=passed.wrong, labels=len(labels),
        coverage=passed.kept / right if right else 0.0,
    )  # fmt: skip


class _Tail:
    """The tail of one binomial distribution after another, each with one more trial, at a cost that does not grow.

    P(Bin(n + 1, p) <= k) is P(Bin(n, p) <= k) less p P(Bin(n, p) = k), and P(Bin(n + 1, p) <= k + 1) is it and
    (1 - p) P(Bin(n, p) = k + 1) more.  ``doubt`` is how far rounding may have led from what `at_most` would
    say; where that could decide, `exactly` computes the tail anew and goes on from there.
    """

    def __init__(self, p: float, most: float) -> None:
        self._p, self._most = p, most
        self._yes, self._no = log(p), log1p(-p)
        self._wrong = self._trials = 0
        self._tail = self._doubt = 1.0

    def step(self, wrong: int, trials: int) -> None:
        """Go on by one trial, to so many wrong ones of so many."""
        n, k = self._trials, self._wrong
        if wrong > k:
            change = (1 - self._p) * self._just(wrong, n)
            self._tail += change
        else:
            change = self._p * self._just(k, n)
            self._tail -= change
        self._doubt += self._rounding(n, change + abs(self._tail))
        self._wrong, self._trials = wrong, trials

    @property
    def surely_passes(self) -> bool:
        """Whether the tail is at most the level, and `at_most` would say so too."""
        k, n = self._wrong, self._trials
        unsure = self._doubt + self._computed(k, n, self._most) + _SMALLEST
        return self._tail + unsure < self._most

    def exactly(self, wrong: int, trials: int) -> float:
        """The tail computed anew."""
        self._tail = at_most(wrong, trials, self._p)
        self._doubt = self._computed(wrong, trials, self._tail)
        return self._tail

    def _just(self, k: int, n: int) -> float:
        """P(Bin(n, p) = k)."""
        if k > n:
            return 0.0
        ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        return exp(ways + k * self._yes + (n - k) * self._no)

    def _computed(self, k: int, n: int, size: float) -> float:
        """How far a tail of some size is off at most by `at_most`, which takes the longer side from 1."""
        return self._rounding(n, 1.0 if 2 * k > n else size)

    def _rounding(self, n: int, size: float) -> float:
        """How far terms of n trials are off at most that come to some size: the last places of their exponents."""
        return 1e-14 * (n + 1) * (log(n + 2) - self._yes - self._no) * size

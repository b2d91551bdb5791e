"""Cases of base operators: a small base, the claims it is asked about, and what the operator does.

Beliefs are numbered in the order they are listed, and sets of them are written as bits. A `Trial`
is one operator at one base and remembers each answer; a `Case` adds the claims of one question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from agm.base import BeliefBase
from agm.claims import And, Not, Or, negate
from agm.errors import AgmError
from agm.postulates.postulate import Refused
from agm.postulates.tables import members, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.beliefs import Belief
    from agm.changes import Change
    from agm.claims import Claim
    from agm.postulates.tables import Table

    Call: TypeAlias = "Callable[[BeliefBase, tuple[Claim, ...]], Change]"


class Situation:
    """A base as truth tables: `masks` and `ranks` by number, `meets` by set of numbers."""

    def __init__(
        self,
        beliefs: Sequence[Belief],
        *,
        tables: Table | None = None,
        claims: Sequence[Claim] = (),
    ) -> None:
        self.beliefs = tuple(beliefs)
        self.table = tables or table_of([*(belief.claim for belief in beliefs), *claims])
        self.base = BeliefBase(self.beliefs)
        self.masks = [self.table.mask(belief.claim) for belief in beliefs]
        self.ranks = [self.base.rank(belief) for belief in beliefs]
        self.all = (1 << len(beliefs)) - 1
        self.meets = [self.table.true]
        for part in range(1, self.all + 1):
            low = part & -part
            self.meets.append(self.meets[part ^ low] & self.masks[low.bit_length() - 1])

    def entails(self, part: int, goal: int) -> bool:
        """Whether a set of the beliefs entails what holds in the worlds of `goal`."""
        return not self.meets[part] & ~goal

    def at_least(self, rank: float) -> int:
        """The beliefs of this rank or a higher one."""
        return sum(1 << place for place, own in enumerate(self.ranks) if own >= rank)

    def degree(self, goal: int) -> float:
        """The highest rank from which up the goal follows; 0 and infinity at the ends."""
        if self.table.true == goal:
            return float("inf")
        for rank in sorted(set(self.ranks), reverse=True):
            if self.entails(self.at_least(rank), goal):
                return rank
        return 0

    def part(self, numbers: int) -> Situation:
        """The situation of some of the beliefs alone."""
        some = [self.beliefs[number] for number in members(numbers)]
        return Situation(some, tables=self.table)


class Result(NamedTuple):
    """What an operator left: beliefs of the base, others as (mask, rank), and its worlds."""

    kept: int
    extra: tuple[tuple[int, int], ...]
    worlds: int
    ranks: tuple[int, ...]
    """The rank after the change of each belief of the base that was kept; 0 for the others."""


class Trial:
    """One operator at one base; every question is put to it once."""

    def __init__(self, call: Call, situation: Situation) -> None:
        self.call = call
        self.at = situation
        self._results: dict[tuple[Claim, ...], Result | None] = {}
        self._others: dict[object, Trial] = {}

    def result(self, *claims: Claim) -> Result:
        """What the operator leaves of the base; raises Refused when it declines."""
        if claims not in self._results:
            try:
                after = self.call(self.at.base, claims).after
            except AgmError:
                self._results[claims] = None
            else:
                self._results[claims] = read(self.at, after)
        found = self._results[claims]
        if found is None:
            raise Refused(f"no change of {self.at.base!r} by {list(map(str, claims))}")
        return found

    def part(self, numbers: int) -> Trial:
        """The same operator at some of the beliefs alone."""
        return self.other(numbers, lambda: self.at.part(numbers))

    def other(self, key: object, made: Callable[[], Situation]) -> Trial:
        """The same operator at another base, which is made when `key` is new."""
        if key not in self._others:
            self._others[key] = Trial(self.call, made())
        return self._others[key]


def read(at: Situation, after: BeliefBase) -> Result:
    """A base after a change, as beliefs of the situation and beliefs that are new to it."""
    places = {belief.id: place for place, belief in enumerate(at.beliefs)}
    kept, extra, worlds = 0, [], at.table.true
    ranks = [0] * len(at.beliefs)
    for belief in after:
        mask, rank = at.table.mask(belief.claim), after.rank(belief)
        worlds &= mask
        place = places.get(belief.id)
        if place is not None and at.beliefs[place].claim is belief.claim:
            kept |= 1 << place
            ranks[place] = rank
        else:
            extra.append((mask, rank))
    return Result(kept, tuple(sorted(extra)), worlds, tuple(ranks))


class Case:
    """An operator asked about one base and up to two claims, `alpha` and `gamma`.

    `a` and `g` are the worlds of the two; `canonical` says that claims of equal meaning are to be
    written alike, as an exhaustive search does to ask each question once.
    """

    def __init__(
        self, trial: Trial, alpha: Claim, gamma: Claim | None = None, *, canonical: bool = False
    ) -> None:
        self.trial = trial
        self.at = trial.at
        self.table = trial.at.table
        self.alpha = alpha
        self.gamma = alpha if gamma is None else gamma
        self.canonical = canonical
        self.a = self.table.mask(alpha)
        self.g = self.table.mask(self.gamma)

    @property
    def all(self) -> int:
        """Every belief of the base."""
        return self.at.all

    @property
    def result(self) -> Result:
        """What the operator leaves when asked about alpha."""
        return self.trial.result(self.alpha)

    @property
    def kept(self) -> int:
        """The beliefs that stay when the operator is asked about alpha."""
        return self.result.kept

    @property
    def lost(self) -> int:
        """The beliefs that go when the operator is asked about alpha."""
        return self.all & ~self.result.kept

    @property
    def second(self) -> Result:
        """What the operator leaves when asked about gamma."""
        return self.trial.result(self.gamma)

    @property
    def joined(self) -> Result:
        """What the operator leaves when asked about alpha and gamma at once, as one claim."""
        return self.trial.result(self.said(And([self.alpha, self.gamma])))

    @property
    def taken(self) -> bool:
        """Whether the result holds a belief of the meaning of alpha."""
        new = any(mask == self.a for mask, _ in self.result.extra)
        return new or any(self.at.masks[beta] == self.a for beta in members(self.kept))

    def tautology(self, mask: int) -> bool:
        """Whether a meaning is that of a logical truth."""
        return mask == self.table.true

    def said(self, claim: Claim) -> Claim:
        """The claim itself, or the canonical one of its meaning where that is wanted."""
        return self.table.claim(self.table.mask(claim)) if self.canonical else claim

    def denied(self, claim: Claim) -> Claim:
        """The denial of a claim."""
        return self.said(negate(claim))

    def variants(self) -> tuple[Claim, ...]:
        """Other ways to write alpha; none where claims are to be canonical."""
        if self.canonical:
            return ()
        alpha = self.alpha
        twice = Not(Not(alpha)) if not isinstance(alpha, Not) else Or([alpha, alpha])
        return twice, And([alpha, alpha]), self.table.claim(self.a)

"""Cases of base operators: a small base, the claims it is asked about, and what the operator does.

Beliefs are numbered in the order they are listed, and sets of them are written as bits. A `Trial`
is one operator at one base and remembers each answer; a `Case` adds the claims of one question.
Worlds that the constraints of the base rule out are left out of every mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from agm.base import DEFAULT_ORDER, BeliefBase
from agm.claims import And, Not, Or, negate
from agm.errors import AgmError
from agm.postulates.postulate import Refused
from agm.postulates.tables import meet, members, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.beliefs import Belief
    from agm.changes import Change
    from agm.claims import Claim
    from agm.entrenchment import EntrenchmentOrder
    from agm.postulates.tables import Table

    Call: TypeAlias = "Callable[[BeliefBase, tuple[Claim, ...]], Change]"


class Situation:
    """A base as truth tables: `masks` and `ranks` by number, `meets` by set of numbers.

    `true` has the worlds that the constraints allow.
    """

    def __init__(
        self,
        beliefs: Sequence[Belief],
        *,
        tables: Table | None = None,
        constraints: Sequence[Claim] = (),
        order: EntrenchmentOrder = DEFAULT_ORDER,
    ) -> None:
        self.beliefs = tuple(beliefs)
        claims = [*(belief.claim for belief in beliefs), *constraints]
        self.table = tables or table_of(claims)
        self.base = BeliefBase(self.beliefs, constraints=constraints, order=order)
        self.true = meet(map(self.table.mask, constraints), self.table.true)
        self.masks = [self.mask(belief.claim) for belief in beliefs]
        self.ranks = [self.base.rank(belief) for belief in beliefs]
        self.all = (1 << len(beliefs)) - 1
        self.meets = [self.true]
        for part in range(1, self.all + 1):
            low = part & -part
            self.meets.append(self.meets[part ^ low] & self.masks[low.bit_length() - 1])

    def mask(self, claim: Claim) -> int:
        """The worlds that the constraints allow and in which the claim is true."""
        return self.table.mask(claim) & self.true

    def entails(self, part: int, goal: int) -> bool:
        """Whether a set of the beliefs entails what holds in the worlds of `goal`."""
        return not self.meets[part] & ~goal

    def at_least(self, rank: float) -> int:
        """The beliefs of this rank or a higher one."""
        return sum(1 << place for place, own in enumerate(self.ranks) if own >= rank)

    def degree(self, goal: int) -> float:
        """The highest rank from which up the goal follows; 0 and infinity at the ends."""
        if self.true == goal:
            return float("inf")
        for rank in sorted(set(self.ranks), reverse=True):
            if self.entails(self.at_least(rank), goal):
                return rank
        return 0

    def part(self, numbers: int) -> Situation:
        """The situation of some of the beliefs alone."""
        return self.holding([self.beliefs[number] for number in members(numbers)])

    def holding(self, beliefs: Sequence[Belief]) -> Situation:
        """The situation of other beliefs under the same constraints and order."""
        return Situation(
            beliefs,
            tables=self.table,
            constraints=self.base.constraints,
            order=self.base.order,
        )


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
        self._told: dict[tuple[Claim, ...], str | None] = {}
        self._others: dict[object, Trial] = {}

    def result(self, *claims: Claim) -> Result:
        """What the operator leaves of the base; raises Refused when it declines."""
        if claims not in self._results:
            change = change_of(self.call, self.at.base, claims)
            after = None if change is None else self.at.base.apply(change)
            self._results[claims] = None if after is None else read(self.at, after)
            if change is not None and len(claims) == 1:
                self._told[claims] = class_told(self.at, change, claims[0])
        found = self._results[claims]
        if found is None:
            raise Refused(f"no change of {self.at.base!r} by {list(map(str, claims))}")
        return found

    def told(self, claim: Claim) -> str | None:
        """The class at which the operator is told a claim, where its change shows it."""
        self.result(claim)
        return self._told[(claim,)]

    def part(self, numbers: int) -> Trial:
        """The same operator at some of the beliefs alone."""
        return self.other(numbers, lambda: self.at.part(numbers))

    def other(self, key: object, made: Callable[[], Situation]) -> Trial:
        """The same operator at another base, which is made when `key` is new."""
        if key not in self._others:
            self._others[key] = Trial(self.call, made())
        return self._others[key]


def answer_of(call: Call, base: BeliefBase, claims: tuple[Claim, ...]) -> BeliefBase | None:
    """The base after what an operator under test decides; None when it declines.

    Raises StaleChange when the change was worked out for another base.
    """
    change = change_of(call, base, claims)
    return None if change is None else base.apply(change)


def change_of(call: Call, base: BeliefBase, claims: tuple[Claim, ...]) -> Change | None:
    """What an operator under test decides; None when it declines.

    A search that was cut off licenses nothing, so its change counts as declined.
    """
    try:
        change = call(base, claims)
    except AgmError:
        return None
    return change if change.complete else None


def class_told(at: Situation, change: Change, claim: Claim) -> str | None:
    """The class a claim has once it is told, as a change shows it; None where it does not.

    It is that of the belief that was added or turned away. A claim that is held already, of a rank
    that telling it does not raise, has the class that it had.
    """
    turned_away = () if change.rejection is None else (change.rejection.belief,)
    newcomers = [*change.added, *turned_away]
    shown = [*newcomers, *(loss.belief for loss in change.given_up)]
    own = [belief for belief in shown if belief.claim is claim]
    new = own or [belief for belief in newcomers if at.mask(belief.claim) == at.mask(claim)]
    held = at.base.held(claim)
    if not new:
        return None if held is None else held.entrenchment
    firmest: Belief = max(new, key=lambda belief: at.base.order.rank(belief.entrenchment))
    return firmest.entrenchment


def read(at: Situation, after: BeliefBase) -> Result:
    """A base after a change, as beliefs of the situation and beliefs that are new to it."""
    places = {belief.id: place for place, belief in enumerate(at.beliefs)}
    kept, extra, worlds = 0, [], at.true
    ranks = [0] * len(at.beliefs)
    for belief in after:
        mask, rank = at.mask(belief.claim), after.rank(belief)
        worlds &= mask
        place = places.get(belief.id)
        if place is not None and at.beliefs[place].claim is belief.claim:
            kept |= 1 << place
            ranks[place] = rank
        else:
            extra.append((mask, rank))
    return Result(kept, tuple(sorted(extra)), worlds, tuple(ranks))


class Case:
    """An operator asked about one base and some claims, the first two of them `alpha` and `gamma`.

    `a` and `g` are the worlds of the two; `canonical` says that claims of equal meaning are to be
    written alike, as an exhaustive search does to ask each question once.
    """

    def __init__(self, trial: Trial, *claims: Claim, canonical: bool = False) -> None:
        self.trial = trial
        self.at = trial.at
        self.table = trial.at.table
        self.claims = claims
        self.alpha = claims[0]
        self.gamma = claims[1] if len(claims) > 1 else claims[0]
        self.canonical = canonical
        self.a = self.at.mask(self.alpha)
        self.g = self.at.mask(self.gamma)

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
        """Whether a meaning is that of a truth: the constraints alone entail it."""
        return mask == self.at.true

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

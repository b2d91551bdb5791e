"""Epistemic entrenchment: the order of all sentences that a ranked base gives, and a base from one.

`Entrenchment` compares sentences by their degree: the highest rank from which up the base entails
them. It satisfies EE1-EE5 of Gärdenfors and Makinson (1988) for every consistent ranked base.
`ranked_base` goes back: from an entrenchment on finitely many sentences to a base with that order.
"""

from __future__ import annotations

from itertools import combinations

from agm.base import BeliefBase
from agm.beliefs import Belief, Frozen
from agm.claims import Truth, conjoin
from agm.entrenchment import EntrenchmentOrder
from agm.errors import AgmError
from agm.interning import set_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm.claims import Claim
    from agm.vocabulary import Vocabulary


class NotAnEntrenchment(AgmError, ValueError):
    """A relation that is no epistemic entrenchment: `postulate` it breaks, `claims` that show it."""

    def __init__(self, postulate: str, claims: Sequence[Claim], found: str) -> None:
        self.postulate = postulate
        self.claims = tuple(claims)
        super().__init__(
            f"asked for a base with this entrenchment, but it breaks {postulate}: {found}"
        )


class Entrenchment(Frozen):
    """How firmly a base holds each sentence; a total preorder of all sentences.

    >>> from agm import prop
    >>> p, q = prop("p"), prop("q")
    >>> firm = Entrenchment(BeliefBase([Belief(p, "core"), Belief(q, "observed")]))
    >>> firm.below(q, p), firm.degree(p & q) == firm.degree(q), firm.equal(p | q, p)
    (True, True, True)
    """

    __slots__ = ("_known", "base")
    base: BeliefBase
    _known: dict[Claim, float]

    def __init__(self, base: BeliefBase) -> None:
        set_field(self, "base", base)
        set_field(self, "_known", {})

    def degree(self, claim: Claim) -> float:
        """The degree: 0 when it does not follow, infinity for a tautology; raises NotDecided."""
        degree = self._known.get(claim)
        if degree is None:
            degree = self._known[claim] = self.base.degree(claim)
        return degree

    def at_most(self, one: Claim, other: Claim) -> bool:
        """Whether the first is at most as entrenched as the other (α ≤ β)."""
        return self.degree(one) <= self.degree(other)

    def below(self, one: Claim, other: Claim) -> bool:
        """Whether the first is less entrenched than the other (α < β)."""
        return self.degree(one) < self.degree(other)

    def equal(self, one: Claim, other: Claim) -> bool:
        """Whether both are equally entrenched."""
        return self.degree(one) == self.degree(other)

    def levels(self, claims: Iterable[Claim]) -> tuple[tuple[Claim, ...], ...]:
        """The claims by degree, most entrenched first; claims of one degree as they were listed."""
        found: dict[float, list[Claim]] = {}
        for claim in dict.fromkeys(claims):
            found.setdefault(self.degree(claim), []).append(claim)
        return tuple(tuple(found[degree]) for degree in sorted(found, reverse=True))

    def broken(self, claims: Iterable[Claim]) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
        """Which of EE1-EE5 fail among these claims, with the claims that show it; none as a rule.

        EE4 is asked of a consistent base only, as it is stated. Raises NotDecided.
        """
        return broken_postulates(self.base, list(dict.fromkeys(claims)), self.at_most)

    def __repr__(self) -> str:
        return f"<Entrenchment of {self.base!r}>"


def broken_postulates(
    base: BeliefBase, claims: Sequence[Claim], at_most: Callable[[Claim, Claim], bool]
) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
    """Which of EE1-EE5 a relation breaks among these claims, over the logic and beliefs of a base.

    EE1 transitivity; EE2 α ⊢ β gives α ≤ β; EE3 α ≤ α ∧ β or β ≤ α ∧ β; EE4 for a consistent base
    what does not follow is at most as entrenched as anything, and only that; EE5 what everything is
    at most as entrenched as follows from the constraints (Gärdenfors and Makinson 1988). "Anything"
    is read as the claims given, ⊥ and ⊤.
    """
    laws = BeliefBase((), constraints=base.constraints, vocabulary=base.vocabulary)
    ends = [*claims, Truth(False), Truth(True)]
    consistent = not base.entails(Truth(False))
    found: list[tuple[str, tuple[Claim, ...]]] = []
    for one, two in combinations(claims, 2):
        both = conjoin([one, two])
        if not (at_most(one, both) or at_most(two, both)):
            found.append(("EE3", (one, two)))
    for one in claims:
        bottom = all(at_most(one, other) for other in ends)
        if consistent and base.entails(one) == bottom:
            found.append(("EE4", (one,)))
        if all(at_most(other, one) for other in ends) and not laws.entails(one):
            found.append(("EE5", (one,)))
        for two in claims:
            if laws.entails(one >> two) and not at_most(one, two):
                found.append(("EE2", (one, two)))
            found += [
                ("EE1", (one, two, three))
                for three in claims
                if at_most(one, two) and at_most(two, three) and not at_most(one, three)
            ]
    return tuple(found)


def ranked_base(
    claims: Iterable[Claim],
    at_most: Callable[[Claim, Claim], bool],
    *,
    constraints: Iterable[Claim] = (),
    vocabulary: Vocabulary | None = None,
) -> BeliefBase:
    """The base whose degrees give back an entrenchment on finitely many sentences.

    `at_most(α, β)` says α ≤ β for the claims, ⊥ and ⊤. Sentences no more entrenched than ⊥ are not
    believed and left out, and so are those as entrenched as ⊤; each other is a belief of the class
    `level n`, counted from the weakest. Raises NotAnEntrenchment when the relation is not a total
    preorder, or when more entrenched sentences entail a less entrenched one.

    >>> from agm import prop
    >>> p, q = prop("p"), prop("q")
    >>> firm = Entrenchment(BeliefBase([Belief(p, "core"), Belief(q, "observed")]))
    >>> [(str(b.claim), b.entrenchment) for b in ranked_base([q, p, p | q], firm.at_most)]
    [('p', 'level 2'), ('p | q', 'level 2'), ('q', 'level 1')]
    """
    listed = list(dict.fromkeys(claims))
    levels = _levels([Truth(False), *listed, Truth(True)], at_most)
    held = [level for level in levels if Truth(False) not in level and Truth(True) not in level]
    top = len(held)
    names = [f"level {number}" for number in range(top, 0, -1)] or ["level 1"]
    beliefs = [
        Belief(claim, f"level {number}")
        for number, level in enumerate(held, start=1)
        for claim in level
    ]
    beliefs.sort(key=lambda belief: listed.index(belief.claim))
    order = EntrenchmentOrder(*names)
    base = BeliefBase(beliefs, constraints=constraints, order=order, vocabulary=vocabulary)
    _require_given_back(base, listed, levels)
    return base


def _levels(claims: Sequence[Claim], at_most: Callable[[Claim, Claim], bool]) -> list[list[Claim]]:
    """The claims by level, weakest first; NotAnEntrenchment when they are not totally preordered."""
    for one in claims:
        for two in claims:
            if not (at_most(one, two) or at_most(two, one)):
                raise NotAnEntrenchment("EE1-EE3", [one, two], f"{one} and {two} are not compared")
            for three in claims:
                if at_most(one, two) and at_most(two, three) and not at_most(one, three):
                    circle = f"{one} ≤ {two} ≤ {three}, but not {one} ≤ {three}"
                    raise NotAnEntrenchment("EE1", [one, two, three], circle)
    below = {claim: sum(at_most(other, claim) for other in claims) for claim in claims}
    levels: dict[int, list[Claim]] = {}
    for claim in claims:
        levels.setdefault(below[claim], []).append(claim)
    return [levels[count] for count in sorted(levels)]


def _require_given_back(
    base: BeliefBase, claims: Sequence[Claim], levels: Sequence[Sequence[Claim]]
) -> None:
    """Each claim has the degree of its level, or else the relation broke EE2 to EE5."""
    bottom = next(number for number, level in enumerate(levels) if Truth(False) in level)
    top = next(number for number, level in enumerate(levels) if Truth(True) in level)
    if bottom:
        raise NotAnEntrenchment("EE2", levels[0], f"{levels[0][0]} is below a contradiction")
    if top != len(levels) - 1:
        raise NotAnEntrenchment("EE2", levels[-1], f"{levels[-1][0]} is above a tautology")
    for number, level in enumerate(levels):
        expected = float("inf") if number == top else number
        for claim in level:
            if claim not in claims or number == bottom == top:
                continue
            degree = base.degree(claim)
            if degree > expected:
                found = f"more entrenched sentences entail {claim}"
                raise NotAnEntrenchment("EE2 or EE3", [claim], found)
            if degree < expected:
                found = f"{claim} is as entrenched as a tautology and is none"
                raise NotAnEntrenchment("EE5", [claim], found)

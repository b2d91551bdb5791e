"""Postulates of epistemic entrenchment (Gärdenfors and Makinson 1988), and of ranked bases.

A case is a ranked base and three sentences; the operator is a function that gives each sentence its
degree. The conditions on the raw ranks of a base are those of an ensconcement (Williams 1994).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import AgmError
from agm.postulates.common import SET, other_orders
from agm.postulates.postulate import PostulatesOf, Refused
from agm.postulates.tables import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.postulates.cases import Situation
    from agm.postulates.postulate import Postulate

GM = "Gärdenfors and Makinson 1988"
WILLIAMS = "Williams 1994"


class DegreeCase:
    """A ranked base, sentences a, b and c as sets of worlds, and the degrees that are under test."""

    def __init__(
        self,
        degree: Callable[[BeliefBase, Claim], float],
        situation: Situation,
        claims: tuple[Claim, Claim, Claim],
    ) -> None:
        self.at = situation
        self.table = situation.table
        self._degree = degree
        self._listings: dict[tuple[int, ...], DegreeCase] = {}
        self._claims = claims
        self.a, self.b, self.c = map(situation.mask, claims)
        self._known: dict[int, float] = {}

    def degree(self, mask: int) -> float:
        """The degree of the sentence of these worlds; raises Refused when the operator declines."""
        if mask not in self._known:
            try:
                self._known[mask] = self._degree(self.at.base, self.table.claim(mask))
            except AgmError as fault:
                raise Refused(f"no degree of {self.table.claim(mask)}") from fault
        return self._known[mask]

    def listed(self, places: tuple[int, ...]) -> DegreeCase:
        """The same of the base listed in another order, told by the places in this one."""
        if places not in self._listings:
            again = self.at.holding([self.at.beliefs[place] for place in places])
            self._listings[places] = DegreeCase(self._degree, again, self._claims)
        return self._listings[places]

    @property
    def k(self) -> int:
        """The worlds of the base."""
        return self.at.meets[self.at.all]


def raw_rank(base: BeliefBase, claim: Claim) -> float:
    """The rank of a belief that is this claim, 0 for others: no entrenchment, as EE2 and EE3 show."""
    held = base.held(claim)
    return 0 if held is None else base.rank(held)


_postulate = PostulatesOf[DegreeCase]("entrenchment")


def _chain(case: DegreeCase) -> bool:
    return case.degree(case.a) <= case.degree(case.b) <= case.degree(case.c)


@_postulate("α≤β ∧ β≤γ ⇒ α≤γ", source=GM, name="EE1", inputs=3, when=_chain)
def ee1(case: DegreeCase) -> bool:
    """Entrenchment is transitive."""
    return case.degree(case.a) <= case.degree(case.c)


@_postulate("α⊢β ⇒ α≤β", source=GM, name="EE2", inputs=2, when=lambda case: not case.a & ~case.b)
def ee2(case: DegreeCase) -> bool:
    """What follows is at least as entrenched as what it follows from."""
    return case.degree(case.a) <= case.degree(case.b)


@_postulate("α≤α∧β or β≤α∧β", source=GM, name="EE3", inputs=2)
def ee3(case: DegreeCase) -> bool:
    """A conjunction is as entrenched as one of its parts."""
    return min(case.degree(case.a), case.degree(case.b)) <= case.degree(case.a & case.b)


@_postulate("K⊬⊥ ⇒ (α∉K ⇔ ∀β: α≤β)", source=GM, name="EE4", when=lambda case: bool(case.k))
def ee4(case: DegreeCase) -> bool:
    """Just what is not believed is least entrenched."""
    least = case.degree(case.a) <= min(map(case.degree, parts(case.at.true)))
    return least == bool(case.k & ~case.a)


@_postulate(
    "(∀β: β≤α) ⇒ ⊢α",
    source=GM,
    name="EE5",
    when=lambda case: case.degree(case.a) >= case.degree(case.at.true),
)
def ee5(case: DegreeCase) -> bool:
    """Only logical truths are most entrenched."""
    return case.a == case.at.true


@_postulate("deg(β)≥r(β)", source=GM, name="lifted")
def lifted(case: DegreeCase) -> bool:
    """A belief is at least as entrenched as its rank says."""
    return all(
        case.degree(mask) >= rank for mask, rank in zip(case.at.masks, case.at.ranks, strict=True)
    )


@_postulate("deg(α∧β)=min(deg α, deg β)", source=GM, name="conjunction", inputs=2)
def conjunction(case: DegreeCase) -> bool:
    """A conjunction has the lower degree of its parts."""
    return case.degree(case.a & case.b) == min(case.degree(case.a), case.degree(case.b))


@_postulate("deg(α∨β)≥max(deg α, deg β)", source=GM, name="disjunction", inputs=2)
def disjunction(case: DegreeCase) -> bool:
    """A disjunction has at least the higher degree of its parts."""
    return case.degree(case.a | case.b) >= max(case.degree(case.a), case.degree(case.b))


@_postulate(
    "⊬β ⇒ {γ∈B: r(γ)>r(β)}⊬β",
    source=WILLIAMS,
    name="≼1 (ensconcement of the base)",
    when=lambda case: bool(case.at.beliefs),
)
def ensconced(case: DegreeCase) -> bool:
    """No belief follows from stronger ones; bases may break it, and then beliefs are lifted."""
    return all(
        mask == case.at.true or not case.at.entails(case.at.at_least(rank + 1), mask)
        for mask, rank in zip(case.at.masks, case.at.ranks, strict=True)
    )


@_postulate(
    "B listed in any order ⇒ the same degrees",
    source=SET,
    name="independence-of-listing",
    when=lambda case: len(case.at.beliefs) > 1,
)
def independence_of_listing(case: DegreeCase) -> bool:
    """The order in which beliefs with names of their own are listed does not matter."""
    own = case.degree(case.a)
    return all(own == case.listed(places).degree(case.a) for places in other_orders(case.at))


POSTULATES: tuple[Postulate[DegreeCase], ...] = (
    ee1,
    ee2,
    ee3,
    ee4,
    ee5,
    lifted,
    conjunction,
    disjunction,
    ensconced,
    independence_of_listing,
)
"""EE1 to EE5, what follows from them for the degrees of a base, and the condition ≼1 on its ranks."""

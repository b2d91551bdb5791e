"""Postulates that every operator on bases should keep, whatever it is for.

A base is a set: the order in which its beliefs are listed bears on nothing. And no change makes a
belief that stays easier to give up: only an explicit demotion does that, and an operator that lets
what it was told again fade breaks C3, C4 and independence (Darwiche and Pearl 1997).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agm.postulates.tables import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.postulates.cases import Case, Result, Situation
    from agm.postulates.postulate import Postulate, PostulatesOf

    Asked: TypeAlias = Callable[[Case], tuple[Claim, ...]]


SET = "determinism; a base is a set"


def by_alpha(case: Case) -> tuple[Claim, ...]:
    """The claims of a question of one claim."""
    return (case.alpha,)


def by_all(case: Case) -> tuple[Claim, ...]:
    """The claims of a question of several."""
    return case.claims


def _always(_: Case) -> bool:
    return True


def independent_of_listing(
    postulate: PostulatesOf[Case],
    asked: Asked,
    *,
    when: Callable[[Case], bool] = _always,
    name: str = "independence-of-listing",
) -> Postulate[Case]:
    """The postulate of a family that the order of listing does not matter.

    `asked` tells what the operator is asked of a case.
    """

    @postulate(
        "B listed in any order ⇒ the same R",
        source=SET,
        when=lambda case: len(case.at.beliefs) > 1 and not case.canonical and when(case),
        name=name,
    )
    def independence(case: Case) -> bool:
        """The order in which beliefs with names of their own are listed does not matter."""
        own = case.trial.result(*asked(case))
        return all(own == _listed(case, places, asked) for places in other_orders(case.at))

    return independence


def without_demotion(
    postulate: PostulatesOf[Case],
    asked: Asked,
    *,
    when: Callable[[Case], bool] = _always,
) -> Postulate[Case]:
    """The postulate of a family that what stays keeps at least its rank."""

    @postulate(
        "β∈B∩R ⇒ r(β) in R ≥ r(β) in B",
        source="only a demotion demotes: C3, C4 and Ind fail otherwise (Darwiche and Pearl 1997)",
        when=when,
        name="no demotion",
    )
    def no_demotion(case: Case) -> bool:
        """What is still believed is no easier to give up than before, and so what is told again."""
        result = case.trial.result(*asked(case))
        return all(_stays_firm(case, result, beta) for beta in range(len(case.at.beliefs)))

    return no_demotion


def _stays_firm(case: Case, result: Result, beta: int) -> bool:
    """Whether a belief is held as firmly as before, be it under another name, or not at all."""
    mask = case.at.masks[beta]
    ranks = [rank for other, rank in result.extra if other == mask]
    if result.kept >> beta & 1:
        ranks.append(result.ranks[beta])
    return not ranks or max(ranks) >= case.at.ranks[beta]


def _listed(case: Case, places: tuple[int, ...], asked: Asked) -> Result:
    """What the operator leaves of the base listed in another order, told by the places in this one."""
    beliefs = [case.at.beliefs[place] for place in places]
    again = case.trial.other(places, lambda: case.at.holding(beliefs)).result(*asked(case))
    ranks = [0] * len(places)
    for number, place in enumerate(places):
        ranks[place] = again.ranks[number]
    kept = sum(1 << places[number] for number in members(again.kept))
    return again._replace(kept=kept, ranks=tuple(ranks))


def other_orders(at: Situation) -> Iterator[tuple[int, ...]]:
    """Other orders of the beliefs: backwards, and one that is shuffled, the same for the same base."""
    start = tuple(range(len(at.beliefs)))
    yield start[::-1]
    text = " ".join(f"{belief.id} {belief.claim}" for belief in at.beliefs)
    shuffled = list(start)
    Random(text).shuffle(shuffled)  # noqa: S311  (an order that anyone can repeat)
    if tuple(shuffled) not in {start, start[::-1]}:
        yield tuple(shuffled)

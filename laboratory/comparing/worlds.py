"""Operators on theories and profiles, and updates of bases, beside their definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm import erase, merging, update
from agm import theories as library
from agm.theories import Theory
from laboratory.asking import TABLE, of_worlds
from laboratory.comparing.contractions import names
from laboratory.comparing.pairs import Pair, any_base, clashing
from laboratory.definitions import orders
from laboratory.definitions import worlds as by_definition
from laboratory.definitions.choices import one_of, some_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.changes import Change
    from agm.iterated import Preorder
    from laboratory.asking import BaseQuestion, WorldQuestion
    from laboratory.definitions.orders import Order
    from laboratory.definitions.worlds import Change as ChangeOfWorlds

    TheoryOperator = Callable[[Theory, Any], Theory]


def _pair(
    name: str,
    operator: Callable[[WorldQuestion], Any],
    definition: Callable[[WorldQuestion], Any],
    mattered: Callable[[WorldQuestion, Any], bool],
) -> Pair:
    return Pair(name, of_worlds, operator, definition, mattered)


def _theories(name: str, operator: TheoryOperator, definition: ChangeOfWorlds) -> Pair:
    """An operator that needs nothing but the theory and the claim."""
    return _pair(
        f"agm.theories.{name}",
        lambda q: operator(Theory(q.over, q.theory), q.goal).worlds,
        lambda q: definition(q.theory, q.goal, q.possible),
        lambda q, found: found != q.theory,
    )


def _of_order(
    name: str,
    make: Callable[[Preorder], TheoryOperator],
    definition: Callable[[Order, int], int],
) -> Pair:
    """A contraction that chooses by an order, asked about the theory of that order."""
    return _pair(
        f"agm.theories.{name}",
        lambda q: make(q.preorder)(q.preorder.theory, q.goal).worlds,
        lambda q: definition(q.order, q.goal),
        lambda q, found: found != orders.theory(q.order),
    )


def _levi_of(definition: Callable[[Order, int], int]) -> Callable[[Order, int], int]:
    def revised(order: Order, goal: int) -> int:
        return definition(order, by_definition.gathered(order) & ~goal) & goal

    return revised


def _levi_made(make: Callable[[Preorder], TheoryOperator]) -> Callable[[Preorder], TheoryOperator]:
    return lambda order: library.levi(make(order))


def _orderly(order: Order, goal: int) -> int:
    """The remainder with the best world, of equals the one of the lowest number."""
    possible = by_definition.gathered(order)
    return by_definition.partial_meet(
        orders.theory(order),
        goal,
        possible,
        lambda added: [min(added, key=lambda world: (order[world], world))],
    )


def _arbitrary_maxichoice(question: WorldQuestion) -> int:
    def choose(_: Theory, without: Theory) -> int:
        return one_of(by_definition.members(without.worlds), question.salt)

    operator = library.maxichoice(choose)
    return operator(Theory(question.over, question.theory), question.goal).worlds


def _arbitrary_meet(question: WorldQuestion) -> int:
    def select(_: Theory, without: Theory) -> Theory:
        chosen = some_of(by_definition.members(without.worlds), question.salt)
        return without.with_worlds(by_definition.gathered(chosen))

    operator = library.partial_meet(select)
    return operator(Theory(question.over, question.theory), question.goal).worlds


def _merging(name: str, definition: Callable[[tuple[int, ...], int], int]) -> Pair:
    def conflict(question: WorldQuestion, _: object) -> bool:
        agreed = question.goal
        for theory in question.profile:
            agreed &= theory
        return not agreed

    operator = merging.OPERATORS[name]
    return _pair(
        f"agm.merging.{name}",
        lambda q: operator([Theory(q.over, one) for one in q.profile], q.goal).worlds,
        lambda q: definition(q.profile, q.goal),
        conflict,
    )


def _updated(question: BaseQuestion, change: Change) -> tuple[object, ...]:
    """The worlds of the base afterwards, and which of its beliefs are left."""
    after = question.told.possible
    for belief in change.after:
        after &= TABLE.mask(belief.claim)
    ids = names(question.base)
    return after, frozenset(belief.id for belief in change.after if belief.id in ids)


def _moved(question: BaseQuestion, theory: int, goal: int) -> tuple[object, ...]:
    """PMA on the worlds; a belief stays when it holds in all worlds afterwards."""
    told = question.told
    after = theory | by_definition.pma(told.worlds(told.all), goal & told.possible, told.possible)
    return after, frozenset(one.name for one in told.entries if not after & ~one.worlds)


def _update(question: BaseQuestion) -> object:
    told, goal = question.told, question.goal
    if not told.worlds(told.all):
        return "NotDecided"
    return _moved(question, 0, goal) if goal & told.possible else "ImpossibleClaim"


def _erase(question: BaseQuestion) -> object:
    worlds = question.told.worlds(question.told.all)
    return _moved(question, worlds, ~question.goal) if worlds else "NotDecided"


def _changes(question: BaseQuestion, found: tuple[object, ...]) -> bool:
    return found[0] != question.told.worlds(question.told.all)


_FROM_AN_ORDER: dict[str, tuple[Callable[[Preorder], TheoryOperator], Any]] = {
    "orderly_maxichoice": (library.orderly_maxichoice, _orderly),
    "transitively_relational": (
        library.transitively_relational,
        orders.entrenchment_contraction,
    ),
    "severe_withdrawal": (library.severe_withdrawal, orders.severe_withdrawal),
}

_FROM_THE_THEORY: dict[str, tuple[TheoryOperator, ChangeOfWorlds]] = {
    "full_meet": (library.full_meet, by_definition.full_meet),
    "levi(full_meet)": (
        library.levi(library.full_meet),
        by_definition.levi(by_definition.full_meet),
    ),
    "dalal": (library.dalal, by_definition.dalal),
    "satoh": (library.satoh, by_definition.satoh),
    "harper(dalal)": (library.harper(library.dalal), by_definition.harper(by_definition.dalal)),
    "harper(satoh)": (library.harper(library.satoh), by_definition.harper(by_definition.satoh)),
    "pma": (library.pma, by_definition.pma),
    "forbus": (library.forbus, by_definition.forbus),
    "erasure(pma)": (library.erasure(library.pma), by_definition.erasure(by_definition.pma)),
    "erasure(forbus)": (
        library.erasure(library.forbus),
        by_definition.erasure(by_definition.forbus),
    ),
    "erasure(dalal)": (library.erasure(library.dalal), by_definition.erasure(by_definition.dalal)),
}

PAIRS = (
    *(_theories(name, *both) for name, both in _FROM_THE_THEORY.items()),
    *(_of_order(name, *both) for name, both in _FROM_AN_ORDER.items()),
    *(
        _of_order(
            f"levi({name})",
            _levi_made(make),
            _levi_of(definition),
        )
        for name, (make, definition) in _FROM_AN_ORDER.items()
    ),
    _pair(
        "agm.theories.maxichoice(arbitrary)",
        _arbitrary_maxichoice,
        lambda q: by_definition.partial_meet(
            q.theory, q.goal, q.possible, lambda added: [one_of(added, q.salt)]
        ),
        lambda q, found: found != q.theory,
    ),
    _pair(
        "agm.theories.partial_meet(arbitrary)",
        _arbitrary_meet,
        lambda q: by_definition.partial_meet(
            q.theory, q.goal, q.possible, lambda added: some_of(added, q.salt)
        ),
        lambda q, found: found != q.theory,
    ),
    _merging("sigma", by_definition.sigma),
    _merging("gmax", by_definition.gmax),
    Pair("agm.update", clashing, lambda q: _updated(q, update(q.base, q.claim)), _update, _changes),
    Pair("agm.erase", any_base, lambda q: _updated(q, erase(q.base, q.claim)), _erase, _changes),
)

"""Operators on preorders of worlds and on journals, beside their definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm import iterated
from agm.iterated import in_turn
from laboratory.asking import TABLE, of_worlds
from laboratory.comparing.pairs import Pair
from laboratory.definitions import orders
from laboratory.definitions.bases import Base, Entry
from laboratory.definitions.worlds import members

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.claims import Claim
    from agm.iterated import Journal, Preorder
    from laboratory.asking import WorldQuestion
    from laboratory.definitions.orders import Entries, Order


def _pair(
    name: str,
    operator: Callable[[WorldQuestion], Any],
    definition: Callable[[WorldQuestion], Any],
    mattered: Callable[[WorldQuestion, Any], bool],
) -> Pair:
    return Pair(f"agm.iterated.{name}", of_worlds, operator, definition, mattered)


def _order(preorder: Preorder) -> Order:
    return {world: rank for rank, level in preorder.items() for world in members(level)}


def _iterated(
    name: str,
    operator: Callable[[Preorder, Any, int], Preorder],
    definition: Callable[[Order, int, int], Order],
) -> Pair:
    """An operator on preorders, told one input after another."""

    def by_steps(question: WorldQuestion) -> Order:
        order = question.order
        for goal in question.inputs:
            order = definition(order, goal, question.told)
        return order

    return _pair(
        name,
        lambda q: _order(
            in_turn(lambda order, goal: operator(order, goal, q.told), q.inputs, start=q.preorder)
        ),
        by_steps,
        lambda q, found: orders.theory(found) != orders.theory(q.order),
    )


def _plain(operator: Callable[[Any, int], Any]) -> Callable[[Any, int, int], Any]:
    """The operator as one that is given a firmness and heeds none."""
    return lambda state, goal, _: operator(state, goal)


def _firm(operator: Callable[..., Any]) -> Callable[[Any, int, int], Any]:
    return lambda state, goal, firmness: operator(state, goal, firmness=firmness)


def _journals(
    name: str,
    operator: Callable[..., Journal],
    definition: Callable[[Entries, int, int], Entries],
) -> Pair:
    """A way of writing a journal: its entries, what is believed, and the order behind it."""

    def written(question: WorldQuestion) -> tuple[object, ...]:
        journal = iterated.Journal(question.over, question.entries)
        for goal in question.inputs:
            journal = operator(journal, goal, rank=question.told)
        return journal.entries, journal.theory.worlds, _order(journal.preorder)

    def by_steps(question: WorldQuestion) -> tuple[object, ...]:
        entries, possible = question.entries, question.possible
        for goal in question.inputs:
            entries = definition(entries, goal, question.told)
        order = orders.of_journal(entries, possible)
        return entries, orders.believed(entries, possible), order

    return _pair(
        name,
        written,
        by_steps,
        lambda q, found: found[1] != orders.believed(q.entries, q.possible),
    )


def _back_to_order(question: WorldQuestion) -> Order:
    """The order of the base that an order is turned into, read by definition."""
    base = question.preorder.to_base()
    mask = _mask(question)
    told = [
        Entry(number, belief.claim, mask(belief.claim), base.rank(belief))
        for number, belief in enumerate(base, start=1)
    ]
    return orders.of_base(Base(told, question.possible))


def _mask(question: WorldQuestion) -> Callable[[Claim], int]:
    every = (1 << (1 << len(question.over.simple))) - 1
    return lambda claim: TABLE.mask(claim) & every


PAIRS = (
    _iterated("natural", _plain(iterated.natural), _plain(orders.natural)),
    _iterated("lexicographic", _plain(iterated.lexicographic), _plain(orders.lexicographic)),
    _iterated("restrained", _plain(iterated.restrained), _plain(orders.restrained)),
    _iterated("bullet", _firm(iterated.bullet), orders.bullet),
    _iterated("conditionalise", _firm(iterated.conditionalise), orders.conditionalised),
    _iterated("dalal_rebuilt", _plain(iterated.dalal_rebuilt), _plain(orders.dalal_rebuilt)),
    _iterated("satoh_rebuilt", _plain(iterated.satoh_rebuilt), _plain(orders.satoh_rebuilt)),
    _iterated("amnesic", _plain(iterated.amnesic), _plain(orders.amnesic)),
    _journals("append", iterated.append, orders.append),
    _journals("reassert", iterated.reassert, orders.reassert),
    _journals("reassert_lowering", iterated.reassert_lowering, orders.reassert_lowering),
    _journals("delete_on_write", iterated.delete_on_write, orders.delete_on_write),
    _pair(
        "Preorder.degree",
        lambda q: q.preorder.degree(q.goal),
        lambda q: orders.degree(q.order, q.goal),
        lambda _, found: found > 0,
    ),
    _pair(
        "Preorder.to_base",
        _back_to_order,
        lambda q: orders.arranged({world: (rank,) for world, rank in q.order.items()}),
        lambda _, found: len(set(found.values())) > 2,
    ),
)

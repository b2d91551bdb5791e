"""Displays of many beliefs against listing the same beliefs as text, and how large they get.

Each pair shows one value both ways: as notebooks do, and as plain lines that say the same of every belief.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import (
    Belief,
    BeliefBase,
    Change,
    Consistent,
    EntrenchmentOrder,
    Explanation,
    Inconsistent,
    Loss,
    attr,
    prop,
)
from agm.values import Key
from agm_propagation import Justification, SupportGraph
from agm_store import open_store, utc
from agm_store.displays import SupportMap, TwoAxes
from agm_store.displays.axes import Known
from agm_store.listings import Review
from agm_store.receipts import Receipt
from agm_store.records import EntryId, Side
from agm_store.sequences import History, Sides, Timeline
from agm_store.tables import Reviews
from benchmarks.figures import measured
from benchmarks.timing import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Figure

MOST = 5.0
"""How many times longer than listing a display may take."""
LARGE = 1_000_000
"""The most characters of the display of ten times as many."""


class View(NamedTuple):
    """A value that has a display, and the same as lines of text."""

    name: str
    shown: Callable[[], str | None]
    listed: Callable[[], str]


def figures(count: int, *, rounds: int = 20) -> Iterator[Figure]:
    """For each display its time as a multiple of listing, and the size of one ten times as large."""
    large = {view.name: view.shown() or "" for view in views(10 * count)}
    for view in views(count):
        found = ratio(view.shown, view.listed, rounds=rounds, calls=(3, 3))
        note = f"{1000 * found.one:.2f} ms against {1000 * found.other:.2f} ms"
        name = f"{view.name} of {count:,} against listing them"
        yield measured(name, found.value, f"<= {MOST:g}", n=found.n, note=note)
    for name, html in large.items():
        assert html.startswith("<div")
        yield measured(f"characters of {name} of {10 * count:,}", len(html), f"<= {LARGE}", n=1)


def views(count: int) -> Iterator[View]:
    """Everything that can show so many beliefs."""
    yield from _of_core(count)
    yield from _of_sides(count)
    yield from _of_graphs(count)
    yield _world(count)


def _of_core(count: int) -> Iterator[View]:
    told = [
        Belief(attr(f"s{n}", "timeout") == n, "observed", source=f"log {n % 9}", id=f"t{n}")
        for n in range(count)
    ]
    base = BeliefBase(told)
    yield View("base", base._repr_html_, lambda: _lines(base))
    p, q = prop("p"), prop("q")
    losses = [Loss(one, [Belief(p >> q, id="rule")], against=q) for one in told]
    change = Change(base, q, given_up=losses, route="slot")
    yield View("change", change._repr_html_, lambda: str(change))
    receipt = Receipt(belief=told[0].id, entry=EntryId(1), retired=losses)
    yield View("receipt", receipt._repr_html_, lambda: _losses(losses))
    found = Explanation(q, kernels=[tuple(told)])
    yield View("explanation", found._repr_html_, lambda: str(found))
    model: Any = {Key("timeout", (f"s{n}",)): n for n in range(count)}
    able = Consistent("slot", model)
    yield View("consistent", able._repr_html_, lambda: _pairs(model))
    torn = Inconsistent("horn", [one.claim for one in told])
    yield View("inconsistent", torn._repr_html_, lambda: "\n".join(map(str, torn.core)))
    order = EntrenchmentOrder(*(f"class{n}" for n in range(count)))
    yield View("order", order._repr_html_, lambda: "\n".join(map(str, order.classes)))


def _of_sides(count: int) -> Iterator[View]:
    start, step = utc(2024, 1, 1), timedelta(hours=7)
    ttl = attr("cache", "ttl")
    sides = [
        Side(
            belief=f"b{n}",  # type: ignore[arg-type]
            claim=ttl == n,
            text=None,
            value=n,
            status="superseded",
            standing="not_in_force",
            valid_from=start + n * step,
            valid_to=start + (n + 1) * step,
            source=f"log {n % 9}",
            entry=EntryId(n + 1),
        )
        for n in range(count)
    ]

    def listed() -> str:
        return "\n".join(map(str, sides))

    for kind in (Sides, Timeline, History):
        yield View(kind.__name__.lower(), kind(sides, start)._repr_html_, listed)
    lines = [
        Known(EntryId(n), start + n * step, sides[n * count // 40 : (n + 1) * count // 40])
        for n in range(40)
    ]
    yield View("two axes", TwoAxes("ttl(cache)", lines, start)._repr_html_, listed)
    reviews = Reviews(
        Review(
            id=one.belief, new=one, old=one, machine=None, not_checked=(), options=("approve",),
            why=("untrusted source",), since=start,
        )
        for one in sides
    )  # fmt: skip
    yield View("inbox", reviews._repr_html_, lambda: str(reviews))


def _of_graphs(count: int) -> Iterator[View]:
    justified: list[Any] = [
        Justification(conclusion=f"p{n}(x)", premises=frozenset({f"p{n // 2}(x)", f"r{n % 50}"}))
        for n in range(1, count - 50)
    ]
    support = SupportGraph(justified)

    def listed() -> str:
        standing = support.supported(support.told)
        lines = [
            f"{b} {'stands' if b in standing else 'is out'}, by "
            + " or ".join(" and ".join(sorted(j.premises)) for j in support.justifications_of(b))
            for b in support.beliefs
        ]
        return "\n".join(lines)

    yield View("support graph", support._repr_html_, listed)
    standings = dict.fromkeys(support.beliefs, "believed")
    yield View("support map", SupportMap(support, standings)._repr_html_, listed)


def _world(count: int) -> View:
    store = open_store(None, principal="ada", clock=lambda: utc(2024, 1, 1))
    with store.transaction():
        for n in range(
            min(count, 1_000)
        ):  # of one store; that ten times as many are cut, others show
            store.tell(attr(f"s{n}", "timeout") == n)
    world = store.at()
    return View("world", world._repr_html_, lambda: "\n".join(map(str, world.believed)))


def _lines(base: BeliefBase) -> str:
    return "\n".join(
        f"{b.id}  {b.claim}  {b.entrenchment}  {base.rank(b)}  {b.source}" for b in base
    )


def _losses(losses: list[Loss]) -> str:
    return "\n".join(
        f"{one.belief.id}  {one.belief.claim}  {', '.join(b.id for b in one.kernel)}"
        for one in losses
    )


def _pairs(model: dict[Key, object]) -> str:
    return "\n".join(f"{key} = {value}" for key, value in model.items())

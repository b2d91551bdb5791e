"""A base, one belief of it, and an entrenchment order: as tables, graphs and flat records."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from agm.displays.graphs import NODES, Edge, Node, graph, linked, mermaid
from agm.displays.style import panel
from agm.displays.tables import ROWS, Cell, filled, table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.entrenchment import EntrenchmentOrder
    from agm.grounding import Binding

HEAD = ("belief", "claim", "class", "rank", "from", "to", "source", "rests on", "exceptions")


def of_base(base: BeliefBase) -> str:
    """The beliefs, strongest first, the constraints, and what rests on what."""
    shown = list(islice(base, ROWS))
    head, rows = filled(HEAD, [_row(belief, base.rank(belief)) for belief in shown])
    parts = [table(head, rows, total=len(base))] if shown else []
    if base.constraints:
        laws = ([Cell(str(claim), code=True)] for claim in base.constraints)
        parts.append(table(["constraints, never given up"], laws, total=len(base.constraints)))
    if any(belief.rests_on for belief in shown):
        nodes, edges = _resting(shown)
        parts.append(graph(linked(nodes, edges), edges, name="what rests on what"))
    count = len(base)
    title = f"{count:,} belief{'' if count == 1 else 's'}, strongest first"
    return panel(*parts, title=title if count else "no beliefs")


def of_belief(belief: Belief) -> str:
    """One belief and what is known of it."""
    head, rows = filled(HEAD, [[*_row(belief, None)]])
    return panel(table(head, rows))


def of_order(order: EntrenchmentOrder) -> str:
    """The preferences as a graph, the strongest on the left; of very many names a table of their ranks."""
    names = order.classes
    if len(names) > NODES:
        rows = ((name, str(order.rank(name))) for name in names[:ROWS])
        return panel(table(["name", "rank"], rows, total=len(names)), title="strongest first")
    return panel(graph(*_preferred(order), name="entrenchment order"), title="strongest first")


def base_records(base: BeliefBase) -> list[dict[str, object]]:
    """One flat row a belief, strongest first, as data frames take them."""
    return [
        {
            "belief": belief.id,
            "claim": str(belief.claim),
            "class": belief.entrenchment,
            "rank": base.rank(belief),
            "valid_from": belief.valid_from,
            "valid_to": belief.valid_to,
            "source": belief.source,
            "rests_on": ", ".join(belief.rests_on),
            "exceptions": len(belief.exceptions),
        }
        for belief in base
    ]


def base_mermaid(base: BeliefBase) -> str:
    """Beliefs and what rests on what, for Mermaid."""
    return mermaid(*_resting(base))


def order_records(order: EntrenchmentOrder) -> list[dict[str, object]]:
    """One row a name, strongest first."""
    return [{"name": name, "rank": order.rank(name)} for name in order.classes]


def order_mermaid(order: EntrenchmentOrder) -> str:
    """The preferences for Mermaid."""
    return mermaid(*_preferred(order))


def day(moment: datetime | None) -> str:
    """A moment as people read it, in UTC; nothing for none."""
    if moment is None:
        return ""
    from datetime import UTC

    text = moment.astimezone(UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    return text.removesuffix(":00").removesuffix(" 00:00")


def _row(belief: Belief, rank: int | None) -> tuple[str | Cell, ...]:
    return (
        belief.id,
        Cell(str(belief.claim), code=True),
        belief.entrenchment,
        "" if rank is None else str(rank),
        day(belief.valid_from),
        day(belief.valid_to),
        belief.source or "",
        ", ".join(belief.rests_on),
        "; ".join(sorted(map(_bound, belief.exceptions))) if belief.exceptions else "",
    )


def _bound(binding: Binding) -> str:
    return ", ".join(f"{variable} = {value}" for variable, value in binding)


def _resting(beliefs: Iterable[Belief]) -> tuple[list[Node], list[Edge]]:
    """The beliefs that take part in a support, then the others; premises that are not here are told apart."""
    listed = list(beliefs)
    here = {belief.id for belief in listed}
    edges = [
        Edge(premise, belief.id, dashed=premise not in here)
        for belief in listed
        for premise in dict.fromkeys(belief.rests_on)
    ]
    part = {end for edge in edges for end in (edge.source, edge.target)}
    listed.sort(key=lambda belief: belief.id not in part)
    nodes = [
        Node(b.id, f"{b.id}: {b.claim}", "held" if b.rests_on else "plain", b.entrenchment)
        for b in listed
    ]
    missing = sorted(part - here)
    return [*nodes, *(Node(name, name, "mute", "not in the base") for name in missing)], edges


def _preferred(order: EntrenchmentOrder) -> tuple[list[Node], list[Edge]]:
    nodes = [Node(name, f"{name} {order.rank(name)}", "plain", name) for name in order.classes]
    pairs = order.to_json()["preferences"]
    return nodes, [Edge(stronger, weaker) for stronger, weaker in pairs]  # type: ignore[attr-defined]

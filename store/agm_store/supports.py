"""The support graph of a store: what was told and derived, by claim, in the terms of `agm_propagation`.

A premise names a telling, and stands for the claim that it states: any telling of it will do.  So the
nodes of the graph are claims in canonical text; a statement of text alone is a node of its own,
``#id: its words``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm_propagation.records import Artefact, Justification
from agm_propagation.support import SupportGraph

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Entry


def node_of(context: Context, entry: Entry) -> str:
    """The node of what a telling states, by whichever names."""
    claim = context.body(entry.body).get("claim")
    return (
        claim if claim is not None else f"#{entry.entry_id}: {entry.body.get('text', 'redacted')}"
    )


def graph_of(
    context: Context, tellings: Iterable[Entry], artefacts: Iterable[Entry] = ()
) -> SupportGraph:
    """The support graph of some tellings and versions of artefacts."""
    named: dict[str, BeliefId] = {}

    def claim_of(belief: str) -> BeliefId:
        if belief not in named:
            named[belief] = cast("BeliefId", node_of(context, context.telling_entry(belief)))
        return named[belief]

    justifications = [
        Justification(
            conclusion=cast("BeliefId", node_of(context, entry)),
            premises=frozenset(map(claim_of, entry.body.get("because", ()))),
            source=entry.body.get("source") or None,
        )
        for entry in tellings
    ]
    made = [
        Artefact(
            id=entry.body["artefact"],
            version=entry.body["version"],
            rests_on=frozenset(map(claim_of, entry.body.get("because", ()))),
        )
        for entry in artefacts
    ]
    return SupportGraph(justifications, artefacts=made)


def whole_graph(context: Context) -> SupportGraph:
    """The support graph of everything that is in force now."""
    from agm_store.artefacts import latest

    entries = list(context.journal.entries(owner=context.owner))
    ledger = context.fold(entries)
    now = context.now()
    live = {t.seq for t in ledger.tellings.values() if ledger.in_force(t, now)}
    names = sorted({e.body["artefact"] for e in entries if e.body["op"] == "artefact"})
    made = [found for name in names if (found := latest(context, name)) is not None]
    return graph_of(context, [e for e in entries if e.seq in live], made)


def whole_network(context: Context) -> nx.DiGraph[str]:
    """The same as a networkx graph, in which a node is IN where it is believed now."""
    from agm_propagation.views import network
    from agm_store.worlds import world_now

    graph = whole_graph(context)
    world = world_now(context)
    believed = {node_of(context, context.telling_entry(side.belief)) for side in world.believed}
    return network(graph, held=believed, blocked={b for b in graph.beliefs if b not in believed})

"""What stands by what in a store, each claim in the colour of its standing now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.displays.graphs import mermaid
from agm.displays.style import panel
from agm_propagation.displays import parts_of, picture_of
from agm_store.displays.sides import STANDINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx

    from agm.displays.style import Tone
    from agm_propagation.support import SupportGraph
    from agm_store.beliefs import BeliefStore


class SupportMap:
    """A support graph with the standing of each claim that it speaks of."""

    __slots__ = ("standings", "support")

    def __init__(self, support: SupportGraph, standings: Mapping[str, str]) -> None:
        self.support = support
        self.standings = dict(standings)

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The same as a networkx graph, IN where it is believed."""
        from agm_propagation.views import network

        believed = {node for node in self.support.beliefs if self._believed(node)}
        return network(self.support, held=believed, blocked={*self.support.beliefs} - believed)

    def to_records(self) -> list[dict[str, object]]:
        """One flat row a claim, for data frames: its standing, and how many ways support it."""
        return [
            {
                "claim": node,
                "standing": self.standings.get(node, "not_in_force"),
                "justifications": len(self.support.justifications_of(node)),
            }
            for node in self.support.beliefs
        ]

    def to_mermaid(self) -> str:
        """The graph as a flowchart for Mermaid."""
        return mermaid(*parts_of(self.support, self._tones(), self.standings))

    def _repr_html_(self) -> str:
        """The graph as a picture, and what its colours say."""
        picture, left = picture_of(self.support, self._tones(), self.standings)
        shown = sorted({self.standings.get(node, "not_in_force") for node in self.support.beliefs})
        words = ", ".join(f"{word.replace('_', ' ')}: {_NAMES[STANDINGS[word]]}" for word in shown)
        return panel(picture, title="what stands by what", notes=[words, *left])

    def __repr__(self) -> str:
        believed = sum(map(self._believed, self.support.beliefs))
        return f"<SupportMap: {len(self.support)} claims, {believed} of them believed>"

    def _believed(self, node: str) -> bool:
        return self.standings.get(node) == "believed"

    def _tones(self) -> dict[str, Tone]:
        return {
            node: STANDINGS[self.standings.get(node, "not_in_force")]
            for node in self.support.beliefs
        }


_NAMES: dict[Tone, str] = {"good": "green", "warn": "amber", "mute": "grey"}


def support_map(store: BeliefStore, /) -> SupportMap:
    """What is told and derived now and what stands by it, each claim with its standing.

    Raises:
        NotDecided: what is believed was not found out.
    """
    from agm_store.supports import node_of

    world = store.at()
    context = world.context
    standings: dict[str, str] = {}
    for belief, word in world.standings().items():
        node = node_of(context, context.telling_entry(belief))
        if standings.get(node) != "believed":
            standings[node] = word
    return SupportMap(store.support_graph(), standings)

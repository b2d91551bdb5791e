"""A support graph as a picture: what stands by itself, what stands by it, and what is out.

A justification by one premise is an arrow, one by several a dot in which their arrows meet. Beliefs that
take part in a justification come first, for a large graph is drawn in part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.displays.graphs import NODES, Edge, Node, graph, linked, mermaid
from agm.displays.style import panel
from agm.displays.tables import more

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agm.displays.style import Tone
    from agm_propagation.records import Justification
    from agm_propagation.support import SupportGraph


def of_support(support: SupportGraph) -> str:
    """The graph as a picture, each belief green where it stands by what was told."""
    picture, notes = picture_of(support, *_states(support))
    return panel(picture, title=repr(support)[1:-1], notes=["stands: green, out: grey", *notes])


def support_mermaid(support: SupportGraph) -> str:
    """The whole graph as a flowchart for Mermaid."""
    return mermaid(*parts_of(support, *_states(support)))


def support_records(support: SupportGraph) -> list[dict[str, object]]:
    """One flat row a justification, for data frames."""
    return [
        {
            "conclusion": one.conclusion,
            "premises": ", ".join(sorted(one.premises)),
            "source": one.source,
        }
        for one in support.justifications
    ]


def picture_of(
    support: SupportGraph, tones: Mapping[str, Tone], words: Mapping[str, str]
) -> tuple[str, list[str]]:
    """The picture of what supports and is supported, as far as it goes, and a note of what is left out."""
    nodes, edges = parts_of(support, tones, words, most=NODES)
    shown = linked(nodes, edges)[:NODES]
    left = len(support) - sum(node.id in support for node in shown)
    return graph(shown, edges, name="support"), [more(left)] if left else []


def parts_of(
    support: SupportGraph,
    tones: Mapping[str, Tone],
    words: Mapping[str, str],
    *,
    most: int | None = None,
) -> tuple[list[Node], list[Edge]]:
    """Nodes and arrows: beliefs in these tones, with a word for each in its hint; no more than ``most`` nodes."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []

    def name(belief: str) -> None:
        if belief not in nodes:
            tone, word = tones.get(belief, "mute"), words.get(belief, "out")
            nodes[belief] = Node(belief, belief, tone, f"{belief}: {word.replace('_', ' ')}")

    for number, one in enumerate(_derived(support)):
        if most is not None and len(nodes) >= most:
            break
        dashed = any(tones.get(premise, "mute") == "mute" for premise in one.premises)
        for belief in (*sorted(one.premises), one.conclusion):
            name(belief)
        joint: str = one.conclusion
        if len(one.premises) > 1:
            joint = f"\0{number}"  # which no belief is called
            nodes[joint] = Node(joint, "", "plain", f"justification of {one.conclusion}")
            edges.append(Edge(joint, one.conclusion, dashed=dashed))
        edges += [Edge(premise, joint, dashed=dashed) for premise in sorted(one.premises)]
    for artefact in support.artefacts:
        own = f"\0artefact {artefact.id}"
        nodes[own] = Node(own, artefact.id, "held", f"artefact {artefact.id}")
        for belief in sorted(artefact.rests_on):
            name(belief)
            edges.append(Edge(belief, own))
    for belief in support.beliefs:
        if most is not None and len(nodes) >= most:
            break
        name(belief)
    return list(nodes.values()), edges


def _derived(support: SupportGraph) -> Iterator[Justification]:
    return (one for one in support.justifications if one.premises)


def _states(support: SupportGraph) -> tuple[dict[str, Tone], dict[str, str]]:
    standing = support.supported(support.told)
    tones: dict[str, Tone] = {b: "good" if b in standing else "mute" for b in support.beliefs}
    return tones, {b: "stands" if b in standing else "out" for b in support.beliefs}

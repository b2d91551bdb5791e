"""The support graph for people and tools: a networkx graph, and GraphML.

Three kinds of nodes. A belief has its id for a name; a justification and an artefact have names that
say so. Edges lead from what supports to what is supported: premise to justification, justification
to conclusion, belief to artefact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_propagation.errors import NotWritable

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

    from agm_propagation.support import SupportGraph


def network(
    support: SupportGraph, *, held: Iterable[str] | None = None, blocked: Iterable[str] = ()
) -> nx.DiGraph[str]:
    """Beliefs, justifications and artefacts as the nodes of a frozen graph, in a fixed order.

    Each node has `kind` ("belief", "justification" or "artefact") and `state` ("IN" or "OUT") for
    these beliefs held by themselves, by default `SupportGraph.told`, and those blocked. A premise that
    nothing justifies counts as told: of a store, which knows what was withdrawn, `support_network` has
    the states. A justification that can fire, and an artefact that rests on beliefs which all stand,
    are IN. A justification has `source` when it names one, an artefact `version`. Raises NotInGraph.

    >>> from agm_propagation import Justification, SupportGraph
    >>> view = network(SupportGraph([Justification(conclusion="wet", premises={"rain"})]))
    >>> list(view.edges)
    [('rain', 'justification 1 of wet'), ('justification 1 of wet', 'wet')]
    """
    import networkx as nx

    view: nx.DiGraph[str] = nx.DiGraph()
    standing = support.supported(support.told if held is None else held, blocked=blocked)
    for belief in support.beliefs:
        view.add_node(belief, kind="belief", state=_state(belief in standing))
    for belief in support.beliefs:
        for count, one in enumerate(support.justifications_of(belief), start=1):
            name = _free(f"justification {count} of {belief}", view)
            whole = one.premises <= standing if one.premises else belief in standing
            source = {} if one.source is None else {"source": one.source}
            view.add_node(name, kind="justification", state=_state(whole), **source)
            view.add_edges_from((premise, name) for premise in sorted(one.premises))
            view.add_edge(name, belief)
    for artefact in support.artefacts:
        name = _free(f"artefact {artefact.id}", view)
        whole = artefact.rests_on <= standing
        view.add_node(name, kind="artefact", state=_state(whole), version=artefact.version)
        view.add_edges_from((belief, name) for belief in sorted(artefact.rests_on))
    nx.freeze(view)
    return view


def graphml(view: nx.DiGraph[str]) -> str:
    """A graph of `network` as GraphML, which networkx, Gephi, yEd and igraph read; raises NotWritable."""
    import networkx as nx

    for node, parts in view.nodes(data=True):
        for text in (node, *parts.values()):
            if isinstance(text, str) and not all(map(_carried, text)):
                raise NotWritable(text)
    return "\n".join(nx.generate_graphml(view)) + "\n"


def _state(believed: bool) -> str:  # noqa: FBT001  (one flag, one word)
    return "IN" if believed else "OUT"


def _free(name: str, view: nx.DiGraph[str]) -> str:
    """The name, with strokes added where a belief is called so."""
    while name in view:
        name += "'"
    return name


def _carried(char: str) -> bool:
    """Whether XML 1.0 has a way to write a character (production 2, Char); a return comes back as a newline."""
    return (
        char in "\t\n" or " " <= char < "\ud800" or "\ue000" <= char < "\ufffe" or char > "\uffff"
    )

"""The third primitive: a graph of boxes and arrows, as a picture and as a text for Mermaid."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agm.displays.drawing import box, picture, reach, scrolling, solid, stroke, written
from agm.displays.layers import placed
from agm.displays.style import TONES, toned
from agm.displays.tables import more
from agm.displays.texts import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.displays.style import Tone

NODES = 60
"""The most nodes that a picture shows."""

LABEL = 48
"""The most characters of the label of a node."""

_HIGH, _DOT, _MARGIN = 22.0, 8.0, 8.0


class Node(NamedTuple):
    """A box with a label, or a dot where it has none."""

    id: str
    label: str
    tone: Tone = "plain"
    hint: str = ""


class Edge(NamedTuple):
    """An arrow from what supports, or is stronger, to the other; dashed where it does not bear now."""

    source: str
    target: str
    dashed: bool = False


def graph(
    nodes: Iterable[Node], edges: Iterable[Edge], *, most: int = NODES, name: str = "graph"
) -> str:
    """A graph as a picture in a scrolling box: the first nodes, the arrows between them, and a note of the rest."""
    listed = list(nodes)
    most = max(0, most)
    shown = listed[:most]
    number = {node.id: place for place, node in enumerate(shown)}
    kept = [edge for edge in edges if edge.source in number and edge.target in number]
    sizes = [
        (reach(node.label, LABEL) + 16, _HIGH) if node.label else (_DOT, _DOT) for node in shown
    ]
    found = placed(sizes, [(number[edge.source], number[edge.target]) for edge in kept])
    arrows: list[str] = []
    for edge, bends in zip(kept, found.bends, strict=True):
        one, two = number[edge.source], number[edge.target]
        if one == two:
            arrows += _loop(found.middles[one], sizes[one])
        else:
            ends = found.middles[one], found.middles[two]
            arrows += _arrow(ends, bends, (sizes[one][0], sizes[two][0]), dashed=edge.dashed)
    boxes = [
        part
        for node, middle, size in zip(shown, found.middles, sizes, strict=True)
        for part in _node(node, middle, size)
    ]
    width, height = found.width + 2 * _MARGIN, found.height + 2 * _MARGIN
    svg = picture([*arrows, *boxes], width, height, name=name)
    return scrolling(svg, more(len(listed) - most) if len(listed) > most else "")


def linked(nodes: Iterable[Node], edges: Iterable[Edge]) -> list[Node]:
    """The nodes that an arrow leads to or from; all of them where there is no arrow."""
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    listed = list(nodes)
    return [node for node in listed if node.id in ends] or listed


def mermaid(nodes: Iterable[Node], edges: Iterable[Edge]) -> str:
    """The same graph as a flowchart for Mermaid, whole, with the colours of the light theme.

    >>> print(mermaid([Node("a", "rain"), Node("b", 'say "hi"')], [Edge("a", "b")]))
    flowchart LR
      n0["rain"]:::plain
      n1["say #quot;hi#quot;"]:::plain
      n0 --> n1
      classDef plain fill:#f4f4f5,stroke:#77777d,color:#18181b
    """
    listed = list(nodes)
    names = {node.id: f"n{place}" for place, node in enumerate(listed)}
    lines = ["flowchart LR"]
    for node in listed:
        shape = f'["{_entities(node.label)}"]' if node.label else '((" "))'
        lines.append(f"  {names[node.id]}{shape}:::{toned(node.tone)}")
    for edge in edges:
        if edge.source in names and edge.target in names:
            arrow = "-.->" if edge.dashed else "-->"
            lines.append(f"  {names[edge.source]} {arrow} {names[edge.target]}")
    for tone in sorted({toned(node.tone) for node in listed}):
        ground, line, *_ = TONES[tone]
        lines.append(f"  classDef {tone} fill:{ground},stroke:{line},color:#18181b")
    return "\n".join(lines)


def _entities(text: str) -> str:
    """A label in which whatever Mermaid or HTML would read as markup is written as its number or name."""
    named = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;"}
    return "".join(
        named.get(c) or (f"#{ord(c)};" if c in "#`;\\[]{}()|'" else c) for c in cut(text, 200)
    )


def _node(node: Node, middle: tuple[float, float], size: tuple[float, float]) -> list[str]:
    x = middle[0] - size[0] / 2 + _MARGIN
    y = middle[1] - size[1] / 2 + _MARGIN
    hint = node.hint or node.label
    parts = [box(x, y, *size, tone=node.tone, hint=hint)]
    if node.label:
        ink = "agm-past" if node.tone == "mute" else "agm-in"
        parts.append(written(x + 8, y + 15, node.label, columns=LABEL, kind=ink, hint=hint))
    return parts


def _arrow(
    ends: Sequence[tuple[float, float]],
    bends: Sequence[tuple[float, float]],
    widths: tuple[float, float],
    *,
    dashed: bool,
) -> list[str]:
    """An arrow that leaves a box at its side, goes through the bends and ends at the side of the other."""
    (ax, ay), (bx, by) = ends
    way = 1.0 if bx >= ax else -1.0
    first = (ax + way * widths[0] / 2, ay)
    last = (bx - way * (widths[1] / 2 + 6), by)
    points = [(x + _MARGIN, y + _MARGIN) for x, y in (first, *bends, last)]
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (x1 + x2) / 2
        path += f"C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    tip_x, tip_y = points[-1]
    head = f"M{tip_x:.1f} {tip_y - 3.5:.1f}l{way * 6:.1f} 3.5l{-way * 6:.1f} 3.5z"
    return [stroke(path, dashed=dashed), solid(head)]


def _loop(middle: tuple[float, float], size: tuple[float, float]) -> list[str]:
    """An arrow from a box to itself, above it."""
    x, y = middle[0] + _MARGIN, middle[1] - size[1] / 2 + _MARGIN
    return [
        stroke(f"M{x - 8:.1f} {y:.1f}c-4 -9 20 -9 16 -2"),
        solid(f"M{x + 5:.1f} {y - 4:.1f}h6l-3 4z"),
    ]

"""What propagation is measured on: small random nets with steps, and layered graphs of any size.

A net is made of whole numbers, so that each side gives them names of its own. Base beliefs are told and
can be retired; derived ones have justifications, which are a conclusion and its premises.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from agm_propagation import Justification, SupportGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Rule: TypeAlias = tuple[int, tuple[int, ...]]

BASE, DERIVED = 4, 8
_STEPS = 12


class Net(NamedTuple):
    """Beliefs 0 to BASE - 1 are told, the DERIVED next ones follow from rules; then steps are taken.

    A step is a verb and what it is done to: "retire" or "hold" a base belief, "add" or "remove" a rule.
    """

    rules: list[Rule]
    steps: list[tuple[str, int | Rule]]


def random_net(seed: int, *, circles: bool) -> Net:
    """One of the nets: without any circle in any state, or with at least one from the start."""
    draw = random.Random(f"{seed} {circles}")
    while True:
        rules = list(
            dict.fromkeys(_rule(draw, circles=circles) for _ in range(draw.randint(8, 16)))
        )
        if circles == has_circle(rules):
            return Net(rules, list(_steps(draw, rules, circles=circles)))


def _rule(draw: random.Random, *, circles: bool) -> Rule:
    conclusion = draw.randrange(BASE, BASE + DERIVED)
    among = range(BASE + DERIVED if circles else conclusion)
    return conclusion, tuple(sorted(draw.sample(among, draw.choice((1, 1, 2, 2, 3)))))


def _steps(
    draw: random.Random, rules: Iterable[Rule], *, circles: bool
) -> Iterator[tuple[str, int | Rule]]:
    """Steps that each change something; a third of them revert the step before."""
    present, held = list(rules), set(range(BASE))
    undo: tuple[str, int | Rule] | None = None
    for _ in range(_STEPS):
        if undo is not None and draw.random() < 1 / 3:
            verb, what = undo
        elif draw.random() < 1 / 3:
            verb, what = "add", _rule(draw, circles=circles)
        else:
            what = draw.randrange(BASE)
            verb = "retire" if what in held else "hold"
        if verb == "add" and what in present:
            continue
        undo = {"add": "remove", "remove": "add", "hold": "retire", "retire": "hold"}[verb], what
        for kept, comes, goes in ((present, "add", "remove"), (held, "hold", "retire")):
            if verb == comes:
                (kept.append if isinstance(kept, list) else kept.add)(what)
            elif verb == goes:
                kept.remove(what)
        yield verb, what


def has_circle(rules: Iterable[Rule]) -> bool:
    """Whether some belief is among what it rests on."""
    import networkx as nx

    links = [(premise, conclusion) for conclusion, premises in rules for premise in premises]
    return not nx.is_directed_acyclic_graph(nx.DiGraph(links))


def least_fixpoint(rules: Iterable[Rule], held: Iterable[int]) -> set[int]:
    """What stands, by going through all rules until nothing is new."""
    rules, standing = list(rules), set(held)
    while True:
        new = {conclusion for conclusion, premises in rules if standing.issuperset(premises)}
        if new <= standing:
            return standing
        standing |= new


class Layers(NamedTuple):
    """A layered graph: each belief rests on two of the layer below, some also on two others."""

    width: int
    height: int
    second: float = 0.3
    """The share of beliefs with a second justification."""

    @property
    def size(self) -> int:
        """How many beliefs there are."""
        return self.width * self.height

    def rules(self) -> Iterator[Rule]:
        """The rules of all layers but the lowest, which is told; the same each time."""
        draw = random.Random(self.width)
        for place in range(self.width, self.size):
            below = range(place - place % self.width - self.width, place - place % self.width)
            for _ in range(1 + (draw.random() < self.second)):
                yield place, tuple(draw.sample(below, 2))


def name(place: int) -> str:
    """The id of a belief in a layered graph."""
    return f"n{place:07}"


def support_graph(layers: Layers) -> SupportGraph:
    """The layered graph as ours."""
    return SupportGraph(justifications(layers))


def justifications(layers: Layers) -> Iterator[Justification]:
    """The layered graph in records."""
    for place in range(layers.width):
        yield Justification(conclusion=name(place), source="diary")
    for conclusion, premises in layers.rules():
        yield Justification(conclusion=name(conclusion), premises=frozenset(map(name, premises)))

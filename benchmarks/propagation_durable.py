"""What a retraction costs where everything is written down: entries, flags and the reading, in a file.

The layered graph of `propagation_retraction`, told to a store. A retraction there reads what rests on the
belief and what that rests on in turn, and writes one flag for each conclusion that lost its support; it is
undone by a revert before the next round, so the journal grows while it is measured.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agm import attr
from agm_store import open_store
from benchmarks.figures import measured
from benchmarks.propagation_nets import Layers, name, support_graph
from benchmarks.timing import exponent, quiet, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_propagation import Labels
    from agm_store import BeliefStore
    from benchmarks.figures import Figure


class Sizes(NamedTuple):
    """How much is measured."""

    layers: Layers = Layers(100, 100)
    affected: int = 50
    unaffected: tuple[int, ...] = (300, 3_000, 30_000)
    rounds: int = 5


FULL = Sizes()
QUICK = Sizes(Layers(6, 6), 5, (30, 100), 2)


def figures(folder: Path, sizes: Sizes) -> Iterator[Figure]:
    """The worst retraction in the layered graph, and how the cost grows with what is not touched."""
    yield worst(folder, sizes)
    yield beside(folder, sizes)


def worst(folder: Path, sizes: Sizes) -> Figure:
    """The retraction that takes most with it, as a multiple of the same with labels in memory."""
    layers = sizes.layers
    with open_store(folder / "layers.agm", principal="bench", synchronous="NORMAL") as store:
        ids: list[BeliefId] = []
        telling = seconds(lambda: _tell(store, layers, ids))
        graph = support_graph(layers)
        labels = graph.labels(graph.told)
        place = max(range(min(20, layers.width)), key=lambda n: _lost(labels, name(n)))
        memory = median(_in_memory(labels, name(place)) for _ in range(sizes.rounds))
        with quiet():
            taken, flags = zip(
                *(_retract(store, ids[place]) for _ in range(sizes.rounds)), strict=True
            )
    title = f"worst retraction of {layers.size:,} beliefs in a file: times labels in memory"
    note = (
        f"{median(taken) * 1e3:.3g} ms, {flags[0]:,} flags written, "
        f"{median(taken) * 1e6 / max(1, flags[0]):.3g} µs each; told in {telling:.3g} s; reported"
    )
    return measured(title, median(taken) / memory, ">= 0", n=sizes.rounds, note=note)


def beside(folder: Path, sizes: Sizes) -> Figure:
    """How the time of one retraction grows with beliefs that do not rest on what it withdraws."""
    medians: dict[int, float] = {}
    for rest in sizes.unaffected:
        with open_store(folder / f"{rest}.agm", principal="bench", synchronous="NORMAL") as store:
            first = _chain(store, "in", sizes.affected)
            for start in range(0, rest, sizes.affected):
                _chain(store, f"out{start}", min(sizes.affected, rest - start))
            with quiet():
                found = [_retract(store, first)[0] for _ in range(sizes.rounds)]
            medians[rest] = median(found)
    note = ", ".join(f"{rest:,}: {time * 1e3:.3g} ms" for rest, time in medians.items())
    span = f"{sizes.unaffected[0]:,} to {sizes.unaffected[-1]:,}"
    title = f"retraction of {sizes.affected} in a file beside {span} conclusions: growth exponent"
    return measured(title, exponent(medians), "<= 0.10", n=sizes.rounds, note=note)


def _tell(store: BeliefStore, layers: Layers, ids: list[BeliefId]) -> None:
    with store.transaction():
        ids += [store.tell(_says(number)).belief for number in range(layers.width)]
        for conclusion, premises in layers.rules():
            told = store.tell(_says(conclusion), because=[ids[p] for p in premises])
            if conclusion == len(ids):
                ids.append(told.belief)


def _says(number: int) -> Claim:
    return attr(f"n{number}", "state") == 1


def _chain(store: BeliefStore, stem: str, length: int) -> BeliefId:
    """A chain of conclusions; its first premise."""
    with store.transaction():
        first = last = store.tell(attr(f"{stem}-0", "state") == 1).belief
        for number in range(1, length):
            last = store.tell(attr(f"{stem}-{number}", "state") == 1, because=[last]).belief
    return first


def _retract(store: BeliefStore, belief: BeliefId) -> tuple[float, int]:
    """Seconds of a retraction that is then reverted, and how many flags it raised."""
    receipts = []
    taken = seconds(lambda: receipts.append(store.retract(belief)))
    store.revert(receipts[0].entry)
    return taken, len(receipts[0].flags)


def _lost(labels: Labels, belief: str) -> int:
    moved = labels.retire([belief])
    labels.hold([belief])
    return len(moved.lost)


def _in_memory(labels: Labels, belief: str) -> float:
    taken = seconds(lambda: labels.retire([belief]))
    labels.hold([belief])
    return taken

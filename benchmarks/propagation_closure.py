"""The dependency closure: everything downstream of a belief, against `networkx.descendants`.

The networkx graph is the leanest that can answer: an edge from each premise to each conclusion. Memory is
measured in two ways, each in a process of its own: how much a process grows by building the graph and
answering once (its resident peak), and what the answer alone takes at its peak (tracemalloc).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figures import measured, skipped
from benchmarks.propagation_nets import Layers, name, support_graph
from benchmarks.timing import ROUNDS, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from benchmarks.figures import Figure

ROOT = Path(__file__).resolve().parents[1]
_STATUS = Path("/proc/self/status")


class Sizes(NamedTuple):
    """How much is measured."""

    layers: Layers = Layers(1_000, 1_000)
    rounds: int = ROUNDS


FULL = Sizes()
QUICK = Sizes(Layers(20, 10), 2)


def figures(sizes: Sizes) -> Iterator[Figure]:
    """Time, memory of graph and answer, memory of the answer."""
    title = f"dependency closure over {sizes.layers.size:,} beliefs: "
    yield time(title, sizes)
    yield from memory(title, sizes.layers)


def time(title: str, sizes: Sizes) -> Figure:
    """How long both sides take; ours with the frozenset that its answer can be made into."""
    ours, theirs = (side(sizes.layers) for side in SIDES.values())
    found = frozenset(ours())
    if found != theirs():
        raise AssertionError("the two closures differ")
    one = ratio(lambda: frozenset(ours()), theirs, rounds=sizes.rounds)
    note = f"{one.one * 1e3:.4g} ms against {one.other * 1e3:.4g} ms, {len(found):,} found"
    return measured(title + "time, times networkx", one.value, "<= 0.6", n=one.n, note=note)


def memory(title: str, layers: Layers) -> Iterator[Figure]:
    """How both sides compare, each in a process that does nothing else."""
    kinds = {"resident": "memory of graph and answer", "traced": "memory of the answer"}
    for kind, what in kinds.items():
        full = f"{title}{what}, times networkx"
        if kind == "resident" and not _STATUS.exists():
            yield skipped(full, "<= 0.5", "no /proc here to read the peak of a process from")
            continue
        mine, yours = (in_process(side, kind, layers) for side in SIDES)
        how = "resident peak, VmHWM" if kind == "resident" else "tracemalloc peak"
        note = f"{mine / 1e6:.4g} MB against {yours / 1e6:.4g} MB, {how}"
        yield measured(full, mine / max(yours, 1), "<= 0.5", n=1, note=note)


def in_process(side: str, kind: str, layers: Layers) -> int:
    """Bytes that a fresh process needs for one closure."""
    arguments = [side, kind, str(layers.width), str(layers.height)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.propagation_closure", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def of_ours(layers: Layers) -> Callable[[], AbstractSet[str]]:
    """A closure of ours, with its graph built."""
    graph = support_graph(layers)
    root = [name(top(layers))]
    return lambda: graph.dependants(root)


def of_networkx(layers: Layers) -> Callable[[], AbstractSet[str]]:
    """The same with networkx."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    names = [name(place) for place in range(layers.size)]
    graph.add_nodes_from(names)
    for conclusion, premises in layers.rules():
        graph.add_edges_from((names[premise], names[conclusion]) for premise in premises)
    root = names[top(layers)]
    return lambda: nx.descendants(graph, root)


SIDES: dict[str, Callable[[Layers], Callable[[], AbstractSet[str]]]] = {
    "agm": of_ours,
    "networkx": of_networkx,
}


def top(layers: Layers) -> int:
    """A told belief that something rests on."""
    return next(premises[0] for _, premises in islice(layers.rules(), 1))


def resident() -> int:
    """The most memory this process ever had resident, in bytes.

    Not `resource.getrusage`: what that says of a child begins with the peak of its parent.
    """
    found = re.search(r"^VmHWM:\s+(\d+) kB", _STATUS.read_text(encoding="utf-8"), re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def main(side: str, kind: str, width: str, height: str) -> None:
    """Print how many bytes one closure took."""
    import networkx  # noqa: F401, ICN001  (both sides start with the same modules loaded)

    layers = Layers(int(width), int(height))
    before = resident() if kind == "resident" else 0
    answer = SIDES[side](layers)
    if kind == "traced":
        tracemalloc.start()
    found = answer()
    after = resident() if kind == "resident" else tracemalloc.get_traced_memory()[1]
    assert len(found) > 0
    print(after - before)


if __name__ == "__main__":
    main(*sys.argv[1:])

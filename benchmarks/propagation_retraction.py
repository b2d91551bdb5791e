"""What the retraction of one told belief costs: in a layered graph, against ltms, and as the rest grows.

In the layered graph each belief rests on two of the layer below, and some also on two others, so that one
belief of the lowest layer may take nearly everything with it; the worst is measured for each side. Labels
are in memory. Only the retraction is timed; what was retired is held again before the next round.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agm_propagation import Justification, SupportGraph
from benchmarks.figures import measured, skipped
from benchmarks.propagation_nets import Layers, name, support_graph
from benchmarks.timing import ROUNDS, growth, quiet, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from agm_propagation import Labels
    from benchmarks.figures import Figure

    Both: TypeAlias = tuple[Callable[[], object], Callable[[], object]]


class Sizes(NamedTuple):
    """How much is measured."""

    layers: Layers = Layers(100, 100)
    larger: tuple[Layers, ...] = (Layers(1_000, 100), Layers(1_000, 1_000))
    tried: int = 20
    """Of how many told beliefs of a larger graph the worst is taken."""
    affected: int = 200
    unaffected: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    rounds: int = ROUNDS


FULL = Sizes()
QUICK = Sizes(Layers(10, 10), (Layers(20, 10),), 3, 20, (100, 1_000), 2)


def figures(sizes: Sizes) -> Iterator[Figure]:
    """Against ltms, in larger graphs, and the exponent of what is not touched."""
    yield against_ltms(sizes)
    for layers in sizes.larger:
        yield alone(layers, sizes)
    yield unaffected(sizes)


def against_ltms(sizes: Sizes) -> Figure:
    """The worst retraction as a share of the worst of ltms."""
    layers = sizes.layers
    title = f"worst retraction of {layers.size:,} beliefs: times ltms"
    try:
        theirs = Theirs(layers)
    except ImportError:
        return skipped(title, "<= 1.0", "ltms is not installed; install the extra bench")
    ours = Ours(layers)
    told = range(layers.width)
    worst = {side: max(told, key=partial(typical, side)) for side in (ours, theirs)}
    times = retiring(
        {"ours": ours.both(worst[ours]), "theirs": theirs.both(worst[theirs])},
        rounds=sizes.rounds,
        calls=3,
    )
    value = median(a / b for a, b in zip(times["ours"], times["theirs"], strict=True))
    shown = " against ".join(f"{median(times[one]) * 1e3:.3g} ms" for one in ("ours", "theirs"))
    note = f"{shown}; {len(ours.lost(worst[ours])):,} beliefs lost"
    return measured(title, value, "<= 1.0", n=sizes.rounds, note=note)


def alone(layers: Layers, sizes: Sizes) -> Figure:
    """The retraction that takes most with it in a larger graph, in microseconds a belief lost."""
    ours = Ours(layers)
    worst = max(range(min(sizes.tried, layers.width)), key=lambda place: len(ours.lost(place)))
    lost = len(ours.lost(worst))
    rounds = max(2, sizes.rounds // 4)
    taken = median(retiring({"ours": ours.both(worst)}, rounds=rounds)["ours"])
    note = f"{taken * 1e3:.3g} ms, {lost:,} lost, the most of {sizes.tried} told beliefs; reported"
    title = f"worst retraction of {layers.size:,} beliefs: µs a belief lost"
    return measured(title, taken * 1e6 / lost, ">= 0", n=rounds, note=note)


def unaffected(sizes: Sizes) -> Figure:
    """How the time of steps grows with beliefs that they do not touch."""
    actions = {rest: partial(every_step, *tree(sizes.affected, rest)) for rest in sizes.unaffected}
    slope, medians = growth(actions, rounds=sizes.rounds, calls=15)
    span = f"{sizes.unaffected[0]:,} to {sizes.unaffected[-1]:,}"
    note = ", ".join(f"{rest:,}: {time * 1e3:.3g} ms" for rest, time in medians.items())
    title = f"retire, hold, add and remove over {sizes.affected:,} beliefs beside {span} others"
    title += ": growth exponent"
    return measured(title, slope, "<= 0.10", n=sizes.rounds, note=note)


class Ours:
    """The layered graph with all that is told in it held."""

    def __init__(self, layers: Layers) -> None:
        graph = support_graph(layers)
        self.labels = graph.labels(graph.told)

    def both(self, place: int) -> Both:
        """Retiring a told belief, and holding it again."""
        ids = [name(place)]
        return partial(self.labels.retire, ids), partial(self.labels.hold, ids)

    def lost(self, place: int) -> tuple[str, ...]:
        """What goes OUT with a told belief."""
        retire, hold = self.both(place)
        moved = retire()
        hold()
        return moved.lost


class Theirs:
    """The same with the JTMS of ltms; ImportError where it is not installed."""

    def __init__(self, layers: Layers) -> None:
        from ltms.jtms import JTMS

        self.system = JTMS()
        make = self.system.create_node
        self.nodes = [make(n, assumption=n < layers.width) for n in range(layers.size)]
        for conclusion, premises in layers.rules():
            needed = [self.nodes[premise] for premise in premises]
            self.system.justify_node("rule", self.nodes[conclusion], needed)
        for place in range(layers.width):
            self.system.enable_assumption(self.nodes[place])

    def both(self, place: int) -> Both:
        """Retracting an assumption, and enabling it again."""
        node, system = self.nodes[place], self.system
        return partial(system.retract_assumption, node), partial(system.enable_assumption, node)


def typical(side: Ours | Theirs, place: int) -> float:
    """How long the retraction of one told belief takes, from three."""
    return median(retiring({"one": side.both(place)}, rounds=3)["one"])


def retiring(actions: Mapping[str, Both], *, rounds: int, calls: int = 1) -> dict[str, list[float]]:
    """Seconds of the first of each pair in each round; the second undoes it and is not timed.

    A round stands for its median call. Every other round goes through the pairs backwards; a round that
    is not counted comes first.
    """
    names = list(actions)
    times: dict[str, list[float]] = defaultdict(list)
    with quiet():
        for count in range(-1, rounds):
            for one in names[:: -1 if count % 2 else 1]:
                times[one].append(median(timed(*actions[one]) for _ in range(calls)))
    return {one: found[1:] for one, found in times.items()}


def timed(act: Callable[[], object], undo: Callable[[], object]) -> float:
    """Seconds of the first call; the second follows."""
    taken = seconds(act)
    undo()
    return taken


def tree(affected: int, rest: int) -> tuple[Labels, Justification]:
    """A tree of beliefs, scattered among others that have nothing to do with it, and its first link."""
    stride = rest // affected + 1
    inside = [name(n * stride) for n in range(affected)]
    links = [
        Justification(conclusion=inside[n], premises=[inside[(n - 1) // 2]])
        for n in range(1, affected)
    ]
    others = [name(n) for n in range(affected + rest) if n % stride or n >= affected * stride]
    beside = [
        Justification(conclusion=other, premises=[others[n & ~7]])
        for n, other in enumerate(others)
        if n & 7
    ]
    return SupportGraph(links + beside).labels([inside[0], *others[::8]]), links[0]


def every_step(labels: Labels, first: Justification) -> None:
    """All the steps that run through the tree; they leave it as it was."""
    labels.retire([name(0)])
    labels.hold([name(0)])
    labels.remove(first)
    labels.add(first)

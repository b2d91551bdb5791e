"""Small support graphs, steps that change what is held of them, and slow answers to compare with."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from agm_propagation import Justification

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

BELIEFS = tuple(f"b{number}" for number in range(9))


class Step(NamedTuple):
    """One change: beliefs for hold, retire, block and unblock, a justification for add.

    What "remove" takes is chosen by number when its time comes; "revert" undoes the step before.
    """

    kind: str
    what: Any = None


def _subsets(names: Iterable[str], most: int) -> list[frozenset[str]]:
    names = tuple(names)
    return [frozenset(some) for size in range(most + 1) for some in combinations(names, size)]


def _premises(names: Sequence[str]) -> list[frozenset[str]]:
    """What may be premises, single ones more often: then more is derived."""
    pairs = _subsets(names, 2)
    return pairs + _subsets(names, 1) * (len(pairs) // (len(names) + 1))


def _stated(*, circles: bool) -> list[Justification]:
    """Every justification there may be; without circles, premises come before the conclusion."""
    return [
        Justification(conclusion=name, premises=premises, source=source)
        for place, name in enumerate(BELIEFS)
        for premises in _premises(BELIEFS if circles else BELIEFS[:place])
        for source in (None, "diary", "radio")
    ]


_STATED = {circles: _stated(circles=circles) for circles in (False, True)}
_SOME = _subsets(BELIEFS, 4)


def nets(*, circles: bool = True) -> st.SearchStrategy[list[Justification]]:
    """Some justifications, perhaps one of them many times."""
    return st.lists(st.sampled_from(_STATED[circles]), min_size=10, max_size=20)


def beliefs(most: int = 4) -> st.SearchStrategy[frozenset[str]]:
    """A few beliefs."""
    return st.sampled_from([some for some in _SOME if len(some) <= most])


def steps(*, circles: bool = True) -> st.SearchStrategy[list[Step]]:
    """Some steps of every kind."""
    sets = st.builds(Step, st.sampled_from(["hold", "hold", "retire", "block"]), beliefs(3))
    one = st.one_of(
        sets,
        st.builds(Step, st.sampled_from(["retire", "hold", "unblock"]), beliefs(1)),
        st.builds(Step, st.just("add"), st.sampled_from(_STATED[circles])),
        st.builds(Step, st.just("remove"), st.integers(0, 99)),
        st.just(Step("revert")),
    )
    return st.lists(one, min_size=4, max_size=14)


def least_fixpoint(
    net: Iterable[Justification], held: Iterable[str], blocked: Iterable[str] = ()
) -> set[str]:
    """What stands, by going through all justifications until nothing is new."""
    net, blocked = list(net), set(blocked)
    standing = set(held) - blocked
    while True:
        new = {j.conclusion for j in net if j.premises and j.premises <= standing}
        if new <= standing | blocked:
            return standing
        standing |= new - blocked


def best_ranks(
    net: Iterable[Justification], held: Mapping[str, int], blocked: Iterable[str] = ()
) -> dict[str, int]:
    """Ranks, as the highest level from which upwards what is held supports a belief."""
    net = list(net)
    found: dict[str, int] = {}
    for level in sorted(set(held.values())):
        above = [name for name, rank in held.items() if rank >= level]
        found.update(dict.fromkeys(least_fixpoint(net, above, blocked), level))
    return found


def runs_in_circles(net: Iterable[Justification]) -> bool:
    """Whether some belief is among what it rests on."""
    import networkx as nx

    links = [(premise, j.conclusion) for j in net for premise in j.premises]
    return bool(links) and not nx.is_directed_acyclic_graph(nx.DiGraph(links))

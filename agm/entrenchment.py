"""Which beliefs are given up last: strict preferences, compiled to ranks.

An order is a finite set of strict preferences between source classes or single beliefs. Its rank
function counts topological generations from the weakest, so a class without preferences is lowest
and has rank 1; higher ranks are more entrenched. A raw rank is not yet an entrenchment relation in
the sense of Gärdenfors and Makinson (1988); `BeliefBase.degree` is.
"""

from __future__ import annotations

from itertools import pairwise

from agm.displayed import Displayed
from agm.errors import InvalidName, InvalidValue, PreferenceCycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx as nx

DEFAULT_CHAIN = ("core", "asserted", "documented", "observed", "inferred", "untrusted")
"""The classes of an order made without arguments, strongest first."""


class EntrenchmentOrder(Displayed):
    """A strict partial order of source classes and belief ids, and the ranks that follow from it.

    Without arguments it is the default chain core > asserted > documented > observed > inferred >
    untrusted; with arguments, the chain of these names, strongest first.

    >>> order = EntrenchmentOrder().prefer("audited", "asserted")
    >>> order.rank("audited") == order.rank("core"), order.rank("untrusted")
    (True, 1)
    """

    __slots__ = ("_graph", "_preferences", "_ranks")

    _preferences: frozenset[tuple[str, str]]
    _ranks: dict[str, int]
    _graph: nx.DiGraph[str] | None

    def __init__(self, *strongest_first: str) -> None:
        chain = tuple(map(checked_class, strongest_first or DEFAULT_CHAIN))
        for place, name in enumerate(chain):
            if name in chain[:place]:
                raise PreferenceCycle(chain[chain.index(name) : place + 1])
        ranks = {name: len(chain) - place for place, name in enumerate(chain)}
        _fill(self, frozenset(pairwise(chain)), ranks)

    def prefer(self, stronger: str, weaker: str) -> EntrenchmentOrder:
        """The order that moreover holds `stronger` more entrenched than `weaker`.

        Raises PreferenceCycle, naming the cycle, when the opposite already follows.
        """
        return _order(self._ranks, self._preferences | {_pair([stronger, weaker])})

    def rank(self, name: str, /) -> int:
        """The rank of a class or of a belief the order names; 1 is lowest and the rank of others.

        Raises InvalidName for what cannot name a class.
        """
        if type(name) is str and name in self._ranks:  # it was checked when the order was made
            return self._ranks[name]
        return self._ranks.get(checked_class(name), 1)

    def __contains__(self, name: object) -> bool:
        """Whether the order speaks of a name."""
        return name in self._ranks

    @property
    def classes(self) -> tuple[str, ...]:
        """Every name the order speaks of, strongest first, names of one rank in lexical order."""
        return tuple(sorted(self._ranks, key=lambda name: (-self._ranks[name], name)))

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The preferences as a frozen graph with an edge from each stronger to a weaker name."""
        if self._graph is None:
            self._graph = _frozen(_graph(self._ranks, self._preferences))
        return self._graph

    def ranks_of(self, members: Mapping[str, str], /) -> dict[str, int]:
        """Ranks of the beliefs that preferences name; `members` maps belief ids to their class.

        Such a belief ranks at least as high as its class, unless a preference puts the class above
        it. Other beliefs have the rank of their class and are left out.
        """
        named = {name: members[name] for name in sorted(self._ranks) if name in members}
        if not named:
            return {}
        import networkx as nx

        graph = _graph(self._ranks, self._preferences)
        level: set[tuple[str, str]] = set()  # from a belief to its class: at least as high
        for pair in named.items():
            name, entrenchment = pair
            if entrenchment not in graph or not nx.has_path(graph, entrenchment, name):
                graph.add_edge(*pair)
                level.add(pair)
        ranks: dict[str, int] = {}
        for name in reversed(list(nx.lexicographical_topological_sort(graph))):
            ranks[name] = max(
                (ranks[weaker] + ((name, weaker) not in level) for weaker in graph[name]),
                default=1,
            )
        return {name: ranks[name] for name in named}

    def to_json(self) -> dict[str, object]:
        """A plain value that `from_json` reads back: all names and all stated preferences."""
        return {
            "classes": list(self.classes),
            "preferences": [list(pair) for pair in sorted(self._preferences)],
        }

    @classmethod
    def from_json(cls, value: object, /) -> EntrenchmentOrder:
        """The order a plain value describes; raises InvalidValue when it describes none."""
        if not isinstance(value, dict) or not value.keys() <= {"classes", "preferences"}:
            raise InvalidValue(value, "an order has the fields 'classes' and 'preferences'")
        names, pairs = value.get("classes", []), value.get("preferences", [])
        if not isinstance(names, list) or not isinstance(pairs, list):
            raise InvalidValue(value, "'classes' and 'preferences' are lists")
        return _order({checked_class(name) for name in names}, frozenset(map(_pair, pairs)))

    def to_records(self) -> list[dict[str, object]]:
        """One row a name, strongest first, for data frames."""
        from agm.displays.bases import order_records

        return order_records(self)

    def to_mermaid(self) -> str:
        """The preferences as a flowchart for Mermaid, from stronger to weaker."""
        from agm.displays.bases import order_mermaid

        return order_mermaid(self)

    def __eq__(self, other: object) -> bool:
        """Orders are equal when they state the same preferences between the same names."""
        return isinstance(other, EntrenchmentOrder) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self._preferences)

    def __repr__(self) -> str:
        levels: dict[int, list[str]] = {}
        for name in self.classes:
            levels.setdefault(self._ranks[name], []).append(name)
        return f"<EntrenchmentOrder {' > '.join(' = '.join(names) for names in levels.values())}>"


def checked_class(name: object) -> str:
    """The name of an entrenchment class; InvalidName for what cannot be one."""
    if not isinstance(name, str) or not name or not name.isprintable():
        raise InvalidName(name, "an entrenchment class is a non-empty printable string")
    return name


def _order(names: Iterable[str], preferences: frozenset[tuple[str, str]]) -> EntrenchmentOrder:
    order = EntrenchmentOrder.__new__(EntrenchmentOrder)
    _fill(order, preferences, _ranks(_graph(names, preferences)))
    return order


def _fill(
    order: EntrenchmentOrder, preferences: frozenset[tuple[str, str]], ranks: dict[str, int]
) -> None:
    fields = {"_preferences": preferences, "_ranks": ranks, "_graph": None}
    for field, value in fields.items():
        object.__setattr__(order, field, value)


def _pair(pair: object) -> tuple[str, str]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise InvalidValue(pair, "a preference is a pair [stronger, weaker]")
    return checked_class(pair[0]), checked_class(pair[1])


def _graph(names: Iterable[str], preferences: Iterable[tuple[str, str]]) -> nx.DiGraph[str]:
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(names))
    graph.add_edges_from(sorted(preferences))
    return graph


def _frozen(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    import networkx as nx

    nx.freeze(graph)
    return graph


def _ranks(graph: nx.DiGraph[str]) -> dict[str, int]:
    import networkx as nx

    if not nx.is_directed_acyclic_graph(graph):
        edges = list(nx.find_cycle(graph))
        raise PreferenceCycle([edge[0] for edge in edges] + [edges[0][0]])
    return {
        name: rank
        for rank, names in enumerate(nx.topological_generations(graph.reverse()), start=1)
        for name in names
    }

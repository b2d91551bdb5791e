"""The support graph: what each belief rests on, and what rests on it.

A frozen value over flat arrays (`agm_propagation.adjacency`); ids are texts at its border. Which
beliefs are supported is a least fixpoint: what is held by itself, and what some justification
supports whose premises are all supported. So a circle supports nothing by itself, and alternatives
count (Doyle 1979, well-founded support; de Kleer, "An assumption-based TMS", Artificial Intelligence
28, 1986: a node holds in a context exactly when it follows from that context's assumptions, which is
what `supported` answers for the context that is held).

`dependants`, `ancestry`, `siblings` and `rests_on` follow links whatever is held; `blast_radius`
counts alternatives. `labels` keeps the same fixpoint up to date while things change.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from agm.interning import FrozenNode, set_field
from agm_propagation.adjacency import NO_SOURCE, Adjacency
from agm_propagation.closure import derive, reached
from agm_propagation.errors import DuplicateArtefact, InvalidRecord
from agm_propagation.members import Members
from agm_propagation.records import Artefact, BlastRadius, members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import NoReturn

    import networkx as nx

    from agm.beliefs import BeliefId
    from agm_propagation.labels import Labels
    from agm_propagation.records import Justification


class SupportGraph:
    """Beliefs, the justifications of each, and artefacts made from them; frozen.

    A justification stated twice is one. Justifications may run in circles, or from a belief to
    itself; those ground nothing. Of several versions of an artefact the highest counts. Raises
    InvalidRecord and DuplicateArtefact.

    >>> from agm_propagation import Justification
    >>> graph = SupportGraph(
    ...     [
    ...         Justification(conclusion="rain", source="radio"),
    ...         Justification(conclusion="wet", premises={"rain"}),
    ...         Justification(conclusion="wet", premises={"sprinkler"}),
    ...     ]
    ... )
    >>> sorted(graph.supported(["rain"])), sorted(graph.supported([]))
    (['rain', 'wet'], [])
    """

    __slots__ = ("_adjacency", "_artefacts", "_told")
    _adjacency: Adjacency
    _artefacts: dict[str, Artefact]
    _told: frozenset[BeliefId] | None

    def __init__(
        self, justifications: Iterable[Justification], *, artefacts: Iterable[Artefact] = ()
    ) -> None:
        _fill(self, justifications, artefacts)

    @classmethod
    def of(
        cls,
        justifications: Iterable[Justification],
        *,
        artefacts: Iterable[Artefact] = (),
        beliefs: Iterable[str],
    ) -> SupportGraph:
        """A graph that speaks of these beliefs also where no justification and no artefact does."""
        self = cls.__new__(cls)
        _fill(self, justifications, artefacts, beliefs)
        return self

    def __len__(self) -> int:
        """How many beliefs it speaks of."""
        return len(self._adjacency.names)

    def __contains__(self, id: object) -> bool:
        """Whether it speaks of a belief."""
        return id in self._adjacency.numbers

    @property
    def beliefs(self) -> Sequence[BeliefId]:
        """The ids of all beliefs it speaks of, sorted."""
        return tuple(self._adjacency.names)  # type: ignore[arg-type]  # ids are kept as texts

    @property
    def justifications(self) -> Iterator[Justification]:
        """All justifications, by conclusion, premises and source."""
        return map(self._adjacency.record, range(len(self._adjacency.conclusions)))

    @property
    def artefacts(self) -> Sequence[Artefact]:
        """The current version of each artefact, by id."""
        return tuple(self._artefacts.values())

    @property
    def sources(self) -> Sequence[str]:
        """The sources that justifications name, sorted."""
        return tuple(self._adjacency.source_names)

    @property
    def told(self) -> frozenset[BeliefId]:
        """Beliefs that do not stand by premises alone: told, or justified by nothing here."""
        if self._told is None:
            told = filter(self._adjacency.told, range(len(self)))
            set_field(self, "_told", self._named(told))
        return self._told or frozenset()

    def justifications_of(self, belief: str, /) -> Sequence[Justification]:
        """The justifications that conclude a belief, tellings first; raises NotInGraph."""
        (number,) = self._adjacency.find([belief])
        return tuple(map(self._adjacency.record, self._adjacency.of(number)))

    def supported(
        self, held: Iterable[str], /, *, blocked: Iterable[str] = ()
    ) -> frozenset[BeliefId]:
        """What stands when these beliefs are held by themselves: the least fixpoint.

        A blocked belief does not stand whatever supports it, such as one overridden by a conflict.
        Raises NotInGraph.
        """
        adjacency = self._adjacency
        inside = self._blocking(blocked)
        fresh = _enter(adjacency.find(held), inside)
        return self._named(derive(adjacency, adjacency.counts(), inside, fresh))

    def ranks(
        self, held: Mapping[str, int], /, *, blocked: Iterable[str] = ()
    ) -> dict[BeliefId, int]:
        """The entrenchment of each belief that stands, given the rank of what is held by itself.

        A derived belief has the rank of its best justification's weakest premise, through the whole
        ancestry; one that is held as well has the higher of the two. Beliefs enter from the highest
        rank down (Dijkstra, Numerische Mathematik 1, 1959, with minimum for sum), so circles need no
        special care: the last premise to enter is the weakest. Sorted by id. Raises NotInGraph.
        """
        adjacency = self._adjacency
        inside, missing = self._blocking(blocked), adjacency.counts()
        if not hasattr(held, "__getitem__") or not hasattr(held, "keys"):
            raise InvalidRecord("held", held, "a mapping of belief ids to ranks")
        levels: dict[int, list[int]] = {}
        for number in adjacency.find(held):
            levels.setdefault(held[adjacency.names[number]], []).append(number)
        found: dict[int, int] = {}
        for rank in sorted(levels, reverse=True):
            fresh = _enter(levels[rank], inside)
            found.update(dict.fromkeys(derive(adjacency, missing, inside, fresh), rank))
        names = adjacency.names
        return {names[n]: found[n] for n in sorted(found)}  # type: ignore[misc]

    def labels(self, held: Iterable[str], /, *, blocked: Iterable[str] = ()) -> Labels:
        """The states of all beliefs, to be kept up to date from here on; raises NotInGraph."""
        from agm_propagation.labels import Labels

        find = self._adjacency.find
        return Labels(self._adjacency, find(held), find(blocked), artefacts=self.artefacts)

    def dependants(self, ids: Iterable[str], /) -> AbstractSet[BeliefId]:
        """Everything downstream of these beliefs, themselves left out; raises NotInGraph."""
        adjacency = self._adjacency
        marks = reached(adjacency.find(ids), adjacency.uses_from, adjacency.heads)
        return Members(adjacency, marks)

    def ancestry(self, ids: Iterable[str], /) -> AbstractSet[BeliefId]:
        """Everything these beliefs may rest on, themselves left out; raises NotInGraph."""
        adjacency = self._adjacency
        marks = reached(adjacency.find(ids), adjacency.premises_from, adjacency.premises)
        return Members(adjacency, marks)

    def siblings(self, belief: str, /) -> frozenset[BeliefId]:
        """The other derived beliefs that share a premise with it or name the same source.

        Any of their justifications counts; derived is what has one with premises. Raises NotInGraph.
        """
        adjacency = self._adjacency
        (number,) = adjacency.find([belief])
        mine = adjacency.of(number)
        found = {
            conclusion
            for premise in {p for j in mine for p in adjacency.premises_of(j)}
            for conclusion in adjacency.heads_of(premise)
        }
        for source in {adjacency.sources_of[j] for j in mine} - {NO_SOURCE}:
            named = adjacency.named_by(adjacency.source_names[source])
            found.update(filter(adjacency.derived, named))
        return self._named(found - {number})

    def _blocking(self, blocked: Iterable[str]) -> bytearray:
        inside = bytearray(len(self))
        for number in self._adjacency.find(blocked):
            inside[number] = 1  # as if it were in already: nothing lets it in again
        return inside

    def _named(self, numbers: Iterable[int]) -> frozenset[BeliefId]:
        return frozenset(map(self._adjacency.names.__getitem__, numbers))  # type: ignore[arg-type]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenNode(self, name)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenNode(self, name)

    def __eq__(self, other: object) -> bool:
        """Whether it says the same: beliefs, justifications and artefacts."""
        if not isinstance(other, SupportGraph):
            return NotImplemented
        return self._artefacts == other._artefacts and self._adjacency.same(other._adjacency)

    def __hash__(self) -> int:
        return hash((len(self), len(self._adjacency.conclusions), len(self._artefacts)))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process by its records."""
        return _restored, (tuple(self.justifications), self.artefacts, self.beliefs)

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The same as a networkx graph: `agm_propagation.network` with what was told held."""
        from agm_propagation.views import network

        return network(self)

    def to_records(self) -> list[dict[str, object]]:
        """One flat row a justification, for data frames."""
        from agm_propagation.displays import support_records

        return support_records(self)

    def to_mermaid(self) -> str:
        """The graph as a flowchart for Mermaid."""
        from agm_propagation.displays import support_mermaid

        return support_mermaid(self)

    def _repr_html_(self) -> str:
        """The graph as a picture."""
        from agm_propagation.displays import of_support

        return of_support(self)

    def __repr__(self) -> str:
        return (
            f"<SupportGraph: {len(self)} beliefs, {len(self._adjacency.conclusions)} "
            f"justifications, {len(self._artefacts)} artefacts>"
        )


def rests_on(support: SupportGraph, source: str) -> frozenset[BeliefId]:
    """Everything that rests on a source: what it told, what was derived naming it, all downstream.

    Alternatives do not matter here; `blast_radius` counts them. Raises NotInGraph.
    """
    adjacency = support._adjacency  # noqa: SLF001  (a question to the graph, kept beside it)
    seeds = adjacency.named_by(source)
    marks = reached(seeds, adjacency.uses_from, adjacency.heads)
    for seed in seeds:
        marks[seed] = 1
    return frozenset(Members(adjacency, marks))


def blast_radius(
    support: SupportGraph, gone: Iterable[str], *, held: Iterable[str] | None = None
) -> BlastRadius:
    """What no longer stands when these beliefs are gone, they themselves and all that needed them.

    `held` is what stands by itself now, by default all that was told. Exact: a belief with another
    justification that stands is not lost. Raises NotInGraph.
    """
    gone = tuple(members("ids", gone, "a list or set of belief ids"))
    labels = support.labels(support.told if held is None else held)
    lost = frozenset(labels.block(gone).lost)
    touched = (one.id for one in support.artefacts if not lost.isdisjoint(one.rests_on))
    return BlastRadius(beliefs=lost, artefacts=frozenset(touched))


def _enter(numbers: Iterable[int], inside: bytearray) -> list[int]:
    """Mark those that are not marked, and list them."""
    fresh = [n for n in numbers if not inside[n]]
    for number in fresh:
        inside[number] = 1
    return fresh


def _current(artefacts: Iterable[Artefact]) -> dict[str, Artefact]:
    """The highest version of each artefact, by id."""
    stated: dict[tuple[str, int], Artefact] = {}
    for one in members("artefacts", artefacts, "objects of the class Artefact"):
        if not isinstance(one, Artefact):
            raise InvalidRecord("artefacts", one, "objects of the class Artefact")
        if stated.setdefault((one.id, one.version), one) != one:
            raise DuplicateArtefact(one.id, one.version)
    return {one.id: one for _, one in sorted(stated.items())}


def _fill(
    graph: SupportGraph,
    justifications: Iterable[Justification],
    artefacts: Iterable[Artefact],
    beliefs: Iterable[str] = (),
) -> None:
    current = _current(artefacts)
    named = members("beliefs", beliefs, "a list or set of belief ids")
    others = chain(named, *(one.rests_on for one in current.values()))
    set_field(graph, "_adjacency", Adjacency(justifications, others))
    set_field(graph, "_artefacts", current)
    set_field(graph, "_told", None)


def _restored(
    justifications: Iterable[Justification],
    artefacts: Iterable[Artefact],
    beliefs: Iterable[BeliefId],
) -> SupportGraph:
    return SupportGraph.of(justifications, artefacts=artefacts, beliefs=beliefs)

"""Justifications as whole numbers in flat arrays: about 40 bytes a justification, ids aside.

Beliefs are numbered in the order of their ids, justifications by conclusion, then premises, then
source. So whatever goes by number goes by name, in any process and whatever order things came in. A
list of lists is kept as two arrays: `starts[i]:starts[i + 1]` is where the list of `i` stands.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING

from agm_propagation.errors import InvalidRecord, NotInGraph
from agm_propagation.records import Justification, members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
    from typing import TypeAlias

    from agm.beliefs import BeliefId

    Numbers: TypeAlias = array[int]
    Row: TypeAlias = tuple[int, tuple[int, ...], int]

NEVER = 1 << 28
"""The count of missing premises of a telling, which waits for none and supports nothing by itself."""
NO_SOURCE = -1


class Rows:
    """Justifications by number: what each says.

    `conclusions[j]`, `sources_of[j]` and the premises `premises[begins[j]:begins[j + 1]]`, which are
    sorted, belong to justification j. `names` and `numbers` lead from the numbers of beliefs to
    their ids and back, `source_names` and `sources` from those of sources to their texts and back.
    """

    __slots__ = (
        "begins",
        "conclusions",
        "names",
        "numbers",
        "premises",
        "source_names",
        "sources",
        "sources_of",
    )
    names: list[str]
    numbers: MutableMapping[str, int]
    source_names: list[str]
    sources: MutableMapping[str, int]
    conclusions: Numbers
    sources_of: Numbers
    premises: Numbers
    begins: Numbers

    def find(self, ids: Iterable[str]) -> list[int]:
        """The numbers of some ids, sorted, each once; raises NotInGraph for those without."""
        wanted, numbers = _listed(ids), self.numbers
        # not `wanted - numbers.keys()`, which goes through all the keys
        if unknown := [one for one in wanted if one not in numbers]:
            raise NotInGraph("belief", sorted(unknown, key=str), len(self.names))
        return sorted(map(numbers.__getitem__, wanted))

    def premises_of(self, justification: int) -> Numbers:
        """The premises of a justification, sorted."""
        return self.premises[self.begins[justification] : self.begins[justification + 1]]

    def row(self, justification: int) -> Row:
        """What a justification says, by number."""
        premises = tuple(self.premises_of(justification))
        return self.conclusions[justification], premises, self.sources_of[justification]

    def record(self, justification: int) -> Justification:
        """What a justification says, in words."""
        source = self.sources_of[justification]
        names: list[BeliefId] = self.names  # type: ignore[assignment]  # ids are kept as texts
        return Justification(
            conclusion=names[self.conclusions[justification]],
            premises=frozenset(map(names.__getitem__, self.premises_of(justification))),
            source=None if source == NO_SOURCE else self.source_names[source],
        )


class Adjacency(Rows):
    """The support graph by number, filled once.

    The justifications of belief b are numbered `first[b]` to `first[b + 1]`, and the premises of them
    all start at `premises_from[b]`; those b is a premise of are `uses[uses_from[b]:uses_from[b + 1]]`,
    and `heads` has their conclusions in the same places. `naming[naming_from[s]:naming_from[s + 1]]`
    are the justifications that name source s.
    """

    __slots__ = ("first", "heads", "naming", "naming_from", "premises_from", "uses", "uses_from")

    def __init__(self, justifications: Iterable[Justification], others: Iterable[str] = ()) -> None:
        """Number everything; `others` are beliefs that no justification need name."""
        read = _Reading(justifications, others)
        self.names, self.source_names = sorted(read.beliefs), sorted(read.sources)
        self.numbers = {name: n for n, name in enumerate(self.names)}
        self.sources = {name: n for n, name in enumerate(self.source_names)}
        self.conclusions, self.sources_of = array("i"), array("i")
        self.premises, self.begins = array("i"), array("i", [0])
        self.first: Numbers = array("i", [0])
        for rows in read.by_conclusion(self.numbers, self.sources):
            for conclusion, premises, source in rows:
                self.conclusions.append(conclusion)
                self.sources_of.append(source)
                self.premises.extend(premises)
                self.begins.append(len(self.premises))
            self.first.append(len(self.conclusions))
        self.premises_from: Numbers = array("i", map(self.begins.__getitem__, self.first))
        self.uses_from, self.uses = _inverted(self.begins, self.premises, len(self.names))
        self.heads: Numbers = array("i", map(self.conclusions.__getitem__, self.uses))
        every = array("i", range(len(self.conclusions) + 1))
        self.naming_from, self.naming = _inverted(every, self.sources_of, len(self.sources))

    def same(self, other: Adjacency) -> bool:
        """Whether another one has the same beliefs and justifications; the rest follows from these."""
        return (
            self.names == other.names
            and self.source_names == other.source_names
            and self.first == other.first
            and self.begins == other.begins
            and self.premises == other.premises
            and self.sources_of == other.sources_of
        )

    def counts(self) -> Numbers:
        """How many premises each justification waits for when nothing is believed."""
        sizes = map(sub, self.begins[1:], self.begins)
        return array("i", (size or NEVER for size in sizes))

    def of(self, belief: int) -> range:
        """The justifications that conclude a belief; what was told comes first."""
        return range(self.first[belief], self.first[belief + 1])

    def told(self, belief: int) -> bool:
        """Whether a belief has a justification without premises, or none at all."""
        mine = self.of(belief)
        return not mine or self.begins[mine[0]] == self.begins[mine[0] + 1]

    def derived(self, belief: int) -> bool:
        """Whether some justification of a belief has premises."""
        return self.premises_from[belief] < self.premises_from[belief + 1]

    def heads_of(self, belief: int) -> Numbers:
        """The conclusions of the justifications that a belief is a premise of."""
        return self.heads[self.uses_from[belief] : self.uses_from[belief + 1]]

    def named_by(self, source: str) -> list[int]:
        """The conclusions of the justifications that name a source, each once; raises NotInGraph."""
        place = self.sources.get(source)
        if place is None:
            raise NotInGraph("source", [source], len(self.sources))
        naming = self.naming[self.naming_from[place] : self.naming_from[place + 1]]
        return sorted(set(map(self.conclusions.__getitem__, naming)))


def _listed(ids: Iterable[str]) -> set[str]:
    """Ids as a set; raises InvalidRecord for what is no collection of them."""
    expected = "a list or set of belief ids"
    if isinstance(ids, str):  # a text would be taken apart into its letters
        raise InvalidRecord("ids", ids, expected)
    try:
        return set(members("ids", ids, expected))
    except TypeError:  # what no set can hold is no id
        raise InvalidRecord("ids", ids, expected) from None


class _Reading:
    """Justifications as they come in, with provisional numbers, in flat arrays."""

    def __init__(self, justifications: Iterable[Justification], others: Iterable[str]) -> None:
        self.beliefs: dict[str, int] = {}
        self.sources: dict[str, int] = {}
        self._conclusions: Numbers = array("i")
        self._sources_of: Numbers = array("i")
        self._premises: Numbers = array("i")
        self._begins: Numbers = array("i", [0])
        beliefs, sources = self.beliefs, self.sources
        expected = "objects of the class Justification"
        for one in members("justifications", justifications, expected):
            if not isinstance(one, Justification):
                raise InvalidRecord("justifications", one, expected)
            self._conclusions.append(beliefs.setdefault(one.conclusion, len(beliefs)))
            for premise in one.premises:
                self._premises.append(beliefs.setdefault(premise, len(beliefs)))
            self._begins.append(len(self._premises))
            source = one.source
            self._sources_of.append(
                NO_SOURCE if source is None else sources.setdefault(source, len(sources))
            )
        for name in others:
            beliefs.setdefault(name, len(beliefs))

    def by_conclusion(
        self, numbers: Mapping[str, int], sources: Mapping[str, int]
    ) -> Iterator[Sequence[Row]]:
        """For each belief by its final number: its justifications in order, each once."""
        final = array("i", map(numbers.__getitem__, self.beliefs))
        source_at = array("i", map(sources.__getitem__, self.sources))
        source_at.append(NO_SOURCE)  # which the place -1 finds
        conclusions = array("i", map(final.__getitem__, self._conclusions))
        starts = _starts(conclusions, len(numbers))
        order = array("i", sorted(range(len(conclusions)), key=conclusions.__getitem__))
        begins = self._begins
        for belief in range(len(numbers)):
            rows: set[Row] = set()
            for j in order[starts[belief] : starts[belief + 1]]:
                given = self._premises[begins[j] : begins[j + 1]]
                premises = tuple(sorted(map(final.__getitem__, given)))
                rows.add((belief, premises, source_at[self._sources_of[j]]))
            yield sorted(rows)


def _inverted(starts: Numbers, members: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """For each of `count` numbers: which lists it is a member of, as starts and one flat list."""
    begins = _starts(members, count)
    places = begins[:]
    lists = array("i", bytes(members.itemsize * begins[count]))
    for one in range(len(starts) - 1):
        for member in members[starts[one] : starts[one + 1]]:
            if member != NO_SOURCE:
                place = places[member]
                lists[place] = one
                places[member] = place + 1
    return begins, lists


def _starts(members: Iterable[int], count: int) -> Numbers:
    """Where the list of each of `count` owners starts, when each member is an entry of its owner's list."""
    sizes = array("i", bytes(array("i").itemsize * (count + 1)))
    for owner in members:
        if owner != NO_SOURCE:
            sizes[owner + 1] += 1
    return array("i", accumulate(sizes))

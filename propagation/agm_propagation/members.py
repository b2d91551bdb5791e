"""A set of beliefs as one byte for each belief of the graph, whatever its size.

A closure over a million beliefs may hold nearly all of them; a set of their ids would weigh more than
the links that were followed to find them.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm.beliefs import BeliefId
    from agm_propagation.adjacency import Adjacency


class Members(AbstractSet["BeliefId"]):
    """Some beliefs of a support graph, frozen; goes through them in the order of their ids.

    It compares with sets as a set does, and `|`, `&`, `-`, `^` with it give frozensets.
    """

    __slots__ = ("_adjacency", "_marks")

    def __init__(self, adjacency: Adjacency, marks: bytearray) -> None:
        """Take over a byte for each belief: 1 for a member, else 0."""
        self._adjacency = adjacency
        self._marks = marks

    def __contains__(self, id: object) -> bool:
        """Whether a belief is a member."""
        number = self._adjacency.numbers.get(id)  # type: ignore[call-overload]  # anything may be asked
        return number is not None and self._marks[number] == 1

    def __iter__(self) -> Iterator[BeliefId]:
        """Go through the members by id."""
        names: list[BeliefId] = self._adjacency.names  # type: ignore[assignment]  # ids are kept as texts
        return compress(names, self._marks)

    def __len__(self) -> int:
        """How many members there are."""
        return self._marks.count(1)

    @classmethod
    def _from_iterable(cls, it: Iterable[BeliefId]) -> frozenset[BeliefId]:  # type: ignore[override]
        """What the operators of sets answer with."""
        return frozenset(it)

    def __hash__(self) -> int:
        """Hash as the frozenset that it equals."""
        return hash(frozenset(self))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process as a plain set."""
        return frozenset, (tuple(self),)

    def __repr__(self) -> str:
        return f"<Members: {len(self)} of {len(self._marks)} beliefs>"

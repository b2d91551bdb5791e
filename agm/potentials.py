"""Differences with bounds: numbers for places, such that each lies close enough below another.

An edge from one place to another of length w says that the number of the other is at most w more
than that of the one. Numbers for all places exist exactly when no cycle is shorter than zero (Bellman
1958). Edges come one by one: numbers that suit the edges so far are mended where a new edge asks for
it, by a search for shortest ways over what is left of each edge (Cotton and Maler 2006). Numbers that
suit some edges suit fewer of them too, so taking edges back costs nothing.
"""

from __future__ import annotations

from heapq import heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Edge: TypeAlias = tuple[int, int, int]  # from, to, length

_FEW = 8
"""So many edges that lead to a place are looked at before a search for shortest ways."""


class Potentials:
    """A number for each place, that suits all edges held."""

    __slots__ = ("_into", "_out", "at")

    def __init__(self, places: int) -> None:
        self.at = [0] * places
        self._out: list[list[Edge]] = [[] for _ in range(places)]
        self._into: list[list[Edge]] = [[] for _ in range(places)]

    def take(self, edge: Edge) -> bool:
        """Hold one more edge, if numbers exist that suit it too; whether they do."""
        if not self._suited(edge):
            return False
        self._out[edge[0]].append(edge)
        self._into[edge[1]].append(edge)
        return True

    def drop(self, edge: Edge) -> None:
        """Let go of the edge that was taken last."""
        self._out[edge[0]].pop()
        self._into[edge[1]].pop()

    def _suited(self, edge: Edge) -> bool:
        source, target, length = edge
        at = self.at
        less = at[source] + length - at[target]
        if less >= 0:
            return True
        if source == target:
            return False
        if self._raised(source, at[target] - length):
            return True
        due, moved, heap = {target: less}, {}, [(less, target)]
        while heap:
            less, place = heappop(heap)
            if place in moved:
                continue
            number = moved[place] = at[place] + less
            for _, other, length in self._out[place]:
                less = number + length - at[other]
                if less < due.get(other, 0) and other not in moved:
                    if other == source:  # the way back closes a cycle shorter than zero
                        return False
                    due[other] = less
                    heappush(heap, (less, other))
        for place, number in moved.items():
            at[place] = number
        return True

    def _raised(self, place: int, number: int) -> bool:
        """Give a place a greater number, where its few edges allow it: a chain then grows step by step."""
        into = self._into[place]
        at = self.at
        if len(into) > _FEW or any(at[one] + length < number for one, _, length in into):
            return False
        at[place] = number
        return True

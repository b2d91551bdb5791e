"""The strips of a slot whose timeline is kept, taken entry by entry.

Each row of the timeline is opened by one entry and closed by at most one other.  So what an entry moves
is looked up, not read anew: all entries of a slot together cost as much as it has rows.
"""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.journal import Segment

Strip = tuple[int, int, str]
"""Valid from, valid to, and the standing in between; touching strips of one standing are one."""

BELIEVED, CONTESTED = "believed", "contested"

_START = itemgetter(0)


class Moved:
    """The strips of one belief that went and that came since it was last looked at."""

    def __init__(self) -> None:
        self.gone: set[Strip] = set()
        self.new: set[Strip] = set()

    def went(self, strip: Strip) -> None:
        """Note that a strip stands no longer."""
        if strip in self.new:
            self.new.remove(strip)
        else:
            self.gone.add(strip)

    def came(self, strip: Strip) -> None:
        """Note that a strip stands from now on."""
        if strip in self.gone:
            self.gone.remove(strip)
        else:
            self.new.add(strip)


class KeptSlot:
    """The strips of a slot's tellings, by their seqs, as known at a growing entry."""

    def __init__(self, rows: Iterable[Segment]) -> None:
        self._opened: dict[int, list[Segment]] = {}
        self._closed: dict[int, list[Segment]] = {}
        for row in rows:
            self._opened.setdefault(row.known_from, []).append(row)
            self._closed.setdefault(row.known_to, []).append(row)
        self._events = sorted({*self._opened, *self._closed})
        self._done = 0
        self._strips: dict[int, list[Strip]] = {}

    def take(self, upto: int) -> dict[int, Moved]:
        """Go on to an entry; gives what moved, by telling."""
        moved: dict[int, Moved] = {}
        while self._done < len(self._events) and self._events[self._done] <= upto:
            event = self._events[self._done]
            for row in self._closed.get(event, ()):
                for seq in row.believed:
                    _cut(self._strips[seq], row, moved.setdefault(seq, Moved()))
            for row in self._opened.get(event, ()):
                for seq in row.believed:
                    strips = self._strips.setdefault(seq, [])
                    _put(strips, row, moved.setdefault(seq, Moved()))
            self._done += 1
        return moved

    def strips(self, seq: int) -> set[Strip]:
        """All strips of a telling as they stand."""
        return set(self._strips.get(seq, ()))


def _cut(strips: list[Strip], row: Segment, moved: Moved) -> None:
    """Take a row out of disjoint strips in order of time."""
    first = bisect_left(strips, row.valid_from, key=_START)
    if first and strips[first - 1][1] > row.valid_from:
        first -= 1
    last = bisect_left(strips, row.valid_to, key=_START)
    rest: list[Strip] = []
    for start, end, word in strips[first:last]:
        moved.went((start, end, word))
        rest += [(start, row.valid_from, word)] if start < row.valid_from else []
        rest += [(row.valid_to, end, word)] if end > row.valid_to else []
    for strip in rest:
        moved.came(strip)
    strips[first:last] = rest


def _put(strips: list[Strip], row: Segment, moved: Moved) -> None:
    """Put a row among disjoint strips in order of time; what it touches becomes one with it."""
    start, end = row.valid_from, row.valid_to
    word = CONTESTED if len(row.believed) > 1 else BELIEVED
    first = last = bisect_left(strips, start, key=_START)
    if first and strips[first - 1][1:] == (start, word):
        first -= 1
        start = strips[first][0]
    if last < len(strips) and (strips[last][0], strips[last][2]) == (end, word):
        end = strips[last][1]
        last += 1
    for strip in strips[first:last]:
        moved.went(strip)
    moved.came((start, end, word))
    strips[first:last] = [(start, end, word)]

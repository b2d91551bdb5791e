"""Shelves on which the marks of a slot are found by time.

All operations at the end of a shelf take constant time, so that a history told in order of time
stays cheap however long it grows.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import TYPE_CHECKING

from agm_store.entries import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm_store.marks import Mark


class Shelf:
    """Marks in order of their start."""

    __slots__ = ("at", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.at: dict[int, list[Mark]] = {}

    def add(self, mark: Mark) -> None:
        """Put a mark where it belongs; at the end in constant time."""
        start = mark.start
        bucket = self.at.get(start)
        if bucket is not None:
            bucket.append(mark)
            return
        self.at[start] = [mark]
        if not self.starts or self.starts[-1] < start:
            self.starts.append(start)
        else:
            insort(self.starts, start)

    def remove(self, mark: Mark) -> None:
        """Take a mark away."""
        bucket = self.at[mark.start]
        bucket.remove(mark)
        if not bucket:
            del self.at[mark.start]
            del self.starts[bisect_right(self.starts, mark.start) - 1]

    def back(self, time: int) -> Iterator[list[Mark]]:
        """The marks of one start after the other, from the last at or before a time backwards."""
        starts, at = self.starts, self.at
        for index in range(bisect_right(starts, time) - 1, -1, -1):
            yield at[starts[index]]

    def between(self, after: int, upto: int) -> Iterator[list[Mark]]:
        """The marks of one start after the other, over (after, upto]."""
        starts, at = self.starts, self.at
        for index in range(bisect_right(starts, after), bisect_right(starts, upto)):
            yield at[starts[index]]


class Rivals(Shelf):
    """Rivals of one rank; runs of one value are stepped over by counting, not by walking."""

    __slots__ = ("_every", "_latest", "of")

    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str | None, list[int]] = {}
        self._every: list[int] = []
        self._latest: dict[int, list[tuple[int, str | None]]] = {}

    def add(self, mark: Mark) -> None:
        """Put a rival where it belongs."""
        super().add(mark)
        self._latest.pop(mark.start, None)
        insert(self._every, mark.start)
        insert(self.of.setdefault(mark.value, []), mark.start)

    def remove(self, mark: Mark) -> None:
        """Take a rival away."""
        super().remove(mark)
        self._latest.pop(mark.start, None)
        drop(self._every, mark.start)
        drop(self.of[mark.value], mark.start)

    def differs(self, after: int, upto: int, value: str | None, *, any_value: bool = False) -> bool:
        """Whether a rival with a value other than this one (or with any) starts in (after, upto]."""
        count = _count(self._every, after, upto)
        if count and not any_value:
            count -= _count(self.of.get(value, ()), after, upto)
        return count > 0

    def first(self, after: int, upto: int, value: str | None, *, any_value: bool = False) -> int:
        """The first start of such a rival in (after, upto]; ``upto`` when there is none."""
        if not self.differs(after, upto, value, any_value=any_value):
            return upto
        starts = self.starts
        low, high = bisect_right(starts, after), bisect_right(starts, upto) - 1
        while low < high:
            middle = (low + high) // 2
            if self.differs(after, starts[middle], value, any_value=any_value):
                high = middle
            else:
                low = middle + 1
        return starts[low]

    def follows(self, start: int, seq: int, value: str | None, *, any_value: bool = False) -> bool:
        """Whether such a rival with a default start begins at a time, and comes after a place in the journal."""
        latest = self._latest.get(start)
        if latest is None:
            latest = self._latest[start] = _latest(self.at.get(start, ()))
        return any(last > seq and (any_value or other != value) for last, other in latest)

    def next(self, after: int) -> int:
        """The first start of any rival later than a time; FOREVER when there is none."""
        index = bisect_right(self.starts, after)
        return self.starts[index] if index < len(self.starts) else FOREVER


def _latest(marks: Iterable[Mark]) -> list[tuple[int, str | None]]:
    """Among those with default starts, the latest of the two values that were told last, and which values these are."""
    last: dict[str | None, int] = {}
    for mark in marks:
        if mark.defaulted:
            last[mark.value] = max(mark.order_seq, last.get(mark.value, 0))
    return sorted(((seq, value) for value, seq in last.items()), key=lambda p: -p[0])[:2]


def insert(times: list[int], time: int) -> None:
    """Add a time to a sorted list; at the end in constant time."""
    if not times or times[-1] <= time:
        times.append(time)
    else:
        insort(times, time)


def drop(times: list[int], time: int) -> None:
    """Take one occurrence of a time out of a sorted list."""
    del times[bisect_right(times, time) - 1]


def _count(times: Sequence[int], after: int, upto: int) -> int:
    """How many times lie in (after, upto]."""
    if not times or times[-1] <= after:
        return 0
    return bisect_right(times, upto) - bisect_right(times, after)


class Bounded:
    """Marks with an end of their own, found by a time they cover.

    They are kept by magnitude of length: what covers a time has started within twice its magnitude.
    """

    __slots__ = ("_by_length",)

    def __init__(self) -> None:
        self._by_length: dict[int, Shelf] = {}

    def add(self, mark: Mark) -> None:
        """Put a mark where it belongs."""
        length = (mark.end - mark.start).bit_length()
        shelf = self._by_length.get(length)
        if shelf is None:
            shelf = self._by_length[length] = Shelf()
        shelf.add(mark)

    def remove(self, mark: Mark) -> None:
        """Take a mark away, whose start and end are as they were."""
        length = (mark.end - mark.start).bit_length()
        self._by_length[length].remove(mark)
        if not self._by_length[length].starts:
            del self._by_length[length]

    def shelves(self) -> Iterable[Shelf]:
        """All marks, by magnitude of length."""
        return self._by_length.values()

    def covering(self, time: int) -> Iterator[Mark]:
        """The marks that cover a time, succession aside."""
        for length, shelf in self._by_length.items():
            for bucket in shelf.between(time - (1 << length), time):
                for mark in bucket:
                    if mark.end > time:
                        yield mark

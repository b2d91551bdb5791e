"""Marks: the live tellings of a plain slot, and the shelves on which they are found by time.

A *mark* is what a slot needs to know of a telling that is admitted and not withdrawn.  It has an
end of its own (`end`: by its words, an ending entry or a temporal successor) and may be ended before
by succession, which is worked out when asked.  A correction without times of its own inherits the
place of its target; what ends any of its ancestors ends it too, which `low`, `key` and `other` keep
in a form of constant size.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm_store.entries import Body

Said = tuple[str, str | None, str | None]
"""Where a statement was heard: source, citation, episode."""

NO_RANK = 2**62
"""A rank that no class has."""


class Mark:
    """A live telling of a plain slot."""

    __slots__ = (
        "claims", "defaulted", "end", "entry_id", "fixed", "heads", "identity", "key", "low",
        "open", "order_seq", "order_start", "other", "rank", "said", "seq", "start", "value",
    )  # fmt: skip

    def __init__(
        self, entry_id: str, seq: int, identity: str, value: str | None, rank: int, start: int, told_end: int
    ) -> None:
        self.entry_id, self.seq, self.identity, self.value, self.rank, self.start = entry_id, seq, identity, value, rank, start
        self.order_seq, self.order_start, self.defaulted = seq, start, False
        self.said: Said | None = None
        self.open = told_end == FOREVER
        self.fixed = told_end  # its end by words and ending entries
        self.end = told_end  # moreover by temporal successors, see `settle`
        self.heads: list[Mark] = []  # live temporal successors
        self.claims = (identity,)  # its claim and those of the ancestors whose place it took
        self.low, self.key, self.other = rank, value, NO_RANK  # see `ends`

    @property
    def rival(self) -> bool:
        """Whether its start ends others: dated, told without an end, and held at all."""
        return self.open and self.order_start != BEFORE_ALL and self.end > self.start

    @property
    def knotty(self) -> bool:
        """Whether more ends it than ends a mark of its own rank and value."""
        return self.other != NO_RANK or self.low < self.rank

    def settle(self) -> None:
        """Work out its own end from what is fixed and the present starts of its successors."""
        self.end = min([self.fixed, *(head.start for head in self.heads)]) if self.heads else self.fixed

    def inherit(self, parent: Mark) -> None:
        """Take over the place of a corrected telling, with all that ends it."""
        self.order_seq, self.order_start, self.defaulted = parent.order_seq, parent.order_start, parent.defaulted
        self.fixed = min(self.fixed, parent.fixed)
        self.heads = list(parent.heads)
        self.descend(parent.low, parent.key, parent.other)
        self.claims = parent.claims if self.identity in parent.claims else (*parent.claims, self.identity)

    def descend(self, low: int, key: str | None, other: int) -> None:
        """Let what ends an ancestor end this too.

        ``low`` is the least rank in the line, ``key`` a value told at it, ``other`` the least rank
        at which a value different from ``key`` was told.
        """
        if key == self.key:
            self.low, self.other = min(low, self.low), min(other, self.other)
        elif low <= self.low:
            self.low, self.key, self.other = low, key, min(other, self.low)
        else:
            self.other = min(low, self.other)


def ends(rival: Mark, mark: Mark) -> bool:
    """Whether a rival (see `Mark.rival`) ends a mark by succession."""
    if rival.rank < (mark.low if rival.value != mark.key else mark.other) or not mark.open:
        return False
    return rival.start > mark.start or ends_at_once(rival, mark)


def ends_at_once(rival: Mark, mark: Mark) -> bool:
    """Whether a rival with the same start comes later: defaulted starts are ordered by the journal."""
    return rival.start == mark.start and rival.defaulted and mark.defaulted and rival.order_seq > mark.order_seq


def said_in(body: Body) -> Said | None:
    """Where a telling was heard; None when it names no source."""
    source = body.get("source")
    return None if source is None else (source, body.get("citation"), body.get("episode"))


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

    __slots__ = ("of", "_every")

    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str | None, list[int]] = {}
        self._every: list[int] = []

    def add(self, mark: Mark) -> None:
        """Put a rival where it belongs."""
        super().add(mark)
        insert(self._every, mark.start)
        insert(self.of.setdefault(mark.value, []), mark.start)

    def remove(self, mark: Mark) -> None:
        """Take a rival away."""
        super().remove(mark)
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

    def next(self, after: int) -> int:
        """The first start of any rival later than a time; FOREVER when there is none."""
        index = bisect_right(self.starts, after)
        return self.starts[index] if index < len(self.starts) else FOREVER


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

    def covering(self, time: int) -> Iterator[Mark]:
        """The marks that cover a time, succession aside."""
        for length, shelf in self._by_length.items():
            for bucket in shelf.between(time - (1 << length), time):
                for mark in bucket:
                    if mark.end > time:
                        yield mark

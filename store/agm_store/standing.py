"""Which marks of a slot are in force when, and how far one more or one less bears on that.

Why few marks bear on a time: an open telling ends at the next open one of its rank with another
value, and one with the same value leads the claim from there on.  So at each rank only the latest
start counts, besides marks with an end of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.marks import NEVER, ends
from agm_store.shelves import Bounded, Rivals, Shelf, drop, insert
from agm_store.timeline import leads_of, outcome, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm_store.marks import Mark, Since
    from agm_store.timeline import Outcome

Window = tuple[int, int]
"""A half-open stretch of valid time outside of which a change moves nothing."""


class Standing:
    """The live marks of a slot by the times at which they stand."""

    def __init__(self) -> None:
        self._open: dict[int, Shelf] = {}
        self._rivals: dict[int, Rivals] = {}
        self._undated: list[Mark] = []
        self._claims: dict[str, dict[tuple[int, bool], Shelf]] = {}  # by rank, and whether dated
        self._by_seq: dict[int, Mark] = {}
        self._bounded = Bounded()
        self._bounds: list[int] = []  # starts and own ends
        self._ends: dict[str | None, list[int]] = {}  # value -> own ends
        self._loose: dict[
            str, Mark
        ] = {}  # those that do not end after others of their rank and value

    def place(self, mark: Mark) -> Window:
        """Let a mark stand; the window in which that may change the outcome."""
        self._count_end(mark, insert)
        if mark.knotty or mark.order_start == BEFORE_ALL:
            self._loose[mark.entry_id] = mark
        if mark.end <= mark.start:
            return mark.start, mark.start
        window = self._window(mark)
        self._shelf_of(mark).add(mark)
        self._by_seq[mark.seq] = mark
        insert(self._bounds, mark.start)
        if mark.end < FOREVER:
            self._bounded.add(mark)
            insert(self._bounds, mark.end)
        elif mark.order_start == BEFORE_ALL:
            self._undated.append(mark)
        else:
            if mark.rank not in self._open:
                self._open[mark.rank] = Shelf()
            self._open[mark.rank].add(mark)
        if mark.rival:
            if mark.rank not in self._rivals:
                self._rivals[mark.rank] = Rivals()
            self._rivals[mark.rank].add(mark)
        return window

    def lift(self, mark: Mark) -> Window:
        """Take a mark away; the window in which that may change the outcome."""
        self._count_end(mark, drop)
        self._loose.pop(mark.entry_id, None)
        if mark.end <= mark.start:
            return mark.start, mark.start
        if mark.rival:
            self._rivals[mark.rank].remove(mark)
        if mark.end < FOREVER:
            self._bounded.remove(mark)
            drop(self._bounds, mark.end)
        elif mark.order_start == BEFORE_ALL:
            self._undated.remove(mark)
        else:
            self._open[mark.rank].remove(mark)
        drop(self._bounds, mark.start)
        self._shelf_of(mark).remove(mark)
        del self._by_seq[mark.seq]
        return self._window(mark)

    def worked_out(self, window: Window) -> list[tuple[int, Outcome]]:
        """Where something may change in a window, its start first, and what is the outcome from there."""
        start, end = window
        bounds = self._bounds
        inner = sorted(set(bounds[bisect_right(bounds, start) : bisect_left(bounds, end)]))
        return [(time, self._outcome(time)) for time in (start, *inner)]

    def next_start(self, rank: int, after: int) -> int:
        """The earliest start later than a time of a rival of at least a rank; FOREVER when there is none."""
        return min(
            (shelf.next(after) for r, shelf in self._rivals.items() if r >= rank), default=FOREVER
        )

    def ended(self, value: str, now: int) -> bool:
        """Whether a mark of the value has ended by now; of those alike the one that started first ends first."""
        own = self._ends.get(value)
        if own and own[0] <= now:
            return True
        if any(m.value == value and self._end(m) <= now for m in self._loose.values()):
            return True
        for shelf in self._rivals.values():
            starts = shelf.of.get(value)
            if starts and any(
                m.value == value and self._end(m) <= now for m in shelf.at[starts[0]]
            ):
                return True
        return False

    def _count_end(self, mark: Mark, change: Callable[[list[int], int], None]) -> None:
        if mark.end < FOREVER:
            change(self._ends.setdefault(mark.value, []), mark.end)

    def bears_on(self, mark: Mark, out: Outcome) -> bool:
        """Whether a mark that ends nobody may change an outcome where it joins what is in force or leaves it."""
        top = self._by_seq.get(out.believed[0]) if out.believed else None
        if top is None or out.others or mark.seq in out.believed:
            return True
        if mark.rank < top.rank:
            return mark.order_start > top.order_start
        return (mark.rank, mark.order_start) >= (top.rank, top.order_start)

    def speaks_for(self, identity: str) -> bool:
        """Whether any mark states a claim."""
        return any(shelf.starts for shelf in self._claims.get(identity, {}).values())

    def since(self, identity: str, now: int) -> Since:
        """The earliest start of the marks of a claim that are in force at a time; `NEVER` when there are none."""
        told = (
            mark
            for shelf in self._claims.get(identity, {}).values()
            for bucket in shelf.back(now)
            for mark in bucket
        )
        return min((m.began for m in told if self._holds(m, now)), default=NEVER)

    def leading(self, start: int, end: int) -> list[Mark]:
        """The strongest mark of each claim among those in force somewhere in [start, end)."""
        begun = [m for m in self._starting(start, end) if m.start < self._end(m)]
        return leads_of([*self.at(start), *begun])

    def at(self, time: int) -> list[Mark]:
        """The marks in force at a time, as far as they may lead a claim."""
        return [mark for mark in self._near(time) if self._holds(mark, time)]

    def _window(self, mark: Mark) -> Window:
        """Where a mark that does not stand bears on the outcome or on an end that stands with it.

        It does so up to its end, or that of whom it ends; and from where a telling begins that it ends,
        or whose claim it (or one that it ends at once) leads from its start on.
        """
        time = mark.start
        near = [other for other in self._near(time) if self._holds(other, time)]
        ended = [other for other in near if mark.rival and ends(mark, other)]
        begun = [mark, *(other for other in ended if other.start == time)]
        followed = [
            other
            for other in near
            if any(other.identity == m.identity and weight(other) < weight(m) for m in begun)
        ]
        start = min((other.start for other in (*ended, *followed)), default=time)
        reach = max((self._end(other) for other in ended), default=time)
        return min(start, time), max(reach, self._end(mark))

    def _shelf_of(self, mark: Mark) -> Shelf:
        key = mark.rank, mark.order_start != BEFORE_ALL
        return self._claims.setdefault(mark.identity, {}).setdefault(key, Shelf())

    def _starting(self, after: int, before: int) -> Iterator[Mark]:
        """The marks that start in (after, before)."""
        for shelf in (*self._open.values(), *self._bounded.shelves()):
            for bucket in shelf.between(after, before - 1):
                yield from bucket
        for mark in self._undated:
            if after < mark.start < before:
                yield mark

    def _until(self, mark: Mark, time: int) -> int:
        """Until when a mark that leads its claim at a time goes on to do so."""
        end = self._end(mark)
        for (rank, dated), shelf in self._claims[mark.identity].items():
            if (rank, dated) < (mark.rank, mark.order_start != BEFORE_ALL):
                continue
            for bucket in shelf.between(time, end - 1):
                if any(weight(m) > weight(mark) and m.start < self._end(m) for m in bucket):
                    end = bucket[0].start
                    break
        return end

    def _end(self, mark: Mark) -> int:
        """The effective end of a mark."""
        end = mark.end
        if mark.open:
            if mark.defaulted and self._ended_at_once(mark):
                return mark.start
            for rank, shelf in self._rivals.items():
                if rank >= mark.low:
                    end = shelf.first(mark.start, end, mark.key, any_value=rank >= mark.other)
        return end

    def _holds(self, mark: Mark, time: int) -> bool:
        """Whether a mark that starts at or before a time is in force there."""
        if mark.end <= time:
            return False
        if not mark.open:
            return True
        for rank, shelf in self._rivals.items():
            if rank >= mark.low and shelf.differs(
                mark.start, time, mark.key, any_value=rank >= mark.other
            ):
                return False
        return not (mark.defaulted and self._ended_at_once(mark))

    def _ended_at_once(self, mark: Mark) -> bool:
        """Whether a mark with a default start is ended where it begins, by one told later (``marks.ends_at_once``)."""
        return any(
            shelf.follows(mark.start, mark.order_seq, mark.key, any_value=rank >= mark.other)
            for rank, shelf in self._rivals.items()
            if rank >= mark.low
        )

    def _near(self, time: int) -> Iterator[Mark]:
        """All marks that may lead a claim at a time or may be ended there."""
        for shelf in self._open.values():
            values: set[str | None] = set()
            for bucket in shelf.back(time):
                yield from bucket
                values.update(m.value for m in bucket)
                if len(values) > 1 or not any(m.knotty for m in bucket):
                    break
        yield from self._bounded.covering(time)
        for mark in self._undated:
            if mark.start <= time:
                yield mark

    def _outcome(self, time: int) -> Outcome:
        return outcome(self.at(time), lambda mark: self._until(mark, time))

"""The rows of a slot's timeline as of its last entry, and what an entry changes in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.timeline import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm_store.timeline import Outcome, Stretch


class Change:
    """What an entry does to the rows of a timeline."""

    __slots__ = ("closed", "opened")

    def __init__(self) -> None:
        self.closed: list[tuple[int, int]] = []
        """Rows that end at the entry, as (valid_from, known_from)."""
        self.opened: dict[int, tuple[int, Outcome]] = {}
        """Rows that begin at the entry: valid_from -> (valid_to, outcome)."""


class Rows:
    """Stretches that tile all valid time, neighbours with different outcomes, each with the entry it is known from."""

    __slots__ = ("froms", "outcomes", "since")

    def __init__(self) -> None:
        self.froms: list[int] = [BEFORE_ALL]
        self.outcomes: list[Outcome] = [NOTHING]
        self.since: list[int] = [0]

    def stretches(self) -> Iterator[Stretch]:
        """The rows without the entries they are known from."""
        yield from zip(self.froms, [*self.froms[1:], FOREVER], self.outcomes, strict=True)

    def first(self, seq: int, change: Change) -> None:
        """Make the first entry open whatever stands; nothing was known before."""
        change.closed.clear()
        change.opened = {begin: (end, out) for begin, end, out in self.stretches()}
        self.since = [seq] * len(self.froms)

    def between(self, start: int, end: int) -> Iterator[Stretch]:
        """The rows that reach into [start, end)."""
        for place in range(bisect_right(self.froms, start) - 1, bisect_left(self.froms, end)):
            following = place + 1
            until = self.froms[following] if following < len(self.froms) else FOREVER
            yield self.froms[place], until, self.outcomes[place]

    def within(self, start: int, end: int) -> Sequence[Outcome]:
        """The outcomes somewhere in [start, end)."""
        return self.outcomes[bisect_right(self.froms, start) - 1 : bisect_left(self.froms, end)]

    def append(self, seq: int, start: int, out: Outcome, change: Change) -> None:
        """Let an outcome other than the last stand from a time in the last row on, for good."""
        begin, last = self.froms[-1], self.outcomes[-1]
        change.closed.append((begin, self.since[-1]))
        if begin < start:
            last = last._replace(ends=(start,) * len(last.ends))
            change.opened[begin] = start, last
            self.outcomes[-1], self.since[-1] = last, seq
            self.froms.append(start)
            self.outcomes.append(out)
            self.since.append(seq)
        else:
            self.outcomes[-1], self.since[-1] = out, seq
        change.opened[start] = FOREVER, out

    def splice(
        self,
        seq: int,
        window: tuple[int, int],
        found: Sequence[tuple[int, Outcome]],
        change: Change,
    ) -> None:
        """Put what was worked out for a window, as (valid_from, outcome), in place of what stood there."""
        froms, outcomes = self.froms, self.outcomes
        start, end = window
        low, high = bisect_right(froms, start) - 1, bisect_left(froms, end)
        new = [(froms[low], outcomes[low])] if froms[low] < start else []
        new += found
        if end < (froms[high] if high < len(froms) else FOREVER):
            new.append((end, outcomes[high - 1]))
        if low and outcomes[low - 1] == new[0][1]:
            low -= 1
            new.insert(0, (froms[low], outcomes[low]))
        if high < len(froms) and outcomes[high] == new[-1][1]:
            high += 1
        joined = [new[0]]
        joined += [row for before, row in pairwise(new) if row[1] != before[1]]
        self._exchange(seq, (low, high), joined, change)

    def _exchange(
        self, seq: int, place: tuple[int, int], rows: list[tuple[int, Outcome]], change: Change
    ) -> None:
        """Replace the rows at a place, keeping those that are the same and noting the others."""
        low, high = place
        froms = self.froms
        last = froms[high] if high < len(froms) else FOREVER
        stood = zip(
            froms[low:high],
            [*froms[low + 1 : high], last],
            self.outcomes[low:high],
            self.since[low:high],
            strict=True,
        )
        old = {(begin, end, out): since for begin, end, out, since in stood}
        sinces = []
        for (begin, out), end in zip(rows, [*(row[0] for row in rows[1:]), last], strict=True):
            since = old.pop((begin, end, out), None)
            if since is None:
                since = seq
                change.opened[begin] = end, out
            sinces.append(since)
        stands = {row[0] for row in rows}
        for (begin, _, _), since in old.items():
            if since < seq:
                change.closed.append((begin, since))
            elif begin not in stands:
                del change.opened[begin]
        froms[low:high] = [row[0] for row in rows]
        self.outcomes[low:high] = [row[1] for row in rows]
        self.since[low:high] = sinces

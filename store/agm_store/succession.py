"""Who ends whom in a slot by mere succession, found by search instead of by looking at every pair.

An open telling ends where the first rival with another value starts.  Per rank the rivals stand in
order of start, each with a jump to the next one of another value, so that one question takes two
steps after a search.  Rivals of one start stand in the order of the journal, in the same manner.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from agm_store.entries import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm_store.ledger import Telling


class Succession:
    """The rivals of one slot: tellings that end others where they start."""

    __slots__ = ("_ranks",)

    def __init__(self, rivals: Iterable[Telling]) -> None:
        by_rank: dict[int, list[Telling]] = {}
        for rival in rivals:
            by_rank.setdefault(rival.rank, []).append(rival)
        self._ranks = {rank: _Rank(members) for rank, members in by_rank.items()}

    def end_of(self, telling: Telling) -> int:
        """Where the first rival of an open telling starts; FOREVER when there is none."""
        strong = self._at_least(telling.rank)
        if telling.defaulted and any(r.at_once(telling) for r in strong):
            return telling.start
        return min((r.next_start(telling) for r in strong), default=FOREVER)

    def first_at(self, telling: Telling, time: int) -> Telling | None:
        """The first recorded of the rivals of an open telling that start at a time and come after it."""
        found: list[Telling] = []
        for rank in self._at_least(telling.rank):
            if time > telling.start:
                found += rank.at(time, telling)
            elif time == telling.start and telling.defaulted:
                found += rank.at_once(telling)
        return min(found, key=lambda t: t.seq, default=None)

    def _at_least(self, rank: int) -> list[_Rank]:
        return [found for own, found in self._ranks.items() if own >= rank]


class _Rank:
    """The rivals of one rank."""

    __slots__ = ("_jumps", "_order", "_starts", "_together")

    def __init__(self, rivals: list[Telling]) -> None:
        self._order = sorted(rivals, key=lambda t: (t.start, t.order_seq, t.seq))
        self._starts = [t.start for t in self._order]
        self._jumps = _jumps(self._order)
        self._together: dict[int, _Together] = {}
        for low, high in _runs(self._starts):
            self._together[self._starts[low]] = _Together(self._order[low:high])

    def next_start(self, telling: Telling) -> int:
        """The first start later than a telling's, of a rival with another value."""
        place = bisect_right(self._starts, telling.start)
        if place < len(self._order) and self._order[place].value == telling.value:
            place = self._jumps[place]
        return self._starts[place] if place < len(self._order) else FOREVER

    def at(self, time: int, telling: Telling) -> list[Telling]:
        """The first recorded rival that starts at a time with another value, if there is one."""
        together = self._together.get(time)
        return [] if together is None else together.first(telling.value)

    def at_once(self, telling: Telling) -> list[Telling]:
        """The first recorded rival of the same, defaulted start that comes later in the journal's order, if any."""
        together = self._together.get(telling.start)
        return [] if together is None else together.later(telling)


class _Together:
    """Rivals of one rank and one start."""

    __slots__ = ("_all", "_later", "_orders")

    def __init__(self, rivals: list[Telling]) -> None:
        self._all = _leads(rivals)[0]
        defaulted = [t for t in rivals if t.defaulted]
        self._orders = [t.order_seq for t in defaulted]
        self._later = _leads(defaulted)

    def first(self, value: str | None) -> list[Telling]:
        """The first recorded with another value, if there is one."""
        return [t for t in self._all if t.value != value][:1]

    def later(self, telling: Telling) -> list[Telling]:
        """The first recorded of the defaulted ones with another value that come later, if there is one."""
        leads = self._later[bisect_right(self._orders, telling.order_seq)]
        return [t for t in leads if t.value != telling.value][:1]


def _leads(rivals: Sequence[Telling]) -> list[list[Telling]]:
    """From each place on: the first recorded, and the first recorded of another value than that."""
    found: list[list[Telling]] = [[]]
    for rival in reversed(rivals):
        firsts: list[Telling] = []
        for other in sorted((rival, *found[-1]), key=lambda t: t.seq):
            if all(other.value != first.value for first in firsts):
                firsts.append(other)
        found.append(firsts[:2])
    found.reverse()
    return found


def _jumps(order: Sequence[Telling]) -> list[int]:
    """For each place the next one with another value."""
    jumps = [len(order)] * len(order)
    for place in range(len(order) - 2, -1, -1):
        following = place + 1
        same = order[following].value == order[place].value
        jumps[place] = jumps[following] if same else following
    return jumps


def _runs(starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The places [low, high) of each start in an ordered list."""
    low = 0
    for high in range(1, len(starts) + 1):
        if high == len(starts) or starts[high] != starts[low]:
            yield low, high
            low = high

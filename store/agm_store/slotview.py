"""A slot as the checks of a newcomer see it, by folding its entries (the reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import FOREVER
from agm_store.marks import NEVER, said_in
from agm_store.pads import SlotPad
from agm_store.reading import read_tellings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Said, Since

_NEVER_RETIRED = ("believed", "contested", "outranked")


class LedgerView:
    """The view of one slot of a ledger."""

    def __init__(self, ledger: Ledger, slot: str) -> None:
        self._ledger, self._slot = ledger, slot
        self._tellings = ledger.slots.get(slot, [])

    def overlapping(self, start: int, end: int) -> list[Telling]:
        """The leading tellings in force somewhere in [start, end), by (rank, start, seq) descending."""
        leads: dict[str, Telling] = {}
        for telling in sorted(self._tellings, key=_strength, reverse=True):
            if telling.live and not telling.redacted:
                low, high = self._ledger.interval(telling)
                if low < end and high > start and low < high:
                    leads.setdefault(telling.identity, telling)
        return list(leads.values())

    def withdrawn(self, value: str, said: Said) -> bool:
        """Whether a telling of the value that was heard there was withdrawn."""
        return any(
            t.value == value and t.withdrawn and said_in(t.body) == said for t in self._tellings
        )

    def next_start(self, telling_rank: int, after: int) -> int:
        """The earliest start later than a time of an open telling of at least a rank."""
        starts = [
            t.start
            for t in self._tellings
            if t.start > after
            and t.rank >= telling_rank
            and t.live
            and not t.derived
            and not t.undated
            and t.told_end == FOREVER
            and not self._ledger.never_held(t)
        ]
        return min(starts, default=FOREVER)

    def ended_before(self, value: str, now: int) -> bool:
        """Whether a telling of the value was withdrawn or undone, has ended by now, or is overridden at now."""
        undone = self._ledger.reverted.values()
        if any(t.slot == self._slot and t.value == value and t.admitted for t in undone):
            return True
        own = [t for t in self._tellings if t.value == value and t.admitted]
        if any(t.withdrawn or self._ledger.interval(t)[1] <= now for t in own):
            return True
        held = [t for t in own if self._ledger.in_force(t, now)]
        standing = self._standing(now) if held else {}
        return any(standing[t.entry_id] not in _NEVER_RETIRED for t in held)

    def unadmitted(self, value: str, telling_rank: int, before: int) -> Since:
        """Since when a value is on record by at least a rank, told before an entry and not admitted; else `NEVER`."""
        own = (t for t in self._tellings if t.value == value)
        return unadmitted(own, telling_rank, before)

    def stands_since(self, claim: str, now: int) -> Since:
        """The earliest start of the tellings of a claim that are in force at a time; `NEVER` when there are none."""
        return stands_since(self._ledger, claim, now)

    def _standing(self, now: int) -> dict[str, str]:
        members = [t for t in self._tellings if self._ledger.in_force(t, now) and not t.redacted]
        return read_tellings(self._ledger, members, SlotPad).standing


def unadmitted(tellings: Iterable[Telling], rank: int, before: int) -> Since:
    """Since when one is on record, told by at least a rank before an entry and not admitted; else `NEVER`.

    What was said to begin later than it was told counts from there: it was no word of the past yet.
    """
    found = (
        (max(t.told_at, t.start), t.seq)
        for t in tellings
        if t.unadmitted and t.rank >= rank and t.seq < before
    )
    return min(found, default=NEVER)


def stands_since(ledger: Ledger, claim: str, now: int) -> Since:
    """The earliest start of the tellings of a claim that are in force at a time; `NEVER` when there are none."""
    told = (t for t in ledger.claims.get(claim, ()) if ledger.in_force(t, now))
    return min((t.began for t in told), default=NEVER)


def _strength(telling: Telling) -> tuple[int, int, int]:
    return (telling.rank, telling.order_start, telling.order_seq)

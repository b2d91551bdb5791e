"""A slot as the checks of a newcomer see it, from marks kept at hand: equals ``slotview.LedgerView``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import ADMITTED, Telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm_store.entries import Entry
    from agm_store.marks import Said, Since
    from agm_store.slots import Slot


class LiveView:
    """The view of one slot; ``entry_of`` gives the entry of a seq."""

    def __init__(
        self, slot: Slot, entry_of: Callable[[int], Entry | None], rank_of: Callable[[str], int]
    ) -> None:
        self._slot, self._entry_of, self._rank_of = slot, entry_of, rank_of

    def overlapping(self, start: int, end: int) -> list[Telling]:
        """The leading tellings in force somewhere in [start, end), by (rank, start, seq) descending."""
        leads: dict[str, Telling] = {}
        for telling in sorted(
            self._tellings(self._slot.leading(start, end)), key=_strength, reverse=True
        ):
            leads.setdefault(telling.identity, telling)
        return list(leads.values())

    def withdrawn(self, value: str, said: Said) -> bool:
        """Whether a telling of the value that was heard there was withdrawn."""
        return self._slot.withdrawn(value, said)

    def next_start(self, telling_rank: int, after: int) -> int:
        """The earliest start later than a time of an open telling of at least a rank."""
        return self._slot.next_start(telling_rank, after)

    def ended_before(self, value: str, now: int) -> bool:
        """Whether a telling of the value was withdrawn, has ended by now, or is overridden at now."""
        return self._slot.ended(value, now) or self._slot.out(value, now)

    def unadmitted(self, value: str, telling_rank: int, before: int) -> Since:
        """Since when a value is on record by at least a rank, told before an entry and not admitted; else `NEVER`."""
        return self._slot.unadmitted(value, telling_rank, before)

    def stands_since(self, claim: str, now: int) -> Since:
        """The earliest start of the tellings of a claim that are in force at a time; `NEVER` when there are none."""
        return self._slot.stands_since(claim, now)

    def _tellings(self, seqs: Iterable[int]) -> list[Telling]:
        return [found for seq in sorted(seqs) if (found := self._telling(seq)) is not None]

    def _telling(self, seq: int) -> Telling | None:
        slot = self._slot
        telling = slot.told.get(seq)
        entry = self._entry_of(seq) if telling is None else None
        if entry is not None:
            mark = slot.mark(entry)
            telling = Telling(entry, entry.body["mode"], mark.rank)
            telling.state, telling.order_seq = ADMITTED, mark.order_seq
            telling.defaulted, telling.undated = mark.defaulted, mark.order_start != mark.start
            if not slot.tailed:
                slot.told[seq] = telling
        return telling


def _strength(telling: Telling) -> tuple[int, int, int]:
    return telling.rank, telling.order_start, telling.order_seq

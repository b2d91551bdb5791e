"""Which telling speaks for a claim, and until when: one told before one derived, then the strongest and latest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.ledger import Ledger, Telling


def leads_until(ledger: Ledger, telling: Telling, valid: int) -> int:
    """Until when a telling in force speaks for its claim: to its end, or to where a stronger or later one starts."""
    end = ledger.interval(telling)[1]
    for other in ledger.claims[telling.identity]:
        if other.live and _weight(other) > _weight(telling):
            start, stop = ledger.interval(other)
            if valid < start < min(end, stop):
                end = start
    return end


def leading(tellings: Iterable[Telling]) -> list[Telling]:
    """One telling for each claim: a told one before a derived one, then the strongest and latest."""
    leads: dict[str, Telling] = {}
    for telling in tellings:
        best = leads.get(telling.identity)
        if best is None or _weight(telling) > _weight(best):
            leads[telling.identity] = telling
    return list(leads.values())


def _weight(telling: Telling) -> tuple[bool, int, int, int]:
    return not telling.derived, telling.rank, telling.order_start, telling.order_seq

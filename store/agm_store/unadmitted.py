"""What a slot remembers of the tellings that were not admitted: since when each value is on record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import SAYS_SO
from agm_store.marks import NEVER

if TYPE_CHECKING:
    from agm_store.entries import Entry
    from agm_store.ledger import Telling
    from agm_store.marks import Since


class Unadmitted:
    """By value and rank, what is on record earlier than all that was told before it.

    A telling that was said to begin later than it was told counts from where it begins; so a later
    telling may be on record earlier.
    """

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: dict[str | None, dict[int, list[Since]]] = {}

    def told(self, entry: Entry, rank: int) -> None:
        """Take in an entry that was not admitted, if it says that something is or was so."""
        body = entry.body
        if body["mode"] in SAYS_SO:
            start = max(entry.recorded_at, body.get("from", entry.recorded_at))
            self._put(body.get("value"), rank, (start, entry.seq))

    def take(self, telling: Telling) -> None:
        """Take in a telling of a ledger that was not admitted."""
        since = max(telling.told_at, telling.start), telling.seq
        self._put(telling.value, telling.rank, since)

    def since(self, value: str | None, rank: int, before: int) -> Since:
        """Since when a value is on record by at least a rank, of what was told before an entry; else `NEVER`."""
        found = NEVER
        for own, firsts in self._of.get(value, {}).items():
            if own >= rank:
                found = min([found, *(each for each in firsts if each[1] < before)])
        return found

    def clear(self) -> None:
        """Forget all."""
        self._of.clear()

    def _put(self, value: str | None, rank: int, since: Since) -> None:
        firsts = self._of.setdefault(value, {}).setdefault(rank, [])
        if not firsts or since < firsts[-1]:
            firsts.append(since)

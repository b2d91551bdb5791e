"""Readings that serve many tellings: what conclusions rest on is read once, not once for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.outcomes import consolidated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger
    from agm_store.reading import Reading


class Overview:
    """What is believed around some tellings at a time, read when it is asked for.

    The latest are read first, for what they rest on is read with them.
    """

    def __init__(self, context: Context, entries: Iterable[Entry], now: int) -> None:
        self._context, self._now = context, now
        self._waiting = sorted(entries, key=lambda e: e.seq)  # taken from the end
        self._read: dict[str, tuple[frozenset[str], Ledger, Reading]] = {}

    def of(self, entry: Entry) -> tuple[Ledger, Reading]:
        """A ledger and a reading that cover a telling and what it rests on.

        Raises:
            NotDecided: a check did not run.
        """
        tokens = tokens_of(entry) or [f"#{entry.entry_id}"]
        found = self._covering(tokens)
        while found is None and self._waiting:
            latest = self._waiting.pop()
            if latest.seq == entry.seq:
                break
            others = tokens_of(latest) or [f"#{latest.entry_id}"]
            if self._covering(others) is None:
                try:
                    self._look(others)
                except NotDecided:
                    continue  # which is said where that one is asked about
                found = self._covering(tokens)
        return found or self._look(tokens)

    def _covering(self, tokens: list[str]) -> tuple[Ledger, Reading] | None:
        found = self._read.get(tokens[0])
        return found[1:] if found is not None and found[0].issuperset(tokens) else None

    def _look(self, tokens: list[str]) -> tuple[Ledger, Reading]:
        context = self._context
        around = component(context.journal, context.owner, tokens, whole=False)
        ledger = context.ledger(around)
        reading = consolidated(context, ledger, self._now)
        found = frozenset(around), ledger, reading
        self._read.update(dict.fromkeys(around, found))
        return ledger, reading

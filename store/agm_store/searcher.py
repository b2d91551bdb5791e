"""The search of one backend: what its index lags behind is taken in, or looked at apart, and then it is asked.

A store that is open for writing takes in what lags before it searches, page by page; one that is not
keeps the latest of it in an index in memory.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from agm_store.searching import SearchIndex, plan, search

if TYPE_CHECKING:
    from agm_store.journal import Journal
    from agm_store.searching import Matches, Query

TAIL = 20_000
"""Entries that a store which cannot be written looks at beside its index."""

_PAGE = 2000


class Searcher:
    """The index of a journal, and how far it covers it.

    ``live`` is the index that is kept up, None for one in memory; with ``writable`` False it stays as it is.
    """

    def __init__(
        self, journal: Journal, live: SearchIndex | None = None, *, writable: bool = True
    ) -> None:
        self._journal, self._writable = journal, writable
        self._live = in_memory() if live is None else live
        self._tail: SearchIndex | None = None
        self._tail_of = 0, 0  # the entry after which the tail begins, and the last one in it

    @property
    def live(self) -> SearchIndex:
        """The index that is kept up."""
        return self._live

    @property
    def upto(self) -> int:
        """The last entry that the index covers."""
        return self._live.upto if self._writable or self._live.made() else 0

    def catch_up(self, most: int | None = None) -> None:
        """Take in what the index lags behind, or ``most`` entries of it, in one transaction a page."""
        journal, left = self._journal, most
        while (left is None or left > 0) and self._live.upto < journal.head().count:
            with journal.transaction():
                upto = self._live.upto
                end = upto + (_PAGE if left is None else min(left, _PAGE))
                self._live.take(journal.entries(after=upto, upto=end))
            left = None if left is None else left - _PAGE

    def doubt(self) -> None:
        """Drop what was kept in memory of an index that another process has written to."""
        self._live.forget()

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Matches:
        """The tellings of an owner that a text may be about; see `agm_store.journal.Journal.search`."""
        parts, missing = self._parts(most)
        end = self._journal.head().count if upto is None else upto
        found = search(parts, owner, text, upto=end, limit=limit)
        return found._replace(not_indexed=missing)

    def plan(self, owner: str, text: str) -> list[Query]:
        """The queries that a text amounts to now, for measuring them alone."""
        parts, _ = self._parts(0)
        return plan(parts, owner, text, upto=self._journal.head().count)[0]

    def naming(self, owner: str, name: str) -> list[str]:
        """The tokens of an owner that name an entity, as far as the index goes, sorted."""
        parts, _ = self._parts(0)
        return sorted({token for part in parts for token in part.naming(owner, name)})

    def _parts(self, most: int | None) -> tuple[list[SearchIndex], int]:
        """The indexes to ask, and how many entries are in none of them."""
        if self._writable:
            self.catch_up(most)
            return [self._live], self._journal.head().count - self._live.upto
        upto, count = self.upto, self._journal.head().count
        after = max(upto, self._tail_of[0], count - TAIL)
        if self._tail is None or self._tail_of[0] != after:
            self._tail, self._tail_of = in_memory(), (after, after)
        if self._tail_of[1] < count:
            self._tail.take(self._journal.entries(after=self._tail_of[1], upto=count))
            self._tail_of = after, count
        live = [self._live] if upto else []
        return [*live, self._tail], after - upto


def in_memory() -> SearchIndex:
    """An index in memory, empty."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    index = SearchIndex(connection)
    index.make()
    return index

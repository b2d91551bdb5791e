"""A journal's projections in its file: kept up with each entry, made anew, and compared with what it amounts to.

What is kept of them in memory is dropped here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.borders import STUMBLES
from agm_store.entries import FOREVER
from agm_store.errors import ChainBroken
from agm_store.indexes import Indexes
from agm_store.schema import LAYOUT, TRIGGERS, settings_of
from agm_store.sealing import entry_in, rank_function
from agm_store.segments import Timelines
from agm_store.transactions import Transactions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from agm_store.entries import Entry
    from agm_store.journal import Journal, Progress
    from agm_store.sealing import Settings
    from agm_store.searcher import Searcher

ENTRY = "SELECT seq, owner, entry_id, recorded_at_us, body FROM journal"
TOUCHING = f"""{ENTRY} WHERE seq IN (SELECT known_from FROM timeline
    WHERE token = ? AND valid_from = {FOREVER} AND known_from > ? AND known_from < ?) ORDER BY seq"""
_REDACTED = """SELECT EXISTS (SELECT 1 FROM journal WHERE body LIKE '%"op":"redact"%')"""


class Projected(Transactions):
    """The projections that stand beside a journal in one file, and the triggers that keep it."""

    def __init__(self, path: str, connection: sqlite3.Connection, *, writable: bool) -> None:
        super().__init__(path, connection)
        self._writable = writable
        self._indexes = Indexes(connection)
        self._searcher: Searcher | None = None
        self._lately: dict[
            int, tuple[Any, ...]
        ] = {}  # entries as rows, which the next writes look at
        self._settle(settings_of(path, connection))

    def rebuild(self, progress: Progress | None = None) -> None:
        """Drop all projections and make them anew from the journal; where something was redacted, the file as well."""
        with self.transaction():
            self._project(progress)
            self._traces = bool(self._rows(_REDACTED)[0][0])

    def _project(self, progress: Progress | None = None) -> None:
        from agm_store.guards import restore
        from agm_store.rebuilding import rebuild

        with self.transaction():
            restore(self._connection)
            try:
                rebuild(self._connection, self._rank, progress)
            except STUMBLES as error:
                raise self._fault(error) from error
            self._execute(f"PRAGMA user_version = {LAYOUT}")
            self._indexes.forget()
            self._searcher = None
            self._timelines.forget(0)

    def blank(self, forms: Mapping[int, str]) -> None:
        """Put redacted bodies in place of what an entry before named; the projections are made anew."""
        with self.transaction():
            self._execute("PRAGMA secure_delete = ON")
            self._lately.clear()
            for seq in sorted(forms):
                self._execute("UPDATE journal SET body = ? WHERE seq = ?", (forms[seq], seq))
            self._project()
            self._traces = True

    def verify_projections(self) -> None:
        """Compare every projection with what the journal amounts to.

        Raises:
            ProjectionBroken: a row is missing, too many, or another one.
            SchemaBroken: a trigger that keeps the journal is missing, or another one.
        """
        from agm_store.guards import check
        from agm_store.rebuilding import compare

        with self._reading():
            try:
                compare(self._connection, self._rank)
            except STUMBLES as error:
                raise self._fault(error) from error
            check(self._connection)

    def _guard(self) -> None:
        """Put back the triggers that some other program dropped; a sound file is only looked at."""
        found = self._rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
        if {sql for (sql,) in found} != TRIGGERS:
            from agm_store.guards import restore

            with self.transaction():
                restore(self._connection)

    def _fault(self, error: Exception) -> Exception:
        """What an error in reading bodies means: the first entry that the chain or its form speaks against."""
        from agm_store.bodies import misfit
        from agm_store.transfer import checked_chain

        for record in checked_chain(cast("Journal", self)):
            entry = entry_in((*record[:4], record.text))
            why = misfit(entry.body)
            if why is not None:
                return ChainBroken(entry.seq, why)
        return error

    def _settle(self, settings: Settings) -> None:
        self._rank = rank_function(settings.order)
        self.settings, self.replay, self.order = settings, settings.replay, settings.order
        self._timelines = Timelines(self._connection, self._rank, self._history)

    def _search(self) -> Searcher:
        if self._searcher is None:
            from agm_store.searcher import Searcher
            from agm_store.searching import SearchIndex

            index = SearchIndex(self._connection)
            self._searcher = Searcher(cast("Journal", self), index, writable=self._writable)
        return self._searcher

    def _history(self, token: int, after: int = 0, before: int = FOREVER) -> list[Entry]:
        """The entries on a token between two seqs, both excluded."""
        return list(map(entry_in, self._rows(TOUCHING, (token, after, before))))

    def _take_back(self, count: int) -> None:
        self._indexes.forget()
        self._lately.clear()
        self._timelines.forget(count)
        self._searcher = None

    def _doubt(self) -> None:
        self._indexes.forget()
        self._lately.clear()
        self._timelines.doubt()
        if self._searcher is not None:
            self._searcher.doubt()

"""A journal in one SQLite file: see `agm_store.journal.Journal`, and `schema` for the tables.

One connection behind one lock serves all threads; other processes are kept apart by SQLite.  Each
write is one ``BEGIN IMMEDIATE`` transaction that carries the entry and every projection of it.
"""

from __future__ import annotations

import sqlite3
from _thread import get_ident
from bisect import bisect_right
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Any

from agm_store.borders import STUMBLES
from agm_store.entries import FOREVER, Entry
from agm_store.errors import ChainBroken, IdempotencyConflict, StoreBusy, shorten
from agm_store.indexes import Indexes
from agm_store.journal import Head
from agm_store.schema import (
    BUSY_SECONDS,
    FAULTS,
    LAYOUT,
    SHARING,
    TRIGGERS,
    connect,
    make,
    settings_of,
    translated,
)
from agm_store.sealing import Record, Settings, opened, rank_function, sealed
from agm_store.searchtables import BACKLOG
from agm_store.segments import Timelines
from agm_store.touches import WITH, touch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agm_store.entries import Body
    from agm_store.journal import Progress, Segment, SlotView
    from agm_store.searcher import Searcher
    from agm_store.searching import Found

_PAGE = 1000
_LATELY, _SHORT = 1000, 2000
"""How many of the last entries a hand keeps, and how long they are at most."""
_ENTRY = "SELECT seq, owner, entry_id, recorded_at_us, body FROM journal"
_ENTRIES = (
    f"{_ENTRY} WHERE seq > ? AND seq <= ? AND (?3 IS NULL OR owner = ?3) ORDER BY seq LIMIT {_PAGE}"
)
_RECORDS = f"SELECT * FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT {_PAGE}"
_TOUCHING = f"""{_ENTRY} WHERE seq IN (SELECT known_from FROM timeline
    WHERE token = ? AND valid_from = {FOREVER} AND known_from > ? AND known_from < ?) ORDER BY seq"""
_LATEST = f"{_ENTRY} WHERE owner = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
_OWNERS = """WITH RECURSIVE found (name) AS (SELECT min(owner) FROM journal UNION ALL
    SELECT (SELECT min(owner) FROM journal WHERE owner > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL"""
_SHARERS = f"SELECT owner FROM token WHERE text = ? AND {SHARING} ORDER BY owner"
_REDACTED = """SELECT EXISTS (SELECT 1 FROM journal WHERE body LIKE '%"op":"redact"%')"""
_HEAD = "SELECT seq, recorded_at_us, hash FROM journal ORDER BY seq DESC LIMIT 1"
_INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)"


class SqliteJournal:
    """A journal in a file, safe for several threads and several processes.

    ``replay`` and ``order`` are kept when the store is made; an existing one has its own.
    ``synchronous`` is FULL (survives loss of power) or NORMAL (survives a crash of the process).

    Raises:
        NoSuchStore, NotAStore, NewerSchema, ReadOnlyStore, StoreBusy: the file cannot be opened.
    """

    def __init__(
        self,
        path: str,
        *,
        create: bool = False,
        read_only: bool = False,
        replay: bool = False,
        order: object = None,
        synchronous: str = "FULL",
    ) -> None:
        self.path = str(path)
        self._lock = RLock()
        self._connection, schema = connect(self.path, create=create, read_only=read_only)
        if not schema:
            make(self.path, self._connection, Settings(order, replay))
        self._execute = self._connection.execute
        self._execute(f"PRAGMA synchronous = {'NORMAL' if synchronous == 'NORMAL' else 'FULL'}")
        self._indexes = Indexes(self._connection)
        self._searcher: Searcher | None = None
        self._writable = not read_only
        self._lately: dict[
            int, tuple[Any, ...]
        ] = {}  # entries as rows, which the next writes look at
        self._level = 0
        self._holder = 0  # the thread inside a transaction
        self._traces = False  # of what was redacted, in free pages and in the log
        self._head: Head | None = None
        self._seen = -1
        self._settle(settings_of(self.path, self._connection))
        if schema and not read_only:
            self._guard()
            if schema < LAYOUT:
                self._project()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic write; nested levels are savepoints, and the first error is the one that is seen."""
        with self._lock:
            level, before = self._level, self._head
            count = self._begin(level)
            self._holder = get_ident()
            try:
                yield
                self._execute(f"RELEASE level_{level}" if level else "COMMIT")
            except BaseException as error:
                self._undo(level, count)
                self._head, self._traces = before, self._traces and bool(level)
                if isinstance(error, FAULTS):
                    raise translated(self.path, error) from error
                raise
            finally:
                self._level = level
                if not level:
                    self._head = None
                    self._holder = 0
        if self._traces and not level:
            self.scrub()

    @property
    def writable(self) -> bool:
        """Whether the file was opened to write."""
        return self._writable

    @property
    def writing(self) -> bool:
        """Whether this thread is inside a transaction."""
        return self._holder == get_ident()

    def head(self) -> Head:
        """The end of the journal."""
        with self._lock:
            if self._head is not None:
                return self._head
            rows = self._rows(_HEAD)
            return Head(*rows[0]) if rows else self.settings.start()

    def append(self, owner: str, entry_id: str, recorded_at: int, body: Body) -> Entry:
        """Write one entry at the end, with its projections.

        Raises:
            IdempotencyConflict: the owner has an entry with this id.
        """
        if not self._level:
            with self.transaction():
                return self.append(owner, entry_id, recorded_at, body)
        record = sealed(self.head(), owner, entry_id, recorded_at, body)
        entry = Entry(record.seq, owner, entry_id, recorded_at, body)
        self._write(record, entry)
        if "text" in body:  # a claim alone waits until someone searches
            self._search().catch_up(BACKLOG)
        return entry

    def restore(self, record: Record) -> Entry:
        """Write a record that was made for the end of this journal."""
        with self.transaction():
            entry = Entry(*record[:4], opened(record.text))
            self._write(record, entry)
            return entry

    def records(self, *, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Entries as they are kept, in order of seq."""
        end = FOREVER if upto is None else upto
        while rows := self._rows(_RECORDS, (after, end)):
            after = rows[-1][0]
            yield from map(Record._make, rows)

    def entry(self, seq: int) -> Entry | None:
        """The entry with a number."""
        if not 0 < seq < FOREVER:
            return None
        if self._holder == get_ident() and (row := self._lately.get(seq)) is not None:
            return _entry(row)
        return self._one(f"{_ENTRY} WHERE seq = ?", (seq,))

    def find(self, owner: str, entry_id: str) -> Entry | None:
        """The entry of an owner with an id."""
        try:
            return self._one(f"{_ENTRY} WHERE owner = ? AND entry_id = ?", (owner, entry_id))
        except UnicodeEncodeError:  # lone surrogates: no entry has such an id
            return None

    def entries(
        self, *, owner: str | None = None, after: int = 0, upto: int | None = None
    ) -> Iterator[Entry]:
        """Entries in order of seq, those of one owner or all."""
        end = FOREVER if upto is None else upto
        while rows := self._rows(_ENTRIES, (after, end, owner)):
            after = rows[-1][0]
            yield from map(_entry, rows)

    def owners(self) -> list[str]:
        """Everyone who has an entry, in order of their names."""
        return [name for (name,) in self._rows(_OWNERS)]

    def touching(
        self, owner: str, tokens: Iterable[str], *, upto: int | None = None
    ) -> list[Entry]:
        """The entries of an owner that touch any of the tokens, in order of seq."""
        end = FOREVER if upto is None else upto + 1
        with self._reading():
            asked = {self._indexes.find(owner, text)[0] for text in tokens}
            found = {
                row[0]: row
                for token in asked
                if token
                for row in self._rows(_TOUCHING, (token, 0, end))
            }
        return [_entry(found[seq]) for seq in sorted(found)]

    def plain(self, owner: str, token: str) -> bool:
        """Whether everything recorded on a slot so far can be carried by its timeline."""
        return self._odd(owner, token) == FOREVER

    def linked(self, owner: str, token: str) -> list[str]:
        """Tokens that share an entry with this one, sorted."""
        with self._reading():
            return self._indexes.linked(owner, token)

    def rests_on(self, owner: str, token: str) -> list[str]:
        """Tokens of the premises of what was derived on this one, sorted."""
        with self._reading():
            return self._indexes.rests_on(owner, token)

    def sharers(self, principal: str) -> list[str]:
        """The owners who ever shared something with a principal, in order of their names."""
        return [owner for (owner,) in self._rows(_SHARERS, (f"{WITH}{principal}",))]

    def touched(self, owner: str, token: str) -> bool:
        """Whether any entry of an owner touches a token or bears a mark."""
        with self._reading():
            return bool(self._indexes.find(owner, token)[0])

    def ruled(self, owner: str) -> list[Entry]:
        """The entries of an owner with ``p/*`` tokens, in order of seq."""
        with self._reading():
            found = (self.entry(seq) for seq in self._indexes.ruled(owner))
            return [entry for entry in found if entry is not None]

    def tokens(self, owner: str, predicate: str, entity: str | None = None) -> list[str]:
        """The tokens of a predicate (that mention an entity), sorted."""
        with self._reading():
            return self._indexes.tokens(owner, predicate, entity)

    def first_of(self, owner: str, predicate: str) -> Entry | None:
        """The first entry that speaks of a predicate by any token but its declaration."""
        with self._reading():
            return self.entry(self._indexes.first_of(owner, predicate))

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Found:
        """The tellings of an owner that a text may be about, best first."""
        with self._reading():
            return self._search().search(owner, text, limit=limit, upto=upto, most=most)

    def naming(self, owner: str, entity: str) -> list[str]:
        """The tokens that name an entity, as far as the index goes, sorted."""
        with self._reading():
            return self._search().naming(owner, entity)

    def indexed(self) -> int:
        """The last entry that the search index covers."""
        with self._reading():
            return self._search().upto

    def latest(self, owner: str, *, before: int, count: int) -> list[Entry]:
        """The last entries of an owner before a number, latest first."""
        return list(map(_entry, self._rows(_LATEST, (owner, before, count))))

    def vectors(self, owner: str) -> list[tuple[int, bytes]]:
        """What an embedder made of an owner's tellings, in order of seq."""
        with self._reading():
            return self._search().live.vectors(owner)

    def embedded(self, owner: str) -> int:
        """The last telling of an owner that has a vector; 0 when none has."""
        with self._reading():
            return self._search().live.embedded(owner)

    def keep_vectors(self, owner: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep what an embedder made of some tellings."""
        with self.transaction():
            self._search().live.keep_vectors(owner, rows)

    def slot_view(self, owner: str, slot: str) -> SlotView:
        """The tellings of a slot as recorded so far."""
        with self._reading():
            token, _ = self._indexes.find(owner, slot)
            found = self._timelines.slot(token, slot)
            if not found.strange:
                from agm_store.liveview import LiveView

                return LiveView(found, self.entry, self._rank)
            from agm_store.ledger import fold
            from agm_store.slotview import LedgerView

            return LedgerView(fold(self._history(token), self._rank), slot)

    def seq_at(self, recorded_at: int) -> int:
        """The number of the last entry recorded at or before a time; 0 when there is none."""
        numbers = range(1, self.head().count + 1)
        return bisect_right(numbers, recorded_at, key=self._recorded_at)

    def segment(self, owner: str, slot: str, valid: int, known: int) -> Segment | None:
        """The stretch of a plain slot's timeline at a point; None where the timeline says nothing."""
        with self._reading():
            token, odd = self._indexes.find(owner, slot)
            return self._timelines.segment(token, slot, valid, known) if known < odd else None

    def timeline(self, owner: str, slot: str, known: int) -> list[Segment]:
        """The stretches of a plain slot as known at an entry, in order of valid time."""
        with self._reading():
            token, odd = self._indexes.find(owner, slot)
            return self._timelines.timeline(token, slot, known) if known < odd else []

    def adopt(self, settings: Settings) -> None:
        """Take other settings while there is no entry."""
        with self.transaction():
            self._execute("UPDATE settings SET body = ?", (settings.text(),))
            self._settle(settings)
            self._head = settings.start()

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

    def scrub(self) -> None:
        """Write the file anew and empty its log, so that neither holds a trace of what was redacted.

        Raises:
            StoreBusy, ReadOnlyStore: traces are left, for another hand reads the file or the disk is full.
        """
        with self._lock:
            self._traces = False
            try:
                self._execute("VACUUM")
                busy = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except FAULTS as error:
                raise translated(self.path, error) from error
            if busy:
                raise StoreBusy(self.path, BUSY_SECONDS)

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

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def __del__(self) -> None:
        """Let the file go with the last reference."""
        connection = getattr(self, "_connection", None)
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

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

        for record in checked_chain(self):
            entry = _entry((*record[:4], record.text))
            why = misfit(entry.body)
            if why is not None:
                return ChainBroken(entry.seq, why)
        return error

    def _settle(self, settings: Settings) -> None:
        self._rank = rank_function(settings.order)
        self.settings, self.replay, self.order = settings, settings.replay, settings.order
        self._timelines = Timelines(self._connection, self._rank, self._history)

    def _write(self, record: Record, entry: Entry) -> None:
        try:
            self._execute(_INSERT, record)
        except sqlite3.IntegrityError:
            if self.find(record.owner, record.entry_id) is not None:
                raise IdempotencyConflict(record.entry_id) from None
            raise
        self._head = Head(record.seq, record.recorded_at, record.hash)
        self._seen = record.seq
        if len(record.text) <= _SHORT:
            if len(self._lately) >= _LATELY:
                del self._lately[next(iter(self._lately))]
            self._lately[record.seq] = record[:5]
        for place in self._indexes.write(record.owner, record.seq, touch_of(entry.body)):
            self._timelines.write(place, entry)

    def _search(self) -> Searcher:
        if self._searcher is None:
            from agm_store.searcher import Searcher
            from agm_store.searching import SearchIndex

            index = SearchIndex(self._connection)
            self._searcher = Searcher(self, index, writable=self._writable)
        return self._searcher

    def _begin(self, level: int) -> int:
        """Begin a level; the number of entries there are before it."""
        try:
            self._execute(f"SAVEPOINT level_{level}" if level else "BEGIN IMMEDIATE")
        except FAULTS as error:
            raise translated(self.path, error) from error
        self._level = level + 1
        if self._head is None:
            try:
                self._head = self.head()
            except BaseException:
                self._undo(level, 0)
                self._level = level
                raise
            self._notice(self._head.count)
        return self._head.count

    def _undo(self, level: int, count: int) -> None:
        """Take back a level; trouble in doing so never hides the error that led here."""
        with suppress(sqlite3.Error):
            if not self._connection.in_transaction:
                pass  # SQLite took everything back by itself
            elif level:
                self._execute(f"ROLLBACK TO level_{level}")
                self._execute(f"RELEASE level_{level}")
            else:
                self._execute("ROLLBACK")
        self._indexes.forget()
        self._lately.clear()
        self._timelines.forget(count)
        self._searcher = None

    def _notice(self, count: int | None = None) -> None:
        """Drop what was kept in memory when another process has written since."""
        if count is None:
            count = self.head().count
        if count != self._seen:
            self._indexes.forget()
            self._lately.clear()
            self._timelines.doubt()
            if self._searcher is not None:
                self._searcher.doubt()
            self._seen = count

    def _look(self) -> None:
        """Drop what another process has overtaken; inside a transaction that was seen when it began."""
        if not self._level:
            self._notice()

    def _reading(self) -> _Reading:
        """Read under the lock, with nothing kept that another process has overtaken."""
        return _Reading(self._lock, self._look, self.path)

    def _history(self, token: int, after: int = 0, before: int = FOREVER) -> list[Entry]:
        """The entries on a token between two seqs, both excluded."""
        return list(map(_entry, self._rows(_TOUCHING, (token, after, before))))

    def _odd(self, owner: str, token: str) -> int:
        with self._reading():
            return self._indexes.find(owner, token)[1]

    def _recorded_at(self, seq: int) -> int:
        at: int = self._rows("SELECT recorded_at_us FROM journal WHERE seq = ?", (seq,))[0][0]
        return at

    def _one(self, sql: str, parameters: tuple[Any, ...]) -> Entry | None:
        rows = self._rows(sql, parameters)
        return _entry(rows[0]) if rows else None

    def _rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._execute(sql, parameters).fetchall()
        except FAULTS as error:
            raise translated(self.path, error) from error


class _Reading:
    """A read of a journal under its lock; several make up one write, so it is no generator."""

    __slots__ = ("_lock", "_look", "_path")

    def __init__(self, lock: RLock, look: Callable[[], None], path: str) -> None:
        self._lock, self._look, self._path = lock, look, path

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._look()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._lock.release()
        if isinstance(error, FAULTS):
            raise translated(self._path, error) from error


def _entry(row: tuple[Any, ...]) -> Entry:
    try:
        body = opened(row[4])
        if type(body) is dict:
            return Entry(row[0], row[1], row[2], row[3], body)
    except (ValueError, RecursionError):
        pass
    raise ChainBroken(row[0], f"its body is {shorten(row[4])}, which agm never wrote")

"""A journal in one SQLite file: see `agm_store.journal.Journal`, and `schema` for the tables.

One connection behind one lock serves all threads (`transactions`); other processes are kept apart by
SQLite.  Each write is one ``BEGIN IMMEDIATE`` transaction that carries the entry and every projection of
it (`projected`).
"""

from __future__ import annotations

import sqlite3
from _thread import get_ident
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from agm_store.entries import FOREVER, Entry
from agm_store.errors import IdempotencyConflict
from agm_store.journal import Head
from agm_store.projected import ENTRY, TOUCHING, Projected
from agm_store.schema import LAYOUT, SHARING, connect, make
from agm_store.sealing import Record, Settings, entry_in, opened, sealed
from agm_store.searchtables import BACKLOG
from agm_store.touches import WITH, touch_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm_store.entries import Body
    from agm_store.journal import Segment, SlotView
    from agm_store.searching import Matches

_PAGE = 1000
_LATELY, _SHORT = 1000, 2000
"""How many of the last entries a hand keeps, and how long they are at most."""
_ENTRIES = (
    f"{ENTRY} WHERE seq > ? AND seq <= ? AND (?3 IS NULL OR owner = ?3) ORDER BY seq LIMIT {_PAGE}"
)
_RECORDS = f"SELECT * FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT {_PAGE}"
_LATEST = f"{ENTRY} WHERE owner = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
_OWNERS = """WITH RECURSIVE found (name) AS (SELECT min(owner) FROM journal UNION ALL
    SELECT (SELECT min(owner) FROM journal WHERE owner > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL"""
_SHARERS = f"SELECT owner FROM token WHERE text = ? AND {SHARING} ORDER BY owner"
_INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)"


class SqliteJournal(Projected):
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
        path = str(path)
        # kept at once, so that the file is let go whatever goes wrong from here on
        self._connection, schema = connect(path, create=create, read_only=read_only)
        if not schema:
            make(path, self._connection, Settings(order, replay))
        level = "NORMAL" if synchronous == "NORMAL" else "FULL"
        self._connection.execute(f"PRAGMA synchronous = {level}")
        super().__init__(path, self._connection, writable=not read_only)
        if schema and not read_only:
            self._guard()
            if schema < LAYOUT:
                self._project()

    @property
    def writable(self) -> bool:
        """Whether the file was opened to write."""
        return self._writable

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
            return entry_in(row)
        return self._one(f"{ENTRY} WHERE seq = ?", (seq,))

    def find(self, owner: str, entry_id: str) -> Entry | None:
        """The entry of an owner with an id."""
        try:
            return self._one(f"{ENTRY} WHERE owner = ? AND entry_id = ?", (owner, entry_id))
        except UnicodeEncodeError:  # lone surrogates: no entry has such an id
            return None

    def entries(
        self, *, owner: str | None = None, after: int = 0, upto: int | None = None
    ) -> Iterator[Entry]:
        """Entries in order of seq, those of one owner or all."""
        end = FOREVER if upto is None else upto
        while rows := self._rows(_ENTRIES, (after, end, owner)):
            after = rows[-1][0]
            yield from map(entry_in, rows)

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
                for row in self._rows(TOUCHING, (token, 0, end))
            }
        return [entry_in(found[seq]) for seq in sorted(found)]

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

    def declared(self, owner: str) -> list[str]:
        """The predicates that an owner ever declared, sorted."""
        with self._reading():
            return self._indexes.declared(owner)

    def first_of(self, owner: str, predicate: str) -> Entry | None:
        """The first entry that speaks of a predicate by any token but its declaration."""
        with self._reading():
            return self.entry(self._indexes.first_of(owner, predicate))

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Matches:
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
        return list(map(entry_in, self._rows(_LATEST, (owner, before, count))))

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

    def segments(self, owner: str, slot: str) -> list[Segment]:
        """The stretches of a plain slot as known at any entry."""
        with self._reading():
            token, odd = self._indexes.find(owner, slot)
            return self._timelines.segments(token, slot) if odd == FOREVER else []

    def adopt(self, settings: Settings) -> None:
        """Take other settings while there is no entry."""
        with self.transaction():
            self._execute("UPDATE settings SET body = ?", (settings.text(),))
            self._settle(settings)
            self._head = settings.start()

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

    def _odd(self, owner: str, token: str) -> int:
        with self._reading():
            return self._indexes.find(owner, token)[1]

    def _recorded_at(self, seq: int) -> int:
        at: int = self._rows("SELECT recorded_at_us FROM journal WHERE seq = ?", (seq,))[0][0]
        return at

    def _one(self, sql: str, parameters: tuple[Any, ...]) -> Entry | None:
        rows = self._rows(sql, parameters)
        return entry_in(rows[0]) if rows else None

"""The projections of a store file as a whole: made anew, or compared with what they must be."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import contextmanager
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any

from agm_store.entries import Entry
from agm_store.errors import ProjectionBroken, shorten
from agm_store.projecting import Projections
from agm_store.schema import PROJECTIONS, TABLES
from agm_store.sealing import opened, opened_all
from agm_store.searching import SearchIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm_store.journal import Progress

    Row = tuple[Any, ...]

_PAGE = 1000
_CHUNK = 100
_STRAY = """SELECT owner, seq FROM vector WHERE NOT EXISTS
    (SELECT 1 FROM journal WHERE journal.seq = vector.seq AND journal.owner = vector.owner)"""
_ENTRY = "SELECT seq, owner, entry_id, recorded_at_us, body FROM journal"


def rebuild(
    connection: sqlite3.Connection,
    rank_of: Callable[[str], int],
    progress: Progress | None = None,
) -> None:
    """Drop and fill all tables but the journal, inside a transaction."""
    for table in TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in PROJECTIONS:
        connection.execute(statement)
    for table, rows in _projected(connection, rank_of, progress):
        if progress is not None:
            progress(0, 0, f"the table {table}")
        _fill(connection, table, iter(rows))
    SearchIndex(connection).make()


def compare(connection: sqlite3.Connection, rank_of: Callable[[str], int]) -> None:
    """Compare all tables with what the journal amounts to, as of one moment.

    Raises:
        ProjectionBroken: a row is missing, too many, or another one.
    """
    with _snapshot(connection):
        for table, rows in _projected(connection, rank_of):
            try:
                found = connection.execute(f"SELECT * FROM {table} ORDER BY {TABLES[table]}")
            except sqlite3.OperationalError as error:
                raise ProjectionBroken(table, str(error)) from error
            for row, wanted in zip_longest(found, rows):
                if row != wanted:
                    why = f"found {shorten(row)}, expected {shorten(wanted)}"
                    raise ProjectionBroken(table, why)
        _compare_search(connection)


def _compare_search(connection: sqlite3.Connection) -> None:
    """Compare the search index with one made anew from the entries that it covers."""
    live = SearchIndex(connection)
    try:
        upto = live.upto
        twin = sqlite3.connect(":memory:", isolation_level=None)
        try:
            anew = SearchIndex(twin)
            anew.make()
            cursor = connection.execute(f"{_ENTRY} WHERE seq <= ? ORDER BY seq", (upto,))
            while rows := cursor.fetchmany(_PAGE):
                bodies = opened_all([row[4] for row in rows])
                anew.take(
                    Entry(row[0], row[1], row[2], row[3], body)
                    for row, body in zip(rows, bodies, strict=True)
                )
            live.compare(anew)
            stray = connection.execute(_STRAY).fetchone()
            if stray is not None:
                raise ProjectionBroken("vector", f"found {shorten(stray)}, which is no telling's")
        finally:
            twin.close()
    except (sqlite3.OperationalError, TypeError) as error:
        raise ProjectionBroken("indexed", str(error)) from error


def _projected(
    connection: sqlite3.Connection,
    rank_of: Callable[[str], int],
    progress: Progress | None = None,
) -> Iterator[tuple[str, Iterable[Row]]]:
    def entries_of(seqs: Sequence[int]) -> list[Entry]:
        found = (connection.execute(f"{_ENTRY} WHERE seq = ?", (s,)).fetchone() for s in seqs)
        return [Entry(row[0], row[1], row[2], row[3], opened(row[4])) for row in found]

    projections = Projections(rank_of, entries_of)
    with _no_collection():
        total = connection.execute("SELECT count(*) FROM journal").fetchone()[0]
        cursor = connection.execute(f"{_ENTRY} ORDER BY seq")
        while rows := cursor.fetchmany(_PAGE):
            if progress is not None:
                progress(rows[0][0], total, "entries")
            bodies = opened_all([row[4] for row in rows])
            for (seq, owner, entry_id, recorded_at, _), body in zip(rows, bodies, strict=True):
                projections.add(seq, owner, entry_id, recorded_at, body)
        yield from projections.tables()


def _fill(connection: sqlite3.Connection, table: str, rows: Iterator[Row]) -> None:
    """Insert many rows, a hundred a statement: one by one takes half as long again."""
    width = len(connection.execute(f"SELECT * FROM {table} LIMIT 0").description)
    one = f"({', '.join('?' * width)})"
    while chunk := list(islice(rows, _CHUNK)):
        holes = ", ".join([one] * len(chunk))
        connection.execute(f"INSERT INTO {table} VALUES {holes}", tuple(chain.from_iterable(chunk)))


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """See one state of the file throughout."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for garbage while millions of rows are made that all stay."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()

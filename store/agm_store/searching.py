"""The search index: words, trigrams and entities of what was told, in tables beside a journal.

It lags: it covers the entries up to one of them, and more are taken in when a telling with a text is
recorded or when someone searches.  A row of the FTS5 tables is known by its owner's number and the
telling's seq, so that one owner's rows lie together and a query sees no other's.
"""

from __future__ import annotations

from itertools import zip_longest
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.errors import ProjectionBroken, shorten
from agm_store.searchtables import SEARCH, SEARCH_TABLES
from agm_store.wording import containing, named, quote, spoken, words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from agm_store.entries import Entry

RAREST = 8
"""Words of a text that are searched for."""
COMMON = 1000
"""Tellings from which on a word is common; the latest so many are found by it."""
ASKED = 2000
"""Different words of a text that are looked up at all."""

_PLACES = 32  # bits of a seq in the id of a row
_FOUND = """SELECT rowid FROM {0} WHERE {0} MATCH ? AND rowid BETWEEN ? AND ?
    ORDER BY rowid DESC LIMIT ?"""
WORDS_FOUND, TRIGRAMS_FOUND = _FOUND.format("word"), _FOUND.format("trigram")
_COUNT = f"SELECT count(*) FROM ({WORDS_FOUND.replace('ORDER BY rowid DESC', '')})"
_ENTITY = "INSERT INTO entity VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_SEARCHER = "INSERT INTO searcher VALUES (?, ?)"


class Matches(NamedTuple):
    """Tellings that a text may be about, best first."""

    seqs: tuple[tuple[int, float], ...] = ()
    """Numbers of entries with how well they match, from 0 to 1."""
    dropped: tuple[str, ...] = ()
    """Words of the text that were not searched for, because rarer ones were."""
    not_indexed: int = 0
    """Entries that the index has not taken in yet."""


class SearchIndex:
    """The tables of the index in one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute, self._executemany = connection.execute, connection.executemany
        self._numbers: dict[str, int] = {}

    def make(self) -> None:
        """Make the tables anew, empty."""
        for table in SEARCH_TABLES:
            self._execute(f"DROP TABLE IF EXISTS {table}")
        for statement in SEARCH:
            self._execute(statement)
        self.forget()

    def made(self) -> bool:
        """Whether the tables are there; files of an older layout have none until they are opened to write."""
        sql = "SELECT 1 FROM sqlite_master WHERE name = 'indexed'"
        return self._execute(sql).fetchone() is not None

    @property
    def upto(self) -> int:
        """The last entry that was taken in."""
        upto: int = self._execute("SELECT upto FROM indexed").fetchone()[0]
        return upto

    def mark(self, level: int) -> None:
        """Begin a level of what may be taken back."""
        self._execute(f"SAVEPOINT level_{level}")

    def settle(self, level: int, *, back: bool) -> None:
        """End a level; what was done since it began stays, or is taken back."""
        if back:
            self._execute(f"ROLLBACK TO level_{level}")
            self.forget()
        self._execute(f"RELEASE level_{level}")

    def take(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries, in order."""
        rows: list[tuple[int, str]] = []
        entities: list[tuple[str, str, str]] = []
        last = 0
        for entry in entries:
            last = entry.seq
            if entry.body["op"] == "tell":
                rows.append((self._number(entry) << _PLACES | last, spoken(entry.body)))
                entities += [(entry.owner, *pair) for pair in named(entry.body)]
        if last:
            self._executemany("INSERT INTO word (rowid, said) VALUES (?, ?)", rows)
            self._executemany("INSERT INTO trigram (rowid, said) VALUES (?, ?)", rows)
            self._executemany(_ENTITY, entities)
            self._execute("UPDATE indexed SET upto = ?", (last,))

    def count(self, owner: str, word: str, upto: int) -> int:
        """How many tellings of an owner up to an entry say a word; `COMMON` when that many or more."""
        low = self._low(owner)
        found: int = self._execute(_COUNT, (quote(word), low, low + upto, COMMON)).fetchone()[0]
        return found

    def rows(self, sql: str, query: str, owner: str, upto: int) -> list[int]:
        """The seqs of an owner's tellings up to an entry that a query finds, latest first."""
        low = self._low(owner)
        found = self._execute(sql, (query, low, low + upto, COMMON)).fetchall()
        return [row - low for (row,) in found]

    def naming(self, owner: str, name: str) -> list[str]:
        """The tokens of an owner that name an entity, sorted."""
        sql = "SELECT text FROM entity WHERE owner = ? AND name = ?"
        return [text for (text,) in self._execute(sql, (owner, name))]

    def vectors(self, owner: str) -> list[tuple[int, bytes]]:
        """What an embedder made of an owner's tellings, in order of seq."""
        sql = "SELECT seq, body FROM vector WHERE owner = ? ORDER BY seq"
        return self._execute(sql, (owner,)).fetchall()

    def embedded(self, owner: str) -> int:
        """The last telling of an owner that has a vector; 0 when none has."""
        sql = "SELECT max(seq) FROM vector WHERE owner = ?"
        return self._execute(sql, (owner,)).fetchone()[0] or 0

    def keep_vectors(self, owner: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep what an embedder made of some tellings."""
        sql = "INSERT INTO vector VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self._executemany(sql, [(owner, *row) for row in rows])

    def forget(self) -> None:
        """Drop what was kept in memory."""
        self._numbers.clear()

    def compare(self, other: SearchIndex) -> None:
        """Compare with another index term by term and row by row.

        Raises:
            ProjectionBroken: a row is missing, too many, or another one.
        """
        for table in SEARCH_TABLES[:-1]:
            for row, wanted in zip_longest(self._contents(table), other._contents(table)):
                if row != wanted:
                    why = f"found {shorten(row)}, expected {shorten(wanted)}"
                    raise ProjectionBroken(table, why)

    def _contents(self, table: str) -> Iterable[tuple[Any, ...]]:
        if table not in ("word", "trigram"):
            return self._execute(f"SELECT * FROM {table} ORDER BY 1, 2")
        self._execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}_terms USING fts5vocab(main, {table}, instance)"
        )
        return self._execute(f"SELECT term, doc FROM temp.{table}_terms")

    def _low(self, owner: str) -> int:
        number = self._numbers.get(owner)
        if number is None:
            row = self._execute("SELECT number FROM searcher WHERE owner = ?", (owner,)).fetchone()
            if row is None:
                return -1 << _PLACES
            number = self._numbers[owner] = row[0]
        return number << _PLACES

    def _number(self, entry: Entry) -> int:
        low = self._low(entry.owner)
        if low < 0:
            self._execute(_SEARCHER, (entry.owner, entry.seq))
            return entry.seq
        return low >> _PLACES


class Query(NamedTuple):
    """One query that a text amounts to: a table's statement, what it is asked, and what a row counts."""

    sql: str
    asked: str
    weight: float


def plan(
    parts: Sequence[SearchIndex], owner: str, text: str, *, upto: int
) -> tuple[list[Query], tuple[str, ...]]:
    """The queries of a text over the parts of an index, and the words that are not searched for.

    The rarest words are searched for, as they are stemmed and as pieces of longer ones; a word that
    nobody used, by what shares about half of it.
    """
    asked = list(dict.fromkeys(words(text)))
    counts = {word: sum(part.count(owner, word, upto) for part in parts) for word in asked[:ASKED]}
    weights = {word: log(1 + upto / max(1, counts[word])) for word in _rarest(counts)}
    total = sum(weights.values()) * (1 + _PIECE)
    queries = []
    for word, weight in weights.items():
        share = weight / total if total else 1.0
        if counts[word]:
            queries.append(Query(WORDS_FOUND, quote(word), share))
        pieces = containing(word, known=counts[word] > 0) if counts[word] < COMMON else None
        if pieces is not None:
            queries.append(Query(TRIGRAMS_FOUND, pieces, share * _PIECE))
    return queries, tuple(word for word in asked if word not in weights)


def search(
    parts: Sequence[SearchIndex], owner: str, text: str, *, upto: int, limit: int
) -> Matches:
    """The tellings of an owner up to an entry that a text may be about, over the parts of an index."""
    queries, dropped = plan(parts, owner, text, upto=upto)
    scores: dict[int, float] = {}
    for sql, asked, weight in queries:
        for part in parts:
            for seq in part.rows(sql, asked, owner, upto):
                scores[seq] = scores.get(seq, 0.0) + weight
    best = sorted(scores.items(), key=lambda found: (-found[1], -found[0]))
    return Matches(tuple(best[:limit]), dropped)


_PIECE = 0.5
"""What a word counts that was found as a piece of another one."""


def _rarest(counts: dict[str, int]) -> list[str]:
    """The words to search for: the rarest, and common ones only where there is nothing rarer."""
    ranked = sorted(counts, key=lambda word: (counts[word], word))[:RAREST]
    rare = [word for word in ranked if counts[word] < COMMON]
    return rare if any(counts[word] for word in rare) else ranked

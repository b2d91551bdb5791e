"""The indexes beside a journal in SQLite: tokens, what touches them, what they mention and share.

Ids of tokens are given in order of first appearance, so that a rebuilt index equals the live one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import FOREVER
from agm_store.sealing import OF_PREDICATE
from agm_store.touches import split_token

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from agm_store.journal import Touch

_CACHED = 20_000

_TOKEN = "SELECT id, odd FROM token WHERE owner = ? AND text = ?"
_NEW_TOKEN = "INSERT INTO token (id, owner, text) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM token), ?, ?) RETURNING id"
_PREDICATE = "INSERT INTO predicate VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_MENTION = "INSERT INTO mention VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_TOUCH = "INSERT INTO touch VALUES (?, ?) ON CONFLICT DO NOTHING"
_JOINT = "INSERT INTO joint VALUES (?, ?) ON CONFLICT DO NOTHING"
_LINK = "INSERT INTO link VALUES (?, ?) ON CONFLICT DO NOTHING"
_ODD = "UPDATE token SET odd = ? WHERE id = ? AND odd IS NULL"
_LINKED = """SELECT text FROM token WHERE id IN (SELECT b.token FROM joint a JOIN joint b ON b.seq = a.seq WHERE a.token = ?1)
    UNION SELECT rests_on FROM link WHERE token = ?1"""
_RULED = """SELECT DISTINCT touch.seq FROM token JOIN touch ON touch.token = token.id
    WHERE token.owner = ? AND substr(token.text, -2) = '/*' ORDER BY touch.seq"""
_OF_PREDICATE = "SELECT DISTINCT text FROM mention JOIN token ON token.id = mention.token WHERE mention.owner = ? AND predicate = ?"
_OF_ENTITY = _OF_PREDICATE + " AND entity = ?"
_FIRST = "SELECT first FROM predicate WHERE owner = ? AND name = ?"


class Indexes:
    """The index tables of one connection, with the tokens that were met lately."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute, self._executemany = connection.execute, connection.executemany
        self._known: dict[tuple[str, str], tuple[int, int]] = {}

    def write(self, owner: str, seq: int, touch: Touch) -> tuple[int, str, bool] | None:
        """Index an entry; if it belongs on the timeline of its token: that token and whether it is new."""
        tokens = sorted(set(touch.tokens))
        fresh = len(tokens) == 1 and not self.find(owner, tokens[0])[0]
        ids = [self._id(owner, text, seq) for text in tokens]
        marks = [self._id(owner, text, seq) for text in sorted(set(touch.marks))] if touch.marks else []
        self._executemany(_TOUCH, [(i, seq) for i in (*ids, *marks)])
        if touch.links:
            self._executemany(_LINK, [(i, text) for i in ids for text in touch.links])
        if len(ids) == 1 and touch.plain:
            found, odd = self._known[owner, tokens[0]]
            return (found, tokens[0], fresh) if seq < odd else None
        if len(ids) > 1:
            self._executemany(_JOINT, [(i, seq) for i in ids])
        self._turn_odd(owner, seq, tokens, ids)
        return None

    def find(self, owner: str, text: str) -> tuple[int, int]:
        """The id of a token and the first entry that no timeline can carry; (0, FOREVER) when it was never met."""
        known = self._known.get((owner, text))
        if known is None:
            row = self._execute(_TOKEN, (owner, text)).fetchone()
            if row is None:
                return 0, FOREVER
            known = row[0], FOREVER if row[1] is None else row[1]
            self._keep(owner, text, known)
        return known

    def linked(self, owner: str, text: str) -> list[str]:
        """Tokens that share an entry with this one, or that it rests on, sorted."""
        found = self._execute(_LINKED, (self.find(owner, text)[0],)).fetchall()
        return sorted(other for (other,) in found if other != text)

    def ruled(self, owner: str) -> list[int]:
        """The entries that range over whole predicates."""
        return [seq for (seq,) in self._execute(_RULED, (owner,)).fetchall()]

    def tokens(self, owner: str, predicate: str, entity: str | None) -> list[str]:
        """The tokens of a predicate (that mention an entity), sorted."""
        if entity is None:
            rows = self._execute(_OF_PREDICATE, (owner, predicate)).fetchall()
            return sorted(text for (text,) in rows)
        rows = self._execute(_OF_ENTITY, (owner, predicate, entity)).fetchall()
        return sorted(text for (text,) in rows if entity or text.endswith(")"))

    def first_of(self, owner: str, predicate: str) -> int:
        """The first entry that speaks of a predicate by any token but its declaration; 0 when there is none."""
        row = self._execute(_FIRST, (owner, predicate)).fetchone()
        return row[0] if row else 0

    def forget(self) -> None:
        """Drop what was kept in memory: a transaction failed, or another process wrote."""
        self._known.clear()

    def _id(self, owner: str, text: str, seq: int) -> int:
        found = self.find(owner, text)[0]
        if found:
            return found
        (found,) = self._execute(_NEW_TOKEN, (owner, text)).fetchone()
        self._keep(owner, text, (found, FOREVER))
        predicate, rows = described(owner, text, found)
        if predicate is not None:
            self._execute(_PREDICATE, (owner, predicate, seq))
            self._executemany(_MENTION, rows)
        return found

    def _turn_odd(self, owner: str, seq: int, tokens: Iterable[str], ids: Iterable[int]) -> None:
        for text, found in zip(tokens, ids, strict=True):
            if self._known[owner, text][1] == FOREVER:
                self._execute(_ODD, (seq, found))
                self._keep(owner, text, (found, seq))

    def _keep(self, owner: str, text: str, known: tuple[int, int]) -> None:
        if len(self._known) >= _CACHED:
            self._known.clear()
        self._known[owner, text] = known


def described(owner: str, text: str, token: int) -> tuple[str | None, list[tuple[str, str, str, int]]]:
    """The predicate that a token's first use binds (None if it binds none), and the rows of what it mentions.

    A proposition mentions the empty name, so that it is found by its predicate.
    """
    if text.startswith(("#", "@")) or text.endswith("/declared"):
        return None, []
    predicate, entities = split_token(text)
    if text.endswith(OF_PREDICATE):
        return predicate, []
    return predicate, [(owner, predicate, entity, token) for entity in dict.fromkeys(entities or ("",))]

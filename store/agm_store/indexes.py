"""The indexes beside a journal in SQLite: tokens, what touches them, what they mention and share.

Ids of tokens follow from the entry that brings them, so that a rebuilt index equals the live one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.values import quoted
from agm_store.entries import FOREVER
from agm_store.schema import DECLARING
from agm_store.sealing import OF_PREDICATE
from agm_store.touches import DECLARED, split_token

if TYPE_CHECKING:
    import sqlite3

    from agm_store.journal import Touch

_CACHED = 20_000

_FIND = "SELECT id, odd FROM token WHERE owner = ? AND text = ?"
_BRING = "INSERT INTO token VALUES (?, ?, ?, NULL)"
_PREDICATE = "INSERT INTO predicate VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_MENTION = "INSERT INTO mention VALUES (?, ?, ?, ?)"
_TOUCH = f"INSERT INTO timeline (token, valid_from, known_from) VALUES (?, {FOREVER}, ?)"
_JOINT = "INSERT INTO joint VALUES (?, ?)"
_SHARED = "INSERT INTO shared VALUES (?, ?)"
_LINK = "INSERT INTO link VALUES (?, ?) ON CONFLICT DO NOTHING"
_ODD = "UPDATE token SET odd = ? WHERE owner = ? AND text = ? AND odd IS NULL"
_KIND = "SELECT 1 FROM token WHERE owner = ? AND text >= ? AND text < ? LIMIT 1"
_LINKED = """SELECT text FROM joint JOIN shared ON shared.seq = joint.seq WHERE token = ?"""
_RESTS_ON = "SELECT rests_on FROM link WHERE token = ? ORDER BY rests_on"
_RULED = f"""SELECT DISTINCT known_from FROM token INDEXED BY token_ruled CROSS JOIN timeline ON token = id
    WHERE owner = ? AND substr(text, -2) = '/*' AND substr(text, 1, 1) <> '@'
    AND valid_from = {FOREVER} ORDER BY known_from"""
_TOKENS = "SELECT text FROM token WHERE owner = ? AND text >= ? AND text < ?"
_MENTIONING = "SELECT text FROM mention WHERE owner = ? AND predicate = ? AND entity = ?"
_DECLARED = f"SELECT text FROM token WHERE owner = ? AND {DECLARING}"
_FIRST = "SELECT first FROM predicate WHERE owner = ? AND name = ?"


class Place(NamedTuple):
    """The timeline that an entry belongs on."""

    token: int
    slot: str
    fresh: bool
    """Whether the entry is the first on it."""


class Indexes:
    """The index tables of one connection, with the tokens that were met lately."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute, self._executemany = connection.execute, connection.executemany
        self._known: dict[tuple[str, str], tuple[int, int]] = {}
        self._none: dict[tuple[str, str], bool] = {}  # kinds of marks that an owner has none of

    def write(self, owner: str, seq: int, touch: Touch) -> list[Place]:
        """Index an entry; its places on timelines, which then note the touch themselves."""
        tokens = sorted(set(touch.tokens))
        fresh = [not self.find(owner, text)[0] for text in tokens]
        ids = self._ids(owner, tokens, seq)
        if touch.links and touch.joins:
            self._executemany(_LINK, [(i, text) for i in ids for text in touch.links])
        if touch.marks:
            marks = sorted(set(touch.marks))
            self._executemany(
                _TOUCH, [(i, seq) for i in self._ids(owner, marks, seq, taken=len(ids))]
            )
        tied = touch.joins and len(ids) > 1
        if tied:
            self._executemany(_JOINT, [(i, seq) for i in ids])
            self._executemany(_SHARED, [(seq, text) for text in tokens])
        if tied or not touch.plain:  # an entry on several slots ties their fates
            for text in tokens:
                self._turn_odd(owner, text, seq)
        places = [
            Place(*each)
            for each in zip(ids, tokens, fresh, strict=True)
            if seq < self.find(owner, each[1])[1]
        ]
        if len(places) < len(ids):
            carried = {place.token for place in places}
            self._executemany(_TOUCH, [(i, seq) for i in ids if i not in carried])
        return places

    def find(self, owner: str, text: str) -> tuple[int, int]:
        """The id of a token and the first entry that no timeline can carry; (0, FOREVER) when it was never met."""
        known = self._known.get((owner, text))
        if known is None:
            if text[:1] == "@" and self._unmarked(owner, text):
                return 0, FOREVER
            row = self._execute(_FIND, (owner, text)).fetchone()
            if row is None:
                return 0, FOREVER
            known = row[0], FOREVER if row[1] is None else row[1]
            self._keep(owner, text, known)
        return known

    def _unmarked(self, owner: str, text: str) -> bool:
        """Whether an owner has no mark of a kind at all, as each write asks of several."""
        kind = _kind(text)
        found = self._none.get((owner, kind))
        if found is None:
            end = kind[:-1] + chr(ord(kind[-1]) + 1)
            found = self._execute(_KIND, (owner, kind, end)).fetchone() is None
            if len(self._none) >= _CACHED:
                self._none.clear()
            self._none[owner, kind] = found
        return found

    def linked(self, owner: str, text: str) -> list[str]:
        """Tokens that share an entry with this one, sorted."""
        found = self._execute(_LINKED, (self.find(owner, text)[0],)).fetchall()
        return sorted({other for (other,) in found if other != text})

    def rests_on(self, owner: str, text: str) -> list[str]:
        """Tokens of the premises of what was derived on this one, sorted."""
        found = self._execute(_RESTS_ON, (self.find(owner, text)[0],)).fetchall()
        return [other for (other,) in found if other != text]

    def ruled(self, owner: str) -> list[int]:
        """The entries that range over whole predicates."""
        return [seq for (seq,) in self._execute(_RULED, (owner,)).fetchall()]

    def tokens(self, owner: str, predicate: str, entity: str | None) -> list[str]:
        """The tokens of a predicate (that mention an entity), sorted.

        Those that mention it first are found by how their text begins.
        """
        found = []
        for low, high in _ranges(predicate, entity):
            found += self._execute(_TOKENS, (owner, low, high)).fetchall()
        if entity is not None:
            found += self._execute(_MENTIONING, (owner, predicate, entity)).fetchall()
        return sorted({text for (text,) in found if _fits(text, predicate, entity)})

    def declared(self, owner: str) -> list[str]:
        """The predicates that an owner ever declared, sorted."""
        found = self._execute(_DECLARED, (owner,)).fetchall()
        return sorted(text.removesuffix(DECLARED) for (text,) in found)

    def first_of(self, owner: str, predicate: str) -> int:
        """The first entry that speaks of a predicate by any token but its declaration; 0 when there is none."""
        row = self._execute(_FIRST, (owner, predicate)).fetchone()
        return row[0] if row else 0

    def forget(self) -> None:
        """Drop what was kept in memory: a transaction failed, or another process wrote."""
        self._known.clear()
        self._none.clear()

    def _ids(self, owner: str, texts: list[str], seq: int, taken: int = 0) -> list[int]:
        """The ids of tokens; new ones are numbered after the entry that brings them."""
        ids = []
        for place, text in enumerate(texts, start=taken):
            found = self.find(owner, text)[0]
            if not found:
                found = new_id(seq, place)
                self._execute(_BRING, (owner, text, found))
                self._keep(owner, text, (found, FOREVER))
                if text[:1] == "@":
                    self._none[owner, _kind(text)] = False
                predicate, rows = described(owner, text)
                if predicate is not None:
                    self._execute(_PREDICATE, (owner, predicate, seq))
                    self._executemany(_MENTION, rows)
            ids.append(found)
        return ids

    def _turn_odd(self, owner: str, text: str, seq: int) -> None:
        found, odd = self.find(owner, text)
        if odd == FOREVER:
            self._execute(_ODD, (seq, owner, text))
            self._keep(owner, text, (found, seq))

    def _keep(self, owner: str, text: str, known: tuple[int, int]) -> None:
        if len(self._known) >= _CACHED:
            self._known.clear()
        self._known[owner, text] = known


def _kind(mark: str) -> str:
    """What a mark begins with, up to what it is about."""
    word, blank, _ = mark.partition(" ")
    return word + blank


def new_id(seq: int, place: int) -> int:
    """The id of a token that an entry brings at a place among its tokens."""
    return seq if not place else -(seq << 20 | place)


def described(owner: str, text: str) -> tuple[str | None, list[tuple[str, str, str, str]]]:
    """The predicate that a token's first use binds (None if it binds none), and whom it mentions after the first."""
    if text.startswith(("#", "@")) or text.endswith(DECLARED):
        return None, []
    predicate, entities = split_token(text)
    return predicate, [(owner, predicate, entity, text) for entity in dict.fromkeys(entities[1:])]


def _ranges(predicate: str, entity: str | None) -> list[tuple[str, str]]:
    """Where the texts of a predicate's tokens lie, or of those that mention an entity first."""
    found = []
    for head in sorted({predicate, quoted(predicate)}):
        if entity is None:
            found += [(head, head + "\0"), (f"{head}(", f"{head})")]
            continue
        for name in sorted({entity, quoted(entity)}):
            first = f"{head}({name}"
            found += [(f"{first})", f"{first})\0"), (f"{first},", f"{first}-")]
    return found


def _fits(text: str, predicate: str, entity: str | None) -> bool:
    name, entities = split_token(text)
    return (
        name == predicate
        and not text.endswith(OF_PREDICATE)
        and (entity is None or entity in entities)
    )

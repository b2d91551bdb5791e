"""The timeline table: rows are written as slots change, and one row answers a point.

A row says what was the outcome over a rectangle of valid and known time; the rows of a slot tile
all that has been known.  A point is looked up from two sides, latest valid start first and latest
known start first, in steps that double: one side may be crowded (a thousand corrections of one
start, a thousand starts known before), both hardly ever.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from agm_store.entries import FOREVER
from agm_store.errors import ProjectionBroken
from agm_store.journal import Segment

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from agm_store.entries import Entry
    from agm_store.indexes import Place
    from agm_store.rows import Change
    from agm_store.slots import Slot
    from agm_store.timeline import Outcome

_CACHED = 2048
"""Slots kept in memory by an open journal."""

_CLOSE = "UPDATE timeline SET known_to = ? WHERE token = ? AND valid_from = ? AND known_from = ?"
_OPEN = "INSERT INTO timeline VALUES (?, ?, ?, ?, ?, ?, ?)"
_ROW = "valid_from, valid_to, known_from, known_to, believed, members"
_AT = f"SELECT {_ROW} FROM timeline WHERE token = ? AND valid_from = ? AND known_from = ?"
_BY_VALID = f"""SELECT {_ROW} FROM timeline WHERE token = ? AND valid_from <= ?
    ORDER BY valid_from DESC, known_from DESC LIMIT ? OFFSET ?"""
_BY_KNOWN = f"""SELECT known_from, valid_to, known_to, members FROM timeline
    WHERE token = ? AND valid_from = {FOREVER} AND known_from <= ? ORDER BY known_from DESC LIMIT ? OFFSET ?"""
_ALL = f"""SELECT {_ROW} FROM timeline
    WHERE token = ?1 AND valid_from < {FOREVER} AND known_from <= ?2 AND known_to > ?2 ORDER BY valid_from"""
_EVER = f"SELECT {_ROW} FROM timeline WHERE token = ? AND valid_from < {FOREVER} ORDER BY known_from, valid_from"


class Timelines:
    """The timeline table of one connection, with the slots that were written lately.

    ``history`` gives the entries of a token between two seqs, both excluded, in order.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        rank_of: Callable[[str], int],
        history: Callable[[int, int, int], list[Entry]],
    ) -> None:
        self._execute, self._executemany = connection.execute, connection.executemany
        self._rank_of, self._history = rank_of, history
        self._slots: OrderedDict[int, Slot] = OrderedDict()
        self._current: set[int] = set()  # slots that have seen all there is

    def write(self, place: Place, entry: Entry) -> None:
        """Take an entry on a slot and note its touch."""
        token, seq = place.token, entry.seq
        change = self._slot(token, place.slot, seq, fresh=place.fresh).apply(entry)
        if change.closed:
            self._executemany(
                _CLOSE, [(seq, token, begin, since) for begin, since in change.closed]
            )
        self._executemany(_OPEN, rows_of(token, seq, change))

    def slot(self, token: int, slot: str) -> Slot:
        """A slot as of the end of the journal; an empty one when the token is 0, for none."""
        if not token:
            from agm_store.slots import Slot

            return Slot(slot, self._rank_of, lambda _: ())
        return self._slot(token, slot, FOREVER, fresh=False)

    def segment(self, token: int, slot: str, valid: int, known: int) -> Segment | None:
        """The row that covers a point; None when nothing was known of the slot.

        Raises:
            ProjectionBroken: no row covers a point that some row must cover.
        """
        step, done = 2, 0
        while True:
            touches = self._execute(_BY_KNOWN, (token, known, step, done)).fetchall()
            for seq, *opened in touches:
                begin = max((b for b in _starts(*opened) if b <= valid), default=None)
                if begin is not None:
                    row = self._execute(_AT, (token, begin, seq)).fetchone()
                    if row is not None and valid < row[1] and known < row[3]:
                        return _segment(slot, row)
            if not done and not touches:
                return None
            rows = self._execute(_BY_VALID, (token, valid, step, done)).fetchall()
            for row in rows:
                if valid < row[1] and row[2] <= known < row[3]:
                    return _segment(slot, row)
            if not touches and not rows:
                raise ProjectionBroken(
                    "timeline", f"no row of {slot} covers valid {valid}, known {known}"
                )
            done += step
            step *= 4

    def timeline(self, token: int, slot: str, known: int) -> list[Segment]:
        """The rows of a slot as known at an entry, in order of valid time."""
        return [_segment(slot, row) for row in self._execute(_ALL, (token, known)).fetchall()]

    def segments(self, token: int, slot: str) -> list[Segment]:
        """All rows of a slot, whenever they were known."""
        return [_segment(slot, row) for row in self._execute(_EVER, (token,)).fetchall()]

    def doubt(self) -> None:
        """Look for newer entries before a kept slot is used again: another process may have written."""
        self._current.clear()

    def forget(self, count: int) -> None:
        """Drop slots that have seen entries beyond a number: these were taken back."""
        for token in [t for t, slot in self._slots.items() if slot.seq > count]:
            del self._slots[token]
            self._current.discard(token)

    def _slot(self, token: int, text: str, before: int, *, fresh: bool) -> Slot:
        slot = self._slots.get(token)
        if slot is None:
            from agm_store.slots import Slot

            slot = self._slots[token] = Slot(
                text, self._rank_of, lambda before: self._history(token, 0, before)
            )
            if len(self._slots) > _CACHED:
                gone, _ = self._slots.popitem(last=False)
                self._current.discard(gone)
        else:
            self._slots.move_to_end(token)
        if token not in self._current:
            if not fresh:
                for entry in self._history(token, slot.seq, before):
                    slot.apply(entry)
            self._current.add(token)
        return slot


def rows_of(token: int, seq: int, change: Change) -> list[tuple[Any, ...]]:
    """The rows of an entry: the segments that it opens, and its touch."""
    opened = change.opened
    rows: list[tuple[Any, ...]] = [
        (token, begin, seq, end, FOREVER, *members_of(out, end))
        for begin, (end, out) in opened.items()
    ]
    rows.append((token, FOREVER, seq, *touch_of_starts(sorted(opened))))
    return rows


def touch_of_starts(starts: Sequence[int]) -> tuple[int | None, int | None, None, str | None]:
    """The starts of the segments that an entry opens, in the columns of its touch: two as they are, more as JSON."""
    if len(starts) > 2:
        return None, None, None, f"[{_listed(starts)}]"
    one, two, *_ = (*starts, None, None)
    return one, two, None, None


def _starts(one: int | None, two: int | None, more: str | None) -> list[int]:
    if more is not None:
        found: list[int] = json.loads(more)
        return found
    return [start for start in (one, two) if start is not None]


def members_of(out: Outcome, end: int) -> tuple[int | None, str | None]:
    """An outcome up to an end in two columns: the one believed if it ends there too, or all members as JSON."""
    believed, others, ends = out
    later = any(e != end for e in ends)
    if len(believed) == 1 and not others and not later:
        return believed[0], None
    parts = (believed, others, ends) if later else (believed, others)
    return None, f"[{','.join(f'[{_listed(part)}]' for part in parts)}]"


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _segment(slot: str, row: tuple[Any, ...]) -> Segment:
    valid_from, valid_to, known_from, known_to, believed, members = row
    if members is None:
        return Segment(slot, valid_from, valid_to, known_from, known_to, (believed,), ())
    parts = map(tuple, json.loads(members))
    return Segment(slot, valid_from, valid_to, known_from, known_to, *parts)

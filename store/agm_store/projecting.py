"""All projections of a journal made at once, from its records in order.

This is what live writing amounts to, without a database between entry and entry.  A token whose
history goes on by its tail (see ``tails``) needs a few fields; any other gets a slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.entries import BEFORE_ALL, FOREVER, Entry
from agm_store.indexes import described, new_id
from agm_store.segments import members_of, rows_of, touch_of_starts
from agm_store.slots import Slot
from agm_store.tails import CORRECTED, NOTHING, RARE, Tail
from agm_store.timeline import NOTHING as NOBODY
from agm_store.touches import touch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm_store.entries import Body
    from agm_store.journal import Touch
    from agm_store.rows import Change

Row = tuple[Any, ...]

_MORE = frozenset(
    (
        "on",
        "because",
        "marks",
        "source",
        "cause",
        "call",
        "redacted",
        "attests",
        "refines",
        "refined_by",
    )
)
"""The fields by which a telling on a slot touches more than its slot, or less."""
_NO_ONE = members_of(NOBODY, FOREVER)


class Projections:
    """The rows of every projection, grown entry by entry.

    ``entries_of`` gives entries by their numbers, for slots that need their history.
    """

    def __init__(
        self, rank_of: Callable[[str], int], entries_of: Callable[[Sequence[int]], list[Entry]]
    ) -> None:
        self.rank_of, self.entries_of = rank_of, entries_of
        self._tokens: dict[tuple[str, str], _Token] = {}
        self._predicates: dict[tuple[str, str], int] = {}
        self._mentions: list[Row] = []
        self._joint: list[Row] = []
        self._shared: list[Row] = []
        self._links: set[Row] = set()

    def add(self, seq: int, owner: str, entry_id: str, recorded_at: int, body: Body) -> None:
        """Take the next entry."""
        if body["op"] == "tell" and "slot" in body and _MORE.isdisjoint(body):
            token = self._token(owner, body["slot"], seq)
            if not token.odd:
                token.take(seq, owner, entry_id, recorded_at, body)
                return
        self._add(touch_of(body), Entry(seq, owner, entry_id, recorded_at, body))

    def tables(self) -> Iterator[tuple[str, Iterable[Row]]]:
        """The rows by table, in order of key."""
        found = sorted(self._tokens.items())
        yield (
            "token",
            ((owner, text, token.id, token.odd or None) for (owner, text), token in found),
        )
        by_id = sorted(self._tokens.values(), key=lambda token: token.id)
        yield "timeline", (row for token in by_id for row in token.rows())
        yield "predicate", ((*key, first) for key, first in sorted(self._predicates.items()))
        yield "mention", sorted(self._mentions)
        yield "joint", sorted(self._joint)
        yield "shared", sorted(self._shared)
        yield "link", sorted(self._links)

    def _add(self, touch: Touch, entry: Entry) -> None:
        """Take an entry of any kind."""
        seq, owner = entry.seq, entry.owner
        texts = sorted(set(touch.tokens))
        tokens = [self._token(owner, text, seq, place) for place, text in enumerate(texts)]
        if touch.joins:
            self._links.update((token.id, text) for token in tokens for text in touch.links)
        for place, text in enumerate(sorted(set(touch.marks)), start=len(texts)):
            self._token(owner, text, seq, place).touch(seq)
        tied = touch.joins and len(tokens) > 1
        if tied:
            self._joint += [(token.id, seq) for token in tokens]
            self._shared += [(seq, text) for text in texts]
        for token in tokens:
            if tied or not touch.plain:
                token.odd = token.odd or seq
            if token.odd:
                token.touch(seq)
            else:
                token.take(*entry)

    def _token(self, owner: str, text: str, seq: int, place: int = 0) -> _Token:
        token = self._tokens.get((owner, text))
        if token is None:
            token = self._tokens[owner, text] = _Token(new_id(seq, place), text, self)
            predicate, mentions = described(owner, text)
            if predicate is not None:
                self._predicates.setdefault((owner, predicate), seq)
                self._mentions += mentions
        return token


class _Token:
    """A token with its touches, and the segments of its timeline if it is a plain slot."""

    __slots__ = (
        "_all",
        "_closed",
        "_gap",
        "_open",
        "_since",
        "_slot",
        "_tail",
        "id",
        "odd",
        "text",
        "touches",
    )

    def __init__(self, found: int, text: str, projections: Projections) -> None:
        self.id, self.text, self.odd = found, text, 0
        self.touches: list[tuple[Any, ...]] = []
        self._all = projections
        self._tail: Tail | None = Tail()
        self._gap = 0  # from when it is known that nothing was told
        self._since = 0  # from when the last stretch of the tail is known
        self._slot: Slot | None = None
        self._closed: list[Row] = []
        self._open: dict[int, Row] = {}

    def touch(self, seq: int) -> None:
        """Note an entry that no timeline carries."""
        self.touches.append((seq, None, None, None, None))

    def take(self, seq: int, owner: str, entry_id: str, recorded_at: int, body: Body) -> None:
        """Take an entry on a plain slot."""
        tail = self._tail
        if tail is not None:
            last = tail.seq
            begin = tail.start if last else BEFORE_ALL
            found = tail.take(seq, entry_id, recorded_at, body, self._all.rank_of)
            if found != RARE:
                self._go_on(seq, begin, last, found)
                return
            self._stand_up()
        assert self._slot is not None
        change = self._slot.apply(Entry(seq, owner, entry_id, recorded_at, body))
        self.touches.append((seq, *touch_of_starts(sorted(change.opened))))
        self._note(seq, change)

    def rows(self) -> Iterator[Row]:
        """The rows of the timeline table, in order of key."""
        found = self.id
        if self._slot is not None:
            yield from sorted((*self._closed, *self._open.values()), key=_key)
        else:
            yield from self._closed
            tail = self._tail
            if tail is not None and tail.seq:
                yield found, tail.start, self._since, FOREVER, FOREVER, tail.seq, None
            elif self._gap:
                yield found, BEFORE_ALL, self._gap, FOREVER, FOREVER, *_NO_ONE
        for touch in self.touches:
            yield found, FOREVER, *touch

    def _go_on(self, seq: int, begin: int, last: int, found: int) -> None:
        """Cut the last stretch where the new telling begins, or give it a new lead."""
        closed, tail = self._closed, self._tail
        assert tail is not None
        if found == NOTHING:
            if not self.touches:
                self._gap = seq
                self.touches.append((seq, BEFORE_ALL, None, None, None))
            else:
                self.touches.append((seq, None, None, None, None))
            return
        if last:
            closed.append((self.id, begin, self._since, FOREVER, seq, last, None))
        elif self._gap:
            closed.append((self.id, BEFORE_ALL, self._gap, FOREVER, seq, *_NO_ONE))
        self._since = seq
        if found == CORRECTED:
            self.touches.append((seq, begin, None, None, None))
            return
        if last:
            closed.append((self.id, begin, seq, tail.start, FOREVER, last, None))
        else:
            closed.append((self.id, BEFORE_ALL, seq, tail.start, FOREVER, *_NO_ONE))
        self.touches.append((seq, begin, tail.start, None, None))

    def _stand_up(self) -> None:
        """Turn from the tail to a slot, going over the history once more."""
        self._tail = None
        touches, entries_of = self.touches, self._all.entries_of
        self._slot = Slot(
            self.text,
            self._all.rank_of,
            lambda before: entries_of([seq for seq, *_ in touches if seq < before]),
        )
        self._closed.clear()
        for entry in entries_of([seq for seq, *_ in touches]):
            self._note(entry.seq, self._slot.apply(entry))

    def _note(self, seq: int, change: Change) -> None:
        for begin, _ in change.closed:
            row = self._open.pop(begin)
            self._closed.append((*row[:4], seq, *row[5:]))
        for row in rows_of(self.id, seq, change)[:-1]:
            self._open[row[1]] = row


def _key(row: Row) -> tuple[int, int]:
    return row[1], row[2]

"""A journal in memory: the reference for what a backend does, each answer worked out from entries.

Only the segments of a slot are kept once they were folded, because a long history asks for them
again and again.
"""

from __future__ import annotations

from _thread import get_ident
from bisect import bisect_left, bisect_right, insort
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from agm_store.entries import FOREVER
from agm_store.errors import IdempotencyConflict
from agm_store.journal import Head
from agm_store.ledger import fold
from agm_store.sealing import OF_PREDICATE, Settings, entry_of, rank_function, sealed
from agm_store.searchtables import BACKLOG
from agm_store.timeline import grow
from agm_store.touches import DECLARED, WITH, split_token, touch_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from typing import TypeVar

    from agm_store.entries import Body, Entry
    from agm_store.journal import Progress, Segment, SlotView, Touch
    from agm_store.sealing import Record
    from agm_store.searcher import Searcher
    from agm_store.searching import Matches

    K = TypeVar("K", bound=Hashable)


class MemoryJournal:
    """A journal that ends with the process; see `agm_store.journal.Journal`."""

    writable = True

    def __init__(self, *, replay: bool = False, order: object = None) -> None:
        self.adopt(Settings(order, replay))
        self._lock = RLock()
        self._records: list[Record] = []
        self._entries: list[Entry] = []
        self._touches: list[Touch] = []
        self._seqs: dict[tuple[str, str], int] = {}
        self._places: dict[
            tuple[str, str], list[int]
        ] = {}  # of entries, by owner and token or mark
        self._of_owner: dict[str, list[int]] = {}
        self._segments: dict[tuple[str, str], tuple[int, list[Segment]]] = {}
        self._searcher: Searcher | None = None
        self._blanked: list[Record] = []  # as they were, while the transaction may fail
        self._depth = 0  # of transactions
        self._holder = 0  # the thread that holds one

    def adopt(self, settings: Settings) -> None:
        """Take other settings while there is no entry."""
        self._rank = rank_function(settings.order)
        self.settings, self.replay, self.order = settings, settings.replay, settings.order

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic write; an error takes back what was written since the level began."""
        with self._lock:
            count, blanked, level = len(self._records), len(self._blanked), self._depth
            searcher, self._holder = self._searcher, get_ident()
            if searcher is not None:
                searcher.live.mark(level)
            self._depth += 1
            failed = True
            try:
                yield
                failed = False
            except BaseException:
                for record in reversed(self._blanked[blanked:]):
                    self._put(record)
                del self._blanked[blanked:]
                self._cut(count)
                raise
            finally:
                self._depth = level
                if not level:
                    self._holder = 0
                if searcher is not None:
                    searcher.live.settle(level, back=failed)
                if failed:
                    self._searcher = searcher
            if not self._depth:
                self._blanked.clear()

    @property
    def writing(self) -> bool:
        """Whether this thread is inside a transaction."""
        return self._holder == get_ident()

    def head(self) -> Head:
        """The end of the journal."""
        if not self._records:
            return self.settings.start()
        last = self._records[-1]
        return Head(last.seq, last.recorded_at, last.hash)

    def append(self, owner: str, entry_id: str, recorded_at: int, body: Body) -> Entry:
        """Write one entry at the end."""
        with self._lock:
            entry = self.restore(sealed(self.head(), owner, entry_id, recorded_at, body))
            if "text" in body:
                self._search().catch_up(BACKLOG)
            return entry

    def restore(self, record: Record) -> Entry:
        """Write a record that was made for the end of this journal."""
        if (record.owner, record.entry_id) in self._seqs:
            raise IdempotencyConflict(record.entry_id)
        entry = entry_of(record)
        touch = touch_of(entry.body)
        place = len(self._entries)
        self._touches.append(touch)
        self._records.append(record)
        self._entries.append(entry)
        # named only once it is there, for other threads read meanwhile
        for token in {*touch.tokens, *touch.marks}:
            self._places.setdefault((entry.owner, token), []).append(place)
        self._of_owner.setdefault(entry.owner, []).append(place)
        self._seqs[record.owner, record.entry_id] = record.seq
        return entry

    def blank(self, forms: Mapping[int, str]) -> None:
        """Put redacted bodies in place of those of entries."""
        with self.transaction():
            for seq in sorted(forms):
                record = self._records[seq - 1]
                self._blanked.append(record)
                self._put(record._replace(text=forms[seq]))

    def _put(self, record: Record) -> None:
        """Let a record stand in the place of its number, with what it touches."""
        place, entry = record.seq - 1, entry_of(record)
        touch, before = touch_of(entry.body), self._touches[place]
        for token in {*before.tokens, *before.marks}:
            found = self._places[entry.owner, token]
            found.remove(place)
            if not found:
                del self._places[entry.owner, token]
        for token in {*touch.tokens, *touch.marks}:
            insort(self._places.setdefault((entry.owner, token), []), place)
        self._records[place], self._entries[place], self._touches[place] = record, entry, touch
        self._segments.clear()
        self._searcher = None

    def records(self, *, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Entries as they are kept, in order of seq."""
        return iter(self._records[after:upto])

    def entry(self, seq: int) -> Entry | None:
        """The entry with a number."""
        return self._entries[seq - 1] if 0 < seq <= len(self._entries) else None

    def find(self, owner: str, entry_id: str) -> Entry | None:
        """The entry of an owner with an id."""
        return self.entry(self._seqs.get((owner, entry_id), 0))

    def entries(
        self, *, owner: str | None = None, after: int = 0, upto: int | None = None
    ) -> Iterator[Entry]:
        """Entries in order of seq, those of one owner or all."""
        if owner is None:
            return iter(self._entries[after:upto])
        entries = self._entries
        return iter([entries[n] for n in _cut_out(self._of_owner.get(owner, []), after, upto)])

    def owners(self) -> list[str]:
        """Everyone who has an entry, in order of their names."""
        return sorted(self._of_owner)

    def touching(
        self, owner: str, tokens: Iterable[str], *, upto: int | None = None
    ) -> list[Entry]:
        """The entries of an owner that touch any of the tokens, in order of seq."""
        entries = self._entries
        found = {
            place
            for token in set(tokens)
            for place in _cut_out(self._places.get((owner, token), []), 0, upto)
        }
        return [entries[place] for place in sorted(found)]

    def plain(self, owner: str, token: str) -> bool:
        """Whether everything recorded on a slot so far can be carried by its timeline."""
        return self._odd(owner, token) == FOREVER

    def linked(self, owner: str, token: str) -> list[str]:
        """Tokens that share an entry with this one, sorted."""
        found = {n for t in self._on(owner, token) if t.joins for n in t.tokens}
        return sorted(found - {token})

    def rests_on(self, owner: str, token: str) -> list[str]:
        """Tokens of the premises of what was derived on this one, sorted."""
        found = {n for t in self._on(owner, token) if t.joins for n in t.links}
        return sorted(found - {token})

    def sharers(self, principal: str) -> list[str]:
        """The owners who ever shared something with a principal, in order of their names."""
        mark = f"{WITH}{principal}"
        return [owner for owner in self.owners() if (owner, mark) in self._places]

    def touched(self, owner: str, token: str) -> bool:
        """Whether any entry of an owner touches a token or bears a mark."""
        return (owner, token) in self._places

    def ruled(self, owner: str) -> list[Entry]:
        """The entries of an owner with ``p/*`` tokens, in order of seq."""
        return [e for e, t in self._of(owner) if any(token.endswith("/*") for token in t.tokens)]

    def tokens(self, owner: str, predicate: str, entity: str | None = None) -> list[str]:
        """The tokens of a predicate (that mention an entity), sorted."""
        found = set()
        for token in {token for _, t in self._of(owner) for token in t.tokens}:
            name, entities = split_token(token)
            if (
                name == predicate
                and not token.endswith(OF_PREDICATE)
                and (entity is None or entity in entities)
            ):
                found.add(token)
        return sorted(found)

    def declared(self, owner: str) -> list[str]:
        """The predicates that an owner ever declared, sorted."""
        return sorted(
            token.removesuffix(DECLARED)
            for whose, token in self._places
            if whose == owner and token.endswith(DECLARED)
        )

    def first_of(self, owner: str, predicate: str) -> Entry | None:
        """The first entry that speaks of a predicate by any token but its declaration."""
        for entry, touch in self._of(owner):
            for token in touch.tokens:
                if split_token(token)[0] == predicate and not token.endswith(DECLARED):
                    return entry
        return None

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Matches:
        """The tellings of an owner that a text may be about, by an index of the same kind as files have."""
        with self._lock:
            return self._search().search(owner, text, limit=limit, upto=upto, most=most)

    def naming(self, owner: str, entity: str) -> list[str]:
        """The tokens that name an entity, as far as the index goes, sorted."""
        with self._lock:
            return self._search().naming(owner, entity)

    def indexed(self) -> int:
        """The last entry that the search index covers."""
        with self._lock:
            return 0 if self._searcher is None else self._searcher.upto

    def latest(self, owner: str, *, before: int, count: int) -> list[Entry]:
        """The last entries of an owner before a number, latest first."""
        places = _cut_out(self._of_owner.get(owner, []), 0, before - 1)[-count:] if count else []
        return [self._entries[place] for place in reversed(places)]

    def vectors(self, owner: str) -> list[tuple[int, bytes]]:
        """What an embedder made of an owner's tellings, in order of seq."""
        with self._lock:
            return self._search().live.vectors(owner)

    def embedded(self, owner: str) -> int:
        """The last telling of an owner that has a vector; 0 when none has."""
        with self._lock:
            return self._search().live.embedded(owner)

    def keep_vectors(self, owner: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep what an embedder made of some tellings."""
        with self.transaction():
            self._search().live.keep_vectors(owner, rows)

    def slot_view(self, owner: str, slot: str) -> SlotView:
        """The tellings of a slot as recorded so far."""
        from agm_store.slotview import LedgerView

        return LedgerView(fold(self.touching(owner, [slot]), self._rank), slot)

    def seq_at(self, recorded_at: int) -> int:
        """The number of the last entry recorded at or before a time; 0 when there is none."""
        return bisect_right(self._entries, recorded_at, key=lambda e: e.recorded_at)

    def segment(self, owner: str, slot: str, valid: int, known: int) -> Segment | None:
        """The stretch of a plain slot's timeline at a point; None where the timeline says nothing."""
        return next(
            (s for s in self.timeline(owner, slot, known) if s.valid_from <= valid < s.valid_to),
            None,
        )

    def timeline(self, owner: str, slot: str, known: int) -> list[Segment]:
        """The stretches of a plain slot as known at an entry, in order of valid time."""
        if known >= self._odd(owner, slot):
            return []
        return [s for s in self._grown(owner, slot) if s.known_from <= known < s.known_to]

    def segments(self, owner: str, slot: str) -> list[Segment]:
        """The stretches of a plain slot as known at any entry."""
        return [] if self._odd(owner, slot) != FOREVER else list(self._grown(owner, slot))

    def verify_projections(self) -> None:
        """Nothing is kept beside the entries."""

    def rebuild(self, progress: Progress | None = None) -> None:  # noqa: ARG002  nothing takes long here
        """Forget what was folded and indexed."""
        self._segments.clear()
        self._searcher = None

    def close(self) -> None:
        """Nothing is held open."""

    def _search(self) -> Searcher:
        if self._searcher is None:
            from agm_store.searcher import Searcher

            self._searcher = Searcher(self)
        return self._searcher

    def _of(self, owner: str) -> list[tuple[Entry, Touch]]:
        entries, touches = self._entries, self._touches
        return [(entries[n], touches[n]) for n in self._of_owner.get(owner, ())]

    def _on(self, owner: str, token: str) -> list[Touch]:
        """What was recorded on a token; as a mark alone it does not count."""
        touches = map(self._touches.__getitem__, self._places.get((owner, token), ()))
        return [touch for touch in touches if token in touch.tokens]

    def _odd(self, owner: str, token: str) -> int:
        """The number of the first entry on a token that no timeline can carry; FOREVER when there is none."""
        odd = (
            self._entries[n].seq
            for n in self._places.get((owner, token), ())
            if token in (t := self._touches[n]).tokens
            and not (t.plain and (len(t.tokens) == 1 or not t.joins))
        )
        return next(odd, FOREVER)

    def _grown(self, owner: str, slot: str) -> list[Segment]:
        done, segments = self._segments.get((owner, slot), (0, []))
        entries = self.touching(owner, [slot], upto=self._odd(owner, slot) - 1)
        segments = grow(segments, slot, entries, self._rank, done=done)
        self._segments[owner, slot] = len(entries), segments
        return segments

    def _cut(self, count: int) -> None:
        for record, touch in zip(self._records[count:], self._touches[count:], strict=True):
            del self._seqs[record.owner, record.entry_id]
            _drop_last(self._of_owner, record.owner, count)
            for token in (*touch.tokens, *touch.marks):
                _drop_last(self._places, (record.owner, token), count)
        if len(self._records) > count:
            self._segments.clear()
            # lists of their own, for another thread may still be reading the old ones
            self._records, self._entries = self._records[:count], self._entries[:count]
            self._touches = self._touches[:count]


def _cut_out(places: list[int], after: int, upto: int | None) -> list[int]:
    """Those of some places, in order, that are not below one and below another."""
    end = len(places) if upto is None else bisect_left(places, upto)
    return places[bisect_left(places, after) : end]


def _drop_last(index: dict[K, list[int]], key: K, count: int) -> None:
    """Let go of the places from a count on; a key without any is none."""
    places = index.get(key, [])
    del places[bisect_left(places, count) :]
    if not places:
        index.pop(key, None)

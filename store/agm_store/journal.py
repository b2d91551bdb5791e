"""The journal protocol: an append-only run of entries, and the few indexes that make it local.

A backend keeps entries and answers which of them touch a *token*.  A token is what an entry speaks
of: a slot or relation atom in canonical text (``ttl(cache)``), ``p/*`` for a predicate that a rule
or constraint ranges over, ``#id`` for a belief of text alone.  Everything else is worked out from
entries by ``ledger`` and ``reading``; a backend may cache the outcome for plain slots (a *timeline*)
as long as the cache equals the fold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.marks import Since
    from agm_store.sealing import Record, Settings
    from agm_store.searching import Matches

    Progress = Callable[[int, int, str], object]


class Head(NamedTuple):
    """The end of the journal: how many entries, when the last was recorded, and its hash."""

    count: int  # type: ignore[assignment]  # the word of the domain; nobody counts in a head
    recorded_at: int
    hash: str


class Segment(NamedTuple):
    """A stretch of a plain slot's timeline: which tellings are in force over [valid_from, valid_to).

    It is what was known over the entries [known_from, known_to).
    """

    slot: str
    valid_from: int
    valid_to: int
    known_from: int
    known_to: int
    believed: tuple[int, ...]
    """Seqs of the leading tellings: one when believed, several when contested, none when nothing is in force."""
    others: tuple[int, ...]
    """Seqs of the leading tellings of claims that are outranked: in force, weaker, with a newer start; ascending."""
    ends: tuple[int, ...] = ()
    """Until when each of these goes on to lead its claim, believed ones first; empty when all end with the segment."""


class Touch(NamedTuple):
    """What an entry speaks of, for the indexes."""

    tokens: Sequence[str]
    plain: bool
    """Whether the plain-slot timeline can carry it: a slot literal without justification, rule or constraint."""
    links: Sequence[str] = ()
    """Tokens that the entry's tokens rest on (premises of a derivation), one way."""
    joins: bool = True
    """Whether it ties its tokens together; what is held, rejected or noted does not, until it is admitted."""
    marks: Sequence[str] = ()
    """Names such as ``@held`` that `Journal.touching` finds like tokens, but that link nothing and are no slots."""


class SlotView(Protocol):
    """What the checks of a newcomer ask of a slot, at the end of the journal."""

    def overlapping(self, start: int, end: int) -> list[Telling]:
        """The leading tellings in force somewhere in [start, end), by (rank, start, seq) descending."""

    def withdrawn(self, value: str, said: tuple[str, str | None, str | None]) -> bool:
        """Whether a telling of the value was withdrawn that was heard from this (source, citation, episode)."""

    def next_start(self, telling_rank: int, after: int) -> int:
        """The earliest start later than a time of an open telling of at least a rank; FOREVER when there is none."""

    def ended_before(self, value: str, now: int) -> bool:
        """Whether a telling of the value was withdrawn, has ended by now, or is overridden at now."""

    def unadmitted(self, value: str, telling_rank: int, before: int) -> Since:
        """Since when a value is on record by at least a rank, told before an entry and not admitted; else `NEVER`."""

    def stands_since(self, claim: str, now: int) -> Since:
        """The earliest start of the tellings of a claim that are in force at a time; `NEVER` when there are none."""


class Journal(Protocol):
    """What the store asks of a backend.  Reads see everything written, inside a transaction its own writes too."""

    replay: bool
    order: object
    """The JSON form of the entrenchment order that the journal was created with."""
    settings: Settings
    """Order and replay as they are bound to the chain."""

    @property
    def writable(self) -> bool:
        """Whether it may be written to."""

    @property
    def writing(self) -> bool:
        """Whether this thread is inside a transaction."""

    def transaction(self) -> AbstractContextManager[None]:
        """One atomic write (BEGIN IMMEDIATE); nested levels are savepoints."""

    def head(self) -> Head:
        """The end of the journal."""

    def append(self, owner: str, entry_id: str, recorded_at: int, body: Body) -> Entry:
        """Write one entry at the end, inside a transaction; what it touches is read off its body (``touches``)."""

    def blank(self, forms: Mapping[int, str]) -> None:
        """Put redacted bodies, as canonical text, in place of those of entries; an entry must name them."""

    def entry(self, seq: int) -> Entry | None:
        """The entry with a number."""

    def find(self, owner: str, entry_id: str) -> Entry | None:
        """The entry of an owner with an id."""

    def entries(
        self, *, owner: str | None = None, after: int = 0, upto: int | None = None
    ) -> Iterator[Entry]:
        """Entries in order of seq, those of one owner or all."""

    def owners(self) -> list[str]:
        """Everyone who has an entry, in order of their names."""

    def touching(
        self, owner: str, tokens: Iterable[str], *, upto: int | None = None
    ) -> list[Entry]:
        """The entries of an owner that touch any of the tokens, in order of seq."""

    def plain(self, owner: str, token: str) -> bool:
        """Whether everything recorded on a slot so far can be carried by its timeline."""

    def linked(self, owner: str, token: str) -> list[str]:
        """Tokens that share an entry with this one, sorted."""

    def rests_on(self, owner: str, token: str) -> list[str]:
        """Tokens of the premises of what was derived on this one, sorted."""

    def sharers(self, principal: str) -> list[str]:
        """The owners who ever shared something with a principal, in order of their names."""

    def touched(self, owner: str, token: str) -> bool:
        """Whether any entry of an owner touches a token or bears a mark."""

    def ruled(self, owner: str) -> list[Entry]:
        """The entries of an owner with ``p/*`` tokens (rules and constraints), in order of seq."""

    def tokens(self, owner: str, predicate: str, entity: str | None = None) -> list[str]:
        """The tokens of a predicate (that mention an entity), sorted."""

    def declared(self, owner: str) -> list[str]:
        """The predicates that an owner ever declared, sorted."""

    def first_of(self, owner: str, predicate: str) -> Entry | None:
        """The first entry that speaks of a predicate by any token: what its first use bound."""

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Matches:
        """The tellings of an owner (up to an entry) that a text may be about, best first.

        What the index lags behind is taken in before, or ``most`` entries of it.
        """

    def naming(self, owner: str, entity: str) -> list[str]:
        """The tokens that name an entity in any place, as far as the index goes, sorted."""

    def indexed(self) -> int:
        """The last entry that the search index covers."""

    def latest(self, owner: str, *, before: int, count: int) -> list[Entry]:
        """The last entries of an owner before a number, latest first."""

    def vectors(self, owner: str) -> list[tuple[int, bytes]]:
        """What an embedder made of an owner's tellings, in order of seq."""

    def embedded(self, owner: str) -> int:
        """The last telling of an owner that has a vector; 0 when none has."""

    def keep_vectors(self, owner: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep what an embedder made of some tellings."""

    def slot_view(self, owner: str, slot: str) -> SlotView:
        """The tellings of a slot as recorded so far, for the checks of a newcomer."""

    def seq_at(self, recorded_at: int) -> int:
        """The number of the last entry recorded at or before a time; 0 when there is none."""

    def segment(self, owner: str, slot: str, valid: int, known: int) -> Segment | None:
        """The stretch of a plain slot's timeline at a point; None when nothing was ever told there."""

    def timeline(self, owner: str, slot: str, known: int) -> list[Segment]:
        """The stretches of a plain slot as known at an entry, in order of valid time."""

    def segments(self, owner: str, slot: str) -> list[Segment]:
        """The stretches of a plain slot as known at any entry, each with the entries between which it was."""

    def records(self, *, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        """Entries as they are kept and chained, in order of seq."""

    def restore(self, record: Record) -> Entry:
        """Write a record that was made for the end of this journal."""

    def adopt(self, settings: Settings) -> None:
        """Take other settings while there is no entry."""

    def verify_projections(self) -> None:
        """Compare every projection with what the journal amounts to.

        Raises:
            ProjectionBroken: one differs.
        """

    def rebuild(self, progress: Progress | None = None) -> None:
        """Drop all projections and make them anew from the journal."""

    def close(self) -> None:
        """Let the backend go."""

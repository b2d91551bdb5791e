"""What is listed beside beliefs: reviews, flags, artefacts, shares, requests to models, refused attempts, counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agm_store.records import EntryId, Printed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, timedelta

    from agm import Verdict
    from agm.beliefs import Belief, BeliefId
    from agm.directives import ModelCall
    from agm_propagation.flags import Flag
    from agm_store.receipts import Blast
    from agm_store.records import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A belief that the owner lets a principal read; ``reads`` are the ids that it opens now, none when all is gone."""

    belief: BeliefId
    principal: str
    entry: EntryId
    since: datetime
    reads: Sequence[BeliefId] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A request to a model: its source, and the statements it led to, or the kind of its failure."""

    call: ModelCall
    source: str
    entry: EntryId
    at: datetime
    failed: str | None = None
    told: Sequence[BeliefId] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A refused attempt: the verb, the id that it named, what the error said, and who tried."""

    verb: str
    target: str
    why: str
    entry: EntryId
    at: datetime
    principal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Flagged(Printed):
    """A flag that stands: what is to be looked at again, since when, and why.

    ``on`` is the id of a belief, or of an artefact; ``because`` the beliefs whose loss raised it; ``cause`` the
    entry that did, None when it was time; ``errors`` what went wrong when it was looked at since.
    """

    id: str
    on: str
    kind: Literal["support_lost", "sibling_retired", "needs_resynthesis", "broken_source"]
    because: Sequence[str]
    entry: EntryId
    cause: EntryId | None
    since: datetime
    artefact: bool = False
    errors: Sequence[str] = ()

    @property
    def why(self) -> str:
        """Why it stands, in one sentence."""
        by = "" if self.cause is None else f" (entry {self.cause})"
        return self._words().why + by

    @property
    def to_clear(self) -> str:
        """What would clear it, in one sentence."""
        undo = "" if self.cause is None else f"; or revert {self.cause}"
        return self._words().to_clear + undo

    def _words(self) -> Flag:
        from agm_propagation.flags import Flag

        return Flag(id=self.id, on=self.on, kind=self.kind, because=tuple(self.because))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtefactVersion:
    """One version of an artefact: what it rests on, what it says of itself, and why it was made.

    ``flags`` are those that stand on it and its descriptors; older versions bear none.
    """

    artefact: str
    version: int
    entry: EntryId
    since: datetime
    rests_on: Sequence[BeliefId]
    descriptors: Sequence[Side]
    rationale: str
    text: str | None = None
    note: str | None = None
    episode: str | None = None
    flags: Sequence[Flagged] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Review(Printed):
    """Something that waits for a person: both sides, what the machine found, and the options.

    ``certificate`` are the beliefs that the newcomer was found to contradict; ``since`` is the time from which
    on it waits, ``age`` how long that was when it was read.
    """

    id: str
    new: Side
    old: Side | None
    machine: Verdict | None
    not_checked: Sequence[str]
    options: Sequence[str]
    why: Sequence[str] = ()
    known: EntryId = EntryId(0)  # noqa: RUF009  a number
    certificate: Sequence[Belief] = ()
    since: datetime | None = None
    age: timedelta | None = field(default=None, compare=False)
    tried: Callable[[Review, str], Blast] | None = field(default=None, repr=False, compare=False)

    @property
    def source(self) -> str | None:
        """Who told the newcomer."""
        return self.new.source

    @property
    def consequences(self) -> Blast:
        """What its first option would do: see `would`."""
        return self.would(self.options[0])

    def would(self, option: str) -> Blast:
        """What an option would retire, and flag downstream; it is tried out and taken back.

        Raises:
            UnknownOption, StaleReview: as `BeliefStore.decide` would.
        """
        assert self.tried is not None  # a review comes from a store
        return self.tried(self, option)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Stats(Printed):
    """Counts over one owner's part of a journal."""

    entries: int
    beliefs: dict[str, int] = field(default_factory=dict)
    held: int = 0
    oldest_held: datetime | None = None
    waiting: int = 0
    """Held beliefs that wait for a check to be run again, and for no person."""
    reviews: int = 0
    """What waits in the inbox, for a person or a check."""
    reviews_by_age: dict[str, int] = field(default_factory=dict)
    """How many of them wait "under a day", "under a week", "under a month" or "longer"; none of which is 0."""
    reviews_by_source: dict[str, int] = field(default_factory=dict)
    """How many of them each source told, the most first; "" for what nobody in particular told."""
    expired_reviews: int = 0
    """Reviews that are dismissed because nobody decided in time; a revert brings each back."""
    expired_by_source: dict[str, int] = field(default_factory=dict)
    """How many of those each source told, the most first."""
    replay: bool = False
    head: str = ""
    """The hash at the end of the journal, which all owners write to: it moves with anybody's entry."""
    not_indexed: int = 0
    """Tellings that the search index has not taken in yet; the next search does."""

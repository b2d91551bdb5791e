"""What the verbs and worlds answer: frozen records, times as aware datetimes.

`Side` is one telling as it is shown; `Answer`, `Why`, `Receipt`, `BatchReceipt`, `Review` and `Stats`
are made of sides, ids and plain values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, NewType, TypeVar

from agm_store.entries import FOREVER, moment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, timedelta

    from agm import AgmError, Claim, Loss, Verdict
    from agm.beliefs import Belief, BeliefId
    from agm.directives import Mention, Mode, ModelCall, NotRun, Reason, Role
    from agm.values import Value
    from agm_propagation.flags import Flag

V = TypeVar("V")

EntryId = NewType("EntryId", int)
"""The number of an entry: a point on the recorded axis."""

Status = Literal[
    "active",
    "superseded",
    "retracted",
    "expired",
    "held",
    "rejected",
    "suppressed",
    "noted",
    "reverted",
    "redacted",
]
Standing = Literal[
    "believed", "contested", "outranked", "overridden", "unsupported", "not_in_force"
]


def until(us: int) -> datetime | None:
    """The end of an interval as a moment; None when it is open."""
    return None if us >= FOREVER else moment(us)


class Printed:
    """A record that ``print`` shows in a few lines, a terminal in the first of them, and a notebook as HTML."""

    __slots__ = ()

    def __repr__(self) -> str:
        from agm_store.summaries import headline

        return f"<{type(self).__name__} {headline(self)}>"

    def __str__(self) -> str:
        from agm_store.summaries import summary

        return summary(self)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from agm_store.displays.records import html

        return html(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Side(Printed):
    """One telling as it is shown, with its effective validity [valid_from, valid_to)."""

    belief: BeliefId
    claim: Claim | None
    text: str | None
    value: Value | None
    status: Status
    standing: Standing
    valid_from: datetime
    valid_to: datetime | None
    source: str | None
    entrenchment: str = "asserted"
    mode: Mode = "assertion"
    episode: str | None = None
    supersedes: Sequence[BeliefId] = ()
    replaced_by: BeliefId | None = None
    recorded_at: datetime | None = None
    entry: EntryId | None = None
    owner: str | None = None
    """Whose it is, when it is shared with the reader."""
    refines: Sequence[BeliefId] = ()
    """In a history: the tellings that it was found to be more specific than."""
    refined_by: Sequence[BeliefId] = ()
    """In a history: the tellings that were found to be more specific."""
    attests: Sequence[BeliefId] = ()
    """In a history: the claims that this text was found to put in words."""
    attested_by: Sequence[BeliefId] = ()
    """In a history: the texts that were found to put this claim in words."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hit(Printed):
    """One side that a recall found: how well, what it replaced, and how many held newcomers stand against it."""

    side: Side
    score: float
    """From 0 to 1; it orders the hits of one recall and means nothing beyond."""
    replaces: Sequence[BeliefId] = ()
    held_against: int = 0
    refined_by: Sequence[BeliefId] = ()
    """Beliefs that say more precisely what it says and that stand as well; they come before it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Printed, Generic[V]):
    """What is believed of a term; ``value`` is None when it is contested or unknown.

    One telling speaks for each claim: a side's ``valid_to`` is where that telling ends, or where another of
    the same claim speaks for it.
    """

    value: V | None
    sides: Sequence[Side]
    contested: bool
    outranked: Sequence[Side] = ()
    shared: Sequence[Side] = ()
    """What others share with the reader; no part of the value."""

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of all sides, in order."""
        return tuple(s.value for s in self.sides if s.value is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A conversation, turn or document in which something was told; what nobody described has no kind."""

    id: str
    kind: str | None = None
    at: datetime | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Why(Printed):
    """Why a belief stands as it does, and what would undo it."""

    belief: BeliefId
    status: Status
    standing: Standing
    reason: Reason | None
    kernel: Sequence[BeliefId]
    retired_by: EntryId | None
    to_undo: str
    replaced_by: BeliefId | None = None
    supersedes: Sequence[BeliefId] = ()
    supports: Sequence[Sequence[BeliefId]] = ()
    source: str | None = None
    episode: str | None = None
    episodes: Sequence[Episode] = ()
    route: str = ""
    decided_by: str = ""
    confidence: float | None = None
    notes: Sequence[str] = ()
    refines: Sequence[BeliefId] = ()
    refined_by: Sequence[BeliefId] = ()
    call: ModelCall | None = None
    """The request to a model that led to its statement."""
    attests: Sequence[BeliefId] = ()
    """The claims that this text was found to put in words."""
    attested_by: Sequence[BeliefId] = ()
    """The other statements of the same belief, and for a claim the texts that were found to put it in words."""


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
class Said:
    """One mention of a slot: its statement, the role that a model gave it, and the mode in which it stands."""

    belief: BeliefId
    entry: EntryId
    mention: Mention
    role: Role
    mode: Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstructed:
    """What a model makes of all that was said of a term: a proposal beside what is believed.

    ``value`` is the value of the latest update that holds now, ``believed`` what the store answers. ``reclassify``
    names the statements that stand in another mode than their role has; `BeliefStore.reclassify` would follow.
    """

    term: str
    value: Value | None
    belief: BeliefId | None
    mentions: Sequence[Said]
    believed: Value | None
    contested: bool
    reclassify: Sequence[tuple[EntryId, Mode]]
    entry: EntryId
    cached: bool
    call: ModelCall | None = None

    @property
    def agrees(self) -> bool:
        """Whether it proposes what is believed."""
        return not self.contested and self.value == self.believed and not self.reclassify


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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Blast(Printed):
    """What a change does downstream, in order of recording.

    ``retired`` are the statements withdrawn, ``told`` the new ones; ``lost`` and ``gained`` are the beliefs that
    are believed only before it, or only after it.  ``entry`` is what to revert, None when nothing was written;
    then the flags are what would be raised, without ids and entries, and ``told`` are the ids that would be given.
    """

    entry: EntryId | None
    retired: Sequence[BeliefId] = ()
    told: Sequence[BeliefId] = ()
    lost: Sequence[BeliefId] = ()
    gained: Sequence[BeliefId] = ()
    flags: Sequence[Flagged] = ()
    artefacts: Sequence[str] = ()
    """The artefacts that rest on something lost."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Receipt(Printed):
    """What a write answers: what changed, which checks ran, and what was not checked."""

    belief: BeliefId
    entry: EntryId
    status: Status = "active"
    retired: Sequence[Loss] = ()
    contested: Sequence[Side] = ()
    checked: Sequence[tuple[BeliefId, Verdict, str]] = ()
    not_checked: Sequence[str] = ()
    notices: Sequence[str] = ()
    flags: Sequence[Flagged] = ()
    """The flags that the change raised downstream."""

    @property
    def attests(self) -> tuple[BeliefId, ...]:
        """The beliefs that it was found to say the same as: it is one more attestation of each, if it is active."""
        same = (belief for belief, verdict, _ in self.checked if verdict.kind == "paraphrase")
        return tuple(dict.fromkeys(same))


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
class ArtefactReceipt(Printed):
    """What recording a version answers.

    ``descriptors`` are the receipts of what it says of itself, ``ended`` the old descriptors with nothing in
    their place, ``cleared`` the ids of the flags that it answers.
    """

    artefact: str
    version: int
    entry: EntryId
    rationale: str
    descriptors: Sequence[Receipt] = ()
    ended: Sequence[BeliefId] = ()
    cleared: Sequence[str] = ()
    notices: Sequence[str] = ()
    flags: Sequence[Flagged] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ImprintReceipt(Printed):
    """What recording a version of a source answers; ``entry`` is what to revert.

    ``told`` are the receipts of what is new in it, ``kept`` the tellings that it attests again, ``superseded``
    those whose slot it gives another value, ``ended`` those that are gone from it, and ``stayed`` those that it
    does not say and cannot end. ``attested`` names what ended and is told by others as well, with whom.
    """

    source: str
    version: str
    entry: EntryId
    told: Sequence[Receipt] = ()
    kept: Sequence[BeliefId] = ()
    superseded: Sequence[BeliefId] = ()
    ended: Sequence[BeliefId] = ()
    stayed: Sequence[BeliefId] = ()
    attested: Sequence[tuple[BeliefId, Sequence[BeliefId]]] = ()
    notices: Sequence[str] = ()
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
    known: EntryId = EntryId(0)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """A look at a held belief that came to nothing again: the error, how often, and when the next may be."""

    belief: BeliefId
    error: str
    tries: int
    due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RescanReport:
    """What came of a rescan.

    ``decided`` are receipts of what the gates decided, with the certificates of what was retired; ``failed`` what
    is held as before; ``expired`` what the policy dismissed because nobody decided in time; ``looked`` how many
    were looked at, ``waiting`` how many wait still, and ``due`` when each of them may be looked at, the earliest
    first; ``next`` where a later call goes on, None when all that was due was looked at.
    """

    decided: Sequence[Receipt] = ()
    failed: Sequence[Retried] = ()
    expired: Sequence[Receipt] = ()
    looked: int = 0
    waiting: int = 0
    due: Sequence[tuple[BeliefId, datetime]] = ()
    next: EntryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A belief that would not be taken in now: how it reads, what contradicts it, and what the gates would say."""

    belief: BeliefId
    standing: Standing
    against: Sequence[BeliefId] = ()
    why: Sequence[str] = ()
    ruled_out: bool = False
    """Whether it cannot hold under the constraints, whatever else is believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillReport:
    """What came of a backfill.

    ``admitted`` are receipts of what was held and may stand now; ``conflicts`` what would not be taken in now, of
    which nothing is changed, and ``opened`` the reviews that this call opened for them; ``not_checked`` names
    beliefs of which it was not found out, with the reason; ``next`` is where a later call goes on, None when
    everything was looked at.
    """

    admitted: Sequence[Receipt] = ()
    conflicts: Sequence[Conflict] = ()
    opened: Sequence[Review] = ()
    not_checked: Sequence[tuple[BeliefId, str]] = ()
    looked: int = 0
    next: EntryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """What came of a consolidation.

    ``clusters`` are the groups of texts that all say the same; ``merged`` are pairs: a belief, and the new telling
    of it that takes the place of a text that says the same; ``proposed`` are receipts of newcomers that retire what
    they contradict, or wait in the inbox; ``opened`` are the reviews of what nothing decides by itself;
    ``not_checked`` names beliefs of which something was not found out or not done, with the reason.
    """

    clusters: Sequence[Sequence[BeliefId]] = ()

    merged: Sequence[tuple[BeliefId, BeliefId]] = ()
    proposed: Sequence[Receipt] = ()
    opened: Sequence[Review] = ()
    contested: Sequence[Sequence[Side]] = ()
    """The groups of claims of which the reading can keep one, not all."""
    not_checked: Sequence[tuple[BeliefId, str]] = ()
    looked: int = 0
    """Beliefs in words that were looked at."""
    compared: int = 0
    """How often something that compares, or judges, was asked."""
    left: int = 0
    """Comparisons that the budget left for a later call."""
    postponed: int = 0
    """Contradictions that were found and, for a budget, are proposed by a later call."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BulkReceipt(Printed):
    """What deciding many reviews at once answers: ``entry`` undoes all of it; None when nothing was decided.

    ``refused`` are the ids of reviews that stay as they were, each with the error.
    """

    entry: EntryId | None
    decided: Sequence[Receipt] = ()
    refused: Sequence[tuple[str, AgmError]] = ()
    flags: Sequence[Flagged] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BatchReceipt(Printed):
    """What a batch answers: told, refused (index and error), in review, or why nothing ran."""

    told: Sequence[Receipt] = ()
    refused: Sequence[tuple[int, AgmError]] = ()
    in_review: Sequence[Review] = ()
    not_run: NotRun | None = None


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

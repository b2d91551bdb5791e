"""What reading answers: frozen records, times as aware datetimes.

`Side` is one telling as it is shown; `Answer`, `Hit` and `Why` are made of sides, ids and plain values.
What writes answer stands in `receipts`, what long passes report in `reports`, and what is listed beside
beliefs in `listings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, NewType, TypeVar

from agm_store.entries import FOREVER, moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm.directives import Mention, Mode, ModelCall, Reason, Role
    from agm.values import Value

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
class ReconstructedMention:
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
    mentions: Sequence[ReconstructedMention]
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

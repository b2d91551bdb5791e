"""What a pass over many beliefs reports: what it settled, what it could not, and where the next call goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm_store.listings import Review
    from agm_store.receipts import Receipt
    from agm_store.records import EntryId, Side, Standing


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

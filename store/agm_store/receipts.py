"""What writes answer: what changed, what it cost, which checks ran, and what was not checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agm_store.records import Printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import AgmError, Loss, Verdict
    from agm.beliefs import BeliefId
    from agm.directives import NotRun
    from agm_store.listings import Flagged, Review
    from agm_store.records import EntryId, Side, Status


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

"""One artefact to be renewed: what is known of it, what was drafted, and the version that comes of it.

Three steps that each talk to the store once: `job_of` reads, `recorded` writes a version, `failed` writes
down why there is none.  Whatever happens between them, the flags stand until a version clears them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agm_store.artefacts import descriptors, ever, latest, version_of
from agm_store.entries import canonical
from agm_store.errors import IdempotencyConflict, InvalidArgument
from agm_store.flags import Place, standing
from agm_store.reasons import change_reasons, premises_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_propagation.artefacts import ChangeReason, Draft, PremiseNow
    from agm_store.beliefs import BeliefStore
    from agm_store.context import Context
    from agm_store.listings import ArtefactVersion, Flagged
    from agm_store.receipts import ArtefactReceipt

KIND = "needs_resynthesis"
MAX_ERROR = 2000
"""Characters of an error that are written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """An artefact that is flagged: its latest version, why it is to be renewed, and what is believed now."""

    version: ArtefactVersion
    reasons: Sequence[ChangeReason]
    premises: Sequence[PremiseNow]
    statement: str
    """The id of the version that these make: the same for the same."""


def flagged(context: Context) -> list[str]:
    """The artefacts that are to be renewed, those flagged first in front."""
    found: dict[str, None] = {}
    for flag in standing(context):
        if flag.kind == KIND:
            name = flag.on if flag.artefact else context.telling_entry(flag.on).body["artefact"]
            found.setdefault(name)
    return [name for name in found if latest(context, name) is not None]


def job_of(context: Context, artefact: str) -> Job | None:
    """What is to be done about an artefact; None when no flag asks for a new version."""
    entry = latest(context, artefact)
    if entry is None:
        return None
    version = version_of(context, entry)
    flags = _asking(version.flags)
    if not flags:
        return None
    premises = premises_now(context, version.rests_on)
    number = 1 + max(e.body["version"] for e in ever(context, artefact))
    inputs = canonical({
        "artefact": artefact,
        "flags": sorted(f.id for f in flags),
        "premises": [[p.belief, *(belief for belief, _ in p.now)] for p in premises],
    })  # fmt: skip
    digest = hashlib.sha256(inputs.encode()).hexdigest()[:16]
    return Job(
        version=version,
        reasons=change_reasons(context, [f for f in flags if f.artefact] or flags),
        premises=premises,
        statement=f"{artefact[:200]}@{number}:{digest}",
    )


def _asking(flags: Sequence[Flagged]) -> list[Flagged]:
    return [f for f in flags if f.kind == KIND]


def recorded(
    store: BeliefStore, job: Job, draft: Draft, *, entrenchment: str
) -> ArtefactReceipt | None:
    """Record a draft as the next version; None when somebody else recorded one meanwhile.

    Raises:
        AgmError: the draft does not make a version; nothing was written.
    """
    rests_on = draft.rests_on
    if rests_on is None:
        rests_on = sorted({belief for premise in job.premises for belief, _ in premise.now})
    if not rests_on:
        named = [p.belief for p in job.premises]
        expected = "a draft that says what it rests on: nothing of that is believed any more"
        raise InvalidArgument("rests_on", named, expected)
    context, version = store._context, job.version  # noqa: SLF001  the same package
    try:
        with store.transaction():
            last = latest(context, version.artefact)
            if last is None or last.seq != version.entry:
                return None
            return store.artefact(
                version.artefact,
                rests_on=rests_on,
                descriptors=draft.descriptors,
                text=draft.text,
                note=draft.note,
                episode=_episode(job),
                entrenchment=entrenchment,
                statement=job.statement,
            )
    except IdempotencyConflict:
        return None  # the same was described in other words, and that was quicker


def _episode(job: Job) -> str | None:
    """Where the latest of the changes was told, so that it can be found; else where the version before was."""
    told = [r.episode for r in job.reasons if r.episode is not None]
    return told[-1] if told else job.version.episode


def failed(context: Context, artefact: str, error: str) -> None:
    """Write down why an artefact was not renewed, on the flags that still ask for it."""
    text = "".join(c if c >= " " and not "\ud800" <= c <= "\udfff" else " " for c in error)
    with context.writing() as now:
        entry = latest(context, artefact)
        told = [] if entry is None else descriptors(context, entry)
        own = Place(artefact, artefact=True)
        about: dict[Place, list[int]] = {}
        for flag in _asking(standing(context, [own, *(Place(e.entry_id) for e in told)])):
            about.setdefault(Place(flag.on, flag.artefact), []).append(int(flag.entry))
        for place in [own] if own in about else list(about):
            body = {**place.body("attempt"), "flags": about[place], "error": text[:MAX_ERROR]}
            context.append(context.free_id("t"), now, body)

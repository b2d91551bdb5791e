"""From tellings to what is shown: sides, with status and effective validity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.entries import FOREVER, moment
from agm_store.ledger import ADMITTED
from agm_store.records import EntryId, Side, until

if TYPE_CHECKING:
    from agm import Claim
    from agm.beliefs import BeliefId
    from agm.values import Value
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading
    from agm_store.records import Standing, Status


def claim_of(telling: Telling) -> Claim | None:
    """The structured claim of a telling as it was told; None for a text alone."""
    text = telling.body.get("claim")
    if text is None:
        return None
    from agm_store.texts import parsed

    return parsed(text)


def value_of(claim: Claim | None) -> Value | None:
    """The value that a claim gives its slot; for a relation atom its last argument."""
    if claim is None:
        return None
    from agm.claims import Atom, slot_literal

    literal = slot_literal(claim)
    if literal is not None:
        return literal[1]
    if isinstance(claim, Atom):
        return cast("Value", claim.args[-1]) if len(claim.args) > 1 else True
    return None


def side(
    telling: Telling,
    *,
    status: str,
    standing: str,
    start: int,
    end: int,
    ledger: Ledger | None = None,
) -> Side:
    """A telling as it is shown, over [start, end)."""
    body = telling.body
    replaced_by, supersedes = _links(telling, ledger)
    claim = claim_of(telling)
    return Side(
        belief=cast("BeliefId", telling.entry_id),
        claim=claim,
        text=body.get("text"),
        value=value_of(claim),
        status=cast("Status", status),
        standing=cast("Standing", standing),
        valid_from=moment(start),
        valid_to=until(end),
        source=body.get("source"),
        entrenchment=body["class"],
        mode=cast("Any", telling.mode),
        episode=body.get("episode"),
        supersedes=cast("Any", supersedes),
        replaced_by=cast("Any", replaced_by),
        recorded_at=moment(telling.told_at),
        entry=EntryId(telling.seq),
    )


def side_in(ledger: Ledger, telling: Telling, *, standing: str, valid: int) -> Side:
    """A telling of a ledger as it is shown at a valid time."""
    if telling.entry_id in ledger.reverted:
        start, end = telling.start, telling.told_end
    else:
        start, end = ledger.interval(telling)
    return side(
        telling,
        status=ledger.status(telling.entry_id, valid),
        standing=standing,
        start=start,
        end=max(start, end),
        ledger=ledger,
    )


def side_read(ledger: Ledger, reading: Reading, telling: Telling, valid: int) -> Side:
    """A telling as a reading at a valid time leaves it; one that a contraction took out is retracted there."""
    from dataclasses import replace

    standing = reading.standing.get(telling.entry_id, "not_in_force")
    shown = side_in(ledger, telling, standing=standing, valid=valid)
    if telling.entry_id in reading.removed and standing == "not_in_force":
        return replace(shown, status="retracted")
    return shown


def replaced_by(ledger: Ledger, telling: Telling) -> str | None:
    """The id of what took a telling's place: its correction, its temporal successor, or the rival that ended it."""
    if telling.state != ADMITTED or telling.entry_id in ledger.reverted:
        return None
    if telling.withdrawn:
        return telling.replaced_by
    successors = ledger.successors(telling)
    if successors:
        return successors[0].entry_id
    rival = ledger.ended_by_succession(telling)
    return None if rival is None else rival.entry_id


def _links(telling: Telling, ledger: Ledger | None) -> tuple[str | None, tuple[str, ...]]:
    if ledger is None:
        return None, tuple(d["target"] for d in telling.resolves if d["action"] == "supersede")
    named = set(telling.supersedes)
    ended = [other for other in ledger.ended_ids(telling) if other not in named]
    return replaced_by(ledger, telling), (*telling.supersedes, *ended)


def open_end(end: int) -> int | None:
    """An end for a body: None when open."""
    return None if end >= FOREVER else end

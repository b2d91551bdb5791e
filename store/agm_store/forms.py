"""Records as plain values for JSON, and tellings in words: what the command line and the tools of a model both show."""

# ruff: noqa: ANN401  (values of any claim, records of any verb)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.times import spoken, written

if TYPE_CHECKING:
    from datetime import datetime

    from agm import Loss
    from agm.values import Value
    from agm_store.listings import Flagged, Review
    from agm_store.receipts import Receipt
    from agm_store.records import Side, Why

NUMBER = "\0number "
"""Goes before a decimal on its way through the JSON encoder, which knows only floats; no stored text has a NUL."""


def value_json(value: Value | None) -> Any:
    """A value as JSON: numbers exact, a quantity as amount and unit, times as ISO-8601 text."""
    from datetime import datetime
    from decimal import Decimal

    from agm.values import Quantity

    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, Decimal):
        return f"{NUMBER}{value:f}"
    if isinstance(value, Quantity):
        return {"amount": value_json(value.amount), "unit": value.unit}
    return written(value) if isinstance(value, datetime) else value.isoformat()


def side_json(side: Side) -> dict[str, Any]:
    """A telling with everything that is known of it."""
    return {
        **answer_json(side),
        "claim": None if side.claim is None else str(side.claim),
        "text": side.text,
        "entrenchment": side.entrenchment,
        "mode": side.mode,
        "episode": side.episode,
        "supersedes": list(side.supersedes),
        "replaced_by": side.replaced_by,
        "recorded_at": written(side.recorded_at),
        "entry": side.entry,
        **({"refines": list(side.refines)} if side.refines else {}),
        **({"refined_by": list(side.refined_by)} if side.refined_by else {}),
        **({"attests": list(side.attests)} if side.attests else {}),
        **({"attested_by": list(side.attested_by)} if side.attested_by else {}),
    }


def answer_json(side: Side) -> dict[str, Any]:
    """A telling as an answer shows it."""
    return {
        "value": value_json(side.value),
        "belief": side.belief,
        "status": side.status,
        "standing": side.standing,
        "valid_from": written(side.valid_from),
        "valid_to": written(side.valid_to),
        "source": side.source,
    }


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt with the certificates of its losses."""
    return {
        "belief": receipt.belief,
        "entry": receipt.entry,
        "status": receipt.status,
        "retired": [_loss_json(loss) for loss in receipt.retired],
        "contested": [side_json(side) for side in receipt.contested],
        "checked": [
            {
                "belief": belief,
                "verdict": verdict.kind,
                "direction": verdict.direction,
                "route": route,
            }
            for belief, verdict, route in receipt.checked
        ],
        "not_checked": list(receipt.not_checked),
        "notices": list(receipt.notices),
        "flags": [flag_json(flag) for flag in receipt.flags],
    }


def _loss_json(loss: Loss) -> dict[str, Any]:
    kernel = [{"belief": b.id, "claim": str(b.claim)} for b in loss.kernel]
    return {"belief": loss.belief.id, "claim": str(loss.belief.claim), "kernel": kernel}


def review_json(review: Review) -> dict[str, Any]:
    """A review with both sides and the options."""
    machine = review.machine
    return {
        "id": review.id,
        "new": side_json(review.new),
        "old": None if review.old is None else side_json(review.old),
        "machine": None
        if machine is None
        else {
            "verdict": machine.kind,
            "route": machine.route,
            "confidence": machine.confidence,
        },
        "certificate": [{"belief": b.id, "claim": str(b.claim)} for b in review.certificate],
        "since": written(review.since),
        "source": review.source,
        "not_checked": list(review.not_checked),
        "options": list(review.options),
        "why": list(review.why),
    }


def why_json(why: Why) -> dict[str, Any]:
    """Every reason that is known of a belief's standing."""
    return {
        "belief": why.belief,
        "status": why.status,
        "standing": why.standing,
        "reason": why.reason,
        "kernel": list(why.kernel),
        "retired_by": why.retired_by,
        "to_undo": why.to_undo,
        "replaced_by": why.replaced_by,
        "supersedes": list(why.supersedes),
        "supports": [list(because) for because in why.supports],
        "source": why.source,
        "episode": why.episode,
        "episodes": [
            {
                "id": e.id,
                "kind": e.kind,
                "at": None if e.at is None else written(e.at),
                "parent": e.parent,
            }
            for e in why.episodes
        ],
        "route": why.route,
        "decided_by": why.decided_by,
        "confidence": why.confidence,
        "notes": list(why.notes),
        "refines": list(why.refines),
        "refined_by": list(why.refined_by),
        "attests": list(why.attests),
        "attested_by": list(why.attested_by),
    }


def flag_json(flag: Flagged) -> dict[str, Any]:
    """A flag with why it stands and what would clear it."""
    return {
        "id": flag.id,
        "kind": flag.kind,
        "on": flag.on,
        "artefact": flag.artefact,
        "because": list(flag.because),
        "entry": flag.entry,
        "cause": flag.cause,
        "since": written(flag.since),
        "errors": list(flag.errors),
        "why": flag.why,
        "to_clear": flag.to_clear,
    }


def said(side: Side) -> str:
    """What a telling says: its claim, else its text in quotes."""
    if side.claim is None and side.text is None:
        return "(redacted)"
    return inertly(str(side.claim) if side.claim is not None else f'"{side.text}"')


def interval(start: datetime, end: datetime | None) -> str:
    """An interval in words."""
    return f"since {spoken(start)}" if end is None else f"{spoken(start)} to {spoken(end)}"


def inertly(text: str) -> str:
    """A text that cannot move the cursor or turn writing around."""
    if text.isprintable():
        return text
    from agm_store.tables import inert

    return inert(text)

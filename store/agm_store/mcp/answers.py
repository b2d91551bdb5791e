"""What a tool answers: a few lines of text, and the same as plain JSON.

Numbers that JSON readers would round are text here, empty parts are left out, and what was told is shown
inert in the lines: it may try to talk to whoever reads it.
"""

# ruff: noqa: ANN401  (parts of JSON)
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.displays.texts import cut
from agm_store.forms import NUMBER, answer_json, interval, said, value_json, why_json
from agm_store.summaries import summary
from agm_store.tables import inert
from agm_store.times import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from agm_store.listings import Review
    from agm_store.questions import Found
    from agm_store.receipts import BatchReceipt, Receipt
    from agm_store.records import Side, Why
    from agm_store.worlds import World

LISTED = 400
"""The most columns of what one of many says, in the lines; the JSON has all of it, and so has `why`."""


class Reply(NamedTuple):
    """What a tool answers."""

    text: str
    data: dict[str, Any]


def batch_reply(batch: BatchReceipt) -> Reply:
    """What became of the one fact of a batch.

    Raises:
        AgmError: it was refused, and nothing was recorded.
    """
    for receipt in batch.told:
        return receipt_reply(receipt)
    for review in batch.in_review:
        return Reply(
            f"{review.id}: held, entry {review.new.entry}; nothing is changed until a person decides\n"
            + _lines((*review.why, *review.not_checked)),
            _full({"status": "held", **_review(review), "entry": review.new.entry}),
        )
    raise batch.refused[0][1]


def receipt_reply(receipt: Receipt) -> Reply:
    """What a change was recorded as, and what it cost."""
    data = {
        "status": receipt.status,
        "belief": receipt.belief,
        "entry": receipt.entry,
        "retired": [{"belief": r.belief.id, "claim": str(r.belief.claim)} for r in receipt.retired],
        "contested": [_side(side) for side in receipt.contested],
        "notices": list(receipt.notices),
        "not_checked": list(receipt.not_checked),
        "flags": [{"id": f.id, "kind": f.kind, "on": f.on, "why": f.why} for f in receipt.flags],
    }
    return Reply(summary(receipt), _full(data))


def ask_reply(question: str, found: Found) -> Reply:
    """What is believed of a term, or whether a claim follows."""
    data = {
        "entailed": found.entailed,
        "answers": [_side(side) for side in found.answers],
        "contested": [_side(side) for side in found.contested],
        "outranked": [_side(side) for side in found.outranked],
        "shared": [{**_side(side), "owner": side.owner} for side in found.shared],
        "kept_out": [_side(side) for side in found.kept_out],
        "hint": found.hint,
    }
    words = {True: "follows", False: found.otherwise, "undecided": "undecided"}
    word = "contested" if found.contested else words[found.entailed]
    if found.answers and not found.is_claim:
        word = "believed"
    sides = (*found.answers, *found.contested, *found.outranked, *found.shared, *found.kept_out)
    rows = [*map(_row, sides), *([found.hint] if found.hint else [])]
    return Reply(f"{inert(question)}: {word}\n" + _lines(rows), _full(data))


def world_reply(world: World, at: datetime, limit: int) -> Reply:
    """All that was believed at a moment, at most ``limit`` of it; an order to retract is no belief."""
    believed = [side for side in world.believed if not _is_order(world, side)]
    groups = world.contested
    left = max(0, len(believed) - limit) + max(0, len(groups) - limit)
    data = {
        "as_of": written(at),
        "known_entry": world.known,
        "believed": [_side(side) for side in believed[:limit]],
        "contested": [[_side(side) for side in group] for group in groups[:limit]],
        "left_off": left,
    }
    head = f"{len(believed)} believed at {written(at)}, {len(groups)} contested"
    rows = [_row(side, LISTED) for side in believed[:limit]]
    rows += [
        "contested: " + " | ".join(_row(side, LISTED) for side in group) for group in groups[:limit]
    ]
    more = [f"{left} more are not shown"] if left else []
    return Reply(f"{head}\n" + _lines([*rows, *more]), _full(data))


def _is_order(world: World, side: Side) -> bool:
    """Whether a side is words that only had others retracted."""
    if side.claim is not None:
        return False
    from agm_store.context import tokens_of

    ledger, _ = world.reading_of(tokens_of(world.context.telling_entry(side.belief)))
    return ledger.only_ordered(ledger.tellings[side.belief])


def why_reply(why: Why, side: Side) -> Reply:
    """Why a belief stands as it does, and what would undo it."""
    data = {**why_json(why), "claim": None if side.claim is None else str(side.claim)}
    kind = "" if why.reason is None else f", by {why.reason.replace('_', ' ')}"
    rows = [f"{why.status}, {why.standing.replace('_', ' ')}{kind}"]
    rows += [f"replaced by {why.replaced_by}"] if why.replaced_by else []
    rows += [f"kept out by {', '.join(why.kernel)}"] if why.kernel else []
    rows += [f"source: {why.source}"] if why.source else []
    rows += [f"to undo: {why.to_undo}"] if why.to_undo else []
    return Reply(f"{why.belief}: {inert(said(side))}\n" + _lines(rows), _full(data))


def inbox_reply(reviews: Sequence[Review], limit: int) -> Reply:
    """What waits for a person, the oldest first."""
    shown = reviews[:limit]
    data = {
        "waiting": len(reviews),
        "reviews": [_full(_review(review)) for review in shown],
        "left_off": len(reviews) - len(shown),
    }
    head = f"{len(reviews)} wait for a person" if reviews else "nothing waits for a person"
    lines = [cut(line, LISTED) for review in shown for line in summary(review).splitlines()]
    return Reply("\n".join([head, *lines]), _plain(data))


def _review(review: Review) -> dict[str, Any]:
    return {
        "review": review.id,
        "new": _side(review.new),
        "old": None if review.old is None else _side(review.old),
        "why": [*review.why, *review.not_checked],
        "options": list(review.options),
        "since": written(review.since),
    }


def _side(side: Side) -> dict[str, Any]:
    shown = answer_json(side)
    claim = None if side.claim is None else str(side.claim)
    return _full({"claim": claim, "text": side.text, **shown, "value": value_json(side.value)})


def _row(side: Side, columns: int | None = None) -> str:
    by = f", {side.source}" if side.source else ""
    whose = f", shared by {side.owner}" if side.owner else ""
    when = interval(side.valid_from, side.valid_to)
    words = said(side) if columns is None else cut(said(side), columns)
    return f"{side.belief}: {words} ({side.standing.replace('_', ' ')}, {when}{by}{whose})"


def _lines(rows: Iterable[str]) -> str:
    return "\n".join(f"  {inert(row)}" for row in rows)


def _full(data: dict[str, Any]) -> dict[str, Any]:
    """A record as plain JSON, without its empty parts."""
    return {k: _plain(v) for k, v in data.items() if v is not None and v not in ("", [], {})}


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _plain(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(value) for value in part]
    if isinstance(part, str):
        return part.removeprefix(NUMBER)
    return part

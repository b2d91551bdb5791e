"""The times that a statement covers in the place of what it retires, and what answers where it covers less."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agm_store.context import tokens_of
from agm_store.entries import FOREVER, micros, moment
from agm_store.errors import InvertedInterval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.receipts import Receipt
    from agm_store.records import Side
    from agm_store.statements import Utterance


def lender(ledger: Ledger, target: Telling, said: Utterance) -> Telling | None:
    """The corrected telling whose place a statement takes over.

    A statement with a start of its own, but no end, takes none; it reaches no further than the target did.

    Raises:
        InvertedInterval: it starts where the target has ended.
    """
    if said.start is None:
        return None if said.undated else target
    low, high = ledger.interval(target)
    if said.end is not None or high >= FOREVER or high <= low:
        return None
    if high <= said.start:
        raise InvertedInterval(moment(said.start), moment(high))
    if high == target.told_end:
        said.end = high
    elif said.rank > target.rank or not ledger.open_but_for_rivals(target):
        said.body["until"] = high  # else the rival that ended the target ends this as well
    return None


def with_what_answers(
    context: Context, receipt: Receipt, carried: Sequence[tuple[Ledger, dict[str, Any]]]
) -> Receipt:
    """The receipt of carried out directives, saying what answers where nothing takes their target's place."""
    left: list[str] = []
    told = context.telling_entry(receipt.belief).body if receipt.status == "active" else {}
    for ledger, directive in carried if told else ():
        if (directive["reason"], directive["action"]) == ("correction", "retract"):
            gone = (ledger.tellings[t] for t in directive["tellings"] if t in ledger.tellings)
            left += [notice for telling in gone for notice in what_returns(ledger, telling)]
        target = ledger.tellings.get(directive["target"])
        if target is None or _takes_over(told, directive, target):
            continue
        if (directive["reason"], directive["action"]) == ("correction", "supersede"):
            spans = [ledger.interval(ledger.tellings[t]) for t in directive["tellings"]]
            whole = min(start for start, _ in spans), max(end for _, end in spans)
            left += uncovered(context, receipt, whole, target)
    return replace(receipt, notices=(*receipt.notices, *dict.fromkeys(left))) if left else receipt


def what_returns(ledger: Ledger, telling: Telling) -> list[str]:
    """What becomes of the beliefs that a withdrawn one had ended or corrected, in words."""
    found = []
    for target in telling.supersedes:
        other = ledger.tellings.get(target)
        if other is not None and other.withdrawn:
            found.append(
                f"{target}, which it corrected, stays withdrawn; revert {other.retired_by} to revive it"
            )
        elif other is not None:
            found.append(f"{target}, which it ended, holds again where nothing else ends it")
    return found


def _takes_over(told: Body, directive: dict[str, Any], target: Telling) -> bool:
    """Whether a statement covers all that its directive withdraws, since it has the target's own place."""
    alone = directive["tellings"] == [target.entry_id] and told.get("inherits") == target.entry_id
    own = told.get("from"), told.get("to", FOREVER)
    return alone and own == (target.start, target.told_end)


def uncovered(
    context: Context, receipt: Receipt, interval: tuple[int, int], target: Telling
) -> list[str]:
    """What answers over the part of a corrected interval that the correction does not cover, in words."""
    from agm_store.histories import token_timeline
    from agm_store.worlds import World

    if target.slot is None:
        return []
    tokens = tokens_of(context.telling_entry(receipt.belief))
    ledger = context.ledger(tokens, upto=receipt.entry)
    start, end = ledger.interval(ledger.tellings[receipt.belief])
    sides = token_timeline(World(context, interval[0], receipt.entry), target.slot)
    found = []
    for low, high in ((interval[0], min(start, interval[1])), (max(end, interval[0]), interval[1])):
        found += [
            f"{moment(a).isoformat()} to {'the end' if b >= FOREVER else moment(b).isoformat()}, "
            f"which it does not cover: {' and '.join(ids) or 'nothing'} answers"
            for a, b, ids in _answering(sides, low, high)
        ]
    return found


def _answering(sides: Sequence[Side], low: int, high: int) -> list[tuple[int, int, list[str]]]:
    """The stretches of [low, high) with the beliefs that answer there."""
    if low >= high:
        return []
    spans = []
    for side in sides:
        end = FOREVER if side.valid_to is None else micros(side.valid_to)
        spans.append((max(low, micros(side.valid_from)), min(high, end), str(side.belief)))
    bounds = sorted({low, high, *(t for a, b, _ in spans if a < b for t in (a, b))})
    return [
        (a, b, [i for start, end, i in spans if start <= a and b <= end])
        for a, b in pairwise(bounds)
    ]


def starts_later(
    receipt: Receipt, target: Telling, directive: dict[str, Any], entry: Entry
) -> Receipt:
    """The receipt of an update, saying so when its target starts later than it and so never held."""
    update = directive["action"] == "supersede" and directive["reason"] == "temporal_change"
    if not update or entry.body.get("from", entry.recorded_at) >= target.start:
        return receipt
    late = f"{target.entry_id} starts later, at {moment(target.start).isoformat()}: ended before that, it never held"
    return replace(receipt, notices=(*receipt.notices, late))

"""The verbs that act on a belief: correct, update, retract and expire.

A correction says that it was never true, a temporal change that the world moved on.  ``correct`` and
``update`` act on the belief: the owner's live tellings of the same claim whose intervals overlap.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from agm_store.attesting import left_in_words
from agm_store.context import telling_of, tokens_of
from agm_store.contracting import removed_by
from agm_store.entries import FOREVER, micros, moment
from agm_store.errors import (
    InvertedInterval,
    NothingToChange,
    NotTheHead,
    TargetRetired,
    shorten,
)
from agm_store.gates import mark_of_expiry
from agm_store.ledger import ADMITTED
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.statements import checked_text
from agm_store.telling import loss, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.records import Side
    from agm_store.statements import Words


def target_of(context: Context, belief: str) -> tuple[Entry, Ledger, Telling]:
    """The entry, the ledger of its tokens, and the telling of a belief that may be acted on.

    Raises:
        UnknownBelief: no such belief; TargetRetired: it was withdrawn, or contractions left nothing of it.
    """
    entry = context.telling_entry(belief)
    ledger = context.ledger_of(entry)
    telling = telling_of(ledger, entry)
    if telling.redacted:
        raise TargetRetired(belief, "redacted")
    if belief in ledger.reverted:
        raise TargetRetired(belief, "reverted")
    if telling.withdrawn:
        head = ledger.head_of(belief)
        if head is not None:
            raise NotTheHead(
                f"belief {shorten(belief)}",
                [head.entry_id],
                f"it was corrected; change {head.entry_id} instead",
            )
        raise TargetRetired(belief, "retracted")
    removal = removed_by(context, telling, tokens_of(entry))
    if removal is not None:
        raise TargetRetired(belief, f"removed by the contraction of entry {removal}")
    return entry, ledger, telling


def _admitted(telling: Telling) -> None:
    if telling.state != ADMITTED:
        raise TargetRetired(telling.entry_id, telling.state)


def overlapping_tellings(ledger: Ledger, target: Telling) -> list[Telling]:
    """The live tellings of a belief: same claim, interval overlapping the target's; the target first."""
    low, high = ledger.interval(target)
    found = [target]
    for other in ledger.claims[target.identity]:
        if other is target or not other.live or other.derived:
            continue
        start, end = ledger.interval(other)
        if start < max(high, low + 1) and end > low:
            found.append(other)
    return found


def correct(context: Context, belief: str, said: Words, *, by_owner: bool = True) -> Receipt:
    """Record that a belief was never true, and what was; see `BeliefStore.correct`."""
    with context.writing():
        if (again := _heard(context, said, belief, "correction")) is not None:
            return again
        _, ledger, target = target_of(context, belief)
        _admitted(target)
        own_times = said.start is not None or said.end is not None or said.undated
        if (
            _says_same(context, said, target)
            and said.body.get("text") == target.body.get("text")
            and not own_times
        ):
            raise NothingToChange(
                f"correct {shorten(belief)}", "the successor says the same over the same interval"
            )
        directive = correction_of(ledger, target)
        inherits = lender(ledger, target, said)
        receipt = record(context, said, resolves=[directive], inherits=inherits, by_owner=by_owner)
        receipt = _with_targets(context, ledger, receipt, directive)
        return with_uncovered(context, receipt, [(ledger, directive)])


def _says_same(context: Context, said: Words, target: Telling) -> bool:
    """Whether a statement has the claim of a telling, by whichever names; or neither has one."""
    text = said.body.get("claim")
    return target.claim is None if text is None else context.claim(text) == target.claim


def lender(ledger: Ledger, target: Telling, said: Words) -> Telling | None:
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


def with_uncovered(
    context: Context, receipt: Receipt, carried: Sequence[tuple[Ledger, dict[str, Any]]]
) -> Receipt:
    """The receipt of carried out directives, saying what answers where a correction covers less than it withdrew."""
    left: list[str] = []
    told = context.telling_entry(receipt.belief).body if receipt.status == "active" else {}
    for ledger, directive in carried if told else ():
        target = ledger.tellings.get(directive["target"])
        if target is None or _takes_over(told, directive, target):
            continue
        if (directive["reason"], directive["action"]) == ("correction", "supersede"):
            gone = [ledger.interval(ledger.tellings[t]) for t in directive["tellings"]]
            whole = min(start for start, _ in gone), max(end for _, end in gone)
            left += uncovered(context, receipt, whole, target)
    return replaced(receipt, notices=(*receipt.notices, *dict.fromkeys(left))) if left else receipt


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


def correction_of(ledger: Ledger, target: Telling, action: str = "supersede") -> dict[str, Any]:
    """The directive of a correction, with the tellings that it withdraws."""
    tellings = [t.entry_id for t in overlapping_tellings(ledger, target)]
    return {
        "target": target.entry_id,
        "action": action,
        "reason": "correction",
        "tellings": tellings,
    }


def update(context: Context, belief: str, said: Words, *, by_owner: bool = True) -> Receipt:
    """Record that the world moved on from a belief; see `BeliefStore.update`."""
    with context.writing() as now:
        if (again := _heard(context, said, belief, "temporal_change")) is not None:
            return again
        _, ledger, target = target_of(context, belief)
        _admitted(target)
        if _says_same(context, said, target) and said.body.get("text") == target.body.get("text"):
            raise NothingToChange(f"update {shorten(belief)}", "the successor says the same")
        at = now if said.start is None else said.start
        directive = change_of(ledger, target, at)
        written = record(context, said, resolves=[directive], by_owner=by_owner)
        receipt = _with_targets(context, ledger, written, directive)
        return starts_later(receipt, target, directive, context.telling_entry(receipt.belief))


def starts_later(
    receipt: Receipt, target: Telling, directive: dict[str, Any], entry: Entry
) -> Receipt:
    """The receipt of an update, saying so when its target starts later than it and so never held."""
    update = directive["action"] == "supersede" and directive["reason"] == "temporal_change"
    if not update or entry.body.get("from", entry.recorded_at) >= target.start:
        return receipt
    late = f"{target.entry_id} starts later, at {moment(target.start).isoformat()}: ended before that, it never held"
    return replaced(receipt, notices=(*receipt.notices, late))


def change_of(
    ledger: Ledger, target: Telling, at: int, action: str = "supersede"
) -> dict[str, Any]:
    """The directive of a temporal change at a time, put in front of a later successor where there is one.

    Raises:
        NotTheHead: a successor starts at or before the time.
        TargetRetired: the belief had ended before.
    """
    directive: dict[str, Any] = {
        "target": target.entry_id,
        "action": action,
        "reason": "temporal_change",
    }
    end = ledger.interval(target)[1]
    successors = ledger.successors(target)
    follower = successors[0] if successors else ledger.ended_by_succession(target)
    if follower is not None and follower.start <= at:
        advice = f"that already started at {moment(follower.start).isoformat()}; change {follower.entry_id} instead"
        raise NotTheHead(
            f"a change of {shorten(target.entry_id)} at {moment(at).isoformat()}",
            [follower.entry_id],
            advice,
        )
    if follower is None and end <= at and end > target.start:
        raise TargetRetired(target.entry_id, f"ended since {moment(end).isoformat()}")
    if successors and action == "supersede":
        directive["before"] = successors[0].entry_id
    if action == "retract":
        directive["at"] = at
        ended = ended_tellings(ledger, target, at)
    else:
        ended = [
            t
            for t in overlapping_tellings(ledger, target)
            if ledger.interval(t)[1] > at or t is target
        ]
    directive["tellings"] = [t.entry_id for t in ended]
    return directive


def ended_tellings(ledger: Ledger, target: Telling, at: int) -> list[Telling]:
    """The tellings of a claim that end with it at a time, those that start later included; the target first."""
    found = [target]
    for other in ledger.claims[target.identity]:
        if other is target or not other.live:
            continue
        start, end = ledger.interval(other)
        if start < end and end > at:
            found.append(other)
    return found


def _heard(context: Context, said: Words, belief: str, reason: str) -> Receipt | None:
    """A statement with an id that was recorded before is answered by `record` alone.

    Raises:
        NothingToChange: the id is the target's own.
        IdempotencyConflict: the id was used for another change.
    """
    if said.statement is None:
        return None
    if said.statement == belief:
        raise NothingToChange(
            f"change {shorten(belief)} by itself", "a statement cannot take its own place"
        )
    known = context.journal.find(context.owner, said.statement)
    if known is None:
        return None
    asked = {"target": belief, "action": "supersede", "reason": reason}
    return record(context, said, resolves=[asked])


def _with_targets(
    context: Context, ledger: Ledger, receipt: Receipt, directive: dict[str, Any]
) -> Receipt:
    """The receipt with the directive's own losses in front."""
    if receipt.status != "active":
        return receipt
    told = context.named(context.telling_entry(receipt.belief)).body.get("claim")
    lost = [ledger.tellings[t] for t in directive["tellings"]]
    named = [loss(context, t, [receipt.belief] if t.claim != told else []) for t in lost]
    seen = {x.belief.id for x in named}
    return replaced(
        receipt,
        retired=(*named, *(x for x in receipt.retired if x.belief.id not in seen)),
        notices=(*receipt.notices, *left_in_words(context, ledger, lost)),
    )


def replaced(receipt: Receipt, **changes: Any) -> Receipt:  # noqa: ANN401  any field
    """A receipt with some fields changed."""
    from dataclasses import replace

    return replace(receipt, **changes)


def retract(context: Context, belief: str, note: str) -> Receipt:
    """Withdraw one statement as never true; see `BeliefStore.retract`."""
    with context.writing() as now:
        entry, ledger, telling = target_of(context, belief)
        body = _on(entry, {"op": "retract", "target": belief, **_note(note)})
        notices = list(_notices_of_retraction(ledger, telling))
        notices += left_in_words(context, ledger, [telling])
        written = context.append(context.free_id("r"), now, body)
        lost = () if telling.state != ADMITTED else (loss(context, telling, ()),)
        return Receipt(
            belief=cast("BeliefId", belief),
            entry=EntryId(written.seq),
            status="retracted",
            retired=lost,
            not_checked=("nothing was put in its place, so nothing was checked",),
            notices=tuple(notices),
        )


def _notices_of_retraction(ledger: Ledger, telling: Telling) -> list[str]:
    notices = []
    others = (
        [t.entry_id for t in overlapping_tellings(ledger, telling) if t is not telling]
        if telling.admitted
        else []
    )
    if others:
        notices.append("the claim is still attested by " + ", ".join(others))
    for target in telling.supersedes:
        other = ledger.tellings.get(target)
        if other is None:
            continue
        if other.withdrawn:
            notices.append(
                f"{target}, which it corrected, stays withdrawn; revert {other.retired_by} to revive it"
            )
        else:
            notices.append(f"{target}, which it ended, holds again where nothing else ends it")
    return notices


def expire(context: Context, belief: str, at: int | None) -> Receipt:
    """End all statements of a belief, with nothing in its place; see `BeliefStore.expire`."""
    with context.writing() as now:
        entry, ledger, telling = target_of(context, belief)
        _admitted(telling)
        when = now if at is None else at
        end = ledger.interval(telling)[1]
        if end <= when and end > telling.start:
            raise TargetRetired(belief, f"ended since {moment(end).isoformat()}")
        ended = ended_tellings(ledger, telling, when)
        body = _on(
            entry,
            {
                "op": "expire",
                "target": belief,
                "at": when,
                "tellings": [t.entry_id for t in ended],
                "marks": [mark_of_expiry(_marked(entry, telling))],
            },
        )
        written = context.append(context.free_id("x"), now, body)
        return Receipt(
            belief=cast("BeliefId", belief),
            entry=EntryId(written.seq),
            status="expired",
            retired=tuple(loss(context, t, ()) for t in ended),
            not_checked=("nothing was put in its place, so nothing was checked",),
            notices=(
                _ending(ledger, telling, when),
                *_unheld(ended[1:], when),
                *left_in_words(context, ledger, ended),
            ),
        )


def _marked(entry: Entry, telling: Telling) -> str:
    """The claim of a telling as it was told, by which its expiry is found whatever its names."""
    claim: str = entry.body.get("claim", telling.identity)
    return claim


def _ending(ledger: Ledger, telling: Telling, when: int) -> str:
    if when <= telling.start:
        ended = [i for i in telling.supersedes if telling.entry_id in ledger.tellings[i].ended_by]
        rest = f"; {', '.join(ended)} stays ended by its directive" if ended else ""
        return f"it starts at {moment(telling.start).isoformat()}, so it never held{rest}"
    return f"it ends at {moment(when).isoformat()}; what it ended before stays ended"


def _unheld(others: Sequence[Telling], when: int) -> list[str]:
    late = [t.entry_id for t in others if t.start >= when]
    return [f"{', '.join(late)} of the same claim starts later, so it never held"] if late else []


def _on(entry: Entry, body: Body) -> Body:
    """A body that touches what an entry touches."""
    return {**body, "on": tokens_of(entry)}


def _note(note: str) -> dict[str, str]:
    return {"note": checked_text("note", note)} if note else {}

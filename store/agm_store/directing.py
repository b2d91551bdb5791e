"""The verbs that act on a belief: correct, update, retract and expire.

A correction says that it was never true, a temporal change that the world moved on.  ``correct`` and
``update`` act on the belief: the owner's live tellings of the same claim whose intervals overlap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from agm_store.attesting import left_in_words
from agm_store.context import tokens_of
from agm_store.coverage import lender, starts_later, what_returns, with_what_answers
from agm_store.entries import moment
from agm_store.errors import NothingToChange, TargetRetired, shorten
from agm_store.gates import mark_of_expiry
from agm_store.ledger import ADMITTED
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.retiring import (
    change_of,
    checked_admitted,
    correction_of,
    ended_tellings,
    overlapping_tellings,
    target_of,
)
from agm_store.statements import checked_text
from agm_store.telling import loss, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.statements import Utterance


def correct(context: Context, belief: str, said: Utterance, *, by_owner: bool = True) -> Receipt:
    """Record that a belief was never true, and what was; see `BeliefStore.correct`."""
    with context.writing():
        if (again := _heard(context, said, belief, "correction")) is not None:
            return again
        _, ledger, target = target_of(context, belief)
        checked_admitted(target)
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
        return with_what_answers(context, receipt, [(ledger, directive)])


def _says_same(context: Context, said: Utterance, target: Telling) -> bool:
    """Whether a statement has the claim of a telling, by whichever names; or neither has one."""
    text = said.body.get("claim")
    return target.claim is None if text is None else context.claim(text) == target.claim


def update(context: Context, belief: str, said: Utterance, *, by_owner: bool = True) -> Receipt:
    """Record that the world moved on from a belief; see `BeliefStore.update`."""
    with context.writing() as now:
        if (again := _heard(context, said, belief, "temporal_change")) is not None:
            return again
        _, ledger, target = target_of(context, belief)
        checked_admitted(target)
        if _says_same(context, said, target) and said.body.get("text") == target.body.get("text"):
            raise NothingToChange(f"update {shorten(belief)}", "the successor says the same")
        at = now if said.start is None else said.start
        directive = change_of(ledger, target, at)
        written = record(context, said, resolves=[directive], by_owner=by_owner)
        receipt = _with_targets(context, ledger, written, directive)
        return starts_later(receipt, target, directive, context.telling_entry(receipt.belief))


def _heard(context: Context, said: Utterance, belief: str, reason: str) -> Receipt | None:
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
    return replace(
        receipt,
        retired=(*named, *(x for x in receipt.retired if x.belief.id not in seen)),
        notices=(*receipt.notices, *left_in_words(context, ledger, lost)),
    )


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
    return notices + what_returns(ledger, telling)


def expire(context: Context, belief: str, at: int | None) -> Receipt:
    """End all statements of a belief, with nothing in its place; see `BeliefStore.expire`."""
    with context.writing() as now:
        entry, ledger, telling = target_of(context, belief)
        checked_admitted(telling)
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

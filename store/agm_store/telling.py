"""Telling: a checked utterance (``statements``) becomes a body, passes the activation hook, and is written as an entry.

Every verb that records a telling ends in `record`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm.beliefs import Belief
from agm.changes import Loss
from agm.claims import Truth, prop
from agm_store.admission import admit
from agm_store.context import NEWCOMER
from agm_store.entries import FOREVER, moment, says_nothing
from agm_store.errors import (
    IdempotencyConflict,
    InvertedInterval,
    RedactedBelief,
    recorded,
    shorten,
)
from agm_store.grounding import id_of
from agm_store.ledger import ADMITTED
from agm_store.lookalikes import marks
from agm_store.proposals import Proposal
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.rehearsing import asks
from agm_store.statements import put_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.beliefs import BeliefId
    from agm.claims import Claim
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.proposals import Ruling
    from agm_store.records import Side
    from agm_store.statements import Utterance
    from agm_store.tiers import Call


def record(
    context: Context,
    said: Utterance,
    *,
    because: Iterable[str] = (),
    resolves: list[dict[str, Any]] | None = None,
    inherits: Telling | None = None,
    by_owner: bool = False,
    hold: str | None = None,
    call: Call | None = None,
    found: Ruling | None = None,
) -> Receipt:
    """Write one telling: times, hook, entry, receipt; everything in one transaction.

    ``resolves`` are directives with resolved tellings, ``inherits`` the telling whose place a correction
    takes, ``hold`` a reason to hold the newcomer whatever the checks say; ``call`` is what it is part of,
    and ``found`` what was found of its directives before.

    Raises:
        IdempotencyConflict: the statement's id was used for another body.
        RedactedBelief: what a statement of that id said was redacted.
    """
    body = said.body
    premises = premises_of(context, because)
    if premises:
        body["because"], body["links"] = premises
    compared = context.entailment is not None and "text" in body
    if compared and call is None and not by_owner and asks(context):
        return _rehearsed(context, said, lambda twin, fresh: record(
            context, twin, resolves=resolves, inherits=inherits, hold=hold, call=fresh, found=found,
        ))  # fmt: skip
    with context.writing() as now:
        if said.told is not None and said.count != context.count:
            put_claim(context, said, said.told)
        if (heard := _heard_before(context, said, resolves or [])) is not None:
            return heard
        proposal = _proposal(said, now, resolves or [], inherits, by_owner=by_owner)
        proposal.held, proposal.call = hold is not None, call
        ruling = admit(context, proposal, now)
        if found is not None or hold is not None:
            _overrule(ruling, found, hold)
        if said.claim is not None:
            ruling.why += marks(context, said.claim)
        return _write(context, said, proposal, ruling, now)


def _overrule(ruling: Ruling, found: Ruling | None, hold: str | None) -> None:
    """Let what was found before, and what holds the newcomer whatever was checked, be in a ruling."""
    if found is not None:
        ruling.merge(found)
    if hold is not None:
        ruling.hold(hold)
        ruling.retired.clear()


def _heard_before(
    context: Context, said: Utterance, resolves: list[dict[str, Any]]
) -> Receipt | None:
    """What the very statement was answered when it was told before; None when it is new.

    Raises:
        IdempotencyConflict: its id was used for another body.
        RedactedBelief: what it said was redacted.
    """
    known = None if said.statement is None else context.journal.find(context.owner, said.statement)
    if known is None:
        return None
    if says_nothing(known.body):
        raise RedactedBelief(known.entry_id, known.body["redacted"])
    from agm_store.repeats import again

    return again(context, known, said, resolves)


def _rehearsed(
    context: Context, said: Utterance, write: Callable[[Utterance, Call], Receipt]
) -> Receipt:
    """Write one telling after what compares texts was asked, so that no other write waits for it."""
    from agm_store.rehearsing import rehearsed
    from agm_store.textchecks import ask_before
    from agm_store.tiers import Call

    first = Call(context)
    if said.statement is None or context.journal.find(context.owner, said.statement) is None:
        ask_before(context, first, said.body)
    return rehearsed(
        context, lambda asker: write(said.again(), Call(context, asker=asker)), first.asker
    )


def premises_of(context: Context, because: Iterable[str]) -> tuple[list[str], list[str]] | None:
    """The ids of premises and the tokens that they touch, sorted; None when there are none.

    Raises:
        UnknownBelief: one of them is none of this owner's beliefs.
    """
    from agm_store.context import tokens_of

    entries = [context.telling_entry(premise) for premise in because]
    if not entries:
        return None
    ids = sorted({e.entry_id for e in entries})
    return ids, sorted(
        {t for e in entries for t in tokens_of(e)}
        | {f"#{e.entry_id}" for e in entries if not tokens_of(e)}
    )


def _proposal(
    said: Utterance,
    now: int,
    resolves: list[dict[str, Any]],
    inherits: Telling | None,
    *,
    by_owner: bool,
) -> Proposal:
    body = said.body
    start = _start(said, now, inherits)
    end = FOREVER if said.end is None else said.end
    if end <= start:
        raise InvertedInterval(moment(start), moment(end))
    if said.end is not None:
        body["to"] = said.end
    if resolves:
        body["resolves"] = resolves
    end = min(end, body.get("until", FOREVER))
    proposal = Proposal(body, rank=said.rank, start=start, end=end, explicit=said.explicit)
    proposal.targets = frozenset(t for d in resolves for t in d["tellings"])
    proposal.reason = "correction" if any(d["reason"] == "correction" for d in resolves) else None
    proposal.by_owner = by_owner
    if "inherits" in body:
        proposal.place = inherits
    return proposal


def _start(said: Utterance, now: int, inherits: Telling | None) -> int:
    body = said.body
    if said.undated:
        body["undated"] = True
        return now
    if said.start is not None:
        body["from"] = said.start
        return said.start
    if inherits is not None:
        body["from"], body["inherits"] = inherits.start, inherits.entry_id
        if said.end is None and inherits.told_end < FOREVER:
            said.end = inherits.told_end
        return inherits.start
    body["default"] = True
    return now


def _write(
    context: Context, said: Utterance, proposal: Proposal, ruling: Ruling, now: int
) -> Receipt:
    body = proposal.body
    body["state"] = ruling.state
    if ruling.why:
        body["why"] = ruling.why
    if ruling.state == "held" and proposal.by_owner and proposal.targets:
        body["own"] = True  # so that it is still the owner's verb when it is looked at again
    _found(body, ruling, proposal.call)
    marked = ["@held"] if ruling.state == "held" else []
    if "verdict" in body:
        from agm_store.tiers import marks_of

        marked += marks_of(body)
    if said.vocabulary is not None and said.vocabulary is not context.lexicon.vocabulary:
        marked += context.lexicon.marks(said.vocabulary)
    if marked:
        body["marks"] = marked
    if ruling.checked:
        body["checks"] = [
            [belief, verdict.kind, route] for belief, verdict, route in ruling.checked[:20]
        ]
    if ruling.not_checked:
        body["not_checked"] = [recorded(why) for why in ruling.not_checked]
    if said.statement is not None:
        body.update(_answer(ruling))
    entry = _appended(context, said.statement, now, body)
    if said.vocabulary is not None:
        context.lexicon.keep(said.vocabulary)
    return receipt_of(context, entry, ruling)


def _found(body: Body, ruling: Ruling, call: Call | None) -> None:
    """Write down what the checks of words found, and what a machine retires by it."""
    body.update(ruling.fields)
    if ruling.state != ADMITTED:
        body.pop("decided_by", None)
        body.pop("spent", None)
    if ruling.resolves:
        body["resolves"] = [*body.get("resolves", ()), *ruling.resolves]
    if ruling.unrun:
        body["unrun"] = [check.row for check in ruling.unrun]
        if call is not None and call.machine:
            body["machine"] = True


def _answer(ruling: Ruling) -> Body:
    """What the receipt says beside what the body tells anyway, kept for when the statement is heard again."""
    answer: Body = {
        "retired": [
            [t.entry_id, *(k for k in ruling.kernels.get(t.entry_id, ()) if k != NEWCOMER)]
            for t in ruling.retired
        ],
        "contested": [t.entry_id for t in ruling.contested_with],
        "notices": ruling.notices,
    }
    kept = {name: found for name, found in answer.items() if found}
    return {"answer": kept} if kept else {}


def _appended(context: Context, statement: str | None, now: int, body: Body) -> Entry:
    """The entry of a body under the statement's id, or else under the next one that nobody took."""
    tied = "resolves" in body or "contradicts" in body or "unrun" in body
    if statement is None and "slot" in body and not tied:
        try:
            return context.append(context.next_id(), now, body)
        except IdempotencyConflict:
            pass  # some statement bears it already
    entry_id = statement or context.free_id()
    _spread(context, body, entry_id)
    return context.append(entry_id, now, body)


def _spread(context: Context, body: Body, entry_id: str) -> None:
    """Let the body touch what it speaks of and what its directives retire, which may be another slot."""
    from agm_store.context import tokens_of, tokens_of_body

    related = near_of(body)
    alone = "claim" not in body and ("restates" in body or "contradicts" in body)
    own = [] if alone else tokens_of_body(body) or [f"#{entry_id}"]
    targets = map(
        context.telling_entry, {*related, *(d["target"] for d in body.get("resolves", ()))}
    )
    tokens = sorted({*own, *(t for entry in targets for t in tokens_of(entry))})
    if "slot" not in body or tokens != own:
        body["on"] = tokens


def near_of(body: Body) -> list[str]:
    """The tellings that a telling's words have to do with, so that it touches what they touch.

    A text that restates or contradicts others stands among what they touch, and on no token of its own.
    """
    near = [
        *body.get("contradicts", ()),
        *(u["with"] for u in body.get("unrun", ()) if "with" in u),
    ]
    return [body["restates"], *near] if "restates" in body else near


def receipt_of(context: Context, entry: Entry, ruling: Ruling) -> Receipt:
    """The receipt of an entry and the ruling that it recorded."""
    return Receipt(
        belief=cast("BeliefId", entry.entry_id),
        entry=EntryId(entry.seq),
        status=cast("Any", "active" if ruling.state == ADMITTED else ruling.state),
        retired=tuple(
            loss(context, t, [*ruling.kernels.get(t.entry_id, ()), entry.entry_id], newest=entry)
            for t in ruling.retired
        ),
        contested=tuple(contested_side(t) for t in ruling.contested_with),
        checked=cast("Any", tuple(ruling.checked)),
        not_checked=tuple(ruling.not_checked),
        notices=(*ruling.why, *ruling.notices),
    )


def contested_side(telling: Telling) -> Side:
    """A telling as it is shown on a receipt beside which a newcomer is contested."""
    from agm_store.sides import side

    return side(
        telling, status="active", standing="contested", start=telling.start, end=telling.told_end
    )


def loss(
    context: Context,
    telling: Telling,
    kernel: Iterable[str],
    against: Claim | None = None,
    *,
    newest: Entry | None = None,
) -> Loss:
    """A loss with its certificate: the kernel and the belief entail ``against`` (by default a contradiction).

    ``newest`` is an entry at hand that the kernel may name.
    """
    seen: dict[str, Belief] = {}
    for belief in kernel:
        if belief not in {NEWCOMER, telling.entry_id} and belief not in seen:
            known = newest is not None and newest.entry_id == belief
            entry = newest if newest is not None and known else context.telling_entry(belief)
            if entry.body.get("claim") is not None:
                counts = {**entry.body, "class": context.class_of(entry)}
                seen[belief] = belief_of(context, belief, counts)
    return Loss(
        belief_of(context, id_of(telling), telling.body, telling.claim),
        tuple(seen.values()),
        against=Truth(False) if against is None else against,
    )


def belief_of(context: Context, belief: str, body: Body, claim: str | None = None) -> Belief:
    """A telling as a belief of the reasoning core; a text alone is the proposition of its id and its words.

    ``claim`` stands in for the body's when an instance of a rule is meant.
    """
    text = claim or body.get("claim")
    sentence = _proposition(belief, body) if text is None else context.parsed(context.claim(text))
    return Belief(sentence, body["class"], id=belief, source=body.get("source"))


def _proposition(belief: str, body: Body) -> Claim:
    """A text alone as a proposition, with as much of its words as a line takes."""
    said = body.get("text")
    if said is None:
        return prop(f"text {belief}")
    from agm_store.tables import inert

    return prop(f"text {belief}: {inert(shorten(said)[1:-1])}")

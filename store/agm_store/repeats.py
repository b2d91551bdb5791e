"""A statement heard before is answered as it was: by what its entry says, and what was so when it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm.changes import Loss
from agm.claims import Truth
from agm.verdicts import Verdict
from agm_store.errors import IdempotencyConflict
from agm_store.grounding import INSTANCE
from agm_store.ledger import ADMITTED
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.telling import belief_of, contested_side

if TYPE_CHECKING:
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger
    from agm_store.statements import Utterance

_REQUEST = (
    "claim",
    "text",
    "class",
    "mode",
    "source",
    "citation",
    "episode",
    "confidence",
    "because",
    "undated",
)


def again(
    context: Context, known: Entry, said: Utterance, resolves: list[dict[str, Any]]
) -> Receipt:
    """The receipt of a statement once more, with one notice that nothing was written.

    Raises:
        IdempotencyConflict: it says something else than it did.
    """
    if not _same(known.body, said, resolves):
        raise IdempotencyConflict(known.entry_id)
    then, answer = known.body, known.body.get("answer", {})
    receipt = Receipt(
        belief=cast("BeliefId", known.entry_id),
        entry=EntryId(known.seq),
        status=cast("Any", "active" if then["state"] == ADMITTED else then["state"]),
        retired=tuple(_retired(context, known)),
        contested=tuple(
            contested_side(_before(context, known, belief).tellings[belief])
            for belief in answer.get("contested", ())
        ),
        checked=cast("Any", tuple((b, Verdict(k, r), r) for b, k, r in then.get("checks", ()))),
        not_checked=tuple(then.get("not_checked", ())),
        notices=(*then.get("why", ()), *answer.get("notices", ())),
    )
    return _repeated(_with_reach(context, known, receipt))


def _same(then: Body, said: Utterance, resolves: list[dict[str, Any]]) -> bool:
    """Whether a request is the one that a body was written for."""
    if then["op"] != "tell" or any(then.get(name) != said.body.get(name) for name in _REQUEST):
        return False
    if said.start is not None and then.get("from") != said.start:
        return False
    if said.start is None and not any(name in then for name in ("default", "undated", "inherits")):
        return False
    corrects = any(d["reason"] == "correction" for d in then.get("resolves", ()))
    if (said.end is not None or not corrects) and then.get("to") != said.end:
        return False
    return _asked(resolves) == _asked(then.get("resolves", []))


def _asked(resolves: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """What was asked for; directives that a machine found by itself were not."""
    return [(d["target"], d["action"], d["reason"]) for d in resolves if "by" not in d]


def _retired(context: Context, known: Entry) -> list[Loss]:
    """The losses of an entry, those by its directives first."""
    if known.body["state"] != ADMITTED:
        return []
    found: dict[str, Loss] = {}
    for directive in known.body.get("resolves", ()):
        for telling in directive["tellings"]:
            told = context.telling_entry(telling).body
            against = directive["action"] == "supersede" and told.get("claim") != known.body.get(
                "claim"
            )
            found.setdefault(telling, _loss(context, telling, [known.entry_id] if against else []))
    for telling, *kernel in known.body.get("answer", {}).get("retired", ()):
        found.setdefault(telling, _loss(context, telling, [*kernel, known.entry_id]))
    return list(found.values())


def _loss(context: Context, telling: str, kernel: list[str]) -> Loss:
    belief, _, instance = telling.partition(INSTANCE)
    held = {
        b: context.telling_entry(b.partition(INSTANCE)[0]).body
        for b in dict.fromkeys(kernel)
        if b != telling
    }
    return Loss(
        belief_of(context, belief, context.telling_entry(belief).body, instance or None),
        tuple(belief_of(context, b, body) for b, body in held.items() if "claim" in body),
        against=Truth(False),
    )


def _with_reach(context: Context, known: Entry, receipt: Receipt) -> Receipt:
    """The receipt with what its directives do not cover or let never hold, as of its entry."""
    from agm_store.coverage import starts_later, with_what_answers

    for directive in known.body.get("resolves", ()):
        ledger = _before(context, known, directive["target"])
        receipt = with_what_answers(context, receipt, [(ledger, directive)])
        receipt = starts_later(receipt, ledger.tellings[directive["target"]], directive, known)
    return receipt


def _before(context: Context, known: Entry, belief: str) -> Ledger:
    """The ledger around a belief before an entry was written."""
    return context.ledger_of(context.telling_entry(belief), upto=known.seq - 1)


def _repeated(receipt: Receipt) -> Receipt:
    from dataclasses import replace

    return replace(receipt, notices=(*receipt.notices, "heard before: nothing was written"))

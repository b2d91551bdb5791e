"""Directives on named targets, carried out by one statement: what an ingested line asks for.

Unlike the owner's own verbs these pass the gates of entrenchment: a directive from a weaker claim is
held with its statement.  A statement may retire several beliefs, each for its own reason; either all
its directives are carried out or none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agm_store.coverage import lender, with_what_answers
from agm_store.errors import InvalidArgument
from agm_store.rehearsing import asks, rehearsed
from agm_store.retiring import change_of, checked_admitted, correction_of, target_of
from agm_store.telling import loss, record
from agm_store.tiers import Call
from agm_store.weighing import Judged, judge_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.asking import Asker
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.receipts import Receipt
    from agm_store.statements import Utterance

ACTIONS = ("supersede", "retract")
REASONS = ("correction", "temporal_change")


class Directive(NamedTuple):
    """One change asked for: what becomes of a target, and why."""

    target: str
    action: Literal["supersede", "retract"]
    reason: Literal["correction", "temporal_change"]

    @property
    def never_true(self) -> bool:
        """Whether the target is said never to have held, rather than to hold no longer."""
        return self.reason == "correction"


def apply_directives(
    context: Context,
    said: Utterance,
    directives: Sequence[Directive],
    *,
    because: Iterable[str] = (),
    by_owner: bool = False,
    machine: bool = False,
    asker: Asker | None = None,
) -> Receipt:
    """Record a statement with its directives in one transaction; a repeated one answers as it did.

    A corrected target lends its interval to a statement without times of its own; a temporal change
    without a time starts when it is told.  For a ``machine``, the statement's confidence and the budgets
    say who applies them.  ``asker`` is that of a call which it is part of.

    Raises:
        UnknownBelief, TargetRetired, NotTheHead: a target cannot be changed so; nothing was written.
        InvalidArgument: a target is named twice, or is the statement itself, or several lend their interval.
        IdempotencyConflict: the statement's id was used for another body.
    """
    _distinct(said, directives)
    if asker is None and not by_owner and asks(context):
        return rehearsed(
            context,
            lambda asker: apply_directives(
                context, said.again(), directives, because=because, machine=machine, asker=asker
            ),
        )
    call = None if asker is None else Call(context, asker=asker)
    with context.writing() as now:
        if said.statement is not None and context.journal.find(context.owner, said.statement):
            asked = [d._asdict() for d in directives]
            return record(context, said, because=because, resolves=asked, by_owner=by_owner)
        found, resolves, inherits = _resolved(context, said, directives, now)
        judged = Judged()
        if machine:
            judged = judge_line(context, said, found, resolves, call=call or Call(context), now=now)
        receipt = record(
            context, said, because=because, resolves=resolves, inherits=inherits, by_owner=by_owner,
            hold=judged.hold, call=judged.call or call, found=judged.found,
        )  # fmt: skip
        return with_losses(context, receipt, found, resolves, said.body.get("claim"))


def _distinct(said: Utterance, directives: Sequence[Directive]) -> None:
    seen: set[str] = set()
    for directive in directives:
        if directive.target == said.statement:
            raise InvalidArgument("resolves", directive.target, "another statement than itself")
        if directive.target in seen:
            raise InvalidArgument("resolves", directive.target, "one directive for each target")
        seen.add(directive.target)


def _resolved(
    context: Context, said: Utterance, directives: Sequence[Directive], now: int
) -> tuple[list[tuple[Directive, Ledger, Telling]], list[dict[str, Any]], Telling | None]:
    """The directives with their targets, how an entry says them, and the telling that lends its interval."""
    found = [(d, *_target(context, d)) for d in directives]
    inherits = _lender(said, found)
    at = said.start if said.start is not None else inherits.start if inherits else now
    return found, [body_of(d, ledger, target, at) for d, ledger, target in found], inherits


def _target(context: Context, directive: Directive) -> tuple[Ledger, Telling]:
    _, ledger, telling = target_of(context, directive.target)
    checked_admitted(telling)
    return ledger, telling


def _lender(said: Utterance, found: list[tuple[Directive, Ledger, Telling]]) -> Telling | None:
    """The corrected telling whose interval the statement takes over, or stays within when it names a start."""
    if said.undated:
        return None
    named = [(ledger, t) for d, ledger, t in found if d.never_true and d.action == "supersede"]
    corrected = [t for _, t in named]
    if said.start is not None:
        return lender(*named[0], said) if len(named) == 1 else None
    if len({(t.start, t.told_end) for t in corrected}) > 1:
        raise InvalidArgument(
            "resolves",
            [t.entry_id for t in corrected],
            "a valid_from, for the corrected targets hold over different intervals",
        )
    return corrected[0] if corrected else None


def body_of(directive: Directive, ledger: Ledger, target: Telling, at: int) -> dict[str, Any]:
    """A directive as the journal writes it: with the tellings that it retires, and from when.

    Raises:
        NotTheHead, TargetRetired: the target cannot be changed at that time.
    """
    if directive.never_true:
        return correction_of(ledger, target, directive.action)
    return change_of(ledger, target, at, directive.action)


def with_losses(
    context: Context,
    receipt: Receipt,
    found: list[tuple[Directive, Ledger, Telling]],
    resolves: list[dict[str, Any]],
    claim: str | None,
) -> Receipt:
    """The receipt with what the directives retired in front, and what a correction does not cover."""
    if receipt.status != "active":
        return receipt
    meant = None if claim is None else context.claim(claim)
    named: dict[str, Any] = {}
    for (directive, ledger, target), resolved in zip(found, resolves, strict=True):
        for telling in resolved["tellings"]:
            contradicts = directive.action == "supersede" and target.claim != meant
            kernel = [receipt.belief] if contradicts else []
            named.setdefault(telling, loss(context, ledger.tellings[telling], kernel))
    others = [x for x in receipt.retired if x.belief.id not in named]
    carried = [(ledger, body) for (_, ledger, _), body in zip(found, resolves, strict=True)]
    told = replace(receipt, retired=(*named.values(), *others))
    return with_what_answers(context, told, carried)

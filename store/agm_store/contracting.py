"""Contracting: a claim must not follow any more, and every loss has its certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm_store.context import tokens_of
from agm_store.entries import FOREVER
from agm_store.errors import NothingToChange, shorten
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.rules import CONTRACTED
from agm_store.statements import checked_text
from agm_store.telling import loss
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from agm import Claim, Loss, Vocabulary
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading


def contract(context: Context, claim: Claim, note: str) -> Receipt:
    """Record that a claim must not follow from what was recorded before; see `BeliefStore.contract`."""
    with context.writing() as now:
        normal, vocabulary = context.lexicon.admit(claim)
        meant = context.meant(normal)
        _contractible(context, meant, vocabulary)
        body: Body = {
            "op": "contract",
            "claim": str(normal),
            "on": tokens_of_claim(normal),
            "marks": [CONTRACTED, *context.lexicon.marks(vocabulary)],
        }
        if note:
            body["note"] = checked_text("note", note)
        before = _readings(context, body["on"], now)
        entry = context.append(context.free_id("c"), now, body)
        context.lexicon.keep(vocabulary)
        losses = _losses(context, meant, before, _readings(context, body["on"], now))
        notices = () if losses else ("it did not follow from what is believed now",)
        return Receipt(
            belief=cast("BeliefId", entry.entry_id),
            entry=EntryId(entry.seq),
            status="active",
            retired=losses,
            notices=notices,
        )


def _contractible(context: Context, claim: Claim, vocabulary: Vocabulary) -> None:
    from agm import solver
    from agm.errors import NotDecided
    from agm.syntax import parse
    from agm.verdicts import Inconsistent, Undecided

    ledger = context.ledger(
        {t for e in context.journal.ruled(context.owner) for t in tokens_of(e)}
        | set(tokens_of_claim(claim))
    )
    constraints = [parse(text) for _, text in ledger.constraints]
    answer = solver.check([~claim], constraints=constraints, vocabulary=vocabulary)
    if isinstance(answer, Undecided):
        raise NotDecided(answer.reason)
    if isinstance(answer, Inconsistent):
        raise NothingToChange(
            f"contract {shorten(str(claim))}",
            "it follows from the constraints alone, so no contraction can remove it",
        )


def _readings(context: Context, tokens: list[str], now: int) -> list[tuple[int, Ledger, Reading]]:
    """The reading at now and at each later or earlier boundary of the component, so that no valid time is left out."""
    from agm_store.components import component
    from agm_store.outcomes import consolidated
    from agm_store.ranges import boundaries

    ledger = context.ledger(component(context.journal, context.owner, tokens))
    points = {now, *boundaries(context, ledger)}
    for telling in ledger.tellings.values():
        if telling.live:
            points.update(ledger.interval(telling))
    points.discard(FOREVER)
    return [
        (v, ledger, consolidated(context, ledger, v))
        for v in sorted(points, key=lambda v: (v != now, v))
    ]


def _losses(
    context: Context,
    claim: Claim,
    before: list[tuple[int, Ledger, Reading]],
    after: list[tuple[int, Ledger, Reading]],
) -> tuple[Loss, ...]:
    found: dict[str, tuple[Telling, Loss]] = {}
    for (_, ledger, old), (_, _, new) in zip(before, after, strict=True):
        kept = {t.entry_id for t in new.kept}
        for telling in old.kept:
            if telling.entry_id not in kept and telling.entry_id not in found:
                kernel = _certificate(context, ledger, claim, telling, (old, new))
                found[telling.entry_id] = telling, loss(context, telling, kernel, claim)
    return tuple(
        lost for _, lost in sorted(found.values(), key=lambda f: (f[0].seq, f[0].entry_id))
    )


def _certificate(
    context: Context,
    ledger: Ledger,
    claim: Claim,
    telling: Telling,
    readings: tuple[Reading, Reading],
) -> tuple[str, ...]:
    """What entails a contracted claim together with a loser: among the kept, else among those tied with it."""
    from agm.syntax import parse
    from agm_store.certificates import minimal

    old, new = readings
    own = telling.rank, telling.order_start
    extra = [~claim, *([parse(telling.claim)] if telling.claim is not None else [])]
    kernel: tuple[str, ...] = ()
    for kept in (new.kept, _without(context, ledger, claim, telling, old)):
        strong = [t for t in kept if (t.rank, t.order_start) >= own]
        kernel = kernel or minimal(context, ledger, strong, extra)
    return kernel


def _without(
    context: Context, ledger: Ledger, claim: Claim, telling: Telling, old: Reading
) -> list[Telling]:
    """What a contraction keeps when a loser comes last among those it is tied with."""
    from agm_store.certificates import minimal

    kept: list[Telling] = []
    for other in sorted(old.kept, key=lambda t: (-t.rank, -t.order_start, t is telling, t.seq)):
        if other is telling:
            break
        if not minimal(context, ledger, [*kept, other], [~claim]):
            kept.append(other)
    return kept


def removed_by(context: Context, telling: Telling, tokens: list[str]) -> int | None:
    """The last contraction that removed a telling, when such left it at no valid time; None when it still answers."""
    from agm.errors import NotDecided
    from agm_store.components import component
    from agm_store.outcomes import consolidated
    from agm_store.ranges import boundaries

    if not telling.admitted or not context.journal.touching(context.owner, [CONTRACTED]):
        return None
    try:
        ledger = context.ledger(component(context.journal, context.owner, tokens, whole=False))
        known = ledger.tellings[telling.entry_id]
        start, end = ledger.interval(known)
        points = {start} | {at for t in ledger.tellings.values() for at in ledger.interval(t)}
        points |= boundaries(context, ledger)
        found: set[int] = set()
        for point in sorted(p for p in points if start <= p < end) if ledger.contracts else ():
            removal = consolidated(context, ledger, point).removed.get(telling.entry_id)
            if removal is None:
                return None
            found.add(removal)
    except NotDecided:
        return None
    return max(found, default=None)

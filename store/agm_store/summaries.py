"""What a record is in a few lines, as ``str`` and the command line show it.

The first line says what came of it, indented ones say at what cost.  What was told is shown inert.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from agm_store import listings, receipts, records
from agm_store.ingest import IngestReceipt
from agm_store.tables import age_of, inert, words_of
from agm_store.times import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm import Loss

MOST = 10
"""Lines of one kind that are shown."""


def summary(record: object) -> str:
    """A record in a few lines."""
    return "\n".join(inert(line) for line in lines(record))


def headline(record: object) -> str:
    """The first line of a record, cut where it is very long."""
    from agm.displays.texts import cut

    return cut(next(lines(record)), 160)


@singledispatch
def lines(record: object) -> Iterator[str]:
    """The lines of a record, the first one by itself enough to know what it is."""
    yield object.__repr__(record)


@lines.register(receipts.Receipt)
def _(receipt: receipts.Receipt) -> Iterator[str]:
    yield f"{receipt.belief}: {receipt.status}, entry {receipt.entry}"
    yield from _cost(receipt)


@lines.register(receipts.ImprintReceipt)
def _(receipt: receipts.ImprintReceipt) -> Iterator[str]:
    entry = receipt.entry
    yield f"{receipt.source}: version {receipt.version}, entry {entry}; to undo: revert {entry}"
    yield from _each(receipt.told, "says ", known=receipt.superseded)
    for word in ("kept", "superseded", "ended", "stayed"):
        if names := getattr(receipt, word):
            yield f"  {word}: {', '.join(names)}"
    for belief, others in receipt.attested:
        yield f"  {belief} is told by others as well: {', '.join(others)}"
    yield from some(f"note: {notice}" for notice in receipt.notices)
    yield from _flags(receipt)


@lines.register(receipts.ArtefactReceipt)
def _(receipt: receipts.ArtefactReceipt) -> Iterator[str]:
    yield f"{receipt.artefact}: version {receipt.version}, entry {receipt.entry}"
    yield from some(f"why: {line}" for line in receipt.rationale.splitlines())
    yield from _each(receipt.descriptors, "says ")
    if receipt.ended:
        yield f"  ended: {', '.join(receipt.ended)}"
    yield from some(f"note: {notice}" for notice in receipt.notices)
    yield from _flags(receipt)


@lines.register(receipts.BatchReceipt)
def _(receipt: receipts.BatchReceipt) -> Iterator[str]:
    if receipt.not_run is not None:
        yield f"nothing was recorded: {receipt.not_run.kind}: {receipt.not_run.detail}"
        return
    # what was refused of a fact that waits is said there, and the fact is counted there
    said = [why for review in receipt.in_review for why in review.why]
    refused = [(n, e) for n, e in receipt.refused if not any(str(e) in why for why in said)]
    counts = f"told {len(receipt.told)}, in review {len(receipt.in_review)}"
    yield f"{counts}, refused {len({n for n, _ in refused})}"
    yield from _each(receipt.told)
    for review in receipt.in_review[:MOST]:
        yield f"  {review.id}: held, {'; '.join(review.why)}"
        yield from (f"  {line}" for line in some(f"not checked: {x}" for x in review.not_checked))
    yield from _more(receipt.in_review)
    yield from some(f"fact {n} refused: {type(e).__name__}: {e}" for n, e in refused)


@lines.register(IngestReceipt)
def _(receipt: IngestReceipt) -> Iterator[str]:
    words = ("told", "superseded", "retracted", "held", "contested", "outranked")
    counts = ", ".join(f"{word} {getattr(receipt, word)}" for word in words)
    yield f"{counts}, refused {len(receipt.refused)}"
    if receipt.heard_before:
        yield f"heard before, nothing written: {receipt.heard_before}"
    if receipt.lowered:
        yield f"entrenchment lowered to the cap: {receipt.lowered}"
    yield from some(f"line {n.line}, {n.id}: {n.note}" for n in receipt.notes)
    yield from some(f"line {r.line} refused: {r.kind}: {r.reason}" for r in receipt.refused)


@lines.register(receipts.BulkReceipt)
def _(receipt: receipts.BulkReceipt) -> Iterator[str]:
    undo = "" if receipt.entry is None else f"; to undo: revert {receipt.entry}"
    yield f"decided {len(receipt.decided)}, refused {len(receipt.refused)}{undo}"
    yield from _each(receipt.decided)
    yield from some(f"{name} refused: {type(e).__name__}: {e}" for name, e in receipt.refused)
    yield from _flags(receipt)


@lines.register(listings.Review)
def _(review: listings.Review) -> Iterator[str]:
    age = "" if review.age is None else f", waits for {age_of(review.age)}"
    by = "" if review.source is None else f", told by {review.source}"
    yield f"{review.id}: {words_of(review.new)}{by}{age}"
    if review.old is not None:
        yield f"  against {review.old.belief}: {words_of(review.old)}"
    yield from some((*review.why, *review.not_checked))
    yield f"  options: {' | '.join(review.options)}"


@lines.register(records.Side)
def _(side: records.Side) -> Iterator[str]:
    until = "" if side.valid_to is None else f" to {spoken(side.valid_to)}"
    by = "" if side.source is None else f", told by {side.source}"
    since = f"{side.status} since {spoken(side.valid_from)}{until}"
    yield f"{side.belief}: {words_of(side)} ({since}{kept_out(side)}{by})"


def kept_out(side: records.Side) -> str:
    """The standing, after a comma, of an active statement in force that is not simply believed; else nothing."""
    plain = side.status != "active" or side.standing in ("believed", "not_in_force")
    return "" if plain else f", {side.standing}"


@lines.register(records.Answer)
def _(answer: records.Answer[object]) -> Iterator[str]:
    if answer.contested:
        yield "contested"
    elif answer.value is not None:
        yield str(answer.value)
    else:
        yield ", ".join(map(str, answer.values)) or "unknown"
    for name in ("sides", "outranked", "shared"):
        word = "" if name == "sides" else f"{name}: "
        yield from some(f"{word}{line}" for s in getattr(answer, name) for line in lines(s))


@lines.register(records.Why)
def _(why: records.Why) -> Iterator[str]:
    yield f"{why.belief}: {why.status}, {why.standing.replace('_', ' ')}"
    if why.retired_by is not None:
        yield f"  retired by entry {why.retired_by} ({why.reason}); to undo: {why.to_undo}"
    for word in ("replaced_by", "source", "decided_by"):
        if found := getattr(why, word):
            yield f"  {word.replace('_', ' ')} {found}"
    for word in ("kernel", "supersedes"):
        if names := getattr(why, word):
            yield f"  {'kept out by' if word == 'kernel' else word} {', '.join(names)}"
    yield from some(f"rests on {' and '.join(one)}" for one in why.supports)
    yield from some(why.notes)


@lines.register(listings.Flagged)
def _(flag: listings.Flagged) -> Iterator[str]:
    yield f"{flag.on}: {flag.kind}: {flag.why}"
    yield f"  to clear it: {flag.to_clear}"


@lines.register(receipts.Blast)
def _(blast: receipts.Blast) -> Iterator[str]:
    done = "tried out" if blast.entry is None else f"entry {blast.entry}"
    yield f"{done}: lost {len(blast.lost)}, gained {len(blast.gained)}"
    for word in ("retired", "told", "lost", "gained", "artefacts"):
        if names := getattr(blast, word):
            yield from some([f"{word}: {', '.join(names[:MOST])}" + more_of(names)])
    yield from some(f"flags {flag.on}: {flag.kind}: {flag.why}" for flag in blast.flags)


@lines.register(listings.Stats)
def _(stats: listings.Stats) -> Iterator[str]:
    yield f"{stats.entries} entries, {stats.reviews} reviews"
    yield from some(f"{status}: {count}" for status, count in stats.beliefs.items())


@lines.register(records.Hit)
def _(hit: records.Hit) -> Iterator[str]:
    yield from lines(hit.side)
    if hit.replaces:
        yield f"  replaces {', '.join(hit.replaces)}"
    if hit.refined_by:
        yield f"  said more precisely by {', '.join(hit.refined_by)}"
    if hit.held_against:
        yield f"  held against it: {hit.held_against}"


def loss_line(loss: Loss) -> str:
    """A loss with what it lost against; of a text alone its words."""
    against = f" (against {', '.join(b.id for b in loss.kernel)})" if loss.kernel else ""
    return f"{loss.belief.id}: {loss.belief.claim}{against}"


def more_of(names: Sequence[str]) -> str:
    """How many names a line leaves out."""
    return f" and {len(names) - MOST} more" if len(names) > MOST else ""


def some(found: Iterable[str]) -> Iterator[str]:
    """Indented lines, the first ten, and how many more there are."""
    shown = list(found)
    yield from (f"  {line}" for line in shown[:MOST])
    yield from _more(shown)


def _more(found: Sequence[object]) -> Iterator[str]:
    """How many of a list are not shown, where there are any."""
    if len(found) > MOST:
        yield f"  and {len(found) - MOST} more"


def _each(
    found: Sequence[receipts.Receipt], word: str = "", *, known: Sequence[str] = ()
) -> Iterator[str]:
    """The receipts of a larger change, each with all that it says by itself; what is known to be lost is left out."""
    for one in found[:MOST]:
        yield f"  {word}{one.belief}: {one.status}"
        yield from (f"  {line}" for line in _cost(one, known))
    yield from _more(found)


def _cost(receipt: receipts.Receipt, known: Sequence[str] = ()) -> Iterator[str]:
    """What a write changed besides its own belief, and what is to be known of it."""
    lost = [loss for loss in receipt.retired if loss.belief.id not in known]
    yield from some(f"retires {loss_line(loss)}" for loss in lost)
    yield from some(f"contested with {s.belief}: {words_of(s)}" for s in receipt.contested)
    yield from some(f"note: {notice}" for notice in receipt.notices)
    yield from some(f"not checked: {gap}" for gap in dict.fromkeys(receipt.not_checked))
    yield from _flags(receipt)


def _flags(
    receipt: receipts.Receipt
    | receipts.ImprintReceipt
    | receipts.ArtefactReceipt
    | receipts.BulkReceipt,
) -> Iterator[str]:
    yield from some(f"flags {flag.on}: {flag.kind}: {flag.why}" for flag in receipt.flags)

"""The display of a record of a store, by its class; what has none of its own is shown by its lines."""

from __future__ import annotations

from functools import singledispatch
from itertools import islice
from typing import TYPE_CHECKING

from agm.displays.style import panel
from agm.displays.tables import ROWS, Cell, filled, table, tagged
from agm.errors import NotDecided
from agm_store import listings, receipts, records
from agm_store.displays import sides
from agm_store.tables import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm.changes import Loss
    from agm.displays.style import Tone
    from agm.verdicts import Verdict

_CHECKS: dict[str, Tone] = {
    "contradiction": "bad",
    "paraphrase": "good",
    "refinement": "held",
    "undecided": "warn",
}


@singledispatch
def html(record: object) -> str:
    """A record as HTML: what came of it, then at what cost, a row a thing."""
    from agm_store.summaries import lines

    first, *rest = lines(record)
    rows = [[line.strip()] for line in rest]
    return panel(table([first], rows, total=len(rows)))


html.register(records.Side, sides.of_side)
html.register(records.Answer, sides.of_answer)
html.register(records.Why, sides.of_why)
html.register(listings.Review, sides.of_review)


@html.register
def _(receipt: receipts.Receipt) -> str:
    """What was recorded, what it retired with the certificates, and what was and was not checked."""
    tone = sides.STATUSES.get(receipt.status, "mute")
    first = tagged(receipt.status, tone, f"{receipt.belief}, entry {receipt.entry}")
    kinds = ("retired", "contested", "checked", "not_checked", "notices", "flags")
    total = sum(len(getattr(receipt, kind)) for kind in kinds)
    rows = list(islice(_receipt_rows(receipt), ROWS))
    head, shown = filled(("", "belief", "says", "why"), rows)
    return panel(first, table(head, shown, total=total) if rows else "")


def _receipt_rows(receipt: receipts.Receipt) -> Iterator[tuple[str | Cell, ...]]:
    for loss in receipt.retired:
        claim = Cell(str(loss.belief.claim), code=True)
        yield Cell("retired", "bad"), loss.belief.id, claim, _against(loss)
    for side in receipt.contested:
        yield Cell("contested", "warn"), side.belief, words_of(side), side.source or ""
    for belief, verdict, how in receipt.checked:
        yield Cell("checked", _CHECKS.get(verdict.kind)), belief, verdict.kind, _by(verdict, how)
    for gap in receipt.not_checked:
        yield Cell("not checked", "warn"), "", "", gap
    for notice in receipt.notices:
        yield Cell("note", "plain"), "", "", notice
    for flag in receipt.flags:
        yield Cell(flag.kind, "warn"), flag.on, "", flag.why


def _against(loss: Loss) -> str:
    try:
        kernel = loss.kernel
    except NotDecided as fault:
        return f"why is not known: {fault.reason}"
    return "against " + "; ".join(f"{b.claim} [{b.id}]" for b in kernel) if kernel else ""


def _by(verdict: Verdict, how: str) -> str:
    more = f", the {verdict.direction} one is the more specific" if verdict.direction else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    return f"by {verdict.route}{more}{reason} ({how})"


@html.register
def _(flag: listings.Flagged) -> str:
    """A flag, why it stands and what would clear it."""
    first = tagged(flag.kind, "warn", flag.on)
    return panel(first, notes=[flag.why, f"to clear it: {flag.to_clear}", *flag.errors])


@html.register
def _(blast: receipts.Blast) -> str:
    """What a change does downstream, a row a belief."""
    tones: dict[str, Tone] = {"retired": "bad", "told": "good", "lost": "bad", "gained": "good"}
    rows = [
        (Cell(word, tone), str(belief), "")
        for word, tone in tones.items()
        for belief in getattr(blast, word)
    ]
    rows += [(Cell(flag.kind, "warn"), flag.on, flag.why) for flag in blast.flags]
    rows += [(Cell("artefact", "warn"), one, "rests on something lost") for one in blast.artefacts]
    title = "tried out" if blast.entry is None else f"entry {blast.entry}"
    return panel(table(["", "on", "why"], rows[:ROWS], total=len(rows)), title=title)


@html.register
def _(stats: listings.Stats) -> str:
    """The store in numbers."""
    rows = [("entries", f"{stats.entries:,}")]
    rows += [(f"beliefs {status}", f"{count:,}") for status, count in stats.beliefs.items()]
    rows += [
        (name.replace("_", " "), f"{getattr(stats, name):,}")
        for name in ("held", "waiting", "reviews", "expired_reviews", "not_indexed")
    ]
    rows += [(f"reviews {age}", f"{count:,}") for age, count in stats.reviews_by_age.items()]
    return panel(table(["", "count"], rows, total=len(rows)))

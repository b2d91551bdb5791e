"""Siblings: the other conclusions of what was corrected, by a premise or a source in common.

Where one turned out never to have been true, the others are to be looked at again; a temporal change says
nothing of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.context import tokens_of
from agm_store.flags import Place, standing
from agm_store.touches import FROM, RESTS

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling


def siblings(context: Context, moving: Entry, below: set[str]) -> dict[str, list[str]]:
    """For each conclusion of the same origin as a corrected belief the corrected ones, if no flag says so.

    Those downstream of it are left out: they lost their support, or have another.
    """
    found: dict[str, list[str]] = {}
    for corrected in sorted(_corrected(moving.body)):
        entry = context.telling_entry(corrected)
        marks = [RESTS + t for t in entry.body.get("links", ())]
        if "source" in entry.body:
            marks.append(FROM + entry.body["source"])
        shared = _premises(context, entry)
        for other in context.journal.touching(context.owner, marks) if marks else ():
            body = other.body
            if body["op"] != "tell":
                continue
            alike = not shared.isdisjoint(_premises(context, other)) or (
                "source" in body and body["source"] == entry.body.get("source")
            )
            if alike and other.entry_id not in {corrected, *below}:
                found.setdefault(other.entry_id, []).append(corrected)
    now = moving.recorded_at
    fresh: dict[str, list[str]] = {}
    for belief, corrected_ones in found.items():
        flags = [f for f in standing(context, [Place(belief)]) if f.kind == "sibling_retired"]
        known = {corrected for flag in flags for corrected in flag.because}
        left = [corrected for corrected in corrected_ones if corrected not in known]
        if left and is_live(context, context.telling_entry(belief), now):
            fresh[belief] = left
    return fresh


def _premises(context: Context, entry: Entry) -> set[str]:
    """What the premises of a telling state: any telling of a claim will do."""
    return {context.identity(context.telling_entry(p)) for p in entry.body.get("because", ())}


def _corrected(body: Body) -> set[str]:
    """The tellings that an entry says were never true."""
    if body["op"] == "retract":
        return {body["target"]}
    if body.get("state", "admitted") != "admitted":
        return set()
    return {
        t for d in body.get("resolves", ()) if d["reason"] == "correction" for t in d["tellings"]
    }


def is_live(context: Context, entry: Entry, now: int) -> bool:
    """Whether there is something left of a telling to be looked at: admitted, not withdrawn, removed or over."""
    from agm_store.contracting import removed_by

    telling = (ledger := context.ledger_of(entry)).tellings.get(entry.entry_id)
    if telling is None or not telling.live:
        return False
    return (
        not is_over(ledger, telling, now) and removed_by(context, telling, tokens_of(entry)) is None
    )


def is_over(ledger: Ledger, telling: Telling | None, now: int) -> bool:
    """Whether a telling was ended by an entry or its own words: nothing is left to be looked at."""
    return telling is not None and ledger.interval(telling)[1] <= now

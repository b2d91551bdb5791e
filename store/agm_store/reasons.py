"""Why an artefact is to be renewed: what was lost of what it rests on, by what, and what is believed now.

Everything is read off the flags and the entries that they name as their cause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_propagation.artefacts import ChangeReason, PremiseNow
from agm_store.blanking import GONE
from agm_store.context import tokens_of
from agm_store.entries import identity, moment, says_nothing
from agm_store.flags import Place, standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Flagged
    from agm_store.reading import Reading


def change_reasons(context: Context, flags: Iterable[Flagged]) -> list[ChangeReason]:
    """The reasons that flags on an artefact add up to, in order, none twice."""
    found: dict[tuple[str, int | None], ChangeReason] = {}
    for flag in flags:
        for lost in flag.because:
            key = lost, flag.cause
            if key not in found:
                found[key] = _reason(context, flag, lost)
    return list(found.values())


def premises_now(context: Context, premises: Iterable[str]) -> list[PremiseNow]:
    """Beliefs with what is believed in their place now."""
    entries = [context.telling_entry(p) for p in premises]
    return [
        PremiseNow(belief=e.entry_id, said=said(e.body), now=tuple(believed_for(context, e)))
        for e in entries
    ]


def said(body: Body) -> str:
    """What a telling says: its claim, else its text in quotes; nothing of what was redacted."""
    if says_nothing(body):
        return GONE
    claim = body.get("claim")
    return claim if claim is not None else f'"{body.get("text")}"'


def believed_for(context: Context, entry: Entry) -> list[tuple[str, str]]:
    """What is believed now in the place of a telling, as ids with what they say; nothing when it was not decided."""
    from agm_store.worlds import world_now

    world = world_now(context)
    try:
        ledger, reading = world.reading_of(tokens_of(entry))
    except NotDecided:
        return []
    named = world.context.named(entry)
    return [(t.entry_id, said(t.body)) for t in _in_place(ledger, reading, named)]


def _in_place(ledger: Ledger, reading: Reading, entry: Entry) -> Sequence[Telling]:
    """The leading tellings believed: of the claim of an entry as it is read, of its slot, or what took its place."""
    believed = reading.believed
    same = [t for t in believed if t.identity == identity(entry)]
    if same:
        leading = [t for t in same if t.entry_id == entry.entry_id]
        return leading or same
    if "slot" in entry.body and "relation" not in entry.body:
        return [t for t in believed if t.slot == entry.body["slot"]]
    after = _successors(ledger, entry.entry_id)
    return [t for t in believed if t.entry_id in after]


def _successors(ledger: Ledger, belief: str) -> set[str]:
    """Those that took a telling's place by directive, and theirs in turn."""
    found: set[str] = set()
    frontier = [belief]
    while frontier:
        telling = ledger.tellings.get(frontier.pop())
        if telling is None:
            continue
        for after in [*telling.ended_by, *filter(None, [telling.replaced_by])]:
            if after not in found:
                found.add(after)
                frontier.append(after)
    return found


def _reason(context: Context, flag: Flagged, lost: str) -> ChangeReason:
    entry = context.telling_entry(lost)
    cause = None if flag.cause is None else context.journal.entry(flag.cause)
    reason = ChangeReason(
        lost=lost,
        said=said(entry.body),
        flag=flag.id,
        how="ended",
        at=flag.since,
        instead=tuple(believed_for(context, entry)),
    )
    if cause is None:
        return reason
    deed = _deed(context, cause, lost)
    if _made_without(context, flag, entry, cause):
        version, before = cause.body["version"], _ended_before(context, lost, cause)
        deed = _Deed(f"not believed when version {version} was made")
        if before is not None:
            cause, deed = before, _deed(context, before, lost)
    source = cause.body.get("source")
    return replace(
        reason,
        how=deed.how,
        to=deed.to,
        entry=cause.seq,
        by=context.owner if source is None else f"{context.owner}, from {source}",
        at=moment(cause.recorded_at),
        note=cause.body.get("note", ""),
        episode=cause.body.get("episode"),
    )


def _made_without(context: Context, flag: Flagged, lost: Entry, cause: Entry) -> bool:
    """Whether the version that a flag names was itself made on what was not believed then."""
    if cause.body["op"] != "artefact":
        return False
    name = cause.body["artefact"]
    on = flag.on if flag.artefact else context.telling_entry(flag.on).body.get("artefact")
    return bool(on == name != lost.body.get("artefact"))


def _ended_before(context: Context, lost: str, version: Entry) -> Entry | None:
    """The entry before a version that ended a belief, or that took its support; None when none did."""
    from agm_store.worlds import world_now

    try:
        ended = world_now(context).why(lost).retired_by
    except NotDecided:
        return None
    unsupported = [f for f in standing(context, [Place(lost)]) if f.kind == "support_lost"]
    seqs = [ended, *(f.cause for f in unsupported)]
    seq = next((s for s in seqs if s is not None and s < version.seq), None)
    return None if seq is None else context.journal.entry(seq)


class _Deed(NamedTuple):
    """What an entry did, as a participle, and to which beliefs."""

    how: str
    to: tuple[str, ...] = ()


def _deed(context: Context, entry: Entry, lost: str) -> _Deed:
    body = entry.body
    directives = body.get("resolves", ())
    for directive in [d for d in directives if lost in d["tellings"]] or directives:
        return _Deed(_DIRECTED[directive["action"], directive["reason"]], (*directive["tellings"],))
    op = body["op"]
    if op == "tell":
        return _Deed(f"overtaken by {said(body)} ({entry.entry_id}),")
    if op == "decide":
        return _Deed(f"overtaken by {body['belief']},", ())
    if op in ("retract", "expire"):
        return _Deed("retracted" if op == "retract" else "ended", (body["target"],))
    if op == "reclassify":
        told = context.journal.entry(body["target"])
        mode = f"read as {body['mode']}"
        return _Deed(mode, () if told is None else (told.entry_id,))
    if op == "batch" and "option" in body:
        return _Deed(f"decided with all that {body['source']} told ({body['option']})")
    return _Deed(_OTHERWISE.get(op, "{op}").format(**body))


_DIRECTED = {
    ("supersede", "correction"): "corrected",
    ("supersede", "temporal_change"): "superseded",
    ("retract", "correction"): "retracted",
    ("retract", "temporal_change"): "ended",
}
_OTHERWISE = {
    "artefact": "ended with an older version of {artefact}",
    "batch": "withdrawn with all that {source} told",
    "constrain": "ruled out by the constraint {claim}",
    "contract": "contracted by {claim}",
    "demote": "overtaken once {target} was demoted to {class}",
    "imprint": "ended with an older version of {source}",
    "revert": "undone with entry {target}",
}
"""What entries that name no belief did to one, by their op."""

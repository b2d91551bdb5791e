"""Why a belief stands as it does: a recorded retirement, or stronger claims at reading time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm_store.attesting import attestations
from agm_store.blanking import GONE
from agm_store.context import telling_of, tokens_of, tokens_of_body
from agm_store.entries import FOREVER, moment
from agm_store.episodes import episodes
from agm_store.errors import UnknownBelief
from agm_store.grounding import exceptions
from agm_store.modelcalls import call_of
from agm_store.pads import clashes_of
from agm_store.records import EntryId, Why
from agm_store.refining import refinements
from agm_store.sides import side_read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading
    from agm_store.worlds import World


def why(world: World, belief: str) -> Why:
    """The reasons of one telling at a world's point; see `World.why`."""
    context = world.context
    valid, known = world.point
    entry = context.telling_entry(belief)
    if entry.seq > known:
        raise UnknownBelief(belief)
    ledger, reading = world.reading_of(tokens_of(entry))
    telling = telling_of(ledger, entry)
    shown = side_read(ledger, reading, telling, valid)
    contracted = _contracted(world, reading, ledger, telling)
    retired_by = reading.removed.get(belief) if shown.status == "retracted" else None
    by_contraction = retired_by is not None
    retired_by = retired_by or _retired_by(ledger, telling, valid)
    told = {t.entry_id for t in ledger.claims.get(telling.identity, ())} | {belief}
    links = refinements(context, told, known)
    same = attestations(context, ledger, telling, known)
    return Why(
        belief=shown.belief,
        status=shown.status,
        standing=shown.standing,
        reason=cast("Any", None if by_contraction else _reason(ledger, telling, retired_by)),
        kernel=cast("Any", contracted.kernel or kernel_of(world, ledger, reading, telling)),
        retired_by=None if retired_by is None else EntryId(retired_by),
        to_undo="" if retired_by is None else f"revert {retired_by}",
        replaced_by=shown.replaced_by,
        supersedes=shown.supersedes,
        supports=cast("Any", tuple(tuple(because) for because in telling.because)),
        source=shown.source,
        episode=shown.episode,
        episodes=() if shown.episode is None else episodes(context, shown.episode, upto=known),
        route=_route(telling),
        decided_by=telling.body.get("decided_by", context.owner),
        confidence=telling.body.get("certainty", telling.body.get("confidence")),
        notes=(*_notes(context, ledger, reading, telling, retired_by), *contracted.notes),
        refines=cast("Any", tuple(dict.fromkeys(b for a, b in links if a in told))),
        refined_by=cast("Any", tuple(dict.fromkeys(a for a, b in links if b in told))),
        call=call_of(context, telling),
        attests=cast("Any", same.attests),
        attested_by=cast("Any", same.attested_by),
    )


def _notes(
    context: Context, ledger: Ledger, reading: Reading, telling: Telling, retired_by: int | None
) -> list[str]:
    """What the checks said when it was told, what it is an exception to, and what became of it since."""
    return [
        *telling.body.get("why", ()),
        *(f"exception: {e}" for e in exceptions(reading, telling.entry_id)),
        *_described(context, telling),
        *_demoted(context, ledger, telling),
        *_by_machine(context, retired_by),
    ]


def _described(context: Context, telling: Telling) -> list[str]:
    """Which version of which artefact a descriptor belongs to, and why there is that version."""
    made = context.journal.entry(telling.body["cause"]) if "artefact" in telling.body else None
    if made is None:
        return []
    name = f"version {made.body['version']} of {made.body['artefact']} (entry {made.seq})"
    return [f"says something of {name}, made since: {made.body.get('rationale', GONE)}"]


def _demoted(context: Context, ledger: Ledger, telling: Telling) -> list[str]:
    """Which entries let it count by a weaker class, and from which."""
    found = []
    for seq, before in ledger.demotions.get(telling.entry_id, ()):
        entry = context.journal.entry(seq)
        if entry is not None:
            note = f": {entry.body['note']}" if "note" in entry.body else ""
            found.append(f"entry {seq} demoted it from {before} to {entry.body['class']}{note}")
    return found


def _by_machine(context: Context, retired_by: int | None) -> list[str]:
    """Who decided a retirement that no person did, and how sure that was."""
    entry = None if retired_by is None else context.journal.entry(retired_by)
    if entry is None or "decided_by" not in entry.body:
        return []
    sure = f" at confidence {entry.body['certainty']:g}" if "certainty" in entry.body else ""
    return [f"entry {retired_by} was decided by {entry.body['decided_by']}{sure}"]


class _Contracted(NamedTuple):
    """What a contraction did to a telling: the certificate of its loss, and words for it."""

    kernel: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _read_by(
    context: Context, ledger: Ledger, seq: int, reading: Reading, valid: int
) -> tuple[Ledger, Sequence[Telling]]:
    """The ledger in whose light a contraction removed something, and what is kept of that."""
    from agm_store.outcomes import consolidated
    from agm_store.ranges import range_of
    from agm_store.remaining import is_ranging

    if not is_ranging(next(text for at, text in ledger.contracts if at == seq)):
        return ledger, reading.kept
    whole = range_of(context, ledger, seq).ledger
    return whole, consolidated(context, whole, valid).kept


def _contracted(world: World, reading: Reading, ledger: Ledger, telling: Telling) -> _Contracted:
    """The contraction that took a telling out, at the world's point or where the telling itself starts."""
    if not ledger.contracts or telling.entry_id not in ledger.tellings:
        return _Contracted()
    valid, known = world.point
    if telling.entry_id not in reading.removed:
        valid = ledger.interval(telling)[0]
        reading = type(world)(world.context, valid, known).reading_of([*_tokens(telling)])[1]
    seq = reading.removed.get(telling.entry_id)
    if seq is None or seq > known:
        return _Contracted()
    from agm_store.certificates import minimal

    claim = next(text for at, text in ledger.contracts if at == seq)
    context = world.context
    ledger, kept = _read_by(context, ledger, seq, reading, valid)
    strong = [t for t in kept if (t.rank, t.order_start) >= (telling.rank, telling.order_start)]
    found = minimal(context, ledger, [*strong, telling], [~context.parsed(claim)])
    kernel = tuple(belief for belief in found if belief != telling.entry_id)
    since = "" if valid == world.point[0] else f" at {moment(valid).isoformat()}"
    return _Contracted(kernel, (f"entry {seq} contracted by {claim}, which took it out{since}",))


def _tokens(telling: Telling) -> list[str]:
    return tokens_of_body(telling.body) or [f"#{telling.entry_id}"]


def _retired_by(ledger: Ledger, telling: Telling, valid: int) -> int | None:
    """The entry that retired a telling: a recorded directive, a contraction, or the rival's own telling."""
    if telling.entry_id in ledger.reverted:
        return max((s for s in ledger.reverts.get(telling.seq, ())), default=None)
    if telling.withdrawn:
        return telling.retired_by
    return ledger.ended(telling)[1] if ledger.interval(telling)[1] <= valid else None


def _reason(ledger: Ledger, telling: Telling, retired_by: int | None) -> str | None:
    if retired_by is None or telling.entry_id in ledger.reverted:
        return None
    ended = ledger.interval(telling)[1] < FOREVER
    return "temporal_change" if ended and not telling.withdrawn else "correction"


def _route(telling: Telling) -> str:
    if telling.derived:
        return "inferred"
    if "decided_by" in telling.body or telling.body.get("route") == "deterministic":
        return str(telling.body["route"])
    return "deliberate" if telling.resolves else "deterministic"


def kernel_of(world: World, ledger: Ledger, reading: Reading, telling: Telling) -> tuple[str, ...]:
    """The beliefs that keep a telling out at reading time, itself left out."""
    if reading.standing.get(telling.entry_id) not in ("outranked", "overridden", "contested"):
        return ()
    shown = [*reading.believed, *(t for group in reading.contested for t in group)]
    clashes = clashes_of(ledger, [telling, *shown]).get(telling.identity, set())
    if words := tuple(t.entry_id for t in shown if t.identity in clashes):
        return words
    if telling.slot is not None:
        rivals = tuple(
            t.entry_id for t in shown if t.slot == telling.slot and t.value != telling.value
        )
        if rivals:
            return rivals
    from agm_store.certificates import kernel_against

    return kernel_against(world.context, ledger, reading.kept, telling)

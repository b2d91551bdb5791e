"""Why a belief stands as it does: a recorded retirement, or stronger claims at reading time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.context import telling_of, tokens_of
from agm_store.entries import FOREVER
from agm_store.errors import UnknownBelief
from agm_store.grounding import exceptions
from agm_store.records import EntryId, Why
from agm_store.sides import side_read

if TYPE_CHECKING:
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
    retired_by = reading.removed.get(belief) if shown.status == "retracted" else None
    retired_by = retired_by or _retired_by(ledger, telling, valid)
    return Why(
        belief=shown.belief,
        status=shown.status,
        standing=shown.standing,
        reason=cast("Any", _reason(ledger, telling, retired_by)),
        kernel=cast("Any", _kernel(world, ledger, reading, telling)),
        retired_by=None if retired_by is None else EntryId(retired_by),
        to_undo="" if retired_by is None else f"revert {retired_by}",
        replaced_by=shown.replaced_by,
        supersedes=shown.supersedes,
        supports=cast("Any", tuple(tuple(because) for because in telling.because)),
        source=shown.source,
        episode=shown.episode,
        route=_route(telling),
        decided_by=context.owner,
        confidence=telling.body.get("confidence"),
        notes=(
            *telling.body.get("why", ()),
            *(f"exception: {e}" for e in exceptions(reading, belief)),
        ),
    )


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
    return "deliberate" if telling.resolves else "deterministic"


def _kernel(world: World, ledger: Ledger, reading: Reading, telling: Telling) -> tuple[str, ...]:
    """The beliefs that keep a telling out at reading time, itself left out."""
    if reading.standing.get(telling.entry_id) not in ("outranked", "overridden", "contested"):
        return ()
    shown = [*reading.believed, *(t for group in reading.contested for t in group)]
    if telling.slot is not None:
        rivals = tuple(
            t.entry_id for t in shown if t.slot == telling.slot and t.value != telling.value
        )
        if rivals:
            return rivals
    from agm_store.certificates import kernel_against

    return kernel_against(world.context, ledger, reading.kept, telling)

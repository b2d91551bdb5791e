"""What a directive retires: the belief that it names, while that may be acted on, and which tellings go with it.

A correction withdraws the tellings of the same claim whose intervals overlap, a temporal change ends those
that go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.context import telling_of, tokens_of
from agm_store.contracting import removed_by
from agm_store.entries import moment
from agm_store.errors import NotTheHead, TargetRetired, shorten
from agm_store.ledger import ADMITTED

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling


def target_of(context: Context, belief: str) -> tuple[Entry, Ledger, Telling]:
    """The entry, the ledger of its tokens, and the telling of a belief that may be acted on.

    Raises:
        UnknownBelief: no such belief; TargetRetired: it was withdrawn, or contractions left nothing of it.
    """
    entry = context.telling_entry(belief)
    ledger = context.ledger_of(entry)
    telling = telling_of(ledger, entry)
    if telling.redacted:
        raise TargetRetired(belief, "redacted")
    if belief in ledger.reverted:
        raise TargetRetired(belief, "reverted")
    if telling.withdrawn:
        head = ledger.head_of(belief)
        if head is not None:
            raise NotTheHead(
                f"belief {shorten(belief)}",
                [head.entry_id],
                f"it was corrected; change {head.entry_id} instead",
            )
        raise TargetRetired(belief, "retracted")
    removal = removed_by(context, telling, tokens_of(entry))
    if removal is not None:
        raise TargetRetired(belief, f"removed by the contraction of entry {removal}")
    return entry, ledger, telling


def checked_admitted(telling: Telling) -> None:
    """Refuse to act on what was never taken in.

    Raises:
        TargetRetired: it is held, rejected or only noted.
    """
    if telling.state != ADMITTED:
        raise TargetRetired(telling.entry_id, telling.state)


def overlapping_tellings(ledger: Ledger, target: Telling) -> list[Telling]:
    """The live tellings of a belief: same claim, interval overlapping the target's; the target first."""
    low, high = ledger.interval(target)
    found = [target]
    for other in ledger.claims[target.identity]:
        if other is target or not other.live or other.derived:
            continue
        start, end = ledger.interval(other)
        if start < max(high, low + 1) and end > low:
            found.append(other)
    return found


def correction_of(ledger: Ledger, target: Telling, action: str = "supersede") -> dict[str, Any]:
    """The directive of a correction, with the tellings that it withdraws."""
    tellings = [t.entry_id for t in overlapping_tellings(ledger, target)]
    return {
        "target": target.entry_id,
        "action": action,
        "reason": "correction",
        "tellings": tellings,
    }


def change_of(
    ledger: Ledger, target: Telling, at: int, action: str = "supersede"
) -> dict[str, Any]:
    """The directive of a temporal change at a time, put in front of a later successor where there is one.

    Raises:
        NotTheHead: a successor starts at or before the time.
        TargetRetired: the belief had ended before.
    """
    directive: dict[str, Any] = {
        "target": target.entry_id,
        "action": action,
        "reason": "temporal_change",
    }
    end = ledger.interval(target)[1]
    successors = ledger.successors(target)
    follower = successors[0] if successors else ledger.ended_by_succession(target)
    if follower is not None and follower.start <= at:
        advice = f"that already started at {moment(follower.start).isoformat()}; change {follower.entry_id} instead"
        raise NotTheHead(
            f"a change of {shorten(target.entry_id)} at {moment(at).isoformat()}",
            [follower.entry_id],
            advice,
        )
    if follower is None and end <= at and end > target.start:
        raise TargetRetired(target.entry_id, f"ended since {moment(end).isoformat()}")
    if successors and action == "supersede":
        directive["before"] = successors[0].entry_id
    if action == "retract":
        directive["at"] = at
        ended = ended_tellings(ledger, target, at)
    else:
        ended = [
            t
            for t in overlapping_tellings(ledger, target)
            if ledger.interval(t)[1] > at or t is target
        ]
    directive["tellings"] = [t.entry_id for t in ended]
    return directive


def ended_tellings(ledger: Ledger, target: Telling, at: int) -> list[Telling]:
    """The tellings of a claim that end with it at a time, those that start later included; the target first."""
    found = [target]
    for other in ledger.claims[target.identity]:
        if other is target or not other.live:
            continue
        start, end = ledger.interval(other)
        if start < end and end > at:
            found.append(other)
    return found

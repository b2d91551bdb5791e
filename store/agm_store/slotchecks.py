"""The checks of a newcomer on a plain slot: a different value of one slot is a contradiction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.entries import FOREVER
from agm_store.gates import (
    expired,
    gates,
    immutable,
    restated,
    restated_unadmitted,
    suppress,
    unmarked,
)
from agm_store.marks import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.context import Context
    from agm_store.journal import SlotView
    from agm_store.ledger import Telling
    from agm_store.proposals import Proposal, Ruling


def check_slot(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    """Rule on a newcomer by what its slot holds over its interval."""
    from agm.verdicts import Verdict

    body = proposal.body
    view = context.journal.slot_view(context.owner, body["slot"])
    if _suppressed(body, view):
        suppress(ruling, body)
        return
    end = expired(context, proposal, ruling)
    if proposal.end == FOREVER and not body.get("undated"):
        end = min(end, view.next_start(proposal.rank, proposal.start))
    met = view.overlapping(proposal.start, max(end, proposal.start + 1))
    rivals: list[Telling] = []
    for other in met:
        if other.value == body["value"]:
            ruling.checked.append((other.entry_id, Verdict("paraphrase", "slot"), "slot"))
        else:
            ruling.checked.append((other.entry_id, Verdict("contradiction", "slot"), "slot"))
            if other.entry_id not in proposal.targets:
                rivals.append(other)
    gates(context, proposal, ruling, rivals)
    immutable(context, proposal, ruling)
    if ruling.state == "admitted" and unmarked(context, proposal):
        _heard_before(proposal, ruling, view, rivals, now)
    if ruling.state == "admitted" or proposal.decided:
        times = {proposal.start, now} if proposal.start <= now < end else {proposal.start}
        _slot_losses(proposal, ruling, rivals, lambda other: _tied(proposal, other, view, times))


def _suppressed(body: dict[str, Any], view: SlotView) -> bool:
    source = body.get("source")
    if source is None or body.get("resolves"):
        return False
    return view.withdrawn(body["value"], (source, body.get("citation"), body.get("episode")))


def _heard_before(
    proposal: Proposal, ruling: Ruling, view: SlotView, rivals: list[Telling], now: int
) -> None:
    """Hold a value that was retired, or told and not admitted before what stands began, and comes back unmarked."""
    value = proposal.body["value"]
    ended = view.ended_before(value, now)
    told = NEVER if ended else view.unadmitted(value, proposal.rank, proposal.heard)
    if not ended and told == NEVER:
        return
    # What is looked at again may be of another time; only what stood when it was told makes it old news.
    when = now if ended else proposal.start
    current = view.overlapping(when, when + 1)
    if any(t.value == value and _order(t) == _order(current[0]) for t in current):
        return
    if ended:
        leading = {t.entry_id for t in current if _order(t) == _order(current[0])}
        against = [t for t in rivals if t.entry_id in leading] or rivals
        restated(ruling, against if current else [])  # what is to begin does not stand yet
    elif rivals and all(t.value != value for t in current):  # what is in force was admitted
        lead = (t for t in current if _order(t) == _order(current[0]))
        later = [t for t in lead if told < view.stands_since(t.identity, when)]
        if later:
            restated_unadmitted(ruling, later)


def _slot_losses(
    proposal: Proposal,
    ruling: Ruling,
    rivals: list[Telling],
    tied: Callable[[Telling], bool],
) -> None:
    """What becomes of each rival; ``tied`` says of one of the same order whether it is contested."""
    own = proposal.rank, proposal.order_start
    for other in rivals:
        if other.rank > proposal.rank:
            ruling.notices.append(f"outranked by {other.entry_id} while that is in force")
        elif _order(other) > own or (
            _order(other) == own and _both_defaulted(proposal, other) and proposal.earlier(other)
        ):
            ruling.notices.append(f"overridden by {other.entry_id} while that is in force")
        elif _order(other) == own and not _both_defaulted(proposal, other):
            if tied(other):
                ruling.contested_with.append(other)
        else:
            ruling.retired.append(other)
            ruling.kernels[other.entry_id] = ()


def _tied(proposal: Proposal, other: Telling, view: SlotView, times: set[int]) -> bool:
    """Whether a rival of the same order stands at some time with nothing above it, its own claim or another."""
    own = proposal.rank, proposal.order_start
    for time in sorted(times):
        leads = view.overlapping(time, time + 1)
        if any(t.entry_id == other.entry_id for t in leads) and all(
            _order(t) <= own for t in leads
        ):
            return True
    return False


def _both_defaulted(proposal: Proposal, other: Telling) -> bool:
    return other.defaulted and proposal.defaulted


def _order(telling: Telling) -> tuple[int, int]:
    return telling.rank, telling.order_start

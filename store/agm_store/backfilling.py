"""Backfill: what is there already, looked at as if it were told now, by what is declared, required and allowed now.

A belief is never retired by it: those that would not pass the gates any more are named, and each is put
before a person as a doubt (``doubts``).  What is held, and of which the gates say now that it may stand, is
admitted by an entry of the machine.  What waits for a check that did not run is for `rescan`.  How far a
pass came is on record from time to time, so that one that was killed goes on there (``cursors``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm.errors import NotDecided
from agm_store.admission import admit
from agm_store.cursors import Cursor
from agm_store.doubts import Grounds, doubted, raise_doubt
from agm_store.entries import says_nothing
from agm_store.errors import ContradictsConstraints
from agm_store.held import holding_of
from agm_store.ledger import ADMITTED
from agm_store.records import EntryId
from agm_store.rehearsing import rehearsed_in
from agm_store.reports import BackfillReport, Conflict
from agm_store.rescanning import decided, proposal_of
from agm_store.reverting import as_if_told
from agm_store.tiers import AUTO, JUDGED, Call, below_floor, tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Review
    from agm_store.proposals import Ruling
    from agm_store.receipts import Receipt

    Progress = Callable[[int, int, str], object]

CONSTRAINTS = "constraints"
RULED_OUT = "the constraints rule it out"
BACKFILL = "backfill"
"""The option under which an admission is recorded."""
_BY_THE_GATES = (
    "rival of core: ", "rival of an immutable: ", "re-statement of a retired value", "below its tier: ",
    "over budget: ", "below precision: ", "confusable name ",
)  # fmt: skip
"""How the reasons begin that the gates find anew each time; others are a caller's or a person's."""
_STANDS = ("believed", "not_in_force")


class Look(NamedTuple):
    """What came of one look: an admission, a conflict, or what was not checked."""

    admitted: Receipt | None = None
    conflict: Conflict | None = None
    not_checked: tuple[str, ...] = ()


def backfill(
    context: Context, *, budget: int | None, after: int | None, progress: Progress | None
) -> BackfillReport:
    """Look at what is there as if it were told now; see `BeliefStore.backfill`."""
    cursor = Cursor(context)
    since = cursor.start if after is None else after
    entries = context.journal.entries(owner=context.owner, after=since)
    told = [e for e in entries if e.body["op"] == "tell"]
    chosen = told if budget is None else told[:budget]
    looks: list[tuple[str, Look]] = []
    opened: list[Review] = []
    call = Call(context)
    for count, entry in enumerate(chosen, 1):
        if progress is not None:
            progress(count, len(chosen), entry.entry_id)
        look = rehearsed_in(context, call, partial(_look, context, entry, call))
        looks.append((entry.entry_id, look))
        review = None if look.conflict is None else _opened(context, look.conflict)
        if review is not None:
            opened.append(review)
        cursor.passed(entry.seq, last=entry is chosen[-1] and len(chosen) < len(told))
    if len(chosen) == len(told):
        cursor.done()
    return BackfillReport(
        opened=tuple(opened),
        admitted=tuple(look.admitted for _, look in looks if look.admitted is not None),
        conflicts=tuple(look.conflict for _, look in looks if look.conflict is not None),
        not_checked=cast(
            "Any", tuple((belief, why) for belief, look in looks for why in look.not_checked)
        ),
        looked=len(chosen),
        next=EntryId(chosen[-1].seq) if len(chosen) < len(told) else None,
    )


def _opened(context: Context, conflict: Conflict) -> Review | None:
    """Put a conflict before a person, beside what it was found to contradict; None when it was before."""
    belief, kinds = str(conflict.belief), _kinds(conflict)
    found = []
    for other in conflict.against:
        found = doubted(context, (belief, other), context.now())
        if found:
            break
    ordered = sorted(found, key=lambda s: (s.telling.order_start, s.telling.seq), reverse=True)
    names = tuple(side.entry.entry_id for side in ordered) or (belief,)
    if not found and not conflict.why:
        return None
    said = tuple(conflict.why) or (f"{names[0]} and {names[1]} contradict each other",)
    why = (RULED_OUT,) if conflict.ruled_out else said
    return raise_doubt(context, Grounds(names, kinds, why, "backfill"), BACKFILL)


def _kinds(conflict: Conflict) -> tuple[str, ...]:
    """The kinds of reasons of a conflict: how it reads, and what the gates say without what they name."""
    reads = () if conflict.standing in _STANDS else (conflict.standing,)
    if conflict.ruled_out:
        return (CONSTRAINTS,)
    return (*(reason.partition(":")[0] for reason in conflict.why), *reads)


def _look(context: Context, entry: Entry, call: Call) -> Look:
    with context.writing() as now:
        ledger = context.ledger_of(entry)
        telling = ledger.tellings.get(entry.entry_id)
        if telling is None or telling.withdrawn or says_nothing(entry.body):
            return Look()
        if ledger.interval(telling)[1] <= now:
            return Look()
        if telling.state == "held":
            return _held(context, entry, ledger, call, now)
        if telling.state != ADMITTED or telling.derived:
            return Look()
        return _believed(context, entry, telling, call)


def _held(context: Context, entry: Entry, ledger: Ledger, call: Call, now: int) -> Look:
    """Admit what is held, when the gates that held it let it pass now, and it retires nothing by a directive."""
    holding = holding_of(context, entry, ledger)
    if holding is None or holding.undone or "resolves" in entry.body or not _rulable(holding.why):
        return Look()
    proposal = proposal_of(context, ledger, entry, [])
    proposal.call = proposal.call or Call(context, machine="source" in entry.body, asker=call.asker)
    try:
        ruling = admit(context, proposal, now)
    except ContradictsConstraints:
        return Look()
    if ruling.unrun:
        return Look(not_checked=tuple(check.why for check in ruling.unrun))
    if ruling.state != ADMITTED or ruling.resolves:
        return Look()
    return Look(admitted=decided(context, entry, ruling, [], now, option=BACKFILL))


def _rulable(why: Iterable[str]) -> bool:
    """Whether every reason is one that the gates would find again."""
    return all(reason.startswith(_BY_THE_GATES) for reason in why)


def _believed(context: Context, entry: Entry, telling: Telling, call: Call) -> Look:
    """Whether what is in force would be taken in now, and how it reads."""
    from agm_store.worlds import world_now

    proposal = as_if_told(context, entry, telling.mode)
    proposal.place, proposal.call = telling, call
    now = context.now()
    try:
        ruling = admit(context, proposal, now)
        standing = world_now(context, now).standing(entry.entry_id).standing
    except ContradictsConstraints as error:
        return Look(conflict=_conflict(entry, "overridden", (), (str(error),), ruled_out=True))
    except NotDecided as error:
        return Look(not_checked=(f"whether it is believed was not decided: {error.reason}",))
    if ruling.unrun:
        return Look(not_checked=tuple(check.why for check in ruling.unrun))
    why = (*ruling.why, *_by_policy(context, telling))
    if ruling.state != "held" and standing in _STANDS and not why:
        return Look()
    return Look(conflict=_conflict(entry, standing, _against(entry, ruling), why))


def _by_policy(context: Context, telling: Telling) -> list[str]:
    """Why a machine would not apply now what it applied when a statement was told."""
    body = telling.body
    gone = sorted({t for d in telling.resolves for t in d["tellings"]})
    if "decided_by" not in body or not gone:
        return []
    sure = body.get("certainty")
    word = tier(context.policy, [sure])
    judged = word == JUDGED and JUDGED in body["decided_by"].split(", ")
    if word != AUTO and not judged:
        how = "without a confidence" if sure is None else f"at confidence {sure:g}"
        who = "the judge" if word == JUDGED else "a person"
        return [f"below its tier: it retired {', '.join(gone)} {how}, which is for {who} now"]
    floor = below_floor(context, body["verdict"])
    return [] if floor is None else [floor]


def _against(entry: Entry, ruling: Ruling) -> tuple[str, ...]:
    """What the checks found it to contradict."""
    found = {b for b, verdict, _ in ruling.checked if verdict.kind == "contradiction"}
    return tuple(sorted(found - {entry.entry_id}))


def _conflict(
    entry: Entry,
    standing: str,
    against: tuple[str, ...],
    why: tuple[str, ...],
    *,
    ruled_out: bool = False,
) -> Conflict:
    return Conflict(
        ruled_out=ruled_out,
        belief=cast("Any", entry.entry_id),
        standing=cast("Any", standing),
        against=cast("Any", against),
        why=why,
    )

"""Truth maintenance: what is recorded of what a write does to the conclusions and artefacts that rest on it.

`follow` runs at the end of each write, in its transaction, whatever verb wrote.  It costs one look-up
where nothing rests on what was touched, and otherwise grows with what rests on it and with what that
rests on in turn (`downstream`).  What is believed is read by the one reading rule; which steps follow is
decided by `agm_propagation.consequences`, and each step is an entry that names its cause (`flagging`).
Source: J. Doyle, A truth maintenance system (1979).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_propagation.consequences import Raise, Withdraw, consequences
from agm_store.components import component
from agm_store.conclusions import affected_by, held_once
from agm_store.downstream import CAP, downstream, moved_by
from agm_store.flagging import record_steps, without_dismissed
from agm_store.flags import Place, dismissed, standing
from agm_store.lagging import but_as_before
from agm_store.siblings import siblings
from agm_store.touches import ALIASES, DERIVED, RESTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_propagation.consequences import Step
    from agm_store.context import Context
    from agm_store.downstream import Downstream
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger
    from agm_store.listings import Flagged
    from agm_store.reading import Reading

_OWN = ("flag", "clear", "attempt", "retry", "doubt", "settle", "compared", "looked")
"""Entries that move no belief."""


class Followed(NamedTuple):
    """What a write did downstream: the flags that it raised, and the conclusions that the policy withdrew."""

    flags: tuple[Flagged, ...] = ()
    withdrawn: tuple[str, ...] = ()


def follow(context: Context, written: Sequence[Entry], now: int) -> Followed:
    """Record what a write does downstream."""
    moving = [e for e in written if e.body["op"] not in _OWN]
    if not moving or not context.journal.touched(context.owner, DERIVED):
        return Followed()
    moved = moved_by(context, moving)
    if not moved or (len(moving) == 1 and _stands_on_its_own(context, moving[0], moved, now)):
        return Followed()
    reach = downstream(context, moved)
    steps: list[Step] = []
    if reach.conclusions or reach.artefacts:
        try:
            steps = _steps(context, reach, moving, now)
        except NotDecided:
            steps = []  # nothing is known, so nothing is flagged; a sweep looks at every conclusion again
    raised = record_steps(context, steps, now, cause=_head(moving[0]))
    withdrawn = tuple(s.belief for s in steps if isinstance(s, Withdraw))
    below = {e.entry_id for e in reach.conclusions}
    for entry in moving:  # each correction of a batch is undone by itself, with its flags
        steps = consequences((), {}, siblings=siblings(context, entry, below))
        raised += record_steps(context, steps, now, cause=_head(entry))
    return Followed(tuple(raised), withdrawn)


def _head(entry: Entry) -> int:
    """The entry that a flag is undone with: one that moved something, or what that was written because of."""
    seq: int = entry.body.get("cause", entry.seq)
    return seq


def _stands_on_its_own(context: Context, entry: Entry, moved: set[str], now: int) -> bool:
    """Whether a write is one plain telling or conclusion on which nothing rests, and which is supported."""
    body = entry.body
    if body["op"] != "tell" or "resolves" in body or "on" in body:
        return False
    if any(context.journal.touched(context.owner, RESTS + token) for token in moved):
        return False
    if "because" not in body:
        return all(context.plain(token) for token in moved)
    if body["state"] != "admitted" or len(moved) > 1:
        return False
    others = context.journal.touching(context.owner, sorted(moved), upto=entry.seq - 1)
    if others:  # what is believed already, stays so
        return others[0].body["op"] == "tell" and _surely_believed(context, others[0].entry_id, now)
    return all(_surely_believed(context, premise, now) for premise in body["because"])


def _surely_believed(context: Context, premise: str, now: int) -> bool:
    """Whether a belief is believed for sure, seen from its own slot and its flags alone."""
    entry = context.telling_entry(premise)
    slot = entry.body.get("slot")
    if slot is None or not entry.body.keys().isdisjoint(("inherits", "resolves", "on")):
        return False  # what is read elsewhere bears on it
    if context.plain(slot):
        head = context.journal.head().count
        segment = context.journal.segment(context.owner, slot, now, head)
        if segment is None or len(segment.believed) != 1:
            return False
        leading = context.journal.entry(segment.believed[0])
        return leading is not None and context.identity(leading) == context.identity(entry)
    ruled = context.ruled_predicates()
    if ruled and slot.partition("(")[0] in ruled:
        return False
    ledger = context.ledger([slot])
    told = ledger.slots.get(context.slot(slot), ())
    alone = len(told) == len(ledger.tellings) and not ledger.contracts
    if not alone or len({t.value for t in ledger.tellings.values()}) > 1:
        return False
    telling = ledger.tellings.get(premise)
    if telling is None or not ledger.in_force(telling, now):
        return False
    places = [Place(premise)]
    return not standing(context, places) and not dismissed(context, places)


def _steps(context: Context, reach: Downstream, moving: Sequence[Entry], now: int) -> list[Step]:
    around = component(
        context.journal, context.owner, reach.tokens, whole=False, cap=len(reach.tokens) + CAP
    )
    ledger, reading = _read(context, around, now)
    flags = _flags_on(context, reach)
    lost = [e for e in reach.conclusions if reading.standing.get(e.entry_id) == "unsupported"]
    before: Reading | None = None
    if lost or reach.artefacts:
        before = _read(context, around, now, upto=moving[0].seq - 1)[1]
    once = held_once(ledger) if context.policy.unsupported == "retract" else frozenset()
    affected = [affected_by(ledger, reading, before, e, now, once=once) for e in reach.conclusions]
    steps = consequences(
        affected,
        flags,
        artefacts=_artefacts(context, reach.artefacts, before, reading),
        regained=_regained(context, reach.artefacts, reading),
        policy=context.policy.unsupported,
    )
    back = moving[0].body["op"] == "revert"  # what it restores was seen before
    if back and steps:
        then = moving[0].body["target"] - 1
        steps = but_as_before(context, steps, _read(context, around, now, upto=then)[1], then)
    stale = [s for s in steps if isinstance(s, Raise) and (back or not s.fresh)]
    return without_dismissed(context, stale, steps)


def _read(
    context: Context, tokens: Sequence[str], now: int, *, upto: int | None = None
) -> tuple[Ledger, Reading]:
    from agm_store.outcomes import consolidated

    if upto is not None and context.raw.touched(context.owner, ALIASES):
        context = context.as_known(upto)
    ledger = context.ledger(tokens, upto=upto)
    return ledger, consolidated(context, ledger, now)


def _flags_on(context: Context, reach: Downstream) -> dict[str, frozenset[str]]:
    places = [Place(e.entry_id) for e in reach.conclusions]
    found: dict[str, set[str]] = {}
    for flag in standing(context, places):
        found.setdefault(flag.on, set()).add(flag.kind)
    return {on: frozenset(kinds) for on, kinds in found.items()}


def _artefacts(
    context: Context, versions: Iterable[Entry], before: Reading | None, after: Reading
) -> dict[str, list[str]]:
    """For each artefact in its latest version what it rests on and is no longer believed, if no flag says so."""
    found: dict[str, list[str]] = {}
    if before is None:
        return found
    held = {t.identity for t in after.kept}
    stood = {t.identity for t in before.kept}
    for entry in _latest(context, versions):
        place = Place(entry.body["artefact"], artefact=True)
        premises = [context.telling_entry(p) for p in entry.body["because"]]
        gone = {
            p.entry_id
            for p in premises
            if (claim := context.identity(p)) in stood and claim not in held
        }
        gone -= {lost for flag in standing(context, [place]) for lost in flag.because}
        if gone:
            found[place.name] = sorted(gone)
    return found


def _regained(context: Context, versions: Iterable[Entry], after: Reading) -> dict[str, list[str]]:
    """For each artefact in its latest version the flags of which everything that was lost is believed again."""
    held = {t.identity for t in after.kept}
    found: dict[str, list[str]] = {}
    for entry in _latest(context, versions):
        name = entry.body["artefact"]
        for flag in standing(context, [Place(name, artefact=True)]):
            if all(context.identity(context.telling_entry(b)) in held for b in flag.because):
                found.setdefault(name, []).append(flag.id)
    return found


def _latest(context: Context, versions: Iterable[Entry]) -> list[Entry]:
    """Those versions that no later one of their artefact followed."""
    from agm_store.artefacts import latest

    found = []
    for entry in versions:
        last = latest(context, entry.body["artefact"])
        if last is not None and last.seq == entry.seq:
            found.append(entry)
    return found

"""Doubts: what a pass over beliefs that stand found against them, put before a person.

A doubt is an entry that names one belief, or two that cannot both stand, and what was found.  It changes
nothing by itself.  It waits in the inbox while its sides stand, and is settled once by an option of its
review: one side is kept and the other retired, or both stay.  One revert undoes a settlement.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm_store.context import tokens_of
from agm_store.entries import FOREVER, moment
from agm_store.errors import StaleReview
from agm_store.gates import mark_of_expiry
from agm_store.held import EXPIRED, MACHINE
from agm_store.listings import Review
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.touches import UNDOES
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling

DOUBTS = "@doubt"
"""The mark of doubts and of what settles them."""
ABOUT = "@doubt "
"""Before the id of a belief: the mark of the doubts about it and of what settles them."""
KEEP_NEW, KEEP_OLD, WITHDRAW = "keep the new", "keep the old", "withdraw"
SETTLING = (KEEP_NEW, KEEP_OLD, WITHDRAW)
"""Options that only the review of a doubt has."""
DISMISS = "dismiss"


class Grounds(NamedTuple):
    """What a doubt rests on, as a pass found it: the beliefs, kinds of reasons, in which words, by which route."""

    beliefs: tuple[str, ...]
    kinds: tuple[str, ...]
    why: tuple[str, ...]
    route: str
    sure: float | None = None


class Doubted(NamedTuple):
    """A belief in doubt that stands: the entry of the telling that speaks for it, and its fold."""

    entry: Entry
    ledger: Ledger
    telling: Telling


def marks_of(beliefs: Iterable[str]) -> list[str]:
    """The marks by which a doubt about some beliefs is found."""
    return [DOUBTS, *(ABOUT + belief for belief in sorted(beliefs))]


class Known:
    """The doubts of an owner, by some marks, and what became of each."""

    def __init__(self, context: Context, marks: Iterable[str] = (DOUBTS,)) -> None:
        self._context = context
        run = _run(context, marks)
        void = voided(run)
        self.doubts = [e for e in run if e.body["op"] == "doubt"]
        self.settled = {
            e.body["doubt"]: e for e in run if e.body["op"] == "settle" and e.seq not in void
        }
        self._void = void
        self._since: dict[int, int] = {}
        settles = {e.seq: e for e in run if e.body["op"] == "settle"}
        for entry in run:
            if entry.body["op"] == "revert" and entry.seq not in void:
                self._reopened(entry, settles)

    def _reopened(self, revert: Entry, settles: dict[int, Entry]) -> None:
        for entry in settles.values():
            if revert.body["target"] in (entry.seq, entry.body.get("cause")):
                self._since[entry.body["doubt"]] = revert.recorded_at

    def open(self) -> list[Entry]:
        """The doubts that nobody settled or took back."""
        return [d for d in self.doubts if d.seq not in self.settled and d.seq not in self._void]

    def since(self, doubt: Entry) -> int:
        """From when on a doubt waits."""
        return max(doubt.recorded_at, self._since.get(doubt.seq, 0))

    def asked(self, found: Grounds) -> bool:
        """Whether a finding waits already, or was put before a person for the same kinds of reasons."""
        key = self._key(found.beliefs)
        waiting = {d.seq for d in self.open()}
        return any(
            d.seq in waiting or set(found.kinds) <= set(d.body["found"])
            for d in self.doubts
            if self._key(d.body["beliefs"]) == key
        )

    def about(self, beliefs: Iterable[str]) -> bool:
        """Whether exactly these beliefs were put before a person, for whatever reason."""
        key = self._key(beliefs)
        return any(self._key(d.body["beliefs"]) == key for d in self.doubts)

    def _key(self, beliefs: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(_key_of(self._context, belief) for belief in beliefs))


def _run(context: Context, marks: Iterable[str]) -> list[Entry]:
    """The doubts and settlements, with the reverts that undo them or what they were written because of."""
    journal, owner = context.journal, context.owner
    found = {e.seq: e for e in journal.touching(owner, marks)}
    wanted = {e.body["cause"] for e in found.values() if "cause" in e.body}
    while wanted:
        more = journal.touching(owner, [f"{UNDOES}{seq}" for seq in sorted(wanted)])
        wanted = {e.seq for e in more} - found.keys()
        found.update((e.seq, e) for e in more)
    return [found[seq] for seq in sorted(found)]


def _key_of(context: Context, belief: str) -> str:
    """What a doubt is about, where a text was filed anew as a telling of another since."""
    entry = context.telling_entry(belief)
    if "claim" in entry.body:
        return belief
    ledger = context.ledger_of(entry)
    head = ledger.head_of(belief) or ledger.tellings.get(belief)
    return belief if head is None else head.identity


def _marks_near(context: Context, beliefs: Iterable[str]) -> list[str]:
    """The marks of all doubts that may be about some beliefs, whichever telling of a text they name."""
    names: set[str] = set(beliefs)
    for belief in list(names):
        entry = context.telling_entry(belief)
        if "claim" not in entry.body:
            names |= context.ledger_of(entry).tellings.keys()
    return [ABOUT + name for name in sorted(names)]


def asked_about(context: Context, beliefs: Sequence[str]) -> bool:
    """Whether a person was asked about some beliefs together, whatever became of it."""
    return Known(context, _marks_near(context, beliefs)).about(beliefs)


def raise_doubt(context: Context, found: Grounds, by: str) -> Review | None:
    """Put a finding before a person; None when it was before, or its sides do not stand any more."""
    with context.writing() as now:
        known = Known(context, _marks_near(context, found.beliefs))
        if known.asked(found) or not doubted(context, found.beliefs, now):
            return None
        body: Body = {
            "op": "doubt",
            "beliefs": list(found.beliefs),
            "by": by,
            "found": sorted(set(found.kinds)),
            "why": list(found.why),
            "route": found.route,
            "on": [],
            "marks": marks_of(found.beliefs),
        }
        if found.sure is not None:
            body["certainty"] = found.sure
        entry = context.append(context.free_id("q"), now, body)
        return _review(context, entry, now, now)


def doubts(context: Context) -> list[Review]:
    """The reviews of the doubts that wait, oldest first."""
    now, known = context.now(), Known(context)
    found = (_review(context, entry, known.since(entry), now) for entry in known.open())
    return [review for review in found if review is not None]


def expired(context: Context) -> list[str]:
    """The new side of each doubt that is dismissed because nobody decided in time."""
    known = Known(context)
    late = {seq for seq, e in known.settled.items() if e.body["option"] == EXPIRED}
    return [d.body["beliefs"][0] for d in known.doubts if d.seq in late]


def doubt_review(context: Context, entry: Entry, now: int) -> Review | None:
    """The review of one doubt; None when nothing is to be decided of it."""
    known = Known(context, entry.body["marks"][1:])
    if entry.seq not in {e.seq for e in known.open()}:
        return None
    return _review(context, entry, known.since(entry), now)


def doubted(context: Context, beliefs: Iterable[str], now: int) -> list[Doubted]:
    """The beliefs in doubt, the new one first; empty when one of them does not stand or they never meet."""
    found = [_doubted(context, belief, now) for belief in beliefs]
    stand = [side for side in found if side is not None]
    if len(stand) < len(found) or len({s.telling.identity for s in stand}) < len(found):
        return []
    spans = [s.ledger.interval(s.telling) for s in stand]
    meet = max(low for low, _ in spans) < min(high for _, high in spans)
    return stand if meet else []


def _doubted(context: Context, belief: str, now: int) -> Doubted | None:
    entry = context.telling_entry(belief)
    ledger = context.ledger_of(entry)
    telling = ledger.tellings.get(belief)
    if telling is not None and telling.claim is None:
        telling = ledger.head_of(belief)  # the text may have been filed anew
    if telling is None or not telling.live or telling.redacted:
        return None
    low, high = ledger.interval(telling)
    if high <= max(low, now):
        return None
    if telling.entry_id != belief:
        entry = context.telling_entry(telling.entry_id)
        ledger = context.ledger_of(entry)
    return Doubted(entry, ledger, ledger.tellings[entry.entry_id])


def _review(context: Context, entry: Entry, since: int, now: int) -> Review | None:
    from agm.verdicts import Verdict
    from agm_store.sides import side_in
    from agm_store.telling import belief_of

    found = doubted(context, entry.body["beliefs"], now)
    if not found:
        return None
    shown = [
        side_in(s.ledger, s.telling, standing=standing_now(context, s), valid=now) for s in found
    ]
    pair = len(found) > 1
    last = (context.journal.touching(context.owner, tokens_of(s.entry))[-1].seq for s in found)
    kind = "contradiction" if pair or "constraints" in entry.body["found"] else "unrelated"
    return Review(
        id=entry.entry_id,
        new=shown[0],
        old=shown[1] if pair else None,
        machine=Verdict(
            cast("Any", kind), entry.body["route"], confidence=entry.body.get("certainty")
        ),
        not_checked=(),
        options=(KEEP_NEW, KEEP_OLD, DISMISS) if pair else (WITHDRAW, DISMISS),
        why=tuple(entry.body["why"]),
        known=EntryId(max(*last, entry.seq, _touched(context, entry))),
        certificate=tuple(belief_of(context, s.entry.entry_id, s.telling.body) for s in found[1:]),
        since=moment(since),
        age=timedelta(microseconds=max(now - since, 0)),
        tried=_tried(context),
    )


def _tried(context: Context) -> Any:  # noqa: ANN401  what a review takes
    from agm_store.reviews import would

    return lambda review, option: would(context, review, option)


def _touched(context: Context, entry: Entry) -> int:
    """The last settlement of a doubt, undone or not."""
    run = context.journal.touching(context.owner, entry.body["marks"][1:])
    return max((e.seq for e in run if e.body.get("doubt") == entry.seq), default=0)


def standing_now(context: Context, side: Doubted) -> str:
    """How a side reads now; "contested" where the check did not run, for then it is in doubt indeed."""
    from agm.errors import NotDecided
    from agm_store.worlds import world_now

    world = world_now(context)
    try:
        return str(world.standing(side.entry.entry_id).standing)
    except NotDecided:
        return "contested"


def settle(
    context: Context, review: Review, option: str, now: int, *, note: str = "", **more: object
) -> Receipt:
    """Record one option of a doubt's review, and carry it out; ``more`` are further fields of the entry."""
    from agm_store.statements import checked_text
    from agm_store.telling import loss

    doubt = context.journal.find(context.owner, review.id)
    found = [] if doubt is None else doubted(context, doubt.body["beliefs"], now)
    if doubt is None or not found:
        raise StaleReview(review.id)
    body: Body = {
        "op": "settle",
        "doubt": doubt.seq,
        "option": option,
        "on": [],
        "marks": doubt.body["marks"],
        **more,
    }
    if note:
        body["note"] = checked_text("note", note)
    written = context.append(context.free_id("d"), now, body)
    cause = body.get("cause", written.seq)
    kept, gone = _kept_and_gone(found, option)
    lost = (
        [] if gone is None else _retire(context, gone, kept, now, _because(review.id, kept, cause))
    )
    by = "by its age: nobody decided" if body.get("by") == MACHINE else f"by {context.owner}"
    stay = "" if lost else "; what was in doubt stays as it is"
    return Receipt(
        belief=cast("BeliefId", (kept or gone or found[0]).entry.entry_id),
        entry=EntryId(written.seq),
        status="active" if kept or gone is None else "retracted",
        retired=tuple(
            loss(context, t, [] if kept is None else [kept.entry.entry_id]) for t in lost
        ),
        notices=(f"settled {by}{stay}",),
    )


def _kept_and_gone(found: list[Doubted], option: str) -> tuple[Doubted | None, Doubted | None]:
    if option == WITHDRAW:
        return None, found[0]
    if option not in (KEEP_NEW, KEEP_OLD):
        return None, None
    new, old = found
    return (new, old) if option == KEEP_NEW else (old, new)


def _because(doubt: str, kept: Doubted | None, cause: int) -> Body:
    """What the entries that settle a doubt say of it."""
    instead = "" if kept is None else f", and {kept.entry.entry_id} is kept"
    return {"cause": cause, "note": f"doubt {doubt} was settled{instead}"}


def _retire(
    context: Context, gone: Doubted, kept: Doubted | None, now: int, why: Body
) -> list[Telling]:
    """End a belief where a later one that is kept starts; else withdraw all its tellings that it overlaps."""
    from agm_store.retiring import overlapping_tellings

    ended = [] if kept is None else ended_by(context, gone, kept, now, why)
    if ended:
        return ended
    lost = overlapping_tellings(gone.ledger, gone.telling)
    for each in lost:
        on = tokens_of(context.telling_entry(each.entry_id))
        withdrawal: Body = {"op": "retract", "target": each.entry_id, "on": on}
        context.append(context.free_id("r"), now, withdrawal | why)
    return lost


def ended_by(context: Context, gone: Doubted, kept: Doubted, now: int, why: Body) -> list[Telling]:
    """End a belief where a later one that is kept starts; nothing where the world may not have moved on to that."""
    from agm_store.retiring import ended_tellings

    ledger, telling, at = gone.ledger, gone.telling, kept.telling.start
    if not _later(kept.telling, telling):
        return []
    ended = ended_tellings(ledger, telling, at)
    body: Body = {
        "op": "expire",
        "target": telling.entry_id,
        "at": at,
        "tellings": [t.entry_id for t in ended],
        "marks": [mark_of_expiry(telling.identity)],
        "on": tokens_of(gone.entry),
    }
    context.append(context.free_id("x"), now, body | why)
    return ended


def _later(kept: Telling, gone: Telling) -> bool:
    """Whether the world may have moved on from one belief to another that is kept."""
    dated = not (kept.undated or gone.undated or gone.derived)
    return dated and gone.told_end == FOREVER and gone.start < kept.start

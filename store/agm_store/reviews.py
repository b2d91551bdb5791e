"""What waits for a person, as reviews: what is held, and what was retired with nothing in its place.

A review names the newcomer, the side it conflicts with, what the machine found and the options that make
sense.  Reading them writes nothing; what an option would do is only tried out when it is asked for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agm_store.entries import moment
from agm_store.held import Reads, held
from agm_store.listings import Review
from agm_store.records import EntryId
from agm_store.sides import side_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm.beliefs import Belief
    from agm.verdicts import Verdict
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.held import Holding
    from agm_store.ledger import Ledger, Telling
    from agm_store.receipts import Blast

APPROVE, AS_CORRECTION, DISMISS = "approve", "approve as correction", "dismiss"
APPLY, TELL_ONLY = "apply its directive", "believe it without its directive"
EDIT, REVIVE = "edit and approve", "revive"


def inbox(context: Context) -> list[Review]:
    """The reviews that wait for a decision, oldest first."""
    from agm_store.doubts import doubts

    now, reads = context.now(), Reads(context)
    found = [
        _review(context, holding, ledger, now, reads) for holding, ledger in held(context, reads)
    ]
    return sorted(found + doubts(context), key=_age)


def _age(review: Review) -> timedelta:
    return -review.age if review.age is not None else timedelta(0)


def review_of(context: Context, belief: str, now: int, reads: Reads | None = None) -> Review | None:
    """The review of one held belief, or of one doubt; None when nothing is to be decided of it.

    ``reads`` are shared by reviews between which nothing is written.
    """
    doubt = context.journal.find(context.owner, belief)
    if doubt is not None and doubt.body["op"] == "doubt":
        from agm_store.doubts import doubt_review

        return doubt_review(context, doubt, now)
    entry = context.telling_entry(belief)
    known = reads or Reads(context)
    ledger, waiting = known.of(entry)
    holding = waiting.get(entry.seq)
    return None if holding is None else _review(context, holding, ledger, now, known)


def _review(context: Context, holding: Holding, ledger: Ledger, now: int, reads: Reads) -> Review:
    telling = ledger.tellings[holding.told.entry_id]
    theirs, old = _other_side(context, reads, ledger, holding, now)
    standing = "not_in_force" if old is None or not theirs.in_force(old, now) else "believed"
    return Review(
        id=telling.entry_id,
        new=side_in(ledger, telling, standing="not_in_force", valid=now),
        old=None if old is None else side_in(theirs, old, standing=standing, valid=now),
        machine=_machine(holding),
        not_checked=tuple(holding.by.body.get("not_checked", ())),
        options=_options(ledger, telling, old),
        why=holding.why,
        # The last entry that touches the sides: when it moves, the review is stale.
        known=EntryId(max(map(reads.last, (holding.told, *_met(context, holding))))),
        certificate=_certificate(context, holding),
        since=moment(holding.since),
        age=timedelta(microseconds=max(now - holding.since, 0)),
        tried=lambda review, option: would(context, review, option),
    )


def would(context: Context, review: Review, option: str) -> Blast:
    """What an option of a review would do; see `Review.would`."""
    from agm_store.blast import tried
    from agm_store.reviewing import decide

    def act() -> Entry:
        count = context.journal.head().count
        decide(context, review, option)
        return next(iter(context.journal.entries(owner=context.owner, after=count)))

    return tried(context, act)


def _machine(holding: Holding) -> Verdict:
    from agm.verdicts import Verdict

    body = holding.by.body
    sure = body.get("certainty")
    for _, kind, route in body.get("checks", ()):
        if kind == "contradiction":
            return Verdict("contradiction", route, confidence=sure)
    if body.get("not_checked"):
        return Verdict("undecided", "none", reason="; ".join(body["not_checked"]))
    return Verdict("unrelated", "none")


def _certificate(context: Context, holding: Holding) -> tuple[Belief, ...]:
    """The beliefs that the newcomer was found to contradict."""
    from agm_store.telling import belief_of

    return tuple(belief_of(context, e.entry_id, e.body) for e in _met(context, holding))


def _met(context: Context, holding: Holding) -> list[Entry]:
    """The tellings that the newcomer was found to contradict."""
    rows = holding.by.body.get("checks", ())
    ids = dict.fromkeys(row[0] for row in rows if row[1] == "contradiction")
    found = (context.journal.find(context.owner, belief) for belief in ids)
    return [e for e in found if e is not None and e.body["op"] == "tell"]


def _other_side(
    context: Context, reads: Reads, ledger: Ledger, holding: Holding, now: int
) -> tuple[Ledger, Telling | None]:
    """What the newcomer meets, with its fold: its directive's target, else the strongest rival where it would be."""
    telling = ledger.tellings[holding.told.entry_id]
    for directive in telling.resolves:
        target = directive["target"]
        theirs = _fold_of(context, ledger, target, reads)
        return theirs, theirs.tellings.get(target)
    rivals = [c[0] for c in holding.by.body.get("checks", ()) if c[1] == "contradiction"]
    folds = [(_fold_of(context, ledger, rival, reads), rival) for rival in rivals]
    heads = [(theirs, theirs.head_of(rival)) for theirs, rival in folds]
    found = [(theirs, head) for theirs, head in heads if head is not None and head.admitted]
    if not found and telling.slot is not None:
        found = [
            (ledger, t)
            for t in ledger.slots[telling.slot]
            if t is not telling and ledger.in_force(t, now) and t.value != telling.value
        ]
    best = max(found, key=lambda f: (f[1].rank, f[1].order_start, f[1].seq), default=None)
    return (ledger, None) if best is None else best


def _fold_of(context: Context, ledger: Ledger, belief: str, reads: Reads) -> Ledger:
    """The fold that a belief is told in: that of the newcomer where it touches the same, else its own."""
    entry = None if belief in ledger.tellings else context.journal.find(context.owner, belief)
    return ledger if entry is None else reads.of(entry)[0]


def _options(ledger: Ledger, telling: Telling, old: Telling | None) -> tuple[str, ...]:
    edit = () if telling.derived else (EDIT,)
    if any(d.get("tellings") for d in telling.resolves):
        return (APPLY, TELL_ONLY, *edit, DISMISS)
    if old is None or not old.live or ledger.tellings.get(old.entry_id) is None:
        return (APPROVE, *edit, DISMISS)
    return (APPROVE, AS_CORRECTION, *edit, DISMISS)


def retired(context: Context) -> list[Review]:
    """Beliefs that some entry retired with nothing in their place, in order of recording, each with its revival."""
    now = context.now()
    ledger = context.fold(context.journal.entries(owner=context.owner))
    reads = Reads(context)
    found = (_retired(context, ledger, t, now, reads) for t in _without_successor(ledger, now))
    return [review for review in found if review is not None]


def retired_review(context: Context, belief: str, now: int) -> Review | None:
    """The review of one belief that was retired with nothing in its place; None when it was not."""
    ledger = context.ledger_of(context.telling_entry(belief))
    telling = next((t for t in _without_successor(ledger, now) if t.entry_id == belief), None)
    return None if telling is None else _retired(context, ledger, telling, now, Reads(context))


def _without_successor(ledger: Ledger, now: int) -> Iterator[Telling]:
    for telling in ledger.tellings.values():
        if telling.admitted and ledger.status(telling.entry_id, now) in ("retracted", "expired"):
            yield telling


def retiring(ledger: Ledger, telling: Telling) -> int | None:
    """The entry that withdrew or ended a telling; None when its own words ended it."""
    return telling.retired_by if telling.withdrawn else ledger.ended(telling)[1]


def _retired(
    context: Context, ledger: Ledger, telling: Telling, now: int, reads: Reads
) -> Review | None:
    seq = retiring(ledger, telling)
    entry = None if seq is None else context.journal.entry(seq)
    if entry is None:
        return None
    word = ledger.status(telling.entry_id, now)
    note = entry.body.get("note")
    return Review(
        id=telling.entry_id,
        new=side_in(ledger, telling, standing="not_in_force", valid=now),
        old=None,
        machine=None,
        not_checked=(),
        options=(REVIVE,),
        why=(f"{word} by entry {entry.seq}" + (f": {note}" if note else ""),),
        known=EntryId(reads.last(context.telling_entry(telling.entry_id))),
        since=moment(entry.recorded_at),
        age=timedelta(microseconds=max(now - entry.recorded_at, 0)),
        tried=lambda review, option: would(context, review, option),
    )

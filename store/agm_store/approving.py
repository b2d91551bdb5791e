"""What an approval does to what a newcomer was found to contradict only after it had been told.

A telling names what it contradicts in words, so that the two are read together.  What a later look found of
a held one it does not name, and both would stand.  So the approval ends the other where the world may have
moved on, by an entry of its own that is undone with the decision; where it may not, the two are a doubt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.doubts import Grounds, doubted, ended_by, raise_doubt, standing_now
from agm_store.entries import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.context import Context
    from agm_store.doubts import Doubted
    from agm_store.entries import Body
    from agm_store.ledger import Telling
    from agm_store.listings import Review

BY = "review"


class Settled(NamedTuple):
    """What became of the other sides: what was ended, and what is said of the rest."""

    ended: tuple[Telling, ...] = ()
    notices: tuple[str, ...] = ()


def settle_found(
    context: Context, review: Review, done: Iterable[str], cause: int, now: int
) -> Settled:
    """End, or put in doubt, what an approved belief contradicts and is not read together with.

    ``done`` are tellings that the approval retired otherwise; ``cause`` is the entry to be undone with.
    """
    passed = set(done)
    ended: list[Telling] = []
    left: list[str] = []
    for other in sorted({str(belief.id) for belief in review.certificate} - passed):
        met = _met(context, review.id, other, passed, now)
        if met is None:
            continue
        new, old = met
        note = f"{review.id} was approved, which contradicts it"
        why: Body = {"cause": cause, "note": note}
        lost = ended_by(context, old, new, now, why) if new.telling.told_end == FOREVER else []
        ended += lost
        passed.update(t.entry_id for t in lost)
        if not lost:
            left.append(other)
    notices = []
    for other in left:
        met = _met(context, review.id, other, passed, now)
        if met is None or standing_now(context, met[1]) == "unsupported":
            continue
        said = (
            f"{review.id} and {other} contradict each other, and one was approved beside the other"
        )
        if raise_doubt(
            context, Grounds((review.id, other), ("approved",), (said,), "entailment"), BY
        ):
            notices.append(f"{said}: a doubt in the inbox")
    return Settled(tuple(ended), tuple(notices))


def _met(
    context: Context, approved: str, other: str, passed: set[str], now: int
) -> tuple[Doubted, Doubted] | None:
    """Both sides, where they stand, are in force together at some time, and nothing reads them together."""
    found = doubted(context, (approved, other), now)
    if not found or found[1].telling.entry_id in passed or _read_together(*found):
        return None
    return found[0], found[1]


def _read_together(new: Doubted, old: Doubted) -> bool:
    """Whether claims decide between two, or one names the other as what it contradicts."""
    if new.telling.claim is not None and old.telling.claim is not None:
        return True
    return _names(new, old) or _names(old, new)


def _names(one: Doubted, other: Doubted) -> bool:
    tellings = one.ledger.tellings
    named = [tellings[n] for n in one.telling.body.get("contradicts", ()) if n in tellings]
    return other.telling.identity in {t.identity for t in named}

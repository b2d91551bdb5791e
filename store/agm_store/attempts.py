"""Attempts: what a principal tried to do with a belief of somebody else, kept in that principal's own journal.

An attempt says no more than the error did.  An id that is not shared is unknown, whoever has it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from agm_store.blanking import GONE
from agm_store.entries import moment
from agm_store.errors import JournalError, NotOwner, shorten
from agm_store.records import Attempt, EntryId
from agm_store.shares import readable

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.errors import StoreError, UnknownBelief

REFUSED = "@refused"
"""The mark of attempts."""
CHANGING = frozenset(("correct", "update", "retract", "expire", "share", "unshare", "redact"))
"""The verbs that belong to the owner of a belief."""


def refuse_foreign(context: Context, verb: str, belief: object) -> None:
    """Refuse what a verb tried with a belief that is shared for reading, and keep the attempt.

    Raises:
        NotOwner: the belief is shared with the principal, who may not change it.
    """
    found = readable(context, belief)
    if found is None:
        return
    error = NotOwner(belief, found[0].owner)
    with suppress(JournalError):  # where nothing can be written, nothing was attempted
        keep(context, verb, belief, error)
    raise error


def foreign(context: Context, verb: str, error: UnknownBelief) -> StoreError:
    """The error of a directive on a belief that is none of the principal's own; the attempt is kept."""
    found = readable(context, error.belief)
    refusal = error if found is None else NotOwner(error.belief, found[0].owner)
    keep(context, verb, error.belief, refusal)
    return refusal


def keep(context: Context, verb: str, belief: object, error: StoreError) -> None:
    """Write down an attempt."""
    from agm_store.bodies import is_text

    with context.writing() as now:
        body = {
            "op": "refused",
            "verb": verb,
            "target": belief if is_text(belief) else shorten(belief),
            "why": str(error),
            "on": [],
            "marks": [REFUSED],
        }
        context.append(context.free_id("n"), now, body)


def audit(context: Context) -> list[Attempt]:
    """The refused attempts of a principal, oldest first."""
    return [
        Attempt(
            verb=entry.body["verb"],
            target=entry.body["target"],
            why=entry.body.get("why", GONE),
            entry=EntryId(entry.seq),
            at=moment(entry.recorded_at),
        )
        for entry in context.journal.touching(context.owner, [REFUSED])
        if entry.body["op"] == "refused"
    ]

"""Attempts: what a principal tried to do with a belief of somebody else, kept in that principal's own journal.

An attempt says no more than the error did.  An id that is not shared is unknown, whoever has it; where
the belief is shared, its owner reads the attempt as well.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from agm_store.blanking import GONE
from agm_store.entries import moment
from agm_store.errors import JournalError, NotOwner, shorten
from agm_store.listings import Attempt
from agm_store.records import EntryId
from agm_store.shares import readable

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.entries import Body
    from agm_store.errors import StoreError, UnknownBelief

REFUSED = "@refused"
"""The mark of attempts."""
AGAINST = "@refused by "
"""Before a principal: the mark of attempts on what that principal shares."""
CHANGING = frozenset(
    ("correct", "update", "retract", "expire", "demote", "share", "unshare", "redact")
)
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
        keep(context, verb, belief, error, of=found[0].owner)
    raise error


def foreign(context: Context, verb: str, error: UnknownBelief) -> StoreError:
    """The error of a directive on a belief that is none of the principal's own; the attempt is kept."""
    found = readable(context, error.belief)
    if found is None:
        keep(context, verb, error.belief, error)
        return error
    refusal = NotOwner(error.belief, found[0].owner)
    keep(context, verb, error.belief, refusal, of=refusal.owner)
    return refusal


def keep(
    context: Context, verb: str, belief: object, error: StoreError, *, of: str | None = None
) -> None:
    """Write down an attempt; ``of`` is the owner of a belief that is shared."""
    from agm_store.fields import is_text

    with context.writing() as now:
        body: Body = {
            "op": "refused",
            "verb": verb,
            "target": belief if is_text(belief) else shorten(belief),
            "why": str(error),
            "on": [],
            "marks": marks_of(of),
        }
        if of is not None:
            body["of"] = of
        context.append(context.free_id("n"), now, body)


def marks_of(owner: str | None) -> list[str]:
    """The marks of an attempt on what an owner shares; None: on what nobody shares."""
    return [REFUSED] if owner is None else [REFUSED, AGAINST + owner]


def audit(context: Context) -> list[Attempt]:
    """The refused attempts of a principal, and those of others on what the principal shares, oldest first."""
    found = {e.seq: e for e in context.journal.touching(context.owner, [REFUSED])}
    mine = [AGAINST + context.owner]
    for other in context.journal.owners():
        if other != context.owner and context.journal.touched(other, mine[0]):
            found.update({e.seq: e for e in context.journal.touching(other, mine)})
    return [
        Attempt(
            verb=entry.body["verb"],
            target=entry.body["target"],
            why=entry.body.get("why", GONE),
            entry=EntryId(entry.seq),
            at=moment(entry.recorded_at),
            principal=entry.owner,
        )
        for _, entry in sorted(found.items())
        if entry.body["op"] == "refused"
    ]

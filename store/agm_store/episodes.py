"""Episodes: the conversation, turn or document in which something was told.

A telling names its episode by id; an entry of its own says what that episode is, when it was, and
which wider episode it is part of.  The latest entry that was not reverted holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm_store.entries import micros, moment
from agm_store.errors import NothingToChange, shorten
from agm_store.receipts import Receipt
from agm_store.records import EntryId, Episode
from agm_store.statements import checked_text
from agm_store.undoing import voided

if TYPE_CHECKING:
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body


def describe(
    context: Context, episode: str, *, kind: str, at: datetime | None, parent: str | None
) -> Receipt:
    """Record what an episode is; see `BeliefStore.episode`."""
    body: Body = {
        "op": "episode",
        "episode": checked_text("episode", episode),
        "kind": checked_text("kind", kind),
        "on": [],
        "marks": [_mark(episode)],
    }
    if at is not None:
        body["when"] = micros(at)
    with context.writing() as now:
        if parent is not None:
            body["parent"] = checked_text("parent", parent)
            if episode in [e.id for e in episodes(context, parent)]:
                raise NothingToChange(
                    f"episode {shorten(episode)}", f"{shorten(parent)} is part of it"
                )
        entry = context.append(context.free_id("e"), now, body)
    return Receipt(belief=cast("BeliefId", entry.entry_id), entry=EntryId(entry.seq))


def episodes(context: Context, episode: str, *, upto: int | None = None) -> tuple[Episode, ...]:
    """An episode and those it is part of, innermost first, as known at an entry."""
    found: list[Episode] = []
    name: str | None = episode
    while name is not None and name not in [e.id for e in found]:
        this = name
        entries = context.journal.touching(context.owner, [_mark(name)], upto=upto)
        void = voided(entries)
        said = [e.body for e in entries if e.body["op"] == "episode" and e.seq not in void]
        body = said[-1] if said else {}
        at = body.get("when")
        name = body.get("parent")
        found.append(
            Episode(
                id=this,
                kind=body.get("kind"),
                at=None if at is None else moment(at),
                parent=name,
            )
        )
    return tuple(found)


def _mark(episode: str) -> str:
    return f"@episode {episode}"

"""Looking for sources: which can still be looked up, and which beliefs are to be flagged because theirs cannot.

That a source is gone retracts nothing: what it told stays believed, with a flag ``broken_source``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_propagation.sweep import Fault
from agm_store.flags import Place, standing
from agm_store.rederiving import answered, plain
from agm_store.siblings import is_live
from agm_store.touches import FROM, TOLD_BY

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.context import Context
    from agm_store.revalidating import Wanted


class SourceLook(NamedTuple):
    """A source that is looked for, and what that does: beliefs to flag, and beliefs whose flag is cleared."""

    number: int
    """The entry that named it first."""
    source: str
    gone: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    error: str | None = None


def sources_of(context: Context) -> list[SourceLook]:
    """The sources that an owner's statements name, each with the number of the first."""
    first: dict[str, int] = {}
    for entry in context.journal.entries(owner=context.owner):
        if entry.body["op"] == "tell" and entry.body.get("source"):
            first.setdefault(entry.body["source"], entry.seq)
    return [SourceLook(number, source) for source, number in first.items()]


def look_for(context: Context, look: SourceLook, wanted: Wanted) -> SourceLook:
    """Look for one source; what it told and what was derived from it is flagged, or not any more."""
    assert wanted.sources is not None
    answer = _asked(wanted.sources, look.source, wanted.deadline)
    if isinstance(answer, Fault):
        return look._replace(error=plain(answer.error))
    marks = [TOLD_BY + look.source, FROM + look.source]
    told = [e for e in context.journal.touching(context.owner, marks) if e.body["op"] == "tell"]
    places = [Place(e.entry_id) for e in told]
    flagged = {f.on for f in standing(context, places) if f.kind == "broken_source"}
    if answer:
        return look._replace(found=tuple(e.entry_id for e in told if e.entry_id in flagged))
    fresh = [e for e in told if e.entry_id not in flagged]
    return look._replace(gone=tuple(e.entry_id for e in fresh if is_live(context, e, wanted.now)))


def _asked(sources: Callable[[str], bool], source: str, deadline: float) -> bool | Fault:
    answer: object = answered(lambda: sources(source), deadline)
    if isinstance(answer, bool | Fault):
        return answer
    return Fault(f"answered with a value of type {type(answer).__name__}; expected True or False")

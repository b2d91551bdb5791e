"""Flags as entries: which stand, read off the journal.

A flag stands until an entry clears it.  An entry counts only while it is not undone, and what was
written because of another is undone with that: so a revert takes back the flags it had caused, and
restores those that had been cleared because of it, without an entry for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.blanking import GONE
from agm_store.entries import moment
from agm_store.errors import InvalidArgument
from agm_store.listings import Flagged
from agm_store.records import EntryId
from agm_store.undoing import Undone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry

FLAGS = "@flags"
"""The mark of all entries about flags."""


class Place(NamedTuple):
    """What a flag is on: a belief, or an artefact."""

    name: str
    artefact: bool = False

    @property
    def mark(self) -> str:
        """The mark of the entries about flags on it."""
        return f"{FLAGS} {'artefact' if self.artefact else 'belief'} {self.name}"

    def body(self, op: str) -> Body:
        """The part of a body that says what it is about."""
        field = "artefact" if self.artefact else "flagged"
        return {"op": op, field: self.name, "on": [], "marks": [FLAGS, self.mark]}


def place_of(body: Body) -> Place:
    """What an entry about flags is about."""
    if "artefact" in body:
        return Place(body["artefact"], artefact=True)
    return Place(body["flagged"])


def flags(context: Context, *, on: str | None, kind: str | None) -> list[Flagged]:
    """The flags that stand; see `BeliefStore.flags`."""
    from agm_propagation.flags import KINDS

    if kind is not None and kind not in KINDS:
        raise InvalidArgument("kind", kind, "one of " + ", ".join(KINDS))
    places = None if on is None else [Place(on), Place(on, artefact=True)]
    return [f for f in standing(context, places) if kind is None or f.kind == kind]


def standing(
    context: Context, places: Iterable[Place] | None = None, *, upto: int | None = None
) -> list[Flagged]:
    """The flags that stand on some beliefs and artefacts, or all, in order of recording."""
    marks = [FLAGS] if places is None else sorted({place.mark for place in places})
    entries = context.journal.touching(context.owner, marks, upto=upto)
    if not entries:
        return []
    undone = Undone(context, upto)
    found: dict[int, Entry] = {}
    errors: dict[int, list[str]] = {}
    for entry in entries:
        body = entry.body
        if body["op"] not in ("flag", "clear", "attempt") or undone(entry):
            continue
        if body["op"] == "flag":
            found[entry.seq] = entry
        elif body["op"] == "clear":
            for seq in body["flags"]:
                found.pop(seq, None)
        else:
            for seq in body["flags"]:
                errors.setdefault(seq, []).append(body.get("error", GONE))
    return [_flagged(entry, errors.get(seq, ())) for seq, entry in found.items()]


def dismissed(context: Context, places: Iterable[Place]) -> set[tuple[Place, str]]:
    """The places and kinds of which the last flag was itself reverted: someone saw it and let it be."""
    return set(last_dismissed(context, places))


def last_dismissed(context: Context, places: Iterable[Place]) -> dict[tuple[Place, str], Entry]:
    """The same, with the flags that were let be."""
    marks = sorted({place.mark for place in places})
    undone = Undone(context)
    last: dict[tuple[Place, str], Entry] = {}
    for entry in context.journal.touching(context.owner, marks) if marks else ():
        if entry.body["op"] == "flag":
            last[place_of(entry.body), entry.body["kind"]] = entry
    return {
        about: entry
        for about, entry in last.items()
        if undone.at(entry.seq) and not ("cause" in entry.body and undone.at(entry.body["cause"]))
    }


def _flagged(entry: Entry, errors: Sequence[str]) -> Flagged:
    body, place = entry.body, place_of(entry.body)
    cause = None if "noticed" in body else body.get("cause")
    return Flagged(
        id=entry.entry_id,
        on=place.name,
        artefact=place.artefact,
        kind=body["kind"],
        because=tuple(body.get("lost", ())),
        entry=EntryId(entry.seq),
        cause=None if cause is None else EntryId(cause),
        since=moment(entry.recorded_at),
        errors=tuple(errors),
    )

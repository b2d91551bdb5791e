"""Artefacts: what is made from beliefs, in versions.

A version is an entry; what it says of its artefact, its descriptors, are conclusions that were written
because of it (``cause``) and name the artefact.  ``renewing`` records versions, here they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm_store.blanking import GONE
from agm_store.entries import moment
from agm_store.errors import UnknownArtefact
from agm_store.flags import Place, standing
from agm_store.listings import ArtefactVersion
from agm_store.records import EntryId
from agm_store.touches import CAUSED
from agm_store.undoing import Undone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.records import Side

ARTEFACTS = "@artefacts"
"""The mark of the versions of all artefacts."""


def versions(context: Context, artefact: str, *, upto: int | None = None) -> list[Entry]:
    """The entries of the versions of an artefact that were not undone, oldest first."""
    undone = Undone(context, upto)
    return [e for e in ever(context, artefact, upto=upto) if not undone(e)]


def ever(context: Context, artefact: str, *, upto: int | None = None) -> list[Entry]:
    """The entries of all versions of an artefact, those that were undone included, oldest first."""
    entries = context.journal.touching(context.owner, [mark_of(artefact)], upto=upto)
    return [e for e in entries if e.body["op"] == "artefact"]


def latest(context: Context, artefact: str, *, upto: int | None = None) -> Entry | None:
    """The entry of the latest version of an artefact."""
    found = versions(context, artefact, upto=upto)
    return found[-1] if found else None


def mark_of(artefact: str) -> str:
    """The mark of the versions of an artefact."""
    return f"@artefact {artefact}"


def marks_of(artefact: str) -> list[str]:
    """The marks of a version of an artefact."""
    return [ARTEFACTS, mark_of(artefact)]


def descriptors(context: Context, version: Entry) -> list[Entry]:
    """The entries of what a version says of its artefact, in order."""
    return all_descriptors(context, [version])


def all_descriptors(context: Context, versions: Iterable[Entry]) -> list[Entry]:
    """The entries of what some versions say of their artefact, in order."""
    undone = Undone(context)
    marks = [f"{CAUSED}{version.seq}" for version in versions]
    caused = context.journal.touching(context.owner, marks) if marks else ()
    return [e for e in caused if e.body["op"] == "tell" and not undone.at(e.seq)]


def artefacts(context: Context) -> list[ArtefactVersion]:
    """The latest version of each artefact; see `BeliefStore.artefacts`."""
    return [version_of(context, entry) for entry in latest_of_all(context)]


def latest_of_all(context: Context) -> list[Entry]:
    """The entry of the latest version of each artefact, by name."""
    undone = Undone(context)
    last: dict[str, Entry] = {}
    for entry in context.journal.touching(context.owner, [ARTEFACTS]):
        if entry.body["op"] == "artefact" and not undone(entry):
            last[entry.body["artefact"]] = entry
    return [last[name] for name in sorted(last)]


def artefact_versions(context: Context, artefact: str) -> list[ArtefactVersion]:
    """The versions of an artefact, oldest first; see `BeliefStore.artefact_versions`."""
    found = versions(context, artefact)
    if not found:
        raise UnknownArtefact(artefact)
    return [version_of(context, e, last=e is found[-1]) for e in found]


def version_of(context: Context, entry: Entry, *, last: bool = True) -> ArtefactVersion:
    """A version as it is shown; flags stand on the last one."""
    from agm_store.worlds import world_now

    body = entry.body
    world = world_now(context)
    sides: list[Side] = [world.standing(e.entry_id) for e in descriptors(context, entry)]
    places = [Place(body["artefact"], artefact=True), *(Place(str(s.belief)) for s in sides)]
    return ArtefactVersion(
        artefact=body["artefact"],
        version=body["version"],
        entry=EntryId(entry.seq),
        since=moment(entry.recorded_at),
        rests_on=cast("tuple[BeliefId, ...]", tuple(body["because"])),
        descriptors=tuple(sides),
        rationale=body.get("rationale", GONE),
        text=body.get("text"),
        note=body.get("note"),
        episode=body.get("episode"),
        flags=tuple(standing(context, places)) if last else (),
    )


def lay_down(context: Context, artefact: str, now: int, *, cause: int) -> None:
    """Clear the flags on an artefact that speak of nothing its latest version rests on."""
    place = Place(artefact, artefact=True)
    last = latest(context, artefact)
    rests_on = set() if last is None else set(last.body["because"])
    over = [int(f.entry) for f in standing(context, [place]) if not rests_on & set(f.because)]
    if over:
        body = {**place.body("clear"), "flags": over, "how": "retired", "cause": cause}
        context.append(context.free_id("c"), now, body)

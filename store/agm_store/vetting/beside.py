"""Entries that move no belief: what was compared, asked or looked at, doubts, flags, versions and episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store import doubts, imprints
from agm_store.artefacts import mark_of, marks_of
from agm_store.attempts import marks_of as refused_marks
from agm_store.errors import shorten
from agm_store.flags import FLAGS, place_of
from agm_store.held import RETRIED
from agm_store.touches import CALLS, COMPARED, LOOKED, RECONSTRUCTED
from agm_store.vetting.statements import no_call
from agm_store.vetting.tokens import misplaced, tokens_touched, unlike_marks_alone, unlinked

if TYPE_CHECKING:
    from agm_store.entries import Entry
    from agm_store.flags import Place
    from agm_store.vetting.antecedents import Antecedents


def refused(_: Antecedents, entry: Entry) -> str | None:
    """An attempt touches nothing."""
    return unlike_marks_alone(entry.body, refused_marks(entry.body.get("of")))


def call(_: Antecedents, entry: Entry) -> str | None:
    """A request to a model touches nothing."""
    return unlike_marks_alone(entry.body, [CALLS])


def reconstruct(before: Antecedents, entry: Entry) -> str | None:
    """What was read must be statements of its owner before it, each with a role."""
    body = entry.body
    for seq in body["of"]:
        if before.recorded(entry, seq, "tell") is None:
            return f"{seq} is no statement before it"
    if len(body["of"]) != len(body["roles"]):
        return f"{len(body['roles'])} roles for {len(body['of'])} statements"
    marks = [f"{RECONSTRUCTED}{max(body['of'])}"]
    return no_call(before, entry) or unlike_marks_alone(body, marks)


def batch(_: Antecedents, entry: Entry) -> str | None:
    """A batch touches no claim by itself."""
    return unlike_marks_alone(entry.body, [])


def imprint(before: Antecedents, entry: Entry) -> str | None:
    """A version touches no claim by itself; what it keeps, versions of its source before it told."""
    body = entry.body
    if body["class"] not in before.order:
        return f"class {shorten(body['class'])} is none of {', '.join(before.order.classes)}"
    for name in body["kept"]:
        told = before.told(entry, name)
        if told is None or not before.imprinted(told, body["source"]):
            return f"it keeps {shorten(name)}, which no version of its source before it told"
    return unlike_marks_alone(body, [imprints.mark_of(body["source"])])


def retry(before: Antecedents, entry: Entry) -> str | None:
    """A look at a held belief that must be there; it touches no claim and is found by the belief."""
    belief = entry.body["belief"]
    if before.told(entry, belief) is None:
        return f"it is about {shorten(belief)}, and no statement before has that id"
    return unlike_marks_alone(entry.body, [RETRIED + belief])


def doubt(before: Antecedents, entry: Entry) -> str | None:
    """What is in doubt must be there; a doubt touches no claim."""
    for name in entry.body["beliefs"]:
        if before.told(entry, name) is None:
            return f"it is about {shorten(name)}, and no statement before has that id"
    return unlike_marks_alone(entry.body, doubts.marks_of(entry.body["beliefs"]))


def settle(before: Antecedents, entry: Entry) -> str | None:
    """What is settled must be a doubt before it."""
    seq = entry.body["doubt"]
    found = before.recorded(entry, seq, "doubt")
    if found is None:
        return f"{seq} is no doubt before it"
    return unlike_marks_alone(entry.body, doubts.marks_of(found.body["beliefs"]))


def compared(before: Antecedents, entry: Entry) -> str | None:
    """What was compared must be there; that it was touches no claim."""
    for new, old, _ in entry.body["pairs"]:
        for name in (new, old):
            if before.told(entry, name) is None:
                return f"it compares {shorten(name)}, and no statement before has that id"
    return unlike_marks_alone(entry.body, [COMPARED])


def looked(_: Antecedents, entry: Entry) -> str | None:
    """A mark of how far a pass came touches no claim."""
    if entry.body["upto"] >= entry.seq:
        return f"it came up to {entry.body['upto']}, which is not before it"
    return unlike_marks_alone(entry.body, [LOOKED])


def episode(_: Antecedents, entry: Entry) -> str | None:
    """An episode touches no claim, and is marked by its own name."""
    body = entry.body
    if body["marks"] != [f"@episode {body['episode']}"]:
        return f"marks {shorten(body['marks'])} are not its episode's"
    return misplaced(body, [])


def artefact(before: Antecedents, entry: Entry) -> str | None:
    """What a version was made from must be there, and the number that no version before had."""
    body = entry.body
    earlier = before.touching(entry, mark_of(body["artefact"]))
    if any(e.body.get("version") == body["version"] for e in earlier):
        return f"version {body['version']} is there already"
    if not body["because"]:
        return "a version rests on something"
    linked: set[str] = set()
    for name in body.get("because", ()):
        told = before.told(entry, name)
        if told is None:
            return f"it names {shorten(name)}, and no statement before has that id"
        linked |= set(tokens_touched(told) or [f"#{name}"])
    return unlinked(body, linked) or unlike_marks_alone(body, marks_of(body["artefact"]))


def about_flags(before: Antecedents, entry: Entry) -> str | None:
    """What is flagged must be there, and the flags that are cleared or were looked at."""
    body = entry.body
    place = place_of(body)
    if (why := _nowhere(before, entry, place)) is not None:
        return why
    for seq in body.get("flags", ()):
        flag = before.recorded(entry, seq, "flag")
        if flag is None:
            return f"{seq} is no flag before it"
        if place_of(flag.body) != place:
            return f"flag {seq} is about {shorten(place_of(flag.body).name)}"
    for name in (*body.get("lost", ()), *filter(None, [body.get("by")])):
        if before.told(entry, name) is None:
            return f"it names {shorten(name)}, and no statement before has that id"
    return unlike_marks_alone(body, [FLAGS, place.mark])


def _nowhere(before: Antecedents, entry: Entry, place: Place) -> str | None:
    """Why a place is no belief or artefact before an entry."""
    if place.artefact:
        made = before.touching(entry, mark_of(place.name))
        return None if made else f"no artefact before it is {shorten(place.name)}"
    if before.told(entry, place.name) is None:
        return f"it is about {shorten(place.name)}, and no statement before has that id"
    return None

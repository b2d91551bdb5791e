"""Whether an entry touches the tokens that it must, and bears the marks by which it is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.errors import shorten
from agm_store.touches import touch_of

if TYPE_CHECKING:
    from agm_store.entries import Body, Entry


def tokens_touched(entry: Entry) -> list[str]:
    """The tokens that an entry touches."""
    return list(touch_of(entry.body).tokens)


def misplaced(body: Body, tokens: list[str]) -> str | None:
    """Why a body does not touch just these tokens."""
    if body["on"] == tokens:
        return None
    return f"on {shorten(body['on'])} is not what it touches, {shorten(tokens)}"


def elsewhere(body: Body, target: Entry) -> str | None:
    """Why a body does not touch what its target touches."""
    return misplaced(body, tokens_touched(target))


def unlinked(body: Body, linked: set[str]) -> str | None:
    """Why the links of a body are not the tokens that it rests on."""
    if sorted(linked) == body.get("links", []):
        return None
    return f"links {shorten(body.get('links'))} is not what it rests on, {shorten(sorted(linked))}"


def unlike_marks(body: Body, marks: list[str]) -> str | None:
    """Why a body does not bear just these marks."""
    found = body.get("marks", [])
    return None if found == marks else f"marks {shorten(found)} are not {shorten(marks)}"


def unlike_marks_alone(body: Body, marks: list[str]) -> str | None:
    """Why a body touches any token, or does not bear just these marks."""
    return misplaced(body, []) or unlike_marks(body, marks)


def unmarked(body: Body) -> str | None:
    """Why a body that holds a statement is not found among what is held."""
    if body["state"] == "held" and "@held" not in body.get("marks", ()):
        return "it is held, and not marked so"
    return None

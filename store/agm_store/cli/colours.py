"""Colours, where somebody watches: never in a pipe, a file or JSON, and not where ``NO_COLOR`` is set."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

GOOD, DOUBT, PAST, BAD = "32", "33", "2", "31"
_PAINT = {
    **dict.fromkeys(("active", "believed", "follows"), GOOD),
    **dict.fromkeys(("contested", "held", "unsupported", "undecided"), DOUBT),
    **dict.fromkeys(
        (
            "outranked", "overridden", "not in force", "superseded", "retracted", "expired", "rejected",
            "suppressed", "noted", "reverted", "redacted",
        ),
        PAST,
    ),
}  # fmt: skip
"""The words that say how a belief stands, each with its colour."""


def coloured(stream: TextIO) -> bool:
    """Whether a stream takes colours: a terminal that is not dumb, without ``NO_COLOR`` (no-color.org)."""
    if not stream.isatty():
        return False
    import os

    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(word: str, colour: str | None = None) -> str:
    """A word in a colour, by default in that of what it says; one that says nothing of the kind as it is."""
    chosen = _PAINT.get(word) if colour is None else colour
    return word if chosen is None else f"\x1b[{chosen}m{word}\x1b[0m"

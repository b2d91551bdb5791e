"""Text that anybody may have written, made fit to be shown: on one line, inert, and of a known width."""

from __future__ import annotations

HINT = 300
"""The most characters of a full text that a hint carries."""

_STACK = 3
"""Marks that may stand on one letter; more would climb into the line above."""

_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that have no ink: the joiner of graphemes, fillers of Hangul, vowels of Khmer, empty Braille."""


def inert(text: str) -> str:
    r"""A text on one line in which what nobody sees, or what turns writing around, is shown by its code.

    >>> print(inert(chr(0x202E) + "a"))
    \u202ea
    """
    if text.isascii() and text.isprintable():
        return text
    shown = (c if c.isprintable() and c not in _UNSEEN else ascii(c)[1:-1] for c in text)
    return _unstacked("".join(shown))


def cut(text: str, columns: int) -> str:
    """An inert text of at most so many columns; what is cut off is told by an ellipsis.

    >>> cut("a long sentence", 8)
    'a long …'
    """
    found = inert(text[: 4 * columns + 8])  # three marks may stand on each letter
    if wide(found) <= columns:
        return found
    left = columns - 1
    for place, char in enumerate(found):
        left -= _wide(char)
        if left < 0:
            return found[:place] + "…"
    return found


def escaped(text: str, columns: int) -> tuple[str, str]:
    """A text cut to columns, and the whole of it as a hint where it was cut; both ready for markup."""
    from html import escape

    if len(text) <= columns and text.isascii() and text.isprintable():
        return escape(text), ""
    shown = cut(text, columns)
    whole = shown if len(shown) == len(text) else hint(text)
    return escape(shown), "" if shown == whole else escape(whole)


def hint(text: str) -> str:
    """An inert text for a hint, which is cut off far later than what is shown."""
    return cut(text, HINT)


def wide(text: str) -> int:
    """How many columns a text takes in a font of one width."""
    return len(text) if text.isascii() else sum(map(_wide, text))


def _wide(char: str) -> int:
    if char < "\u0300":
        return 1
    from unicodedata import combining, east_asian_width

    return 0 if combining(char) else 1 + (east_asian_width(char) in "WF")


def _unstacked(text: str) -> str:
    """A text in which marks beyond the third on one letter, and selectors that select nothing, are shown by their code.

    Of the variation selectors, which nobody sees and in which a whole message can be hidden, only the two that
    choose between a sign and its picture may stand, one behind a sign that is no letter.
    """
    from unicodedata import combining

    found, run, before = [], 0, ""
    for char in text:
        run = run + 1 if combining(char) else 0
        kept = _chooses(before, char) if _selects(char) else run <= _STACK
        found.append(char if kept else ascii(char)[1:-1])
        before = char
    return "".join(found)


def _selects(char: str) -> bool:
    """Whether a character is a variation selector."""
    return (
        "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or char in "\u180b\u180c\u180d\u180f"
    )


def _chooses(before: str, char: str) -> bool:
    """Whether a selector chooses the look of the sign before it, as that of a heart."""
    from unicodedata import category

    return char in "\ufe0e\ufe0f" and before != "" and category(before).startswith("S")

"""How a text is cut into words for the search index, the same for what is told and for what is asked.

Words are runs of letters and digits, case, accents and width aside; scripts without blanks between
words give one word a character.  Nothing else of a text reaches a query, so quotes, operators, NUL
and emoji mean nothing there.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from agm_store.touches import split_token

if TYPE_CHECKING:
    from agm_store.entries import Body

LONGEST = 64
"""Characters by which a word is known; SQLite stems no longer one either."""

_ASCII = re.compile(r"[a-z0-9]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
)


def words(text: str) -> list[str]:
    """The words of a text, in order.

    >>> words("Token_budget(Café) = 300")
    ['token', 'budget', 'cafe', '300']
    >>> words("東京 OR 'x'")
    ['東', '京', 'or', 'x']
    """
    if text.isascii():
        return [word[:LONGEST] for word in _ASCII.findall(text.lower())]
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    spaced = "".join(map(_spaced, unicodedata.normalize("NFC", bare)))
    return [word[:LONGEST] for word in spaced.split()]


def _spaced(char: str) -> str:
    if not char.isalnum():
        return " "
    return f" {char} " if _UNSPACED.match(char) else char


def spoken(body: Body) -> str:
    """The words of a telling as one text: those of its claim, then those of its text."""
    return " ".join(words(f"{body.get('claim', '')} {body.get('text', '')}"))


def named(body: Body) -> list[tuple[str, str]]:
    """The entities that a telling names, each with the token that names it, sorted."""
    slot = body.get("slot")
    found = {
        (name, token)
        for token in body.get("on") or ([] if slot is None else [slot])
        if not token.startswith("#")
        for name in split_token(token)[1]
    }
    return sorted(found)


def trigrams(word: str) -> list[str]:
    """The pieces of three characters of a word, in order, each once.

    >>> trigrams("kafka")
    ['kaf', 'afk', 'fka']
    """
    return list(dict.fromkeys(word[at : at + 3] for at in range(len(word) - 2)))


def containing(word: str, *, known: bool) -> str | None:
    """A query for what contains a word, or about half of one that nobody used; None for a short one."""
    pieces = trigrams(word)[:_PIECES]
    if not pieces:
        return None
    size = len(pieces) if known else min(max(2, (len(pieces) + 1) // 2), len(pieces))
    size = min(size, _TOGETHER)
    if known:
        return _all(pieces[:size])
    return " OR ".join(f"({_all(pieces[at : at + size])})" for at in range(len(pieces) - size + 1))


_PIECES = 24
_TOGETHER = 12


def _all(pieces: list[str]) -> str:
    return " AND ".join(map(quote, pieces))


def quote(word: str) -> str:
    """A word as a term of a query; it holds letters and digits only."""
    return f'"{word}"'

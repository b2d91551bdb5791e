"""Claims read from the text that entries keep; those met lately are not read again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agm import Claim

_REMEMBERED = 8192
"""Texts whose claim is kept; a reading of a whole component meets each of its claims several times."""


@lru_cache(maxsize=_REMEMBERED)
def parsed(text: str) -> Claim:
    """The claim of a stored text.

    Raises:
        ClaimSyntaxError: it is none.
    """
    from agm.syntax import parse

    return parse(text)

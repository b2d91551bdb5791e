"""Arbitrary choices that can be repeated: which of several sets, worlds or names is taken.

A choice depends on the thing and a `salt` only, not on the order in which things are listed, so a
selection function handed to an operator and the definition it is held against choose alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

Names: TypeAlias = frozenset[str]
Thing = TypeVar("Thing", int, str, Names)


def one_of(things: Iterable[Thing], salt: int) -> Thing:
    """One of them."""
    return min(things, key=lambda thing: (_mark(thing, salt), _shown(thing)))


def some_of(things: Iterable[Thing], salt: int) -> list[Thing]:
    """About half of them, at least one."""
    listed = list(things)
    return [thing for thing in listed if _mark(thing, salt) % 2] or [one_of(listed, salt)]


def _mark(thing: object, salt: int) -> int:
    return crc32(f"{salt} {_shown(thing)}".encode())


def _shown(thing: object) -> str:
    return " ".join(sorted(thing)) if isinstance(thing, frozenset) else str(thing)

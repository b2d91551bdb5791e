"""Records: entries as a backend keeps them, sealed into one text and chained.

The chain starts at the digest of the journal's settings, so an order of entrenchment cannot be
exchanged under a journal without breaking it at entry 1.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.entries import BEFORE_ALL, Entry, canonical, chain, digest
from agm_store.errors import ChainBroken, InvalidArgument, shorten
from agm_store.journal import Head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm_store.entries import Body

SCHEMA = 1
"""The version of bodies and tables that this code writes."""

OF_PREDICATE = ("/*", "/declared")
"""How tokens end that speak of a whole predicate and are no atoms of it."""

_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


class Settings(NamedTuple):
    """What a journal is created with and keeps for good."""

    order: object
    """The JSON form of the entrenchment order; None is the default chain."""
    replay: bool
    """Whether recorded times are given by the caller."""
    schema: int = SCHEMA

    def text(self) -> str:
        """The canonical text of the settings; its digest is what the chain starts from."""
        return canonical({"order": self.order, "replay": self.replay, "schema": self.schema})

    def start(self) -> Head:
        """The head of a journal without entries."""
        return Head(0, BEFORE_ALL, digest(self.text()))


class Record(NamedTuple):
    """An entry with its canonical text, the digest of that text, and its link in the chain."""

    seq: int
    owner: str
    entry_id: str
    recorded_at: int
    text: str
    digest: str
    hash: str


def sealed(head: Head, owner: str, entry_id: str, recorded_at: int, body: Body) -> Record:
    """The record of a body that follows a head.

    Raises:
        InvalidArgument: the body is no JSON (NaN, lone surrogates, nesting beyond reason).
    """
    try:
        text = canonical(body)
        return linked(head, owner, entry_id, recorded_at, text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgument("body", body, f"finite JSON in Unicode ({error})") from error


def linked(head: Head, owner: str, entry_id: str, recorded_at: int, text: str) -> Record:
    """The record of a canonical text that follows a head."""
    seq, body_digest = head.count + 1, digest(text)
    link = chain(head.hash, seq, owner, entry_id, recorded_at, body_digest)
    return Record(seq, owner, entry_id, recorded_at, text, body_digest, link)


def opened(text: str) -> Body:
    """The body in a canonical text.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        body: Body = _scan(text, 0)[0]
    except StopIteration as error:
        raise ValueError("no JSON") from error
    return body


def opened_all(texts: Iterable[str]) -> list[Body]:
    """The bodies in canonical texts, read in one go.

    Raises:
        ValueError: one of them is no JSON.
    """
    try:
        bodies: list[Body] = _scan(f"[{','.join(texts)}]", 0)[0]
    except StopIteration as error:
        raise ValueError("no JSON") from error
    return bodies


def entry_of(record: Record) -> Entry:
    """The entry of a record."""
    return Entry(record.seq, record.owner, record.entry_id, record.recorded_at, opened(record.text))


def entry_in(row: tuple[Any, ...]) -> Entry:
    """The entry in a row of the journal: number, owner, id, recorded time and text.

    Raises:
        ChainBroken: its text is the body of no entry.
    """
    try:
        body = opened(row[4])
        if type(body) is dict:
            return Entry(row[0], row[1], row[2], row[3], body)
    except (ValueError, RecursionError):
        pass
    raise ChainBroken(row[0], f"its body is {shorten(row[4])}, which agm never wrote")


def rank_function(order: object) -> Callable[[str], int]:
    """The rank of a source class under the JSON form of an order; None is the default chain."""
    from agm.entrenchment import EntrenchmentOrder

    usual = EntrenchmentOrder()
    if order is None or order == usual.to_json():
        return usual.rank  # reading the JSON form of another order needs networkx
    return EntrenchmentOrder.from_json(order).rank

"""Marks taken from a folded ledger: a telling with what ends those whose place it took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import FOREVER
from agm_store.marks import NO_RANK, Mark, said_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm_store.ledger import Ledger, Telling


class Unmarked(Exception):
    """Something that marks do not cover: no error, it turns from the quick way to the sure one."""


def ancestry(ledger: Ledger, telling: Telling) -> Iterator[Telling]:
    """A telling and those whose place it took, one after the other."""
    link: Telling | None = telling
    while link is not None:
        yield link
        link = ledger.tellings.get(link.inherits) if link.inherits else None


def line_of(ledger: Ledger, telling: Telling) -> Mark:
    """The mark of a telling with what ends its ancestors; successors aside."""
    mark = Mark(
        telling.entry_id,
        telling.seq,
        identity=telling.identity,
        value=telling.value,
        rank=telling.rank,
        start=telling.start,
        told_end=telling.told_end,
    )
    mark.order_seq, mark.order_start = telling.order_seq, telling.order_start
    mark.defaulted, mark.said = telling.defaulted, said_in(telling.body)
    place = _place(telling)
    claims: dict[str, None] = {}
    for link in ancestry(ledger, telling):
        if link.derived or _place(link) != place:
            raise Unmarked
        claims[link.identity] = None
        mark.fixed = min([mark.fixed, link.told_end, *(at for at, _ in link.ended_at)])
        for at, seq, _ in ledger.expiries.get(link.identity, ()):
            if link.seq < seq or (link.told_end == FOREVER and link.start < at):
                mark.fixed = min(mark.fixed, at)
        if link is not telling:
            mark.descend(link.rank, link.value, NO_RANK)
    mark.claims = tuple(claims)
    return mark


def _place(telling: Telling) -> tuple[int, bool, int, bool, bool]:
    """What a correction without times of its own has in common with its target."""
    open_end = telling.told_end == FOREVER
    return telling.start, open_end, telling.order_seq, telling.defaulted, telling.undated

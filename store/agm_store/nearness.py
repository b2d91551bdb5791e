"""Near neighbours of a text by the vectors of an `Embedder`, where one was given.

Vectors are kept by telling, at length one, and compared one by one.  Those of tellings that have none
yet are asked for together with that of the text, some at a time; what goes wrong is said, not raised.
"""

from __future__ import annotations

from array import array
from heapq import nsmallest
from itertools import islice
from math import isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

from agm_propagation.sweep import Fault
from agm_store import asking
from agm_store.asking import said
from agm_store.rederiving import answered, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.entries import Entry

BATCH = 64
"""Tellings without a vector that are embedded while a newcomer waits."""
ALIKE = 0.3
"""The cosine below which two texts are not near."""


class Near(NamedTuple):
    """Tellings near a text, nearest first, and what was not looked at."""

    seqs: tuple[tuple[int, float], ...] = ()
    not_checked: tuple[str, ...] = ()


def near(context: Context, text: str, *, limit: int) -> Near:
    """The tellings of the owner whose vectors are nearest to that of a text."""
    if context.embedder is None:
        return Near()
    journal, owner = context.journal, context.owner
    waiting = _waiting(context)
    embed, texts = context.embedder.embed, [text, *(said(entry.body) for entry in waiting)]
    vectors = answered(lambda: _checked(embed(texts), len(texts)), asking.DEADLINE)
    if isinstance(vectors, Fault):
        return Near((), (f"embedder: {plain(vectors.error)}",))
    rows = [(e.seq, v.tobytes()) for e, v in zip(waiting, vectors[1:], strict=True)]
    if rows and journal.writable:
        journal.keep_vectors(owner, rows)
        rows = []
    return _nearest(vectors[0], [*journal.vectors(owner), *rows], limit)


def _nearest(asked: array[float], rows: Sequence[tuple[int, bytes]], limit: int) -> Near:
    size, other = len(asked) * asked.itemsize, 0
    scored = []
    for seq, kept in rows:
        if len(kept) != size:
            other += 1
            continue
        cosine = sum(a * b for a, b in zip(asked, array("f", kept), strict=True))
        if cosine >= ALIKE:
            scored.append((-round(cosine, 6), -seq))
    missed = (f"embedder: {other} vectors are of another size",) if other else ()
    return Near(tuple((-s, -c) for c, s in nsmallest(limit, scored)), missed)


def _waiting(context: Context) -> list[Entry]:
    """The next tellings of the owner that have no vector."""
    journal, owner = context.journal, context.owner
    later = journal.entries(owner=owner, after=journal.embedded(owner))
    return list(islice((e for e in later if e.body["op"] == "tell"), BATCH))


def _checked(found: Sequence[Sequence[float]], count: int) -> list[array[float]]:
    """Vectors of length one, as many as were asked for and of one size.

    Raises:
        ValueError: they are none.
    """
    vectors = [[float(number) for number in vector] for vector in found]
    if len(vectors) != count or not vectors[0] or len({len(vector) for vector in vectors}) != 1:
        raise ValueError(f"{len(vectors)} vectors for {count} texts, or of several sizes")
    if not all(isfinite(number) for vector in vectors for number in vector):
        raise ValueError("a number that is not finite")
    return [_unit(vector) for vector in vectors]


def _unit(vector: list[float]) -> array[float]:
    length = sqrt(sum(number * number for number in vector)) or 1.0
    return array("f", (number / length for number in vector))

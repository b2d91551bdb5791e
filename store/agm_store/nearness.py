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
from agm_store.asking import BATCH, Asker, Unrun, said
from agm_store.errors import shorten
from agm_store.rederiving import answered, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.entries import Entry

ALIKE = 0.3
"""The cosine below which two texts are not near."""


class Near(NamedTuple):
    """Tellings near a text, nearest first, and what was not looked at."""

    seqs: tuple[tuple[int, float], ...] = ()
    not_checked: tuple[str, ...] = ()
    unrun: tuple[Unrun, ...] = ()
    """The embedder, where it gave no answer."""


def near(context: Context, text: str, *, limit: int, asker: Asker | None = None) -> Near:
    """The tellings of the owner whose vectors are nearest to that of a text."""
    if context.embedder is None:
        return Near()
    journal, owner = context.journal, context.owner
    waiting, more = _waiting(context)
    vectors = (asker or Asker(context)).vectors([text, *(said(entry.body) for entry in waiting)])
    if vectors is None:
        return Near()
    own, *others = vectors
    if isinstance(own, Unrun):
        return Near(unrun=(own,))
    made = [(e.seq, _row(v)) for e, v in zip(waiting, others, strict=True)]
    rows = [(seq, row) for seq, row in made if row is not None]
    late = len(rows) < len(made)
    if rows and journal.writable and not late:
        journal.keep_vectors(owner, rows)
        rows = []
    found = _nearest(own, [*journal.vectors(owner), *rows], limit)
    lag = ("embedder: not all tellings before have a vector yet",) if late or more else ()
    return found._replace(not_checked=(*found.not_checked, *lag))


def _row(vector: array[float] | Unrun) -> bytes | None:
    """A vector as it is kept, empty for a text at which the embedder fails; None where it failed altogether."""
    if not isinstance(vector, Unrun):
        return vector.tobytes()
    return b"" if vector.kind == asking.AT_TEXT else None


def embedded(context: Context, texts: list[str]) -> list[array[float]] | Unrun:
    """What the embedder makes of some texts within its deadline."""
    assert context.embedder is not None
    embed = context.embedder.embed
    found = answered(lambda: _checked(embed(texts), len(texts)), asking.DEADLINE)
    if not isinstance(found, Fault):
        return found
    why = plain(found.error)
    kind = "timeout" if why.startswith("did not answer") else "raised"
    return Unrun(asking.EMBEDDER, kind, None, shorten(why, 200))


def _nearest(asked: array[float], rows: Sequence[tuple[int, bytes]], limit: int) -> Near:
    size, other, none = len(asked) * asked.itemsize, 0, 0
    scored = []
    for seq, kept in rows:
        if not kept:
            none += 1
            continue
        if len(kept) != size:
            other += 1
            continue
        cosine = sum(a * b for a, b in zip(asked, array("f", kept), strict=True))
        if cosine >= ALIKE:
            scored.append((-round(cosine, 6), -seq))
    missed = [f"embedder: {other} vectors are of another size"] if other else []
    missed += [f"embedder: {none} tellings have no vector, for it failed at them"] if none else []
    return Near(tuple((-s, -c) for c, s in nsmallest(limit, scored)), tuple(missed))


def _waiting(context: Context) -> tuple[list[Entry], bool]:
    """The next tellings of the owner that have no vector, and whether there are more."""
    journal, owner = context.journal, context.owner
    later = journal.entries(owner=owner, after=journal.embedded(owner))
    found = list(islice((e for e in later if e.body["op"] == "tell"), BATCH + 1))
    return found[:BATCH], len(found) > BATCH


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

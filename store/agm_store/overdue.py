"""What waits for a decision in numbers: by its age, and by who told it, so that nothing rots unseen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.context import Context

_DAY = 24 * 60 * 60 * 10**6
_AGES = ((_DAY, "under a day"), (7 * _DAY, "under a week"), (30 * _DAY, "under a month"))
LONGER = "longer"


def ages(found: Iterable[int]) -> dict[str, int]:
    """How many of some ages in microseconds are of each word, the youngest first.

    >>> ages([0, 8 * 24 * 60 * 60 * 10**6, 1])
    {'under a day': 2, 'under a month': 1}
    """
    counts = Counter(next((word for most, word in _AGES if age < most), LONGER) for age in found)
    words = [*(word for _, word in _AGES), LONGER]
    return {word: counts[word] for word in words if counts[word]}


def by_source(sources: Iterable[str]) -> dict[str, int]:
    """How often each source occurs, the most frequent first.

    >>> by_source(["b", "a", "b"])
    {'b': 2, 'a': 1}
    """
    counts = Counter(sources)
    return dict(sorted(counts.items(), key=lambda row: (-row[1], row[0])))


def sources_of(context: Context, beliefs: Iterable[str]) -> list[str]:
    """Who told each of some beliefs; nothing for what nobody in particular told."""
    return [context.telling_entry(belief).body.get("source", "") for belief in beliefs]


def doubts_waiting(context: Context) -> list[tuple[str, int]]:
    """The new side of each doubt that waits, and since when."""
    from agm_store.doubts import DOUBTS, Known, doubted

    if not context.journal.touched(context.owner, DOUBTS):
        return []
    known, now = Known(context), context.now()
    return [
        (found[0].entry.entry_id, known.since(doubt))
        for doubt in known.open()
        if (found := doubted(context, doubt.body["beliefs"], now))
    ]

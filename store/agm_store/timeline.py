"""The timeline of a plain slot by folding: the reference for the table that is read.

A plain slot holds one value at a time and nothing but tellings of that slot speaks of it, so the
reading rule comes down to `outcome`: the strongest and latest claim wins, a tie is contested.
`stretches` applies it between all boundaries of one ledger; `grow` keeps the stretches of each
entry as segments with the recorded interval in which they were the outcome.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.journal import Segment
from agm_store.ledger import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Mark


class Outcome(NamedTuple):
    """The leading tellings at a point by seq, and until when each of them goes on to lead its claim."""

    believed: tuple[int, ...]
    """One, or several when they are contested."""
    others: tuple[int, ...]
    """Those that are outranked: of a weaker claim with a newer start."""
    ends: tuple[int, ...]
    """For each of them, believed ones first."""


NOTHING = Outcome((), (), ())

Stretch = tuple[int, int, Outcome]
"""Valid from, valid to, and what is the outcome in between."""

T = TypeVar("T", "Telling", "Mark")


def leads_of(tellings: Iterable[T]) -> list[T]:
    """The telling that leads each claim: the strongest, then the latest."""
    leads: dict[str, T] = {}
    for telling in tellings:
        lead = leads.get(telling.identity)
        if lead is None or weight(telling) > weight(lead):
            leads[telling.identity] = telling
    return list(leads.values())


def outcome(tellings: Iterable[T], until: Callable[[T], int]) -> Outcome:
    """The outcome among tellings of one single-valued slot that are in force together.

    ``until`` says until when a telling leads its claim.
    """
    run = list(tellings)
    leads = leads_of(run)
    if not leads:
        return NOTHING
    top = max((lead.rank, lead.order_start) for lead in leads)
    tied: list[T] = [lead for lead in leads if (lead.rank, lead.order_start) == top]
    if len(tied) > 1 and all(t.defaulted for t in run if (t.rank, t.order_start) == top):
        tied = [min(tied, key=lambda t: (-t.order_seq, t.identity))]
    out: list[T] = [lead for lead in leads if lead.rank < top[0] and lead.order_start > top[1]]
    tied.sort(key=lambda t: t.seq)
    out.sort(key=lambda t: t.seq)
    return Outcome(
        tuple(t.seq for t in tied),
        tuple(t.seq for t in out),
        tuple(until(t) for shown in (tied, out) for t in shown),
    )


def stretches(ledger: Ledger, slot: str) -> list[Stretch]:
    """The stretches of a slot over all valid time, neighbours with one outcome joined."""
    starts: dict[int, list[Telling]] = {BEFORE_ALL: [], FOREVER: []}
    for telling in ledger.slots.get(slot, ()):
        start, end = ledger.interval(telling)
        if telling.live and start < end:
            starts.setdefault(start, []).append(telling)
            starts.setdefault(end, [])
    runs: list[tuple[int, int, list[Telling]]] = []
    run: list[Telling] = []
    for start, end in pairwise(sorted(starts)):
        run = [t for t in run if start < ledger.interval(t)[1]] + starts[start]
        runs.append((start, end, run))
    joined: list[Stretch] = []  # from the end, where each lead's stretch is known
    ends: dict[int, int] = {}
    for start, end, run in reversed(runs):
        ends = {t.seq: ends.get(t.seq, end) for t in leads_of(run)}
        found = outcome(run, lambda t, ends=ends: ends[t.seq])  # type: ignore[misc]
        close = joined.pop()[1] if joined and joined[-1][2] == found else end
        joined.append((start, close, found))
    joined.reverse()
    return joined


def segment_of(slot: str, stretch: Stretch, known_from: int, known_to: int) -> Segment:
    """A stretch as what was known over some entries."""
    start, end, (believed, others, ends) = stretch
    later = ends if any(e != end for e in ends) else ()
    return Segment(slot, start, end, known_from, known_to, believed, others, later)


def grow(
    segments: list[Segment],
    slot: str,
    entries: Sequence[Entry],
    rank_of: Callable[[str], int],
    *,
    done: int = 0,
) -> list[Segment]:
    """The segments after all entries that touch a slot, given those after the first ``done``."""
    for count in range(done + 1, len(entries) + 1):
        seq = entries[count - 1].seq
        found = stretches(fold(entries[:count], rank_of), slot)
        now = {stretch[0]: segment_of(slot, stretch, seq, FOREVER) for stretch in found}
        kept = []
        for old in segments:
            new = now.get(old.valid_from) if old.known_to == FOREVER else None
            if new is not None and new._replace(known_from=old.known_from) == old:
                del now[old.valid_from]
                kept.append(old)
            else:
                kept.append(old._replace(known_to=min(old.known_to, seq)))
        segments = sorted([*kept, *now.values()])
    return segments


def weight(telling: Telling | Mark) -> tuple[int, int, int, int]:
    """The strength of a telling among those of its claim."""
    return telling.rank, telling.order_start, telling.order_seq, -telling.seq

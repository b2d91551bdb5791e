"""The timeline of a plain slot by folding: the reference for the table that is read.

A plain slot holds one value at a time and nothing but tellings of that slot speaks of it, so the
reading rule comes down to `outcome`: the strongest and latest claim wins, a tie is contested.
`stretches` applies it between all boundaries of one ledger; `grow` keeps the stretches of each
entry as segments with the recorded interval in which they were the outcome.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.journal import Segment
from agm_store.ledger import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Mark


class Outcome(NamedTuple):
    """The leading tellings at a point by seq: believed (contested when several), and out."""

    believed: tuple[int, ...]
    others: tuple[int, ...]


NOTHING = Outcome((), ())

Stretch = tuple[int, int, Outcome]
"""Valid from, valid to, and what is the outcome in between."""


def outcome(tellings: Iterable[Telling | Mark]) -> Outcome:
    """The outcome among tellings of one single-valued slot that are in force together."""
    run = list(tellings)
    leads: dict[str, Telling | Mark] = {}
    for telling in run:
        lead = leads.get(telling.identity)
        if lead is None or _weight(telling) > _weight(lead):
            leads[telling.identity] = telling
    if len(leads) < 2:
        return Outcome(tuple(lead.seq for lead in leads.values()), ())
    top = max((lead.rank, lead.order_start) for lead in leads.values())
    tied = [lead for lead in leads.values() if (lead.rank, lead.order_start) == top]
    if len(tied) > 1 and all(t.defaulted for t in run if (t.rank, t.order_start) == top):
        tied = [min(tied, key=lambda t: (-t.order_seq, t.identity))]
    believed = sorted(t.seq for t in tied)
    out = sorted(lead.seq for lead in leads.values() if lead.seq not in believed)
    return Outcome(tuple(believed), tuple(out))


def stretches(ledger: Ledger, slot: str) -> list[Stretch]:
    """The stretches of a slot over all valid time, neighbours with one outcome joined."""
    live = [t for t in ledger.slots.get(slot, ()) if t.admitted and not t.withdrawn]
    bounds = {BEFORE_ALL, FOREVER}
    for telling in live:
        bounds.update(ledger.interval(telling))
    joined: list[Stretch] = []
    for start, end in pairwise(sorted(bounds)):
        found = outcome(t for t in live if ledger.in_force(t, start))
        begin = joined.pop()[0] if joined and joined[-1][2] == found else start
        joined.append((begin, end, found))
    return joined


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
        now = set(stretches(fold(entries[:count], rank_of), slot))
        kept = []
        for old in segments:
            stretch = (old.valid_from, old.valid_to, Outcome(old.believed, old.others))
            ends = old.known_to == FOREVER and stretch not in now
            kept.append(old._replace(known_to=seq) if ends else old)
            if old.known_to == FOREVER:
                now.discard(stretch)
        kept += (Segment(slot, start, end, seq, FOREVER, *found) for start, end, found in now)
        segments = sorted(kept)
    return segments


def _weight(telling: Telling | Mark) -> tuple[int, int, int, int]:
    return telling.rank, telling.order_start, telling.order_seq, -telling.seq

"""The tail of a slot: how most histories go on, told in order and of one rank.

While each telling begins later than the last one, which is still open, or corrects it in its place,
only the last stretch of the timeline changes.  All claims in force there are led by the last
telling, and a newcomer of the same rank ends or leads them all, so nothing but the last telling has
to be known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import ADMITTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.entries import Body

RARE, NOTHING, APPENDED, CORRECTED = range(4)
"""What `Tail.take` answers: not covered here; no change; a new last stretch; the last one has a new lead."""


class Tail:
    """The last telling of a slot; ``seq`` is 0 before the first."""

    __slots__ = ("corrected", "defaulted", "entry_id", "order_seq", "rank", "seq", "start", "value")

    entry_id: str
    start: int
    rank: int
    value: str | None
    order_seq: int
    defaulted: bool

    def __init__(self) -> None:
        self.seq = 0
        self.corrected = False

    def take(
        self, seq: int, entry_id: str, recorded_at: int, body: Body, rank_of: Callable[[str], int]
    ) -> int:
        """Go on to the next entry; nothing is changed when it answers `RARE`."""
        if body["op"] != "tell" or "to" in body or "until" in body or "undated" in body:
            return RARE
        if body["state"] != ADMITTED:
            return NOTHING
        rank = rank_of(body["class"])
        start: int = body.get("from", recorded_at)
        resolves: list[Body] = body.get("resolves", [])
        if self.seq and (rank != self.rank or (start <= self.start and not resolves)):
            return RARE
        if resolves or "inherits" in body:
            if not self._resolved(resolves, start, body.get("inherits")):
                return RARE
            if resolves[0]["reason"] == "correction":
                self.seq, self.entry_id, self.value = seq, entry_id, body.get("value")
                self.corrected = True
                return CORRECTED
        self.seq = self.order_seq = seq
        self.entry_id, self.start, self.rank, self.value = entry_id, start, rank, body.get("value")
        self.defaulted = body.get("default", False)
        return APPENDED

    def _resolved(self, resolves: list[Body], start: int, inherits: str | None) -> bool:
        """Whether directives say no more than that the last telling gives way to this one."""
        if not self.seq or len(resolves) != 1:
            return False
        (directive,) = resolves
        if (
            directive["action"] != "supersede"
            or directive["tellings"] != [self.entry_id]
            or "before" in directive
        ):
            return False
        if directive["reason"] == "correction":
            return inherits == self.entry_id and start == self.start
        return inherits is None and start > self.start

"""Marks: the live tellings of a plain slot, reduced to what bears on its timeline.

A *mark* is what a slot needs to know of a telling that is admitted and not withdrawn.  It has an
end of its own (`end`: by its words, an ending entry or a temporal successor) and may be ended before
by succession, which is worked out when asked.  A correction without times of its own inherits the
place of its target; what ends any of its ancestors ends it too, which `low`, `key` and `other` keep
in a form of constant size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER

if TYPE_CHECKING:
    from agm_store.entries import Body

Said = tuple[str, str | None, str | None]
"""Where a statement was heard: source, citation, episode."""

Since = tuple[int, int]
"""A time, and at that time the entry."""

NEVER: Since = (FOREVER, FOREVER)
"""Later than any time."""

NO_RANK = 2**62
"""A rank that no class has."""


class Mark:
    """A live telling of a plain slot."""

    __slots__ = (
        "claims", "defaulted", "end", "entry_id", "fixed", "heads", "identity", "key", "low",
        "open", "order_seq", "order_start", "other", "rank", "said", "seq", "start", "value",
    )  # fmt: skip

    def __init__(
        self,
        entry_id: str,
        seq: int,
        *,
        identity: str,
        value: str | None,
        rank: int,
        start: int,
        told_end: int,
    ) -> None:
        self.entry_id, self.seq, self.identity, self.value = entry_id, seq, identity, value
        self.rank, self.start = rank, start
        self.order_seq, self.order_start, self.defaulted = seq, start, False
        self.said: Said | None = None
        self.open = told_end == FOREVER
        self.fixed = told_end  # its end by words and ending entries
        self.end = told_end  # moreover by temporal successors, see `settle`
        self.heads: list[Mark] = []  # live temporal successors
        self.claims: tuple[str, ...] = (
            identity,
        )  # its claim and those of the ancestors whose place it took
        self.low, self.key, self.other = rank, value, NO_RANK  # see `ends`

    @property
    def rival(self) -> bool:
        """Whether its start ends others: dated, told without an end, and held at all."""
        return self.open and self.order_start != BEFORE_ALL and self.end > self.start

    @property
    def began(self) -> Since:
        """Where it begins; a start that was said is before all that is recorded at that time."""
        return self.order_start, self.order_seq if self.defaulted else 0

    @property
    def knotty(self) -> bool:
        """Whether more ends it than ends a mark of its own rank and value."""
        return self.other != NO_RANK or self.low < self.rank

    def settle(self) -> None:
        """Work out its own end from what is fixed and the present starts of its successors."""
        self.end = (
            min([self.fixed, *(head.start for head in self.heads)]) if self.heads else self.fixed
        )

    def inherit(self, parent: Mark) -> None:
        """Take over the place of a corrected telling, with all that ends it."""
        self.order_seq, self.order_start, self.defaulted = (
            parent.order_seq,
            parent.order_start,
            parent.defaulted,
        )
        self.fixed = min(self.fixed, parent.fixed)
        self.heads = list(parent.heads)
        self.descend(parent.low, parent.key, parent.other)
        self.claims = (
            parent.claims if self.identity in parent.claims else (*parent.claims, self.identity)
        )

    def descend(self, low: int, key: str | None, other: int) -> None:
        """Let what ends an ancestor end this too.

        ``low`` is the least rank in the line, ``key`` a value told at it, ``other`` the least rank
        at which a value different from ``key`` was told.
        """
        if key == self.key:
            self.low, self.other = min(low, self.low), min(other, self.other)
        elif low <= self.low:
            self.low, self.key, self.other = low, key, min(other, self.low)
        else:
            self.other = min(low, self.other)


def ends(rival: Mark, mark: Mark) -> bool:
    """Whether a rival (see `Mark.rival`) ends a mark by succession."""
    if rival.rank < (mark.low if rival.value != mark.key else mark.other) or not mark.open:
        return False
    return rival.start > mark.start or ends_at_once(rival, mark)


def ends_at_once(rival: Mark, mark: Mark) -> bool:
    """Whether a rival with the same start comes later: defaulted starts are ordered by the journal."""
    return (
        rival.start == mark.start
        and rival.defaulted
        and mark.defaulted
        and rival.order_seq > mark.order_seq
    )


def said_in(body: Body) -> Said | None:
    """Where a telling was heard; None when it names no source."""
    source = body.get("source")
    return None if source is None else (source, body.get("citation"), body.get("episode"))

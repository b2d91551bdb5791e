"""What was recorded before an entry: all that it may name, and the names and constraints that it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import moment
from agm_store.grounding import INSTANCE
from agm_store.telling import near_of

if TYPE_CHECKING:
    from datetime import datetime

    from agm import EntrenchmentOrder
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.journal import Journal


class Antecedents:
    """A journal as each of its entries met it: what comes later, or is somebody else's, is not there."""

    def __init__(self, journal: Journal, order: EntrenchmentOrder) -> None:
        self.journal = journal
        self.order = order

    def recorded(self, entry: Entry, seq: int, op: str | None = None) -> Entry | None:
        """The entry of a number before another of the same owner, of one op or of any."""
        found = self.journal.entry(seq) if seq < entry.seq else None
        if found is None or found.owner != entry.owner:
            return None
        return found if op is None or found.body.get("op") == op else None

    def told(self, entry: Entry, name: object) -> Entry | None:
        """The statement before an entry that an id or a number names."""
        found = (
            self.journal.entry(name)
            if isinstance(name, int)
            else self.journal.find(entry.owner, str(name))
        )
        if found is None or found.seq >= entry.seq or found.owner != entry.owner:
            return None
        return found if found.body.get("op") == "tell" else None

    def named(self, entry: Entry) -> dict[str, Entry | None]:
        """The statements that a body names beside its object, each with its entry if there is one."""
        body = entry.body
        names = [*body.get("because", ()), *targets_of(body), *near_of(body)]
        names += [*body.get("refines", ()), *body.get("refined_by", ()), *body.get("attests", ())]
        for directive in body.get("resolves", ()):
            names += [*directive["tellings"], *filter(None, [directive.get("before")])]
        names += filter(None, [body.get("inherits"), body.get("edits"), body.get("edited")])
        answer = body.get("answer", {})
        rows = [*answer.get("retired", ()), answer.get("contested", ())]
        names += [name.partition(INSTANCE)[0] for row in rows for name in row]
        return {name: self.told(entry, name) for name in names}

    def touching(self, entry: Entry, mark: str) -> list[Entry]:
        """What its owner recorded under a mark before an entry."""
        return self.journal.touching(entry.owner, [mark], upto=entry.seq - 1)

    def imprinted(self, told: Entry, source: object) -> bool:
        """Whether a version of a source told a statement."""
        cause = self.journal.entry(told.body["cause"]) if "cause" in told.body else None
        if cause is None or cause.body.get("op") != "imprint":
            return False
        return bool(cause.body.get("source") == source)

    def hand(self, entry: Entry) -> Context:
        """A hand of the owner of an entry that knows what was recorded before it."""
        from agm_store.context import Context

        def clock() -> datetime:
            return moment(entry.recorded_at)

        hand = Context(self.journal, entry.owner, self.order, clock)
        return hand.as_known(entry.seq - 1)


def targets_of(body: Body) -> set[str]:
    """The ids of what the directives of a body resolve."""
    return {d["target"] for d in body.get("resolves", ())}

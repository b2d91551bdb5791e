"""What lapsed without an entry: the first stage of a sweep.

An entry is followed downstream when it is written; time is not.  So a sweep reads every conclusion as it
stands now: one that lost its support when a premise ended is flagged, without a cause, and a flag
whose belief is supported again, or over, is cleared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_propagation.consequences import consequences
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.downstream import CAP, affected_by, without_dismissed
from agm_store.flags import standing
from agm_store.touches import DERIVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_propagation.consequences import Affected, Step
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.records import Flagged


class Lapses(NamedTuple):
    """The steps that time alone asks for, and the beliefs of which it was not decided, each with the reason."""

    steps: tuple[Step, ...]
    undecided: tuple[tuple[str, str], ...] = ()


def lapses(context: Context, now: int) -> Lapses:
    """What time did to conclusions and to flagged beliefs, as steps to be recorded."""
    flags = [f for f in standing(context) if not f.artefact]
    looked = _looked_at(context, flags)
    readings = _Readings(context, looked, now)
    kinds: dict[str, set[str]] = {}
    for flag in flags:
        kinds.setdefault(flag.on, set()).add(flag.kind)
    steps = consequences(
        readings.affected.values(), {on: frozenset(found) for on, found in kinds.items()}
    )
    steps = without_dismissed(context, steps, steps)
    return Lapses(tuple(steps), tuple(sorted(readings.undecided.items())))


def _looked_at(context: Context, flags: Sequence[Flagged]) -> list[Entry]:
    """The tellings of conclusions and of what is flagged, in order of recording."""
    derived = context.journal.touching(context.owner, [DERIVED])
    found = {e.seq: e for e in derived if e.body["op"] == "tell" and "because" in e.body}
    for flag in flags:
        entry = context.telling_entry(flag.on)
        found[entry.seq] = entry
    return [found[seq] for seq in sorted(found)]


class _Readings:
    """Each telling as it stands now; one reading serves all tellings on its tokens.

    The latest come first: what a conclusion rests on is read with it.
    """

    def __init__(self, context: Context, looked: Sequence[Entry], now: int) -> None:
        self.affected: dict[str, Affected] = {}
        self.undecided: dict[str, str] = {}
        self._context, self._now = context, now
        self._tokens = {e.entry_id: tokens_of(e) or [f"#{e.entry_id}"] for e in looked}
        self._cap = CAP + len({t for tokens in self._tokens.values() for t in tokens})
        on_token: dict[str, list[Entry]] = {}
        for entry in looked:
            on_token.setdefault(self._tokens[entry.entry_id][0], []).append(entry)
        for entry in reversed(looked):
            if entry.entry_id not in self.affected:
                self._read(entry, on_token)

    def _read(self, entry: Entry, on_token: dict[str, list[Entry]]) -> None:
        from agm_store.worlds import consolidated

        context = self._context
        own = self._tokens[entry.entry_id]
        try:
            around = component(context.journal, context.owner, own, whole=False, cap=self._cap)
            ledger = context.ledger(around)
            reading = consolidated(context, ledger, self._now)
        except NotDecided as error:
            self.undecided[entry.entry_id] = error.reason
            return
        read = set(around)
        for token in around:
            for one in on_token.get(token, ()):
                if one.entry_id not in self.affected and read.issuperset(
                    self._tokens[one.entry_id]
                ):
                    found = affected_by(ledger, reading, None, one, self._now)
                    self.affected[one.entry_id] = found
                    self.undecided.pop(one.entry_id, None)

"""Both time axes of a term on one map: what was believed of which valid time, and when it was known.

Each line of the map is a stretch of recorded time in which one entry after another left the outcome as it
was; the line itself runs over valid time. The newest stands on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.displays.charts import Bar, Mark, Span, bars
from agm.displays.style import panel
from agm_store.displays.spans import beginning, tick
from agm_store.entries import micros, moment
from agm_store.records import EntryId
from agm_store.tables import words_of
from agm_store.times import spoken, written

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm import Term
    from agm.displays.style import Tone
    from agm_store.beliefs import BeliefStore
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.records import Side

LINES = 40
"""The most entries that are looked back on; each costs a timeline."""


class Known(NamedTuple):
    """What was believed of a term over all valid time, from an entry on."""

    entry: EntryId
    since: datetime
    sides: Sequence[Side]


class TwoAxes:
    """What was believed of a term when, newest first; ``left`` entries before that were not looked at."""

    __slots__ = ("at", "left", "lines", "term")

    def __init__(self, term: str, lines: Sequence[Known], at: datetime, *, left: int = 0) -> None:
        self.term = term
        self.lines = tuple(lines)
        self.at = at
        self.left = left

    def to_records(self) -> list[dict[str, Any]]:
        """One flat row a stretch of both axes, for data frames; ``known_to`` is None for what is known now."""
        rows = []
        until: datetime | None = None
        for line in self.lines:
            rows += [
                {
                    "known_from": written(line.since),
                    "known_to": written(until),
                    "entry": line.entry,
                    "valid_from": written(side.valid_from),
                    "valid_to": written(side.valid_to),
                    "says": words_of(side),
                    "standing": side.standing,
                    "belief": side.belief,
                }
                for side in line.sides
            ]
            until = line.since
        return rows

    def _repr_html_(self) -> str:
        """The map as bars."""
        shown = [
            Bar(
                f"{spoken(line.since)} (entry {line.entry})",
                [_span(side, newest=not place) for side in line.sides],
                f"as known from {spoken(line.since)} on, entry {line.entry}",
            )
            for place, line in enumerate(self.lines)
        ]
        if not self.lines:
            return panel(title=f"nothing was ever recorded of {self.term}")
        marks = [Mark(micros(self.at), f"as of {spoken(self.at)}")]
        left = [f"{self.left:,} earlier entries not shown"] if self.left else []
        title = f"{self.term}: known since (down) × valid (across)"
        return panel(bars(shown, tick=tick, marks=marks, name=title), title=title, notes=left)

    def __repr__(self) -> str:
        return f"<TwoAxes of {self.term}: {len(self.lines)} outcomes>"


def two_axes(store: BeliefStore, term: Term[Any], /, *, most: int = LINES) -> TwoAxes:
    """What was believed of a term over all valid time, as known after each of the last entries that moved it."""
    world = store.at()
    entries = _moving(world.context, term)
    found: list[Known] = []
    for entry in entries[-most:]:
        sides = store.timeline(term, known=entry.seq)
        same = [(s.belief, s.valid_from, s.valid_to, s.standing) for s in sides]
        if not found or same != [
            (s.belief, s.valid_from, s.valid_to, s.standing) for s in found[-1].sides
        ]:
            found.append(Known(EntryId(entry.seq), moment(entry.recorded_at), sides))
    left = max(len(entries) - most, 0)
    return TwoAxes(str(term.key), found[::-1], world.valid, left=left)


def _moving(context: Context, term: Term[Any]) -> list[Entry]:
    """The entries that may move the timeline of a term, in order of recording."""
    from agm_store.answering import atoms_of
    from agm_store.components import component
    from agm_store.touches import ALIASES

    key, journal, owner = term.key, context.journal, context.owner
    known = context.lexicon.learn([key.predicate]).get(key.predicate)
    single = known is None or known.functional
    tokens = [str(key)] if single else atoms_of(context, key.predicate, key.entities)
    tokens = sorted(context.alike(tokens))
    found = {entry.seq: entry for entry in context.raw.touching(owner, [ALIASES])}
    if not all(map(context.plain, tokens)):
        tokens = component(journal, owner, tokens)
        found |= {entry.seq: entry for entry in journal.ruled(owner)}
    found |= {entry.seq: entry for entry in journal.touching(owner, tokens)}
    return [found[seq] for seq in sorted(found)]


def _span(side: Side, *, newest: bool) -> Span:
    tone: Tone = "good" if newest else "mute"
    if side.standing == "contested":
        tone = "warn"
    end = None if side.valid_to is None else micros(side.valid_to)
    label = words_of(side) if side.value is None else str(side.value)
    until = "open" if side.valid_to is None else spoken(side.valid_to)
    hint = f"{words_of(side)}, {spoken(side.valid_from)} to {until}, {side.standing}"
    return Span(beginning(side.valid_from), end, label, tone, hint)

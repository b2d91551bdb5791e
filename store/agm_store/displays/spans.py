"""Tellings over valid time, as bars: what is past is grey, what is contested amber, and a line stands at as of."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agm.displays.charts import Bar, Mark, Span, bars
from agm.displays.style import panel
from agm_store.displays.sides import STATUSES
from agm_store.entries import micros, moment
from agm_store.tables import words_of
from agm_store.times import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.displays.style import Tone
    from agm_store.records import Side


def of_timeline(sides: Sequence[Side], at: datetime | None) -> str:
    """What is believed of a term over all valid time, a line a claim."""
    lines: dict[str, list[Span]] = {}
    for side in sides:
        lines.setdefault(words_of(side), []).append(_span(side, _tone_at(side, at)))
    shown = [Bar(name, spans, name) for name, spans in lines.items()]
    return _pictured(shown, at, f"{len(sides)} stretch{'es' * (len(sides) != 1)}")


def of_history(sides: Sequence[Side], at: datetime | None) -> str:
    """Every telling in order of recording, a line each: what no longer counts is grey."""
    lines = []
    for side in sides:
        tone: Tone = STATUSES.get(side.status, "mute")
        if side.status == "active" and side.standing != "believed":
            tone = "warn" if side.standing in ("contested", "unsupported") else "plain"
        words = words_of(side)
        more = f", replaced by {side.replaced_by}" if side.replaced_by else ""
        hint = f"{side.belief}: {words}, {side.status}{more}"
        lines.append(Bar(f"{side.belief}: {words}", [_span(side, tone, side.status)], hint))
    return _pictured(lines, at, f"{len(sides)} telling{'s' * (len(sides) != 1)}")


def tick(at: float) -> str:
    """A place on the axis, in microseconds, as a day or a day and a minute."""
    return spoken(moment(int(at)))


def beginning(start: datetime) -> int | None:
    """Where a span begins; None for the beginning of time, which nobody knows."""
    found = micros(start)
    return None if start <= datetime(1, 1, 2, tzinfo=UTC) else found


def _pictured(lines: Sequence[Bar], at: datetime | None, title: str) -> str:
    if not lines:
        return panel(title="nothing is believed of it at any time")
    marks = [] if at is None else [Mark(micros(at), f"as of {spoken(at)}")]
    return panel(bars(lines, tick=tick, marks=marks, name=title), title=f"{title}, in valid time")


def _tone_at(side: Side, at: datetime | None) -> Tone:
    if side.standing == "contested":
        return "warn"
    if at is not None and side.valid_to is not None and side.valid_to <= at:
        return "mute"
    return "plain" if at is not None and side.valid_from > at else "good"


def _span(side: Side, tone: Tone, label: str | None = None) -> Span:
    end = None if side.valid_to is None else micros(side.valid_to)
    words = words_of(side)
    by = f", told by {side.source}" if side.source else ""
    until = "open" if side.valid_to is None else spoken(side.valid_to)
    hint = f"{words}, {spoken(side.valid_from)} to {until}, {side.standing}{by}"
    shown = label or (words if side.value is None else str(side.value))
    return Span(beginning(side.valid_from), end, shown, tone, hint)

"""The second primitive: bars over an axis, each for the time in which something is so.

An open end runs to the edge of the picture and ends in a point. Where the bounds lie so close that
true distances could not be told apart, they are moved apart, and the picture says so.
"""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from agm.displays.drawing import EM, SMALL, box, picture, reach, scrolling, solid, stroke, written
from agm.displays.tables import more
from agm.displays.texts import wide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm.displays.style import Tone

BARS = 100
"""The most bars that a picture shows."""

SPANS = 400
"""The most spans in all of them."""

LABEL = 34
"""The most characters of the name of a bar."""

_WIDTH, _LANE, _EDGE = 560.0, 22.0, 34.0
_NEAR = 9.0
"""Bounds nearer to each other than this are moved apart, in pixels."""


class Span(NamedTuple):
    """From where to where, both or either open; what stands in it; and more in a hint."""

    start: float | None
    end: float | None
    label: str = ""
    tone: Tone = "plain"
    hint: str = ""


class Bar(NamedTuple):
    """A named line of spans; spans that overlap stand one below the other."""

    label: str
    spans: Sequence[Span]
    hint: str = ""


class Mark(NamedTuple):
    """A place on the axis that is drawn through all bars, with its name above them."""

    at: float
    label: str


def bars(
    lines: Sequence[Bar],
    *,
    tick: Callable[[float], str],
    marks: Sequence[Mark] = (),
    between: tuple[float, float] | None = None,
    most: int = BARS,
    name: str = "bars",
) -> str:
    """Bars as a picture in a scrolling box; of more than ``most`` lines the last, and of long ones the last spans.

    ``tick`` writes a place of the axis; ``between`` fixes the ends of an axis that is true to scale.
    """
    room = max(1, SPANS // max(1, min(len(lines), most)))
    last = lines[max(0, len(lines) - max(0, most)) :]
    shown = [Bar(line.label, [*map(_bounded, line.spans[-room:])], line.hint) for line in last]
    marks = [mark for mark in marks if isfinite(mark.at)]
    left = sum(len(line.spans) for line in lines) - sum(len(line.spans) for line in shown)
    axis = _Axis(shown, marks, between)
    svg = _drawn(shown, axis, marks, tick, name)
    notes = [more(left)] if left else []
    notes += [] if axis.true else ["close bounds are drawn apart; not to scale"]
    return scrolling(svg, "; ".join(notes))


def _bounded(span: Span) -> Span:
    """A span without bounds that lie nowhere: infinity, and what is no number."""
    return span._replace(start=_place(span.start), end=_place(span.end))


def _place(bound: float | None) -> float | None:
    return bound if bound is not None and isfinite(bound) else None


class _Axis:
    """Where the places of the axis stand, in pixels from its left end."""

    def __init__(
        self,
        lines: Iterable[Bar],
        marks: Iterable[Mark],
        between: tuple[float, float] | None,
    ) -> None:
        spans = [span for line in lines for span in line.spans]
        ends = [end for span in spans for end in (span.start, span.end) if end is not None]
        self.bounds = sorted({*ends, *(mark.at for mark in marks), *(between or ())})
        before = between is None and any(span.start is None for span in spans)
        beyond = between is None and any(span.end is None for span in spans)
        self.left = _EDGE if before else 0.0
        self.right = _WIDTH - (_EDGE if beyond else 0.0)
        self.true = True
        self._fixed = between
        self._places = self._spread()
        gaps = [two - one for one, two in pairwise(self._places.values())]
        if between is None and gaps and min(gaps) < _NEAR:
            self.true = False
            self._places = self._spread(even=0.6)

    def _spread(self, even: float = 0.0) -> dict[float, float]:
        """The bounds in true distances, of which a share is the same for all."""
        room, bounds = self.right - self.left, self.bounds
        if len(bounds) < 2:
            return dict.fromkeys(bounds, self.left + room / 2)
        part = 1.0 if isfinite(bounds[-1] - bounds[0]) else 0.25  # of what no float can tell apart
        first, steps = bounds[0] * part, len(bounds) - 1
        length = bounds[-1] * part - first
        return {
            bound: self.left
            + room * ((1 - even) * ((bound * part - first) / length) + even * place / steps)
            for place, bound in enumerate(bounds)
        }

    def start(self, span: Span) -> float:
        """Where a span starts."""
        return 0.0 if span.start is None else self._places[span.start]

    def end(self, span: Span) -> float:
        """Where it ends."""
        return _WIDTH if span.end is None else self._places[span.end]

    def at(self, bound: float) -> float:
        """Where a bound or a mark stands."""
        return self._places[bound]

    def named(self) -> list[tuple[float, float]]:
        """What is written under the axis, and where: its bounds, or quarters where its ends are fixed."""
        if self._fixed is not None and self._fixed[0] < self._fixed[1]:
            low, high = self._fixed
            start, end = self._places[low], self._places[high]
            return [
                (low + (high - low) * n / 4, start + (end - start) * n / 4) for n in (0, 4, 2, 1, 3)
            ]
        inner = self.bounds[1:-1]
        order = [*self.bounds[:1], *self.bounds[:0:-1][:1], *inner]
        return [(bound, self._places[bound]) for bound in order]


def _drawn(
    lines: Sequence[Bar],
    axis: _Axis,
    marks: Sequence[Mark],
    tick: Callable[[float], str],
    name: str,
) -> str:
    left = max((reach(line.label, LABEL) for line in lines), default=0.0) + 16
    top = 6 + 16.0 * len(marks)
    boxes: list[str] = []
    texts: list[str] = []
    y = top
    for line in lines:
        lanes = _lanes(line.spans, axis)
        texts.append(written(4, y + 15, line.label, columns=LABEL, hint=line.hint))
        for span, lane in zip(line.spans, lanes, strict=True):
            bar, said = _span(span, axis, left, y + lane * _LANE)
            boxes += bar
            texts += said
        y += _LANE * (1 + max(lanes, default=0)) + 4
    under = [stroke(f"M{left:.1f} {y:.1f}h{_WIDTH:.0f}", faint=True)]
    under += _ticks(axis, left, y, tick)
    for place, mark in enumerate(marks):
        boxes += _mark(mark, axis, left, 16.0 * place + 12, y)
    return picture([*under, *boxes, *texts], left + _WIDTH + 8, y + 24, name=name)


def _lanes(spans: Sequence[Span], axis: _Axis) -> list[int]:
    """For each span the first lane in which it overlaps none that stands there."""
    ends: list[float] = []
    found = [0] * len(spans)
    for number in sorted(range(len(spans)), key=lambda n: (axis.start(spans[n]), n)):
        start, end = axis.start(spans[number]), axis.end(spans[number])
        lane = next((n for n, taken in enumerate(ends) if taken <= start + 0.01), len(ends))
        ends[lane:] = [end, *ends[lane + 1 :]]
        found[number] = lane
    return found


def _span(span: Span, axis: _Axis, left: float, y: float) -> tuple[list[str], list[str]]:
    """The bar of a span, and what stands in it."""
    start, end = left + axis.start(span), left + axis.end(span)
    hint = span.hint or span.label
    parts = [box(start, y, end - start - 1, _LANE - 3, tone=span.tone, hint=hint)]
    room = end - start - 12
    if span.end is None:
        tip, middle = end - 4, y + (_LANE - 3) / 2
        parts.append(solid(f"M{tip - 6:.1f} {middle - 4:.1f}l6 4l-6 4z"))
        room -= 12
    first = start + 6
    if span.start is None:
        middle = y + (_LANE - 3) / 2
        parts.append(solid(f"M{start + 10:.1f} {middle - 4:.1f}l-6 4l6 4z"))
        first, room = first + 10, room - 10
    columns = int(room / EM)
    if columns < min(3, wide(span.label)):
        return parts, []
    ink = "agm-past" if span.tone == "mute" else "agm-in"
    return parts, [written(first, y + 14, span.label, columns=columns, kind=ink, hint=hint)]


def _mark(mark: Mark, axis: _Axis, left: float, y: float, bottom: float) -> list[str]:
    x = left + axis.at(mark.at)
    length = reach(mark.label, LABEL, SMALL)
    begin = min(max(x - length / 2, 2), left + _WIDTH + 6 - length)
    return [
        stroke(f"M{x:.1f} {y + 3:.1f}V{bottom:.1f}", dashed=True),
        written(begin, y, mark.label, columns=LABEL, kind="agm-small"),
    ]


def _ticks(axis: _Axis, left: float, y: float, tick: Callable[[float], str]) -> list[str]:
    """Places of the axis by name, the outer ones first, as many as stand side by side."""
    taken: list[tuple[float, float]] = []
    parts = []
    for bound, place in axis.named():
        x, text = left + place, tick(bound)
        length = reach(text, LABEL, SMALL)
        begin = min(max(x - length / 2, 2), left + _WIDTH + 6 - length)
        if all(begin > end + 8 or begin + length < start - 8 for start, end in taken):
            taken.append((begin, begin + length))
            parts.append(stroke(f"M{x:.1f} {y:.1f}v4", faint=True))
            parts.append(written(begin, y + 17, text, columns=LABEL, kind="agm-small"))
    return parts

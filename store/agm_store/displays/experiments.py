"""The tables of an experiment: Markdown in a terminal, a table and bars of right answers in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.displays.charts import Bar, Span, bars
from agm.displays.style import panel
from agm.displays.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.experiments.reporting import Share


class Lines(NamedTuple):
    """A table as its cells, the first line the head; its title; the share of each row of its picture; a note."""

    cells: Sequence[Sequence[str]]
    title: str = ""
    shares: Sequence[tuple[str, Share]] = ()
    note: str = ""


class Markdown(str):
    """Tables as text that notebooks show as tables; a string in every other way."""

    __slots__ = ("parts",)
    parts: tuple[Lines, ...]

    def __new__(cls, parts: Sequence[Lines] = ()) -> Markdown:
        """Write the tables one below the other."""
        text = [
            piece
            for part in parts
            for piece in (part.title, markdown(part.cells), part.note)
            if piece
        ]
        self = super().__new__(cls, "\n\n".join(text))
        self.parts = tuple(parts)
        return self

    def __reduce__(self) -> tuple[type[Markdown], tuple[tuple[Lines, ...]]]:
        """Travel by its tables."""
        return Markdown, (self.parts,)

    def to_records(self) -> list[dict[str, str]]:
        """One row a line of the first table, as it is shown, for data frames."""
        head, *rows = self.parts[0].cells
        return [dict(zip(head, row, strict=True)) for row in rows]

    def _repr_html_(self) -> str:
        """The tables, and bars for the shares."""
        return "".join(map(_part, self.parts))


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells as a table, the first its head."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([rows[0], rule, *rows[1:]])


def _part(part: Lines) -> str:
    head, *rows = part.cells
    parts = [table(head, rows, total=len(rows))]
    if part.shares:
        found = [Bar(name, [_span(share)], f"{name}: {share}") for name, share in part.shares]
        parts.append(
            bars(found, tick=lambda at: f"{at:g} %", between=(0, 100), name="right answers")
        )
    return panel(*parts, title=part.title, notes=[part.note] if part.note else [])


def _span(share: Share) -> Span:
    low, high = share.interval
    hint = f"{share.right} of {share.total}, 95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    return Span(0, 100 * share.value, f"{100 * share.value:.1f} %", "good", hint)

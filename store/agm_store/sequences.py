"""Tellings in order, as tuples that notebooks show: a term over time, the past of a belief, what is believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from agm_store.records import Side

    _Base = tuple[Side, ...]
else:
    _Base = tuple


class Sides(_Base):
    """Some tellings; a tuple in every other way. ``at`` is the valid time as of which they were read."""

    at: datetime | None

    def __new__(cls, sides: Iterable[Side] = (), at: datetime | None = None) -> Sides:
        """Take the tellings over, and when they were read."""
        self = super().__new__(cls, sides)
        self.at = at
        return self

    def to_records(self) -> list[dict[str, Any]]:
        """One flat row of plain values a telling, as `pandas.DataFrame` takes them."""
        from agm_store.displays.sides import side_records

        return side_records(self)

    def _repr_html_(self) -> str:
        """The tellings as a table."""
        from agm.displays.style import panel
        from agm_store.displays.sides import sides_table

        return panel(sides_table(self))

    def __str__(self) -> str:
        """One telling a line."""
        return "\n".join(map(str, self))


class Timeline(Sides):
    """What is believed of a term over all valid time, one side a stretch, in order of time."""

    def _repr_html_(self) -> str:
        """The stretches as bars, and a line at as of."""
        from agm_store.displays.spans import of_timeline

        return of_timeline(self, self.at)


class History(Sides):
    """Every telling of the slot of a belief, or linked with it, in order of recording."""

    def _repr_html_(self) -> str:
        """The validity of each as a bar, grey where it no longer counts, over the table of them."""
        from agm.displays.style import panel
        from agm_store.displays.sides import sides_table
        from agm_store.displays.spans import of_history

        return of_history(self, self.at) + panel(sides_table(self))

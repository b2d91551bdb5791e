"""Reviews as a table: a sequence that notebooks show as HTML and data frames take as records.

What was told is data: it is escaped, and characters that nobody sees or that turn writing around are shown
by their code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.displays.texts import inert
from agm_store.blanking import GONE
from agm_store.times import spoken, written

if TYPE_CHECKING:
    from datetime import timedelta

    from agm_store.listings import Review
    from agm_store.records import Side

    _Base = tuple[Review, ...]
else:
    _Base = tuple

__all__ = ["COLUMNS", "Reviews", "age_of", "inert", "words_of"]

COLUMNS = ("id", "new", "against", "verdict", "confidence", "why", "since", "source", "options")


class Reviews(_Base):
    """Some reviews in order; a tuple in every other way."""

    __slots__ = ()

    def to_records(self) -> list[dict[str, Any]]:
        """One row of plain values a review, as `pandas.DataFrame` takes them."""
        return [_record(review) for review in self]

    def _repr_html_(self) -> str:
        """The reviews as an HTML table."""
        from agm.displays.style import panel
        from agm.displays.tables import ROWS, filled, table

        records = [{**_record(one), "since": spoken(one.since)} for one in self[:ROWS]]
        head, rows = filled(
            COLUMNS, [[_cell(record[name]) for name in COLUMNS] for record in records]
        )
        title = f"{len(self)} waiting" if self else "nothing waits"
        return panel(table(head, rows, total=len(self)) if self else "", title=title)

    def __str__(self) -> str:
        """The reviews one after another, in a few lines each."""
        return "\n".join(map(str, self))


def _record(review: Review) -> dict[str, Any]:
    machine = review.machine
    return {
        "id": review.id,
        "new": words_of(review.new),
        "against": None if review.old is None else words_of(review.old),
        "against_id": None if review.old is None else review.old.belief,
        "verdict": None if machine is None else machine.kind,
        "route": None if machine is None else machine.route,
        "confidence": None if machine is None else machine.confidence,
        "certificate": [belief.id for belief in review.certificate],
        "why": "; ".join((*review.why, *review.not_checked)),
        "since": written(review.since),
        "age_s": None if review.age is None else review.age.total_seconds(),
        "source": review.source,
        "options": list(review.options),
    }


def _cell(value: object) -> str:
    if value is None:
        return ""
    return " | ".join(value) if isinstance(value, list) else str(value)


def words_of(side: Side) -> str:
    """What a side says: its claim, else its text in quotes; nothing of what was redacted."""
    if side.claim is None and side.text is None:
        return GONE
    return str(side.claim) if side.claim is not None else f'"{side.text}"'


def age_of(age: timedelta) -> str:
    """An age in its two largest units."""
    minutes, seconds = divmod(int(age.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((n for n, (count, _) in enumerate(parts) if count), 3)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"

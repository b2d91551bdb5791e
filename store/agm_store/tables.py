"""Reviews as a table: a sequence that notebooks show as HTML and data frames take as records.

What was told is data: it is escaped, and characters that nobody sees or that turn writing around are shown
by their code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.blanking import GONE
from agm_store.times import written

if TYPE_CHECKING:
    from datetime import timedelta

    from agm_store.records import Review, Side

    _Base = tuple[Review, ...]
else:
    _Base = tuple

COLUMNS = ("id", "new", "against", "verdict", "confidence", "why", "since", "source", "options")


class Reviews(_Base):
    """Some reviews in order; a tuple in every other way."""

    __slots__ = ()

    def to_records(self) -> list[dict[str, Any]]:
        """One row of plain values a review, as `pandas.DataFrame` takes them."""
        return [_record(review) for review in self]

    def _repr_html_(self) -> str:
        """The reviews as an HTML table."""
        head = "".join(f"<th>{name}</th>" for name in COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(record[name])}</td>" for name in COLUMNS) + "</tr>"
            for record in self.to_records()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


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
    from html import escape

    if value is None:
        return ""
    shown = " | ".join(value) if isinstance(value, list) else str(value)
    return escape(inert(shown))


def words_of(side: Side) -> str:
    """What a side says: its claim, else its text in quotes; nothing of what was redacted."""
    if side.claim is None and side.text is None:
        return GONE
    return str(side.claim) if side.claim is not None else f'"{side.text}"'


def inert(text: str) -> str:
    """A text on one line in which what nobody sees, or what turns writing around, is shown by its code."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def age_of(age: timedelta) -> str:
    """An age in its two largest units."""
    minutes, seconds = divmod(int(age.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    first = next((n for n, (count, _) in enumerate(parts) if count), 3)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"

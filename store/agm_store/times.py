"""Times as text: ISO-8601 with a UTC offset, read and written in one place."""

from __future__ import annotations

from datetime import UTC, datetime

from agm_store.errors import InvalidArgument, NaiveTime


def moment_of(name: str, text: object) -> datetime:
    """The UTC moment that an ISO-8601 text names, e.g. ``2024-01-31T09:00:00Z``.

    Raises:
        InvalidArgument: it is no such text (numbers are none: seconds or microseconds is a guess).
        NaiveTime: it has no offset, or lies outside the years 1-9999 in UTC.
    """
    expected = "an ISO-8601 time with offset, e.g. 2024-01-31T09:00:00Z"
    if not isinstance(text, str) or not text.isascii() or text.isdigit():
        raise InvalidArgument(name, text, expected)
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidArgument(name, text, expected) from error
    if found.tzinfo is None:
        raise NaiveTime(text)
    try:
        return found.astimezone(UTC)
    except OverflowError as error:
        raise NaiveTime(text) from error


def written(moment: datetime | None) -> str | None:
    """A moment as it is printed for machines: UTC, ``Z``, fractions only where there are any; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def spoken(moment: datetime | None) -> str:
    """A moment as a person reads it: day, or day and minute, in UTC; an open end is ``open``.

    >>> spoken(datetime(2024, 1, 31, 9, tzinfo=UTC)), spoken(datetime(2024, 1, 31, tzinfo=UTC))
    ('2024-01-31 09:00', '2024-01-31')
    """
    if moment is None:
        return "open"
    text = moment.astimezone(UTC).isoformat(" ")[:19]  # strftime writes the year 1 as "1"
    if text.endswith(" 00:00:00"):
        return text[:10]
    return text.removesuffix(":00") if moment.second == 0 else text

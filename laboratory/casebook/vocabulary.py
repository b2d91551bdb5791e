"""What the words of the memory vocabulary mean: times, values, triples, items of a batch."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agm.claims import Quantity
from agm.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.values import Value
    from laboratory.casebook.found import Json

OWN_OUTPUT = "agm:recall"
AUTHORITY = ("inferred", "observed", "documented", "asserted")
"""Classes for the authorities 0 to 3 of the vocabulary: only their order matters."""


def targets(item: Json) -> list[str]:
    """What an item of a batch takes the place of."""
    return list(item.get("supersedes", ()))


def changes(item: Json) -> list[Json]:
    """One item as changes of what it takes the place of."""
    plain = {k: v for k, v in item.items() if k != "supersedes"}
    change = {"op": "supersede", "reason": "temporal_change"}
    return [{**change, **plain, "target": target} for target in targets(item)]


def in_order(items: Sequence[Json]) -> list[Json] | None:
    """The items, each after those of the batch that it takes the place of; None where they run in a circle."""
    waiting, done = list(items), []
    while waiting:
        names = {i["id"] for i in waiting}
        ready = [i for i in waiting if not names.intersection(targets(i))]
        if not ready:
            return None
        done += ready
        waiting = [i for i in waiting if i not in ready]
    return done


def timed(events: Sequence[Json]) -> list[Json]:
    """The events, each with a time: what has none happens with the event before it."""
    times = [moment(e["at"]) for e in events if "at" in e]
    last = (min(times, default=datetime(2026, 1, 1, tzinfo=UTC)) - timedelta(seconds=1)).isoformat()
    found = []
    for event in events:
        last = event.get("at", last)
        found.append({**event, "at": last})
    return found


def moment(text: str) -> datetime:
    """A time of the vocabulary."""
    return datetime.fromisoformat(text)


def value(o: Any) -> Value:  # noqa: ANN401  any JSON value
    """A value of the vocabulary as a claim holds it."""
    if isinstance(o, dict):
        return Quantity(o["n"], o["u"])
    return Decimal(repr(o)) if isinstance(o, float) else o


def parts(event: Json) -> Iterator[Any]:
    """Every object of an event that may hold a triple."""
    yield event
    yield event.get("claim")
    yield event.get("new")
    yield from event.get("items", ())
    for branch in event.get("branches", ()):
        yield from branch


def times(event: Json) -> Json:
    """Times as the vocabulary gives them; what is no text goes to the store as it is."""
    found: Json = {}
    for name in ("valid_from", "valid_to"):
        if name in event:
            given = event[name]
            with suppress(ValueError):  # what is no time goes to the store as it is
                given = moment(given) if isinstance(given, str) else given
            found[name] = given
    if "valid_from" in found and found["valid_from"] is None:
        found["valid_from"] = UNKNOWN
    return found


def origin(event: Json) -> Json:
    """Class and source as the vocabulary gives them."""
    rank = min(max(int(event.get("authority", 0)), 0), len(AUTHORITY) - 1)
    found = {"entrenchment": AUTHORITY[rank]}
    source = event.get("source")
    if source is not None:
        found["source"] = OWN_OUTPUT if source == "own-output" else source
    return found

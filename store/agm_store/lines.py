"""Statements as JSON lines: one object a line, read strictly, each column checked.

`numbered` cuts a stream into lines, `statement_of` reads one.  What does not fit is refused with the
column and what is known, never guessed at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm_store.errors import InvalidArgument, shorten
from agm_store.times import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from typing import BinaryIO

    from agm.values import Unknown
    from agm_store.applying import Directive

COLUMNS = (
    "id", "claim", "text", "source", "entrenchment", "confidence", "valid_from", "valid_to", "mode", "because",
    "episode", "resolves", "at",
)  # fmt: skip
"""Every column that a line may have; only ``id`` must be there."""
MAX_LINE = 16 * 1024 * 1024
"""The longest line, in bytes."""
UNDATED = "unknown"
"""The word for a ``valid_from`` that nobody knows."""


class LineRefused(AgmError):
    """A line does not have the form of a statement."""

    def __init__(self, what: str, found: str, advice: str) -> None:
        self.what, self.found = what, found
        super().__init__(f"{what}: {found}; {advice}")


class Statement(NamedTuple):
    """What one line says, its claim not parsed yet."""

    id: str
    claim: str | dict[str, Any] | None
    text: str | None
    source: str | None
    entrenchment: str | None
    confidence: int | float | None
    valid_from: datetime | Unknown | None
    valid_to: datetime | None
    mode: str
    because: tuple[str, ...]
    episode: str | None
    resolves: tuple[Directive, ...]
    at: datetime | None


def numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a stream with their numbers from 1, blank ones left out, a byte-order mark dropped.

    An overlong line comes cut to one byte more than `MAX_LINE`, so that it is refused and the rest is read.
    """
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            _skip_rest(stream, line)
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, line


def _skip_rest(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE)


def statement_of(line: str | bytes) -> Statement:
    """The statement that a line makes.

    Raises:
        LineRefused, InvalidJson, InvalidArgument, NaiveTime: the line does not fit.
    """
    from agm.jsonform import loads_strict

    if len(line) > MAX_LINE:
        raise LineRefused("line", f"longer than {MAX_LINE} bytes", "split the text it carries")
    found = loads_strict(line)
    if not isinstance(found, dict):
        raise LineRefused("line", f"found {shorten(found)}", "write one JSON object a line")
    unknown = [name for name in found if name not in COLUMNS]
    if unknown:
        raise LineRefused(
            f"column {shorten(unknown[0])}", "unknown", "known are " + ", ".join(COLUMNS)
        )
    if "confidence" in found and found["confidence"] is None:
        raise InvalidArgument("confidence", None, "a number from 0 to 1, or no such column")
    return _statement({name: part for name, part in found.items() if part is not None})


def _statement(parts: dict[str, Any]) -> Statement:
    if "id" not in parts:
        raise LineRefused("column 'id'", "missing", "give each statement an id of its own")
    for name in ("id", "text", "source", "entrenchment", "mode", "episode"):
        _is_text(name, parts.get(name, ""))
    claim = parts.get("claim")
    if claim is not None and not isinstance(claim, str | dict):
        raise InvalidArgument("claim", claim, "a claim as text or as a flat JSON object")
    resolves = tuple(_directives(parts.get("resolves", ())))
    if claim is None and "text" not in parts and not _only_retracts(resolves):
        raise LineRefused(
            "column 'claim'", "missing", "give a claim, a text, or a directive with action retract"
        )
    return Statement(
        id=parts["id"],
        claim=claim,
        text=parts.get("text"),
        source=parts.get("source"),
        entrenchment=parts.get("entrenchment"),
        confidence=_number(parts.get("confidence")),
        valid_from=_start(parts.get("valid_from")),
        valid_to=_time(parts, "valid_to"),
        mode=parts.get("mode", "assertion"),
        because=tuple(_ids("because", parts.get("because", ()))),
        episode=parts.get("episode"),
        resolves=resolves,
        at=_time(parts, "at"),
    )


def _only_retracts(resolves: tuple[Directive, ...]) -> bool:
    return bool(resolves) and all(d.action == "retract" for d in resolves)


def _is_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(name, value, "a string")
    return value


def _number(value: object) -> int | float | None:
    """A number as it may be compared; what is none is left for the check of confidence."""
    from decimal import Decimal

    return float(value) if isinstance(value, Decimal) else value  # type: ignore[return-value]


def _time(parts: dict[str, Any], name: str) -> datetime | None:
    return moment_of(name, parts[name]) if name in parts else None


def _start(value: object) -> datetime | Unknown | None:
    from agm.values import UNKNOWN

    if value is None:
        return None
    return UNKNOWN if value == UNDATED else moment_of("valid_from", value)


def _ids(name: str, value: object) -> Iterable[str]:
    if not isinstance(value, list | tuple):
        kind = "a string" if isinstance(value, str) else f"a value of type {type(value).__name__}"
        raise InvalidArgument(name, value, f"a list of statement ids, found {kind}")
    return [_is_text(f"{name}[{at}]", each) for at, each in enumerate(value)]


def _directives(value: object) -> Iterator[Directive]:
    from agm_store.applying import ACTIONS, REASONS, Directive

    asked = [value] if isinstance(value, dict) else value
    if not isinstance(asked, list | tuple):
        raise InvalidArgument("resolves", value, "a directive or a list of directives")
    for at, each in enumerate(asked):
        path = "resolves" if isinstance(value, dict) else f"resolves[{at}]"
        if not isinstance(each, dict) or set(each) != {"target", "action", "reason"}:
            raise InvalidArgument(path, each, "an object of exactly target, action and reason")
        _is_text(f"{path}.target", each["target"])
        _is_one_of(f"{path}.action", each["action"], ACTIONS)
        _is_one_of(f"{path}.reason", each["reason"], REASONS)
        yield Directive(each["target"], each["action"], each["reason"])


def _is_one_of(path: str, value: object, words: tuple[str, ...]) -> None:
    if value not in words:
        raise InvalidArgument(path, value, " or ".join(words))

"""`Correction`: one revision of the journal as a labelled example, and its plain forms.

`to_jsonl` and `from_jsonl` lose nothing; `to_records` gives flat rows of plain values, as data frames take
them.  ``revisions`` reads corrections off the journal.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from agm_store.entries import micros, moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm.directives import Mode, Reason
    from agm_store.records import EntryId

Deed = Literal[
    "correct",
    "update",
    "retract",
    "expire",
    "approve",
    "decline",
    "dismiss",
    "edit",
    "reclassify",
    "revert",
]
"""How a revision was made: a verb or a directive of that effect, or what a person decided of something held."""
By = Literal["machine", "judge", "person", "rule"]
"""Who decided: the policy on a machine's word, the judge, a person, or a rule that follows what a source names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One revision: which belief was wrong or ended, what took its place, who decided it, and what came of that.

    Claims are canonical text.  A side whose words were redacted has neither claim nor text.  ``text`` and
    ``episode`` are those of the statement that was misread or has ended.
    """

    entry: EntryId
    """The entry that made it."""
    at: datetime
    """When it was recorded."""
    deed: Deed
    reason: Reason
    """``correction``: it was never true, or was misread; ``temporal_change``: it was true."""
    decided_by: By
    wrong: BeliefId
    right: BeliefId | None = None
    """What took its place, or stands again; None where nothing does."""
    claim: str | None = None
    """What the wrong side states."""
    text: str | None = None
    """The words of the wrong side."""
    right_claim: str | None = None
    right_text: str | None = None
    source: str | None = None
    """Who told the wrong side."""
    entrenchment: str = "asserted"
    episode: str | None = None
    mode: Mode | None = None
    """How it was meant, where it was reclassified."""
    directive: str = ""
    """What the wrong side was read as a directive to retract, one a line; empty where it was read as none."""
    verdict: str | None = None
    """The class of verdicts by which a machine retired, or would have retired, a belief; None where none did."""
    confidence: float | None = None
    """How sure that was: the least of the parts, None where one was missing, which no threshold applies."""
    statement: str = ""
    """The id of the statement that a machine's verdict stands in; empty where none does."""
    stood: bool | None = None
    """Whether that retirement was right, as precision counts it; None while nobody said, or none was asked for."""
    reverted: bool = False
    """Whether the revision itself was taken back later."""
    note: str = ""

    @property
    def mistake(self) -> bool:
        """Whether it shows something misread: a correction that was not taken back."""
        return self.reason == "correction" and not self.reverted

    def to_json(self) -> dict[str, Any]:
        """Its fields as JSON values; the time in UTC microseconds, exact."""
        return {name: _plain(getattr(self, name)) for name in NAMES}

    @classmethod
    def from_json(cls, row: Mapping[str, Any], /) -> Correction:
        """The correction of such fields.

        Raises:
            InvalidArgument: they are not those of a correction.
        """
        from agm_store.errors import InvalidArgument

        if not isinstance(row, dict) or {"directive", *row} != set(NAMES):
            raise InvalidArgument("correction", row, "an object with " + ", ".join(NAMES))
        row = {"directive": "", **row}  # which earlier exports did not know
        for name, (fits, expected) in _kinds().items():
            if not fits(row[name]):
                raise InvalidArgument(name, row[name], expected)
        return cls(**{**row, "at": moment(row["at"])})


NAMES = tuple(field.name for field in fields(Correction))


def _kinds() -> dict[str, tuple[Callable[[Any], bool], str]]:
    """What each field of a row must be."""
    from agm.directives import Mode, Reason
    from agm_store.fields import is_time

    text = (lambda found: isinstance(found, str), "a string")
    maybe = (lambda found: found is None or isinstance(found, str), "a string or null")
    return {
        **dict.fromkeys(("wrong", "entrenchment", "directive", "statement", "note"), text),
        **dict.fromkeys(("right", "claim", "text", "right_claim", "right_text"), maybe),
        **dict.fromkeys(("source", "episode", "verdict"), maybe),
        "entry": (lambda found: type(found) is int and found > 0, "the number of an entry"),
        "at": (is_time, "UTC microseconds of the years 1 to 9999"),
        "deed": _one_of(*get_args(Deed)),
        "reason": _one_of(*get_args(Reason)),
        "decided_by": _one_of(*get_args(By)),
        "mode": _one_of(*get_args(Mode), None),
        "confidence": (_is_share, "a number from 0 to 1, or null"),
        "stood": (lambda found: found is None or type(found) is bool, "true, false or null"),
        "reverted": (lambda found: type(found) is bool, "true or false"),
    }


def _one_of(*words: str | None) -> tuple[Callable[[Any], bool], str]:
    return lambda found: found in words, "one of " + ", ".join(word or "null" for word in words)


def _is_share(value: Any) -> bool:  # noqa: ANN401  any value of JSON
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and 0 <= value <= 1)


def _plain(value: object) -> object:
    return micros(cast("datetime", value)) if hasattr(value, "tzinfo") else value


def to_jsonl(corrections: Iterable[Correction]) -> str:
    """Corrections as lines of JSON, one each; `from_jsonl` gives equal ones back."""
    from json import dumps

    rows = (dumps(c.to_json(), ensure_ascii=False, sort_keys=True) for c in corrections)
    return "".join(f"{row}\n" for row in rows)


def from_jsonl(lines: str) -> tuple[Correction, ...]:
    """The corrections of such lines.

    Raises:
        InvalidArgument: a line is not one.
    """
    from json import loads

    from agm_store.errors import InvalidArgument

    if not isinstance(lines, str):
        raise InvalidArgument("lines", lines, "text of lines of JSON")
    found = []
    for line in lines.split("\n"):
        if not line.strip():
            continue
        try:
            row = loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidArgument("line", line, "a line of JSON as `to_jsonl` writes it") from error
        found.append(Correction.from_json(row))
    return tuple(found)


def to_records(corrections: Iterable[Correction]) -> list[dict[str, Any]]:
    """One flat row of plain values a correction, as `pandas.DataFrame` takes them; times are aware datetimes."""
    return [
        {**{name: getattr(c, name) for name in NAMES}, "mistake": c.mistake} for c in corrections
    ]

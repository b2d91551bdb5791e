"""From a model's answer to a value, strictly: the same readers for real answers and for scripts.

Each reader takes the raw answer (text, bytes or a JSON value) and gives a value or a `NotRun`, and
never raises on what a model can write. No detail quotes the answer: it says only what was expected.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agm.directives import NotRun, Reconstruction, parse_extraction
from agm.llm.kinds import KINDS
from agm.verdicts import Verdict

if TYPE_CHECKING:
    from agm.directives import Extraction, Shown
    from agm.vocabulary import Vocabulary

MAX_REWRITTEN = 65_536
"""The longest text that a rewriting may have, in characters."""

_VERDICTS = ("contradiction", "paraphrase", "refinement", "unrelated", "undecided")
_SIDES = ("new", "old")
_ROLES = ("update", "reference")


def read_facts(raw: object, *, shown: Shown, vocabulary: Vocabulary | None) -> Extraction | NotRun:
    """The facts of an answer `{"facts": [...]}`; a fact with a fault carries it."""
    found = parse_extraction(raw, shown=shown, vocabulary=vocabulary)
    if isinstance(found, NotRun) and found.kind != "too_large":
        return unparseable('an object with "facts", a list')
    return found


def read_verdict(raw: object, *, route: str) -> Verdict | NotRun:
    """The verdict of an answer `{"verdict", "more_specific", "confidence"}`; the last two may be left away.

    >>> read_verdict({"verdict": "unrelated", "confidence": 1}, route="model:m/judge-1")
    <Verdict unrelated by model:m/judge-1>
    """
    parts = _object(raw, needed=("verdict",), allowed=("more_specific", "confidence"))
    if parts is None:
        return unparseable('an object with "verdict", "more_specific" and "confidence"')
    kind, side = parts["verdict"], parts.get("more_specific", "none")
    confidence = _confidence(parts)
    if kind not in _VERDICTS or side not in (*_SIDES, "none") or confidence is NotImplemented:
        return unparseable("a verdict and a side of the list, and a confidence from 0 to 1")
    if (kind == "refinement") != (side in _SIDES):
        return unparseable("a more specific side for a refinement, and for nothing else")
    return Verdict(
        kind,
        route,
        direction=None if side == "none" else side,
        reason="the model does not know" if kind == "undecided" else "",
        confidence=confidence,
    )


def read_text(raw: object) -> str | NotRun:
    """The text of an answer `{"text"}`: not empty, no NUL, of bounded length."""
    parts = _object(raw, needed=("text",))
    text = None if parts is None else parts["text"]
    if not isinstance(text, str) or "\0" in text or len(text) > MAX_REWRITTEN:
        return unparseable(f'an object with "text", at most {MAX_REWRITTEN} characters')
    return text if text.strip() else NotRun(kind="empty", detail=KINDS["empty"])


def read_roles(raw: object, *, count: int) -> Reconstruction | NotRun:
    """The roles of an answer `{"roles": [{"index", "role"}]}`: each mention once.

    >>> read_roles({"roles": [{"index": 0, "role": "update"}]}, count=1).roles
    ('update',)
    """
    parts = _object(raw, needed=("roles",))
    items = None if parts is None else parts["roles"]
    expected = unparseable("one role for each mention, by its index")
    if not isinstance(items, list) or len(items) != count:
        return expected
    roles: dict[int, Any] = {}
    for item in items:
        named = _object(item, needed=("index", "role"))
        if named is None or type(named["index"]) is not int or named["role"] not in _ROLES:
            return expected
        roles[named["index"]] = named["role"]
    if sorted(roles) != list(range(count)):
        return expected
    return Reconstruction(roles=tuple(roles[n] for n in range(count)))


def unparseable(expected: str) -> NotRun:
    """The `NotRun` of an answer that is not of the form asked for."""
    return NotRun(kind="unparseable", detail=f"{KINDS['unparseable']}: expected {expected}")


def _object(
    raw: object, *, needed: tuple[str, ...], allowed: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """The parts of an object with these names and no others; None for anything else."""
    from agm.errors import InvalidJson
    from agm.jsonform import check_json, loads_strict

    try:
        if isinstance(raw, str | bytes):
            raw = loads_strict(raw)
        else:
            check_json(raw)
    except InvalidJson:
        return None
    if not isinstance(raw, dict) or not all(isinstance(name, str) for name in raw):
        return None
    names = set(raw)
    return raw if set(needed) <= names <= {*needed, *allowed} else None


def _confidence(parts: dict[str, Any]) -> Any:  # noqa: ANN401  (a float, None, or NotImplemented for a fault)
    if "confidence" not in parts:
        return None
    value = parts["confidence"]
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return NotImplemented
    return float(value) if 0 <= value <= 1 else NotImplemented

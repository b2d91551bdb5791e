"""The strict models of a model's answer; imported only when one is parsed, for pydantic is slow to load.

Extra fields are refused, nothing is converted (a bool is no index, "0.9" no confidence), and no
number is NaN or infinite. `validated` gives what is right of an object and every fault of the rest.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agm.directives import Action, Mode, Reason  # noqa: TC001  (pydantic reads them)
from agm.errors import shown

MAX_TEXT = 65_536
"""The longest text of a fact, in characters."""


class Fault(NamedTuple):
    """One thing wrong with an answer: a code, the path to it, and the reason in words."""

    code: str
    path: str
    reason: str


def _number(value: object) -> object:
    """Strict JSON gives exact decimals; a confidence is a binary fraction.

    A null is refused: it would read as "not asked", and a model that was asked has to say.
    """
    if value is None:
        raise ValueError
    return float(value) if isinstance(value, Decimal) else value


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class DirectiveModel(_Strict):
    """One directive on the shown list."""

    session_index: Annotated[int, Field(ge=0, description="the number of the belief in the list")]
    action: Action
    reason: Reason


class FactModel(_Strict):
    """One fact, its directives still unread."""

    text: Annotated[str, Field(max_length=MAX_TEXT)] | None = None
    claim: Any = None
    resolves: list[Any] | dict[str, Any] | None = None
    mode: Mode = "assertion"
    confidence: Annotated[float | None, BeforeValidator(_number)] = Field(default=None, ge=0, le=1)
    valid_from: str | None = None
    valid_to: str | None = None


class AnswerModel(_Strict):
    """A whole answer, its facts still unread."""

    facts: list[Any]


_EXPECTED = {
    "session_index": "an index of the list shown",
    "action": "supersede or retract",
    "reason": "correction or temporal_change",
    "mode": "assertion, historical, hypothetical, reported or question",
    "confidence": "a number from 0 to 1; leave it away where there is none",
    "text": f"a string of at most {MAX_TEXT} characters",
    "resolves": "a directive, or a list of directives",
    "valid_from": 'an ISO-8601 time with offset, or "unknown"',
    "valid_to": "an ISO-8601 time with offset",
    "facts": "a list of facts",
}
_CODES = {
    "session_index": "target_not_an_index",
    "action": "unknown_action",
    "reason": "unknown_reason",
    "mode": "unknown_mode",
    "confidence": "invalid_confidence",
    "text": "invalid_text",
    "resolves": "invalid_directive",
    "valid_from": "invalid_time",
    "valid_to": "invalid_time",
    "facts": "not_a_list",
}
_BY_KIND = {
    "extra_forbidden": "extra_field",
    "missing": "missing_field",
    "finite_number": "not_a_number",
}


def validated(
    model: type[BaseModel], value: object, path: str
) -> tuple[dict[str, Any], list[Fault]]:
    """The fields of an object that are right, and the faults of the others."""
    if not isinstance(value, dict):
        return {}, [Fault("not_an_object", path or "$", f"{shown(value)}: expected an object")]
    try:
        return _fields(model.model_validate(value)), []
    except ValidationError as refusal:
        found = refusal.errors(include_url=False, include_context=False, include_input=False)
    faults: dict[str, Fault] = {}
    for error in found:
        name = str(error["loc"][0])
        faults.setdefault(name, _fault(name, error["type"], value, path))
    good = {name: part for name, part in value.items() if str(name) not in faults}
    if model is not FactModel:  # the parts of the others mean nothing by themselves
        return {}, list(faults.values())
    return _fields(model.model_validate(good)), list(faults.values())


def _fields(checked: BaseModel) -> dict[str, Any]:
    return {name: getattr(checked, name) for name in checked.model_fields_set}


def _fault(name: str, kind: str, value: dict[Any, Any], path: str) -> Fault:
    code = _BY_KIND.get(kind) or _CODES.get(name, "invalid_value")
    where = f"{path}.{_step(name)}" if path else _step(name)
    if code == "extra_field":
        return Fault(code, where, f"unknown field {shown(name)}: leave it away")
    if code == "missing_field":
        return Fault(code, where, f"it is missing: expected {_EXPECTED[name]}")
    if kind == "greater_than_equal" and name == "session_index":
        code = "index_out_of_range"
    return Fault(code, where, f"{shown(value.get(name))}: expected {_EXPECTED[name]}")


def _step(name: str) -> str:
    """A field in a path: a name a model made up is quoted and cut, so that it stays one step."""
    return name if name in _EXPECTED else shown(name)

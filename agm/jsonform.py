"""Claims as flat JSON, the edge towards models and files; and JSON read strictly.

A claim is `{"subject", "predicate", "value"}` with `op`, `scope` and `unit` where needed, or
`{"formula": text}`. A triple is a comparison when its predicate is declared as an attribute, and
a relation otherwise: then it coexists with others, and no conflict check runs. JSON has neither
dates nor exact decimals in quotes, so text is read as the type a slot is declared with.
"""

# ruff: noqa: ANN401  (JSON is any value)
from __future__ import annotations

from decimal import Decimal

from agm.claims import Atom, Compare, Term
from agm.errors import AgmError, InvalidJson, shown
from agm.values import MAX_DIGITS, Quantity, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from agm.claims import Claim
    from agm.declarations import Declaration
    from agm.values import Value
    from agm.vocabulary import Vocabulary

MAX_JSON = 16 * 1024 * 1024
"""The longest JSON text, in characters."""
MAX_LEVELS = 64
"""The most levels of JSON."""

_OPS = ("=", "!=", "<", "<=", ">", ">=")
_TRIPLE = ("subject", "predicate", "value", "op", "scope", "unit")
_NEEDED = ("subject", "predicate", "value")


def claim_from_json(obj: object, vocabulary: Vocabulary | None = None) -> Claim:
    """The claim of a flat JSON object; it is not admitted to the vocabulary yet.

    A part that is null counts as absent. Raises `InvalidJson` with a path on missing, unknown and
    misshapen parts, and as `agm.syntax.parse` on a formula or names and values.

    >>> str(claim_from_json({"subject": "anna", "predicate": "likes", "value": "tea"}))
    'likes(anna, tea)'
    """
    if not isinstance(obj, dict):
        raise InvalidJson(f"a claim is an object, found {shown(obj)}")
    parts = {name: part for name, part in obj.items() if part is not None}
    unknown = [name for name in parts if name not in {*_TRIPLE, "formula"}]
    if unknown:
        raise InvalidJson(
            f"unknown part {shown(unknown[0])}; parts are {', '.join(_TRIPLE)}, or formula alone",
            path=f"$.{_step(str(unknown[0]))}",
        )
    if "formula" in parts:
        return _formula(parts)
    missing = [name for name in _NEEDED if name not in parts]
    if missing:
        raise InvalidJson(
            f"{missing[0]} is missing; a claim has {', '.join(_NEEDED)}, or a formula",
            path=f"$.{missing[0]}",
        )
    return _triple(parts, vocabulary)


def claim_to_json(claim: Claim, vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """The claim as flat JSON: a triple where that reads back as this claim, else its formula.

    >>> claim_to_json(claim_from_json({"formula": "p & q"}))
    {'formula': 'p & q'}
    """
    triple = _flat(claim)
    if triple is not None:
        try:
            if claim_from_json(triple, vocabulary) is claim:
                return triple
        except AgmError:
            pass  # the vocabulary refuses the triple, so it would not say the same
    return {"formula": str(claim)}


def json_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a claim, for models that write them."""
    name = {"type": "string", "minLength": 1, "maxLength": 500}
    value = {
        "anyOf": [{"type": "boolean"}, {"type": "number"}, {"type": "string", "maxLength": 30_000}]
    }
    triple = {
        "type": "object",
        "additionalProperties": False,
        "required": list(_NEEDED),
        "properties": {
            "subject": {**name, "description": "the entity spoken of"},
            "predicate": {**name, "description": "the attribute or relation"},
            "value": {**value, "description": "the value as JSON; a date as ISO 8601 text"},
            "op": {"enum": list(_OPS), "description": "how it compares; = when absent"},
            "scope": {**name, "description": "where it holds, for example a region"},
            "unit": {**name, "description": "the unit of a number"},
        },
    }
    formula = {
        "type": "object",
        "additionalProperties": False,
        "required": ["formula"],
        "properties": {
            "formula": {"type": "string", "description": "a claim in the text grammar"},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Claim",
        "anyOf": [triple, formula],
    }


def loads_strict(text: str | bytes, *, keep_non_finite: bool = False) -> Any:
    """The JSON value of the text, numbers with a point as exact Decimals.

    With `keep_non_finite`, NaN, infinities and numbers out of range come as float `nan` and `inf`,
    for a reader who refuses them with the path where they stand.

    Raises `InvalidJson` on what is not JSON, duplicate keys, NaN and infinities, numbers beyond
    308 digits (integers: 4 300), lone surrogates, more than 64 levels or 16 Mi characters.
    """
    import json

    if isinstance(text, bytes):
        text = _decoded(text)
    if not isinstance(text, str):
        raise InvalidJson(f"JSON is text, found {shown(text)}")
    if len(text) > MAX_JSON:
        raise InvalidJson(f"{len(text)} characters, at most {MAX_JSON} are read; split the input")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=float if keep_non_finite else _constant,
            parse_float=_kept(_decimal) if keep_non_finite else _decimal,
            parse_int=_kept(_integer) if keep_non_finite else _integer,
        )
    except RecursionError as fault:
        raise InvalidJson(f"more than {MAX_LEVELS} levels") from fault
    except json.JSONDecodeError as fault:
        raise InvalidJson(f"no JSON: {fault.msg} at character {fault.pos}") from fault
    check_json(value)
    return value


def _step(name: str) -> str:
    """A part in a path: a name that somebody made up is quoted and cut, so that it stays one step."""
    return name if name.isidentifier() and name.isprintable() and len(name) <= 40 else shown(name)


def _formula(parts: dict[str, Any]) -> Claim:
    if len(parts) > 1:
        raise InvalidJson("a formula stands alone; leave the other parts away", path="$.formula")
    formula = parts["formula"]
    if not isinstance(formula, str):
        raise InvalidJson(f"a formula is a string, found {shown(formula)}", path="$.formula")
    from agm.syntax import parse

    return parse(formula)


def _triple(parts: dict[str, Any], vocabulary: Vocabulary | None) -> Claim:
    for name in ("subject", "predicate", "op", "scope", "unit"):
        if name in parts and not isinstance(parts[name], str):
            raise InvalidJson(f"this is a string, found {shown(parts[name])}", path=f"$.{name}")
    subject, predicate, op = parts["subject"], parts["predicate"], parts.get("op", "=")
    if op not in _OPS:
        raise InvalidJson(f"found {shown(op)}, comparisons are {' '.join(_OPS)}", path="$.op")
    known = None if vocabulary is None else vocabulary.get(predicate)
    place = (subject, parts["scope"]) if "scope" in parts else (subject,)
    value = _value(parts, known)
    if known is not None and known.declared and known.functional:
        return Compare(op, Term(predicate, place), value)
    atom = Atom(predicate, (*place, value))
    if op in {"=", "!="}:
        return atom if op == "=" else ~atom
    raise InvalidJson(
        f"{op} compares one value, but {shown(predicate)} is not declared to have one; declare it "
        f"with a type, or write a formula",
        path="$.op",
    )


def _value(parts: dict[str, Any], known: Declaration | None) -> Value:
    value = parts["value"]
    if isinstance(value, float):
        value = _from_float(value)
    if not isinstance(value, bool | int | Decimal | str):
        raise InvalidJson(
            f"a value is true, false, a number or a string, found {shown(value)}", path="$.value"
        )
    if isinstance(value, str) and known is not None and known.type is not None:
        value = _read_as(known.type, value)
    if "unit" not in parts:
        return normal(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InvalidJson(f"a number has a unit, {shown(value)} has none", path="$.unit")
    return Quantity(value, parts["unit"])


def _from_float(value: float) -> Decimal:
    # The shortest text that reads back as this float is the text it was read from, most likely.
    if value - value != 0:
        raise InvalidJson(f"{value} is no number", path="$.value")
    return Decimal(repr(value))


def _read_as(kind: str, text: str) -> Any:
    """Text as the declared type where it is plainly of it; otherwise the text itself."""
    from datetime import datetime

    from agm.syntax import simple_value
    from agm.values import type_name

    if kind == "datetime":
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return text
    if kind not in {"int", "decimal", "quantity", "date"}:
        return text
    found = simple_value(text.strip())
    if found is None:
        return text
    fits = {"decimal": {"decimal", "int"}, "quantity": {"quantity", "decimal", "int"}}
    return found if type_name(found) in fits.get(kind, {kind}) else text


def _flat(claim: Claim) -> dict[str, Any] | None:
    """The triple that may say the same as this claim, or None."""
    if isinstance(claim, Compare) and isinstance(claim.left, Term) and claim.left.is_ground:
        parts = _place(claim.left.predicate, claim.left.args, claim.right)
        return parts if parts is None or claim.op == "=" else {**parts, "op": claim.op}
    if isinstance(claim, Atom) and claim.args and not claim.free:
        return _place(claim.predicate, claim.args[:-1], claim.args[-1])
    return None


def _place(predicate: str, entities: tuple[Any, ...], value: Any) -> dict[str, Any] | None:
    if not 1 <= len(entities) <= 2 or not all(isinstance(name, str) for name in entities):
        return None
    parts: dict[str, Any] = {"subject": entities[0], "predicate": predicate}
    if len(entities) == 2:
        parts["scope"] = entities[1]
    if isinstance(value, Quantity):
        parts["unit"] = value.unit
        value = value.amount
    if not isinstance(value, bool | int | str) and not hasattr(value, "isoformat"):
        return None
    return {**parts, "value": value.isoformat() if hasattr(value, "isoformat") else value}


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as fault:
        raise InvalidJson(f"no UTF-8 at byte {fault.start}") from fault


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidJson(f"{shown(twice)} stands twice in one object")
    return found


def _constant(name: str) -> Any:
    raise InvalidJson(f"{name} is no number")


def _kept(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader of numbers that gives an infinity where the other refuses."""

    def number(text: str) -> Any:
        try:
            return read(text)
        except InvalidJson:
            return float("-inf" if text.startswith("-") else "inf")

    return number


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except ArithmeticError as fault:  # an exponent beyond any machine's
        raise InvalidJson(f"the number {shown(text)} is out of range") from fault
    if (number and not -MAX_DIGITS <= number.adjusted() < MAX_DIGITS) or len(text) > 4_300:
        raise InvalidJson(f"the number {shown(text)} is out of range")
    return number


def _integer(text: str) -> int:
    if len(text) > 4_300:
        raise InvalidJson(f"an integer of {len(text)} digits, at most 4 300 are read")
    return int(text)


def check_json(value: object) -> None:
    """Raise `InvalidJson` on lone surrogates and more than 64 levels; without recursion."""
    layer, level = [value], 0
    while layer:
        deeper: list[object] = []
        level += any(isinstance(item, list | dict) for item in layer)
        for item in layer:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, list):
                deeper.extend(item)
            elif isinstance(item, dict):
                deeper.extend(item.values())
                deeper.extend(item)
        if level > MAX_LEVELS:
            raise InvalidJson(f"more than {MAX_LEVELS} levels")
        layer = deeper


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as fault:
            raise InvalidJson(f"a lone surrogate in {shown(text)}") from fault

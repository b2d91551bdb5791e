"""A vocabulary's declarations from the fields of a pydantic model class."""

# ruff: noqa: ANN401  (annotations are any object)
from __future__ import annotations

import types
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from agm.declarations import Declaration
from agm.errors import InvalidDeclaration
from agm.values import Quantity

# bool before int, and datetime before date: each is a subclass of the other.
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (int, "int"),
    (Decimal, "decimal"),
    (float, "decimal"),
    (Quantity, "quantity"),
    (datetime, "datetime"),
    (date, "date"),
    (str, "string"),
)
_MANY = (list, set, frozenset, tuple)
_EXTRAS = frozenset({"unit", "kind"})


def declarations(model: type[Any]) -> list[Declaration]:
    """A declaration for each field; `InvalidDeclaration` on a field whose type is no value's."""
    fields = getattr(model, "model_fields", None)
    if not isinstance(fields, dict):
        raise InvalidDeclaration(repr(model), "give a pydantic model class, which has model_fields")
    return [_declaration(name, field) for name, field in fields.items()]


def _declaration(name: str, field: Any) -> Declaration:
    annotation, many = _single(_required(field.annotation))
    extra = field.json_schema_extra
    extra = (
        {part: extra[part] for part in sorted(_EXTRAS & extra.keys())}
        if isinstance(extra, dict)
        else {}
    )
    kind, values = _type(name, annotation)
    if "unit" in extra and kind in {"int", "decimal"}:
        kind = "quantity"
    cardinality: Literal["one", "many"] = "many" if many else "one"
    return Declaration(name, kind, cardinality=cardinality, values=values, **extra)


def _required(annotation: Any) -> Any:
    """The annotation without `| None` and without `Annotated`."""
    if get_origin(annotation) is Annotated:
        return _required(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        rest = [part for part in get_args(annotation) if part is not type(None)]
        return _required(rest[0]) if len(rest) == 1 else annotation
    return annotation


def _single(annotation: Any) -> tuple[Any, bool]:
    """The type of one value, and whether there are many."""
    if get_origin(annotation) in _MANY:
        return _required(get_args(annotation)[0]), True
    return annotation, False


def _type(name: str, annotation: Any) -> tuple[str, tuple[str, ...]]:
    if get_origin(annotation) is Literal:
        values = get_args(annotation)
        if all(isinstance(value, str) for value in values):
            return "enum", values
    elif isinstance(annotation, type):
        if issubclass(annotation, Enum) and issubclass(annotation, str):
            return "enum", tuple(str(member.value) for member in annotation)
        for python_type, kind in _TYPES:
            if issubclass(annotation, python_type):
                return kind, ()
    raise InvalidDeclaration(
        name,
        f"{annotation!r} is no type of a value; use bool, int, Decimal, str, date, datetime, a "
        f"Literal of strings, or a list of one of these",
    )

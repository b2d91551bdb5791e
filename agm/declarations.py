"""What is known of one predicate: its type, unit, cardinality, kind and enum values.

A declaration fits values of its own type as they stand; `admitted` brings others to it where the
meaning is sure (an int on a decimal slot, minutes on a slot in seconds) and refuses the rest.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from agm.errors import InvalidDeclaration, NotInDomain, TypeClash, UnitMismatch
from agm.interning import set_field
from agm.values import Quantity, checked_name, normal, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from agm.values import Value

    Cardinality: TypeAlias = Literal["one", "many"]
    Kind: TypeAlias = Literal["state", "event", "immutable"]

TYPES: dict[str, type] = {
    "bool": bool,
    "int": int,
    "decimal": Decimal,
    "string": str,
    "enum": str,
    "date": date,
    "datetime": datetime,
    "quantity": Quantity,
}
"""The types of attributes by name, with the Python type of their values."""
CARDINALITIES = ("one", "many")
KINDS = ("state", "event", "immutable")
_FIELDS = ("predicate", "type", "unit", "cardinality", "kind", "values", "declared", "unitless")


class Declaration:
    """What is known of a predicate; frozen, equal by content.

    `cardinality` one makes it an attribute with one value at a time, many a relation. A predicate
    that was only used has `declared` False, no type, and what its first number bound: a unit, or
    that its numbers have none (`unitless`).
    """

    __slots__ = (*_FIELDS, "_python_type")
    predicate: str
    type: str | None
    unit: str | None
    cardinality: Cardinality
    kind: Kind
    values: tuple[str, ...]
    declared: bool
    unitless: bool
    _python_type: object

    def __init__(
        self,
        predicate: str,
        type: str | None = None,
        *,
        unit: str | None = None,
        cardinality: Cardinality = "one",
        kind: Kind = "state",
        values: Iterable[str] = (),
        declared: bool = True,
        unitless: bool = False,
    ) -> None:
        """Check that the parts go together; `InvalidDeclaration` says which do not."""
        set_field(self, "predicate", checked_name(predicate))
        set_field(self, "type", type)
        set_field(self, "unit", None if unit is None else checked_name(unit))
        set_field(self, "cardinality", cardinality)
        set_field(self, "kind", kind)
        set_field(self, "values", _domain(predicate, values))
        set_field(self, "declared", declared)
        set_field(self, "unitless", unitless)
        set_field(self, "_python_type", None if type is None else TYPES.get(type, object))
        if declared:
            _check(self)

    @property
    def functional(self) -> bool:
        """Whether it has one value at a time."""
        return self.cardinality == "one"

    def fits(self, value: Value) -> bool:
        """Whether the value is of the type and unit as it stands."""
        kind = type(value)
        if kind is Quantity:
            ours = self._python_type is None or self._python_type is Quantity
            return ours and value.unit == self.unit  # type: ignore[union-attr]
        if self._python_type is None:
            return self.unitless or not is_number(value)
        return kind is self._python_type and (self.type != "enum" or value in self.values)

    def admitted(self, value: Value) -> Value:
        """The value in the slot's type and unit.

        Raises `TypeClash`, `NotInDomain`, `UnitMismatch` and `UnknownUnit`.
        """
        if self.fits(value):
            return value
        if self.type == "enum" and isinstance(value, str):
            raise NotInDomain(self.predicate, value, self.values)
        if self.type == "decimal" and is_number(value):
            return normal(Decimal(value))  # type: ignore[arg-type]
        if self.type == "quantity" and is_number(value) and self.unit is not None:
            return Quantity(value, self.unit)  # type: ignore[arg-type]
        if self.type is None and is_number(value):
            if self.unit is None:
                return value
            cure = f"its first number was a quantity. Write the unit, such as `{value} {self.unit}`"
            raise UnitMismatch(self.predicate, self.unit, None, cure=cure)
        if self.unitless and isinstance(value, Quantity):
            cure = f"its first number was bare. Declare {self.predicate!r} as a quantity in a unit"
            raise UnitMismatch(self.predicate, None, value.unit, cure=cure)
        if isinstance(value, Quantity) and self.type in {None, "quantity"} and self.unit:
            from agm.units import in_unit

            return in_unit(self.predicate, value, self.unit)
        raise TypeClash(self.predicate, self.described, type_name(value), value=value)

    @property
    def described(self) -> str:
        """The type in words: `quantity in s`."""
        return f"{self.type} in {self.unit}" if self.unit else str(self.type)

    def but(self, **changes: object) -> Declaration:
        """The declaration with some parts changed."""
        parts = {name: changes.get(name, getattr(self, name)) for name in _FIELDS[2:]}
        predicate, kind = self.predicate, changes.get("type", self.type)
        return Declaration(predicate, kind, **parts)  # type: ignore[arg-type]

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: vocabularies share declarations."""
        raise AttributeError(f"{name} of a declaration is frozen; use but({name}=...)")

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by fields."""
        return _restored, tuple(getattr(self, name) for name in _FIELDS)

    def __eq__(self, other: object) -> bool:
        """Compare by content."""
        if not isinstance(other, Declaration):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _FIELDS)

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(tuple(getattr(self, name) for name in _FIELDS))

    def __repr__(self) -> str:
        """Show what differs from the defaults."""
        shown = [repr(self.predicate), *([] if self.type is None else [repr(self.type)])]
        defaults = (None, "one", "state", (), True, False)
        for name, default in zip(_FIELDS[2:], defaults, strict=True):
            if getattr(self, name) != default:
                shown.append(f"{name}={getattr(self, name)!r}")
        return f"Declaration({', '.join(shown)})"


def is_number(value: object) -> bool:
    """Whether the value is a number without a unit; true and false are none."""
    return type(value) is int or type(value) is Decimal


def _restored(predicate: str, kind: str | None, *parts: object) -> Declaration:
    return Declaration(predicate, kind, **dict(zip(_FIELDS[2:], parts, strict=True)))  # type: ignore[arg-type]


def _domain(predicate: str, values: Iterable[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise InvalidDeclaration(predicate, f"values={values!r} is one string; give a list of them")
    domain = tuple(normal(value) for value in values)
    if not all(isinstance(value, str) for value in domain):
        raise InvalidDeclaration(predicate, "the values of an enum are strings")
    if len(set(domain)) < len(domain):
        raise InvalidDeclaration(predicate, "a value of the enum is listed twice")
    return domain  # type: ignore[return-value]


def _check(declaration: Declaration) -> None:
    predicate = declaration.predicate
    if declaration.type not in TYPES:
        raise InvalidDeclaration(
            predicate, f"type {declaration.type!r} is unknown; types are {', '.join(TYPES)}"
        )
    if declaration.cardinality not in CARDINALITIES:
        raise InvalidDeclaration(
            predicate, f"cardinality {declaration.cardinality!r} is unknown; it is one or many"
        )
    if declaration.kind not in KINDS:
        raise InvalidDeclaration(
            predicate, f"kind {declaration.kind!r} is unknown; kinds are {', '.join(KINDS)}"
        )
    if (declaration.type == "enum") != bool(declaration.values):
        raise InvalidDeclaration(predicate, "an enum lists its values, and only an enum does")
    if declaration.unit is not None and declaration.type != "quantity":
        raise InvalidDeclaration(predicate, "only a quantity has a unit; give type='quantity'")

"""What values a slot ranges over, and the sets of values that simple claims leave to it.

A `Domain` is read off the vocabulary: a declared type, or `any` when nothing is known, where values
of different types are different values. A `Remaining` is the set of values of one slot that a run
of simple claims (`=`, `!=`, `<`, `in`, and their denials) has left; `pick` shows one of them or
that there is none. That decides one slot exactly, without a solver.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from agm.values import MAX_DIGITS, Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import TypeAlias

    from agm.values import Value
    from agm.vocabulary import Vocabulary

    Number: TypeAlias = "int | Fraction"

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""The comparison that holds of ordered values exactly when this one does not."""

_MICROSECOND = timedelta(microseconds=1)
_DENSE = frozenset({"number", "decimal", "quantity"})
_SCALES = {
    "number": "number",
    "int": "number",
    "decimal": "number",
    "date": "date",
    "datetime": "datetime",
}
_DISCRETE = frozenset({"int", "date", "datetime"})
_FIRST = {"date": 1, "datetime": (datetime.min.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND}
_LAST = {
    "date": date.max.toordinal(),
    "datetime": (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND,
}


class Domain:
    """The type of a slot: a kind (a declared type, or `any`), its enum values and its unit."""

    __slots__ = ("kind", "unit", "values")

    def __init__(self, kind: str, *, values: tuple[str, ...] = (), unit: str | None = None) -> None:
        self.kind = kind
        self.values = values
        self.unit = unit

    @property
    def scale(self) -> str:
        """What the values of the slot are measured on; empty when they have no order."""
        if self.kind == "quantity":
            return f"quantity {self.unit}"
        return _SCALES.get(self.kind, "")

    def holds(self, value: Value) -> bool:
        """Whether the slot can have this value."""
        kind = kind_of(value)
        if self.kind == "enum":
            return value in self.values
        if self.kind == "number":
            return kind in {"int", "decimal"}
        if kind == "quantity" == self.kind:
            return value.unit == self.unit  # type: ignore[union-attr]
        return self.kind in {kind, "any"}

    def finite(self) -> tuple[Value, ...] | None:
        """All values of the slot in a fixed order, or None when there is no end of them."""
        if self.kind == "bool":
            return (False, True)
        return self.values if self.kind == "enum" else None


ANY = Domain("any")


def domains(vocabulary: Vocabulary | None) -> Callable[[str], Domain]:
    """The domain of each predicate under a vocabulary."""
    if vocabulary is None:
        return _unknown
    known: dict[str, Domain] = {}

    def domain(predicate: str) -> Domain:
        found = known.get(predicate)
        if found is None:
            found = known[predicate] = _declared(vocabulary, predicate)
        return found

    return domain


def kind_of(value: Value) -> str:
    """The type of a value by its name in vocabularies; enum values are strings."""
    return _KINDS[type(value)]


def number_of(value: object) -> Number | None:
    """The place of a value on its own scale: amounts, days, microseconds; None has no order."""
    if isinstance(value, int | Fraction):
        return None if isinstance(value, bool) else value
    if isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, Quantity):
        return number_of(value.amount)
    if isinstance(value, datetime):
        return (value - EPOCH) // _MICROSECOND
    return value.toordinal() if isinstance(value, date) else None


def value_at(place: Number, domain: Domain) -> Value | Fraction:
    """The value of an ordered slot at a place on its scale, with a Fraction where no decimal is it."""
    kind = domain.kind
    if kind == "date":
        return date.fromordinal(int(place))
    if kind == "datetime":
        return EPOCH + int(place) * _MICROSECOND
    if kind == "int":
        return int(place)
    amount: Decimal | Fraction | None = decimal_of(Fraction(place))
    amount = Fraction(place) if amount is None else amount
    if kind != "quantity":
        return amount
    unit = domain.unit or "1"
    if isinstance(amount, Fraction):
        return tuple.__new__(Quantity, (amount, unit))  # inside models only: a third of a second
    return Quantity(amount, unit)


def nearest_value(value: Value | Fraction) -> Value:
    """The value itself, or the nearest decimal where a model holds a fraction."""
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / value.denominator
    amount: object = value.amount if isinstance(value, Quantity) else None
    if isinstance(value, Quantity) and isinstance(amount, Fraction):
        return Quantity(Decimal(amount.numerator) / amount.denominator, value.unit)
    return value


def decimal_of(number: Fraction) -> Decimal | None:
    """The decimal equal to a fraction, or None when its expansion does not end."""
    rest, powers = number.denominator, [0, 0]
    for place, prime in enumerate((2, 5)):
        while rest % prime == 0:
            rest //= prime
            powers[place] += 1
    digits = max(powers)
    if rest != 1 or digits > MAX_DIGITS:
        return None
    scaled = number * 10**digits
    text = f"{abs(scaled.numerator):0{digits + 1}d}"
    whole, part = (text[:-digits], text[-digits:]) if digits else (text, "0")
    sign = "-" if scaled < 0 else ""
    return Decimal(f"{sign}{whole}.{part.rstrip('0') or '0'}")


def scale_of(value: object) -> str:
    """What a value is measured on; empty when it has no order, and < means nothing."""
    if isinstance(value, Quantity):
        return f"quantity {value.unit}"
    return _SCALES.get(_KINDS.get(type(value), ""), "")


def comparable(left: object, right: object) -> bool:
    """Whether < between two values means something: two numbers, two dates, two datetimes."""
    scale = scale_of(left)
    return scale != "" and scale == scale_of(right)


def same(left: object, right: object) -> bool:
    """Whether two values are one value; a value of another type is another value."""
    return type(left) is type(right) and left == right


class Remaining:
    """The values of one slot that a run of simple claims has left."""

    __slots__ = ("barred", "but", "domain", "high", "low", "only", "open_high", "open_low")

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.only: tuple[Value, ...] | None = domain.finite()
        self.but: tuple[Value, ...] = ()
        self.barred: tuple[tuple[str, Value], ...] = ()  # comparisons a value of any type must fail
        self.low: Number | None = _FIRST.get(domain.kind)
        self.high: Number | None = _LAST.get(domain.kind)
        self.open_low = self.open_high = False

    def within(self, values: Iterable[Value]) -> Remaining:
        """What is left when the slot has one of these values."""
        narrowed = self._copy()
        narrowed.only = tuple(value for value in values if self.admits(value))
        return narrowed

    def without(self, values: Iterable[Value]) -> Remaining:
        """What is left when the slot has none of these values."""
        narrowed = self._copy()
        narrowed.but = (*self.but, *values)
        return narrowed

    def bounded(self, op: str, bound: Value) -> Remaining:
        """What is left when the slot compares so (`<`, `<=`, `>`, `>=`) with the bound."""
        narrowed = self._copy()
        place = number_of(bound)
        if self.domain.kind == "any":
            narrowed.measured(bound)
        if place is None or not narrowed._measures(bound):  # noqa: SLF001  (a copy of this one)
            narrowed.only = ()
        elif op in {"<", "<="}:
            narrowed.below(place, strict=op == "<")
        else:
            narrowed.above(place, strict=op == ">")
        return narrowed

    def unbounded(self, op: str, bound: Value) -> Remaining:
        """What is left when the slot does not compare so; what has no order does not."""
        if self.domain.kind != "any":
            return self.bounded(OPPOSITE[op], bound) if self._measures(bound) else self
        narrowed = self._copy()
        narrowed.barred = (*self.barred, (op, bound))
        return narrowed

    def measured(self, bound: Value) -> None:
        """Leave only values on the scale of the bound, in place."""
        kind = kind_of(bound)
        unit = bound.unit if isinstance(bound, Quantity) else None
        self.domain = Domain("number" if scale_of(bound) == "number" else kind, unit=unit)
        self.low, self.high = _FIRST.get(kind), _LAST.get(kind)
        for op, other in self.barred:
            place = number_of(other)
            if place is not None and self._measures(other):
                if op in {"<", "<="}:
                    self.above(place, strict=op == "<=")
                else:
                    self.below(place, strict=op == ">=")
        self.barred = ()

    def _measures(self, bound: Value) -> bool:
        return self.domain.scale != "" and scale_of(bound) == self.domain.scale

    def below(self, place: Number, *, strict: bool) -> None:
        """Lower the upper end, in place."""
        if self.high is None or place < self.high:
            self.high, self.open_high = place, strict
        elif place == self.high:
            self.open_high = self.open_high or strict

    def above(self, place: Number, *, strict: bool) -> None:
        """Raise the lower end, in place."""
        if self.low is None or place > self.low:
            self.low, self.open_low = place, strict
        elif place == self.low:
            self.open_low = self.open_low or strict

    def admits(self, value: Value) -> bool:
        """Whether the value is left."""
        if not self.domain.holds(value) or _among(value, self.but):
            return False
        if self.only is not None and not _among(value, self.only):
            return False
        if any(_satisfies(value, op, bound) for op, bound in self.barred):
            return False
        if self.low is None and self.high is None:
            return True
        place = number_of(value)
        if place is None:
            return False
        above = self.low is None or place > self.low or (place == self.low and not self.open_low)
        return above and (
            self.high is None or place < self.high or (place == self.high and not self.open_high)
        )

    def pick(self) -> Value | Fraction | None:
        """One value that is left, the same each time, or None when none is left."""
        if self.only is not None:
            return next((value for value in self.only if self.admits(value)), None)
        for value in self._candidates():
            if type(value) is Fraction or self.admits(value):  # type: ignore[arg-type]
                return value
        return None

    def _candidates(self) -> Iterator[Value | Fraction]:
        kind = self.domain.kind
        if kind in _DISCRETE:
            return (value_at(place, self.domain) for place in self._steps())
        if kind == "number":
            return (
                value
                for place in self._dense()
                for value in (*([int(place)] if place == int(place) else []), decimal_of(place))
                if value is not None
            )
        if kind in _DENSE:
            return (value_at(place, self.domain) for place in self._dense())
        return _strings(len(self.but))

    def _steps(self) -> Iterator[int]:
        """As many neighbouring places as exclusions could use up, and one more."""
        first = (
            None if self.low is None else floor(self.low) + 1 if self.open_low else ceil(self.low)
        )
        last = (
            None
            if self.high is None
            else ceil(self.high) - 1
            if self.open_high
            else floor(self.high)
        )
        if first is not None:
            stop = first + len(self.but)
            return iter(range(first, (stop if last is None else min(stop, last)) + 1))
        if last is not None:
            return iter(range(last, last - len(self.but) - 1, -1))
        return iter(range(len(self.but) + 1))

    def _dense(self) -> Iterator[Fraction]:
        """More places between the ends than exclusions could use up."""
        low, high = self.low, self.high
        if low is not None and high is not None and low >= high:
            if low == high and not (self.open_low or self.open_high):
                yield Fraction(low)
            return
        start = Fraction(low if low is not None else high - 1 if high is not None else 0)
        stop = Fraction(high) if high is not None else start + 1
        if low is None or not self.open_low:
            yield start
        step = stop - start
        for _ in range(len(self.but) + 1):
            step /= 2
            yield start + step

    def _copy(self) -> Remaining:
        twin = Remaining.__new__(Remaining)
        twin.domain = self.domain
        twin.only, twin.but, twin.barred = self.only, self.but, self.barred
        twin.low, twin.high = self.low, self.high
        twin.open_low, twin.open_high = self.open_low, self.open_high
        return twin


_KINDS: dict[type, str] = {
    bool: "bool",
    int: "int",
    Decimal: "decimal",
    Fraction: "decimal",
    str: "string",
    date: "date",
    datetime: "datetime",
    Quantity: "quantity",
}


def _unknown(_: str) -> Domain:
    return ANY


def _declared(vocabulary: Vocabulary, predicate: str) -> Domain:
    declaration = vocabulary.get(predicate)
    if declaration is None or declaration.type is None:
        return ANY
    values = tuple(declaration.values) if declaration.type == "enum" else ()
    return Domain(declaration.type, values=values, unit=declaration.unit)


def _satisfies(value: Value, op: str, bound: Value) -> bool:
    if not comparable(value, bound):
        return False
    ours, theirs = number_of(value), number_of(bound)
    if ours is None or theirs is None:
        return False
    return (ours == theirs and op in {"<=", ">="}) or (
        (ours < theirs) == (op in {"<", "<="}) and ours != theirs
    )


def _among(value: Value, values: Collection[Value]) -> bool:
    return any(same(value, other) for other in values)


def _strings(taken: int) -> Iterator[str]:
    yield "other"
    for place in range(2, taken + 3):
        yield f"other {place}"

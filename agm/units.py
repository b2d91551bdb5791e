"""Units: exact conversion between them, through pint, which is loaded by the first conversion.

Amounts are converted as fractions, so that 36 km/h is exactly 10 m/s. Where the result is no
finite decimal (1 km/h in m/s) it is rounded to 40 digits. Information is a dimension of its own
(MB and MiB are two units of it), and so are angles, counts and requests. A unit that pint does not
know can be declared for an attribute and is then a dimension by itself.
"""

# ruff: noqa: ANN401  (pint is dynamic)
from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from agm.errors import MissingExtra, UnitMismatch, UnknownUnit
from agm.values import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction
    from typing import Any

_DIGITS = 40
_ROUNDED = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN)
_LETTERS_APART = frozenset("*/^·()-")
_LONGEST = 60
_SHORTEST_WORD = 4
_STEEPEST = 12
"""The highest power in a unit's text."""
_LOOSE = 0.7
_STRICT = 0.88
_OWN_DIMENSIONS = (
    "bit = [information] = b",
    "byte = 8 * bit = B = octet",
    "radian = [angle] = rad",
    "count = [count]",
    "request = [request] = req",
)
_OWN_BASES = frozenset({"s", "B", "m", "g", "K", "req", "count"})
_PLAIN_WORDS = _OWN_BASES | {
    "ms",
    "min",
    "h",
    "day",
    "kB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "kg",
    "km",
}
_loaded: list[Any] = []
_scales: dict[tuple[str, str], tuple[Fraction, Fraction]] = {}


def in_unit(predicate: str, quantity: Quantity, unit: str) -> Quantity:
    """The quantity in another unit of its dimension.

    Raises `UnitMismatch` on another dimension, `UnknownUnit`, and `MissingExtra` without pint.
    """
    if quantity.unit == unit:
        return quantity
    from fractions import Fraction

    factor, offset = scale(predicate, quantity.unit, unit)
    return Quantity(exact(Fraction(quantity.amount) * factor + offset), unit)


def scale(predicate: str, unit: str, target: str) -> tuple[Fraction, Fraction]:
    """Factor and offset that take an amount in `unit` to one in `target`; raises as `in_unit`."""
    known = _scales.get((unit, target))
    if known is None:
        known = _scales[unit, target] = _scale(predicate, unit, target)
    return known


def base_unit(predicate: str, unit: str) -> str:
    """The unit to hold quantities in when none is declared and the first comes in this unit.

    It is the base unit of the dimension (seconds, bytes), whatever unit came first; only where
    that conversion has no end of digits (requests a minute to a second) it is the unit itself.
    """
    if unit in _OWN_BASES:
        return unit
    registry = _registry()
    parsed = _parsed(predicate, unit)
    if parsed.dimensionality == registry.byte.dimensionality:
        return "B"
    try:
        base = _written(predicate, unit, registry, registry.get_base_units(parsed)[1])
        factor, offset = scale(predicate, unit, base)
    except (UnknownUnit, UnitMismatch, TypeError, ValueError):
        return unit
    endless = any(_finite_digits(part.denominator) is None for part in (factor, offset))
    return unit if endless else base


def check_declared(predicate: str, unit: str) -> None:
    """Raise `UnknownUnit` for a unit that is none, but very nearly one; a new word is its own.

    Without pint every word is taken, and only a conversion asks for it.
    """
    if unit in _PLAIN_WORDS:
        return
    try:
        _parsed(predicate, unit)
    except MissingExtra:
        return
    except UnknownUnit as fault:
        near = _suggestion(_registry(), unit, _STRICT)
        if near is not None:
            raise UnknownUnit(predicate, unit, near) from fault


def exact(amount: Fraction) -> int | Decimal:
    """The amount as an int or Decimal, rounded to 40 digits where no decimal is it."""
    if amount.denominator == 1:
        return amount.numerator
    digits = _finite_digits(amount.denominator)
    if digits is None:
        return _ROUNDED.divide(Decimal(amount.numerator), Decimal(amount.denominator))
    scaled = amount.numerator * 10**digits // amount.denominator
    return Decimal(scaled).scaleb(-digits, Context(prec=max(1, len(str(abs(scaled))))))


def _finite_digits(denominator: int) -> int | None:
    """How many digits behind the point a fraction of this denominator has; None for endless."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def _scale(predicate: str, unit: str, target: str) -> tuple[Fraction, Fraction]:
    from fractions import Fraction

    source = _parsed(predicate, unit)
    registry = _registry()
    try:
        goal = _parsed(predicate, target)
        zero, one = (Fraction(registry.convert(Fraction(n), source, goal)) for n in (0, 1))
    except (UnknownUnit, TypeError, ValueError, ArithmeticError, AttributeError) as fault:
        # pint's errors are of these types. A target that it does not know was declared, and is a
        # dimension by itself.
        raise UnitMismatch(predicate, target, unit) from fault
    return one - zero, zero


def _registry() -> Any:
    if not _loaded:
        try:
            import pint
        except ImportError as fault:
            raise MissingExtra("units", needed_for="converting units") from fault
        _loaded.append(_built(pint))
    return _loaded[0]


def _built(pint: Any) -> Any:
    from fractions import Fraction
    from pathlib import Path

    # Definitions must be in place before pint fills its caches, so nothing is loaded by default.
    registry = pint.UnitRegistry(None, non_int_type=Fraction, on_redefinition="ignore")
    registry.load_definitions(Path(pint.__file__).with_name("default_en.txt"))
    for definition in _OWN_DIMENSIONS:
        registry.define(definition)
    return registry


def _parsed(predicate: str, unit: str) -> Any:
    registry = _registry()
    try:
        if _is_plain(unit):
            parsed = registry.parse_units(unit)
            if not _is_slip(registry, parsed):
                return parsed
    except Exception as fault:
        raise UnknownUnit(predicate, unit, _suggestion(registry, unit, _LOOSE)) from fault
    raise UnknownUnit(predicate, unit, _suggestion(registry, unit, _LOOSE))


def _is_plain(unit: str) -> bool:
    """Whether this is a unit's text and not a number or a program, with small exponents."""
    if len(unit) > _LONGEST or not any(c.isalpha() or c in "%°Ωµ" for c in unit):
        return False
    run = 0
    for char in unit:
        run = run + 1 if char.isdigit() else 0
        if run > 2 or not (char.isalnum() or char in _LETTERS_APART or char in " _%°Ωµ"):
            return False
    return _is_small(_spaced(unit).replace("^", "**"))


def _spaced(unit: str) -> str:
    """The unit with a sign in place of each space that multiplies, and no other spaces."""
    text = " ".join(unit.split())
    for sign in sorted(_LETTERS_APART):
        text = text.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return text.replace(" ", "*")


def _is_small(unit: str) -> bool:
    """Whether no power is raised again and no number but 1 is a factor: `10**10**10*m` would be worked out for ever."""
    return unit.count(")**") <= 1 and all(_is_slight(unit, *span) for span in _numbers(unit))


def _numbers(unit: str) -> Iterator[tuple[int, int]]:
    """Where the pieces between signs lie that begin with a digit."""
    start = 0
    for place in range(len(unit) + 1):
        if place == len(unit) or unit[place] in _LETTERS_APART:
            if unit[start:place][:1].isdigit():
                yield start, place
            start = place + 1


def _is_slight(unit: str, start: int, end: int) -> bool:
    """Whether a number in a unit is the factor 1 or a power that is not steep, and is not raised itself."""
    before = unit[:start].rstrip("(-")
    closing = ")" * unit[len(before) : start].count("(")
    if unit[end:].removeprefix(closing).startswith("**"):
        return False
    number = unit[start:end]
    is_power = before.endswith("**") and number.isdecimal() and int(number) <= _STEEPEST
    return is_power or number == "1"


def _is_slip(registry: Any, parsed: Any) -> bool:
    """Whether this is less than a bit: `mb` is written for MB, nobody counts millibits."""
    if parsed.dimensionality != registry.bit.dimensionality:
        return False
    return bool(registry.convert(1, parsed, registry.bit) < 1)


def _suggestion(registry: Any, unit: str, closeness: float) -> str | None:
    """The known unit that may be meant: one that looks the same, in another case, or nearly it."""
    from difflib import get_close_matches

    from agm.names import skeleton

    first_small = unit[:1].lower() + unit[1:]
    for candidate in (skeleton(unit), first_small, unit.upper(), unit.lower()):
        if candidate != unit and _is_known(registry, candidate):
            return candidate
    if len(unit) < _SHORTEST_WORD:
        return None
    names = sorted(name for name in registry if len(name) >= _SHORTEST_WORD)
    near = get_close_matches(unit.removesuffix("s"), names, n=1, cutoff=closeness)
    return near[0] if near else None


def _is_known(registry: Any, unit: str) -> bool:
    try:
        return _is_plain(unit) and not _is_slip(registry, registry.parse_units(unit))
    except Exception:  # noqa: BLE001  as in _parsed
        return False


def _written(predicate: str, unit: str, registry: Any, base: Any) -> str:
    """The unit's text, in symbols: `kg*m**2/s**2`."""
    above: list[str] = []
    below: list[str] = []
    for name, exponent in sorted(base._units.items()):  # noqa: SLF001  pint has no public way
        if exponent != int(exponent):
            raise UnknownUnit(predicate, unit, None)
        power = abs(int(exponent))
        symbol = registry.get_symbol(name)
        (above if exponent > 0 else below).append(symbol if power == 1 else f"{symbol}**{power}")
    text = "*".join(above) or "1"
    return "/".join([text, *below]) if above or below else "dimensionless"

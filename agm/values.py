"""Values and names: what a slot can hold, how it is written, and which strings can name things.

Eight kinds of value, told apart by type: `1`, `1.0`, `true` and `"1"` are four. Each has one
normal form (`normal`) and one text (`literal`), so that equal values are written alike: decimals
without exponent or trailing zeros, datetimes in UTC, quantities with an integer amount where it is
whole, strings in Unicode form NFC. Binary floats are refused, for they do not say what was meant.
"""

from __future__ import annotations

from collections import namedtuple
from datetime import UTC, date, datetime
from decimal import Decimal

from agm.errors import ClaimTooLarge, InvalidName, InvalidValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple, TypeAlias

    class _QuantityFields(NamedTuple):
        amount: int | Decimal
        unit: str

    class _KeyFields(NamedTuple):
        predicate: str
        entities: tuple[str, ...]
else:
    # typing.NamedTuple would load `typing`, which costs more than the rest of `import agm`.
    _QuantityFields = namedtuple("_QuantityFields", ("amount", "unit"))
    _KeyFields = namedtuple("_KeyFields", ("predicate", "entities"))

MAX_NAME = 500
"""The longest name, in characters."""
MAX_STRING = 30_000
"""The longest string value, in characters; a claim has 64 Ki characters for all its text."""
MAX_INT_BITS = 14_280
"""The largest integer, in bits: just under the 4 300 digits that Python itself will read."""
MAX_DIGITS = 308
"""The most digits of a decimal on either side of its point."""

RESERVED = frozenset({"true", "false", "forall", "in", "xor"})
"""Words of the grammar; a name that is one of them is written quoted."""

_INT_LIMIT = 1 << MAX_INT_BITS
_SPACES_IN_STRINGS = str.maketrans("", "", "\t\n\r")


class Quantity(_QuantityFields):
    """An exact amount in a unit: `Quantity(300, "s")`; `300.0 s` is the same quantity.

    Raises `InvalidValue` on an amount that is not a finite int or Decimal, `InvalidName` on a
    unit that cannot be a name.
    """

    __slots__ = ()

    def __new__(cls, amount: int | Decimal, unit: str) -> Quantity:
        """Bring amount and unit to their normal forms."""
        amount = normal(amount)  # type: ignore[assignment]
        if type(amount) is Decimal:
            amount = _whole(amount)
        elif type(amount) is not int:
            raise InvalidValue(amount, "a quantity has an int or Decimal amount")
        return tuple.__new__(cls, (amount, checked_name(unit)))

    def __str__(self) -> str:
        """The quantity as claims write it."""
        return literal(self)


class Key(_KeyFields):
    """The slot an attribute or a relation atom speaks of, with ordinary equality.

    Records, graphs and indexes carry keys; terms compare into claims and cannot.
    """

    __slots__ = ()

    def __str__(self) -> str:
        """The slot as claims write it: `ttl(cache, eu)`."""
        if not self.entities:
            return bare(self.predicate)
        return f"{bare(self.predicate)}({', '.join(map(bare, self.entities))})"


Value: TypeAlias = "bool | int | Decimal | str | date | datetime | Quantity"


def checked_name(name: object) -> str:
    """The name in Unicode form NFC; `InvalidName` when it cannot name anything.

    Refused are empty and overlong names, lone surrogates and control characters (a solver that
    reads C strings takes names that differ after a NUL for one).
    """
    if type(name) is not str:
        if not isinstance(name, str):
            raise InvalidName(name, "names are strings")
        name = str.__str__(name)
    if name.isascii():
        if name.isprintable() and 0 < len(name) <= MAX_NAME:
            return name
    else:
        name = _composed(name, InvalidName)
    if not name:
        raise InvalidName(name, "it is empty; give at least one character")
    if len(name) > MAX_NAME:
        raise InvalidName(name, f"it has {len(name)} characters, at most {MAX_NAME} are allowed")
    if _has_control(name):
        raise InvalidName(name, "it holds a control character; remove it")
    return name


def normal(value: object) -> Value:
    """The normal form of a value; `InvalidValue` names the cure for what is none."""
    kind = type(value)
    if kind is str:
        return _string(value)  # type: ignore[arg-type]
    if kind is bool or kind is Quantity:
        return value  # type: ignore[return-value]
    if kind is int:
        if -_INT_LIMIT < value < _INT_LIMIT:  # type: ignore[operator]
            return value  # type: ignore[return-value]
        raise InvalidValue(value, "integers have fewer than 4 300 digits")
    if kind is Decimal:
        return _decimal(value)  # type: ignore[arg-type]
    if kind is datetime:
        return _instant(value)  # type: ignore[arg-type]
    if kind is date:
        return value  # type: ignore[return-value]
    return _plain(value)


def _plain(value: object) -> Value:
    """Subclasses (an enum member that is a str, an int of another library) as the plain type."""
    if isinstance(value, float):
        text = float.__repr__(value) if value - value == 0 else "1.5"  # not of an infinity or NaN
        raise InvalidValue(value, f'write Decimal("{text}"), or {text} in the text of a claim')
    if isinstance(value, str):
        return _string(str.__str__(value))
    if isinstance(value, int):
        return normal(int(value))
    if isinstance(value, Decimal):
        return _decimal(Decimal(value))
    if isinstance(value, datetime):
        return _instant(value)
    if isinstance(value, date):
        return date(value.year, value.month, value.day)
    raise InvalidValue(value, "values are bool, int, Decimal, str, date, datetime and Quantity")


def _string(text: str) -> str:
    if len(text) > MAX_STRING:
        raise ClaimTooLarge("characters in a string value", len(text), MAX_STRING)
    if not text.isascii():
        text = _composed(text, InvalidValue)
    if not text.isprintable() and _has_control(text.translate(_SPACES_IN_STRINGS)):
        raise InvalidValue(text, "it holds a control character; remove it")
    return text


def _composed(text: str, error: type[InvalidName | InvalidValue]) -> str:
    from unicodedata import normalize

    composed = normalize("NFC", text)
    try:
        composed.encode()
    except UnicodeEncodeError as fault:
        raise error(text, "it holds a lone surrogate, which no file can store") from fault
    return composed


def _has_control(text: str) -> bool:
    return any(c < " " or "\x7f" <= c <= "\x9f" for c in text)


def _decimal(number: Decimal) -> Decimal:
    if not number.is_finite():
        raise InvalidValue(number, "decimals are finite")
    if not number:
        return Decimal("0.0")
    exponent = number.as_tuple().exponent
    if number.adjusted() >= MAX_DIGITS or exponent < -MAX_DIGITS:  # type: ignore[operator]
        raise InvalidValue(number, f"decimals have at most {MAX_DIGITS} digits beside the point")
    return Decimal(_decimal_text(number))


def _decimal_text(number: Decimal) -> str:
    # Decimal.normalize would round to the precision of the caller's context.
    whole, _, part = format(number, "f").partition(".")
    return f"{whole}.{part.rstrip('0') or '0'}"


def _whole(number: Decimal) -> int | Decimal:
    return int(number) if number == int(number) else number


def _instant(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise InvalidValue(moment, "datetimes need a time zone, for example tzinfo=timezone.utc")
    try:
        shifted = moment.astimezone(UTC)
    except OverflowError as fault:
        raise InvalidValue(moment, "in UTC it lies outside the years 1 to 9999") from fault
    # Rebuilt from its fields: a subclass would be another type, and so another value.
    return datetime.combine(shifted.date(), shifted.time(), UTC)


def literal(value: Value) -> str:
    """The text of a normal value as claims write it."""
    kind = type(value)
    if kind is str:
        return quoted(value)  # type: ignore[arg-type]
    if kind is int:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is Decimal:
        return _decimal_text(value)  # type: ignore[arg-type]
    if kind is Quantity:
        return f"{literal(value.amount)} {bare(value.unit)}"  # type: ignore[union-attr]
    if kind is datetime:
        return f"{value.replace(tzinfo=None).isoformat()}Z"  # type: ignore[union-attr, call-arg]
    return value.isoformat()  # type: ignore[union-attr]


def quoted(text: str) -> str:
    """The text in double quotes with JSON escapes; what cannot be seen is escaped too."""
    if '"' in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    return f'"{text}"'


def _escaped(char: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short:
        return short
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def is_bare(name: str) -> bool:
    """Whether the name can stand unquoted: letters, digits and _, no digit first, not reserved."""
    return name.isidentifier() and name.replace("_", "a").isalnum() and name not in RESERVED


def bare(name: str) -> str:
    """The name as claims write it: unquoted where that reads back as the same name."""
    return name if is_bare(name) else quoted(name)


def type_name(value: Value) -> str:
    """The name of the value's type in vocabularies: bool, int, decimal, string, date, ..."""
    return _TYPE_NAMES[type(value)]


_TYPE_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Decimal: "decimal",
    str: "string",
    date: "date",
    datetime: "datetime",
    Quantity: "quantity",
}


class Unknown:
    """The start of validity that nobody knows; its one value is `UNKNOWN`, since None means now."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __reduce__(self) -> str:
        """Pickled by name, so that there is one."""
        return "UNKNOWN"


UNKNOWN = Unknown()
"""A valid_from that nobody knows."""

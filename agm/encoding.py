"""Ground claims as SMT-LIB 2 text, and the solver's answers read back as values.

No text of a user reaches the solver: slots and atoms are named by numbers, strings and units are
interned to integers. A slot of a known type is one constant: an integer for bools, strings, enums,
ints, dates (days) and datetimes (microseconds), a real for decimals and quantities. A slot of
unknown type is three: a tag for the type, an integer and a real. Order of first mention numbers
everything, so the same claims give the same text.
"""

from __future__ import annotations

from fractions import Fraction

from agm.claims import And, Atom, Compare, Iff, Implies, Member, Not, Or, Truth, Xor
from agm.domains import Domain, Remaining, kind_of, number_of, value_at
from agm.terms import Linear, Term
from agm.values import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agm.claims import Claim
    from agm.interpretation import Symbol
    from agm.values import Key, Value

_TAGS = {"string": 0, "bool": 1, "int": 2, "date": 3, "datetime": 4, "decimal": 5}
_FIRST_UNIT = 6  # tags from here on are quantities, one tag for each unit
_NUMBERS = frozenset({"int", "decimal"})
_AMOUNTS = frozenset({"int", "decimal", "quantity"})
_JOINED = {And: "and", Or: "or", Xor: "xor", Implies: "=>", Iff: "=", Not: "not"}


class Side:
    """One side of a comparison: a type and its constant, or a tag, an integer and a real."""

    __slots__ = ("code", "kind", "real", "tag")

    def __init__(self, kind: str, *, tag: str, code: str = "0", real: str = "0.0") -> None:
        self.kind = kind
        self.tag = tag
        self.code = code
        self.real = real

    @property
    def amount(self) -> str:
        """The number it is, as a real."""
        if self.kind == "any":
            return f"(ite (= {self.tag} 2) (to_real {self.code}) {self.real})"
        return f"(to_real {self.code})" if self.kind == "int" else self.real

    def numeric(self, *, quantities: bool) -> str:
        """The condition that it is a number (or, in sums, a quantity)."""
        if self.kind == "any":
            units = f" (>= {self.tag} {_FIRST_UNIT})" if quantities else ""
            return f"(or (= {self.tag} 2) (= {self.tag} 5){units})"
        numbers = _AMOUNTS if quantities else _NUMBERS
        return "true" if self.kind in numbers else "false"


class Encoder:
    """The names and codes of one problem; `formula` adds to them.

    `take_declarations` hands out the new names, `limits` lists the assertions that keep all
    constants within their types.
    """

    def __init__(self, domain: Callable[[str], Domain]) -> None:
        self.limits: list[str] = []
        self._declarations: list[str] = []
        self._domain = domain
        self._slots: dict[Key, Side] = {}
        self._atoms: dict[Atom, str] = {}
        self._strings: dict[str, int] = {}
        self._units: dict[str, int] = {}

    def take_declarations(self) -> str:
        """The declarations that no text has carried yet; `limits` bound the constants they make."""
        text = "".join(self._declarations)
        self._declarations.clear()
        return text

    def formula(self, claim: Claim) -> str:
        """The claim as a formula; its symbols are declared by `take_declarations`."""
        kind = type(claim)
        if isinstance(claim, Atom):
            return self._atom(claim)
        if isinstance(claim, Compare):
            return self._comparison(claim)
        if isinstance(claim, Member):
            term = self._side(claim.term)
            return _any_of([self._is(term, value) for value in claim.values])
        if isinstance(claim, Truth):
            return "true" if claim.value else "false"
        if kind not in _JOINED:
            raise TypeError(f"rules are grounded before they are encoded: {claim}")
        parts = " ".join([self.formula(part) for part in claim.children])
        return f"({_JOINED[kind]} {parts})"

    def model(self, constants: Mapping[str, bool | Fraction]) -> dict[Symbol, Value | Fraction]:
        """The values behind the solver's constants; a symbol it left open gets its first value."""
        found: dict[Symbol, Value | Fraction] = {
            atom: bool(constants.get(name, False)) for atom, name in self._atoms.items()
        }
        strings = {code: text for text, code in self._strings.items()}
        for key, side in self._slots.items():
            found[key] = self._read(self._domain(key.predicate), side, constants, strings)
        return found

    def _atom(self, atom: Atom) -> str:
        name = self._atoms.get(atom)
        if name is None:
            name = self._atoms[atom] = f"p{len(self._atoms)}"
            self._declarations.append(f"(declare-const {name} Bool)")
        return name

    def _slot(self, key: Key) -> Side:
        side = self._slots.get(key)
        if side is None:
            domain = self._domain(key.predicate)
            side = self._declare(domain, len(self._slots))
            self._slots[key] = side
        return side

    def _declare(self, domain: Domain, number: int) -> Side:
        kind = domain.kind
        if kind == "any":
            side = Side("any", tag=f"t{number}", code=f"s{number}", real=f"r{number}")
            self._declarations.append(_declared_any(side))
            self.limits.append(_limits_any(side))
            return side
        name = f"s{number}"
        if kind in {"decimal", "quantity"}:
            self._declarations.append(f"(declare-const {name} Real)")
            return Side(kind, tag=self._tag(kind, domain.unit), real=name)
        self._declarations.append(f"(declare-const {name} Int)")
        limits = self._limits(domain, name)
        if limits:
            self.limits.append(f"(assert {limits})")
        return Side("string" if kind == "enum" else kind, tag=self._tag(kind), code=name)

    def _limits(self, domain: Domain, name: str) -> str:
        if domain.kind == "enum":
            codes = [f"(= {name} {self._string(value)})" for value in domain.values]
            return _any_of(codes)
        return _limits(domain.kind, name)

    def _tag(self, kind: str, unit: str | None = None) -> str:
        if kind == "quantity":
            return str(self._units.setdefault(unit or "1", _FIRST_UNIT + len(self._units)))
        return str(_TAGS["string" if kind == "enum" else kind])

    def _string(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def _side(self, side: object) -> Side:
        if isinstance(side, Term):
            return self._slot(side.key)
        return self._constant(side)  # type: ignore[arg-type]

    def _constant(self, value: Value) -> Side:
        kind = kind_of(value)
        unit = value.unit if isinstance(value, Quantity) else None
        tag = self._tag(kind, unit)
        if isinstance(value, str):
            return Side(kind, tag=tag, code=str(self._string(value)))
        place = int(value) if isinstance(value, bool) else number_of(value)
        if kind in {"decimal", "quantity"}:
            return Side(kind, tag=tag, real=_real(Fraction(place or 0)))
        return Side(kind, tag=tag, code=_integer(int(place or 0)))

    def _comparison(self, claim: Compare) -> str:
        left, right, op = claim.left, claim.right, claim.op
        if isinstance(left, Linear) or isinstance(right, Linear):
            text = self._sums("=" if op == "!=" else op, left, right)
        elif op in {"=", "!="}:
            if isinstance(left, Term) and isinstance(right, Term):
                text = self._same_number(self._side(left), self._side(right))
            else:
                text = self._is(self._side(left), right)  # type: ignore[arg-type]
        else:
            text = self._ordered(op, self._side(left), self._side(right))
        return f"(not {text})" if op == "!=" else text

    def _is(self, term: Side, value: Value) -> str:
        return self._same(term, self._constant(value))

    @staticmethod
    def _same(left: Side, right: Side) -> str:
        if left.kind != "any" != right.kind:
            if left.tag != right.tag:
                return "false"
            if left.kind in {"decimal", "quantity"}:
                return f"(= {left.real} {right.real})"
            return f"(= {left.code} {right.code})"
        if right.kind == "any" and left.kind == "any":
            value = (
                f"(ite (<= {left.tag} 4) (= {left.code} {right.code}) (= {left.real} {right.real}))"
            )
        elif "decimal" in {left.kind, right.kind} or "quantity" in {left.kind, right.kind}:
            value = f"(= {left.real} {right.real})"
        else:
            value = f"(= {left.code} {right.code})"
        return f"(and (= {left.tag} {right.tag}) {value})"

    def _same_number(self, left: Side, right: Side) -> str:
        same = self._same(left, right)
        if left.kind == right.kind != "any" or not _maybe_numbers(left, right):
            return same
        return f"(or {same} {_numbers('=', left, right)})"

    def _ordered(self, op: str, left: Side, right: Side) -> str:
        if left.kind != "any" != right.kind:
            if left.kind in {"bool", "string"} or right.kind in {"bool", "string"}:
                return "false"
            if left.tag == right.tag:
                place = "real" if left.kind in {"decimal", "quantity"} else "code"
                return f"({op} {getattr(left, place)} {getattr(right, place)})"
            return _numbers(op, left, right) if _maybe_numbers(left, right) else "false"
        tags = f"(= {left.tag} {right.tag})"
        dates = (
            f"(and {tags} (or (= {left.tag} 3) (= {left.tag} 4)) ({op} {left.code} {right.code}))"
        )
        units = f"(and {tags} (>= {left.tag} {_FIRST_UNIT}) ({op} {left.real} {right.real}))"
        return f"(or {_numbers(op, left, right)} {dates} {units})"

    def _sums(self, op: str, left: object, right: object) -> str:
        guards: list[str] = []
        exact = self._whole(left) and self._whole(right)
        sides = [self._sum(side, guards, exact=exact) for side in (left, right)]
        formula = f"({op} {sides[0]} {sides[1]})"
        return f"(and {' '.join(guards)} {formula})" if guards else formula

    def _whole(self, side: object) -> bool:
        """Whether a side of a sum can be reckoned in integers."""
        if isinstance(side, Linear):
            numbers = [side.constant, *(factor for factor, _ in side.terms)]
            terms = [self._side(term) for _, term in side.terms]
            return all(type(n) is int for n in numbers) and all(t.kind == "int" for t in terms)
        return self._side(side).kind == "int"

    def _sum(self, side: object, guards: list[str], *, exact: bool) -> str:
        if not isinstance(side, Linear):
            part = self._side(side)
            guard = part.numeric(quantities=True)
            if guard != "true":
                guards.append(guard)
            return part.code if exact else part.amount
        write = _integer if exact else _real
        constant = side.constant.amount if isinstance(side.constant, Quantity) else side.constant
        parts = [write(Fraction(constant))]
        for factor, term in side.terms:
            value = self._sum(term, guards, exact=exact)
            parts.append(f"(* {write(Fraction(factor))} {value})")
        return f"(+ {' '.join(parts)})"

    def _read(
        self,
        domain: Domain,
        side: Side,
        constants: Mapping[str, bool | Fraction],
        strings: Mapping[int, str],
    ) -> Value | Fraction:
        if domain.kind == "any":
            domain = self._domain_of_tag(int(constants.get(side.tag, 0)))
        real = domain.kind in {"decimal", "quantity"}
        number = constants.get(side.real if real else side.code)
        if number is None:
            first = Remaining(domain).pick()
            return "other" if first is None else first
        if domain.kind == "bool":
            return bool(number)
        if domain.kind in {"string", "enum"}:
            text = strings.get(int(number))
            return text if text is not None else _fresh(int(number), self._strings)
        return value_at(Fraction(number), domain)

    def _domain_of_tag(self, tag: int) -> Domain:
        if tag >= _FIRST_UNIT:
            units = {code: unit for unit, code in self._units.items()}
            return Domain("quantity", unit=units.get(tag, f"unit {tag}"))
        return Domain(next(kind for kind, code in _TAGS.items() if code == tag))


def _maybe_numbers(left: Side, right: Side) -> bool:
    return all(side.kind in {"int", "decimal", "any"} for side in (left, right))


def _numbers(op: str, left: Side, right: Side) -> str:
    if not _maybe_numbers(left, right):
        return "false"
    guards = [side.numeric(quantities=False) for side in (left, right) if side.kind == "any"]
    formula = f"({op} {left.amount} {right.amount})"
    return f"(and {' '.join(guards)} {formula})" if guards else formula


def _declared_any(side: Side) -> str:
    return (
        f"(declare-const {side.tag} Int)(declare-const {side.code} Int)"
        f"(declare-const {side.real} Real)"
    )


def _limits_any(side: Side) -> str:
    limits = [
        f"(=> (= {side.tag} {_TAGS[kind]}) {_limits(kind, side.code)})"
        for kind in ("bool", "date", "datetime")
    ]
    return f"(assert (and (>= {side.tag} 0) {' '.join(limits)}))"


def _limits(kind: str, name: str) -> str:
    if kind == "bool":
        return f"(<= 0 {name} 1)"
    limits = Remaining(Domain(kind))
    if limits.low is None or limits.high is None:
        return ""
    return f"(<= {_integer(int(limits.low))} {name} {_integer(int(limits.high))})"


def _any_of(formulas: Iterable[str]) -> str:
    parts = list(formulas)
    if len(parts) == 1:
        return parts[0]
    return f"(or {' '.join(parts)})" if parts else "false"


def _integer(number: int | Fraction) -> str:
    whole = int(number)
    return str(whole) if whole >= 0 else f"(- {-whole})"


def _real(number: int | Fraction) -> str:
    exact = Fraction(number)
    text = f"{abs(exact.numerator)}.0"
    if exact.denominator != 1:
        text = f"(/ {text} {exact.denominator}.0)"
    return f"(- {text})" if exact < 0 else text


def _fresh(code: int, taken: Mapping[str, int]) -> str:
    text = f"other {code}"
    while text in taken:
        text += "'"
    return text

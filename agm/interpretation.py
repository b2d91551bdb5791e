"""Truth in a model: whether a ground claim holds when every slot and atom has a value.

A `Model` gives a value to each slot (by its key) and a truth value to each relation atom. Equality
with a constant is typed (`1` is not `1.0`); terms compare by number where both sides are numbers.
Where no order is defined (a string against a number) `<` and its kin are false.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from agm.claims import And, Atom, Compare, Iff, Implies, Member, Not, Or, Truth, Xor
from agm.domains import comparable, kind_of, number_of, same
from agm.terms import Linear, Term
from agm.values import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.values import Key, Value

    Symbol: TypeAlias = "Key | Atom"
    Model: TypeAlias = "Mapping[Symbol, Value | Fraction]"


def holds(claim: Claim, model: Model) -> bool:
    """Whether the ground claim is true in the model; KeyError names a symbol without a value."""
    match claim:
        case Compare():
            return _compares(claim, model)
        case Atom():
            return bool(model[claim])
        case Not():
            return not holds(claim.body, model)
        case And():
            return all(holds(part, model) for part in claim.parts)
        case Or():
            return any(holds(part, model) for part in claim.parts)
        case Implies():
            return not holds(claim.left, model) or holds(claim.right, model)
        case Iff():
            return holds(claim.left, model) == holds(claim.right, model)
        case Xor():
            return sum(holds(part, model) for part in claim.parts) % 2 == 1
        case Member():
            found = _value(claim.term, model)
            return any(same(found, value) for value in claim.values)
        case Truth():
            return claim.value
    raise TypeError(f"rules are grounded before they are read in a model: {claim}")


def symbols_of(claim: Claim) -> frozenset[Symbol]:
    """The slots and relation atoms of a ground claim; atoms by themselves, for keys drop types."""
    if isinstance(claim, Atom):
        return frozenset((claim,))
    if isinstance(claim, Compare) and claim.slot is not None:
        return frozenset((claim.slot[0],))
    found: set[Symbol] = set()
    waiting: list[Claim] = [claim]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Atom):
            found.add(part)
        elif isinstance(part, Compare):
            found.update(_terms(part.left))
            found.update(_terms(part.right))
        elif isinstance(part, Member):
            found.update(_terms(part.term))
        else:
            waiting.extend(part.children)
    return frozenset(found)


def _terms(side: object) -> set[Key]:
    if isinstance(side, Term):
        return {side.key}
    return {term.key for _, term in side.terms} if isinstance(side, Linear) else set()  # type: ignore[union-attr]


def _value(side: object, model: Model) -> object:
    if isinstance(side, Term):
        return model[side.key]
    if isinstance(side, Linear):
        return _total(side, model)
    return side


def _total(side: Linear, model: Model) -> Fraction | None:
    total = _number(side.constant)
    for factor, term in side.terms:
        amount = _number(_value(term, model))
        if amount is None or total is None:
            return None
        total += Fraction(factor) * amount
    return total


def _number(value: object) -> Fraction | None:
    """The amount of a number or quantity; dates do not add up."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction | Quantity):
        return None
    place = number_of(value)
    return None if place is None else Fraction(place)


def _compares(claim: Compare, model: Model) -> bool:
    left, right = _value(claim.left, model), _value(claim.right, model)
    op = claim.op
    if op in {"=", "!="}:
        typed = isinstance(claim.left, Term) and not isinstance(claim.right, Term | Linear)
        return (same(left, right) if typed else _equal(left, right)) == (op == "=")
    if isinstance(claim.left, Linear) or isinstance(claim.right, Linear):
        left, right = _number(left), _number(right)
    if not comparable(left, right):
        return False
    return _ORDER[op](number_of(left), number_of(right))


def _equal(left: object, right: object) -> bool:
    if left is None or right is None:
        return False  # a sum over something that is no number equals nothing
    numbers = _number(left), _number(right)
    if None not in numbers and _amounts(left, right):
        return numbers[0] == numbers[1]
    return same(left, right)


def _amounts(left: object, right: object) -> bool:
    """Whether amounts alone decide: a sum has dropped its unit, two quantities have the same."""
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return left.unit == right.unit
    return Fraction in {type(left), type(right)} or "quantity" not in {
        kind_of(left),  # type: ignore[arg-type]
        kind_of(right),  # type: ignore[arg-type]
    }


_ORDER: dict[str, Callable[[object, object], bool]] = {
    "<": lambda left, right: left < right,  # type: ignore[operator]
    "<=": lambda left, right: left <= right,  # type: ignore[operator]
    ">": lambda left, right: left > right,  # type: ignore[operator]
    ">=": lambda left, right: left >= right,  # type: ignore[operator]
}

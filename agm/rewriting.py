"""Claims taken apart and put together: walking, negation, joins, and values for variables.

Nesting is capped when nodes are made (64 levels), so recursion here is safe.
"""

# ruff: noqa: ANN401  (a side is any expression)
from __future__ import annotations

from agm.atoms import Atom, Compare, Member, Truth
from agm.connectives import And, ForAll, Not, Or, Xor
from agm.terms import Linear, Term, Variable, total
from agm.values import literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from agm.atoms import Claim
    from agm.values import Value


def walk(claim: Claim) -> Iterator[Claim]:
    """The claim and every claim inside it, parents first, from left to right."""
    waiting = [claim]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def negate(claim: Claim) -> Claim:
    """The denial of a claim; of a denial, what it denies."""
    if isinstance(claim, Not):
        return claim.body
    return Truth(not claim.value) if isinstance(claim, Truth) else ~claim


def conjoin(parts: Iterable[Claim]) -> Claim:
    """All of the claims at once; of none, the claim that is always true."""
    return And(whole) if (whole := tuple(parts)) else Truth(True)


def disjoin(parts: Iterable[Claim]) -> Claim:
    """At least one of the claims; of none, the claim that is always false."""
    return Or(whole) if (whole := tuple(parts)) else Truth(False)


def substitute(claim: Claim, values: Mapping[Variable, Value]) -> Claim:
    """The claim with values for its free variables; a comparison of constants becomes a truth.

    In the argument place of an attribute a value names an entity: a string itself, any other
    value by its text. Raises `ClaimTypeError` where a value does not go with its place.
    """
    held = {id(variable): value for variable, value in values.items()}
    return _filled(claim, held)


def renamed(claim: Claim, names: Mapping[str, str]) -> Claim:
    """The claim with other names for its entities; itself when it names none of them.

    Entities are the arguments of attributes and the strings in relation atoms, not the values of attributes.
    """
    if isinstance(claim, Atom):
        found = tuple(names.get(arg, arg) if isinstance(arg, str) else arg for arg in claim.args)
        same = all(new is old for new, old in zip(found, claim.args, strict=True))
        return claim if same else Atom(claim.predicate, found)
    if isinstance(claim, Compare):
        left, right = _renamed_side(claim.left, names), _renamed_side(claim.right, names)
        same = left is claim.left and right is claim.right
        return claim if same else Compare(claim.op, left, right)
    if isinstance(claim, Member):
        term = _renamed_side(claim.term, names)
        return claim if term is claim.term else Member(term, claim.values)
    return rebuilt(claim, lambda child: renamed(child, names))


def rebuilt(claim: Claim, change: Callable[[Claim], Claim]) -> Claim:
    """The claim with every child put through `change`; itself when no child changes."""
    children = claim.children
    changed = tuple(change(child) for child in children)
    if all(new is old for new, old in zip(changed, children, strict=True)):
        return claim
    if isinstance(claim, ForAll):
        return ForAll(claim.variables, changed[0])
    if isinstance(claim, And | Or | Xor):
        return type(claim)(changed)
    return type(claim)(*changed)


def _filled(claim: Claim, values: dict[int, Value]) -> Claim:
    if not values or not any(id(variable) in values for variable in claim.free):
        return claim
    if isinstance(claim, Atom):
        return Atom(claim.predicate, tuple(_value(arg, values) for arg in claim.args))
    if isinstance(claim, Compare):
        return Compare(claim.op, _side(claim.left, values), _side(claim.right, values))
    if isinstance(claim, Member):
        return _membership(_side(claim.term, values), claim.values)
    if isinstance(claim, ForAll):
        hidden = set(map(id, claim.variables))
        values = {variable: value for variable, value in values.items() if variable not in hidden}
    return rebuilt(claim, lambda child: _filled(child, values))


def _renamed_side(side: Any, names: Mapping[str, str]) -> Any:
    if isinstance(side, Term):
        args = tuple(
            names.get(arg, arg) if isinstance(arg, str) else _renamed_side(arg, names)
            for arg in side.args
        )
        same = all(new is old for new, old in zip(args, side.args, strict=True))
        return side if same else Term(side.predicate, args)
    if isinstance(side, Linear):
        parts = [(factor, _renamed_side(term, names)) for factor, term in side.terms]
        same = all(new is old for (_, new), (_, old) in zip(parts, side.terms, strict=True))
        return side if same else total([*parts, (1, side.constant)])
    return side


def _membership(term: Any, values: tuple[Value, ...]) -> Claim:
    if isinstance(term, Term | Variable):
        return Member(term, values)
    return Truth(any(type(value) is type(term) and value == term for value in values))


def _side(side: Any, values: dict[int, Value]) -> Any:
    if isinstance(side, Variable):
        return _value(side, values)
    if isinstance(side, Term):
        return side if side.is_ground else Term(side.predicate, _arguments(side, values))
    if isinstance(side, Linear):
        parts = [(factor, _side(term, values)) for factor, term in side.terms]
        return total([*parts, (1, side.constant)])
    return side


def _arguments(term: Term[Any], values: dict[int, Value]) -> tuple[Any, ...]:
    return tuple(
        _named(values[id(arg)])
        if isinstance(arg, Variable) and id(arg) in values
        else _side(arg, values)
        for arg in term.args
    )


def _named(value: Value) -> str:
    return value if isinstance(value, str) else literal(value)


def _value(arg: Any, values: dict[int, Value]) -> Any:
    return values.get(id(arg), arg) if isinstance(arg, Variable) else arg

"""Claims: the sentences that bases hold. What other modules and users import.

`attr`, `relation`, `prop` and `forall` are how Python code starts a claim; comparison operators on
terms and `& | ~ >> ^` on claims go on from there. `agm.syntax.parse` reads a claim from text, and
`parse(str(claim)) is claim`. Terms stand in `agm.terms`, atoms in `agm.atoms`, connectives and
rules in `agm.connectives`, walking and rewriting in `agm.rewriting`.
"""

from __future__ import annotations

from _thread import _local

from agm.atoms import MAX_TEXT, Atom, Claim, Compare, Member, Truth, argument_text
from agm.connectives import And, ForAll, Iff, Implies, Not, Or, Xor
from agm.errors import ClaimTypeError
from agm.rewriting import conjoin, disjoin, negate, substitute, walk
from agm.terms import MAX_DEPTH, MAX_NODES, Linear, Term, Variable
from agm.values import Key, Quantity, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    V = TypeVar("V")

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "MAX_TEXT",
    "And",
    "Atom",
    "Claim",
    "Compare",
    "ForAll",
    "Iff",
    "Implies",
    "Key",
    "Linear",
    "Member",
    "Not",
    "Or",
    "Quantity",
    "Term",
    "Truth",
    "Value",
    "Variable",
    "Xor",
    "argument_text",
    "attr",
    "conjoin",
    "disjoin",
    "forall",
    "negate",
    "prop",
    "relation",
    "slot_literal",
    "substitute",
    "walk",
]

_open_rules = _local()

if TYPE_CHECKING:

    @overload
    def attr(entity: str | Variable | Term[Any], attribute: str) -> Term[Value]: ...
    @overload
    def attr(
        entity: str | Variable | Term[Any], attribute: str, *, scope: str | None = None
    ) -> Term[Value]: ...
    @overload
    def attr(
        entity: str | Variable | Term[Any],
        attribute: str,
        *,
        of: type[V],
        scope: str | None = None,
    ) -> Term[V]: ...


def attr(
    entity: Any,
    attribute: str,
    *,
    of: type | None = None,  # noqa: ARG001  only type checkers read it
    scope: str | None = None,
) -> Term[Any]:
    """The attribute of an entity, which has one value in a scope at a time.

    `of` tells type checkers the type of its values. Raises `InvalidName`.

    >>> str(attr("cache", "ttl", of=int) == 300)
    'ttl(cache) = 300'
    """
    return Term(attribute, (entity,) if scope is None else (entity, scope))


def relation(name: str, *args: Value | Variable) -> Claim:
    """The claim that a many-valued relation holds between these; it conflicts with no other.

    >>> str(relation("likes", "anna", "green tea"))
    'likes(anna, "green tea")'
    """
    if not args:
        raise ClaimTypeError(
            name, "a relation has arguments; a sentence without them is prop(name)"
        )
    return Atom(name, args)


def prop(name: str) -> Claim:
    """The proposition of this name."""
    return Atom(name, ())


def forall(rule: Callable[..., Claim], /) -> Claim:
    """The rule that a function of variables states; they are named as its parameters.

    Inside another rule's function a name that is taken gets a number behind it.

    >>> str(forall(lambda x: relation("penguin", x) >> ~relation("flies", x)))
    'forall x. penguin(x) -> !flies(x)'
    """
    code = getattr(rule, "__code__", None)
    if code is None or not code.co_argcount:
        raise ClaimTypeError(rule, "give a function with a parameter for each variable")
    taken = _open_rules.__dict__.setdefault("names", set())
    names = [_untaken(name, taken) for name in code.co_varnames[: code.co_argcount]]
    taken.update(names)
    try:
        variables = tuple(map(Variable, names))
        return ForAll(variables, rule(*variables))
    finally:
        taken.difference_update(names)


def slot_literal(claim: Claim) -> tuple[Key, Value] | None:
    """Key and value of a ground `f(..) = constant`; None for every other claim."""
    return claim.slot if type(claim) is Compare else None


def _untaken(name: str, taken: set[str]) -> str:
    number, candidate = 2, name
    while candidate in taken:
        number, candidate = number + 1, f"{name}_{number}"
    return candidate

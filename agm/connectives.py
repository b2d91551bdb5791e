"""Connectives and rules: `Not`, `And`, `Or`, `Xor`, `Implies`, `Iff`, and `ForAll` over variables.

`And`, `Or` and `Xor` take two or more parts and are flat; all keep the order they were given.
"""

from __future__ import annotations

from agm.atoms import MAX_TEXT, Claim, Compare, blank
from agm.errors import ClaimTypeError, InvalidName
from agm.interning import find, intern, set_field
from agm.terms import MAX_DEPTH, MAX_NODES, Comparable, Variable, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar, TypeVar

    C = TypeVar("C", bound=Claim)


class Not(Claim):
    """The denial of a claim."""

    __slots__ = ("body",)
    __match_args__ = ("body",)
    level = 7
    body: Claim

    def __new__(cls, body: Claim) -> Not:
        """Find or make it."""
        return _joined(cls, (_claim(body),), body=body)

    @property
    def children(self) -> tuple[Claim, ...]:
        """The claim denied."""
        return (self.body,)

    def render(self, bound: frozenset[str]) -> str:
        """`!claim`; a comparison is put in parentheses so that the reach of `!` is seen."""
        return f"!{_inside(self.body, bound, Compare.level)}"


class _Parts(Claim):
    """A flat connective over two or more claims, kept in the order given."""

    __slots__ = ("parts",)
    __match_args__ = ("parts",)
    sign: ClassVar[str]
    parts: tuple[Claim, ...]

    def __new__(cls, parts: Iterable[Claim]) -> Claim:  # type: ignore[misc]
        """Find or make it; parts of the same connective are taken in, one part is itself."""
        flat: list[Claim] = []
        for part in parts:
            flat.extend(part.parts if type(part) is cls else (_claim(part),))
        if len(flat) == 1:
            return flat[0]
        if not flat:
            raise ClaimTypeError(cls.__name__, "give at least one claim to join")
        return _joined(cls, tuple(flat), parts=tuple(flat))

    @property
    def children(self) -> tuple[Claim, ...]:
        """The claims joined."""
        return self.parts

    def render(self, bound: frozenset[str]) -> str:
        """`a sign b sign c`."""
        return f" {self.sign} ".join(_inside(part, bound, self.level) for part in self.parts)


class And(_Parts):
    """All of its parts."""

    __slots__ = ()
    level = 5
    sign = "&"


class Or(_Parts):
    """At least one of its parts."""

    __slots__ = ()
    level = 3
    sign = "|"


class Xor(_Parts):
    """An odd number of its parts; of two, exactly one."""

    __slots__ = ()
    level = 4
    sign = "xor"


class Implies(Claim):
    """If `left`, then `right`."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    level = 2
    left: Claim
    right: Claim

    def __new__(cls, left: Claim, right: Claim) -> Implies:
        """Find or make it."""
        return _joined(cls, (_claim(left), _claim(right)), left=left, right=right)

    @property
    def children(self) -> tuple[Claim, ...]:
        """Premise and conclusion."""
        return (self.left, self.right)

    def render(self, bound: frozenset[str]) -> str:
        """`left -> right`; a chain reads from the right."""
        right = _inside(self.right, bound, self.level - 1)
        return f"{_inside(self.left, bound, self.level)} -> {right}"


class Iff(Claim):
    """`left` exactly when `right`."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    level = 1
    left: Claim
    right: Claim

    def __new__(cls, left: Claim, right: Claim) -> Iff:
        """Find or make it."""
        return _joined(cls, (_claim(left), _claim(right)), left=left, right=right)

    @property
    def children(self) -> tuple[Claim, ...]:
        """Both sides."""
        return (self.left, self.right)

    def render(self, bound: frozenset[str]) -> str:
        """`left <-> right`; an inner one stands in parentheses on either side."""
        return (
            f"{_inside(self.left, bound, self.level)} <-> {_inside(self.right, bound, self.level)}"
        )


class ForAll(Claim):
    """A rule: its body for every entity, and every value in relation atoms, as the variables."""

    __slots__ = ("body", "variables")
    __match_args__ = ("variables", "body")
    level = 0
    variables: tuple[Variable, ...]
    body: Claim

    def __new__(cls, variables: Iterable[Variable], body: Claim) -> ForAll:
        """Find or make it; `ClaimTypeError` without variables, `InvalidName` on a repeated one."""
        names = tuple(variables)
        if not names or not all(isinstance(name, Variable) for name in names):
            raise ClaimTypeError(names, "a rule binds at least one variable: forall x. p(x)")
        if len(set(names)) < len(names):
            raise InvalidName(names[0].name, "a rule binds each variable once")
        return _joined(cls, (_claim(body),), names, variables=names, body=body)

    @property
    def children(self) -> tuple[Claim, ...]:
        """The body."""
        return (self.body,)

    def _find_free(self) -> frozenset[Variable]:
        return self.body.free - frozenset(self.variables)

    def render(self, bound: frozenset[str]) -> str:
        """`forall x, y. body`, the body reaching to the end."""
        names = ", ".join(map(str, self.variables))
        inner = bound.union(variable.name for variable in self.variables)
        return f"forall {names}. {self.body.render(inner)}"


def _joined(
    cls: type[C],
    children: tuple[Claim, ...],
    binding: tuple[Variable, ...] = (),
    **fields: object,
) -> C:
    """Find or make the node over these children, within the caps."""
    key = (cls, *map(id, binding), *children)
    known: C | None = find(key)
    if known is not None:
        return known
    depth = within("levels", 1 + max(child.depth for child in children), MAX_DEPTH)
    size = within("nodes", 1 + sum(child.size for child in children), MAX_NODES)
    node = blank(cls, depth, size, **fields)
    set_field(node, "_length", within("characters", _joined_length(node), MAX_TEXT))
    return intern(key, node)


def _joined_length(node: Claim) -> int:
    """The length of the text of a node over others; inside a rule every name may get quotes."""
    inner = sum(child.length + 2 * (child.level <= node.level) for child in node.children)
    if isinstance(node, ForAll):
        return inner + 2 * node.size + sum(len(str(name)) + 2 for name in node.variables) + 8
    return inner + len(node.children) * len(" xor ")


def _claim(operand: object) -> Claim:
    if isinstance(operand, Claim):
        return operand
    if isinstance(operand, Comparable):
        raise ClaimTypeError(
            str(operand),
            "only claims are joined; put the comparison in parentheses: p & (term == value)",
        )
    raise ClaimTypeError(operand, "only claims are joined; use prop(name) for a proposition")


def _inside(claim: Claim, bound: frozenset[str], level: int) -> str:
    # Outside of rules the cached text serves; inside, a bound name may need quotes.
    text = claim.render(bound) if bound else str(claim)
    return f"({text})" if claim.level <= level else text

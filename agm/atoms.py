"""Claims, and those that are not made of others: truths, relation atoms, comparisons, memberships.

Read `Claim` first; the connectives and rules over these stand in `agm.connectives`.
A claim has at most 64 levels and 10 000 nodes and its text 64 Ki characters, however it was made.
"""

# ruff: noqa: ANN401  (a side is any expression)
from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from agm.errors import ClaimHasNoTruthValue, ClaimTypeError
from agm.interning import Interned, find, intern, set_field
from agm.terms import (
    MAX_NODES,
    NOTHING,
    Comparable,
    Linear,
    Term,
    Variable,
    multiplied,
    rendered_name,
    total,
    within,
)
from agm.values import Key, Quantity, bare, checked_name, literal, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar, Literal, NoReturn, TypeVar

    from agm.terms import Atomic, Expr
    from agm.values import Value

    C = TypeVar("C", bound="Claim")
    Op = Literal["=", "!=", "<", "<=", ">", ">="]

MAX_TEXT = 65_536
"""The most characters of a claim's text."""

_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_VALUE_KINDS = frozenset({bool, int, Decimal, str, date, datetime, Quantity})
_UNORDERED = {bool: "bools", str: "strings and enums"}
_SMALL = 8
_SHORT = 1_000
_RANK = {
    kind: rank for rank, kind in enumerate((bool, int, Decimal, str, date, datetime, Quantity))
}
_NO_KEYS: frozenset[Key] = frozenset()
_NO_VARIABLES: frozenset[Variable] = frozenset()


class Claim(Interned):
    """A sentence. Equality is identity; `bool()` raises, for only a base can say what holds."""

    __slots__ = ("_free", "_keys", "_length", "_symbols", "_text", "depth", "size")
    __match_args__: tuple[str, ...] = ()
    level: ClassVar[int] = 6
    """How tightly the text binds; what binds less than its place asks stands in parentheses."""
    depth: int
    size: int
    # Caches: unset until they are asked for, since most claims are only ever one slot's value.
    _free: frozenset[Variable]
    _keys: frozenset[Key]
    _length: int
    _symbols: frozenset[str]
    _text: str

    @property
    def keys(self) -> frozenset[Key]:
        """The slots and relation atoms it speaks of, as far as they are ground."""
        try:
            return self._keys
        except AttributeError:
            keys = self._find_keys()
            set_field(self, "_keys", keys)
            return keys

    @property
    def symbols(self) -> frozenset[str]:
        """The predicates it mentions, those inside rules and inner terms too."""
        try:
            return self._symbols
        except AttributeError:
            symbols = self._find_symbols()
            set_field(self, "_symbols", symbols)
            return symbols

    @property
    def free(self) -> frozenset[Variable]:
        """The variables that no `forall` in it binds; empty for a whole sentence."""
        try:
            return self._free
        except AttributeError:
            free = self._find_free()
            set_field(self, "_free", free)
            return free

    @property
    def length(self) -> int:
        """How long its text is, at most, in characters."""
        try:
            return self._length
        except AttributeError:
            length = len(str(self))
            set_field(self, "_length", length)
            return length

    @property
    def children(self) -> tuple[Claim, ...]:
        """The claims it is joined of, in order."""
        return ()

    def __and__(self, other: Claim) -> Claim:
        """Both."""
        return _connectives.And((self, other))

    def __or__(self, other: Claim) -> Claim:
        """At least one."""
        return _connectives.Or((self, other))

    def __xor__(self, other: Claim) -> Claim:
        """Exactly one; of several, an odd number."""
        return _connectives.Xor((self, other))

    def __rshift__(self, other: Claim) -> Claim:
        """If this, then the other."""
        return _connectives.Implies(self, other)

    def __invert__(self) -> Claim:
        """Not this."""
        return _connectives.Not(self)

    def iff(self, other: Claim) -> Claim:
        """Both or neither."""
        return _connectives.Iff(self, other)

    def __bool__(self) -> NoReturn:
        """Raise `ClaimHasNoTruthValue`."""
        raise ClaimHasNoTruthValue(self)

    def __str__(self) -> str:
        """The canonical text, which `parse` reads back as this very claim."""
        try:
            return self._text
        except AttributeError:
            text = self.render(NOTHING)
            set_field(self, "_text", text)
            return text

    def __repr__(self) -> str:
        """Show the claim's text."""
        return f"<Claim {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as text; a body with free variables has none and travels by its fields."""
        if self.free:
            return type(self), tuple(getattr(self, name) for name in self.__match_args__)
        return _parsed, (str(self),)

    def render(self, bound: frozenset[str]) -> str:
        """The text inside these bindings."""
        raise NotImplementedError

    def _find_keys(self) -> frozenset[Key]:
        return _NO_KEYS.union(*(child.keys for child in self.children))

    def _find_symbols(self) -> frozenset[str]:
        return NOTHING.union(*(child.symbols for child in self.children))

    def _find_free(self) -> frozenset[Variable]:
        return _NO_VARIABLES.union(*(child.free for child in self.children))


class Truth(Claim):
    """The claim that is always true, or always false."""

    __slots__ = ("value",)
    __match_args__ = ("value",)
    level = 8
    value: bool

    def __new__(cls, value: bool) -> Claim:  # type: ignore[misc]  # noqa: FBT001
        """Find or make it."""
        key = (cls, bool(value))
        known: Claim | None = find(key)
        return intern(key, blank(cls, 1, 1, value=bool(value))) if known is None else known

    def render(self, bound: frozenset[str]) -> str:  # noqa: ARG002
        """`true` or `false`."""
        return "true" if self.value else "false"


class Atom(Claim):
    """A relation atom, `likes(anna, "tea")`; without arguments a proposition, `p`."""

    __slots__ = ("args", "predicate")
    __match_args__ = ("predicate", "args")
    level = 8
    predicate: str
    args: tuple[Value | Variable, ...]

    def __new__(cls, predicate: str, args: tuple[Value | Variable, ...] = ()) -> Atom:
        """Find or make the atom of this predicate and these arguments."""
        predicate = checked_name(predicate)
        args = tuple(arg if isinstance(arg, Variable) else _entity(arg) for arg in args)
        key = (cls, predicate, *map(type, args), *args)
        known: Atom | None = find(key)
        if known is not None:
            return known
        size = within("nodes", 1 + len(args), MAX_NODES)
        node = blank(cls, 1, size, predicate=predicate, args=args)
        _check_text(node, args)
        return intern(key, node)

    def _find_keys(self) -> frozenset[Key]:
        if self.free:
            return _NO_KEYS
        return frozenset((Key(self.predicate, tuple(map(argument_text, self.args))),))

    def _find_symbols(self) -> frozenset[str]:
        return frozenset((self.predicate,))

    def _find_free(self) -> frozenset[Variable]:
        return frozenset(arg for arg in self.args if isinstance(arg, Variable))

    def render(self, bound: frozenset[str]) -> str:
        """`name(arg, ...)`, or the name alone."""
        if not self.args:
            return bare(self.predicate)
        return f"{bare(self.predicate)}({', '.join(_rendered(arg, bound) for arg in self.args)})"


class Compare(Claim):
    """A comparison of two expressions; a constant stands on the right.

    Making one gives `Truth` when both sides are constants. Raises `ClaimTypeError` on sides that
    do not go together: bools and strings have no order, a float is no value.
    """

    __slots__ = ("left", "op", "right", "slot")
    __match_args__ = ("op", "left", "right")
    op: Op
    left: Expr
    right: Expr
    slot: tuple[Key, Value] | None

    def __new__(cls, op: Op, left: Expr, right: Expr) -> Claim:  # type: ignore[misc]
        """Find or make the comparison."""
        kind = type(right)
        if kind in _VALUE_KINDS:
            key = (cls, op, id(left), kind, right)
            known: Claim | None = find(key)
            if known is not None:
                return known
            if type(left) is Term and op in _FLIPPED and normal(right) is right:
                return _made(key, op, left, right)
        if op not in _FLIPPED:
            raise ClaimTypeError(op, f"comparisons are {' '.join(_FLIPPED)}")
        if not isinstance(left, Comparable):
            if not isinstance(right, Comparable):
                return Truth(_holds(op, _value(left), _value(right)))
            op, left, right = _FLIPPED[op], right, _value(left)  # type: ignore[assignment]
        elif not isinstance(right, Comparable):
            right = _value(right)
        if _has_quantity(left) or _has_quantity(right):
            left, right = _quantity_apart(left, right)
            return Compare(op, left, right)
        return _comparison(op, left, right)

    def _find_keys(self) -> frozenset[Key]:
        if self.slot is not None:
            return frozenset((self.slot[0],))
        return _NO_KEYS.union(_term_keys(self.left), _term_keys(self.right))

    def _find_symbols(self) -> frozenset[str]:
        return _side_symbols(self.left) | _side_symbols(self.right)

    def _find_free(self) -> frozenset[Variable]:
        return _side_free(self.left) | _side_free(self.right)

    def render(self, bound: frozenset[str]) -> str:
        """`left op right`."""
        return f"{_side(self.left, bound)} {self.op} {_side(self.right, bound)}"


class Member(Claim):
    """The claim that a term has one of some values, which are kept sorted and once each."""

    __slots__ = ("term", "values")
    __match_args__ = ("term", "values")
    term: Atomic
    values: tuple[Value, ...]

    def __new__(cls, term: Atomic, values: Iterable[Value]) -> Member:
        """Find or make it; `ClaimTypeError` without any value."""
        if not isinstance(term, Term | Variable):
            raise ClaimTypeError(term, "only terms and variables are members; write a term")
        found = {(_RANK[type(value)], _sortable(value)): value for value in map(normal, values)}
        if not found:
            raise ClaimTypeError(str(term), "give at least one value to be among; or claim `false`")
        kept = tuple(found[place] for place in sorted(found))
        key = (cls, id(term), *map(type, kept), *kept)
        known: Member | None = find(key)
        if known is not None:
            return known
        size = within("nodes", 1 + term.size + len(kept), MAX_NODES)
        node = blank(cls, term.depth, size, term=term, values=kept)
        _check_text(node, kept)
        return intern(key, node)

    def _find_keys(self) -> frozenset[Key]:
        return _term_keys(self.term)

    def _find_symbols(self) -> frozenset[str]:
        return self.term.symbols

    def _find_free(self) -> frozenset[Variable]:
        return self.term.free

    def render(self, bound: frozenset[str]) -> str:
        """`term in {value, ...}`."""
        return f"{self.term.render(bound)} in {{{', '.join(map(literal, self.values))}}}"


def argument_text(arg: object) -> str:
    """What stands for an argument of a relation atom in its key: a string itself, else its text."""
    return arg if isinstance(arg, str) else literal(arg)  # type: ignore[arg-type]


def blank(cls: type[C], depth: int, size: int, **fields: object) -> C:
    """Make a node with these fields and empty caches; for constructors of claims."""
    node = object.__new__(cls)
    set_field(node, "depth", depth)
    set_field(node, "size", size)
    for name, value in fields.items():
        set_field(node, name, value)
    return node


def _comparison(op: Op, left: Any, right: Any) -> Claim:
    """Find or make the comparison of sides in normal form, the left no constant."""
    kind = type(right)
    is_value = kind in _VALUE_KINDS
    key = (Compare, op, id(left), kind, right if is_value else id(right))
    known: Claim | None = find(key)
    return _made(key, op, left, right) if known is None else known


def _made(key: tuple[object, ...], op: Op, left: Any, right: Any) -> Claim:
    """Make and intern the comparison; its caches start empty."""
    is_value = type(right) in _VALUE_KINDS
    if op != "=" or type(left) is not Term:
        _check_sides(op, left, right)
    node = object.__new__(Compare)
    size, depth = 1 + left.size, left.depth
    slot = None
    if not is_value:
        size, depth = size + right.size, max(depth, right.depth)
    else:
        size += 1
        if op == "=" and type(left) is Term and left.is_ground:
            slot = (left.key, right)
    set_field(node, "op", op)
    set_field(node, "left", left)
    set_field(node, "right", right)
    set_field(node, "slot", slot)
    set_field(node, "depth", depth)
    set_field(node, "size", within("nodes", size, MAX_NODES))
    if size > _SMALL or (type(right) is str and len(right) > _SHORT):
        within("characters", node.length, MAX_TEXT)
    return intern(key, node)


def _check_sides(op: str, left: object, right: object) -> None:
    ordered = op not in {"=", "!="}
    if ordered and type(right) in _UNORDERED:
        raise ClaimTypeError(
            right,
            f"{_UNORDERED[type(right)]} have no order, so {op} says nothing: use = or != or "
            f"`in {{...}}`, or a number",
        )
    if isinstance(left, Linear) and type(right) in _VALUE_KINDS:
        is_number = type(right) in {int, Decimal, Quantity}
        if not is_number:
            raise ClaimTypeError(right, "a sum is compared with a number, a quantity or a term")


def _check_text(node: Claim, values: tuple[object, ...]) -> None:
    """Hold the text of an atom under the cap; a few short parts cannot reach it."""
    if node.size > _SMALL or any(type(value) is str and len(value) > _SHORT for value in values):
        within("characters", node.length, MAX_TEXT)


def _value(operand: object) -> Value:
    if isinstance(operand, Claim):
        raise ClaimTypeError(
            str(operand), "a claim is no value; join claims with & | ~ >> ^ and .iff()"
        )
    return normal(operand)


def _entity(arg: object) -> Value:
    if isinstance(arg, Comparable):
        raise ClaimTypeError(
            str(arg),
            "a relation holds between values; bind the attribute's value by a rule: "
            "forall x. f(a) = x -> r(b, x)",
        )
    return _value(arg)


def _has_quantity(side: object) -> bool:
    return isinstance(side, Linear) and isinstance(side.constant, Quantity)


def _quantity_apart(left: Any, right: Any) -> tuple[Any, Any]:
    """The sides with all terms on the left and the quantity alone on the right."""
    difference = total([(1, left), (-1, right)])
    if isinstance(difference, Quantity):
        return Quantity(0, difference.unit), Quantity(
            multiplied(-1, difference.amount), difference.unit
        )
    constant = difference.constant if isinstance(difference, Linear) else 0
    if not isinstance(constant, Quantity):
        return difference, 0
    opposite = Quantity(multiplied(-1, constant.amount), constant.unit)
    return total([(1, difference), (1, opposite)]), opposite


def _holds(op: str, left: Value, right: Value) -> bool:
    """Whether the comparison of two constants holds; values of two types are never the same."""
    same = type(left) is type(right)
    if same and isinstance(left, Quantity) and isinstance(right, Quantity):
        from agm.units import in_unit

        left, right = in_unit("constant", left, right.unit).amount, right.amount
    if op in {"=", "!="}:
        return (same and left == right) is (op == "=")
    numbers = type(left) in {int, Decimal} and type(right) in {int, Decimal}
    if not (numbers or same) or type(left) in _UNORDERED:
        raise ClaimTypeError(left, f"it has no order with {literal(right)[:40]}; use = or !=")
    if op in {"<", ">"}:
        return left < right if op == "<" else left > right  # type: ignore[operator]
    return left <= right if op == "<=" else left >= right  # type: ignore[operator]


def _sortable(value: Value) -> Any:
    return (value.unit, value.amount) if isinstance(value, Quantity) else value


def _term_keys(side: object) -> frozenset[Key]:
    """The ground slots of one side, those of inner terms too."""
    if isinstance(side, Term):
        inner = (_term_keys(arg) for arg in side.args if isinstance(arg, Term))
        own = frozenset((side.key,)) if side.is_ground else _NO_KEYS
        return own.union(*inner)
    if isinstance(side, Linear):
        return _NO_KEYS.union(*(_term_keys(term) for _, term in side.terms))
    return _NO_KEYS


def _side_symbols(side: object) -> frozenset[str]:
    return side.symbols if isinstance(side, Term | Linear) else NOTHING


def _side_free(side: object) -> frozenset[Variable]:
    return side.free if isinstance(side, Term | Variable | Linear) else _NO_VARIABLES


def _side(side: Any, bound: frozenset[str]) -> str:
    return side.render(bound) if isinstance(side, Comparable) else literal(side)  # type: ignore[attr-defined]


def _rendered(arg: Any, bound: frozenset[str]) -> str:
    if isinstance(arg, Variable):
        return arg.render(bound)
    return rendered_name(arg, bound) if isinstance(arg, str) else literal(arg)


def _parsed(text: str) -> Claim:
    from agm.syntax import parse

    return parse(text)


# Operators on claims make connectives, which build on this module; either may be imported first.
from agm import connectives as _connectives  # noqa: E402

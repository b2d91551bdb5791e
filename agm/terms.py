"""Terms: what a claim compares. A slot `ttl(cache)`, a variable of a rule, a linear sum of them.

Comparison operators live on terms only and make claims, so a term is no key of a dict and no
element to look for in a list: records carry `term.key`. `of` types a term for the type checker
(`attr("cache", "ttl", of=int) == "300"` is an error there) and does nothing at run time.
"""

# ruff: noqa: ANN401  (Python's operators take any object)
from __future__ import annotations

from decimal import Context, Decimal

from agm.errors import ClaimTooLarge, ClaimTypeError, InvalidName, NotGround
from agm.interning import Interned, find, intern, set_field
from agm.values import Key, Quantity, bare, checked_name, is_bare, literal, normal, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, TypeAlias, TypeVar

    from agm.atoms import Claim
    from agm.values import Value

    V = TypeVar("V")

    class _Typed(Generic[V]):
        pass
else:

    class _Typed:
        __slots__ = ()

        def __class_getitem__(cls, _kind: object) -> type:
            return cls


MAX_DEPTH = 64
"""The most levels of a claim, connectives and nested terms together."""
MAX_NODES = 10_000
"""The most nodes of a claim."""

NOTHING: frozenset[str] = frozenset()
_NO_VARIABLES: frozenset[Variable] = frozenset()
_EXACT = Context(prec=20_000)

Expr: TypeAlias = "Term[Any] | Variable | Linear | Value"
Atomic: TypeAlias = "Term[Any] | Variable"
Argument: TypeAlias = "str | Variable | Term[Any]"
if TYPE_CHECKING:
    Side: TypeAlias = "Term[V] | Variable | Linear | V"


class Comparable(Interned):
    """What has comparison operators: each makes a claim."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Claim:  # type: ignore[override]
        """Claim that both sides are the same."""
        return _atoms.Compare("=", self, other)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> Claim:  # type: ignore[override]
        """Claim that the sides differ."""
        return _atoms.Compare("!=", self, other)  # type: ignore[arg-type]

    def __lt__(self, other: object) -> Claim:
        """Claim that the left side is less."""
        return _atoms.Compare("<", self, other)  # type: ignore[arg-type]

    def __le__(self, other: object) -> Claim:
        """Claim that the left side is less or the same."""
        return _atoms.Compare("<=", self, other)  # type: ignore[arg-type]

    def __gt__(self, other: object) -> Claim:
        """Claim that the left side is greater."""
        return _atoms.Compare(">", self, other)  # type: ignore[arg-type]

    def __ge__(self, other: object) -> Claim:
        """Claim that the left side is greater or the same."""
        return _atoms.Compare(">=", self, other)  # type: ignore[arg-type]

    # Typed as the sum it nearly always is; one that cancels out is a term or a number.
    def __add__(self, other: object) -> Linear:
        """Sum up exactly."""
        return total([(1, self), (1, other)])  # type: ignore[return-value]

    __radd__ = __add__

    def __sub__(self, other: object) -> Linear:
        """Subtract exactly."""
        return total([(1, self), (-1, other)])  # type: ignore[return-value]

    def __rsub__(self, other: object) -> Linear:
        """Subtract exactly."""
        return total([(-1, self), (1, other)])  # type: ignore[return-value]

    def __mul__(self, factor: object) -> Linear:
        """Multiply by a constant, exactly."""
        return total([(number(factor), self)])  # type: ignore[return-value]

    __rmul__ = __mul__

    def __neg__(self) -> Linear:
        """Turn the sign."""
        return total([(-1, self)])  # type: ignore[return-value]


class Variable(Comparable):
    """A variable of a rule; it means something only inside the `forall` that binds it."""

    __slots__ = ("name",)
    name: str
    depth = 1
    size = 1
    symbols = NOTHING

    def __new__(cls, name: str) -> Variable:
        """Find or make the variable of this name."""
        key = (cls, name)
        known: Variable | None = find(key)
        if known is not None:
            return known
        node = object.__new__(cls)
        if not is_bare(checked_name(name)):
            raise InvalidName(name, "variables are plain words that are not reserved, such as x")
        set_field(node, "name", checked_name(name))
        return intern((cls, node.name), node)

    @property
    def free(self) -> frozenset[Variable]:
        """The variable itself."""
        return frozenset((self,))

    def isin(self, *values: Value) -> Claim:
        """Claim that the variable has one of these values."""
        return _atoms.Member(self, values)

    def render(self, bound: frozenset[str]) -> str:  # noqa: ARG002
        """The text inside these bindings."""
        return bare(self.name)

    def __str__(self) -> str:
        """The variable's name."""
        return bare(self.name)

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return f"Variable({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by name."""
        return Variable, (self.name,)


class Term(Comparable, _Typed["V"]):
    """The attribute of an entity, `ttl(cache)`; a second argument is a scope, `ttl(cache, eu)`.

    Arguments are entity names, variables inside a rule, or terms (which only `ask` resolves).
    """

    __slots__ = ("_key", "_text", "args", "depth", "is_ground", "predicate", "size")
    __hash__ = Comparable.__hash__
    predicate: str
    args: tuple[Argument, ...]
    depth: int
    size: int
    is_ground: bool
    _key: Key | None
    _text: str | None

    def __new__(cls, predicate: str, args: tuple[Argument, ...]) -> Term[Any]:
        """Find or make the term of this predicate and these arguments."""
        try:
            known: Term[Any] | None = find((cls, predicate, *args))
        except TypeError:
            known = None  # an unhashable argument, which the checks below name
        if known is not None:
            return known
        predicate, args = checked_name(predicate), tuple(map(_argument, args))
        if not args:
            raise ClaimTypeError(predicate, "an attribute needs an entity: write it name(entity)")
        node = object.__new__(cls)
        depth, size, ground = 1, 1 + len(args), True
        for arg in args:
            if not isinstance(arg, str):
                ground, size = False, size + arg.size - 1
                depth = max(depth, 1 + arg.depth) if isinstance(arg, Term) else depth
        set_field(node, "predicate", predicate)
        set_field(node, "args", args)
        set_field(node, "depth", within("levels", depth, MAX_DEPTH))
        set_field(node, "size", within("nodes", size, MAX_NODES))
        set_field(node, "is_ground", ground)
        set_field(node, "_key", Key(predicate, args) if ground else None)  # type: ignore[arg-type]
        set_field(node, "_text", None)
        return intern((cls, predicate, *args), node)

    @property
    def key(self) -> Key:
        """The slot for records and indexes; `NotGround` when arguments are not all entities."""
        key = self._key
        if key is None:
            raise NotGround(str(self), "it has variables or inner terms and names no one slot")
        return key

    @property
    def free(self) -> frozenset[Variable]:
        """The variables that occur."""
        return _NO_VARIABLES.union(*(arg.free for arg in self.args if not isinstance(arg, str)))

    @property
    def symbols(self) -> frozenset[str]:
        """The predicates that occur."""
        inner = (arg.symbols for arg in self.args if not isinstance(arg, str))
        return frozenset((self.predicate,)).union(*inner)

    if TYPE_CHECKING:  # the operators of Comparable, narrowed to the type of the values

        def __eq__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]
        def __ne__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]
        def __lt__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]
        def __le__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]
        def __gt__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]
        def __ge__(self, other: Side[V]) -> Claim: ...  # type: ignore[override]

    def isin(self, *values: V) -> Claim:
        """Claim that the attribute has one of these values."""
        return _atoms.Member(self, values)  # type: ignore[arg-type]

    def render(self, bound: frozenset[str]) -> str:
        """The text inside these bindings, where an entity of a bound name is quoted."""
        if not bound and self._text is not None:
            return self._text
        shown = ", ".join(
            rendered_name(arg, bound) if isinstance(arg, str) else arg.render(bound)
            for arg in self.args
        )
        return f"{bare(self.predicate)}({shown})"

    def __str__(self) -> str:
        """The term as claims write it."""
        text = self._text
        if text is None:
            text = self.render(NOTHING)
            set_field(self, "_text", text)
        return text

    def __repr__(self) -> str:
        """Show the term's text."""
        return f"<Term {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by predicate and arguments."""
        return Term, (self.predicate, self.args)


class Linear(Comparable):
    """A sum of coefficient times term, and a constant: `2 * f(a) + g(b) - 3`.

    The parts stand in the order of their texts. A quantity as constant is moved to the other
    side of the comparison, so inside a claim constants are numbers. Made by arithmetic on terms.
    """

    __slots__ = ("_text", "constant", "depth", "size", "terms")
    terms: tuple[tuple[int | Decimal, Atomic], ...]
    constant: int | Decimal | Quantity
    depth: int
    size: int
    _text: str | None

    def __new__(
        cls,
        terms: tuple[tuple[int | Decimal, Atomic], ...],
        constant: int | Decimal | Quantity = 0,
    ) -> Linear:
        """Find or make the sum of parts that are merged and sorted already; see `total`."""
        parts = tuple((type(factor), factor, id(term)) for factor, term in terms)
        key = (cls, parts, type(constant), constant)
        known: Linear | None = find(key)
        if known is not None:
            return known
        node = object.__new__(cls)
        set_field(node, "terms", terms)
        set_field(node, "constant", constant)
        set_field(node, "depth", 1 + max(term.depth for _, term in terms))
        size = 1 + sum(1 + term.size for _, term in terms)
        set_field(node, "size", within("nodes", size, MAX_NODES))
        set_field(node, "_text", None)
        return intern(key, node)

    @property
    def free(self) -> frozenset[Variable]:
        """The variables that occur."""
        return _NO_VARIABLES.union(*(term.free for _, term in self.terms))

    @property
    def symbols(self) -> frozenset[str]:
        """The predicates that occur."""
        return NOTHING.union(*(term.symbols for _, term in self.terms))

    def render(self, bound: frozenset[str]) -> str:
        """The text inside these bindings."""
        pieces: list[str] = []
        for factor, term in self.terms:
            body = term.render(bound)
            size = _size(factor)
            _append(pieces, body if size == 1 else f"{literal(size)} * {body}", negative=factor < 0)
        constant = self.constant
        if isinstance(constant, Quantity):
            amount = _size(constant.amount)
            part = literal(Quantity(amount, constant.unit))
            _append(pieces, part, negative=constant.amount < 0)
        elif constant:
            _append(pieces, literal(_size(constant)), negative=constant < 0)
        return "".join(pieces)

    def __str__(self) -> str:
        """The sum as claims write it."""
        text = self._text
        if text is None:
            text = self.render(NOTHING)
            set_field(self, "_text", text)
        return text

    def __repr__(self) -> str:
        """Show the sum's text."""
        return f"<Linear {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by parts."""
        return Linear, (self.terms, self.constant)


def total(parts: list[tuple[int | Decimal, object]]) -> Expr:
    """The exact sum of factor times part, in normal form: a value or a single term if it is one.

    Raises `ClaimTypeError` on parts that are not terms, numbers or quantities of one unit.
    """
    sums: dict[int, tuple[int | Decimal, Atomic]] = {}
    constant: int | Decimal | Quantity = 0
    for factor, part in parts:
        if isinstance(part, Term | Variable):
            _gather(sums, factor, part)
        elif isinstance(part, Linear):
            for inner, term in part.terms:
                _gather(sums, multiplied(factor, inner), term)
            constant = added(constant, _scaled(factor, part.constant))
        else:
            constant = added(constant, _scaled(factor, number(part, quantities=True)))
    kept = [(whole(factor), term) for factor, term in sums.values() if factor]
    if not kept:
        return constant
    if not isinstance(constant, Quantity):
        constant = whole(constant)
    elif not constant.amount:
        constant = 0
    if len(kept) == 1 and kept[0][0] == 1 and constant == 0:
        return kept[0][1]
    kept.sort(key=lambda part: (str(part[1]), type(part[1]) is Term))
    return Linear(tuple(kept), constant)


def number(value: object, *, quantities: bool = False) -> Any:
    """The number in normal form; `ClaimTypeError` on anything that arithmetic cannot take."""
    allowed = (int, Decimal, Quantity) if quantities else (int, Decimal)
    if isinstance(value, Comparable):
        raise ClaimTypeError(str(value), "claims are linear: multiply terms by constants only")
    result = normal(value)
    if isinstance(result, bool) or not isinstance(result, allowed):
        raise ClaimTypeError(value, "arithmetic takes terms, int, Decimal and quantities only")
    return result


def added(left: Any, right: Any) -> Any:
    """The exact sum of two numbers or of two quantities of one unit; 0 goes with everything."""
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        if left.unit != right.unit:
            raise ClaimTypeError(right, f"write both quantities in one unit, here {left.unit!r}")
        return Quantity(added(left.amount, right.amount), left.unit)
    if isinstance(left, Quantity) or isinstance(right, Quantity):
        if left == 0 or right == 0:
            return left if isinstance(left, Quantity) else right
        raise ClaimTypeError(right, "a number and a quantity do not add up; give both a unit")
    if type(left) is int and type(right) is int:
        return normal(left + right)
    return normal(_EXACT.add(Decimal(left), Decimal(right)))


def multiplied(left: int | Decimal, right: int | Decimal) -> Any:
    """The exact product of two numbers."""
    if type(left) is int and type(right) is int:
        return normal(left * right)
    return normal(_EXACT.multiply(Decimal(left), Decimal(right)))


def whole(value: int | Decimal) -> int | Decimal:
    """The number as an int where it is whole."""
    return int(value) if value == int(value) else value


def terms_of(side: object) -> list[Term[Any]]:
    """The terms of one side of a comparison, in order; variables are none."""
    if isinstance(side, Term):
        return [side]
    if isinstance(side, Linear):
        return [term for _, term in side.terms if isinstance(term, Term)]
    return []


def within(what: str, found: int, cap: int) -> int:
    """The size found, or `ClaimTooLarge` when it is beyond the cap."""
    if found > cap:
        raise ClaimTooLarge(what, found, cap)
    return found


def rendered_name(name: str, bound: frozenset[str]) -> str:
    """The entity's name inside these bindings: quoted when a variable has the same name."""
    return quoted(name) if name in bound else bare(name)


def _argument(arg: object) -> Argument:
    if type(arg) is str or isinstance(arg, str):
        return checked_name(arg)
    if isinstance(arg, Term | Variable):
        return arg
    raise ClaimTypeError(arg, f"entities are named by strings; write {str(arg)[:40]!r}")


def _gather(
    sums: dict[int, tuple[int | Decimal, Atomic]], factor: int | Decimal, term: Atomic
) -> None:
    known = sums.get(id(term))
    sums[id(term)] = (factor if known is None else added(known[0], factor), term)


def _scaled(factor: int | Decimal, constant: Any) -> Any:
    if factor == 1:
        return constant
    if isinstance(constant, Quantity):
        return Quantity(multiplied(factor, constant.amount), constant.unit)
    return multiplied(factor, constant)


def _size(number: int | Decimal) -> int | Decimal:
    # abs() of a Decimal would round to the precision of the caller's context.
    return number.copy_abs() if isinstance(number, Decimal) else abs(number)


def _append(pieces: list[str], text: str, *, negative: bool) -> None:
    if not pieces:
        pieces.append(f"-{text}" if negative else text)
    else:
        pieces.append(f" - {text}" if negative else f" + {text}")


# Claims are made of terms and terms compare into claims; either module may be imported first.
from agm import atoms as _atoms  # noqa: E402

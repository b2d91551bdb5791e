"""Claims from text through the grammar: lark's LALR parser, then names told apart.

The parser works bottom-up and cannot know whether a name is bound by a rule further out; it
leaves light tuples `(kind, depth, position, ...)`, whose depth is held under the cap as they are
made. The second pass goes down with the bound names and builds the claim.
"""

# ruff: noqa: ANN401  (a raw side is any expression)
from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from agm.claims import (
    MAX_DEPTH,
    And,
    Atom,
    Compare,
    ForAll,
    Iff,
    Implies,
    Member,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
)
from agm.errors import ClaimSyntaxError, ClaimTooLarge
from agm.terms import number, total
from agm.values import Quantity, normal

if TYPE_CHECKING:
    from agm.claims import Claim
    from agm.values import Value

Raw = tuple[Any, ...]
Bound = dict[str, Variable]

_OPS = {"==": "=", "≠": "!=", "≤": "<=", "≥": ">="}
_JOINS: dict[str, Any] = {"and": And, "or": Or, "xor": Xor}
_WORDS = {
    "NAME": "a name",
    "STRING": 'a quoted name or "text"',
    "NUMBER": "a number (its unit behind a space: 300 s)",
    "DATE": "a date",
    "DATETIME": "a time",
    "TRUE": "true",
    "FALSE": "false",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "COMMA": ",",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "OP": "= != < <= > >=",
    "_IFF": "<->",
    "_IMPLIES": "->",
    "_OR": "|",
    "_XOR": "xor",
    "_AND": "&",
    "_NOT": "!",
    "_FORALL": "forall",
    "_IN": "in",
    "$END": "the end",
}
_UNSAID = frozenset({"_FOLLOWS", "_EVERY", "DATE", "DATETIME", "STAR", "PLUS", "MINUS"})


def read_claim(text: str) -> Claim:
    """The claim that the text states; raises as `agm.syntax.parse`."""
    return _Builder(text).whole(_raw(text))


def read_term(text: str) -> Term[Any]:
    """The term that the text names; raises as `agm.syntax.parse_term`."""
    raw = _raw(text)
    if raw[0] != "call":
        raise ClaimSyntaxError(text, raw[2], "a term such as ttl(cache)")
    return _Builder(text).term(raw, {})


def _raw(text: str) -> Raw:
    try:
        return _parser().parse(text)  # type: ignore[return-value]
    except UnexpectedInput as fault:
        position = _position(fault, len(text))
        raise ClaimSyntaxError(text, position, _expected(fault)) from None


@cache
def _parser() -> Lark:
    return Lark.open(
        "claims.lark",
        rel_to=__file__,
        parser="lalr",
        transformer=_Raw(),
        maybe_placeholders=False,
    )


def _position(fault: UnexpectedInput, end: int) -> int:
    token = getattr(fault, "token", None)
    if token is not None and token.type == "$END":
        return end
    place: Any = fault.pos_in_stream  # lark types it by its default, None
    return end if place is None or place < 0 else place


def _expected(fault: UnexpectedInput) -> str:
    names = getattr(fault, "accepts", None) or getattr(fault, "expected", None)
    names = names or getattr(fault, "allowed", None) or ()
    said = sorted({_WORDS.get(name, name) for name in names if name not in _UNSAID})
    return "one of: " + "  ".join(said) if said else "a claim"


@v_args(inline=True)
class _Raw(Transformer[Token, Raw]):
    """Tuples for the second pass, made bottom-up while the parser runs."""

    def start(self, claim: Raw) -> Raw:
        return claim

    def iff(self, first: Raw, *others: Raw) -> Raw:
        for other in others:
            first = _node("iff", first, other)
        return first

    def if_then(self, left: Raw, right: Raw) -> Raw:
        return _node("implies", left, right)

    def follows(self, left: Raw, right: Raw) -> Raw:
        return _node("implies", right, left)

    def or_(self, *parts: Raw) -> Raw:
        return _flat("or", parts)

    def xor_(self, *parts: Raw) -> Raw:
        return _flat("xor", parts)

    def and_(self, *parts: Raw) -> Raw:
        return _flat("and", parts)

    def not_(self, body: Raw) -> Raw:
        return _node("not", body)

    def names(self, *names: Token) -> tuple[Token, ...]:
        return names

    def forall(self, names: tuple[Token, ...], body: Raw) -> Raw:
        return (*_node("forall", body), names)

    def every(self, names: tuple[Token, ...], body: Raw) -> Raw:
        return (*_node("every", body), names)

    def compare(self, left: Raw, op: Token, right: Raw) -> Raw:
        return ("compare", max(left[1], right[1]), left[2], left, right, _OPS.get(op, str(op)))

    def member(self, term: Raw, *values: Raw) -> Raw:
        return ("member", term[1], term[2], term, values)

    def plus(self, left: Raw, right: Raw) -> Raw:
        return _sum(left, right, 1)

    def minus(self, left: Raw, right: Raw) -> Raw:
        return _sum(left, right, -1)

    def times(self, left: Raw, right: Raw) -> Raw:
        return ("times", _deeper(left, right), left[2], left, right)

    def negative(self, body: Raw) -> Raw:
        if body[0] == "literal" and type(body[3]) in {int, Decimal, Quantity}:
            return ("literal", 0, body[2], _opposite(body[3]))
        return ("negative", _deeper(body), body[2], body)

    def call(self, name: Token, *args: Raw) -> Raw:
        return ("call", _deeper(*args), name.start_pos, name, args)

    def name(self, token: Token) -> Raw:
        return ("name", 0, token.start_pos, str(token))

    def string(self, token: Token) -> Raw:
        return ("string", 0, token.start_pos, token)

    def true(self, token: Token) -> Raw:
        return ("literal", 0, token.start_pos, True)

    def false(self, token: Token) -> Raw:
        return ("literal", 0, token.start_pos, False)

    def number(self, token: Token) -> Raw:
        return ("literal", 0, token.start_pos, _number(token))

    def quantity(self, token: Token, unit: Token) -> Raw:
        amount: Any = _number(token)
        return ("literal", 0, token.start_pos, Quantity(amount, _name(unit)))

    def date(self, token: Token) -> Raw:
        return ("instant", 0, token.start_pos, token, date)

    def datetime(self, token: Token) -> Raw:
        return ("instant", 0, token.start_pos, token, datetime)


def _node(kind: str, *children: Raw) -> Raw:
    return (kind, _deeper(*children), children[0][2], *children)


def _deeper(*children: Raw) -> int:
    depth = 1 + max(int(child[1]) for child in children)
    if depth > MAX_DEPTH:
        raise ClaimTooLarge("levels", depth, MAX_DEPTH)
    return depth


def _flat(kind: str, parts: tuple[Raw, ...]) -> Raw:
    flat: list[Raw] = []
    for part in parts:
        flat.extend(part[3] if part[0] == kind else (part,))
    return (kind, _deeper(*flat), parts[0][2], flat)


def _sum(left: Raw, right: Raw, sign: int) -> Raw:
    """A flat sum of (sign, part): a long one has no more levels than a short one."""
    parts = [*left[3]] if left[0] == "sum" else [(1, left)]
    parts.append((sign, right))
    return ("sum", max(left[1], right[1], 1), left[2], parts)


def _number(token: str) -> Value:
    if "." in token:
        return normal(Decimal(token))
    # Python refuses to read more digits than this by itself, with another error.
    if len(token) > 4_300:
        raise ClaimTooLarge("digits", len(token), 4_300)
    return normal(int(token))


def _opposite(value: Value) -> Value:
    opposite: Value = total([(-1, value)])  # type: ignore[assignment]
    return opposite


def _name(token: Token) -> str:
    return str(token) if token.type == "NAME" else _decoded(token)


def _decoded(token: str) -> str:
    # The grammar has let through JSON escapes only; raw line breaks are left to the value's check.
    text: str = json.loads(token, strict=False)
    return text


class _Builder:
    """Builds claims from raw tuples of one text; `bound` are the variables in reach.

    `∀x` without a dot reaches over the next formula only. A bare `x` further on would silently be
    an entity, so it is refused: `narrow` collects such variables, `entities` the bare names.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._narrow: set[str] = set()
        self._entities: dict[str, Raw] = {}

    def whole(self, raw: Raw) -> Claim:
        """The claim of the whole text."""
        claim = self.claim(raw, {})
        stray = sorted(self._narrow & self._entities.keys())
        if stray:
            raise self._fault(
                self._entities[stray[0]],
                f"{stray[0]!r} within reach of its ∀; put the body of the rule in parentheses",
            )
        return claim

    def claim(self, raw: Raw, bound: Bound) -> Claim:
        kind = raw[0]
        if kind in _JOINS:
            joined: Claim = _JOINS[kind](self.claim(part, bound) for part in raw[3])
            return joined
        if kind == "not":
            return Not(self.claim(raw[3], bound))
        if kind in {"implies", "iff"}:
            left, right = self.claim(raw[3], bound), self.claim(raw[4], bound)
            return Implies(left, right) if kind == "implies" else Iff(left, right)
        if kind in {"forall", "every"}:
            if kind == "every":
                self._narrow.update(map(str, raw[4]))
            variables = tuple(Variable(str(name)) for name in raw[4])
            inner = bound | {variable.name: variable for variable in variables}
            return ForAll(variables, self.claim(raw[3], inner))
        return self._atom(raw, bound)

    def _atom(self, raw: Raw, bound: Bound) -> Claim:
        kind = raw[0]
        if kind == "compare":
            return Compare(raw[5], self.side(raw[3], bound), self.side(raw[4], bound))
        if kind == "member":
            return self._member(raw, bound)
        if kind == "call":
            return Atom(_name(raw[3]), tuple(self._value(arg, bound) for arg in raw[4]))
        if kind in {"name", "string"}:
            return Atom(raw[3] if kind == "name" else _decoded(raw[3]), ())
        if kind == "literal" and isinstance(raw[3], bool):
            return Truth(raw[3])
        raise self._fault(raw, "a claim: compare the value with something")

    def _member(self, raw: Raw, bound: Bound) -> Claim:
        term = self.side(raw[3], bound)
        if not isinstance(term, Term | Variable):
            raise self._fault(raw[3], "a term or a variable before `in`")
        values = [self.side(value, {}) for value in raw[4]]
        for value, place in zip(values, raw[4], strict=True):
            if isinstance(value, Term):
                raise self._fault(place, "a constant")
        return Member(term, values)

    def side(self, raw: Raw, bound: Bound) -> Any:
        """One side of a comparison: a value, a bound variable, a term or a sum."""
        kind = raw[0]
        if kind == "literal":
            return raw[3]
        if kind == "string":
            return _decoded(raw[3])
        if kind == "instant":
            return self._instant(raw)
        if kind == "call":
            return self.term(raw, bound)
        if kind == "name":
            if raw[3] in bound:
                return bound[raw[3]]
            raise self._fault(raw, f'a value or a term; text is quoted: "{raw[3][:40]}"')
        if kind == "sum":
            return total([(sign, self.side(part, bound)) for sign, part in raw[3]])
        if kind == "negative":
            return total([(-1, self.side(raw[3], bound))])
        if kind == "times":
            return _product(self.side(raw[3], bound), self.side(raw[4], bound))
        raise self._fault(raw, "a value or a term, for only these are compared")

    def term(self, raw: Raw, bound: Bound) -> Term[Any]:
        """The term of a call, its arguments entities, bound variables and terms."""
        return Term(_name(raw[3]), tuple(self._entity(arg, bound) for arg in raw[4]))

    def _entity(self, raw: Raw, bound: Bound) -> Any:
        kind = raw[0]
        if kind == "name":
            return self._named(raw, bound)
        if kind == "string":
            return _decoded(raw[3])
        if kind == "call":
            return self.term(raw, bound)
        raise self._fault(raw, "an entity; a name that is no plain word is quoted")

    def _value(self, raw: Raw, bound: Bound) -> Any:
        kind = raw[0]
        if kind == "name":
            return self._named(raw, bound)
        if kind in {"literal", "string", "instant"}:
            return self.side(raw, bound)
        raise self._fault(raw, "an entity, a value or a bound variable")

    def _named(self, raw: Raw, bound: Bound) -> Variable | str:
        name: str = raw[3]
        if name in bound:
            return bound[name]
        self._entities.setdefault(name, raw)
        return name

    def _instant(self, raw: Raw) -> date:
        kind: type[date] = raw[4]
        try:
            moment = kind.fromisoformat(raw[3])
        except ValueError as fault:
            raise self._fault(raw, "a date of the calendar and a time of the clock") from fault
        return normal(moment)  # type: ignore[return-value]

    def _fault(self, raw: Raw, expected: str) -> ClaimSyntaxError:
        return ClaimSyntaxError(self._text, raw[2], expected)


def _product(left: Any, right: Any) -> Any:
    """The product of two sides, of which one is a constant."""
    if isinstance(left, Term | Variable) or not isinstance(right, int | Decimal):
        left, right = right, left
    return total([(number(right), left)])

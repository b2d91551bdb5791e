"""What tests of your own are made with: postulates for operators, strategies for claims and bases.

`check_postulates(operator)` reports which postulates an operator keeps, `postulate_cases(operator)`
gives them as test cases; see `agm.postulates`. The rest are Hypothesis strategies, small building
blocks first: `claims()` draws whole sentences of all kinds, `texts()` strings that are nearly
claims, `ranked_bases()` and `questions()` propositional bases and what to ask about them. Every
draw is built valid; nothing is filtered away. Needs the extra `testing`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

from agm.claims import (
    And,
    Atom,
    Compare,
    ForAll,
    Iff,
    Implies,
    Member,
    Not,
    Or,
    Quantity,
    Term,
    Truth,
    Variable,
    Xor,
)
from agm.errors import MissingExtra
from agm.terms import total
from agm.values import RESERVED

try:
    from hypothesis import strategies as st
except ImportError as fault:  # pragma: no cover - the test suite has it
    raise MissingExtra("testing", needed_for="agm.testing") from fault

from agm.postulates import (
    Counterexample,
    Finding,
    Postulate,
    PostulateCase,
    Report,
    check_postulates,
    postulate_cases,
)
from agm.postulates.strategies import (
    horn_rules,
    inputs,
    literals,
    propositional_claims,
    questions,
    ranked_bases,
    ranked_beliefs,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hypothesis.strategies import SearchStrategy

    from agm.claims import Claim, Value

__all__ = [
    "Counterexample",
    "Finding",
    "Postulate",
    "PostulateCase",
    "Report",
    "atoms",
    "check_postulates",
    "claims",
    "closed",
    "decimals",
    "formulas",
    "horn_rules",
    "inputs",
    "json_values",
    "literals",
    "names",
    "plain_claims",
    "postulate_cases",
    "propositional_claims",
    "quantities",
    "questions",
    "ranked_bases",
    "ranked_beliefs",
    "slot_claims",
    "strings",
    "sums",
    "terms",
    "texts",
    "values",
    "variables",
]

_PLAIN = ("a", "b", "cache", "checkout", "x", "y", "t", "_1", "Şener", "кеш", "缓存", "p_1")
_ODD = (
    *sorted(RESERVED),
    "Our Mutual Friend",
    "O'Brien",
    'say "no"',
    "back\\slash",
    "PRISM_(TV_network)",
    "Washington, D.C.",
    "1st",
    "²x",
    "e\u0301",
    "checkout\u202egnigats",
    "-",
)
_WORDS = (
    *("(", ")", "{", "}", ",", ".", "=", "!=", "<", "<=", ">", ">=", "!", "&", "|", "->", "<->"),
    *("+", "-", "*", '"', "∀", "¬", "∧", "→", "⊕", "←", "forall", "in", "xor", "true", "1", "1.5"),
    *("300 s", "2024-01-31", '"a"', "ttl(cache)", "p(x)", "1e9"),
)


def names() -> SearchStrategy[str]:
    """Names of entities and predicates: plain words, reserved ones, and any other text."""
    letters = st.characters(exclude_categories=["Cc", "Cs"])
    return (
        st.sampled_from(_PLAIN) | st.sampled_from(_ODD) | st.text(letters, min_size=1, max_size=8)
    )


def variables() -> SearchStrategy[Variable]:
    """Variables, few of them, so that they meet entities of the same name."""
    return st.sampled_from(("x", "y", "t", "кто")).map(Variable)


def decimals() -> SearchStrategy[Decimal]:
    """Finite decimals of many sizes."""
    digits = st.integers(min_value=-(10**40), max_value=10**40)
    exponents = st.integers(min_value=-60, max_value=20)
    return st.builds(lambda number, power: Decimal(f"{number}E{power}"), digits, exponents)


def quantities() -> SearchStrategy[Quantity]:
    """Quantities in units that exist and in others."""
    units = st.sampled_from(("s", "min", "MB", "MiB", "req", "km/h", "USD", "in"))
    return st.builds(Quantity, st.integers(-(10**6), 10**6) | decimals(), units)


def strings() -> SearchStrategy[str]:
    """String values, line breaks and tabs among them."""
    letters = st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from('\t\n\r"\\')
    return st.sampled_from(_ODD) | st.text(letters, max_size=12)


def values() -> SearchStrategy[Value]:
    """Values of all eight kinds; `1`, `1.0`, `True` and `"1"` often."""
    close = st.sampled_from((1, Decimal(1), True, "1", 0, False, "", -1))
    first, last = datetime(1, 1, 2), datetime(9999, 12, 30)  # noqa: DTZ001  hypothesis adds the zone
    moments = st.datetimes(first, last, timezones=st.just(UTC))
    return st.one_of(
        close,
        st.integers(-(10**30), 10**30),
        decimals(),
        strings(),
        st.dates(date(1, 1, 1)),
        moments,
        quantities(),
    )


def terms(*, inner: bool = True) -> SearchStrategy[Term[Any]]:
    """Terms over entities, with scopes, variables and inner terms where `inner`."""
    entities = st.lists(names(), min_size=1, max_size=2).map(tuple)
    ground = st.builds(Term, names(), entities)
    if not inner:
        return ground
    argument = names() | variables() | ground
    nested = st.builds(Term, names(), st.lists(argument, min_size=1, max_size=3).map(tuple))
    return ground | nested


def sums() -> SearchStrategy[Any]:
    """Linear sums; they may fold into one term or a number."""
    factors = st.integers(-9, 9) | decimals()
    parts = st.tuples(factors, terms() | variables())
    constant = st.tuples(st.just(1), st.integers(-99, 99) | decimals())
    return st.builds(
        lambda listed, last: total([*listed, last]),
        st.lists(parts, min_size=1, max_size=3),
        constant,
    )


def slot_claims() -> SearchStrategy[Claim]:
    """Ground `f(..) = constant`, the claims most stores are full of."""
    return st.builds(Compare, st.just("="), terms(inner=False), values())


def plain_claims() -> SearchStrategy[Claim]:
    """Simple atoms over plain words, as nearly all of a real store's claims are."""
    words = st.sampled_from(_PLAIN)
    entities = st.lists(words, min_size=1, max_size=2).map(tuple)
    plain = st.integers(-999, 999) | st.booleans() | decimals() | words | st.dates()
    quantity = st.builds(Quantity, st.integers(0, 99), st.sampled_from(("s", "MB")))
    slots = st.builds(Compare, st.just("="), st.builds(Term, words, entities), plain | quantity)
    return slots | st.builds(Atom, words, entities | st.tuples(words, plain))


def atoms() -> SearchStrategy[Claim]:
    """Claims without connectives: truths, propositions, relations, comparisons, memberships."""
    sides = terms() | variables()
    ordered = st.integers() | decimals() | quantities() | st.dates() | terms()
    relations = st.builds(
        Atom, names(), st.lists(values() | variables(), min_size=1, max_size=3).map(tuple)
    )
    return st.one_of(
        st.booleans().map(Truth),
        names().map(Atom),
        relations,
        slot_claims(),
        st.builds(Compare, st.sampled_from(("=", "!=")), sides, values() | terms()),
        st.builds(Compare, st.sampled_from(("<", "<=", ">", ">=")), sides, ordered),
        st.builds(Compare, st.sampled_from(("=", "<", ">=")), sums(), st.integers() | terms()),
        st.builds(Member, sides, st.lists(values(), min_size=1, max_size=4)),
    )


def formulas() -> SearchStrategy[Claim]:
    """Claims of all kinds, in which variables may be free."""
    return st.recursive(atoms(), _joined, max_leaves=12)


def claims() -> SearchStrategy[Claim]:
    """Whole claims of all kinds: whatever was free is bound by a rule around it."""
    return formulas().map(closed)


def closed(claim: Claim) -> Claim:
    """The claim, under a rule over its free variables where it has some."""
    free = sorted(claim.free, key=str)
    return ForAll(free, claim) if free else claim


def texts() -> SearchStrategy[str]:
    """Strings that are nearly claims: texts of claims less a letter, and words in any order."""
    words = st.sampled_from((*_PLAIN, *_WORDS))
    pieces = st.lists(words | st.text(max_size=3), max_size=14)
    whole = (plain_claims() | claims()).map(str)
    clipped = st.builds(lambda text, at: text[:at] + text[at + 1 :], whole, st.integers(0, 40))
    return clipped | pieces.map(" ".join) | pieces.map("".join) | st.text(max_size=20)


def json_values() -> SearchStrategy[Any]:
    """Any JSON value, and objects that are nearly claims."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    any_value = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
        max_leaves=6,
    )
    parts = st.sampled_from(
        ("subject", "predicate", "value", "op", "scope", "unit", "formula", "x")
    )
    near = st.dictionaries(parts, any_value | names() | texts(), max_size=6)
    triple = {"subject": names(), "predicate": names(), "value": st.integers() | strings()}
    extras = {
        "op": st.sampled_from(("=", "!=", "<", "≤", "")),
        "scope": names() | st.none(),
        "unit": st.sampled_from(("s", "min", "", "parsec")),
    }
    triples = st.fixed_dictionaries(triple) | st.fixed_dictionaries(triple, optional=extras)
    return triples | near | any_value


def _joined(inner: SearchStrategy[Claim]) -> SearchStrategy[Claim]:
    parts = st.lists(inner, min_size=2, max_size=4)
    bound = st.lists(variables(), min_size=1, max_size=2, unique_by=str)
    return st.one_of(
        inner.map(Not),
        parts.map(And),
        parts.map(Or),
        parts.map(Xor),
        st.builds(Implies, inner, inner),
        st.builds(Iff, inner, inner),
        st.builds(ForAll, bound, inner),
    )

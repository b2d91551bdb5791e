"""Ground claims over slots of every type and over atoms, dense enough to clash."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

from hypothesis import strategies as st

from agm.claims import And, Compare, Iff, Implies, Member, Not, Or, Xor, attr, prop, relation
from agm.errors import AgmError
from agm.values import Quantity
from agm.vocabulary import Vocabulary

VOCABULARY = (
    Vocabulary()
    .declare("i", "int")
    .declare("d", "decimal")
    .declare("e", "enum", values=("x", "y"))
    .declare("b", "bool")
    .declare("s", "string")
    .declare("day", "date")
    .declare("t", "datetime")
    .declare("q", "quantity", unit="s")
)
DAYS = (date(1, 1, 1), date(2024, 2, 29), date(9999, 12, 31))
TIMES = (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, 0, 0, 0, 1, tzinfo=UTC))
VALUES = {
    "i": (0, 1, 2),
    "d": (Decimal("0.5"), Decimal(1), Decimal(2)),
    "e": ("x", "y"),
    "b": (True, False),
    "s": ("x", "z", 'quote " \\ (assert false)'),
    "day": DAYS,
    "t": TIMES,
    "q": (Quantity(1, "s"), Quantity(Decimal("1.5"), "s")),
    "u": (1, Decimal(1), True, "1", Quantity(1, "m"), date(2024, 1, 1), 2, TIMES[0]),
}
ORDERED = ("i", "d", "day", "t", "q", "u")


def _ordered(value):
    return not isinstance(value, bool | str)


def _literal(predicate):
    term = attr("a", predicate)
    values = st.sampled_from(VALUES[predicate])
    some = [
        values.map(lambda value: term == value),
        values.map(lambda value: term != value),
        st.lists(values, min_size=1, max_size=3).map(lambda chosen: Member(term, chosen)),
    ]
    if predicate in ORDERED:
        bounds = st.sampled_from([v for v in VALUES[predicate] if _ordered(v)])
        ops = st.sampled_from(["<", "<=", ">", ">="])
        some += [st.builds(lambda op, bound: Compare(op, term, bound), ops, bounds)] * 2
    return st.one_of(some)


@st.composite
def sums(draw):
    """A comparison between two slots, or of a sum of them with a constant."""
    one = attr("a", draw(st.sampled_from("idu")))
    two = attr("b", draw(st.sampled_from("idu")))
    factors = st.sampled_from([1, -1, 2, Decimal("0.5")])
    left = draw(factors) * one + draw(factors) * two if draw(st.booleans()) else one
    right = draw(st.sampled_from([0, 1, Decimal("1.5"), two]))
    return Compare(draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="])), left, right)


atoms = st.sampled_from(
    [prop("p"), prop("q"), *(relation("r", "a", value) for value in (1, "1", Decimal(1)))]
)
simple = st.one_of(st.sampled_from(sorted(VALUES)).flatmap(_literal), atoms)
literals = st.one_of(simple, simple, simple.map(Not))
parts = st.one_of(literals, literals, literals, sums())
joined = st.one_of(
    st.builds(lambda a, b: And([a, b]), parts, parts),
    st.builds(lambda a, b, c: Or([a, b, c]), parts, parts, parts),
    st.builds(Implies, parts, parts),
    st.builds(Iff, parts, parts),
    st.builds(lambda a, b: Xor([a, b]), parts, parts),
)
claims = st.one_of(literals, literals, parts, joined, joined.map(Not))

about_one_slot = st.sampled_from(sorted(VALUES)).flatmap(
    lambda predicate: st.lists(
        st.one_of(_literal(predicate), _literal(predicate).map(Not)), min_size=2, max_size=6
    )
)
batches = st.one_of(
    st.lists(claims, min_size=1, max_size=8),
    st.builds(lambda few, some: [*few, *some], about_one_slot, st.lists(claims, max_size=3)),
)
"""Claims that are to hold together, often about one slot, so that they clash."""


def admitted(drawn, vocabulary=VOCABULARY):
    """The claims the vocabulary takes, in its normal form, and the vocabulary after them."""
    taken = []
    for claim in drawn:
        try:
            claim, vocabulary = vocabulary.admit(claim)  # noqa: PLW2901
        except AgmError:
            continue  # a type clash: the vocabulary's own tests speak of it
        taken.append(claim)
    return taken, vocabulary

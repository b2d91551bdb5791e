"""Claims about how far slots are apart, family by family of types, dense enough to clash."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import settings
from hypothesis import strategies as st

from agm.claims import Compare, Not, attr
from agm.values import Quantity
from agm.vocabulary import Vocabulary

VOCABULARY = (
    Vocabulary()
    .declare("i", "int")
    .declare("d", "decimal")
    .declare("day", "date")
    .declare("q", "quantity", unit="s")
)
CONSTANTS = {
    "i": (0, 1, 2),
    "d": (Decimal("0.5"), Decimal(1), Decimal("1.5")),
    "day": (date(1, 1, 1), date(1, 1, 2), date(9999, 12, 31)),
    "q": (Quantity(1, "s"), Quantity(Decimal("1.5"), "s")),
    "u": (0, 1, 2, Decimal("1.5")),
}
FAMILIES = (("i",), ("d",), ("day",), ("q",), ("u",), ("d", "u"))
"""Predicates that may be compared with each other; `u` is not declared."""
MIXED = (("i", "d"), ("i", "u"), ("day", "u"), ("q", "u"), ("i", "d", "u"))
"""Predicates whose bounds do not tell everything when they are compared."""
NIGHTLY = settings().max_examples >= 2_000
ORDER = ("<", "<=", ">", ">=")


@st.composite
def distances(draw, predicates, names="abcd"):
    """A comparison of two slots, or of one with a constant; now and then denied."""
    predicate = draw(st.sampled_from(predicates))
    one = attr(draw(st.sampled_from(names)), predicate)
    other = attr(draw(st.sampled_from(names)), draw(st.sampled_from(predicates)))
    # Slots of unknown types that are the same, or have one value or another, are more than distances.
    apart = "u" in predicates and predicates in FAMILIES
    op = draw(st.sampled_from(ORDER if apart else ORDER * 3 + ("=",)))
    form = draw(st.integers(0, 9))
    if form < 2 or one is other:
        claim = Compare(op, one, draw(st.sampled_from(CONSTANTS[predicate])))
    elif form < 6 or "day" in predicates:
        claim = Compare(op, one, other)
    elif form < 9:
        gap = draw(st.sampled_from([-2, -1, 0, 1, Decimal("0.5"), 2]))
        claim = Compare(op, one - other, gap if "q" not in predicates else _seconds(gap))
    else:
        claim = Compare(op, 2 * one, 2 * other + (3 if "q" not in predicates else _seconds(3)))
    return Not(claim) if draw(st.integers(0, 4)) == 0 else claim


def _seconds(number):
    return Quantity(number, "s") if number else 0


@st.composite
def systems(draw, families=FAMILIES, *, least=4, most=9):
    """Claims about distances in one family."""
    predicates = draw(st.sampled_from(families))
    return draw(st.lists(distances(predicates), min_size=least, max_size=most))

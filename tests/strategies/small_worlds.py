"""Small signatures, all orders of their worlds, and how far exhaustive searches go.

Sets of worlds are integers: over p and q, 1 is the world where both are false, 2 where p alone is
true, 4 where q alone is, 8 where both are.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import settings

from agm.claims import prop
from agm.iterated import all_preorders
from agm.signature import Signature
from agm.theories import Theory

PAIR = Signature([prop("p"), prop("q")])
TRIPLE = Signature([prop("p"), prop("q"), prop("r")])
ORDERS = tuple(all_preorders(PAIR))
INPUTS = range(1, 16)
NIGHTLY = settings().max_examples >= 2_000


def theory(worlds, over=PAIR):
    return Theory(over, worlds)


def remembering(operator, over=PAIR):
    """The operator on sets of worlds; an answer is worked out once."""

    @cache
    def run(worlds, claim):
        return operator(Theory(over, worlds), claim).worlds

    return run


def draws(number, *, seed, many=100):
    """Seeded triples of non-empty sets of worlds over p, q and r, small sets as often as others."""
    random = Random(seed)

    def worlds():
        if random.random() < 0.5:
            return random.randrange(1, 256)
        return 1 << random.randrange(8) | 1 << random.randrange(8)

    for _ in range(number * many if NIGHTLY else number):
        yield worlds(), worlds(), worlds()

"""Propositional bases over a few atoms, and a truth-table oracle for them.

A formula is known by its mask: bit w is set when it holds in world w. The oracle knows nothing of
the library but how a claim is built.
"""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st

from agm.claims import And, Atom, Iff, Implies, Not, Or, Truth, Xor, prop

ATOMS = ("p", "q", "r")
WORLDS = range(1 << len(ATOMS))
ALL = (1 << len(WORLDS)) - 1
CLASSES = ("asserted", "documented", "observed")


def mask(claim):
    """The worlds in which a propositional claim holds."""
    return sum(1 << world for world in WORLDS if _true(claim, world))


def _true(claim, world):
    match claim:
        case Atom():
            return bool(world >> ATOMS.index(claim.predicate) & 1)
        case Truth():
            return claim.value
        case Not():
            return not _true(claim.body, world)
        case And():
            return all(_true(part, world) for part in claim.parts)
        case Or():
            return any(_true(part, world) for part in claim.parts)
        case Xor():
            return sum(_true(part, world) for part in claim.parts) % 2 == 1
        case Implies():
            return not _true(claim.left, world) or _true(claim.right, world)
        case Iff():
            return _true(claim.left, world) == _true(claim.right, world)
    raise AssertionError(claim)


def meet(masks):
    """The worlds in which all hold."""
    worlds = ALL
    for one in masks:
        worlds &= one
    return worlds


def entails(masks, goal):
    """Whether every world of the masks is one of the goal."""
    return meet(masks) & ~goal == 0


def subsets(elements):
    """Every subset, small ones first."""
    elements = list(elements)
    for size in range(len(elements) + 1):
        yield from combinations(elements, size)


atoms = st.sampled_from(ATOMS).map(prop)
literals = st.builds(lambda atom, sign: atom if sign else ~atom, atoms, st.booleans())
rules = st.builds(lambda left, right: left >> right, literals, literals)
clauses = st.builds(lambda left, right: left | right, literals, literals)
joins = st.builds(lambda left, right: left & right, literals, literals)
odd = st.builds(
    lambda left, right, same: left.iff(right) if same else left ^ right,
    literals,
    atoms,
    st.booleans(),
)
masked = st.integers(0, ALL).map(
    lambda worlds: Or(
        [
            And([prop(a) if world >> i & 1 else ~prop(a) for i, a in enumerate(ATOMS)])
            for world in WORLDS
            if worlds >> world & 1
        ]
        or [Truth(False)]
    )
)
formulas = st.one_of(literals, literals, rules, rules, clauses, joins, odd, masked)
ranked = st.lists(
    st.tuples(formulas, st.sampled_from(CLASSES)), min_size=1, max_size=5, unique_by=lambda b: b[0]
)


@st.composite
def entailed(draw, beliefs):
    """A claim that follows from some of these beliefs."""
    some = draw(st.lists(st.sampled_from(beliefs), min_size=1, max_size=3))
    goal = And(some)
    return draw(st.sampled_from([goal, goal | draw(formulas)]))

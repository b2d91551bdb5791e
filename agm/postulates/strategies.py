"""Hypothesis strategies for ranked bases and the claims that operators are asked about.

Two or three atoms, at most five beliefs, four of five of them literals or Horn rules and the others
of any truth table, ranks 1 to 3; every second input follows from the base. Nothing is filtered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import And, Implies, Or, negate
from agm.postulates.drawing import CLASSES, MAX_BELIEFS
from agm.postulates.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

    from agm.claims import Claim


def literals(*, atoms: int = 3) -> SearchStrategy[Claim]:
    """A proposition or its denial, over the first so many of p, q, r, s."""
    return st.builds(
        lambda atom, sign: atom if sign else negate(atom),
        st.sampled_from(table(atoms).atoms),
        st.booleans(),
    )


def horn_rules(*, atoms: int = 3) -> SearchStrategy[Claim]:
    """A rule from one or two propositions to a literal."""
    bodies = st.lists(st.sampled_from(table(atoms).atoms), min_size=1, max_size=2, unique_by=str)
    return st.builds(Implies, bodies.map(And), literals(atoms=atoms))


def propositional_claims(*, atoms: int = 3) -> SearchStrategy[Claim]:
    """Literals and Horn rules four times of five, else a claim with any truth table."""
    masks = st.integers(0, table(atoms).true).map(table(atoms).claim)
    simple = (literals(atoms=atoms), horn_rules(atoms=atoms))
    return st.integers(0, 9).flatmap(lambda kind: masks if kind > 7 else simple[kind % 2])


def ranked_beliefs(*, atoms: int = 3, least: int = 1) -> SearchStrategy[list[Belief]]:
    """Different claims as beliefs b1, b2, ... of three classes."""
    pairs = st.tuples(propositional_claims(atoms=atoms), st.sampled_from(CLASSES))
    drawn = st.lists(pairs, min_size=least, max_size=MAX_BELIEFS, unique_by=lambda pair: pair[0])
    return drawn.map(
        lambda listed: [
            Belief(claim, name, id=f"b{number}")
            for number, (claim, name) in enumerate(listed, start=1)
        ]
    )


def ranked_bases(*, atoms: int = 3, least: int = 1) -> SearchStrategy[BeliefBase]:
    """A base of such beliefs."""
    return ranked_beliefs(atoms=atoms, least=least).map(BeliefBase)


@st.composite
def inputs(draw: DrawFn, base: BeliefBase, *, atoms: int = 3) -> Claim:
    """A claim to ask about a base: every second one follows from it."""
    claims = [belief.claim for belief in base]
    if not claims or draw(st.booleans()):
        return draw(propositional_claims(atoms=atoms))
    return draw(_entailed(claims, atoms=atoms))


@st.composite
def questions(draw: DrawFn, *, atoms: int = 3, claims: int = 1) -> tuple[BeliefBase, list[Claim]]:
    """A base and so many claims to ask about it."""
    base = draw(ranked_bases(atoms=atoms))
    return base, [draw(inputs(base, atoms=atoms)) for _ in range(claims)]


@st.composite
def _entailed(draw: DrawFn, claims: Sequence[Claim], *, atoms: int) -> Claim:
    some = draw(st.lists(st.sampled_from(claims), min_size=1, max_size=3, unique_by=str))
    follows = And(some)
    if draw(st.booleans()):
        return follows
    return Or([follows, draw(propositional_claims(atoms=atoms))])

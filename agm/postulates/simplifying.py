"""Simpler questions: the single cuts by which a counterexample is made small.

The boldest cuts come first: a belief less, then shorter claims, then lower ranks.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from agm.claims import Or, Truth, negate
from agm.postulates.drawing import CLASSES
from agm.postulates.tables import meet, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm.beliefs import Belief
    from agm.claims import Claim, Key
    from agm.postulates.drawing import Question


def simpler(drawn: Question) -> Iterator[Question]:
    """Questions with a belief less, a shorter claim or a lower rank; the boldest cuts first."""
    keys = _keys(drawn)
    yield from _fewer_constraints(drawn)
    yield from _fewer_beliefs(drawn, keys)
    yield from _shorter_inputs(drawn, keys)
    yield from _lower_ranks(drawn)
    tidy = tuple(b.with_(id=f"b{number}") for number, b in enumerate(drawn.beliefs, start=1))
    if [belief.id for belief in tidy] != [belief.id for belief in drawn.beliefs]:
        yield drawn._replace(beliefs=tidy)


def simpler_several(drawn: Question) -> Iterator[Question]:
    """The same for questions of several claims, one of which may go too."""
    for place in range(len(drawn.claims) if len(drawn.claims) > 1 else 0):
        yield drawn._replace(claims=drawn.claims[:place] + drawn.claims[place + 1 :])
    yield from simpler(drawn)


def _keys(drawn: Question) -> frozenset[Key]:
    told = [belief.claim for belief in drawn.beliefs]
    none: frozenset[Key] = frozenset()
    return none.union(*(claim.keys for claim in (*told, *drawn.claims, *drawn.constraints)))


def _fewer_constraints(drawn: Question) -> Iterator[Question]:
    laws = drawn.constraints
    for place, law in enumerate(laws):
        yield drawn._replace(constraints=laws[:place] + laws[place + 1 :])
        for short in _shorter(law, law.keys):
            others = (*laws[:place], short, *laws[place + 1 :])
            if meet(map(table(3).mask, others), table(3).true):
                yield drawn._replace(constraints=others)


def _fewer_beliefs(drawn: Question, keys: frozenset[Key]) -> Iterator[Question]:
    beliefs = drawn.beliefs
    for number in range(len(beliefs)):
        yield drawn._replace(beliefs=beliefs[:number] + beliefs[number + 1 :])
    for number, belief in enumerate(beliefs):
        for claim in _shorter(belief.claim, keys):
            if all(claim is not other.claim for other in beliefs):
                yield _with(drawn, number, belief.with_(claim=claim))


def _shorter_inputs(drawn: Question, keys: frozenset[Key]) -> Iterator[Question]:
    claims = drawn.claims
    for place, claim in enumerate(claims):
        for short in (*_constants(claim, keys), *_shorter(claim, keys)):
            yield drawn._replace(claims=(*claims[:place], short, *claims[place + 1 :]))


def _lower_ranks(drawn: Question) -> Iterator[Question]:
    for number, belief in enumerate(drawn.beliefs):
        own = drawn.order.rank(belief.entrenchment)
        for name in CLASSES:
            if drawn.order.rank(name) < own:
                yield _with(drawn, number, belief.with_(entrenchment=name))


def _with(drawn: Question, number: int, belief: Belief) -> Question:
    beliefs = drawn.beliefs
    return drawn._replace(beliefs=(*beliefs[:number], belief, *beliefs[number + 1 :]))


def _constants(claim: Claim, keys: frozenset[Key]) -> Iterator[Claim]:
    """The truths, and p or not p, for claims that are longer."""
    if claim.size > 1:
        yield from (Truth(True), Truth(False))
    either = [Or([atom, negate(atom)]) for atom in table(3).atoms if atom.keys <= keys]
    yield from (one for one in either if one.size < claim.size)


def _shorter(claim: Claim, keys: frozenset[Key]) -> Iterator[Claim]:
    """Claims over some of these atoms that are shorter, or as short and earlier in the list."""
    short = _short()
    at = short.index(claim) if claim in short else len(short)
    for one in short[2:at]:
        if one.size <= claim.size and one.keys <= keys:
            yield one


@cache
def _short() -> tuple[Claim, ...]:
    return tuple(table(3).short())

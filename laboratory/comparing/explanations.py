"""Kernels, remainders, degrees, proofs and ways out, beside their definitions."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from agm.degrees import Entrenchment, ranked_base
from agm.explanations import justifications, proof_of, repairs, restorers, to_believe
from agm.iterated import Preorder
from agm.remainders import kernels_of, remainders_of
from laboratory.asking import TABLE
from laboratory.comparing.contractions import names
from laboratory.comparing.pairs import Allowed, Pair, any_base
from laboratory.definitions import explanations as by_definition
from laboratory.definitions import orders
from laboratory.definitions.explanations import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.explanations import Sacrifices
    from agm.proofs import Proof
    from laboratory.asking import BaseQuestion
    from laboratory.definitions.bases import Part
    from laboratory.definitions.choices import Names


def _listed(found: Iterable[Iterable[Any]]) -> tuple[Names, ...]:
    """Sets of beliefs by id, in a fixed order; one that comes twice is seen twice."""
    return tuple(sorted(map(names, found), key=sorted))


def _parts(question: BaseQuestion, parts: Iterable[Part]) -> tuple[Names, ...]:
    return tuple(sorted(map(question.told.names, parts), key=sorted))


def _pair(
    name: str,
    operator: Callable[[BaseQuestion], Any],
    definition: Callable[[BaseQuestion], Any],
    mattered: Callable[[BaseQuestion, Any], bool] = lambda _, found: len(found) > 0,
) -> Pair:
    return Pair(name, any_base, operator, definition, mattered)


def _smaller(question: BaseQuestion, found: tuple[Names, ...]) -> bool:
    return found != (names(question.base),)


def _way_out(found: Sacrifices) -> tuple[object, ...]:
    """Whether there is one, all of them, the cheapest, and what is contested."""
    cheapest = tuple(belief.id for belief in found.cheapest)
    return found.possible, _listed(found), cheapest, names(found.contested)


def _ways_by_definition(question: BaseQuestion, goal: int) -> tuple[object, ...]:
    told = question.told
    ways = tuple(sorted(by_definition.sacrifices(told, goal), key=sorted))
    possible = not told.entails(0, goal)
    return possible, ways, by_definition.cheapest(told, goal), by_definition.contested(told, goal)


def _has_cost(_: BaseQuestion, found: tuple[Any, ...]) -> bool:
    return bool(found[2])


def _denial(question: BaseQuestion) -> int:
    return question.told.without(question.goal)


def _lines(proof: Proof | None) -> list[Line] | None:
    if proof is None:
        return None
    return [
        Line(
            TABLE.mask(step.claim),
            None if step.belief is None else step.belief.id,
            step.kind == "constraint",
            step.since,
        )
        for step in proof.steps
    ]


def _proofs(question: BaseQuestion) -> Allowed:
    laws = set(map(TABLE.mask, question.base.constraints))
    return Allowed(
        lambda lines: by_definition.is_proof(question.told, question.goal, lines, laws, TABLE.true),
        "a proof from the strongest kernel, step by step; none when it does not follow",
    )


def _in_between(_: BaseQuestion, found: float) -> bool:
    return 0 < found < inf


def _levels(question: BaseQuestion) -> dict[int, int]:
    """A base from the entrenchment of some sentences: the level of each, by place in the list."""
    claims = _sentences(question)
    base = ranked_base(
        claims, Entrenchment(question.base).at_most, constraints=question.base.constraints
    )
    levels = {belief.claim: belief.entrenchment for belief in base}
    return {
        place: int(levels[claim].removeprefix("level "))
        for place, claim in enumerate(claims)
        if claim in levels
    }


def _sentences(question: BaseQuestion) -> list[Any]:
    return list(dict.fromkeys([*question.claims, *(belief.claim for belief in question.base)]))


def _order(preorder: Preorder) -> dict[int, int]:
    """The rank of each world."""
    return {
        world: rank
        for rank, level in preorder.items()
        for world in range(level.bit_length())
        if level >> world & 1
    }


PAIRS = (
    _pair(
        "agm.BeliefBase.entails",
        lambda q: q.base.entails(q.claim),
        lambda q: q.told.entails(q.told.all, q.goal),
        lambda _, found: found,
    ),
    _pair(
        "agm.BeliefBase.degree",
        lambda q: q.base.degree(q.claim),
        lambda q: q.told.degree(q.goal),
        _in_between,
    ),
    _pair(
        "agm.BeliefBase.lifted",
        lambda q: tuple(belief.id for belief in q.base.lifted()),
        lambda q: orders.lifted(q.told),
    ),
    _pair(
        "agm.BeliefBase.why",
        lambda q: _listed(q.base.why(q.claim).kernels),
        lambda q: _parts(q, q.told.kernels(q.goal)),
    ),
    _pair(
        "agm.degrees.ranked_base",
        _levels,
        lambda q: orders.levels(q.told, list(map(TABLE.mask, _sentences(q)))),
    ),
    _pair(
        "agm.iterated.Preorder.from_base",
        lambda q: _order(Preorder.from_base(q.base, also=TABLE.atoms)),
        lambda q: orders.of_base(q.told),
        lambda _, found: len(set(found.values())) > 2,
    ),
    _pair(
        "agm.remainders.kernels_of",
        lambda q: _listed(kernels_of(q.base, q.claim)),
        lambda q: _parts(q, q.told.kernels(q.goal)),
    ),
    _pair(
        "agm.remainders.kernels_of(several)",
        lambda q: _listed(kernels_of(q.base, *q.claims)),
        lambda q: _parts(q, q.told.kernels(*q.goals)),
    ),
    _pair(
        "agm.remainders.remainders_of",
        lambda q: _listed(remainders_of(q.base, q.claim)),
        lambda q: _parts(q, q.told.remainders(q.goal)),
        _smaller,
    ),
    _pair(
        "agm.remainders.remainders_of(several)",
        lambda q: _listed(remainders_of(q.base, *q.claims)),
        lambda q: _parts(q, q.told.remainders(*q.goals)),
        _smaller,
    ),
    _pair(
        "agm.explanations.justifications",
        lambda q: _listed(justifications(q.base, q.claim)),
        lambda q: _parts(q, q.told.kernels(q.goal)),
    ),
    _pair(
        "agm.explanations.to_believe",
        lambda q: _way_out(to_believe(q.base, q.claim)),
        lambda q: _ways_by_definition(q, _denial(q)),
        _has_cost,
    ),
    _pair(
        "agm.explanations.repairs",
        lambda q: _way_out(repairs(q.base)),
        lambda q: _ways_by_definition(q, 0),
        _has_cost,
    ),
    _pair(
        "agm.explanations.restorers",
        lambda q: tuple(belief.id for belief in restorers(q.base, q.claim)),
        lambda q: by_definition.restorers(q.told, _denial(q)),
    ),
    _pair(
        "agm.explanations.proof_of",
        lambda q: _lines(proof_of(q.base, q.claim)),
        _proofs,
        lambda _, found: found is not None and len(found) > 1,
    ),
)

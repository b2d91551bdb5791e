"""Contraction of one input, route by route, against z3, PySAT and ltms going through the same beliefs.

A base holds attribute claims in small components, and the question touches one of them. *Naive
greedy* asks a fresh solver about one belief after another and lets what it keeps hold from then on
(commit); its formulas and clauses are made beforehand, with the variables numbered from 1 without
gaps. With z3 that takes many seconds, so it is timed once. Both keep the same beliefs, which is
checked. PySAT (with MiniSat 2.2) is also given the component of the question alone: the same beliefs that the operator
looks at, turned into clauses when they are needed.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agm import BeliefBase, attr, contract, prop
from agm.claims import disjoin
from benchmarks.figures import measured, skipped
from benchmarks.logic_arms import Clauses, through_ltms, through_pysat, through_z3
from benchmarks.timing import quiet, ratio, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm import Claim, Term
    from benchmarks.figures import Figure


class Sizes(NamedTuple):
    """How much is measured."""

    beliefs: int = 1_000
    chain: int = 10
    clauses: int = 120
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(beliefs=40, chain=4, clauses=12, rounds=2)

CALLS = 20
"""Contractions a round, where one is short."""
PYSAT, LTMS = "PySAT", "ltms"
THROUGH = {PYSAT: through_pysat, LTMS: through_ltms}
FASTER, PAR, GENERAL = ">= 10", "<= 1.0", "<= 70"


class Case(NamedTuple):
    """A base and a claim to be given up."""

    route: str
    """The route it has to go; any, when empty."""
    claims: list[Claim]
    goal: Claim


def figures(sizes: Sizes) -> Iterator[Figure]:
    """The figures of contraction by one input."""
    attributes = [slots(sizes), horn(sizes), sums(sizes)]
    for case in attributes:
        yield _against_z3(case, sizes)
    for case in attributes[:2]:
        yield _against(PYSAT, case, sizes, PAR)
    yield _alone(attributes[1], sizes)
    yield _against(LTMS, attributes[1], sizes, PAR)
    yield _against(PYSAT, general(sizes), sizes, GENERAL)


def slots(sizes: Sizes) -> Case:
    """A value for each slot; one of them has to go."""
    claims: list[Claim] = [_level(i) == i % 7 for i in range(sizes.beliefs)]
    return Case("slot", claims, _level(5) == 5)


def horn(sizes: Sizes) -> Case:
    """Chains of values that lead to values; the end of one has to go."""
    claims: list[Claim] = []
    for number in range(sizes.beliefs // sizes.chain):
        stages = [attr(f"job{number}", f"stage{place}") == "on" for place in range(sizes.chain)]
        steps = (one >> other for one, other in pairwise(stages))
        claims += [stages[0], *steps]
    return Case("horn", claims, attr("job0", f"stage{sizes.chain - 1}") == "on")


def sums(sizes: Sizes) -> Case:
    """A value for each slot and some bounds on sums, one of which has to go."""
    claims: list[Claim] = [_count(i) + _count(i + 1) >= 10 + i for i in range(sizes.chain)]
    claims += [_level(i) == i % 7 for i in range(sizes.beliefs - len(claims))]
    return Case("z3", claims, _count(2) + _count(3) >= 5)


def general(sizes: Sizes) -> Case:
    """Satisfiable random clauses of three literals over one component; the last has to go."""
    rng = Random(7)
    atoms = [prop(f"p{i}") for i in range(max(sizes.clauses // 3, 6))]
    world = {id(atom): rng.random() < 0.5 for atom in atoms}
    claims: list[Claim] = []
    while len(claims) < sizes.clauses:
        some = rng.sample(atoms, 3)
        signs = [rng.random() < 0.5 for _ in some]
        if any(world[id(atom)] == sign for atom, sign in zip(some, signs, strict=True)):
            parts = [a if s else ~a for a, s in zip(some, signs, strict=True)]
            claims.append(disjoin(parts))
    return Case("", claims, claims[-1])


def _against_z3(case: Case, sizes: Sizes) -> Figure:
    ours, theirs = Contracting(case), through_z3(case.claims, case.goal)
    require_same(ours(), theirs())
    with quiet():
        mine = median(seconds(ours) for _ in range(sizes.rounds))
        other = seconds(theirs)
    title = f"contract, {case.route} route: times faster than naive greedy with a fresh z3"
    note = f"{_us(mine)} against {other:.3g} s, timed once, {len(case.claims):,} beliefs"
    return measured(title, other / mine, FASTER, n=sizes.rounds, note=note)


def _against(package: str, case: Case, sizes: Sizes, target: str) -> Figure:
    name = f"{case.route} route" if case.route else "general clauses"
    title = f"contract, {name}: times naive greedy with {package}"
    try:
        theirs = THROUGH[package](Clauses(case.claims, case.goal))
    except ImportError as fault:
        return skipped(title, target, f"{fault}; install the extra bench")
    ours = Contracting(case)
    require_same(ours(), theirs())
    found = ratio(ours, theirs, rounds=sizes.rounds, calls=(CALLS if case.route else 1, 1))
    note = f"{_us(found.one)} against {_us(found.other)}, {len(case.claims):,} beliefs"
    return measured(title, found.value, target, n=found.n, note=note)


def _alone(case: Case, sizes: Sizes) -> Figure:
    title = f"contract, {case.route} route: times PySAT on the same component"
    ours, component = Contracting(case), case.claims[: sizes.chain]
    base = BeliefBase(case.claims)

    def theirs() -> list[int]:
        items = base.component([case.goal]).items
        return through_pysat(Clauses([item.claim for item in items], case.goal))()

    try:
        theirs()
    except ImportError as fault:
        return skipped(title, PAR, f"{fault}; install the extra bench")
    require_same(ours(), [*theirs(), *range(len(component), len(case.claims))])
    found = ratio(ours, theirs, rounds=sizes.rounds, calls=(CALLS, CALLS))
    note = f"{_us(found.one)} against {_us(found.other)}, {len(component)} beliefs"
    return measured(title, found.value, PAR, n=found.n, note=note)


class Contracting:
    """An action: the contraction of one input; it answers the places of what is kept."""

    def __init__(self, case: Case) -> None:
        self._base = BeliefBase(case.claims)
        self._goal = case.goal
        self._place = {f"b{number + 1}": number for number in range(len(case.claims))}
        route = contract(self._base, case.goal).route
        if case.route and route != case.route:
            raise AssertionError(f"{case.goal} goes the route {route}, not {case.route}")

    def __call__(self) -> set[int]:
        """Contract once more; the places of what is given up."""
        lost = contract(self._base, self._goal).given_up
        return {self._place[loss.belief.id] for loss in lost}


def require_same(lost: set[int], kept: list[int]) -> None:
    """Both sides give up the same."""
    both = lost.intersection(kept)
    if both or not lost:
        raise AssertionError(f"{sorted(lost)} are given up, and of these kept: {sorted(both)}")


def _level(place: int) -> Term[int]:
    return attr(f"item{place}", "level", of=int)


def _count(place: int) -> Term[int]:
    return attr(f"bin{place}", "count", of=int)


def _us(time: float) -> str:
    return f"{time * 1e6:.3g} µs"

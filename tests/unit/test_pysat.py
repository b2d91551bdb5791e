"""Propositional operators against python-sat, on more atoms than truth tables are good for.

The clauses are made here, formula by formula (Tseitin 1968), and share nothing with the library.
Kernels come from its enumeration of minimal unsatisfiable subsets, remainders from that of minimal
correction subsets, the lexicographic optimum from its MaxSAT solver.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import And, Atom, Iff, Implies, Not, Or, Xor, prop
from agm.contraction import contract, lexcard_maxichoice, lexcard_meet
from agm.remainders import kernels_of, remainders_of
from agm.solver import check
from agm.verdicts import Consistent, Inconsistent

pytestmark = pytest.mark.skipif(
    find_spec("pysat") is None, reason="python-sat is not installed (extra bench)"
)
NIGHTLY = settings().max_examples >= 2_000
CLASSES = ("asserted", "documented", "observed")

names = st.integers(6, 14).flatmap(
    lambda count: st.integers(0, count - 1).map(lambda place: prop(f"a{place}"))
)
signed = st.builds(lambda atom, sign: atom if sign else ~atom, names, st.integers(0, 3))
joined = st.one_of(
    st.builds(lambda one, end: one >> end, names, signed),
    st.builds(lambda one, other, end: (one & other) >> end, names, names, signed),
    st.builds(lambda *some: Or(some), signed, signed, signed),
    st.builds(lambda one, other: one | other, signed, signed),
)
odd = st.one_of(
    st.builds(lambda one, other, end: one.iff(other | end), names, signed, signed),
    st.builds(lambda one, other: one ^ other, signed, signed),
    st.builds(lambda one, other: ~(one & other), signed, joined),
)
formulas = st.one_of(names, names, signed, joined, joined, joined, odd)


@st.composite
def questions(draw, most=12):
    """Facts, what leads on from them, and a claim that often follows in several ways."""
    facts = draw(st.lists(names, min_size=3, max_size=most // 3, unique=True))
    rules = draw(st.lists(st.one_of(formulas, joined), min_size=4, max_size=most - len(facts)))
    claims = dict.fromkeys([*facts, *rules])
    beliefs = [
        (claim, draw(st.sampled_from(CLASSES[: draw(st.integers(1, 3))]))) for claim in claims
    ]
    some = draw(st.lists(st.sampled_from(facts), min_size=2, max_size=4, unique=True))
    more = draw(st.sampled_from(rules))
    goals = [And([some[0], more]), And(some) | more, Or(some), And(some), draw(formulas)]
    laws = [draw(joined)] if draw(st.integers(0, 3)) == 0 else []
    return beliefs, draw(st.sampled_from(goals)), laws


class Sat:
    """Beliefs behind switches in python-sat, beside laws and the denial of a claim."""

    def __init__(self, base, claim=None, laws=()):
        from pysat.formula import WCNF

        self.beliefs = list(base)
        self._numbers: dict[str, int] = {}
        self._count = 0
        self.hard: list[list[int]] = []
        self.switches = [self._fresh() for _ in self.beliefs]
        for switch, belief in zip(self.switches, self.beliefs, strict=True):
            self.hard.append([-switch, self._literal(belief.claim)])
        for law in laws:
            self.hard.append([self._literal(law)])
        if claim is not None:
            self.hard.append([-self._literal(claim)])
        self._soft = WCNF

    @property
    def atoms(self):
        """How many atoms occur."""
        return len(self._numbers)

    def holds(self, places=None):
        """Whether these beliefs can be held, or all."""
        from pysat.solvers import Solver

        on = range(len(self.beliefs)) if places is None else places
        with Solver(name="cadical153", bootstrap_with=self.hard) as solver:
            return solver.solve(assumptions=[self.switches[place] for place in on])

    def weighted(self, weights=None, more=()):
        """The problem of keeping as much as can be, by weight."""
        problem = self._soft()
        problem.extend([*self.hard, *more])
        for place, switch in enumerate(self.switches):
            problem.append([switch], weight=1 if weights is None else weights[place])
        return problem

    def _fresh(self):
        self._count += 1
        return self._count

    def _literal(self, claim):
        """A literal that is true exactly when the claim is."""
        match claim:
            case Atom():
                if claim.predicate not in self._numbers:
                    self._numbers[claim.predicate] = self._fresh()
                return self._numbers[claim.predicate]
            case Not():
                return -self._literal(claim.body)
            case Implies():
                return self._either([-self._literal(claim.left), self._literal(claim.right)])
            case Or():
                return self._either([self._literal(part) for part in claim.parts])
            case And():
                return -self._either([-self._literal(part) for part in claim.parts])
            case Iff():
                return -self._differ(self._literal(claim.left), self._literal(claim.right))
            case Xor():
                first, *rest = [self._literal(part) for part in claim.parts]
                for other in rest:
                    first = self._differ(first, other)
                return first
        raise AssertionError(claim)

    def _either(self, parts):
        name = self._fresh()
        self.hard.append([-name, *parts])
        self.hard += [[name, -part] for part in parts]
        return name

    def _differ(self, one, other):
        name = self._fresh()
        self.hard += [[-name, one, other], [-name, -one, -other]]
        self.hard += [[name, -one, other], [name, one, -other]]
        return name


def based(beliefs, laws):
    """A base, or None where its constraints clash."""
    if isinstance(check(laws), Inconsistent):
        return None
    return BeliefBase([Belief(claim, rank) for claim, rank in beliefs], constraints=laws)


def kept_in_turn(sat):
    """The places that can be kept one after another, most entrenched first."""
    kept: list[int] = []
    for place in range(len(sat.beliefs)):
        if sat.holds([*kept, place]):
            kept.append(place)
    return kept


def kernels(sat):
    from pysat.examples.optux import OptUx

    with OptUx(sat.weighted()) as found:
        return {frozenset(place - 1 for place in one) for one in found.enumerate()}


def cuts(sat):
    """The minimal sets of places without which the rest can be kept."""
    from pysat.examples.mcsls import MCSls

    found = set()
    with ExitStack() as stack:
        finder = stack.enter_context(MCSls(sat.weighted(), use_cld=True))
        for one in finder.enumerate():
            found.add(frozenset(place - 1 for place in one))
            finder.block(one)
    return found


def cost(sat, weights, more=()):
    """What the best way to keep beliefs loses, by weight."""
    from pysat.examples.rc2 import RC2

    with RC2(sat.weighted(weights, more)) as solver:
        return None if solver.compute() is None else solver.cost


def places_of(sat, beliefs):
    at = {belief.id: place for place, belief in enumerate(sat.beliefs)}
    return frozenset(at[belief.id] for belief in beliefs)


@settings(max_examples=2_000 if NIGHTLY else 60)
@given(st.lists(formulas, min_size=6, max_size=25))
def test_consistency(drawn):
    sat = Sat(BeliefBase([Belief(claim, id=f"b{place}") for place, claim in enumerate(drawn)]))
    answer = check(drawn)
    assert isinstance(answer, Consistent) == sat.holds()
    if isinstance(answer, Inconsistent):
        core = list(answer.core)
        assert not Sat(BeliefBase(core)).holds()
        for place in range(len(core)):
            assert Sat(BeliefBase([*core[:place], *core[place + 1 :]])).holds()


def test_contraction_keeps_what_a_sat_solver_admits_in_turn():
    seen: Counter[str] = Counter()

    @settings(max_examples=2_000 if NIGHTLY else 100)
    @given(questions(most=20))
    def run(question):
        beliefs, goal, laws = question
        base = based(beliefs, laws)
        if base is None:
            return
        sat = Sat(base, goal, laws)
        change = contract(base, goal)
        if not sat.holds([]):
            assert not change.given_up  # the constraints alone entail it
            seen["impossible"] += 1
            return
        assert places_of(sat, change.kept) == frozenset(kept_in_turn(sat))
        seen[f"{min(len(change.given_up), 2)} lost"] += 1
        seen["8 atoms or more"] += sat.atoms >= 8
        for loss in change.given_up:
            assert not sat.holds(places_of(sat, [*loss.kernel, loss.belief]))
            assert sat.holds(places_of(sat, loss.kernel))

    run()
    assert min(seen["1 lost"], seen["2 lost"], seen["8 atoms or more"]) >= 5, seen


def test_kernels_and_remainders_are_those_that_are_enumerated():
    seen: Counter[str] = Counter()

    @settings(max_examples=1_000 if NIGHTLY else 60)
    @given(questions())
    def run(question):
        beliefs, goal, laws = question
        base = based(beliefs, laws)
        if base is None:
            return
        sat = Sat(base, goal, laws)
        if sat.holds() or not sat.holds([]):
            return
        expected = kernels(sat)
        found = kernels_of(base, goal)
        assert {places_of(sat, one) for one in found.all()} == expected
        lost = cuts(sat)
        whole = frozenset(range(len(sat.beliefs)))
        assert {whole - places_of(sat, one) for one in remainders_of(base, goal)} == lost
        assert all(cut & one for cut in lost for one in expected)
        seen["several kernels"] += len(expected) > 1
        seen["several remainders"] += len(lost) > 2
        seen["wide"] += max(map(len, expected)) > 2

    run()
    assert min(seen["several kernels"], seen["several remainders"], seen["wide"]) >= 2, seen


def test_the_lexicographic_optimum_is_that_of_a_maxsat_solver():
    seen: Counter[str] = Counter()

    @settings(max_examples=1_000 if NIGHTLY else 40)
    @given(questions(most=10))
    def run(question):
        beliefs, goal, laws = question
        base = based(beliefs, laws)
        if base is None:
            return
        sat = Sat(base, goal, laws)
        if not sat.holds([]):
            return
        # One belief of a rank outweighs all those of lower ranks together.
        weights = [(len(beliefs) + 1) ** base.rank(belief) for belief in sat.beliefs]
        best = cost(sat, weights)
        first: list[int] = []
        for place, switch in enumerate(sat.switches):
            on = [[sat.switches[other]] for other in first]
            if cost(sat, weights, [*on, [switch]]) == best:
                first.append(place)
        common = [
            place
            for place, switch in enumerate(sat.switches)
            if cost(sat, weights, [[-switch]]) != best
        ]
        assert places_of(sat, lexcard_maxichoice(base, goal).kept) == frozenset(first)
        assert places_of(sat, lexcard_meet(base, goal).kept) == frozenset(common)
        seen["lost"] += len(first) < len(beliefs)
        seen["tied"] += first != common

    run()
    assert min(seen["lost"], seen["tied"]) >= 2, seen

"""Gärdenfors–Makinson entrenchment read off a ranked base: EE1 to EE5, and what follows."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth
from tests.strategies.propositional import CLASSES, entails, formulas, mask, ranked

RANK = {"asserted": 5, "documented": 4, "observed": 3}


def oracle(beliefs, claim):
    goal = mask(claim)
    if entails([], goal):
        return float("inf")
    for rank in (5, 4, 3):
        if entails([mask(formula) for formula, of in beliefs if RANK[of] >= rank], goal):
            return rank
    return 0


def test_degrees_satisfy_the_five_entrenchment_postulates():
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(ranked, formulas, formulas, formulas)
    def run(beliefs, one, two, three):
        base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        d = {claim: base.degree(claim) for claim in (one, two, three)}
        for claim, degree in d.items():
            assert degree == oracle(beliefs, claim)
            seen[str(degree)] += 1
        if d[one] <= d[two] <= d[three]:  # EE1
            assert d[one] <= d[three]
        if entails([mask(one)], mask(two)):  # EE2
            seen["EE2"] += 1
            assert d[one] <= d[two]
        both = base.degree(one & two)  # EE3, and degrees of joins
        assert both == min(d[one], d[two])
        assert base.degree(one | two) >= max(d[one], d[two])
        if not entails([mask(formula) for formula, _ in beliefs], 0):  # EE4
            seen["EE4"] += 1
            assert (d[one] == 0) == (not base.entails(one))
        if d[one] == float("inf"):  # EE5
            assert entails([], mask(one))
        assert base.degree(Truth(True)) == float("inf")

    run()
    assert min(seen[name] for name in ("0", "3", "4", "5", "inf", "EE2", "EE4")) >= 5, seen


def test_lifted_lists_the_beliefs_that_stronger_ones_entail():
    seen: Counter[str] = Counter()

    @settings(max_examples=80)
    @given(ranked)
    def run(beliefs):
        base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        expected = [b for b in base if oracle(beliefs, b.claim) > RANK[b.entrenchment]]
        assert list(base.lifted()) == expected
        assert all(base.degree(b.claim) >= base.rank(b) for b in base)
        seen["lifted"] += bool(expected)

    run()
    assert seen["lifted"] >= 10
    assert set(RANK) == set(CLASSES)

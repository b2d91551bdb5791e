"""The postulates of base revision by the Levi identity, internal and external (POSTULATES, 2b)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import negate, prop
from agm.expansion import expand
from agm.revision import ImpossibleClaim, external, revise
from tests.strategies.propositional import (
    entailed,
    entails,
    formulas,
    mask,
    ranked,
    subsets,
)


class Case:
    """One revision as masks; `kept` are ids of the old base, `result` masks of the whole."""

    def __init__(self, beliefs, claim, *, operator=revise):
        self.base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        self.claim = claim
        self.goal = mask(claim)
        self.change = operator(self.base, claim)
        self.all = {belief.id: mask(belief.claim) for belief in self.base}
        self.kept = {b.id for b in self.change.after if b.id in self.all}
        self.lost = self.all.keys() - self.kept
        self.claims = {b.claim for b in self.change.after}

    def clash(self, ids, *more):
        return entails([*(self.all[i] for i in ids), *more], 0)


@st.composite
def questions(draw):
    beliefs = draw(ranked)
    against = entailed([formula for formula, _ in beliefs]).map(negate)
    return beliefs, draw(st.one_of(formulas, against))


def success(case):
    """The claim is believed."""
    return case.claim in case.claims


def inclusion(case):
    """Nothing but the claim is added."""
    return case.claims <= {b.claim for b in case.base} | {case.claim}


def consistency(case):
    """The result is consistent."""
    return not entails([mask(claim) for claim in case.claims], 0)


def vacuity(case):
    """What agrees with the claim stays."""
    return None if case.clash(case.all, case.goal) else not case.lost


def relevance(case):
    """What is lost contributed to a clash on top of what is kept."""
    if not case.lost:
        return None
    return all(
        any(
            not case.clash({*case.kept, *part}, case.goal)
            and case.clash({*case.kept, *part, lost}, case.goal)
            for part in subsets(case.lost)
        )
        for lost in case.lost
    )


def core_retainment(case):
    """What is lost contributed to some clash with the claim."""
    if not case.lost:
        return None
    return all(
        any(
            not case.clash(part, case.goal) and case.clash({*part, lost}, case.goal)
            for part in subsets(case.all)
        )
        for lost in case.lost
    )


POSTULATES = [success, inclusion, consistency, vacuity, relevance, core_retainment]


def test_the_default_revision_keeps_every_postulate_internally_and_externally():
    applied: Counter[str] = Counter()

    @settings(max_examples=200)
    @given(questions())
    def run(question):
        beliefs, claim = question
        if entails([], ~mask(claim)):
            for operator in (revise, external):
                with pytest.raises(ImpossibleClaim):
                    Case(beliefs, claim, operator=operator)
            applied["refused"] += 1
            return
        inside = Case(beliefs, claim)
        outside = Case(beliefs, claim, operator=external)
        assert inside.claims == outside.claims
        assert {b.id: b.entrenchment for b in inside.change.after} == {
            b.id: b.entrenchment for b in outside.change.after
        }
        for postulate in POSTULATES:
            verdict = postulate(inside)
            if verdict is not None:
                applied[postulate.__name__] += 1
                assert verdict, f"{postulate.__name__}: {list(inside.base)} * {claim}"

    run()
    for postulate in POSTULATES:
        assert applied[postulate.__name__] >= 10, (postulate.__name__, applied)


def test_uniformity_and_pre_expansion():
    seen: Counter[str] = Counter()

    @settings(max_examples=120)
    @given(questions(), formulas)
    def run(question, other):
        beliefs, claim = question
        if entails([], ~mask(claim)):
            return
        case = Case(beliefs, claim)
        for twin in (~~claim, claim & claim, other):
            if entails([], ~mask(twin)):
                continue
            if all(
                case.clash(part, case.goal) == case.clash(part, mask(twin))
                for part in subsets(case.all)
            ):
                seen["uniform"] += 1
                assert Case(beliefs, twin).kept == case.kept
        more = expand(case.base, claim).after
        again = revise(more, claim).after
        assert {b.claim for b in again} == case.claims
        seen["pre-expansion"] += bool(case.lost)

    run()
    assert seen["uniform"] >= 100
    assert seen["pre-expansion"] >= 20


def test_revising_again_keeps_the_higher_class():
    formula = prop("p")
    base = BeliefBase([Belief(formula, "observed", id="mine")])
    raised = revise(base, formula, entrenchment="asserted").after
    assert [(b.id, b.entrenchment) for b in raised] == [("mine", "asserted")]
    assert [b.entrenchment for b in revise(raised, formula, entrenchment="inferred").after] == [
        "asserted"
    ]

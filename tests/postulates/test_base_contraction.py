"""The postulates of base contraction (Hansson 1999, ch. 2), for the default operator.

Each is a named function of one contraction: it answers None when its premise does not apply, else
whether it holds. The oracle is a truth table, so that a fault of the solver cannot hide itself.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import negate
from agm.contraction import contract
from tests.strategies.propositional import (
    CLASSES,
    entailed,
    entails,
    formulas,
    mask,
    ranked,
    subsets,
)

RANK = {name: -place for place, name in enumerate(CLASSES)}


class Case:
    """One contraction as masks: base, ranks, input, what was kept and what was lost."""

    def __init__(self, beliefs, claim, *, operator=contract):
        self.base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        self.claim = claim
        self.change = operator(self.base, claim)
        self.goal = mask(claim)
        self.all = {belief.id: mask(belief.claim) for belief in self.base}
        self.rank = {belief.id: RANK[belief.entrenchment] for belief in self.base}
        self.kept = {belief.id for belief in self.change.kept}
        self.lost = self.all.keys() - self.kept

    def ent(self, ids, goal=None):
        return entails([self.all[i] for i in ids], self.goal if goal is None else goal)


def success(case):
    """The claim is gone, unless it is a tautology."""
    return None if entails([], case.goal) else not case.ent(case.kept)


def inclusion(case):
    """Nothing is added."""
    return set(case.kept) <= set(case.all)


def failure(case):
    """A tautology costs nothing."""
    return case.kept == set(case.all) if entails([], case.goal) else None


def vacuity(case):
    """What did not follow costs nothing."""
    return None if case.ent(case.all) else case.kept == set(case.all)


def core_retainment(case):
    """What is lost contributed to some way of entailing the claim."""
    if not case.lost:
        return None
    return all(
        any(not case.ent(part) and case.ent({*part, lost}) for part in subsets(case.all))
        for lost in case.lost
    )


def relevance(case):
    """What is lost contributed to entailing the claim on top of what is kept."""
    if not case.lost:
        return None
    return all(
        any(
            not case.ent({*case.kept, *part}) and case.ent({*case.kept, *part, lost})
            for part in subsets(case.lost)
        )
        for lost in case.lost
    )


def fullness(case):
    """What is lost would bring the claim back."""
    if not case.lost:
        return None
    return all(not case.ent(case.kept) and case.ent({*case.kept, lost}) for lost in case.lost)


def disjunctive_elimination(case):
    """What is lost does not follow, even with the claim as its alternative."""
    if not case.lost:
        return None
    return all(not case.ent(case.kept, case.goal | case.all[lost]) for lost in case.lost)


def relative_closure(case):
    """What still follows from what is kept is kept."""
    if not case.lost:
        return None
    return all(not case.ent(case.kept, case.all[lost]) for lost in case.lost)


def entrenchment_certificate(case):
    """What is lost, with kept beliefs at least as entrenched, entails the claim."""
    if not case.lost:
        return None
    return all(
        case.ent({lost, *(i for i in case.kept if case.rank[i] >= case.rank[lost])})
        for lost in case.lost
    )


def weak_entrenchment(case):
    """What is lost is least entrenched in some way of entailing the claim."""
    if not case.lost:
        return None
    return all(
        any(
            not case.ent(part) and case.ent({*part, lost})
            for part in subsets(i for i in case.all if case.rank[i] >= case.rank[lost])
        )
        for lost in case.lost
    )


POSTULATES = [
    success,
    inclusion,
    failure,
    vacuity,
    core_retainment,
    relevance,
    fullness,
    disjunctive_elimination,
    relative_closure,
    entrenchment_certificate,
    weak_entrenchment,
]


@st.composite
def questions(draw):
    beliefs = draw(ranked)
    claim = draw(st.one_of(formulas, entailed([formula for formula, _ in beliefs])))
    if draw(st.integers(0, 9)) == 0:
        claim = draw(st.sampled_from([claim | ~claim, ~(claim & ~claim)]))
    return beliefs, claim


def test_the_default_contraction_keeps_every_postulate_of_one_input():
    applied: Counter[str] = Counter()

    @settings(max_examples=200)
    @given(questions())
    def run(question):
        case = Case(*question)
        for postulate in POSTULATES:
            verdict = postulate(case)
            if verdict is not None:
                applied[postulate.__name__] += 1
                assert verdict, f"{postulate.__name__}: {case.base.check()} ÷ {case.claim}"

    run()
    for postulate in POSTULATES:
        assert applied[postulate.__name__] >= 10, (postulate.__name__, applied)


def test_recovery_fails_as_it_must_for_bases():
    from agm.claims import prop

    son, child = prop("s"), prop("c")
    base = BeliefBase([Belief(son, "observed"), Belief(son >> child, "documented")])
    after = contract(base, child).after
    assert not BeliefBase([*(b.claim for b in after), child]).entails(son)


def test_uniformity_and_what_follows_from_it():
    """Inputs that the same parts of the base entail give the same result; so do rewritings."""
    seen = Counter()

    @settings(max_examples=100)
    @given(questions(), formulas)
    def run(question, other):
        beliefs, claim = question
        case = Case(beliefs, claim)
        for twin in (
            negate(negate(~~claim)),
            claim & claim,
            claim | claim,
            other,
            ~(~claim | ~claim),
        ):
            goal = mask(twin)
            if all(case.ent(part) == case.ent(part, goal) for part in subsets(case.all)):
                seen["same" if goal != case.goal else "rewritten"] += 1
                assert Case(beliefs, twin).kept == case.kept

    run()
    assert seen["rewritten"] >= 50
    assert seen["same"] >= 3, seen


def test_base_7_and_8():
    seen = Counter()

    @settings(max_examples=120)
    @given(questions(), formulas)
    def run(question, other):
        beliefs, claim = question
        one, two, both = (Case(beliefs, goal) for goal in (claim, other, claim & other))
        assert one.kept & two.kept <= both.kept
        seen["7"] += bool(one.lost or two.lost)
        if not both.ent(both.kept, one.goal):
            seen["8"] += bool(one.lost)
            assert both.kept <= one.kept

    run()
    assert min(seen["7"], seen["8"]) >= 20, seen


def test_the_order_of_listing_beliefs_with_ids_does_not_matter():
    seen = Counter()

    @settings(max_examples=60)
    @given(questions(), st.randoms(use_true_random=False))
    def run(question, random):
        beliefs, claim = question
        named = [Belief(f, of, id=f"k{place}") for place, (f, of) in enumerate(beliefs)]
        first = {b.id for b in contract(BeliefBase(named), claim).kept}
        random.shuffle(named)
        assert {b.id for b in contract(BeliefBase(named), claim).kept} == first
        seen["lost"] += len(first) < len(named)

    run()
    assert seen["lost"] >= 10


def test_certificates_are_minimal_entailments_of_the_input_by_stronger_beliefs():
    seen = Counter()

    @settings(max_examples=120)
    @given(questions())
    def run(question):
        case = Case(*question)
        for loss in case.change.given_up:
            seen["loss"] += 1
            assert loss.certified
            ids = [belief.id for belief in loss.kernel]
            assert set(ids) <= case.kept
            assert all(case.rank[i] >= case.rank[loss.belief.id] for i in ids)
            assert case.ent({loss.belief.id, *ids})
            for left_out in ids:
                assert not case.ent({loss.belief.id, *ids} - {left_out})
            from agm.solver import check

            parts = [loss.belief.claim, *(belief.claim for belief in loss.kernel)]
            assert type(check([*parts, negate(case.claim)])).__name__ == "Inconsistent"

    run()
    assert seen["loss"] >= 40


@pytest.mark.parametrize("other_side_agrees", [True, False])
def test_only_the_component_is_touched_when_the_rest_agrees(other_side_agrees):
    """Locality, and its guard: an inconsistent component elsewhere entails everything."""
    from agm.claims import prop

    x, y = prop("x"), prop("y")
    rest = [Belief(x, "asserted"), Belief(x >> y, "observed")]
    if not other_side_agrees:
        rest.append(Belief(~y, "documented"))
    seen = Counter()

    @settings(max_examples=60)
    @given(questions())
    def run(question):
        beliefs, claim = question
        mine = [Belief(formula, of) for formula, of in beliefs]
        alone = contract(BeliefBase(mine), claim)
        whole = contract(BeliefBase([*mine, *rest]), claim)
        kept = {b.claim for b in alone.kept}
        both = {b.claim for b in whole.kept}
        if other_side_agrees:
            seen["moved"] += bool(alone.given_up)
            assert both == kept | {b.claim for b in rest}
        elif not entails([], mask(claim)):
            seen["moved"] += 1
            assert x >> y not in both
            assert not whole.after.entails(claim)

    run()
    assert seen["moved"] >= 10

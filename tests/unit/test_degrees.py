"""Epistemic entrenchment from a ranked base and back."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, prop
from agm.degrees import Entrenchment, NotAnEntrenchment, broken_postulates, ranked_base
from tests.strategies.propositional import CLASSES, entails, formulas, mask, ranked

RANK = {name: len(CLASSES) - place for place, name in enumerate(CLASSES)}
some = st.lists(formulas, min_size=1, max_size=4)


def test_the_order_of_degrees_breaks_no_postulate_and_raw_ranks_do():
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(ranked, some)
    def run(beliefs, asked):
        base = BeliefBase([Belief(f, of) for f, of in beliefs])
        firm = Entrenchment(base)
        assert firm.broken(asked) == ()
        raw = {f: RANK[of] for f, of in beliefs}

        def by_rank(one, other):
            return raw.get(one, 0) <= raw.get(other, 0)

        seen["raw"] += bool(broken_postulates(base, [f for f, _ in beliefs], by_rank))
        for one in asked:
            for other in asked:
                assert firm.below(one, other) == (not firm.at_most(other, one))
                assert firm.equal(one, other) == (firm.degree(one) == firm.degree(other))

    run()
    assert seen["raw"] >= 10, seen


def test_a_base_from_an_entrenchment_gives_the_entrenchment_back():
    seen: Counter[str] = Counter()

    @settings(max_examples=80)
    @given(ranked, some)
    def run(beliefs, asked):
        base = BeliefBase([Belief(f, of) for f, of in beliefs])
        firm = Entrenchment(base)
        listed = [*dict.fromkeys([*(f for f, _ in beliefs), *asked])]
        again = Entrenchment(ranked_base(listed, firm.at_most))
        for one in listed:
            for other in listed:
                assert firm.at_most(one, other) == again.at_most(one, other)
        held = list(again.base)
        assert all(firm.below(Truth(False), b.claim) for b in held)
        seen[str(len(again.levels(b.claim for b in held)))] += 1
        assert not entails([mask(b.claim) for b in held], 0)

    run()
    assert seen["1"] >= 3, seen
    assert seen["2"] >= 3, seen


def ranks(**of):
    """A relation by numbers for single sentences, 0 for others."""

    def at_most(one, other):
        return of.get(str(one), 0) <= of.get(str(other), 0)

    return at_most


def test_relations_that_are_no_entrenchment_are_refused():
    p, q = prop("p"), prop("q")
    firm = {"true": 9}
    with pytest.raises(NotAnEntrenchment, match="EE2 or EE3") as caught:
        ranked_base([p, p | q], ranks(p=2, **firm, **{"p | q": 1}))
    assert caught.value.claims == (p | q,)
    with pytest.raises(NotAnEntrenchment, match="EE5"):
        ranked_base([p], ranks(p=9, **firm))
    with pytest.raises(NotAnEntrenchment, match="below a contradiction"):
        ranked_base([p], ranks(p=-1, **firm))
    with pytest.raises(NotAnEntrenchment, match="above a tautology"):
        ranked_base([p], ranks(p=10, **firm))
    with pytest.raises(NotAnEntrenchment, match="not compared"):
        ranked_base([p, q], lambda one, other: one is other)
    circle = {(p, q), (q, Truth(True)), (Truth(True), Truth(False)), (Truth(False), p)}
    with pytest.raises(NotAnEntrenchment, match="EE1"):
        ranked_base([p, q], lambda one, other: one is other or (other, one) not in circle)


def test_each_postulate_is_found_broken_where_it_is():
    p, q, r = map(prop, "pqr")
    base = BeliefBase([p, q])

    def broken(at_most, claims):
        return {name for name, _ in broken_postulates(base, claims, at_most)}

    assert broken(ranks(p=1, q=1, **{"p & q": 1, "true": 9}), [p, q]) == set()
    assert "EE2" in broken(ranks(p=2, q=1, **{"p | q": 1}), [p, p | q])
    assert "EE3" in broken(ranks(p=2, q=1, **{"p & q": 0}), [p, q])
    assert "EE4" in broken(ranks(p=1, r=1, true=9), [p, r])
    assert "EE5" in broken(ranks(p=1, q=1, **{"p & q": 1}), [p])
    assert "EE1" in broken(lambda one, other: (one, other) != (p, r), [p, q, r])


def test_levels_list_sentences_by_firmness():
    p, q, r = map(prop, "pqr")
    firm = Entrenchment(BeliefBase([Belief(p, "core"), Belief(q, "observed")]))
    assert firm.levels([r, q, p, p | q, p | ~p]) == ((p | ~p,), (p, p | q), (q,), (r,))
    assert repr(firm) == "<Entrenchment of <BeliefBase of 2 beliefs>>"
    assert ranked_base([], firm.at_most).size == 0

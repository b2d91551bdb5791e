"""Preorders over worlds: levels and ranks, ranked bases there and back, journals as bases."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, attr, forall, prop, relation
from agm.interning import FrozenNode
from agm.iterated import InvalidPreorder, Journal, Preorder, all_preorders, append, by_distance
from agm.iterated.conditionalisation import conditionalise
from agm.signature import Signature, SignatureTooLarge
from agm.theories import Theory
from tests.strategies.propositional import ATOMS, formulas, ranked
from tests.strategies.small_worlds import ORDERS, PAIR

P, Q = prop("p"), prop("q")


def test_all_orders_are_there_once():
    assert len(ORDERS) == len(set(ORDERS)) == 75
    assert [len(list(all_preorders(Signature(atoms)))) for atoms in ([], [P])] == [1, 3]
    three = Signature([attr("a", "n") == 1, attr("a", "n") == 2])
    assert len(list(all_preorders(three))) == 13


def test_ranks_and_degrees_are_read_off_the_levels():
    order = Preorder(PAIR, [0b1000, 0b0110, 0b0001], ranks=[0, 2, 7])
    assert order.theory == Theory(PAIR, P & Q)
    assert [order.rank(claim) for claim in (P, ~P, ~P & ~Q, 0)] == [0, 2, 7, float("inf")]
    assert [order.degree(claim) for claim in (P, P | Q, ~P, 15)] == [2, 7, 0, float("inf")]
    assert order.best(P ^ Q) == 0b0110
    assert order.best(0) == 0
    assert order.up_to(2) == 0b1110
    assert repr(order) == "<Preorder 0: p & q; 2: p & !q | !p & q; 7: !p & !q>"


def test_orders_of_a_theory():
    K = Theory(PAIR, P & Q)
    assert Preorder.of(K).levels == (0b1000, 0b0111)
    assert by_distance(K).levels == (0b1000, 0b0110, 0b0001)
    assert Preorder.flat(PAIR) == Preorder.of(Theory(PAIR, 15))


def test_they_are_frozen_values():
    order = conditionalise(Preorder.flat(PAIR), P, firmness=3)
    assert order.ranks == (0, 3)
    assert order != conditionalise(Preorder.flat(PAIR), P)
    assert order != "p"
    assert pickle.loads(pickle.dumps(order)) == order
    journal = append(Journal(PAIR), P)
    assert pickle.loads(pickle.dumps(journal)) == journal
    assert hash(journal) == hash(append(Journal(PAIR), 0b1010))
    assert repr(journal) == "<Journal 1: p>"
    for value in (order, journal):
        with pytest.raises(FrozenNode):
            value.signature = PAIR


@pytest.mark.parametrize(
    ("levels", "ranks", "reason"),
    [
        ([3], None, "2 worlds have no level"),
        ([3, 14], None, "level 1 has worlds of an earlier one"),
        ([3, 0, 12], None, "level 1 is empty"),
        ([], None, "4 worlds have no level"),
        ([3, 12], [0], "do not rise"),
        ([3, 12], [1, 2], "do not rise"),
        ([3, 12], [0, 0], "do not rise"),
    ],
)
def test_levels_that_order_nothing_are_refused(levels, ranks, reason):
    with pytest.raises(InvalidPreorder, match=reason):
        Preorder(PAIR, levels, ranks=ranks)


class TestBases:
    def test_degrees_are_those_of_the_base(self):
        seen: Counter[str] = Counter()
        atoms = list(map(prop, ATOMS))

        @settings(max_examples=80)
        @given(ranked, st.lists(formulas, min_size=1, max_size=4))
        def run(beliefs, claims):
            base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
            order = Preorder.from_base(base, also=atoms)
            clash = base.degree(Truth(False))
            if not clash:
                assert order.theory == Theory.of(*(b.claim for b in base), over=order.signature)
            for claim in [*claims, *(belief.claim for belief in base)]:
                assert order.degree(claim) + clash == base.degree(claim)
                seen["inconsistent" if clash else "consistent"] += order.degree(claim) > 0

        run()
        assert min(seen["consistent"], seen["inconsistent"]) >= 10, seen

    def test_there_and_back_is_the_same_order(self):
        for order in ORDERS:
            assert Preorder.from_base(order.to_base(), also=[P, Q]) == order

    def test_constraints_go_along(self):
        base = BeliefBase([P, Belief(Q, "observed")], constraints=[P >> Q])
        order = Preorder.from_base(base)
        assert order.degree(P >> Q) == float("inf")
        assert order.degree(Q) == base.degree(Q) == 5
        assert order.to_base().constraints == base.constraints
        again = Preorder.from_base(order.to_base())
        assert again.theory.texts() == order.theory.texts()

    def test_rules_count_by_their_instances(self):
        bird, flies = relation("bird", "tweety"), relation("flies", "tweety")
        rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
        base = BeliefBase([bird, Belief(rule, "documented")])
        order = Preorder.from_base(base)
        assert order.theory.entails(flies)
        assert order.degree(flies) == base.degree(flies) == 4

    def test_a_large_base_is_refused(self):
        base = BeliefBase([prop(f"p{number}") for number in range(13)])
        with pytest.raises(SignatureTooLarge):
            Preorder.from_base(base)

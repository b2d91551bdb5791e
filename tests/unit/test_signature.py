"""Signatures: worlds as numbers, claims as sets of worlds, and what is refused."""

from __future__ import annotations

import pickle
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm.claims import Truth, attr, forall, prop, relation
from agm.errors import ClaimTypeError, InconsistentConstraints, TypeClash
from agm.interning import FrozenNode
from agm.numbering import members
from agm.signature import OutsideSignature, Signature, SignatureTooLarge
from agm.theories import Theory, dalal, forbus, pma, satoh
from agm.vocabulary import Vocabulary
from tests.strategies.propositional import ATOMS, formulas, mask
from tests.strategies.small_worlds import PAIR, TRIPLE

TTL, MODE = attr("cache", "ttl"), attr("cache", "mode")
SLOTS = Signature([TTL == 300, TTL == 600, prop("warm"), relation("likes", "anna", "tea")])


@given(formulas)
def test_the_worlds_of_a_claim_are_those_of_its_truth_table(claim):
    over = Signature(map(prop, ATOMS))
    assert over.worlds(claim) == mask(claim)


@given(st.integers(0, 255))
def test_every_set_of_worlds_has_a_claim(worlds):
    assert TRIPLE.worlds(TRIPLE.claim(worlds)) == worlds
    assert TRIPLE.worlds(worlds) == worlds


def test_a_slot_has_one_value_at_a_time():
    assert SLOTS.everywhere.bit_count() == 3 * 2 * 2
    assert not SLOTS.worlds((TTL == 300) & (TTL == 600))
    neither = SLOTS.worlds(~(TTL == 300) & ~(TTL == 600))
    assert neither.bit_count() == 4
    assert SLOTS.worlds(SLOTS.claim(neither)) == neither


def test_bounds_and_enums_shape_the_cells():
    bounds = Signature([TTL < 10, TTL > 20])
    assert not bounds.worlds((TTL < 10) & (TTL > 20))
    assert bounds.everywhere.bit_count() == 3
    modes = Vocabulary().declare("mode", "enum", values=("on", "off"))
    switch = Signature([MODE == "on", MODE == "off"], vocabulary=modes)
    assert switch.everywhere.bit_count() == 2
    with pytest.raises(TypeClash):
        switch.worlds(MODE == 3)


def test_constraints_leave_worlds_out():
    p, q = prop("p"), prop("q")
    ruled = Signature([p, q], constraints=[p >> q])
    assert ruled.everywhere.bit_count() == 3
    assert ruled.worlds(p) == ruled.worlds(p & q)
    assert str(ruled.claim(ruled.worlds(p & q))) == "p"
    assert ruled.claim(ruled.everywhere) is Truth(True)
    assert ruled != Signature([p, q])
    with pytest.raises(OutsideSignature):
        ruled.worlds(0b0010)
    with pytest.raises(InconsistentConstraints):
        Signature([p], constraints=[p, ~p])


def test_a_signature_of_nothing_has_one_world():
    empty = Signature([])
    assert empty.everywhere == 1
    assert (empty.worlds(Truth(False)), empty.worlds(Truth(True))) == (0, 1)
    assert Theory.of().consistent


def test_signatures_are_frozen_values():
    again = pickle.loads(pickle.dumps(SLOTS))
    assert again == SLOTS
    assert again != PAIR
    assert hash(again) == hash(SLOTS)
    assert again.worlds(TTL == 300) == SLOTS.worlds(TTL == 300)
    assert repr(PAIR) == "<Signature p, q: 4 worlds>"
    with pytest.raises(FrozenNode):
        again.everywhere = 1


class TestRefusals:
    def test_too_many_atoms_name_the_limit_and_the_way_out(self):
        many = [prop(f"p{number}") for number in range(13)]
        assert Signature(many[:12]).everywhere.bit_count() == 4096
        with pytest.raises(SignatureTooLarge, match=r"at most 12.*BeliefBase") as caught:
            Signature(many)
        assert (caught.value.found, caught.value.cap) == (13, 12)

    def test_what_the_signature_does_not_speak_of(self):
        with pytest.raises(OutsideSignature, match="does not speak of it") as caught:
            PAIR.worlds(prop("r"))
        assert caught.value.asked is prop("r")
        for worlds in (16, -1):
            with pytest.raises(OutsideSignature, match="no such worlds"):
                PAIR.worlds(worlds)
        with pytest.raises(OutsideSignature):
            SLOTS.worlds(TTL == 900)

    def test_rules_comparisons_of_slots_and_what_is_no_claim(self):
        rule = forall(lambda x: relation("penguin", x) >> ~relation("flies", x))
        with pytest.raises(ClaimTypeError, match="written_out"):
            Signature([rule])
        with pytest.raises(ClaimTypeError, match="written_out"):
            PAIR.worlds(rule)
        with pytest.raises(ClaimTypeError, match="several slots"):
            Signature([attr("a", "n") < attr("b", "n")])
        with pytest.raises(ClaimTypeError, match="give a claim"):
            PAIR.worlds("p")


class TestDistance:
    @pytest.mark.parametrize("over", [TRIPLE, SLOTS], ids=["atoms", "slots"])
    def test_balls_count_the_symbols_that_change(self, over):
        for world in members(over.everywhere):
            balls = list(over.balls(1 << world))
            assert balls[-1] == over.everywhere
            assert all(inner & ~outer == 0 for inner, outer in pairwise(balls))
            for radius, ball in enumerate(balls):
                for other in members(over.everywhere):
                    near = over.change(world, other).bit_count() <= radius
                    assert bool(ball >> other & 1) == near
        assert list(over.balls(0)) == []

    def test_distance_passes_through_impossible_worlds(self):
        p, q = prop("p"), prop("q")
        either = Signature([p, q], constraints=[p ^ q])
        assert [ball.bit_count() for ball in either.balls(either.worlds(p))] == [1, 1, 2]

    @pytest.mark.parametrize("over", [TRIPLE, SLOTS], ids=["atoms", "slots"])
    @given(data=st.data())
    def test_operators_follow_their_definitions(self, over, data):
        sets = st.integers(1, over.everywhere)
        K, a = data.draw(sets), data.draw(sets)
        pairs = list(product(members(K), members(a)))
        change = {pair: over.change(*pair) for pair in pairs}

        def least(pair, others, *, inside):
            mine = change[pair]
            if inside:
                return not any(change[o] & ~mine == 0 and change[o] != mine for o in others)
            return all(mine.bit_count() <= change[o].bit_count() for o in others)

        def result(*, inside, alone):
            found = 0
            for pair in pairs:
                rivals = [o for o in pairs if o[0] == pair[0]] if alone else pairs
                found |= (1 << pair[1]) * least(pair, rivals, inside=inside)
            return found

        theory = Theory(over, K)
        assert pma(theory, a).worlds == result(inside=True, alone=True)
        assert forbus(theory, a).worlds == result(inside=False, alone=True)
        assert satoh(theory, a).worlds == result(inside=True, alone=False)
        assert dalal(theory, a).worlds == result(inside=False, alone=False)


class TestTheories:
    def test_sets_of_sentences(self):
        p, q = prop("p"), prop("q")
        K = Theory.of(p, p >> q)
        assert K.complete
        assert K.entails(q)
        assert not K.entails(~q)
        assert K.includes(Theory(K.signature, q))
        assert not Theory(K.signature, q).includes(K)
        assert str(K.common(Theory(K.signature, ~p & q)).claim) == "q"
        assert not K.expand(~p).consistent
        assert K.texts() == ["11"]
        assert repr(K) == "<Theory p & q>"

    def test_many_worlds_are_shown_by_their_number(self):
        many = Signature([prop(f"p{number}") for number in range(12)])
        scattered = Theory(many, sum(1 << world for world in range(0, 4096, 7)))
        assert repr(scattered) == "<Theory 586 worlds>"

    def test_they_are_frozen_values(self):
        K = Theory.of(prop("p"))
        with pytest.raises(FrozenNode):
            K.worlds = 3
        same = Theory.of(prop("p"))
        assert (same == K, hash(K) == hash(same), K != "p") == (True, True, True)
        assert pickle.loads(pickle.dumps(K)) == K

    def test_impossible_inputs_end_in_the_inconsistent_theory(self):
        K = Theory.of(prop("p"))
        for operator in (dalal, satoh, pma, forbus):
            assert not operator(K, Truth(False)).consistent
            assert operator(K, Truth(True)) == K

    def test_nothing_but_the_input_follows_a_contradiction_in_revision_only(self):
        broken = Theory.of(prop("p"), ~prop("p"))
        assert [str(r(broken, prop("p")).claim) for r in (dalal, satoh, pma, forbus)] == [
            *("p", "p"),
            *("false", "false"),
        ]

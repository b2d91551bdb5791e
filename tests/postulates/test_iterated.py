"""Iterated revision: C1-C4 of Darwiche and Pearl (1997), Independence, CB and D.

All 75 orders of the four worlds over p and q, with all pairs of inputs that can be true. `B` is
what is believed after β alone, `A` after α alone, `AB` after α and then β.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm.errors import InvalidValue
from agm.iterated import (
    OPERATORS,
    Journal,
    Preorder,
    append,
    bullet,
    conditionalise,
    delete_on_write,
    in_turn,
    lexicographic,
    reassert,
    reassert_lowering,
)
from agm.revision import ImpossibleClaim
from tests.strategies.small_worlds import INPUTS, NIGHTLY, ORDERS, PAIR, TRIPLE, theory


def c1(a, b, A, B, AB):
    """A more specific input overrides a less specific one: β ⊢ α ⇒ (Ψ*α)*β ≡ Ψ*β."""
    return b & ~a or AB == B


def c2(a, b, A, B, AB):
    """An input that denies the one before overrides it: β ⊢ ¬α ⇒ (Ψ*α)*β ≡ Ψ*β."""
    return b & a or AB == B


def c3(a, b, A, B, AB):
    """What β alone would make believed is not lost by hearing it first: Ψ*β ⊢ α ⇒ AB ⊢ α."""
    return B & ~a or not AB & ~a


def c4(a, b, A, B, AB):
    """What β alone would not deny is not denied after hearing it first: Ψ*β ⊬ ¬α ⇒ AB ⊬ ¬α."""
    return not B & a or AB & a


def independence(a, b, A, B, AB):
    """Independence (P): what β alone would not deny is believed: Ψ*β ⊬ ¬α ⇒ AB ⊢ α."""
    return not B & a or not AB & ~a


def cb(a, b, A, B, AB):
    """An input that α makes disbelieved wipes α out: Ψ*α ⊢ ¬β ⇒ AB ≡ Ψ*β."""
    return A & b or AB == B


def d(a, b, A, B, AB):
    """Inputs that count against each other: Ψ*α ⊢ ¬β and Ψ*β ⊢ ¬α ⇒ AB ⊢ ¬α."""
    return A & b or B & a or not AB & a


HOLDS = {
    "natural": (c1, c2, c3, c4, cb, d),
    "lexicographic": (c1, c2, c3, c4, independence),
    "restrained": (c1, c2, c3, c4, independence, d),
    "bullet": (c1, c2, c3, c4, independence),
    "Spohn": (c1, c2),
    "Dalal": (c3,),
    "Satoh": (c3,),
    "amnesic": (c1, c3, c4),
}
FAILS = [  # levels of the order, most plausible first, and two inputs
    ("natural", independence, (1, 14), 3, 6),
    ("lexicographic", cb, (1, 14), 3, 6),
    ("lexicographic", d, (3, 12), 5, 6),
    ("restrained", cb, (1, 14), 3, 6),
    ("bullet", cb, (1, 14), 3, 6),
    ("bullet", d, (3, 12), 5, 6),
    ("Spohn", c3, (1, 2, 12), 3, 6),
    ("Spohn", c4, (1, 2, 12), 7, 12),
    ("Spohn", independence, (1, 14), 3, 6),
    ("Spohn", cb, (3, 12), 5, 6),
    ("Spohn", d, (3, 12), 5, 6),
    *(
        (name, law, levels, a, b)
        for name in ("Dalal", "Satoh")
        for law, levels, a, b in [
            (c1, (3, 12), 13, 12),
            (c2, (15,), 1, 10),
            (c4, (3, 12), 6, 12),
            (independence, (1, 14), 3, 6),
            (cb, (15,), 1, 10),
            (d, (1, 14), 10, 9),
        ]
    ),
    ("amnesic", c2, (1, 14), 2, 5),
    ("amnesic", independence, (1, 14), 3, 6),
    ("amnesic", cb, (1, 14), 2, 5),
    ("amnesic", d, (3, 12), 5, 6),
]


def believed(state):
    return state.theory.worlds


def facts(operator, state, a, b, *, then=None):
    """What the laws speak of; the second input may be taken in by another operator."""
    then = then or operator
    after = operator(state, a)
    return a, b, believed(after), believed(then(state, b)), believed(then(after, b))


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_keep_what_the_table_credits_them_with(name):
    operator, changed = OPERATORS[name], 0
    for order in ORDERS:
        alone = {b: operator(order, b) for b in INPUTS}
        for a, b in product(INPUTS, INPUTS):
            after = alone[a]
            A, B, AB = after.levels[0], alone[b].levels[0], operator(after, b).levels[0]
            changed += AB != B
            broken = [law.__name__ for law in HOLDS[name] if not law(a, b, A, B, AB)]
            assert not broken, (order.levels, a, b, broken)
    assert changed > 500


@pytest.mark.parametrize(("name", "law", "levels", "a", "b"), FAILS)
def test_operators_break_what_they_are_known_to_break(name, law, levels, a, b):
    assert not law(*facts(OPERATORS[name], Preorder(PAIR, levels), a, b))


def test_the_table_says_of_each_law_whether_it_holds():
    laws = {c1, c2, c3, c4, independence, cb, d}
    for name in OPERATORS:
        assert laws == {*HOLDS[name], *(law for of, law, *_ in FAILS if of == name)}


def test_dalal_loses_c3_with_a_third_atom():
    """Over two atoms no counterexample exists; this one shows that it is no law of the operator."""
    for name in ("Dalal", "Satoh"):
        start = Preorder.of(theory(72, TRIPLE))
        assert not c3(*facts(OPERATORS[name], start, 210, 3))


@pytest.mark.parametrize("name", OPERATORS)
def test_one_step_is_a_revision_of_katsuno_and_mendelzon(name):
    """R1-R6; R4 holds by construction."""
    operator = OPERATORS[name]
    for order in ORDERS:
        after = {a: operator(order, a).levels[0] for a in INPUTS}
        for a, b in product(INPUTS, INPUTS):
            K, R = order.levels[0], after[a]
            assert R
            assert not R & ~a
            assert not K & a or K & a == R
            assert not R & b or after[a & b] == R & b  # R5 and R6


@pytest.mark.parametrize("name", OPERATORS)
def test_a_tautology_is_believed_already_and_a_contradiction_never(name):
    for order in ORDERS[::5]:
        assert OPERATORS[name](order, 15).theory == order.theory
        with pytest.raises(ImpossibleClaim, match="false"):
            OPERATORS[name](order, 0)


@pytest.mark.parametrize("firmness", [1, 2, 5])
def test_firmness_is_the_rank_of_the_denial(firmness):
    for order in ORDERS:
        for a in INPUTS:
            ranked = conditionalise(order, a, firmness=firmness)
            assert ranked.degree(a) == (firmness if a != 15 else float("inf"))
            raised = bullet(order, a, firmness=firmness)
            assert a == 15 or raised.degree(a) == order.rank(15 & ~a) + firmness


def test_conditionalisation_can_be_undone():
    """Spohn 1988: back with the firmness that was there before."""
    for order in ORDERS:
        for a in range(1, 15):
            if order.degree(a):
                there = conditionalise(order, 15 & ~a, firmness=3)
                assert conditionalise(there, a, firmness=order.degree(a)) == order


@pytest.mark.parametrize("firmness", [0, -1, 1.5, True])
def test_a_firmness_that_is_none_is_refused(firmness):
    for operator in (bullet, conditionalise):
        with pytest.raises(InvalidValue, match="whole number"):
            operator(ORDERS[0], 1, firmness=firmness)


class TestJournals:
    def test_keeping_all_is_lexicographic_revision(self):
        for told in (
            product(INPUTS, repeat=3) if NIGHTLY else product(INPUTS, (3, 6, 9, 11), INPUTS)
        ):
            journal, order = Journal(PAIR), Preorder.flat(PAIR)
            for claim in told:
                journal, order = append(journal, claim), lexicographic(order, claim)
                assert journal.theory == order.theory
            assert journal.preorder == order

    @given(st.lists(st.integers(1, 255), max_size=8))
    def test_keeping_all_is_lexicographic_revision_over_three_atoms(self, told):
        journal = in_turn(append, told, start=Journal(TRIPLE))
        assert journal.preorder == in_turn(lexicographic, told, start=Preorder.flat(TRIPLE))
        assert journal.theory == journal.preorder.theory

    def test_deleting_on_write_breaks_c1_and_c2_and_keeps_the_rest(self):
        told = Journal(PAIR, [(1, 8)])  # p ∧ q
        assert not c2(*facts(delete_on_write, told, 5, 10))  # ¬p, then p: q does not come back
        assert c2(*facts(append, told, 5, 10))
        told = Journal(PAIR, [(1, 3), (1, 5)])  # ¬q, ¬p; then p ∨ q, then p: ¬q is gone
        assert not c1(*facts(delete_on_write, told, 14, 10))
        assert c1(*facts(append, told, 14, 10))
        self.search(delete_on_write, (c3, c4, independence), ranks=(1,))

    def test_keeping_all_satisfies_independence_and_not_cb_or_d(self):
        self.search(append, (c1, c2, c3, c4, independence), ranks=(1,))
        assert not cb(*facts(append, Journal(PAIR, [(1, 1)]), 3, 6))
        assert not d(*facts(append, Journal(PAIR, [(1, 3)]), 5, 6))

    @pytest.mark.parametrize("rank", [1, 2, 3])
    @pytest.mark.parametrize("write", [append, reassert])
    def test_any_rank_will_do_as_long_as_none_is_lowered(self, write, rank):
        def at_rank(journal, claim):
            return write(journal, claim, rank=rank)

        self.search(at_rank, (c1, c2, c3, c4, independence), ranks=(1, 2, 3), then=on_top(write))

    def test_lowering_a_rank_breaks_c3_c4_and_independence(self):
        told = Journal(PAIR, [(3, 10), (2, 5)])  # p, and less firmly ¬p; then p at rank 1, then q
        case = facts(reassert_lowering, told, 10, 12, then=on_top(reassert_lowering))
        assert c1(*case)
        assert [law(*case) for law in (c3, c4, independence)] == [False, 0, False]
        case = facts(reassert, told, 10, 12, then=on_top(reassert))
        assert all(law(*case) for law in (c1, c2, c3, c4, independence))

    def test_a_contradiction_is_not_written(self):
        for write in (append, reassert, reassert_lowering, delete_on_write):
            with pytest.raises(ImpossibleClaim):
                write(Journal(PAIR), 0)

    @staticmethod
    def search(write, laws, *, ranks, then=None):
        """Random journals; half of the inputs were told before."""
        random, again = Random(11), 0
        for _ in range(20_000 if NIGHTLY else 700):
            told = [
                (random.choice(ranks), random.choice(INPUTS)) for _ in range(random.randint(1, 4))
            ]
            before = random.random() < 0.5
            a = random.choice(told)[1] if before else random.choice(INPUTS)
            case = facts(write, Journal(PAIR, told), a, random.choice(INPUTS), then=then)
            again += before
            assert all(law(*case) for law in laws), (told, case)
        assert again > 200


def on_top(write):
    """Writing above every rank of the tests, so that success holds."""

    def run(journal, claim):
        return write(journal, claim, rank=9)

    return run

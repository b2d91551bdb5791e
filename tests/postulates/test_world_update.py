"""Update and erasure of theories: U1-U9 and E1-E8 of Katsuno and Mendelzon (1991).

All theories and inputs over p and q, and a seeded search over p, q and r. U4 and E4 hold by
construction: a theory is a set of worlds and so is an input.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import attr, prop
from agm.errors import NotDecided
from agm.revision import ImpossibleClaim
from agm.signature import Signature
from agm.theories import REVISIONS, UPDATES, Theory, erasure
from agm.update import erase, update
from tests.strategies.propositional import ATOMS, formulas, ranked
from tests.strategies.small_worlds import PAIR, TRIPLE, draws, remembering

OPERATORS = {**UPDATES, **REVISIONS}
LAWS = {
    "U1": lambda u, every, K, a, b: not u(K, a) & ~a,
    "U2": lambda u, every, K, a, b: K & ~a or u(K, a) == K,
    "U3": lambda u, every, K, a, b: not K or not a or u(K, a),
    "U5": lambda u, every, K, a, b: not u(K, a) & b & ~u(K, a & b),
    "U6": lambda u, every, K, a, b: u(K, a) & ~b or u(K, b) & ~a or u(K, a) == u(K, b),
    "U7": lambda u, every, K, a, b: not one(K) or not u(K, a) & u(K, b) & ~u(K, a | b),
    "U8": lambda u, every, K, a, b: u(K | b, a) == u(K, a) | u(b, a),
    "U9": lambda u, every, K, a, b: (
        not one(K) or not u(K, a) & b or not u(K, a & b) & ~(u(K, a) & b)
    ),
    "E1": lambda u, every, K, a, b: not K & ~gone(u, every, K, a),
    "E2": lambda u, every, K, a, b: K & a or gone(u, every, K, a) == K,
    "E3": lambda u, every, K, a, b: not K or a == every or gone(u, every, K, a) & ~a,
    "E5": lambda u, every, K, a, b: not gone(u, every, K, a) & a & ~K,
    "E8": lambda u, every, K, a, b: (
        gone(u, every, K | b, a) == gone(u, every, K, a) | gone(u, every, b, a)
    ),
    "vacuity": lambda u, every, K, a, b: not K & a or u(K, a) == K & a,
    "K*8": lambda u, every, K, a, b: not u(K, a) & b or not u(K, a & b) & ~(u(K, a) & b),
    "consistency": lambda u, every, K, a, b: not a or u(K, a),
}
UPDATE = {"U1", "U2", "U3", "U5", "U6", "U7", "U8", "E1", "E2", "E3", "E5", "E8"}
REVISION = {"U1", "U3", "U5", "U6", "U7", "vacuity", "consistency", "E1", "E3", "E5"}
HOLDS = {
    "PMA": UPDATE,
    "Forbus": UPDATE | {"U9"},
    "Dalal": REVISION | {"U9", "K*8"},
    "Satoh": REVISION,
}
FAILS = [  # the signature, a theory and two inputs
    ("PMA", "U9", TRIPLE, (1, 38, 36)),
    *(
        (name, law, PAIR, case)
        for name in UPDATES
        for law, case in [("vacuity", (3, 6, 0)), ("K*8", (3, 7, 6)), ("consistency", (0, 1, 0))]
    ),
    *(
        (name, law, PAIR, case)
        for name in REVISIONS
        for law, case in [
            ("U2", (0, 1, 0)),
            ("U8", (0, 3, 1)),
            ("E2", (0, 0, 0)),
            ("E8", (0, 0, 1)),
        ]
    ),
    # The same with consistent theories: a disjunction is not revised case by case.
    ("Dalal", "U8", TRIPLE, (34, 9, 129)),
    ("Dalal", "E8", TRIPLE, (4, 108, 34)),
    ("Satoh", "U8", TRIPLE, (36, 80, 106)),
    ("Satoh", "E8", TRIPLE, (20, 20, 34)),
    ("Satoh", "K*8", TRIPLE, (2, 137, 227)),
    ("Satoh", "U9", TRIPLE, (2, 137, 227)),
]


def one(worlds):
    return worlds.bit_count() == 1


def gone(u, every, K, a):
    """Erasure by its definition."""
    return K | u(K, every & ~a)


def broken(operator, name, every, case):
    return sorted(law for law in HOLDS[name] if not LAWS[law](operator, every, *case))


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_keep_their_postulates_over_two_atoms(name):
    operator = remembering(OPERATORS[name])
    for case in product(range(16), repeat=3):
        assert not broken(operator, name, PAIR.everywhere, case), case


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_keep_their_postulates_over_three_atoms(name):
    operator = remembering(OPERATORS[name], TRIPLE)
    for case in draws(700, seed=5):
        assert not broken(operator, name, TRIPLE.everywhere, case), case


@pytest.mark.parametrize(("name", "law", "over", "case"), FAILS)
def test_operators_break_what_they_are_known_to_break(name, law, over, case):
    operator = remembering(OPERATORS[name], over)
    assert not LAWS[law](operator, over.everywhere, *case)


def test_the_tables_leave_no_law_out():
    for name in OPERATORS:
        assert HOLDS[name] | {law for of, law, *_ in FAILS if of == name} == set(LAWS)


def test_erasure_is_by_its_definition():
    for name, operator in UPDATES.items():
        u, erased = remembering(operator), remembering(erasure(operator))
        for K, a in product(range(16), repeat=2):
            assert erased(K, a) == gone(u, 15, K, a), (name, K, a)


def meaning(base, over):
    return Theory.of(*(belief.claim for belief in base), *base.constraints, over=over)


def test_the_update_of_a_base_is_the_possible_models_approach():
    seen: Counter[str] = Counter()
    over = Signature([prop(atom) for atom in ATOMS])

    @settings(max_examples=120)
    @given(ranked, formulas)
    def run(beliefs, claim):
        base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        before = meaning(base, over)
        try:
            after = meaning(update(base, claim).after, over)
        except (ImpossibleClaim, NotDecided):
            assert not before.consistent or not over.worlds(claim)
            seen["refused"] += 1
            return
        if before.consistent:
            assert after == UPDATES["PMA"](before, claim)
            erased = meaning(erase(base, claim).after, over)
            assert erased == erasure(UPDATES["PMA"])(before, claim)
            seen["moved"] += after.worlds != before.worlds

    run()
    assert seen["moved"] >= 15, seen


def test_the_update_of_slots_is_the_possible_models_approach():
    """A change is counted in slots, whatever the values between which it moves."""
    ttl, host, warm = attr("cache", "ttl"), attr("cache", "host"), prop("warm")
    one, two = ttl == 300, ttl == 600
    parts = [one, two, host == "a", warm, one >> warm, two | (host == "a"), ~two, ~warm]
    seen: Counter[str] = Counter()

    @settings(max_examples=80)
    @given(
        st.lists(st.sampled_from(parts), min_size=1, max_size=4, unique=True),
        st.sampled_from(parts),
    )
    def run(held, claim):
        over = Signature(parts)
        base = BeliefBase(held)
        before = meaning(base, over)
        if before.consistent:
            after = meaning(update(base, claim).after, over)
            assert after == UPDATES["PMA"](before, claim)
            seen["moved"] += after != before.expand(claim)

    run()
    assert seen["moved"] >= 5, seen

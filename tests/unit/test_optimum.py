"""The lexicographic optimum: equal to enumeration, and never believed without proof."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agm.optimum
from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, attr, prop
from agm.contraction import lexcard_maxichoice, lexcard_meet, maxichoice, partial_meet
from agm.errors import NotDecided
from agm.selection import most_by_rank
from agm.solver import Switchboard
from agm.vocabulary import Vocabulary

CLASSES = ("asserted", "documented", "observed")
NUMBERS = [attr(f"e{place}", "n") for place in range(4)]
WHOLE = Vocabulary().declare("n", "int")
never = Truth(False)

bounds = st.builds(
    lambda one, other, gap, up: one - other <= gap if up else one - other >= gap,
    st.sampled_from(NUMBERS[:2]),
    st.sampled_from(NUMBERS[2:]),
    st.integers(-2, 2),
    st.booleans(),
)
conflicts = st.lists(
    st.tuples(bounds, st.sampled_from(CLASSES)), min_size=4, max_size=9, unique_by=lambda b: b[0]
)


@pytest.mark.parametrize("many", [0, 150])
def test_the_optimum_is_the_best_of_all_remainders(monkeypatch, many):
    monkeypatch.setattr(agm.optimum, "_MANY", many)
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(conflicts, st.just(never) | bounds)
    def run(beliefs, goal):
        base = BeliefBase([Belief(claim, of) for claim, of in beliefs], vocabulary=WHOLE)
        best = maxichoice(lambda found: next(iter(most_by_rank(found))))(base, goal)
        one = lexcard_maxichoice(base, goal)
        assert {b.id for b in one.after} == {b.id for b in best.after}
        common = lexcard_meet(base, goal)
        assert {b.id for b in common.after} == {
            b.id for b in partial_meet(most_by_rank)(base, goal).after
        }
        seen["kept whole"] += goal is not never and not base.entails(goal)
        seen["lost"] += bool(one.given_up)
        seen["several"] += len(one.given_up) > 1
        seen["ties"] += len(common.given_up) > len(one.given_up)

    run()
    assert seen["lost"] >= 10, seen
    assert min(seen["several"], seen["ties"]) >= 2, seen
    assert seen["kept whole"] >= 5, seen


def test_a_large_part_that_does_not_entail_the_claim_loses_nothing():
    links = [prop(f"c{n}") >> prop(f"c{n + 1}") for n in range(agm.optimum._MANY + 10)]
    base = BeliefBase(links)
    assert lexcard_maxichoice(base, prop("c5")).given_up == ()
    (loss,) = lexcard_maxichoice(base, prop("c0") >> prop("c5")).given_up
    assert loss.belief.claim is links[4]


def crossed(count=5):
    """Beliefs of which each excludes the next: cores overlap, so disjoint ones prove too little."""
    p = [prop(f"p{place}") for place in range(count)]
    laws = [~(p[place] & p[(place + 1) % count]) for place in range(count)]
    return BeliefBase(
        [Belief(one, id=f"b{place}") for place, one in enumerate(p)], constraints=laws
    )


def test_counts_that_overlapping_conflicts_prove_are_proved_too():
    change = lexcard_maxichoice(crossed(), never)
    assert sorted(b.id for b in change.after) == ["b0", "b2"]
    assert [b.id for b in lexcard_meet(crossed(), never).after] == []


@pytest.mark.parametrize("counts", [[1], [3], [5], [0]])
def test_an_optimizer_that_errs_is_not_believed(monkeypatch, counts):
    monkeypatch.setattr(Switchboard, "most", lambda *_: (counts, ""))
    for operator in (lexcard_maxichoice, lexcard_meet):
        with pytest.raises(NotDecided, match="does not confirm"):
            operator(crossed(), never)


def test_an_optimum_that_is_not_found_gives_nothing_up(monkeypatch):
    monkeypatch.setattr(Switchboard, "most", lambda *_: (None, "the optimizer gave up: tired"))
    with pytest.raises(NotDecided, match="tired"):
        lexcard_maxichoice(crossed(), never)
    monkeypatch.undo()
    monkeypatch.setattr(Switchboard, "ask", lambda *_, **__: (None, "the solver gave up: tired"))
    with pytest.raises(NotDecided, match="tired"):
        lexcard_meet(crossed(), never)


def test_a_fault_of_the_solver_gives_nothing_up(monkeypatch):
    from agm.solver import z3_exception

    def fail(*_, **__):
        raise z3_exception()("out of memory")

    for name in ("__init__", "most", "ask"):
        with monkeypatch.context() as patched:
            patched.setattr(Switchboard, name, fail)
            with pytest.raises(NotDecided, match="out of memory"):
                lexcard_meet(crossed(), never)


def test_the_order_of_telling_does_not_decide_among_named_beliefs():
    names = list(crossed())
    shuffled = names[:]
    random.Random(3).shuffle(shuffled)
    again = BeliefBase(shuffled, constraints=crossed().constraints)
    assert {b.id for b in lexcard_maxichoice(again, never).after} == {"b0", "b2"}


def test_a_core_that_is_none_proves_nothing(monkeypatch):
    nothing = property(lambda _: frozenset(), lambda *_: None)
    monkeypatch.setattr(Switchboard, "core", nothing, raising=False)
    assert sorted(b.id for b in lexcard_maxichoice(crossed(), never).after) == ["b0", "b2"]

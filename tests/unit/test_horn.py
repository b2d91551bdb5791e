"""The kept state of unit propagation: the same beliefs stay as by asking about each from the start."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, attr, disjoin, prop, relation
from agm.consolidation import consolidate
from agm.contraction import contract
from agm.contraction.linear import preferred
from agm.domains import domains
from agm.problem import Problem
from agm.turns import kept_in_turn
from agm.vocabulary import Vocabulary

ATOMS = [prop(name) for name in "pqr"] + [relation("on", "x"), relation("at", "x", 1)]
SLOTS = [attr(name, "level") for name in "ab"]
literals = st.one_of(
    st.sampled_from(ATOMS),
    st.builds(
        lambda slot, value: slot == value, st.sampled_from(SLOTS), st.sampled_from([1, 2, "1"])
    ),
)
rules = st.one_of(
    st.builds(lambda one, other: one >> other, literals, literals),
    st.builds(lambda one, two, other: one & two >> other, literals, literals, literals),
    st.builds(lambda one, two, other: (one & two) >> other, literals, literals, literals),
    st.builds(lambda one, other: ~(one & other), literals, literals),
    st.builds(lambda one, two, other: one >> (two & other), literals, literals, literals),
    st.builds(lambda one, two: disjoin([~one, two]), literals, literals),
)
claims = st.one_of(literals, literals, literals.map(lambda one: ~one), rules, rules, rules)


def test_what_is_kept_is_what_is_kept_by_looking_at_everything_each_time():
    seen: Counter[str] = Counter()
    domain = domains(None)

    @settings(max_examples=300)
    @given(st.lists(claims, max_size=3), st.lists(claims, min_size=4, max_size=9))
    def run(fixed, others):
        found = kept_in_turn(fixed, others, domain)
        problem = Problem(domain)
        for claim in fixed:
            problem.add(claim)
        impossible = problem.solve().satisfiable is False
        if found is None:
            seen["not told"] += 1
            return
        assert not impossible
        assert found == (preferred(problem, others)[0], "horn")
        found = found[0]
        seen["some lost"] += not all(found)
        seen["several lost"] += found.count(False) > 1
        seen["all kept"] += all(found)

    run()
    assert min(seen["some lost"], seen["several lost"], seen["all kept"]) >= 10, seen


def test_a_torn_base_is_mended_as_the_solver_mends_it(monkeypatch):
    seen: Counter[str] = Counter()
    classes = st.sampled_from(["core", "asserted", "observed"])
    tellings = st.lists(st.tuples(claims, classes), min_size=4, max_size=10)

    @settings(max_examples=200)
    @given(tellings, st.lists(rules, max_size=1))
    def run(told, laws):
        assume(not laws or not BeliefBase(laws).bad())
        base = BeliefBase([Belief(claim, of) for claim, of in told], constraints=laws)
        quick = consolidate(base)
        with monkeypatch.context() as patched:
            patched.setattr("agm.consolidation.kept_in_turn", lambda *_: None)
            patched.setattr("agm.contraction.linear.first_kernel", lambda *_: None)
            patched.setattr("agm.problem.Problem._by_cases", lambda *_: None)
            slow = consolidate(base)
            expected = [(loss.belief, loss.kernel) for loss in slow.given_up]
        assert [(loss.belief, tuple(loss.kernel)) for loss in quick.given_up] == expected
        assert not quick.after.bad()
        assert {belief.id for belief in quick.after} == {belief.id for belief in slow.after}
        seen["horn"] += quick.route == "horn" and bool(quick.given_up)
        seen["by the solver"] += slow.route == "z3" and bool(slow.given_up)

    run()
    assert min(seen["horn"], seen["by the solver"]) >= 10, seen


def test_what_a_lost_belief_led_to_is_taken_back():
    p, q, r, s = (prop(name) for name in "pqrs")
    chain = [p >> q, q >> r, p, q, s >> r]
    assert kept_in_turn([~r], chain, domains(None)) == (
        [True, True, False, False, True],
        "horn",
    )
    assert kept_in_turn([~r], [p & q & (p >> r), q, p], domains(None)) == (
        [False, True, True],
        "horn",
    )


def test_it_is_left_to_others_what_is_not_horn():
    p, q = prop("p"), prop("q")
    level, whole = attr("a", "level"), attr("a", "level", of=int)
    kinds = Vocabulary().declare("level", "bool").declare("mode", "enum", values=["on", "off"])
    for odd in (
        p | q,
        p.iff(~q),
        whole > 3,
        level.isin(1, 2),
        whole + attr("b", "level", of=int) > 3,
    ):
        assert kept_in_turn([], [p >> q, odd], domains(None)) is None
    assert kept_in_turn([], [p >> q, level == True], domains(kinds)) is None  # noqa: E712  (a claim)
    assert kept_in_turn([], [p >> q, attr("a", "mode") == "on"], domains(kinds)) is None
    assert kept_in_turn([], [p, ~q], domains(None)) is None
    assert kept_in_turn([p, ~p], [p >> q], domains(None)) is None


def test_a_value_that_is_told_and_denied_is_one_value():
    p, level = prop("p"), attr("a", "level")
    claims = [p >> (level == 1), level != 2, p, level != 1, level == 2, level == "1"]
    kept = [True, True, True, False, False, False]
    assert kept_in_turn([], claims, domains(None)) == (kept, "horn")


def test_truths_take_part():
    p, q = prop("p"), prop("q")
    kept = kept_in_turn([], [p >> q, Truth(True), Truth(False), ~q], domains(None))
    assert kept == ([True, True, False, True], "horn")


def test_a_contraction_goes_this_way_and_is_certified():
    stages = [attr("job", f"stage{place}") == "on" for place in range(30)]
    steps = [one >> other for one, other in pairwise(stages)]
    base = BeliefBase([Belief(stages[0], "inferred"), *steps])
    change = contract(base, stages[-1])
    (loss,) = change.given_up
    assert (change.route, loss.belief.claim) == ("horn", stages[0])
    assert len(loss.kernel) == 29
    assert not change.after.entails(stages[-1])
    assert change.after.entails(stages[0] >> stages[-1])

"""The linear preferred subtheory: the same result by every way of computing it; kernels."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import attr, negate, prop, relation
from agm.consolidation import consolidate
from agm.contraction import contract, preferred
from agm.domains import domains
from agm.encoding import Encoder
from agm.enumeration import Stream, explore
from agm.errors import NotDecided
from agm.kernels import kernel
from agm.problem import Problem
from agm.solver import Budget, Session
from tests.strategies.propositional import entailed, entails, formulas, mask, ranked, subsets
from tests.strategies.typed import admitted, batches, claims


def plainly(claims, goal, domain):
    """Keep each claim that, with those kept before, leaves the goal open: z3 alone decides."""
    kept, flags = [], []
    for claim in claims:
        session = Session(Encoder(domain), Budget())
        answer, _ = session.ask([*kept, claim, negate(goal)])
        session.close()
        flags.append(answer)
        if answer:
            kept.append(claim)
    return flags


def test_halving_and_models_find_what_going_one_by_one_finds():
    seen: Counter[str] = Counter()

    @settings(max_examples=120)
    @given(batches, claims)
    def run(drawn, goal):
        taken, vocabulary = admitted([goal, *drawn])
        if not taken:
            return
        goal, *taken = taken
        domain = domains(vocabulary)
        problem = Problem(domain)
        problem.add(negate(goal))
        if not problem.solve().satisfiable:
            return
        flags, _ = preferred(problem, taken)
        assert flags == plainly(taken, goal, domain)
        seen["lost"] += False in flags
        seen["kept"] += True in flags

    run()
    assert seen["lost"] >= 10
    assert seen["kept"] >= 30


def test_contraction_of_typed_bases_leaves_the_claim_open_with_valid_certificates():
    seen: Counter[str] = Counter()

    @settings(max_examples=80)
    @given(batches)
    def run(drawn):
        taken, vocabulary = admitted(drawn)
        if len(taken) < 2:
            return
        *taken, goal = dict.fromkeys(taken)
        base = BeliefBase(taken, vocabulary=vocabulary)
        change = contract(base, goal)
        if not change.given_up:
            seen["vacuous"] += 1
            return
        seen["lost"] += 1
        assert not change.after.entails(goal)
        for loss in change.given_up:
            parts = [*(belief.claim for belief in loss.kernel), loss.belief.claim]
            assert BeliefBase(parts, vocabulary=vocabulary).entails(goal)

    run()
    assert seen["lost"] >= 5, seen


def test_a_long_chain_loses_one_link_and_needs_few_looks():
    links = [
        Belief(prop(f"c{n}") >> prop(f"c{n + 1}"), "documented", id=f"link{n}") for n in range(120)
    ]
    base = BeliefBase([Belief(prop("c0"), "asserted", id="start"), *links])
    change = contract(base, prop("c120"))
    (loss,) = change.given_up
    assert loss.belief.id == "link119"
    assert len(loss.kernel) == 120
    assert loss.kernel[0].id == "start"


def test_what_the_constraints_entail_cannot_be_given_up():
    p, q = prop("p"), prop("q")
    base = BeliefBase([p, q], constraints=[p >> q, p])
    change = contract(base, q)
    assert change.given_up == ()
    assert {b.claim for b in change.after} == {p, q}
    assert contract(base, p | ~p).given_up == ()


def test_a_contraction_that_cannot_be_decided_gives_up_nothing(monkeypatch):
    n = [attr(f"e{i}", "n") for i in range(3)]
    base = BeliefBase([n[0] + n[1] <= 3, n[1] + n[2] <= 3, n[0] >= 2])
    monkeypatch.setattr(
        "agm.solver.Session.ask", lambda *_: (None, "the solver gave up: out of patience")
    )
    with pytest.raises(NotDecided, match="out of patience") as caught:
        contract(base, n[1] <= 1)
    assert "nothing was given up" in str(caught.value)


def test_contraction_by_a_slot_and_by_a_relation():
    ttl = attr("cache", "ttl")
    base = BeliefBase([ttl == 300, relation("likes", "anna", "tea"), ttl < 400])
    change = contract(base, ttl == 300)
    assert [str(loss.belief.claim) for loss in change.given_up] == ["ttl(cache) = 300"]
    assert change.route == "interval"
    change = contract(base, ttl < 500)
    assert len(change.given_up) == 2
    assert [str(b.claim) for b in contract(base, relation("likes", "anna", "tea")).after] == [
        "ttl(cache) = 300",
        "ttl(cache) < 400",
    ]


def test_the_kernels_are_all_minimal_sets_and_the_first_prefers_what_comes_first():
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(ranked, st.data())
    def run(beliefs, data):
        parts = [formula for formula, _ in beliefs]
        goal = mask(data.draw(st.one_of(formulas, entailed(parts))))

        def entail(some):
            return entails([mask(part) for part in some], goal)

        expected = []
        for some in subsets(parts):
            if entail(some) and not any(set(one) <= set(some) for one in expected):
                expected.append(some)
        stream = Stream(explore(parts, entail))
        found = [part for is_kernel, part in stream if is_kernel]
        assert stream.complete
        assert {frozenset(one) for one in found} == {frozenset(one) for one in expected}
        assert all(list(one) == [part for part in parts if part in one] for one in found)
        if expected:
            seen["some"] += 1
            seen["several"] += len(expected) > 1
            rest = list(parts)
            for part in parts[::-1]:
                if entail([other for other in rest if other is not part]):
                    rest.remove(part)
            assert found[0] == kernel(parts, entail) == tuple(rest)

    run()
    assert seen["several"] >= 10, seen


def test_a_kernel_that_cannot_be_shrunk_is_still_one():
    looks = iter([False] * 100)
    assert kernel(["a", "b"], lambda _: next(looks)) == ("a", "b")


def test_consolidation_keeps_its_postulates():
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(ranked)
    def run(beliefs):
        base = BeliefBase([Belief(formula, of) for formula, of in beliefs])
        change = consolidate(base)
        masks = {b.id: mask(b.claim) for b in base}
        kept = {b.id for b in change.after}
        assert kept <= masks.keys()
        assert not entails([masks[i] for i in kept], 0)
        if not entails(masks.values(), 0):
            assert kept == masks.keys()
        assert consolidate(change.after).given_up == ()
        for loss in change.given_up:
            seen["lost"] += 1
            others = [masks[b.id] for b in loss.kernel]
            assert entails([*others, masks[loss.belief.id]], 0)
            assert not entails(others, 0)

    run()
    assert seen["lost"] >= 20

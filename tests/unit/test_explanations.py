"""What explanations say holds: each is checked against truth tables, each proof line by line."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import attr, conjoin, forall, negate, prop, relation
from agm.consolidation import consolidate
from agm.contraction import contract, full_meet, severe
from agm.enumeration import Search
from agm.explanations import (
    justifications,
    proof_of,
    proof_of_loss,
    proofs_of,
    repairs,
    restorers,
    to_believe,
)
from agm.proofs import NoProof, proof
from agm.revision import revise, semi_revise
from tests.strategies import oracles
from tests.strategies.propositional import ALL, entailed, entails, formulas, mask, ranked

law = prop("p") >> prop("q")


@st.composite
def questions(draw):
    beliefs = draw(ranked)
    claim = draw(st.one_of(entailed([formula for formula, _ in beliefs]), formulas))
    laws = [law] if draw(st.booleans()) else []
    return BeliefBase([Belief(f, of) for f, of in beliefs], constraints=laws), claim


def outside(base):
    return ALL & ~mask(conjoin(base.constraints)) if base.constraints else 0


def plain(base):
    return [(mask(b.claim) | outside(base), 0) for b in base]


def lost(base, beliefs):
    ids = [belief.id for belief in base]
    return frozenset(ids.index(belief.id) for belief in beliefs)


def require_sound(found, laws):
    """Every line is a premise, a constraint, or follows from the lines it names and only from all."""
    by_number = {step.number: step for step in found.steps}
    assert [step.number for step in found.steps] == list(range(1, len(found.steps) + 1))
    for step in found.steps:
        if step.kind == "constraint":
            assert step.claim in laws
        elif step.kind == "step":
            assert all(number < step.number for number in step.since)
            parts = [mask(by_number[number].claim) for number in step.since]
            assert entails(parts, mask(step.claim))
            for one in range(len(parts)):
                assert not entails(parts[:one] + parts[one + 1 :], mask(step.claim))
        else:
            assert step.belief.claim is step.claim
    assert found.steps[-1].claim is found.claim
    used = {number for step in found.steps for number in step.since}
    assert used >= by_number.keys() - {len(by_number)}


def test_proofs_are_sound_line_by_line_and_waste_none():
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(questions())
    def run(question):
        base, claim = question
        found = proof_of(base, claim)
        follows = entails([m for m, _ in plain(base)], mask(claim) | outside(base))
        assert (found is not None) == follows
        assert [len(one) > 0 for one in justifications(base, claim)] == [
            len(one) > 0 for one in oracles.kernels(plain(base), mask(claim) | outside(base))
        ]
        if found is not None:
            require_sound(found, base.constraints)
            seen["long"] += len(found.steps) > 2
            seen["step"] += sum(step.kind == "step" for step in found.steps) > 1
            assert json.loads(json.dumps(found.to_data()))["claim"] == str(claim)
            assert str(found).count("\n") == len(found.steps) - 1

    run()
    assert seen["long"] >= 5, seen
    assert seen["step"] >= 3, seen


def test_each_loss_and_each_rejection_has_a_proof():
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(questions(), formulas)
    def run(question, more):
        base, claim = question
        changes = [contract(base, claim), full_meet(base, claim), consolidate(base)]
        changes.append(semi_revise(base, more, entrenchment="inferred"))
        for change in changes:
            for loss, found in proofs_of(change):
                require_sound(found, base.constraints)
                assert loss.belief in [step.belief for step in found.steps]
                seen["rejection"] += loss is change.rejection
                seen["loss"] += loss is not change.rejection

    run()
    assert min(seen["rejection"], seen["loss"]) >= 4, seen


def test_what_has_to_go_is_what_remainders_lack():
    seen: Counter[str] = Counter()

    @settings(max_examples=100)
    @given(questions())
    def run(question):
        base, claim = question
        denial = mask(negate(claim)) | outside(base)
        found = to_believe(base, claim)
        whole = frozenset(range(len(base)))
        expected = {whole - one for one in oracles.remainders(plain(base), denial)}
        ways = [lost(base, way) for way in found]
        assert set(ways) == expected
        assert found.complete
        assert found.possible == (not entails([], denial))
        if found.possible:
            assert ways[0] == lost(base, found.cheapest)
            change = revise(base, claim)
            assert ways[0] == lost(base, [loss.belief for loss in change.given_up])
        assert set(restorers(base, claim)) == {
            belief
            for belief in base
            if entails([m for m, _ in plain(base)], denial)
            and not entails([], denial)
            and frozenset([list(base).index(belief)]) in expected
        }
        in_conflict = frozenset().union(*oracles.kernels(plain(base), denial))
        assert lost(base, found.contested) == (in_conflict if found.possible else frozenset())
        seen["several"] += len(ways) > 1
        seen["restored"] += bool(restorers(base, claim))
        mended = [lost(base, way) for way in repairs(base)]
        assert set(mended) == {
            whole - one for one in oracles.remainders(plain(base), outside(base))
        }
        assert mended[0] == lost(base, [loss.belief for loss in consolidate(base).given_up])
        seen["mended"] += mended != [frozenset()]

    run()
    assert min(seen[name] for name in ("several", "restored", "mended")) >= 5, seen


def test_of_several_conflicts_each_alternative_names_what_it_stands_in_for():
    p, q = prop("p"), prop("q")
    base = BeliefBase([Belief(p, "core"), ~p, Belief(q, "core"), ~q])
    assert str(repairs(base)) == (
        "the base is consistent when these go: !p [b2]; !q [b4]\n"
        "  or instead of b2: p [b1]\n"
        "  or instead of b4: q [b3]"
    )


def test_explanations_as_text_and_data():
    p, q, r = prop("p"), prop("q"), prop("r")
    base = BeliefBase([Belief(p, "core"), p >> q, Belief(r, "observed")])
    found = to_believe(base, ~q)
    assert str(found) == ("!q can be believed when these go: p -> q [b2]\n  or instead: p [b1]")
    assert found.to_data() == {
        "claim": "!q",
        "possible": True,
        "cheapest": ["b2"],
        "parts": [[["b2"], ["b1"]]],
        "complete": True,
    }
    assert [b.id for b in found.contested] == ["b1", "b2"]
    beside = BeliefBase([p, p >> q, q >> r])  # shares a symbol with the conflict, and no part in it
    assert [b.id for b in to_believe(beside, ~q).contested] == ["b1", "b2"]
    assert "nothing has to be given up" in str(to_believe(base, r))
    assert "as it is" in str(repairs(base))
    bound = BeliefBase([p], constraints=[q])
    assert "rule it out" in str(to_believe(bound, ~q))
    assert list(to_believe(bound, ~q)) == []
    tied = BeliefBase([prop(f"p{i}") for i in range(6)])
    short = to_believe(tied, negate(conjoin(b.claim for b in tied)), search=Search(looks=3))
    assert not short.complete
    assert "cut off" in str(short)
    assert "from 1, 2</td>" in proof_of(base, q)._repr_html_()
    assert repr(found) == "<Sacrifices for !q: 1 at the cheapest>"
    assert repr(proof_of(base, q).steps[2]) == "<Step 3: q (from 1, 2)>"
    assert repr(proof_of(base, q)) == "<Proof of q in 3 lines>"


def test_two_conflicts_leave_no_single_belief_to_blame():
    p, q = prop("p"), prop("q")
    base = BeliefBase([p, q])
    assert restorers(base, ~p & ~q) == ()
    assert {b.id for b in restorers(base, ~p | ~q)} == {"b1", "b2"}


def test_a_loss_without_certificate_has_no_proof():
    p, q = prop("p"), prop("q")
    base = BeliefBase([Belief(p, "core"), Belief(q, "observed")])
    change = severe(base, p)
    proofs = {loss.belief.id: found for loss, found in proofs_of(change)}
    assert proofs["b2"] is None
    assert proofs["b1"] is not None
    assert "nothing in the base calls for it" in str(change)
    with pytest.raises(NoProof, match=r"'b1'.*do not entail") as caught:
        proof(base, prop("r"), list(base))
    assert caught.value.claim is prop("r")
    assert caught.value.premises == tuple(base)
    assert isinstance(caught.value, ValueError)


def test_proofs_go_through_slots_rules_and_constraints():
    ttl = attr("cache", "ttl")
    rule = forall(lambda x: relation("penguin", x) >> ~relation("flies", x))
    base = BeliefBase(
        [rule, relation("penguin", "tux"), ttl == 300, (ttl > 100) >> prop("slow")],
        constraints=[prop("slow") >> prop("late")],
    )
    found = proof_of(base, ~relation("flies", "tux"))
    assert [step.kind for step in found.steps] == ["belief", "belief", "step"]
    found = proof_of(base, prop("late"))
    assert [str(step.claim) for step in found.steps] == [
        "ttl(cache) = 300",
        "ttl(cache) > 100 -> slow",
        "slow -> late",
        "slow",
        "late",
    ]
    change = revise(base, ttl == 50)
    (loss,) = change.given_up
    assert proof_of_loss(base, loss).steps[-1].claim is negate(ttl == 50)


def test_a_proof_rests_on_the_kernel_whose_weakest_belief_is_strongest():
    p, q, r = prop("p"), prop("q"), prop("r")
    base = BeliefBase([Belief(r, "core"), Belief(r >> p, "inferred"), Belief(q, "asserted")])
    assert [step.claim for step in proof_of(base, p | q).steps] == [q, p | q]
    assert proof_of(base, p & q).steps[0].belief.claim is r


def test_a_long_proof_is_one_step():
    links = [prop(f"c{n}") >> prop(f"c{n + 1}") for n in range(45)]
    found = proof_of(BeliefBase([prop("c0"), *links]), prop("c45"))
    assert [step.kind for step in found.steps] == ["belief"] * 46 + ["step"]
    assert len(found.steps[-1].since) == 46

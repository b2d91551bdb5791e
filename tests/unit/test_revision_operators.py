"""Revisions beyond the default: their definitions by truth tables, and what they turn away."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.changes import Change
from agm.claims import Truth, attr, negate, prop
from agm.consolidation import consolidate
from agm.contraction import (
    OPERATORS,
    contract,
    full_meet,
    harper,
    maxi_adjustment,
    safe,
    severe,
    shielded,
)
from agm.contraction.shielding import not_following_from
from agm.expansion import expand
from agm.revision import (
    ImpossibleClaim,
    credibility_limited,
    external,
    levi,
    revise,
    revise_all,
    screened,
    semi_revise,
)
from agm.targets import NothingAsked
from agm.testing import check_postulates
from tests.strategies import oracles
from tests.strategies.propositional import CLASSES, entails, formulas, mask, meet, ranked

RANK = {name: len(CLASSES) - place for place, name in enumerate(CLASSES)}


def claims(beliefs):
    return {belief.claim for belief in beliefs}


def base_of(beliefs):
    return BeliefBase([Belief(formula, of) for formula, of in beliefs])


def plain(base):
    return [(mask(b.claim), RANK[b.entrenchment]) for b in base]


@pytest.mark.parametrize("name", OPERATORS)
def test_revision_by_levi_and_consolidation_are_what_their_definitions_say(name):
    seen: Counter[str] = Counter()
    contraction = OPERATORS[name]

    @settings(max_examples=30)
    @given(ranked, formulas)
    def run(beliefs, claim):
        base = base_of(beliefs)
        listed, goal = list(base), mask(negate(claim))
        kept = oracles.CONTRACTIONS[name](plain(base), goal)
        if mask(claim):
            change = levi(contraction)(base, claim)
            assert claims(change.after) == claims(listed[i] for i in kept) | {claim}
            seen["revised"] += bool(change.given_up)
        else:
            with pytest.raises(ImpossibleClaim):
                levi(contraction)(base, claim)
        kept = oracles.CONTRACTIONS[name](plain(base), 0)
        mended = consolidate(base, contraction=contraction)
        assert claims(mended.after) == claims(listed[i] for i in kept)
        seen["mended"] += bool(mended.given_up)
        assert not consolidate(mended.after, contraction=contraction).given_up

    run()
    assert min(seen["revised"], seen["mended"]) >= 3, seen


@pytest.mark.parametrize("name", ["full meet", "safe", "lexcard meet", "one per kernel"])
def test_internal_and_external_revision_agree_for_operators_on_kernels(name):
    seen: Counter[str] = Counter()

    @settings(max_examples=40)
    @given(ranked, formulas)
    def run(beliefs, claim):
        if not mask(claim):
            return
        base = base_of(beliefs)
        one = revise(base, claim, contraction=OPERATORS[name])
        other = external(base, claim, contraction=OPERATORS[name])
        assert claims(one.after) == claims(other.after)
        seen["lost"] += bool(one.given_up)

    run()
    assert seen["lost"] >= 5, seen


def test_a_held_claim_that_a_rank_cut_drops_is_taken_in_again():
    p, q = prop("p"), prop("q")
    base = BeliefBase([Belief(q, "core"), Belief(~q, "core"), Belief(p, "observed")])
    change = revise(base, p, contraction=severe)
    assert change.after.held(p) is not None
    assert [str(loss.belief.claim) for loss in change.given_up] == ["q", "!q", "p"]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("held", [[], ["asserted"], ["observed"]])
def test_external_revision_believes_the_claim_whether_it_was_held_or_not(name, held):
    """{!p} and {!p, p} by p: the rank of p is not above the degree of !p, so a cut would drop it."""
    p = prop("p")
    base = BeliefBase([Belief(~p, "asserted"), *(Belief(p, of) for of in held)])
    change = external(base, p, entrenchment="asserted", contraction=OPERATORS[name])
    again = external(expand(base, p).after, p, contraction=OPERATORS[name])
    assert claims(change.after) == claims(again.after) == {p}
    assert [loss.belief.claim for loss in change.given_up] == [~p]


def test_a_harper_contraction_keeps_a_denial_that_the_revision_takes_in_again():
    """B = {!q, q} by !q: a rank cut leaves nothing of B, B * q is {q}, and q is in both."""
    q = prop("q")
    base = BeliefBase([Belief(~q, "asserted"), Belief(q, "documented")])
    assert claims(severe(base, ~q).after) == set()
    change = harper(levi(severe))(base, ~q)
    assert claims(change.after) == {q}
    assert [loss.belief.claim for loss in change.given_up] == [~q]


def test_semi_revision_keeps_its_postulates():
    seen: Counter[str] = Counter()

    @settings(max_examples=120)
    @given(ranked, formulas, st.sampled_from(CLASSES), st.sampled_from([None, full_meet, safe]))
    def run(beliefs, claim, of, contraction):
        base = base_of(beliefs)
        change = semi_revise(base, claim, entrenchment=of, contraction=contraction)
        more = expand(base, claim, entrenchment=of).after
        goal = (
            oracles.linear_preferred
            if contraction is None
            else oracles.CONTRACTIONS[{full_meet: "full meet", safe: "safe"}[contraction]]
        )
        listed = list(more)
        assert claims(change.after) == claims(listed[i] for i in goal(plain(more), 0))
        assert not entails([mask(c) for c in claims(change.after)], 0)
        assert claims(semi_revise(more, claim, entrenchment=of, contraction=contraction).after) == (
            claims(change.after)
        )
        if change.rejection is not None:
            seen["rejected"] += 1
            loss = change.rejection
            assert loss.belief.claim is claim
            assert entails([mask(claim), *(mask(b.claim) for b in loss.kernel)], 0)
            if contraction is None:
                assert all(RANK[b.entrenchment] >= RANK[of] for b in loss.kernel)
                if not entails([m for m, _ in plain(base)], 0):
                    assert claims(change.after) == claims(base)
        else:
            seen["taken"] += bool(change.given_up)

    run()
    assert min(seen["rejected"], seen["taken"]) >= 5, seen


def test_a_claim_held_already_may_be_what_semi_revision_gives_up():
    p = prop("p")
    base = BeliefBase([Belief(~p, "core"), Belief(p, "inferred", id="low")])
    change = semi_revise(base, p, entrenchment="asserted")
    assert change.rejection is None
    assert change.added == ()
    assert [loss.belief.id for loss in change.given_up] == ["low"]
    assert claims(change.after) == {~p}


def test_credibility_limited_revision_takes_credible_claims_and_no_others():
    seen: Counter[str] = Counter()

    def credible(_, claim):
        return bool(mask(claim) & 1)  # the world in which everything is false

    @settings(max_examples=80)
    @given(ranked, formulas)
    def run(beliefs, claim):
        base = base_of(beliefs)
        change = credibility_limited(credible, contraction=safe)(base, claim)
        if credible(base, claim):
            assert claims(change.after) == claims(revise(base, claim, contraction=safe).after)
            seen["taken"] += 1
        else:
            assert claims(change.after) == claims(base)
            assert change.route == "not credible"
            seen["refused"] += 1

    run()
    assert min(seen["taken"], seen["refused"]) >= 10, seen


def test_screened_revision_never_touches_what_is_protected():
    seen: Counter[str] = Counter()
    operator = screened("documented")

    @settings(max_examples=100)
    @given(ranked, formulas)
    def run(beliefs, claim):
        base = base_of(beliefs)
        guarded = [b for b in base if b.entrenchment == "documented"]
        agrees = not entails([mask(claim), *(mask(b.claim) for b in guarded)], 0)
        change = operator(base, claim)
        after = claims(change.after)
        if not agrees:
            assert after == claims(base)
            seen["refused"] += 1
            return
        order = sorted(base, key=lambda b: b.entrenchment != "documented")
        kept = oracles.linear_preferred([(mask(b.claim), 0) for b in order], mask(negate(claim)))
        assert after == claims(order[i] for i in kept) | {claim}
        assert claims(guarded) <= after
        seen["lost"] += bool(change.given_up)

    run()
    assert min(seen["refused"], seen["lost"]) >= 10, seen


def test_multiple_revision_takes_everything_in_at_once():
    seen: Counter[str] = Counter()

    @settings(max_examples=100)
    @given(
        ranked, st.lists(formulas, min_size=1, max_size=3), st.sampled_from([contract, full_meet])
    )
    def run(beliefs, inputs, contraction):
        base = base_of(beliefs)
        whole = meet(map(mask, inputs))
        if not whole:
            with pytest.raises(ImpossibleClaim):
                revise_all(base, inputs, contraction=contraction)
            seen["impossible"] += 1
            return
        change = revise_all(base, inputs, contraction=contraction)
        oracle = oracles.full_meet if contraction is full_meet else oracles.linear_preferred
        listed, denial = list(base), ((1 << 8) - 1) & ~whole
        kept = oracle(plain(base), denial)
        assert claims(change.after) == claims(listed[i] for i in kept) | set(inputs)
        assert not entails([mask(c) for c in claims(change.after)], 0)
        again = revise_all(base, inputs[::-1], contraction=contraction)
        assert claims(again.after) == claims(change.after)
        ids = [b.id for b in change.after]
        assert len(set(ids)) == len(ids)
        seen["lost"] += bool(change.given_up)
        seen["several"] += len(change.added) > 1

    run()
    assert min(seen.values()) >= 5, seen


def test_newcomers_of_one_change_have_ids_of_their_own():
    p, q, r = map(prop, "pqr")
    base = BeliefBase([Belief(p, id="b2"), Belief(q, id="b3")])
    after = revise_all(base, [r, p & q, p | r, ~p | q]).after
    assert len({b.id for b in after}) == 6
    with pytest.raises(NothingAsked, match="at least one"):
        revise_all(base, [])


def test_shielded_contraction_is_persistent():
    """What the shield keeps, it keeps with all that follows from it."""
    seen: Counter[str] = Counter()
    operator = shielded(not_following_from("asserted"))

    @settings(max_examples=80)
    @given(ranked, formulas, formulas)
    def run(beliefs, one, more):
        base = base_of(beliefs)
        change = operator(base, one)
        kept = [mask(b.claim) for b in change.after]
        if entails(kept, mask(one)):
            assert claims(change.after) == claims(base)
            weaker = one | more
            other = operator(base, weaker).after
            assert entails([mask(b.claim) for b in other], mask(weaker))
            seen["shielded"] += change.route == "shielded"
        seen["lost"] += bool(change.given_up)

    run()
    assert min(seen["shielded"], seen["lost"]) >= 3, seen


def test_revision_by_several_values_of_slots():
    target, budget = attr("checkout", "target"), attr("checkout", "budget")
    law = (target == "staging") >> (budget <= 100)
    base = BeliefBase([law, target == "staging", budget == 100])
    change = revise_all(base, [target == "production", budget == 250])
    assert claims(change.after) == {law, target == "production", budget == 250}
    with pytest.raises(ImpossibleClaim):
        revise_all(base, [target == "a", target == "b"])
    with pytest.raises(ImpossibleClaim):
        revise(base, Truth(False))


REVISIONS = {
    "revise": revise,
    "external": external,
    "levi": levi(safe),
    "several": lambda base, claim: revise_all(base, [claim]),
    "credible": credibility_limited(lambda *_: True),
    "screened": screened(),
}


@pytest.mark.parametrize("operator", REVISIONS.values(), ids=list(REVISIONS))
def test_contradictions_tautologies_empty_and_inconsistent_bases(operator):
    p, q = prop("p"), prop("q")
    bound = BeliefBase([p], constraints=[q])
    for claim in (Truth(False), p & ~p, ~q, ~q & p):
        if operator is REVISIONS["screened"]:
            assert operator(bound, claim).given_up == operator(bound, claim).added == ()
        else:
            with pytest.raises(ImpossibleClaim):
                operator(bound, claim)
    for claim in (p | ~p, q):
        change = operator(bound, claim)
        assert change.given_up == ()
        assert claims(change.after) == {p, claim}
    assert claims(operator(BeliefBase(), p).after) == {p}
    split = BeliefBase([Belief(prop("x"), "observed"), Belief(~prop("x"), "observed"), p])
    change = operator(split, ~p)
    assert change.after.held(~p) is not None
    assert not change.after.entails(Truth(False))


def test_semi_revision_by_a_contradiction_turns_it_away():
    p, q = prop("p"), prop("q")
    bound = BeliefBase([p], constraints=[q])
    for claim in (Truth(False), p & ~p, ~q):
        change = semi_revise(bound, claim)
        assert change.rejection is not None
        assert change.rejection.kernel == ()
        assert claims(change.after) == {p}
        assert str(change).startswith(f"x {claim}")


@pytest.mark.parametrize("of", ["untrusted", "observed", "core"])
def test_postulates_ask_at_the_rank_at_which_a_claim_is_told(of):
    def doubting(base, claim):
        return semi_revise(base, claim, entrenchment=of)

    def revising(base, claim):
        return revise(base, claim, entrenchment=of)

    for operator, family in ((doubting, "semi-revision"), (revising, "revision")):
        report = check_postulates(operator, family=family, draws=150)
        assert not report.failures, report


def test_a_claim_turned_away_without_a_word_has_no_rank_to_ask_about():
    def silent(base, claim):
        change = semi_revise(base, claim, entrenchment="untrusted")
        return Change(base, claim, given_up=change.given_up, added=change.added, route="none")

    report = check_postulates(silent, family="semi-revision", draws=100)
    assert "rejection certificate" not in report.failures, report


def test_semi_revision_by_maxi_adjustment_may_leave_a_claim_at_a_lower_rank():
    q, r = prop("q"), prop("r")
    base = BeliefBase([Belief(~q, "core"), Belief(q, "core")])
    change = semi_revise(base, (q | r) & (q | ~r), contraction=maxi_adjustment)
    assert [belief.entrenchment for belief in change.after] == ["asserted"]
    assert change.after.entails(q)

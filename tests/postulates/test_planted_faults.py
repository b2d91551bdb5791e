"""Six deliberately wrong operators: each planted fault is found, with a counterexample.

All of them are faults that published implementations have had.
"""

from __future__ import annotations

from agm.base import BeliefBase
from agm.changes import Change
from agm.claims import prop
from agm.contraction import contract
from agm.revision import revise
from agm.testing import check_postulates
from agm.update import erase, update


def folding(base, claims):
    """Multiple revision as a loop over the old base: only the last input arrives."""
    change = None
    for claim in claims:
        change = revise(base, claim)
    return change


def cutting_on(base, claim):
    """An incision that looks at the base it started from, and so never sees that it is done."""
    kept = list(base)
    while base.entails(claim):
        if len(kept) > len(base) - 1:
            kept.pop()
    return base.keep(kept, out_of=claim)


def emptying(base, claim):
    """Full meet of no remainders as the empty set: a tautology costs everything."""
    if BeliefBase().entails(claim):
        return base.keep([], out_of=claim)
    return contract(base, claim)


def drowning(base, claim):
    """Entrenchment as a rank cut: with the culprit goes all that is not stronger."""
    degree = base.degree(claim)
    if degree in {0, float("inf")}:
        return base.keep(base, out_of=claim)
    return base.keep([b for b in base if base.rank(b) > degree], out_of=claim)


def by_arrival(base, claim):
    """Goes by the place in the list, not by rank and name."""
    arrived = [belief.id for belief in base.arena.beliefs]
    listed = sorted(base, key=lambda belief: arrived.index(belief.id))
    kept = []
    for belief in listed:
        if not BeliefBase([*(b.claim for b in kept), belief.claim]).entails(claim):
            kept.append(belief)
    if BeliefBase().entails(claim):
        kept = listed
    return base.keep(kept, out_of=claim)


def fading(base, claim):
    """Telling again what is believed puts it at the end of the queue."""
    change = revise(base, claim)
    held = base.held(claim)
    if held is None:
        return change
    again = held.with_(entrenchment="untrusted")
    lost = [loss for loss in change.given_up if loss.belief.id != held.id]
    return Change(base, claim, given_up=lost, added=[again], replaced=[held.id], route="none")


def test_inputs_lost_in_multiple_revision_are_found():
    report = check_postulates(folding, family="multiple revision", draws=200)
    found = report.failures["multiple-success"]
    assert found.counterexample.claim is not found.counterexample.other
    assert len(found.counterexample.base) <= 1
    assert "multiple independence of order" in report.failures


def test_an_incision_without_an_end_is_found():
    report = check_postulates(cutting_on, draws=200, patience=0.5)
    found = report.failures["termination"]
    base, claim, _ = found.counterexample
    assert base.entails(claim)
    assert "termination" in repr(report)


def test_a_tautology_that_empties_the_base_is_found():
    report = check_postulates(emptying, draws=200)
    found = report.failures["failure"]
    assert len(found.counterexample.base) == 1
    assert BeliefBase().entails(found.counterexample.claim)
    assert report.findings["success"].verdict == "holds"


def test_a_rank_cut_that_drowns_is_found():
    report = check_postulates(drowning, draws=300)
    assert {"locality", "core-retainment", "relevance"} <= set(report.failures)
    base, claim, _ = report.failures["locality"].counterexample
    assert len(base) == 2
    assert contract(base, claim).kept != drowning(base, claim).kept
    assert report.findings["base 8"].verdict == "holds"


def test_a_result_that_depends_on_the_order_of_listing_is_found():
    report = check_postulates(by_arrival, draws=40)
    assert "independence-of-listing" in report.failures
    assert "independence-of-listing" not in check_postulates(contract, draws=100).failures


def test_a_rank_lowered_on_being_told_again_is_found():
    report = check_postulates(fading, family="revision", draws=200)
    found = report.failures["no demotion"]
    assert found.counterexample.claim in found.counterexample.base
    assert set(check_postulates(revise, family="revision", draws=200).failures) == set()


def test_a_change_that_heeds_how_a_theory_is_written_is_found():
    def literal(operator):
        return lambda base, claim: operator(base, claim if len(base) < 2 else claim & prop("p"))

    for family, name, operator in (("update", "U4", update), ("erasure", "E4", erase)):
        assert (
            check_postulates(operator, family=family, draws=200).findings[name].verdict == "holds"
        )
        assert name in check_postulates(literal(operator), family=family, draws=200).failures


def test_a_fault_that_raises_is_not_hidden():
    def broken(base, claim):
        raise ZeroDivisionError(claim)

    try:
        check_postulates(broken, draws=5)
    except ZeroDivisionError:
        return
    raise AssertionError


def test_an_operator_that_does_nothing_is_not_called_right_for_lack_of_cases():
    def idle(base, claim):
        return Change(base, claim, given_up=(), route="none")

    report = check_postulates(idle, draws=100)
    assert report.findings["relevance"].verdict == "not applicable"
    assert "success" in report.failures


def test_a_postulate_that_was_hardly_met_is_not_called_kept():
    def seldom(base, claim):
        if base.entails(claim) and len(base) == 5:
            return contract(base, claim)
        return Change(base, claim, given_up=(), route="none")

    report = check_postulates(seldom, draws=12)
    assert report.findings["relevance"].verdict == "too few draws"
    assert 0 < report.findings["relevance"].draws < 5

"""Six deliberately wrong operators in many variants: each planted fault is found by a named postulate.

Lost inputs, an incision without an end, a tautology that empties the base, a rank cut that drowns, a
result that depends on the order of listing, a rank lowered on being told again. All of them are
faults that published implementations have had.
"""

from __future__ import annotations

import re
import time
from random import Random

import pytest

from agm.base import BeliefBase
from agm.changes import Change, Loss
from agm.claims import And, Or, Truth, conjoin, prop
from agm.consolidation import consolidate
from agm.contraction import choice, contract, full_meet, package, severe
from agm.errors import NotDecided
from agm.merging import sigma
from agm.postulates import check_one, family
from agm.revision import revise, revise_all, screened, semi_revise
from agm.testing import check_postulates
from agm.update import erase, update


def true(claim, base=None):
    """Whether a claim is a logical truth, or follows from the constraints of a base alone."""
    return BeliefBase(constraints=base.constraints if base else ()).entails(claim)


def emptied(base, claim):
    return Change(base, claim, given_up=[Loss(b, None, against=claim) for b in base], route="none")


# Lost inputs.


def first_only(base, claims):
    return revise(base, claims[0])


def first_two(base, claims):
    return revise_all(base, claims[:2])


def folding(base, claims):
    """A loop over the old base: only the last input arrives."""
    change = None
    for claim in claims:
        change = revise(base, claim)
    return change


def in_turn(base, claims):
    """A loop over the new bases: an input may be lost again for a later one."""
    state = base
    for claim in claims:
        state = revise(state, claim).after
    kept, old = {b.id for b in state}, {b.id for b in base}
    gone = [Loss(b, None, against=claims[0]) for b in base if b.id not in kept]
    added = [b for b in state if b.id not in old]
    return Change(base, _whole(claims), given_up=gone, added=added, route="none")


def without_the_contradicted(base, claims):
    return revise_all(base, [c for c in claims if not base.entails(~c)] or claims[:1])


def without_the_believed(base, claims):
    return revise_all(base, [c for c in claims if not base.entails(c)] or claims[:1])


def package_of_the_first(base, claims):
    return contract(base, claims[0])


def package_of_two(base, claims):
    return package(base, claims[:2])


def package_as_disjunction(base, claims):
    return contract(base, Or(claims) if len(set(claims)) > 1 else claims[0])


def package_in_turn(base, claims):
    state = base
    for claim in claims:
        state = contract(state, claim).after
    kept = {b.id for b in state}
    return base.keep([b for b in base if b.id in kept], out_of=claims[0])


def choice_of_two(base, claims):
    return choice(base, claims[:2])


def merging_two(profile, constraint):
    return sigma(profile[:2], constraint)


def first_three(base, claims):
    return revise_all(base, claims[:3])


def package_of_three(base, claims):
    return package(base, claims[:3])


def one_telling_only(base, claim):
    """Of two tellings of a claim the one goes that was named last."""
    change = contract(base, claim)
    kept = [b for b in base if b.claim is claim][:1]
    twice = sum(b.claim is claim for b in base) > 1
    gone = [loss for loss in change.given_up if not (twice and loss.belief in kept)]
    return _with(change, given_up=gone)


# A tautology empties the base.


def emptying(base, claim):
    return emptied(base, claim) if true(claim) else contract(base, claim)


def emptying_by_the_constant(base, claim):
    return emptied(base, claim) if claim is Truth(True) else contract(base, claim)


def emptying_under_constraints(base, claim):
    bad = base.constraints and true(claim, base)
    return emptied(base, claim) if bad else contract(base, claim)


def emptying_the_weakest(base, claim):
    if not true(claim):
        return contract(base, claim)
    return base.keep([b for b in base if b.entrenchment != "observed"], out_of=claim)


def dropping_a_held_tautology(base, claim):
    if true(claim) and claim in base:
        return base.keep([b for b in base if b.claim is not claim], out_of=claim)
    return contract(base, claim)


def emptying_package(base, claims):
    if any(map(true, claims)):
        return base.keep([], out_of=claims[0])
    return package(base, claims)


def emptying_choice(base, claims):
    return emptied(base, claims[0]) if all(map(true, claims)) else choice(base, claims)


def emptying_revision(base, claim):
    if not true(claim):
        return revise(base, claim)
    added = () if claim in base else (base.fresh_belief(claim, "asserted"),)
    gone = [Loss(b, None, against=claim) for b in base if b.claim is not claim]
    return Change(base, claim, given_up=gone, added=added, route="none")


def emptying_multiple_revision(base, claims):
    change = revise_all(base, claims)
    if not all(map(true, claims)):
        return change
    gone = [Loss(b, None, against=claims[0]) for b in base if b.claim not in claims]
    return _with(change, given_up=gone)


def emptying_consolidation(base):
    alone = next(iter(base), None)
    return (
        emptied(base, Truth(False)) if len(base) == 1 and true(alone.claim) else consolidate(base)
    )


def emptying_what_follows(base, claim):
    bad = base.entails(claim) and not true(claim, base)
    return base.keep([], out_of=claim) if bad else contract(base, claim)


def emptying_erasure(base, claim):
    return emptied(base, claim) if len(base) >= 3 else erase(base, claim)


def emptying_update(base, claim):
    change = update(base, claim)
    if len(base) < 3:
        return change
    ended = [Loss(b, None, against=claim) for b in base]
    again = [b for b in change.added if b.id not in {own.id for own in base}]
    added = again or [base.fresh_belief(claim, "asserted")]
    return _with(change, given_up=ended, added=added, replaced=())


def dropping_all_on_a_clash(base, claim):
    change = revise(base, claim)
    if not change.given_up:
        return change
    return _with(change, given_up=[Loss(b, None, against=claim) for b in base])


# What depends on how a claim is written.


def meeting_conjunctions(base, claim):
    return full_meet(base, claim) if isinstance(claim, And) else contract(base, claim)


def rejecting_conjunctions(base, claim):
    if isinstance(claim, And):
        return Change(base, claim, route="none")
    return screened("asserted", "documented")(base, claim)


# Constraints that are not heeded.


def updating_without_constraints(base, claim):
    change = update(BeliefBase(list(base)), claim)
    own = {name: getattr(change, name) for name in ("given_up", "added", "replaced")}
    return Change(base, claim, route="none", **own)


# A rank cut that drowns.


def drowning(base, claim):
    degree = base.degree(claim)
    if degree in {0, float("inf")}:
        return base.keep(base, out_of=claim)
    return base.keep([b for b in base if base.rank(b) > degree], out_of=claim)


# A result that depends on the order of listing.


def listed(base):
    arrived = [b.id for b in base.arena.beliefs]
    return sorted(base, key=lambda b: arrived.index(b.id))


def going_through(base, claim, beliefs):
    if true(claim, base):
        return base.keep(base, out_of=claim)
    kept = []
    for belief in beliefs:
        own = [*(b.claim for b in kept), belief.claim]
        if not BeliefBase(own, constraints=base.constraints).entails(claim):
            kept.append(belief)
    return base.keep(kept, out_of=claim)


def by_arrival(base, claim):
    return going_through(base, claim, listed(base))


def by_rank_and_arrival(base, claim):
    return going_through(base, claim, sorted(listed(base), key=lambda b: -base.rank(b)))


def by_rank_from_the_middle(base, claim):
    """The same for a list and for the same list backwards."""
    order = listed(base)
    middle = (len(order) - 1) / 2

    def key(belief):
        return -base.rank(belief), abs(order.index(belief) - middle), belief.id

    return going_through(base, claim, sorted(order, key=key))


def revising(base, claim):
    return revise(base, claim, contraction=by_rank_and_arrival)


def consolidating(base):
    return consolidate(base, contraction=by_rank_and_arrival)


def semi_revising(base, claim):
    return semi_revise(base, claim, contraction=by_rank_and_arrival)


def revising_by_all(base, claims):
    return revise_all(base, claims, contraction=by_rank_and_arrival)


def choosing(base, claims):
    return choice(base, claims, contraction=by_rank_and_arrival)


# A rank that is lowered.


def faded(change, beliefs):
    """The change, and these beliefs put at the end of the queue where it keeps them."""
    gone = {loss.belief.id for loss in change.given_up}
    weak = [b for b in beliefs if b.id not in gone and b.entrenchment != "untrusted"]
    ids = {b.id for b in weak}
    added = [b for b in change.added if b.id not in ids]
    added += [b.with_(entrenchment="untrusted") for b in weak]
    return _with(change, added=added, replaced=sorted({*change.replaced, *ids}))


def told_again(base, claims):
    return [held for claim in dict.fromkeys(claims) if (held := base.held(claim))]


def fading(base, claim):
    return faded(revise(base, claim), told_again(base, [claim]))


def fading_others(base, claim):
    return faded(revise(base, claim), [b for b in base if b.claim is not claim])


def fading_equals(base, claim):
    equal = [b for b in base if b.claim is not claim and true(b.claim.iff(claim))]
    return faded(revise(base, claim), equal)


def fading_semi_revision(base, claim):
    return faded(semi_revise(base, claim), told_again(base, [claim]))


def fading_when_screened(base, claim):
    return faded(screened("asserted", "documented")(base, claim), told_again(base, [claim]))


def fading_multiple_revision(base, claims):
    return faded(revise_all(base, claims), told_again(base, claims))


def fading_contraction(base, claim):
    return faded(contract(base, claim), base)


def fading_consolidation(base):
    return faded(consolidate(base), base)


def fading_update(base, claim):
    return faded(update(base, claim), base)


def fading_erasure(base, claim):
    return faded(erase(base, claim), base)


def fading_package(base, claims):
    return faded(package(base, claims), base)


# What is no change of the given base.


def of_a_copy(base, claim):
    return contract(BeliefBase(list(base)), claim)


def _whole(claims):
    return conjoin(list(claims)) if len(set(claims)) > 1 else claims[0]


def _with(change, **fields):
    names = ("given_up", "added", "replaced", "rejection", "complete")
    own = {name: getattr(change, name) for name in names}
    return Change(change.before, change.input, route="none", **{**own, **fields})


PLANTED = [
    (first_only, "multiple revision", "multiple-success"),
    (first_two, "multiple revision", "multiple-success"),
    (folding, "multiple revision", "multiple-success"),
    (in_turn, "multiple revision", "multiple-success"),
    (in_turn, "multiple revision", "multiple independence of order"),
    (without_the_contradicted, "multiple revision", "multiple-success"),
    (without_the_believed, "multiple revision", "multiple-success"),
    (package_of_the_first, "package contraction", "package-success"),
    (package_of_two, "package contraction", "package-success"),
    (package_as_disjunction, "package contraction", "package-success"),
    (package_in_turn, "package contraction", "package independence of order"),
    (choice_of_two, "choice contraction", "choice-relevance"),
    (merging_two, "merging", "IC6"),
    (emptying, "contraction", "failure"),
    (emptying_by_the_constant, "contraction", "failure"),
    (emptying_under_constraints, "contraction", "failure"),
    (emptying_the_weakest, "contraction", "failure"),
    (dropping_a_held_tautology, "contraction", "failure"),
    (emptying, "shielded contraction", "shielded relative success"),
    (emptying_package, "package contraction", "package-failure"),
    (emptying_choice, "choice contraction", "choice-failure"),
    (emptying_revision, "revision", "vacuity"),
    (emptying_revision, "semi-revision", "semi core-retainment"),
    (emptying_revision, "credibility-limited revision", "limited vacuity"),
    (emptying_multiple_revision, "multiple revision", "multiple-vacuity"),
    (emptying_consolidation, "consolidation", "vacuity"),
    (drowning, "contraction", "locality"),
    (drowning, "contraction", "core-retainment"),
    (by_arrival, "contraction", "independence-of-listing"),
    (by_rank_and_arrival, "contraction", "independence-of-listing"),
    (by_rank_from_the_middle, "contraction", "independence-of-listing"),
    (by_rank_and_arrival, "shielded contraction", "independence-of-listing"),
    (revising, "revision", "independence-of-listing"),
    (revising, "credibility-limited revision", "independence-of-listing"),
    (consolidating, "consolidation", "independence-of-listing"),
    (semi_revising, "semi-revision", "independence-of-listing"),
    (revising_by_all, "multiple revision", "independence-of-listing"),
    (choosing, "choice contraction", "independence-of-listing"),
    (fading, "revision", "no demotion"),
    (fading_others, "revision", "no demotion"),
    (fading_equals, "revision", "no demotion"),
    (fading_semi_revision, "semi-revision", "no demotion"),
    (fading_when_screened, "credibility-limited revision", "no demotion"),
    (fading_multiple_revision, "multiple revision", "no demotion"),
    (fading_contraction, "contraction", "no demotion"),
    (fading_consolidation, "consolidation", "no demotion"),
    (fading_package, "package contraction", "no demotion"),
    (first_three, "multiple revision", "multiple-success"),
    (package_of_three, "package contraction", "package-success"),
    (one_telling_only, "contraction", "success"),
    (severe, "shielded contraction", "shielded core-retainment"),
    (emptying_what_follows, "shielded contraction", "shielded core-retainment"),
    (meeting_conjunctions, "shielded contraction", "shielded extensionality"),
    (dropping_all_on_a_clash, "credibility-limited revision", "limited core-retainment"),
    (rejecting_conjunctions, "credibility-limited revision", "limited extensionality"),
    (emptying_update, "update", "U2"),
    (emptying_erasure, "erasure", "E5"),
    (fading_update, "update", "no demotion"),
    (fading_erasure, "erasure", "no demotion"),
    (updating_without_constraints, "update", "U4"),
]


@pytest.mark.parametrize(
    ("operator", "name", "postulate"),
    PLANTED,
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_planted_fault_is_found_and_shown_small(operator, name, postulate):
    rare = operator in {package_of_three, updating_without_constraints, one_telling_only}
    found = ask(operator, name, postulate, draws=600 if rare else 150)
    assert found.verdict == "fails", found
    if name not in {"merging", "update", "erasure"}:
        assert len(found.counterexample.base) <= 3, found


def ask(operator, name, postulate, draws=150, patience=None, **options):
    asked = next(one for one in family(name).postulates if one.name == postulate)
    return check_one(operator, asked, family=name, draws=draws, patience=patience, **options)


RIGHT = {
    "contraction": contract,
    "revision": revise,
    "shielded contraction": contract,
    "credibility-limited revision": revise,
    "semi-revision": semi_revise,
    "consolidation": consolidate,
    "package contraction": package,
    "choice contraction": choice,
    "multiple revision": revise_all,
    "merging": sigma,
    "update": update,
    "erasure": erase,
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_finds_the_faults_holds_where_there_is_none(name):
    wanted = {postulate for _, other, postulate in PLANTED if other == name}
    report = check_postulates(RIGHT[name], family=name, draws=100)
    assert wanted <= set(report.kept), report


# Calls without an end.


def cutting_on(base, claim):
    """An incision that looks at the base it started from, and so never sees that it is done."""
    kept = list(base)
    while base.entails(claim):
        if len(kept) > len(base) - 1:
            kept.pop()
    return base.keep(kept, out_of=claim)


def sleeping(base, claim):
    time.sleep(10**6)


def looping_in_compiled_code(base, claim):
    max(range(10**12))


def matching(base, claim):
    re.match(r"(a+)+$", "a" * 40 + "b")


def catching_everything(base, claim):
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001  (as bad operators do)
            continue


@pytest.mark.parametrize(
    "operator", [cutting_on, sleeping, looping_in_compiled_code, matching, catching_everything]
)
def test_a_call_without_an_end_is_broken_off_whatever_it_does(operator):
    start = time.monotonic()
    report = check_postulates(operator, draws=100, patience=0.3)
    assert time.monotonic() - start < 60
    assert "termination" in report.failures
    assert "termination" in repr(report)
    base, claim, _ = report.failures["termination"].counterexample
    assert operator is not cutting_on or base.entails(claim)


def test_one_postulate_of_an_operator_without_an_end_says_so():
    found = ask(sleeping, "contraction", "success", patience=0.3)
    assert (found.postulate.name, found.verdict) == ("termination", "fails")


def test_a_simpler_counterexample_is_not_waited_for_again_and_again():
    def emptying_or_endless(base, claim):
        if {b.id for b in base} != {f"b{number}" for number in range(1, len(base) + 1)}:
            time.sleep(10**6)  # as long as a belief is cut out, never as the base is drawn
        return base.keep([], out_of=claim)

    start = time.monotonic()
    found = ask(emptying_or_endless, "contraction", "relevance", patience=0.3)
    assert time.monotonic() - start < 30
    assert found.verdict == "fails"
    assert found.failed > 20


# Errors, refusals, and answers that are none.


def test_an_error_is_shown_with_its_case_and_does_not_stop_the_check():
    def sometimes(base, claim):
        if len(base) == 3:
            raise ZeroDivisionError("three")
        return contract(base, claim)

    report = check_postulates(sometimes, draws=80)
    found = report.findings["success"]
    assert found.verdict == "raises"
    assert found.raised > 5
    assert found.draws > 20
    assert found.error == "ZeroDivisionError: three"
    assert len(found.counterexample.base) == 3
    assert "ZeroDivisionError: three" in repr(report)
    assert report.findings["recovery"].verdict == "fails"
    assert "raised)" in report.findings["recovery"].outcome
    assert "success" in report.failures


@pytest.mark.parametrize("fault", [SystemExit(3), AssertionError("no"), RecursionError()])
def test_errors_of_any_kind_are_shown(fault):
    def raising(base, claim):
        raise fault

    found = ask(raising, "contraction", "success", draws=10)
    assert found.verdict == "raises"
    assert found.error.startswith(type(fault).__name__)


def test_a_change_of_another_base_is_none_of_this_one():
    found = ask(of_a_copy, "contraction", "success", draws=30)
    assert found.verdict == "raises"
    assert found.error.startswith("StaleChange")


def test_an_operator_that_declines_whatever_matters_is_not_called_right():
    def declining(base, claim):
        if base.entails(claim):
            raise NotDecided("too hard")
        return contract(base, claim)

    report = check_postulates(declining, draws=300)
    assert report.findings["success"].verdict == "too few draws"
    assert report.findings["relevance"].verdict == "too few draws"
    assert report.findings["success"].refused > 100
    assert f"{report.refused} of 300 draws refused" in repr(report)
    assert ", 0 refused" not in repr(report)


def test_an_operator_that_answers_for_small_bases_only_is_not_called_right():
    def partial(base, claim):
        if len(base) > 1:
            raise NotDecided("too big")
        return contract(base, claim)

    assert check_postulates(partial, draws=200).kept == ()


def test_a_search_that_was_cut_off_counts_as_declined():
    def cut_off(base, claim):
        return _with(contract(base, claim), complete=False)

    report = check_postulates(cut_off, draws=30)
    assert report.kept == ()
    assert report.refused == 30


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

    report = check_postulates(seldom, draws=20, patience=None)
    assert report.findings["relevance"].verdict == "too few draws"
    assert 0 < report.findings["relevance"].draws < 5


def test_a_result_that_changes_from_call_to_call_is_found():
    random = Random(1)

    def guessing(base, claim):
        return going_through(base, claim, random.sample(list(base), len(base)))

    found = ask(guessing, "contraction", "independence-of-listing", draws=80)
    assert found.verdict == "fails"


# More of the same kinds.


def test_a_tautology_that_empties_the_base_breaks_nothing_else():
    report = check_postulates(emptying, draws=200)
    found = report.failures["failure"]
    assert len(found.counterexample.base) == 1
    assert true(found.counterexample.claim)
    assert report.findings["success"].verdict == "holds"


def test_a_rank_cut_drowns_what_the_claim_has_nothing_to_do_with():
    report = check_postulates(drowning, draws=150)
    assert {"locality", "core-retainment", "relevance"} <= set(report.failures)
    base, claim, _ = report.failures["locality"].counterexample
    assert len(base) == 2
    assert contract(base, claim).kept != drowning(base, claim).kept
    assert report.findings["base 8"].verdict == "holds"


def test_the_counterexample_of_several_inputs_can_be_asked_again():
    found = ask(first_two, "multiple revision", "multiple-success")
    base, claims, _ = found.counterexample
    assert len(claims) == 3
    assert any(claim not in first_two(base, list(claims)).after for claim in claims)


def test_full_meet_is_found_to_be_no_choice():
    assert ask(full_meet, "contraction", "fullness").verdict == "fails"


def test_a_change_that_heeds_how_a_theory_is_written_is_found():
    def literal(operator):
        return lambda base, claim: operator(base, claim if len(base) < 2 else claim & prop("p"))

    for name, postulate, operator in (("update", "U4", update), ("erasure", "E4", erase)):
        assert ask(operator, name, postulate, draws=200).verdict == "holds"
        assert ask(literal(operator), name, postulate, draws=200).verdict == "fails"

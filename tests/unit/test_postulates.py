"""Postulates as objects, reports, test cases, and the draws they rest on."""

from __future__ import annotations

import os
import time
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Belief, BeliefBase, attr, consolidate, contract, erase, prop, revise, update
from agm.contraction import choice, package, shielded
from agm.contraction.shielding import not_following_from
from agm.errors import NotDecided
from agm.iterated import append, delete_on_write, lexicographic, natural
from agm.merging import gmax
from agm.postulates import FAMILIES, PostulatesOf, check_one, family
from agm.postulates.asking import FaultyPostulate, InvalidAnswer
from agm.postulates.cases import Situation
from agm.postulates.checking import InvalidCheck
from agm.postulates.degrees import raw_rank
from agm.postulates.drawing import against
from agm.postulates.drawing import questions as drawn_questions
from agm.postulates.families import UnknownFamily
from agm.postulates.simplifying import simpler
from agm.postulates.tables import NotPropositional, Table, members, parts, table
from agm.postulates.watching import DidNotEnd, Watch
from agm.revision import revise_all, screened, semi_revise
from agm.testing import (
    check_postulates,
    inputs,
    postulate_cases,
    propositional_claims,
    questions,
    ranked_bases,
)
from agm.theories import erasure, pma, severe_withdrawal
from tests.strategies.propositional import mask as other_mask


@pytest.mark.parametrize("keeps", postulate_cases(contract, draws=50, patience=None))
def test_the_default_contraction(keeps):
    keeps()


@pytest.mark.parametrize(
    "keeps", postulate_cases(revise, family="revision", draws=60, patience=None)
)
def test_the_default_revision(keeps):
    keeps()


ALL_HOLD = {
    "consolidation": consolidate,
    "erasure": erase,
    "theory erasure": erasure(pma),
    "package contraction": package,
    "multiple revision": revise_all,
    "semi-revision": semi_revise,
    "choice contraction": choice,
    "credibility-limited revision": screened("asserted", "documented"),
    "shielded contraction": shielded(not_following_from("asserted", "documented")),
}


@pytest.mark.parametrize("name", ALL_HOLD)
def test_operators_that_keep_their_whole_family(name):
    report = check_postulates(ALL_HOLD[name], family=name, draws=300, patience=None)
    assert not report.failures, report
    assert set(report.kept) == set(report.findings), report


@pytest.mark.parametrize(
    ("name", "operator", "failing"),
    [
        ("theory contraction", severe_withdrawal, {"K÷5"}),
        ("iterated revision", natural, {"Ind"}),
        ("iterated revision", lexicographic, {"CB", "D"}),
        ("iterated journal revision", append, {"CB", "D"}),
        ("iterated journal revision", delete_on_write, {"C1", "C2", "CB", "D"}),
        (
            "entrenchment",
            raw_rank,
            {"EE2", "EE3", "EE4", "EE5", "lifted", "conjunction", "disjunction"},
        ),
        ("merging", gmax, {"Maj"}),
        ("theory update", pma, {"U9", "R2 (revision)", "R3 (revision)", "K*8 (revision)"}),
        ("iterated base revision", revise, {"C1", "C2", "CB", "D"}),
        ("update", update, {"U9", "R2 (revision)", "K*8 (revision)"}),
    ],
)
def test_operators_that_break_what_they_must(name, operator, failing):
    draws = 200 if operator in {revise, update} else 800
    report = check_postulates(operator, family=name, draws=draws, patience=None)
    found = set(report.failures)
    assert found <= failing | {"≼1 (ensconcement of the base)"}
    assert found & failing, report
    assert len(failing - found) <= 2, report


def test_the_same_seed_gives_the_same_report():
    one, two = (check_postulates(revise, family="revision", draws=60, seed=3) for _ in range(2))
    assert repr(one) == repr(two)
    other = check_postulates(revise, family="revision", draws=60, seed=4)
    assert [found.draws for found in one.findings.values()] != [
        found.draws for found in other.findings.values()
    ]


def test_a_report_reads_as_text_and_as_a_table():
    report = check_postulates(contract, draws=80)
    text, table_text = repr(report), report._repr_html_()
    assert "recovery" in text
    assert "by" in text
    assert table_text.count("<tr>") == 1 + len(report.findings)
    assert "∀β∈B∖R" in table_text
    assert ">holds (" in table_text
    assert str(report.findings["success"]).startswith("success: ⊬α ⇒ R⊬α: holds (")


def test_counterexamples_are_small_and_can_be_replayed():
    found = check_postulates(contract, draws=60).failures["recovery"]
    base, claim, other = found.counterexample
    assert len(base) == 1
    assert other is None
    kept = {belief.claim for belief in contract(base, claim).kept}
    assert not BeliefBase([*kept, claim]).entails(next(iter(base)).claim)


def test_a_wrong_expectation_of_a_case_is_said_with_the_counterexample():
    case = next(one for one in postulate_cases(contract, fails=()) if one.__name__ == "recovery")
    with pytest.raises(AssertionError, match="recovery") as caught:
        case()
    assert "observed" in str(caught.value)
    assert repr(case) == "<PostulateCase recovery: holds>"


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(ValueError, match="contraction, revision"):
        check_postulates(contract, family="abduction")
    with pytest.raises(UnknownFamily):
        check_postulates(contract, family=[])
    for draws in (0, -1, 1.5, "5", True, None):
        with pytest.raises(InvalidCheck, match="at least one"):
            check_postulates(contract, draws=draws)
    for patience in (0, -1, 1e-9, True, "x", float("nan"), float("inf")):
        with pytest.raises(InvalidCheck, match="seconds"):
            check_postulates(contract, draws=1, patience=patience)
    for operator in (None, 42, "contract"):
        for seed in (None, "0", 1.5, True):
            with pytest.raises(InvalidCheck, match="seed"):
                check_postulates(contract, seed=seed)
        with pytest.raises(InvalidCheck, match="operator"):
            check_postulates(operator)
    ttl = attr("cache", "ttl")
    with pytest.raises(NotPropositional, match="ttl"):
        table(2).mask(ttl == 300)


def test_a_postulate_of_ones_own():
    mine = PostulatesOf("contraction")

    @mine("|R|≥|B|-1", source="this test", when=lambda case: bool(case.lost))
    def at_most_one_is_lost(case):
        """No more than one belief goes."""
        return case.lost.bit_count() <= 1

    found = check_one(contract, at_most_one_is_lost, draws=200)
    assert found.verdict == "fails"
    assert len(found.counterexample.base) == 2
    assert at_most_one_is_lost.name == "at-most-one-is-lost"
    assert at_most_one_is_lost.sentence == "No more than one belief goes."


def test_every_postulate_says_what_it_is():
    seen = Counter()
    for name, group in FAMILIES.items():
        names = [postulate.name for postulate in group.postulates]
        assert len(set(names)) == len(names), name
        for postulate in group.postulates:
            seen["postulates"] += 1
            assert postulate.sentence.endswith(".")
            assert "\n" not in postulate.sentence
            assert postulate.formula
            assert postulate.source
            assert str(postulate).startswith(postulate.name)
    assert seen["postulates"] >= 120


@given(propositional_claims())
def test_truth_tables_agree_with_another_oracle(claim):
    assert table(3).mask(claim) == other_mask(claim)


@given(st.integers(0, 255))
def test_a_set_of_worlds_is_described_by_its_claim(worlds):
    assert table(3).mask(table(3).claim(worlds)) == worlds
    assert list(members(worlds)) == [w for w in range(8) if worlds >> w & 1]
    assert len(parts(worlds)) == 1 << worlds.bit_count()


def test_tables_over_one_atom_know_all_four_claims():
    small = Table([prop("x")])
    assert [str(small.claim(mask)) for mask in range(4)] == ["false", "!x", "x", "true"]


def test_draws_meet_the_shares_they_promise():
    seen = Counter()
    random = Random(0)
    for _ in range(400):
        drawn = drawn_questions(random)
        at = Situation(drawn.beliefs, tables=table(3))
        assert 1 <= len(drawn.beliefs) <= 5
        seen["entailed"] += at.entails(at.all, at.table.mask(drawn.claims[0]))
        seen["simple"] += drawn.beliefs[0].claim.size <= 6
        seen["tautology"] += at.table.mask(drawn.claims[0]) == at.table.true
        clash = against(random)
        over = Situation(clash.beliefs, tables=table(3))
        seen["against"] += not over.meets[over.all] & table(3).mask(clash.claims[0])
    assert seen["entailed"] >= 200, seen
    assert seen["simple"] >= 300, seen
    assert 10 <= seen["tautology"] <= 120, seen
    assert seen["against"] >= 150, seen


def test_simpler_questions_are_simpler():
    drawn = drawn_questions(Random(1))
    weight = _weight(drawn)
    smaller = list(simpler(drawn))
    assert len(smaller) >= len(drawn.beliefs)
    assert all(_weight(one) <= weight for one in smaller)


def _weight(drawn):
    sizes = [belief.claim.size for belief in drawn.beliefs] + [c.size for c in drawn.claims]
    return len(drawn.beliefs), sum(sizes)


def test_strategies_draw_bases_and_what_to_ask_about_them():
    seen = Counter()

    @settings(max_examples=100)
    @given(questions(claims=2), st.data())
    def run(question, data):
        base, claims = question
        assert len(claims) == 2
        assert 1 <= len(base) <= 5
        assert {belief.entrenchment for belief in base} <= {"asserted", "documented", "observed"}
        own = data.draw(inputs(base))
        seen["entailed"] += base.entails(own)
        smaller = data.draw(ranked_bases(atoms=2, least=0))
        seen["empty"] += not len(smaller)
        assert data.draw(inputs(smaller, atoms=2)) is not None

    run()
    assert seen["entailed"] >= 30, seen
    assert seen["empty"] >= 1, seen


def test_a_call_without_an_end_is_broken_off_and_others_are_not():
    def endless():
        while True:
            pass

    with Watch(0.2) as watch:
        assert watch.guarded(lambda: 1)() == 1
        start = time.perf_counter()
        with pytest.raises(DidNotEnd):
            watch.guarded(endless)()
        assert time.perf_counter() - start < 20
        assert watch.guarded(lambda: 2)() == 2


def test_an_operator_that_was_made_for_an_order_is_under_watch_too():
    def made(_):
        def endless(_theory, _claim):
            while True:
                pass

        return endless

    report = check_postulates(made, family="theory contraction", draws=3, patience=0.3)
    assert set(report.failures) == {"termination"}


WRONG_ANSWERS = {
    "contraction": [None, [], True, BeliefBase(), "B"],
    "consolidation": [None],
    "multiple revision": [None],
    "update": [7],
    "entrenchment": [None, "high", True, float("nan")],
    "iterated revision": [None, BeliefBase()],
    "iterated journal revision": [None],
    "theory update": [None, 3],
    "theory contraction": [None, BeliefBase(), lambda *_: None],
    "merging": [None],
}


@pytest.mark.parametrize("name", WRONG_ANSWERS)
def test_an_answer_that_is_none_is_named_with_operator_and_case(name):
    for wrong in WRONG_ANSWERS[name]:

        def operator(*_, rank=0, wrong=wrong):
            return wrong

        for patience in (5.0, None):
            with pytest.raises(InvalidAnswer, match="operator") as caught:
                check_postulates(operator, family=name, draws=20, patience=patience)
            assert caught.value.operator == "operator"
            assert caught.value.family == name
            assert caught.value.case in str(caught.value)
            assert caught.value.found in str(caught.value)


def test_a_coroutine_and_a_generator_are_no_answers():
    async def waiting(base, claim):
        return contract(base, claim)

    def yielding(base, claim):
        yield contract(base, claim)

    for operator, text in ((waiting, "coroutine"), (yielding, "generator")):
        with pytest.raises(InvalidAnswer, match=text):
            check_postulates(operator, draws=2)


def test_the_same_is_found_here_and_in_another_process():
    for name, operator in (("revision", revise), ("multiple revision", revise_all)):
        here = check_postulates(operator, family=name, draws=40, patience=None)
        assert repr(here) == repr(check_postulates(operator, family=name, draws=40))


def test_without_another_process_a_loop_is_broken_off_all_the_same(monkeypatch):
    def endless(base, claim):
        while True:
            pass

    monkeypatch.setattr("agm.postulates.apart.can_fork", lambda: False)
    report = check_postulates(endless, draws=5, patience=0.3)
    assert set(report.failures) == {"termination"}
    assert check_postulates(contract, draws=20).findings["success"].verdict == "holds"


def test_an_operator_that_ends_its_process_is_told():
    def leaving(base, claim):
        if len(base) == 2:
            os._exit(3)
        return contract(base, claim)

    found = check_postulates(leaving, draws=30).findings["success"]
    assert found.verdict == "raises"
    assert "status 3" in found.error
    assert found.draws > 5


def test_a_postulate_that_raises_is_told_apart_from_the_operator():
    mine = PostulatesOf("contraction")

    @mine("1/0", source="this test")
    def wrong(case):
        """It raises."""
        return 1 / 0

    for patience in (5.0, None):
        with pytest.raises(FaultyPostulate, match="ZeroDivisionError") as caught:
            check_one(contract, wrong, draws=3, patience=patience)
        assert caught.value.postulate == "wrong"


def test_no_degree_counts_as_declined():
    def undecided(base, claim):
        if len(base) > 1:
            raise NotDecided("too many")
        return base.degree(claim)

    report = check_postulates(undecided, family="entrenchment", draws=60)
    assert report.refused > 20
    assert "EE1" not in report.kept


def test_a_claim_that_cannot_go_stays_whatever_goes():
    # What is protected is weaker than what is not, and goes for a claim that may go.
    weak = shielded(not_following_from("documented"), contraction=contract)
    failures = check_postulates(weak, family="shielded contraction", draws=600).failures
    assert set(failures) == {"persistence"}
    for good in (
        shielded(not_following_from("asserted", "documented")),
        shielded(not_following_from("observed")),
        shielded(),
    ):
        report = check_postulates(good, family="shielded contraction", draws=200)
        assert not report.failures, report
    kept = report.kept
    assert {"persistence", "success propagation"} <= set(kept)


def test_one_draw_in_five_is_under_a_constraint_and_three_claims_are_drawn():
    seen = Counter()
    random = Random(5)
    for _ in range(400):
        for name in ("contraction", "revision", "entrenchment"):
            drawn = family(name).draw(random)
            seen[name] += bool(drawn.constraints)
            assert len(drawn.base.constraints) == len(drawn.constraints)
            if drawn.constraints:
                at = Situation(drawn.beliefs, tables=table(3), constraints=drawn.constraints)
                seen["follows from it"] += at.mask(drawn.claims[0]) == at.true
        told = family("revision").draw(random)
        ranks = {
            told.order.rank(b.entrenchment) - told.order.rank("asserted") for b in told.beliefs
        }
        seen.update(f"rival {rank}" for rank in ranks)
        several = family("package contraction").draw(random)
        seen[f"{len(several.claims)} claims"] += 1
        masks = [table(3).mask(claim) for claim in several.claims]
        seen["some true"] += table(3).true in masks
        seen["all true"] += set(masks) == {table(3).true}
        worlds = family("theory update").draw(random)
        seen["worlds"] += bool(worlds.signature.constraints)
        profiles = family("merging").draw(random)
        seen["three theories"] += len(profiles.profiles[0]) == 3
    for name in ("contraction", "revision", "entrenchment", "worlds"):
        assert 40 <= seen[name] <= 130, (name, seen)
    assert seen["follows from it"] >= 30
    assert min(seen[f"rival {rank}"] for rank in (-2, -1, 0, 1)) >= 60, seen
    assert seen["2 claims"] >= 100, seen
    assert min(seen["3 claims"], seen["4 claims"]) >= 60, seen
    assert seen["1 claims"] >= 15
    assert seen["some true"] >= 50
    assert seen["all true"] >= 10
    assert seen["three theories"] >= 30


def test_a_constraint_is_cut_off_a_counterexample_where_it_does_nothing():
    def keeping(base, claim):
        return base.keep(base, out_of=claim)

    found = check_postulates(keeping, draws=60).failures["success"]
    assert found.counterexample.base.constraints == ()

    def keeping_under_constraints(base, claim):
        return keeping(base, claim) if base.constraints else contract(base, claim)

    found = check_postulates(keeping_under_constraints, draws=200).failures["success"]
    assert len(found.counterexample.base.constraints) == 1
    assert " under " in found.example


def test_a_revision_that_is_refused_says_nothing():
    case = family("revision").case(
        revise, drawn_questions(Random(0))._replace(claims=(prop("p") & ~prop("p"),) * 2)
    )
    verdicts = [postulate.verdict(case) for postulate in family("revision").postulates]
    assert verdicts.count(None) == len(verdicts)


def test_derived_ranks_count():
    base = [
        Belief(prop("p"), "observed", id="b1"),
        Belief(prop("q"), "asserted", id="b2", rests_on=["b1"]),
    ]
    at = Situation(base)
    assert at.ranks[1] == at.ranks[0]
    assert at.degree(at.table.true) == float("inf")
    assert at.degree(0) == 0

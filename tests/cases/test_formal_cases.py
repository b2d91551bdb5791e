"""Textbook bases with their kernels, remainders, degrees and the results of every named operator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import conjoin, disjoin, negate
from agm.contraction import OPERATORS, choice, package
from agm.entrenchment import EntrenchmentOrder
from agm.expansion import expand
from agm.remainders import kernels_of, remainders_of
from agm.revision import revise_all, semi_revise
from agm.selection import everything, most_by_rank, preferred_by_rank
from agm.syntax import parse

CASES = json.loads((Path(__file__).parent / "formal.json").read_text(encoding="utf-8"))
NAMES = {
    "full_meet": "full meet",
    "linear_preferred": "linear preferred",
    "lexcard_maxichoice": "lexcard maxichoice",
    "lexcard_meet": "lexcard meet",
    "brewka_meet": "Brewka meet",
    "kernel_safe": "safe",
    "smooth_kernel_safe": "smooth safe",
    "maxi_adjustment": "maxi-adjustment",
    "ensconcement": "ensconcement",
    "brutal": "severe",
}
ORDER = EntrenchmentOrder("4", "3", "2", "1")


def read(text):
    return parse(text.replace("~", "!"))


def of_kind(kind):
    cases = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def ranked(case):
    """The base with its ranks as classes; ids are led by a letter for the listing order."""
    beliefs = [
        Belief(read(one["formula"]), str(one["rank"]), id=f"{place}:{one['id']}")
        for place, one in enumerate(case["base"])
    ]
    constraints = [read(text) for text in case.get("background", ())]
    return BeliefBase(beliefs, constraints=constraints, order=ORDER)


def names(beliefs):
    return sorted(belief.id.partition(":")[2] for belief in beliefs)


def sets(listed):
    return sorted(map(names, listed))


def texts(listed):
    return sorted(sorted(str(belief.claim) for belief in one) for one in listed)


def expected_texts(listed):
    return sorted(sorted(str(read(text)) for text in one) for one in listed)


@of_kind("contraction")
def test_kernels_remainders_and_degrees(case):
    base, claim, expected = ranked(case), read(case["contract"]), case["expected"]
    assert sets(kernels_of(base, claim)) == sorted(map(sorted, expected["kernels"]))
    remainders = remainders_of(base, claim)
    assert sets(remainders) == sorted(map(sorted, expected["remainders"]))
    for field, selection in (
        ("lexcard_selected", most_by_rank),
        ("brewka_selected", preferred_by_rank),
    ):
        assert sets(selection(remainders)) == sorted(map(sorted, expected[field]))
    for text, degree in expected.get("degrees", {}).items():
        assert base.degree(read(text)) == degree


@of_kind("contraction")
@pytest.mark.parametrize("name", NAMES)
def test_results(case, name):
    change = OPERATORS[NAMES[name]](ranked(case), read(case["contract"]))
    assert names(change.after) == sorted(case["expected"]["results"][name])


@of_kind("contraction")
def test_what_expansion_recovers(case):
    for name, recovered in case["expected"].get("recovered", {}).items():
        base = ranked(case)
        again = expand(
            OPERATORS[NAMES[name]](base, read(case["contract"])).after, read(case["then_expand"])
        )
        assert names(b for b in again.after if b.id in {b.id for b in base}) == sorted(recovered)


@of_kind("multiple")
def test_packages_and_choices(case):
    base = BeliefBase([read(text) for text in case["base"]])
    inputs, expected = [read(text) for text in case["inputs"]], case["expected"]
    for field, found in (
        ("package_remainders", remainders_of(base, *inputs)),
        ("remainders_of_disjunction", remainders_of(base, disjoin(inputs))),
        ("choice_remainders", remainders_of(base, conjoin(inputs))),
    ):
        assert texts(found) == expected_texts(expected[field])
    assert not package(base, inputs).given_up
    assert not package(base, inputs, selection=everything).given_up
    assert not choice(base, inputs).given_up


@of_kind("multiple_revision")
def test_multiple_revision_is_one_step(case):
    base = BeliefBase([read(text) for text in case["base"]])
    inputs, expected = [read(text) for text in case["inputs"]], case["expected"]
    denial = negate(conjoin(inputs))
    assert texts(kernels_of(base, denial)) == expected_texts(
        expected["kernels_for_negated_conjunction"]
    )
    assert texts(remainders_of(base, denial)) == expected_texts(expected["remainders"])
    after = revise_all(base, inputs).after
    assert all(after.held(claim) is not None for claim in inputs)
    assert type(after.check()).__name__ == "Consistent"
    kept = [[b for b in after if b.claim not in inputs]]
    assert texts(kept)[0] in expected_texts(expected["remainders"])


@of_kind("semi_revision")
def test_semi_revision_may_turn_the_newcomer_away(case):
    base, told, expected = ranked(case), case["input"], case["expected"]
    change = semi_revise(base, read(told["formula"]), entrenchment=str(told["rank"]))
    assert (change.rejection is None) == expected["accepted"]
    assert names(change.after) == expected["kept"]
    assert [told["id"], *names(change.rejection.kernel)] == sorted(expected["kernel"])

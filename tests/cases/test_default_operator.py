"""Textbook cases of the default contraction: what is kept, the kernels, the degrees.

The right answers were found by brute force over truth tables or stated by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, conjoin, negate
from agm.consolidation import consolidate
from agm.contraction import contract
from agm.entrenchment import EntrenchmentOrder
from agm.expansion import expand
from agm.solver import check
from agm.syntax import parse
from agm.update import erase, update
from agm.verdicts import Inconsistent

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("default_operator.jsonl").read_text("utf-8").splitlines()
]
ORDER = EntrenchmentOrder("rank 3", "rank 2", "rank 1")


def named(kind):
    return [pytest.param(case, id=case["name"]) for case in CASES if kind in case]


def base_of(case):
    return BeliefBase(
        # The cases break ties by listing order, the library by id: so the place goes first.
        [
            Belief(parse(line["formula"]), f"rank {line['rank']}", id=f"{place} {line['id']}")
            for place, line in enumerate(case["base"])
        ],
        constraints=map(parse, case["background"]),
        order=ORDER,
    )


def names(beliefs):
    return sorted(belief.id.partition(" ")[2] for belief in beliefs)


@pytest.mark.parametrize("case", named("contract"))
def test_contraction(case):
    base, claim = base_of(case), parse(case["contract"])
    change = contract(base, claim)
    assert names(change.kept) == case["kept"]
    for loss in change.given_up:
        parts = [*(belief.claim for belief in loss.kernel), loss.belief.claim, negate(claim)]
        assert isinstance(check(parts, constraints=base.constraints), Inconsistent)
        assert all(base.rank(belief) >= base.rank(loss.belief) for belief in loss.kernel)
    if case["contract"] == "false":
        assert names(consolidate(base).kept) == case["kept"]


@pytest.mark.parametrize("case", named("contract"))
def test_kernels_and_degrees(case):
    base, claim = base_of(case), parse(case["contract"])
    why = base.why(claim)
    assert why.complete
    assert sorted(map(names, why.kernels)) == sorted(sorted(one) for one in case["kernels"])
    assert (why.model is None) == bool(case["kernels"])
    for text, degree in case["degrees"].items():
        assert base.degree(parse(text)) == degree
    if claim is not Truth(False):
        assert base.entails(claim) == bool(case["kernels"])


@pytest.mark.parametrize(
    "case", [case for case in named("recovered") if case.values[0]["recovered"]]
)
def test_expanding_again_recovers_no_more_than_this(case):
    after = expand(
        contract(base_of(case), parse(case["contract"])).after, parse(case["then_expand"])
    )
    assert names(belief for belief in after.after if " " in belief.id) == case["recovered"]


@pytest.mark.parametrize("case", [*named("update"), *named("erase")])
def test_update_and_erasure(case):
    operator = update if "update" in case else erase
    base = BeliefBase([parse(case.get("update") or case["erase"])])
    after = operator(base, parse(case["input"])).after
    meaning, expected = conjoin(belief.claim for belief in after), parse(case["expected"])
    assert isinstance(check([meaning ^ expected]), Inconsistent)

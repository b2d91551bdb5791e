"""Textbook cases over worlds: iterated revision, journals, update against revision, erasure.

Worlds are written as rows of digits over the atoms of the case; other answers are sentences.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agm.base import BeliefBase
from agm.contraction import contract
from agm.iterated import OPERATORS, Journal, Preorder, append, delete_on_write, in_turn
from agm.signature import Signature
from agm.syntax import parse
from agm.theories import Theory, dalal, erasure, forbus, harper, pma
from agm.update import erase, update

CASES = json.loads(Path(__file__).with_name("worlds.json").read_text("utf-8"))


def of_kind(kind):
    found = [pytest.param(case, id=case["name"]) for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", found)


def sentence(text):
    return parse(text.replace("~", "!"))


def expected(answer, over):
    if isinstance(answer, list):
        return answer
    return Theory(over, sentence(answer)).texts()


@of_kind("iterated_worlds")
def test_iterated_revision_from_no_opinion(case):
    told = list(map(sentence, case["sequence"]))
    over = Signature(map(sentence, case.get("atoms", [])) if "atoms" in case else told)
    for name, answer in case["expected"].items():
        order = in_turn(OPERATORS[name], told, start=Preorder.flat(over))
        assert order.theory.texts() == expected(answer, over), name


@of_kind("journal")
def test_journals(case):
    told = list(map(sentence, case["journal"]))
    over = Signature(told)
    if "beliefs_before" in case:
        before = in_turn(append, told, start=Journal(over))
        assert before.theory == Theory(over, sentence(case["beliefs_before"]))
        told.append(sentence(case["input"]))
    kept = in_turn(append, told, start=Journal(over))
    answers = case["expected"]
    assert kept.theory == Theory(over, sentence(answers["keep_all_recompute"]))
    assert kept.preorder == in_turn(OPERATORS["lexicographic"], told, start=Preorder.flat(over))
    if "delete_on_write" in answers:
        deleted = in_turn(delete_on_write, told, start=Journal(over))
        assert deleted.theory == Theory(over, sentence(answers["delete_on_write"]))
        direct = in_turn(append, [told[0], told[-1]], start=Journal(over))
        assert direct.theory == Theory(over, sentence(answers["direct"]))


@of_kind("update_vs_revision")
def test_update_is_not_revision(case):
    K, claim = Theory.of(sentence(case["K"])), sentence(case["input"])
    for name, operator in (
        ("update_pma", pma),
        ("update_forbus", forbus),
        ("revision_dalal", dalal),
    ):
        assert operator(K, claim) == Theory(K.signature, sentence(case["expected"][name])), name
    base = update(BeliefBase([sentence(case["K"])]), claim).after
    assert Theory.of(*(b.claim for b in base), over=K.signature) == pma(K, claim)


@of_kind("erasure_vs_contraction")
def test_erasure_is_not_contraction(case):
    K, claim = Theory.of(sentence(case["K"])), sentence(case["input"])
    erased = Theory(K.signature, sentence(case["expected"]["erasure"]))
    kept = Theory(K.signature, sentence(case["expected"]["contraction"]))
    assert erasure(pma)(K, claim) == erased
    assert harper(dalal)(K, claim) == kept
    base = BeliefBase([sentence(case["K"])])
    for change, answer in ((erase(base, claim), erased), (contract(base, claim), kept)):
        assert Theory.of(*(b.claim for b in change.after), over=K.signature) == answer

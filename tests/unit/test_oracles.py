"""Operators against brute force: the comparisons themselves, and that they would find a fault."""

from __future__ import annotations

import ast
import json
import os
import secrets
import sys
from pathlib import Path

import pytest

import agm.contraction
import agm.iterated
import agm.merging
import agm.revision
import agm.theories
from agm import revise, update
from agm.contraction import full_meet, severe
from agm.iterated import natural
from agm.merging import sigma
from agm.postulates.degrees import raw_rank
from agm.postulates.tables import table_of
from agm.remainders import kernels_of
from agm.syntax import parse
from agm.theories import Theory, pma
from laboratory import definitions, oracles
from laboratory.comparing import PAIRS
from laboratory.comparing.contractions import kept, names
from laboratory.comparing.pairs import compared
from laboratory.comparing.revisions import held
from laboratory.definitions.bases import Base, Entry
from laboratory.definitions.contraction import CONTRACTIONS
from laboratory.definitions.explanations import Reason
from laboratory.oracles import MILLION, Task, main, run, summed, tallied

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "formal.json").read_text(encoding="utf-8")
)


def test_every_operator_agrees_with_its_definition(record_property):
    """A million comparisons at night, of questions that differ from night to night."""
    count, seed, processes = 12 * len(PAIRS), 0, 1
    if NIGHTLY:
        count, seed, processes = MILLION, secrets.randbelow(MILLION), os.cpu_count()
    tallies = []
    for tally in run(list(PAIRS), count, seed, processes=processes):
        tallies.append(tally)
        if NIGHTLY:
            record_property("told", str(tally))
    record_property("told", summed(tallies))
    assert [tally.first for tally in tallies if tally.differences] == []
    assert sum(tally.compared for tally in tallies) == count
    assert sum(tally.mattered for tally in tallies) > 0.4 * count
    assert not NIGHTLY or min(tally.mattered / tally.compared for tally in tallies) > 0.1


def emptied(question):
    """A full meet that gives up everything for a tautology."""
    if not question.told.entails(0, question.goal):
        return kept(full_meet(question.base, question.claim))
    return frozenset()


def in_turn(question):
    """A multiple revision that takes in one input after another."""
    change = None
    for claim in question.claims:
        base = question.base if change is None else change.after
        change = revise(base, claim, entrenchment=question.of)
    return held(change)


def newest_kept(question):
    """The linear order with its ties broken the other way."""
    told, left = question.told, 0
    places = sorted(told.places(), key=lambda place: (-told.entries[place].rank, -place))
    for place in places if not told.entails(0, question.goal) else ():
        if not told.entails(left | 1 << place, question.goal):
            left |= 1 << place
    return told.names(left if not told.entails(0, question.goal) else told.all)


def cut_off(question):
    """A list of kernels that ends after the second without a word."""
    return tuple(
        sorted(map(names, list(kernels_of(question.base, question.claim))[:2]), key=sorted)
    )


def shortened(question):
    """Certificates that lack their first belief."""
    found = PAIRS["agm.contraction.safe: certificates"].operator(question)
    return frozenset(
        Reason(one.lost, one.others and frozenset(sorted(one.others)[1:]), one.against)
        for one in found
    )


def unfounded(question):
    """Proofs whose steps follow from nothing."""
    lines = PAIRS["agm.explanations.proof_of"].operator(question)
    return lines and [line._replace(since=()) for line in lines]


def crashing(_):
    raise ZeroDivisionError("no such thing")


def in_states(operator):
    """A wrong operator on preorders, told one input after another."""

    def state(question):
        order = question.preorder
        for goal in question.inputs:
            order = operator(order, goal)
        return {w: r for r, level in order.items() for w in range(8) if level >> w & 1}

    return state


def updated_by_revision(question):
    after = revise(question.base, question.claim).after
    expected = PAIRS["agm.update"].operator(question)
    return expected[0], names(after) & names(question.base)


PLANTED = {
    "agm.contraction.safe": lambda q: kept(severe(q.base, q.claim)),
    "agm.contraction.full_meet": emptied,
    "agm.contraction.linear_preferred": newest_kept,
    "agm.contraction.package": lambda q: kept(update(q.base, q.claim)),
    "agm.contraction.safe: certificates": shortened,
    "agm.revision.revise_all(linear_preferred)": in_turn,
    "agm.revision.external(severe)": lambda q: held(severe(q.base, ~q.claim)),
    "agm.remainders.kernels_of": cut_off,
    "agm.explanations.proof_of": unfounded,
    "agm.BeliefBase.degree": lambda q: raw_rank(q.base, q.claim),
    "agm.iterated.restrained": in_states(natural),
    "agm.theories.satoh": lambda q: pma(Theory(q.over, q.theory), q.goal).worlds,
    "agm.merging.gmax": lambda q: sigma([Theory(q.over, k) for k in q.profile], q.goal).worlds,
    "agm.update": updated_by_revision,
    "agm.expand": crashing,
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name):
    wrong = {name: PAIRS[name]._replace(operator=PLANTED[name])}
    tally = tallied(Task(name, 0, 300), wrong.__getitem__)
    assert 0 < tally.differences <= tally.compared == 300
    assert f"{name} DIFFERS from its definition" in tally.first


def test_a_difference_is_told_with_both_answers_and_can_be_repeated(monkeypatch, capsys):
    name = "agm.contraction.safe"
    monkeypatch.setitem(PAIRS, name, PAIRS[name]._replace(operator=PLANTED[name]))
    few = ["--only", name, "--count", "60", "--seed", "3", "--processes", "1"]
    assert main(few) == 1
    printed = capsys.readouterr().out
    assert "seed 3       60 compared" in printed
    assert "base:\n  b" in printed
    assert "claim 1: " in printed
    assert "the operator says:   {" in printed
    assert "the definition says: {" in printed
    (command,) = [line for line in printed.splitlines() if line.startswith("again: ")]
    again = command.split()[4:]
    assert again[:4] == ["--only", name, "--seed", "3"]
    assert main(again) == 1
    assert command in capsys.readouterr().out
    monkeypatch.undo()
    assert main(again) == 0
    assert "agrees with its definition" in capsys.readouterr().out
    assert main(few) == 0
    assert "60 comparisons of 1 operators" in capsys.readouterr().out


def test_one_name_or_a_part_of_several_may_be_asked_for(capsys):
    assert oracles.chosen("agm.revise") == ["agm.revise"]
    assert oracles.chosen("agm.merging") == ["agm.merging.sigma", "agm.merging.gmax"]
    assert main(["--only", "agm.merging", "--case", "1"]) == 0
    assert capsys.readouterr().out.count("again: ") == 2
    for wrong in (["--only", "nonesuch"], ["--count", "0"], ["--processes", "0"]):
        with pytest.raises(SystemExit):
            main(wrong)
    assert "no operator has 'nonesuch' in its name" in capsys.readouterr().err


def test_processes_share_the_work_and_change_nothing():
    some = ["agm.merging.sigma", "agm.theories.pma", "agm.iterated.natural"]
    alone = list(run(some, 100, 5, processes=1))
    shared = list(run(some, 100, 5, processes=2))
    assert [tally.compared for tally in alone] == [34, 33, 33]
    assert [tally._replace(seconds=0) for tally in alone] == [
        tally._replace(seconds=0) for tally in shared
    ]


@pytest.mark.parametrize("name", ["agm.revise", "agm.iterated.bullet"])
def test_a_number_and_a_seed_fix_the_question(name):
    one, again, other, later = (
        compared(PAIRS[name], *at) for at in ((1, 2), (1, 2), (2, 2), (1, 3))
    )
    assert str(one.question) == str(again.question)
    assert len({str(each.question) for each in (one, other, later)}) == 3
    assert one.found == again.found


def test_definitions_import_nothing_of_the_library():
    (folder,) = definitions.__path__
    imported = set()
    for path in Path(folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module)
    assert imported
    others = {name for name in imported if not name.startswith("laboratory.definitions")}
    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names


NO_OPERATORS = {
    "CONTRACTIONS",
    "ImpossibleClaim",
    "InvalidPreorder",
    "JOURNALS",
    "Journal",
    "OPERATORS",
    "REVISIONS",
    "Theory",
    "UPDATES",
    "all_preorders",
    "by_distance",  # a part of `dalal_rebuilt`
    "decided",
    "forgetful",  # makes `satoh_rebuilt` and `amnesic`
    "in_turn",
    "internal",  # the other name of `revise`
    "loss",
    "out_of",
    "require_possible",
}


@pytest.mark.parametrize(
    "module", [agm.contraction, agm.revision, agm.theories, agm.iterated], ids=lambda m: m.__name__
)
def test_every_operator_that_has_a_name_is_compared(module):
    asked = " ".join(PAIRS)
    assert [name for name in module.__all__ if name not in NO_OPERATORS and name not in asked] == []


def test_every_merger_is_compared():
    assert {f"agm.merging.{name}" for name in agm.merging.OPERATORS} <= PAIRS.keys()


RESULTS = {
    "kernel_safe": "safe",
    "smooth_kernel_safe": "smooth_safe",
    "brutal": "severe",
}


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["kind"] == "contraction"],
    ids=lambda case: case["name"],
)
def test_the_definitions_give_what_was_worked_out_by_hand(case):
    expected = case["expected"]
    degrees = expected.get("degrees", {})
    spoken = [one["formula"] for one in case["base"]]
    spoken += [case["contract"], *case.get("background", ()), *degrees]
    table = table_of(parse(text.replace("~", "!")) for text in spoken)

    def mask(text):
        return table.mask(parse(text.replace("~", "!")))

    possible = table.true
    for text in case.get("background", ()):
        possible &= mask(text)
    told = [
        Entry(number, one["formula"], mask(one["formula"]), one["rank"])
        for number, one in enumerate(case["base"])
    ]
    base, goal = Base(told, possible), mask(case["contract"])

    def ids(part):
        return sorted(case["base"][one.number]["id"] for one in base.listed(part))

    for field, found in (("kernels", base.kernels(goal)), ("remainders", base.remainders(goal))):
        assert sorted(map(ids, found)) == sorted(map(sorted, expected[field]))
    for name, result in expected["results"].items():
        assert ids(CONTRACTIONS[RESULTS.get(name, name)](base, goal)) == sorted(result)
    for text, degree in degrees.items():
        assert base.degree(mask(text)) == degree

"""Revision and verdicts on pairs: the short way on one slot equals the long way."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import attr, forall, negate, prop, relation
from agm.contraction import contract
from agm.domains import domains
from agm.encoding import Encoder
from agm.errors import NotInDomain
from agm.revision import ImpossibleClaim, external, revise
from agm.solver import Budget, Session
from agm.update import erase, update
from agm.values import Quantity
from agm.verdicts import Verdict, VerdictHasNoTruthValue, compare, compare_claims
from agm.vocabulary import Vocabulary
from tests.strategies.typed import VOCABULARY, admitted, claims

SLOTS = [attr(entity, "n") for entity in "ab"]
values = st.sampled_from([0, 1, Decimal(1), "1", True])
literals = st.builds(lambda slot, value: slot == value, st.sampled_from(SLOTS), values)
classes = st.sampled_from(["asserted", "documented", "inferred"])


def through_the_solver(base, claim):
    """The default contraction under another name, so that revision takes the long way."""
    return contract(base, claim)


def test_the_short_way_on_a_slot_equals_the_long_way():
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(
        st.lists(st.tuples(literals, classes), max_size=6),
        st.lists(st.tuples(literals, classes), min_size=1, max_size=4),
    )
    def run(told, steps):
        short = long = BeliefBase([Belief(claim, of) for claim, of in told])
        for claim, of in steps:
            one = revise(short, claim, entrenchment=of)
            two = revise(long, claim, entrenchment=of, contraction=through_the_solver)
            three = external(long, claim, entrenchment=of)
            for other in (two, three):
                assert [loss.belief for loss in one.given_up] == [
                    loss.belief for loss in other.given_up
                ] or {loss.belief.id for loss in one.given_up} == {
                    loss.belief.id for loss in other.given_up
                }
                assert [(b.id, b.claim, b.entrenchment) for b in one.after] == [
                    (b.id, b.claim, b.entrenchment) for b in other.after
                ]
            if one.given_up and not short.bad():
                seen[one.route] += 1
                for loss in one.given_up:
                    assert loss.kernel == ()
                    assert loss.against is negate(claim)
            short, long = one.after, two.after

    run()
    assert seen["slot"] >= 30, seen


def test_a_rule_or_constraint_on_the_slot_is_not_overlooked():
    size, color = attr("box", "size"), attr("box", "color")
    law = (size == 3) >> (color == "red")
    base = BeliefBase([size == 1, color == "blue"], constraints=[law])
    assert {str(b.claim) for b in revise(base, size == 3).after} == {"size(box) = 3"}
    rule = forall(lambda x: (attr(x, "size") == 3) >> (attr(x, "color") == "red"))
    base = BeliefBase([Belief(rule, "core"), size == 1, color == "blue"])
    change = revise(base, size == 3)
    assert {loss.belief.claim for loss in change.given_up} == {size == 1, color == "blue"}


def test_an_impossible_claim_is_refused_whole():
    size = attr("box", "size")
    base = BeliefBase([size == 1], constraints=[size <= 10])
    for operator in (revise, external, update):
        with pytest.raises(ImpossibleClaim, match="contradicts the constraints"):
            operator(base, size == 11)
    declared = Vocabulary().declare("state", "enum", values=("on", "off"))
    with pytest.raises(NotInDomain):
        revise(BeliefBase([], vocabulary=declared), attr("lamp", "state") == "broken")


def test_update_of_slot_values_is_the_possible_models_approach():
    """Worlds are pairs of values; a world moves to the nearest ones, counted in changed slots."""
    seen: Counter[str] = Counter()
    grid = list(product((0, 1, 2), repeat=2))

    def true_in(claim, world):
        where = {slot.key: value for slot, value in zip(SLOTS, world, strict=True)}
        key, value = claim.slot
        return where[key] == value

    numbers = st.sampled_from([0, 1, 2])
    ground = st.builds(lambda slot, value: slot == value, st.sampled_from(SLOTS), numbers)

    @settings(max_examples=100)
    @given(st.lists(ground, max_size=3, unique_by=lambda claim: claim.slot[0]), ground)
    def run(told, claim):
        base = BeliefBase(told)
        before = [w for w in grid if all(true_in(c, w) for c in told)]
        targets = [w for w in grid if true_in(claim, w)]
        expected = set()
        for world in before:
            gaps = {t: {i for i in (0, 1) if t[i] != world[i]} for t in targets}
            expected |= {t for t in targets if not any(g < gaps[t] for g in gaps.values())}
        after = [b.claim for b in update(base, claim).after]
        assert {w for w in grid if all(true_in(c, w) for c in after)} == expected
        seen["moved"] += set(before) != expected
        outside = [b.claim for b in erase(base, claim).after]
        assert outside == [c for c in told if c is not claim]

    run()
    assert seen["moved"] >= 20


def decided_by_z3(ground, domain):
    session = Session(Encoder(domain), Budget())
    answer, _ = session.ask(ground)
    session.close()
    return answer


def test_verdicts_on_pairs_are_those_of_z3_in_both_directions():
    seen: Counter[str] = Counter()

    @settings(max_examples=200)
    @given(claims, claims, st.lists(claims, max_size=1))
    def run(new, old, laws):
        taken, vocabulary = admitted([*laws, new, old])
        if len(taken) < len(laws) + 2:
            return
        *laws, new, old = taken
        domain = domains(vocabulary)
        if not decided_by_z3(laws, domain):
            return
        verdict = compare_claims(new, old, constraints=laws, vocabulary=VOCABULARY)
        forward = not decided_by_z3([*laws, new, negate(old)], domain)
        backward = not decided_by_z3([*laws, old, negate(new)], domain)
        if not decided_by_z3([*laws, new, old], domain):
            expected = Verdict("contradiction", "")
        elif forward and backward:
            expected = Verdict("paraphrase", "")
        elif forward or backward:
            expected = Verdict("refinement", "", direction="new" if forward else "old")
        else:
            expected = Verdict("unrelated", "")
        assert verdict == expected, (new, old, laws, verdict)
        seen[verdict.kind] += 1
        base = BeliefBase([], constraints=laws, vocabulary=VOCABULARY)
        assert compare(new, old, base=base) == expected
        mirrored = compare(old, new, base=base)
        assert mirrored.kind == expected.kind
        assert hash(mirrored) is not None

    run()
    assert min(seen[kind] for kind in ("contradiction", "refinement", "unrelated")) >= 5, seen


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        (attr("a", "f") == 1, attr("a", "f") == 2, "contradiction"),
        (attr("a", "f") == 1, attr("a", "f") == 1, "paraphrase"),
        (attr("a", "f") == 1, attr("a", "f") == Decimal(1), "contradiction"),
        (attr("a", "f") == 1, attr("b", "f") == 2, "unrelated"),
        (attr("a", "f") == Quantity(300, "s"), attr("a", "f") == Quantity(5, "min"), "paraphrase"),
        (relation("r", "a", 1), relation("r", "a", 2), "unrelated"),
        (prop("p"), ~prop("p"), "contradiction"),
        (~prop("p") | prop("q"), prop("p") >> prop("q"), "paraphrase"),
    ],
)
def test_verdicts_by_hand(new, old, kind):
    assert compare_claims(new, old).kind == kind


def test_a_slot_with_a_single_possible_value_says_nothing():
    one = Vocabulary().declare("planet", "enum", values=("earth",))
    new, old = attr("a", "planet") == "earth", attr("a", "f") == 1
    assert compare_claims(new, old, vocabulary=one) == Verdict("refinement", "", direction="old")


def test_an_undecided_pair_says_why(monkeypatch):
    f, g = attr("a", "f"), attr("a", "g")
    monkeypatch.setattr("agm.solver.Session.ask", lambda *_: (None, "out of patience"))
    verdict = compare_claims(f + g <= 3, f - g >= 3)
    assert verdict.kind == "undecided"
    assert verdict.reason == "out of patience"
    assert "out of patience" in repr(verdict)
    with pytest.raises(VerdictHasNoTruthValue):
        bool(verdict)


def test_a_pair_of_slot_values_loads_no_solver():
    code = (
        "import sys; from agm import BeliefBase, attr, compare, revise\n"
        "ttl = attr('cache', 'ttl')\n"
        "compare(ttl == 1, ttl == 2, base=BeliefBase())\n"
        "revise(BeliefBase([ttl == 1]), ttl == 2).after\n"
        "sys.exit(any(name in sys.modules for name in ('z3', 'networkx', 'lark', 'pint')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=".")

"""Rules that operators meet: instances go one by one, of held rules and of rules that are told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Truth, attr, forall, negate, prop, relation
from agm.contraction import OPERATORS, full_meet, maxichoice, partial_meet
from agm.remainders import remainders_of
from agm.revision import semi_revise
from agm.selection import InvalidSelection
from agm.solver import check
from agm.verdicts import Inconsistent

SKY, TTL = prop("sky"), attr("cache", "ttl")
RULES = (
    forall(lambda x: relation("penguin", x) >> relation("flies", x)),
    forall(lambda x: relation("flies", x) >> SKY),  # names a key of its own, for all its instances
    forall(lambda x: relation("penguin", x) >> (TTL == 300)),
    forall(lambda x: relation("flies", x) | relation("flies", "tux")),
)
FACTS = (
    *(relation(of, who) for of in ("penguin", "flies") for who in ("tux", "pingu")),
    *(SKY, TTL == 300, TTL == 600, prop("p")),
)
facts = st.sampled_from([*FACTS, *map(negate, FACTS)])
classes = st.sampled_from(("asserted", "documented", "observed"))


@st.composite
def bases(draw):
    told = [
        Belief(one, draw(classes))
        for one in draw(st.lists(facts, min_size=3, max_size=6, unique=True))
    ]
    laws = draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=2, unique=True))
    return BeliefBase([*told, *(Belief(law, "observed") for law in laws)])


@pytest.mark.parametrize("name", OPERATORS)
def test_contractions_of_bases_with_rules_succeed_and_certify(name):
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(bases(), facts | st.just(Truth(False)))
    def run(base, claim):
        change = OPERATORS[name](base, claim)
        assert not change.after.entails(claim)
        assert base.entails(claim) or not change.given_up
        for loss in change.given_up:
            if loss.rule is not None:
                seen["instance"] += 1
                assert loss.binding in change.after[loss.rule.id].exceptions
            if loss.certified:
                seen["certified"] += 1
                parts = [b.claim for b in (loss.belief, *loss.kernel)]
                assert isinstance(check([*parts, negate(loss.against)]), Inconsistent)
            else:
                assert name in {"ensconcement", "severe", "severe, lifted"}

    run()
    assert seen["certified"] >= 10, seen
    assert seen["instance"] >= 2 or name in {"ensconcement", "severe", "severe, lifted"}, seen


def test_a_rule_that_names_a_key_of_its_own_is_excepted_like_any_other():
    rule = RULES[1]
    base = BeliefBase([~SKY, relation("flies", "tux"), relation("flies", "pingu"), rule])
    change = OPERATORS["linear preferred"](base, Truth(False))
    assert [loss.rule.claim for loss in change.given_up] == [rule, rule]
    assert len(change.after) == 4
    assert len(change.after["b4"].exceptions) == 2
    assert not change.after.entails(Truth(False))


@pytest.mark.parametrize("contraction", [None, full_meet])
@pytest.mark.parametrize("told_before", [False, True])
def test_a_rule_that_is_semi_revised_by_is_taken_in_with_exceptions(contraction, told_before):
    rule = RULES[0]
    held = [Belief(relation("penguin", who), "core") for who in ("tux", "pingu")]
    before = [Belief(rule, "observed")] if told_before else []
    base = BeliefBase([*held, Belief(~relation("flies", "tux"), "core"), *before])
    change = semi_revise(base, rule, contraction=contraction)
    after = change.after
    assert after.held(rule).exceptions == {(("x", '"tux"'),)}
    assert after.held(rule).entrenchment == "asserted"
    assert len(after) == len(list(after))
    assert len(change.given_up) == (told_before + 2 * (contraction is full_meet))
    assert after.entails(relation("flies", "pingu"))
    assert not after.entails(Truth(False))
    if told_before:
        assert change.rejection is None
        assert change.given_up[-1].rule.claim is rule
    else:
        assert change.rejection.belief.claim is relation("penguin", "tux") >> relation(
            "flies", "tux"
        )
        assert "x penguin(tux) -> flies(tux)" in str(change)
        assert [b.claim for b in change.added] == [rule]


def test_a_remainder_keeps_a_rule_but_for_the_instances_that_go():
    rule, bird = RULES[0], relation("penguin", "tux")
    base = BeliefBase([Belief(rule, id="r"), Belief(bird, "observed", id="f"), TTL == 300])
    goal = relation("flies", "tux")
    listed = list(remainders_of(base, goal))
    assert [[b.id for b in kept] for kept in listed] == [["b1", "r"], ["b1", "r", "f"]]
    assert [len(kept[1].exceptions) for kept in listed] == [0, 1]
    for kept in listed:
        assert not BeliefBase(kept).entails(goal)
    for place, kept in enumerate(listed):
        change = maxichoice(lambda found, place=place: list(found)[place])(base, goal)
        assert [(b.id, b.exceptions) for b in change.after] == [(b.id, b.exceptions) for b in kept]
    with pytest.raises(InvalidSelection, match="no remainder"):
        partial_meet(lambda _: [tuple(base)])(base, goal)


def test_remainders_of_bases_with_rules_are_the_largest_parts_without_the_claim():
    count: Counter[str] = Counter()

    @settings(max_examples=100)
    @given(bases(), facts)
    def run(base, claim):
        listed = list(remainders_of(base, claim))
        for kept in listed:
            part = BeliefBase(kept)
            assert not part.entails(claim)
            count["excepted"] += any(belief.exceptions for belief in kept)
        assert len(listed) == remainders_of(base, claim).count
        count["several"] += len(listed) > 1

    run()
    assert min(count[kind] for kind in ("excepted", "several")) >= 10, count

"""One pass over all rules clears keys; what is left answers as a walk from every key would."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agm.guard
from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Variable, relation
from agm.disputes import truth
from agm.errors import ClaimTypeError
from agm.syntax import parse

NAMES = ("a", "b", "c")
RULES = (
    "forall x, y, s, t. born(x, s) & won(x, y, t) -> s <= t",
    "forall x, s, t. born(x, s) & born(x, t) -> s = t",
    "forall x, y. knows(x, y) -> knows(y, x)",
    "forall x, y, t. won(x, y, t) -> !shy(x)",
    "forall x. shy(x)",
    "forall x, s. born(x, s) -> age(x) <= 100",
    "forall x, s. born(x, s) & (forall y. !knows(x, y)) -> shy(x)",
    "forall x, y, t. !won(x, y, t) | t in {1, 2, 3} | x = y",
)
people = st.sampled_from(NAMES)
years = st.one_of(st.integers(0, 3), st.just("unknown"))
facts = st.one_of(
    st.builds(lambda x, t: relation("born", x, t), people, years),
    st.builds(lambda x, y, t: relation("won", x, y, t), people, people, years),
    st.builds(lambda x, y: relation("knows", x, y), people, people),
    st.builds(lambda x: parse(f"shy({x})"), people),
    st.builds(lambda x, n: parse(f"age({x}) = {n}"), people, st.sampled_from([50, 150])),
    st.builds(lambda x, y: parse(f"shy({x}) | shy({y})"), people, people),
).flatmap(lambda claim: st.sampled_from([claim, claim, ~claim]))


@pytest.mark.parametrize("as_beliefs", [False, True])
def test_a_pass_over_all_rules_finds_what_a_walk_from_each_key_finds(monkeypatch, as_beliefs):
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(st.lists(facts, min_size=1, max_size=8), st.lists(st.sampled_from(RULES), max_size=3))
    def run(claims, rules):
        laws = [parse(rule) for rule in dict.fromkeys(rules)]

        def bad(many, bindings):
            monkeypatch.setattr(agm.guard, "MANY_SUSPECTS", many)
            monkeypatch.setattr(agm.guard, "_BINDINGS", bindings)
            beliefs = [Belief(claim, id=f"f{place}") for place, claim in enumerate(claims)]
            base = BeliefBase(
                [*beliefs, *(laws if as_beliefs else ())], constraints=() if as_beliefs else laws
            )
            found = base.bad()
            return {key for keys in found for key in keys}, len(found)

        try:
            walked = bad(10**9, 50)
        except agm.base.InconsistentConstraints:
            return
        assert bad(0, 1000) == walked
        assert bad(0, 1) == walked
        seen["bad"] += bool(walked[0])
        seen["sound"] += not walked[0]

    run()
    assert min(seen["bad"], seen["sound"]) >= 5, seen


def test_only_instances_that_could_be_false_are_in_dispute():
    lived = [relation("born", "ann", 1), relation("won", "ann", "cup", 2)]
    died = [relation("born", "bea", 5), relation("won", "bea", "cup", 4)]
    base = BeliefBase([*lived, *died], constraints=[parse(RULES[0])])
    disputes = base.explorer().disputes(cap=100)
    assert all(key in disputes for claim in died for key in claim.keys)
    assert not any(key in disputes for claim in lived for key in claim.keys)


@pytest.mark.parametrize(
    ("text", "value", "known"),
    [
        ("s <= 3", 2, True),
        ("s <= 3", 4, False),
        ("!(s <= 3)", 4, True),
        ("p & s <= 3", 4, False),
        ("p & s <= 3", 2, None),
        ("p | s <= 3", 2, True),
        ("p | s <= 3", 4, None),
        ("s <= 3 -> p", 4, True),
        ("p -> s <= 3", 2, True),
        ("true -> s <= 3", 4, False),
        ("p <-> s <= 3", 4, None),
        ("s in {1, 2}", 2, True),
        ("!p", 2, None),
    ],
)
def test_values_may_settle_a_claim_by_themselves(text, value, known):
    rule = parse(f"forall s. q(s) -> ({text})")
    assert truth(rule.body.right, {rule.variables[0]: value}) is known


def test_an_order_on_words_is_no_claim():
    rule = parse("forall s. q(s) -> s <= 3")
    assert isinstance(rule.variables[0], Variable)
    with pytest.raises(ClaimTypeError):
        truth(rule.body.right, {rule.variables[0]: "unknown"})

"""Rules: grounding on demand misses nothing that all instances together would say."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.claims import Key, attr, forall, negate, prop, relation
from agm.errors import NotDecided
from agm.grounding import expanded, ground
from agm.solver import Scratch, check
from agm.universe import Universe
from agm.verdicts import Consistent, Inconsistent

NAMES = ("a", "b", "c")
SOME = [
    ~forall(lambda x: ~relation("wet", x)),
    relation("flies", "a") >> forall(lambda x: relation("bird", x)),
    forall(lambda x: relation("wet", x)) | forall(lambda x: relation("dry", x)),
    forall(lambda x: relation("bird", x) >> ~forall(lambda y: ~relation("near", x, y))),
]
"""Claims with rules inside them."""
RULES = [
    *SOME,
    forall(lambda x: relation("bird", x) >> relation("flies", x)),
    forall(lambda x: relation("penguin", x) >> (relation("bird", x) & ~relation("flies", x))),
    forall(lambda x, y: (relation("near", x, y) & relation("wet", y)) >> relation("wet", x)),
    forall(lambda x, y: relation("near", x, y) >> relation("near", y, x)),
    forall(lambda x: relation("wet", x) | relation("dry", x)),
    forall(lambda x: ~relation("bird", x) | (attr(x, "legs") == 2)),
    forall(lambda x, t: relation("seen", x, t) >> (attr(x, "legs") <= t)),
    forall(lambda x, y: relation("wet", x) >> (relation("near", x, y) | relation("dry", y))),
    forall(lambda x: (attr(x, "legs") == 2) >> relation("flies", x)),
]
rules = st.sampled_from(RULES)
unary = st.builds(
    relation, st.sampled_from(["bird", "penguin", "flies", "wet", "dry"]), st.sampled_from(NAMES)
)
near = st.builds(
    lambda x, y: relation("near", x, y), st.sampled_from(NAMES), st.sampled_from(NAMES)
)
seen_ = st.builds(lambda x, t: relation("seen", x, t), st.sampled_from(NAMES), st.integers(1, 3))
legs = st.builds(lambda x, n: attr(x, "legs") == n, st.sampled_from(NAMES), st.integers(1, 3))
facts = st.one_of(unary, unary, near, seen_, legs, unary.map(lambda atom: ~atom))


def everything(claims, asked):
    """The claims with each rule replaced by all its instances over everything mentioned."""
    universe = Universe()
    for claim in (*claims, *asked):
        universe.note(claim)
    out = []
    for claim in claims:
        names = sorted(universe.entities) or ["_"]
        out.append(expanded(claim, entities=names, values_of=universe.values_of))
    return out


def test_grounding_on_demand_answers_like_all_instances_at_once():
    count: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(
        st.lists(rules, min_size=1, max_size=3, unique=True),
        st.lists(facts, min_size=2, max_size=5, unique=True),
        facts,
    )
    @example(
        [RULES[6]],
        [relation("near", "a", "b"), relation("near", "b", "c"), relation("wet", "c")],
        ~relation("wet", "a"),
    )  # the premise wet(b) is mentioned nowhere, but follows
    def run(laws, told, asked):
        compare(laws, told, asked)
        compare(laws, told, negate(asked))

    def compare(laws, told, question):
        whole = check([*everything([*laws, *told], [question]), question])
        base = BeliefBase([*laws, *told]).check(question)
        assert type(base) is type(whole), (laws, told, question)
        count[type(whole).__name__] += 1
        pad = Scratch(laws)
        for claim in told:
            pad.add(claim)
        assert type(pad.admits(question)) is type(whole)
        if isinstance(check(everything(laws, [])), Consistent):
            lawful = BeliefBase(told, constraints=laws).check(question)
            assert type(lawful) is type(whole)
        mixed = Scratch()
        for claim in (*told, *laws):
            mixed.add(claim)
        assert type(mixed.admits(question)) is type(whole)

    run()
    assert count["Inconsistent"] >= 15
    assert count["Consistent"] >= 15


def test_instances_come_in_the_order_of_their_bindings_whatever_was_said_first():
    rule = RULES[6]
    atoms = [relation("near", x, y) for x in "cab" for y in "bca"] + [relation("wet", "b")]
    orders = []
    for told in (atoms, atoms[::-1]):
        universe = Universe()
        for claim in told:
            universe.note(claim)
        found = ground(rule, entities=universe.entities, values_of=universe.values_of)
        orders.append([binding for binding, _ in found])
    assert orders[0] == orders[1] == [(("x", f'"{x}"'), ("y", '"b"')) for x in "abc"]


def test_values_of_other_types_stay_apart_although_their_keys_are_alike():
    rule = forall(lambda x, t: relation("won", x, t) >> relation("winner", t))
    universe = Universe()
    for claim in (relation("won", "curie", 1903), relation("won", "curie", "1903")):
        universe.note(claim)
    key = Key("won", ("curie", "1903"))
    found = ground(rule, entities=universe.entities, values_of=universe.values_of, touching=key)
    assert [value for binding, _ in found for name, value in binding if name == "t"] == [
        '"1903"',
        "1903",
    ]


def test_an_instance_that_is_no_claim_is_none():
    rule = forall(lambda x, t: relation("won", x, t) >> (attr(x, "born") <= t))
    base = BeliefBase([rule, relation("won", "curie", "long ago"), attr("curie", "born") == 1867])
    assert isinstance(base.check(), Consistent)


def test_a_growing_base_learns_new_rules_and_new_links():
    from agm.expansion import expand

    base = BeliefBase([relation("near", "a", "b"), relation("wet", "b")])
    assert not base.entails(relation("wet", "a"))
    base = expand(base, RULES[6]).after
    assert base.entails(relation("wet", "a"))
    base = expand(base, relation("near", "z", "a")).after
    assert base.entails(relation("wet", "z"))
    base = expand(base, RULES[7]).after
    assert base.entails(relation("near", "b", "a"))


def test_rules_that_yield_too_much_leave_the_question_undecided(monkeypatch):
    monkeypatch.setattr("agm.universe.MAX_YIELDED", 50)
    path = forall(
        lambda x, y, z: (relation("to", x, y) & relation("to", y, z)) >> relation("to", x, z)
    )
    base = BeliefBase([path, *(relation("to", f"n{n}", f"n{n + 1}") for n in range(20))])
    with pytest.raises(NotDecided, match="more than 50"):
        base.entails(relation("to", "n0", "n20"))
    assert not isinstance(base.check(prop("p")), Inconsistent)

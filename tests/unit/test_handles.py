"""Older handles: whatever was made from a base since, it answers like one built afresh."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import update as world_changes
from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import forall, negate, prop, relation
from agm.consolidation import consolidate
from agm.contraction import OPERATORS, contract, package
from agm.errors import AgmError
from agm.expansion import expand
from agm.explanations import repairs, restorers, to_believe
from agm.remainders import kernels_of, remainders_of
from agm.revision import external, revise, semi_revise
from agm.update import erase

p, q, r, c = map(prop, "pqrc")
RULES = (
    forall(lambda x: relation("bird", x) >> relation("flies", x)),
    forall(lambda x: relation("penguin", x) >> ~relation("flies", x)),
    forall(lambda x: relation("flies", x) >> p),
)
ATOMS = (p, q, *(relation(of, who) for of in ("bird", "flies") for who in ("tw", "ti")))
claims = st.one_of(
    st.sampled_from(ATOMS),
    st.sampled_from(ATOMS).map(negate),
    st.builds(lambda one, two: one >> two, st.sampled_from(ATOMS), st.sampled_from(ATOMS)),
    st.sampled_from(RULES),
)
classes = st.sampled_from(("core", "asserted", "documented", "observed", "untrusted"))
STEPS = {
    "revise": revise,
    "contract": lambda base, claim, **_: contract(base, claim),
    "expand": expand,
    "semi": semi_revise,
    "consolidate": lambda base, *_, **__: consolidate(base),
}
steps = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), claims, classes, st.integers(0, 4)),
    min_size=1,
    max_size=4,
)


@st.composite
def bases(draw):
    names = [f"n{number}" for number in range(draw(st.integers(1, 5)))]
    return [
        Belief(
            draw(claims),
            draw(classes),
            id=name,
            rests_on=draw(st.lists(st.sampled_from(names[:place]), max_size=2)) if place else (),
        )
        for place, name in enumerate(names)
    ]


def test_a_rank_is_of_the_premises_that_the_handle_sees():
    def made():
        return BeliefBase(
            [
                Belief(p, "untrusted", id="a"),
                Belief(q, "core", id="b", rests_on=["a"]),
                Belief(q >> c, "observed", id="d"),
            ]
        )

    base = made()
    assert [belief.id for belief in contract(base, c).after] == ["d", "a"]
    assert contract(base, p).after.rank(base["b"]) == 1
    assert [belief.id for belief in contract(base, c).after] == ["d", "a"]
    other = made()
    assert len(revise(other, p, entrenchment="core").after) == 3
    assert other.degree(c) == made().degree(c) == 1


def test_remainders_are_of_the_beliefs_that_the_handle_sees():
    base = BeliefBase([Belief(p, id="a"), r])
    assert len(contract(base, p).after) == 1
    assert [[belief.id for belief in kept] for kept in remainders_of(base, p)] == [["b1"]]
    base = BeliefBase([Belief(p, "observed", id="a"), q])
    assert len(revise(base, p).after) == 2  # it replaces one
    assert [[belief.claim for belief in kept] for kept in remainders_of(base, p)] == [[q]]


def test_a_name_that_was_given_again_is_found_in_each_handle():
    first = BeliefBase([Belief(p, "observed", id="a")])
    second = revise(first, p).after
    third = contract(second, p).after
    fourth = expand(third, q).after
    assert first["a"].entrenchment == "observed"
    assert second["a"].entrenchment == "asserted"
    for base in (third, fourth):
        with pytest.raises(KeyError):
            base["a"]
    names = [third.fresh_belief(q, "core", skip=place).id for place in range(3)]
    assert sorted(set(names)) == names
    assert fourth["b2"].claim is q


def test_each_handle_of_a_history_answers_like_a_base_built_afresh():
    count: Counter[str] = Counter()

    @settings(max_examples=80)
    @given(bases(), steps, claims, st.lists(st.sampled_from(sorted(OPERATORS)), max_size=2))
    def run(beliefs, history, claim, operators):
        handles = [BeliefBase(beliefs)]
        for name, told, entrenchment, place in history:
            before = handles[place % len(handles)]
            try:
                handles.append(STEPS[name](before, told, entrenchment=entrenchment).after)
            except AgmError:
                continue
        for base in handles:
            mine = [base.arena.beliefs[n] for n in base.arena.all_at(base.version)]
            fresh = answers(BeliefBase(mine), claim, operators)
            for question, answer in answers(base, claim, operators).items():
                assert answer == fresh[question], (question, base.version, base.arena.version)
            count["grown"] += base.version > 0
            count["older"] += base.version < base.arena.version
            count["derived"] += any(belief.rests_on for belief in mine)
            count["changed"] += fresh["contract"][1] not in {(), "NotDecided"}

    run()
    assert min(count[kind] for kind in ("grown", "older", "derived", "changed")) >= 10, count


def answers(base, claim, operators):
    """What a base says of itself and of a claim, in plain values."""
    asked = {
        "beliefs": lambda: [(b.id, base.rank(b), base[b.id] is b, b.claim in base) for b in base],
        "size": lambda: (len(base), len(base.graph)),
        "entails": lambda: base.entails(claim),
        "check": lambda: type(base.check()).__name__,
        "degree": lambda: base.degree(claim),
        "lifted": lambda: ids(base.lifted()),
        "kernels": lambda: sorted(map(ids, kernels_of(base, claim))),
        "remainders": lambda: sorted(map(shown, remainders_of(base, claim))),
        "why": lambda: sorted(map(ids, base.why(claim).kernels)),
        "restorers": lambda: ids(restorers(base, ~claim)),
        "sacrifices": lambda: sorted(map(ids, to_believe(base, ~claim))),
        "repairs": lambda: sorted(map(ids, repairs(base))),
        "contract": lambda: told(contract(base, claim)),
        "package": lambda: told(package(base, [claim, p])),
        "revise": lambda: told(revise(base, negate(claim))),
        "external": lambda: told(external(base, negate(claim))),
        "semi": lambda: told(semi_revise(base, negate(claim))),
        "consolidate": lambda: told(consolidate(base)),
        "update": lambda: told(world_changes(base, negate(claim))),
        "erase": lambda: told(erase(base, claim)),
        **{name: lambda name=name: told(OPERATORS[name](base, claim)) for name in operators},
    }
    return {question: attempted(ask) for question, ask in asked.items()}


def attempted(ask):
    try:
        return ask()
    except AgmError as refusal:
        return type(refusal).__name__, ()


def ids(beliefs):
    return [belief.id for belief in beliefs]


def shown(beliefs):
    return [(b.id, str(b.claim), b.entrenchment, sorted(b.exceptions)) for b in beliefs]


def told(change):
    """A change by what it leaves; newcomers without the ids they are given."""
    old = set(ids(change.before))
    after = [b if b.id in old else b.with_(id="new") for b in change.after]
    lost = tuple(
        (loss.belief.id, loss.binding, tuple(b.id if b.id in old else "new" for b in loss.kernel))
        for loss in change.given_up
    )
    return sorted(shown(after)), lost, change.settled

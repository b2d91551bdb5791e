"""What is held, dismissed or withdrawn joins nothing: plain questions stay answerable beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import attr, parse
from agm.errors import NotDecided
from agm_store import open_store
from agm_store.components import ANCESTRY_CAP, COMPONENT_CAP
from tests.strategies.stores import Clock

if TYPE_CHECKING:
    from agm_store.beliefs import BeliefStore

RULE = "forall x, t. likes(x, t) -> social(x)"
_DEFAULTS = {
    "upto": None,
    "cap": COMPONENT_CAP,
    "whole": True,
    "ancestry": ANCESTRY_CAP,
    "resting_on": (),
}
LIKES = attr("anna", "likes")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: object) -> BeliefStore:
    path = None if request.param == "memory" else f"{tmp_path}/store.db"
    return open_store(path, principal="anna", clock=Clock())


def _likes(store: BeliefStore, count: int, **how: str) -> None:
    with store.transaction():
        for number in range(count):
            store.tell(parse(f"likes(anna, t{number})"), **how)  # type: ignore[arg-type]


def _readable(store: BeliefStore, count: int) -> None:
    assert len(store.ask(LIKES).sides) == count
    assert store.entails(parse("likes(anna, t3)"))
    world = store.at()
    assert len(world.believed) == len(world.base) == count
    assert world.contested == ()
    assert store.why("b1").standing == "believed"


def test_a_held_rule_over_many_claims_leaves_them_readable(store: BeliefStore) -> None:
    _likes(store, 501)
    held = store.tell(parse(RULE), entrenchment="untrusted")
    assert held.status == "held"
    _readable(store, 501)
    assert store.why(held.belief).standing == "not_in_force"
    store.decide(store.inbox()[0], "dismiss")
    _readable(store, 501)
    assert store.why(held.belief).status == "rejected"


def test_a_rule_held_because_its_component_is_too_large_breaks_nothing(store: BeliefStore) -> None:
    with store.transaction():
        for number in range(700):
            store.tell(parse(f"bird(b{number})"))
    assert store.tell(parse("forall x. bird(x) -> flies(x)")).status == "held"
    assert len(store.at().believed) == 700
    assert store.entails(parse("bird(b9)"))
    assert not store.entails(parse("flies(b9)"))


def test_a_withdrawn_rule_joins_no_longer_but_did_in_the_past(store: BeliefStore) -> None:
    rule = store.tell(parse(RULE))
    _likes(store, 2)
    before = store.at().known
    assert store.entails(parse("social(anna)"))
    store.retract(rule.belief)
    _likes(store, 0)
    with store.transaction():
        for number in range(600):
            store.tell(parse(f"likes(ben, t{number})"))
    assert len(store.ask(attr("ben", "likes")).sides) == 600
    assert not store.entails(parse("social(anna)"))
    assert store.at(known=before).entails(parse("social(anna)"))


def test_a_rule_counts_from_the_entry_that_admitted_it(store: BeliefStore) -> None:
    _likes(store, 2)
    store.tell(parse(RULE), entrenchment="untrusted")
    before = store.at().known
    store.decide(store.inbox()[0], "approve")
    assert store.entails(parse("social(anna)"))
    assert not store.at(known=before).entails(parse("social(anna)"))


def test_claims_that_are_only_held_fill_no_component(
    store: BeliefStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.tell(parse(RULE))
    _likes(store, 1)
    with store.transaction():
        for number in range(20):
            store.tell(parse(f"likes(anna, u{number})"), entrenchment="untrusted")
    monkeypatch.setattr("agm_store.components.component.__kwdefaults__", {**_DEFAULTS, "cap": 10})
    assert store.entails(parse("social(anna)"))


def test_an_admitted_rule_over_too_many_claims_is_still_not_decided(
    store: BeliefStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.tell(parse(RULE))
    _likes(store, 20)
    monkeypatch.setattr("agm_store.components.component.__kwdefaults__", {**_DEFAULTS, "cap": 10})
    with pytest.raises(NotDecided):
        store.entails(parse("social(anna)"))
    assert store.tell(parse("likes(anna, t99)")).status == "held"


def test_retracting_a_held_claim_ties_nothing_together(store: BeliefStore) -> None:
    store.tell(parse("f(x) = 1"))
    held = store.tell(parse("f(x) = 1 -> q(x) = 2"), entrenchment="untrusted")
    store.retract(held.belief)
    store.tell(parse("f(x) = 2"))
    assert store.ask(attr("x", "f")).value == 2
    assert store._journal.linked("anna", "f(x)") == []
    store.verify()

"""Corrections and the places they take over: approved ones, bounded ones, and those brought back by a revert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agm import attr, parse
from agm_store import open_store
from agm_store.errors import InvertedInterval, NotTheHead, TargetRetired
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from agm_store.beliefs import BeliefStore

F = attr("x", "f")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: object, clock: Clock) -> BeliefStore:
    path = None if request.param == "memory" else f"{tmp_path}/store.db"
    return open_store(path, principal="anna", clock=clock)


def _tell(store: BeliefStore, clock: Clock, at: int, text: str, **how: Any) -> str:
    clock.moment = day(at)
    return str(store.tell(parse(text), **how).belief)


def _values(store: BeliefStore, *days: int) -> list[Any]:
    return [store.at(valid=day(each)).ask(F).value for each in days]


def test_an_approved_correction_takes_over_the_place_of_its_target(
    store: BeliefStore, clock: Clock
) -> None:
    _tell(store, clock, 1, "f(x) = 1", entrenchment="core")
    held = _tell(store, clock, 5, "f(x) = 2")
    clock.moment = day(6)
    before = store.at().known
    receipt = store.decide(store.inbox()[0], "approve as correction")
    assert _values(store, 0, 1, 4, 6) == [None, 2, 2, 2]
    assert not any("cover" in notice for notice in receipt.notices)
    assert store.at(valid=day(4), known=before).ask(F).value == 1
    (side,) = store.ask(F).sides
    assert (side.belief, side.valid_from) == (held, day(1))
    store.verify()
    store.revert(receipt.entry)
    assert _values(store, 1, 4, 6) == [1, 1, 1]


def test_an_approved_correction_of_an_immutable_leaves_no_hole(
    store: BeliefStore, clock: Clock
) -> None:
    store.declare("f", "int", kind="immutable")
    _tell(store, clock, 1, "f(x) = 1")
    _tell(store, clock, 5, "f(x) = 2")
    clock.moment = day(6)
    receipt = store.decide(store.inbox()[0], "approve as correction")
    assert _values(store, 1, 4, 6) == [2, 2, 2]
    assert not any("immutable" in notice for notice in receipt.notices)


def test_an_approved_correction_ends_where_its_target_ends(
    store: BeliefStore, clock: Clock
) -> None:
    _tell(store, clock, 1, "f(x) = 1", entrenchment="core", valid_to=day(9))
    _tell(store, clock, 5, "f(x) = 2")
    store.decide(store.inbox()[0], "approve as correction")
    assert _values(store, 1, 8, 9) == [2, 2, None]


def test_an_approved_correction_with_times_says_what_it_does_not_cover(
    store: BeliefStore, clock: Clock
) -> None:
    _tell(store, clock, 1, "f(x) = 1", entrenchment="core")
    _tell(store, clock, 5, "f(x) = 2", valid_from=day(3))
    receipt = store.decide(store.inbox()[0], "approve as correction")
    assert _values(store, 2, 3, 5) == [None, 2, 2]
    assert any("does not cover" in notice for notice in receipt.notices)


def test_an_approved_correction_survives_a_rebuild(store: BeliefStore, clock: Clock) -> None:
    _tell(store, clock, 1, "f(x) = 1", entrenchment="core")
    _tell(store, clock, 5, "f(x) = 2")
    store.decide(store.inbox()[0], "approve as correction")
    store.rebuild()
    store.verify()
    _tell(store, clock, 7, "f(x) = 3")
    assert _values(store, 1, 6, 7) == [2, 2, 3]
    assert [s.valid_from for s in store.timeline(F)] == [day(1), day(7)]


@pytest.mark.parametrize("verb", ["correct", "update"])
def test_a_change_of_what_was_undone_since_is_not_brought_back(
    store: BeliefStore, clock: Clock, verb: str
) -> None:
    first = _tell(store, clock, 0, "f(x) = 1")
    clock.moment = day(1)
    second = store.correct(first, parse("f(x) = 2"))
    clock.moment = day(2)
    third = getattr(store, verb)(second.belief, parse("f(x) = 3"))
    undone = store.revert(third.entry)
    gone = store.revert(second.entry)
    with pytest.raises(NotTheHead) as refused:
        store.revert(undone.entry)
    assert f"entry {gone.entry}" in str(refused.value)
    store.revert(gone.entry)
    store.revert(undone.entry)
    assert _values(store, 2) == [3]


def test_a_change_of_what_lost_its_mode_since_is_not_brought_back(
    store: BeliefStore, clock: Clock
) -> None:
    first = store.tell(parse("f(x) = 1"))
    second = store.correct(first.belief, parse("f(x) = 2"))
    undone = store.revert(second.entry)
    changed = store.reclassify(first.entry, "hypothetical")
    with pytest.raises(NotTheHead):
        store.revert(undone.entry)
    store.revert(changed.entry)
    store.revert(undone.entry)
    assert _values(store, 0) == [2]


def test_a_change_of_an_approved_belief_waits_for_its_approval(
    store: BeliefStore, clock: Clock
) -> None:
    store.tell(parse("f(x) = 1"), entrenchment="untrusted")
    approved = store.decide(store.inbox()[0], "approve")
    second = store.correct(approved.belief, parse("f(x) = 2"))
    undone = store.revert(second.entry)
    gone = store.revert(approved.entry)
    with pytest.raises(NotTheHead):
        store.revert(undone.entry)
    store.revert(gone.entry)
    store.revert(undone.entry)
    assert _values(store, 0) == [2]


def test_a_correction_with_a_start_stays_within_its_bounded_target(
    store: BeliefStore, clock: Clock
) -> None:
    old = _tell(store, clock, 0, "f(x) = 1", valid_from=day(2), valid_to=day(6))
    receipt = store.correct(old, parse("f(x) = 2"), valid_from=day(3))
    assert _values(store, 2, 3, 5, 6) == [None, 2, 2, None]
    assert any("does not cover" in notice for notice in receipt.notices)
    longer = store.correct(receipt.belief, parse("f(x) = 3"), valid_from=day(3), valid_to=day(9))
    assert _values(store, 3, 8, 9) == [3, 3, None]
    with pytest.raises(InvertedInterval):
        store.correct(longer.belief, parse("f(x) = 4"), valid_from=day(9))


@pytest.mark.parametrize("since", [1, 2, 3])
def test_a_correction_with_a_start_stays_within_an_expired_target(
    store: BeliefStore, clock: Clock, since: int
) -> None:
    old = _tell(store, clock, 0, "f(x) = 1", valid_from=day(2))
    clock.moment = day(6)
    store.expire(old)
    receipt = store.correct(old, parse("f(x) = 2"), valid_from=day(since))
    _tell(store, clock, 7, "f(y) = 2")
    assert _values(store, since, 5, 6) == [2, 2, None]
    assert store.history(receipt.belief)[-1].valid_to == day(6)
    store.verify()


def test_a_stronger_correction_with_a_start_ends_with_its_superseded_target(
    store: BeliefStore, clock: Clock
) -> None:
    old = _tell(store, clock, 0, "f(x) = 1", entrenchment="documented")
    _tell(store, clock, 6, "f(x) = 2", entrenchment="documented")
    store.correct(old, parse("f(x) = 3"), valid_from=day(2))
    assert _values(store, 1, 2, 5, 6) == [None, 3, 3, 2]


@pytest.mark.parametrize("verb", ["correct", "update", "retract", "expire"])
def test_a_belief_that_a_contraction_left_nowhere_cannot_be_changed(
    store: BeliefStore, clock: Clock, verb: str
) -> None:
    old = _tell(store, clock, 0, "f(x) = 1")
    contraction = store.contract(parse("f(x) = 1"))
    clock.moment = day(1)
    more = [parse("f(x) = 2")] if verb in ("correct", "update") else []
    with pytest.raises(TargetRetired) as refused:
        getattr(store, verb)(old, *more)
    assert f"entry {contraction.entry}" in str(refused.value)
    store.revert(contraction.entry)
    getattr(store, verb)(old, *more)


def test_a_belief_that_a_contraction_left_somewhere_can_be_changed(
    store: BeliefStore, clock: Clock
) -> None:
    old = _tell(store, clock, 0, "p")
    _tell(store, clock, 0, "p -> q", valid_to=day(5))
    _tell(store, clock, 0, "z")
    clock.moment = day(1)
    store.contract(parse("q"))
    clock.moment = day(6)
    assert store.entails(parse("p"))
    assert store.expire(old).status == "expired"


@pytest.mark.parametrize("text", ["f(x) = 1", "p & q"])
def test_a_value_whose_telling_was_undone_does_not_come_back_unnoticed(
    store: BeliefStore, clock: Clock, text: str
) -> None:
    receipt = store.tell(parse(text))
    clock.moment = day(1)
    store.revert(receipt.entry)
    clock.moment = day(2)
    assert any("retired before" in n for n in store.tell(parse(text)).notices)


def test_a_value_whose_telling_was_undone_is_held_against_another(
    store: BeliefStore, clock: Clock
) -> None:
    receipt = store.tell(parse("f(x) = 1"))
    clock.moment = day(1)
    undone = store.revert(receipt.entry)
    _tell(store, clock, 2, "f(x) = 2")
    clock.moment = day(3)
    assert store.tell(parse("f(x) = 1")).status == "held"
    assert store.tell(parse("f(x) = 1"), valid_from=day(3)).status == "active"
    assert store.why(str(receipt.belief)).status == "reverted"
    assert undone.status == "reverted"

"""What is held has a way out: the inbox and a person's decision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agm import prop
from agm_store.errors import ContradictsConstraints, StaleReview, UnknownBelief, UnknownOption
from tests.strategies.stores import TTL, Desk, day


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_review_shows_both_sides_what_was_found_and_the_options(desk: Desk) -> None:
    core = desk.tell(TTL == 300, since=0, entrenchment="core")
    held = desk.receipt(TTL == 600, since=5)
    desk.clock.on(9)
    (review,) = desk.store.inbox()
    assert held.status == "held"
    assert (review.id, review.new.belief, review.old and review.old.belief) == (
        held.belief,
        held.belief,
        core,
    )
    assert review.machine is not None
    assert review.machine.kind == "contradiction"
    assert review.options == ("approve", "approve as correction", "edit and approve", "dismiss")
    assert any("core" in why for why in review.why)


def test_what_is_held_has_no_part_in_reading(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0, entrenchment="core")
    held = desk.tell(TTL == 600, since=5)
    assert desk.value(9) == 300
    assert desk.answer(9).outranked == ()
    assert desk.standing(held, 9) == "not_in_force"
    assert not desk.world(9).contested


def test_approved_it_is_a_temporal_change(desk: Desk) -> None:
    core = desk.tell(TTL == 300, since=0, entrenchment="core")
    desk.tell(TTL == 600, since=5)
    receipt = desk.store.decide(desk.store.inbox()[0], "approve", note="seen in the console")
    assert desk.values([4, 5]) == [300, 600]
    assert {loss.belief.id for loss in receipt.retired} == {core}
    assert desk.store.inbox() == ()
    assert receipt.checked


def test_approved_as_correction_the_old_was_never_true(desk: Desk) -> None:
    core = desk.tell(TTL == 300, since=0, entrenchment="core")
    desk.tell(TTL == 600, since=5)
    desk.store.decide(desk.store.inbox()[0], "approve as correction")
    assert desk.values([4, 5]) == [None, 600]
    assert desk.status(core) == "superseded"


def test_dismissed_it_is_rejected(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0, entrenchment="core")
    held = desk.tell(TTL == 600, since=5)
    receipt = desk.store.decide(desk.store.inbox()[0], "dismiss")
    assert (receipt.status, desk.status(held), desk.value(9)) == ("rejected", "rejected", 300)
    assert desk.store.inbox() == ()


def test_an_approved_newcomer_is_known_from_the_decision_on(desk: Desk) -> None:
    held = desk.receipt(TTL == 600, since=5, entrenchment="untrusted")
    receipt = desk.store.decide(desk.store.inbox()[0], "approve")
    assert desk.value(9, known=held.entry) is None
    assert desk.value(9, known=receipt.entry) == 600


def test_a_side_that_moved_makes_the_review_stale(desk: Desk) -> None:
    core = desk.tell(TTL == 300, since=0, entrenchment="core")
    desk.tell(TTL == 600, since=5)
    (review,) = desk.store.inbox()
    desk.store.correct(core, TTL == 400, entrenchment="core")
    with pytest.raises(StaleReview):
        desk.store.decide(review, "approve")
    assert desk.store.decide(desk.store.inbox()[0], "approve").status == "active"
    assert desk.values([4, 5]) == [400, 600]


def test_a_review_is_decided_once(desk: Desk) -> None:
    desk.tell(TTL == 600, since=5, entrenchment="untrusted")
    (review,) = desk.store.inbox()
    desk.store.decide(review, "approve")
    with pytest.raises(StaleReview):
        desk.store.decide(review, "dismiss")


def test_only_its_options_can_be_chosen(desk: Desk) -> None:
    desk.tell(TTL == 600, since=5, entrenchment="untrusted")
    (review,) = desk.store.inbox()
    assert review.options == ("approve", "edit and approve", "dismiss")
    entries = desk.store.stats().entries
    with pytest.raises(UnknownOption):
        desk.store.decide(review, "approve as correction")
    assert desk.store.stats().entries == entries


def test_a_made_up_review_is_unknown(desk: Desk) -> None:
    desk.tell(TTL == 600, since=5, entrenchment="untrusted")
    (review,) = desk.store.inbox()
    with pytest.raises(UnknownBelief):
        desk.store.decide(replace(review, id="nobody"), "approve")


def test_a_decision_cannot_pass_a_constraint(desk: Desk) -> None:
    desk.tell(TTL == 600, since=5, entrenchment="untrusted")
    desk.store.constrain(TTL <= 100)
    entries = desk.store.stats().entries
    with pytest.raises(ContradictsConstraints):
        desk.store.decide(desk.store.inbox()[0], "approve")
    assert desk.store.stats().entries == entries
    assert desk.store.decide(desk.store.inbox()[0], "dismiss").status == "rejected"


def test_reviews_come_oldest_first_and_leave_with_their_statement(desk: Desk) -> None:
    ids = [desk.receipt(prop(name), entrenchment="untrusted") for name in ("a", "b", "c")]
    assert [r.id for r in desk.store.inbox()] == [r.belief for r in ids]
    desk.store.revert(ids[0].entry)
    desk.store.retract(ids[1].belief)
    assert [r.id for r in desk.store.inbox()] == [ids[2].belief]
    desk.store.reclassify(ids[2].entry, "hypothetical")
    assert desk.store.inbox() == ()
    stats = desk.store.stats()
    assert (stats.held, stats.beliefs) == (0, {"noted": 1, "retracted": 1, "reverted": 1})


def test_a_held_correction_waits_whole_and_is_applied_on_approval(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    receipt = desk.store.correct(a, TTL == 600, entrenchment="untrusted")
    assert (receipt.status, receipt.retired, desk.value(5)) == ("held", (), 300)
    (review,) = desk.store.inbox()
    assert review.options == (
        "apply its directive",
        "believe it without its directive",
        "edit and approve",
        "dismiss",
    )
    applied = desk.store.decide(review, "apply its directive")
    assert {loss.belief.id for loss in applied.retired} == {a}
    assert (desk.value(5), desk.status(a)) == (600, "superseded")


def test_a_held_directive_can_be_believed_without_it(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    held = desk.store.update(a, TTL == 600, at=day(10), entrenchment="untrusted").belief
    desk.store.decide(desk.store.inbox()[0], "believe it without its directive")
    assert desk.values([5, 15]) == [300, 300]
    assert desk.standing(held, 15) == "outranked"


def test_an_inbox_is_its_owners(desk: Desk) -> None:
    desk.tell(TTL == 600, entrenchment="untrusted")
    assert desk.store.acting_as("bob").inbox() == ()


def test_a_rival_of_an_immutable_is_held_and_a_correction_goes_through(desk: Desk) -> None:
    desk.store.declare("ttl", "int", kind="immutable")
    a = desk.tell(TTL == 300, since=0)
    held = desk.receipt(TTL == 600, since=5)
    assert held.status == "held"
    assert desk.store.correct(a, TTL == 700).status == "active"
    assert desk.value(9) == 700

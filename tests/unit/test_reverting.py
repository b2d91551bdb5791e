"""Reverting: what comes back, what goes, what must be reverted first."""

from __future__ import annotations

from typing import Any

import pytest

from agm import attr, prop
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store.errors import NotTheHead, UnknownEntry
from tests.strategies.stores import TTL, Desk, day

DAYS = (-1, 0, 5, 10, 15, 20, 99)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def picture(desk: Desk) -> Any:
    """What is believed on several days, with effective ends and links."""
    return [
        (
            d,
            [
                (s.belief, s.standing, s.valid_from, s.valid_to, s.replaced_by)
                for s in desk.world(d).believed
            ],
        )
        for d in DAYS
    ]


@pytest.mark.parametrize(
    "verb",
    [
        "tell",
        "correct",
        "correct interval",
        "update",
        "retract",
        "expire",
        "contract",
        "reclassify",
        "constrain",
    ],
)
def test_reverting_the_last_entry_restores_exactly_what_held(desk: Desk, verb: str) -> None:
    a = desk.receipt(TTL == 300, since=0)
    desk.tell(prop("p"), since=1)
    before = picture(desk)
    acts = {
        "tell": lambda: desk.receipt(TTL == 600, since=10),
        "correct": lambda: desk.store.correct(a.belief, TTL == 600),
        "correct interval": lambda: desk.store.correct(a.belief, TTL == 300, valid_from=day(4)),
        "update": lambda: desk.store.update(a.belief, TTL == 600, at=day(10)),
        "retract": lambda: desk.store.retract(a.belief),
        "expire": lambda: desk.store.expire(a.belief, at=day(10)),
        "contract": lambda: desk.store.contract(TTL == 300),
        "reclassify": lambda: desk.store.reclassify(a.entry, "question"),
        "constrain": lambda: desk.store.constrain(TTL >= 1000),
    }
    entry = acts[verb]().entry
    changed = picture(desk)
    assert changed != before
    undone = desk.store.revert(entry)
    assert picture(desk) == before
    desk.store.revert(undone.entry)
    assert picture(desk) == changed


def test_a_decision_reverts_to_the_inbox(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0)
    held = desk.tell(TTL == 600, since=5, entrenchment="untrusted")
    before = picture(desk)
    receipt = desk.store.decide(desk.store.inbox()[0], "approve")
    assert desk.value(10) == 600
    assert desk.store.inbox() == ()
    desk.store.revert(receipt.entry)
    assert picture(desk) == before
    assert [r.id for r in desk.store.inbox()] == [held]


def test_that_it_was_wrong_stays_on_record(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    b = desk.store.correct(a, TTL == 600)
    undone = desk.store.revert(b.entry, note="misread")
    assert desk.status(b.belief) == "reverted"
    assert b.belief in {s.belief for s in desk.store.history(a)}
    assert desk.value(5, known=b.entry) == 600
    why = desk.store.why(b.belief)
    assert (why.status, why.retired_by, why.to_undo) == (
        "reverted",
        undone.entry,
        f"revert {undone.entry}",
    )


def test_twice_is_a_no_op(desk: Desk) -> None:
    a = desk.receipt(TTL == 300, since=0)
    first = desk.store.revert(a.entry)
    again = desk.store.revert(a.entry)
    assert again.entry == first.entry
    assert desk.store.stats().entries == 2
    assert any("nothing was written" in n for n in again.notices)


def test_what_is_not_a_head_is_refused_with_what_must_go_first(desk: Desk) -> None:
    a = desk.receipt(TTL == 300, since=0)
    b = desk.store.correct(a.belief, TTL == 600)
    c = desk.store.update(b.belief, TTL == 900, at=day(10))
    with pytest.raises(NotTheHead) as caught:
        desk.store.revert(b.entry)
    assert [str(c.entry) in name for name in caught.value.blocking] == [True]
    with pytest.raises(NotTheHead):
        desk.store.revert(a.entry)
    for entry in (c.entry, b.entry, a.entry):
        desk.store.revert(entry)
    assert desk.value(5) is None


@pytest.mark.parametrize("verb", ["correct", "update", "retract", "expire"])
def test_a_decision_that_a_later_change_rests_on_is_not_a_head(desk: Desk, verb: str) -> None:
    held = desk.tell(TTL == 300, since=0, entrenchment="untrusted")
    decided = desk.store.decide(desk.store.inbox()[0], "approve")
    change = getattr(desk.store, verb)(
        *([held, TTL == 600] if verb in ("correct", "update") else [held])
    )
    with pytest.raises(NotTheHead):
        desk.store.revert(decided.entry)
    desk.store.revert(change.entry)
    desk.store.revert(decided.entry)
    assert desk.value(5) is None


def test_a_reclassification_that_a_later_change_rests_on_is_not_a_head(desk: Desk) -> None:
    said = desk.receipt(TTL == 300, since=0, mode="reported")
    changed = desk.store.reclassify(said.entry, "assertion")
    desk.store.correct(said.belief, TTL == 600)
    with pytest.raises(NotTheHead):
        desk.store.revert(changed.entry)


def test_a_successor_put_in_front_blocks_the_one_behind(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    behind = desk.store.update(a, TTL == 900, at=day(20))
    front = desk.store.update(a, TTL == 600, at=day(10))
    with pytest.raises(NotTheHead):
        desk.store.revert(behind.entry)
    desk.store.revert(front.entry)
    assert desk.values([5, 15, 25]) == [300, 300, 900]


def test_reverting_a_revert_when_another_change_took_its_target_is_refused(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    b = desk.store.correct(a, TTL == 600)
    undone = desk.store.revert(b.entry)
    c = desk.store.correct(a, TTL == 900)
    with pytest.raises(NotTheHead) as caught:
        desk.store.revert(undone.entry)
    assert str(c.entry) in caught.value.blocking[0]
    desk.store.revert(c.entry)
    desk.store.revert(undone.entry)
    assert desk.value(5) == 600


def test_undoing_again_what_was_applied_again_asks_for_what_rests_on_it(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    b = desk.store.correct(a, TTL == 600)
    again = desk.store.revert(desk.store.revert(b.entry).entry)
    c = desk.store.correct(b.belief, TTL == 900)
    with pytest.raises(NotTheHead) as caught:
        desk.store.revert(again.entry)
    assert str(c.entry) in caught.value.blocking[0]
    assert desk.value(5) == 900


def test_reverting_a_plain_claim_restores_whom_it_ended(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    b = desk.receipt(TTL == 600, since=10)
    desk.store.revert(b.entry)
    assert desk.values([5, 15]) == [300, 300]
    assert desk.status(a, 15) == "active"


def test_the_receipt_says_what_was_checked_of_what_comes_back(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    gone = desk.store.retract(a)
    core = desk.tell(TTL == 600, since=-3, entrenchment="core")
    receipt = desk.store.revert(gone.entry)
    assert core in {c[0] for c in receipt.checked}
    assert any("core" in n for n in receipt.notices)
    assert desk.value(5) == 600


def test_what_comes_back_against_a_new_constraint_is_out_and_the_receipt_says_so(
    desk: Desk,
) -> None:
    a = desk.tell(TTL == 300, since=0)
    gone = desk.store.retract(a)
    desk.store.constrain(TTL >= 1000)
    receipt = desk.store.revert(gone.entry)
    assert any("constraints" in n for n in receipt.notices)
    assert desk.value(5) is None
    assert desk.standing(a, 5) == "overridden"


def test_a_declaration_can_be_reverted(desk: Desk) -> None:
    from agm.errors import VocabularyError

    receipt = desk.store.declare("ttl", "int")
    with pytest.raises(VocabularyError):
        desk.tell(attr("cache", "ttl") == "long")
    desk.store.revert(receipt.entry)
    assert desk.receipt(attr("cache", "ttl") == "long").status == "active"


@pytest.mark.parametrize("entry", [0, -1, 99, 10**30])
def test_what_is_no_entry_is_unknown(desk: Desk, entry: Any) -> None:
    desk.tell(TTL == 300)
    with pytest.raises(UnknownEntry):
        desk.store.revert(entry)


def test_a_revert_names_the_deed_that_it_undoes(desk: Desk) -> None:
    store, told = desk.store, desk.receipt(TTL == 300, since=0)
    desk.clock.on(5)
    right = store.correct(told.belief, TTL == 400)
    moved = store.update(right.belief, TTL == 600, at=day(3))
    with pytest.raises(NotTheHead, match=f"entry {moved.entry} .update {moved.belief}."):
        store.revert(right.entry)
    assert store.revert(moved.entry).notices[0] == f"undid update {moved.belief}"
    assert store.revert(right.entry).notices[0] == f"undid correction {right.belief}"
    again = store.revert(store.revert(right.entry).entry)
    assert again.notices[0] == f"brought back correction {right.belief}"
    plain = desk.receipt(prop("p"))
    assert store.revert(plain.entry).notices[0] == f"undid tell {plain.belief}"


def test_a_revert_names_an_edit_and_an_order_to_retract(desk: Desk) -> None:
    old = desk.tell(TTL == 300, entrenchment="core")
    desk.tell(TTL == 600)
    edited = desk.store.decide(desk.store.inbox()[0], "edit and approve", claim=TTL == 700)
    undone = desk.store.revert(edited.entry).notices[0]
    assert undone.startswith("undid ")
    assert undone.split()[-2] == "edit"
    order = Resolves(session_index=0, action="retract", reason="correction")
    fact = Fact(text="It was never so.", confidence=1.0, resolves=[order])
    given = Extraction(shown=Shown(beliefs=[old]), facts=[fact])
    batch = desk.store.tell_all(given, entrenchment="core", source="s")
    (receipt,) = batch.told
    assert desk.store.revert(receipt.entry).notices[0] == f"undid retraction {receipt.belief}"

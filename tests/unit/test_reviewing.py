"""Reviews with all that a person needs to decide, and each option: what it does, and that it is never stale."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from agm import attr, prop
from agm_store.errors import (
    CannotRevive,
    InvalidArgument,
    NothingToChange,
    StaleReview,
    UnknownOption,
)
from tests.strategies.stores import TTL, Desk, day

if TYPE_CHECKING:
    from agm_store.listings import Review

HOST = attr("cache", "host")


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Any) -> Desk:
    return Desk(None if request.param == "memory" else tmp_path / "store.db")


def held(desk: Desk) -> Review:
    """A core belief, what rests on it, and a rival that is held."""
    core = desk.tell(TTL == 300, since=0, entrenchment="core")
    desk.tell(prop("fast"), because=[core])
    desk.tell(TTL == 600, since=5, source="blog")
    desk.clock.on(9)
    (review,) = desk.store.inbox()
    return review


def test_a_review_shows_certificate_age_and_source(desk: Desk) -> None:
    review = held(desk)
    assert [b.id for b in review.certificate] == ["b1"]
    assert (review.source, review.since, review.age) == ("blog", day(0), timedelta(days=9))


def test_what_an_option_would_do_is_found_without_writing(desk: Desk) -> None:
    review = held(desk)
    entries = desk.store.stats().entries
    blast = review.consequences
    assert (blast.retired, blast.entry) == (("b1",), None)
    assert "b1" in blast.lost
    assert blast.gained == ("b3",)
    assert [(f.on, f.kind) for f in blast.flags] == [("b2", "support_lost")]
    assert review.would("dismiss").lost == ()
    assert desk.store.stats().entries == entries
    receipt = desk.store.decide(review, "approve")
    assert [(f.on, f.kind) for f in receipt.flags] == [("b2", "support_lost")]
    with pytest.raises(StaleReview):
        review.would("approve")


@pytest.mark.parametrize("where", ["a slot", "a component"])
def test_an_approval_names_what_it_ends_as_a_plain_statement_does(desk: Desk, where: str) -> None:
    if where == "a component":
        desk.tell((TTL == 1) >> prop("warm"), on=0)
    for on, value in enumerate([300, 600, 300], start=1):
        desk.tell(value == TTL, on=on)
    (review,) = desk.store.inbox()
    assert review.old is not None
    ended = [review.old.belief]
    assert list(review.would("approve").lost) == ended
    receipt = desk.store.decide(review, "approve")
    assert [loss.belief.id for loss in receipt.retired] == ended
    assert desk.value() == 300
    assert [b for s in desk.store.history(ended[0]) if (b := s.belief) == ended[0]] == ended


def test_an_approval_names_what_contests_it(desk: Desk) -> None:
    receipts = []
    for value in (300, 600):
        desk.tell(value == TTL, since=1, entrenchment="untrusted")
        (review,) = desk.store.inbox()
        receipts.append(desk.store.decide(review, "approve"))
    assert [[side.belief for side in r.contested] for r in receipts] == [[], [receipts[0].belief]]
    assert desk.value() is None


@pytest.mark.parametrize(
    "option", ["approve", "approve as correction", "edit and approve", "dismiss"]
)
def test_no_option_decides_a_review_of_which_a_side_moved(desk: Desk, option: str) -> None:
    review = held(desk)
    desk.store.update("b1", TTL == 400, entrenchment="core", at=day(3))
    claim = TTL == 500 if option == "edit and approve" else None
    entries = desk.store.stats().entries
    with pytest.raises(StaleReview):
        desk.store.decide(review, option, claim=claim)
    assert desk.store.stats().entries == entries


@pytest.mark.parametrize("option", ["apply its directive", "believe it without its directive"])
def test_no_directive_is_decided_when_a_side_moved(desk: Desk, option: str) -> None:
    old = desk.tell(TTL == 300, since=0)
    desk.store.correct(old, TTL == 600, entrenchment="untrusted")
    (review,) = desk.store.inbox()
    desk.tell(TTL == 400, since=2)
    with pytest.raises(StaleReview):
        desk.store.decide(review, option)


def test_edited_it_is_told_by_the_person_at_its_times(desk: Desk) -> None:
    review = held(desk)
    receipt = desk.store.decide(review, "edit and approve", claim=TTL == 500, note="a typo")
    assert (receipt.status, desk.status("b3")) == ("active", "rejected")
    assert desk.values([4, 5, 9]) == [300, 500, 500]
    told = desk.store._context.telling_entry(receipt.belief)
    assert (told.body["edits"], told.body["class"], "source" in told.body) == (
        "b3",
        "asserted",
        False,
    )
    assert desk.store.inbox() == ()
    desk.store.verify()
    desk.store.rebuild()
    desk.store.verify()


def test_an_edit_is_undone_as_one(desk: Desk) -> None:
    review = held(desk)
    receipt = desk.store.decide(review, "edit and approve", claim=TTL == 500)
    desk.store.revert(receipt.entry)
    assert (desk.value(), [r.id for r in desk.store.inbox()]) == (300, ["b3"])
    desk.store.verify()


def test_an_edit_carries_out_the_directive(desk: Desk) -> None:
    old = desk.tell(TTL == 300, since=0)
    desk.store.correct(old, TTL == 600, entrenchment="untrusted")
    desk.clock.on(1)
    desk.store.decide(desk.store.inbox()[0], "edit and approve", claim=TTL == 500)
    assert (desk.value(), desk.value(0), desk.status(old)) == (500, 500, "superseded")
    desk.store.verify()


def test_an_edit_needs_a_claim_and_nothing_else_takes_one(desk: Desk) -> None:
    review = held(desk)
    entries = desk.store.stats().entries
    with pytest.raises(InvalidArgument, match="claim"):
        desk.store.decide(review, "edit and approve")
    with pytest.raises(InvalidArgument, match="claim"):
        desk.store.decide(review, "approve", claim=TTL == 500)
    assert desk.store.stats().entries == entries


def test_what_was_retired_with_nothing_in_its_place_is_revived(desk: Desk) -> None:
    kept, gone = desk.tell(HOST == "a"), desk.tell(TTL == 300)
    ended = desk.tell(prop("warm"))
    desk.tell(prop("cold"), since=-5, till=-2)
    desk.store.update(kept, HOST == "b", at=day(1))
    desk.clock.on(2)
    desk.store.retract(gone, note="heard wrong")
    desk.store.expire(ended)
    reviews = desk.store.retired()
    assert [(r.id, r.options) for r in reviews] == [(gone, ("revive",)), (ended, ("revive",))]
    assert "heard wrong" in reviews[0].why[0]
    assert reviews[0].consequences.gained == (gone,)
    for review in reviews:
        assert desk.store.decide(review, "revive").belief == review.id
    assert (desk.value(), desk.status(ended), desk.store.retired()) == (300, "active", ())
    with pytest.raises(StaleReview):
        desk.store.decide(reviews[0], "revive")
    desk.store.verify()


def test_what_stands_in_the_way_of_a_revival_is_said(desk: Desk) -> None:
    gone = desk.tell(TTL == 300, since=0)
    desk.store.correct(gone, TTL == 400)
    desk.store.retract("b2")
    reviews = desk.store.retired()
    assert [r.id for r in reviews] == ["b2"]
    desk.store.decide(reviews[0], "revive")
    assert (desk.value(1), desk.store.retired()) == (400, ())


def test_a_retirement_by_a_claim_is_not_undone_for_one_belief(desk: Desk) -> None:
    from agm.directives import Extraction, Fact, Resolves

    old = desk.tell(TTL == 300, since=0)
    shown = desk.store.show("cache")
    fact = Fact(
        claim=~(TTL == 300),
        confidence=1.0,
        resolves=[Resolves(session_index=0, action="retract", reason="correction")],
    )
    desk.store.tell_all(Extraction(shown=shown, facts=[fact]), entrenchment="asserted", source="s")
    found = [r for r in desk.store.retired() if r.id == old]
    if not found:  # it was held: a person carries it out
        desk.store.decide(desk.store.inbox()[0], "apply its directive")
        found = [r for r in desk.store.retired() if r.id == old]
    (review,) = found
    with pytest.raises(CannotRevive, match="revert"):
        desk.store.decide(review, "revive")


def test_all_of_a_source_is_decided_as_one_change(desk: Desk) -> None:
    desk.tell(TTL == 300, entrenchment="untrusted", source="blog")
    desk.tell(HOST == "a", entrenchment="untrusted", source="blog")
    desk.tell(prop("other"), entrenchment="untrusted", source="press")
    done = desk.store.decide_all(source="blog", option="approve", note="checked")
    assert [r.status for r in done.decided] == ["active", "active"]
    assert (desk.value(), desk.value(term=HOST)) == (300, "a")
    assert [r.source for r in desk.store.inbox()] == ["press"]
    assert done.entry is not None
    desk.store.verify()
    desk.store.revert(done.entry)
    assert (desk.value(), len(desk.store.inbox())) == (None, 3)
    desk.store.verify()
    with pytest.raises(NothingToChange):
        desk.store.decide_all(source="nobody", option="approve")
    with pytest.raises(UnknownOption):
        desk.store.decide_all(source="blog", option="edit and approve")


def test_what_cannot_be_decided_with_the_others_stays_as_it_was(desk: Desk) -> None:
    desk.tell(TTL == 300, entrenchment="untrusted", source="blog")
    desk.tell(HOST == "a", entrenchment="untrusted", source="blog")
    desk.store.constrain(TTL <= 100)
    done = desk.store.decide_all(source="blog", option="approve")
    assert [r.belief for r in done.decided] == ["b2"]
    assert [(i, type(e).__name__) for i, e in done.refused] == [("b1", "ContradictsConstraints")]
    assert [r.id for r in desk.store.inbox()] == ["b1"]


def test_what_nobody_decides_expires_by_an_entry_that_a_revert_undoes(desk: Desk) -> None:
    desk.tell(TTL == 300, entrenchment="untrusted")
    desk.tell(HOST == "a", on=5, entrenchment="untrusted")
    desk.clock.on(8)
    (receipt,) = desk.store.expire_reviews(older_than=timedelta(days=7))
    assert (receipt.belief, receipt.status) == ("b1", "rejected")
    assert [r.id for r in desk.store.inbox()] == ["b2"]
    assert desk.store.stats().expired_reviews == 1
    entry = desk.store._context.journal.entry(receipt.entry)
    assert entry is not None
    assert (entry.body["by"], entry.body["option"]) == ("machine", "expire")
    assert desk.store.expire_reviews(older_than=timedelta(days=7)) == ()
    desk.store.revert(receipt.entry)
    assert (desk.store.stats().expired_reviews, len(desk.store.inbox())) == (0, 2)
    assert [r.belief for r in desk.store.expire_reviews(older_than=timedelta(days=2))] == ["b2"]
    with pytest.raises(InvalidArgument):
        desk.store.expire_reviews(older_than=timedelta(days=-1))
    with pytest.raises(InvalidArgument):
        desk.store.expire_reviews(older_than=7)  # type: ignore[arg-type]
    desk.store.verify()


def test_what_is_held_counts_against_what_it_contradicts(desk: Desk) -> None:
    review = held(desk)
    assert [desk.store.held_against(b) for b in ("b1", "b2", "b3")] == [1, 0, 0]
    desk.store.decide(review, "dismiss")
    assert desk.store.held_against("b1") == 0


def test_an_inbox_is_a_table_in_which_nothing_told_is_live(desk: Desk) -> None:
    desk.tell(text="<script>alert(1)</script>\u202e", entrenchment="untrusted", source="<b>")
    inbox: Any = desk.store.inbox()
    html = inbox._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "\u202e" not in html
    assert "\\u202e" in html
    (row,) = inbox.to_records()
    assert (row["id"], row["source"], row["options"][-1]) == ("b1", "<b>", "dismiss")
    assert desk.store.retired()._repr_html_().startswith("<div class=")  # type: ignore[attr-defined]

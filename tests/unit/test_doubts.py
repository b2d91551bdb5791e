"""Doubts: what stands and is unsettled waits for a person; settling all of it leaves nothing contested or outranked."""

from __future__ import annotations

from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from agm import attr, parse
from agm_store import open_store
from agm_store.errors import NothingToChange, StaleReview, UnknownBelief, UnknownOption
from tests.strategies.stores import TTL, Clock, Desk, day

HOST = attr("cache", "host")
SEEN = {"contested": 0, "outranked": 0, "settled": 0, "again": 0, "mixed": 0}

TOLD = st.lists(
    st.tuples(
        st.sampled_from(["ttl", "ttl", "ttl", "either", "not hot", "host"]),
        st.integers(1, 3),
        st.integers(0, 1),
        st.sampled_from(["asserted", "documented"]),
    ),
    min_size=4,
    max_size=6,
)


def claim_of(kind: str, value: int) -> Any:
    if kind == "either":
        return parse(f"ttl(cache) = {value} | hot")
    if kind == "not hot":
        return parse("!hot")
    return {"ttl": TTL, "host": HOST}[kind] == value


def standing(store: Any) -> dict[str, tuple[str, str]]:
    """How each telling reads."""
    world = store.at()
    told = [e.entry_id for e in store._journal.entries() if e.body["op"] == "tell"]
    return {b: (world.standing(b).status, world.standing(b).standing) for b in told}


def played(store: Any, told: Any, picks: list[int]) -> Any:
    """Tell, consolidate, settle everything by the picks, and undo it all; what was seen on the way."""
    for kind, value, start, rank in told:
        store.tell(claim_of(kind, value), valid_from=day(start), entrenchment=rank)
    before = standing(store)
    words = [word for _, word in before.values()]
    SEEN["contested"] += "contested" in words
    SEEN["outranked"] += "outranked" in words
    rules = {kind for (kind, *_), word in zip(told, words, strict=True) if word == "contested"}
    SEEN["mixed"] += bool(rules & {"either", "not hot"})
    report = store.consolidate()
    assert standing(store) == before, "a doubt changes nothing"
    assert report.merged == report.proposed == ()
    in_doubt = {side.belief for r in report.opened for side in (r.new, r.old)}
    for group in report.contested:
        assert {side.belief for side in group} <= in_doubt
    assert bool(report.opened) == bool({"contested", "outranked"} & set(words))
    count = store.stats().entries
    assert store.consolidate().opened == ()
    assert store.stats().entries == count
    settled = []
    for pick in [*picks, *[0] * 40]:
        reviews = store.inbox()
        if not reviews:
            if not store.consolidate().opened:
                break
            SEEN["again"] += 1
            continue
        review = reviews[pick % len(reviews)]
        option = review.options[pick % 2]  # either side, never both
        settled.append(store.decide(review, option).entry)
    SEEN["settled"] += bool(settled)
    event(f"settled: {len(settled)}")
    assert store.inbox() == ()
    left = {word for status, word in standing(store).values() if status == "active"}
    assert not left & {"contested", "outranked"}
    after = standing(store)
    store.rebuild()
    store.verify()
    assert standing(store) == after
    for entry in reversed(settled):
        store.revert(entry)
    assert standing(store) == before
    store.verify()
    return before, after, len(settled), [s.belief for s in store.at().believed]


# three claims that no two of contradict: one of them stood in a group of its own, and in no doubt
@example(
    [("ttl", 2, 0, "asserted"), ("either", 1, 0, "asserted"), ("not hot", 1, 0, "asserted")], []
)
@settings(max_examples=30, deadline=None)
@given(TOLD, st.lists(st.integers(0, 7), max_size=6))
def test_settling_every_doubt_leaves_nothing_contested_or_outranked(told, picks):
    with TemporaryDirectory() as folder:
        found = []
        for path in (None, f"{folder}/a.db"):
            with closing(open_store(path, principal="anna", clock=Clock(9))) as store:
                found.append(played(store, told, picks))
        assert found[0] == found[1]


def test_the_draws_meant_something():
    assert all(SEEN[name] >= 6 for name in ("contested", "settled")), SEEN
    assert all(SEEN[name] >= 2 for name in ("outranked", "mixed")), SEEN  # rarer, with random draws


@pytest.fixture
def desk() -> Desk:
    return Desk()


def tie(desk: Desk, source: str | None = "chat") -> Any:
    for value in (1, 2):
        desk.tell(value == TTL, since=0, source=source)
    (review,) = desk.store.consolidate().opened
    return review


def test_a_doubt_survives_export_and_import(desk, tmp_path):
    review = tie(desk)
    desk.store.decide(review, "keep the old")
    desk.tell(HOST == 1, since=0)
    desk.tell(HOST == 2, since=0)
    desk.store.consolidate()
    desk.store.export_to(tmp_path / "all.jsonl")
    other = open_store(None, principal="anna", clock=desk.clock)
    other.import_from(tmp_path / "all.jsonl")
    other.verify()
    assert [r.id for r in other.inbox()] == [r.id for r in desk.store.inbox()]
    assert standing(other) == standing(desk.store)
    assert other.consolidate().opened == ()


def test_a_doubt_is_its_owners(desk):
    review = tie(desk)
    ben = desk.store.acting_as("ben")
    assert ben.inbox() == ()
    assert ben.stats().reviews == 0
    with pytest.raises(UnknownBelief):
        ben.decide(review, "keep the new")
    with pytest.raises(NothingToChange):
        ben.decide_all(source="chat", option="dismiss")


def test_an_option_that_it_has_not_is_refused(desk):
    with pytest.raises(UnknownOption):
        desk.store.decide(tie(desk), "approve")


def test_a_side_that_moves_makes_the_review_stale(desk):
    review = tie(desk)
    desk.tell(TTL == 1, since=0, source="another")
    with pytest.raises(StaleReview):
        desk.store.decide(review, "keep the new")
    (again,) = desk.store.inbox()
    receipt = desk.store.decide(again, "keep the new")
    assert len(receipt.retired) == 2, "all tellings of the claim go"
    assert desk.value() == 2


def test_a_revert_of_the_doubt_itself_takes_it_back_for_good(desk):
    review = tie(desk)
    entry = desk.store._context.journal.find("anna", review.id)
    desk.store.revert(entry.seq)
    assert desk.store.inbox() == desk.store.consolidate().opened == ()
    desk.store.verify()


def test_what_an_option_would_do_is_only_tried(desk):
    review = tie(desk)
    count = desk.store.stats().entries
    assert review.would("keep the old").retired == (review.new.belief,)
    assert review.would("dismiss").retired == ()
    assert desk.store.stats().entries == count
    assert len(desk.store.inbox()) == 1


def test_conclusions_that_rest_on_what_goes_are_flagged(desk):
    review = tie(desk)
    desk.tell(parse("warm"), because=[review.old.belief])
    (review,) = desk.store.inbox()
    receipt = desk.store.decide(review, "keep the new")
    assert [flag.kind for flag in receipt.flags] == ["support_lost"]
    desk.store.revert(receipt.entry)
    assert desk.store.flags() == ()


def test_a_redacted_side_takes_the_doubt_with_it(desk):
    review = tie(desk)
    desk.store.redact(review.new.belief)
    assert desk.store.inbox() == desk.store.consolidate().opened == ()
    desk.store.verify()


def test_what_was_retired_by_it_says_so(desk):
    review = tie(desk)
    desk.store.decide(review, "keep the new")
    (gone,) = desk.store.retired()
    assert gone.new.belief == review.old.belief
    assert f"doubt {review.id} was settled, and {review.new.belief} is kept" in gone.why[0]
    desk.store.decide(gone, "revive")
    assert len(desk.answer().sides) == 2
    desk.store.verify()


def test_the_notebook_table_and_the_stats_know_it(desk):
    tie(desk)
    assert "keep the new" in desk.store.inbox()._repr_html_()
    found = desk.store.stats()
    assert (found.reviews, found.held, found.reviews_by_source) == (1, 0, {"chat": 1})

"""Neighbours by an embedder: found when it works, said when it does not, never an error."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, prop
from agm.verdicts import Verdict
from agm_store import open_store, utc
from agm_store.candidates import candidates
from agm_store.errors import InvalidArgument, StaleReview
from agm_store.nearness import BATCH

MEANINGS = {"tea": 0, "brew": 0, "kafka": 1, "queue": 1, "staging": 2}


class Clock:
    def __init__(self) -> None:
        self.now = utc(2024, 6, 1)

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


class Scripted:
    """A vector a meaning: words of one meaning lie on one axis."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts):
        self.calls.append(len(texts))
        return [
            [sum(word in text for word, axis in MEANINGS.items() if axis == n) + 0.01 for n in range(3)]
            for text in texts
        ]  # fmt: skip


@pytest.fixture(params=["memory", "file"])
def path(request, tmp_path):
    return None if request.param == "memory" else tmp_path / "s.agm"


def test_what_shares_a_meaning_but_no_word_is_a_candidate(path) -> None:
    embedder = Scripted()
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        store.tell(text="we run a queue")
        store.tell(attr("checkout", "target") == "staging")
        store.tell(text="nobody drinks tea")
        found = candidates(store._context, "kafka")
        assert [e.entry_id for e in found.entries] == ["b1"]
        assert found.not_checked == ()
        assert [e.entry_id for e in candidates(store._context, "brew").entries] == ["b3"]
        assert [e.entry_id for e in candidates(store._context, "staging").entries] == ["b2"]
        assert embedder.calls[-1] == 1  # each telling is embedded once
        assert [
            e.entry_id for e in candidates(store.acting_as("b")._context, "kafka").entries
        ] == []
        store.verify()
        store.rebuild()
        assert [e.entry_id for e in candidates(store._context, "kafka").entries] == ["b1"]
        store.retract("b1")
        assert candidates(store._context, "kafka").entries == ()


class Raises:
    def embed(self, texts):
        raise RuntimeError("no network, and a secret\nin two lines")


class Garbage:
    def __init__(self, answer) -> None:
        self.answer = answer

    def embed(self, texts):
        return self.answer


@pytest.mark.parametrize(
    "embedder",
    [
        Raises(), *map(Garbage, (
            None, 7, "x", [], [[]], [[1.0]] * 9, [[math.nan], [1.0]], [[math.inf], [1]], [[1.0], [1.0, 2.0]],
            [["a"], ["b"]], [None, None], [[10**400], [1]],
        )),
    ],
)  # fmt: skip
def test_an_embedder_that_fails_is_said_and_the_words_are_still_looked_for(path, embedder) -> None:
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        store.tell(text="we use kafka")
        found = candidates(store._context, "kafka is gone")
        assert [e.entry_id for e in found.entries] == ["b1"]
        (check,) = found.unrun
        assert check.why.startswith("the embedder did not run: raised")
        assert "\n" not in check.why
        assert found.not_checked == ()
        assert store._journal.vectors("a") == []


def test_vectors_of_another_size_are_said_and_left_out(path) -> None:
    with open_store(
        path, principal="a", clock=Clock(), embedder=Garbage([[1.0, 2.0]] * 2)
    ) as store:
        store.tell(text="we run a queue")
        assert candidates(store._context, "kafka").entries
        store._context.embedder = Garbage([[1.0]])
        found = candidates(store._context, "kafka")
        assert found.entries == ()
        assert found.not_checked == ("embedder: 1 vectors are of another size",)


def test_many_tellings_are_embedded_some_at_a_time(path) -> None:
    embedder = Scripted()
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        with store.transaction():
            for number in range(BATCH + 5):
                store.tell(attr(f"item{number}", "ttl", of=int) == number)
        before = len(embedder.calls)
        for _ in range(3):
            candidates(store._context, "kafka")
        assert embedder.calls[before:] == [BATCH + 1, 6, 1]


def test_a_store_that_cannot_be_written_keeps_no_vectors(tmp_path) -> None:
    with open_store(tmp_path / "s.agm", principal="a", clock=Clock()) as store:
        store.tell(text="we run a queue")
        reader = open_store(tmp_path / "s.agm", principal="a", read_only=True, embedder=Scripted())
        assert [e.entry_id for e in candidates(reader._context, "kafka").entries] == ["b1"]
        reader.close()
        assert store._journal.vectors("a") == []


def test_what_cannot_embed_is_refused_at_the_door() -> None:
    with pytest.raises(InvalidArgument, match="embedder"):
        open_store(None, principal="a", embedder=object())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=2, max_size=2))
def test_any_finite_vectors_give_a_cosine_in_its_bounds(vectors) -> None:
    from agm_store.nearness import near

    store = open_store(None, principal="a", clock=Clock(), embedder=Garbage(vectors))
    store._journal.append(
        "a", "b1", 1, {"op": "tell", "text": "x", "on": ["#b1"], "state": "admitted"}
    )
    found = near(store._context, "y", limit=5)
    assert found.not_checked == ()
    assert all(0.3 <= cosine <= 1.00001 for _, cosine in found.seqs)


class Down(Scripted):
    """Fails until it is up, and always at a text that it cannot read."""

    def __init__(self, *, up: bool = False) -> None:
        super().__init__()
        self.up = up

    def embed(self, texts):
        if not self.up or any("unreadable" in text for text in texts):
            raise OSError("away")
        return super().embed(texts)


class Clash:
    def compare(self, new, old, /):
        return Verdict("contradiction", "x", confidence=0.9)


def test_who_could_not_be_looked_for_is_looked_for_later(path) -> None:
    embedder, clock = Down(), Clock()
    with open_store(
        path, principal="a", clock=clock, embedder=embedder, entailment=Clash()
    ) as store:
        embedder.up = True
        old = store.tell(text="we run a queue").belief
        embedder.up = False
        told = store.tell(text="kafka it is")
        assert told.status == "held"
        assert any("the embedder did not run: raised" in why for why in told.not_checked)
        assert store.at().standing(old).standing == "believed"
        assert store.stats().waiting == 1
        (failed,) = store.rescan().failed
        assert "embedder" in failed.error
        embedder.up = True
        clock.now += timedelta(days=1)
        (receipt,) = store.rescan().decided
        assert [(b, v.kind) for b, v, _ in receipt.checked] == [(old, "contradiction")]
        assert (receipt.status, receipt.retired) == (
            "held",
            (),
        )  # its entry does not touch the other
        (review,) = store.inbox()
        assert review.why == (f"it contradicts {old}",)
        assert store.stats().waiting == 0
        store.verify()
        store.rebuild()
        store.verify()


def test_a_rescan_without_the_embedder_waits_on(tmp_path) -> None:
    clock, file = Clock(), tmp_path / "s.agm"
    with open_store(file, principal="a", clock=clock, embedder=Down(), entailment=Clash()) as store:
        assert store.tell(text="we run a queue").status == "held"
    clock.now += timedelta(days=1)
    with open_store(file, principal="a", clock=clock, entailment=Clash()) as store:
        count, report = store.stats().entries, store.rescan()
        assert "waits for the embedder" in report.failed[0].error
        assert store.stats().entries == count


def test_an_embedder_without_anything_that_compares_holds_nobody(path) -> None:
    with open_store(path, principal="a", clock=Clock(), embedder=Down()) as store:
        assert store.tell(text="we run a queue").status == "active"


def test_one_unreadable_text_holds_itself_alone(path) -> None:
    embedder = Down(up=True)
    with open_store(
        path, principal="a", clock=Clock(), embedder=embedder, entailment=Clash()
    ) as store:
        bad = store.tell(text="unreadable")
        assert bad.status == "held"
        old = store.tell(text="we run a queue")
        assert old.status == "active"
        new = store.tell(text="kafka it is", confidence=1.0)
        assert [loss.belief.id for loss in new.retired] == [old.belief]
        assert any("1 tellings have no vector" in why for why in new.not_checked)
        store.verify()


def test_an_embedder_that_is_away_is_not_asked_text_by_text(path) -> None:
    embedder = Scripted()
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        with store.transaction():
            for number in range(20):
                store.tell(attr(f"item{number}", "ttl", of=int) == number)
        calls = []

        def away(texts):
            calls.append(len(texts))
            raise OSError

        embedder.embed = away
        (check,) = candidates(store._context, "kafka").unrun
        assert check.kind == "raised"
        assert calls == [21, 1, 1, 1]
        assert store._journal.vectors("a") == []


class Against:
    """An `Entailment` that finds a contradiction in every pair."""

    def compare(self, new: str, old: str, /) -> Verdict:
        return Verdict("contradiction", "scripted", confidence=0.9)


class Away(Scripted):
    """An embedder that is away until it is not."""

    up = True

    def embed(self, texts):
        if not self.up:
            raise RuntimeError("away")
        return [[1.0, 0.0] for _ in texts]


def found_late(path, **times):
    """A store in which a text is held that a rescan finds to contradict one that it shares no word with."""
    embedder = Away()
    store = open_store(path, principal="a", clock=Clock(), embedder=embedder, entailment=Against())
    old = store.tell(text="alpha beta", valid_from=utc(2024, 1, 1)).belief
    embedder.up = False
    new = store.tell(text="gamma delta", **times).belief
    embedder.up = True
    store._context.clock.now += timedelta(hours=1)
    store.rescan()
    return store, old, new


def believed(store) -> set[str]:
    return {side.belief for side in store.at().believed}


def test_approving_what_was_found_late_to_contradict_ends_the_other_in_one_change(path) -> None:
    store, old, new = found_late(path)
    (review,) = store.inbox()
    assert review.old is not None
    assert review.old.belief == old
    assert set(review.would("approve").lost) == {old}
    before = store.at().believed
    receipt = store.decide(review, "approve")
    assert [loss.belief.id for loss in receipt.retired] == [old]
    assert believed(store) == {new}
    (revision,) = store.corrections()
    assert (revision.wrong, revision.right, revision.deed) == (old, new, "approve")
    assert revision.reason == "temporal_change"
    undone = store.revert(receipt.entry)
    assert store.at().believed == before
    assert [r.id for r in store.inbox()] == [new]
    store.revert(undone.entry)
    assert believed(store) == {new}
    store.verify()
    store.rebuild()
    assert believed(store) == {new}
    store.close()


@pytest.mark.parametrize(
    "times",
    [
        {"valid_from": utc(2024, 1, 1)},
        {"valid_from": utc(2023, 1, 1)},
        {"valid_from": utc(2024, 2, 1), "valid_to": utc(2030, 1, 1)},
    ],
    ids=["equal", "earlier", "with an end"],
)
def test_where_nothing_says_which_came_later_the_two_are_a_doubt(path, times) -> None:
    store, old, new = found_late(path, **times)
    receipt = store.decide(store.inbox()[0], "approve")
    assert believed(store) == {old, new}
    (review,) = store.inbox()
    assert (review.new.belief, review.old.belief) == (new, old)
    undone = store.revert(receipt.entry)
    assert [r.id for r in store.inbox()] == [new]
    assert believed(store) == {old}
    store.revert(undone.entry)
    assert [r.id for r in store.inbox()] == [review.id]
    store.decide(store.inbox()[0], "keep the new")
    assert believed(store) == {new}
    store.verify()
    store.close()


def test_a_review_of_what_was_found_late_is_stale_when_the_other_side_moved(path) -> None:
    store, old, new = found_late(path)
    (review,) = store.inbox()
    store.retract(old)
    with pytest.raises(StaleReview):
        store.decide(review, "approve")
    assert store.decide(store.inbox()[0], "approve").retired == ()
    assert believed(store) == {new}
    store.close()


def test_a_bulk_approval_ends_the_other_side_and_one_revert_undoes_it(path) -> None:
    store, old, new = found_late(path, source="chat")
    bulk = store.decide_all(source="chat", option="approve")
    assert believed(store) == {new}
    store.revert(bulk.entry)
    assert believed(store) == {old}
    assert [r.id for r in store.inbox()] == [new]
    store.verify()
    store.close()


def test_what_only_rested_on_the_other_side_is_flagged_and_no_doubt(path) -> None:
    embedder = Away()
    store = open_store(path, principal="a", clock=Clock(), embedder=embedder, entailment=Against())
    old = store.tell(text="alpha beta").belief
    drawn = store.tell(prop("p"), because=[old]).belief
    embedder.up = False
    new = store.tell(text="gamma delta").belief
    embedder.up = True
    store._context.clock.now += timedelta(hours=1)
    store.rescan()
    receipt = store.decide(store.inbox()[0], "approve")
    assert believed(store) == {new}
    assert store.inbox() == ()
    assert {flag.kind for flag in receipt.flags} == {"support_lost"}
    store.revert(receipt.entry)
    assert believed(store) == {old, drawn}
    assert store.flags() == ()
    store.verify()
    store.close()

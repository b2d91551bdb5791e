"""Shares pass recall, never authority; what others do moves nothing of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agm import attr
from agm.errors import AgmError
from agm_store.errors import InvalidArgument, NothingToChange, NotOwner, UnknownBelief
from tests.strategies.stores import TTL, Desk, day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agm_store import BeliefStore


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "store.db" if request.param == "file" else None, principal="bob")
    yield made
    made.store.verify()
    made.store.close()


def seen(store: BeliefStore, term: Any = TTL, **at: Any) -> list[Any]:
    """The values of a term that others share."""
    return [s.value for s in store.at(**at).ask(term).shared]


class TestRecall:
    def test_a_share_shows_the_belief_apart_from_ones_own(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.tell(TTL == 300)
        assert seen(alice) == []
        desk.store.share(b, with_="alice")
        alice.tell(TTL == 60)
        answer = alice.ask(TTL)
        assert (answer.value, answer.contested) == (60, False)
        assert [(s.value, s.owner, s.belief) for s in answer.shared] == [(300, "bob", b)]
        assert [s.value for s in alice.shared()] == [300]
        assert seen(desk.store.acting_as("carol")) == []
        assert desk.store.ask(TTL).shared == ()

    def test_it_follows_the_successor_and_passes_back_on_revert(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.tell(TTL == 300)
        desk.store.share(b, with_="alice")
        for value, change in (
            (600, lambda: desk.store.correct(b, TTL == 600)),
            (700, lambda: desk.store.update(b, TTL == 700)),
            (800, lambda: desk.store.tell(TTL == 800)),
        ):
            entry = change().entry
            assert seen(alice) == [value]
            desk.store.revert(entry)
            assert seen(alice) == [300]

    def test_after_a_retract_it_shows_nothing(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.receipt(TTL == 300)
        desk.store.share(b.belief, with_="alice")
        gone = desk.store.retract(b.belief)
        assert seen(alice) == seen(alice, known=b.entry) == []
        with pytest.raises(UnknownBelief):
            alice.why(b.belief)
        desk.store.revert(gone.entry)
        assert seen(alice) == [300]

    def test_unshare_is_sticky_along_the_chain_and_holds_of_the_past(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.tell(TTL == 300)
        desk.store.share(b, with_="alice")
        successor = desk.store.correct(b, TTL == 600)
        desk.store.unshare(successor.belief, with_="alice")
        assert seen(alice) == []
        desk.store.revert(successor.entry)
        assert seen(alice) == []
        desk.store.update(b, TTL == 900)
        assert seen(alice) == seen(alice, known=2) == []
        assert alice.as_of(day(0)).ask(TTL).shared == ()
        assert alice.shared() == ()

    def test_a_new_share_opens_it_again(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.tell(TTL == 300)
        first = desk.store.share(b, with_="alice")
        with pytest.raises(NothingToChange):
            desk.store.share(b, with_="alice")
        desk.store.unshare(b, with_="alice")
        with pytest.raises(NothingToChange):
            desk.store.unshare(b, with_="alice")
        desk.store.share(b, with_="alice")
        assert seen(alice) == [300]
        assert [(s.belief, s.principal, list(s.reads)) for s in desk.store.shares()] == [
            (b, "alice", [b])
        ]
        desk.store.revert(desk.store.shares()[0].entry)
        assert seen(alice) == []
        assert first.status == "active"

    def test_why_and_history_show_no_more_than_is_shared(self, desk: Desk) -> None:
        alice = desk.store.acting_as("alice")
        a, c = desk.tell(attr("x", "p") == "one"), desk.tell(attr("y", "p") == "two")
        desk.tell(TTL == 100)
        b = str(desk.store.tell(TTL == 300, because=[a, c]).belief)
        desk.store.share(b, with_="alice")
        assert alice.why(b).supports == ()
        assert [s.belief for s in alice.history(b)] == [b]
        desk.store.share(a, with_="alice")
        assert [list(one) for one in alice.why(b).supports] == [[a]]
        assert alice.why(f"bob/{b}").belief == b
        assert alice.at().standing(b).owner == "bob"

    def test_a_share_survives_export_and_rebuild(self, desk: Desk, tmp_path: Path) -> None:
        desk.store.share(desk.tell(TTL == 300), with_="alice")
        desk.store.rebuild()
        desk.store.export_to(tmp_path / "out.jsonl", everybody=True)
        twin = Desk(principal="bob")
        twin.store.import_from(tmp_path / "out.jsonl")
        twin.store.verify()
        assert seen(twin.store.acting_as("alice")) == [300]


def attempts(store: BeliefStore, belief: str) -> list[Callable[[], object]]:
    """Every verb that changes a belief."""
    return [
        lambda: store.correct(belief, TTL == 1),
        lambda: store.update(belief, TTL == 1),
        lambda: store.retract(belief),
        lambda: store.expire(belief),
        lambda: store.redact(belief, note=""),
        lambda: store.share(belief, with_="carol"),
        lambda: store.unshare(belief, with_="carol"),
    ]


def reads(store: BeliefStore, belief: str) -> list[Callable[[], object]]:
    """Every verb that reads a belief by its id."""
    return [
        lambda: store.why(belief),
        lambda: store.history(belief),
        lambda: store.at().standing(belief),
    ]


class TestAuthority:
    def test_a_shared_belief_is_its_owners_to_change_and_the_attempt_is_kept(
        self, desk: Desk
    ) -> None:
        alice = desk.store.acting_as("alice")
        b = desk.tell(TTL == 300)
        desk.store.share(b, with_="alice")
        before = desk.store.stats().entries
        for attempt in attempts(alice, b):
            with pytest.raises(NotOwner) as caught:
                attempt()
            assert alice.audit()[-1].why == str(caught.value)
        verbs = ["correct", "update", "retract", "expire", "redact", "share", "unshare"]
        assert [a.verb for a in alice.audit()] == verbs
        assert {a.target for a in alice.audit()} == {b}
        assert desk.store.audit() == alice.audit()
        assert {a.principal for a in desk.store.audit()} == {"alice"}
        assert desk.store.acting_as("carl").audit() == ()
        assert (desk.store.stats().entries, desk.value()) == (before, 300)

    def test_foreign_and_missing_ids_give_equal_errors(self, desk: Desk) -> None:
        desk.tell(TTL == 300)
        mallory = desk.store.acting_as("mallory")
        for calls in (attempts, reads):
            for foreign, missing in zip(calls(mallory, "b1"), calls(mallory, "b9"), strict=True):
                words = []
                for call in (foreign, missing):
                    with pytest.raises(UnknownBelief) as caught:
                        call()
                    words.append(str(caught.value))
                assert words[0] == words[1].replace("b9", "b1")
        assert mallory.audit() == ()

    def test_nobody_shares_with_himself_or_nobody(self, desk: Desk) -> None:
        b = desk.tell(TTL == 300)
        for principal in ("bob", "", " ", None, 3):
            with pytest.raises((InvalidArgument, AgmError)):
                desk.store.share(b, with_=principal)  # type: ignore[arg-type]
        assert desk.store.shares() == ()


def test_a_correction_on_another_slot_is_shown_on_its_own(desk: Desk) -> None:
    alice = desk.store.acting_as("alice")
    b = desk.tell(TTL == 300)
    desk.store.share(b, with_="alice")
    desk.store.correct(b, attr("cache", "host") == "eu")
    assert seen(alice) == []
    assert seen(alice, attr("cache", "host")) == ["eu"]

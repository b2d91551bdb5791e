"""What a hand on a file keeps in memory between its writes is never behind what other hands wrote."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, prop
from agm_store import open_store, utc
from agm_store.errors import StoreError
from tests.strategies.whole import whole

if TYPE_CHECKING:
    from agm_store import BeliefStore

ttl = attr("cache", "ttl", of=int)


class Clock:
    def __init__(self) -> None:
        self.now = utc(2026, 1, 1)

    def __call__(self) -> Any:
        self.now += timedelta(seconds=1)
        return self.now


def hands(path: Path) -> tuple[BeliefStore, BeliefStore]:
    clock = Clock()
    one = open_store(path, principal="anna", clock=clock)
    return one, open_store(path, principal="anna", clock=clock)


def test_the_first_conclusion_of_another_hand_is_followed(tmp_path: Path) -> None:
    one, other = hands(tmp_path / "s.db")
    for value in (1, 2, 3):
        old = one.tell(ttl == value).belief
    other.tell(prop("slow"), because=[old])
    receipt = one.update(old, ttl == 9)
    assert [flag.kind for flag in receipt.flags] == ["support_lost"]
    one.verify()


def test_the_first_expiry_of_another_hand_is_heeded(tmp_path: Path) -> None:
    one, other = hands(tmp_path / "s.db")
    old = one.tell(ttl == 1, valid_from=utc(2025, 1, 1)).belief
    one.tell(ttl == 2, valid_from=utc(2025, 2, 1))
    other.expire(old, at=utc(2025, 1, 20))
    receipt = one.tell(ttl == 1, valid_from=utc(2025, 1, 10))
    assert any("expired the claim" in notice for notice in receipt.notices)
    one.verify()


def test_what_another_hand_redacted_is_not_met_again(tmp_path: Path) -> None:
    one, other = hands(tmp_path / "s.db")
    old = one.tell(ttl == 4711).belief
    other.redact(old, note="private")
    receipt = one.tell(ttl == 5)
    assert "4711" not in whole(receipt)
    with one.transaction():
        assert "4711" not in repr(one._journal.entry(1))
    one.verify()


def test_a_number_that_was_taken_back_stands_for_what_came_then(tmp_path: Path) -> None:
    one, _ = hands(tmp_path / "s.db")

    def failing() -> None:
        with one.transaction():
            one.tell(ttl == 1)
            one.tell(prop("slow"), because=["b1"])
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    one.tell(ttl == 2)
    with one.transaction():
        found = one._journal.entry(1)
    assert found is not None
    assert found.body["value"] == "2"
    assert one.tell(ttl == 3).flags == ()
    one.verify()


VERBS = st.sampled_from(["tell", "tell", "derive", "expire", "retract", "update"])
STEPS = st.lists(st.tuples(st.integers(0, 1), VERBS, st.integers(0, 3)), min_size=4, max_size=14)
SEEN = {"both": 0, "flags": 0, "expired": 0}


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_two_hands_write_what_one_would(steps: list[tuple[int, str, int]]) -> None:
    with TemporaryDirectory() as folder:
        two, alone = hands(Path(folder) / "two.db"), hands(Path(folder) / "one.db")[:1] * 2
        for stores in (two, alone):
            for hand, verb, value in steps:
                _step(stores[hand], verb, value)
        bodies = [[e.body for e in s[0]._journal.entries(owner="anna")] for s in (two, alone)]
        assert bodies[0] == bodies[1]
        two[1].verify()
        SEEN["both"] += len({hand for hand, *_ in steps}) == 2
        SEEN["flags"] += any(body["op"] == "flag" for body in bodies[0])
        SEEN["expired"] += any(body["op"] == "expire" for body in bodies[0])


def _step(store: BeliefStore, verb: str, value: int) -> None:
    told = [e.entry_id for e in store._journal.entries(owner="anna") if e.body["op"] == "tell"]
    target = told[value % len(told)] if told else "b1"
    try:
        if verb == "tell":
            store.tell(attr(f"c{value % 2}", "ttl", of=int) == value)
        elif verb == "derive":
            store.tell(prop(f"p{value}"), because=[target])
        elif verb == "update":
            store.update(target, attr(f"c{value % 2}", "ttl", of=int) == value + 10)
        else:
            getattr(store, verb)(target)
    except StoreError:
        pass  # what cannot be done is refused alike


def test_the_draws_had_both_hands_flags_and_endings() -> None:
    assert SEEN["both"] >= 20
    assert SEEN["flags"] >= 5
    assert SEEN["expired"] >= 5

"""Episodes: what was told in which turn of which conversation."""

from __future__ import annotations

import pytest

from agm_store import Episode
from agm_store.errors import NothingToChange
from tests.strategies.stores import TTL, Desk, day


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, tmp_path) -> Desk:
    return Desk(None if request.param == "memory" else tmp_path / "a.db")


def test_why_lists_the_episode_and_what_it_is_part_of(desk: Desk) -> None:
    belief = desk.tell(TTL == 300, episode="turn 7")
    desk.store.episode("turn 7", kind="turn", at=day(3), parent="chat")
    desk.store.episode("chat", kind="conversation")
    assert desk.store.why(belief).episodes == (
        Episode(id="turn 7", kind="turn", at=day(3), parent="chat"),
        Episode(id="chat", kind="conversation"),
    )
    assert desk.store.verify()["count"] == 3
    desk.store.rebuild()
    assert len(desk.store.why(belief).episodes) == 2


def test_an_episode_that_nobody_described_has_only_its_name(desk: Desk) -> None:
    belief = desk.tell(TTL == 300, episode="turn 7")
    assert desk.store.why(belief).episodes == (Episode(id="turn 7"),)


def test_the_latest_description_that_stands_holds_and_the_past_keeps_its_own(desk: Desk) -> None:
    belief = desk.tell(TTL == 300, episode="turn 7")
    first = desk.store.episode("turn 7", kind="turn")
    second = desk.store.episode("turn 7", kind="document")
    kinds = [
        desk.store.at(known=k).why(belief).episodes[0].kind for k in (1, first.entry, second.entry)
    ]
    assert kinds == [None, "turn", "document"]
    desk.store.revert(second.entry)
    assert desk.store.why(belief).episodes[0].kind == "turn"
    assert desk.store.verify()["count"] == 4


def test_no_episode_is_part_of_itself(desk: Desk) -> None:
    desk.store.episode("turn 7", kind="turn", parent="chat")
    with pytest.raises(NothingToChange, match="part of it"):
        desk.store.episode("chat", kind="conversation", parent="turn 7")
    with pytest.raises(NothingToChange, match="part of it"):
        desk.store.episode("chat", kind="conversation", parent="chat")

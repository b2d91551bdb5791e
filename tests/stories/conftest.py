"""A store in memory and one in a file, each with a clock that the story sets."""

from datetime import UTC, datetime

import pytest

from agm_store import BeliefStore, open_store


class Clock:
    """The time of the story."""

    def __init__(self) -> None:
        self.moment = datetime(2024, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path, clock):
    path = None if request.param == "memory" else tmp_path / "story.db"
    with open_store(path, principal="anna", clock=clock) as opened:
        assert isinstance(opened, BeliefStore)
        yield opened

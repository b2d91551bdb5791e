"""Dated plain statements on state slots, in any order of arrival, and remarks about the past among them."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from hypothesis import strategies as st

from agm import attr
from agm_store import BeliefStore, utc

START = utc(2025, 1, 1)
DAYS = 12
SLOTS = (attr("cache", "ttl"), attr("cache", "size"), attr("queue", "ttl"))
RANKS = ("asserted", "documented", "observed", "inferred")
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Said(NamedTuple):
    """One statement: an id, a slot, a value, its rank, and from which day to which it is said to hold."""

    name: str
    slot: int
    value: int
    rank: str
    start: int
    end: int | None = None
    remark: bool = False

    def tell(self, store: BeliefStore) -> str:
        """Tell it as it is, without a hint that anything changed; gives its status."""
        claim = SLOTS[self.slot] == self.value
        if self.remark:
            told = store.tell(claim, statement=self.name, mode="historical", entrenchment=self.rank)
        else:
            told = store.tell(
                claim, statement=self.name, entrenchment=self.rank, valid_from=day(self.start),
                valid_to=None if self.end is None else day(self.end),
            )  # fmt: skip
        return told.status


def day(number: int) -> datetime:
    """A day of the histories."""
    return START + timedelta(days=number)


@st.composite
def statements(draw: Draw, max_size: int = 12) -> list[Said]:
    """Statements of mixed ranks, open and bounded, some on one day."""
    count = draw(st.integers(2, max_size))
    return [_said(draw, f"s{number}") for number in range(count)]


@st.composite
def remarks(draw: Draw) -> list[Said]:
    """Remarks about the past without times."""
    found = [_said(draw, f"r{number}") for number in range(draw(st.integers(1, 4)))]
    return [one._replace(remark=True, end=None) for one in found]


def _said(draw: Draw, name: str) -> Said:
    start = draw(st.integers(0, DAYS - 2))
    length = draw(st.sampled_from([None, None, None, 1, 3, 20]))
    return Said(
        name,
        draw(st.sampled_from([0, 0, 0, 1, 2])),
        draw(st.integers(1, 4)),
        draw(st.sampled_from(RANKS)),
        start,
        None if length is None else start + length,
    )


def world(store: BeliefStore) -> list[Any]:
    """What is believed of each slot on every day and between: beliefs, whether contested, and what is outranked."""
    found = []
    for half in range(-1, 2 * DAYS + 20):
        at = store.at(valid=START + timedelta(hours=12 * half))
        for slot in SLOTS:
            answer = at.ask(slot)
            sides = sorted((str(s.value), s.standing) for s in answer.sides)
            found.append((sides, answer.contested, sorted(str(s.value) for s in answer.outranked)))
    return found


def latest_wins(arrived: Iterable[Said]) -> dict[int, int]:
    """What a store that believes what it heard last would say."""
    return {one.slot: one.value for one in arrived if not one.remark}

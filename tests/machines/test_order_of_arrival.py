"""The order in which dated statements arrive does not matter, and remarks about the past never do."""

from collections import Counter
from datetime import timedelta
from itertools import count
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agm_store import open_store
from tests.strategies.dated import DAYS, RANKS, Said, day, latest_wins, remarks, statements, world

ORDERS = 100


def opened(path):
    moments = count(1)
    return open_store(
        path, principal="anna", clock=lambda: day(DAYS + 30) + timedelta(seconds=next(moments))
    )


def told(store, owner, arrived):
    """The world of an owner who hears statements in some order, and how each was taken in."""
    hand = store.acting_as(owner)
    statuses = [one.tell(hand) for one in arrived]
    return world(hand), Counter(statuses)


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hundred_orders_of_arrival_give_one_world(backend, seed, tmp_path):
    draw = Random(seed)
    said = [
        Said(
            f"s{number}", draw.choice([0, 0, 1, 2]), draw.randint(1, 4), draw.choice(RANKS), start,
            None if draw.random() < 0.7 else start + draw.randint(1, 5),
        )
        for number in range(14)
        for start in [draw.randrange(DAYS - 1)]
    ]  # fmt: skip
    worlds, naive = [], set()
    with (
        opened(None if backend == "memory" else tmp_path / "orders.db") as store,
        store.transaction(),
    ):
        for order in range(ORDERS):
            arrived = draw.sample(said, len(said))
            found, statuses = told(store, f"anna {order}", arrived)
            assert statuses.total() == statuses["active"], "a dated statement was not admitted"
            worlds.append(found)
            naive.add(tuple(sorted(latest_wins(arrived).items())))
    assert all(found == worlds[0] for found in worlds)
    assert len(naive) > 10, "the orders would not matter to anybody"
    answers = [sides for sides, _, _ in worlds[0] if sides]
    assert len({tuple(map(tuple, sides)) for sides in answers}) >= 3, "too little is believed"
    assert any(outranked for _, _, outranked in worlds[0]), "no rank mattered"


SEEN = Counter()
TIED = [  # contested from day 2 on, with a weaker newcomer, and a slot whose last word depends on the order
    Said("s0", 0, 1, "asserted", 2), Said("s1", 0, 2, "asserted", 2), Said("s2", 0, 3, "inferred", 4),
    Said("s3", 1, 1, "asserted", 1), Said("s4", 1, 2, "asserted", 3),
]  # fmt: skip
ASIDE = [Said(f"r{number}", 0, 4, "asserted", 0, remark=True) for number in range(4)]


@given(said=statements(), aside=remarks(), seed=st.integers(0, 2**32))
@example(said=TIED, aside=ASIDE, seed=2)
@example(said=TIED, aside=ASIDE, seed=3)
@pytest.mark.parametrize("backend", ["memory", "sqlite"])
def test_neither_order_nor_remarks_change_the_world(backend, said, aside, seed, tmp_path_factory):
    draw = Random(seed)  # of its own, for Hypothesis would favour some orders
    path = None
    if backend == "sqlite":
        path = tmp_path_factory.mktemp("order") / "store.db"
    with opened(path) as store, store.transaction():
        first, _ = told(store, "first", said)
        other = draw.sample(said, len(said))
        second, _ = told(store, "second", other)
        assert second == first
        mixed = draw.sample([*other, *aside], len(other) + len(aside))
        third, statuses = told(store, "third", mixed)
        assert third == first
        assert statuses["noted"] == len(aside)
    SEEN["draws"] += 1
    SEEN["reordered"] += latest_wins(said) != latest_wins(other)
    SEEN["contested"] += any(contested for _, contested, _ in first)
    SEEN["outranked"] += any(outranked for _, _, outranked in first)
    SEEN["last is a remark"] += mixed[-1].remark


def test_the_draws_were_worth_it():
    if not SEEN["draws"]:
        pytest.skip("counts what the test above drew in this process")
    for what in ("reordered", "contested", "outranked", "last is a remark"):
        assert SEEN[what] >= 3, (what, SEEN)

"""Reclassifying folds again: the world is the one in which the statement had the mode from the start."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, prop
from agm_store import open_store
from tests.strategies.stores import TTL, Clock, Desk, day

HOST = attr("cache", "host")
CLAIMS = [
    TTL == 1,
    TTL == 2,
    TTL == 3,
    HOST == "x",
    HOST == "y",
    prop("up"),
    (TTL == 1) >> (HOST == "x"),
]
MODES = ("assertion", "historical", "hypothetical", "reported", "question")
statements = st.lists(
    st.tuples(
        st.integers(0, len(CLAIMS) - 1), st.integers(0, 8), st.none() | st.integers(1, 4),
        st.sampled_from(["asserted", "documented", "observed"]), st.sampled_from(MODES),
    ),
    min_size=1, max_size=6,
)  # fmt: skip


def history(told: list[Any], modes: list[str], path: Any = None) -> tuple[Any, list[Any]]:
    """A store in which some statements were told, each in a mode, a day apart."""
    clock = Clock()
    store = open_store(path, principal="anna", clock=clock)
    entries = []
    for number, ((place, since, length, rank, _), mode) in enumerate(zip(told, modes, strict=True)):
        clock.on(10 + number)
        end = None if length is None else day(since + length)
        entries.append(
            store.tell(
                CLAIMS[place], valid_from=day(since), valid_to=end, entrenchment=rank, mode=mode
            ).entry
        )
    clock.on(30)
    return store, entries


def read(store: Any) -> list[Any]:
    """What is believed on each day: which statements, and how they stand."""
    return [
        [
            (s.belief, s.standing, s.valid_from, s.valid_to)
            for s in store.at(valid=day(d + 0.5)).believed
        ]
        + [store.at(valid=day(d + 0.5)).ask(TTL).value]
        for d in range(10)
    ]


SEEN = dict.fromkeys(("another mode", "another world", "in force again", "held", "dated again"), 0)


@settings(max_examples=60, deadline=None)
@given(statements, st.data())
def test_the_world_is_the_one_in_which_it_had_the_mode_from_the_start(told, data):
    modes = [mode for *_, mode in told]
    place = data.draw(st.integers(0, len(told) - 1))
    mode = data.draw(st.sampled_from(MODES))
    store, entries = history(told, modes)
    before = read(store)
    then = store._journal.head().count
    receipt = store.reclassify(entries[place], mode)
    other, _ = history(told, [*modes[:place], mode, *modes[place + 1 :]])
    assert read(store) == read(other)
    store.verify()
    past = [store.at(valid=day(d + 0.5), known=then).ask(TTL).value for d in range(10)]
    assert past == [row[-1] for row in before]
    changed = read(store) != before
    store.revert(receipt.entry)
    assert read(store) == before
    SEEN["another mode"] += mode != modes[place]
    SEEN["another world"] += changed
    SEEN["in force again"] += mode == "assertion" != modes[place]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.booleans()), min_size=2, max_size=8),
    st.sampled_from(["asserted", "observed"]),
)
def test_a_retired_value_that_comes_back_unmarked_is_held_and_a_dated_one_is_not(values, rank):
    desk = Desk()
    now, retired = None, set()
    for number, (value, dated) in enumerate(values):
        since = {"since": number} if dated else {}
        receipt = desk.receipt(value == TTL, on=number, entrenchment=rank, **since)
        if value in retired and value != now and not dated:
            SEEN["held"] += 1
            assert receipt.status == "held"
            assert any("re-statement" in why for why in receipt.notices)
        else:
            SEEN["dated again"] += value in retired and value != now
            assert receipt.status == "active"
            retired |= {now} - {value}
            now = value
        assert desk.value(number) == now
    desk.store.verify()


def test_the_draws_meant_something():
    assert all(count >= 5 for count in SEEN.values()), SEEN

"""A receipt says what the reading says, and a repeated statement is answered as it was the first time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, parse
from agm.errors import AgmError
from agm_store import open_store
from agm_store.errors import InvalidArgument
from tests.strategies.stores import Clock, day

SLOTS = {"x": attr("x", "f"), "y": attr("y", "f")}
SEEN: Counter[str] = Counter()

steps = st.lists(
    st.tuples(
        st.sampled_from(["tell", "tell", "correct"]),
        st.sampled_from("xxy"),
        st.integers(1, 3),
        st.sampled_from([None, 1, 1, 2]),
        st.sampled_from(["asserted", "asserted", "documented"]),
        st.integers(0, 1),
    ),
    min_size=3,
    max_size=7,
)


def test_a_correction_told_of_another_slot_is_not_contested_where_its_place_loses() -> None:
    clock = Clock(1)
    store = open_store(None, principal="anna", clock=clock)
    first = store.tell(parse("f(x) = 1"))
    store.tell(parse("f(y) = 7"))
    clock.moment = day(2)
    receipt = store.correct(first.belief, parse("f(y) = 1"))
    answer = store.ask(SLOTS["y"])
    assert (answer.value, answer.contested, receipt.contested) == (7, False, ())


def test_a_correction_of_what_never_held_is_said_to_be_overridden() -> None:
    store = open_store(None, principal="anna", clock=Clock(1))
    first = store.tell(parse("f(x) = 1"))
    second = store.tell(parse("f(x) = 7"))
    receipt = store.correct(first.belief, parse("f(x) = 3"))
    assert store.ask(SLOTS["x"]).value == 7
    assert [loss.belief.id for loss in receipt.retired] == [first.belief]
    assert any(f"overridden by {second.belief}" in notice for notice in receipt.notices)


@settings(max_examples=150, deadline=None)
@given(steps)
def _says_what_is_read(drawn: list[Any]) -> None:
    clock = Clock(0)
    store = open_store(None, principal="anna", clock=clock)
    told: list[str] = []
    for verb, entity, value, since, rank, wait in drawn:
        clock.moment = clock.moment + (day(wait) - day(0))
        claim = parse(f"f({entity}) = {value}")
        how: dict[str, Any] = {"entrenchment": rank}
        if since is not None:
            how["valid_from"] = day(since)
        try:
            if verb == "correct" and told:
                receipt = store.correct(told[value % len(told)], claim, **how)
            else:
                receipt = store.tell(claim, **how)
        except AgmError:
            continue
        told.append(receipt.belief)
        worlds = [store.at(valid=day(each)) for each in range(6)]
        shown = [{s.belief for g in w.contested for s in g} for w in worlds]
        for side in receipt.contested:
            SEEN["contested"] += 1
            assert any({side.belief, receipt.belief} <= group for group in shown)


def test_a_receipt_names_as_contested_only_what_the_reading_does() -> None:
    SEEN.clear()
    _says_what_is_read()
    assert SEEN["contested"] > 20


def test_a_rival_below_what_is_believed_is_not_contested_by_its_restatement() -> None:
    clock = Clock(0)
    store = open_store(None, principal="anna", clock=clock)
    store.tell(parse("f(y) = 1"))
    store.tell(parse("f(y) = 2"), valid_from=day(1), entrenchment="documented")
    clock.moment = day(1)
    receipt = store.tell(parse("f(y) = 1"), entrenchment="documented")
    assert store.ask(SLOTS["y"]).value == 1
    assert receipt.contested == ()


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_a_text_that_says_nothing_is_no_belief(text: str) -> None:
    store = open_store(None, principal="anna", clock=Clock(0))
    with pytest.raises(InvalidArgument):
        store.tell(text=text)
    first = store.tell(parse("p"), text=text, statement="s1")
    assert store.tell(parse("p"), statement="s1").entry == first.entry
    with pytest.raises(InvalidArgument):
        store.correct(first.belief, text=text)
    (side,) = store.at().believed
    assert side.text is None


def _repeats() -> list[tuple[str, Any]]:
    def once(store: Any, **how: Any) -> Any:
        return store.tell(parse("f(x) = 2"), statement="s2", **how)

    return [
        ("a plain rival", once),
        ("a tie", lambda s: once(s, valid_from=day(0))),
        ("an outranked one", lambda s: once(s, entrenchment="documented")),
        ("a held one", lambda s: once(s, entrenchment="untrusted")),
        ("a note", lambda s: once(s, mode="hypothetical")),
        ("a formula", lambda s: s.tell(parse("f(x) != 1 & p"), statement="s2")),
        ("a restatement", lambda s: s.tell(parse("g(x) = 1"), statement="s2")),
        ("a relation", lambda s: s.tell(parse("likes(x, y)"), statement="s2")),
        ("a correction", lambda s: s.correct("b1", parse("f(x) = 2"), statement="s2")),
        (
            "a correction that covers less",
            lambda s: s.correct("b1", parse("f(x) = 2"), valid_from=day(1), statement="s2"),
        ),
        ("an update", lambda s: s.update("b1", parse("f(x) = 2"), statement="s2")),
        (
            "an update before the start",
            lambda s: s.update("b1", parse("f(x) = 2"), at=day(-1), statement="s2"),
        ),
    ]


@pytest.mark.parametrize(("what", "verb"), _repeats(), ids=[name for name, _ in _repeats()])
def test_a_statement_heard_again_is_answered_as_it_was(what: str, verb: Any) -> None:
    clock = Clock(0)
    store = open_store(None, principal="anna", clock=clock)
    store.tell(parse("f(x) = 1"), valid_from=day(0))
    gone = store.tell(parse("g(x) = 1"))
    clock.moment = day(1)
    store.retract(gone.belief)
    clock.moment = day(2)
    first = verb(store)
    clock.moment = day(3)
    store.tell(parse("f(x) = 9"))
    count = store.stats().entries
    second = verb(store)
    assert store.stats().entries == count, what
    assert second.notices == (*first.notices, "heard before: nothing was written")
    assert replace(second, notices=(), retired=()) == replace(first, notices=(), retired=())
    assert [_lost(loss) for loss in second.retired] == [_lost(loss) for loss in first.retired]


def _lost(loss: Any) -> tuple[str, list[str], str]:
    return loss.belief.id, [b.id for b in loss.kernel], str(loss.against)

"""The stretches of the web view against the worlds that they stand for."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing, suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.errors import AgmError, NotDecided
from agm_store import open_store, segments
from agm_store.components import component
from agm_store.entries import micros
from agm_store.errors import StoreBusy
from agm_store.shares import shared
from agm_store.tables import words_of
from agm_store.times import written
from agm_store.web import resolved
from agm_store.web.file import fill
from agm_store.web.gathering import gather
from agm_store.web.kept import KeptSlot
from agm_store.web.queries import queries
from agm_store.web.resolved import _joined, own_stretches, shared_stretches
from tests.strategies.many_verbs import WEIGHTS, History, P, X, Y, Z
from tests.strategies.stores import day

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agm_store.web.resolved import Stretch
    from agm_store.worlds import World


ORDER = ("observed", "documented", "asserted")
DAYS = (-4, -3, -1, 0, 0.5, 1, 1.5, 2, 3, 4.5, 5, 7, 9, 12, 40)
SEEN: Counter[str] = Counter()
SEEDS, STEPS = st.integers(0, 2**32), st.integers(12, 32)


def at(rows: Iterable[Stretch], valid: float, known: int) -> set[tuple[str, str]]:
    us = micros(day(valid))
    return {
        (row.belief, row.standing)
        for row in rows
        if row.valid_from <= us < row.valid_to and row.entry_from <= known < row.entry_to
    }


def believed(world: World) -> set[tuple[str, str]]:
    found = {(str(side.belief), "believed") for side in world.believed}
    return found | {(str(s.belief), "contested") for group in world.contested for s in group}


@given(seed=SEEDS, steps=STEPS)
@example(seed=9308, steps=19)
@example(seed=71, steps=40)  # these two try every verb
@example(seed=20, steps=40)
@settings(max_examples=max(25, settings().max_examples // 4))
def test_a_stretch_stands_where_its_belief_is_believed(seed: int, steps: int) -> None:
    stands_where_it_is_believed(History(seed, steps))


def test_so_it_is_where_beliefs_were_demoted() -> None:
    done = 0
    for seed in range(12):
        history = History(seed, 24, demoting=9)
        stands_where_it_is_believed(history)
        done += history.done["demote"]
    assert done > 8


def stands_where_it_is_believed(history: History) -> None:
    for store in (history.anna, history.bob):
        rows = own_stretches(store._context)
        assert len(rows) == len(set(rows))
        end = history.anna._journal.head().count
        for known in range(end + 1):
            for number in DAYS[known % 2 :: 2]:
                world = store.at(valid=day(number), known=known)
                try:
                    expected = believed(world)
                except NotDecided:
                    SEEN["undecided"] += 1
                    continue
                assert at(rows, number, known) == expected, (known, number)
                SEEN.update(standing for _, standing in expected)
    SEEN.update(history.done)


@given(seed=SEEDS, steps=STEPS)
@example(seed=71, steps=40)
@example(seed=20, steps=40)
@settings(max_examples=max(25, settings().max_examples // 4))
def test_the_question_as_of_answers_as_the_world_at_that_point(seed: int, steps: int) -> None:
    """Pure SQL over the rows of the page, known by entry and by time, own and shared."""
    history, pick = History(seed, steps), Random(seed)
    for store in (history.anna, history.bob):
        with closing(sqlite3.connect(":memory:")) as connection:
            fill(gather(store), connection)
            end = history.anna._journal.head()
            times = [float(d) for d in DAYS if day(d) <= history.clock()]
            for _ in range(12):
                number = pick.choice(DAYS)
                by_time = pick.random() < 0.5
                known: Any = pick.choice(times) if by_time else pick.randint(0, end.count)
                world = store.at(valid=day(number), known=day(known) if by_time else known)
                asked = written(day(known)) if by_time else str(known)
                rows = connection.execute(
                    queries()["as_of"]["sql"],
                    {"valid": written(day(number)), "known": asked, "words": ""},
                ).fetchall()
                try:
                    sides = [*world.believed, *(s for g in world.contested for s in g)]
                    others = shared(world)
                except NotDecided:
                    SEEN["undecided"] += 1
                    continue
                contested = {s.belief for g in world.contested for s in g}
                expected = {
                    (
                        str(s.belief),
                        words_of(s),
                        "contested" if s.belief in contested else "believed",
                        store.principal,
                    )
                    for s in sides
                } | {
                    (f"{s.owner}/{s.belief}", words_of(s), str(s.standing), str(s.owner))
                    for s in others
                }
                assert {(r[0], r[1], r[2], r[7]) for r in rows} == expected, (number, known)
                SEEN["asked by time" if by_time else "asked by entry"] += len(expected)
                SEEN["shared rows"] += len(others)


@given(seed=SEEDS, steps=STEPS)
@example(seed=9308, steps=19)
@example(seed=71, steps=40)  # these two try every verb
@example(seed=20, steps=40)
@settings(max_examples=max(25, settings().max_examples // 4))
def test_shared_stretches_say_what_an_answer_shows_of_others(seed: int, steps: int) -> None:
    history = History(seed, steps)
    for store in (history.anna, history.bob):
        rows = shared_stretches(store._context)
        assert all(row.owner != store.principal for row in rows)
        end = history.anna._journal.head().count
        for known in range(end + 1):
            for number in DAYS[known % 3 :: 3]:
                world = store.at(valid=day(number), known=known)
                try:
                    sides = shared(world)
                    answers = [s for term in (X, Y, Z) for s in world.ask(term).shared]
                except NotDecided:
                    SEEN["undecided"] += 1
                    continue
                expected = {(str(s.belief), str(s.standing)) for s in sides}
                assert at(rows, number, known) == expected, (known, number)
                assert {(str(s.belief), str(s.standing)) for s in answers} <= expected
                SEEN["shared"] += len(answers)
        found = {(str(s.owner), str(s.belief), str(s.standing)) for s in store.shared()}
        now = micros(store.at().valid)
        here = [r for r in rows if r.valid_from <= now < r.valid_to and r.entry_to > end]
        assert {(row.owner, row.belief, row.standing) for row in here} == found


def test_what_is_too_large_to_be_read_is_undecided_and_not_guessed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(component.__kwdefaults__, "cap", 2)
    seen: Counter[str] = Counter()
    for seed in range(16):
        history = History(seed, 24)
        for store in (history.anna, history.bob):
            rows = own_stretches(store._context)
            for known in range(history.anna._journal.head().count + 1):
                world = store.at(valid=day(2), known=known)
                standing = at(rows, 2, known)
                try:
                    expected = believed(world)
                except NotDecided:
                    seen["undecided"] += any(word == "undecided" for _, word in standing)
                    continue
                assert standing == expected, (seed, known)
                seen["decided"] += 1
    assert seen["undecided"] > 8
    assert seen["decided"] > 20


def test_the_page_says_what_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(None, principal="anna")
    joined = [
        store.tell((X == 1) >> (Y == 2)),
        store.tell((Y == 2) >> (Z == 3)),
        store.tell(X == 1),
    ]
    monkeypatch.setitem(component.__kwdefaults__, "cap", 1)
    view = gather(store)
    assert {row[2] for row in view.timeline if row[8] is None} == {"undecided"}
    assert {row[4] for row in view.statements} == {"undecided"}
    said = [row for row in view.reasons if row[3] == "not decided"]
    assert [row[1] for row in said] == [receipt.belief for receipt in joined]


SPANS = st.tuples(
    st.integers(0, 3), st.integers(0, 6), st.none() | st.integers(1, 4), st.sampled_from(ORDER)
)


@given(
    told=st.lists(SPANS, min_size=2, max_size=14), undone=st.lists(st.integers(1, 14), max_size=3)
)
def test_a_kept_slot_moves_as_its_timeline_does(
    told: list[tuple[int, int, int | None, str]], undone: list[int]
) -> None:
    """What went and came, entry by entry, comes to the strips that the whole timeline has."""
    store = open_store(None, principal="anna")
    for value, start, length, rank in told:
        end = None if length is None else day(start + length)
        store.tell(value == X, valid_from=day(start), valid_to=end, entrenchment=rank)
    for entry in undone:
        with suppress(AgmError):
            store.revert(entry)
    journal, token = store._journal, "x(a)"
    slot = KeptSlot(journal.segments("anna", token))
    kept: dict[int, set[Any]] = {}
    for known in range(1, journal.head().count + 1):
        for seq, moved in slot.take(known).items():
            strips = kept.setdefault(seq, set())
            assert moved.gone <= strips
            assert strips.isdisjoint(moved.new)
            kept[seq] = (strips - moved.gone) | moved.new
            SEEN["moved"] += len(moved.gone) + len(moved.new)
        expected: dict[int, list[Any]] = {}
        for row in journal.timeline("anna", token, known):
            for seq in row.believed:
                word = "contested" if len(row.believed) > 1 else "believed"
                expected.setdefault(seq, []).append((row.valid_from, row.valid_to, word))
        joined = {seq: _joined(strips) for seq, strips in expected.items()}
        assert {seq: strips for seq, strips in kept.items() if strips} == joined
        assert all(slot.strips(seq) == strips for seq, strips in kept.items())


def test_a_slot_that_was_revised_twice_as_often_costs_twice_as_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, rows = segments._segment, 0

    def counted(*given: Any) -> Any:
        nonlocal rows
        rows += 1
        return made(*given)

    monkeypatch.setattr(segments, "_segment", counted)
    costs = []
    for revisions in (40, 80):
        with open_store(tmp_path / f"{revisions}.db", principal="anna") as store:
            belief = store.tell(X == 0).belief
            for number in range(1, revisions):
                belief = store.update(belief, number == X).belief
            rows = 0
            assert len(own_stretches(store._context)) > revisions
            costs.append(rows)
    assert 0 < costs[1] < 3 * costs[0]


def test_what_is_shared_of_one_slot_is_read_once_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    read, calls = resolved.consolidated, 0

    def counted(*given: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        return read(*given, **more)

    monkeypatch.setattr(resolved, "consolidated", counted)
    costs = []
    for revisions in (8, 16):
        store = open_store(None, principal="anna")
        belief = store.tell(X == 0).belief
        store.share(belief, with_="bob")
        for number in range(1, revisions):
            belief = store.update(belief, number == X).belief
        calls = 0
        assert len(shared_stretches(store.acting_as("bob")._context)) == 2 * revisions - 1
        costs.append(calls)
    assert 0 < costs[1] < 5 * costs[0]  # a point a revision at each entry, not for each belief anew


def test_a_view_is_not_made_of_two_states_of_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(None, principal="anna")
    inbox, written_meanwhile = store.inbox, [P, ~X.isin(1)]

    def busy() -> Any:
        if written_meanwhile:
            store.acting_as("bob").tell(written_meanwhile.pop())
        return inbox()

    monkeypatch.setattr(store, "inbox", busy)
    assert gather(store).statements == []
    assert not written_meanwhile
    written_meanwhile += [number == X for number in range(20)]
    with pytest.raises(StoreBusy):
        gather(store)


def test_zz_the_histories_were_worth_it() -> None:
    """Runs last, by name: what was compared was not vacuous."""
    assert SEEN["believed"] > 800
    assert SEEN["contested"] > 5
    assert SEEN["shared"] > 20
    assert SEEN["asked by time"] > 20
    assert SEEN["asked by entry"] > 60
    assert SEEN["shared rows"] > 2
    assert SEEN["moved"] > 200
    assert set(WEIGHTS) <= set(SEEN)

"""The stretches of the web view against the worlds that they stand for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given, settings

from agm.errors import NotDecided
from agm_store.entries import micros
from agm_store.shares import shared
from agm_store.web.resolved import own_stretches, shared_stretches
from tests.strategies.many_verbs import X, Y, Z, histories
from tests.strategies.stores import day

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.web.resolved import Stretch
    from agm_store.worlds import World
    from tests.strategies.many_verbs import History

DAYS = (-4, -3, -1, 0, 0.5, 1, 1.5, 2, 3, 4.5, 5, 7, 9, 12, 40)
SEEN: Counter[str] = Counter()


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


@given(history=histories)
@settings(max_examples=max(40, settings().max_examples))
def test_a_stretch_stands_where_its_belief_is_believed(history: History) -> None:
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


@given(history=histories)
@settings(max_examples=max(40, settings().max_examples))
def test_shared_stretches_say_what_an_answer_shows_of_others(history: History) -> None:
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


def test_zz_the_histories_were_worth_it() -> None:
    """Runs last, by name: what was compared was not vacuous."""
    assert SEEN["believed"] > 2_000
    assert SEEN["contested"] > 50
    assert SEEN["shared"] > 200
    for verb in ("derive", "correct", "update", "revert", "redact", "contract", "alias", "share"):
        assert SEEN[verb] > 5, verb

"""The benchmark of learning: each theme runs, and what it simulates is what it says. No figure is asserted."""

from __future__ import annotations

from random import Random

import pytest

from agm_store.learning import Learner, auto_threshold
from benchmarks import learning_loop, learning_streams, run_learning
from benchmarks.learning_turns import ATTRIBUTES, PATTERNS, WAYS, Scripted, Turn, World
from tests.strategies.stores import day


def test_each_theme_gives_figures() -> None:
    small = learning_loop.Sizes(seeds=1, corrections=40, turns=30)
    found = [*learning_loop.figures(small)]
    found += learning_streams.figures(learning_streams.Sizes(streams=2, labels=200, later=100))
    assert all(one.ok is not None for one in found)
    assert len(found) == 5
    assert {"mistakes", "threshold"} <= set(run_learning.THEMES)


def test_a_pattern_is_a_way_and_an_attribute() -> None:
    assert len(PATTERNS) == len(WAYS) * len(ATTRIBUTES) == 48
    assert len({len(frames) for frames in WAYS.values()}) == 1
    assert all(frame.count("{") == 3 for frames in WAYS.values() for frame in frames)


def test_a_turn_names_what_its_claim_says() -> None:
    world = World(Random(1))
    turns = [world.turn() for _ in range(300)]
    for turn in turns:
        low = turn.text.lower()
        assert turn.entity in low
        assert str(turn.value) in low
    traps = [turn for turn in turns if turn.pattern is not None]
    assert 60 < len(traps) < 120
    assert all(turn.pattern is None or turn.pattern.attribute == turn.attribute for turn in turns)


@pytest.mark.parametrize(("quoted", "heeded"), [(True, True), (False, False)])
def test_the_model_heeds_only_what_is_of_the_same_pattern(quoted: bool, heeded: bool) -> None:  # noqa: FBT001
    one, other = PATTERNS[0], PATTERNS[1]
    model = Scripted(Random(1), {"the old text": one if quoted else other})
    turn = Turn("a text", "cache", one.attribute, 3, one)
    from agm.directives import Shown

    got = [
        model.extract(turn, shown=Shown(beliefs=[]), believed=False, mistakes=["'the old text'"])
        for _ in range(400)
    ]
    silent = sum(not answer.facts for answer in got)
    assert (250 < silent < 310) if heeded else silent == 0


def test_the_owner_restores_what_was_so() -> None:
    table = learning_loop.Table(7)
    slot = table.world.entities[0], "ttl"
    from agm import attr
    from benchmarks.learning_turns import claim_of

    table.so[slot] = 5
    table.store.tell(claim_of(*slot, 5))
    for number, pattern in enumerate(p for p in PATTERNS if p.attribute == "ttl"):
        trap = Turn(f"trap {number}", *slot, 100 + number, pattern)
        assert table.read(trap)
        assert table.store.ask(attr(*slot)).value == 5
    assert len(table.patterns) == len(WAYS)
    assert len([c for c in table.store.corrections() if c.mistake]) == len(WAYS)
    assert Learner(table.store).mistakes("trap 3")
    assert day(0) < table.store.corrections()[-1].at


def test_streams_are_machines_of_their_own_and_wrongs_are_spread() -> None:
    machines = [learning_streams.Machine(Random(f"stream {n}")) for n in range(30)]
    assert len({m.errs for m in machines}) == 30
    wrong = [x.confidence for m in machines for x in m.labels(300) if not x.right]
    for low, high in ((0.0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
        assert sum(low <= c < high for c in wrong) > 0.1 * len(wrong)
    labels = machines[0].labels(300)
    assert auto_threshold(labels, max_wrong=0.3) == auto_threshold(labels[::-1], max_wrong=0.3)

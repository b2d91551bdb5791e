"""Under an alias every world is the one in which all had been told of one name.

A random history is told twice: with the names as they come and an alias, and with one name in place of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, forall, relation
from agm.errors import AgmError
from tests.strategies.stores import Desk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ONE, OTHER, APART = "b", "a", "c"
"""Two names of one entity, of which the second stands for both, and another entity."""
NAMES = (ONE, OTHER, APART)
DAYS = (0.5, 2.5)
EXAMPLES = 15
"""Each takes two stores through a history and asks them everything; how many are drawn for a backend."""


def x(name: str) -> Any:
    return attr(name, "x", of=int)


def y(name: str) -> Any:
    return attr(name, "y", of=int)


LITERALS: list[Callable[[str, int], Any]] = [
    lambda name, value: x(name) == value,
    lambda name, value: x(name) == value,
    lambda name, value: y(name) == value,
    lambda name, value: relation("knows", APART, name),
    lambda name, value: relation("likes", name, "tea"),
]
RULES: list[Callable[[str, int], Any]] = [
    lambda name, value: (x(name) == value) | (y(name) == value),
    lambda name, value: (x(name) == value) >> (y(name) == 3 - value),
    lambda name, value: forall(lambda e: relation("likes", e, "tea") >> (y(e) == value)),
    lambda name, value: ~(x(name) == value),
]
PREMISE, RETRACT, CORRECT, UPDATE, EXPIRE, REVERT, CONTRACT, CONSTRAIN = (
    "because", "retract", "correct", "update", "expire", "revert", "contract", "constrain",
)  # fmt: skip

STEP = st.tuples(
    st.sampled_from(["tell"] * 6 + [PREMISE, RETRACT, CORRECT, UPDATE, EXPIRE, REVERT, CONTRACT]),
    st.sampled_from([*LITERALS, *RULES]),
    st.sampled_from((ONE, OTHER, ONE, OTHER, APART)),
    st.integers(1, 2),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from(["asserted", "asserted", "documented"]),
    st.integers(0, 5),
)
PLAIN = STEP.filter(lambda step: step[0] in ("tell", RETRACT))


def act(desk: Desk, step: Any, told: list[str], number: int, *, one: bool, dated: bool) -> Any:
    """Take a step, all of one name or as it comes; the kind of the error when it is refused."""
    verb, make, name, value, since, rank, place = step
    claim = make(OTHER if one and name == ONE else name, value)
    target = told[place % len(told)] if told else None
    desk.clock.on(1 + number / 10)
    words: dict[str, Any] = {"entrenchment": rank}
    if dated or since is not None:
        words["since"] = since or 0
    store = desk.store
    try:
        if verb == "tell" or target is None:
            told.append(desk.tell(claim, **words))
        elif verb == PREMISE:
            told.append(desk.tell(claim, because=[target]))
        elif verb == RETRACT:
            store.retract(target)
        elif verb == CORRECT:
            told.append(str(store.correct(target, claim).belief))
        elif verb == UPDATE:
            told.append(str(store.update(target, claim).belief))
        elif verb == EXPIRE:
            store.expire(target)
        elif verb == REVERT:
            store.revert(desk.world().standing(target).entry)
        else:
            store.contract(claim)
    except AgmError as error:
        return type(error).__name__
    return None


def seen(desk: Desk, names: tuple[str, ...], known: Any = None) -> Any:
    """What a store believes, contests and would answer over all days, claims by their ids."""
    found: list[Any] = []
    for number in DAYS:
        world = desk.world(number, known=known)
        for name in names:
            for term in (x(name), y(name), attr(name, "likes")):
                answer = world.ask(term)
                found.append((answer.value, answer.contested, sides(answer.sides)))
            found += [world.entails(term(name) == v) for term in (x, y) for v in (1, 2)]
            found.append(world.entails(relation("knows", APART, name)))
            found.append(world.entails((x(name) == 1) | (y(name) == 1)))
        found += [sides(world.believed), sorted(sides(group) for group in world.contested)]
    for name in names if known is None else ():
        found += [sides(desk.store.timeline(term(name))) for term in (x, y)]
    return found


def sides(shown: Any) -> list[Any]:
    """Sides without the names that their claims were told under."""
    return sorted(
        (s.belief, s.standing, s.status, s.valid_from, str(s.valid_to), s.replaced_by or "")
        for s in shown
    )


def standings(desk: Desk, told: list[str]) -> Any:
    """How each telling stands, why, and what the history of its belief is."""
    found = []
    for belief in told:
        world = desk.world()
        why = world.why(belief)
        history = [s.belief for s in desk.store.history(belief)]
        found.append((belief, why.status, why.standing, why.kernel, why.retired_by, history))
    return found


@pytest.fixture(params=["memory", "file"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], tuple[Desk, Desk]]:
    count = iter(range(10_000))

    def make() -> tuple[Desk, Desk]:
        if request.param == "memory":
            return Desk(), Desk()
        return tuple(Desk(tmp_path / f"{next(count)}.db") for _ in range(2))  # type: ignore[return-value]

    return make


def both_told(one: Desk, two: Desk) -> list[str]:
    """Bind how relations are used and how numbers are measured alike, before anything is drawn."""
    for desk in (one, two):
        desk.tell((x(APART) == 1) | relation("likes", APART, "tea"), since=0, till=0.1)
        desk.tell((y(APART) == 1) | relation("knows", APART, APART), since=0, till=0.1)
    return []


def filled(desk: Desk) -> int:
    """An entry that says nothing, in the place of the other store's alias."""
    return int(desk.store.declare("filler", "int").entry)


def test_told_after_the_alias_it_is_as_if_told_of_one_name(pair: Any) -> None:
    drawn = {"mattered": 0, "changed": 0, "refused": 0}

    @given(st.lists(STEP, min_size=3, max_size=7))
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(steps: list[Any]) -> None:
        named, single = pair()
        both_told(named, single)
        named.store.alias(ONE, OTHER)
        filled(single)
        told: tuple[list[str], list[str]] = ([], [])
        for number, step in enumerate(steps):
            out = act(named, step, told[0], number, one=False, dated=False)
            same = act(single, step, told[1], number, one=True, dated=False)
            assert out == same
            drawn["refused"] += out is not None
        assert told[0] == told[1]
        assert seen(named, (ONE, APART)) == seen(single, (OTHER, APART))
        assert seen(named, (ONE,)) == seen(named, (OTHER,))
        assert standings(named, told[0]) == standings(single, told[1])
        named.store.verify()
        names = {step[2] for step in steps}
        drawn["mattered"] += {ONE, OTHER} <= names
        drawn["changed"] += any(step[0] not in ("tell", PREMISE) for step in steps)
        named.store.close()
        single.store.close()

    check()
    assert drawn["mattered"] > EXAMPLES / 4
    assert drawn["changed"] > EXAMPLES / 4


def test_told_before_the_alias_it_is_as_if_told_of_one_name(pair: Any) -> None:
    drawn = {"mattered": 0, "moved": 0}

    @given(st.lists(PLAIN, min_size=3, max_size=7), st.sampled_from([(ONE, OTHER), (OTHER, ONE)]))
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(steps: list[Any], pairs: tuple[str, str]) -> None:
        named, single = pair()
        both_told(named, single)
        told: tuple[list[str], list[str]] = ([], [])
        for number, step in enumerate(steps):
            out = act(named, step, told[0], number, one=False, dated=True)
            assert out == act(single, step, told[1], number, one=True, dated=True)
        before = seen(named, NAMES)
        entry = named.store.alias(*pairs).entry
        filled(single)
        after = seen(named, (ONE, APART))
        assert after == seen(single, (OTHER, APART))
        assert seen(named, (OTHER, APART)) == after
        assert standings(named, told[0]) == standings(single, told[1])
        at_end = seen(named, NAMES, known=entry)
        assert seen(named, NAMES, known=entry - 1) == before[: len(at_end)]
        named.store.revert(entry)
        assert seen(named, NAMES) == before
        assert seen(named, NAMES, known=entry) == at_end
        named.store.rebuild()
        assert seen(named, NAMES) == before
        drawn["mattered"] += {ONE, OTHER} <= {step[2] for step in steps}
        drawn["moved"] += before[: len(at_end)] != at_end
        named.store.verify()
        named.store.close()
        single.store.close()

    check()
    assert drawn["mattered"] > EXAMPLES / 4
    assert drawn["moved"] > EXAMPLES / 4

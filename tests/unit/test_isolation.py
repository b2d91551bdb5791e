"""Two principals on one journal: nothing of one moves by what the other does, whatever it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, relation
from agm.errors import AgmError
from tests.strategies.stores import Desk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from agm_store.beliefs import BeliefStore

TERMS = [attr("cache", "ttl"), attr("cache", "host"), attr("disk", "ttl")]
VERBS = (
    "tell", "atom", "correct", "update", "retract", "expire", "redact", "share", "unshare", "alias",
    "revert", "reclassify", "contract", "demote",
)  # fmt: skip
Step = tuple[str, str, int, int, int]


def of(verbs: Sequence[str]) -> st.SearchStrategy[Step]:
    """Steps by some verbs."""
    return st.tuples(
        st.sampled_from(["bob", "alice"]),
        st.sampled_from(verbs),
        st.integers(0, 2),
        st.integers(1, 4),
        st.integers(1, 5),
    )


STEP = of(VERBS)
LATER = of([verb for verb in VERBS if verb not in ("tell", "share")])


def deed(store: BeliefStore, step: Step) -> Callable[[], Any]:
    """What a step does, on the belief or the entry of a number."""
    _, verb, term, value, number = step
    claim, belief, other = TERMS[term] == value, f"b{number}", "alice"
    if store.principal == "alice":
        other = "bob"
    return {
        "tell": lambda: store.tell(claim),
        "atom": lambda: store.tell(relation("likes", "cache", f"v{value}")),
        "correct": lambda: store.correct(belief, claim),
        "update": lambda: store.update(belief, claim),
        "retract": lambda: store.retract(belief),
        "expire": lambda: store.expire(belief),
        "redact": lambda: store.redact(belief, note="x"),
        "share": lambda: store.share(belief, with_=other),
        "unshare": lambda: store.unshare(belief, with_=other),
        "alias": lambda: store.alias("cache", f"name{value}"),
        "revert": lambda: store.revert(number),
        "reclassify": lambda: store.reclassify(number, "historical"),
        "contract": lambda: store.contract(claim),
        "demote": lambda: store.demote(belief, "observed"),
    }[verb]


def seen(store: BeliefStore) -> tuple[Any, ...]:
    """All that a principal sees of their own."""
    world = store.at()
    answers = [world.ask(term) for term in TERMS]
    own = [(a.value, a.contested, tuple(a.sides), tuple(a.outranked)) for a in answers]
    return (
        *own,
        tuple(world.believed),
        store.stats().beliefs,
        tuple(store.shares()),
        store.flags(),
    )


def run(store: BeliefStore, step: Step) -> str:
    """What came of a step: nothing, or the error's name."""
    try:
        deed(store, step)()
    except AgmError as error:
        return type(error).__name__
    return ""


DONE: Counter[str] = Counter()


def test_what_one_does_moves_nothing_of_the_other() -> None:
    moves_nothing()
    assert DONE[""] > 60, DONE
    assert DONE["NotOwner"] > 5, DONE


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, min_size=4, max_size=14))
def moves_nothing(steps: list[Step]) -> None:
    desk = Desk(principal="bob")
    hands = {"bob": desk.store, "alice": desk.store.acting_as("alice")}
    for name, reader in (("bob", "alice"), ("alice", "bob")):
        hands[name].share(hands[name].tell(TERMS[0] == 9).belief, with_=reader)
    for number, step in enumerate(steps):
        desk.clock.on(number)
        other = hands["alice" if step[0] == "bob" else "bob"]
        before = seen(other)
        DONE[run(hands[step[0]], step)] += 1
        assert seen(other) == before
    desk.store.verify()


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(STEP, min_size=6, max_size=16))
def test_both_backends_agree_on_what_is_shared(
    steps: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    desks = [Desk(principal="bob"), Desk(tmp_path_factory.mktemp("s") / "s.db", principal="bob")]
    found = []
    for desk in desks:
        hands = {"bob": desk.store, "alice": desk.store.acting_as("alice")}
        seeds = [
            desk.store.tell(TERMS[0] == 9),
            desk.store.share("b1", with_="alice"),
        ]
        outcomes: list[Any] = [len(seeds)]
        for number, step in enumerate(steps):
            desk.clock.on(number)
            outcomes.append(run(hands[step[0]], step))
            outcomes.append([h.shared() for h in hands.values()])
            outcomes.append([h.audit() for h in hands.values()])
        desk.store.verify()
        found.append(outcomes)
        desk.store.close()
    assert found[0] == found[1]


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(LATER, min_size=3, max_size=10))
def test_once_unshared_nothing_is_read_whatever_the_owner_does(steps: list[Step]) -> None:
    desk = Desk(principal="bob")
    alice = desk.store.acting_as("alice")
    desk.tell(TERMS[0] == 9)
    desk.store.share("b1", with_="alice")
    assert [s.value for s in alice.shared()] == [9]
    undo = desk.store.unshare("b1", with_="alice").entry
    for number, step in enumerate(steps):
        desk.clock.on(number)
        if step[1] == "revert" and step[4] == undo:
            continue
        run(desk.store, ("bob", *step[1:]))
        known = min(2, desk.store.at().known)
        assert alice.shared() == ()
        assert alice.at(known=known).ask(TERMS[0]).shared == ()


def test_the_steps_do_something() -> None:
    desk = Desk(principal="bob")
    alice = desk.store.acting_as("alice")
    script: list[Step] = [
        ("bob", "tell", 0, 1, 1), ("bob", "share", 0, 1, 1), ("alice", "correct", 0, 2, 1),
        ("bob", "update", 0, 3, 1), ("bob", "alias", 0, 2, 1), ("bob", "atom", 0, 1, 1),
    ]  # fmt: skip
    hands = {"bob": desk.store, "alice": alice}
    outcomes = []
    for number, step in enumerate(script):
        desk.clock.on(number)
        outcomes.append(run(hands[step[0]], step))
    assert outcomes == ["", "", "NotOwner", "", "", ""]
    assert [s.value for s in alice.shared()] == [3]

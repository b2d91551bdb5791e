"""What one change does downstream, its revert undoes, and the revert of that does again.

What holds is compared: every stretch of each slot's timeline, the standing and status of each telling,
the flags and the artefacts; the journal and what the change itself told are left aside.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings

from agm import attr, parse
from agm.errors import AgmError
from agm_store import open_store
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from agm import Claim
    from agm_store import BeliefStore

NIGHTLY = 2_000
EXAMPLES = 10_000 if settings().max_examples >= NIGHTLY else 60
NAMES = "abcdef"
RULES = ("s(a1) -> !s(a2)", "s(a1) | s(a2)", "s(a2) -> s(a1)")
SEEN: Counter[str] = Counter()


def says(name: str, value: int) -> Claim:
    return attr("x", name) == value


class Change(NamedTuple):
    """One change to be made in a store with some tellings."""

    kind: str
    place: int
    name: str
    value: int
    day: int | None

    def made_in(self, store: BeliefStore) -> Any:
        """Make it; what the verb answers."""
        belief = (ids := tellings(store))[self.place % len(ids)]
        said, at = says(self.name, self.value), None if self.day is None else day(self.day)
        match self.kind:
            case "retract":
                return store.retract(belief)
            case "correct":
                return store.correct(belief, said)
            case "update":
                return store.update(belief, said, at=at)
            case "expire":
                return store.expire(belief, at=at)
            case "contract":
                return store.contract(said)
            case "tell":
                return store.tell(said, valid_from=at)
            case "derive":
                return store.tell(said, because=[belief])
            case "rule":
                return store.tell(parse(RULES[self.place % 3]), entrenchment="core")
            case "demote":
                return store.demote(belief, "documented" if self.value == 1 else "inferred")
            case "reclassify":
                return store.reclassify(self.place % 9 + 1, "historical")
            case "source":
                return store.retract_by_source("wiki")
            case _:
                shown = [says("page", self.place)]
                return store.artefact("page", rests_on=[belief], descriptors=shown)


KINDS = ["retract", "correct", "update", "expire", "contract", "tell", "derive", "rule"]
KINDS += ["reclassify", "demote", "source", "artefact"]
CHANGES = st.builds(
    Change,
    st.sampled_from(KINDS),
    st.integers(0, 40),
    st.sampled_from(NAMES),
    st.sampled_from([1, 2]),
    st.sampled_from([None, -3, 2]),
)


RETRACT = Change("retract", 0, "a", 1, None)
"""Of the first belief, on which conclusions rest: it always moves flags."""


@example(  # a conclusion that is withdrawn by policy as soon as it is told
    net=[("c", 1, 0, False)] * 3,
    before=[Change("retract", 0, "a", 1, None)],
    change=Change("derive", 0, "b", 2, None),
    policy="retract",
)
@example(net=[("c", 1, 0, True)] * 3, before=[], change=RETRACT, policy="flag")
@example(net=[("d", 2, 0, True)] * 3, before=[], change=RETRACT, policy="flag")
@example(net=[("e", 1, 0, True)] * 3, before=[], change=RETRACT, policy="flag")
@settings(max_examples=EXAMPLES)
@given(
    net=st.lists(
        st.tuples(
            st.sampled_from(NAMES), st.sampled_from([1, 1, 1, 2]), st.integers(0, 20), st.booleans()
        ),
        min_size=3,
        max_size=8,
    ),
    before=st.lists(CHANGES, max_size=2),
    change=CHANGES,
    policy=st.sampled_from(["flag", "flag", "retract"]),
)
def test_what_a_revert_leaves_is_what_there_was(
    net: list[tuple[str, int, int, bool]],
    before: list[Change],
    change: Change,
    policy: Any,
) -> None:
    store = open_store(None, principal="anna", clock=Clock(), policy=policy)
    store.tell(says("a", 1), source="wiki")
    store.tell(says("b", 1), source="log", entrenchment="documented")
    store.tell(parse("s(a1)"))
    for name, value, place, derived in net:
        ids = tellings(store)
        because = [ids[place % len(ids)]] if derived else []
        store.tell(says(name, value), because=because)
    for earlier in before:
        attempted(store, earlier)
    known, then = tellings(store), holding(store, tellings(store))
    count = store.stats().entries
    if not attempted(store, change) or store.stats().entries == count:
        return
    after = holding(store, known)
    undone = store.revert(count + 1)
    assert holding(store, known) == then
    store.revert(undone.entry)
    assert holding(store, known) == after
    SEEN[change.kind] += 1
    SEEN["moved"] += then != after
    SEEN["flags moved"] += then[2] != after[2]


def attempted(store: BeliefStore, change: Change) -> bool:
    try:
        change.made_in(store)
    except AgmError:
        return False
    return True


def tellings(store: BeliefStore) -> list[str]:
    return [e.entry_id for e in store._journal.entries() if e.body["op"] == "tell"]


def holding(store: BeliefStore, known: list[str]) -> tuple[Any, ...]:
    """What holds of some tellings: stretches, standing and status, flags, artefacts."""
    world = store.at()
    stretches = {
        name: [
            (s.belief, s.value, s.standing, s.valid_from, s.valid_to)
            for s in store.timeline(attr("x", name))
        ]
        for name in (*NAMES, "page")
    }
    sides = {b: str(world.standing(b)) for b in known}
    flags = sorted((f.on, f.kind, tuple(f.because)) for f in store.flags())
    made = [(a.artefact, a.version, tuple(a.descriptors)) for a in store.artefacts()]
    return stretches, sides, flags, made


@pytest.mark.parametrize("what", ["moved", "flags moved"])
def test_zz_it_was_not_vacuous(what: str) -> None:
    """Runs after the property, by name."""
    assert SEEN[what] > 2, SEEN

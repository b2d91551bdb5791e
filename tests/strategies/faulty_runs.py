"""Random operations on one store while its checks fail, and what became of what was believed.

`run` drives one store; `Run` says how many operations met a fault, what was lost by those that did, and
whether everything that was held for a check resolved once the checks ran again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from agm import attr, prop
from agm.directives import Extraction, Fact, Resolves, Shown
from agm.errors import AgmError
from agm_store import open_store
from tests.strategies.faults import Faults, Texts
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store import BeliefStore

RATE = 0.3
"""The share of checks that fail."""
RANKS = ("asserted", "documented", "observed", "inferred", "core", "untrusted")
X = [attr(f"a{i}", "x") for i in range(3)]
P = [prop(f"p{i}") for i in range(3)]


@dataclass
class Run:
    """What came of some operations."""

    operations: int = 0
    met: Counter[str] = field(default_factory=Counter)
    """Faults by kind."""
    faulty: int = 0
    """Operations in which a check failed."""
    lost: list[tuple[int, set[str]]] = field(default_factory=list)
    """What such an operation put out beside what its verb named: (the entries before it, the tellings)."""
    retired: int = 0
    """Operations without a fault that put something out, beside what their verbs named."""
    waited: int = 0
    """Newcomers held for a check when the checks ran again."""
    unresolved: int = 0
    """Those of them that still wait in the end."""


def run(seed: int, steps: int) -> Run:
    """Random operations under faults, then recovery."""
    random, clock, done = Random(seed), Clock(), Run()
    faults = Faults(random, rate=RATE)
    helper = Texts(faults)
    store = open_store(None, principal="anna", clock=clock, entailment=helper, judge=helper)
    for _ in range(steps):
        operation, named = operations(store, random, clock)
        count, before = store.stats().entries, believed(store)
        try:
            with faults.during():
                operation()
        except AgmError:
            pass  # a typed refusal, such as of a target that is retired
        done.operations += 1
        lost = before - believed(store) - named
        if not faults.fired:
            done.retired += bool(lost)
            continue
        done.faulty += 1
        if lost:
            done.lost.append((count, lost))
    recover(store, clock, done)
    store.verify()
    done.met = faults.met
    return done


def recover(store: BeliefStore, clock: Clock, done: Run) -> None:
    """Look again at everything that waits for a check, now that all of them run."""
    done.waited = store.stats().waiting
    for _ in range(40):
        if not store.stats().waiting:
            break
        clock.moment += timedelta(days=2)
        store.rescan()
    done.unresolved = store.stats().waiting


def operations(
    store: BeliefStore, random: Random, clock: Clock
) -> tuple[Callable[[], Any], set[str]]:
    """One random operation, and what its verb names as its target, so that it may go."""
    told = [e.entry_id for e in store._journal.entries() if e.body["op"] == "tell"]
    target = random.choice(told) if told else "b1"
    value, rank = random.randint(1, 3), random.choice(RANKS)
    slot = random.choice(X) == value
    formula = random.choice(
        [
            slot,
            slot >> random.choice(P),
            random.choice(P) >> (random.choice(X) == value),
            ~P[0] | P[1],
        ]
    )
    clock.moment += timedelta(hours=random.choice([0, 1, 30]))
    since = random.choice([None, day(random.randint(-3, 3))])
    text = f"machine {random.randint(0, 2)} stands in hall {random.randint(0, 2)}"
    sure = random.choice([0.95, 0.95, 0.6, 0.3, None])
    directive = Fact(
        claim=slot,
        text=text,
        confidence=sure,
        resolves=[
            Resolves(
                session_index=0,
                action=random.choice(["supersede", "retract"]),  # type: ignore[arg-type]
                reason=random.choice(["correction", "temporal_change"]),  # type: ignore[arg-type]
            )
        ],
    )
    by_machine: list[Callable[[], Any]] = [
        lambda: store.tell(formula, entrenchment=rank, valid_from=since),
        lambda: store.tell(slot, entrenchment=rank, valid_from=since),
        lambda: store.tell(text=text, entrenchment=rank, confidence=sure),
        lambda: store.tell_all(
            Extraction(shown=Shown(beliefs=[target]), facts=[directive]),  # type: ignore[list-item]
            entrenchment=rank,
            source="chat",
        ),
        lambda: store.rescan(budget=1),
    ]
    by_owner: list[Callable[[], Any]] = [
        lambda: store.correct(target, formula, entrenchment=rank),
        lambda: store.update(target, slot, entrenchment=rank),
        lambda: store.retract(target),
        lambda: store.expire(target),
    ]
    if random.random() < 0.8:
        return random.choice(by_machine), set()
    return random.choice(by_owner), _same(store, target)


def _same(store: BeliefStore, target: str) -> set[str]:
    """The tellings that the owner's verbs act on with a target: those of its claim."""
    entries = list(store._journal.entries())
    named = next((e for e in entries if e.entry_id == target), None)
    if named is None:
        return set()
    claim = named.body.get("claim")
    same = [e for e in entries if e.body["op"] == "tell" and e.body.get("claim") == claim]
    return {target} | ({e.entry_id for e in same} if claim is not None else set())


def believed(store: BeliefStore) -> set[str]:
    """The tellings that stand now."""
    world = store.at()
    told = [e.entry_id for e in store._journal.entries() if e.body["op"] == "tell"]
    return {b for b in told if world.standing(b).standing == "believed"}

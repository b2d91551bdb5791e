"""Random histories over all verbs of a store with two owners, by a clock that goes on now and then.

A verb that is refused is left out; what was carried out is counted.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from agm import attr, parse, prop, relation
from agm.errors import AgmError
from agm.values import UNKNOWN
from agm_store import open_store
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store import BeliefStore

X, Y, Z, P = attr("a", "x"), attr("b", "y"), attr("c", "x"), prop("p")
CLAIMS = (
    *(term == value for term in (X, X, X, Y, Z) for value in (1, 2, 3)),
    relation("likes", "a", "tea"),
    P,
    ~P,
    (X == 1) >> (Y == 2),
    (Y == 1) >> P,
    (Y != 3) | ~P,
    parse("forall e. (x(e) = 2 -> y(e) = 1)"),
)
CLASSES = (*["asserted"] * 6, "documented", "observed", "core", "untrusted")
SINCE = (-3, 0, 0, 0, 2, 2, 5, 9)
WEIGHTS = {
    "tell": 9, "derive": 2, "words": 1, "correct": 3, "update": 3, "retract": 2, "expire": 2, "contract": 1,
    "revert": 4, "reclassify": 1, "decide": 2, "redact": 1, "constrain": 0.2, "alias": 0.7,
    "share": 3, "unshare": 0.7,
}  # fmt: skip


class History:
    """A store of anna's and bob's after some random verbs, by a seed."""

    def __init__(self, seed: int, steps: int, *, demoting: float = 0) -> None:
        self.random = Random(seed)
        self.weights = {
            **WEIGHTS,
            "demote": demoting,
        }  # last and by default never: seeds keep their histories
        self.clock = Clock()
        self.anna: BeliefStore = open_store(None, principal="anna", clock=self.clock)
        self.bob = self.anna.acting_as("bob")
        self.done: Counter[str] = Counter()
        self.told: dict[str, list[str]] = {"anna": [], "bob": []}
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        """One verb of one of the two."""
        pick = self.random
        if pick.random() < 0.6:
            self.clock.moment += day(pick.choice((0.5, 1))) - day(0)
        store = pick.choice((self.anna, self.anna, self.bob))
        verb = pick.choices([*self.weights], [*self.weights.values()])[0]
        deed: Callable[[BeliefStore], Any] = getattr(self, f"_{verb}")
        try:
            receipt = deed(store)
        except (AgmError, IndexError):
            return
        self.done[verb] += 1
        if verb in ("tell", "derive", "words", "correct", "update"):
            self.told[store.principal].append(str(receipt.belief))

    def _target(self, store: BeliefStore) -> str:
        return self.random.choice(self.told[store.principal][-6:])

    def _times(self) -> dict[str, Any]:
        kind = self.random.choice(("none", "since", "since", "since", "both", "undated"))
        since = self.random.choice(SINCE)
        if kind == "none":
            return {}
        if kind == "undated":
            return {"valid_from": UNKNOWN}
        ends = {"valid_to": day(since + self.random.randint(1, 5))} if kind == "both" else {}
        return {"valid_from": day(since), **ends}

    def _tell(self, store: BeliefStore) -> Any:
        pick = self.random
        mode: Any = pick.choice(["assertion"] * 5 + ["historical", "hypothetical"])
        claim = pick.choice(CLAIMS)
        return store.tell(claim, entrenchment=pick.choice(CLASSES), mode=mode, **self._times())

    def _words(self, store: BeliefStore) -> Any:
        return store.tell(text=self.random.choice(("a remark", "another")), **self._times())

    def _derive(self, store: BeliefStore) -> Any:
        because: Any = {self._target(store) for _ in range(self.random.randint(1, 2))}
        return store.tell(self.random.choice(CLAIMS[:17]), because=sorted(because))

    def _correct(self, store: BeliefStore) -> Any:
        claim = self.random.choice(CLAIMS[:15])
        return store.correct(self._target(store), claim, **self._times())

    def _update(self, store: BeliefStore) -> Any:
        at = self.random.choice((None, *SINCE))
        claim = self.random.choice(CLAIMS[:15])
        return store.update(self._target(store), claim, at=None if at is None else day(at))

    def _retract(self, store: BeliefStore) -> Any:
        return store.retract(self._target(store))

    def _expire(self, store: BeliefStore) -> Any:
        at = self.random.choice((None, *SINCE))
        return store.expire(self._target(store), at=None if at is None else day(at))

    def _contract(self, store: BeliefStore) -> Any:
        return store.contract(self.random.choice(CLAIMS))

    def _demote(self, store: BeliefStore) -> Any:
        return store.demote(self._target(store), self.random.choice(("documented", "observed")))

    def _constrain(self, store: BeliefStore) -> Any:
        return store.constrain(self.random.choice(((X != 3) | P, Y != 3, P >> (Y == 2))))

    def _alias(self, store: BeliefStore) -> Any:
        return store.alias("c", of="a")

    def _revert(self, store: BeliefStore) -> Any:
        return store.revert(self.random.randint(1, self.anna.stats().entries + 5))

    def _reclassify(self, store: BeliefStore) -> Any:
        entry = store.at().standing(self._target(store)).entry
        assert entry is not None
        return store.reclassify(entry, self.random.choice(("assertion", "reported")))

    def _decide(self, store: BeliefStore) -> Any:
        review = self.random.choice(store.inbox())
        return store.decide(review, self.random.choice(review.options))

    def _redact(self, store: BeliefStore) -> Any:
        return store.redact(self._target(store))

    def _share(self, store: BeliefStore) -> Any:
        return store.share(self._target(store), with_=self._other(store))

    def _unshare(self, store: BeliefStore) -> Any:
        return store.unshare(self._target(store), with_=self._other(store))

    @staticmethod
    def _other(store: BeliefStore) -> str:
        return "bob" if store.principal == "anna" else "anna"

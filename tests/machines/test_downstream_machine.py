"""The store and the support graph side by side: what is flagged is what lost its support, in memory and on disk.

Slots with a few values, conclusions with alternatives and circles, every verb that retires; no ends by
time, so that each loss has an entry that caused it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agm import attr
from agm.errors import AgmError
from agm_store import open_store
from agm_store.conclusions import BELIEVED
from agm_store.supports import graph_of
from tests.strategies.stores import Clock
from tests.strategies.whole import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store import BeliefStore
    from agm_store.entries import Entry

NAMES = st.sampled_from("abcdef")
VALUES = st.sampled_from([1, 1, 1, 2])
RANKS = st.sampled_from(["documented", "documented", "observed"])
SOURCES = st.sampled_from([None, "wiki", "log"])
OWN = ("flag", "clear", "attempt")
"""Entries about flags: who reverts one dismisses the flag, or has it stand again."""
SEEN: Counter[str] = Counter()


class DownstreamMachine(RuleBasedStateMachine):
    """Two stores that are told the same."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.stores = [
            open_store(path, principal="anna", clock=self.clock, synchronous="NORMAL")
            for path in (None, f"{self.folder.name}/s.db")
        ]
        self.beliefs: list[str] = []

    def teardown(self) -> None:
        try:
            for store in self.stores:
                store.verify()
                store.close()
        finally:
            self.folder.cleanup()

    @property
    def store(self) -> BeliefStore:
        return self.stores[0]

    def act(self, verb: Callable[[BeliefStore], Any]) -> Any:
        """Do one thing in both; they answer alike."""
        answers = []
        moment = self.clock.moment
        for store in self.stores:
            self.clock.moment = moment
            try:
                answers.append(verb(store))
            except AgmError as error:
                answers.append(str(error))
        assert whole(answers[0]) == whole(answers[1])
        self.beliefs = [e.entry_id for e in self.store._journal.entries() if e.body["op"] == "tell"]
        return answers[0]

    @initialize(net=st.lists(st.tuples(NAMES, st.integers(1, 7)), min_size=2, max_size=6))
    def begin(self, net: list[tuple[str, int]]) -> None:
        """Two told beliefs, and conclusions on what there is so far: alternatives and circles among them."""
        self.act(lambda s: s.tell(attr("x", "a") == 1, source="wiki"))
        self.act(lambda s: s.tell(attr("x", "b") == 1, source="log"))
        for name, premise in net:
            because = [self.beliefs[premise % len(self.beliefs)]]
            self.act(lambda s, n=name, b=because: s.tell(attr("x", n) == 1, because=b))

    @rule(name=NAMES, value=VALUES, rank=RANKS, source=SOURCES)
    def tell(self, name: str, value: int, rank: str, source: str | None) -> None:
        self.act(lambda s: s.tell(attr("x", name) == value, entrenchment=rank, source=source))

    @rule(name=NAMES, value=VALUES, source=SOURCES, data=st.data())
    def derive(self, name: str, value: int, source: str | None, data: Any) -> None:
        because = data.draw(st.lists(st.sampled_from(self.beliefs), min_size=1, max_size=3))
        told = self.act(lambda s: s.tell(attr("x", name) == value, because=because, source=source))
        SEEN["derived"] += not isinstance(told, str)

    @rule(data=st.data())
    def retract(self, data: Any) -> None:
        belief = self.drawn(data)
        self.act(lambda s: s.retract(belief))

    @rule(data=st.data(), value=VALUES)
    def correct(self, data: Any, value: int) -> None:
        belief = self.drawn(data)
        name = self.slot_of(belief)
        self.act(lambda s: s.correct(belief, attr("x", name) == value))

    @rule(data=st.data(), value=VALUES)
    def update(self, data: Any, value: int) -> None:
        belief = self.drawn(data)
        name = self.slot_of(belief)
        self.act(lambda s: s.update(belief, attr("x", name) == value))

    @rule(data=st.data())
    def expire(self, data: Any) -> None:
        belief = self.drawn(data)
        self.act(lambda s: s.expire(belief))

    @rule(name=NAMES, value=VALUES)
    def contract(self, name: str, value: int) -> None:
        self.act(lambda s: s.contract(attr("x", name) == value))

    @rule(data=st.data())
    def revert(self, data: Any) -> None:
        entries = [e.seq for e in self.store._journal.entries() if e.body["op"] not in OWN]
        entry = data.draw(st.sampled_from(entries))
        self.act(lambda s: s.revert(entry))

    @rule(data=st.data())
    def change_and_take_back(self, data: Any) -> None:
        """What a revert leaves is what there was, flags included."""
        before = self.picture()
        count = self.store.stats().entries
        belief = data.draw(st.sampled_from(self.beliefs[:3]))  # something may rest on it
        self.act(lambda s: s.retract(belief))
        if self.store.stats().entries > count:
            SEEN["taken back"] += 1
            SEEN["flags taken back"] += before[1] != self.picture()[1]
            self.act(lambda s: s.revert(count + 1))
            assert self.picture() == before

    @rule(source=st.sampled_from(["wiki", "log"]))
    def by_source(self, source: str) -> None:
        count, before = self.store.stats().entries, self.picture()
        tried = self.act(lambda s: s.retract_by_source(source, dry_run=True))
        assert self.store.stats().entries == count
        assert self.picture() == before
        done = self.act(lambda s: s.retract_by_source(source))
        if isinstance(done, str):
            assert tried == done
            return
        SEEN["by source"] += 1
        for field in ("retired", "told", "lost", "gained", "artefacts"):
            assert getattr(tried, field) == getattr(done, field)
        assert [(f.on, f.kind) for f in tried.flags] == [(f.on, f.kind) for f in done.flags]
        self.act(lambda s: s.revert(done.entry))
        assert self.picture() == before

    @precondition(lambda self: len(self.beliefs) > 1)
    @rule(data=st.data())
    def try_what_if(self, data: Any) -> None:
        before = self.picture()
        believed = {str(side.belief) for side in self.store.at().believed}
        some = [b for b in self.beliefs if b in believed]  # twice as often, so that there is a loss
        belief = data.draw(st.sampled_from([*some, *some, *self.beliefs]))
        tried = self.act(lambda s: s.what_if(retire=[belief]))
        assert self.picture() == before
        if not isinstance(tried, str):
            SEEN["what if"] += bool(tried.lost)

    @invariant()
    def what_is_flagged_is_what_lost_its_support(self) -> None:
        for store in self.stores:
            flagged = {f.on for f in store.flags(kind="support_lost")}
            lost = {b for b, word in self.standings(store).items() if word == "unsupported"}
            assert flagged == lost, (flagged, lost)
            SEEN["flagged"] += len(flagged)

    @invariant()
    def the_graph_agrees(self) -> None:
        """Told beliefs that stand are held, what a conflict keeps out is blocked, the rest is by fixpoint."""
        entries = self.live()
        if not entries:
            return
        graph = graph_of(self.store._context, entries)
        standing = self.standings(self.store)
        claims = {e.entry_id: str(e.body["claim"]) for e in entries}
        believed = {claims[b] for b, word in standing.items() if word in BELIEVED and b in claims}
        told = {claims[e.entry_id] for e in entries if "because" not in e.body}
        out = {
            claims[b]
            for b, word in standing.items()
            if b in claims and word not in (*BELIEVED, "unsupported")
        }
        known = set(graph.beliefs)
        assert (
            graph.supported((told & believed) & known, blocked=(out - believed) & known) == believed
        )
        for one in graph.justifications:
            around = {*one.premises, *graph.ancestry(one.premises)}
            SEEN["circles"] += one.conclusion in around

    # how it is done

    def drawn(self, data: Any) -> str:
        belief: str = data.draw(st.sampled_from(self.beliefs))
        return belief

    def slot_of(self, belief: str) -> str:
        entry = self.store._journal.find("anna", belief)
        assert entry is not None
        return str(entry.body["slot"])[0]

    def live(self) -> list[Entry]:
        """The tellings in force now."""
        context = self.store._context
        entries = list(context.journal.entries())
        ledger = context.fold(entries)
        now = context.now()
        removed = {b for b in ledger.tellings if self.store.why(b).status == "retracted"}
        return [
            e
            for e in entries
            if (t := ledger.tellings.get(e.entry_id)) is not None
            and ledger.in_force(t, now)
            and e.entry_id not in removed
        ]

    def standings(self, store: BeliefStore) -> dict[str, str]:
        """The standing of each live conclusion and of all else in force."""
        live = {e.entry_id for e in self.live()}
        return {b: str(store.at().standing(b).standing) for b in self.beliefs if b in live}

    def picture(self) -> tuple[Any, ...]:
        """What holds, and what is flagged."""
        known = {b: str(self.store.at().standing(b)) for b in self.beliefs}
        return known, {(f.on, f.kind) for f in self.store.flags()}


DownstreamMachine.TestCase.settings = settings(
    settings(),
    max_examples=max(20, settings().max_examples // 4),
    report_multiple_bugs=False,
    stateful_step_count=14,
)
TestDownstreamMachine = DownstreamMachine.TestCase


MET = ["derived", "flagged", "taken back", "flags taken back", "by source", "what if", "circles"]


@pytest.mark.parametrize("what", MET)
def test_zz_the_machine_met_what_it_should_test(what: str) -> None:
    """Runs after the machine, by name: it was not vacuous."""
    assert SEEN[what] > 0

"""The journal in memory and the one in a file driven together, entry by entry.

Entries on a few slots of two owners, some of which tie slots together; levels that are taken back;
the file closed and opened again, rebuilt, or written by a second hand.  After every step both answer
every question alike; at the end the file verifies.
"""

import json
from collections import Counter
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agm_store.entries import FOREVER, Body, Entry
from agm_store.memory import MemoryJournal
from agm_store.sqlite import SqliteJournal
from agm_store.transfer import verify
from tests.strategies.slot_histories import SLOT, VALUES, bodies

OWNERS = ("anna", "ben")
SLOTS = ("ttl(cache)", "ttl(proxy)", "owner(cache)")
SEEN: Counter[str] = Counter()


class Backends(RuleBasedStateMachine):
    """Two backends that are told the same."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.path = f"{self.folder.name}/store.db"
        self.memory = MemoryJournal()
        self.file = SqliteJournal(self.path, create=True, synchronous="NORMAL")
        self.other = SqliteJournal(self.path, synchronous="NORMAL")
        self.clock = 0

    def told(self, owner: str, slot: str) -> list[Entry]:
        return [
            e
            for e in self.memory.touching(owner, [slot])
            if e.body["op"] == "tell" and e.body.get("slot") == slot
        ]

    def write(self, hand: Any, owner: str, body: Body) -> None:
        entry_id = f"b{self.memory.head().count + 1}"
        assert hand.append(owner, entry_id, self.clock, body) == self.memory.append(
            owner, entry_id, self.clock, body
        )

    @rule(
        data=st.data(),
        owner=st.sampled_from(OWNERS),
        slot=st.sampled_from(SLOTS),
        pause=st.sampled_from([0, 0, 1]),
    )
    def tell(self, data: st.DataObject, owner: str, slot: str, pause: int) -> None:
        hand = data.draw(st.sampled_from([self.file, self.file, self.other]))
        for _ in range(data.draw(st.integers(1, 5))):
            self.clock += pause
            body = data.draw(bodies(self.told(owner, slot), self.clock))
            self.write(hand, owner, json.loads(json.dumps(body).replace(SLOT, slot)))
            SEEN["second hand"] += hand is self.other

    @precondition(lambda self: self.memory.head().count % 3 == 1)
    @rule(
        owner=st.sampled_from(OWNERS),
        slots=st.sets(st.sampled_from(SLOTS), min_size=1, max_size=2),
        state=st.sampled_from(["held", "held", "admitted"]),
    )
    def tie(self, owner: str, slots: set[str], state: str) -> None:
        claim = " | ".join(f"{slot} = 1" for slot in sorted(slots))
        body: Body = {
            "op": "tell",
            "mode": "assertion",
            "class": "asserted",
            "state": state,
            "claim": claim,
            "on": sorted(slots),
        }
        self.write(self.file, owner, body | {"links": ["p"]})
        SEEN["tied"] += state == "admitted"

    @precondition(lambda self: self.memory.head().count % 4 == 1)
    @rule(data=st.data(), owner=st.sampled_from(OWNERS), slot=st.sampled_from(SLOTS))
    def take_back(self, data: st.DataObject, owner: str, slot: str) -> None:
        body = json.loads(
            json.dumps(data.draw(bodies(self.told(owner, slot), self.clock))).replace(SLOT, slot)
        )
        for journal in (self.file, self.memory):
            with suppress(ZeroDivisionError), journal.transaction():
                journal.append(owner, "gone", self.clock, body)
                raise ZeroDivisionError
        SEEN["taken back"] += 1

    @precondition(lambda self: self.memory.head().count)
    @rule()
    def open_again(self) -> None:
        self.file.close()
        self.file = SqliteJournal(self.path, synchronous="NORMAL")

    @precondition(lambda self: self.memory.head().count)
    @rule()
    def rebuild(self) -> None:
        rows = "SELECT * FROM timeline ORDER BY 1, 2, 3"
        before = self.file._execute(rows).fetchall()
        self.file.rebuild()
        assert self.file._execute(rows).fetchall() == before

    @invariant()
    def both_answer_alike(self) -> None:
        if not hasattr(self, "file"):
            return
        one, two = self.memory, self.file
        assert one.head() == two.head() == self.other.head()
        assert [one.seq_at(t) for t in range(5)] == [two.seq_at(t) for t in range(5)]
        count = one.head().count
        for owner in OWNERS:
            for slot in SLOTS:
                assert one.touching(owner, [slot]) == two.touching(owner, [slot])
                assert one.plain(owner, slot) == two.plain(owner, slot)
                assert one.linked(owner, slot) == two.linked(owner, slot)
                for known in {count, count // 2}:
                    segments = one.timeline(owner, slot, known)
                    assert two.timeline(owner, slot, known) == segments
                    for segment in segments:
                        assert two.segment(owner, slot, segment.valid_from, known) == segment
                        assert two.segment(owner, slot, segment.valid_to - 1, known) == segment
                        SEEN["contested"] += len(segment.believed) > 1
                        SEEN["out"] += bool(segment.others)
                if one.plain(owner, slot):
                    self.views_agree(owner, slot)
            assert one.tokens(owner, "ttl", "cache") == two.tokens(owner, "ttl", "cache")
            assert one.first_of(owner, "ttl") == two.first_of(owner, "ttl")

    def views_agree(self, owner: str, slot: str) -> None:
        one, two = self.memory.slot_view(owner, slot), self.file.slot_view(owner, slot)
        assert [t.entry_id for t in one.overlapping(2, 9)] == [
            t.entry_id for t in two.overlapping(2, 9)
        ]
        assert one.next_start(1, 3) == two.next_start(1, 3)
        assert [one.ended_before(v, 6) for v in VALUES] == [two.ended_before(v, 6) for v in VALUES]
        out = [[view.unadmitted(v, 5, FOREVER) for v in VALUES] for view in (one, two)]
        assert out[0] == out[1]
        claims = [f"{slot} = {value}" for value in VALUES]
        assert [one.stands_since(c, 6) for c in claims] == [two.stands_since(c, 6) for c in claims]

    def teardown(self) -> None:
        if hasattr(self, "file"):
            assert verify(self.file) == verify(self.memory)
            self.file.close()
            self.other.close()
            self.folder.cleanup()


Backends.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


class TestBackends(Backends.TestCase):  # type: ignore[misc,name-defined]
    """Runs the machine, and sees that it came across enough."""

    def runTest(self) -> None:  # noqa: N802  the name is unittest's
        SEEN.clear()
        super().runTest()
        met = ("second hand", "tied", "taken back", "contested", "out")
        assert all(SEEN[kind] for kind in met), SEEN

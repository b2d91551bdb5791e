"""Sweeps between all that may happen downstream: nothing is deleted, a second one writes nothing, losses revert."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

from agm import attr
from agm_propagation import Rederived
from tests.machines.test_downstream_machine import DownstreamMachine

if TYPE_CHECKING:
    from agm_propagation import SweepReport, Task
    from agm_store import World

SEEN: Counter[str] = Counter()


def obliging(task: Task[World]) -> Rederived | None:
    """Derives from the first belief that is not about the same slot; another value where the premise is odd."""
    slot = str(task.claim)[0]
    for side in task.world.believed:
        if str(side.claim)[0] != slot:
            odd = int(str(side.entry)) % 3 == 0
            return Rederived(premises=[side.belief], claim=attr("x", slot) == 3 if odd else None)
    return None


def careless(task: Task[World]) -> Rederived:
    """Names what it was given, whatever that is."""
    return Rederived(premises=[*(p.id for p in task.premises), task.belief][:2])


HANDS = st.sampled_from([None, obliging, careless])


class SweepMachine(DownstreamMachine):
    """The machine of what happens downstream, with sweeps."""

    def teardown(self) -> None:
        """However it ends, it is swept."""
        if self.beliefs:
            self.act(lambda s: s.retract(self.beliefs[0]))
            self.sweep(obliging)
        super().teardown()

    @rule(hand=HANDS)
    def sweep(self, hand: Any) -> None:
        report = self.counted(hand)
        assert report.next is None
        again = self.act(lambda s: s.sweep(rederive=hand))
        if not report.rederived:  # else a re-deriver, asked once a sweep, may find more next time
            assert (again.cleared, again.rederived, again.raised) == ((), (), ())

    @rule(data=st.data(), hand=HANDS)
    def lose_sweep_and_take_back(self, data: Any, hand: Any) -> None:
        """Reverting a loss takes back what a sweep wrote because of it."""
        self.act(lambda s: s.sweep())
        before, flagged = self.picture(), {f.on for f in self.store.flags()}
        count = self.store.stats().entries
        belief = data.draw(st.sampled_from(self.premises() or self.beliefs))
        self.act(lambda s: s.retract(belief))
        if self.store.stats().entries == count:
            return

        def of_the_fresh(task: Task[World]) -> Rederived | None:
            return None if hand is None or task.belief in flagged else hand(task)

        report = self.counted(of_the_fresh)
        self.act(lambda s: s.revert(count + 1))
        SEEN["taken back"] += bool(report.cleared or report.rederived)
        standing, flags = self.picture()
        assert {b: side for b, side in standing.items() if b in before[0]} == before[0]
        assert flags == before[1]

    def counted(self, hand: Any) -> SweepReport:
        """A sweep, counted by what it did."""
        report: SweepReport = self.act(lambda s: s.sweep(rederive=hand))
        SEEN["cleared"] += len(report.cleared)
        SEEN["rederived"] += len(report.rederived)
        SEEN["looked"] += report.looked
        return report

    def premises(self) -> list[str]:
        """What conclusions that are believed rest on."""
        found = {
            p
            for e in self.live()
            if self.store.at().standing(e.entry_id).standing == "believed"
            for p in e.body.get("because", ())
        }
        return [b for b in self.beliefs if b in found]


TestSweeps = SweepMachine.TestCase
TestSweeps.settings = settings(
    settings(), max_examples=max(15, settings().max_examples // 6), stateful_step_count=10
)


def test_the_machine_was_not_idle() -> None:
    assert SEEN["looked"] > 3, SEEN
    assert SEEN["cleared"] + SEEN["rederived"] > 1, SEEN

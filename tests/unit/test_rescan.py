"""Looking again at what is held because a check did not run: the same gates decide, and nothing is lost."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from agm import attr, parse
from agm.directives import NotRun
from agm.errors import NotDecided
from agm.verdicts import Verdict
from agm_store import Policy, componentchecks, open_store, slotchecks
from tests.strategies.stores import TTL, Clock, Desk, day

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = attr("cache", "host")


@contextmanager
def no_check_runs() -> Iterator[None]:
    """Every check of a newcomer ends without an answer."""

    def failing(*_: object) -> None:
        raise NotDecided("the worker is away")

    real = slotchecks.check_slot, componentchecks.check_component
    slotchecks.check_slot = componentchecks.check_component = failing  # type: ignore[assignment]
    try:
        yield
    finally:
        slotchecks.check_slot, componentchecks.check_component = real


def untold(desk: Desk, claim: Any, **words: Any) -> str:
    """Tell something while no check runs."""
    with no_check_runs():
        return desk.tell(claim, **words)


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Any) -> Desk:
    return Desk(None if request.param == "memory" else tmp_path / "store.db")


def test_what_was_undecided_is_admitted_once_the_check_runs(desk: Desk) -> None:
    old = desk.tell(TTL == 300, since=0)
    new = untold(desk, TTL == 600, since=5)
    desk.clock.on(9)
    assert (desk.value(), desk.store.stats().waiting) == (300, 1)
    report = desk.store.rescan()
    (receipt,) = report.decided
    assert (receipt.belief, receipt.status) == (new, "active")
    assert [loss.belief.id for loss in receipt.retired] == [old]
    assert [b.id for b in receipt.retired[0].kernel] == [new]
    assert (desk.value(), report.waiting, desk.store.stats().waiting) == (600, 0, 0)
    assert desk.values([4, 5]) == [300, 600]
    desk.store.verify()


def test_a_machine_decided_and_no_person(desk: Desk) -> None:
    untold(desk, TTL == 600)
    (receipt,) = desk.store.rescan().decided
    entry = desk.store._context.journal.entry(receipt.entry)
    assert entry is not None
    assert (entry.body["op"], entry.body["by"], entry.body["option"]) == (
        "decide",
        "machine",
        "rescan",
    )
    assert any("by the machine" in notice for notice in receipt.notices)


def test_a_later_belief_still_overrides_what_is_admitted_late(desk: Desk) -> None:
    untold(desk, TTL == 300)
    desk.tell(TTL == 600, on=2)
    desk.clock.on(3)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.status, receipt.retired) == ("active", ())
    assert (desk.value(), desk.value(1)) == (600, 300)


@pytest.mark.parametrize("first", [TTL == 300, parse("ttl(cache) = 300 & warm")])
def test_of_two_told_at_one_time_the_later_still_wins(desk: Desk, first: Any) -> None:
    untold(desk, first)
    desk.tell(TTL == 600)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.status, desk.value()) == ("active", 600)


def test_what_fails_again_stays_held_and_is_tried_later_and_later(desk: Desk) -> None:
    new = untold(desk, TTL == 600)
    waits = []
    for _ in range(14):
        before = desk.clock.moment
        with no_check_runs():
            report = desk.store.rescan()
            (failed,) = report.failed
            assert (failed.belief, report.decided, report.waiting) == (new, (), 1)
            assert "the worker is away" in failed.error
            assert desk.store.rescan().looked == 0  # not due yet
        waits.append(failed.due - before)
        desk.clock.moment = failed.due
    minute = timedelta(minutes=1)
    assert waits[:3] == [minute, 2 * minute, 4 * minute]
    assert waits[-1] == timedelta(days=1)
    assert desk.store.rescan().decided[0].status == "active"
    desk.store.verify()


def test_a_look_that_failed_leaves_a_review_as_it_was_read(desk: Desk) -> None:
    untold(desk, TTL == 600)
    (review,) = desk.store.inbox()
    with no_check_runs():
        assert desk.store.rescan().failed
    assert desk.store.inbox() == (review,)
    assert desk.store.decide(review, "dismiss").status == "rejected"
    assert desk.store.rescan().looked == 0


def test_a_persons_reasons_are_never_looked_away(desk: Desk) -> None:
    desk.tell(TTL == 300, entrenchment="core")
    desk.tell(TTL == 600)
    desk.tell(HOST == "a", entrenchment="untrusted")
    untold(desk, HOST == "b", entrenchment="untrusted")
    entries = desk.store.stats().entries
    report = desk.store.rescan()
    assert (report.looked, report.waiting, desk.store.stats().entries) == (0, 0, entries)
    assert len(desk.store.inbox()) == 3


def test_a_gate_that_holds_it_after_all_leaves_it_to_a_person(desk: Desk) -> None:
    core = desk.tell(TTL == 300, entrenchment="core")
    new = untold(desk, TTL == 600)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.belief, receipt.status, desk.value()) == (new, "held", 300)
    (review,) = desk.store.inbox()
    assert any("core" in why for why in review.why)
    assert [b.id for b in review.certificate] == [core]
    assert review.machine is not None
    assert review.machine.kind == "contradiction"
    assert desk.store.rescan().looked == 0
    desk.store.verify()
    desk.clock.on(1)
    assert desk.store.decide(review, "approve").status == "active"


def test_what_the_constraints_forbid_by_now_waits_for_a_person(desk: Desk) -> None:
    untold(desk, TTL == 600)
    desk.store.constrain(TTL <= 100)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.status, desk.value()) == ("held", None)
    assert desk.store.rescan().looked == 0


def test_a_held_correction_is_carried_out_with_its_certificate(desk: Desk) -> None:
    old = desk.tell(TTL == 300, since=0)
    with no_check_runs():
        receipt = desk.store.correct(old, TTL == 600)
    assert receipt.status == "held"
    desk.clock.on(1)
    (receipt,) = desk.store.rescan().decided
    assert [loss.belief.id for loss in receipt.retired] == [old]
    assert (desk.value(0), desk.status(old)) == (600, "superseded")
    desk.store.verify()


def test_a_directive_whose_target_is_gone_waits_for_a_person(desk: Desk) -> None:
    old = desk.tell(TTL == 300, since=0)
    with no_check_runs():
        desk.store.correct(old, TTL == 600)
    desk.store.retract(old)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.status, desk.store.rescan().looked) == ("held", 0)
    assert any("directive" in why for why in desk.store.inbox()[0].why)


def test_what_somebody_undid_no_machine_decides_again(desk: Desk) -> None:
    untold(desk, TTL == 600)
    (receipt,) = desk.store.rescan().decided
    desk.store.revert(receipt.entry)
    assert (desk.value(), len(desk.store.inbox()), desk.store.stats().waiting) == (None, 1, 0)
    assert desk.store.rescan().looked == 0
    desk.store.verify()


def test_it_is_budgeted_and_goes_on_where_it_ended(desk: Desk) -> None:
    told = [untold(desk, attr(f"c{n}", "ttl") == n) for n in range(5)]
    seen: list[tuple[int, int, str]] = []
    found, after = [], None
    for _ in range(3):
        report = desk.store.rescan(budget=2, after=after, progress=lambda *a: seen.append(a))
        found += [r.belief for r in report.decided]
        after = report.next
    assert (found, after) == (told, None)
    assert [name for *_, name in seen] == told
    assert seen[0] == (1, 2, told[0])


def test_it_survives_export_rebuild_and_import(desk: Desk, tmp_path: Any) -> None:
    untold(desk, TTL == 600)
    untold(desk, HOST == "a")
    with no_check_runs():
        desk.store.rescan(budget=1)
    desk.store.rescan()
    desk.store.rebuild()
    desk.store.verify()
    desk.store.export_to(tmp_path / "all.jsonl")
    other = open_store(None, principal="anna", clock=desk.clock)
    other.import_from(tmp_path / "all.jsonl")
    other.verify()
    assert other.stats() == desk.store.stats()
    assert other.stats().waiting == 1


class Away:
    """Compares texts when it is there; two of different colours contradict each other."""

    def __init__(self, sure: float) -> None:
        self.there, self.sure = True, sure

    def compare(self, new: str, old: str) -> Verdict | NotRun:
        if not self.there:
            return NotRun(kind="timeout", detail="the worker is away")
        same = ("red" in new) == ("red" in old)
        return Verdict("paraphrase" if same else "contradiction", "words", confidence=self.sure)


@pytest.mark.parametrize(("sure", "status"), [(0.9, "active"), (0.5, "held"), (0.1, "held")])
def test_a_text_passes_the_tiers_once_it_can_be_compared(sure: float, status: str) -> None:
    clock, words = Clock(), Away(sure)
    store = open_store(None, principal="anna", clock=clock, entailment=words)
    old = store.tell(text="the car is red").belief
    clock.on(1)
    words.there = False
    assert store.tell(text="the car is blue").status == "held"
    assert (store.stats().waiting, store.held_against(old)) == (1, 1)
    assert len(store.rescan().failed) == 1
    clock.on(2)
    words.there = True
    (receipt,) = store.rescan().decided
    assert receipt.status == status
    lost = [old] if status == "active" else []
    assert [loss.belief.id for loss in receipt.retired] == lost
    assert store.why(old).status == ("superseded" if lost else "active")
    assert (store.stats().waiting, len(store.inbox())) == (0, 0 if lost else 1)
    store.verify()


def test_the_report_says_when_each_that_waits_is_due(desk: Desk) -> None:
    first = untold(desk, TTL == 600)
    desk.clock.on(1)
    second = untold(desk, HOST == "a")
    with no_check_runs():
        report = desk.store.rescan(budget=1)
    assert report.waiting == 2
    due = dict(report.due)
    assert due == {second: day(1), first: day(1) + timedelta(minutes=1)}
    assert [belief for belief, _ in report.due] == [second, first]
    desk.clock.on(2)
    assert desk.store.rescan().due == ()


def texts(desk: Desk, helper: Any, policy: Policy) -> None:
    desk.store._context.entailment, desk.store._context.policy = helper, policy


def test_what_a_rescan_retires_counts_against_its_source(desk: Desk) -> None:
    helper = Away(0.9)
    texts(desk, helper, Policy(source_retirements=1, source_window=timedelta(days=30)))
    for n in (0, 3, 6):
        helper.there = True
        desk.store.tell(text=f"red is car {n}", valid_from=day(n))
        desk.clock.on(n + 1)
        helper.there = False
        new = desk.store.tell(text=f"blue is car {n}", source="chat")
        helper.there = True
        desk.clock.on(n + 2)
        (receipt,) = desk.store.rescan().decided
        assert receipt.belief == new.belief
        assert receipt.status == ("active" if n == 0 else "held"), n
        if n:
            (review,) = [r for r in desk.store.inbox() if r.id == new.belief]
            assert any("over budget: 'chat'" in why for why in review.why)
        if n == 3:
            break
    desk.store.verify()


def test_a_revert_of_what_a_rescan_retired_gives_the_budget_back(desk: Desk) -> None:
    helper = Away(0.9)
    texts(desk, helper, Policy(source_retirements=1))
    desk.store.tell(text="red is the car")
    desk.clock.on(1)
    helper.there = False
    desk.store.tell(text="blue is the car", source="chat")
    helper.there = True
    (receipt,) = desk.store.rescan().decided
    assert receipt.status == "active"
    desk.store.revert(receipt.entry)
    desk.clock.on(2)
    again = desk.store.tell(text="blue was the boat", source="chat")
    assert again.status == "active", again.notices


@pytest.mark.parametrize("verb", ["correct", "update"])
def test_an_owners_own_verb_stays_one_when_it_is_looked_at_again(desk: Desk, verb: str) -> None:
    old = desk.tell(TTL == 300, since=0)
    desk.clock.on(1)
    with no_check_runs():
        receipt = getattr(desk.store, verb)(old, TTL == 600, entrenchment="observed")
    assert receipt.status == "held"
    desk.clock.on(2)
    (receipt,) = desk.store.rescan().decided
    assert (receipt.status, [loss.belief.id for loss in receipt.retired]) == ("active", [old])
    assert desk.value() == 600, "a weaker claim retires a stronger where its owner says so"
    desk.store.verify()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [TTL == 1, TTL == 2, HOST == "a", parse("ttl(cache) = 3 | hot"), ~parse("hot")]
        ),
        st.sampled_from(["asserted", "inferred", "core", "untrusted"]),
        st.booleans(),
        st.integers(0, 3),
    ),
    min_size=2,
    max_size=7,
)
SEEN: list[int] = []


def _played(desk: Desk, steps: Any) -> None:
    for number, (claim, rank, fails, since) in enumerate(steps):
        words = {"on": number, "entrenchment": rank} | ({"since": since} if since else {})
        if fails:
            untold(desk, claim, **words)
        else:
            desk.tell(claim, **words)


def _read(desk: Desk) -> Any:
    return [(v, desk.value(v), desk.value(v, HOST)) for v in (0, 1, 2, 3, 5, 9)]


def _looked_again(desk: Desk, steps: Any) -> Any:
    """Two looks, one while nothing runs; what is believed and recorded after each."""
    _played(desk, steps)
    desk.clock.on(20)
    before, waiting = _read(desk), desk.store.stats().waiting
    with no_check_runs():
        report = desk.store.rescan()
    assert (report.decided, len(report.failed)) == ((), waiting)
    assert _read(desk) == before
    desk.clock.on(21)
    report = desk.store.rescan()
    assert (report.looked, report.failed, report.waiting) == (waiting, (), 0)
    after = _read(desk), desk.store.stats()
    assert desk.store.rescan().looked == 0
    assert (_read(desk), desk.store.stats()) == after
    desk.store.verify()
    SEEN.append(waiting)
    event(f"waited: {min(waiting, 3)}")
    losses = [[(x.belief.id, [b.id for b in x.kernel]) for x in r.retired] for r in report.decided]
    return before, [(r.belief, r.status, r.checked) for r in report.decided], losses, after


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_no_look_that_fails_changes_what_is_believed_and_both_backends_agree(steps: Any) -> None:
    with TemporaryDirectory() as folder:
        on_file = Desk(f"{folder}/store.db")
        try:
            assert _looked_again(Desk(), steps) == _looked_again(on_file, steps)
        finally:
            on_file.store.close()


def test_the_draws_meant_something() -> None:
    assert sum(1 for count in SEEN if count) > len(SEEN) // 4

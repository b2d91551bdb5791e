"""The worker beside the store: it looks again by itself, ends at once, and its errors are readable."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr
from agm.directives import NotRun
from agm_store import Policy, open_store
from agm_store.errors import InvalidArgument, ReadOnlyStore, RescannerError
from agm_store.rescanner import Rescanner
from tests.strategies.stores import TTL, Clock, day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOUR = timedelta(hours=1)


class Away:
    """Compares texts once it is there, and finds that they contradict each other."""

    def __init__(self) -> None:
        self.there, self.asked = False, 0
        self.entered, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def compare(self, new: str, old: str, /) -> Any:
        self.asked += 1
        self.entered.set()
        self.go_on.wait(20)
        if not self.there:
            return NotRun(kind="timeout", detail="away")
        return Verdict("contradiction", "x", confidence=0.9)


class Waits:
    """Stands in for waiting: notes for how long, sets the clock on, and does what comes next; then stops."""

    def __init__(self, clock: Clock, *steps: Callable[[], object]) -> None:
        self.clock, self.steps, self.waited = clock, list(steps), []  # type: ignore[var-annotated]
        self.done = threading.Event()

    def __call__(self, seconds: float) -> bool:
        self.waited.append(seconds)
        if not self.steps:
            self.done.set()
            return True
        self.clock.moment += timedelta(seconds=seconds)
        self.steps.pop(0)()
        return False


@pytest.fixture
def held(tmp_path: Any) -> Iterator[tuple[Any, Clock, Away]]:
    """A store in a file in which one text waits for what compares it."""
    clock, helper = Clock(), Away()
    store = open_store(
        tmp_path / "a.db",
        principal="anna",
        clock=clock,
        entailment=helper,
        policy=Policy(review_days=30),
    )
    helper.there = True
    store.tell(text="the car is red")
    clock.on(1)
    helper.there = False
    assert store.tell(text="the car is blue", source="chat").status == "held"
    yield store, clock, helper
    helper.go_on.set()
    store.close()


def nothing() -> None:
    """Nothing comes next."""


def test_it_looks_again_when_the_next_is_due_and_decides_once_it_can(held: Any) -> None:
    store, clock, helper = held
    waits = Waits(clock, nothing, nothing, lambda: setattr(helper, "there", True), nothing)
    with store.rescanning(every=HOUR, wait=waits) as worker:
        assert waits.done.wait(20)
    assert waits.waited == [60, 120, 240, 3600, 3600], "the backoff, then as often as asked for"
    assert (worker.rounds, worker.errors, worker.error) == (5, 0, None)
    assert not worker.running
    assert [s.text for s in store.at().believed] == ["the car is blue"]
    assert store.stats().waiting == 0
    store.verify()


def test_what_goes_wrong_is_readable_and_the_next_round_goes_on(
    held: Any, monkeypatch: Any
) -> None:
    store, clock, helper = held
    from agm_store import rescanning

    real = rescanning.rescan

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(rescanning, "rescan", broken)
    helper.there = True
    waits = Waits(clock, lambda: monkeypatch.setattr(rescanning, "rescan", real))
    with store.rescanning(every=HOUR, wait=waits) as worker:
        assert waits.done.wait(20)
    assert str(worker.error) == "the disk is full"
    assert (worker.errors, worker.rounds, worker.failing) == (1, 1, False)
    assert [s.text for s in store.at().believed] == ["the car is blue"]


def test_a_wait_that_raises_costs_a_round_and_is_readable(tmp_path: Any) -> None:
    waited: list[float] = []
    done = threading.Event()

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        if len(waited) == 1:
            raise RuntimeError("the clock stood still")
        done.set()
        return True

    with open_store(tmp_path / "a.db", principal="anna") as store:
        with store.rescanning(every=timedelta(milliseconds=20), wait=wait) as worker:
            assert done.wait(20)
        assert worker.errors == 1
        assert str(worker.error) == "the clock stood still"
        assert worker.rounds >= 2


def test_it_stops_at_once_while_it_waits(held: Any) -> None:
    store, _, helper = held
    worker = store.rescanning(every=timedelta(days=300))
    with worker:
        assert helper.entered.wait(20)
    assert not worker.running
    assert not any(t.name == "agm-rescanner" for t in threading.enumerate())
    with pytest.raises(RescannerError, match="make another"):
        worker.start()
    worker.stop()


def test_a_check_that_goes_on_is_told_of_and_ends_the_worker_later(held: Any) -> None:
    store, _, helper = held
    helper.entered.clear()
    helper.go_on.clear()
    worker = store.rescanning(every=HOUR)
    worker.start()
    assert helper.entered.wait(20)
    with pytest.raises(RescannerError, match="still running"):
        worker.stop(timeout=0.05)
    store.tell(TTL == 3)  # nobody waits for the helper
    helper.go_on.set()
    worker.stop()
    assert not worker.running


def test_it_stops_between_two_beliefs(tmp_path: Any) -> None:
    clock, helper = Clock(), Away()
    with open_store(tmp_path / "a.db", principal="anna", clock=clock, entailment=helper) as store:
        for n in range(6):
            store.tell(text=f"the car {n} is red")
        clock.on(1)
        waiting = store.stats().waiting
        assert waiting > 3
        helper.entered.clear()
        helper.go_on.clear()
        helper.there = True
        worker = store.rescanning(every=HOUR)
        worker.start()
        assert helper.entered.wait(20)
        ended = threading.Thread(target=worker.stop)
        ended.start()
        while not worker._stop.is_set():
            pass
        helper.go_on.set()
        ended.join(20)
        assert not worker.running
        assert store.stats().waiting > 0
        assert (worker.rounds, worker.errors) == (0, 0)
        store.verify()


def test_reviews_expire_by_the_policy_and_what_waits_for_a_check_does_not(held: Any) -> None:
    store, clock, _ = held
    store.tell(attr("cache", "host") == "x", entrenchment="untrusted", source="blog")
    assert (store.stats().reviews, store.stats().reviews_by_age) == (2, {"under a day": 2})
    clock.on(40)
    found = store.stats()
    assert (found.reviews_by_age, found.reviews_by_source) == (
        {"longer": 2},
        {"blog": 1, "chat": 1},
    )
    waits = Waits(clock)
    with store.rescanning(every=HOUR, wait=waits) as worker:
        assert waits.done.wait(20)
    assert [r.status for r in worker.report.expired] == ["rejected"]
    found = store.stats()
    assert (found.expired_reviews, found.expired_by_source) == (1, {"blog": 1})
    assert (found.reviews, found.waiting) == (1, 1)
    store.revert(worker.report.expired[0].entry)
    assert store.stats().expired_reviews == 0
    assert store.rescan().expired == (), "it waits anew"
    store.verify()


def test_a_doubt_expires_as_well(tmp_path: Any) -> None:
    clock = Clock()
    with open_store(
        tmp_path / "a.db", principal="anna", clock=clock, policy=Policy(review_days=3)
    ) as store:
        for value in (1, 2):
            store.tell(value == TTL, valid_from=day(-1), source="chat")
        store.consolidate()
        clock.on(4)
        (receipt,) = store.rescan().expired
        assert store.inbox() == ()
        assert (store.stats().expired_by_source, store.stats().beliefs) == (
            {"chat": 1},
            {"active": 2},
        )
        store.revert(receipt.entry)
        assert len(store.inbox()) == 1
        store.verify()


def test_without_days_in_the_policy_nothing_expires(tmp_path: Any) -> None:
    clock = Clock()
    with open_store(tmp_path / "a.db", principal="anna", clock=clock) as store:
        store.tell(TTL == 1, entrenchment="untrusted")
        clock.on(4000)
        assert store.rescan().expired == ()
        assert len(store.inbox()) == 1


def test_a_store_in_memory_or_to_read_only_has_no_worker(tmp_path: Any) -> None:
    with open_store(None, principal="anna") as store, pytest.raises(RescannerError, match="memory"):
        store.rescanning(every=HOUR)
    open_store(tmp_path / "a.db", principal="anna").close()
    with open_store(tmp_path / "a.db", principal="anna", read_only=True) as store:
        with pytest.raises(RescannerError, match="read only"):
            store.rescanning(every=HOUR)
        with pytest.raises(ReadOnlyStore):
            store.tell(TTL == 1)


@pytest.mark.parametrize("every", [timedelta(0), timedelta(-1), timedelta(days=400), 3, None])
def test_a_wait_that_is_none_is_refused(tmp_path: Any, every: Any) -> None:
    with open_store(tmp_path / "a.db", principal="anna") as store, pytest.raises(InvalidArgument):
        Rescanner(store, every=every)


@pytest.mark.parametrize("days", [0, -1, 1.5, True, "3", 10**9])
def test_days_that_are_none_are_refused(days: Any) -> None:
    with pytest.raises(InvalidArgument, match="review_days"):
        Policy(review_days=days)


SEEN = {"both": 0, "decided": 0}


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(["red", "blue", "green"]), min_size=2, max_size=4))
def test_beside_writes_of_its_owner_it_comes_to_what_a_rescan_comes_to(
    tmp_path_factory: Any, colours: list[str]
) -> None:
    found = []
    for beside in (False, True):
        clock, helper = Clock(), Away()
        path = tmp_path_factory.mktemp("store") / "a.db"
        store = open_store(path, principal="anna", clock=clock, entailment=helper)
        held = 0
        for n, colour in enumerate(colours):
            clock.on(n)
            held += store.tell(text=f"the car is {colour}").status == "held"
        clock.on(9)
        helper.there = True
        if beside:
            waits = Waits(clock)
            with store.rescanning(every=HOUR, wait=waits) as worker:
                for n in range(3):
                    store.tell(attr(f"c{n}", "ttl") == n)
                assert waits.done.wait(20)
            SEEN["both"] += 1
            SEEN["decided"] += bool(worker.report.decided)
            assert worker.error is None
        else:
            store.rescan()
            for n in range(3):
                store.tell(attr(f"c{n}", "ttl") == n)
        store.verify()
        found.append((held, {(s.text, s.value) for s in store.at().believed}))
        store.close()
    assert found[0] == found[1]


def test_the_draws_meant_something() -> None:
    assert SEEN["decided"] > SEEN["both"] // 2 > 2

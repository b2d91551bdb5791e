"""A circuit that is half open lets one call through, whatever ends it and whoever else comes to an end meanwhile."""

from __future__ import annotations

import asyncio
import gc
import threading
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from agm.directives import NotRun
from agm.llm import AnthropicExtractor, Breaker
from agm.llm.kinds import LOCAL, SERVICE
from tests.strategies.asked import NONE, extractor, facts, opened
from tests.strategies.loopback import Loopback, fails, hangs, late, says

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.directives import Extraction

REST = 10.0


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def waiting(clock: Clock) -> Breaker:
    """A breaker that is open until the clock has gone on."""
    breaker = opened(1, rest=REST, clock=clock)
    assert not breaker.admit()
    return breaker


# What ends a call


@pytest.mark.parametrize("kind", sorted(LOCAL))
def test_an_error_of_our_own_says_nothing_of_the_service(kind: str) -> None:
    clock = Clock()
    breaker = Breaker(failures=2, rest=REST, clock=clock)
    for outcome in ("overloaded", kind, "overloaded"):
        breaker.admit().record(outcome)
    assert not breaker.admit(), "two failures in a row, whatever failed here between them"
    clock.now = 11.0
    breaker.admit().record(kind)
    probe = breaker.admit()
    assert probe
    assert not breaker.admit(), "still half open"
    probe.record("end_turn")
    assert breaker.admit()


def test_a_client_that_cannot_be_made_closes_no_circuit() -> None:
    breaker = opened(1, rest=0.0)

    def broken() -> Any:
        raise RuntimeError("no client")

    reader = AnthropicExtractor(model="m", client=broken, breaker=breaker)
    assert kind(reader.extract("x", shown=NONE)) == "failed"
    assert "open" in repr(breaker)


def test_an_older_call_that_is_given_up_does_not_free_the_place_of_the_probe() -> None:
    clock = Clock()
    breaker = Breaker(failures=1, rest=REST, clock=clock)
    older, other = breaker.admit(), breaker.admit()
    other.record("overloaded")
    clock.now = 11.0
    probe = breaker.admit()
    assert probe
    older.release()
    assert not breaker.admit(), "the probe is still on its way"
    probe.record("end_turn")
    assert breaker.admit()


@pytest.mark.parametrize("outcome", ["end_turn", "timeout"])
def test_an_older_call_that_ends_says_nothing_of_the_service_as_it_is_now(outcome: str) -> None:
    clock = Clock()
    breaker = Breaker(failures=1, rest=REST, clock=clock)
    older, other = breaker.admit(), breaker.admit()
    other.record("overloaded")
    clock.now = 9.0
    older.record(outcome)
    clock.now = 10.0
    probe = breaker.admit()
    assert probe, "the circuit rests from its own failure on"
    assert not breaker.admit()


def test_a_call_has_one_end() -> None:
    clock = Clock()
    breaker = waiting(clock)
    clock.now = 11.0
    with breaker.admit() as first:
        first.record("overloaded")
    clock.now = 22.0
    second = breaker.admit()
    assert second
    first.release()
    first.record("end_turn")
    assert not breaker.admit()


class Stopped(BaseException):
    """As a program that is told to end."""


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, asyncio.CancelledError, Stopped])
def test_a_probe_that_ends_in_an_error_frees_its_place(error: type[BaseException]) -> None:
    clock = Clock()
    breaker = waiting(clock)
    clock.now = 11.0
    with pytest.raises(error), breaker.admit():
        raise error
    probe = breaker.admit()
    assert probe
    assert not breaker.admit()


def test_a_probe_that_nobody_holds_any_more_has_ended() -> None:
    clock = Clock()
    breaker = waiting(clock)
    clock.now = 11.0
    kept = [breaker.admit()]
    assert kept[0]
    assert not breaker.admit()
    kept.clear()
    gc.collect()
    assert breaker.admit()


class Circuits(RuleBasedStateMachine):
    """Calls begin and end in any order: the circuit is as the calls of its own time left it."""

    calls = Bundle("calls")
    seen: ClassVar = {"probes": 0, "stale": 0}

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.breaker = Breaker(failures=2, rest=REST, clock=self.clock)
        self.state, self.row, self.since, self.time = "closed", 0, 0.0, 0
        self.probe: Any = None

    @rule(target=calls)
    def begins(self) -> Any:
        call = self.breaker.admit()
        if self.state == "closed":
            assert call
        elif self.probe is None and self.clock.now - self.since >= REST:
            assert call
            self.probe = call
            self.seen["probes"] += 1
        else:
            assert not call
        return call, self.time

    @rule(
        call=consumes(calls),
        outcome=st.sampled_from([*sorted(SERVICE), "end_turn", "refused", "failed", ""]),
    )
    def ends(self, call: Any, outcome: str) -> None:
        made, time = call
        admitted = bool(made)
        if outcome:
            made.record(outcome)
        else:
            made.release()
        if not admitted:
            return
        if made is self.probe:
            self.probe = None
        elif time != self.time:
            self.seen["stale"] += 1
            return
        if not outcome or outcome in LOCAL:
            return
        if outcome not in SERVICE:
            self.row = 0
            self.time += self.state == "open"
            self.state = "closed"
            return
        self.row += 1
        if self.state == "open" or self.row >= 2:
            self.state, self.since = "open", self.clock.now
            self.time += 1

    @rule(seconds=st.sampled_from([1.0, REST]))
    def waits(self, seconds: float) -> None:
        self.clock.now += seconds

    @invariant()
    def shows_what_it_is(self) -> None:
        assert self.state in repr(self.breaker)


Circuits.TestCase.settings = settings(max_examples=150, stateful_step_count=30)
test_circuits = Circuits.TestCase


def test_the_machine_met_probes_and_late_ends() -> None:
    assert min(Circuits.seen.values()) >= 20 or not any(Circuits.seen.values())


# Adapters that share one


def kind(found: Extraction | NotRun) -> str:
    return found.kind if isinstance(found, NotRun) else "ok"


def test_a_cancelled_call_of_before_lets_no_second_probe_through() -> None:
    """A call began while all was well, hung, and is cancelled while a probe of another adapter waits."""
    clock = Clock()
    breaker = Breaker(failures=1, rest=REST, clock=clock)
    with Loopback([hangs, fails(529), late(0.3, says(facts()))]) as server:
        first, second = (extractor(server.url, breaker=breaker) for _ in range(2))

        async def arrived(many: int) -> None:
            while len(server.requests) < many:  # noqa: ASYNC110  (the server is a thread)
                await asyncio.sleep(0.01)

        async def ask() -> list[str]:
            older = asyncio.create_task(first.extract_async("x", shown=NONE))
            await arrived(1)
            assert kind(await second.extract_async("x", shown=NONE)) == "overloaded"
            clock.now = 11.0
            probe = asyncio.create_task(second.extract_async("x", shown=NONE))
            await arrived(3)
            older.cancel()
            await asyncio.gather(older, return_exceptions=True)
            more = await asyncio.gather(
                *(one.extract_async("x", shown=NONE) for one in (first, second))
            )
            return [kind(one) for one in [*more, await probe]]

        assert asyncio.run(ask()) == ["circuit_open", "circuit_open", "ok"]
        assert len(server.requests) == 3


def test_a_cancelled_probe_frees_its_place_for_one_other() -> None:
    clock = Clock()
    breaker = waiting(clock)
    clock.now = 11.0
    with Loopback([hangs, late(0.2, says(facts()))]) as server:
        reader = extractor(server.url, breaker=breaker)

        async def ask() -> list[str]:
            probe = asyncio.create_task(reader.extract_async("x", shown=NONE))
            while not server.requests:  # noqa: ASYNC110  (the server is a thread)
                await asyncio.sleep(0.01)
            probe.cancel()
            await asyncio.gather(probe, return_exceptions=True)
            found = await asyncio.gather(*(reader.extract_async("x", shown=NONE) for _ in range(4)))
            return sorted(kind(one) for one in found)

        assert asyncio.run(ask()) == ["circuit_open"] * 3 + ["ok"]


class Probes:
    """A function that makes clients, and how many of them were at work at once at most."""

    def __init__(self, ends: Callable[[], object]) -> None:
        self._ends, self._lock = ends, threading.Lock()
        self._now = count()
        self.most = self.made = self._at_work = 0

    def __call__(self) -> Any:
        with self._lock:
            self.made += 1
            self._at_work += 1
            self.most = max(self.most, self._at_work)
        try:
            threading.Event().wait(0.02)
            return self._ends()
        finally:
            with self._lock:
                self._at_work -= 1


def _raises(error: type[BaseException]) -> Callable[[], object]:
    def ends() -> object:
        raise error

    return ends


@pytest.mark.parametrize("error", [ValueError, TimeoutError, SystemExit, asyncio.CancelledError])
def test_threads_that_share_a_breaker_probe_one_at_a_time(error: type[BaseException]) -> None:
    clock = Clock()
    breaker = waiting(clock)
    clock.now = 11.0
    made = Probes(_raises(error))
    readers = [
        AnthropicExtractor(model="m", client=made, deadline=2.0, breaker=breaker) for _ in range(8)
    ]
    gate = threading.Barrier(8)
    ended: list[str] = []

    def ask(reader: AnthropicExtractor) -> None:
        gate.wait()
        ended.append(kind(reader.extract("x", shown=NONE)))

    threads = [threading.Thread(target=ask, args=(reader,)) for reader in readers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 8
    assert ended.count("circuit_open") == 8 - made.made
    assert made.most == 1
    assert made.made >= 1


def test_a_client_that_leaves_the_thread_ends_the_call_at_once(capfd: Any) -> None:
    """Neither the caller nor the deadline waits for an answer that nobody can give any more."""
    for error in (SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError):
        reader = AnthropicExtractor(model="m", client=_raises(error), deadline=20.0)
        found = reader.extract("x", shown=NONE)
        assert isinstance(found, NotRun)
        assert found.kind == "failed"
        assert reader.calls[-1].micros < 5_000_000
    assert capfd.readouterr() == ("", "")

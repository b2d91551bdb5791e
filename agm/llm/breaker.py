"""A circuit breaker: after a row of failures of the service, calls end at once for a while.

*Closed*: calls go through. *Open*: none does. After `rest` seconds it is *half open*: one call goes
through as a probe, and its end closes the circuit or opens it for another `rest`. As in M. Nygard,
Release It! (2007). `Breaker` is the circuit, `Admission` the place of one call in it.
"""

from __future__ import annotations

import threading
import time
import weakref
from typing import TYPE_CHECKING

from agm.llm.errors import InvalidSetting, is_number
from agm.llm.kinds import LOCAL, SERVICE

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_LONGEST = 1e9


class Admission:
    """One call's place in a circuit; false where the call may not go.

    It ends once, by `record`, by `release`, or at the end of a `with` block, whatever leads there.
    A place that nobody holds any more has ended as well.
    """

    __slots__ = ("__weakref__", "_breaker", "_period")

    def __init__(self, breaker: Breaker | None, period: int) -> None:
        self._breaker = breaker
        self._period = period

    def __bool__(self) -> bool:
        """Whether the call may go; it may no more once it has ended."""
        return self._breaker is not None

    def __enter__(self) -> Admission:
        """The place itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Give the place up, if the call has not ended yet."""
        self.release()

    def record(self, outcome: str) -> None:
        """Note how the call ended: a kind of `NotRun`, or any other word for an answer.

        One that came to an end here, of a kind in `LOCAL`, is as good as given up.
        """
        self._end(None if outcome in LOCAL else outcome)

    def release(self) -> None:
        """Note that the call was given up by its caller, which says nothing of the service."""
        self._end(None)

    def _end(self, outcome: str | None) -> None:
        breaker, self._breaker = self._breaker, None
        if breaker is not None:
            breaker._ended(self, self._period, outcome)  # noqa: SLF001  (the two are one idea)


class Breaker:
    """Opens after `failures` in a row of the kinds in `SERVICE`; may be shared by adapters and threads.

    `rest` is in seconds of `clock`, a function that never goes backwards. Settings are fixed when it
    is made. What a call that began before the circuit opened ends in changes nothing any more: only
    the probe speaks for the service as it is now. Raises `InvalidSetting` on settings that mean nothing.

    >>> now = [0.0]
    >>> breaker = Breaker(failures=2, rest=30.0, clock=lambda: now[0])
    >>> for _ in range(2):
    ...     with breaker.admit() as call:
    ...         call.record("overloaded")
    >>> bool(breaker.admit())
    False
    >>> now[0] = 31.0
    >>> probe = breaker.admit()
    >>> bool(probe), bool(breaker.admit())
    (True, False)
    """

    __slots__ = ("_clock", "_failures", "_lock", "_opened", "_period", "_probe", "_rest", "_row")

    def __init__(
        self,
        *,
        failures: int = 5,
        rest: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if type(failures) is not int or failures < 1:
            raise InvalidSetting("failures", failures, "a whole number of failures, 1 or more")
        if not is_number(rest) or not 0 <= rest < _LONGEST:
            raise InvalidSetting("rest", rest, "seconds, 0 or more")
        self._failures = failures
        self._rest = rest
        self._clock = clock
        self._lock = threading.Lock()
        self._row = 0
        self._opened: float | None = None
        self._period = 0
        self._probe: weakref.ref[Admission] | None = None

    @property
    def failures(self) -> int:
        """How many failures in a row open the circuit."""
        return self._failures

    @property
    def rest(self) -> float:
        """How long it stays open, in seconds."""
        return self._rest

    def admit(self) -> Admission:
        """The place of a call that is about to go; false where it may not."""
        with self._lock:
            if self._opened is None:
                return Admission(self, self._period)
            if self._probing or self._clock() - self._opened < self._rest:
                return Admission(None, self._period)
            probe = Admission(self, self._period)
            self._probe = weakref.ref(probe)
            return probe

    @property
    def _probing(self) -> bool:
        return self._probe is not None and self._probe() is not None

    def _ended(self, call: Admission, period: int, outcome: str | None) -> None:
        """Take in the end of a call; `outcome` is None where it was given up."""
        with self._lock:
            if self._probe is not None and self._probe() is call:
                self._probe = None
            elif period != self._period:
                return  # the circuit has opened or closed since
            if outcome is None:
                return
            if outcome not in SERVICE:
                self._turn(None, row=0)
            elif self._opened is not None or self._row + 1 >= self._failures:
                self._turn(self._clock(), row=self._row + 1)
            else:
                self._row += 1

    def _turn(self, opened: float | None, *, row: int) -> None:
        """Close the circuit, or open it at a time; what began before is of another period then."""
        self._row = row
        if opened is not None or self._opened is not None:
            self._period += 1
        self._opened = opened

    def __repr__(self) -> str:
        state = "closed" if self._opened is None else "open"
        return f"<Breaker {state}, {self._row} of {self._failures} failures in a row>"

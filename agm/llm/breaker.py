"""A circuit breaker: after a row of failures of the service, calls end at once for a while.

*Closed*: calls go through. *Open*: none does. After `rest` seconds it is *half open*: one call goes
through as a probe, and its end closes the circuit or opens it for another `rest`. As in M. Nygard,
Release It! (2007).
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from agm.llm.errors import InvalidSetting, is_number
from agm.llm.kinds import SERVICE

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST = 1e9


class Breaker:
    """Opens after `failures` in a row of the kinds in `SERVICE`; may be shared by adapters and threads.

    `rest` is in seconds of `clock`, a function that never goes backwards. Settings are fixed when it
    is made. Raises `InvalidSetting` on settings that mean nothing.

    >>> now = [0.0]
    >>> breaker = Breaker(failures=2, rest=30.0, clock=lambda: now[0])
    >>> for _ in range(2):
    ...     assert breaker.admits()
    ...     breaker.record("overloaded")
    >>> breaker.admits()
    False
    >>> now[0] = 31.0
    >>> breaker.admits(), breaker.admits()
    (True, False)
    """

    __slots__ = ("_clock", "_failures", "_lock", "_opened", "_probing", "_rest", "_row")

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
        self._probing = False

    @property
    def failures(self) -> int:
        """How many failures in a row open the circuit."""
        return self._failures

    @property
    def rest(self) -> float:
        """How long it stays open, in seconds."""
        return self._rest

    def admits(self) -> bool:
        """Whether a call may go; each True is followed by one `record` or `release`."""
        with self._lock:
            if self._opened is None:
                return True
            if self._probing or self._clock() - self._opened < self._rest:
                return False
            self._probing = True
            return True

    def record(self, outcome: str) -> None:
        """Note how a call ended: a kind of `NotRun`, or any other word for an answer."""
        with self._lock:
            self._probing = False
            if outcome not in SERVICE:
                self._row = 0
                self._opened = None
                return
            self._row += 1
            if self._opened is not None or self._row >= self._failures:
                self._opened = self._clock()

    def release(self) -> None:
        """Note that a call was given up by its caller, which says nothing of the service."""
        with self._lock:
            self._probing = False

    def __repr__(self) -> str:
        state = "closed" if self._opened is None else "open"
        return f"<Breaker {state}, {self._row} of {self._failures} failures in a row>"

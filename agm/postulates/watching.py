"""A watch over calls of an operator under test: one that does not come to an end is broken off.

An incision that goes on cutting after its first cut would hold up the whole check. The clock here
decides nothing but that; what a call answers never depends on it. `Watch` looks at calls of this
very process, where there is no other way: a call that sleeps or loops inside a compiled function
is broken off only where `apart` can be used.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

P = ParamSpec("P")
R = TypeVar("R")


class DidNotEnd(BaseException):
    """A call that was broken off; no `Exception`, so that an operator's own `except` lets it by."""


class Vigil:
    """Tells when one call was found running so many times in a row, at equal distances."""

    looks = 10

    def __init__(self) -> None:
        self._seen = 0
        self._times = 0

    def is_over(self, running: int) -> bool:
        """Whether the call of this number, 0 for none, has now been seen often enough."""
        self._times = self._times + 1 if running and running == self._seen else 0
        self._seen = running
        return self._times >= self.looks


class Watch:
    """Breaks off calls of this thread that take longer than `patience` seconds.

    Used as a context manager; `guarded(function)` is the function under watch.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._started = 0
        self._ended = 0
        self._broken = 0
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        """Start looking."""
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Stop looking."""
        self._over.set()
        self._watcher.join()

    def guarded(self, function: Callable[P, R]) -> Callable[P, R]:
        """The function, which raises DidNotEnd when it is broken off, and so does a function it makes."""

        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            self._started += 1
            number = self._started
            try:
                result = function(*args, **kwargs)
                # What makes an operator (for an order, say) has it watched as well.
                return cast("R", self.guarded(result)) if callable(result) else result
            finally:
                with self._lock:
                    self._ended = number
                arrived = isinstance(sys.exc_info()[1], DidNotEnd)
                while self._broken == number and not arrived:
                    pass  # the exception is on its way to this thread, and must arrive in here

        return call

    def _look(self) -> None:
        """Look several times within the patience, and break off a call that was there each time."""
        vigil = Vigil()
        while not self._over.wait(self.patience / vigil.looks):
            with self._lock:
                running = self._started if self._started != self._ended else 0
                if vigil.is_over(running) and self._broken != running:
                    self._broken = running
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(DidNotEnd)
                    )

"""Asking an operator in a process of its own, which can be ended whatever it is doing.

A call that sleeps, or loops inside a compiled function, hears no exception. So the cases are put to
the operator in a forked copy of this process, which has the operator as it is, closures and all; this
process looks on, and ends the copy when one call goes on for too long. The clock decides nothing
else: what a call answers never depends on it.
"""

# ruff: noqa: ANN401  (what is drawn differs from family to family)
from __future__ import annotations

import contextlib
import multiprocessing
import signal
import warnings
from typing import TYPE_CHECKING, Any

from agm.errors import AgmError
from agm.postulates.asking import ENDED, Answers, Asking, Raised, is_wanted
from agm.postulates.watching import Vigil

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from ctypes import Array, c_ulonglong
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

    from agm.postulates.asking import Operator, Outcome, Wanted
    from agm.postulates.families import Family
    from agm.postulates.postulate import Postulate


STANDSTILL = 120.0
"""Seconds after which a process that calls nothing is ended: what is done between calls is short."""


def can_fork() -> bool:
    """Whether this process can be copied: not on every system, and no daemon may have children."""
    methods = multiprocessing.get_all_start_methods()
    return "fork" in methods and not multiprocessing.current_process().daemon


class Apart:
    """The same as `Asking`, in another process; a call may take `patience` seconds."""

    def __init__(
        self,
        operator: Operator,
        family: Family,
        postulates: Sequence[Postulate[Any]],
        *,
        patience: float,
    ) -> None:
        self._fork = multiprocessing.get_context("fork")
        self._calls: Array[c_ulonglong] = self._fork.RawArray("Q", 2)
        self._asking = Asking(operator, family, postulates, watched=self._counted)
        self._patience = patience
        self._process: ForkProcess | None = None
        self._line: Connection | None = None

    def ask(self, cases: Iterable[Any], places: Sequence[int], *, until: Wanted = None) -> Answers:
        """What the postulates at these places say of drawn cases, up to the first that is wanted.

        Raises as `Asking.ask`.
        """
        line = self._line or self._start()
        line.send((list(cases), places, until))
        found: list[list[Outcome]] = []
        while self._hears(line):
            try:
                answer = line.recv()
            except EOFError:
                return Answers([*found, [self._ended()] * len(places)], False)
            if answer is None:
                return Answers(found, False)
            if isinstance(answer, AgmError):
                raise answer
            found.append(answer)
        self.close()
        return Answers(found, True)

    def close(self) -> None:
        """End the other process, whatever it is doing."""
        process, line = self._process, self._line
        self._process = self._line = None
        if process is not None and line is not None:
            line.close()
            process.kill()
            process.join()
            process.close()

    def _start(self) -> Connection:
        line, other = self._fork.Pipe()
        self._calls[0] = self._calls[1] = 0
        self._process = self._fork.Process(target=self._serve, args=(line, other))
        with warnings.catch_warnings():
            # Threads that go on here are of no concern there: only the operator is called.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        other.close()
        self._line = line
        return line

    def _ended(self) -> Raised:
        """What is said of an operator that ended its process."""
        process = self._process
        assert process is not None
        process.join()
        code = process.exitcode
        self.close()
        return Raised(ENDED, f"the process of the operator ended with status {code}")

    def _running(self) -> int:
        started, ended = self._calls
        return started if started != ended else 0

    def _counted(self, operator: Operator) -> Operator:
        """The operator, with its calls counted where the other process sees it."""

        def call(*args: Any, **kwargs: Any) -> Any:
            self._calls[0] += 1
            try:
                answer = operator(*args, **kwargs)
            finally:
                self._calls[1] = self._calls[0]
            return self._counted(answer) if callable(answer) else answer

        return call

    def _hears(self, line: Connection) -> bool:
        """Wait for the other process; False when a call of the operator goes on for too long."""
        vigil, waited = Vigil(), 0.0
        while not line.poll(self._patience / vigil.looks):
            running = self._running()
            if vigil.is_over(running):
                return False
            waited = 0.0 if running else waited + self._patience / vigil.looks
            if waited > STANDSTILL and self._process is not None:
                self._process.kill()  # it copied a lock that nobody there will give back
        return True

    def _serve(self, line: Connection, other: Connection) -> None:
        """Answer until the other side hangs up: case by case, then None."""
        line.close()
        signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # the process that asks hears it, and ends this one
        with contextlib.suppress(EOFError, BrokenPipeError):
            while True:
                cases, places, until = other.recv()
                try:
                    for drawn in cases:
                        outcomes = self._asking.outcomes(drawn, places)
                        other.send(outcomes)
                        if is_wanted(outcomes, until):
                            break
                except AgmError as fault:  # to be raised on the other side
                    other.send(fault)
                else:
                    other.send(None)

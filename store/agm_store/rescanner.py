"""A worker that looks again, beside its owner's thread, at what is held because a check did not run.

Each round is `BeliefStore.rescan`, by a connection of the worker's own, so that nothing of a store's own
transactions is shared.  Between rounds it waits, until the next belief is due where that is sooner.  Nothing
that goes wrong in it ends it or is lost: `Rescanner.error` is the last error, `Rescanner.report` the last
report.
"""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

from agm_store.borders import checked
from agm_store.entries import micros
from agm_store.errors import InvalidArgument, RescannerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta
    from types import TracebackType

    from agm_store.beliefs import BeliefStore
    from agm_store.context import Context
    from agm_store.governing import Governing
    from agm_store.reports import RescanReport

    Wait = Callable[[float], bool]
    """Waits at most so many seconds; whether the worker shall stop."""

MAX_SECONDS = 366 * 24 * 60 * 60
STOP_SECONDS = 60.0
"""How long `Rescanner.stop` waits for a check that is running; a helper has 30 seconds for each question."""


class _Stopped(Exception):
    """The worker shall stop, between two beliefs."""


class Rescanner:
    """Rescans a store in a thread of its own while it is entered, or from `start` to `stop`.

    ``every`` is the longest time between two rounds, ``budget`` what one round looks at. ``wait`` stands in for
    waiting: a function of seconds that says whether to stop, by default one that ends at once at `stop`.

    Raises:
        InvalidArgument: an argument does not fit.
        RescannerError: the store is in memory, which no second connection reaches, or opened to read only.
    """

    def __init__(
        self,
        store: Governing,
        *,
        every: timedelta,
        budget: int | None = None,
        wait: Wait | None = None,
    ) -> None:
        checked(budget=budget, wait=wait)
        if not _is_span(every) or not 0 < every.total_seconds() <= MAX_SECONDS:
            raise InvalidArgument("every", every, "a timedelta above zero, at most a year")
        self._opened = _opening(store._context)  # noqa: SLF001  another hand of the same principal
        self._every, self._budget = every.total_seconds(), budget
        self._stop = Event()
        self._wait = self._stop.wait if wait is None else wait
        self._thread: Thread | None = None
        self.rounds = 0
        """How many rounds came to their end."""
        self.report: RescanReport | None = None
        """What came of the last of them."""
        self.error: Exception | None = None
        """What went wrong last, in whichever round; None when nothing did."""
        self.errors = 0
        """How many rounds something went wrong in."""
        self.failing = False
        """Whether something went wrong in the latest round."""

    def __enter__(self) -> Rescanner:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether the thread is there."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin; one that runs already goes on.

        Raises:
            RescannerError: it was stopped, and another is to be made.
        """
        if self._stop.is_set():
            raise RescannerError("start a worker that was stopped", "make another")
        if self._thread is None:
            self._thread = Thread(target=self._run, name="agm-rescanner", daemon=True)
            self._thread.start()

    def stop(self, *, timeout: float = STOP_SECONDS) -> None:
        """End after the belief that is looked at; one that ended already is left as it is.

        Raises:
            RescannerError: a check went on for longer than ``timeout`` seconds; the thread ends after it.
        """
        self._stop.set()
        if self._thread is None:
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise RescannerError(
                f"stop the worker within {timeout:g} seconds",
                "a check is still running; it ends after that, or stop it again with more time",
            )

    def _run(self) -> None:
        store: BeliefStore | None = None
        try:
            while not self._stop.is_set():
                store = self._round(store)
                if self._waited(store):
                    break
        finally:
            if store is not None:
                store.close()

    def _round(self, store: BeliefStore | None) -> BeliefStore | None:
        """One round; gives the connection, None when there is none any more."""
        try:
            store = self._opened() if store is None else store
            self.report = store.rescan(budget=self._budget, progress=self._between)
            self.failing, self.rounds = False, self.rounds + 1
        except _Stopped:
            pass
        except Exception as error:  # noqa: BLE001  whatever it is, it is readable, and the next round tries again
            self._failed(error)
        return store

    def _waited(self, store: BeliefStore | None) -> bool:
        """Wait for the next round; whether it is time to stop. A clock or a wait that raises costs one round."""
        try:
            return self._wait(self._pause(store))
        except Exception as error:  # noqa: BLE001  as in a round
            self._failed(error)
            return self._stop.wait(self._every)

    def _failed(self, error: Exception) -> None:
        self.error, self.errors, self.failing = error, self.errors + 1, True

    def _between(self, *_: object) -> None:
        if self._stop.is_set():
            raise _Stopped

    def _pause(self, store: BeliefStore | None) -> float:
        """Seconds until the next round: until the next belief is due, or more is left of this one."""
        if store is None or self.report is None or self.failing:
            return self._every
        if self.report.next is not None:
            return 0.0
        now = micros(store._context.clock())  # noqa: SLF001  the worker's own hand
        ahead = ((micros(at) - now) / 10**6 for _, at in self.report.due)
        return min([self._every, *(seconds for seconds in ahead if seconds > 0)])


def _is_span(value: object) -> bool:
    from datetime import timedelta

    return isinstance(value, timedelta)


def _opening(mine: Context) -> Callable[[], BeliefStore]:
    """How a second connection to a store's file is opened.

    Raises:
        RescannerError: there can be none.
    """
    from agm_store.opening import open_store
    from agm_store.sqlite import SqliteJournal

    journal = mine.journal
    if not isinstance(journal, SqliteJournal):
        raise RescannerError(
            "rescan a store in memory in the background",
            "only a file can be opened twice; call `rescan` between your own calls",
        )
    if not journal.writable:
        raise RescannerError("rescan a store that was opened to read only", "open it to write")
    path = journal.path
    return lambda: open_store(
        path,
        principal=mine.owner,
        clock=mine.clock,
        create=False,
        policy=mine.policy,
        entailment=mine.entailment,
        judge=mine.judge,
        embedder=mine.embedder,
    )

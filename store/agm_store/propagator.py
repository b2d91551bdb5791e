"""Renewing artefacts beside an event loop: a bounded queue, workers, and a function that describes anew.

The flags of the store are the work that is left; the queue only says what to look at next.  So nothing
is lost by a crash, an error or a full queue: a flag stands until a version clears it, and whoever opens
the store next picks it up.  Doing the same twice makes one version (``jobs``).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from agm.errors import AgmError
from agm_store.artefacts import latest
from agm_store.describing import NoDraft, describer, drafted
from agm_store.errors import InvalidArgument, JournalError, PropagatorClosed, UnknownArtefact
from agm_store.jobs import failed, flagged, job_of, recorded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from agm.directives import Resynthesiser
    from agm_store.beliefs import BeliefStore
    from agm_store.describing import Describer


class Progress(NamedTuple):
    """What became of the artefacts looked at so far, and how many wait."""

    renewed: int = 0
    failed: int = 0
    """After as many tries as there are; their flags stand, with the errors."""
    settled: int = 0
    """Nothing was to be done, or somebody else had done it."""
    waiting: int = 0


class AsyncDescriptorPropagator:
    """Gives each artefact that is flagged a new version; used as ``async with``.

    On entry it takes up all that is flagged; `submit` hands it more. On exit it finishes what was handed
    to it, or, when the block is left by an exception, stops at once. The store is only used in threads,
    so the loop goes on meanwhile.

    Raises:
        InvalidArgument: an argument does not fit.
    """

    def __init__(
        self,
        store: BeliefStore,
        describe: Describer | Resynthesiser,
        *,
        capacity: int = 64,
        workers: int = 1,
        deadline: float = 60.0,
        tries: int = 3,
        pause: float = 1.0,
        entrenchment: str = "inferred",
    ) -> None:
        """Take artefacts up to ``capacity`` at a time; seconds for one description, and between two tries."""
        self._describe = describer(describe)
        self._capacity = _whole("capacity", capacity)
        self._workers = _whole("workers", workers)
        self._tries = _whole("tries", tries)
        self._deadline = _seconds("deadline", deadline)
        self._pause = _seconds("pause", pause)
        store._context.rank(entrenchment)  # noqa: SLF001  refuses a class that the order does not have
        self._store, self._entrenchment = store, entrenchment
        self._queue: dict[str, None] = {}  # in order, none twice
        self._turn = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self._progress = Progress()
        self._asking = self._busy = 0
        self._closed = "it was not started"
        self._draining = False
        self._fault: BaseException | None = None

    @property
    def progress(self) -> Progress:
        """What became of the artefacts so far."""
        return self._progress._replace(waiting=len(self._queue) + self._busy)

    async def __aenter__(self) -> AsyncDescriptorPropagator:
        """Start, and take up all that is flagged."""
        found = await asyncio.to_thread(flagged, self._store._context)  # noqa: SLF001  the same package
        self._closed, self._draining, self._fault = "", False, None
        self._asking += 1  # what is taken up is handed over like anything else
        run = [self._work() for _ in range(self._workers)]
        self._tasks = [asyncio.create_task(each) for each in (*run, self._take_up(found))]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish what was handed over, or stop at once.

        Raises:
            JournalError: the store could not be used; the flags stand.
        """
        # whatever stopped a worker is raised, unless the block was left by another exception
        try:
            if kind is None:
                await self._finish()
        finally:
            await self._stop()
        if kind is None and self._fault is not None:
            raise self._fault

    async def submit(self, artefact: str) -> None:
        """Hand an artefact over to be looked at; waits while the queue is full, and keeps none twice.

        Raises:
            UnknownArtefact: the store has none with the name.
            PropagatorClosed: it was not started, or is being closed.
        """
        if not isinstance(artefact, str):
            raise InvalidArgument("artefact", artefact, "the name of an artefact")
        if self._closed or self._draining:
            raise PropagatorClosed(artefact, self._closed or "it is being closed")
        self._asking += 1
        try:
            context = self._store._context  # noqa: SLF001  the same package
            if await asyncio.to_thread(latest, context, artefact) is None:
                raise UnknownArtefact(artefact)
            await self._put(artefact)
        finally:
            self._asking -= 1
            await self._tell()

    async def idle(self) -> None:
        """Wait until everything that was handed over has been looked at."""
        async with self._turn:
            await self._turn.wait_for(self._is_idle)

    def _is_idle(self) -> bool:
        return bool(self._closed) or not (self._queue or self._busy or self._asking)

    async def _put(self, artefact: str) -> None:
        async with self._turn:
            await self._turn.wait_for(lambda: self._closed or self._has_room(artefact))
            if self._closed:
                raise PropagatorClosed(artefact, self._closed)
            self._queue.setdefault(artefact)
            self._turn.notify_all()

    def _has_room(self, artefact: str) -> bool:
        return artefact in self._queue or len(self._queue) < self._capacity

    async def _tell(self) -> None:
        async with self._turn:
            self._turn.notify_all()

    async def _take_up(self, found: Iterable[str]) -> None:
        """Hand over what was flagged before the start."""
        try:
            with suppress(PropagatorClosed):
                for artefact in found:
                    await self._put(artefact)
        finally:
            self._asking -= 1
            await self._tell()

    async def _finish(self) -> None:
        """Let everything be looked at that was handed over, also what still waits for room."""
        self._draining = True
        await self._tell()
        await asyncio.wait(self._tasks)

    async def _stop(self) -> None:
        self._closed = self._closed or "it is closed"
        await self._tell()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self) -> None:
        """Look at one artefact after the other until there are none, or the store cannot be used."""
        try:
            while (artefact := await self._next()) is not None:
                try:
                    await self._renew(artefact)
                finally:
                    self._busy -= 1
                    await self._tell()
        except Exception as error:  # noqa: BLE001  kept, and raised when the block is left
            self._fault = self._fault or error
            self._closed = f"the store cannot be used ({error})"
            await self._tell()

    async def _next(self) -> str | None:
        async with self._turn:
            await self._turn.wait_for(
                lambda: self._queue or self._closed or (self._draining and not self._asking)
            )
            if self._closed or not self._queue:
                return None
            artefact = next(iter(self._queue))
            del self._queue[artefact]
            self._busy += 1
            self._turn.notify_all()
            return artefact

    async def _renew(self, artefact: str) -> None:
        """Give an artefact a new version if a flag asks for one; every failure is written down."""
        for count in range(self._tries):
            if count:
                await asyncio.sleep(self._pause * 2 ** (count - 1))
            try:
                self._count("renewed" if await self._renewed(artefact) else "settled")
            except JournalError:
                raise
            except (AgmError, NoDraft) as error:
                context = self._store._context  # noqa: SLF001  the same package
                await asyncio.to_thread(failed, context, artefact, str(error))
            else:
                return
        self._count("failed")

    async def _renewed(self, artefact: str) -> bool:
        """Draft and record one version; whether there was something to be done.

        Raises:
            NoDraft, AgmError: there is no new version.
        """
        store = self._store
        job = await asyncio.to_thread(job_of, store._context, artefact)  # noqa: SLF001  the same package
        if job is None:
            return False
        draft = await drafted(self._describe, job, self._deadline)
        found = await asyncio.to_thread(
            recorded, store, job, draft, entrenchment=self._entrenchment
        )
        return found is not None

    def _count(self, what: str) -> None:
        self._progress = self._progress._replace(**{what: getattr(self._progress, what) + 1})


def _whole(name: str, value: object) -> int:
    if type(value) is not int or value < 1:
        raise InvalidArgument(name, value, "a whole number from 1 on")
    return value


def _seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise InvalidArgument(name, value, "seconds, a number from 0 on")
    return float(value)

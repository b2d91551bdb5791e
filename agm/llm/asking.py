"""The one place that asks a model: bounded in time, silent, and every error ends here.

A call is a coroutine in an event loop of its own, in a thread of its own, with a client of its own.
So the deadline holds for the whole call whatever the server does (the HTTP library counts each read
anew, and a byte now and then would keep it waiting for ever), it ends its own connection, it works
where a loop is running already, and calls share nothing but the breaker. A thread is given up only
where the machine blocks below the loop, as looking a name up may; it is a daemon and ends by itself.
"""

from __future__ import annotations

import contextvars
import logging
import threading
import time
from collections import deque
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from agm.directives import Extraction, NotRun, Reconstruction
from agm.llm.accounting import account
from agm.llm.envelopes import END, Reply, reply_of_bytes
from agm.llm.failures import failure_of
from agm.llm.kinds import KINDS
from agm.llm.transport import silenced

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from types import TracebackType

    from agm.directives import ModelCall
    from agm.llm.requests import Request
    from agm.llm.settings import Settings

    T = TypeVar("T")

THREAD = "agm-llm call"
"""The name of a thread that asks."""

_KEPT = 256
_SHUT = Reply(outcome="circuit_open")
_GRACE = 1.5
"""How many times the deadline a thread has before it is given up; the call itself ends at 1."""


class Asking:
    """Asks by these settings, and keeps the accounts of the last 256 calls."""

    __slots__ = ("_calls", "settings")

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._calls: deque[ModelCall] = deque(maxlen=_KEPT)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The accounts of the last calls, oldest first."""
        return tuple(self._calls)

    def ask(
        self, request: Request, read: Callable[[str], T | NotRun]
    ) -> tuple[T | NotRun, ModelCall]:
        """What the answer to a request reads as, and its account; never raises on what a service does."""
        started = time.perf_counter()
        reply = self.bounded(lambda client: _message(client, request), self.settings.deadline)
        return self._closed(request, reply, read, started)

    async def ask_async(
        self, request: Request, read: Callable[[str], T | NotRun]
    ) -> tuple[T | NotRun, ModelCall]:
        """As `ask`, in the caller's event loop; cancelling it ends the connection at once."""
        started, reply = time.perf_counter(), _SHUT
        with self.settings.breaker.admit() as place:
            if place:
                try:
                    reply = await self._attempt(
                        lambda client: _message(client, request), self.settings.deadline
                    )
                except BaseException as error:  # noqa: BLE001  (raised again)
                    raise _bare(error) from None
                place.record(reply.outcome)
        return self._closed(request, reply, read, started)

    def bounded(self, work: Callable[[Any], Awaitable[Reply]], deadline: float) -> Reply:
        """What the work with a client ends in, within the deadline, if the breaker admits it."""
        with self.settings.breaker.admit() as place:
            if not place:
                return _SHUT
            reply = self._in_a_thread(work, deadline)
            place.record(reply.outcome)
        return reply

    def _in_a_thread(self, work: Callable[[Any], Awaitable[Reply]], deadline: float) -> Reply:
        ended: SimpleQueue[Reply] = SimpleQueue()

        async def call() -> None:
            ended.put(await self._attempt(work, deadline))

        # The caller's context goes along, so that traces and other context of theirs hold on.
        thread = threading.Thread(
            target=contextvars.copy_context().run,
            args=(_run, call, ended),
            daemon=True,
            name=THREAD,
        )
        try:
            thread.start()
            return ended.get(timeout=deadline * _GRACE)
        except Empty:
            return Reply(outcome="timeout")
        except RuntimeError:  # no more threads are to be had
            return Reply(outcome="failed", detail="no thread could be started")

    def note(self, call: ModelCall) -> None:
        """Keep the account of a call, and tell who wants to know of it.

        An observer that raises loses nobody's answer; its error goes to the log `agm.llm`.
        """
        self._calls.append(call)
        if self.settings.on_call is None:
            return
        try:
            self.settings.on_call(call)
        except Exception as error:  # noqa: BLE001  (an observer has no say in what came of the call)
            _unheard(error)

    async def _attempt(self, work: Callable[[Any], Awaitable[Reply]], deadline: float) -> Reply:
        import asyncio

        with silenced():
            try:
                async with asyncio.timeout(deadline):
                    async with self.settings.client(deadline) as client:
                        return await work(client)
            except Exception as error:  # noqa: BLE001  (whatever happens, nothing is known of the answer)
                return failure_of(error)

    def _closed(
        self, request: Request, reply: Reply, read: Callable[[str], T | NotRun], started: float
    ) -> tuple[T | NotRun, ModelCall]:
        found = read(reply.text) if reply.outcome == END else not_run(reply)
        call = account(
            self.settings.model,
            request.prompt.label,
            found.kind if isinstance(found, NotRun) else END,
            tokens=reply.tokens,
            micros=int((time.perf_counter() - started) * 1_000_000),
            prices=self.settings.prices,
        )
        self.note(call)
        return with_call(found, call), call


def _bare(error: BaseException) -> BaseException:
    """An error that ends a call from outside, without the frames of the SDK, whose locals hold key and prompt."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _unheard(error: Exception) -> None:
    """Log that an observer raised, and where; its words are left out, for they may quote anything."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "an unknown place" if place is None else _place(place)
    logging.getLogger("agm.llm").error(
        "on_call raised %s at %s: the answer is kept, the account is in calls",
        type(error).__name__,
        where,
    )


def _place(at: TracebackType) -> str:
    return f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}"


def not_run(reply: Reply) -> NotRun:
    """The `NotRun` of a reply that is no answer."""
    says = KINDS[reply.outcome]
    return NotRun(kind=reply.outcome, detail=f"{says} ({reply.detail})" if reply.detail else says)


def with_call(found: T | NotRun, call: ModelCall) -> T | NotRun:
    """What was found with the account of its call, where it has a place for one."""
    if isinstance(found, Extraction | NotRun | Reconstruction):
        return replace(found, call=call)
    return found


async def _message(client: Any, request: Request) -> Reply:  # noqa: ANN401  (the SDK's own type)
    response = await client.messages.with_raw_response.create(**request.parameters())
    return reply_of_bytes(response.http_response.content)


def _run(call: Callable[[], Coroutine[Any, Any, None]], ended: SimpleQueue[Reply]) -> None:
    import asyncio

    waiting = call()
    try:
        asyncio.run(waiting)
    except BaseException as error:  # noqa: BLE001  (no loop to be had, or a client that leaves the thread)
        waiting.close()
        ended.put(Reply(outcome="failed", detail=type(error).__name__))

"""What describes an artefact anew, and what it answers: a draft within a deadline, or why there is none.

A describer is somebody else's code.  It may raise, hang, or answer what makes no sense; each of these is
`NoDraft`, in words that can be written down.
"""

from __future__ import annotations

import asyncio
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, cast

from agm.claims import Claim
from agm.directives import NotRun
from agm_propagation.artefacts import Draft
from agm_store.errors import InvalidArgument
from agm_store.renewing import MAX_DESCRIPTORS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from agm.directives import Resynthesiser
    from agm_propagation.artefacts import ChangeReason, PremiseNow
    from agm_store.jobs import Job
    from agm_store.listings import ArtefactVersion

    Described = Draft | Iterable[Claim | str] | NotRun


class NoDraft(Exception):
    """A describer gave no draft; the message says why."""


class Describer(Protocol):
    """Describes an artefact anew; a plain function, which runs in a thread, or an async one."""

    def __call__(
        self,
        artefact: ArtefactVersion,
        reasons: Sequence[ChangeReason],
        premises: Sequence[PremiseNow],
        /,
    ) -> Described | Awaitable[Described]:
        """The descriptors of the next version, given the latest, what was lost, and what is believed now."""


async def drafted(describe: Describer, job: Job, deadline: float) -> Draft:
    """What a describer answers within so many seconds; a plain function runs in a thread of its own.

    Raises:
        NoDraft: it raised, took too long, or gave no descriptors.
    """
    until = asyncio.get_running_loop().time() + deadline
    given = job.version, tuple(job.reasons), tuple(job.premises)
    try:
        answer: Any
        if iscoroutinefunction(describe):
            answer = await _awaited(lambda: describe(*given), until)
        else:
            answer = await _in_thread(lambda: _taken(describe(*given)), until)
            if isawaitable(answer):
                waited = answer
                answer = await _awaited(lambda: waited, until)
        return cast("Draft", await _in_thread(lambda: _draft(answer), until))
    except TimeoutError:
        raise NoDraft(f"no answer within {deadline:g} s") from None


async def _awaited(call: Callable[[], Any], until: float) -> Any:  # noqa: ANN401  a describer's answer
    """What a call gives to be awaited, unless it takes too long; one that cannot be stopped is left behind."""
    task = asyncio.ensure_future(_caught(call))
    try:
        await asyncio.wait([task], timeout=max(0.0, until - asyncio.get_running_loop().time()))
    finally:
        finished = task.done()
        task.cancel()
    if not finished:
        raise TimeoutError
    if task.cancelled():
        raise NoDraft("it was cancelled")
    given, error = task.result()
    if error is not None:
        raise _no_draft(error)
    return given


async def _caught(call: Callable[[], Awaitable[Any]]) -> tuple[Any, BaseException | None]:
    """What is awaited, or what it raised: an exit that left its task would stop the loop."""
    try:
        return await call(), None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001  whatever it raises is written down
        return None, error


async def _in_thread(function: Callable[[], Any], until: float) -> Any:  # noqa: ANN401  a describer's answer
    """What a function gives in a thread of its own, unless it takes too long; a thread that hangs keeps nobody."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def hand_over(found: tuple[Any, BaseException | None]) -> None:
        if answer.done():
            _drop(found[0])
        else:
            answer.set_result(found)

    def run() -> None:
        try:
            found: tuple[Any, BaseException | None] = function(), None
        except BaseException as error:  # noqa: BLE001  whatever it raises is written down
            found = None, error
        try:
            loop.call_soon_threadsafe(hand_over, found)
        except RuntimeError:  # the loop is closed, nobody waits any more
            _drop(found[0])

    Thread(target=run, daemon=True, name="agm describer").start()
    await asyncio.wait([answer], timeout=max(0.0, until - loop.time()))
    if not answer.done():
        answer.cancel()
        raise TimeoutError
    given, error = answer.result()
    if error is not None:
        raise _no_draft(error)
    return given


def _drop(answer: object) -> None:
    """Let go of an answer that came too late."""
    if iscoroutine(answer):
        answer.close()


def _no_draft(error: BaseException) -> NoDraft:
    return error if isinstance(error, NoDraft) else NoDraft(f"{type(error).__name__}: {error}")


def _taken(answer: Any) -> Any:  # noqa: ANN401  a describer's answer
    """An answer as it is; what comes from a generator is gone through here, in the thread of the describer."""
    return answer if isawaitable(answer) else _draft(answer)


def _draft(answer: object) -> Draft:
    """An answer as a draft.

    Raises:
        NoDraft: it is none.
    """
    if isinstance(answer, NotRun):
        raise NoDraft(f"it did not run ({answer.kind}): {answer.detail}")
    if isinstance(answer, Draft):
        rests_on = None if answer.rests_on is None else list(answer.rests_on)
        found = _listed(answer.descriptors)
        return Draft(descriptors=found, rests_on=rests_on, text=answer.text, note=answer.note)
    return Draft(descriptors=_listed(answer))


def _listed(answer: object) -> list[Claim | str]:
    if isinstance(answer, str | bytes | Claim) or not hasattr(answer, "__iter__"):
        expected = "a Draft, or a list of claims and texts"
        raise NoDraft(str(InvalidArgument("descriptors", answer, expected)))
    found = list(islice(cast("Iterable[Any]", answer), MAX_DESCRIPTORS + 1))
    for one in found:
        if not isinstance(one, str | Claim):
            raise NoDraft(str(InvalidArgument("descriptors", one, "claims and texts")))
    return found


def describer(describe: Describer | Resynthesiser) -> Describer:
    """A describer as it is; a resynthesiser of texts writes each text of an artefact anew."""
    rewrite = getattr(describe, "resynthesise", None)
    if rewrite is None:
        if not callable(describe):
            raise InvalidArgument(
                "describe", describe, "a function, or an object that resynthesises"
            )
        return describe

    def rewritten(
        artefact: ArtefactVersion, reasons: Sequence[ChangeReason], _: Sequence[PremiseNow], /
    ) -> Described:
        found: list[str] = []
        changes = [reason.line for reason in reasons]
        for side in artefact.descriptors:
            if side.text is not None:
                answer = rewrite(side.text, changes=changes)
                if isinstance(answer, NotRun):
                    return answer
                found.append(answer)
        return found

    return rewritten

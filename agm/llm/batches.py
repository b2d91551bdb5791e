"""Many requests as one message batch: created, looked at until it ends, and read line by line.

Every item ends in a value or a `NotRun` of its own. Results come in any order and are matched by the
names that the items were given; a name that was not given, or comes twice, answers nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agm.directives import NotRun, Shown
from agm.llm.accounting import account
from agm.llm.asking import not_run, with_call
from agm.llm.envelopes import END, Reply, reply_of
from agm.llm.errors import InvalidSetting, is_number
from agm.llm.kinds import SERVICE, of_error
from agm.llm.transport import MAX_BODY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from agm.directives import Extraction
    from agm.llm.asking import Asking
    from agm.llm.requests import Request

MAX_ITEMS = 100_000
"""The most requests of one batch."""

_ID_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A request of a batch, and how its answer is read."""

    request: Request
    read: Callable[[object], Extraction | NotRun]


def checked_batch(
    texts: Sequence[str],
    shown: Shown | Sequence[Shown],
    *,
    deadline: float = 1.0,
    every: float = 1.0,
) -> Sequence[Shown]:
    """The list that each text is read with; raises `InvalidSetting` on arguments that do not go together."""
    if isinstance(texts, str | bytes) or not all(isinstance(text, str) for text in texts):
        raise InvalidSetting("texts", type(texts), "a list of texts, each as str")
    if len(texts) > MAX_ITEMS:
        raise InvalidSetting("texts", len(texts), f"at most {MAX_ITEMS} texts a batch: split them")
    lists = [shown] * len(texts) if isinstance(shown, Shown) else shown
    if len(lists) != len(texts):
        raise InvalidSetting("shown", len(lists), f"one list, or {len(texts)}: one for each text")
    for name, value in (("deadline", deadline), ("every", every)):
        if not is_number(value) or not 0 < value < float("inf"):
            raise InvalidSetting(name, value, "seconds, more than 0")
    return lists


def run_batch(
    asking: Asking,
    items: Sequence[Item | Extraction | NotRun],
    *,
    deadline: float,
    every: float,
    sleep: Callable[[float], object],
) -> list[Extraction | NotRun]:
    """What each item ends in, in order; what is no item is passed through."""
    waiting = {f"item-{n}": item for n, item in enumerate(items) if isinstance(item, Item)}
    replies: dict[str, Reply] = {}
    if waiting:
        rest = _Batch(asking, deadline=deadline, every=every, sleep=sleep).run(waiting, replies)
        for name in waiting:
            replies.setdefault(name, rest)
    return [
        _ended(asking, item, replies[f"item-{n}"]) if isinstance(item, Item) else item
        for n, item in enumerate(items)
    ]


def _ended(asking: Asking, item: Item, reply: Reply) -> Extraction | NotRun:
    found = item.read(reply.text) if reply.outcome == END else not_run(reply)
    call = account(
        asking.settings.model,
        item.request.prompt.label,
        found.kind if isinstance(found, NotRun) else END,
        tokens=reply.tokens,
        prices=asking.settings.prices,
        in_batch=True,
    )
    asking.note(call)
    return with_call(found, call)


class _Batch:
    """One batch on its way; the time it has is what it slept and what its requests took."""

    def __init__(
        self,
        asking: Asking,
        *,
        deadline: float,
        every: float,
        sleep: Callable[[float], object],
    ) -> None:
        self._asking = asking
        self._left = deadline
        self._every = every
        self._sleep = sleep

    def run(self, items: dict[str, Item], replies: dict[str, Reply]) -> Reply:
        """Fill in the replies that came, and answer what the others ended in."""
        bodies = [
            {"custom_id": name, "params": item.request.parameters()} for name, item in items.items()
        ]
        state, ended = self._state(lambda client: _created(client, bodies))
        if not state:
            return ended
        name = state["id"]
        try:
            ended = self._until_ended(name, state)
            if ended.outcome == END:
                return self._results(name, items, replies)
        except BaseException:
            self._cancel(name)
            raise
        self._cancel(name)
        return ended

    def _until_ended(self, name: str, state: dict[str, Any]) -> Reply:
        while state.get("processing_status") != "ended":
            if self._left <= 0:
                return Reply(outcome="timeout", detail="the batch has not ended")
            pause = min(self._every, self._left)
            self._sleep(pause)
            self._left -= pause
            found, failed = self._state(lambda client: _looked_at(client, name))
            if not found and failed.outcome not in {*SERVICE, "circuit_open"}:
                return failed
            state = found or state
        return Reply(outcome=END)

    def _results(self, name: str, items: dict[str, Item], replies: dict[str, Reply]) -> Reply:
        twice: set[str] = set()

        async def read(client: Any) -> Reply:  # noqa: ANN401  (the SDK's own type)
            async for line in _lines(await client.messages.batches.results(name)):
                custom, reply = _line(line)
                if custom in replies:
                    twice.add(custom)
                elif custom in items:
                    replies[custom] = reply
            return Reply(outcome="empty", detail="the batch ended without a result for it")

        rest = self._asking.bounded(read, max(self._left, self._asking.settings.deadline))
        for custom in twice:
            replies[custom] = Reply(outcome="unparseable", detail="two results bear its name")
        return rest

    def _cancel(self, name: str) -> None:
        """Ask for an end, so that nothing more is billed; whether it is heard changes nothing."""
        self._asking.bounded(lambda client: _canceled(client, name), self._asking.settings.deadline)

    def _state(self, work: Callable[[Any], Any]) -> tuple[dict[str, Any], Reply]:
        started = time.perf_counter()
        reply = self._asking.bounded(work, self._asking.settings.deadline)
        self._left -= time.perf_counter() - started
        state = _batch_of(reply.text) if reply.outcome == END else None
        if state is None and reply.outcome == END:
            reply = Reply(outcome="unparseable", detail="the response is no batch")
        return state or {}, reply


async def _created(client: Any, bodies: list[dict[str, Any]]) -> Reply:  # noqa: ANN401
    response = await client.messages.batches.with_raw_response.create(requests=bodies)
    return Reply(outcome=END, text=response.http_response.text)


async def _looked_at(client: Any, name: str) -> Reply:  # noqa: ANN401
    response = await client.messages.batches.with_raw_response.retrieve(name)
    return Reply(outcome=END, text=response.http_response.text)


async def _canceled(client: Any, name: str) -> Reply:  # noqa: ANN401
    await client.messages.batches.with_raw_response.cancel(name)
    return Reply(outcome=END)


def _batch_of(text: str) -> dict[str, Any] | None:
    """The batch in a response; None where it is no batch with a name that a path can carry."""
    value = _strict(text)
    name = value.get("id") if isinstance(value, dict) else None
    if not isinstance(name, str) or not 0 < len(name) <= 100 or not _ID_CHARS.issuperset(name):
        return None
    return dict(value)


async def _lines(results: Any) -> AsyncIterator[bytes]:  # noqa: ANN401
    """The lines of a file of results; in place of one longer than an answer may be comes an empty one."""
    parts: list[bytes] = []
    size = 0
    async for chunk in results.http_response.aiter_bytes():
        *whole, last = chunk.split(b"\n")
        for part in whole:
            yield b"".join([*parts, part]) if size <= MAX_BODY else b""
            parts, size = [], 0
        size += len(last)
        if size <= MAX_BODY:
            parts.append(last)
        else:
            parts.clear()
    yield b"".join(parts) if size <= MAX_BODY else b""


def _line(line: bytes) -> tuple[str, Reply]:
    """The name of an item and its reply; the name is empty where the line has none."""
    value = _strict(line)
    if not isinstance(value, dict) or not isinstance(value.get("custom_id"), str):
        return "", Reply(outcome="unparseable")
    result = value.get("result")
    given = result if isinstance(result, dict) else {}
    match given.get("type"):
        case "succeeded":
            reply = reply_of(given.get("message"))
        case "errored":
            reply = Reply(outcome=of_error(_error_name(given)))
        case "canceled" | "expired" as kind:
            reply = Reply(outcome=kind)
        case _:
            reply = Reply(outcome="unparseable", detail="the result is of no known type")
    return value["custom_id"], reply


def _error_name(result: dict[str, Any]) -> object:
    error = result.get("error")
    inner = error.get("error", error) if isinstance(error, dict) else None
    return inner.get("type") if isinstance(inner, dict) else None


def _strict(text: str | bytes) -> Any:  # noqa: ANN401  (JSON is any value)
    from agm.errors import InvalidJson
    from agm.jsonform import loads_strict

    try:
        return loads_strict(text)
    except InvalidJson:
        return None

"""The standard input and output of a server, with an answer to what is no message.

The SDK drops a line that it cannot read, and whoever sent it waits for ever: a lone surrogate in a
string is enough.  Here such a line is answered by an error, under the id of its request if it has one.
It drops at the end of the input the calls that it is still at; here the end is told on once all are answered.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    from anyio import Event
    from mcp.server import Server
    from mcp.shared._stream_protocols import WriteStream
    from mcp.shared.message import SessionMessage
    from mcp_types import JSONRPCError

UNREADABLE, NO_REQUEST = -32700, -32600
"""The codes of JSON-RPC 2.0 for a line that is no JSON, and for JSON that is no message."""


async def speak(server: Server[Any]) -> None:
    """Serve over the standard input and output until the input ends and what it asked is answered."""
    import anyio
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    async with stdio_server() as (read, write), anyio.create_task_group() as group:
        heard, understood = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers = _Answers(write)

        async def sort() -> None:
            async with heard:
                async for message in read:
                    if not isinstance(message, Exception):
                        answers.expect(message)
                        await heard.send(message)
                    elif (refusal := refused(message)) is not None:
                        await write.send(SessionMessage(refusal))
                await answers.complete()

        group.start_soon(sort)
        await server.run(understood, answers, server.create_initialization_options())
        group.cancel_scope.cancel()


class _Answers:
    """The output of a server, which knows what requests are still to be answered on it."""

    def __init__(self, write: WriteStream[SessionMessage]) -> None:
        self._write = write
        self._open: Counter[str] = Counter()
        self._sent: Event | None = None

    def expect(self, message: SessionMessage) -> None:
        """Note a request; one that is cancelled wants no answer any more."""
        from mcp_types import JSONRPCNotification, JSONRPCRequest

        said = message.message
        if isinstance(said, JSONRPCRequest):
            self._open[str(said.id)] += 1
        elif isinstance(said, JSONRPCNotification) and said.method == "notifications/cancelled":
            self._settle((said.params or {}).get("requestId"))

    async def complete(self) -> None:
        """Wait until nothing is to be answered."""
        import anyio

        while self._open:
            self._sent = anyio.Event()
            await self._sent.wait()

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message on."""
        await self._write.send(item)
        self._settle(getattr(item.message, "id", None))

    def _settle(self, name: object) -> None:
        self._open[str(name)] -= 1
        self._open = +self._open
        if self._sent is not None:
            self._sent.set()

    async def aclose(self) -> None:
        """Close the output."""
        await self._write.aclose()

    async def __aenter__(self) -> _Answers:
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        await self.aclose()


def refused(error: Exception) -> JSONRPCError | None:
    """The answer to a line that could not be read as a message; None when it wants none."""
    from mcp_types import ErrorData, JSONRPCError
    from pydantic import ValidationError

    line: Any = None
    code, found = NO_REQUEST, "it is no message of JSON-RPC 2.0"
    if isinstance(error, ValidationError):
        fault = error.errors(include_url=False)[0]
        line = fault["input"]
        if fault["type"] == "json_invalid":
            code, found, line = UNREADABLE, str(fault["ctx"]["error"]), _loaded(line)
    if isinstance(line, dict) and "method" in line and "id" not in line:
        return None  # a notification, which nobody waits for
    name = _id_of(line)
    words = f"the line cannot be read: {found}"
    return JSONRPCError(jsonrpc="2.0", id=name, error=ErrorData(code=code, message=words))


def _loaded(line: Any) -> Any:  # noqa: ANN401  whatever was sent
    """A line as a reader takes it that lets lone surrogates pass; None when it is no JSON for it either."""
    import json

    try:
        return json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None


def _id_of(line: Any) -> str | int | None:  # noqa: ANN401  whatever was sent
    """The id of a request; None when it has none that could be sent back."""
    found = line.get("id") if isinstance(line, dict) else None
    if isinstance(found, str):
        return found if found.encode("utf-8", "ignore").decode() == found else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None

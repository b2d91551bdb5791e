"""The standard input and output of a server, with an answer to what is no message.

The SDK drops a line that it cannot read, and whoever sent it waits for ever: a lone surrogate in a
string is enough.  Here such a line is answered by an error, under the id of its request if it has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp_types import JSONRPCError

UNREADABLE, NO_REQUEST = -32700, -32600
"""The codes of JSON-RPC 2.0 for a line that is no JSON, and for JSON that is no message."""


async def speak(server: Server[Any]) -> None:
    """Serve over the standard input and output until the input ends."""
    import anyio
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    async with stdio_server() as (read, write), anyio.create_task_group() as group:
        heard, understood = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def sort() -> None:
            async with heard:
                async for message in read:
                    if not isinstance(message, Exception):
                        await heard.send(message)
                    elif (refusal := refused(message)) is not None:
                        await write.send(SessionMessage(refusal))

        group.start_soon(sort)
        await server.run(understood, write, server.create_initialization_options())
        group.cancel_scope.cancel()


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

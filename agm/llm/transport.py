"""The SDK's client, bounded: a size for answers, one host for requests, and nothing in any log.

`bounded_client` makes a client for one call. It follows no redirect and sends to no other host, so
the key reaches only the address it is meant for. Bodies are counted as they come, before anything is
unpacked, so a large answer costs no memory. `silenced` keeps the SDK's own log of the call, which
would hold the prompt at level DEBUG, from being written, and what the HTTP library logs of headers.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

MAX_BODY = 4 * 1024 * 1024
"""The largest response that is read, in bytes; an answer of 64 000 tokens takes about a tenth."""
MAX_RESULTS = 1024 * 1024 * 1024
"""The largest file of batch results, in bytes; it is read line by line."""

_LOGGERS = (
    "anthropic._base_client",
    "anthropic._response",
    "anthropic._legacy_response",
    "httpcore2.http11",  # headers of responses, in which a server may quote the request
    "httpcore2.http2",
    "httpcore2.proxy",
    "httpx2",  # addresses, which may hold a name and a password
)
_OURS: ContextVar[bool] = ContextVar("agm_llm_call", default=False)


class TooLarge(Exception):
    """A response is larger than it may be."""


class Elsewhere(Exception):
    """A request is about to go to another host than the one the key is for."""


class Packed(Exception):
    """A response is packed although plain bytes were asked for."""


def bounded_client(*, api_key: str, base_url: str | None, deadline: float, tls: Any) -> Any:  # noqa: ANN401  (the SDK's own type)
    """An SDK client for one call: no retries, no redirects, bounded answers, one host."""
    import anthropic

    http = anthropic.DefaultAsyncHttpxClient(
        verify=tls,
        timeout=deadline,
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
    )
    client = anthropic.AsyncAnthropic(
        api_key=api_key, base_url=base_url, timeout=deadline, max_retries=0, http_client=http
    )
    http.event_hooks = {"request": [_only_to(client.base_url)], "response": [_bounded]}
    return client


@contextmanager
def silenced() -> Iterator[None]:
    """Within it, what the SDK would log of this call is dropped; other calls log as before."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_not_ours)  # adding the same filter again does nothing
    mark = _OURS.set(True)
    try:
        yield
    finally:
        _OURS.reset(mark)


def _not_ours(_: logging.LogRecord) -> bool:
    return not _OURS.get()


def _only_to(base: Any) -> Any:  # noqa: ANN401  (URLs and hooks of the SDK's HTTP library)
    async def check(request: Any) -> None:  # noqa: ANN401
        asked = request.url
        if (asked.scheme, asked.host, asked.port) != (base.scheme, base.host, base.port):
            raise Elsewhere

    return check


async def _bounded(response: Any) -> None:  # noqa: ANN401
    """Put a counter before the body of a response."""
    from httpx2 import AsyncByteStream

    if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise Packed
    most = MAX_RESULTS if response.request.url.path.endswith("/results") else MAX_BODY
    inner = response.stream

    class Counted(AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen = 0
            async for chunk in inner:
                seen += len(chunk)
                if seen > most:
                    raise TooLarge
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    response.stream = Counted()

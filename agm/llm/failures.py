"""From an error of the SDK to a kind of `NotRun` and a detail without any content.

An error of the SDK holds the request, with the key and the text in it, and often the body of the
response. Nothing of it is kept but the status and the request's id.
"""

from __future__ import annotations

from agm.llm.envelopes import Reply
from agm.llm.kinds import of_status
from agm.llm.transport import Elsewhere, Packed, TooLarge

_ID_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_OURS: dict[type[BaseException], tuple[str, str]] = {
    TooLarge: ("too_large", "the response is larger than is read"),
    Elsewhere: ("redirected", "the request would have gone to another host"),
    Packed: ("unparseable", "the response is packed, though plain bytes were asked for"),
    TimeoutError: ("timeout", ""),
}


def failure_of(error: Exception) -> Reply:
    """The failure that an error of a call is; its kind is `failed` when nothing better is known.

    >>> failure_of(TimeoutError()).outcome, failure_of(KeyError("secret"))
    ('timeout', Reply(outcome='failed', tokens={}, detail='KeyError'))
    """
    chain = list(_chain(error))
    for one in chain:
        for kind, (outcome, detail) in _OURS.items():
            if isinstance(one, kind):
                return Reply(outcome=outcome, detail=detail)
    return _of_the_sdk(error, chain)


def _of_the_sdk(error: Exception, chain: list[BaseException]) -> Reply:
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        detail = f"status {int(error.status_code)}"
        request = request_id(error.response.headers.get("request-id"))
        return Reply(
            outcome=of_status(error.status_code),
            detail=f"{detail}, request {request}" if request else detail,
        )
    if isinstance(error, anthropic.APITimeoutError):
        return Reply(outcome="timeout")
    if isinstance(error, anthropic.APIConnectionError):
        return Reply(outcome="cut_off" if _cut(chain) else "connection")
    if _no_credentials(error):
        return Reply(outcome="no_key")
    if isinstance(error, httpx2.TimeoutException):
        return Reply(outcome="timeout")
    if isinstance(error, httpx2.TransportError):  # while a body is read, past the SDK's own care
        return Reply(outcome="cut_off" if _cut(chain) else "connection")
    return Reply(outcome="failed", detail=type(error).__name__)


def request_id(given: object) -> str:
    """The id of a request where it looks like one, else nothing: a header is the server's to write."""
    if isinstance(given, str) and given.startswith("req_") and len(given) <= 40:
        return given if _ID_CHARS.issuperset(given) else ""
    return ""


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _cut(chain: list[BaseException]) -> bool:
    """Whether a connection that stood has ended, by the names that the HTTP library gives that."""
    names = {type(one).__name__ for one in chain}
    return not names.isdisjoint({"ReadError", "RemoteProtocolError", "WriteError", "CloseError"})


def _no_credentials(error: Exception) -> bool:
    # The SDK raises a bare TypeError when a client of the caller's own has no key.
    return isinstance(error, TypeError) and "authentication" in str(error)

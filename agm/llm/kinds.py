"""Why there is no answer, as a fixed list; each kind has one meaning and one sentence for people.

The kinds of calls come from the adapters here, those of `HELPERS` from whoever asks an object of
the caller's own: they are kept together so that a word means one thing wherever it is met.
`of_status` maps an HTTP status. `SERVICE` are the kinds that speak of the service itself, not of
one request: those that a circuit breaker counts; to those of `LOCAL` it pays no heed.
"""

from __future__ import annotations

from types import MappingProxyType

_CALLS = {
    "bad_request": "the service refuses the request as it is",
    "bad_text": "the text has characters that no request can carry; nothing was asked",
    "canceled": "the batch was canceled before the item was run",
    "circuit_open": "the service failed too often in a row; nothing was asked",
    "connection": "the service cannot be reached",
    "cut_off": "the connection ended before the answer did",
    "empty": "the answer has no content",
    "expired": "the batch ended before the item was run",
    "failed": "the call ended in an error that has no kind of its own",
    "forbidden": "the key is known and may not do this",
    "no_key": "there is no key to ask with",
    "overloaded": "the service has too much to do",
    "rate_limited": "the service takes no more requests from this key for now",
    "redirected": "the service points elsewhere, and a key goes nowhere else",
    "refused": "the model declines to answer",
    "server_error": "the service failed",
    "timeout": "there was no whole answer before the deadline",
    "too_large": "the request or the answer is larger than it may be",
    "truncated": "the answer was cut at the greatest length allowed, so it is not whole",
    "unauthorised": "the key is not accepted",
    "unknown_model": "the service knows no such model",
    "unknown_stop": "the model stopped for another reason than the end of its turn",
    "unparseable": "the answer is not of the form that was asked for",
}

HELPERS = MappingProxyType(
    {
        "changed": "what the check would look at changed while other checks were asked",
        "failed at this text": "the embedder works at other texts and fails at this one",
        "garbage": "what was asked gave back something of another kind than an answer",
        "missing": "the store was given nothing that could be asked",
        "nothing_said": "nothing was ever said of what the question is about; nothing was asked",
        "other_list": "the answer speaks of another list than the one that was shown",
        "raised": "what was asked, or a look at what it gave back, raised an error",
        "undecided": "the check was made and came to no verdict",
        "unknown": "what was asked did not run and named no kind",
    }
)
"""The kinds of a store, which asks extractors, reconstructors and checks that it was given."""

KINDS = MappingProxyType(dict(sorted({**_CALLS, **HELPERS}.items())))
"""Each kind of `NotRun` and of a check that did not run, and what it says."""

SERVICE = frozenset(
    {"connection", "cut_off", "overloaded", "rate_limited", "redirected", "server_error", "timeout"}
)
"""The kinds that say something of the service; a row of them opens the circuit."""

LOCAL = frozenset({"bad_text", "circuit_open", "failed", "no_key"})
"""The kinds of what came to an end here: they say nothing of the service, good or bad."""

_STATUS = {
    401: "unauthorised",
    402: "forbidden",
    403: "forbidden",
    404: "unknown_model",
    408: "timeout",
    413: "too_large",
    429: "rate_limited",
    503: "overloaded",
    529: "overloaded",
}
_ERRORS = {
    "authentication_error": "unauthorised",
    "billing_error": "forbidden",
    "invalid_request_error": "bad_request",
    "not_found_error": "unknown_model",
    "overloaded_error": "overloaded",
    "permission_error": "forbidden",
    "rate_limit_error": "rate_limited",
    "request_too_large": "too_large",
    "timeout_error": "timeout",
}


def of_status(status: int) -> str:
    """The kind of an HTTP status that is no success.

    >>> of_status(529), of_status(422), of_status(307)
    ('overloaded', 'bad_request', 'redirected')
    """
    if status in _STATUS:
        return _STATUS[status]
    if status >= 500:
        return "server_error"
    return "bad_request" if status >= 400 else "redirected"


def of_error(name: object) -> str:
    """The kind of an error by the name that the service gives it, as items of a batch carry it.

    >>> of_error("overloaded_error"), of_error("something_new")
    ('overloaded', 'server_error')
    """
    return _ERRORS.get(name, "server_error") if isinstance(name, str) else "server_error"

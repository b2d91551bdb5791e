"""From the bytes of a response to the text a model wrote: read strictly, or a kind of failure.

The SDK reads responses leniently (a missing field is no error there, a list comes back as a list),
so the bytes are read here. `reply_of_bytes` is for a single answer, `reply_of` for a message that
came inside something else, as in a batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agm.llm.accounting import tokens_of

if TYPE_CHECKING:
    from collections.abc import Mapping

END = "end_turn"
"""The only reason to stop that comes with a whole answer."""

_STOPS = {
    "refusal": "refused",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
}
_BESIDE = frozenset({"thinking", "redacted_thinking"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back: `text` when the outcome is `end_turn`, else the outcome is a kind of `NotRun`."""

    outcome: str
    text: str = field(default="", repr=False)
    tokens: Mapping[str, int] = field(default_factory=dict)
    detail: str = ""


def reply_of_bytes(body: bytes) -> Reply:
    """The reply in the body of a response.

    >>> reply_of_bytes(b"<html>").outcome, reply_of_bytes(b"").outcome
    ('unparseable', 'empty')
    """
    from agm.errors import InvalidJson
    from agm.jsonform import loads_strict

    if not body.strip():
        return Reply(outcome="empty", detail="the response has no body")
    try:
        return reply_of(loads_strict(body))
    except InvalidJson:
        return Reply(
            outcome="unparseable", detail="the response is no JSON that can be read strictly"
        )


def reply_of(message: object) -> Reply:
    """The reply in a message as a JSON value.

    >>> reply_of({"content": [{"type": "text", "text": "{}"}], "stop_reason": "max_tokens"}).outcome
    'truncated'
    """
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return Reply(outcome="unparseable", detail="the response is no message with content")
    tokens = tokens_of(message.get("usage"))
    stop = message.get("stop_reason")
    if stop != END:
        kind = _STOPS.get(stop, "unknown_stop") if isinstance(stop, str) else "unknown_stop"
        return Reply(outcome=kind, tokens=tokens)
    blocks = [block for block in message["content"] if _kind(block) not in _BESIDE]
    if not blocks:
        return Reply(outcome="empty", tokens=tokens)
    text = blocks[0].get("text") if _kind(blocks[0]) == "text" else None
    if len(blocks) > 1 or not isinstance(text, str):
        return Reply(
            outcome="unparseable", tokens=tokens, detail="the message is not one block of text"
        )
    if not text.strip():
        return Reply(outcome="empty", tokens=tokens)
    return Reply(outcome=END, text=text, tokens=tokens)


def _kind(block: object) -> object:
    return block.get("type") if isinstance(block, dict) else None

"""What is sent: a fixed prompt, and everything that is shown as one JSON value beside it.

The stable part (the prompt, and the vocabulary where there is one) comes first and bears the mark
for the provider's cache. What is shown is JSON in which nothing can end the string or a block
around it; it never enters the prompt.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from agm.llm.prompts import prompt
from agm.llm.schemas import schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agm.directives import Mention, Reason, Shown
    from agm.llm.prompts import Prompt
    from agm.vocabulary import Vocabulary

MAX_TEXT = 400_000
"""The longest that one request shows, in characters; about 100 000 tokens."""

_CACHED = {"cache_control": {"type": "ephemeral"}}
_ESCAPED = "<>&"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request: the prompt, and what is shown, as JSON text."""

    prompt: Prompt
    model: str
    max_tokens: int
    shown: str = field(repr=False)
    stable: str = field(default="", repr=False)

    @property
    def fault(self) -> str:
        """The kind of `NotRun` this request ends in without being sent; empty when it may go."""
        if len(self.shown) > MAX_TEXT:
            return "too_large"
        try:
            self.shown.encode()
        except UnicodeEncodeError:
            return "bad_text"
        return ""

    def parameters(self) -> dict[str, Any]:
        """The arguments of `messages.create`; no temperature, and the schema is only a hint."""
        content: list[dict[str, Any]] = [{"type": "text", "text": self.shown}]
        if self.stable:
            content.insert(0, {"type": "text", "text": self.stable, **_CACHED})
        return {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "system": [{"type": "text", "text": self.prompt.text, **_CACHED}],
            "messages": [{"role": "user", "content": content}],
            "output_config": {"format": {"type": "json_schema", "schema": _hint(self.prompt.name)}},
        }


def extract_request(
    text: str,
    *,
    shown: Shown,
    mistakes: Sequence[str],
    vocabulary: Vocabulary | None,
    model: str,
    max_tokens: int,
) -> Request:
    """The request for the facts of a text."""
    stable = "" if not vocabulary else encoded({"vocabulary": vocabulary.to_json()})
    data = {"beliefs": _lines(shown.text), "mistakes": list(mistakes), "text": text}
    return Request(
        prompt=prompt("extract"),
        model=model,
        max_tokens=max_tokens,
        shown=encoded(data),
        stable=stable,
    )


def pair_request(
    new: str, old: str, *, reason: Reason | None, model: str, max_tokens: int
) -> Request:
    """The request for a verdict on two texts, by the judge where a reason is given."""
    data = {"new": new, "old": old}
    name = "compare" if reason is None else "judge"
    if reason is not None:
        data["reason"] = reason
    return Request(prompt=prompt(name), model=model, max_tokens=max_tokens, shown=encoded(data))


def rewrite_request(text: str, *, changes: Sequence[str], model: str, max_tokens: int) -> Request:
    """The request for a text in the light of changes."""
    data = {"text": text, "changes": list(changes)}
    return Request(
        prompt=prompt("resynthesise"), model=model, max_tokens=max_tokens, shown=encoded(data)
    )


def roles_request(
    slot: str, mentions: Sequence[Mention], *, model: str, max_tokens: int
) -> Request:
    """The request for the roles of the mentions of a slot."""
    listed = [
        {"index": n, "at": one.at.isoformat(), "text": one.text}
        | ({} if one.value is None else {"value": one.value})
        for n, one in enumerate(mentions)
    ]
    data = {"slot": slot, "mentions": listed}
    return Request(
        prompt=prompt("reconstruct"), model=model, max_tokens=max_tokens, shown=encoded(data)
    )


def encoded(data: Mapping[str, object]) -> str:
    r"""The data as JSON text in which no character can close a tag around it.

    >>> encoded({"text": "</data> obey"})
    '{"text": "\\u003c/data\\u003e obey"}'
    """
    text = json.dumps(data, ensure_ascii=False)
    for char in _ESCAPED:
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _lines(shown: str) -> list[object]:
    """The lines of a list: as they are, or as the JSON objects that they hold, so as not to encode twice."""
    return [_line(line) for line in shown.splitlines() if line.strip()]


def _line(line: str) -> object:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return value if isinstance(value, dict) else line


@cache
def _hint(name: str) -> dict[str, Any]:
    from anthropic import transform_schema

    return transform_schema(schema(name))

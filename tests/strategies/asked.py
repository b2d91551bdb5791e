"""Adapters on a loopback server, with short words for what tests ask them."""

from __future__ import annotations

import json
from typing import Any

from agm.directives import Shown
from agm.llm import AnthropicExtractor, Breaker

KEY = "sk-ant-canary-key"
LINE = json.dumps({"index": 0, "claim": "ttl(cache) = 600"})
SHOWN = Shown(beliefs=("b1",), text=LINE)
NONE = Shown(beliefs=())


def extractor(url: str, *, deadline: float = 5.0, **settings: Any) -> AnthropicExtractor:
    """An extractor that asks the server."""
    return AnthropicExtractor(
        model="claude-loopback", api_key=KEY, base_url=url, deadline=deadline, **settings
    )


def opened(failures: int, **settings: Any) -> Breaker:
    """A breaker that so many failures have opened."""
    breaker = Breaker(failures=failures, **settings)
    for _ in range(failures):
        with breaker.admit() as place:
            place.record("timeout")
    return breaker


def fact(text: str = "The cache TTL is 900 seconds.", **parts: Any) -> dict[str, Any]:
    """A fact as a model writes it."""
    return {"text": text, "mode": "assertion", "confidence": 0.9, "resolves": [], **parts}


def superseding(index: Any = 0, **parts: Any) -> dict[str, Any]:
    """A directive as a model writes it."""
    return {
        "session_index": index,
        "action": "supersede",
        "reason": "temporal_change",
        **parts,
    }


def facts(*items: Any) -> dict[str, Any]:
    """An answer with these facts."""
    return {"facts": list(items)}

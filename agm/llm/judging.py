"""`AnthropicEntailment` and `AnthropicJudge`: how a new text stands to an old one, as a verdict.

The verdict's route names the model and the prompt, `model:NAME/compare-1`; accounts are in `calls`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agm.llm.adapting import Adapter, checked_text
from agm.llm.reading import read_verdict
from agm.llm.requests import pair_request

if TYPE_CHECKING:
    from agm.directives import NotRun, Reason
    from agm.llm.requests import Request
    from agm.verdicts import Verdict


class AnthropicEntailment(Adapter):
    """Compares two texts by a model of Anthropic; an `Entailment`. Settings as of `Adapter`."""

    __slots__ = ()

    def compare(self, new: str, old: str, /) -> Verdict | NotRun:
        """How a new text stands to an old one."""
        checked_text("new", new)
        checked_text("old", old)
        request = pair_request(new, old, reason=None, **self._sizes())
        return self._ask(request, partial(read_verdict, route=route(self.model, request)))


class AnthropicJudge(Adapter):
    """Judges uncertain changes by a model of Anthropic; a `Judge`. Settings as of `Adapter`."""

    __slots__ = ()

    def judge(self, new: str, old: str, /, *, reason: Reason) -> Verdict | NotRun:
        """How the new side of a change stands to the old one."""
        checked_text("new", new)
        checked_text("old", old)
        request = pair_request(new, old, reason=reason, **self._sizes())
        return self._ask(request, partial(read_verdict, route=route(self.model, request)))


def route(model: str, request: Request) -> str:
    """The route of a verdict: the model and the prompt that made it."""
    return f"model:{model}/{request.prompt.route}"

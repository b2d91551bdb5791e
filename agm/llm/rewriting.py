"""`AnthropicResynthesiser` writes a text anew after changes; `AnthropicReconstructor` reads mentions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agm.directives import Reconstruction
from agm.llm.adapting import Adapter, checked_lines, checked_text
from agm.llm.reading import read_roles, read_text
from agm.llm.requests import rewrite_request, roles_request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.directives import Mention, NotRun


class AnthropicResynthesiser(Adapter):
    """Rewrites descriptions by a model of Anthropic; a `Resynthesiser`. Settings as of `Adapter`."""

    __slots__ = ()

    def resynthesise(self, text: str, /, *, changes: Sequence[str]) -> str | NotRun:
        """The text in the light of the changes; without changes the text itself, and nothing is asked."""
        checked_text("text", text)
        if not checked_lines("changes", changes):
            return text
        request = rewrite_request(text, changes=changes, **self._sizes())
        return self._ask(request, read_text)


class AnthropicReconstructor(Adapter):
    """Tells updates from references by a model of Anthropic; a `Reconstructor`. Settings as of `Adapter`."""

    __slots__ = ()

    def reconstruct(self, slot: str, mentions: Sequence[Mention], /) -> Reconstruction | NotRun:
        """The role of each mention; without mentions there are none, and nothing is asked."""
        checked_text("slot", slot)
        if not mentions:
            return Reconstruction(roles=())
        request = roles_request(slot, mentions, **self._sizes())
        return self._ask(request, partial(read_roles, count=len(mentions)))

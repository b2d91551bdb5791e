"""`AnthropicExtractor`: the facts of a text, with directives on the beliefs that the model was shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Unpack

from agm.directives import Extraction
from agm.llm.adapting import Adapter, checked_lines, checked_text
from agm.llm.reading import read_facts
from agm.llm.requests import extract_request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.directives import NotRun, Shown
    from agm.llm.requests import Request
    from agm.llm.settings import Options
    from agm.vocabulary import Vocabulary


class AnthropicExtractor(Adapter):
    """Reads texts by a model of Anthropic; an `Extractor`. Settings as of `Adapter`.

    The vocabulary, where given, is shown to the model and tells attributes from relations in what
    it answers.
    """

    __slots__ = ("_vocabulary",)

    def __init__(
        self, *, model: str, vocabulary: Vocabulary | None = None, **settings: Unpack[Options]
    ) -> None:
        super().__init__(model=model, **settings)
        self._vocabulary = vocabulary

    def extract(
        self, text: str, /, *, shown: Shown, mistakes: Sequence[str] = ()
    ) -> Extraction | NotRun:
        """The facts of a text; a text without words states none, and nothing is asked."""
        if not checked_text("text", text).strip():
            return Extraction(shown=shown)
        request, read = self._about(text, shown, mistakes)
        return self._ask(request, read)

    async def extract_async(
        self, text: str, /, *, shown: Shown, mistakes: Sequence[str] = ()
    ) -> Extraction | NotRun:
        """As `extract`, beside an event loop; a cancelled call ends its connection."""
        if not checked_text("text", text).strip():
            return Extraction(shown=shown)
        request, read = self._about(text, shown, mistakes)
        return await self._ask_async(request, read)

    def _about(
        self, text: str, shown: Shown, mistakes: Sequence[str]
    ) -> tuple[Request, Callable[[object], Extraction | NotRun]]:
        request = extract_request(
            text,
            shown=shown,
            mistakes=checked_lines("mistakes", mistakes),
            vocabulary=self._vocabulary,
            **self._sizes(),
        )
        return request, partial(read_facts, shown=shown, vocabulary=self._vocabulary)

"""`AnthropicExtractor`: the facts of a text, with directives on the beliefs that the model was shown."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Unpack

from agm.directives import Extraction
from agm.llm.adapting import Adapter, checked_lines, checked_text
from agm.llm.batches import Item, checked_batch, run_batch
from agm.llm.reading import read_facts
from agm.llm.requests import extract_request
from agm.llm.settings import hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.directives import NotRun, Shown
    from agm.llm.requests import Request
    from agm.llm.settings import Options
    from agm.vocabulary import Vocabulary


class AnthropicExtractor(Adapter):
    """Reads texts by a model of Anthropic; an `Extractor`. Settings as of `Adapter`.

    The vocabulary, where given, is shown to the model and tells attributes from relations in what
    it answers. Without one, that of a call tells them apart, and is not shown.
    """

    __slots__ = ("_vocabulary",)

    def __init__(
        self, *, model: str, vocabulary: Vocabulary | None = None, **settings: Unpack[Options]
    ) -> None:
        settings["api_key"] = hidden(settings.get("api_key"))
        super().__init__(model=model, **settings)
        self._vocabulary = vocabulary

    def extract(
        self,
        text: str,
        /,
        *,
        shown: Shown,
        mistakes: Sequence[str] = (),
        vocabulary: Vocabulary | None = None,
    ) -> Extraction | NotRun:
        """The facts of a text; a text without words states none, and nothing is asked."""
        if not checked_text("text", text).strip():
            return Extraction(shown=shown)
        request, read = self._about(text, shown, mistakes, vocabulary)
        return self._ask(request, read)

    async def extract_async(
        self,
        text: str,
        /,
        *,
        shown: Shown,
        mistakes: Sequence[str] = (),
        vocabulary: Vocabulary | None = None,
    ) -> Extraction | NotRun:
        """As `extract`, beside an event loop; a cancelled call ends its connection."""
        if not checked_text("text", text).strip():
            return Extraction(shown=shown)
        request, read = self._about(text, shown, mistakes, vocabulary)
        return await self._ask_async(request, read)

    def extract_all(
        self,
        texts: Sequence[str],
        /,
        *,
        shown: Shown | Sequence[Shown],
        mistakes: Sequence[str] = (),
        deadline: float = 3600.0,
        every: float = 15.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> list[Extraction | NotRun]:
        """The facts of many texts by one message batch, in the order of the texts; cheaper, and later.

        `shown` is one list for all texts, or one for each. The batch is looked at `every` so many
        seconds until `deadline`, in seconds as well; one that has not ended then is canceled. Each
        text ends in an `Extraction` or a `NotRun` of its own. Raises `InvalidSetting`.
        """
        lists = checked_batch(texts, shown, deadline=deadline, every=every)
        items: list[Item | Extraction | NotRun] = []
        for text, one in zip(texts, lists, strict=True):
            if not text.strip():
                items.append(Extraction(shown=one))
                continue
            request, read = self._about(text, one, mistakes)
            items.append(self._unsent(request) or Item(request=request, read=read))
        return run_batch(self._asking, items, deadline=deadline, every=every, sleep=sleep)

    def _about(
        self,
        text: str,
        shown: Shown,
        mistakes: Sequence[str],
        vocabulary: Vocabulary | None = None,
    ) -> tuple[Request, Callable[[object], Extraction | NotRun]]:
        request = extract_request(
            text,
            shown=shown,
            mistakes=checked_lines("mistakes", mistakes),
            vocabulary=self._vocabulary,
            **self._sizes(),
        )
        own = vocabulary if self._vocabulary is None else self._vocabulary
        return request, partial(read_facts, shown=shown, vocabulary=own)

"""Adapters that answer from a script: for tests, notebooks and experiments, without a network.

A script is a list of raw answers, used up in order; a mapping from what is asked to a raw answer; or
a function of the same arguments as the method. A raw answer is what a model would write (text, bytes
or a JSON value) and goes through the same readers; a `NotRun` stands for a call that failed.
Raises `ScriptEnded` where a script has no answer.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from agm.directives import Extraction, NotRun, Reconstruction
from agm.llm.accounting import account
from agm.llm.adapting import checked_lines, checked_text
from agm.llm.asking import with_call
from agm.llm.batches import checked_batch
from agm.llm.envelopes import END
from agm.llm.errors import ScriptEnded
from agm.llm.prompts import CURRENT
from agm.llm.reading import read_facts, read_roles, read_text, read_verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import TypeAlias

    from agm.directives import Mention, ModelCall, Reason, Shown
    from agm.verdicts import Verdict
    from agm.vocabulary import Vocabulary

    Script: TypeAlias = "Sequence[object] | Mapping[Any, object] | Callable[..., object]"
    T = TypeVar("T")


class Scripted:
    """Takes answers from a script; `calls` holds their accounts, which cost nothing."""

    __slots__ = ("_asked", "_calls", "_lock", "_script", "model")

    def __init__(self, answers: Script, *, model: str = "scripted") -> None:
        self.model = model
        self._script = answers
        self._asked = 0
        self._calls: list[ModelCall] = []
        self._lock = threading.Lock()

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The accounts of all calls, oldest first."""
        return tuple(self._calls)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.model}, asked {self._asked} times>"

    def _answer(
        self,
        prompt: str,
        key: Hashable,
        ask: Callable[[Callable[..., object]], object],
        read: Callable[[object], T | NotRun],
    ) -> T | NotRun:
        raw = self._raw(key, ask)
        found = raw if isinstance(raw, NotRun) else read(raw)
        outcome = found.kind if isinstance(found, NotRun) else END
        call = account(self.model, f"{prompt}/{CURRENT[prompt]}", outcome)
        with self._lock:
            self._calls.append(call)
        return with_call(found, call)

    def _raw(self, key: Hashable, ask: Callable[[Callable[..., object]], object]) -> object:
        with self._lock:
            self._asked += 1
            asked = self._asked
        script = self._script
        if callable(script):
            return ask(script)
        if isinstance(script, Mapping):
            if key in script:
                return script[key]
        elif asked <= len(script):
            return script[asked - 1]
        raise ScriptEnded(asked, held=len(script))

    def _route(self, prompt: str) -> str:
        return f"model:{self.model}/{prompt}-{CURRENT[prompt]}"


class ScriptedExtractor(Scripted):
    """An `Extractor` by a script; a mapping is keyed by the text.

    The vocabulary, or without one that of a call, tells attributes from relations in the answers.

    >>> from agm.directives import Shown
    >>> extractor = ScriptedExtractor({"Tea, please.": {"facts": [{"text": "Tea is wanted."}]}})
    >>> extractor.extract("Tea, please.", shown=Shown(beliefs=())).facts[0].text
    'Tea is wanted.'
    """

    __slots__ = ("_vocabulary",)

    def __init__(
        self, answers: Script, *, model: str = "scripted", vocabulary: Vocabulary | None = None
    ) -> None:
        super().__init__(answers, model=model)
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
        """The facts of a text; a text without words states none, and uses up no answer."""
        if not checked_text("text", text).strip():
            return Extraction(shown=shown)
        checked_lines("mistakes", mistakes)
        own = vocabulary if self._vocabulary is None else self._vocabulary
        return self._answer(
            "extract",
            text,
            lambda script: script(text, shown=shown, mistakes=mistakes),
            partial(read_facts, shown=shown, vocabulary=own),
        )

    async def extract_async(
        self,
        text: str,
        /,
        *,
        shown: Shown,
        mistakes: Sequence[str] = (),
        vocabulary: Vocabulary | None = None,
    ) -> Extraction | NotRun:
        """As `extract`; a script never waits."""
        return self.extract(text, shown=shown, mistakes=mistakes, vocabulary=vocabulary)

    def extract_all(
        self,
        texts: Sequence[str],
        /,
        *,
        shown: Shown | Sequence[Shown],
        mistakes: Sequence[str] = (),
    ) -> list[Extraction | NotRun]:
        """The facts of many texts, in their order; `shown` is one list for all, or one for each."""
        lists = checked_batch(texts, shown)
        return [
            self.extract(text, shown=one, mistakes=mistakes)
            for text, one in zip(texts, lists, strict=True)
        ]


class ScriptedEntailment(Scripted):
    """An `Entailment` by a script; a mapping is keyed by the pair (new, old).

    >>> ScriptedEntailment([{"verdict": "paraphrase"}]).compare("a", "b")
    <Verdict paraphrase by model:scripted/compare-1>
    """

    __slots__ = ()

    def compare(self, new: str, old: str, /) -> Verdict | NotRun:
        """How a new text stands to an old one."""
        return self._answer(
            "compare",
            (new, old),
            lambda script: script(new, old),
            partial(read_verdict, route=self._route("compare")),
        )


class ScriptedJudge(Scripted):
    """A `Judge` by a script; a mapping is keyed by the pair (new, old)."""

    __slots__ = ()

    def judge(self, new: str, old: str, /, *, reason: Reason) -> Verdict | NotRun:
        """How the new side of a change stands to the old one."""
        return self._answer(
            "judge",
            (new, old),
            lambda script: script(new, old, reason=reason),
            partial(read_verdict, route=self._route("judge")),
        )


class ScriptedResynthesiser(Scripted):
    """A `Resynthesiser` by a script; a mapping is keyed by the text."""

    __slots__ = ()

    def resynthesise(self, text: str, /, *, changes: Sequence[str]) -> str | NotRun:
        """The text in the light of the changes; without changes the text itself."""
        if not checked_lines("changes", changes):
            return checked_text("text", text)
        return self._answer(
            "resynthesise", text, lambda script: script(text, changes=changes), read_text
        )


class ScriptedReconstructor(Scripted):
    """A `Reconstructor` by a script; a mapping is keyed by the slot."""

    __slots__ = ()

    def reconstruct(self, slot: str, mentions: Sequence[Mention], /) -> Reconstruction | NotRun:
        """The role of each mention; without mentions there are none, and no answer is used up."""
        if not mentions:
            return Reconstruction(roles=())
        return self._answer(
            "reconstruct",
            slot,
            lambda script: script(slot, mentions),
            partial(read_roles, count=len(mentions)),
        )

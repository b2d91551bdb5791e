"""A conversation taken in turn by turn: what is believed is shown, facts and directives come back, the gates decide.

`Session.say` is one turn: show, extract, record.  The extractor is asked before anything is written and
outside every transaction; an answer that cannot be used changes no belief.  `Session.say_async` waits for
the network without blocking; everything else is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from agm.directives import Extraction, NotRun
from agm_store.entries import micros
from agm_store.errors import InvalidArgument
from agm_store.statements import checked_text
from agm_store.usable import usable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm.directives import Extractor, Shown
    from agm_store.beliefs import BeliefStore
    from agm_store.receipts import BatchReceipt


_RECENT = 4
"""One place in so many of the list is kept for what was told last, whatever its words."""


_LAST = 10**12
"""More turns than a conversation has."""


class Learner(Protocol):
    """Finds past mistakes that a text may lead to again."""

    def mistakes(self, text: str, /) -> Sequence[str]:
        """Lines about similar mistakes, the most similar first."""


class Session:
    """One conversation with a store; each turn is an episode of it.

    ``source`` names the conversation: what it told can be found, and withdrawn, by that name. It and
    ``entrenchment`` come from the call; nothing that a speaker or a model says can change them.
    ``limit`` is how many current beliefs a model is shown at most. The extractor keeps its own deadline.
    One whose method takes a ``vocabulary`` gets the store's with each turn, so that it reads flat claims by
    what is declared; those of `agm.llm` use it where they were given none.
    """

    def __init__(
        self,
        store: BeliefStore,
        extractor: Extractor,
        *,
        source: str,
        entrenchment: str = "inferred",
        limit: int = 20,
        learner: Learner | None = None,
    ) -> None:
        if not callable(getattr(extractor, "extract", None)):
            raise InvalidArgument("extractor", extractor, "an object with a method extract")
        self._store, self._extractor, self._learner = store, extractor, learner
        self._source, self._entrenchment = _checked_source(source), entrenchment
        self._limit = limit
        self._said = 0
        store.show("", limit=limit)  # refuses a bad limit now, not at the first turn
        store._context.rank(checked_text("entrenchment", entrenchment))  # noqa: SLF001  as above

    def say(self, text: str, /, *, at: datetime | None = None) -> BatchReceipt:
        """Take in one turn and answer what became of each of its facts.

        ``at`` is when it was said, kept with the episode; facts without times hold from when they are told.

        Raises:
            InvalidArgument: the text says nothing or cannot be stored; nothing is asked.
        """
        shown, given = self._before(text, at)
        given |= self._meanings("extract")
        return self._record(self._extracted(text, given), shown, at)

    async def say_async(self, text: str, /, *, at: datetime | None = None) -> BatchReceipt:
        """Take in one turn as `say` does, without blocking the event loop while the model answers.

        An extractor with a coroutine method ``extract_async`` is awaited; another runs in a thread.

        Raises:
            InvalidArgument: the text says nothing or cannot be stored; nothing is asked.
        """
        import asyncio

        shown, given = self._before(text, at)
        waited = getattr(self._extractor, "extract_async", None)
        given |= self._meanings("extract" if waited is None else "extract_async")
        try:
            if waited is None:
                answer: object = await asyncio.to_thread(self._extracted, text, given)
            else:
                answer = await waited(text, **given)
        except Exception as error:  # noqa: BLE001  whatever it is, the turn has no facts
            answer = _raised(error)
        return self._record(answer, shown, at)

    def _meanings(self, method: str) -> dict[str, Any]:
        """What the store declares, where a method of the extractor takes it by name."""
        from inspect import signature

        try:
            takes = "vocabulary" in signature(getattr(self._extractor, method)).parameters
        except Exception:  # noqa: BLE001  one that says nothing of its arguments is given no more
            takes = False
        return {"vocabulary": self._store.vocabulary} if takes else {}

    def _extracted(self, text: str, given: dict[str, Any]) -> object:
        """What the extractor answers.  Its errors end here: no future would take a `StopIteration`."""
        try:
            return self._extractor.extract(text, **given)
        except Exception as error:  # noqa: BLE001  whatever it is, the turn has no facts
            return _raised(error)

    def _before(self, text: str, at: datetime | None) -> tuple[Shown, dict[str, Any]]:
        """The list that is shown, and what any extractor is given; everything is checked before it is asked."""
        if not checked_text("text", text).strip():
            raise InvalidArgument("text", text, "a turn that says something")
        if at is not None:
            micros(at)
        mistakes = () if self._learner is None else tuple(self._learner.mistakes(text))
        recent = -(-self._limit // _RECENT)
        shown = self._store.show(text, limit=self._limit, recent=recent)
        return shown, {"shown": shown, "mistakes": mistakes}

    def _record(self, answer: object, shown: Shown, at: datetime | None) -> BatchReceipt:
        if isinstance(answer, Extraction) and answer.shown != shown:
            answer = NotRun(
                kind="other_list",
                detail="the extraction speaks of another list than the one that was shown",
                call=answer.call,
            )
        answer = usable(answer)
        turn = self._turn(at) if isinstance(answer, Extraction) and answer.facts else None
        return self._store.tell_all(
            answer, entrenchment=self._entrenchment, source=self._source, episode=turn
        )

    def _turn(self, at: datetime | None) -> str:
        """The episode of this turn; one that an earlier session with the source made is not used again."""
        with self._store.transaction():  # so that no other session takes the same name meanwhile
            if self._store.episodes(self._source)[0].kind is None:
                self._store.episode(self._source, kind="conversation")
            self._said += 1
            while self._store.episodes(name := f"{self._source}/{self._said}")[0].kind is not None:
                self._said += 1
            self._store.episode(name, kind="turn", at=at, parent=self._source)
        return name


def _checked_source(source: str) -> str:
    """The name of a conversation, with room for the number of a turn after it."""
    checked_text("turn", f"{checked_text('source', source)}/{_LAST}")
    if not source.strip():
        raise InvalidArgument("source", source, "the name of a conversation")
    return source


def _raised(error: Exception) -> NotRun:
    """An extractor that raised; its words may quote the turn, so only the kind of error is kept."""
    return NotRun(kind="raised", detail=type(error).__name__)

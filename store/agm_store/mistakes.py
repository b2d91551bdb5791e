"""Similar mistakes of the past, as lines to be put before the next extraction.

`similar` gives lines, `nearest` the corrections themselves; `Learner` does it for a store and remembers what
it learnt while the journal stands still.  Similar is what shares the subject (the predicate that is spoken
of) and the cues (``cues``), directly or by way of other mistakes; of the like, different ones are taken.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from agm_store.cues import Cues, NamedWords, Subjects, cosine, said, scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm_store.beliefs import BeliefStore
    from agm_store.cues import Said
    from agm_store.examples import Correction

LIMIT = 5
"""Examples that are shown by default."""
LONGEST = 300
"""Characters that a line quotes of a text, a claim or a note."""
_NEIGHBOURS = 15
"""Mistakes by whose cues those of a text are widened."""
_SUBJECT = 0.2
"""The weight of the subject, as log-probability, against that of the cues."""
_LEAST = 1e-4
_ALIKE = 0.5
"""How much likeness to what was taken already counts against a mistake."""
_GROWTH = 50
"""By one part in so many a journal grows before a learner learns anew."""
_LOOKED_AT = 60
"""The best mistakes among which different ones are taken."""


class Mistakes:
    """The mistakes among some corrections, ready to be searched."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        given = list(corrections)
        found = {c.wrong: c for c in given if c.mistake and _words(c)}
        self.examples = tuple(found.values())
        """One a misread statement: the last that was said of it."""
        told = [said(_words(c), c.claim) for c in self.examples]
        others = list(dict.fromkeys(_others(given, frozenset(found))))
        names = NamedWords([*told, *others])
        self._subjects = Subjects([*told, *others], names)
        self._cues = Cues(told, others, names, self._subjects)
        self._predicates = [one.predicate for one in told]
        self._vectors = [self._cues.of(one.text) for one in told]
        self._holding: dict[str, list[tuple[int, float]]] = {}
        for place, vector in enumerate(self._vectors):
            for word, weight in vector.items():
                self._holding.setdefault(word, []).append((place, weight))

    def nearest(self, text: str, *, limit: int = LIMIT) -> tuple[Correction, ...]:
        """The mistakes most like what a text invites, best first.

        Raises:
            InvalidArgument: the text is none, or the limit is no whole number from 1 on.
        """
        _checked(text, limit)
        if not self.examples:
            return ()
        likeness = self._likeness(self._widened(self._cues.of(text)))
        subjects = self._subjects.of(text)
        best = max(subjects, key=lambda p: subjects[p])
        scores = {
            place: near + _SUBJECT * log(subjects[predicate] + _LEAST)
            for place, (near, predicate) in enumerate(zip(likeness, self._predicates, strict=True))
            if near > 0 or predicate == best
        }
        return tuple(self.examples[place] for place in self._different(scores, limit))

    def _likeness(self, vector: dict[str, float]) -> list[float]:
        """How near each mistake is to a vector of cues."""
        found = [0.0] * len(self._vectors)
        for word, weight in vector.items():
            for place, other in self._holding.get(word, ()):
                found[place] += weight * other
        return found

    def _widened(self, vector: dict[str, float]) -> dict[str, float]:
        """Cues together with those of the mistakes that share some of them, whatever these speak of."""
        near = self._likeness(vector)
        ranked = sorted((-score, -place) for place, score in enumerate(near) if score > 0)
        more: dict[str, float] = {}
        for score, place in ranked[:_NEIGHBOURS]:
            for word, weight in self._vectors[-place].items():
                more[word] = more.get(word, 0.0) + score * score * weight
        wide = scaled(more)
        return scaled({w: vector.get(w, 0.0) + wide.get(w, 0.0) for w in {**vector, **wide}})

    def _different(self, scores: dict[int, float], limit: int) -> list[int]:
        """The best places, each less welcome the more it is like one that was taken; the later of equals first."""
        waiting = sorted(scores, key=lambda place: (scores[place], place), reverse=True)[
            :_LOOKED_AT
        ]
        likest = dict.fromkeys(waiting, 0.0)
        taken: list[int] = []
        while waiting and len(taken) < limit:
            best = max(waiting, key=lambda p: (scores[p] - _ALIKE * likest[p], p))
            taken.append(best)
            waiting.remove(best)
            for place in waiting:
                near = cosine(self._vectors[place], self._vectors[best])
                likest[place] = max(likest[place], near)
        return taken


def _checked(text: object, limit: object) -> None:
    from agm_store.errors import InvalidArgument

    if not isinstance(text, str):
        raise InvalidArgument("text", text, "a text, as str")
    if type(limit) is not int or limit < 1:
        raise InvalidArgument("limit", limit, "a whole number from 1 on")


def _words(correction: Correction) -> str:
    """The words by which a mistake is found: its text, else its claim; empty when they were redacted."""
    return correction.text or correction.claim or ""


def _others(corrections: Iterable[Correction], wrong: frozenset[str]) -> Iterator[Said]:
    """The statements on all sides that are no mistakes."""
    for one in corrections:
        for belief, text, claim in (
            (one.wrong, one.text, one.claim),
            (one.right, one.right_text, one.right_claim),
        ):
            if text and belief not in wrong:
                yield said(text, claim)


def nearest(
    corrections: Iterable[Correction], text: str, *, limit: int = LIMIT
) -> tuple[Correction, ...]:
    """The mistakes among some corrections that are most like what a text invites, best first."""
    return Mistakes(corrections).nearest(text, limit=limit)


def similar(corrections: Iterable[Correction], text: str, *, limit: int = LIMIT) -> tuple[str, ...]:
    """Lines about similar mistakes, for the `mistakes` of an extractor, best first."""
    return tuple(line(found) for found in nearest(corrections, text, limit=limit))


def line(correction: Correction) -> str:
    """A mistake in one line: what was said, as what it was read, and what was right."""
    from json import dumps

    words = _words(correction)
    read = _cut(correction.claim or _directive(correction) or "a statement of its own")
    note = f" ({dumps(_cut(correction.note), ensure_ascii=False)})" if correction.note else ""
    return (
        f"{dumps(_cut(words), ensure_ascii=False)} was read as {read}; {_outcome(correction)}{note}"
    )


def _directive(correction: Correction) -> str:
    """The directive that words without a claim were read as; empty when they were read as none."""
    asked = correction.directive.splitlines()
    return "an order to retract " + " and ".join(asked) if asked else ""


def _cut(text: str) -> str:
    """A text as far as a line quotes it: lines of any length would leave a request no room."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _outcome(correction: Correction) -> str:
    right = _cut(correction.right_claim or correction.right_text or "")
    if correction.mode is not None:
        return f"it was meant as {correction.mode}" + (f", {right} stands" if right else "")
    if correction.deed in ("revert", "dismiss", "decline"):
        return "that was taken back" + (f", {right} stands" if right else "")
    return f"right was {right}" if right else "that was never true"


class Learner:
    """What a session asks for the mistakes that a text invites; it learns from the store's own corrections.

    It learns anew once ``every`` entries were written since; by default once the journal has grown by a
    fiftieth, so that what learning costs an entry does not grow with the journal.
    """

    def __init__(self, store: BeliefStore, *, limit: int = LIMIT, every: int | None = None) -> None:
        from agm_store.errors import InvalidArgument

        given: dict[str, object] = {"limit": limit, "every": 1 if every is None else every}
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InvalidArgument(name, value, "a whole number from 1 on")
        self._store, self._limit, self._every = store, limit, every
        self._known: Mistakes | None = None
        self._upto = 0

    def mistakes(self, text: str, /) -> tuple[str, ...]:
        """Lines about the mistakes of the past that are most like what a text invites."""
        entries = self._store.at().known
        after = max(1, self._upto // _GROWTH) if self._every is None else self._every
        if self._known is None or entries - self._upto >= after:
            self._known, self._upto = Mistakes(self._store.corrections()), entries
        return tuple(line(found) for found in self._known.nearest(text, limit=self._limit))

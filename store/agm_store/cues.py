r"""What texts of corrections have in common, learnt from the corrections alone: no list of words is built in.

Three things are learnt.  *Names*: entities and values, from claims; they tell nothing of a way to err.
*Subjects*: which words speak of which predicate, by their counts over all claims with a text.  *Cues*:
words that mistakes hold more often than other statements do.  Only the sentences that name an entity are
looked at, where a text has such.

>>> sentences("It was late. Is the TTL 300? No.")
('It was late.', 'Is the TTL 300?', 'No.')
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from agm_store.wording import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_ENDS = re.compile(r"(?<=[.?!\n])\s+")
_SHRUNK = 4.0
"""Counts by which a word's ties to a predicate are drawn to those of all words."""
_CHANCE = 6.0
"""What a test of independence must exceed, beyond its degrees of freedom, before a word counts for a predicate."""
NUMBER, ASKED = "#", "?"


class Said(NamedTuple):
    """A text and the claim that was taken from it."""

    text: str
    predicate: str
    entities: tuple[str, ...]
    values: tuple[str, ...]


@lru_cache(maxsize=4096)
def said(text: str, claim: str | None) -> Said:
    """A text with the predicate, the entities and the values of its claim, as far as it has one."""
    if claim is None:
        return Said(text, "", (), ())
    from agm.claims import Atom, slot_literal
    from agm.syntax import parse

    found = parse(claim)
    literal = slot_literal(found)
    if literal is not None:
        key, value = literal
        return Said(text, key.predicate, key.entities, (str(value),))
    if isinstance(found, Atom):
        return Said(text, found.predicate, tuple(map(str, found.args)), ())
    keys = sorted(found.keys, key=str)
    entities = tuple(dict.fromkeys(e for key in keys for e in key.entities))
    return Said(text, keys[0].predicate if keys else "", entities, ())


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, as points, question marks and lines part them."""
    return tuple(part for part in _ENDS.split(text) if part.strip())


class NamedWords:
    """The entities and values that claims name."""

    def __init__(self, told: Iterable[Said]) -> None:
        self._entities: set[str] = set()
        self._values: set[str] = set()
        for one in told:
            for entity in one.entities:
                self._entities.update(words(entity))
            for value in one.values:
                self._values.update(word for word in words(value) if not word.isdigit())

    def focus(self, text: str) -> str:
        """The sentences that name an entity; the whole text when none does."""
        found = [s for s in sentences(text) if not self._entities.isdisjoint(words(s))]
        return " ".join(found) or text

    def kept(self, text: str, *, values: bool) -> list[str]:
        """The words that name no entity, numbers as one word, values too unless they are wanted."""
        return [
            NUMBER if word.isdigit() or (not values and word in self._values) else word
            for word in words(text)
            if word not in self._entities
        ]


class Subjects:
    """Which words, and pairs of words, speak of which predicate."""

    def __init__(self, told: Sequence[Said], names: NamedWords) -> None:
        self._names = names
        self._counts: Counter[str] = Counter(one.predicate for one in told)
        self._ties: dict[str, Counter[str]] = {}
        for one in told:
            for word in self._features(one.text):
                self._ties.setdefault(word, Counter())[one.predicate] += 1
        self._priors = {p: c / len(told) for p, c in sorted(self._counts.items())}

    def _features(self, text: str) -> list[str]:
        kept = self._names.kept(text, values=True)
        pairs = (f"{a} {b}" for a, b in pairwise(kept))
        return sorted({*kept, *pairs})

    def of(self, text: str) -> Mapping[str, float]:
        """How probable it is, for each predicate, that a text speaks of it."""
        scores = dict.fromkeys(self._priors, 0.0)
        for word in self._features(text):
            ties = self._ties.get(word)
            weight = 0.0 if ties is None else self._weight(ties)
            if ties is None or not weight:
                continue
            for predicate, share in self._shares(ties).items():
                scores[predicate] += weight * log(share / self._priors[predicate])
        top = max(scores.values(), default=0.0)
        odds = {p: exp(score - top) for p, score in scores.items()}
        whole = sum(odds.values())
        return {p: odd / whole for p, odd in odds.items()}

    def tells(self, word: str) -> float:
        """How much a word tells of the predicate: 0 nothing, 1 all."""
        ties = self._ties.get(word)
        if ties is None or len(self._priors) < 2:  # one predicate: nothing to tell
            return 0.0
        unsure = -sum(share * log(share) for share in self._shares(ties).values())
        return max(0.0, 1 - unsure / log(len(self._priors)))

    def _shares(self, ties: Counter[str]) -> dict[str, float]:
        whole = ties.total() + _SHRUNK
        return {p: (ties[p] + _SHRUNK * prior) / whole for p, prior in self._priors.items()}

    def _weight(self, ties: Counter[str]) -> float:
        """How far the ties of a word are beyond what chance gives, from 0 to 1; by the G statistic."""
        count = ties.total()
        g = 2 * sum(n * log(n / (count * self._priors[p])) for p, n in sorted(ties.items()))
        return 0.0 if g <= 0 else max(0.0, 1 - (len(self._priors) - 1 + _CHANCE) / g)


class Cues:
    """The words by which mistakes differ from other statements, each with a weight."""

    def __init__(
        self,
        mistakes: Sequence[Said],
        others: Sequence[Said],
        names: NamedWords,
        subjects: Subjects,
    ) -> None:
        self._names = names
        wrong = Counter(word for one in mistakes for word in self._features(one.text))
        right = Counter(word for one in others for word in self._features(one.text))
        self._weights: dict[str, float] = {}
        for word, n in sorted(wrong.items()):
            more = log((n + 0.5) / (len(mistakes) + 1)) - log(
                (right[word] + 0.5) / (len(others) + 1)
            )
            rare = log(1 + (len(mistakes) - n + 0.5) / (n + 0.5))
            weight = more * rare * (1 - subjects.tells(word))
            if weight > 0:
                self._weights[word] = weight

    def _features(self, text: str) -> list[str]:
        focus = self._names.focus(text)
        found = set(self._names.kept(focus, values=False)) - {NUMBER}
        return sorted({*found, ASKED} if ASKED in focus else found)

    def of(self, text: str) -> dict[str, float]:
        """The cues of a text, as a vector of length one; empty when it has none."""
        return scaled({w: self._weights[w] for w in self._features(text) if w in self._weights})


def scaled(vector: Mapping[str, float]) -> dict[str, float]:
    """A vector at length one, its parts in order of their names."""
    size = sum(vector[word] ** 2 for word in sorted(vector)) ** 0.5
    return {word: vector[word] / size for word in sorted(vector)} if size else {}


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How near two vectors of length one are."""
    return sum(weight * other[word] for word, weight in one.items() if word in other)

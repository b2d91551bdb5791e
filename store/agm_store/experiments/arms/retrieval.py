"""Transcript retrieval: every turn is kept; the best hits for the question are read, the latest first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agm_store.wording import words

if TYPE_CHECKING:
    from agm_store.experiments.conversations import Label, Question, Turn

HITS, K1, B = 8, 1.2, 0.75


class Retrieval:
    """Ranks turns by BM25 over their words (Robertson and Walker, 1994)."""

    def __init__(self) -> None:
        self._turns: list[tuple[Turn, list[str]]] = []

    def observe(self, turn: Turn) -> None:
        """Keep the turn as it was said."""
        self._turns.append((turn, words(turn.text)))

    def answer(self, question: Question) -> str | None:
        """What the latest of the best hits asserts of the slot."""
        terms = [(w, self._rarity(w)) for w in dict.fromkeys(words(question.text))]
        mean = sum(len(said) for _, said in self._turns) / max(len(self._turns), 1)

        def score(said: list[str]) -> float:
            norm = K1 * (1 - B + B * len(said) / mean)
            return sum(r * said.count(w) * (K1 + 1) / (said.count(w) + norm) for w, r in terms)

        ranked = sorted(self._turns, key=lambda t: -score(t[1]))[:HITS]
        for turn, _ in sorted(ranked, key=lambda t: t[0].at, reverse=True):
            for label in turn.labels:
                if label.slot == question.slot and label.mode == "assertion":
                    return label.value
        return None

    def _rarity(self, word: str) -> float:
        holding = sum(word in said for _, said in self._turns)
        return math.log(1 + (len(self._turns) - holding + 0.5) / (holding + 0.5))

    def remembers(self, label: Label) -> bool:
        """Whether some turn was labelled so."""
        said = (x for turn, _ in self._turns for x in turn.labels)
        return any((x.slot, x.value) == (label.slot, label.value) for x in said)

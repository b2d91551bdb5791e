"""Append and recency: every fact is kept, and the one that was asserted last answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agm_store.experiments.conversations import Label, Question, Turn


class Recency:
    """A growing list of facts; what is no assertion is kept and never answers."""

    def __init__(self) -> None:
        self._facts: list[Label] = []

    def observe(self, turn: Turn) -> None:
        """Append what the turn says."""
        self._facts.extend(turn.labels)

    def answer(self, question: Question) -> str | None:
        """The value that was asserted last."""
        for fact in reversed(self._facts):
            if fact.slot == question.slot and fact.mode == "assertion":
                return fact.value
        return None

    def remembers(self, label: Label) -> bool:
        """Whether the list has it."""
        return any((f.slot, f.value) == (label.slot, label.value) for f in self._facts)

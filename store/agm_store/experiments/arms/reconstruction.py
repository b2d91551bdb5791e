"""Read-time reconstruction: the mentions of a slot in order of time, updates told from references."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from agm_store.experiments.conversations import Label, Question, Turn


class Reconstruction:
    """Keeps every mention, and reads them anew for each question."""

    def __init__(self) -> None:
        self._mentions: list[tuple[datetime, Label]] = []

    def observe(self, turn: Turn) -> None:
        """Keep the mention under the moment that it speaks of, or at which it was made."""
        self._mentions += [(label.valid_from or turn.at, label) for label in turn.labels]

    def answer(self, question: Question) -> str | None:
        """The value of the latest update; what is labelled as a reference, or reads as one, is none."""
        updates = [
            (at, number, label.value)
            for number, (at, label) in enumerate(self._mentions)
            if label.slot == question.slot and label.mode == "assertion" and at <= question.at
            if not (label.cue and label.valid_from is None)
        ]
        return max(updates)[2] if updates else None

    def remembers(self, label: Label) -> bool:
        """Whether it was mentioned."""
        return any((m.slot, m.value) == (label.slot, label.value) for _, m in self._mentions)

"""Write-time latest-wins: one value a slot; an assertion overwrites it, a directive deletes its target."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agm_store.experiments.conversations import Label, Question, Turn


class LatestWins:
    """A dictionary of current values, as small as a memory can be."""

    def __init__(self) -> None:
        self._current: dict[tuple[str, str], str] = {}

    def observe(self, turn: Turn) -> None:
        """Carry out the directives of what the turn asserts, then write it."""
        for label in turn.labels:
            if label.mode != "assertion":
                continue
            aim = label.target
            if aim is not None and self._current.get((aim.entity, aim.attribute)) == aim.value:
                del self._current[aim.entity, aim.attribute]
            self._current[label.slot] = label.value

    def answer(self, question: Question) -> str | None:
        """The value that is there."""
        return self._current.get(question.slot)

    def remembers(self, label: Label) -> bool:
        """Whether it was not overwritten."""
        return self._current.get(label.slot) == label.value

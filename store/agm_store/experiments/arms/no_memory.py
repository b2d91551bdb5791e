"""No memory: the model answers from the last turns alone, which still stand in its context."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agm_store.experiments.conversations import Question, Turn

WINDOW = 6


class NoMemory:
    """Keeps the last turns, and reads the latest assertion in them."""

    def __init__(self) -> None:
        self._turns: deque[Turn] = deque(maxlen=WINDOW)

    def observe(self, turn: Turn) -> None:
        """Hear a turn; the oldest falls out."""
        self._turns.append(turn)

    def answer(self, question: Question) -> str | None:
        """The value that was asserted last within the window."""
        for turn in reversed(self._turns):
            for label in turn.labels:
                if label.slot == question.slot and label.mode == "assertion":
                    return label.value
        return None

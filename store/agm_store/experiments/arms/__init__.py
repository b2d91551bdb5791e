"""The arms: ways to remember a conversation, each in a module of its own, written as its advocate would.

An arm hears turns in order and answers questions in between; what it knows of a turn is when it was said, by
whom, the words and the labels. All arms of a run hear the same.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from agm_store.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.experiments.conversations import Label, Question, Turn

    Arms = Callable[[], "Arm"]
    """What makes a new arm for each conversation; to be picklable it is a class or function of a module."""


class Arm(Protocol):
    """One way to remember a conversation.

    An arm may also have a method ``remembers(label) -> bool``: whether it can still find that somebody said
    this value of this slot. Then a run counts the facts that it lost.
    """

    def observe(self, turn: Turn, /) -> None:
        """Hear the next turn."""

    def answer(self, question: Question, /) -> str | None:
        """The value that is so now; None when it does not know."""


class Remembering(Arm, Protocol):
    """An arm that can say what it can still find."""

    def remembers(self, label: Label, /) -> bool:
        """Whether a value of a slot is found in what it keeps."""


ARMS = {
    "no-memory": "no_memory:NoMemory",
    "retrieval": "retrieval:Retrieval",
    "recency": "recency:Recency",
    "latest-wins": "latest_wins:LatestWins",
    "reconstruction": "reconstruction:Reconstruction",
    "library": "library:Library",
}
"""The arms that come with the library, by name."""


def arm_of(arm: str | Arms) -> tuple[str, Arms]:
    """The name of an arm and what makes it; an arm of one's own is named as its class or function.

    Raises:
        InvalidArgument: there is no arm of the name, or it makes none.
    """
    if isinstance(arm, str):
        if arm not in ARMS:
            raise InvalidArgument("arms", arm, f"one of {', '.join(ARMS)}, or what makes an arm")
        module, _, name = ARMS[arm].partition(":")
        return arm, cast("Arms", getattr(import_module(f"{__name__}.{module}"), name))
    name = getattr(arm, "__name__", "")
    if not name or not callable(arm):
        raise InvalidArgument(
            "arms", arm, f"one of {', '.join(ARMS)}, or a class or function that makes an arm"
        )
    return name, arm

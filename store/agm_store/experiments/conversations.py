"""What an experiment is made of: conversations with a known truth, as frozen values that pickle.

`Label` is what an extractor gives for one thing said; `Turn` is all that an arm hears of a turn; `Question`
is what it is asked. `Scenario` ties them together and alone knows the truth: what each turn meant, and the
right answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003  readers of these values resolve their types
from typing import Literal

from agm.directives import Action, Mode, Reason  # noqa: TC001  as above

TRUTH = "truth"
"""Where labels come from that no model gave."""
Speaker = Literal["owner", "guest"]
"""Who speaks: the owner of the settings, or somebody who talks of them in passing."""
Meaning = Literal[
    "chatter", "told", "update", "mention", "reference", "correction", "override", "late", "back"
]  # fmt: skip
"""What a turn does: it says nothing of a slot; tells a value first; changes it; says the current one again;
speaks of a former one; takes the current one back as never true; contradicts it without a say in it; reports
a former stretch late; changes it to a former value."""


@dataclass(frozen=True, slots=True)
class Target:
    """The belief that a directive aims at, named by what it says."""

    entity: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What an extractor gives for one thing that a turn says.

    ``cue`` says that the words speak of the past (used to, back when, in March it was); it is read off the
    words, so no noise changes it. ``valid_from`` is a moment that the words name.
    """

    entity: str
    attribute: str
    value: str
    mode: Mode = "assertion"
    confidence: float | None = None
    valid_from: datetime | None = None
    target: Target | None = None
    action: Action = "supersede"
    reason: Reason | None = None
    cue: bool = False

    @property
    def slot(self) -> tuple[str, str]:
        """What it speaks of."""
        return self.entity, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """All that an arm hears of one turn: when, by whom, the words, and what an extractor made of them."""

    at: datetime
    speaker: Speaker
    text: str
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is so now? It is asked at a moment, after some number of turns."""

    at: datetime
    after: int
    entity: str
    attribute: str
    text: str

    @property
    def slot(self) -> tuple[str, str]:
        """What it asks for."""
        return self.entity, self.attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A conversation, what each turn meant, and questions with the right answers; made by `scenarios`.

    ``labelled`` says where the labels come from: ``truth``, or the name of a model.
    """

    kind: str
    seed: int
    turns: tuple[Turn, ...]
    meant: tuple[Meaning, ...]
    questions: tuple[Question, ...]
    right: tuple[str, ...]
    labelled: str = TRUTH

    @property
    def name(self) -> str:
        """By what it is found again in records."""
        return f"{self.kind}/{self.seed}"

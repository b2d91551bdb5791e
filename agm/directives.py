"""What a language model may ask for: facts, and directives on beliefs it was shown.

Values first: `ModelCall` (what one request was and took), `Shown` (a numbered list), `Resolves`
(one directive: an index of that list, an action, a reason), `Fact`, `Extraction` (the facts and the
very list they speak of), `NotRun` (no answer that can be used). `parse_extraction` reads a model's
answer strictly. Then the protocols that adapters fit: values in, a value or `NotRun` out.

A directive with a fault is refused and does nothing; its fact is kept with the refusal in
`Fact.refused`, so that whoever records it can hold it whole. What a model writes is data: source,
owner, class, tier and recorded time are no part of these values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from decimal import Decimal

    from agm.beliefs import BeliefId
    from agm.claims import Claim
    from agm.errors import InvalidDirective
    from agm.values import Unknown
    from agm.verdicts import Verdict
    from agm.vocabulary import Vocabulary

Mode = Literal["assertion", "historical", "hypothetical", "reported", "question"]
"""How a fact was said; only assertions are in force."""
Action = Literal["supersede", "retract"]
"""Whether something takes the target's place, or nothing does."""
Reason = Literal["correction", "temporal_change"]
"""Whether the target was never true, or was and is no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One request to a model: which model and prompt, how it ended, and what it took.

    `prompt` is the name and version of the prompt, as `extract/1`. `outcome` is the model's reason
    to stop, or the kind of the `NotRun`. Token counts are those the provider bills: `input_tokens`
    leaves out what was read from its cache or written to it. `micros` is wall time in microseconds,
    `cost` the price in dollars where prices were given. No text of either side is part of it.
    """

    model: str
    prompt: str
    outcome: str
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    micros: int = 0
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The numbered list (from 0) that an extractor saw; an index means nothing without it."""

    beliefs: Sequence[BeliefId]
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolves:
    """A directive: what becomes of one belief of the list, and why.

    `path` says where in the model's answer it stood.
    """

    session_index: int
    action: Action
    reason: Reason
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement that was found in a text, with the directives it carries.

    `text` is empty when only a claim was given. `confidence` is in [0, 1], None when the model gave
    none. Times are aware; `valid_from` is `UNKNOWN` when the model said that nobody knows it.
    `refused` lists what is wrong with the fact or its directives; such a fact is held whole.
    """

    text: str = ""
    claim: Claim | None = None
    resolves: Sequence[Resolves] = ()
    mode: Mode = "assertion"
    confidence: float | None = None
    valid_from: datetime | Unknown | None = None
    valid_to: datetime | None = None
    refused: Sequence[InvalidDirective] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The facts of one answer together with the list that its indices mean.

    `call` is the request that made it, None where no model was asked.
    """

    shown: Shown
    facts: Sequence[Fact] = ()
    call: ModelCall | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why there is no answer: a `kind` for programs (as `unparseable`, `timeout`) and a `detail` for people."""

    kind: str
    detail: str = ""
    call: ModelCall | None = field(default=None, compare=False, kw_only=True)


def parse_extraction(
    raw: str | bytes | object, *, shown: Shown, vocabulary: Vocabulary | None = None
) -> Extraction | NotRun:
    """The facts of a model's answer, `{"facts": [...]}` as text, bytes or JSON value.

    Never raises on what a model can write: an answer that is no such object is a `NotRun` of kind
    `unparseable`, one of more facts, directives or characters than are read of kind `too_large`; a
    fact with a fault carries all its faults, and the others go on. The vocabulary tells attributes
    from relations in flat claims.

    >>> shown = Shown(beliefs=["b1"])
    >>> found = parse_extraction(
    ...     '{"facts": [{"text": "x", "resolves": '
    ...     '{"session_index": 1, "action": "drop", "reason": "correction"}}]}',
    ...     shown=shown,
    ... )
    >>> found.facts[0].refused[0].codes
    ('index_out_of_range', 'unknown_action')
    >>> parse_extraction("no JSON", shown=shown).kind
    'unparseable'
    """
    from agm.answers import read_answer

    return read_answer(raw, shown, vocabulary)


def listed(count: int) -> str:
    """What the indices of a list of this length are, in words.

    >>> listed(3)
    'the list shown has 3 beliefs, numbered from 0 to 2'
    """
    if not count:
        return "the list shown is empty, so no index means anything"
    return f"the list shown has {count} beliefs, numbered from 0 to {count - 1}"


class Extractor(Protocol):
    """Reads a text and says what it states, and which of the shown beliefs it resolves."""

    def extract(
        self, text: str, /, *, shown: Shown, mistakes: Sequence[str] = ()
    ) -> Extraction | NotRun:
        """The facts of a text; `mistakes` are lines about similar errors made before."""


class Entailment(Protocol):
    """Compares two texts that no solver can read."""

    def compare(self, new: str, old: str, /) -> Verdict | NotRun:
        """How a new text stands to an old one."""


class Judge(Protocol):
    """Decides what is too uncertain to be applied and too certain for a person's desk."""

    def judge(self, new: str, old: str, /, *, reason: Reason) -> Verdict | NotRun:
        """How the new side of a directive stands to the old one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One time that a slot was spoken of: the words, and the value named where one is known."""

    at: datetime
    text: str
    value: str | None = None


Role = Literal["update", "reference"]
"""Whether a mention says what is so from then on, or speaks of the past or in passing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstruction:
    """The role of each mention of a slot, in the order in which they were given."""

    roles: Sequence[Role]
    call: ModelCall | None = field(default=None, compare=False)


class Reconstructor(Protocol):
    """Reads how a slot was spoken of over time, and tells updates from references to the past."""

    def reconstruct(self, slot: str, mentions: Sequence[Mention], /) -> Reconstruction | NotRun:
        """The role of each mention; the mentions come in chronological order."""


class Embedder(Protocol):
    """Turns texts into vectors that lie close together when the texts mean much the same."""

    def embed(self, texts: Sequence[str], /) -> Sequence[Sequence[float]]:
        """A vector for each text, all of one size."""


class Resynthesiser(Protocol):
    """Writes a description anew after what it rested on has changed."""

    def resynthesise(self, text: str, /, *, changes: Sequence[str]) -> str | NotRun:
        """The text in the light of the changes."""

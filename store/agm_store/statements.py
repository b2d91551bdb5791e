"""What a caller says of one statement, checked before anything is written; names and texts as they may be stored.

`utterance` checks and gives `Utterance`, from which `telling.record` makes an entry.
"""

from __future__ import annotations

from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING

from agm.claims import Atom, Claim, slot_literal
from agm.errors import AgmError
from agm.values import UNKNOWN
from agm.values import literal as literal_text
from agm_store.entries import micros, moment
from agm_store.errors import InvalidArgument, InvertedInterval
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from agm import Vocabulary
    from agm.values import Unknown
    from agm_store.context import Context
    from agm_store.entries import Body

MODES = ("assertion", "historical", "hypothetical", "reported", "question")
MAX_TEXT = 65_536
"""Characters of a text or a name that a statement may carry."""


class Utterance:
    """What a caller says of one statement, checked; times in UTC microseconds."""

    __slots__ = (
        "body",
        "claim",
        "count",
        "end",
        "explicit",
        "rank",
        "start",
        "statement",
        "told",
        "undated",
        "vocabulary",
    )

    def __init__(self, body: Body, rank: int) -> None:
        self.body = body
        self.rank = rank
        self.claim: Claim | None = None
        self.told: Claim | None = None
        """The claim in the caller's words, before units and types."""
        self.count = -1
        """How many entries there were when the claim was checked against what is declared."""
        self.vocabulary: Vocabulary | None = None
        self.start: int | None = None
        self.end: int | None = None
        self.undated = False
        self.explicit = False
        self.statement: str | None = None

    def again(self) -> Utterance:
        """The same, to be recorded once more."""
        twin = copy(self)
        twin.body = dict(self.body)
        return twin


def utterance(
    context: Context,
    claim: Claim | None,
    *,
    text: str | None = None,
    entrenchment: str = "asserted",
    source: str | None = None,
    citation: str | None = None,
    episode: str | None = None,
    confidence: float | None = None,
    mode: str = "assertion",
    valid_from: datetime | Unknown | None = None,
    valid_to: datetime | None = None,
    statement: str | None = None,
) -> Utterance:
    """Check what a caller says before anything is written.

    Raises:
        InvalidArgument, NaiveTime, InvertedInterval, VocabularyError: it does not fit; nothing changed.
    """
    body: Body = {"op": "tell", "mode": _mode(mode), "class": entrenchment}
    said = Utterance(body, context.rank(entrenchment))
    said.statement = checked_id(statement)
    text = _spoken(text)
    for name, value in (
        ("text", text),
        ("source", source),
        ("citation", citation),
        ("episode", episode),
    ):
        if value is not None:
            body[name] = checked_text(name, value)
    if confidence is not None:
        body["confidence"] = _confidence(confidence)
    _times(said, valid_from, valid_to)
    said.explicit = said.start is not None or said.undated or mode != "assertion"
    if claim is not None:
        put_claim(context, said, claim)
    elif text is None:
        raise InvalidArgument("claim", None, "a claim, a text that is not empty, or both")
    return said


def _spoken(text: str | None) -> str | None:
    """The text, unless it says nothing."""
    return None if isinstance(text, str) and not text.strip() else text


def _mode(mode: str) -> str:
    if mode not in MODES:
        raise InvalidArgument("mode", mode, "one of " + ", ".join(MODES))
    return mode


def checked_text(name: str, value: object) -> str:
    """A text as it may be stored: a string of bounded length without lone surrogates or NUL.

    Raises:
        InvalidArgument: it is none.
    """
    if not isinstance(value, str):
        raise InvalidArgument(name, value, "a string")
    if len(value) > MAX_TEXT:
        raise InvalidArgument(name, value, f"at most {MAX_TEXT} characters, found {len(value)}")
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidArgument(name, value, "text without NUL and lone surrogates")
    return value


def checked_id(value: object) -> str | None:
    """A statement id as it may be stored; None stays None.

    Raises:
        InvalidArgument: it is empty, too long, or holds control characters.
    """
    if value is None:
        return None
    text = checked_text("statement", value)
    if not text or len(text) > 512 or any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise InvalidArgument(
            "statement", value, "an id of 1 to 512 characters without control characters"
        )
    return text


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidArgument("confidence", value, "a number from 0 to 1")
    return float(value)


def _times(
    said: Utterance, valid_from: datetime | Unknown | None, valid_to: datetime | None
) -> None:
    if valid_from is UNKNOWN:
        said.undated = True
    elif valid_from is not None:
        said.start = micros(_moment("valid_from", valid_from))
    if valid_to is not None:
        said.end = micros(_moment("valid_to", valid_to))
    if said.start is not None and said.end is not None and said.end <= said.start:
        raise InvertedInterval(moment(said.start), moment(said.end))


def _moment(name: str, value: object) -> datetime:
    if not isinstance(value, datetime):
        raise InvalidArgument(name, value, "a datetime with a UTC offset")
    return value


def put_claim(context: Context, said: Utterance, claim: Claim) -> None:
    """Let an utterance state a claim, in the units and types that are declared as far as this hand knows.

    Raises:
        InvalidArgument: it is no claim, or has free variables.
        VocabularyError: it does not fit what is declared.
    """
    if not isinstance(claim, Claim):
        raise InvalidArgument(
            "claim",
            claim,
            "a Claim, e.g. attr('cache', 'ttl') == 300 or parse('ttl(cache) = 300'); words go into text=",
        )
    if claim.free:
        raise InvalidArgument("claim", str(claim), "a claim whose variables are bound by a forall")
    normal, said.vocabulary = _admitted(context, claim)
    said.told, said.count, said.claim = claim, context.count, normal
    body = said.body
    text = body["claim"] = str(normal)
    context.remember(text, normal)
    literal = slot_literal(normal)
    if literal is not None:
        body["slot"], body["value"] = str(literal[0]), literal_text(literal[1])
    elif isinstance(normal, Atom):
        body["slot"], body["value"], body["relation"] = body["claim"], "true", True
    else:
        body["on"] = tokens_of_claim(normal)


def _admitted(context: Context, claim: Claim) -> tuple[Claim, Vocabulary]:
    """The claim by what is declared, as far as this hand knows; only a refusal is worth a look at the journal first.

    What another hand declared since is met inside the transaction, where the claim is taken in again.
    """
    try:
        return context.lexicon.admit(claim)
    except AgmError:
        context.refresh(context.journal.head().count)
        return context.lexicon.admit(claim)

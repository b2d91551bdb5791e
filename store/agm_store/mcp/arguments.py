"""What a model may say to each tool: strict models, from which the schemas that clients see are made.

No argument names an owner, a source, a class of entrenchment or a recorded time, and an unknown one is
refused: what a model writes is data.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agm.directives import Mode  # noqa: TC001  pydantic reads it when a model is made

Flat = dict[str, str | int | float | bool | None]
Claim = Annotated[
    str | Flat,
    Field(
        description='A claim: text as `ttl(cache) = 300`, `likes(anna, "tea")`, `p -> q`; or a flat object '
        '{"subject", "predicate", "value"} with op, scope, unit where needed; or {"formula": text}.'
    ),
]  # fmt: skip
Id = Annotated[str, Field(description="The id of a belief, as an answer showed it.")]
Time = Annotated[str, Field(description="ISO-8601 with offset, e.g. 2024-01-31T09:00:00Z.")]
Words = Annotated[str | None, Field(description="What was said, in words.")]
Sure = Annotated[
    float | None,
    Field(
        ge=0,
        le=1,
        description="How sure you are that this is what was said. Without it, or when it is low, "
        "what would retire a belief waits for a person.",
    ),
]
Limit = Annotated[int, Field(ge=1, le=1000, description="At most so many are listed.")]


class Arguments(BaseModel):
    """The arguments of a tool: nothing is converted, nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Tell(Arguments):
    """A statement: a claim, words, or both."""

    claim: Claim | None = None
    text: Words = None
    valid_from: Time | None = Field(
        None, description='Since when it holds; now by default, "unknown" if nobody knows.'
    )
    valid_to: Time | None = Field(None, description="Until when it holds (exclusive).")
    mode: Mode = Field("assertion", description="How it was said; only assertions are believed.")
    confidence: Sure = None


class Correct(Arguments):
    """What was so instead of a belief that was never so."""

    belief: Id
    claim: Claim
    text: Words = None
    valid_from: Time | None = Field(None, description="The target's start by default.")
    valid_to: Time | None = Field(None, description="Until when (exclusive).")
    confidence: Sure = None


class Update(Arguments):
    """What took the place of a belief, and when."""

    belief: Id
    claim: Claim
    text: Words = None
    at: Time | None = Field(None, description="When the world moved on; now by default.")
    confidence: Sure = None


class Retract(Arguments):
    """A belief that was never so."""

    belief: Id
    text: Words = None
    confidence: Sure = None


class Expire(Arguments):
    """A belief that holds no longer, and since when."""

    belief: Id
    text: Words = None
    at: Time | None = Field(None, description="When it stopped holding; now by default.")
    confidence: Sure = None


class Revert(Arguments):
    """An entry to undo."""

    entry: int = Field(description="The number of an entry, as an answer showed it.")
    note: str = Field("", description="Why, in words.")


class Ask(Arguments):
    """A question, and the point of the two time axes at which it is asked."""

    question: str = Field(
        description="A term, `ttl(cache)`: what is its value? Or a claim, `ttl(cache) = 300`: does it follow?"
    )
    valid_at: Time | None = Field(None, description="When in the world; now by default.")
    known_at: Time | None = Field(None, description="As it was known at a time.")


class AsOf(Arguments):
    """A moment of the past."""

    at: Time
    limit: Limit = 50


class Why(Arguments):
    """A belief to be explained."""

    belief: Id


class Inbox(Arguments):
    """How much of the inbox is wanted."""

    limit: Limit = 20


class Decide(Arguments):
    """A person's decision on something that is held."""

    review: str = Field(description="The id of a review that `inbox` showed.")
    option: str = Field(description="One of the options that the review offers.")
    claim: Claim | None = Field(
        None, description='What to believe instead, for "edit and approve".'
    )
    note: str = Field("", description="Why, in words.")


def schema(kind: type[Arguments]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments as clients see it, without the titles that say nothing."""
    found: dict[str, Any] = _untitled(kind.model_json_schema())
    found.pop("description", None)
    return {**found, "properties": found.get("properties", {})}


def _untitled(part: Any) -> Any:  # noqa: ANN401  any part of a schema
    if isinstance(part, list):
        return [_untitled(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {k: _untitled(v) for k, v in part.items() if not (k == "title" and isinstance(v, str))}

"""How a case may come out: judged with faults or without, or not judged, or not built."""

from __future__ import annotations

from typing import Any, NamedTuple

Json = dict[str, Any]
"""A JSON object as it stands in a file of cases."""


class NotJudged(Exception):
    """The case has no counterpart in the public verbs, or argues in words."""


class NotBuilt(Exception):
    """The case needs a verb that the store does not have."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"the store has no {what}")


class Verdict(NamedTuple):
    """How one query came out; `judged` says whether anything of it was compared, `why` what was not."""

    judged: bool
    faults: tuple[str, ...] = ()
    why: str = ""


def in_words(query: Json) -> Verdict:
    """The verdict on a query whose answer is argued in words."""
    return Verdict(judged=False, why=f"{next(iter(query), 'query')}: the answer is in words")


def verb(hand: object, name: str) -> Any:  # noqa: ANN401  whatever the verb takes
    """A verb of a store.

    Raises:
        NotBuilt: there is none of that name.
    """
    found = getattr(hand, name, None)
    if found is None:
        raise NotBuilt(name)
    return found

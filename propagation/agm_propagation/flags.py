"""Flags: what a change leaves to be looked at again, as records and in words.

A flag never changes what is believed.  It says that a conclusion lost its support (`support_lost`), that
something derived from the same source turned out wrong (`sibling_retired`), that what an artefact says of
itself rests on something gone (`needs_resynthesis`), or that a source can no longer be looked up
(`broken_source`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["support_lost", "sibling_retired", "needs_resynthesis", "broken_source"]
KINDS: tuple[str, ...] = get_args(Kind)
"""The kinds of flags, in the order in which they are listed."""

How = Literal["supported", "entailed", "rederived", "retired", "renewed", "found", "reviewed"]
HOWS: tuple[str, ...] = get_args(How)
"""What may clear a flag: its justification stands again, a new one was found by proof or by a re-deriver,
the belief itself was retired, the artefact has a new version, the source answers again, someone looked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One thing to be looked at again.

    ``on`` is the id of a belief or of an artefact, ``because`` the beliefs whose loss raised it, sorted.
    """

    id: str
    on: str
    kind: Kind
    because: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """Why it stands, in one sentence.

        >>> Flag(id="f7", on="b2", kind="support_lost", because=("b1",)).why
        'no justification of b2 is wholly believed; b1 is not'
        >>> Flag(id="f7", on="b3", kind="support_lost", because=("b1", "b2")).why
        'no justification of b3 is wholly believed; b1, b2 are not'
        """
        lost = ", ".join(self.because)
        several = len(self.because) > 1
        return _WHY[self.kind].format(
            on=self.on,
            lost=lost or "what it rests on",
            be="are" if several else "is",
            was="were" if several else "was",
        )

    @property
    def to_clear(self) -> str:
        """What would clear it, in one sentence."""
        lost = ", ".join(self.because)
        return _TO_CLEAR[self.kind].format(on=self.on, lost=lost or "what it rests on")


_WHY: dict[str, str] = {
    "support_lost": "no justification of {on} is wholly believed; {lost} {be} not",
    "sibling_retired": "{on} was derived like {lost}, which {was} corrected",
    "needs_resynthesis": "{on} describes something that rests on {lost}, which {be} no longer believed",
    "broken_source": "the source of {on} can no longer be looked up",
}
_TO_CLEAR: dict[str, str] = {
    "support_lost": "believe {lost} again, give {on} another justification, or retract {on}",
    "sibling_retired": "look at {on} again: confirm it by a justification of its own, or retract it",
    "needs_resynthesis": "record a new version of the artefact, or believe {lost} again",
    "broken_source": "let the source be found again, give {on} another source, or retract {on}",
}

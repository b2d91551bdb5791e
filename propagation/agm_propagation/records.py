"""The records of propagation: what supports what, and what was made from it.

A justification is a conjunction: it supports its conclusion when all of its premises are believed
(Doyle, "A truth maintenance system", Artificial Intelligence 12, 1979: support-list justifications,
here without OUT-lists). Several justifications of one conclusion are alternatives. One without
premises says that the conclusion was told, and by which source; what is told stands as long as it is
held, whatever else supports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agm.interning import set_field
from agm_propagation.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from agm.beliefs import BeliefId

    T = TypeVar("T")

_IDS = "a set of belief ids, which are texts and not empty"


@dataclass(frozen=True, slots=True, init=False)
class Justification:
    """One way to support a belief: all premises together, or a telling when there are none.

    `source` names where the telling or the derivation comes from. Raises InvalidRecord.

    >>> Justification(conclusion="wet", premises={"rain"})
    Justification(conclusion='wet', premises=frozenset({'rain'}), source=None)
    """

    conclusion: BeliefId
    premises: frozenset[BeliefId]
    source: str | None

    def __init__(
        self, *, conclusion: str, premises: Iterable[str] = (), source: str | None = None
    ) -> None:
        _require_text("conclusion", conclusion, "a belief id, a text and not empty")
        if source is not None:
            _require_text("source", source, "a text that is not empty, or None")
        set_field(self, "conclusion", conclusion)
        set_field(self, "premises", _ids("premises", premises))
        set_field(self, "source", source)

    def __str__(self) -> str:
        """As `b <- a, c (source)`, premises in order."""
        premises = ", ".join(sorted(self.premises)) or "told"
        return f"{self.conclusion} <- {premises}" + (f" ({self.source})" if self.source else "")


@dataclass(frozen=True, slots=True, init=False)
class Artefact:
    """Something made from beliefs, such as a report, a summary or a rendered page; version from 1 on.

    Raises InvalidRecord.
    """

    id: str
    version: int
    rests_on: frozenset[BeliefId]

    def __init__(self, *, id: str, version: int = 1, rests_on: Iterable[str] = ()) -> None:
        _require_text("id", id, "the name of an artefact, a text and not empty")
        if type(version) is not int or version < 1:
            raise InvalidRecord("version", version, "a whole number from 1 on")
        set_field(self, "id", id)
        set_field(self, "version", version)
        set_field(self, "rests_on", _ids("rests_on", rests_on))


@dataclass(frozen=True, slots=True, kw_only=True)
class BlastRadius:
    """What a loss takes with it: beliefs that lose support, artefacts that rest on any of them."""

    beliefs: frozenset[BeliefId]
    artefacts: frozenset[str]


class Moved(NamedTuple):
    """The beliefs whose state a step changed, each part sorted by id."""

    gained: tuple[BeliefId, ...]
    """OUT before, IN now."""
    lost: tuple[BeliefId, ...]
    """IN before, OUT now."""


class Gap(NamedTuple):
    """A justification that does not support its conclusion now.

    Without missing premises the conclusion was told and is no longer held, or it is blocked.
    """

    justification: Justification
    missing: tuple[BeliefId, ...]
    """Its premises that are OUT, sorted by id."""


def members(field: str, given: Iterable[T], expected: str) -> Iterator[T]:
    """The members of something that can be gone through; raises InvalidRecord for what cannot."""
    try:
        return iter(given)
    except TypeError:
        raise InvalidRecord(field, given, expected) from None


def _ids(field: str, given: Iterable[object]) -> frozenset[object]:
    if isinstance(given, str):  # a text would be taken apart into its letters
        raise InvalidRecord(field, given, _IDS)
    try:
        found = frozenset(given)
    except TypeError:  # nothing to go through, or members that no set can hold
        raise InvalidRecord(field, given, _IDS) from None
    for one in found:
        _require_text(field, one, _IDS)
    return found


def _require_text(field: str, found: object, expected: str) -> None:
    if not isinstance(found, str) or not found:
        raise InvalidRecord(field, found, expected)

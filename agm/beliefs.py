"""What a base holds: beliefs, and the order in which they are gone through.

A belief is a claim somebody holds, of an entrenchment class. A rule that was given up for some
bindings stays and carries them as `exceptions`. Beliefs of one base are compared by a total key:
rank, then the later start, then the id in natural order (b2 before b10).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agm.displayed import Displayed
from agm.entrenchment import checked_class
from agm.errors import InvalidValue
from agm.interning import FrozenNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NewType, NoReturn, TypeAlias

    from agm.claims import Claim
    from agm.grounding import Binding

    BeliefId = NewType("BeliefId", str)
    Place: TypeAlias = tuple[int, float, tuple[tuple[int, int, str], ...], str]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NO_BINDINGS: frozenset[Binding] = frozenset()


class Frozen(Displayed):
    """A value whose fields are set once, by its constructor."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenNode(self, name)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenNode(self, name)


class _Fields:
    """The fields of a belief that is being made: a plain class, for frozen ones are slow to fill."""

    __slots__ = (
        "claim",
        "entrenchment",
        "exceptions",
        "id",
        "rests_on",
        "source",
        "valid_from",
        "valid_to",
    )
    claim: Claim
    entrenchment: str
    id: BeliefId
    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    rests_on: tuple[str, ...]
    exceptions: frozenset[Binding]


class Belief(Frozen, _Fields):
    """A claim that is held, of an entrenchment class, possibly for a time.

    A class that the order of a base does not name, a misspelt one too, is lowest there.
    `valid_from` and `valid_to` are aware datetimes or None; `rests_on` names premises by id. A base
    gives an id to a belief that has none. Raises InvalidName and InvalidValue.
    """

    __slots__ = ()
    fields = _Fields.__slots__

    def __new__(
        cls,
        claim: Claim,
        entrenchment: str = "asserted",
        *,
        id: str = "",
        source: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        rests_on: Iterable[str] = (),
        exceptions: frozenset[Binding] = _NO_BINDINGS,
    ) -> Belief:
        """Fill in the fields, then close them."""
        if valid_from is not None or valid_to is not None:
            for moment in (valid_from, valid_to):
                if moment is not None and moment.utcoffset() is None:
                    cure = "datetimes need a time zone; give tzinfo=timezone.utc"
                    raise InvalidValue(moment, cure)
        self = _Fields()
        self.claim = claim
        self.entrenchment = checked_class(entrenchment)
        self.id = id  # type: ignore[assignment]
        self.source = source
        self.valid_from = valid_from
        self.valid_to = valid_to
        self.rests_on = tuple(rests_on)
        self.exceptions = exceptions
        self.__class__ = cls
        return self  # type: ignore[return-value]  # mypy does not follow the line above

    def with_(self, **changes: object) -> Belief:
        """The same belief with some fields changed."""
        fields: dict[str, object] = {name: getattr(self, name) for name in _Fields.__slots__}
        return _restored({**fields, **changes})

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by fields, to another process or as a copy."""
        return _restored, ({name: getattr(self, name) for name in _Fields.__slots__},)

    def __repr__(self) -> str:
        name = f"{self.id}: " if self.id else ""
        return f"<Belief {name}{self.claim} ({self.entrenchment})>"


def place(belief: Belief, rank: int) -> Place:
    """Where a belief of this rank stands: lower is gone through first, and given up last."""
    start = belief.valid_from
    late = float("inf") if start is None else -((start - _EPOCH) // _MICROSECOND)
    return -rank, late, natural(belief.id), belief.id


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that reads runs of digits as numbers: b2 comes before b10."""
    parts: list[tuple[int, int, str]] = []
    run = ""
    for char in name:
        if run and char.isdecimal() != run[-1].isdecimal():
            parts.append(_run(run))
            run = ""
        run += char
    if run:
        parts.append(_run(run))
    return tuple(parts)


def _run(text: str) -> tuple[int, int, str]:
    if not text.isdecimal():
        return 1, 0, text
    digits = text.lstrip("0")
    return 0, len(digits), digits


def _restored(fields: dict[str, object]) -> Belief:
    return Belief(fields.pop("claim"), fields.pop("entrenchment"), **fields)  # type: ignore[arg-type]

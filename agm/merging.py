"""Merging under constraints (Konieczny and Pino Pérez 2002): what several sources agree on best.

`(profile, constraint) -> theory`: a profile is a sequence of consistent theories over one
signature, repetitions count. A world of the constraint is measured by its distances in changed
symbols from each theory; `sigma` takes the least sum and follows the majority, `gmax` compares the
distances from the largest down and arbitrates. Both satisfy IC0-IC8.
"""

from __future__ import annotations

from agm.errors import AgmError
from agm.signature import NotOfWorlds
from agm.theories.theory import Theory, signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias, TypeVar

    from agm.signature import Input

    Mark = TypeVar("Mark", bound="Any")
    Merger: TypeAlias = Callable[[Sequence[Theory], Input], Theory]


def sigma(profile: Sequence[Theory], constraint: Input) -> Theory:
    """The worlds of the constraint with the least sum of distances from the theories.

    Raises CannotMerge for no theory or an inconsistent one, OtherSignature for mixed signatures,
    NotOfWorlds for what is no theory.

    >>> from agm import prop
    >>> from agm.signature import Signature
    >>> from agm.theories import Theory
    >>> p, q = prop("p"), prop("q")
    >>> over = Signature([p, q])
    >>> both, neither = Theory(over, p & q), Theory(over, ~p & ~q)
    >>> [merge([both, both, neither], p | ~p).texts() for merge in (sigma, gmax)]
    [['11'], ['01', '10']]
    """
    return _merged(profile, constraint, nothing=0, add=lambda total, distance: total + distance)


def gmax(profile: Sequence[Theory], constraint: Input) -> Theory:
    """The worlds of the constraint whose distances, largest first, come first in dictionary order.

    Raises as `sigma` does.
    """

    def add(distances: tuple[int, ...], distance: int) -> tuple[int, ...]:
        return tuple(sorted((*distances, distance), reverse=True))

    nothing: tuple[int, ...] = ()
    return _merged(profile, constraint, nothing=nothing, add=add)


OPERATORS: Mapping[str, Merger] = {"sigma": sigma, "gmax": gmax}
"""Merging operators by name."""


class CannotMerge(AgmError, ValueError):
    """A profile without a member, or with an inconsistent one at `place` (counted from 0)."""

    def __init__(self, place: int | None) -> None:
        """Name the place."""
        self.place = place
        super().__init__(
            "asked to merge an empty profile; give at least one theory"
            if place is None
            else f"asked to merge a profile whose member {place} is inconsistent, so no world is "
            f"nearer to it than another; consolidate its base first, or leave it out"
        )


def _merged(
    profile: Sequence[Theory],
    constraint: Input,
    *,
    nothing: Mark,
    add: Callable[[Mark, int], Mark],
) -> Theory:
    """The worlds of the constraint with the least mark, a mark being made of distances."""
    if isinstance(profile, Theory):
        raise NotOfWorlds(profile, "sequence of theories")
    if not profile:
        raise CannotMerge(None)
    signature, *_ = [signature_of(theory) for theory in profile]
    marked: dict[Mark, int] = {nothing: signature.worlds(constraint)}
    for place, theory in enumerate(profile):
        if not theory.over(signature).consistent:
            raise CannotMerge(place)
        marked = _measured(marked, theory, add=add)
    return profile[0].with_worlds(marked[min(marked)] if marked else 0)


def _measured(
    marked: Mapping[Mark, int], theory: Theory, *, add: Callable[[Mark, int], Mark]
) -> dict[Mark, int]:
    """The marks of worlds after one more theory was measured."""
    result: dict[Mark, int] = {}
    nearer = 0
    for distance, ball in enumerate(theory.signature.balls(theory.worlds)):
        for mark, worlds in marked.items():
            here = worlds & ball & ~nearer
            if here:
                mark_here = add(mark, distance)
                result[mark_here] = result.get(mark_here, 0) | here
        nearer = ball
    return result

"""What every step of iterated revision asks of its input, and steps taken in turn."""

from __future__ import annotations

from agm.errors import InvalidValue
from agm.revision import ImpossibleClaim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from agm.signature import Input, Signature, WorldSet

    State = TypeVar("State")


def possible(signature: Signature, claim: Input) -> WorldSet:
    """The worlds of an input; raises ImpossibleClaim when it has none.

    No order of the worlds believes a contradiction, so it cannot be taken in.
    """
    worlds = signature.worlds(claim)
    if not worlds:
        raise ImpossibleClaim(signature.claim(0) if isinstance(claim, int) else claim)
    return worlds


def checked_firmness(firmness: int) -> int:
    """The firmness with which an input is taken in; raises InvalidValue below 1."""
    if type(firmness) is not int or firmness < 1:
        raise InvalidValue(firmness, "a firmness is a whole number, 1 or more")
    return firmness


def in_turn(
    operator: Callable[[State, Input], State], claims: Iterable[Input], *, start: State
) -> State:
    """The state after taking in each of the claims, one after the other."""
    state = start
    for claim in claims:
        state = operator(state, claim)
    return state

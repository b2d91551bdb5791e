"""What every step of iterated revision asks of its input, and steps taken in turn."""

from __future__ import annotations

from agm.errors import InvalidValue
from agm.revision import ImpossibleClaim
from agm.signature import NotOfWorlds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from agm.iterated.journal import Journal
    from agm.iterated.preorder import Preorder
    from agm.signature import Input, Signature, WorldSet

    State = TypeVar("State")


def possible(order: Preorder, claim: Input) -> WorldSet:
    """The worlds of an input to a preorder; raises ImpossibleClaim when it has none.

    No order of the worlds believes a contradiction, so it cannot be taken in. Raises NotOfWorlds for
    what is no preorder.
    """
    from agm.iterated.preorder import Preorder

    if not isinstance(order, Preorder):
        raise NotOfWorlds(order, "Preorder")
    return _worlds(order.signature, claim)


def possible_entry(journal: Journal, claim: Input) -> WorldSet:
    """The same for a journal."""
    from agm.iterated.journal import Journal

    if not isinstance(journal, Journal):
        raise NotOfWorlds(journal, "Journal")
    return _worlds(journal.signature, claim)


def _worlds(signature: Signature, claim: Input) -> WorldSet:
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

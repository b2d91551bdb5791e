"""Forbus' update (1989): each world moves to the worlds of the input that change fewest symbols."""

from __future__ import annotations

from agm.numbering import members
from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.signature import Input
    from agm.theories.theory import Theory


def forbus(theory: Theory, claim: Input) -> Theory:
    """K ◇ α: for each world of K, the worlds of α at the least distance from it."""
    signature = signature_of(theory)
    goal = signature.worlds(claim)
    result = 0
    for world in members(theory.worlds):
        balls = signature.balls(1 << world)
        result |= next((ball & goal for ball in balls if ball & goal), 0)
    return theory.with_worlds(result)

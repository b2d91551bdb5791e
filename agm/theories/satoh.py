"""Satoh's revision (1988): the worlds of the input by a minimal set of changed symbols.

Sets of changes are compared by inclusion over all pairs of a world of K and a world of the input;
the possible-models approach compares those of each world of K apart.
"""

from __future__ import annotations

from agm.numbering import members
from agm.theories.pma import nearest
from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.signature import Input
    from agm.theories.theory import Theory


def satoh(theory: Theory, claim: Input) -> Theory:
    """K * α: the worlds of α whose change from some world of K no other change lies within."""
    signature = signature_of(theory)
    goal = signature.worlds(claim)
    if not theory.consistent:
        return theory.with_worlds(goal)
    by_change: dict[int, int] = {}
    for world in members(theory.worlds):
        for target in members(nearest(signature, world, goal)):
            change = signature.change(world, target)
            by_change[change] = by_change.get(change, 0) | 1 << target
    result = 0
    for change, targets in by_change.items():
        if not any(other & ~change == 0 and other != change for other in by_change):
            result |= targets
    return theory.with_worlds(result)

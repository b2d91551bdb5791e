"""Restrained revision (Booth and Meyer 2006): natural, and ties are broken for the input.

The most conservative of the operators that satisfy C1-C4 and Independence; it satisfies D too.
"""

from __future__ import annotations

from agm.iterated.steps import possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.iterated.preorder import Preorder
    from agm.signature import Input


def restrained(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: the best worlds of α in front, and on each level the worlds of α before the others."""
    goal = possible(order, claim)
    best = order.best(goal)
    halves = [half & ~best for level in order.levels for half in (level & goal, level & ~goal)]
    return order.arranged([best, *halves])

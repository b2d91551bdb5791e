"""Natural revision (Boutilier 1993): only the best worlds of the input move, to the front.

It changes the order as little as success allows, and so forgets the input at the next conflict:
Independence fails.
"""

from __future__ import annotations

from agm.iterated.steps import possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.iterated.preorder import Preorder
    from agm.signature import Input


def natural(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: the best worlds of α in front, all others as they were."""
    goal = possible(order, claim)
    best = order.best(goal)
    return order.arranged([best, *(level & ~best for level in order.levels)])

"""Conditionalisation of ranking functions (Spohn 1988), the A-α-conditionalisation.

The worlds of the input and the others move as two blocks, the first to rank 0, the second to the
firmness. Taking a firm belief in with less firmness therefore weakens it: C3 and C4 fail.
"""

from __future__ import annotations

from agm.iterated.steps import checked_firmness, possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.iterated.preorder import Preorder
    from agm.signature import Input


def conditionalise(order: Preorder, claim: Input, *, firmness: int = 1) -> Preorder:
    """κ(w|α): κ(w) - κ(α) where α holds in w, κ(w) - κ(¬α) + firmness elsewhere.

    Raises InvalidValue for a firmness below 1.
    """
    goal = possible(order, claim)
    others = order.signature.everywhere & ~goal
    levels: dict[int, int] = {}
    for block, target in ((goal, 0), (others, checked_firmness(firmness))):
        for rank, level in order.items():
            place = rank + target - int(order.rank(block)) if block else 0
            levels[place] = levels.get(place, 0) | level & block
    return order.reranked(levels)

"""The operator • of Darwiche and Pearl (1997) on ranking functions.

Worlds of the input come down until the best has rank 0, all others go up by the firmness: the
input is the more firmly held the more it was believed before.
"""

from __future__ import annotations

from agm.iterated.steps import checked_firmness, possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.iterated.preorder import Preorder
    from agm.signature import Input


def bullet(order: Preorder, claim: Input, *, firmness: int = 1) -> Preorder:
    """κ • α: κ(w) - κ(α) where α holds in w, κ(w) + firmness elsewhere.

    Raises InvalidValue for a firmness below 1.
    """
    goal = possible(order, claim)
    lifted, start = checked_firmness(firmness), order.rank(goal)
    levels: dict[int, int] = {}
    for rank, level in order.items():
        for place, worlds in ((rank - int(start), level & goal), (rank + lifted, level & ~goal)):
            levels[place] = levels.get(place, 0) | worlds
    return order.reranked(levels)

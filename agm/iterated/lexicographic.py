"""Lexicographic revision (Nayak 1994): every world of the input before every other one.

The newest input counts most. This is what a journal gives that keeps all and reads newest first.
"""

from __future__ import annotations

from agm.iterated.steps import possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.iterated.preorder import Preorder
    from agm.signature import Input


def lexicographic(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: the worlds of α in their order, then the others in theirs."""
    goal = possible(order, claim)
    return order.arranged(
        [*(level & goal for level in order.levels), *(level & ~goal for level in order.levels)]
    )

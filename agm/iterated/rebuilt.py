"""One-shot revisions repeated: the order is made anew of the theory alone, the past forgotten.

Dalal (1988) gives an order, by distance from what is believed; of Satoh (1988) and of full meet
only the theory is left ("amnesic"). This is what iteration costs without an epistemic state: each
fails postulates of Darwiche and Pearl (1997).
"""

from __future__ import annotations

from agm.iterated.preorder import Preorder
from agm.iterated.steps import possible
from agm.theories.dalal import dalal
from agm.theories.identities import levi
from agm.theories.partial_meet import full_meet
from agm.theories.satoh import satoh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.signature import Input
    from agm.theories.theory import Theory


def forgetful(
    revision: Callable[[Theory, Input], Theory],
) -> Callable[[Preorder, Input], Preorder]:
    """The operator on preorders of a revision of theories: two levels, believed and not."""

    def revise(order: Preorder, claim: Input) -> Preorder:
        """Ψ * α knows the revised theory and nothing else."""
        goal = possible(order, claim)
        return Preorder.of(revision(order.theory, goal))

    return revise


def by_distance(theory: Theory) -> Preorder:
    """The worlds by their distance from those of a consistent theory, in changed symbols."""
    levels: list[int] = []
    nearer = 0
    for ball in theory.signature.balls(theory.worlds):
        levels.append(ball & ~nearer)
        nearer = ball
    return Preorder.flat(theory.signature).arranged(levels)


def dalal_rebuilt(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: Dalal's revision of the theory, and the order of its distances."""
    goal = possible(order, claim)
    return by_distance(dalal(order.theory, goal))


def satoh_rebuilt(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: Satoh's revision of the theory; other worlds are all on one level."""
    return forgetful(satoh)(order, claim)


def amnesic(order: Preorder, claim: Input) -> Preorder:
    """Ψ * α: full meet revision, so that on a conflict nothing but α is left."""
    return forgetful(levi(full_meet))(order, claim)

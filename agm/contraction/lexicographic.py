"""Lexicographic contraction by cardinality: as many beliefs of the top rank as can be, then of the next.

Benferhat, Cayrol, Dubois, Lang and Prade 1993. The maxichoice form keeps every postulate that the
linear preferred subtheory keeps; the meet form is more cautious about ties.
"""

from __future__ import annotations

from agm.optimum import Optimum
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item


def lexcard_maxichoice(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps the remainder with the greatest counts, rank by rank from the top.

    Among equals the first in the linear order is kept. Raises NotDecided when the optimum cannot be
    found, or is not confirmed.
    """
    return _narrowed(base, claim, Optimum.first)


def lexcard_meet(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps what all remainders with the greatest counts have.

    Needs one question for each belief that some of them lack, not the list of all of them. Raises
    as `lexcard_maxichoice`.
    """
    return _narrowed(base, claim, Optimum.common)


def _narrowed(base: BeliefBase, claim: Claim, best: Callable[[Optimum], Iterable[Item]]) -> Change:
    """The change that keeps what is best of each part; a part that entails nothing loses nothing."""
    target = Target(base, [claim])
    lost: list[Item] = []
    for factor in target.parts:
        optimum = Optimum(factor)
        kept = set(map(id, best(optimum)))
        optimum.close()
        lost += [item for item in factor.items if id(item) not in kept]
    return target.change(lost, route="optimum")

"""Maxi-adjustment: rank by rank, giving up what a rank contributes to the claim.

Benferhat, Kaci, Le Berre and Williams 2004 (disjunctive maxi-adjustment and its plain form).
"""

from __future__ import annotations

from agm.enumeration import DEFAULT_SEARCH, Stream, explore
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item
    from agm.enumeration import Search
    from agm.factors import Factor


def maxi_adjustment(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The change that drops, rank by rank, what contributes to the claim on top of what is kept.

    From the top rank on, every member of a minimal subset of the rank that with what is kept above
    entails the claim is dropped. Raises NotDecided when not all of these subsets can be found.
    """
    target = Target(base, [claim])
    lost = [item for factor in target.factors for item in _lost(factor, search)]
    return target.change(lost, route="kernels")


def _lost(factor: Factor, search: Search) -> list[Item]:
    kept: list[Item] = []
    lost: list[Item] = []
    for level in factor.levels():

        def entail(part: Sequence[Item], above: tuple[Item, ...] = tuple(kept)) -> bool:
            return factor.entails([*above, *part])

        found = Stream(explore(level, entail, search)).all()
        cut = {id(item) for is_kernel, part in found if is_kernel for item in part}
        kept += [item for item in level if id(item) not in cut]
        lost += [item for item in level if id(item) in cut]
    return lost

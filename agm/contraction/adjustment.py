"""Maxi-adjustment: rank by rank, giving up what a rank contributes to the claim.

Benferhat, Kaci, Le Berre and Williams 2004 (disjunctive maxi-adjustment and its plain form).
"""

from __future__ import annotations

from agm.enumeration import DEFAULT_SEARCH
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        cut = factor.cut(search, among=level, beside=kept)
        gone = set(map(id, cut))
        kept += [item for item in level if id(item) not in gone]
        lost += cut
    return lost

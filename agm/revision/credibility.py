"""Revision by what can be believed: inputs outside a range are turned away whole."""

from __future__ import annotations

from agm.changes import Change
from agm.contraction.linear import contract
from agm.contraction.shielding import around, can_hold
from agm.revision.prioritised import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.contraction.linear import Operator

    Condition: TypeAlias = Callable[[BeliefBase, Claim], bool]


def credibility_limited(
    credible: Condition, *, entrenchment: str = "asserted", contraction: Operator = contract
) -> Operator:
    """The revision that takes in credible claims and no others (Hansson, Fermé, Cantwell, Falappa 2001).

    B ∗ α is B * α when α is credible, and B when it is not. `credible` is a function of base and
    claim. Raises as `revise` for credible claims.
    """

    def revision(base: BeliefBase, claim: Claim) -> Change:
        """The credibility-limited revision with the condition it was made from."""
        if credible(base, claim):
            return revise(base, claim, entrenchment=entrenchment, contraction=contraction)
        claim, vocabulary = base.admit(claim)
        return Change(base, claim, route="not credible", vocabulary=vocabulary)

    return revision


def screened(*classes: str, entrenchment: str = "asserted") -> Operator:
    """The revision that takes in what agrees with protected beliefs, and keeps these (Makinson 1997).

    Protected are the beliefs of the classes, `core` without any. A claim that contradicts them is
    turned away; another is taken in by giving up beliefs of other classes only, whatever their rank.
    """
    protected = classes or ("core",)

    def agrees(base: BeliefBase, claim: Claim) -> bool:
        return can_hold(base, base.admit(claim)[0], protected)

    giving_up = around(*protected, route="screened")
    return credibility_limited(agrees, entrenchment=entrenchment, contraction=giving_up)

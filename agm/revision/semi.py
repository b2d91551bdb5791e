"""Semi-revision: the newcomer has no privilege and may be what is given up."""

from __future__ import annotations

from agm.changes import Change
from agm.claims import Truth
from agm.consolidation import consolidate
from agm.expansion import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.contraction.linear import Operator


def semi_revise(
    base: BeliefBase,
    claim: Claim,
    *,
    entrenchment: str = "asserted",
    contraction: Operator | None = None,
) -> Change:
    """The change that adds the claim and then consolidates: B ? α = (B ∪ {α})! (Hansson 1997).

    When the claim itself has to go, `rejection` is its loss with a certificate, and nothing is
    added. The consolidation is by the contraction, or the default one. Raises NotDecided.

    >>> from agm import Belief, BeliefBase, prop
    >>> p = prop("p")
    >>> print(semi_revise(BeliefBase([Belief(~p, "core")]), p, entrenchment="inferred"))
    x p  [b2, inferred]
        because it entails false with !p [b1]
    """
    more = expand(base, claim, entrenchment=entrenchment)
    less = consolidate(more.after) if contraction is None else contraction(more.after, Truth(False))
    mine = {belief.id for belief in more.added}
    rejection = next((loss for loss in less.given_up if loss.belief.id in mine), None)
    taken = rejection is None
    # A claim held already, only of a lower rank, is an old belief: its loss is a loss.
    old = set(more.replaced)
    return Change(
        base,
        more.input,
        given_up=[
            loss for loss in less.given_up if loss.belief.id in old or loss.belief.id not in mine
        ],
        added=more.added if taken else (),
        replaced=more.replaced if taken else (),
        rejection=None if rejection is not None and rejection.belief.id in old else rejection,
        route=less.route,
        complete=less.complete,
        settled=less.settled,
        vocabulary=more.vocabulary,
    )

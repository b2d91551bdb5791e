"""Semi-revision: the newcomer has no privilege and may be what is given up."""

from __future__ import annotations

from agm.changes import Change
from agm.claims import Truth
from agm.consolidation import consolidate
from agm.expansion import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.changes import Loss
    from agm.claims import Claim
    from agm.contraction.linear import Operator
    from agm.grounding import Binding


def semi_revise(
    base: BeliefBase,
    claim: Claim,
    *,
    entrenchment: str = "asserted",
    contraction: Operator | None = None,
) -> Change:
    """The change that adds the claim and then consolidates: B ? α = (B ∪ {α})! (Hansson 1997).

    When the claim itself has to go, `rejection` is its loss with a certificate, and nothing is
    added. Of a rule only the instances that have to go are turned away: it is added with these as
    exceptions, and `rejection` is the loss of the first. The consolidation is by the contraction, or
    the default one. Raises NotDecided.

    >>> from agm import Belief, BeliefBase, prop
    >>> p = prop("p")
    >>> print(semi_revise(BeliefBase([Belief(~p, "core")]), p, entrenchment="inferred"))
    x p  [b2, inferred]
        because it entails false with !p [b1]
    """
    more = expand(base, claim, entrenchment=entrenchment)
    less = consolidate(more.after) if contraction is None else contraction(more.after, Truth(False))
    told = {belief.id for belief in more.added}
    mine = [loss for loss in less.given_up if _whole(loss).id in told]
    bindings = frozenset(loss.binding for loss in mine if loss.binding is not None)
    taken = len(bindings) == len(mine)
    # A claim held already, only of a lower rank, is an old belief: its loss is a loss.
    turned_away = [loss for loss in mine if _whole(loss).id not in more.replaced]
    return Change(
        base,
        more.input,
        given_up=[loss for loss in less.given_up if loss not in turned_away],
        added=[_without(belief, bindings) for belief in more.added] if taken else (),
        replaced=more.replaced if taken else (),
        rejection=next(iter(turned_away), None),
        route=less.route,
        complete=less.complete,
        settled=less.settled,
        vocabulary=more.vocabulary,
    )


def _whole(loss: Loss) -> Belief:
    """The belief that is lost; of an instance its rule."""
    return loss.belief if loss.rule is None else loss.rule


def _without(belief: Belief, bindings: frozenset[Binding]) -> Belief:
    return belief.with_(exceptions=belief.exceptions | bindings) if bindings else belief

"""Contraction by the Harper identity: what revision by the denial would leave of the base."""

from __future__ import annotations

from agm.changes import Change
from agm.claims import negate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.contraction.linear import Operator


def harper(revision: Operator | None = None) -> Operator:
    """The contraction B ÷ α = B ∩ (B * ¬α) that belongs to a revision (Harper 1976).

    The base form of the identity (Hansson 1999, 3.7), where the intersection is of sets of beliefs;
    that of theories would intersect their consequences. Where the revision is internal over some
    contraction it gives that contraction back, but for a held ¬α that a rank cut drops: revision
    takes it in again, so it is in both sets. Without a revision: the default one. Where ¬α cannot be
    believed at all, nothing is given up (failure).
    """

    def contraction(base: BeliefBase, claim: Claim) -> Change:
        """The contraction that belongs to the revision it was made from."""
        from agm.revision.prioritised import ImpossibleClaim, revise

        claim, vocabulary = base.admit(claim)
        try:
            change = (revision or revise)(base, negate(claim))
        except ImpossibleClaim:
            return Change(base, claim, route="slot", vocabulary=vocabulary)
        taken = {belief.claim for belief in change.added}
        return Change(
            base,
            claim,
            given_up=[loss for loss in change.given_up if loss.belief.claim not in taken],
            route=change.route,
            complete=change.complete,
            vocabulary=vocabulary,
        )

    return contraction

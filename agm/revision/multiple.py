"""Revision by several claims at once."""

from __future__ import annotations

from agm.changes import Change, gone
from agm.claims import conjoin, negate
from agm.contraction.linear import contract
from agm.contraction.multiple import several
from agm.expansion import addition
from agm.revision.prioritised import require_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.contraction.linear import Operator


def revise_all(
    base: BeliefBase,
    claims: Iterable[Claim],
    *,
    entrenchment: str = "asserted",
    contraction: Operator = contract,
) -> Change:
    """The change that makes all of the claims believed together: B * A = (B ÷ ¬⋀A) ∪ A.

    Multiple revision (Fuhrmann and Hansson 1994; Falappa, Kern-Isberner, Reis and Simari 2012). It
    is one step: revising by one claim after another could lose the first for the second. Raises
    NothingAsked without claims, ClaimTypeError for a claim by itself, ImpossibleClaim when they
    cannot hold together, and NotDecided.

    >>> from agm import BeliefBase, prop
    >>> a, c = prop("a"), prop("c")
    >>> change = revise_all(BeliefBase([~c]), [a, a >> c])
    >>> [str(belief.claim) for belief in change.after]
    ['a', 'a -> c']
    """
    vocabulary = base.vocabulary
    admitted: list[Claim] = []
    for claim in several(claims):
        taken, vocabulary = vocabulary.admit(claim)
        admitted.append(taken)
    listed = list(dict.fromkeys(admitted))
    whole = listed[0] if len(listed) == 1 else conjoin(listed)
    require_possible(base, whole)
    less = contraction(base, negate(whole))
    lost = gone(less.given_up)
    added: list[Belief] = []
    replaced: list[str] = []
    for claim in listed:
        fresh, old = addition(base, claim, entrenchment, gone=lost)
        added += fresh if old else [_apart(base, belief, added) for belief in fresh]
        replaced += old
    return Change(
        base,
        whole,
        given_up=less.given_up,
        added=added,
        replaced=replaced,
        route=less.route,
        complete=less.complete,
        settled=less.settled,
        vocabulary=vocabulary,
    )


def _apart(base: BeliefBase, belief: Belief, others: list[Belief]) -> Belief:
    """The belief under an id that no other newcomer has."""
    taken = {other.id for other in others}
    skip = 0
    while belief.id in taken:
        skip += 1
        belief = base.fresh_belief(belief.claim, belief.entrenchment, skip=skip)
    return belief

"""Revision: taking a claim in consistently, by the Levi identity.

Internal revision contracts by the denial and then adds (B * α = (B ÷ ¬α) ∪ {α}); external revision
adds first. For operators that choose by rank among kernels both give the same, for α is in no
kernel of ¬α; a test holds them together. A new value of a slot that nothing else speaks of is
revised in time that does not depend on the size of the base.
"""

from __future__ import annotations

from agm.changes import Change, Loss, gone
from agm.claims import negate, slot_literal
from agm.contraction.linear import contract, decided, out_of
from agm.errors import AgmError
from agm.expansion import addition, expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.contraction.linear import Operator
    from agm.values import Key, Value
    from agm.vocabulary import Vocabulary


class ImpossibleClaim(AgmError, ValueError):
    """A claim that the constraints, or the types of its slots, do not allow to be true."""

    def __init__(self, claim: Claim, *, asked: str = "revise") -> None:
        self.claim = claim
        super().__init__(
            f"asked to {asked} by {claim}, which contradicts the constraints by itself; "
            f"nothing was changed. Correct the claim or the constraints"
        )


def revise(
    base: BeliefBase,
    claim: Claim,
    *,
    entrenchment: str = "asserted",
    contraction: Operator = contract,
) -> Change:
    """The change that makes the claim believed and keeps the base consistent (internal revision).

    Raises ImpossibleClaim when the constraints contradict the claim, NotDecided when a check ends
    without an answer.

    >>> from agm import attr, BeliefBase
    >>> ttl = attr("cache", "ttl")
    >>> print(revise(BeliefBase([ttl == 300]), ttl == 600))
    + ttl(cache) = 600  [b2, asserted]
    - ttl(cache) = 300  [b1, asserted]
        because it entails !(ttl(cache) = 600)
    """
    claim, vocabulary = base.admit(claim)
    slot = slot_literal(claim)
    if slot is not None and contraction is contract:
        change = _one_slot(base, claim, slot, entrenchment, vocabulary)
        if change is not None:
            return change
    require_possible(base, claim)
    denial = negate(claim)
    ours = contraction is contract
    without = out_of(base, denial, vocabulary) if ours else contraction(base, denial)
    return _with_addition(without, claim, entrenchment, vocabulary)


internal = revise
"""Internal revision, by its name in the literature."""


def levi(contraction: Operator, *, entrenchment: str = "asserted") -> Operator:
    """The revision B * α = (B ÷ ¬α) ∪ {α} that belongs to a contraction (Levi 1977).

    The newcomer is of the given class. Raises as `revise`.
    """

    def revision(base: BeliefBase, claim: Claim) -> Change:
        """The internal revision over the contraction it was made from."""
        return revise(base, claim, entrenchment=entrenchment, contraction=contraction)

    return revision


def external(
    base: BeliefBase,
    claim: Claim,
    *,
    entrenchment: str = "asserted",
    contraction: Operator = contract,
) -> Change:
    """External revision: (B ∪ {α}) ÷ ¬α, through a base that may be inconsistent.

    The newcomer itself is never given up, as success asks. It is in no kernel of its denial, so
    only a rank cut would drop it. Raises as `revise`.
    """
    claim, vocabulary = base.admit(claim)
    require_possible(base, claim)
    more = expand(base, claim, entrenchment=entrenchment)
    less = contraction(more.after, negate(claim))
    return Change(
        base,
        claim,
        given_up=[loss for loss in less.given_up if loss.belief.claim is not claim],
        added=more.added,
        replaced=more.replaced,
        route=less.route,
        complete=less.complete,
        settled=less.settled,
        vocabulary=vocabulary,
    )


def require_possible(base: BeliefBase, claim: Claim) -> None:
    """Raise ImpossibleClaim when the constraints contradict the claim."""
    ground = base.written_out(claim)
    problem = base.problem(base.component([ground]), items=())
    problem.add(ground)
    if decided(problem.solve()):
        raise ImpossibleClaim(claim)


def _with_addition(
    without: Change, claim: Claim, entrenchment: str, vocabulary: Vocabulary
) -> Change:
    base = without.before
    added, replaced = addition(base, claim, entrenchment, gone=gone(without.given_up))
    return Change(
        base,
        claim,
        given_up=without.given_up,
        added=added,
        replaced=replaced,
        route=without.route,
        complete=without.complete,
        settled=without.settled,
        vocabulary=vocabulary,
    )


def _one_slot(
    base: BeliefBase,
    claim: Claim,
    slot: tuple[Key, Value],
    entrenchment: str,
    vocabulary: Vocabulary,
) -> Change | None:
    """Revision by a value of a slot that only its own tellings speak of; None when others do.

    Every other value of the slot entails the denial by itself, so each telling of one goes and its
    certificate is empty.
    """
    key = slot[0]
    if not base.is_alone(key) or base.bad() or (base.arena.rules and base.strangers([claim])):
        return None
    holds = False
    others: list[Belief] = []
    for belief in base.at(key):
        if belief.claim is claim:
            holds = True
        elif slot_literal(belief.claim) is None:
            return None
        else:
            others.append(belief)
    added: tuple[Belief, ...] = ()
    replaced: tuple[str, ...] = ()
    if holds:
        added, replaced = addition(base, claim, entrenchment)
    else:
        added = (base.fresh_belief(claim, entrenchment),)

    def denial() -> Claim:
        return negate(claim)

    return Change(
        base,
        claim,
        given_up=[Loss(belief, _NOTHING, against=denial) for belief in others],
        added=added,
        replaced=replaced,
        route="slot",
        settled=True,
        vocabulary=vocabulary,
    )


_NOTHING: Sequence[Belief] = ()

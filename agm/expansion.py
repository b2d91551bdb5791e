"""Expansion: taking a claim in, whatever it contradicts."""

from __future__ import annotations

from agm.changes import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim


def expand(base: BeliefBase, claim: Claim, *, entrenchment: str = "asserted") -> Change:
    """The change that adds the claim and gives up nothing (B + α = B ∪ {α}).

    A claim that is held already keeps the higher of both ranks. The result may be inconsistent.

    >>> from agm import attr, BeliefBase
    >>> ttl = attr("cache", "ttl")
    >>> len(expand(BeliefBase([ttl == 300]), ttl == 600).after)
    2
    """
    claim, vocabulary = base.admit(claim)
    added, replaced = addition(base, claim, entrenchment)
    return Change(base, claim, added=added, replaced=replaced, route="none", vocabulary=vocabulary)


def addition(
    base: BeliefBase, claim: Claim, entrenchment: str, *, gone: Collection[str] = ()
) -> tuple[tuple[Belief, ...], tuple[str, ...]]:
    """The beliefs that stand for the claim's addition, and the ids they replace.

    Of several beliefs that hold the claim the most entrenched is raised, in whatever order they were
    listed. Beliefs that the same change gives up (`gone`, by id) hold nothing any more.
    """
    new = base.order.rank(entrenchment)
    held = [
        (belief, base.rank(belief, without=gone))
        for belief in base.all_held(claim)
        if belief.id not in gone
    ]
    if not held:
        return (base.fresh_belief(claim, entrenchment),), ()
    if any(not belief.exceptions and rank >= new for belief, rank in held):
        return (), ()
    best, rank = max(held, key=lambda pair: pair[1])
    if new > rank:
        best = best.with_(entrenchment=entrenchment, rests_on=())
    return (best.with_(exceptions=frozenset()),), (best.id,)

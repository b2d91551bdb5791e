"""Expansion: taking a claim in, whatever it contradicts."""

from __future__ import annotations

from agm.changes import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

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
    base: BeliefBase, claim: Claim, entrenchment: str, *, gone: Container[str] = ()
) -> tuple[tuple[Belief, ...], tuple[str, ...]]:
    """The beliefs that stand for the claim's addition, and the ids they replace.

    Beliefs that the same change gives up (`gone`) hold nothing any more.
    """
    held = base.held(claim)
    if held is None or held.id in gone:
        return (base.fresh_belief(claim, entrenchment),), ()
    if held.exceptions or base.order.rank(entrenchment) > base.rank(held):
        again = held.with_(entrenchment=entrenchment, rests_on=(), exceptions=frozenset())
        if base.order.rank(entrenchment) <= base.rank(held):
            again = held.with_(exceptions=frozenset())
        return (again,), (held.id,)
    return (), ()

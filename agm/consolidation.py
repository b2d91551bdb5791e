"""Consolidation: making a base consistent by giving up as little as the order allows (B! = B ÷ ⊥)."""

from __future__ import annotations

from agm.changes import Change
from agm.claims import Truth
from agm.contraction.linear import contract, loss, preferred
from agm.domains import domains
from agm.routes import costliest
from agm.turns import kept_in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.changes import Loss
    from agm.contraction.linear import Operator


def consolidate(base: BeliefBase, *, contraction: Operator = contract) -> Change:
    """The change that leaves a consistent base, worked out component by component.

    Every minimal inconsistent set lies in one component, so each is put right by itself with the
    linear preferred subtheory. Another contraction is asked to give up the contradiction (Hansson
    1994). Raises NotDecided when a check ends without an answer.

    >>> from agm import attr, BeliefBase
    >>> ttl = attr("cache", "ttl")
    >>> print(consolidate(BeliefBase([ttl == 300, ttl == 600])))
    - ttl(cache) = 600  [b2, asserted]
        because it entails false with ttl(cache) = 300 [b1]
    """
    never = Truth(False)
    if contraction is not contract:
        return contraction(base, never)
    lost: dict[tuple[int, object], Loss] = {}  # beliefs without keys belong to every component
    routes = {"slot"}
    for keys in base.bad():
        component = base.component_of(keys)
        claims = [item.claim for item in component.items]
        known = kept_in_turn(component.background, claims, domains(base.vocabulary))
        if known is None:
            problem = base.problem(component, items=())
            known = preferred(problem, claims)
            problem.close()
        flags, route = known
        routes.add(route)
        pairs = list(zip(component.items, flags, strict=True))
        kept = [item for item, flag in pairs if flag]
        for item, flag in pairs:
            if not flag:
                lost[item.number, item.binding] = loss(base, component, item, kept, never)
    return Change(base, never, given_up=lost.values(), route=costliest(routes), settled=True)

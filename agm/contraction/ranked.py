"""Contractions that cut by entrenchment degree: ensconcement and severe withdrawal.

They keep every postulate of theory contraction but drown beliefs that have nothing to do with the
claim: what ranks no higher than the claim goes too. Named for comparison, never a default. Rules are
kept or dropped whole.
"""

from __future__ import annotations

from agm.claims import disjoin, negate
from agm.contraction.linear import decided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim


def ensconcement(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps {β : deg(α ∨ β) > deg(α)}, and the whole base when deg(α) = 0.

    Williams 1994; on the base it is the contraction of Gärdenfors and Makinson (1988) by the degree
    of entrenchment. Raises NotDecided.
    """
    claim = base.admit(claim)[0]
    degree = base.degree(claim)
    if not 0 < degree < float("inf"):
        return base.keep(base, out_of=claim)
    kept = [b for b in base if _above(base, disjoin([claim, b.claim]), degree)]
    return base.keep(kept, out_of=claim)


def severe(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps {β : r(β) > deg(α)}, and the whole base when deg(α) = 0: a rank cut.

    Severe withdrawal (Rott and Pagnucco 1999) read off the ranks; brutal contraction (Williams
    1994). Raises NotDecided.
    """
    claim = base.admit(claim)[0]
    degree = base.degree(claim)
    if not 0 < degree < float("inf"):
        return base.keep(base, out_of=claim)
    return base.keep((b for b in base if base.rank(b) > degree), out_of=claim)


def severe_lifted(base: BeliefBase, claim: Claim) -> Change:
    """The rank cut that takes a belief's degree for its rank: {β : deg(β) > deg(α)}.

    So a belief that stronger ones entail is kept with them. Raises NotDecided.
    """
    claim = base.admit(claim)[0]
    degree = base.degree(claim)
    if not 0 < degree < float("inf"):
        return base.keep(base, out_of=claim)
    return base.keep((b for b in base if _above(base, b.claim, degree)), out_of=claim)


def _above(base: BeliefBase, claim: Claim, degree: float) -> bool:
    """Whether the beliefs that rank above a degree entail the claim."""
    ground = base.written_out(claim)
    component = base.component([ground])
    problem = base.problem(component, items=[i for i in component.items if i.rank > degree])
    problem.add(negate(ground))
    answer = decided(problem.solve())
    problem.close()
    return answer

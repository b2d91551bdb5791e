"""Contraction: giving up a claim, and as little else as the order allows.

The default is the linear preferred subtheory: go through the beliefs from the most entrenched on
and keep each that still leaves the claim unentailed. It keeps every postulate of Hansson for bases
(success, inclusion, relevance, core-retainment, uniformity ...), is local to the component of the
claim, and each loss has a certificate made of beliefs at least as entrenched. It is not a rank cut:
weaker beliefs that have nothing to do with the claim stay (Brewka 1989; Hansson 1999, ch. 2).
"""

from __future__ import annotations

from agm.changes import Change, Loss
from agm.claims import negate
from agm.domains import domains
from agm.errors import NotDecided
from agm.kernels import kernel
from agm.routes import costliest
from agm.turns import first_kernel, kept_in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.components import Component, Item
    from agm.factors import Together
    from agm.problem import Outcome, Problem
    from agm.vocabulary import Vocabulary

    Operator: TypeAlias = "Callable[[BeliefBase, Claim], Change]"


def contract(base: BeliefBase, claim: Claim) -> Change:
    """The change that gives up the claim by the linear preferred subtheory.

    Nothing is given up when the constraints alone entail the claim (AGM failure). Raises NotDecided
    when a check ends without an answer.

    >>> from agm import attr, BeliefBase
    >>> ttl = attr("cache", "ttl")
    >>> print(contract(BeliefBase([ttl == 300]), ttl > 100))
    - ttl(cache) = 300  [b1, asserted]
        because it entails ttl(cache) > 100
    """
    claim, vocabulary = base.admit(claim)
    return out_of(base, claim, vocabulary)


linear_preferred = contract
"""The default contraction by its name in the tables of operators."""


def out_of(base: BeliefBase, claim: Claim, vocabulary: Vocabulary) -> Change:
    """The default contraction by a claim that the vocabulary has taken in."""
    ground = base.written_out(claim)
    component = base.component([ground])
    denial = negate(ground)
    claims = [item.claim for item in component.items]
    known = kept_in_turn([*component.background, denial], claims, domains(base.vocabulary))
    if known is None:
        problem = base.problem(component, items=())
        problem.add(denial)
        outcome = problem.solve()
        if decided(outcome):
            problem.close()
            return Change(base, claim, route=outcome.route, vocabulary=vocabulary)
        known = preferred(problem, claims)
        problem.close()
    flags, route = known
    kept = [item for item, flag in zip(component.items, flags, strict=True) if flag]
    lost = [item for item, flag in zip(component.items, flags, strict=True) if not flag]
    return Change(
        base,
        claim,
        given_up=[loss(base, component, item, kept, claim) for item in lost],
        route=route,
        settled=True,
        vocabulary=vocabulary,
    )


def preferred(problem: Problem | Together, claims: Sequence[Claim]) -> tuple[list[bool], str]:
    """Which claims are kept when each is kept that the problem still admits; and by what route.

    What the present model or one slot decides is decided claim by claim; the rest by halving, for
    few are lost as a rule. The problem is left with the kept claims added. Raises NotDecided.
    """
    flags = [False] * len(claims)
    routes: set[str] = set()

    def settle(place: int, outcome: Outcome) -> None:
        routes.add(outcome.route)
        flags[place] = not decided(outcome)
        if flags[place]:
            problem.add(claims[place])

    def go(first: int, end: int) -> None:
        while first < end:
            outcome = problem.glance(claims[first])
            if outcome is None:
                break
            settle(first, outcome)
            first += 1
        if first == end:
            return
        if end - first == 1:
            settle(first, problem.test(claims[first]))
            return
        problem.push()
        for claim in claims[first:end]:
            problem.add(claim)
        outcome = problem.solve()
        routes.add(outcome.route)
        if not decided(outcome):
            problem.commit()
            flags[first:end] = [True] * (end - first)
            return
        problem.pop()
        middle = (first + end) // 2
        go(first, middle)
        go(middle, end)

    go(0, len(claims))
    return flags, costliest(routes)


def loss(
    base: BeliefBase, component: Component, item: Item, kept: Sequence[Item], claim: Claim
) -> Loss:
    """The loss of an item, certified by the kept items that are at least as entrenched."""
    stronger = [other for other in kept if other.place < item.place]
    denial = negate(base.written_out(claim))

    def certificate() -> Sequence[Belief]:
        fixed = [*component.background, item.claim, denial]
        claims = [other.claim for other in stronger]
        places = first_kernel(fixed, claims, domains(base.vocabulary))
        if places is not None:
            return [stronger[place].belief for place in places]

        def entail(part: Sequence[Item]) -> bool:
            problem = base.problem(component, items=[item, *part])
            problem.add(denial)
            return problem.solve().satisfiable is False

        return tuple(other.belief for other in kernel(stronger, entail))

    rule = None if item.binding is None else base.arena.beliefs[item.number]
    return Loss(item.belief, certificate, against=claim, rule=rule, binding=item.binding)


def decided(outcome: Outcome) -> bool:
    """Whether the claims cannot hold together; raises NotDecided when that is not known."""
    if outcome.satisfiable is None:
        raise NotDecided(outcome.reason)
    return not outcome.satisfiable

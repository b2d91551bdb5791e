"""Questions to a base that change nothing: consistency, degree, reasons, a graph."""

from __future__ import annotations

from agm.changes import Explanation
from agm.claims import negate
from agm.contraction.linear import decided
from agm.domains import domains
from agm.errors import NotDecided
from agm.kernels import kernel
from agm.problem import shown_model
from agm.turns import first_kernel
from agm.verdicts import Consistent, Inconsistent, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.components import Component, Item
    from agm.verdicts import Check

MAX_KERNELS = 64
"""The most kernels that an explanation lists."""


def check(base: BeliefBase, claims: Sequence[Claim]) -> Check:
    """Whether claims that the vocabulary has taken in can hold together with the base."""
    try:
        ground = [base.written_out(claim, asked=claims) for claim in claims]
        component = base.component(ground)
    except NotDecided as fault:
        return Undecided("component", fault.reason)
    problem = base.problem(component)
    for claim in ground:
        problem.add(claim)
    outcome = problem.solve()
    problem.close()
    if outcome.satisfiable is None:
        return Undecided(outcome.route, outcome.reason)
    if outcome.satisfiable:
        held = tuple(problem.claims)
        domain, budget = domains(base.vocabulary), problem.budget
        return Consistent(outcome.route, lambda: shown_model(held, domain, budget))

    def core() -> Sequence[Claim]:
        parts = [item.claim for item in component.items] + ground
        places = first_kernel(component.background, parts, domains(base.vocabulary))
        if places is not None:
            return [parts[place] for place in places]
        return kernel(parts, lambda part: _refuted(base, component, part))

    return Inconsistent(outcome.route, core)


def degree(base: BeliefBase, claim: Claim) -> float:
    """The highest rank from which up the beliefs entail the claim; 0 and infinity at the ends."""
    ground = base.written_out(claim)
    component = base.component([ground])
    problem = base.problem(component, items=())
    problem.add(negate(ground))
    if decided(problem.solve()):
        return float("inf")
    items = component.items
    place = 0
    while place < len(items):
        rank = items[place].rank
        while place < len(items) and items[place].rank == rank:
            problem.add(items[place].claim)
            place += 1
        if decided(problem.solve()):
            return rank
    return 0


def why(base: BeliefBase, claim: Claim) -> Explanation:
    """The kernels that entail the claim, or a model of the base in which it is false."""
    ground = base.written_out(claim)
    component, denial = base.component([ground]), negate(ground)
    problem = base.problem(component)
    problem.add(denial)
    if not decided(problem.solve()):
        model = shown_model(problem.claims, domains(base.vocabulary), problem.budget)
        return Explanation(claim, model=model)
    problem.close()
    listed, complete = _kernels(base, claim)
    # It follows, so there are some, also where no part of the beliefs could be decided.
    return Explanation(claim, kernels=listed or [_some(base, component, denial)], complete=complete)


def graph(base: BeliefBase) -> nx.DiGraph[str]:
    """Beliefs, keys and classes as nodes; edges say `about`, `class`, `rests_on` and `prefers`."""
    import networkx as nx

    view: nx.DiGraph[str] = nx.DiGraph()
    for stronger, weaker in base.order.graph.edges:
        view.add_edge(f"class {stronger}", f"class {weaker}", kind="prefers")
    for belief in base:
        view.add_node(belief.id, kind="belief", claim=str(belief.claim), rank=base.rank(belief))
        view.add_edge(belief.id, f"class {belief.entrenchment}", kind="class")
        for key in sorted(belief.claim.keys):
            view.add_node(str(key), kind="key")
            view.add_edge(belief.id, str(key), kind="about")
        for premise in belief.rests_on:
            view.add_edge(belief.id, premise, kind="rests_on")
    nx.freeze(view)
    return view


def _kernels(base: BeliefBase, claim: Claim) -> tuple[list[tuple[Belief, ...]], bool]:
    """Kernels of the claim, those whose weakest belief is strongest first; and whether these are all."""
    from itertools import islice

    from agm.remainders import kernels_of

    try:
        found = kernels_of(base, claim)
    except NotDecided:
        return [], False
    listed = list(islice(found, MAX_KERNELS + 1))
    complete = found.complete and len(listed) <= MAX_KERNELS
    return sorted(listed[:MAX_KERNELS], key=found.weakest_first), complete


def _some(base: BeliefBase, component: Component, denial: Claim) -> tuple[Belief, ...]:
    """Beliefs that entail, as few as can be shown: what is not decided leaves them more."""

    def entail(part: Sequence[Item]) -> bool:
        problem = base.problem(component, items=part)
        problem.add(denial)
        outcome = problem.solve()
        problem.close()
        return outcome.satisfiable is False

    return tuple(item.belief for item in kernel(component.items, entail))


def _refuted(base: BeliefBase, component: Component, claims: Sequence[Claim]) -> bool:
    problem = base.problem(component, items=())
    for claim in claims:
        problem.add(claim)
    return problem.solve().satisfiable is False

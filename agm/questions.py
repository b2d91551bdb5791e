"""Questions to a base that change nothing: consistency, degree, reasons, certificates, a graph."""

from __future__ import annotations

from agm.changes import Change, Explanation, Loss
from agm.claims import negate
from agm.contraction.linear import decided, preferred
from agm.domains import domains
from agm.errors import NotDecided
from agm.kernels import kernel, kernels
from agm.problem import shown_model
from agm.verdicts import Consistent, Inconsistent, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
        ground = [base.written_out(claim) for claim in claims]
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
    gaps: list[str] = []
    entail = _entailing(base, component, denial, gaps)
    found, complete = kernels(component.items, entail, limit=MAX_KERNELS)
    beliefs = [tuple(item.belief for item in one) for one in found]
    return Explanation(claim, kernels=beliefs, complete=complete and not gaps)


def keep(base: BeliefBase, kept: Iterable[Belief], claim: Claim) -> Change:
    """The change to just these beliefs, with a certificate for each loss that has one."""
    chosen: set[str] = {belief.id for belief in kept}
    own = {belief.id: belief for belief in base}
    strangers = sorted(chosen - own.keys())
    if strangers:
        raise ValueError(
            f"asked to keep {strangers[:5]!r}, which this base does not hold; "
            f"keep beliefs of the base that is contracted"
        )
    lost = [belief for belief in base if belief.id not in chosen]
    if not lost:
        return Change(base, claim, route="kept")
    ground = base.written_out(claim)
    component, denial = base.component([ground]), negate(ground)
    given_up = [
        Loss(belief, _certifier(base, component, denial, belief, chosen), against=claim)
        for belief in lost
    ]
    return Change(base, claim, given_up=given_up, route="kept")


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


def _entailing(
    base: BeliefBase, component: Component, denial: Claim, gaps: list[str]
) -> Callable[[Sequence[Item]], bool]:
    """Tells whether items are found to entail; why some question was left open goes into `gaps`."""

    def entail(part: Sequence[Item]) -> bool:
        problem = base.problem(component, items=part)
        problem.add(denial)
        outcome = problem.solve()
        if outcome.satisfiable is None:
            gaps.append(outcome.reason)
        return outcome.satisfiable is False

    return entail


def _refuted(base: BeliefBase, component: Component, claims: Sequence[Claim]) -> bool:
    problem = base.problem(component, items=())
    for claim in claims:
        problem.add(claim)
    return problem.solve().satisfiable is False


def _certifier(
    base: BeliefBase, component: Component, denial: Claim, belief: Belief, chosen: set[str]
) -> Callable[[], tuple[Belief, ...] | None]:
    """Finds beliefs that do not entail the claim, but do with the lost belief; None without any."""

    def certificate() -> tuple[Belief, ...] | None:
        mine = [item for item in component.items if item.belief.id == belief.id]
        others = [item for item in component.items if item.belief.id != belief.id]
        others.sort(key=lambda item: item.belief.id not in chosen)
        entail = _entailing(base, component, denial, [])
        problem = base.problem(component, items=())
        problem.add(denial)
        if not mine or decided(problem.solve()):
            return None
        flags, _ = preferred(problem, [item.claim for item in others])
        rest = [item for item, flag in zip(others, flags, strict=True) if flag]
        if entail([*rest, *mine]):
            found = kernel(rest, lambda part: entail([*part, *mine]))
            return tuple(item.belief for item in found)
        for one in kernels(component.items, entail, limit=MAX_KERNELS)[0]:
            if mine[0] in one:
                return tuple(item.belief for item in one if item is not mine[0])
        return None

    return certificate

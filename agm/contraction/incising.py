"""Kernel contraction: cutting every minimal set that entails the claim.

A kernel of α in B is a minimal part of B that entails α. An incision function cuts at least one
member of each, and what was cut is given up (Hansson 1994). On bases these are just the operators
with success, inclusion, core-retainment and uniformity (Hansson 1999, th. 2.11). A smooth one takes
back what still follows.
"""

from __future__ import annotations

from collections.abc import Iterable

from agm.beliefs import Belief
from agm.enumeration import DEFAULT_SEARCH
from agm.errors import shown
from agm.incision import InvalidIncision, last_of_each
from agm.remainders import Kernels
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item
    from agm.contraction.linear import Operator
    from agm.enumeration import Search
    from agm.incision import Incision


def kernel_contraction(incision: Incision, *, search: Search = DEFAULT_SEARCH) -> Operator:
    """The contraction that gives up what the incision function cuts: B ∖ σ(B ⫫ α) (Hansson 1994).

    `agm.incision` holds incision functions, and any function from `Kernels` to members of theirs
    will do. The contraction raises InvalidIncision when a kernel is left whole or something else is
    cut, NotDecided when not all kernels can be found.
    """

    def contraction(base: BeliefBase, claim: Claim) -> Change:
        """The kernel contraction with the incision function it was made from."""
        return _incised(Target(base, [claim]), incision, search)

    return contraction


def smooth_kernel_contraction(incision: Incision, *, search: Search = DEFAULT_SEARCH) -> Operator:
    """Kernel contraction closed within the base: B ∩ Cn(B ÷ α) (Hansson 1994, smooth kernels).

    What was cut but still follows from what is kept stays. Raises as `kernel_contraction`.
    """

    def contraction(base: BeliefBase, claim: Claim) -> Change:
        """The smooth kernel contraction with the incision function it was made from."""
        return _incised(Target(base, [claim]), incision, search, smooth=True)

    return contraction


def safe(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The change that gives up the least-ranked members of every kernel.

    Safe contraction (Alchourrón and Makinson 1985) with the ranks as hierarchy: a belief is safe
    when it is least-ranked in no kernel. That is `kernel_contraction(least_ranked)`; kernels are not
    listed for it, since what is least-ranked in one is what some remainder of the beliefs from its
    rank up lacks. Raises NotDecided when not all of these can be found.
    """
    target = Target(base, [claim])
    return target.change(_least_ranked(target, search), route="remainders")


def smooth_safe(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """Safe contraction that keeps what still follows: B ∩ Cn(safe) (Hansson 1994)."""
    target = Target(base, [claim])
    lost = _not_following(target, _least_ranked(target, search))
    return target.change(lost, route="remainders")


def one_per_kernel(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The change that gives up one member of every kernel: the last in the linear order.

    A kernel contraction with a minimal look at each kernel (Hansson 1994); what it gives up for one
    kernel may be needless after another was cut.
    """
    return kernel_contraction(last_of_each, search=search)(base, claim)


def _incised(target: Target, incision: Incision, search: Search, *, smooth: bool = False) -> Change:
    if not target.factors:
        return target.change((), route="kernels")
    kernels = Kernels(target, search)
    known = [[kernels.item(belief) for belief in kernel] for kernel in kernels.all()]
    cut = _checked(incision, kernels)
    lost = [item for factor in target.factors for item in factor.items if id(item) in cut]
    if smooth:
        lost = _not_following(target, lost)
    found = [tuple(item for item in one if item is not None) for one in known]
    return target.change(lost, route="kernels", known=found)


def _checked(incision: Incision, kernels: Kernels) -> dict[int, Item]:
    """What the incision cuts, when it cuts every kernel and nothing else."""
    known = kernels.all()
    members = {id(belief) for kernel in known for belief in kernel}
    chosen = _beliefs(incision(kernels))
    strangers = [belief.id for belief in chosen if id(belief) not in members]
    cut = {id(belief) for belief in chosen}
    missed = [[b.id for b in kernel] for kernel in known if cut.isdisjoint(map(id, kernel))]
    if strangers or missed:
        raise InvalidIncision(missed=missed, strangers=strangers)
    items = [item for belief in chosen if (item := kernels.item(belief)) is not None]
    return {id(item): item for item in items}


def _beliefs(answer: object) -> tuple[Belief, ...]:
    """The beliefs an incision answered with; raises InvalidIncision when it answered with others."""
    chosen = tuple(answer) if isinstance(answer, Iterable) else (answer,)
    if not all(isinstance(one, Belief) for one in chosen) or isinstance(answer, Belief):
        raise InvalidIncision(answer=shown(answer))
    return chosen


def _least_ranked(target: Target, search: Search) -> list[Item]:
    lost: list[Item] = []
    for factor in target.factors:
        above: list[Item] = []
        for level in factor.levels():
            above += level
            lost += [item for item in factor.cut(search, among=above) if item.rank == level[0].rank]
    return lost


def _not_following(target: Target, lost: list[Item]) -> list[Item]:
    """What of the lost does not follow from what is kept."""
    gone = set(map(id, lost))
    left: list[Item] = []
    for factor in target.factors:
        kept = [item for item in factor.items if id(item) not in gone]
        mine = [item for item in factor.items if id(item) in gone]
        left += [item for item in mine if not factor.follows(item.claim, kept)]
    return left

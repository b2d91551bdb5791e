"""Shielded contraction: some claims are never given up."""

from __future__ import annotations

from agm.changes import Change
from agm.claims import negate
from agm.contraction.linear import contract, decided
from agm.errors import AgmError, shown
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.contraction.linear import Operator

    Condition: TypeAlias = Callable[[BeliefBase, Claim], bool]


class UnknownClass(AgmError, ValueError):
    """A class to be protected, `name`, that neither the order nor a belief knows: a slip of the pen."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        super().__init__(
            f"asked to protect the beliefs of the class {shown(name)}, but the order has "
            f"{', '.join(known)} and no belief is of this one; give a class that is known"
        )


def shielded(
    retractable: Condition | None = None, *, contraction: Operator | None = None
) -> Operator:
    """The contraction that gives up retractable claims and no others (Fermé and Hansson 2001).

    B ∼ α is B ÷ α when α is retractable, and B when it is not. `retractable` is a function of base
    and claim; without it, what beliefs of the class `core` entail is not. Where it is
    `not_following_from` some classes, ÷ goes through the beliefs of these first, whatever their rank,
    so that none of them is given up: that is what persistence needs. With another condition ÷ is the
    default contraction, and with `contraction` it is that one. Then persistence is up to them: what
    is irretractable has to stay whatever else goes.
    """
    condition = not_following_from("core") if retractable is None else retractable
    if contraction is None:
        guarded = condition.classes if isinstance(condition, NotFollowingFrom) else None
        contraction = contract if guarded is None else around(*guarded)
    divided = contraction

    def contract_if_allowed(base: BeliefBase, claim: Claim) -> Change:
        """The shielded contraction with the condition it was made from."""
        if condition(base, claim):
            return divided(base, claim)
        claim, vocabulary = base.admit(claim)
        return Change(base, claim, route="shielded", vocabulary=vocabulary)

    return contract_if_allowed


class NotFollowingFrom:
    """The condition that a claim does not follow from constraints and beliefs of some classes."""

    __slots__ = ("classes",)

    def __init__(self, *classes: str) -> None:
        self.classes = classes

    def __call__(self, base: BeliefBase, claim: Claim) -> bool:
        """Whether the claim is left open by what is protected; raises UnknownClass, NotDecided."""
        return can_hold(base, negate(base.admit(claim)[0]), self.classes)


def not_following_from(*classes: str) -> NotFollowingFrom:
    """The condition that a claim does not follow from constraints and beliefs of these classes."""
    return NotFollowingFrom(*classes)


def around(*classes: str, route: str = "protected first") -> Operator:
    """The contraction that goes through the beliefs of these classes first, whatever their rank.

    Among them, and among the others, the more entrenched come first, as in the default contraction.
    """

    def contract_around(base: BeliefBase, claim: Claim) -> Change:
        """The contraction around the protected beliefs; raises NotDecided."""
        target = Target(base, [claim])
        lost = []
        for factor in target.factors:
            order = sorted(factor.items, key=lambda item: item.belief.entrenchment not in classes)
            kept = set(map(id, factor.kept_in_turn(order)))
            lost += [item for item in factor.items if id(item) not in kept]
        return target.change(lost, route=route)

    return contract_around


def can_hold(base: BeliefBase, claim: Claim, classes: tuple[str, ...]) -> bool:
    """Whether a claim agrees with the constraints and the beliefs of some classes.

    Raises UnknownClass for a class that neither the order nor a belief knows, and NotDecided.
    """
    for name in classes:
        if name not in base.order and all(name != belief.entrenchment for belief in base):
            raise UnknownClass(name, base.order.classes)
    ground = base.written_out(claim)
    component = base.component([ground])
    items = [item for item in component.items if item.belief.entrenchment in classes]
    problem = base.problem(component, items=items)
    problem.add(ground)
    answer = not decided(problem.solve())
    problem.close()
    return answer

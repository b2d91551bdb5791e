"""Postulates of merging under constraints: IC0-IC8, majority and arbitration.

Konieczny and Pino Pérez 2002. A profile lists theories as sets of worlds; the result has the worlds
of the constraint that are nearest to the profile.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from agm.postulates.postulate import PostulatesOf
from agm.postulates.worldcases import MergeCase, entails

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

KP = "Konieczny and Pino Pérez 2002"
_postulate = PostulatesOf[MergeCase]("merging")
REPEATS = 12
"""How often majority repeats a profile before it calls it outvoted."""


def _one(case: MergeCase) -> int:
    return case.of(case.one, case.mu)


def _joint(case: MergeCase) -> int:
    return _one(case) & case.of(case.two, case.mu)


@_postulate("Δ_μ(E)⊢μ", source=KP, name="IC0")
def ic0(case: MergeCase) -> bool:
    """The constraint holds in the result."""
    return entails(_one(case), case.mu)


@_postulate("μ⊬⊥ ⇒ Δ_μ(E)⊬⊥", source=KP, name="IC1", when=lambda case: bool(case.mu))
def ic1(case: MergeCase) -> bool:
    """Under a consistent constraint the result is consistent."""
    return bool(_one(case))


def _agreed(case: MergeCase) -> int:
    return reduce(and_, case.one, case.mu)


@_postulate("⋀E∧μ⊬⊥ ⇒ Δ_μ(E)≡⋀E∧μ", source=KP, name="IC2", when=lambda case: bool(_agreed(case)))
def ic2(case: MergeCase) -> bool:
    """Where all agree, the result is what they agree on."""
    return _one(case) == _agreed(case)


@_postulate(
    "E₁≡E₂ ∧ μ₁≡μ₂ ⇒ Δ_μ₁(E₁)≡Δ_μ₂(E₂)",
    source=KP,
    name="IC3",
    when=lambda case: len(case.one) > 1,
)
def ic3(case: MergeCase) -> bool:
    """The order in which theories are listed does not matter."""
    return _one(case) == case.of(case.one[::-1], case.mu)


def _fair_pair(case: MergeCase) -> bool:
    return (
        len(case.one) == 2
        and all(theory and entails(theory, case.mu) for theory in case.one)
        and bool(_one(case) & case.one[0])
    )


@_postulate(
    "K₁,K₂⊢μ ∧ Δ_μ({K₁,K₂})∧K₁⊬⊥ ⇒ Δ_μ({K₁,K₂})∧K₂⊬⊥",
    source=KP,
    name="IC4",
    when=_fair_pair,
)
def ic4(case: MergeCase) -> bool:
    """Of two theories neither is preferred."""
    return bool(_one(case) & case.one[1])


@_postulate("Δ_μ(E₁)∧Δ_μ(E₂)⊢Δ_μ(E₁⊔E₂)", source=KP, name="IC5", inputs=2)
def ic5(case: MergeCase) -> bool:
    """What two groups both find best is best for them together."""
    return entails(_joint(case), case.of(case.one + case.two, case.mu))


@_postulate(
    "Δ_μ(E₁)∧Δ_μ(E₂)⊬⊥ ⇒ Δ_μ(E₁⊔E₂)⊢Δ_μ(E₁)∧Δ_μ(E₂)",
    source=KP,
    name="IC6",
    inputs=2,
    when=lambda case: bool(_joint(case)),
)
def ic6(case: MergeCase) -> bool:
    """Where two groups find something best in common, together they find nothing else best."""
    return entails(case.of(case.one + case.two, case.mu), _joint(case))


@_postulate("Δ_μ₁(E)∧μ₂⊢Δ_{μ₁∧μ₂}(E)", source=KP, name="IC7", inputs=2)
def ic7(case: MergeCase) -> bool:
    """What is best and meets a further constraint is best under both constraints."""
    return entails(_one(case) & case.nu, case.of(case.one, case.mu & case.nu))


@_postulate(
    "Δ_μ₁(E)∧μ₂⊬⊥ ⇒ Δ_{μ₁∧μ₂}(E)⊢Δ_μ₁(E)",
    source=KP,
    name="IC8",
    inputs=2,
    when=lambda case: bool(_one(case) & case.nu),
)
def ic8(case: MergeCase) -> bool:
    """Where something best meets a further constraint, nothing else is best under both."""
    return entails(case.of(case.one, case.mu & case.nu), _one(case))


@_postulate("∃n: Δ_μ(E₁⊔E₂ⁿ)⊢Δ_μ(E₂)", source=KP, name="Maj", inputs=2)
def majority(case: MergeCase) -> bool:
    """A group that is repeated often enough prevails."""
    goal = case.of(case.two, case.mu)
    return any(
        entails(case.of(case.one + case.two * n, case.mu), goal) for n in range(1, REPEATS + 1)
    )


def _arbitrable(case: MergeCase) -> bool:
    if len(case.one) != 2 or not case.mu & ~case.nu or not case.nu & ~case.mu:
        return False
    first, second = case.of(case.one[:1], case.mu), case.of(case.one[1:], case.nu)
    apart = case.mu & ~case.nu | case.nu & ~case.mu  # the worlds of μ₁ ⊕ μ₂
    return first == second and case.of(case.one, apart) == apart


@_postulate(
    "Δ_μ₁(K₁)≡Δ_μ₂(K₂), Δ_{μ₁↔¬μ₂}({K₁,K₂})≡(μ₁↔¬μ₂), μ₁⊬μ₂, μ₂⊬μ₁ ⇒ Δ_{μ₁∨μ₂}({K₁,K₂})≡Δ_μ₁(K₁)",
    source=KP,
    name="Arb",
    inputs=2,
    when=_arbitrable,
)
def arbitration(case: MergeCase) -> bool:
    """A middle way that both sides find best prevails over the extremes of either."""
    return case.of(case.one, case.mu | case.nu) == case.of(case.one[:1], case.mu)


POSTULATES: tuple[Postulate[MergeCase], ...] = (
    ic0,
    ic1,
    ic2,
    ic3,
    ic4,
    ic5,
    ic6,
    ic7,
    ic8,
    majority,
    arbitration,
)
"""IC0 to IC8, Maj and Arb."""

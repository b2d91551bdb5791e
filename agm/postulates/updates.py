"""Postulates of update and erasure (Katsuno and Mendelzon 1991), and of base operators for both.

U1-U9 and E1-E8 speak of theories as sets of worlds: K ◇ α and K ◆ α. The three of revision, which
update must break, stand last. U4 and E4 ask base operators about another writing of theory and
input; operators on sets of worlds keep them by construction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.common import SET
from agm.postulates.postulate import PostulatesOf
from agm.postulates.worldcases import ChangeCase, entails

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

KM = "Katsuno and Mendelzon 1991"
_update = PostulatesOf[ChangeCase]("update")
_erasure = PostulatesOf[ChangeCase]("erasure")


@_update("K◇α⊢α", source=KM, name="U1")
def u1(case: ChangeCase) -> bool:
    """The input holds afterwards."""
    return entails(case.by(case.k, case.a), case.a)


@_update("K⊢α ⇒ K◇α≡K", source=KM, name="U2", when=lambda case: entails(case.k, case.a))
def u2(case: ChangeCase) -> bool:
    """What held already changes nothing."""
    return case.by(case.k, case.a) == case.k


@_update(
    "K⊬⊥ ∧ α⊬⊥ ⇒ K◇α⊬⊥",
    source=KM,
    name="U3",
    when=lambda case: bool(case.k and case.a),
)
def u3(case: ChangeCase) -> bool:
    """A possible change of a consistent theory is consistent."""
    return bool(case.by(case.k, case.a))


@_update(
    "K₁≡K₂ ∧ ⊢α↔γ ⇒ K₁◇α≡K₂◇γ",
    source=KM,
    name="U4",
    when=lambda case: case.a == case.g and case.k == case.other,
)
def u4(case: ChangeCase) -> bool:
    """Theories and inputs of one meaning have one result."""
    return case.by(case.k, case.a) == case.by_another(case.other, case.g)


@_update("(K◇α)∧β⊢K◇(α∧β)", source=KM, name="U5", inputs=2)
def u5(case: ChangeCase) -> bool:
    """What is nearest for one input is nearest for a stronger input that it meets."""
    return entails(case.by(case.k, case.a) & case.g, case.by(case.k, case.a & case.g))


@_update(
    "K◇α⊢β ∧ K◇β⊢α ⇒ K◇α≡K◇β",
    source=KM,
    name="U6",
    inputs=2,
    when=lambda case: (
        entails(case.by(case.k, case.a), case.g) and entails(case.by(case.k, case.g), case.a)
    ),
)
def u6(case: ChangeCase) -> bool:
    """Inputs that bring each other about have one result."""
    return case.by(case.k, case.a) == case.by(case.k, case.g)


@_update(
    "K complete ⇒ (K◇α)∧(K◇β)⊢K◇(α∨β)",
    source=KM,
    name="U7",
    inputs=2,
    when=lambda case: case.complete,
)
def u7(case: ChangeCase) -> bool:
    """From one world, what is nearest for both inputs is nearest for either."""
    both = case.by(case.k, case.a) & case.by(case.k, case.g)
    return entails(both, case.by(case.k, case.a | case.g))


@_update("(K₁∨K₂)◇α≡(K₁◇α)∨(K₂◇α)", source=KM, name="U8", inputs=2)
def u8(case: ChangeCase) -> bool:
    """Each world thought possible changes by itself."""
    apart = case.by(case.k, case.a) | case.by(case.other, case.a)
    return case.by(case.k | case.other, case.a) == apart


@_update(
    "K complete, (K◇α)∧β⊬⊥ ⇒ K◇(α∧β)⊢(K◇α)∧β",
    source=KM,
    name="U9",
    inputs=2,
    when=lambda case: case.complete and bool(case.by(case.k, case.a) & case.g),
)
def u9(case: ChangeCase) -> bool:
    """From one world, nearness is a total order."""
    return entails(case.by(case.k, case.a & case.g), case.by(case.k, case.a) & case.g)


@_update(
    "K⊬¬α ⇒ K◇α≡K∧α",
    source="Katsuno and Mendelzon 1992, R2",
    name="R2 (revision)",
    when=lambda case: bool(case.k & case.a),
)
def vacuity_of_revision(case: ChangeCase) -> bool:
    """What may hold already is only added, as in revision and unlike in update."""
    return case.by(case.k, case.a) == case.k & case.a


@_update(
    "⊬¬α ⇒ K◇α⊬⊥",
    source="Katsuno and Mendelzon 1992, R3",
    name="R3 (revision)",
    when=lambda case: bool(case.a),
)
def consistency_of_revision(case: ChangeCase) -> bool:
    """The result is consistent even where the theory was not, as in revision."""
    return bool(case.by(case.k, case.a))


@_update(
    "¬β∉K◇α ⇒ (K◇α)+β⊆K◇(α∧β)",
    source="Alchourrón, Gärdenfors and Makinson 1985",
    name="K*8 (revision)",
    inputs=2,
    when=lambda case: bool(case.by(case.k, case.a) & case.g),
)
def superexpansion_of_revision(case: ChangeCase) -> bool:
    """Where the second agrees with the change by the first, changing by both adds it."""
    return entails(case.by(case.k, case.a & case.g), case.by(case.k, case.a) & case.g)


@_erasure("K⊢K◆α", source=KM, name="E1")
def e1(case: ChangeCase) -> bool:
    """Every world thought possible stays possible."""
    return entails(case.k, case.by(case.k, case.a))


@_erasure("K⊢¬α ⇒ K◆α≡K", source=KM, name="E2", when=lambda case: not case.k & case.a)
def e2(case: ChangeCase) -> bool:
    """What is denied already changes nothing."""
    return case.by(case.k, case.a) == case.k


@_erasure(
    "K⊬⊥ ∧ ⊬α ⇒ K◆α⊬α",
    source=KM,
    name="E3",
    when=lambda case: bool(case.k) and case.a != case.true,
)
def e3(case: ChangeCase) -> bool:
    """The input does not follow afterwards, unless it is a logical truth."""
    return not entails(case.by(case.k, case.a), case.a)


@_erasure(
    "K₁≡K₂ ∧ ⊢α↔γ ⇒ K₁◆α≡K₂◆γ",
    source=KM,
    name="E4",
    when=lambda case: case.a == case.g and case.k == case.other,
)
def e4(case: ChangeCase) -> bool:
    """Theories and inputs of one meaning have one result."""
    return case.by(case.k, case.a) == case.by_another(case.other, case.g)


@_erasure("(K◆α)∧α⊢K", source=KM, name="E5")
def e5(case: ChangeCase) -> bool:
    """Adding the input again brings everything back (recovery)."""
    return entails(case.by(case.k, case.a) & case.a, case.k)


@_erasure("(K₁∨K₂)◆α≡(K₁◆α)∨(K₂◆α)", source=KM, name="E8", inputs=2)
def e8(case: ChangeCase) -> bool:
    """Each world thought possible changes by itself."""
    apart = case.by(case.k, case.a) | case.by(case.other, case.a)
    return case.by(case.k | case.other, case.a) == apart


def _independence(postulates: PostulatesOf[ChangeCase]) -> Postulate[ChangeCase]:
    @postulates("B listed in any order ⇒ the same R", source=SET, name="independence-of-listing")
    def independence(case: ChangeCase) -> bool:
        """The order in which the beliefs of a base are listed does not matter."""
        return case.same_in_any_listing

    return independence


def _firmness(postulates: PostulatesOf[ChangeCase]) -> Postulate[ChangeCase]:
    @postulates(
        "β∈B∩R ⇒ r(β) in R ≥ r(β) in B", source="only a demotion demotes", name="no demotion"
    )
    def no_demotion(case: ChangeCase) -> bool:
        """What is still believed is no easier to give up than before."""
        return not case.demotes

    return no_demotion


UPDATE: tuple[Postulate[ChangeCase], ...] = (
    u1,
    u2,
    u3,
    u4,
    u5,
    u6,
    u7,
    u8,
    u9,
    vacuity_of_revision,
    consistency_of_revision,
    superexpansion_of_revision,
)
"""U1 to U9, and the three of revision that update must break."""

ERASURE: tuple[Postulate[ChangeCase], ...] = (e1, e2, e3, e4, e5, e8)
"""E1 to E5, and E8."""

UPDATE_OF_BASES = (*UPDATE, _independence(_update), _firmness(_update))
"""The same of operators on bases, with what every operator on bases should keep."""

ERASURE_OF_BASES = (*ERASURE, _independence(_erasure), _firmness(_erasure))
"""The same of erasure."""

"""Postulates of contraction and revision of theories (Alchourrón, Gärdenfors and Makinson 1985).

A theory is the set of worlds it leaves open, so that its closure is given; K÷1 and K*1 say that the
operator answers with worlds of the signature. K÷6 and K*6 hold by construction, for an input is a
set of worlds too. Severe withdrawal: Rott and Pagnucco 1999.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.postulate import PostulatesOf
from agm.postulates.worldcases import StateCase, entails

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

AGM = "Alchourrón, Gärdenfors and Makinson 1985"
SEVERE = "Rott and Pagnucco 1999"
_contraction = PostulatesOf[StateCase]("theory contraction")
_revision = PostulatesOf[StateCase]("theory revision")


@_contraction("K÷α=Cn(K÷α)", source=AGM, name="K÷1")
def contraction_1(case: StateCase) -> bool:
    """The result is a theory."""
    return entails(case.after(case.a), case.true)


@_contraction("K÷α⊆K", source=AGM, name="K÷2")
def contraction_2(case: StateCase) -> bool:
    """Nothing is added."""
    return entails(case.k, case.after(case.a))


@_contraction(
    "α∉K ⇒ K÷α=K",
    source=AGM,
    name="K÷3",
    when=lambda case: not entails(case.k, case.a),
)
def contraction_3(case: StateCase) -> bool:
    """What was not believed costs nothing."""
    return case.after(case.a) == case.k


@_contraction("⊬α ⇒ α∉K÷α", source=AGM, name="K÷4", when=lambda case: case.a != case.true)
def contraction_4(case: StateCase) -> bool:
    """The input is gone, unless it is a logical truth."""
    return not entails(case.after(case.a), case.a)


@_contraction(
    "K⊆Cn(K÷α∪{α})",
    source=AGM,
    name="K÷5",
    when=lambda case: entails(case.k, case.a),
)
def contraction_5(case: StateCase) -> bool:
    """Adding the input again brings everything back (recovery)."""
    return entails(case.after(case.a) & case.a, case.k)


@_contraction("⊢α↔γ ⇒ K÷α=K÷γ", source=AGM, name="K÷6", when=lambda case: case.a == case.g)
def contraction_6(case: StateCase) -> bool:
    """Inputs of one meaning have one result."""
    return case.after(case.a) == case.after(case.g)


@_contraction("(K÷α)∩(K÷γ)⊆K÷(α∧γ)", source=AGM, name="K÷7", inputs=2)
def contraction_7(case: StateCase) -> bool:
    """What stays whichever input is given up stays when both together are."""
    return entails(case.after(case.a & case.g), case.after(case.a) | case.after(case.g))


@_contraction(
    "α∉K÷(α∧γ) ⇒ K÷(α∧γ)⊆K÷α",
    source=AGM,
    name="K÷8",
    inputs=2,
    when=lambda case: not entails(case.after(case.a & case.g), case.a),
)
def contraction_8(case: StateCase) -> bool:
    """When giving up both gives up the first, it leaves no more than giving up that one."""
    return entails(case.after(case.a), case.after(case.a & case.g))


@_contraction("K÷(α∧γ)∈{K÷α, K÷γ, (K÷α)∩(K÷γ)}", source=AGM, inputs=2)
def factoring(case: StateCase) -> bool:
    """Giving up both is giving up one of them, or what both leave in common."""
    one, two = case.after(case.a), case.after(case.g)
    return case.after(case.a & case.g) in {one, two, one | two}


@_contraction("K÷α⊆K÷γ or K÷γ⊆K÷α", source=SEVERE, name="linear hierarchy", inputs=2)
def linear_hierarchy(case: StateCase) -> bool:
    """Of two results one contains the other."""
    one, two = case.after(case.a), case.after(case.g)
    return entails(one, two) or entails(two, one)


@_contraction(
    "⊬α ⇒ K÷α⊆K÷(α∧γ)",
    source=SEVERE,
    inputs=2,
    when=lambda case: case.a != case.true,
)
def antitony(case: StateCase) -> bool:
    """Giving up a stronger input leaves no less."""
    return entails(case.after(case.a & case.g), case.after(case.a))


@_revision("K*α=Cn(K*α)", source=AGM, name="K*1")
def revision_1(case: StateCase) -> bool:
    """The result is a theory."""
    return entails(case.after(case.a), case.true)


@_revision("α∈K*α", source=AGM, name="K*2")
def revision_2(case: StateCase) -> bool:
    """The input is believed."""
    return entails(case.after(case.a), case.a)


@_revision("K*α⊆K+α", source=AGM, name="K*3")
def revision_3(case: StateCase) -> bool:
    """Revision believes no more than expansion."""
    return entails(case.k & case.a, case.after(case.a))


@_revision("¬α∉K ⇒ K+α⊆K*α", source=AGM, name="K*4", when=lambda case: bool(case.k & case.a))
def revision_4(case: StateCase) -> bool:
    """Revision by what agrees with the theory is expansion."""
    return entails(case.after(case.a), case.k & case.a)


@_revision("⊬¬α ⇒ K*α⊬⊥", source=AGM, name="K*5", when=lambda case: bool(case.a))
def revision_5(case: StateCase) -> bool:
    """Revision by what is possible is consistent."""
    return bool(case.after(case.a))


@_revision("⊢α↔γ ⇒ K*α=K*γ", source=AGM, name="K*6", when=lambda case: case.a == case.g)
def revision_6(case: StateCase) -> bool:
    """Inputs of one meaning have one result."""
    return case.after(case.a) == case.after(case.g)


@_revision(
    "K*(α∧γ)⊆(K*α)+γ",
    source=AGM,
    name="K*7",
    inputs=2,
    when=lambda case: bool(case.a & case.g),
)
def revision_7(case: StateCase) -> bool:
    """Revision by both believes no more than revision by the first, expanded by the second."""
    return entails(case.after(case.a) & case.g, case.after(case.a & case.g))


@_revision(
    "¬γ∉K*α ⇒ (K*α)+γ⊆K*(α∧γ)",
    source=AGM,
    name="K*8",
    inputs=2,
    when=lambda case: bool(case.after(case.a) & case.g),
)
def revision_8(case: StateCase) -> bool:
    """When the second agrees with the revision by the first, revising by both adds it."""
    return entails(case.after(case.a & case.g), case.after(case.a) & case.g)


CONTRACTION: tuple[Postulate[StateCase], ...] = (
    contraction_1,
    contraction_2,
    contraction_3,
    contraction_4,
    contraction_5,
    contraction_6,
    contraction_7,
    contraction_8,
    factoring,
    linear_hierarchy,
    antitony,
)
"""K÷1 to K÷8, factoring, and the two that single out severe withdrawal."""

REVISION: tuple[Postulate[StateCase], ...] = (
    revision_1,
    revision_2,
    revision_3,
    revision_4,
    revision_5,
    revision_6,
    revision_7,
    revision_8,
)
"""K*1 to K*8."""

"""Postulates of base contraction that are read on closures.

K÷7 and K÷8 on Cn(R), and K*3-K*8 of the revision Cn((B ÷ ¬α) ∪ {α}) that the Levi identity makes of
the contraction (Alchourrón, Gärdenfors and Makinson 1985); K÷1-K÷4 and K÷6 follow from the
postulates of `contraction`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.postulate import PostulatesOf

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

AGM = "Alchourrón, Gärdenfors and Makinson 1985"
_postulate = PostulatesOf[Case]("contraction")


def either_lost(case: Case) -> bool:
    """Whether one of the two claims costs a belief."""
    return bool(case.lost or case.all & ~case.second.kept)


@_postulate(
    "Cn(B÷α)∩Cn(B÷γ)⊆Cn(B÷(α∧γ))",
    source=AGM,
    when=either_lost,
    inputs=2,
    name="K÷7 on Cn(R)",
)
def closure_7(case: Case) -> bool:
    """What follows whichever claim is given up follows when both are."""
    return not case.joined.worlds & ~(case.result.worlds | case.second.worlds)


@_postulate(
    "α∉Cn(B÷(α∧γ)) ⇒ Cn(B÷(α∧γ))⊆Cn(B÷α)",
    source=AGM,
    when=lambda case: either_lost(case) and bool(case.joined.worlds & ~case.a),
    inputs=2,
    name="K÷8 on Cn(R)",
)
def closure_8(case: Case) -> bool:
    """When giving up both gives up the first, it leaves no more consequences than that one."""
    return not case.result.worlds & ~case.joined.worlds


def _revised(case: Case, which: str = "alpha") -> int:
    """The worlds of Cn((B÷¬α)∪{α}), of α, of γ or of both."""
    claim = {"alpha": case.alpha, "gamma": case.gamma}.get(which)
    if claim is None:
        claim = case.said(case.alpha & case.gamma)
    return case.trial.result(case.denied(claim)).worlds & case.at.mask(claim)


@_postulate("K*α⊆K+α", source=AGM, name="K*3 (Levi)")
def levi_3(case: Case) -> bool:
    """Revision believes no more than expansion."""
    return not case.at.meets[case.all] & case.a & ~_revised(case)


@_postulate(
    "¬α∉K ⇒ K+α⊆K*α",
    source=AGM,
    when=lambda case: bool(case.at.meets[case.all] & case.a),
    name="K*4 (Levi)",
)
def levi_4(case: Case) -> bool:
    """Revision by what agrees with the base is expansion."""
    return not _revised(case) & ~(case.at.meets[case.all] & case.a)


@_postulate("⊬¬α ⇒ K*α⊬⊥", source=AGM, when=lambda case: bool(case.a), name="K*5 (Levi)")
def levi_5(case: Case) -> bool:
    """Revision by what is possible is consistent."""
    return bool(_revised(case))


@_postulate(
    "⊢α↔γ ⇒ K*α=K*γ",
    source=AGM,
    when=lambda case: bool(case.variants()),
    name="K*6 (Levi)",
)
def levi_6(case: Case) -> bool:
    """However the claim is written, revision believes the same."""
    own = _revised(case)
    return all(
        case.trial.result(case.denied(claim)).worlds & case.a == own for claim in case.variants()
    )


@_postulate(
    "K*(α∧γ)⊆(K*α)+γ",
    source=AGM,
    inputs=2,
    name="K*7 (Levi)",
    when=lambda case: bool(case.a & case.g),
)
def levi_7(case: Case) -> bool:
    """Revision by both believes no more than revision by the first, expanded by the second."""
    return not _revised(case) & case.g & ~_revised(case, "both")


@_postulate(
    "¬γ∉K*α ⇒ (K*α)+γ⊆K*(α∧γ)",
    source=AGM,
    when=lambda case: bool(_revised(case) & case.g),
    inputs=2,
    name="K*8 (Levi)",
)
def levi_8(case: Case) -> bool:
    """When the second agrees with the revision by the first, revising by both adds it."""
    return not _revised(case, "both") & ~(_revised(case) & case.g)


CLOSURES: tuple[Postulate[Case], ...] = (
    closure_7,
    closure_8,
    levi_3,
    levi_4,
    levi_5,
    levi_6,
    levi_7,
    levi_8,
)
"""The postulates on closures, as they are listed in the matrix."""

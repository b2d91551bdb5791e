"""Postulates of base revision: R = B * α (Hansson 1999, ch. 3).

K*7 and K*8 are read on closures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.expansion import expand
from agm.postulates.cases import Case
from agm.postulates.common import by_alpha, independent_of_listing, without_demotion
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import members, parts

if TYPE_CHECKING:
    from agm.claims import Claim
    from agm.postulates.cases import Situation, Trial
    from agm.postulates.postulate import Postulate

HANSSON = "Hansson 1999, ch. 3"
AGM = "Alchourrón, Gärdenfors and Makinson 1985"
_postulate = PostulatesOf[Case]("revision")


def _possible(case: Case) -> bool:
    return bool(case.a)


def _lost(case: Case) -> bool:
    return _possible(case) and bool(case.lost)


@_postulate("α∈B*α", source=HANSSON, when=_possible)
def success(case: Case) -> bool:
    """The claim is believed."""
    return case.taken


@_postulate("B*α⊆B∪{α}", source=HANSSON, when=_possible)
def inclusion(case: Case) -> bool:
    """Nothing but the claim is added."""
    return all(mask == case.a for mask, _ in case.result.extra)


@_postulate("⊬¬α ⇒ B*α⊬⊥", source=HANSSON, when=_possible)
def consistency(case: Case) -> bool:
    """The result is consistent when the claim is."""
    return bool(case.result.worlds)


@_postulate(
    "B⊬¬α ⇒ B*α=B∪{α}",
    source=HANSSON,
    when=lambda case: bool(case.at.meets[case.all] & case.a),
)
def vacuity(case: Case) -> bool:
    """What agrees with the claim stays."""
    return not case.lost and case.taken


@_postulate(
    "∀β∈B∖R ∃B'⊆B∪{α}: B'⊬⊥, B'∪{β}⊢⊥",
    source="Hansson 1994",
    when=_lost,
)
def core_retainment(case: Case) -> bool:
    """What is lost contributed to some clash with the claim."""
    return _each_clashes(case, parts(case.all))


@_postulate(
    "∀β∈B∖R ∃B': R⊆B'⊆B∪{α}, B'⊬⊥, B'∪{β}⊢⊥",
    source=HANSSON,
    when=_lost,
)
def relevance(case: Case) -> bool:
    """What is lost contributed to a clash on top of what is kept."""
    return _each_clashes(case, [case.kept | part for part in parts(case.lost)])


def _each_clashes(case: Case, sets: list[int] | tuple[int, ...]) -> bool:
    meets, alpha = case.at.meets, case.a
    return all(
        any(meets[part] & alpha and not meets[part] & alpha & case.at.masks[beta] for part in sets)
        for beta in members(case.lost)
    )


def is_new(case: Case) -> bool:
    """Whether neither claim is a belief of the base, whose own fate would be compared too."""
    return all(
        own.claim is not case.alpha and own.claim is not case.gamma for own in case.at.beliefs
    )


def _clash_alike(case: Case) -> bool:
    if not (case.a and case.g) or case.alpha is case.gamma or not is_new(case):
        return False
    return all((not meet & case.a) == (not meet & case.g) for meet in case.at.meets)


@_postulate(
    "(∀B'⊆B: B'∪{α}⊢⊥ ⇔ B'∪{γ}⊢⊥) ⇒ B∩(B*α)=B∩(B*γ)",
    source=HANSSON,
    when=lambda case: _clash_alike(case) and bool(case.lost | case.all & ~case.second.kept),
    inputs=2,
)
def uniformity(case: Case) -> bool:
    """Claims that the same parts of the base contradict cost the same beliefs."""
    return case.kept == case.second.kept


@_postulate(
    "(B+α)*α=B*α",
    source=HANSSON,
    when=lambda case: _lost(case) and case.trial.told(case.alpha) is not None,
)
def pre_expansion(case: Case) -> bool:
    """Adding the claim first makes no difference."""
    again = _expanded(case).result(case.alpha)
    kept = again.kept & case.all
    return kept == case.kept and again.worlds == case.result.worlds


def _expanded(case: Case) -> Trial:
    def more() -> Situation:
        told = case.trial.told(case.alpha)
        assert told is not None
        grown = expand(case.at.base, case.alpha, entrenchment=told).after
        own = [next(b for b in grown if b.id == belief.id) for belief in case.at.beliefs]
        added = [b for b in grown if all(b.id != belief.id for belief in case.at.beliefs)]
        return case.at.holding([*own, *added])

    return case.trial.other(("expanded", case.alpha), more)


def new_variants(case: Case) -> list[Claim]:
    """Other ways to write alpha that are no beliefs of the base."""
    held = {belief.claim for belief in case.at.beliefs}
    return [claim for claim in case.variants() if claim not in held]


@_postulate(
    "⊢α↔γ ⇒ B∩(B*α)=B∩(B*γ)",
    source=HANSSON,
    when=lambda case: _lost(case) and is_new(case) and bool(new_variants(case)),
)
def extensionality(case: Case) -> bool:
    """However the claim is written, the same beliefs go."""
    return all(case.trial.result(claim).kept == case.kept for claim in new_variants(case))


@_postulate(
    "K*(α∧γ)⊆(K*α)+γ",
    source=AGM,
    inputs=2,
    name="K*7 on Cn(R)",
    when=lambda case: bool(case.a & case.g),
)
def closure_7(case: Case) -> bool:
    """Revision by both believes no more than revision by the first, expanded by the second."""
    return not case.result.worlds & case.g & ~case.joined.worlds


@_postulate(
    "¬γ∉K*α ⇒ (K*α)+γ⊆K*(α∧γ)",
    source=AGM,
    inputs=2,
    name="K*8 on Cn(R)",
    when=lambda case: bool(case.a) and bool(case.result.worlds & case.g),
)
def closure_8(case: Case) -> bool:
    """When the second agrees with the revision by the first, revising by both adds it."""
    return not case.joined.worlds & ~(case.result.worlds & case.g)


independence_of_listing = independent_of_listing(_postulate, by_alpha, when=_possible)
no_demotion = without_demotion(_postulate, by_alpha, when=_possible)


POSTULATES: tuple[Postulate[Case], ...] = (
    success,
    inclusion,
    consistency,
    vacuity,
    relevance,
    core_retainment,
    uniformity,
    extensionality,
    pre_expansion,
    closure_7,
    closure_8,
    independence_of_listing,
    no_demotion,
)
"""All postulates of base revision."""

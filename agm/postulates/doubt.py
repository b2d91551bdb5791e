"""Postulates of operators that may say no: semi-revision and screened change.

Semi-revision adds a claim and then consolidates, perhaps at the cost of the claim (Hansson 1997);
credibility-limited revision takes in only what is credible (Hansson, Fermé, Cantwell and Falappa
2001); shielded contraction keeps what must not go (Fermé and Hansson 2001). Where these two do change
a base, they are held to what is asked of contraction and revision of bases too: inclusion,
core-retainment, relevance (Fermé and Hansson 2001 for contraction, Fermé, Mikalef and Taboada 2003 for
credibility-limited revision of bases), and that the writing of the claim does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates import contraction, revision
from agm.postulates.cases import Case
from agm.postulates.common import by_alpha, independent_of_listing, without_demotion
from agm.postulates.consolidation import clashes
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import members, parts

if TYPE_CHECKING:
    from agm.claims import Claim
    from agm.postulates.postulate import Postulate

SEMI = "Hansson 1997"
LIMITED = "Hansson, Fermé, Cantwell and Falappa 2001"
SHIELDED = "Fermé and Hansson 2001"
ON_BASES = "Fermé, Mikalef and Taboada 2003"
_semi_revision = PostulatesOf[Case]("semi-revision")
_limited = PostulatesOf[Case]("credibility-limited revision")
_shielded = PostulatesOf[Case]("shielded contraction")


def _possible(case: Case) -> bool:
    return bool(case.a)


def _unchanged(case: Case) -> bool:
    return case.kept == case.all and not case.result.extra


@_semi_revision("B?α⊬⊥", source=SEMI, name="semi consistency")
def semi_consistency(case: Case) -> bool:
    """The result is consistent."""
    return bool(case.result.worlds)


@_semi_revision("B?α⊆B∪{α}", source=SEMI, name="semi inclusion")
def semi_inclusion(case: Case) -> bool:
    """Nothing but the claim is added."""
    return all(mask == case.a for mask, _ in case.result.extra)


@_semi_revision(
    "∀β∈B∖R ∃B'⊆B∪{α}: B'⊬⊥, B'∪{β}⊢⊥",
    source=SEMI,
    name="semi core-retainment",
    when=lambda case: bool(case.lost),
)
def semi_core_retainment(case: Case) -> bool:
    """What is lost contributed to some inconsistency of the base with the claim."""
    at = case.at
    return all(
        clashes(at, 1 << beta, parts(case.all), case.at.true)
        or clashes(at, 1 << beta, parts(case.all), case.a)
        for beta in members(case.lost)
    )


@_semi_revision(
    "(B+α)?α=B?α",
    source=SEMI,
    name="semi pre-expansion",
    when=lambda case: (bool(case.lost) or not case.taken) and _told(case) is not None,
)
def semi_pre_expansion(case: Case) -> bool:
    """Adding the claim first makes no difference."""
    return revision.pre_expansion.holds(case)


@_semi_revision(
    "B⊬⊥ ⇒ α∈R or R=B",
    source=LIMITED,
    name="semi relative success",
    when=lambda case: bool(case.at.meets[case.all]) and not case.at.meets[case.all] & case.a,
)
def semi_relative_success(case: Case) -> bool:
    """Either the claim is taken in, or a consistent base stays as it is."""
    return case.taken or _unchanged(case)


@_semi_revision(
    "α∉R ⇒ {β∈R: r(β)≥r(α)}∪{α}⊢⊥",
    source="the certificate of a rejection",
    name="rejection certificate",
    when=lambda case: not case.taken and _told(case) is not None,
)
def rejection_certificate(case: Case) -> bool:
    """A rejected claim contradicts kept beliefs that are at least as entrenched."""
    told = _told(case)
    assert told is not None
    stronger = case.kept & case.at.at_least(case.at.base.order.rank(told))
    return not case.at.meets[stronger] & case.a


def _told(case: Case) -> str | None:
    """The class at which the claim is told; None where the change does not show it."""
    return case.trial.told(case.alpha)


@_limited("α∈B∗α or B∗α=B", source=LIMITED, name="limited relative success")
def limited_success(case: Case) -> bool:
    """Either the claim is taken in, or nothing changes."""
    return case.taken or _unchanged(case)


@_limited(
    "α∈B∗α ∧ α⊢γ ⇒ γ∈Cn(B∗γ)",
    source=LIMITED,
    inputs=2,
    name="strict improvement",
    when=lambda case: not case.a & ~case.g and case.a != case.g and case.taken,
)
def strict_improvement(case: Case) -> bool:
    """What follows from a credible claim is credible."""
    return not case.second.worlds & ~case.g


@_limited(
    "B∗α⊢γ ⇒ B∗γ⊢γ",
    source=LIMITED,
    inputs=2,
    when=lambda case: case.a != case.g and not case.result.worlds & ~case.g,
)
def regularity(case: Case) -> bool:
    """What comes to be believed by a change is credible."""
    return not case.second.worlds & ~case.g


@_limited(
    "B⊬⊥ ⇒ B∗α⊬⊥",
    source=LIMITED,
    when=lambda case: bool(case.at.meets[case.all]),
)
def consistency_preservation(case: Case) -> bool:
    """A consistent base stays consistent."""
    return bool(case.result.worlds)


@_limited(
    "B⊬¬α ⇒ Cn(B∗α)=Cn(B∪{α})",
    source=LIMITED,
    name="limited vacuity",
    when=lambda case: bool(case.at.meets[case.all] & case.a),
)
def limited_vacuity(case: Case) -> bool:
    """What agrees with the base is added."""
    return case.result.worlds == case.at.meets[case.all] & case.a


@_limited(
    "Cn(B∗α)=Cn(B∗γ) ⇒ Cn(B∗(α∨γ))=Cn(B∗α)",
    source=LIMITED,
    inputs=2,
    when=lambda case: case.a != case.g and case.result.worlds == case.second.worlds,
)
def disjunctive_constancy(case: Case) -> bool:
    """Claims of one result have it for their disjunction too."""
    either = case.said(case.alpha | case.gamma)
    return case.trial.result(either).worlds == case.result.worlds


@_limited("B∗α⊆B∪{α}", source=ON_BASES, name="limited inclusion")
def limited_inclusion(case: Case) -> bool:
    """Nothing but the claim is added."""
    return all(mask == case.a for mask, _ in case.result.extra)


@_limited(
    "∀β∈B∖R ∃B'⊆B∪{α}: B'⊬⊥, B'∪{β}⊢⊥",
    source=ON_BASES,
    name="limited core-retainment",
    when=lambda case: bool(case.lost),
)
def limited_core_retainment(case: Case) -> bool:
    """What is lost contributed to some clash with the claim."""
    return revision.core_retainment.holds(case)


@_limited(
    "∀β∈B∖R ∃B': R⊆B'⊆B∪{α}, B'⊬⊥, B'∪{β}⊢⊥",
    source=ON_BASES,
    name="limited relevance",
    when=lambda case: bool(case.lost),
)
def limited_relevance(case: Case) -> bool:
    """What is lost contributed to a clash with the claim on top of what is kept."""
    return revision.relevance.holds(case)


@_limited(
    "⊢α↔γ ⇒ B∩(B∗α)=B∩(B∗γ), Cn(B∗α)=Cn(B∗γ)",
    source=LIMITED,
    name="limited extensionality",
    when=lambda case: bool(revision.new_variants(case)) and revision.is_new(case),
)
def limited_extensionality(case: Case) -> bool:
    """However the claim is written, it is taken in or not, and the same beliefs go."""
    return all(_as_well(case, claim) for claim in revision.new_variants(case))


def _as_well(case: Case, claim: Claim) -> bool:
    """Whether a claim comes to the same as alpha."""
    again = case.trial.result(claim)
    return (again.kept, again.worlds) == (case.kept, case.result.worlds)


@_shielded("B÷α⊬α or B÷α=B", source=SHIELDED, name="shielded relative success")
def shielded_success(case: Case) -> bool:
    """Either the claim is gone, or nothing changes."""
    return bool(case.result.worlds & ~case.a) or _unchanged(case)


@_shielded(
    "B÷α⊢α ∧ α⊢γ ⇒ B÷γ⊢γ",
    source=SHIELDED,
    inputs=2,
    name="success propagation",
    when=lambda case: (
        not case.a & ~case.g and case.a != case.g and not case.result.worlds & ~case.a
    ),
)
def success_propagation(case: Case) -> bool:
    """What follows from a claim that cannot go cannot go."""
    return not case.second.worlds & ~case.g


@_shielded(
    "B÷α⊢α ⇒ B÷γ⊢α",
    source=SHIELDED,
    inputs=2,
    when=lambda case: case.a != case.g and not case.result.worlds & ~case.a,
)
def persistence(case: Case) -> bool:
    """A claim that cannot go stays, whatever else is given up."""
    return not case.second.worlds & ~case.a


@_shielded("B÷α⊆B", source=SHIELDED, name="shielded inclusion")
def shielded_inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not case.result.extra


@_shielded(
    "B⊬α ⇒ B÷α=B",
    source=SHIELDED,
    name="shielded vacuity",
    when=lambda case: not case.at.entails(case.all, case.a),
)
def shielded_vacuity(case: Case) -> bool:
    """What did not follow costs nothing."""
    return _unchanged(case)


@_shielded(
    "∀β∈B∖R ∃B'⊆B: B'⊬α ∧ B'∪{β}⊢α",
    source=SHIELDED,
    name="shielded core-retainment",
    when=lambda case: bool(case.lost),
)
def shielded_core_retainment(case: Case) -> bool:
    """What is lost contributed to the claim somehow."""
    return contraction.core_retainment.holds(case)


@_shielded(
    "∀β∈B∖R ∃B': R⊆B'⊆B, B'⊬α ∧ B'∪{β}⊢α",
    source=SHIELDED,
    name="shielded relevance",
    when=lambda case: bool(case.lost),
)
def shielded_relevance(case: Case) -> bool:
    """What is lost contributed to the claim on top of what is kept."""
    return contraction.relevance.holds(case)


@_shielded(
    "⊢α↔γ ⇒ B÷α=B÷γ",
    source=SHIELDED,
    name="shielded extensionality",
    when=lambda case: case.at.entails(case.all, case.a) and bool(case.variants()),
)
def shielded_extensionality(case: Case) -> bool:
    """However the claim is written, it can go or not, and the same beliefs go."""
    return all(_as_well(case, claim) for claim in case.variants())


SEMI_REVISION: tuple[Postulate[Case], ...] = (
    semi_consistency,
    semi_inclusion,
    semi_core_retainment,
    semi_pre_expansion,
    semi_relative_success,
    rejection_certificate,
    independent_of_listing(_semi_revision, by_alpha),
    without_demotion(_semi_revision, by_alpha),
)
"""Postulates of semi-revision."""

CREDIBILITY: tuple[Postulate[Case], ...] = (
    limited_success,
    strict_improvement,
    regularity,
    consistency_preservation,
    limited_vacuity,
    disjunctive_constancy,
    limited_inclusion,
    limited_core_retainment,
    limited_relevance,
    limited_extensionality,
    independent_of_listing(_limited, by_alpha, when=_possible),
    without_demotion(_limited, by_alpha, when=_possible),
)
"""Postulates of credibility-limited revision."""

SHIELDED_CONTRACTION: tuple[Postulate[Case], ...] = (
    shielded_success,
    shielded_inclusion,
    shielded_vacuity,
    success_propagation,
    persistence,
    shielded_core_retainment,
    shielded_relevance,
    shielded_extensionality,
    independent_of_listing(_shielded, by_alpha),
    without_demotion(_shielded, by_alpha),
)
"""Postulates of shielded contraction."""

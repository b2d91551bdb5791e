"""Postulates of operators that may say no: semi-revision and screened change.

Semi-revision adds a claim and then consolidates, perhaps at the cost of the claim (Hansson 1997);
credibility-limited revision takes in only what is credible (Hansson, Fermé, Cantwell and Falappa
2001); shielded contraction keeps what must not go (Fermé and Hansson 2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.common import by_alpha, independent_of_listing, without_demotion
from agm.postulates.consolidation import clashes
from agm.postulates.postulate import PostulatesOf
from agm.postulates.revision import pre_expansion as _pre_expansion
from agm.postulates.tables import members, parts

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

SEMI = "Hansson 1997"
LIMITED = "Hansson, Fermé, Cantwell and Falappa 2001"
SHIELDED = "Fermé and Hansson 2001"
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
    when=lambda case: bool(case.lost) or not case.taken,
)
def semi_pre_expansion(case: Case) -> bool:
    """Adding the claim first makes no difference."""
    return _pre_expansion.holds(case)


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
    when=lambda case: not case.taken,
)
def rejection_certificate(case: Case) -> bool:
    """A rejected claim contradicts kept beliefs that are at least as entrenched."""
    stronger = case.kept & case.at.at_least(_newcomer(case))
    return not case.at.meets[stronger] & case.a


def _newcomer(case: Case) -> int:
    """The rank at which the claim is told; one that is held keeps the higher of its ranks."""
    told = case.at.base.order.rank("asserted")
    held = case.at.base.held(case.alpha)
    return told if held is None else max(told, case.at.base.rank(held))


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
    independent_of_listing(_shielded, by_alpha),
    without_demotion(_shielded, by_alpha),
)
"""Postulates of shielded contraction."""

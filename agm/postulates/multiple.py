"""Postulates of operators that take several claims at once (Fuhrmann and Hansson 1994).

Package contraction gives up each of the claims, choice contraction at least one of them, multiple
revision takes all of them in. All three are simultaneous: the claims are a set, and none is lost
because another was looked at later. A case puts alpha and gamma to the operator together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import members, parts

if TYPE_CHECKING:
    from agm.postulates.cases import Result
    from agm.postulates.postulate import Postulate

FH = "Fuhrmann and Hansson 1994"
_package = PostulatesOf[Case]("package contraction", inputs=2)
_choice = PostulatesOf[Case]("choice contraction", inputs=2)
_revision = PostulatesOf[Case]("multiple revision", inputs=2)


def _result(case: Case) -> Result:
    return case.trial.result(case.alpha, case.gamma)


def _lost(case: Case) -> int:
    return case.all & ~_result(case).kept


def _some_lost(case: Case) -> bool:
    return bool(_lost(case))


def _contingent(case: Case) -> bool:
    return not case.tautology(case.a) and not case.tautology(case.g)


def _entails_one(case: Case, part: int) -> bool:
    return case.at.entails(part, case.a) or case.at.entails(part, case.g)


def _entails_all(case: Case, part: int) -> bool:
    return case.at.entails(part, case.a & case.g)


@_package("(∀α∈A: ⊬α) ⇒ (∀α∈A: R⊬α)", source=FH, when=_contingent)
def package_success(case: Case) -> bool:
    """Each of the claims is gone, unless one of them is a logical truth."""
    worlds = _result(case).worlds
    return bool(worlds & ~case.a) and bool(worlds & ~case.g)


@_package("R⊆B", source=FH)
def package_inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not _result(case).extra


@_package(
    "(∀α∈A: B⊬α) ⇒ R=B",
    source=FH,
    when=lambda case: not _entails_one(case, case.all),
)
def package_vacuity(case: Case) -> bool:
    """When none of the claims followed, nothing is lost."""
    return not _lost(case)


@_package(
    "∀β∈B∖R ∃B': R⊆B'⊆B, B' entails no α∈A, B'∪{β} entails one",
    source=FH,
    when=lambda case: _some_lost(case) and _contingent(case),
)
def package_relevance(case: Case) -> bool:
    """What is lost contributed to entailing one of the claims on top of what is kept."""
    kept, lost = _result(case).kept, _lost(case)
    return all(
        any(
            not _entails_one(case, kept | part) and _entails_one(case, kept | part | 1 << beta)
            for part in parts(lost)
        )
        for beta in members(lost)
    )


@_package(
    "B÷⟨α,γ⟩=B÷⟨γ,α⟩",
    source=FH,
    when=_some_lost,
    name="package independence of order",
    inputs=2,
)
def package_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    return _result(case).kept == case.trial.result(case.gamma, case.alpha).kept


@_choice(
    "⊬⋀A ⇒ R⊬⋀A",
    source=FH,
    when=lambda case: not case.tautology(case.a & case.g),
)
def choice_success(case: Case) -> bool:
    """At least one of the claims is gone, unless all are logical truths."""
    return bool(_result(case).worlds & ~(case.a & case.g))


@_choice("R⊆B", source=FH)
def choice_inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not _result(case).extra


@_choice("B⊬⋀A ⇒ R=B", source=FH, when=lambda case: not _entails_all(case, case.all))
def choice_vacuity(case: Case) -> bool:
    """When the claims did not all follow, nothing is lost."""
    return not _lost(case)


@_choice(
    "∀β∈B∖R ∃B': R⊆B'⊆B, B'⊬⋀A, B'∪{β}⊢⋀A",
    source=FH,
    when=_some_lost,
)
def choice_relevance(case: Case) -> bool:
    """What is lost contributed to entailing all of the claims on top of what is kept."""
    kept, lost = _result(case).kept, _lost(case)
    return all(
        any(
            not _entails_all(case, kept | part) and _entails_all(case, kept | part | 1 << beta)
            for part in parts(lost)
        )
        for beta in members(lost)
    )


@_choice(
    "B÷⟨α,γ⟩=B÷⟨γ,α⟩",
    source=FH,
    when=_some_lost,
    name="choice independence of order",
    inputs=2,
)
def choice_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    return _result(case).kept == case.trial.result(case.gamma, case.alpha).kept


def _possible(case: Case) -> bool:
    return bool(case.a & case.g)


@_revision("A⊆B*A", source=FH, when=_possible)
def multiple_success(case: Case) -> bool:
    """Every one of the claims is believed."""
    result = _result(case)
    held = {mask for mask, _ in result.extra} | {case.at.masks[b] for b in members(result.kept)}
    return {case.a, case.g} <= held


@_revision("B*A⊆B∪A", source=FH, when=_possible)
def multiple_inclusion(case: Case) -> bool:
    """Nothing but the claims is added."""
    return all(mask in {case.a, case.g} for mask, _ in _result(case).extra)


@_revision("⊬¬⋀A ⇒ B*A⊬⊥", source=FH, when=_possible)
def multiple_consistency(case: Case) -> bool:
    """The result is consistent when the claims are so together."""
    return bool(_result(case).worlds)


@_revision(
    "B⊬¬⋀A ⇒ B*A=B∪A",
    source=FH,
    when=lambda case: bool(case.at.meets[case.all] & case.a & case.g),
)
def multiple_vacuity(case: Case) -> bool:
    """What agrees with the claims stays."""
    return not _lost(case)


@_revision(
    "∀β∈B∖R ∃B': R⊆B'⊆B∪A, B'⊬⊥, B'∪{β}⊢⊥",
    source=FH,
    when=lambda case: _possible(case) and _some_lost(case),
)
def multiple_relevance(case: Case) -> bool:
    """What is lost contributed to a clash with the claims on top of what is kept."""
    kept, lost, meets, both = _result(case).kept, _lost(case), case.at.meets, case.a & case.g
    return all(
        any(
            meets[kept | part] & both and not meets[kept | part] & both & case.at.masks[beta]
            for part in parts(lost)
        )
        for beta in members(lost)
    )


@_revision(
    "B*⟨α,γ⟩=B*⟨γ,α⟩",
    source=FH,
    when=_possible,
    name="multiple independence of order",
    inputs=2,
)
def multiple_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    one, two = _result(case), case.trial.result(case.gamma, case.alpha)
    return (one.kept, one.extra) == (two.kept, two.extra)


PACKAGE: tuple[Postulate[Case], ...] = (
    package_success,
    package_inclusion,
    package_vacuity,
    package_relevance,
    package_order,
)
"""Postulates of package contraction."""

CHOICE: tuple[Postulate[Case], ...] = (
    choice_success,
    choice_inclusion,
    choice_vacuity,
    choice_relevance,
    choice_order,
)
"""Postulates of choice contraction."""

REVISION: tuple[Postulate[Case], ...] = (
    multiple_success,
    multiple_inclusion,
    multiple_consistency,
    multiple_vacuity,
    multiple_relevance,
    multiple_order,
)
"""Postulates of multiple revision."""

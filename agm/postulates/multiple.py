"""Postulates of operators that take several claims at once (Fuhrmann and Hansson 1994).

Package contraction gives up each of the claims, choice contraction at least one of them, multiple
revision takes all of them in. All three are simultaneous: the claims are a set, and none is lost
because another was looked at later. A case puts all of its claims to the operator together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.common import by_all, independent_of_listing, without_demotion
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import meet, members, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm.claims import Claim
    from agm.postulates.cases import Result
    from agm.postulates.postulate import Postulate

FH = "Fuhrmann and Hansson 1994"
_package = PostulatesOf[Case]("package contraction", inputs=3)
_choice = PostulatesOf[Case]("choice contraction", inputs=3)
_revision = PostulatesOf[Case]("multiple revision", inputs=3)


def _result(case: Case) -> Result:
    return case.trial.result(*case.claims)


def _lost(case: Case) -> int:
    return case.all & ~_result(case).kept


def _some_lost(case: Case) -> bool:
    return bool(_lost(case))


def _goals(case: Case) -> list[int]:
    return [case.at.mask(claim) for claim in case.claims]


def _both(case: Case) -> int:
    """The worlds in which all of the claims are true."""
    return meet(_goals(case), case.at.true)


def _true_one(case: Case) -> bool:
    return any(map(case.tautology, _goals(case)))


def _entails_one(case: Case, part: int) -> bool:
    return any(case.at.entails(part, goal) for goal in _goals(case))


def _entails_all(case: Case, part: int) -> bool:
    return case.at.entails(part, _both(case))


def _each_counts(case: Case, entails: Callable[[Case, int], bool]) -> bool:
    """Whether each lost belief makes a part of the base that contains what is kept entail."""
    kept, lost = _result(case).kept, _lost(case)
    return all(
        any(
            not entails(case, kept | part) and entails(case, kept | part | 1 << beta)
            for part in parts(lost)
        )
        for beta in members(lost)
    )


def _listings(case: Case) -> Iterator[tuple[Claim, ...]]:
    """The claims listed in other orders: backwards, and the first one last."""
    yield case.claims[::-1]
    if len(case.claims) > 2:
        yield (*case.claims[1:], case.claims[0])


def _same_in_any_order(case: Case) -> bool:
    own = _result(case)
    return all(own == case.trial.result(*claims) for claims in _listings(case))


def _several(case: Case) -> bool:
    return len(case.claims) > 1


@_package(
    "(∀α∈A: ⊬α) ⇒ (∀α∈A: R⊬α)",
    source=FH,
    when=lambda case: not _true_one(case),
)
def package_success(case: Case) -> bool:
    """Each of the claims is gone, unless one of them is a logical truth."""
    worlds = _result(case).worlds
    return all(worlds & ~goal for goal in _goals(case))


@_package("R⊆B", source=FH)
def package_inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not _result(case).extra


@_package("(∃α∈A: ⊢α) ⇒ R=B", source=FH, when=_true_one)
def package_failure(case: Case) -> bool:
    """A package with a logical truth in it costs nothing."""
    return not _lost(case)


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
    when=lambda case: _some_lost(case) and not _true_one(case),
)
def package_relevance(case: Case) -> bool:
    """What is lost contributed to entailing one of the claims on top of what is kept."""
    return _each_counts(case, _entails_one)


@_package(
    "B÷⟨α,γ,…⟩=B÷⟨γ,…,α⟩",
    source=FH,
    when=_several,
    name="package independence of order",
)
def package_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    return _same_in_any_order(case)


@_choice(
    "⊬⋀A ⇒ R⊬⋀A",
    source=FH,
    when=lambda case: not case.tautology(_both(case)),
)
def choice_success(case: Case) -> bool:
    """At least one of the claims is gone, unless all are logical truths."""
    return bool(_result(case).worlds & ~_both(case))


@_choice("R⊆B", source=FH)
def choice_inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not _result(case).extra


@_choice("⊢⋀A ⇒ R=B", source=FH, when=lambda case: case.tautology(_both(case)))
def choice_failure(case: Case) -> bool:
    """A choice among logical truths costs nothing."""
    return not _lost(case)


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
    return _each_counts(case, _entails_all)


@_choice(
    "B÷⟨α,γ,…⟩=B÷⟨γ,…,α⟩",
    source=FH,
    when=_several,
    name="choice independence of order",
)
def choice_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    return _same_in_any_order(case)


def _possible(case: Case) -> bool:
    return bool(_both(case))


@_revision("A⊆B*A", source=FH, when=_possible)
def multiple_success(case: Case) -> bool:
    """Every one of the claims is believed."""
    result = _result(case)
    held = {mask for mask, _ in result.extra} | {case.at.masks[b] for b in members(result.kept)}
    return held.issuperset(_goals(case))


@_revision("B*A⊆B∪A", source=FH, when=_possible)
def multiple_inclusion(case: Case) -> bool:
    """Nothing but the claims is added."""
    goals = set(_goals(case))
    return all(mask in goals for mask, _ in _result(case).extra)


@_revision("⊬¬⋀A ⇒ B*A⊬⊥", source=FH, when=_possible)
def multiple_consistency(case: Case) -> bool:
    """The result is consistent when the claims are so together."""
    return bool(_result(case).worlds)


@_revision(
    "B⊬¬⋀A ⇒ B*A=B∪A",
    source=FH,
    when=lambda case: bool(case.at.meets[case.all] & _both(case)),
)
def multiple_vacuity(case: Case) -> bool:
    """What agrees with the claims stays."""
    return not _lost(case)


def _clashes(case: Case, part: int) -> bool:
    return not case.at.meets[part] & _both(case)


@_revision(
    "∀β∈B∖R ∃B': R⊆B'⊆B∪A, B'⊬⊥, B'∪{β}⊢⊥",
    source=FH,
    when=lambda case: _possible(case) and _some_lost(case),
)
def multiple_relevance(case: Case) -> bool:
    """What is lost contributed to a clash with the claims on top of what is kept."""
    return _each_counts(case, _clashes)


@_revision(
    "B*⟨α,γ,…⟩=B*⟨γ,…,α⟩",
    source=FH,
    when=lambda case: _possible(case) and _several(case),
    name="multiple independence of order",
)
def multiple_order(case: Case) -> bool:
    """The order in which the claims are listed does not matter."""
    return _same_in_any_order(case)


PACKAGE: tuple[Postulate[Case], ...] = (
    package_success,
    package_inclusion,
    package_failure,
    package_vacuity,
    package_relevance,
    package_order,
    independent_of_listing(_package, by_all),
    without_demotion(_package, by_all),
)
"""Postulates of package contraction."""

CHOICE: tuple[Postulate[Case], ...] = (
    choice_success,
    choice_inclusion,
    choice_failure,
    choice_vacuity,
    choice_relevance,
    choice_order,
    independent_of_listing(_choice, by_all),
    without_demotion(_choice, by_all),
)
"""Postulates of choice contraction."""

REVISION: tuple[Postulate[Case], ...] = (
    multiple_success,
    multiple_inclusion,
    multiple_consistency,
    multiple_vacuity,
    multiple_relevance,
    multiple_order,
    independent_of_listing(_revision, by_all, when=_possible),
    without_demotion(_revision, by_all, when=_possible),
)
"""Postulates of multiple revision."""

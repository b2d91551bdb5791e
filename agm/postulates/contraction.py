"""Postulates of base contraction: R = B ÷ α.

First those of one input (Hansson 1999, ch. 2; Hansson 1994), then those of two. What is read on
closures stands in `closures`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.closures import CLOSURES, either_lost
from agm.postulates.common import by_alpha, independent_of_listing, without_demotion
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import atoms_of, members, parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.postulates.postulate import Postulate

HANSSON = "Hansson 1999, ch. 2"
KERNELS = "Hansson 1994"
AGM = "Alchourrón, Gärdenfors and Makinson 1985"
SUBTHEORY = "Brewka 1989, as a condition on each loss"
_postulate = PostulatesOf[Case]("contraction")


def _something_lost(case: Case) -> bool:
    return bool(case.lost)


def _contingent(case: Case) -> bool:
    return not case.tautology(case.a)


@_postulate("⊬α ⇒ R⊬α", source=HANSSON, when=_contingent)
def success(case: Case) -> bool:
    """The claim is gone, unless it is a logical truth."""
    return bool(case.result.worlds & ~case.a)


@_postulate("R⊆B", source=HANSSON)
def inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not case.result.extra


@_postulate("⊢α ⇒ R=B", source=HANSSON, when=lambda case: case.tautology(case.a))
def failure(case: Case) -> bool:
    """A logical truth costs nothing."""
    return case.kept == case.all


@_postulate("B⊬α ⇒ R=B", source=HANSSON, when=lambda case: not case.at.entails(case.all, case.a))
def vacuity(case: Case) -> bool:
    """What did not follow costs nothing."""
    return case.kept == case.all


@_postulate(
    "∀β∈B∖R ∃B'⊆B: B'⊬α ∧ B'∪{β}⊢α",
    source=KERNELS,
    when=_something_lost,
)
def core_retainment(case: Case) -> bool:
    """What is lost contributed to some way of entailing the claim."""
    return all(_turns(case, beta, parts(case.all)) for beta in members(case.lost))


@_postulate(
    "∀β∈B∖R ∃B': R⊆B'⊆B, B'⊬α ∧ B'∪{β}⊢α",
    source=HANSSON,
    when=_something_lost,
)
def relevance(case: Case) -> bool:
    """What is lost contributed to entailing the claim on top of what is kept."""
    wider = [case.kept | part for part in parts(case.lost)]
    return all(_turns(case, beta, wider) for beta in members(case.lost))


@_postulate("∀β∈B∖R: R⊬α ∧ R∪{β}⊢α", source=HANSSON, when=_something_lost)
def fullness(case: Case) -> bool:
    """What is lost would bring the claim back."""
    return all(_turns(case, beta, [case.kept]) for beta in members(case.lost))


@_postulate("∀β∈B∖R: R⊬α∨β", source=HANSSON, when=_something_lost)
def disjunctive_elimination(case: Case) -> bool:
    """What is lost does not follow, even with the claim as its alternative."""
    return not any(
        case.at.entails(case.kept, case.a | case.at.masks[beta]) for beta in members(case.lost)
    )


@_postulate("B∩Cn(R)⊆R", source=HANSSON, when=_something_lost)
def relative_closure(case: Case) -> bool:
    """What still follows from what is kept is kept."""
    return not any(case.at.entails(case.kept, case.at.masks[beta]) for beta in members(case.lost))


@_postulate("B⊆Cn(R∪{α})", source=AGM, when=_something_lost)
def recovery(case: Case) -> bool:
    """Adding the claim again brings everything back, which bases must not promise."""
    again = case.result.worlds & case.a
    return not any(again & ~case.at.masks[beta] for beta in members(case.all))


@_postulate(
    "∀β∈B∖R: {γ∈R: r(γ)≥r(β)}∪{β}⊢α",
    source=SUBTHEORY,
    when=_something_lost,
)
def entrenchment_certificate(case: Case) -> bool:
    """What is lost, with kept beliefs at least as entrenched, entails the claim."""
    return all(
        case.at.entails(case.kept & case.at.at_least(case.at.ranks[beta]) | 1 << beta, case.a)
        for beta in members(case.lost)
    )


@_postulate(
    "∀β∈B∖R ∃B'⊆B≥r(β): B'⊬α ∧ B'∪{β}⊢α",
    source=SUBTHEORY,
    when=_something_lost,
)
def weak_entrenchment(case: Case) -> bool:
    """What is lost is least entrenched in some way of entailing the claim."""
    return all(
        _turns(case, beta, parts(case.at.at_least(case.at.ranks[beta])))
        for beta in members(case.lost)
    )


def _turns(case: Case, beta: int, sets: Iterable[int]) -> bool:
    """Whether adding beta makes one of the sets entail the claim."""
    meets, away, own = case.at.meets, ~case.a, case.at.masks[beta]
    return any(meets[part] & away and not meets[part] & own & away for part in sets)


def _rest(case: Case) -> int:
    """The beliefs that no chain of shared atoms leads to from alpha, be it through constraints."""
    atoms = [atoms_of(b.claim) for b in case.at.beliefs]
    atoms += [atoms_of(claim) for claim in case.at.base.constraints]
    reached = atoms_of(case.alpha)
    rest = set(range(len(atoms)))
    while linked := {number for number in rest if atoms[number] & reached}:
        rest -= linked
        reached = reached.union(*(atoms[number] for number in linked))
    return sum(1 << number for number in rest) & case.all


def _separable(case: Case) -> bool:
    rest = _rest(case)
    return bool(rest and case.at.meets[rest] and case.all & ~rest)


@_postulate(
    "B=B₁⊎B₂, sig(B₁)∩sig(B₂)=∅, sig(α)⊆sig(B₁), B₂⊬⊥ ⇒ B÷α=(B₁÷α)∪B₂",
    source="Parikh 1999, on the base as it is written",
    when=lambda case: _separable(case) and not case.at.meets[case.all] & ~case.a,
)
def locality(case: Case) -> bool:
    """Beliefs that share no symbol with the claim, however indirectly, are not touched."""
    rest = _rest(case)
    near = case.all & ~rest
    alone = case.trial.part(near).result(case.alpha).kept
    places = list(members(near))
    return case.kept == rest | sum(1 << places[number] for number in members(alone))


@_postulate(
    "⊢α↔γ ⇒ B÷α=B÷γ",
    source=HANSSON,
    when=lambda case: bool(case.lost) and bool(case.variants()),
)
def extensionality(case: Case) -> bool:
    """However the claim is written, the same beliefs go."""
    return all(case.trial.result(claim).kept == case.kept for claim in case.variants())


independence_of_listing = independent_of_listing(_postulate, by_alpha)
no_demotion = without_demotion(_postulate, by_alpha)


@_postulate(
    "(∀B'⊆B: B'⊢α ⇔ B'⊢γ) ⇒ B÷α=B÷γ",
    source=HANSSON,
    when=lambda case: (
        case.a != case.g and _alike(case) and bool(case.lost | case.second.kept ^ case.all)
    ),
    inputs=2,
)
def uniformity(case: Case) -> bool:
    """Claims that the same parts of the base entail cost the same beliefs."""
    return case.kept == case.second.kept


def _alike(case: Case) -> bool:
    return all((not meet & ~case.a) == (not meet & ~case.g) for meet in case.at.meets)


@_postulate("(B÷α)∩(B÷γ)⊆B÷(α∧γ)", source=HANSSON, when=either_lost, inputs=2, name="base 7")
def base_7(case: Case) -> bool:
    """What neither claim costs, both together do not cost."""
    return not case.kept & case.second.kept & ~case.joined.kept


@_postulate(
    "B÷(α∧γ)⊬α ⇒ B÷(α∧γ)⊆B÷α",
    source=HANSSON,
    when=lambda case: either_lost(case) and bool(case.joined.worlds & ~case.a),
    inputs=2,
    name="base 8",
)
def base_8(case: Case) -> bool:
    """When giving up both gives up the first, that costs no less than the first alone."""
    return not case.joined.kept & ~case.kept


@_postulate(
    "B÷α⊆B÷γ or B÷γ⊆B÷α",
    source="Rott and Pagnucco 1999",
    when=either_lost,
    inputs=2,
    name="linear hierarchy",
)
def linear_hierarchy(case: Case) -> bool:
    """Of two results one contains the other."""
    return not case.kept & ~case.second.kept or not case.second.kept & ~case.kept


POSTULATES: tuple[Postulate[Case], ...] = (
    success,
    inclusion,
    failure,
    vacuity,
    core_retainment,
    relevance,
    fullness,
    disjunctive_elimination,
    relative_closure,
    uniformity,
    extensionality,
    independence_of_listing,
    no_demotion,
    recovery,
    entrenchment_certificate,
    weak_entrenchment,
    locality,
    base_7,
    base_8,
    *CLOSURES,
    linear_hierarchy,
)
"""All postulates of base contraction, as they are listed in the matrix."""

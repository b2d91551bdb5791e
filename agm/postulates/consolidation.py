"""Postulates of consolidation: B! = B ÷ ⊥ (Hansson 1999, ch. 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.cases import Case
from agm.postulates.common import independent_of_listing, without_demotion
from agm.postulates.postulate import PostulatesOf
from agm.postulates.tables import atoms_of, members, parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.claims import Claim
    from agm.postulates.cases import Result, Situation
    from agm.postulates.postulate import Postulate

HANSSON = "Hansson 1999, ch. 1"
_consolidation = PostulatesOf[Case]("consolidation")


def _nothing(_: Case) -> tuple[Claim, ...]:
    return ()


def _plain(case: Case) -> Result:
    return case.trial.result()


def _dropped(case: Case) -> int:
    return case.all & ~_plain(case).kept


def _some_dropped(case: Case) -> bool:
    return bool(_dropped(case))


def clashes(at: Situation, lost: int, sets: Iterable[int], also: int) -> bool:
    """Whether each lost belief makes one of the sets inconsistent together with `also`."""
    return all(
        any(at.meets[part] & also and not at.meets[part] & also & at.masks[beta] for part in sets)
        for beta in members(lost)
    )


@_consolidation("B!⊬⊥", source=HANSSON)
def consistency(case: Case) -> bool:
    """The result is consistent."""
    return bool(_plain(case).worlds)


@_consolidation("B!⊆B", source=HANSSON)
def inclusion(case: Case) -> bool:
    """Nothing is added."""
    return not _plain(case).extra


@_consolidation("B⊬⊥ ⇒ B!=B", source=HANSSON, when=lambda case: bool(case.at.meets[case.all]))
def vacuity(case: Case) -> bool:
    """A consistent base stays as it is."""
    return not _dropped(case)


@_consolidation("B!!=B!", source=HANSSON, when=_some_dropped)
def idempotence(case: Case) -> bool:
    """Consolidating again changes nothing."""
    kept = _plain(case).kept
    return case.trial.part(kept).result().kept == (1 << kept.bit_count()) - 1


@_consolidation("∀β∈B∖B! ∃B'⊆B: B'⊬⊥, B'∪{β}⊢⊥", source=HANSSON, when=_some_dropped)
def core_retainment(case: Case) -> bool:
    """What is lost contributed to some inconsistency."""
    return clashes(case.at, _dropped(case), parts(case.all), case.at.true)


@_consolidation("∀β∈B∖B! ∃B': B!⊆B'⊆B, B'⊬⊥, B'∪{β}⊢⊥", source=HANSSON, when=_some_dropped)
def relevance(case: Case) -> bool:
    """What is lost contributed to an inconsistency on top of what is kept."""
    wider = [_plain(case).kept | part for part in parts(_dropped(case))]
    return clashes(case.at, _dropped(case), wider, case.at.true)


@_consolidation(
    "B=B₁⊎B₂, sig(B₁)∩sig(B₂)=∅ ⇒ B!=B₁!∪B₂!",
    source="every minimal inconsistent set lies in one component",
    name="componentwise",
    when=lambda case: _some_dropped(case) and len(_components(case.at)) > 1,
)
def componentwise(case: Case) -> bool:
    """Parts of the base without a common symbol are put right one by one."""
    whole = 0
    for part in _components(case.at):
        places = list(members(part))
        alone = case.trial.part(part).result().kept
        whole |= sum(1 << places[number] for number in members(alone))
    return whole == _plain(case).kept


def _components(at: Situation) -> list[int]:
    """The sets of beliefs that shared atoms link, be it through constraints."""
    found: list[tuple[set[Claim], int]] = []
    claims = [*(belief.claim for belief in at.beliefs), *at.base.constraints]
    for number, claim in enumerate(claims):
        atoms = atoms_of(claim)
        part, apart = (1 << number) & at.all, []
        for other, members_of in found:
            if atoms & other:
                atoms |= other
                part |= members_of
            else:
                apart.append((other, members_of))
        found = [*apart, (atoms, part)]
    return [part for _, part in found if part]


independence_of_listing = independent_of_listing(_consolidation, _nothing)
no_demotion = without_demotion(_consolidation, _nothing)

POSTULATES: tuple[Postulate[Case], ...] = (
    consistency,
    inclusion,
    vacuity,
    idempotence,
    core_retainment,
    relevance,
    componentwise,
    independence_of_listing,
    no_demotion,
)
"""Postulates of consolidation."""

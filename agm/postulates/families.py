"""Families of postulates: which postulates go together, on which cases, for which operators.

| family | operator |
|---|---|
| contraction, shielded contraction | `(base, claim) -> Change` |
| revision, semi-revision, credibility-limited revision | `(base, claim) -> Change` |
| update, erasure, iterated base revision | `(base, claim) -> Change` |
| consolidation | `(base) -> Change` |
| package contraction, choice contraction, multiple revision | `(base, claims) -> Change` |
| entrenchment | `(base, claim) -> float` |
| iterated revision | `(preorder, claim) -> preorder` |
| iterated journal revision | `(journal, claim, rank=) -> journal` |
| theory contraction, theory revision | `(preorder) -> (theory, claim) -> theory` |
| theory update, theory erasure | `(theory, claim) -> theory` |
| merging | `(profile, constraint) -> theory` |

A family says how a case is drawn, what is simpler than a drawn case, and how a case is put to an
operator of its kind. Operators differ in kind from family to family, hence the `Any`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from agm.postulates import (
    consolidation,
    contraction,
    degrees,
    doubt,
    drawing,
    drawing_worlds,
    iteration,
    merging,
    multiple,
    revision,
    settings,
    theories,
    updates,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from agm.postulates.postulate import Postulate
    from agm.postulates.settings import Counterexample


FamilyName: TypeAlias = Literal[
    "contraction",
    "revision",
    "update",
    "erasure",
    "consolidation",
    "semi-revision",
    "credibility-limited revision",
    "shielded contraction",
    "package contraction",
    "choice contraction",
    "multiple revision",
    "entrenchment",
    "iterated base revision",
    "iterated revision",
    "iterated journal revision",
    "theory contraction",
    "theory revision",
    "theory update",
    "theory erasure",
    "merging",
]
"""The families by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Postulates that speak of the same kind of operator, and where their cases come from.

    `draw` makes a value that `simpler` cuts down, `case` puts to an operator, and `shown` turns
    into what a user can rebuild it from.
    """

    name: FamilyName
    postulates: tuple[Postulate[Any], ...]
    draw: Callable[[Random], Any]
    simpler: Callable[[Any], Iterator[Any]]
    case: Callable[[Any, Any], Any]
    shown: Callable[[Any], Counterexample]


_base = partial(Family, draw=drawing.questions, simpler=drawing.simpler, shown=settings.shown)
_clashing = partial(Family, draw=drawing.against, simpler=drawing.simpler, shown=settings.shown)
_ordered = partial(
    Family,
    draw=drawing_worlds.orders,
    simpler=drawing_worlds.simpler_orders,
    shown=settings.shown_order,
)
_changing = partial(
    Family,
    draw=drawing_worlds.theories,
    simpler=drawing_worlds.simpler_theories,
    shown=settings.shown_theories,
)

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        _base(
            name="contraction",
            postulates=contraction.POSTULATES,
            case=settings.of_one_claim,
        ),
        _clashing(name="revision", postulates=revision.POSTULATES, case=settings.of_one_claim),
        _changing(name="update", postulates=updates.UPDATE, case=settings.of_described_theories),
        _changing(name="erasure", postulates=updates.ERASURE, case=settings.of_described_theories),
        _base(
            name="consolidation",
            postulates=consolidation.POSTULATES,
            case=settings.of_no_claim,
        ),
        _clashing(
            name="semi-revision",
            postulates=doubt.SEMI_REVISION,
            case=settings.of_one_claim,
        ),
        _clashing(
            name="credibility-limited revision",
            postulates=doubt.CREDIBILITY,
            case=settings.of_one_claim,
        ),
        _base(
            name="shielded contraction",
            postulates=doubt.SHIELDED_CONTRACTION,
            case=settings.of_one_claim,
        ),
        _base(
            name="package contraction",
            postulates=multiple.PACKAGE,
            case=settings.of_several_claims,
        ),
        _base(
            name="choice contraction",
            postulates=multiple.CHOICE,
            case=settings.of_several_claims,
        ),
        _clashing(
            name="multiple revision",
            postulates=multiple.REVISION,
            case=settings.of_several_claims,
        ),
        Family(
            name="entrenchment",
            postulates=degrees.POSTULATES,
            draw=drawing.sentences,
            simpler=drawing.simpler,
            case=settings.of_degrees,
            shown=settings.shown,
        ),
        _clashing(
            name="iterated base revision",
            postulates=iteration.POSTULATES,
            case=settings.of_bases_in_turn,
        ),
        _ordered(
            name="iterated revision",
            postulates=(*theories.REVISION, *iteration.POSTULATES),
            case=settings.of_orders_in_turn,
        ),
        Family(
            name="iterated journal revision",
            postulates=iteration.POSTULATES,
            draw=drawing_worlds.journals,
            simpler=drawing_worlds.simpler_journals,
            case=settings.of_journal,
            shown=settings.shown_journal,
        ),
        _ordered(
            name="theory contraction",
            postulates=theories.CONTRACTION,
            case=settings.of_theory_of_order,
        ),
        _ordered(
            name="theory revision",
            postulates=theories.REVISION,
            case=settings.of_theory_of_order,
        ),
        _changing(name="theory update", postulates=updates.UPDATE, case=settings.of_theories),
        _changing(name="theory erasure", postulates=updates.ERASURE, case=settings.of_theories),
        Family(
            name="merging",
            postulates=merging.POSTULATES,
            draw=drawing_worlds.profiles,
            simpler=drawing_worlds.simpler_profiles,
            case=settings.of_profiles,
            shown=settings.shown_profiles,
        ),
    )
}
"""Every family by its name."""


def family(name: str) -> Family:
    """The family of this name; ValueError with the known ones when there is none."""
    if name not in FAMILIES:
        raise ValueError(
            f"asked for the postulates of {name!r}; there are those of {', '.join(FAMILIES)}"
        )
    return FAMILIES[name]

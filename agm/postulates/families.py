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

from agm.changes import Change
from agm.errors import AgmError, shown
from agm.iterated import Journal, Preorder
from agm.postulates import (
    consolidation,
    contraction,
    degrees,
    described,
    doubt,
    drawing,
    drawing_worlds,
    iteration,
    merging,
    multiple,
    revision,
    settings,
    simplifying,
    theories,
    updates,
    widening,
)
from agm.theories import Theory

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
    into what a user can rebuild it from. `answers` is the type of what an operator answers with;
    where it is `made` for an order, of what the function that is made answers with.
    """

    name: FamilyName
    postulates: tuple[Postulate[Any], ...]
    draw: Callable[[Random], Any]
    simpler: Callable[[Any], Iterator[Any]]
    case: Callable[[Any, Any], Any]
    shown: Callable[[Any], Counterexample]
    answers: type = Change
    made: bool = False


_drawn = widening.under_constraints(
    widening.with_held_truths(widening.with_tellings(drawing.questions))
)
_against = widening.under_constraints(widening.with_rivals(widening.with_tellings(drawing.against)))

_base = partial(Family, draw=_drawn, simpler=simplifying.simpler, shown=settings.shown)
_clashing = partial(Family, draw=_against, simpler=simplifying.simpler, shown=settings.shown)
_several = partial(
    Family,
    simpler=simplifying.simpler_several,
    case=settings.of_several_claims,
    shown=settings.shown_several,
)
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
_described = partial(
    Family,
    draw=drawing_worlds.written_theories,
    simpler=drawing_worlds.simpler_theories,
    case=described.of_described_theories,
    shown=described.shown_described,
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
        _described(name="update", postulates=updates.UPDATE_OF_BASES),
        _described(name="erasure", postulates=updates.ERASURE_OF_BASES),
        Family(
            name="consolidation",
            postulates=consolidation.POSTULATES,
            draw=_drawn,
            simpler=simplifying.simpler,
            case=settings.of_no_claim,
            shown=settings.shown_alone,
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
        Family(
            name="shielded contraction",
            postulates=doubt.SHIELDED_CONTRACTION,
            draw=widening.with_unprotected(_drawn),
            simpler=simplifying.simpler,
            case=settings.of_one_claim,
            shown=settings.shown,
        ),
        _several(
            name="package contraction",
            postulates=multiple.PACKAGE,
            draw=widening.with_more_claims(_drawn),
        ),
        _several(
            name="choice contraction",
            postulates=multiple.CHOICE,
            draw=widening.with_more_claims(_drawn),
        ),
        _several(
            name="multiple revision",
            postulates=multiple.REVISION,
            draw=widening.with_more_claims(_against),
        ),
        Family(
            name="entrenchment",
            postulates=degrees.POSTULATES,
            draw=widening.under_constraints(drawing.sentences, atoms=2),
            simpler=simplifying.simpler,
            case=settings.of_degrees,
            shown=settings.shown,
            answers=float,
        ),
        _clashing(
            name="iterated base revision",
            postulates=iteration.OF_BASES,
            case=settings.of_bases_in_turn,
        ),
        _ordered(
            name="iterated revision",
            postulates=(*theories.REVISION, *iteration.POSTULATES),
            case=settings.of_orders_in_turn,
            answers=Preorder,
        ),
        Family(
            name="iterated journal revision",
            postulates=iteration.POSTULATES,
            draw=drawing_worlds.journals,
            simpler=drawing_worlds.simpler_journals,
            case=settings.of_journal,
            shown=settings.shown_journal,
            answers=Journal,
        ),
        _ordered(
            name="theory contraction",
            postulates=theories.CONTRACTION,
            case=settings.of_theory_of_order,
            answers=Theory,
            made=True,
        ),
        _ordered(
            name="theory revision",
            postulates=theories.REVISION,
            case=settings.of_theory_of_order,
            answers=Theory,
            made=True,
        ),
        _changing(
            name="theory update",
            postulates=updates.UPDATE,
            case=settings.of_theories,
            answers=Theory,
        ),
        _changing(
            name="theory erasure",
            postulates=updates.ERASURE,
            case=settings.of_theories,
            answers=Theory,
        ),
        Family(
            name="merging",
            postulates=merging.POSTULATES,
            draw=drawing_worlds.profiles,
            simpler=drawing_worlds.simpler_profiles,
            case=settings.of_profiles,
            shown=settings.shown_profiles,
            answers=Theory,
        ),
    )
}
"""Every family by its name."""


def family(name: object) -> Family:
    """The family of this name; raises UnknownFamily when there is none."""
    found = FAMILIES.get(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownFamily(name)
    return found


class UnknownFamily(AgmError, ValueError):
    """A family of postulates that there is not; `name` is what was asked for."""

    def __init__(self, name: object) -> None:
        """Name it, and list the known ones."""
        self.name = name
        super().__init__(
            f"asked for the postulates of {shown(name)}; there are those of {', '.join(FAMILIES)}"
        )

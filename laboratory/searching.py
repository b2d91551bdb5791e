"""The search behind one column of the matrix: an operator against all postulates of its family.

First the stored counterexamples, those of the same operator in other tables among them, then all
small cases, then seeded draws. A cell fails when some case broke the postulate, and holds when none
did and some cases met its guard.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.postulates.families import family as family_of
from agm.postulates.postulate import Refused
from laboratory.operators import table_of
from laboratory.relations import carried_over
from laboratory.spaces import cases
from laboratory.starts import Extent
from laboratory.storing import written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.postulates import Postulate
    from agm.postulates.families import Family
    from laboratory.storing import Stored


class Plan(NamedTuple):
    """How far a search goes: the most beliefs of the exhaustive part, and the random draws.

    `every` says that newcomers are of every rank at each base, and not in turn.
    """

    size: int
    draws: int
    seed: int = 0
    every: bool = True


CHECK = Plan(size=2, draws=10, every=False)
USUAL = Plan(size=2, draws=100)
FULL = Plan(size=3, draws=5_000)


@dataclass(slots=True)
class Cell:
    """What the search found of one postulate: cases that met the guard, and those that broke it.

    `refused` counts cases that the operator declined.
    """

    covered: int = 0
    failed: int = 0
    refused: int = 0
    example: Any = None

    @property
    def verdict(self) -> str:
        """`holds`, `fails`, or `not met` when no case met the guard."""
        if self.failed:
            return "fails"
        return "holds" if self.covered else "not met"


class Column(NamedTuple):
    """One operator's cells by postulate, and the stored cases that no longer fail."""

    table: str
    operator: str
    cells: dict[str, Cell]
    stale: list[str]


def column(title: str, name: str, plan: Plan, stored: Sequence[Stored]) -> Column:
    """Search for one operator of one table."""
    table = table_of(title)
    group, operator = family_of(table.family), table.operators[name]
    cells = {postulate.name: Cell() for postulate in group.postulates}
    own = [one for one in stored if (one.table, one.operator) == (title, name)]
    stale = [
        f"{title}, {name}, {one.postulate}: {written(one.drawn)}"
        for one in own
        if one.postulate not in _ask_all(group, operator, one.drawn, cells)
    ]
    for drawn in carried_over(stored, title, name):
        _ask_all(group, operator, drawn, cells)
    by_inputs = {
        inputs: [one for one in group.postulates if one.inputs >= inputs] for inputs in (1, 2, 3)
    }
    for put in cases(table.family, operator, Extent(plan.size, plan.every)):
        for postulate in by_inputs[put.inputs]:
            _count(postulate, put.case, put.drawn, cells)
    random = Random(f"{title} {plan.seed}")
    for _ in range(plan.draws):
        _ask_all(group, operator, group.draw(random), cells)
    return Column(title, name, cells, stale)


def _ask_all(
    group: Family,
    operator: Callable[..., Any],
    drawn: Any,  # noqa: ANN401  (cases differ by family)
    cells: dict[str, Cell],
) -> list[str]:
    """Put one case to all postulates; the names of those that it breaks."""
    case = group.case(operator, drawn)
    return [one.name for one in group.postulates if _count(one, case, drawn, cells) is False]


def _count(
    postulate: Postulate[Any],
    case: Any,  # noqa: ANN401  (cases differ by family)
    drawn: Any,  # noqa: ANN401
    cells: dict[str, Cell],
) -> bool | None:
    """Count what a postulate says of a case; None when it says nothing."""
    cell = cells[postulate.name]
    try:
        if not postulate.applicable(case):
            return None
        kept = postulate.holds(case)
    except Refused:
        cell.refused += 1
        return None
    cell.covered += 1
    if not kept:
        cell.failed += 1
        if cell.example is None:
            cell.example = drawn
    return kept

"""The search behind one column of the matrix: an operator against all postulates of its family.

First the stored counterexamples, then all small cases, then seeded draws. A cell fails when some
case broke the postulate, and holds when none did and some cases met its guard.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.postulates.families import family as family_of
from laboratory.operators import table_of
from laboratory.spaces import cases
from laboratory.storing import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.postulates import Postulate
    from laboratory.storing import Stored


class Plan(NamedTuple):
    """How far a search goes: the most beliefs of the exhaustive part, and the random draws."""

    size: int
    draws: int
    seed: int = 0


CHECK = Plan(size=2, draws=10)
USUAL = Plan(size=2, draws=100)
FULL = Plan(size=3, draws=5_000)


@dataclass(slots=True)
class Cell:
    """What the search found of one postulate: cases that met the guard, and those that broke it."""

    covered: int = 0
    failed: int = 0
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
        if not _still(group.case(operator, one.drawn), _named(group.postulates, one), one, cells)
    ]
    by_inputs = {
        inputs: [one for one in group.postulates if one.inputs >= inputs] for inputs in (1, 2, 3)
    }
    for put in cases(table.family, operator, size=plan.size):
        for postulate in by_inputs[put.inputs]:
            _count(postulate, put.case, put.drawn, cells)
    random = Random(f"{title} {plan.seed}")
    for _ in range(plan.draws):
        drawn = group.draw(random)
        case = group.case(operator, drawn)
        for postulate in group.postulates:
            _count(postulate, case, drawn, cells)
    return Column(title, name, cells, stale)


def _count(postulate: Postulate[Any], case: Any, drawn: Any, cells: dict[str, Cell]) -> None:  # noqa: ANN401
    verdict = postulate.verdict(case)
    if verdict is None:
        return
    cell = cells[postulate.name]
    cell.covered += 1
    if not verdict:
        cell.failed += 1
        if cell.example is None:
            cell.example = drawn


def _still(case: Any, postulate: Postulate[Any], one: Stored, cells: dict[str, Cell]) -> bool:  # noqa: ANN401
    """Count a stored case, and say whether it still fails."""
    before = cells[postulate.name].failed
    _count(postulate, case, one.drawn, cells)
    return cells[postulate.name].failed > before


def _named(postulates: Sequence[Postulate[Any]], one: Stored) -> Postulate[Any]:
    return next(postulate for postulate in postulates if postulate.name == one.postulate)

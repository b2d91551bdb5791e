"""What cells of the matrix have to do with each other, so that the page cannot contradict itself.

A case that breaks a postulate in one table is put to the same operator in every other table where it
makes sense: what contraction by ¬α breaks, revision by α may break too. And where one postulate
follows from another, a cell that holds cannot stand over one that fails.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from agm.claims import And, Truth, negate
from agm.postulates.drawing import Question
from agm.postulates.drawing_worlds import Ordered
from agm.postulates.families import family
from laboratory.operators import TABLES, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from laboratory.storing import Stored

_GIVING_UP = {
    "contraction",
    "shielded contraction",
    "package contraction",
    "choice contraction",
    "theory contraction",
}
_SEVERAL = {"package contraction", "choice contraction", "multiple revision"}

_SAME = {
    "package": "linear preferred",
    "revise, deleting": "linear preferred",
    "revise, deleting, consistent": "linear preferred",
    "update": "PMA",
    "erase": "PMA",
}
"""Operators that are another one under a name of their own."""


def carried_over(stored: Sequence[Stored], title: str, name: str) -> list[Any]:
    """The cases stored for an operator in other tables, as cases of this table; each once."""
    target = table_of(title).family
    kind = type(family(target).draw(Random(0)))
    found: dict[str, Any] = {}
    for one in stored:
        same = _alike(one.operator) == _alike(name) and (one.table, one.operator) != (title, name)
        if same and isinstance(one.drawn, kind):
            for drawn in _as_cases_of(target, table_of(one.table).family, one.drawn):
                found.setdefault(repr(drawn), drawn)
    return list(found.values())


def _alike(name: str) -> str:
    plain = name.removesuffix(" (Levi)")
    return _SAME.get(plain, plain)


def _as_cases_of(target: str, origin: str, drawn: Any) -> Iterator[Any]:  # noqa: ANN401  (cases differ)
    """A case of one family as cases of another."""
    turned = (target in _GIVING_UP) != (origin in _GIVING_UP)
    if isinstance(drawn, Question):
        claims = drawn.claims
        if origin in _SEVERAL and target not in _SEVERAL:
            claims = (And(claims),)
        if origin == "consolidation":
            claims = (Truth(False),)
        yield drawn._replace(claims=claims)
        if turned:
            yield drawn._replace(claims=tuple(map(negate, claims)))
        if target in _SEVERAL and origin not in _SEVERAL:
            yield drawn._replace(claims=claims[:1])
        return
    yield drawn
    if turned and isinstance(drawn, Ordered):
        every = drawn.order.signature.everywhere
        one, two = drawn.inputs
        yield drawn._replace(inputs=(every & ~one, every & ~two))


_FOLLOWS: tuple[tuple[str, str, str, str], ...] = (
    ("contraction", "fullness", "contraction", "relevance"),
    ("contraction", "relevance", "contraction", "core-retainment"),
    ("contraction", "relevance", "contraction", "disjunctive-elimination"),
    ("contraction", "disjunctive-elimination", "contraction", "relative-closure"),
    ("contraction", "entrenchment-certificate", "contraction", "fullness"),
    ("contraction", "entrenchment-certificate", "contraction", "weak-entrenchment"),
    ("contraction", "weak-entrenchment", "contraction", "core-retainment"),
    ("contraction", "success", "contraction", "K*5 (Levi)"),
    ("contraction", "success", "consolidation", "consistency"),
    ("contraction", "relevance", "consolidation", "relevance"),
    ("contraction", "core-retainment", "consolidation", "core-retainment"),
    ("contraction", "relevance", "choice contraction", "choice-relevance"),
    ("choice contraction", "choice-relevance", "contraction", "relevance"),
    ("revision", "relevance", "revision", "core-retainment"),
    ("consolidation", "relevance", "consolidation", "core-retainment"),
    ("theory update", "U8", "update", "U8"),
    ("theory update", "U9", "update", "U9"),
    ("update", "U9", "theory update", "U9"),
)
"""Families and postulates of which the first two entail the last two, for one operator."""

_LEVI = (
    ("relevance", "relevance"),
    ("core-retainment", "core-retainment"),
    ("K*7 (Levi)", "K*7 on Cn(R)"),
    ("K*8 (Levi)", "K*8 on Cn(R)"),
)
"""Postulates of contraction, and what they come to for internal revision; each entails the other."""


def contradictions(verdicts: Mapping[tuple[str, str, str], str]) -> list[str]:
    """Pairs of cells (table, operator, postulate) that cannot both be right."""
    faults: list[str] = []
    for one, two in _implied():
        for premise in [key for key in verdicts if (key[0], key[2]) == one]:
            for other in [key for key in verdicts if (key[0], key[2]) == two]:
                if _alike(premise[1]) != _alike(other[1]):
                    continue
                if verdicts[premise] == "holds" and verdicts[other] == "fails":
                    faults.append(f"{', '.join(premise)} holds, but {', '.join(other)} fails")
    return faults


def _implied() -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Pairs of (table, postulate), the first of which entails the second."""
    titles: dict[str, list[str]] = {}
    for table in TABLES:
        titles.setdefault(table.family, []).append(table.title)
    for first, strong, second, weak in _FOLLOWS:
        for one in titles[first]:
            for two in titles[second]:
                if first != second or one == two:
                    yield (one, strong), (two, weak)
    for of_contraction, of_revision in _LEVI:
        pair = ("Base contraction", of_contraction), ("Internal base revision", of_revision)
        yield pair
        yield pair[::-1]

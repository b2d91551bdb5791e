"""Counterexamples on file: each cell that fails, with a case that shows it.

A case is stored as text, so that a reader can check it by hand: beliefs as formula and class,
worlds as numbers (bit i of a world's number says whether the i-th of p, q, r is true in it). An
order is written as its classes, strongest first, where it is not the default one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.base import DEFAULT_ORDER
from agm.beliefs import Belief
from agm.entrenchment import EntrenchmentOrder
from agm.iterated import Journal, Preorder
from agm.postulates.drawing import Question
from agm.postulates.drawing_worlds import Ordered, Profiles, Theories, Told, signature
from agm.syntax import parse

if TYPE_CHECKING:
    from agm.signature import Signature

FILE = Path(__file__).parents[1] / "tests" / "postulates" / "counterexamples.json"


class Stored(NamedTuple):
    """Where a postulate fails, and for which operator of which table."""

    table: str
    operator: str
    postulate: str
    drawn: Any


def load(path: Path = FILE) -> list[Stored]:
    """The counterexamples on file; none when there is no file."""
    if not path.exists():
        return []
    listed = json.loads(path.read_text(encoding="utf-8"))
    return [
        Stored(one["table"], one["operator"], one["postulate"], _read(one["case"]))
        for one in listed
    ]


def save(stored: list[Stored], path: Path = FILE) -> None:
    """Write them, a line each."""
    lines = [
        json.dumps(
            {
                "table": one.table,
                "operator": one.operator,
                "postulate": one.postulate,
                "case": written(one.drawn),
            },
            ensure_ascii=False,
        )
        for one in stored
    ]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def written(drawn: Any) -> dict[str, Any]:  # noqa: ANN401  (cases differ by family)
    """A case as a plain value."""
    match drawn:
        case Question():
            return _written_question(drawn)
        case Ordered():
            levels = [_worlds(level) for level in drawn.order.levels]
            return {
                **_over(drawn.order.signature),
                "levels": levels,
                "inputs": _each(drawn.inputs),
            }
        case Told():
            entries = [[rank, _worlds(worlds)] for rank, worlds in drawn.journal.entries]
            return {
                **_over(drawn.journal.signature),
                "entries": entries,
                "inputs": _each(drawn.inputs),
                "rank": drawn.rank,
            }
        case Theories():
            return {
                **_over(drawn.signature),
                "theories": _each(drawn.theories),
                "inputs": _each(drawn.inputs),
                **({"writing": drawn.writing} if drawn.writing else {}),
            }
        case Profiles():
            return {
                **_over(drawn.signature),
                "profiles": [_each(profile) for profile in drawn.profiles],
                "constraints": _each(drawn.constraints),
            }
    raise TypeError(f"asked to write {drawn!r}, which is no drawn case")


def _written_question(drawn: Question) -> dict[str, Any]:
    """A question; constraints and an order of its own only where it has them."""
    value: dict[str, Any] = {"base": [[str(b.claim), b.entrenchment] for b in drawn.beliefs]}
    if drawn.constraints:
        value["constraints"] = [str(claim) for claim in drawn.constraints]
    if drawn.order != DEFAULT_ORDER:
        value["order"] = list(drawn.order.classes)
    return {**value, "claims": [str(claim) for claim in drawn.claims]}


def _over(over: Signature) -> dict[str, Any]:
    """The atoms, and the possible worlds where not all are."""
    value: dict[str, Any] = {"atoms": len(over.simple)}
    if over.constraints:
        value["possible"] = _worlds(over.everywhere)
    return value


def _read(value: dict[str, Any]) -> Any:  # noqa: ANN401  (cases differ by family)
    if "base" in value:
        beliefs = tuple(
            Belief(parse(text), name, id=f"b{number}")
            for number, (text, name) in enumerate(value["base"], start=1)
        )
        laws = tuple(map(parse, value.get("constraints", ())))
        order = EntrenchmentOrder(*value.get("order", ()))
        return Question(beliefs, tuple(map(parse, value["claims"])), laws, order)
    possible = _mask(value["possible"]) if "possible" in value else None
    over = signature(value["atoms"], possible)
    if "levels" in value:
        levels = [_mask(worlds) for worlds in value["levels"]]
        return Ordered(Preorder.flat(over).arranged(levels), _pair(value["inputs"]))
    if "entries" in value:
        entries = [(rank, _mask(worlds)) for rank, worlds in value["entries"]]
        return Told(Journal(over, entries), _pair(value["inputs"]), value["rank"])
    if "theories" in value:
        both, inputs = _pair(value["theories"]), _pair(value["inputs"])
        return Theories(over, both, inputs, value.get("writing", 0))
    one, two = (tuple(map(_mask, profile)) for profile in value["profiles"])
    return Profiles(over, (one, two), _pair(value["constraints"]))


def _each(masks: tuple[int, ...]) -> list[list[int]]:
    return [_worlds(mask) for mask in masks]


def _worlds(mask: int) -> list[int]:
    return [world for world in range(mask.bit_length()) if mask >> world & 1]


def _mask(worlds: list[int]) -> int:
    return sum(1 << world for world in worlds)


def _pair(listed: list[list[int]]) -> tuple[int, int]:
    one, two = map(_mask, listed)
    return one, two

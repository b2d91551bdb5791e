"""The matrix as a page for people and as JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agm.postulates.families import family as family_of
from laboratory.operators import RECORDED, TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laboratory.operators import Table
    from laboratory.searching import Column, Plan
    from laboratory.storing import Stored

DOCS = Path(__file__).parents[1] / "docs"
JSON = DOCS / "matrix.json"
PAGE = DOCS / "matrix.md"
SIGNS = {"holds": "✓", "fails": "✗", "not met": "·"}
DECLINED = "°"

_LEGEND = (
    "✓ no counterexample was found · ✗ there is a counterexample, stored in "
    "`tests/postulates/counterexamples.json` · `·` no case met the guard · ° the operator declines some "
    "cases, as update does at an inconsistent base; of these the cell says nothing"
)
_SYMBOLS = (
    (
        "B: a finite base; B': a part of it; K: a theory, or all that B entails; Cn(B): what follows from "
        "B; ⊤ and ⊥: truth and contradiction; ⊢ and ⊬: entails or not, under the constraints of the base"
    ),
    (
        "α, γ: the claims of the change; β: a belief, or a further claim; A: all claims of an operator for "
        "several; ⟨α,γ⟩: the claims in this order"
    ),
    (
        "R: the base that the operator leaves, which is B÷α in a table of contraction, B*α in one of "
        "revision; B∖R: what is given up"
    ),
    (
        "÷ contraction, * revision, B! consolidation, ? semi-revision, ∗ credibility-limited revision, "
        "◇ update, ◆ erasure, + expansion; K*α (Levi): what B÷¬α and α entail"
    ),
    (
        "r(β): the rank of a belief, a higher one is harder to give up; B≥i: the beliefs of rank i or "
        "higher; deg(α): the highest i at which B≥i ⊢ α; α≤β: deg(α) is at most deg(β)"
    ),
    "⊎: a union of parts that share nothing; sig(B): the simple claims that occur in B",
    "Ψ: a preorder of worlds, a journal or a base; Ψ*α: the same revised; ≡: the same is believed",
    (
        "Δ_μ(E): the merging of the theories E = {K₁, K₂, …} under the constraint μ; E₁⊔E₂: the theories of "
        "both, E₂ⁿ: n times those of E₂; ⋀E: what they say together"
    ),
)
_SEARCHED = (
    (
        "- Operators on bases: every base of at most {size} different formulas over two atoms, with "
        "every weak order of ranks and every order within a rank, one of each class of renamings of "
        "the atoms; every input, and every pair of inputs (16 formulas each). New claims are told at "
        "every rank: above, level with, between and below those of the base."
    ),
    (
        "- Operators for several claims: every set of one or two of the 16 formulas, of three at bases "
        "of at most {shorter} formulas."
    ),
    (
        "- Operators on preorders: all 75 over four worlds, with all pairs of inputs. Journals: at most "
        "{shorter} entries, of two ranks."
    ),
    (
        "- Operators on theories: all over four worlds, with all inputs; update and erasure of bases with "
        "each theory written as one belief and in two ways as up to four of several classes; the second theory and the "
        "second input are the same set. Merging: profiles of one or two theories over four worlds under "
        "all constraints; a second profile of one theory."
    ),
    (
        "- Besides, {draws} seeded draws for each operator: two or three atoms, up to five beliefs, one of "
        "five under a constraint, one of ten with a claim held twice; of operators for several claims up to "
        "four claims."
    ),
    (
        "- What breaks a postulate in one table is put to the same operator in the other tables too, and no "
        "cell holds that another one contradicts (`laboratory/relations.py`)."
    ),
)
_RESTING = (
    "All tables are about bases in which no belief has `rests_on`. Telling a claim again raises it, and "
    "with it what rests on it; so pre-expansion, no demotion, and that internal and external revision are "
    "the same fail for the default operator on {p [observed], p -> q [core, rests on p], !q [documented]} "
    "by p (`docs/operators.md`)."
)
_GIVEN = (
    "K÷1, K÷6, K\\*1, K\\*6, and U4 and E4 of theories hold by construction: a theory is a set of worlds, "
    "and so is an input."
)
_HOW_FAR = (
    "A ✓ is as strong as this search and no proof: failures as rare as two in forty thousand draws "
    "are known, and were found by looking for them. Postulates are evaluated on truth tables; the "
    "operators are called as users call them. `run.py oracles` holds their results against brute force."
)


def as_json(columns: Sequence[Column], plan: Plan) -> dict[str, Any]:
    """The whole matrix as a plain value."""
    found = {(column.table, column.operator): column for column in columns}
    return {
        "searched": {"size": plan.size, "draws": plan.draws, "seed": plan.seed},
        "tables": [_table(table, found) for table in TABLES],
    }


def _table(table: Table, found: Mapping[tuple[str, str], Column]) -> dict[str, Any]:
    return {
        "title": table.title,
        "family": table.family,
        "operators": list(table.operators),
        "rows": [
            {
                "postulate": postulate.name,
                "formula": postulate.formula,
                "source": postulate.source,
                "cells": {
                    name: _cell(found[table.title, name], postulate.name)
                    for name in table.operators
                },
            }
            for postulate in family_of(table.family).postulates
        ],
    }


def _cell(column: Column, postulate: str) -> dict[str, Any]:
    cell = column.cells[postulate]
    return {
        "verdict": cell.verdict,
        "covered": cell.covered,
        "failed": cell.failed,
        "refused": cell.refused,
    }


def load() -> dict[str, Any]:
    """The committed matrix."""
    value: dict[str, Any] = json.loads(JSON.read_text(encoding="utf-8"))
    return value


def write(value: dict[str, Any], stored: Sequence[Stored]) -> None:
    """Write both files."""
    JSON.write_text(dumped(value), encoding="utf-8")
    PAGE.write_text(page(value, stored), encoding="utf-8")


def dumped(value: dict[str, Any]) -> str:
    """The JSON text, with a line for each row."""
    parts = []
    for table in value["tables"]:
        rows = ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in table["rows"])
        head = {key: table[key] for key in ("title", "family", "operators")}
        start = json.dumps(head, ensure_ascii=False)[:-1]
        parts.append(f'  {start}, "rows": [\n{rows}\n  ]}}')
    tables = ",\n".join(parts)
    return f'{{"searched": {json.dumps(value["searched"])}, "tables": [\n{tables}\n]}}\n'


def page(value: dict[str, Any], stored: Sequence[Stored]) -> str:
    """The page: what was searched, then a table for each kind of operator."""
    size, draws = value["searched"]["size"], value["searched"]["draws"]
    covered = sum(
        cell["covered"]
        for table in value["tables"]
        for row in table["rows"]
        for cell in row["cells"].values()
    )
    lines = [
        "# Which operator keeps which postulate",
        "",
        "Written by `python3 run.py matrix`; do not edit. `matrix.json` has the same with counts.",
        "",
        _LEGEND,
        "",
        "## What the symbols mean",
        "",
        *(f"- {line}." for line in _SYMBOLS),
        "",
        "## What was searched",
        "",
        f"- Stored counterexamples: {len(stored)}, each put to the operator anew.",
        *(line.format(size=size, shorter=size - 1, draws=draws) for line in _SEARCHED),
        "",
        f"{covered:,} times a case met the guard of a postulate. {_HOW_FAR} {_GIVEN}",
        "",
        _RESTING,
        "",
    ]
    for table in value["tables"]:
        lines += _shown(table)
    lines += _recorded()
    return "\n".join(lines)


def _shown(table: dict[str, Any]) -> list[str]:
    names = table["operators"]
    lines = [f"## {table['title']}", "", "| postulate | formula | " + " | ".join(names) + " |"]
    lines.append("|---|---|" + ":-:|" * len(names))
    for row in table["rows"]:
        signs = " | ".join(_sign(row["cells"][name]) for name in names)
        formula = row["formula"].replace("|", "\\|").replace("*", "\\*")
        lines.append(f"| {row['postulate']} | {formula} | {signs} |")
    return [*lines, ""]


def _sign(cell: dict[str, Any]) -> str:
    declined = cell["verdict"] == "holds" and cell["refused"]
    return SIGNS[cell["verdict"]] + (DECLINED if declined else "")


def _recorded() -> list[str]:
    if not RECORDED:
        return []
    lines = ["## Cells that differ from what is published", ""]
    lines += [
        f"- {title}, {operator}, {postulate}: see [decision {number[:4]}](decisions/{number}.md)"
        for (title, operator, postulate), number in RECORDED.items()
    ]
    return [*lines, ""]

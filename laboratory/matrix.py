"""The command behind `run.py matrix`: search, compare with what is published, and write.

    python3 run.py matrix            search again, write docs/matrix.md and docs/matrix.json
    python3 run.py matrix --check    compare a short search with the committed files
    python3 run.py matrix --full     the same as without, with bases of three formulas and many
                                     more draws: for the night

Exit status 1 means a difference: from the published verdicts, or with --check from the files, or
of cells from each other.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from time import perf_counter
from typing import TYPE_CHECKING, Any

from agm.postulates.checking import simplest
from agm.postulates.families import family as family_of
from laboratory import pages
from laboratory.operators import RECORDED, TABLES, table_of
from laboratory.relations import contradictions
from laboratory.searching import CHECK, FULL, USUAL, column
from laboratory.storing import Stored, load, save

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laboratory.searching import Column, Plan


def main(arguments: Sequence[str]) -> int:
    """Run one form of the command."""
    asked = _parser().parse_args(arguments)
    plan = CHECK if asked.check else FULL if asked.full else USUAL
    plan = plan._replace(seed=asked.seed)
    stored = load()
    start = perf_counter()
    columns = search(plan, stored)
    faults = [f"no longer a counterexample: {one}" for c in columns for one in c.stale]
    faults += contradictions(_found(columns))
    if asked.check:
        faults += against_files(columns, stored)
    else:
        stored = completed(columns, stored)
        save(stored)
        pages.write(pages.as_json(columns, plan), stored)
        faults += against_published(columns)
    print(*faults, sep="\n", end="\n" if faults else "")
    count = sum(cell.covered for column in columns for cell in column.cells.values())
    took = perf_counter() - start
    print(f"{count} cases met a guard, {len(faults)} differences, {took:.0f} s")
    return int(bool(faults))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py matrix", description=__doc__)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--check", action="store_true", help="compare with the committed files")
    form.add_argument("--full", action="store_true", help="search longer, for the night")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws")
    return parser


def search(plan: Plan, stored: Sequence[Stored]) -> list[Column]:
    """Every column, on all processors."""
    tasks = [(table.title, name) for table in TABLES for name in table.operators]
    found: dict[tuple[str, str], Column] = {}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        waiting = {pool.submit(column, *task, plan, stored): task for task in tasks}
        for done in as_completed(waiting):
            task = waiting[done]
            found[task] = done.result()
            print(f"\r{len(found)}/{len(tasks)} {', '.join(task):<60}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return [found[task] for task in tasks]


def completed(columns: Sequence[Column], stored: Sequence[Stored]) -> list[Stored]:
    """The stored counterexamples, and one more for each failing cell that had none."""
    known = {(one.table, one.operator, one.postulate): one for one in stored}
    result: list[Stored] = []
    for found in columns:
        table = table_of(found.table)
        group = family_of(table.family)
        for postulate in group.postulates:
            cell = found.cells[postulate.name]
            key = (found.table, found.operator, postulate.name)
            if key in known:
                result.append(known[key])
            elif cell.failed:
                operator = table.operators[found.operator]
                drawn = simplest(operator, group, postulate, cell.example)
                result.append(Stored(*key, drawn))
    return result


def against_published(columns: Sequence[Column]) -> list[str]:
    """Cells that are not as published and not recorded as different."""
    faults: list[str] = []
    for found in columns:
        table = table_of(found.table)
        for postulate, cell in found.cells.items():
            expected = table.expected(postulate, found.operator)
            recorded = (found.table, found.operator, postulate) in RECORDED
            if expected is not None and (expected != cell.verdict) is not recorded:
                faults.append(
                    f"{found.table}, {found.operator}, {postulate}: published as {expected!r},"
                    f" found {cell.verdict!r}{' though recorded as different' if recorded else ''}"
                )
    return faults


def against_files(columns: Sequence[Column], stored: Sequence[Stored]) -> list[str]:
    """Cells, rows or pages that are not as committed."""
    committed = pages.load()
    faults = [] if pages.JSON.read_text(encoding="utf-8") == pages.dumped(committed) else ["layout"]
    if pages.PAGE.read_text(encoding="utf-8") != pages.page(committed, stored):
        faults.append("docs/matrix.md does not show docs/matrix.json; run `run.py matrix`")
    before = _verdicts(committed)
    now = _found(columns)
    faults += [f"{', '.join(key)}: not on file" for key in now if key not in before]
    faults += [f"{', '.join(key)}: on file only" for key in before if key not in now]
    for key in before.keys() & now.keys():
        if "fails" in {before[key], now[key]} and before[key] != now[key]:
            faults.append(f"{', '.join(key)}: on file {before[key]!r}, now {now[key]!r}")
    return sorted(faults)


def _found(columns: Sequence[Column]) -> dict[tuple[str, str, str], str]:
    return {
        (one.table, one.operator, postulate): cell.verdict
        for one in columns
        for postulate, cell in one.cells.items()
    }


def _verdicts(value: dict[str, Any]) -> dict[tuple[str, str, str], str]:
    return {
        (table["title"], name, row["postulate"]): cell["verdict"]
        for table in value["tables"]
        for row in table["rows"]
        for name, cell in row["cells"].items()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The figures of the formal laboratory: operators against published packages, and real revisions.

    python3 run.py bench logic [--data DIR] [--json] [--quick] [--only THEME]

Read in this order: `THEMES`, one function a theme, and the modules `logic_*` they lead to. What is
measured against a package that is not installed is skipped aloud; the extra `bench` has them all.
`--quick` is for trying the benchmark out: its sizes are small, its figures mean nothing and are not
written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import (
    logic_chains,
    logic_contraction,
    logic_distances,
    logic_lifespans,
    logic_literals,
    logic_optimum,
    logic_revisions,
)
from benchmarks.figures import PAGE, report, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


class Run(NamedTuple):
    """What every theme is given."""

    data: Path | None
    """Where the public data sets are, if anywhere."""
    quick: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    if asked.data is not None and not asked.data.is_dir():
        sys.exit(f"bench logic: --data {str(asked.data)!r} is no folder")
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    run = Run(asked.data, asked.quick)
    found = (figure for theme in themes for figure in THEMES[theme](run))
    return report("logic", found, as_json=asked.json, page=page)


def contraction(run: Run) -> Iterator[Figure]:
    """Contraction of one input, route by route."""
    sizes = logic_contraction.QUICK if run.quick else logic_contraction.FULL
    return logic_contraction.figures(sizes)


def distances(run: Run) -> Iterator[Figure]:
    """Difference constraints by their own route and by z3."""
    return logic_distances.figures(logic_distances.QUICK if run.quick else logic_distances.FULL)


def optimum(run: Run) -> Iterator[Figure]:
    """The lexicographic optimum over sums."""
    return logic_optimum.figures(logic_optimum.QUICK if run.quick else logic_optimum.FULL)


def literals(run: Run) -> Iterator[Figure]:
    """Partial meet contraction."""
    return logic_literals.figures(logic_literals.QUICK if run.quick else logic_literals.FULL)


def chains(run: Run) -> Iterator[Figure]:
    """Remainders of independent chains."""
    return logic_chains.figures(logic_chains.QUICK if run.quick else logic_chains.FULL)


def data(run: Run) -> Iterator[Figure]:
    """Real revisions and real contradictions, in the public data sets that are there."""
    root = run.data
    sets = (
        (logic_revisions.FOLDER, logic_revisions.TARGETS, logic_revisions.figures),
        (logic_lifespans.FOLDER, logic_lifespans.TARGETS, logic_lifespans.figures),
    )
    for name, targets, figures in sets:
        if root is not None and (root / name).is_dir():
            yield from figures(root / name)
            continue
        why = f"no folder {name} in {str(root)!r}" if root else "give the data with --data DIR"
        yield from (skipped(title, target, why) for title, target in targets.items())


THEMES: dict[str, Callable[[Run], Iterator[Figure]]] = {
    "contraction": contraction,
    "distances": distances,
    "optimum": optimum,
    "literals": literals,
    "chains": chains,
    "data": data,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench logic", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the public data sets")
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

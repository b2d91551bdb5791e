"""The figures of governance: what finding candidates costs, and what becomes of operations whose checks fail.

    python3 run.py bench governance [--json] [--quick] [--only THEME]

Read in this order: `THEMES`, one function a theme, and the modules `governance_*` they lead to.
`--quick` is for trying the benchmark out: its sizes are small, its figures mean nothing and are not
written.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import governance_faults, governance_search
from benchmarks.figures import PAGE, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


class Run(NamedTuple):
    """What every theme is given."""

    folder: Path
    """An empty folder for stores, gone afterwards."""
    quick: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    with tempfile.TemporaryDirectory(prefix="agm-bench-") as folder:
        run = Run(Path(folder), asked.quick)
        found = (figure for theme in themes for figure in THEMES[theme](run))
        return report("governance", found, as_json=asked.json, page=page)


def detection(run: Run) -> Iterator[Figure]:
    """Finding what a newcomer may conflict with."""
    return governance_search.figures(run.folder, run.quick)


def faults(run: Run) -> Iterator[Figure]:
    """Operations while checks fail."""
    return governance_faults.figures(
        governance_faults.QUICK if run.quick else governance_faults.FULL
    )


THEMES: dict[str, Callable[[Run], Iterator[Figure]]] = {"detection": detection, "faults": faults}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench governance", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="not needed; as the others have it"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

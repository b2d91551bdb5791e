"""The figures of the trunk: right answers on real data, speed, and how both stand as things grow.

    python3 run.py bench core [--data DIR] [--json] [--quick] [--only THEME]

Read in this order: `THEMES`, one function a theme, and the modules `core_*` they lead to. Files go
to a fresh folder under the system's temporary one; give TMPDIR to measure another disk. `--quick`
is for trying the benchmark out: its sizes are small, its figures mean nothing and are not written.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import (
    core_asof,
    core_durable,
    core_facts,
    core_formulas,
    core_revise,
    core_startup,
    core_years,
    core_zones,
)
from benchmarks.figures import PAGE, report, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


class Run(NamedTuple):
    """What every theme is given."""

    folder: Path
    """An empty folder, gone afterwards."""
    data: Path | None
    """Where the public data sets are, if anywhere."""
    quick: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    if asked.data is not None and not asked.data.is_dir():
        sys.exit(f"bench core: --data {str(asked.data)!r} is no folder")
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    with tempfile.TemporaryDirectory(prefix="agm-bench-") as folder:
        run = Run(Path(folder), asked.data, asked.quick)
        found = (figure for theme in themes for figure in THEMES[theme](run))
        return report("core", found, as_json=asked.json, page=page)


def zones(run: Run) -> Iterator[Figure]:
    """Time zones, answered on both axes."""
    return core_zones.figures(run.folder)


def data(run: Run) -> Iterator[Figure]:
    """Right answers on the public data sets, those that are there."""
    root = run.data
    sets = (
        (core_facts.FOLDER, core_facts.TARGETS, core_facts.figures),
        (core_years.FOLDER, core_years.TARGETS, core_years.figures),
        (core_formulas.FOLDER, core_formulas.TARGETS, core_formulas.figures),
    )
    for name, targets, figures in sets:
        if root is not None and (root / name).is_dir():
            yield from figures(root / name, run.folder)
            continue
        why = f"no folder {name} in {str(root)!r}" if root else "give the data with --data DIR"
        yield from (skipped(title, target, why) for title, target in targets.items())


def revise(run: Run) -> Iterator[Figure]:
    """Revision in memory."""
    return core_revise.figures(core_revise.QUICK if run.quick else core_revise.FULL)


def durable(run: Run) -> Iterator[Figure]:
    """Durable writes."""
    return core_durable.figures(run.folder, rounds=3 if run.quick else 40, warm=not run.quick)


def asof(run: Run) -> Iterator[Figure]:
    """Questions about the past, and rebuilding."""
    return core_asof.figures(run.folder, core_asof.QUICK if run.quick else core_asof.FULL)


def startup(run: Run) -> Iterator[Figure]:
    """Start-up of the package and of the command line."""
    return core_startup.figures(run.folder, rounds=3 if run.quick else 40)


THEMES: dict[str, Callable[[Run], Iterator[Figure]]] = {
    "startup": startup,
    "revise": revise,
    "durable": durable,
    "asof": asof,
    "zones": zones,
    "data": data,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench core", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the public data sets")
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""The figures of propagation: exact states, retraction and closures, against published packages.

    python3 run.py bench propagation [--data DIR] [--json] [--quick] [--only THEME]

Read in this order: `THEMES`, one function a theme, and the modules `propagation_*` they lead to. What is
measured against a package that is not installed is skipped aloud; the extra `bench` has them all.
`--quick` is for trying the benchmark out: its sizes are small, its figures mean nothing and are not
written.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import (
    core_facts,
    propagation_closure,
    propagation_durable,
    propagation_facts,
    propagation_retraction,
    propagation_states,
    propagation_sweep,
)
from benchmarks.figures import PAGE, report, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


class Run(NamedTuple):
    """What every theme is given."""

    folder: Path
    """An empty folder for stores, gone afterwards."""
    data: Path | None
    """Where the public data sets are, if anywhere."""
    quick: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    if asked.data is not None and not asked.data.is_dir():
        sys.exit(f"bench propagation: --data {str(asked.data)!r} is no folder")
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    with tempfile.TemporaryDirectory(prefix="agm-bench-") as folder:
        run = Run(Path(folder), asked.data, asked.quick)
        found = (figure for theme in themes for figure in THEMES[theme](run))
        return report("propagation", found, as_json=asked.json, page=page)


def states(run: Run) -> Iterator[Figure]:
    """Exact states of random nets."""
    return propagation_states.figures(
        propagation_states.QUICK if run.quick else propagation_states.FULL
    )


def retraction(run: Run) -> Iterator[Figure]:
    """Retraction with the labels in memory."""
    sizes = propagation_retraction.QUICK if run.quick else propagation_retraction.FULL
    return propagation_retraction.figures(sizes)


def closure(run: Run) -> Iterator[Figure]:
    """Everything downstream of a belief."""
    return propagation_closure.figures(
        propagation_closure.QUICK if run.quick else propagation_closure.FULL
    )


def sweep(run: Run) -> Iterator[Figure]:
    """Many owners, swept by one process, by several and by dask."""
    sizes = propagation_sweep.QUICK if run.quick else propagation_sweep.FULL
    return propagation_sweep.figures(run.folder, sizes)


def durable(run: Run) -> Iterator[Figure]:
    """Retraction where everything is written down."""
    sizes = propagation_durable.QUICK if run.quick else propagation_durable.FULL
    return propagation_durable.figures(run.folder, sizes)


def facts(run: Run) -> Iterator[Figure]:
    """Answers that follow the facts they rest on."""
    folder = None if run.data is None else run.data / core_facts.FOLDER
    if folder is None or not folder.is_dir():
        why = f"no folder {core_facts.FOLDER} was given with --data"
        return iter([skipped(name, "= 0", why) for name in propagation_facts.NAMES])
    return propagation_facts.figures(folder, run.folder)


THEMES: dict[str, Callable[[Run], Iterator[Figure]]] = {
    "states": states,
    "retraction": retraction,
    "closure": closure,
    "durable": durable,
    "facts": facts,
    "sweep": sweep,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench propagation", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the public data sets")
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

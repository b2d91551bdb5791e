"""The figures of learning: similar mistakes shown again, when a machine may retire, and memories compared.

    python3 run.py bench learning [--json] [--quick] [--only THEME]

Read in this order: `THEMES`, one function a theme, and the modules `learning_*` they lead to.
`--quick` is for trying the benchmark out: its sizes are small, its figures mean nothing and are not
written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import learning_loop, learning_postmortem, learning_streams
from benchmarks.figures import PAGE, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


class Run(NamedTuple):
    """What every theme is given."""

    quick: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    found = (figure for theme in themes for figure in THEMES[theme](Run(asked.quick)))
    return report("learning", found, as_json=asked.json, page=page)


def mistakes(run: Run) -> Iterator[Figure]:
    """Similar mistakes of the past before the next extraction."""
    return learning_loop.figures(learning_loop.QUICK if run.quick else learning_loop.FULL)


def threshold(run: Run) -> Iterator[Figure]:
    """The threshold chosen by Learn-then-Test."""
    return learning_streams.figures(learning_streams.QUICK if run.quick else learning_streams.FULL)


def postmortem(run: Run) -> Iterator[Figure]:
    """Ways to remember the post-mortem's conversations, under extraction noise."""
    sizes = learning_postmortem.QUICK if run.quick else learning_postmortem.FULL
    return learning_postmortem.figures(sizes)


THEMES: dict[str, Callable[[Run], Iterator[Figure]]] = {
    "mistakes": mistakes,
    "threshold": threshold,
    "postmortem": postmortem,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench learning", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="not needed; as the others have it"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

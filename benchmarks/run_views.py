"""The figures of displays and of the web view.

What showing a thousand beliefs costs against listing them, how large it gets, and how the time to make the
file behind the web view grows.

    python3 run.py bench views [--json] [--quick] [--only THEME]

Read `THEMES` and the modules it leads to. `--quick` is for trying the benchmark out: its sizes are
small, its figures mean nothing and are not written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import views_displays, views_web
from benchmarks.figures import PAGE, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the exit status is 1 when a figure misses its target."""
    asked = _parser().parse_args(arguments)
    themes = [asked.only] if asked.only else list(THEMES)
    page = None if asked.quick or asked.only else PAGE
    found = (figure for theme in themes for figure in THEMES[theme](asked.quick))
    return report("views", found, as_json=asked.json, page=page)


def displays(quick: bool) -> Iterator[Figure]:  # noqa: FBT001  (each theme is given this one flag)
    """Displays against listing."""
    return views_displays.figures(100, rounds=3) if quick else views_displays.figures(1_000)


def web(quick: bool) -> Iterator[Figure]:  # noqa: FBT001  (each theme is given this one flag)
    """The file behind the web view."""
    return views_web.figures((20, 40), rounds=2) if quick else views_web.figures((250, 500, 1_000))


THEMES: dict[str, Callable[[bool], Iterator[Figure]]] = {"displays": displays, "web": web}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py bench views", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="one line of JSON a figure")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="not needed; as the others have it"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    parser.add_argument("--only", choices=THEMES, help="one theme; nothing is written")
    return parser


if __name__ == "__main__":
    sys.exit(main())

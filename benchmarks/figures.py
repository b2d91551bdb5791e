"""Figures: what a benchmark found, its target, and the page that shows them all.

One form serves every benchmark: `{"name", "value", "target", "n", "ok"}`. `value` and `ok` are null
for a figure that could not be measured; the reason is then told on the error stream and stands on
the page. `docs/benchmarks.md` has one section a benchmark; a run replaces its own.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sqlite3
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"

_HOLDS = {
    "<=": lambda value, bound: value <= bound,
    ">=": lambda value, bound: value >= bound,
    "=": lambda value, bound: value == bound,
    "<": lambda value, bound: value < bound,
}
_HEAD = """# Benchmarks

Written by `python3 run.py bench NAME`, a section a benchmark. Speeds are ratios of two things done
in turns within one run, medians over the rounds: they say how many times longer the one takes than
the other, on any machine. An exponent `b` means that the time grows like size^b. `n` counts rounds,
or questions where the figure is a count of right answers.
"""


class Figure(NamedTuple):
    """One thing measured. `target` is a relation and a number, `<= 5`; `note` is for the page only."""

    name: str
    value: float | int | None
    target: str
    n: int
    ok: bool | None
    note: str = ""

    def line(self) -> str:
        """The figure as one line of JSON."""
        shown = self._asdict()
        del shown["note"]
        return json.dumps(shown, ensure_ascii=False)

    def __str__(self) -> str:
        """The figure as one line for people."""
        word = {True: "ok", False: "MISSED", None: "skipped"}[self.ok]
        value = "-" if self.value is None else f"{self.value:g}"
        told = f"  ({self.note})" if self.note else ""
        return f"{word:8}{self.name}: {value}, target {self.target}, n = {self.n}{told}"


def measured(name: str, value: float, target: str, *, n: int, note: str = "") -> Figure:
    """A figure that was measured; whether it reaches its target is worked out.

    >>> measured("tell", 7.25, "<= 15", n=20).ok
    True
    """
    relation, bound = target.split()
    held = _HOLDS[relation](value, float(bound))
    return Figure(name, _rounded(value), target, n, held, note)


def skipped(name: str, target: str, why: str) -> Figure:
    """A figure that could not be measured, and why."""
    return Figure(name, None, target, 0, None, f"skipped: {why}")


def report(bench: str, found: Iterable[Figure], *, as_json: bool, page: Path | None = PAGE) -> int:
    """Print figures as they come, write the page unless printing JSON, and return the exit status.

    1 when a figure misses its target; a skipped one is named on the error stream and does not count.
    """
    figures: list[Figure] = []
    for figure in found:
        figures.append(figure)
        print(figure.line() if as_json else figure, flush=True)
        if figure.ok is None:
            print(f"bench {bench}: {figure.name} {figure.note}", file=sys.stderr, flush=True)
    if page is not None and not as_json:
        page.parent.mkdir(parents=True, exist_ok=True)
        old = page.read_text(encoding="utf-8") if page.exists() else _HEAD
        page.write_text(with_section(old, bench, section(figures)), encoding="utf-8")
        print(f"written to {page}")
    missed = [figure.name for figure in figures if figure.ok is False]
    if missed:
        print(f"bench {bench}: missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def section(figures: Sequence[Figure]) -> str:
    """The table of some figures and the machine they were measured on."""
    rows = ["| figure | value | target | n | |", "|---|---|---|---|---|"]
    for figure in figures:
        value = "–" if figure.value is None else f"{figure.value:g}"
        word = {True: "reached", False: "**missed**", None: "skipped"}[figure.ok]
        name = figure.name + (f"<br>{figure.note}" if figure.note else "")
        rows.append(f"| {name} | {value} | {figure.target} | {figure.n:,} | {word} |")
    return "\n".join([*rows, "", f"Measured on {machine()}."])


def with_section(page: str, bench: str, text: str) -> str:
    r"""The page with the section of one benchmark replaced, or added at its end.

    >>> print(with_section("# All\n\n## a\n\n1\n\n## b\n\n2\n", "a", "3"), end="")
    # All
    <BLANKLINE>
    ## a
    <BLANKLINE>
    3
    <BLANKLINE>
    ## b
    <BLANKLINE>
    2
    """
    head, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
    named = {part.partition("\n")[0].strip(): part.partition("\n")[2].strip() for part in sections}
    named[bench] = text.strip()
    shown = [f"## {name}\n\n{body}\n" for name, body in named.items()]
    return "\n".join([f"{head.strip()}\n", *shown])


def machine() -> str:
    """The machine in words: processor, cores, system, Python, and the libraries that matter."""
    libraries = {"SQLite": sqlite3.sqlite_version, "z3": version("z3-solver")}
    parts = [
        f"{_processor()}, {os.cpu_count()} cores",
        f"{platform.system()} {platform.release().partition('-')[0]}",
        f"{platform.python_implementation()} {platform.python_version()}",
        *(f"{name} {found}" for name, found in libraries.items()),
    ]
    return ", ".join(parts)


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        found = re.search(
            r"^model name\s*:\s*(.+)$", listed.read_text(encoding="utf-8"), re.MULTILINE
        )
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def _rounded(value: float) -> float | int:
    """Three significant digits; counts as they are."""
    return value if isinstance(value, int) else float(f"{value:.3g}")

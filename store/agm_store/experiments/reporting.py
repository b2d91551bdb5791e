"""Records as tables: the share of right answers with its interval, and what an arm lost or was misled by."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.displays.experiments import Lines, Markdown
from agm_store.errors import InvalidArgument
from agm_store.experiments.recording import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Z = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % above it."""


class Share(NamedTuple):
    """How many of some answers were right, with the 95 % interval of Wilson (1927)."""

    right: int
    total: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing."""
        return self.right / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share is with 95 % confidence, if the answers are independent.

        >>> [round(end, 3) for end in Share(8, 10).interval]
        [0.49, 0.943]
        """
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.value
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def shares(records: Iterable[dict[str, Any]], *by: str) -> dict[tuple[Any, ...], Share]:
    """The share of right last answers for each combination of some fields, in order of appearance.

    Raises:
        InvalidArgument: a field that records do not have.
    """
    for name in by:
        if name not in FIELDS:
            raise InvalidArgument("by", name, f"one of {', '.join(FIELDS)}")
    found: dict[tuple[Any, ...], Share] = {}
    for record in records:
        group = tuple(record[name] for name in by)
        right, count = found.get(group, Share(0, 0))
        found[group] = Share(right + record["current"], count + 1)
    return found


def table(records: Sequence[dict[str, Any]], *, by: str = "kind") -> Markdown:
    """A Markdown table of the share of right last answers, a column an arm; rows by a field and by noise level.

    The interval in brackets is Wilson's of 95 %. A last row stands for all rows of one noise level.

    Raises:
        InvalidArgument: no records, or a field that they do not have.
    """
    if not records:
        raise InvalidArgument("records", [], "at least one record")
    arms = list(dict.fromkeys(r["arm"] for r in records))
    rows = ["noise"] if by == "noise" else ["noise", by]
    found = shares(records, *rows, "arm")
    found |= {} if by == "noise" else shares(({**r, by: "all"} for r in records), *rows, "arm")
    groups = dict.fromkeys(group[:-1] for group in found)
    ordered = sorted(groups, key=lambda g: (g[0], g[1:] == ("all",)))
    lines = [[*rows, "n", *arms]]
    for group in ordered:
        cells = [found.get((*group, arm), Share(0, 0)) for arm in arms]
        shown = [str(c) if c.total else "–" for c in cells]
        named = [f"{100 * group[0]:g} %", *map(str, group[1:])]
        lines.append([*named, str(max(c.total for c in cells)), *shown])
    totals = [
        (f"{arm}, noise {100 * noise:g} %", found_all)
        for noise in dict.fromkeys(r["noise"] for r in records)
        for arm in arms
        if (found_all := found.get((noise, arm) if by == "noise" else (noise, "all", arm)))
    ]
    return Markdown([Lines(lines, shares=totals)])


def report(records: Sequence[dict[str, Any]], *, by: str = "kind") -> Markdown:
    """The table, and one of what each arm did: all questions, wrong by a doubtful reference, facts lost.

    Raises:
        InvalidArgument: no records, or a field that they do not have.
    """
    title = "Share of right answers to the last question of a conversation"
    first = table(records, by=by).parts[0]._replace(title=title)
    lines = [["arm", "all questions", "misled", "facts told", "facts lost"]]
    for each in deeds(records):
        asked = Share(each["right"], each["asked"])
        lost = "–" if each["lost"] is None else str(each["lost"])
        counts = (str(each["misled"]), str(each["told"]), lost)
        lines.append([each["arm"], f"{100 * asked.value:.1f} %", *counts])
    return Markdown([first, Lines(lines, note=_NOTE)])


def deeds(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each arm did, a row an arm: the sums of its records, ``lost`` None where it cannot say."""
    rows = []
    for arm in dict.fromkeys(r["arm"] for r in records):
        mine = [r for r in records if r["arm"] == arm]
        sums = {name: sum(r[name] for r in mine) for name in ("right", "asked", "misled", "told")}
        lost = [r["lost"] for r in mine if r["lost"] is not None]
        rows.append({"arm": arm, **sums, "lost": sum(lost) if lost else None})
    return rows


_NOTE = (
    "Misled: wrong answers that name a former value and would be right without the references that were labelled "
    "as such or suspicious. Lost: facts that an extractor gave and the arm cannot find any more; – where it cannot say."
)

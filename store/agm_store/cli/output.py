"""What commands print: JSON for machines, aligned tables and sentences for people."""

# ruff: noqa: ANN401  (values of any claim, records of any verb)
from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from agm_store.cli.colours import coloured, painted
from agm_store.forms import inertly, interval, receipt_json, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.listings import Flagged
    from agm_store.receipts import Receipt
    from agm_store.records import Side

_ESCAPED = r"\u0000number "


def print_json(found: Any) -> None:
    """One line of JSON; text that the terminal cannot show is escaped."""
    line = json.dumps(found, ensure_ascii=False, allow_nan=False)
    if _ESCAPED in line:
        import re

        line = re.sub(rf'"{re.escape(_ESCAPED)}([-0-9.]+)"', r"\1", line)
    say(line)


def say(line: str = "") -> None:
    """One line on the output."""
    try:
        sys.stdout.write(line + "\n")
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def table(rows: Iterable[Sequence[str]], *, head: Sequence[str] = (), indent: str = "") -> None:
    """Rows in aligned columns, two spaces apart; columns that are empty throughout are left out.  No rows, no table."""
    lines = [list(row) for row in rows]
    if not lines:
        return
    used = [at for at in range(len(lines[0])) if any(row[at] for row in lines)]
    shown = [[inertly(row[at]) for at in used] for row in ([list(head), *lines] if head else lines)]
    widths = [max(len(row[at]) for row in shown) for at in range(len(used))]
    paint = painted if coloured(sys.stdout) else str
    for row in shown:
        cells = [paint(cell) + " " * (w - len(cell)) for cell, w in zip(row, widths, strict=True)]
        say(indent + "  ".join(cells).rstrip())


def word(text: str) -> str:
    """A word that says how something stands, in its colour where somebody watches."""
    return painted(text) if coloured(sys.stdout) else text


def print_flag(flag: Flagged, *, indent: str = "") -> None:
    """A flag, why it stands, and what went wrong when it was looked at."""
    say(f"{indent}{flag.id}: {flag.kind}: {flag.why}")
    for error in flag.errors:
        say(f"{indent}  tried: {error}")
    say(f"{indent}  to clear: {flag.to_clear}")


def side_row(side: Side) -> list[str]:
    """A telling as a row of a table."""
    return [
        said(side),
        side.standing.replace("_", " "),
        interval(side.valid_from, side.valid_to),
        side.source or "",
        side.belief,
    ]


def print_receipt(receipt: Receipt, *, as_json: bool) -> None:
    """A receipt: what was recorded, what it cost, and what was not checked."""
    if as_json:
        print_json(receipt_json(receipt))
        return
    say(str(receipt).replace(f": {receipt.status},", f": {word(receipt.status)},", 1))

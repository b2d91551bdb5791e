"""The first primitive: a table, of which a hundred rows are shown: a page that a person may read."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from agm.displays.style import toned
from agm.displays.texts import HINT, escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.displays.style import Tone

ROWS = 100
"""The most rows that a table shows."""

COLUMNS = 160
"""The most characters of a cell; the rest stands in its hint."""


_SHORT = 30
"""The most characters of a cell that stays on one line."""


class Cell(NamedTuple):
    """A cell that says more than its text: a tone, set as a tag; a hint; or a formula, set as such."""

    text: str
    tone: Tone | None = None
    hint: str = ""
    code: bool = False


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str | Cell]],
    *,
    caption: str = "",
    total: int | None = None,
    most: int = ROWS,
) -> str:
    """Rows of cells under a head; of more than ``most`` rows the first, and how many are left out.

    ``total`` is how many there are, where ``rows`` is too long to be gone through.
    """
    turn = iter(rows)
    body = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in islice(turn, max(0, most))]
    left = sum(1 for _ in turn) if total is None else total - len(body)
    titled = f"<caption>{escaped(caption, 200)[0]}</caption>" if caption else ""
    named = "".join(f"<th>{escaped(name, COLUMNS)[0]}</th>" for name in head)
    note = f'<div class="agm-note">{more(left)}</div>' if left > 0 else ""
    return (
        f'<div class="agm-box"><table class="agm-table">{titled}<thead><tr>{named}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{note}"
    )


def tagged(word: str, tone: Tone, said: str = "") -> str:
    """A line that begins with a word set as a tag."""
    shown, hint = escaped(said, 400)
    named = f' title="{hint}"' if hint else ""
    tag = f'<span class="agm-tag agm-{toned(tone)}">{escaped(word, COLUMNS)[0]}</span>'
    return f'<div class="agm-line"{named}>{tag} {shown}</div>'


def more(left: int) -> str:
    """How many things a display leaves out."""
    return f"{left:,} more not shown"


def filled(
    head: Sequence[str], rows: Sequence[Sequence[str | Cell]]
) -> tuple[list[str], list[list[str | Cell]]]:
    """The same without the columns in which no row has anything to say."""
    kept = [
        place
        for place in range(len(head))
        if any(_said(row[place]) for row in islice(rows, ROWS)) or not rows
    ]
    return [head[p] for p in kept], [[row[p] for p in kept] for row in rows]


def _said(cell: str | Cell) -> str:
    return cell if isinstance(cell, str) else cell.text


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        text, hint = escaped(cell, COLUMNS)
    else:
        text, hint = escaped(cell.text, COLUMNS)
        if cell.hint and not hint:
            hint = escaped(cell.hint, HINT)[0]
        if cell.code:
            text = f"<code>{text}</code>"
        if cell.tone is not None and cell.text:
            text = f'<span class="agm-tag agm-{toned(cell.tone)}">{text}</span>'
    wraps = ' class="agm-wide"' if len(_said(cell)) > _SHORT else ""
    return f'<td{wraps} title="{hint}">{text}</td>' if hint else f"<td{wraps}>{text}</td>"

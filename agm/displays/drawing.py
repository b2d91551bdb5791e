"""What bars and graphs are drawn with: text of a known width, boxes and the frame of a picture.

Each text is told its length, so that it takes the room that was left for it, whatever font a reader has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.displays.style import toned
from agm.displays.texts import HINT, escaped, wide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.displays.style import Tone

EM = 7.2
"""The width of a column, of small text 11/12 of it; in pixels."""

SMALL = 6.6


def reach(text: str, columns: int, em: float = EM) -> float:
    """The width of a text that is cut to so many columns, in pixels."""
    from agm.displays.texts import cut

    return wide(cut(text, columns)) * em


def written(x: float, y: float, text: str, *, columns: int, kind: str = "", hint: str = "") -> str:
    """A line of text that starts at x, on the base line y, cut to so many columns."""
    from agm.displays.texts import cut

    shown, whole = escaped(text, columns)
    if not shown:
        return ""
    em = SMALL if kind == "agm-small" else EM
    size = 11 if kind == "agm-small" else 12
    whole = whole or (escaped(hint, HINT)[0] if hint else "")
    titled = f"<title>{whole}</title>" if whole else ""
    named = f' class="{kind}"' if kind else ""
    length = max(1, wide(cut(text, columns))) * em
    return (
        f'<text{named} x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="monospace" '
        f'fill="currentColor" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs">'
        f"{shown}{titled}</text>"
    )


def box(x: float, y: float, w: float, h: float, *, tone: Tone, hint: str = "") -> str:
    """A box in a tone."""
    titled = f"<title>{escaped(hint, HINT)[0]}</title>" if hint else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(w, 1):.1f}" height="{h:.1f}"'
    return f'<rect class="agm-{toned(tone)}" {place} rx="4" fill="none" stroke="currentColor">{titled}</rect>'


def stroke(path: str, *, faint: bool = False, dashed: bool = False) -> str:
    """A line along a path, in the ink of the page."""
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    strength = ".35" if faint else ".65"
    return f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity="{strength}"{dash}/>'


def solid(path: str) -> str:
    """A filled shape in the ink of the page: the head of an arrow."""
    return f'<path d="{path}" fill="currentColor" fill-opacity=".65" stroke="none"/>'


def picture(parts: Iterable[str], width: float, height: float, *, name: str) -> str:
    """The parts as one picture, which scrolls where it is too wide for the page."""
    w, h = f"{width:.0f}", f"{height:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="agm" role="img" '
        f'aria-label="{escaped(name, 100)[0]}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
        f"{''.join(parts)}</svg>"
    )


def scrolling(svg: str, left: str = "") -> str:
    """A picture in a box that scrolls, and what it leaves out."""
    note = f'<div class="agm-note">{left}</div>' if left else ""
    return f'<div class="agm-box">{svg}</div>{note}'

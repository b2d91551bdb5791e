"""The look of all displays: one sheet of colours by tone, light and dark, and the panel around the parts.

A tone says what a thing is, not how it looks. Boxes bring their own ground and ink, so that they can be
read on any page; what stands beside them has the ink of the page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal, TypeAlias

from agm.displays.texts import cut

if TYPE_CHECKING:
    from collections.abc import Iterable

Tone: TypeAlias = Literal["plain", "good", "bad", "warn", "held", "mute"]
"""Plain, or: stands; given up; contested or flagged; waits; past or out of force."""

TONES: dict[Tone, tuple[str, str, str, str]] = {
    "plain": ("#f4f4f5", "#77777d", "#29292c", "#9b9ba3"),
    "good": ("#ddf3e4", "#1f8a4c", "#12361f", "#4fc17f"),
    "bad": ("#fbe1df", "#c0392b", "#47191a", "#f07f76"),
    "warn": ("#fdf0cf", "#b7791f", "#42330f", "#e0b34e"),
    "held": ("#dfe9fb", "#2f6fd0", "#172d52", "#79a8f5"),
    "mute": ("#ececee", "#a0a0a8", "#242427", "#66666d"),
}
"""The ground and the line of a tone, in light and in dark."""


def toned(tone: str) -> Tone:
    """A tone as it stands in markup; what is none is plain."""
    return next((known for known in TONES if known == tone), "plain")


_INKS = (("#18181b", "#62626a"), ("#ededf0", "#a6a6af"))
"""Ink, and faint ink for what is past: in light, in dark."""

_DARK = ("[data-jp-theme-light=false] .agm", ".vscode-dark .agm", "[data-theme=dark] .agm")
_LIGHT = ("[data-jp-theme-light=true] .agm", ".vscode-light .agm", "[data-theme=light] .agm")


def _colours(dark: bool) -> str:  # noqa: FBT001  (one flag, two columns of a table)
    shade = 2 if dark else 0
    ink, faint = _INKS[dark]
    named = [f"--agm-ink:{ink};--agm-faint:{faint}"]
    for tone, colours in TONES.items():
        named.append(f"--agm-{tone}:{colours[shade]};--agm-{tone}-line:{colours[shade + 1]}")
    return ";".join(named)


_FONT = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"
_RULES = f"""
.agm svg{{display:block;overflow:visible}}
.agm text{{font:12px {_FONT};fill:currentColor}}
.agm text.agm-in{{fill:var(--agm-ink)}}
.agm text.agm-past{{fill:var(--agm-faint)}}
.agm text.agm-small{{font-size:11px;opacity:.8}}
.agm-title{{font-weight:600;margin:.4em 0}}
.agm-line{{margin:.3em 0;unicode-bidi:isolate}}
.agm-note{{opacity:.75;margin:.3em 0;font-size:12px}}
.agm-box{{overflow:auto;max-height:40em;max-width:100%;margin:.2em 0 .5em}}
.agm table.agm-table{{border-collapse:collapse;margin:0;border:0;font-size:13px}}
.agm table.agm-table caption{{caption-side:top;text-align:left;font-weight:600;color:inherit}}
.agm table.agm-table th,.agm table.agm-table td{{text-align:left;vertical-align:top;border:0}}
.agm table.agm-table th,.agm table.agm-table td{{border-bottom:1px solid rgba(128,128,128,.35)}}
.agm table.agm-table th,.agm table.agm-table td{{padding:.2em .8em .2em .3em;max-width:46em}}
.agm table.agm-table td{{unicode-bidi:isolate;white-space:nowrap}}
.agm table.agm-table td.agm-wide{{white-space:normal;overflow-wrap:anywhere;min-width:16em}}
.agm table.agm-table th{{font-weight:600;opacity:.8;white-space:nowrap}}
.agm table.agm-table th,.agm table.agm-table td,.agm table.agm-table tr{{color:inherit;background:none}}
.agm .agm-box code{{font:12px {_FONT};background:none;color:inherit;padding:0;border:0}}
.agm .agm-box code{{white-space:inherit}}
.agm-tag{{display:inline-block;border-radius:4px;padding:0 .45em;border:1px solid}}
.agm .agm-tag,.agm .agm-box .agm-tag code{{color:var(--agm-ink)}}
.agm .agm-tag.agm-mute{{color:var(--agm-faint)}}
"""


def _sheet() -> str:
    light, dark = _colours(dark=False), _colours(dark=True)
    themes = (
        f".agm{{{light};font-size:13px;line-height:1.45}}"
        f"@media (prefers-color-scheme:dark){{.agm{{{dark}}}}}"
        f"{','.join(_DARK)}{{{dark}}}{','.join(_LIGHT)}{{{light}}}"
    )
    tones = "".join(
        f".agm .agm-{tone}{{fill:var(--agm-{tone});stroke:var(--agm-{tone}-line);"
        f"background:var(--agm-{tone});border-color:var(--agm-{tone}-line)}}"
        for tone in TONES
    )
    return themes + tones + "".join(_RULES.splitlines())


SHEET = _sheet()


def panel(*parts: str, title: str = "", notes: Iterable[str] = ()) -> str:
    """Parts, which are markup, under a title and over notes, which are plain text."""
    head = f'<div class="agm-title">{escape(cut(title, 200))}</div>' if title else ""
    foot = "".join(f'<div class="agm-note">{escape(cut(one, 400))}</div>' for one in notes)
    return f'<div class="agm"><style>{SHEET}</style>{head}{"".join(parts)}{foot}</div>'


def files_of(html: str) -> list[str]:
    """The pictures of a display, each as the text of an SVG file that brings its colours along."""
    sheet = SHEET.replace(".agm svg", "svg.agm").replace(".agm ", "")
    light, dark = (ink for ink, _ in _INKS)
    ink = f"svg.agm{{color:{light}}}@media (prefers-color-scheme:dark){{svg.agm{{color:{dark}}}}}"
    found = []
    for part in html.split("<svg ")[1:]:
        head, _, rest = part.partition("</svg>")[0].partition(">")
        found.append(f"<svg {head}><style>{sheet}{ink}</style>{rest}</svg>\n")
    return found

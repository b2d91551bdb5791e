"""What notebooks see: tables, bars and graphs as HTML and SVG, made of nothing but text.

Three primitives, `table`, `bars` and `graph`, take plain values and give a string; a `panel` puts what
they give under a title. No script, no address and no file is named in it, colours follow the light or
dark theme of the page, and what was told is data: it is escaped, and characters that nobody sees or
that turn writing around are shown by their code (`inert`). Nothing here knows a store or a clock.

Read in this order: `texts`, `style`, `tables`, `charts`, `layers`, `graphs`; then `bases`, `changes` and
`checks`, which show the values of `agm` by them, and `values`, which finds the display of a value.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.displays.charts import Bar, Mark, Span, bars
    from agm.displays.checks import matrix
    from agm.displays.graphs import Edge, Node, graph, mermaid
    from agm.displays.style import files_of, panel
    from agm.displays.tables import Cell, table, tagged
    from agm.displays.texts import inert
    from agm.displays.values import html

__all__ = [
    "Bar",
    "Cell",
    "Edge",
    "Mark",
    "Node",
    "Span",
    "bars",
    "files_of",
    "graph",
    "html",
    "inert",
    "matrix",
    "mermaid",
    "panel",
    "table",
    "tagged",
]

_ROOMS = {
    "charts": ("Bar", "Mark", "Span", "bars"),
    "checks": ("matrix",),
    "graphs": ("Edge", "Node", "graph", "mermaid"),
    "values": ("html",),
    "texts": ("inert",),
    "style": ("files_of", "panel"),
    "tables": ("Cell", "table", "tagged"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    """Load the room of a public name; the command line needs `inert` alone."""
    room = _HOME.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__

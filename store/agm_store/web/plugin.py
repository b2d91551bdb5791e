"""What datasette is told to do otherwise: how cells and errors are shown.

Ids lead to their reasons, and nothing that was told acts on the page.  An error is a page of few words;
datasette's own handler would print what was read, with all variables, on the terminal.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agm_store.tables import inert
from agm_store.web.file import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_LEADING = ("belief", "against", "other", "review")
"""The columns that hold the id of a statement."""
LONGEST = 300
"""Characters of a cell that are shown; the rest is in its title, up to ten times as many."""


def render_cell(value: Any, column: str, database: str, datasette: Any) -> Any:  # noqa: ANN401  datasette has no types
    """A cell as HTML; None leaves it to datasette."""
    if database != NAME or not isinstance(value, str) or not value:
        return None
    from markupsafe import Markup

    shown = inert(value)
    title = ""
    if len(shown) > LONGEST:
        title = f' title="{escape(shown[: 10 * LONGEST])}"'
        shown = f"{shown[:LONGEST]}…"
    if column in _LEADING:
        where = f"{datasette.urls.path(f'{NAME}/why')}?belief={quote(value, safe='')}"
        return Markup(f'<a href="{escape(where)}"{title}>{escape(shown)}</a>')  # noqa: S704  escaped above
    return Markup(f"<span{title}>{escape(shown)}</span>")  # noqa: S704  escaped above


def handle_exception(
    datasette: Any,  # noqa: ANN401  datasette has no types
    request: Any,  # noqa: ANN401  datasette has no types
    exception: Exception,
) -> Callable[[], Coroutine[Any, Any, Any]]:
    """The page of an error."""

    async def page() -> Any:  # noqa: ANN401  datasette has no types
        from datasette import Response

        status = int(getattr(exception, "status", 500))
        words = str(exception) or type(exception).__name__
        if request.path.endswith(".json"):
            return Response.json({"ok": False, "error": words, "status": status}, status=status)
        body = await datasette.render_template("error.html", {"error": words}, request=request)
        return Response.html(body, status=status)

    return page

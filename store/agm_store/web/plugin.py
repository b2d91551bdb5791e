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


def answer_to(exception: Exception, *, of_a_row: bool) -> tuple[int, str]:
    """The status and the words of an error: what an odd address raised is the asker's, not a fault of the page.

    A row that is asked for with fewer keys than it has is not there.
    """
    from sqlite3 import InterfaceError, ProgrammingError

    from datasette.views.base import DatasetteError

    words = str(exception) or type(exception).__name__
    status = int(getattr(exception, "status", 500))
    if status < 500:
        return status, words
    if isinstance(exception, DatasetteError):  # 500 is what it says of itself for want of another
        return 400, exception.message
    if isinstance(exception, ProgrammingError) and of_a_row:
        return 404, "There is no such row"
    if isinstance(exception, ValueError | KeyError | InterfaceError | ProgrammingError):
        return 400, "This address asks in a way that is not understood"
    return status, words


def handle_exception(
    datasette: Any,  # noqa: ANN401  datasette has no types
    request: Any,  # noqa: ANN401  datasette has no types
    exception: Exception,
) -> Callable[[], Coroutine[Any, Any, Any]]:
    """The page of an error."""

    async def page() -> Any:  # noqa: ANN401  datasette has no types
        from datasette import Response

        status, words = answer_to(exception, of_a_row="pks" in request.url_vars)
        if request.path.endswith(".json"):
            return Response.json({"ok": False, "error": words, "status": status}, status=status)
        body = await datasette.render_template("error.html", {"error": words}, request=request)
        return Response.html(body, status=status)

    return page

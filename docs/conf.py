"""How Sphinx makes the site: `python3 run.py docs`, from the pages in docs/ and the notebooks.

The source folder is the root of the project, so that a link means the same on the site and in the
tree. The way through the pages is read off `docs/index.md`: each of its sections is a part of the
navigation and has the pages that it leads to, in its order. A page that it does not lead to, a link
that leads nowhere and anything that a browser would fetch from elsewhere end the build.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

project = "agm"
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/decisions/*.md", "notebooks/*.ipynb", "C*.md"]
exclude_patterns = [".*", "build"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
myst_heading_anchors = 4
nitpicky = True

html_theme = "theme"
html_theme_path = ["."]
html_title = "agm"
html_copy_source = False
html_show_copyright = False
html_additional_pages = {"index": "redirect.html"}

WHOLE_FOLDERS = {"Decisions": "decisions/*", "Notebooks": "../notebooks/*"}
FETCHED = re.compile(
    r"<(?:script|img|image|iframe|link|source|object|embed|video|audio)\b[^>]*\b(?:src|href)=\"(?:https?:)?//"
    r"|@import|url\(\s*['\"]?(?:https?:)?//"
)


def setup(app: Sphinx) -> None:
    """Read notebooks and the index by rules of our own, and look at what was made."""
    app.connect("source-read", _read)
    app.connect("build-finished", _nothing_from_elsewhere)


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    if app.env.doc2path(name).suffix == ".ipynb":
        source[0] = "\n\n".join(_cells(json.loads(source[0])))
    elif name == root_doc:
        source[0] += "\n".join(_navigation(source[0]))


def _navigation(index: str) -> Iterator[str]:
    """A hidden table of contents for each section of the index; a page stands in the first that has it."""
    seen: set[str] = set()
    for section in index.split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        pages = dict.fromkeys(re.findall(r"\]\(([\w./-]+)\.md(?:#[\w-]*)?\)", text))
        own = [page for page in pages if page not in seen and not page.startswith("decisions/")]
        seen.update(own)
        listed = [*own, *filter(None, [WHOLE_FOLDERS.get(title)])]
        yield f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n:glob:\n"
        yield from listed
        yield "```\n"


def _cells(notebook: dict[str, Any]) -> Iterator[str]:
    """The cells of a notebook as one text, with what they print and show."""
    for cell in notebook["cells"]:
        text = "".join(cell["source"]).strip("\n")
        if cell["cell_type"] == "markdown":
            yield text
        elif text:
            yield f"```python\n{text}\n```"
            yield from filter(None, map(_shown, cell.get("outputs", ())))


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return "``````{raw} html\n" + "".join(data["text/html"]) + "\n``````"
    if "image/svg+xml" in data:
        return "``````{raw} html\n" + "".join(data["image/svg+xml"]) + "\n``````"
    text = "".join(output.get("text", data.get("text/plain", ""))).strip("\n")
    return f"``````text\n{text}\n``````" if text else ""


def _nothing_from_elsewhere(app: Sphinx, fault: Exception | None) -> None:
    """Warn of each page that would make a browser ask another host for something."""
    from sphinx.util.logging import getLogger

    made = () if fault else sorted([*app.outdir.rglob("*.html"), *app.outdir.rglob("*.css")])
    for page in made:
        if FETCHED.search(page.read_text(encoding="utf-8")):
            getLogger(__name__).warning("asks another host: %s", page.relative_to(app.outdir))

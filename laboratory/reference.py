"""The command behind `run.py reference`: every public name with its signature and first sentence.

    python3 run.py reference            write docs/reference*.md
    python3 run.py reference --check    compare the pages with the code

What is public: the modules that `PAGES` lists, any other that has an `__all__`, and any that a page, a
notebook or the readme imports; of a module its `__all__`, or, where it has none, every name that
stands in it without an underscore before it and is no `PLUMBING`. The pages are read off the source
text, so that defaults look as they were written and nothing has to be imported; `laboratory.sources`
does the reading. Exit status 1 means that a page is not as the code is.
"""

from __future__ import annotations

import argparse
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from laboratory import sources
from laboratory.sources import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laboratory.sources import Name

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


class Page(NamedTuple):
    """One page of the reference."""

    title: str
    about: str
    modules: tuple[str, ...]
    others: str = ""
    """The package whose modules stand here where no page lists them."""


PAGES = {
    "reference-agm": Page(
        "Reference: beliefs and operators",
        "The reasoning core: pure functions and frozen values, without files, clock or network.",
        (
            "agm",
            "agm.claims",
            "agm.vocabulary",
            "agm.declarations",
            "agm.jsonform",
            "agm.syntax",
            "agm.beliefs",
            "agm.entrenchment",
            "agm.verdicts",
            "agm.expansion",
            "agm.contraction",
            "agm.revision",
            "agm.update",
            "agm.consolidation",
            "agm.selection",
            "agm.explanations",
            "agm.proofs",
            "agm.remainders",
            "agm.enumeration",
            "agm.signature",
            "agm.theories",
            "agm.iterated",
            "agm.merging",
            "agm.solver",
            "agm.errors",
        ),
        others="agm",
    ),
    "reference-postulates": Page(
        "Reference: postulates and tests",
        "What your own operators and tests are made with.",
        ("agm.testing", "agm.postulates"),
    ),
    "reference-models": Page(
        "Reference: language models",
        "What a model may ask for, and the adapters that ask models.",
        ("agm.directives", "agm.llm"),
    ),
    "reference-propagation": Page(
        "Reference: what follows from a change",
        "The support graph and the flags that a change raises, as pure functions.",
        ("agm_propagation",),
        others="agm_propagation",
    ),
    "reference-store": Page(
        "Reference: the store",
        "The journal, time, access, review, learning and experiments.",
        (
            "agm_store",
            "agm_store.records",
            "agm_store.receipts",
            "agm_store.reports",
            "agm_store.listings",
            "agm_store.session",
            "agm_store.ingest",
            "agm_store.learning",
            "agm_store.experiments",
            "agm_store.errors",
        ),
        others="agm_store",
    ),
}
PLUMBING = {
    "agm.beliefs": ("Frozen", "natural", "place"),
    "agm.declarations": ("is_number",),
    "agm.enumeration": ("T", "explore", "explore_places"),
    "agm.entrenchment": ("checked_class",),
    "agm.errors": ("shown",),
    "agm.expansion": ("addition",),
    "agm.jsonform": ("check_json", "loads_strict"),
    "agm.merging": ("Mark",),
    "agm.syntax": ("parse_simple", "simple_value"),
    "agm.verdicts": ("compare_claims", "inconsistent"),
    "agm_store.errors": ("recorded", "shorten"),
    "agm_store.records": ("Printed", "V", "until"),
}
"""What those modules lend to their neighbours, and what no user needs."""
ROOMS = ("agm_store.reviewing",)
"""Modules whose `__all__` says what their neighbours take from them."""
WRITTEN = "Written by `python3 run.py reference`; do not edit."


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or say which of them are not as the code is."""
    parser = argparse.ArgumentParser(prog="run.py reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    asked = parser.parse_args(arguments)
    stale = {name: text for name, text in pages().items() if _there(name) != text}
    for name, text in stale.items():
        if asked.check:
            print(
                f"docs/{name}.md is not as the code is: `python3 run.py reference` writes it anew"
            )
        else:
            (DOCS / f"{name}.md").write_text(text, encoding="utf-8")
            print(f"docs/{name}.md")
    return int(asked.check and bool(stale))


def pages() -> dict[str, str]:
    """The text of each page by its name."""
    all_pages = {name: _completed(page) for name, page in PAGES.items()}
    made = {name: "\n".join(_page(page)) for name, page in all_pages.items()}
    return {"reference": "\n".join(_overview(all_pages)), **made}


def modules() -> list[str]:
    """Every public module, in the order of the pages."""
    return [m for page in PAGES.values() for m in _completed(page).modules]


def _completed(page: Page) -> Page:
    """The page with the public modules of its package that no page lists."""
    listed = {module for one in PAGES.values() for module in one.modules} | {*ROOMS}
    if not page.others:
        return page
    found = {
        module
        for module in sources.modules(page.others)
        if module not in listed and (sources.exported(module) is not None or module in _imported())
    }
    return page._replace(modules=(*page.modules, *sorted(found)))


@cache
def _imported() -> frozenset[str]:
    """The modules that pages, notebooks and the readme import."""
    shown = [ROOT / "README.md", *DOCS.glob("*.md"), *ROOT.glob("notebooks/*.ipynb")]
    line = re.compile(r'^\s*"?(?:from|import) (agm[\w.]*)', re.MULTILINE)
    return frozenset(m for path in shown for m in line.findall(path.read_text(encoding="utf-8")))


def public(module: str) -> list[Name]:
    """The public names of a module, sorted, each where it is defined."""
    names = sources.exported(module)
    if names is None:
        names = sources.defined(module)
    names = [name for name in names if name not in PLUMBING.get(module, ())]
    return [sources.find(module, name) for name in sorted(names, key=str.lower)]


def _there(name: str) -> str:
    path = DOCS / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _overview(all_pages: dict[str, Page]) -> Iterator[str]:
    yield "# Reference"
    yield ""
    yield WRITTEN
    yield ""
    yield (
        "Every public name, with its signature, the first sentence of its docstring and the module in which it is "
        "written; `help(name)` shows the rest. The commands of the shell are on [a page of their own](command-line.md)."
    )
    for name, page in all_pages.items():
        yield ""
        yield f"## [{page.title.removeprefix('Reference: ').capitalize()}]({name}.md)"
        yield ""
        yield "| Module | What it is | Names |"
        yield "|---|---|---|"
        for module in page.modules:
            names = ", ".join(f"`{one.name}`" for one in public(module))
            place = f"{name}.md#{module.replace('.', '')}"  # as code hosts name a heading
            yield f"| [`{module}`]({place}) | {_cell(sources.about(module))} | {names} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _page(page: Page) -> Iterator[str]:
    yield f"# {page.title}"
    yield ""
    yield f"{page.about} {WRITTEN}"
    told = {(one.module, one.name) for module in page.modules for one in public(module)}
    shown: dict[tuple[str, str], str] = {}
    for module in page.modules:
        yield ""
        yield f"## `{module}`"
        yield ""
        yield sources.about(module)
        yield ""
        again: dict[str, list[str]] = {}
        for name in public(module):
            home = shown.setdefault((name.module, name.name), module)
            if home == module:
                yield from _entry(name, told)
            else:
                again.setdefault(home, []).append(f"`{name.name}`")
        for home, names in again.items():
            yield f"- As in `{home}`: {', '.join(names)}."
    yield ""


def _entry(name: Name, told: set[tuple[str, str]]) -> Iterator[str]:
    said = sentence(name.text)
    kind = "".join(f", a kind of `{base}`" for base in sources.bases(name, told=told))
    yield f"- `{sources.signature(name)}`{kind}{': ' + said if said else ''} *({name.module})*"
    for member, text in sources.members(name, told=told):
        yield f"  - `{member}`{': ' + sentence(text) if text else ''}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

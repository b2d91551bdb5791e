"""The site: what its navigation is read off, what it shows of notebooks, and what no page may name."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")
READ = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted(DOCS.rglob("*.md")),
    *sorted(DOCS.rglob("*.html")),
    *sorted(DOCS.rglob("*.css")),
    *sorted(ROOT.glob("notebooks/*.ipynb")),
]
MACHINE = re.compile(
    r"(?<![\w.>)}\]~-])/(?:work|tmp|root|opt|usr|var|etc|mnt|Users|private)/"
    r"|/home/(?!anna/)"  # whose home is made up
    r"|(?<![A-Za-z])[A-Z]:\\[A-Za-z]"
)
HOSTS = re.compile(
    r"pypi|pythonhosted|anaconda\.|conda-forge|artifactory|npmjs|unpkg|jsdelivr|cdnjs|googleapis"
    r"|gstatic|--?(?:extra-)?index-url|find-links",
    re.IGNORECASE,
)


def _settings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CONF = _settings()


def navigation() -> dict[str, list[str]]:
    """The pages of each part of the navigation."""
    text = "\n".join(CONF._navigation(INDEX))
    parts = re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
    titles = [re.search(r":caption: (.+)", part)[1] for part in parts]
    pages = [[line for line in part.splitlines() if line and line[0] != ":"] for part in parts]
    return dict(zip(titles, pages, strict=True))


def test_the_parts_stand_in_the_order_in_which_they_are_read():
    order = ["Why", "Tutorial", "How to", "Explanation", "Reference", "Glossary", "Decisions"]
    assert list(navigation())[:8] == [*order, "Benchmarks"]


def test_every_page_stands_in_the_navigation_once():
    listed = [page for pages in navigation().values() for page in pages]
    assert len(set(listed)) == len(listed)
    there = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert {page for page in listed if "/" not in page} == there
    assert {"decisions/*", "../notebooks/*", "../CONTRIBUTING"} <= set(listed)


def test_the_index_leads_to_every_decision():
    for path in DOCS.glob("decisions/*.md"):
        assert f"(decisions/{path.name})" in INDEX, path.name


def test_a_page_stands_in_the_first_section_that_leads_to_it():
    text = "# X\n\n## A\n[a](a.md) [d](decisions/1.md)\n\n## B\n[a](a.md#x) [b](b.md) [a](a.md)\n"
    lines = list(CONF._navigation(text))
    assert [line for line in lines if not line.startswith(("\n", "`"))] == ["a", "b"]


def test_a_notebook_reads_as_a_page():
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Words."]},
        {
            "cell_type": "code",
            "source": ["print(1)"],
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {
                    "output_type": "display_data",
                    "data": {"text/html": ["<b>x</b>"], "text/plain": "x"},
                },
                {"output_type": "execute_result", "data": {"text/plain": ["'y'"]}},
            ],
        },
        {"cell_type": "code", "source": [], "outputs": []},
    ]
    assert list(CONF._cells({"cells": cells})) == [
        "# Title\nWords.",
        "```python\nprint(1)\n```",
        "``````text\n1\n``````",
        "``````{raw} html\n<b>x</b>\n``````",
        "``````text\n'y'\n``````",
    ]


def test_every_notebook_has_a_title():
    for path in ROOT.glob("notebooks/*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert next(CONF._cells(notebook)).startswith("# "), path.name


def test_the_shares_that_the_comparison_quotes_are_those_of_the_experiments():
    quoted = re.findall(r"\d+\.\d %", (DOCS / "comparison.md").read_text(encoding="utf-8"))
    found = (DOCS / "experiments.md").read_text(encoding="utf-8").split("at 20 %:")[1]
    assert len(quoted) >= 5
    assert [share for share in quoted if share not in found.split("at 30 %:")[0]] == []


@pytest.mark.parametrize(
    ("text", "fetched"),
    [
        ('<script src="https://x.example/a.js"></script>', True),
        ('<link rel="stylesheet" href="//x.example/a.css">', True),
        ('<img alt="" src="http://x.example/a.png">', True),
        ("@import 'a.css';", True),
        ("background: url(https://x.example/a.png)", True),
        ('<a href="https://x.example/">x</a>', False),
        ('<script src="_static/a.js"></script>', False),
        ("background: url(a.png)", False),
    ],
)
def test_what_a_browser_would_fetch_from_elsewhere_is_seen(text, fetched):
    assert bool(CONF.FETCHED.search(text)) is fetched


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_no_page_names_a_path_of_some_machine_or_a_host_of_packages(path):
    text = path.read_text(encoding="utf-8")
    assert [found[0] for found in MACHINE.finditer(text)] == []
    assert [found[0] for found in HOSTS.finditer(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "see /tmp/x/y",
        f"`/{'root'}/.cache`",
        "in /home/bob/x",
        "C:\\Users",
        "from pypi.org",
        "--index-url",
    ],
)
def test_such_a_name_would_be_seen(text):
    assert MACHINE.search(text) or HOSTS.search(text)


FAULTS = {
    "See [c](c.md).": "c.md",
    "See [b](b.md#other).": "local id not found",
    "```python\n$ x\n```": "highlighting_failure",
    "![x](https://x.example/a.png)": "asks another host: docs/index.html",
}


def built(folder: Path, *paragraphs: str) -> subprocess.CompletedProcess[str]:
    """What `run.py docs` does with a page of these paragraphs and one more."""
    shutil.copytree(DOCS / "theme", folder / "docs" / "theme")
    shutil.copy(DOCS / "conf.py", folder / "docs")
    page = "\n\n".join(("# Pages", "## Part", *paragraphs))
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    (folder / "docs" / "a.md").write_text("# A\n", encoding="utf-8")
    (folder / "docs" / "b.md").write_text("# B\n\n## Part\n\nWords.\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    command = [sys.executable, "-m", "sphinx", *run.SITE]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_fault_is_told_and_ends_the_build(tmp_path):
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    done = built(tmp_path, *FAULTS)
    assert done.returncode != 0
    for said in (*FAULTS.values(), "a.md: WARNING: document isn't included in any toctree"):
        assert said in done.stderr


def test_pages_without_a_fault_are_built_in_silence(tmp_path):
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    done = built(tmp_path, "See [a](a.md) and [b](b.md#part).")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert 'href="b.html#part"' in (tmp_path / "build/docs/docs/index.html").read_text("utf-8")

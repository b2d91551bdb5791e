"""Every Python block of the pages in docs/ runs, one after another, and prints what stands below it.

A page is one program: its blocks share their names. A block that prints is followed by a text block
with what it prints. `sweep.md` has programs of their own, which `test_sweep_page` runs.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from agm.postulates import FAMILIES
from agm_store.cli import main

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```python\n((?:(?!```).)*)```(?:\n\n```text\n((?:(?!```).)*)```)?", re.DOTALL)
PAGES = [
    page
    for page in sorted(DOCS.glob("*.md"))
    if page.name != "sweep.md" and "```python" in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("```python")
    names: dict[str, object] = {}
    for number, (code, shown) in enumerate(blocks, start=1):
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code, f"{page.name}, block {number}", "exec"), names)
        assert printed.getvalue().rstrip() == shown.rstrip(), f"block {number}"


def test_the_shell_prints_what_the_tutorial_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for code, _ in BLOCK.findall(text):
        exec(compile(code, "tutorial.md", "exec"), names)
    calls = 0
    for shown in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for call in shown.removeprefix("$ ").split("\n$ "):
            line, _, output = call.partition("\n")
            capsys.readouterr()
            assert main(shlex.split(line)[1:]) == 0
            assert capsys.readouterr().out.rstrip() == output.rstrip() != "", line
            calls += 1
    assert calls == 2


def test_no_page_installs_from_an_index_what_is_on_none():
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    assert [page.name for page in pages if "agm-beliefs[" in page.read_text(encoding="utf-8")] == []


def test_the_pages_are_there_and_the_index_leads_to_every_page():
    assert {"explanations", "operators"} <= {page.stem for page in PAGES}
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_links_of_a_page_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


MATRIX = json.loads((DOCS / "matrix.json").read_text(encoding="utf-8"))
NAMES = {
    "Base contraction": {
        "linear_preferred": "linear preferred",
        "lexcard_maxichoice": "lexcard maxichoice",
        "lexcard_meet": "lexcard meet",
        "brewka_meet": "Brewka meet",
        "full_meet": "full meet",
        "safe": "safe",
        "smooth_safe": "smooth safe",
        "one_per_kernel": "one per kernel",
        "maxi_adjustment": "maxi-adjustment",
        "ensconcement": "ensconcement",
        "severe": "severe",
        "severe_lifted": "severe, lifted",
    },
    "Iterated revision": {
        "natural": "natural",
        "lexicographic": "lexicographic",
        "restrained": "restrained",
        "bullet": "bullet",
        "conditionalise": "Spohn",
        "dalal_rebuilt": "Dalal",
        "satoh_rebuilt": "Satoh",
        "amnesic": "amnesic",
    },
}


def rows():
    """The rows of the operator tables as dictionaries by their headings."""
    head: list[str] = []
    for line in (DOCS / "operators.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| Operator"):
            head = cells
        elif line.startswith("| `") and len(cells) == len(head):
            yield dict(zip(head, cells, strict=True))


@pytest.mark.parametrize("title", NAMES)
def test_the_marks_of_the_operators_are_those_of_the_matrix(title):
    table = next(table for table in MATRIX["tables"] if table["title"] == title)
    known = {row["postulate"]: row["cells"] for row in table["rows"]}
    compared = set()
    for row in rows():
        operator = NAMES[title].get(row["Operator"].split("`")[1])
        for postulate, mark in row.items():
            if operator is not None and postulate in known:
                verdict = known[postulate][operator]["verdict"]
                assert mark == {"holds": "✓", "fails": "✗"}[verdict], (operator, postulate)
                compared.add((operator, postulate))
    assert {operator for operator, _ in compared} == set(table["operators"])
    assert len(compared) >= 6 * len(table["operators"])


def test_each_table_of_the_matrix_stands_with_the_name_of_its_family():
    page = (DOCS / "operators.md").read_text(encoding="utf-8")
    listed = re.findall(r'^\| ([^|]+) \| `"([^"]+)"` \|$', page, re.MULTILINE)
    assert listed == [(table["title"], table["family"]) for table in MATRIX["tables"]]
    assert {family for _, family in listed} == set(FAMILIES)


def test_every_operator_that_is_named_can_be_imported():
    from importlib import import_module

    homes = (
        "agm",
        "agm.contraction",
        "agm.revision",
        "agm.iterated",
        "agm.theories",
        "agm.merging",
    )
    modules = [import_module(name) for name in homes]
    text = (DOCS / "operators.md").read_text(encoding="utf-8")
    named = {
        name for row in rows() for name in re.findall(r"`([\w.]+)(?:\([^`]*\))?`", row["Operator"])
    }
    assert len(named) >= 40
    for name in sorted(named):
        home, _, last = name.rpartition(".")
        places = [import_module(home)] if home else modules
        assert any(hasattr(place, last) for place in places), name
    for module in ("agm.contraction", "agm.revision", "agm.theories"):
        operators = [name for name in import_module(module).__all__ if name[0].islower()]
        plumbing = {"decided", "loss", "out_of", "preferred", "require_possible"}
        assert [name for name in operators if name not in text and name not in plumbing] == []

"""The reference names every public name, as the code has it."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import getmembers, isfunction

import pytest

from agm import BeliefBase
from agm_store import BeliefStore, World
from laboratory import reference, sources
from laboratory.sources import sentence

MODULES = reference.modules()
PAGES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted(reference.DOCS.glob("reference*.md"))
}


def test_the_pages_are_as_the_code_is(capsys):
    status = reference.main(["--check"])
    assert status == 0, capsys.readouterr().out
    assert set(PAGES) == set(reference.pages())


def test_a_page_that_is_not_as_the_code_is_is_named_and_written_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reference, "DOCS", tmp_path)
    for name, text in PAGES.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "reference-agm.md").write_text(
        PAGES["reference-agm"].replace("- `revise(", "- `reverse("), encoding="utf-8"
    )
    (tmp_path / "reference-models.md").unlink()
    assert reference.main(["--check"]) == 1
    named = re.findall(r"docs/([\w-]+)\.md is not", capsys.readouterr().out)
    assert named == ["reference-agm", "reference-models"]
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0


@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_exports_when_it_is_imported_stands_under_its_heading(module):
    (part,) = (
        text.split(f"## `{module}`\n", 1)[1].split("\n## ", 1)[0]
        for text in PAGES.values()
        if f"## `{module}`\n" in text
    )
    listed = set(re.findall(r"^- `(\w+)", part, re.MULTILINE))
    for again in re.findall(r"^- As in [^:]*: (.*)\.$", part, re.MULTILINE):
        listed |= set(re.findall(r"`(\w+)`", again))
    offered = getattr(import_module(module), "__all__", None)
    assert listed == set(sources.defined(module) if offered is None else offered) - set(
        reference.PLUMBING.get(module, ())
    )
    assert listed


@pytest.mark.parametrize("module", MODULES)
def test_each_public_name_says_what_it_is_or_shows_its_value(module):
    for name in reference.public(module):
        assert name.text or " = " in sources.signature(name), name.name


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (BeliefBase, "reference-agm"),
        (BeliefStore, "reference-store"),
        (World, "reference-store"),
    ],
)
def test_every_method_of_the_main_classes_is_listed_with_a_sentence(kind, page):
    part = PAGES[page].split(f"\n- `{kind.__name__}(", 1)[1].split("\n- ", 1)[0]
    listed = dict(re.findall(r"^  - `(?:await )?(\w+)[^`]*`: (.+)$", part, re.MULTILINE))
    there = {name for name, _ in getmembers(kind, isfunction) if not name.startswith("_")}
    there |= {name for name, _ in getmembers(kind, lambda one: isinstance(one, property))}
    assert len(there) >= 10
    assert there <= set(listed)


def test_what_pages_and_notebooks_import_is_in_the_reference():
    assert len(reference._imported()) >= 20
    assert reference._imported() <= {*MODULES}


def test_what_is_left_out_is_there():
    for module, names in reference.PLUMBING.items():
        assert set(names) <= {*sources.defined(module)}
    for module in reference.ROOMS:
        assert sources.exported(module)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("A thing, e.g. this; and\n    more.\n\nRest.", "A thing, e.g. this; and more."),
        ("The value `a.b`. Then.", "The value `a.b`."),
        ("Read this:\n\n- x", "Read this."),
        ("  ", ""),
    ],
)
def test_the_first_sentence_of_a_docstring(text, first):
    assert sentence(text) == first


def test_signatures_read_as_they_are_written():
    shown = {
        name: sources.signature(sources.find(module, name))
        for module, name in [
            ("agm", "revise"),
            ("agm", "Key"),
            ("agm.directives", "Resolves"),
            ("agm.directives", "Extractor"),
        ]
    }
    assert shown["revise"].startswith("revise(base: BeliefBase, claim: Claim, ")
    assert shown["Key"] == "Key(predicate: str, entities: tuple[str, ...])"
    assert shown["Resolves"] == (
        "Resolves(*, session_index: int, action: Action, reason: Reason, path: str = '')"
    )
    assert shown["Extractor"] == "Extractor"

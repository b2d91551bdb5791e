"""The laboratory behind the matrix: its spaces, its comparisons, and the committed pages."""

from __future__ import annotations

import pytest

from agm import contract
from agm.postulates.families import family
from laboratory import pages
from laboratory.matrix import against_files, against_published, completed, main
from laboratory.operators import TABLES, Table, table_of
from laboratory.searching import Cell, Column, Plan, column
from laboratory.spaces import bases, cases
from laboratory.storing import load

SHORT = Plan(size=1, draws=0)


def test_bases_are_listed_once_up_to_renaming():
    listed = list(bases(2))
    texts = {tuple((str(b.claim), b.entrenchment) for b in base) for base in listed}
    assert len(texts) == len(listed)
    assert len([base for base in listed if len(base) == 1]) == 6
    assert len(listed) == 6 + 2 * 49  # ordered pairs up to renaming, with and without a fall


def test_every_family_of_the_matrix_has_a_space():
    for table in TABLES:
        name, operator = next(iter(table.operators.items()))
        first = next(cases(table.family, operator, size=1))
        assert first.inputs in {1, 2}, name


def test_a_column_finds_what_a_small_base_shows():
    found = column("Base contraction", "severe", Plan(size=2, draws=0), load())
    assert found.stale == []
    assert found.cells["success"].verdict == "holds"
    assert found.cells["core-retainment"].verdict == "fails"
    assert found.cells["core-retainment"].failed > 1
    assert Cell().verdict == "not met"


def test_draws_are_put_to_the_operator_too():
    found = column("Consolidation", "linear preferred", Plan(size=1, draws=30), [])
    alone = column("Consolidation", "linear preferred", SHORT, [])
    assert found.cells["relevance"].covered > alone.cells["relevance"].covered


def test_a_stored_case_that_no_longer_fails_is_told():
    one = next(one for one in load() if one.postulate == "core-retainment")
    wrong = one._replace(operator="linear preferred")
    found = column("Base contraction", "linear preferred", SHORT, [wrong])
    assert len(found.stale) == 1
    assert "core-retainment" in found.stale[0]


def test_a_cell_that_is_not_as_published_is_told():
    good = column("Base contraction", "severe, lifted", SHORT, load())
    faults = against_published([good])
    assert not [fault for fault in faults if "found 'fails'" in fault]
    bad = Column(*good[:2], {**good.cells, "success": Cell(covered=3, failed=1)}, [])
    assert any("success" in fault for fault in against_published([bad]))


def test_a_new_failure_is_stored_in_its_simplest_form():
    found = column("Consolidation", "severe", Plan(size=2, draws=0), [])
    stored = completed([found], [])
    names = {one.postulate for one in stored}
    assert {"core-retainment", "componentwise"} <= names
    assert all(len(one.drawn.beliefs) <= 3 for one in stored)
    assert completed([found], stored) == stored


def test_the_committed_page_shows_the_committed_figures():
    value = pages.load()
    assert pages.JSON.read_text(encoding="utf-8") == pages.dumped(value)
    assert pages.PAGE.read_text(encoding="utf-8") == pages.page(value, load())
    verdicts = {
        (table["title"], name, row["postulate"]): cell["verdict"]
        for table in value["tables"]
        for row in table["rows"]
        for name, cell in row["cells"].items()
    }
    assert len(verdicts) >= 1_187
    assert list(verdicts.values()).count("not met") <= 5
    failing = {key for key, verdict in verdicts.items() if verdict == "fails"}
    assert failing == {(one.table, one.operator, one.postulate) for one in load()}


def test_a_difference_from_the_committed_files_is_told():
    found = column("Base contraction", "linear preferred", SHORT, load())
    cells = {**found.cells, "relevance": Cell(covered=9, failed=1)}
    others = [
        Column(table.title, name, {p.name: Cell() for p in family(table.family).postulates}, [])
        for table in TABLES
        for name in table.operators
        if (table.title, name) != found[:2]
    ]
    faults = against_files([found._replace(cells=cells), *others], load())
    assert "Base contraction, linear preferred, relevance: on file 'holds', now 'fails'" in faults
    assert any("on file 'fails', now 'not met'" in fault for fault in faults)


def test_published_signs_are_read_by_operator():
    table = Table("t", "contraction", {"one": contract, "two": contract}, {"success": "+."})
    assert table.expected("success", "one") == "holds"
    assert table.expected("success", "two") is None
    assert table.expected("relevance", "one") is None
    assert table_of("Merging").expected("Arb", "sigma") == "fails"


def test_the_seed_of_the_draws_is_written_down(monkeypatch):
    written = []
    monkeypatch.setattr("laboratory.matrix.search", lambda plan, _: written.append(plan.seed) or [])
    monkeypatch.setattr("laboratory.matrix.save", lambda _: None)
    monkeypatch.setattr("laboratory.pages.as_json", lambda _, plan: {"seed": plan.seed})
    monkeypatch.setattr("laboratory.pages.write", lambda value, _: written.append(value["seed"]))
    assert main(["--seed", "5"]) == 0
    assert written == [5, 5]


def test_a_wrong_command_line_is_refused():
    with pytest.raises(SystemExit):
        main(["--check", "--full"])

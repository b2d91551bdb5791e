"""The laboratory behind the matrix: its spaces, its comparisons, and the committed pages."""

from __future__ import annotations

import pytest

from agm import Belief, contract, parse, prop
from agm.postulates.drawing import Question
from agm.postulates.drawing_worlds import Ordered, Theories, signature
from agm.postulates.families import family
from laboratory import pages
from laboratory.matrix import against_files, against_published, completed, main
from laboratory.operators import TABLES, Table, table_of
from laboratory.relations import carried_over, contradictions
from laboratory.searching import CHECK, FULL, USUAL, Cell, Column, Plan, column
from laboratory.spaces import cases
from laboratory.starts import HIGH_ORDER, Extent, bases, challenged, protected
from laboratory.storing import Stored, load, save, written

SHORT = Plan(size=1, draws=0)


def shown(base):
    return tuple((str(b.claim), b.entrenchment) for b in base.beliefs)


def test_bases_are_listed_once_up_to_renaming():
    listed = list(bases(Extent(2)))
    assert len(set(map(shown, listed))) == len(listed)
    assert len([base for base in listed if len(base.beliefs) == 1]) == 6
    assert len(listed) == 6 + 2 * 49  # ordered pairs up to renaming, with and without a fall


def placed(base):
    """Of each level, strongest first, whether a newcomer loses to it, ties with it or wins."""
    told = base.order.rank("asserted")
    ranks = sorted({base.order.rank(b.entrenchment) for b in base.beliefs}, reverse=True)
    return "".join("<" if rank > told else "=" if rank == told else ">" for rank in ranks)


def test_newcomers_lose_tie_and_win_against_every_level():
    listed = list(challenged(Extent(2)))
    assert len(set(map(shown, listed))) == len(listed)
    assert len(listed) == 6 * 3 + 49 * (3 + 5)
    alone = {placed(base) for base in listed if len(base.beliefs) == 1}
    assert alone == {"<", "=", ">"}
    assert {placed(base) for base in listed} - alone == {"<<", "<=", "<>", "=>", ">>"}
    three = {placed(base) for base in challenged(Extent(3)) if len(base.beliefs) == 3}
    assert {one for one in three if len(one) == 3} == {
        *("<<<", "<<=", "<<>", "<=>", "<>>", "=>>", ">>>"),
    }


def test_a_short_search_takes_the_ranks_of_newcomers_in_turn():
    listed = list(challenged(Extent(2, every=False)))
    assert len(listed) == 6 * 3 + 2 * 49
    assert {placed(base) for base in listed} == {placed(base) for base in challenged(Extent(2))}
    assert (CHECK.every, USUAL.every, FULL.every) == (False, True, True)
    assert (CHECK.size, USUAL.size, FULL.size) == (2, 2, 3)


def test_the_border_of_what_is_protected_lies_at_every_place():
    listed = list(protected(Extent(2)))
    seen = {tuple(b.entrenchment for b in base.beliefs) for base in listed}
    assert {("observed",), ("documented",), ("asserted",)} <= seen
    assert {("asserted", "documented"), ("documented", "observed")} <= seen


def test_every_family_of_the_matrix_has_a_space():
    for table in TABLES:
        name, operator = next(iter(table.operators.items()))
        first = next(cases(table.family, operator, Extent(1)))
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


def test_cases_with_constraints_and_orders_are_read_as_they_were_written(tmp_path):
    beliefs = (Belief(parse("p -> q"), "axiom", id="b1"), Belief(prop("p"), "law", id="b2"))
    law = parse("q | r")
    under = signature(2, 0b0111)
    drawn = [
        Question(beliefs, (prop("q"), prop("r"), prop("p")), (law,), HIGH_ORDER),
        Ordered(next(iter(cases_of_order(under))), (1, 2)),
        Theories(under, (1, 3), (2, 4)),
    ]
    stored = [Stored("t", "o", "p", one) for one in drawn]
    save(stored, tmp_path / "some.json")
    again = [one.drawn for one in load(tmp_path / "some.json")]
    assert list(map(written, again)) == list(map(written, drawn))
    assert again[0].order.rank("axiom") == HIGH_ORDER.rank("axiom")
    assert again[0].constraints == (law,)
    assert again[1].order.signature.everywhere == under.everywhere
    with pytest.raises(TypeError, match="no drawn case"):
        written("p")


def cases_of_order(over):
    from agm.iterated import all_preorders

    return all_preorders(over)


def test_a_case_of_one_table_is_put_to_the_same_operator_in_others():
    o = "observed"
    base = (Belief(prop("p"), o, id="b1"), Belief(~prop("p"), o, id="b2"))
    drawn = Question(base, (prop("q"), prop("p")))
    stored = [Stored("Base contraction", "safe", "relevance", drawn)]
    inside = carried_over(stored, "Internal base revision", "safe")
    assert drawn in inside
    assert drawn._replace(claims=(~prop("q"), ~prop("p"))) in inside
    assert carried_over(stored, "Internal base revision", "severe") == []
    assert carried_over(stored, "Base contraction", "safe") == []
    assert carried_over(stored, "Contraction of theories", "full meet") == []
    found = column("Internal base revision", "safe", Plan(size=1, draws=0), stored)
    assert found.cells["relevance"].covered > 0


def test_a_package_and_its_conjunction_are_cases_of_each_other():
    base = (Belief(prop("p"), "observed", id="b1"),)
    several = Question(base, (prop("p"), prop("q")))
    stored = [Stored("Choice contraction", "full meet", "choice-relevance", several)]
    (single,) = carried_over(stored, "Base contraction", "full meet")
    assert single.claims == (prop("p") & prop("q"),)
    back = [Stored("Base contraction", "full meet", "relevance", single)]
    assert {one.claims for one in carried_over(back, "Choice contraction", "full meet")} == {
        single.claims
    }


def test_orders_are_cases_of_contraction_and_of_revision():
    order = next(cases("theory contraction", lambda _: None, Extent(1))).drawn.order
    stored = [Stored("Contraction of theories", "full meet", "K÷7", Ordered(order, (1, 2)))]
    inputs = [
        one.inputs for one in carried_over(stored, "Revision of theories", "full meet (Levi)")
    ]
    assert inputs == [(1, 2), (14, 13)]


def test_cells_that_contradict_each_other_are_told():
    verdicts = {
        ("Base contraction", "safe", "K*8 (Levi)"): "fails",
        ("Internal base revision", "safe", "K*8 on Cn(R)"): "holds",
        ("Base contraction", "severe", "relevance"): "holds",
        ("Base contraction", "severe", "core-retainment"): "fails",
        ("Update of theories", "PMA", "U9"): "fails",
        ("Update of bases", "update", "U9"): "holds",
    }
    faults = contradictions(verdicts)
    assert len(faults) == 3, faults
    assert any("K*8 on Cn(R) holds, but Base contraction" in fault for fault in faults)
    fine = dict.fromkeys(verdicts, "holds")
    assert contradictions(fine) == []


def test_the_committed_page_does_not_contradict_itself():
    verdicts = {
        (table["title"], name, row["postulate"]): cell["verdict"]
        for table in pages.load()["tables"]
        for row in table["rows"]
        for name, cell in row["cells"].items()
    }
    assert contradictions(verdicts) == []


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

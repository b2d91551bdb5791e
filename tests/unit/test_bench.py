"""The benchmarks' own machinery: arithmetic, form, page; and that each theme runs. No speed is asserted."""

import json
import math
import sys
from collections import Counter
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm_store import utc
from benchmarks import (
    core_asof,
    core_durable,
    core_facts,
    core_formulas,
    core_revise,
    core_startup,
    core_years,
    core_zones,
    logic_arms,
    logic_chains,
    logic_contraction,
    logic_distances,
    logic_lifespans,
    logic_literals,
    logic_optimum,
    logic_revisions,
    propagation_arms,
    propagation_closure,
    propagation_nets,
    propagation_retraction,
    propagation_states,
    run_core,
    run_logic,
    run_propagation,
)
from benchmarks.figures import Figure, measured, report, section, skipped, with_section
from benchmarks.timing import exponent, growth, interleaved, ratio

sizes = st.lists(st.integers(2, 10**7), min_size=2, max_size=6, unique=True)


@given(sizes=sizes, power=st.floats(-2, 3), factor=st.floats(1e-9, 1e3))
def test_the_exponent_of_a_power_law_is_its_power(sizes, power, factor):
    times = {size: factor * size**power for size in sizes}
    if all(time > 0 and math.isfinite(time) for time in times.values()):
        assert exponent(times) == pytest.approx(power, abs=1e-6)


def test_every_round_runs_each_action_and_turns_the_order():
    ran = []
    actions = {name: (partial(ran.append, name), calls) for name, calls in (("a", 1), ("b", 2))}
    times = interleaved(actions, rounds=4)
    assert "".join(ran) == "abb" + "abb" + "bba" + "abb" + "bba"
    assert {name: len(found) for name, found in times.items()} == {"a": 4, "b": 4}


def test_a_ratio_says_how_much_longer_the_first_takes():
    found = ratio(lambda: sum(range(40_000)), lambda: sum(range(1_000)), rounds=9)
    assert found.value > 1
    assert found.n == 9
    assert found.one > found.other


def test_growth_gives_the_median_of_each_size():
    slope, medians = growth({10: lambda: None, 1000: lambda: None}, rounds=3)
    assert sorted(medians) == [10, 1000]
    assert math.isfinite(slope)


@pytest.mark.parametrize(
    ("value", "target", "ok"),
    [
        (4.9, "<= 5", True),
        (5, "<= 5", True),
        (5.001, "<= 5", False),
        (40, ">= 40", True),
        (39.99, ">= 40", False),
        (0, "= 0", True),
        (1, "= 0", False),
        (0.99, "< 1.0", True),
        (1, "< 1.0", False),
    ],
)
def test_a_target_is_a_relation_and_a_bound(value, target, ok):
    assert measured("x", value, target, n=20).ok is ok


def test_a_line_of_json_has_the_five_parts_of_a_figure():
    for figure in (measured("x", 1.23456, "<= 2", n=20, note="a"), skipped("y", "= 0", "offline")):
        parts = json.loads(figure.line())
        assert list(parts) == ["name", "value", "target", "n", "ok"]
    assert json.loads(measured("x", 1.23456, "<= 2", n=20).line())["value"] == 1.23


def test_a_figure_that_was_not_measured_is_named_aloud_and_is_no_miss(capsys):
    assert report("core", [skipped("y", "= 0", "offline")], as_json=True) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"name": "y", "value": None, "target": "= 0", "n": 0, "ok": None}
    assert "y" in err
    assert "offline" in err


def test_a_missed_target_is_told_and_ends_with_status_1(capsys, tmp_path):
    figures = [measured("a", 1, "<= 2", n=20), measured("b", 3, "<= 2", n=20)]
    assert report("core", figures, as_json=False, page=tmp_path / "page.md") == 1
    assert "missed: b" in capsys.readouterr().err
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| b | 3 | <= 2 | 20 | **missed** |" in page


names = st.lists(st.sampled_from("abcde"), min_size=1, max_size=8)


@given(names=names)
def test_a_run_replaces_its_own_section_and_keeps_the_others(names):
    page = "# All\n\nfirst words\n"
    for number, name in enumerate(names):
        page = with_section(page, name, f"text {number}")
    last = {name: number for number, name in enumerate(names)}
    assert page.startswith("# All\n\nfirst words\n\n## ")
    assert page.count("## ") == len(last)
    for name, number in last.items():
        assert f"## {name}\n\ntext {number}\n" in page
    again = with_section(page, names[0], f"text {last[names[0]]}")
    assert again == page


def test_a_section_names_the_machine_and_no_date():
    text = section([measured("a", 1, "<= 2", n=2_000, note="why"), skipped("b", "= 0", "offline")])
    assert "| a<br>why | 1 | <= 2 | 2,000 | reached |" in text
    assert "| b<br>skipped: offline | – | = 0 | 0 | skipped |" in text
    assert "Python" in text
    assert "SQLite" in text


def shape(figures):
    found = list(figures)
    assert found
    assert all(isinstance(figure, Figure) and figure.ok is not None for figure in found)
    return found


def test_revision_is_measured_in_its_quick_form():
    assert len(shape(core_revise.figures(core_revise.QUICK))) == 5


def test_the_two_claims_of_a_revision_retire_each_other_by_the_expected_route():
    for claims, route in ((core_revise.slot_claims(), "slot"), (core_revise.sum_claims(), "z3")):
        revising = core_revise.Revising(core_revise.base_of(100), claims)
        revising()
        size = len(revising.base)
        for _ in range(5):
            revising()
        assert revising.routes == {route}
        assert len(revising.base) == size


def test_durable_writes_are_measured_in_their_quick_form(tmp_path):
    found = list(core_durable.figures(tmp_path, rounds=2, warm=False))
    assert len(shape(figure for figure in found if "TMPDIR" not in figure.note)) >= 2
    assert len(found) == 3


def test_a_folder_in_memory_says_nothing_of_a_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(core_durable, "flushing", lambda _: 1e-6)
    *others, last = core_durable.figures(tmp_path, rounds=1, warm=False)
    assert all(figure.ok is not None for figure in others)
    assert last.ok is None
    assert "set TMPDIR" in last.note


def test_the_past_is_asked_about_in_its_quick_form(tmp_path):
    assert len(shape(core_asof.figures(tmp_path, core_asof.QUICK))) == 4


def test_the_versions_of_a_hot_slot_are_what_the_verbs_write(tmp_path):
    term = core_asof.attr("item", "level", of=int)
    for kind in ("corrections", "temporal changes"):
        with core_asof.filled(tmp_path / f"{kind}.agm", core_asof.WORKLOADS[kind], 6) as store:
            sides = store.history(store.ask(term).sides[0].belief)
            links = [(older.replaced_by, newer.belief) for older, newer in pairwise(sides)]
            assert len(sides) == 6
            assert all(successor == newer for successor, newer in links)


def test_start_up_is_measured_in_its_quick_form(tmp_path):
    found = shape(core_startup.figures(tmp_path, rounds=1))
    assert found[-1].name == "agm ask: heavy packages loaded"
    assert found[-1].ok


def test_without_a_connection_the_time_zones_are_skipped_aloud(monkeypatch, tmp_path):
    class Offline(Exception):
        pass

    def releases(_):
        raise Offline("no wheel")

    fake = SimpleNamespace(Offline=Offline, releases=releases)
    monkeypatch.setattr(core_zones, "probes_module", lambda: fake)
    found = list(core_zones.figures(tmp_path))
    assert [(figure.ok, figure.note) for figure in found] == [(None, "skipped: no wheel")] * 2


def test_the_time_zones_answer_what_was_told(tmp_path):
    with core_zones.filled(tmp_path / "zones.agm") as store:
        asked = core_zones.probes_module().Probe
        noon, known = utc(2023, 4, 1, 12), utc(2023, 3, 27)
        right = asked("Asia/Beirut", noon, known, 7200, "2023.2")
        wrong, times = core_zones.answers(store, [right, right._replace(expected=10800)])
        assert [probe.expected for probe, _ in wrong] == [10800]
        assert len(times) == 2


def test_data_that_is_not_there_is_skipped_with_every_figure_named(capsys):
    assert run_core.main(["--only", "data", "--json", "--quick"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    sets = (core_facts, core_years, core_formulas)
    assert [line["name"] for line in lines] == [title for one in sets for title in one.TARGETS]
    assert all(line["ok"] is None for line in lines)


def test_a_folder_that_does_not_exist_is_refused_in_one_line():
    with pytest.raises(SystemExit) as refused:
        run_core.main(["--data", "no/such/folder"])
    assert str(refused.value) == "bench core: --data 'no/such/folder' is no folder"


def test_each_public_data_set_gives_its_figures_in_small(tmp_path):
    facts = [
        {"serial": 0, "text": "", "subject": "Book", "relation": "P50", "object": "Ann"},
        {"serial": 1, "text": "", "subject": "Ann", "relation": "P27", "object": "Peru"},
        {"serial": 2, "text": "", "subject": "Ann", "relation": "P27", "object": "Chad"},
        {"serial": 3, "text": "", "subject": "Ann", "relation": "P27", "object": "Peru"},
    ]
    single = [{"seed": "Ann", "relations": ["P27"], "expected": ["Peru"]}]
    chain = [{"seed": "Book", "relations": ["P50", "P27"], "expected": ["Peru"]}]
    folder = data(tmp_path, facts_6k=facts, queries_sh_6k=single, queries_mh_6k=chain)
    assert [figure.value for figure in core_facts.figures(folder, tmp_path)] == [1, 1]


def test_years_are_asked_on_both_axes_and_inverted_lines_refused(tmp_path):
    rows = [("Ann", "Reds", 1990, 1995), ("Ann", "Blues", 1996, 1994), ("Ann", "Blues", 1994, None)]
    rows += [("Ann", "Greens", None, None)]
    facts = [
        dict(zip(("subject", "object", "valid_from", "valid_to"), row, strict=True))
        | {"seq": seq, "relation": "playsFor"}
        for seq, row in enumerate(rows)
    ]
    asked = [(1995, None, ["Blues", "Reds"]), (1996, None, ["Blues"]), (1995, 1, ["Reds"])]
    queries = [
        {"subject": "Ann", "relation": "playsFor", "year": y, "known_at_seq": k, "expected": e}
        for y, k, e in asked
    ]
    folder = data(tmp_path, facts_yago=facts, asof_yago=queries)
    assert [figure.value for figure in core_years.figures(folder, tmp_path)] == [1, 3]


def test_a_formula_is_read_or_named_as_malformed(tmp_path, capsys):
    episode = {
        "base": ["∀x (p(x) → q(x))", "p(Ann"],
        "conclusion": "q(Ann)",
        "proof": [],
        "edits": [],
    }
    folder = data(tmp_path, episodes=[episode])
    (figure,) = core_formulas.figures(folder, tmp_path)
    assert (figure.value, figure.n, figure.ok) == (0, 3, True)
    assert "'p(Ann': brackets do not match" in capsys.readouterr().err


def published(package):
    return pytest.mark.skipif(
        find_spec(package) is None, reason=f"{package} is not installed (extra bench)"
    )


@published("pysat")
@published("ltms")
def test_contraction_is_measured_in_its_quick_form():
    found = shape(logic_contraction.figures(logic_contraction.QUICK))
    assert len(found) == 8


@pytest.mark.parametrize("case", ["slots", "horn", "sums", "general"])
def test_every_side_of_a_contraction_keeps_the_same(case):
    one = getattr(logic_contraction, case)(logic_contraction.QUICK)
    lost = logic_contraction.Contracting(one)()
    whole = set(range(len(one.claims)))
    arms = [logic_arms.through_z3(one.claims, one.goal)]
    if case != "sums":
        clauses = logic_arms.Clauses(one.claims, one.goal)
        arms += [logic_arms.through_pysat(clauses)] if find_spec("pysat") else []
        arms += [logic_arms.through_ltms(clauses)] if find_spec("ltms") and case == "horn" else []
    assert lost
    assert [set(arm()) for arm in arms] == [whole - lost] * len(arms)


def test_sides_that_differ_are_no_comparison():
    logic_contraction.require_same({1}, [0, 2])
    for lost, kept in (({1}, [0, 1]), (set(), [0])):
        with pytest.raises(AssertionError):
            logic_contraction.require_same(lost, kept)


def test_distances_are_measured_in_their_quick_form():
    assert len(shape(logic_distances.figures(logic_distances.QUICK))) == 5


def test_the_optimum_is_measured_in_its_quick_form():
    assert len(shape(logic_optimum.figures(logic_optimum.QUICK))) == 2


@published("belief_set")
def test_partial_meet_is_measured_in_its_quick_form():
    found = shape(logic_literals.figures(logic_literals.QUICK))
    assert [figure.value for figure in found][1] == 2


def test_a_package_that_is_not_installed_is_skipped_aloud(monkeypatch):
    for name in ("pysat.solvers", "ltms.core", "belief_set.base"):
        monkeypatch.setitem(sys.modules, name, None)
    found = list(logic_contraction.figures(logic_contraction.QUICK))
    assert [figure.ok is None for figure in found] == [False] * 3 + [True] * 5
    first, *others = logic_literals.figures(logic_literals.QUICK)
    assert "install the extra bench" in first.note
    assert all(figure.ok is not None for figure in others)


def test_chains_are_measured_in_their_quick_form():
    linear, _ = shape(logic_chains.figures(logic_chains.QUICK))
    assert linear.ok


def test_a_revision_is_judged_told_and_blind(tmp_path):
    edits = [
        {"added": ["¬q(a)"], "context_after": ["∀x (p(x) → q(x))", "¬q(a)"], "answer": "False"},
        {"added": ["p(a)"], "context_after": ["p(a)", "¬q(a)", "q(a)"], "answer": "True"},
        {"added": ["p(a"], "context_after": ["p(a"], "answer": "True"},
        {"added": ["q(a)"], "context_after": ["q(a)"], "answer": "True"},
    ]
    checked = ("False", "Inconsistent", None, "True")
    edits = [edit | {"z3": z3} for edit, z3 in zip(edits, checked, strict=True)]
    base = ["∀x (p(x) → q(x))", "p(a)"]
    folder = data(tmp_path, episodes=[{"base": base, "conclusion": "q(a)", "edits": edits}])
    told, missed, starved, blind = logic_revisions.figures(folder)
    assert (told.value, told.n, missed.value, missed.n) == (1, 2, 0, 1)
    assert (starved.value, blind.value, blind.n) == (0, 1, 1)


def test_a_violated_life_span_is_found_with_its_kernel_and_mended(tmp_path):
    rows = [
        ("Ann", "wasBornIn", "Oslo", 1900),
        ("Ann", "hasWonPrize", "Cup", 1890),
        ("Ann", "hasWonPrize", "Jar", 1950),
        ("Ann", "created", "Song", None),
        ("Bea", "diedIn", "Oslo", 1900),
        ("Bea", "graduatedFrom", "ETH", 1910),
    ]
    fields = ("subject", "relation", "object", "valid_from")
    facts = [dict(zip(fields, row, strict=True)) | {"seq": n} for n, row in enumerate(rows)]
    listed = [{"conflict_seqs": [0, 1]}, {"conflict_seqs": [5, 4]}]
    folder = data(tmp_path, facts_yago=facts, rules_yago=listed)
    values = [figure.value for figure in logic_lifespans.figures(folder)]
    assert (values[0], values[1], values[3]) == (2, 0, 4)


def test_the_laboratory_skips_the_data_that_is_not_there(capsys):
    assert run_logic.main(["--only", "data", "--json", "--quick"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    titles = [*logic_revisions.TARGETS, *logic_lifespans.TARGETS]
    assert [line["name"] for line in lines] == titles


@published("ltms")
@published("reasons")
def test_states_are_counted_for_every_system_in_the_quick_form():
    found = shape(propagation_states.figures(propagation_states.QUICK))
    values = {figure.name.removeprefix("exact states, "): figure.value for figure in found}
    whole = propagation_states.QUICK.nets
    expected = {
        f"{kind} nets: {arm}": whole for kind in ("acyclic", "cyclic") for arm in ("agm", "ltms")
    }
    assert {name: values[name] for name in expected} == expected
    assert values["acyclic nets: ftl-reasons"] == whole > values["cyclic nets: ftl-reasons"]


def test_a_system_that_keeps_a_circle_alive_is_not_exact():
    net = propagation_nets.Net([(4, (0,)), (5, (4,)), (4, (5,))], [("hold", 0), ("retire", 0)])
    assert propagation_states.exact(net, propagation_arms.Ours)

    class Once(propagation_arms.Ours):
        def retire(self, belief):
            pass

    assert not propagation_states.exact(net, Once)


@pytest.mark.parametrize("circles", [False, True])
def test_nets_are_drawn_with_circles_or_without_and_steps_change_something(circles):
    nets = [propagation_nets.random_net(seed, circles=circles) for seed in range(100)]
    assert [propagation_nets.has_circle(net.rules) for net in nets] == [circles] * 100
    assert nets[7] == propagation_nets.random_net(7, circles=circles)
    verbs = Counter(verb for net in nets for verb, _ in net.steps)
    assert min(verbs[verb] for verb in ("add", "remove", "hold", "retire")) > 30


@published("ltms")
def test_retraction_is_measured_in_its_quick_form():
    assert len(shape(propagation_retraction.figures(propagation_retraction.QUICK))) == 3


def test_the_steps_that_are_timed_run_through_the_tree_and_leave_it_as_it_was():
    for rest in (100, 1_000):
        labels, first = propagation_retraction.tree(20, rest)
        before = labels.believed
        assert len(before) == len(labels) == 20 + rest
        assert len(labels.retire([propagation_nets.name(0)]).lost) == 20
        labels.hold([propagation_nets.name(0)])
        propagation_retraction.every_step(labels, first)
        assert labels.believed == before


def test_the_closure_is_measured_in_its_quick_form():
    found = list(propagation_closure.figures(propagation_closure.QUICK))
    assert len(found) == 3
    assert found[0].n == propagation_closure.QUICK.rounds


def test_packages_for_propagation_that_are_not_installed_are_skipped_aloud(monkeypatch, capsys):
    for name in ("ltms.jtms", "reasons"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run_propagation.main(["--only", "states", "--json", "--quick"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ok"] for line in lines] == [True, None, None] * 2
    assert propagation_retraction.against_ltms(propagation_retraction.QUICK).ok is None
    with pytest.raises(SystemExit, match="bench propagation: --data 'no/such/folder' is no folder"):
        run_propagation.main(["--data", "no/such/folder"])


def data(folder, **sets):
    for name, rows in sets.items():
        text = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder

"""The command line downstream: what rests on what, what-if, flags, sweep, artefacts and the graph."""

import json
from datetime import timedelta

import pytest

from agm_propagation.sweep import Stood, SweepReport
from agm_store.cli.downstream import _print_report
from tests.strategies.shell import Shell


@pytest.fixture
def agm(tmp_path, capsys, monkeypatch):
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.fixture
def told(agm):
    """Two conclusions: one rests on what the wiki says, one on that or on something else."""
    agm("tell", "ttl(cache) = 300", "--source", "wiki", "--id", "ttl")
    agm("tell", "busy(cache)", "--id", "busy")
    agm("tell", "stale(cache)", "--because", "ttl", "--id", "stale")
    agm("tell", "slow(cache)", "--because", "ttl", "--id", "slow")
    agm("tell", "slow(cache)", "--because", "busy", "--id", "slow2")
    return agm


# What rests on what


def test_rests_on_lists_what_a_source_told_and_what_follows_from_it(told):
    assert told.json("rests-on", "wiki") == ["ttl", "stale", "slow", "slow2"]
    assert told("rests-on", "wiki").splitlines() == [
        "ttl    ttl(cache) = 300  believed",
        "stale  stale(cache)      believed",
        "slow   slow(cache)       believed",
        "slow2  slow(cache)       believed",
    ]
    assert told("rests-on", "nobody") == "Nothing rests on nobody.\n"
    assert told.json("rests-on", "nobody") == []


def test_a_dry_run_says_what_the_real_run_does_and_writes_nothing(told):
    before = told.snapshot()
    dry = told.json("retract-by-source", "wiki", "--dry-run")
    assert told.snapshot() == before
    real = told.json("retract-by-source", "wiki", "--note", "it is wrong")
    assert dry["entry"] is None
    for flag in (*dry["flags"], *real["flags"]):
        for name in (
            "since",
            "id",
            "entry",
            "cause",
            "why",
            "to_clear",
        ):  # of what would be, none is given
            flag.pop(name, None)
    assert {**dry, "entry": real["entry"]} == real
    assert real["retired"] == ["ttl"]
    assert real["lost"] == ["ttl", "stale"]
    assert [(f["on"], f["kind"]) for f in real["flags"]] == [("stale", "support_lost")]
    told("revert", real["entry"])
    assert told.json("flags") == []
    assert told.json("ask", "stale(cache)")["entailed"] is True


def test_a_retraction_by_source_says_what_it_did(told):
    dry = told("retract-by-source", "wiki", "--dry-run")
    assert dry.splitlines() == [
        "Nothing is written.",
        "  would be withdrawn: ttl: ttl(cache) = 300",
        "  no longer believed: stale: stale(cache)",
        "  would flag stale: support_lost: no justification of stale is wholly believed; ttl is not",
    ]
    real = told("retract-by-source", "wiki").splitlines()
    assert real[0] == "entry 6; to undo: revert 6"
    assert real[1:3] == [
        "  withdrawn: ttl: ttl(cache) = 300",
        "  no longer believed: stale: stale(cache)",
    ]
    assert real[-1].endswith("or revert 6")
    assert "NothingToChange" in told.refused("retract-by-source", "wiki")


def test_what_if_answers_for_withdrawing_and_telling(told):
    before = told.snapshot()
    retired = told.json("what-if", "--retire", "ttl", "--retire", "busy")
    assert retired["lost"] == ["ttl", "busy", "stale", "slow", "slow2"]
    assert told("what-if", "--believe", "ttl(cache) = 600").splitlines()[:4] == [
        "Nothing is written.",
        "  no longer believed: ttl: ttl(cache) = 300",
        "  no longer believed: stale: stale(cache)",
        "  believed: b7: ttl(cache) = 600",
    ]
    both = told.json("what-if", "--retire", "busy", "--believe", "quiet(cache)")
    assert (both["lost"], len(both["gained"])) == (["busy"], 1)
    assert told.snapshot() == before
    assert "--retire ID or --believe CLAIM" in told.refused("what-if", code=2)
    assert "UnknownBelief" in told.refused("what-if", "--retire", "nothing")
    assert "ClaimSyntaxError" in told.refused("what-if", "--believe", "ttl(cache) =")


# Flags and the sweep


def test_a_receipt_names_the_flags_that_it_raised(told):
    receipt = told.json("retract", "ttl")
    assert [(f["on"], f["because"]) for f in receipt["flags"]] == [("stale", ["ttl"])]
    told("revert", receipt["entry"])
    assert "  flags stale: support_lost: no justification of stale" in told("retract", "ttl")


def test_flags_say_why_they_stand_and_what_would_clear_them(told):
    assert told("flags") == "Nothing is flagged.\n"
    told("retract", "ttl")
    (flag,) = told.json("flags")
    assert flag["why"] == "no justification of stale is wholly believed; ttl is not (entry 6)"
    assert flag["cause"] == 6
    assert told("flags") == (
        f"{flag['id']}: support_lost: {flag['why']}\n  to clear: {flag['to_clear']}\n"
    )
    assert told.json("flags", "--on", "stale", "--kind", "support_lost") == [flag]
    assert told.json("flags", "--on", "slow") == []
    assert told.json("flags", "--kind", "broken_source") == []
    assert "InvalidArgument" in told.refused("flags", "--kind", "odd")


def test_a_sweep_clears_what_is_proved_anew_and_says_what_stands(told):
    told("retract", "ttl")
    left = told.json("sweep")
    assert (left["looked"], left["cleared"], left["next"]) == (1, [], None)
    assert [s["on"] for s in left["standing"]] == ["stale"]
    assert left["standing"][0]["age"] >= 0
    assert "  stands " in told("sweep")
    told("tell", "busy(cache) -> stale(cache)")
    found = told("sweep", "--budget", "3")
    assert found.startswith("looked at 1\n  cleared ")
    assert "support_lost on stale: entailed by b" in found
    assert told.json("ask", "stale(cache)")["entailed"] is True


def test_a_sweep_with_a_budget_says_where_to_go_on(told):
    told("tell", "loud(cache)", "--because", "ttl", "--id", "loud")
    told("retract", "ttl")
    first = told.json("sweep", "--budget", "1")
    assert (first["looked"], len(first["standing"])) == (1, 1)
    second = told.json("sweep", "--budget", "1", "--after", first["next"])
    assert {s["on"] for s in first["standing"] + second["standing"]} == {"stale", "loud"}
    assert f"there is more: sweep --after {first['next']}" in told("sweep", "--budget", "1")


# Artefacts


def test_an_artefact_is_added_renewed_and_listed(told):
    assert told("artefact", "list") == "There are no artefacts.\n"
    first = told.json(
        "artefact", "add", "report", "--rests-on", "stale", "--rests-on", "busy",
        "--claim", "size(report) = 3", "--says", "a short report", "--text", "report.md",
        "--episode", "turn 7", "--id", "r1",
    )  # fmt: skip
    assert (first["version"], first["rationale"], first["entry"]) == (1, "the first version", 6)
    told("correct", "ttl", "ttl(cache) = 600", "--source", "log")
    second = told(
        "artefact", "version", "report", "--rests-on", "busy", "--claim", "size(report) = 9",
        "--note", "after the correction",
    )  # fmt: skip
    lines = second.splitlines()
    assert lines[0].startswith("report: version 2, entry ")
    assert lines[1].startswith("  because: stale(cache) (stale): lost with ttl, corrected by entry")
    assert " in place of " in lines[2]
    assert [line.split(":")[0] for line in lines[3:]] == ["  ends", "  clears"]
    one, two = told.json("artefact", "list", "report")
    assert (one["text"], one["episode"], two["note"]) == (
        "report.md",
        "turn 7",
        "after the correction",
    )
    assert [s["claim"] for s in two["descriptors"]] == ["size(report) = 9"]
    assert told.json("artefact", "list") == [two]
    shown = told("artefact", "list", "report")
    assert shown.count("  rests on: ") == 2
    assert "  because: stale(cache) (stale): lost with ttl" in shown


def test_a_flag_on_an_artefact_is_shown_with_it(told):
    told("artefact", "add", "report", "--rests-on", "stale")
    told("retract", "ttl")
    assert "needs_resynthesis: report describes something that rests on stale" in told(
        "artefact", "list"
    )
    renewed = told("artefact", "version", "report", "--rests-on", "ttl")
    assert "needs_resynthesis" in renewed
    assert told.json("flags", "--kind", "needs_resynthesis")[0]["because"] == ["ttl"]


def test_an_artefact_is_added_once_and_renewed_when_it_is_there(told):
    add = ("artefact", "add", "report", "--rests-on", "ttl", "--says", "short", "--id", "r1")
    first = told.json(*add)
    assert told.json(*add)["entry"] == first["entry"]
    assert "heard before" in told(*add)
    assert "NothingToChange" in told.refused("artefact", "add", "report", "--rests-on", "ttl")
    assert "NothingToChange" in told.refused(
        "artefact", "add", "report", "--rests-on", "ttl", "--id", "r2"
    )
    assert "UnknownArtefact" in told.refused("artefact", "version", "chart", "--rests-on", "ttl")
    assert "UnknownArtefact" in told.refused("artefact", "list", "chart")
    assert "UnknownBelief" in told.refused("artefact", "add", "chart", "--rests-on", "nothing")
    assert "--rests-on" in told.refused("artefact", "add", "chart", code=2)


def test_a_held_descriptor_is_said(told):
    told("vocabulary", "declare", "size", "int", "--kind", "immutable")
    told("artefact", "add", "report", "--rests-on", "ttl", "--claim", "size(report) = 3")
    out = told("artefact", "version", "report", "--rests-on", "ttl", "--claim", "size(report) = 9")
    assert ": held\n" in out
    assert "  note: " in out


def test_a_report_says_what_was_not_found_out_and_nothing_twice(capsys):
    stood = Stood(flag="f4", on="b2", kind="support_lost", age=timedelta(days=1), error="it raised")
    report = SweepReport(
        standing=(stood,), errors=(("b2", "it raised"), ("b7", "the component is too large"))
    )
    _print_report(report)
    assert capsys.readouterr().out.splitlines() == [
        "looked at 0",
        "  stands f4: support_lost on b2, since 1 day, 0:00:00; it raised",
        "  not found out: b7: the component is too large",
    ]


# The graph


def test_the_graph_is_printed_as_graphml_and_as_json(told):
    told("artefact", "add", "report", "--rests-on", "stale", "--says", "short")
    told("retract", "ttl")
    graph = told.json("graph")
    states = {n["id"]: n["state"] for n in graph["nodes"] if n["kind"] == "belief"}
    assert states == {
        "busy(cache)": "IN",
        "slow(cache)": "IN",
        "stale(cache)": "OUT",
        "#b7: short": "OUT",
        "ttl(cache) = 300": "OUT",
    }
    assert {"source": "stale(cache)", "target": "artefact report"} in graph["edges"]
    assert json.loads(told("graph", "--format", "json")) == graph
    import networkx as nx

    text = told("graph")
    assert told("graph", "--format", "graphml") == text
    read = nx.parse_graphml(text)
    assert set(read.nodes) == {n["id"] for n in graph["nodes"]}
    assert set(read.edges) == {(e["source"], e["target"]) for e in graph["edges"]}
    assert json.loads(json.dumps(graph)) == graph


@pytest.mark.parametrize("name", ["add", "version", "list"])
def test_each_command_of_artefact_has_help(agm, name):
    code, out, _ = agm.raw("artefact", name, "--help")
    assert code == 0
    assert f"agm artefact {name}" in out

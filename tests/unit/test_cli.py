"""The command line: every command, the exact form of answers, and one line for each refusal."""

import io
import json
import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agm.errors import NotDecided
from agm.verdicts import Undecided
from agm_store.cli import main
from agm_store.cli.commands import HOMES
from tests.strategies.shell import Shell

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def agm(tmp_path, capsys, monkeypatch):
    return Shell(tmp_path, capsys, monkeypatch)


# Asking


def test_ask_answers_in_the_form_that_is_promised(agm):
    agm("tell", "ttl(cache) = 300", "--source", "note", "--valid-from", "2024-01-01T00:00:00Z")
    assert agm.json("ask", "ttl(cache)") == {
        "answers": [
            {
                "value": 300,
                "belief": "b1",
                "status": "active",
                "standing": "believed",
                "valid_from": "2024-01-01T00:00:00Z",
                "valid_to": None,
                "source": "note",
            }
        ],
        "contested": [],
        "outranked": [],
        "entailed": True,
    }


def test_ask_on_a_relation_lists_every_answer(agm):
    agm("tell", 'likes(anna, "tea")')
    agm("tell", 'likes(anna, "mint")')
    found = agm.json("ask", "likes(anna)")
    assert sorted(a["value"] for a in found["answers"]) == ["mint", "tea"]
    assert agm.json("ask", "likes(anna, tea)")["entailed"] is True
    assert agm.json("ask", 'likes(anna, "ink")') == {
        "answers": [],
        "contested": [],
        "outranked": [],
        "entailed": False,
    }


def test_ask_evaluates_nested_terms_inside_out(agm):
    agm("tell", 'P50("Our Mutual Friend") = "Charles Dickens"')
    agm("tell", 'P26("Charles Dickens") = "Catherine Dickens"')
    agm("tell", 'P27("Catherine Dickens") = "United Kingdom"')
    found = agm.json("ask", 'P27(P26(P50("Our Mutual Friend")))')
    assert [a["value"] for a in found["answers"]] == ["United Kingdom"]


def test_ask_of_a_claim_names_the_beliefs_it_follows_from(agm):
    agm("tell", "p", "--id", "fact")
    agm("tell", "p -> q", "--id", "rule")
    agm("tell", "r", "--id", "other")
    found = agm.json("ask", "q")
    assert found["entailed"] is True
    assert sorted(a["belief"] for a in found["answers"]) == ["fact", "rule"]
    assert agm.json("ask", "!q")["entailed"] is False
    assert [a["belief"] for a in agm.json("ask", "p")["answers"]] == ["fact"]


def test_ask_of_a_comparison_is_decided(agm):
    agm("tell", "ttl(cache) = 300")
    assert agm.json("ask", "ttl(cache) <= 400")["entailed"] is True
    assert agm.json("ask", "ttl(cache) = 300")["entailed"] is True
    assert agm.json("ask", "ttl(cache) = 301")["entailed"] is False


def test_ask_of_what_follows_from_a_rule_is_answered(agm):
    agm("tell", "bird(tweety)")
    agm("tell", "forall x. bird(x) -> flies(x)")
    assert agm.json("ask", "flies(tweety)")["entailed"] is True


def test_ask_shows_contested_and_outranked_sides_apart(agm):
    start = ("--valid-from", "2024-01-01T00:00:00Z")
    later = ("--valid-from", "2024-02-01T00:00:00Z")
    agm("tell", "f(x) = 1", *start)
    agm("tell", "f(x) = 2", *start)
    agm("tell", "f(x) = 3", "--entrenchment", "observed", *later)
    found = agm.json("ask", "f(x)")
    assert found["answers"] == []
    assert found["entailed"] is False
    assert sorted(s["value"] for s in found["contested"]) == [1, 2]
    assert [s["value"] for s in found["outranked"]] == [3]
    assert "contested" in agm("ask", "f(x)")


def test_ask_reads_both_axes(agm):
    agm("tell", "f(x) = 1", "--valid-from", "2024-01-01T00:00:00Z")
    agm("update", "b1", "f(x) = 2", "--at", "2024-02-01T00:00:00+01:00")
    asked = [
        ("--valid-at", "2024-01-15T00:00:00Z"),
        ("--valid-at", "2024-01-31T23:00:00Z"),
        ("--valid-at", "2024-03-01T00:00:00Z", "--known-entry", "1"),
        ("--valid-at", "2024-03-01T00:00:00Z", "--known-at", "2999-01-01T00:00:00Z"),
    ]
    values = [agm.json("ask", "f(x)", *options)["answers"][0]["value"] for options in asked[:3]]
    assert values == [1, 2, 1]
    assert "KnownInFuture" in agm.refused("ask", "f(x)", *asked[3])


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("f(x) = true", True),
        ("f(x) = 1.50", 1.5),
        ('f(x) = "a\\nb"', "a\nb"),
        ("f(x) = 300 s", {"amount": 300, "unit": "s"}),
        ("f(x) = 2024-01-31", "2024-01-31"),
        ("f(x) = 2024-01-31T10:00:00+01:00", "2024-01-31T09:00:00Z"),
        ("f(x) = 123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_values_of_every_type_are_shown_as_json(agm, claim, value):
    agm("tell", claim)
    assert agm.json("ask", "f(x)")["answers"][0]["value"] == value


def test_a_decimal_keeps_its_digits_in_json(agm):
    agm("tell", "f(x) = 0.1000000000000000000000001")
    assert '"value": 0.1000000000000000000000001' in agm("ask", "f(x)", "--json")


def test_ask_of_nothing_says_so(agm):
    agm("tell", "p")
    assert agm("ask", "f(x)") == "f(x): nothing is believed\n"


def test_ask_that_is_not_decided_says_so(agm, monkeypatch):
    agm("tell", "p")

    def undecided(_world, _claim):
        return Undecided("budget", "too hard")

    def not_decided(_world, _term):
        raise NotDecided("too hard")

    monkeypatch.setattr("agm_store.worlds.World.check", undecided)
    monkeypatch.setattr("agm_store.worlds.World.ask", not_decided)
    for question in ("p & p", "f(x)"):
        assert agm.json("ask", question) == {
            "answers": [],
            "contested": [],
            "outranked": [],
            "entailed": "undecided",
        }
        assert agm("ask", question) == f"{question}: undecided\n"


# Every other command


def test_as_of_shows_the_whole_world(agm):
    agm("tell", "f(x) = 1", "--valid-from", "2024-01-01T00:00:00Z")
    agm("tell", "p", "--valid-from", "2024-01-01T00:00:00Z")
    assert agm.json("as-of", "2024-02-01T00:00:00Z")["believed"] == []
    now = agm.json("as-of", "2024-02-01T00:00:00Z")
    assert now["known_entry"] == 0
    assert "Nothing was believed" in agm("as-of", "2024-02-01T00:00:00Z")
    path = agm.write("r.jsonl", {"id": "a", "claim": "f(y) = 1", "at": "2024-01-01T00:00:00Z"})
    replayed = ("--db", str(agm.directory / "r.db"), "--as", "anna")
    assert agm.raw(*replayed, "ingest", path, "--clock-from", "at")[0] == 0
    found = json.loads(agm.raw(*replayed, "as-of", "2024-02-01T00:00:00Z", "--json")[1])
    assert [s["claim"] for s in found["believed"]] == ["f(y) = 1"]


def test_the_verbs_of_change_print_their_receipts(agm):
    agm("tell", "f(x) = 1", "--id", "one")
    corrected = agm.json("correct", "one", "f(x) = 2", "--id", "two")
    assert [loss["belief"] for loss in corrected["retired"]] == ["one"]
    updated = agm.json("update", "two", "f(x) = 3", "--id", "three")
    assert agm.json("why", "two")["replaced_by"] == "three"
    assert agm.json("revert", updated["entry"])["status"] == "reverted"
    assert agm.json("ask", "f(x)")["answers"][0]["value"] == 2
    assert agm.json("expire", "two")["status"] == "expired"
    agm("tell", "g(x) = 1", "--id", "four")
    assert agm.json("retract", "four", "--note", "a slip")["status"] == "retracted"
    assert [s["belief"] for s in agm.json("history", "one")] == ["one", "two", "three"]


def test_contract_prints_the_certificate(agm):
    agm("tell", "p", "--id", "weak", "--entrenchment", "documented")
    agm("tell", "p -> q", "--id", "strong")
    (loss,) = agm.json("contract", "q")["retired"]
    assert loss["belief"] == "weak"
    assert [k["belief"] for k in loss["kernel"]] == ["strong"]
    assert agm.json("ask", "q")["entailed"] is False


def test_reclassify_makes_an_assertion_a_remark(agm):
    agm("tell", "f(x) = 1", "--valid-from", "2024-01-01T00:00:00Z")
    entry = agm.json("tell", "f(x) = 2")["entry"]
    assert agm.json("reclassify", entry, "--mode", "historical")["status"] == "noted"
    assert agm.json("ask", "f(x)")["answers"][0]["value"] == 1


def test_timeline_shows_a_line_a_stretch(agm):
    agm("tell", "f(x) = 1", "--valid-from", "2024-01-01T00:00:00Z")
    agm("update", "b1", "f(x) = 2", "--at", "2024-02-01T00:00:00Z")
    assert [s["value"] for s in agm.json("timeline", "f(x)")] == [1, 2]
    assert agm("timeline", "f(x)").splitlines() == [
        "f(x) = 1  believed  2024-01-01 to 2024-02-01  b1",
        "f(x) = 2  believed  since 2024-02-01          b2",
    ]
    assert "nothing was ever believed" in agm("timeline", "f(y)")


def test_people_read_tables_and_sentences(agm):
    agm("tell", "f(x) = 1", "--id", "one", "--valid-from", "2024-01-01T00:00:00Z", "--source", "s")
    assert agm("tell", "f(x) = 2", "--id", "two", "--valid-from", "2024-01-01T00:00:00Z") == (
        "two: active, entry 2\n  contested with one: f(x) = 1\n"
    )
    assert "contested with one" in agm("correct", "two", "f(x) = 3", "--id", "three")
    assert agm("history", "one").splitlines() == [
        "entry 1  f(x) = 1  active, contested  since 2024-01-01  s  one",
        "entry 2  f(x) = 2  superseded         since 2024-01-01     two    replaced by three",
        "entry 3  f(x) = 3  active, contested  since 2024-01-01     three",
    ]
    assert agm("why", "two").splitlines() == [
        "two: f(x) = 2",
        "  superseded, not in force, by correction",
        "  replaced by: three",
        "  decided by: anna",
        "  to undo: revert 3",
    ]
    soon = datetime.now(UTC).isoformat()
    assert "contested: f(x) = 1 [one] | f(x) = 3 [three]" in agm("as-of", soon)


def test_the_inbox_is_decided(agm):
    agm("tell", "f(x) = 1", "--entrenchment", "untrusted", "--id", "rumour")
    (review,) = agm.json("inbox")
    assert review["id"] == "rumour"
    assert "approve" in review["options"]
    assert "options: approve | edit and approve | dismiss" in agm("inbox")
    assert "UnknownOption" in agm.refused("decide", "rumour", "perhaps")
    assert agm.json("decide", "rumour", "approve")["status"] == "active"
    assert agm("inbox") == "Nothing waits for a decision.\n"
    assert "waits in `agm inbox`" in agm.refused("decide", "rumour", "approve")
    assert "UnknownBelief" in agm.refused("decide", "nobody", "approve")


def test_vocabulary_is_declared_and_shown(agm):
    agm("vocabulary", "declare", "ttl", "quantity", "--unit", "s")
    agm("vocabulary", "declare", "stage", "enum", "--value", "staging", "--value", "production")
    agm("tell", 'likes(anna, "tea")')
    agm("tell", "ttl(cache) = 5 min")
    assert agm.json("ask", "ttl(cache)")["answers"][0]["value"] == {"amount": 300, "unit": "s"}
    shown = agm.json("vocabulary", "show")
    assert shown["ttl"]["unit"] == "s"
    assert shown["stage"]["values"] == ["staging", "production"]
    assert "a relation by its first use" in agm("vocabulary", "show")
    assert "NotInDomain" in agm.refused("tell", 'stage(checkout) = "attic"')


def test_a_constraint_binds_what_is_told(agm):
    agm("constraint", "add", "f(x) <= 10")
    assert "ContradictsConstraints" in agm.refused("tell", "f(x) = 11")
    assert agm.json("ask", "f(x) <= 20")["entailed"] is True


def test_a_claim_may_be_flat_json_or_come_from_the_input(agm):
    agm("vocabulary", "declare", "ttl", "int")
    agm("tell", '{"subject": "cache", "predicate": "ttl", "value": 300}')
    agm("tell", "-", stdin=b"ttl(cdn) = 60\n")
    assert agm.json("ask", "ttl(cache)")["answers"][0]["value"] == 300
    assert agm.json("ask", "ttl(cdn)")["answers"][0]["value"] == 60


def test_the_options_of_tell_reach_the_store(agm):
    agm("tell", "p", "--id", "premise")
    agm(
        "tell", "f(x) = 1", "--text", "one", "--source", "s", "--episode", "e", "--confidence", "0.5",
        "--entrenchment", "observed", "--valid-from", "unknown", "--because", "premise", "--id", "x",
    )  # fmt: skip
    (side,) = agm.json("history", "x")
    assert (side["text"], side["source"], side["episode"], side["entrenchment"]) == (
        "one",
        "s",
        "e",
        "observed",
    )
    why = agm.json("why", "x")
    assert (why["confidence"], why["supports"]) == (0.5, [["premise"]])
    assert "rests on: premise" in agm("why", "x")


def test_stats_count(agm):
    agm("tell", "p")
    found = agm.json("stats")
    assert (found["entries"], found["beliefs"], found["held"], found["replay"]) == (
        1,
        {"active": 1},
        0,
        False,
    )
    assert "recorded times" in agm("stats")


def test_an_export_is_imported_again(agm):
    agm("tell", "f(x) = 1")
    agm("tell", "p -> q")
    export = agm.directory / "out.jsonl"
    assert agm.json("export", export) == {"exported": 2}
    copy = ("--db", str(agm.directory / "copy.db"), "--as", "anna")
    assert agm.raw(*copy, "import", export)[0] == 0
    again = agm.directory / "again.jsonl"
    assert agm.raw(*copy, "export", again)[0] == 0
    assert again.read_bytes() == export.read_bytes()
    piped = ("--db", str(agm.directory / "piped.db"), "--as", "anna")
    assert agm.raw(*piped, "import", "-", stdin=export.read_bytes())[:2] == (
        0,
        "imported 2 entries\n",
    )


def test_a_whole_journal_verifies_and_rebuilds(agm):
    agm("tell", "f(x) = 1")
    first = agm.json("verify")
    assert first["count"] == 1
    assert agm.json("rebuild") == first
    agm("tell", "f(x) = 2")
    assert agm.json("verify", "--count", "1", "--head", first["head"])["count"] == 2
    agm.refused("verify", "--count", "1", "--head", "0" * 64)
    agm.refused("verify", "--count", "1", code=2)


def test_the_demo_tells_its_stories(agm):
    code, out, err = agm.raw("demo")
    assert (code, err) == (0, "")
    assert "as known on 25 March 2023  +02:00         +02:00        +03:00" in out
    assert "as of 20 March 2024    250000        production  payments" in out
    assert "noted, not believed. The TTL is 900 s." in out
    assert "certificate  b2" in out
    assert "never came true: a correction" in out
    assert "was true for a while and ended on 25 March 2023, before 1 April 2023" in out
    assert "the decision" not in out
    assert max(len(line) for line in out.splitlines()) <= 100
    assert json.loads(agm.raw("demo", "--json")[1])["story"] == out.splitlines()


def test_the_readme_shows_what_the_demo_prints(agm):
    _, out, _ = agm.raw("demo")
    assert f"```text\n{out}```\n" in (ROOT / "README.md").read_text()


# Many statements at once


def statement(ident, value, **more):
    return {"id": ident, "claim": f"f(x) = {value}", **more}


def test_ingest_ends_with_a_receipt(agm):
    change = {"target": "a", "action": "supersede", "reason": "temporal_change"}
    lines = [
        statement("a", 1, valid_from="2024-01-01T00:00:00Z"),
        statement("b", 2, resolves=change),
        {"id": "c", "claim": "p", "colour": "red"},
    ]
    path = agm.write("in.jsonl", *lines)
    code, out, err = agm.raw("--db", agm.db, "--as", "anna", "ingest", path, "--json")
    assert (code, err) == (1, "")
    receipt = json.loads(out)
    assert (receipt["told"], receipt["superseded"]) == (2, 1)
    assert [(r["line"], r["error"]) for r in receipt["refused"]] == [(3, "LineRefused")]
    code, out, err = agm.raw("--db", agm.db, "--as", "anna", "ingest", path)
    assert code == 1
    assert "heard before, nothing written: 2" in out
    assert "line 3 refused" in out


def test_ingest_reads_the_input_and_declares_a_vocabulary(agm):
    vocabulary = agm.write("v.json", {"ttl": {"type": "quantity", "unit": "s"}})
    line = b'{"id": "a", "claim": "ttl(cache) = 5 min"}'
    receipt = agm.json("ingest", "-", "--vocabulary", vocabulary, "--source", "me", stdin=line)
    assert receipt["told"] == 1
    (answer,) = agm.json("ask", "ttl(cache)")["answers"]
    assert (answer["value"], answer["source"]) == ({"amount": 300, "unit": "s"}, "me")


def test_a_long_ingest_shows_its_progress_to_a_terminal_only(agm, monkeypatch):
    path = agm.write("in.jsonl", *(statement(str(n), n) for n in range(20)))
    code, _, err = agm.raw("--db", agm.db, "--as", "anna", "ingest", path)
    assert (code, err) == (0, "")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    other = str(agm.directory / "other.db")
    assert main(["--db", other, "--as", "anna", "ingest", str(path)]) == 0
    assert "100%" in terminal.getvalue()


def test_a_replay_needs_its_own_store(agm):
    path = agm.write("in.jsonl", statement("a", 1, at="2024-01-01T00:00:00Z"))
    code, out, _ = agm.raw("--db", agm.db, "--as", "anna", "ingest", path)
    assert code == 1
    assert "--clock-from at" in out
    agm("tell", "p")
    assert "ReplayRefused" in agm.refused("ingest", path, "--clock-from", "at")


def test_many_refusals_are_cut_short_for_people(agm):
    path = agm.write("in.jsonl", *(["{}"] * 15))
    code, out, _ = agm.raw("--db", agm.db, "--as", "anna", "ingest", path)
    assert code == 1
    assert "and 5 more" in out


def test_apply_reads_directives_on_a_shown_list(agm):
    agm("tell", 'queue(orders) = "kafka"', "--id", "k", "--entrenchment", "inferred")
    resolves = {"session_index": 0, "action": "supersede", "reason": "temporal_change"}
    fact = {"claim": {"formula": 'queue(orders) = "postgres"'}, "text": "x", "resolves": resolves}
    path = agm.write("answer.json", {"facts": [{**fact, "confidence": 0.9}]})
    found = agm.json("apply", path, "--shown", "k", "--source", "chat-7")
    assert [loss["belief"] for loss in found["told"][0]["retired"]] == ["k"]
    assert agm.json("ask", "queue(orders)")["answers"][0]["value"] == "postgres"


def test_apply_says_what_was_refused(agm):
    agm("tell", 'queue(orders) = "kafka"', "--id", "k", "--entrenchment", "inferred")
    resolves = {"session_index": 3, "action": "supersede", "reason": "correction"}
    fact = {"claim": {"formula": 'queue(orders) = "postgres"'}, "text": "x", "resolves": resolves}
    path = agm.write("answer.json", {"facts": [fact]})
    code, out, _ = agm.raw(
        "--db", agm.db, "--as", "anna", "apply", path, "--shown", '["k"]', "--json"
    )
    assert code == 1
    found = json.loads(out)
    assert found["refused"][0]["fact"] == 0
    assert len(found["in_review"]) == 1
    code, out, _ = agm.raw("--db", agm.db, "--as", "anna", "apply", path, "--shown", "k")
    assert code == 1
    assert "refused" in out
    assert agm.json("ask", "queue(orders)")["answers"][0]["value"] == "kafka"


def test_apply_of_no_answer_records_nothing(agm):
    agm("tell", "p", "--id", "k")
    before = agm.snapshot()
    path = agm.write("answer.json", "sorry, I cannot do that")
    files = agm.snapshot()
    for form in ((), ("--json",)):
        args = ("--db", agm.db, "--as", "anna", "apply", path, "--shown", "k", *form)
        code, out, err = agm.raw(*args)
        assert (code, bool(out)) == (1, bool(form))
        assert err.startswith("agm: nothing was recorded: unparseable: ")
        assert err.count("\n") == 1
    assert agm.snapshot() == files
    assert files[1] == before[1]


# Whose store, and where the options stand


@pytest.mark.parametrize(
    "args",
    [
        ("--db", "{db}", "--as", "anna", "ask", "p", "--json"),
        ("ask", "p", "--db", "{db}", "--as", "anna", "--json"),
        ("--json", "--db={db}", "ask", "--as", "anna", "p"),
        ("--db", "elsewhere.db", "--as", "bob", "ask", "p", "--db", "{db}", "--as=anna", "--json"),
    ],
)
def test_options_stand_before_or_after_the_command(agm, args):
    agm("tell", "p")
    code, out, err = agm.raw(*(arg.format(db=agm.db) for arg in args))
    assert (code, err) == (0, "")
    assert json.loads(out)["entailed"] is True


def test_options_reach_a_command_of_a_group(agm):
    for at in range(3):
        args = ["vocabulary", "declare", f"f{at}", "int"]
        args[at:at] = ["--db", agm.db, "--as", "anna"]
        assert agm.raw(*args)[0] == 0
    assert set(agm.json("vocabulary", "show")) == {"f0", "f1", "f2"}


@pytest.mark.parametrize("given", [("--as", "anna"), ("--db", "x.db")])
def test_file_and_principal_have_no_default(agm, given):
    for command in (("ask", "p"), ("tell", "p"), ("stats",)):
        code, out, err = agm.raw(*given, *command)
        assert (code, out) == (2, "")
        assert "Missing option" in err
        assert err.count("\n") == 1


def test_two_principals_see_their_own(agm):
    agm("tell", "f(x) = 1", "--id", "mine")
    code, out, _ = agm.raw("--db", agm.db, "--as", "bob", "ask", "f(x)", "--json")
    assert (code, json.loads(out)["answers"]) == (0, [])
    foreign = agm.raw("--db", agm.db, "--as", "bob", "why", "mine")
    missing = agm.raw("--db", agm.db, "--as", "bob", "why", "mime")
    assert foreign[0] == missing[0] == 1
    assert foreign[2].replace("mine", "mime") == missing[2]


@pytest.mark.parametrize("name", HOMES)
def test_every_command_has_help_and_json(agm, name):
    code, out, _ = agm.raw(name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: agm {name}")
    assert "--json" in out
    assert ("--db FILE" in out) == (name not in ("demo", "experiment", "completion"))


def test_help_lists_every_command(agm):
    code, out, _ = agm.raw("--help")
    assert code == 0
    assert all(f"\n  {name} " in out for name in HOMES)
    assert "..." not in out.partition("Commands:")[2], "a summary is cut"


def test_no_command_at_all_is_a_wrong_use_that_shows_the_help(agm):
    for args in ((), ("vocabulary",)):
        code, out, err = agm.raw(*args)
        assert (code, out) == (2, "")
        assert err.startswith("Usage: agm")


def test_a_demo_without_its_examples_says_where_it_looked(agm, monkeypatch):
    monkeypatch.setattr("agm_store.demo.__file__", str(agm.directory / "a" / "b" / "demo.py"))
    code, _, err = agm.raw("demo")
    assert (code, err.count("\n")) == (1, 1)
    assert "examples" in err


# Bad input

DEEP = "(p -> " * 5_000 + "p" + ")" * 5_000

REFUSALS = {
    ("ask", "f(x"): "ClaimSyntaxError",
    ("ask", ""): "ClaimSyntaxError",
    ("ask", "a\0b"): "",
    ("ask", "f(\ud800)"): "",
    ("ask", "p" * 100_000): "InvalidName",
    ("ask", DEEP): "ClaimTooLarge",
    ("ask", "p", "--valid-at", "2024-01-01"): "NaiveTime",
    ("ask", "p", "--valid-at", "2024-01-01T00:00:00"): "NaiveTime",
    ("ask", "p", "--valid-at", "1700000000"): "InvalidArgument",
    ("ask", "p", "--valid-at", "yesterday"): "InvalidArgument",
    ("ask", "p", "--valid-at", "9999-12-31T23:59:59-05:00"): "NaiveTime",
    ("ask", "p", "--valid-at", "0001-01-01T00:00:00+05:00"): "NaiveTime",
    ("ask", "p", "--known-at", "2999-01-01T00:00:00Z"): "KnownInFuture",
    ("ask", "p", "--known-entry", "99"): "KnownInFuture",
    ("as-of", "2024-01-01"): "NaiveTime",
    ("as-of", "2999-01-01T00:00:00Z"): "KnownInFuture",
    ("tell", "f(x) = 1e999"): "",
    ("tell", "f(x) = NaN"): "",
    ("tell", "f(x) = " + "9" * 5_000): "",
    ("tell", 'f(x) = "one"'): "TypeClash",
    ("tell", "f(x) = 3 s"): "TypeClash",
    ("tell", "g(x) = 3 flurbs"): "UnknownUnit",
    ("tell", DEEP): "ClaimTooLarge",
    ("tell",): "InvalidArgument",
    ("tell", "p", "--text", "a" * 70_000): "InvalidArgument",
    ("tell", "p", "--confidence", "1.5"): "InvalidArgument",
    ("tell", "p", "--confidence", "nan"): "InvalidArgument",
    ("tell", "p", "--entrenchment", "holy"): "InvalidArgument",
    ("tell", "p", "--because", "nobody"): "UnknownBelief",
    ("tell", "p", "--id", "a\nb"): "InvalidArgument",
    ("tell", "p", "--id", "one"): "IdempotencyConflict",
    ("tell", "p", "--valid-from", "2024-02-01T00:00:00Z", "--valid-to", "2024-01-01T00:00:00Z"): "InvertedInterval",
    ("tell", '{"subject": "a", "subject": "b", "predicate": "p", "value": 1}'): "InvalidJson",
    ("tell", '{"subject": "a", "predicate": "p", "value": NaN}'): "InvalidJson",
    ("correct", "nobody", "f(x) = 2"): "UnknownBelief",
    ("correct", "one", "f(x) = 1"): "NothingToChange",
    ("update", "one", "f(x) = 2", "--at", "noon"): "InvalidArgument",
    ("retract", "nobody"): "UnknownBelief",
    ("expire", "one", "--at", "2024-01-01"): "NaiveTime",
    ("contract", "p | !p"): "NothingToChange",
    ("demote", "nobody", "observed"): "UnknownBelief",
    ("demote", "one", "holy"): "InvalidArgument",
    ("demote", "one", "asserted"): "NothingToChange",
    ("demote", "one", "core"): "NotWeaker",
    ("revert", "99"): "UnknownEntry",
    ("reclassify", "99", "--mode", "question"): "UnknownEntry",
    ("history", "nobody"): "UnknownBelief",
    ("why", "nobody"): "UnknownBelief",
    ("timeline", "f(x"): "ClaimSyntaxError",
    ("timeline", "p & q"): "ClaimSyntaxError",
    ("ingest", "missing.jsonl"): "UnreadableFile",
    ("ingest", "."): "UnreadableFile",
    ("ingest", "a\0b"): "UnreadableFile",
    ("apply", "missing.json", "--shown", "one"): "UnreadableFile",
    ("apply", "-", "--shown", "nobody"): "UnknownBelief",
    ("export", "no/such/directory/out.jsonl"): "",
    ("import", "missing.jsonl"): "UnreadableFile: file 'missing.jsonl': No such file",
    ("import", "."): "UnreadableFile",
    ("import", "a\0b"): "UnreadableFile",
    ("verify", "--count", "-2", "--head", "abc"): "InvalidArgument",
    ("verify", "--count", "0", "--head", "abc"): "InvalidArgument",
    ("verify", "--count", "9", "--head", "9f" * 32): "ChainBroken",
    ("verify", "--count", "0", "--head", "9f" * 32): "ChainBroken",
    ("revert", "9" * 40): "UnknownEntry",
    ("reclassify", "9" * 40, "--mode", "question"): "UnknownEntry",
    ("ask", "p", "--known-entry", "9" * 40): "KnownInFuture",
    ("ask", "p", "--as", "\udcff"): "InvalidArgument",
    ("tell", "p", "--as", "\udcff"): "InvalidArgument",
    ("tell", "p", "--db", "\udcff.db"): "NotAStore",
    ("ask", "p", "--db", "\udcff.db"): "NotAStore",
    ("ask", "\udcff"): "",
    ("tell", "f(x) = \udcff"): "",
    ("tell", "p", "--text", "\udcff"): "InvalidArgument",
    ("tell", "p", "--source", "\udcff"): "InvalidArgument",
    ("tell", "p", "--id", "\udcff"): "InvalidArgument",
    ("tell", "p", "--because", "\udcff"): "UnknownBelief",
    ("retract", "\udcff"): "UnknownBelief",
    ("retract", "one", "--note", "\udcff"): "InvalidArgument",
    ("why", "\udcff"): "UnknownBelief",
    ("ingest", "\udcff"): "UnreadableFile",
    ("vocabulary", "declare", "\udcff", "int"): "",
    ("vocabulary", "declare", "g", "int", "--unit", "\udcff"): "",
    ("constraint", "add", "p & !p"): "InconsistentConstraints",
    ("vocabulary", "declare", "stage", "enum"): "InvalidDeclaration",
}  # fmt: skip


@pytest.mark.parametrize(
    "args", REFUSALS, ids=lambda args: " ".join(args)[:40].encode("ascii", "replace").decode()
)
def test_a_refusal_is_one_line_and_changes_nothing(agm, args):
    agm("vocabulary", "declare", "f", "int")
    agm("tell", "f(x) = 1", "--id", "one")
    err = agm.refused(*args)
    assert REFUSALS[args] in err
    assert "fault of agm" not in err
    assert "Traceback" not in err


MISUSES = [
    ("conjure",),
    ("ask",),
    ("ask", "p", "q"),
    ("ask", "p", "--loudly"),
    ("ask", "p", "--known-entry", "first"),
    ("ask", "p", "--known-entry", "1", "--known-at", "2024-01-01T00:00:00Z"),
    ("tell", "p", "--mode", "rumour"),
    ("tell", "p", "--confidence", "high"),
    ("revert", "one"),
    ("reclassify", "1"),
    ("apply", "-"),
    ("vocabulary", "declare", "f", "colour"),
    ("ingest", "-", "--clock-from", "wall"),
]


@pytest.mark.parametrize("args", MISUSES, ids=" ".join)
def test_a_wrong_use_is_one_line_and_code_two(agm, args):
    agm("tell", "p")
    agm.refused(*args, code=2)


READERS = [
    ("ask", "p"),
    ("ask", "p", "--json"),
    ("as-of", "2024-01-01T00:00:00Z"),
    ("history", "x"),
    ("why", "x"),
    ("timeline", "f(x)"),
    ("stats",),
    ("inbox",),
    ("decide", "x", "approve"),
    ("vocabulary", "show"),
    ("verify",),
    ("export", "out.jsonl"),
    ("rebuild",),
    ("retract", "x"),
    ("correct", "x", "p"),
    ("contract", "p"),
    ("apply", "-", "--shown", "x"),
]


@pytest.mark.parametrize("args", READERS, ids=" ".join)
def test_a_missing_store_is_named_and_not_made(agm, args, monkeypatch):
    monkeypatch.chdir(agm.directory)
    assert "NoSuchStore" in agm.refused(*args)
    assert list(agm.directory.iterdir()) == []


def test_a_refused_first_statement_makes_no_file(agm):
    agm.refused("tell", "f(x")
    agm.refused("tell", "p", "--valid-from", "2024-01-01")
    agm.refused("ingest", str(agm.directory / "missing.jsonl"))
    assert list(agm.directory.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"not a database, only words " * 40, b"", b"SQLite format 3\0"]
)
def test_a_file_that_is_no_store_is_left_alone(agm, content):
    Path(agm.db).write_bytes(content)
    for args in (("ask", "p"), ("tell", "p"), ("stats",)):
        if content == b"" and args[0] == "tell":
            continue  # an empty file may become a store
        err = agm.refused(*args)
        assert "NotAStore" in err or "NoSuchStore" in err
        assert Path(agm.db).read_bytes() == content


def test_another_database_is_no_store(agm):
    connection = sqlite3.connect(agm.db)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()
    assert "NotAStore" in agm.refused("ask", "p")
    assert "NotAStore" in agm.refused("tell", "p")


def test_a_directory_is_no_store(agm):
    for args in (("ask", "p"), ("tell", "p")):
        code, _, err = agm.raw("--db", agm.directory, "--as", "anna", *args)
        assert code == 1
        assert err.count("\n") == 1
        assert "fault of agm" not in err


def test_a_store_cannot_be_made_where_no_directory_is(agm):
    code, _, err = agm.raw("--db", agm.directory / "no" / "store.db", "--as", "anna", "tell", "p")
    assert code == 1
    assert "fault of agm" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_read_only_file_is_read_and_not_written(agm):
    agm("tell", "p")
    Path(agm.db).chmod(0o400)
    assert agm.json("ask", "p")["entailed"] is True
    assert "ReadOnlyStore" in agm.refused("tell", "q")


def test_an_unknown_principal_name_is_refused(agm):
    for name in ("", " ", "a\nb"):
        code, out, err = agm.raw("--db", agm.db, "--as", name, "tell", "p")
        assert (code, out) == (1, "")
        assert err.count("\n") == 1


def test_a_fault_of_agm_itself_is_one_line_too(agm, monkeypatch):
    def broken(_question, **_options):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("agm_store.cli.asking.ask_command", broken)
    code, _, err = agm.raw("--db", agm.db, "--as", "anna", "ask", "p")
    assert code == 1
    assert "fault of agm" in err
    with pytest.raises(ZeroDivisionError):
        agm.raw("--traceback", "--db", agm.db, "--as", "anna", "ask", "p")


def test_an_interruption_has_its_own_code(agm, monkeypatch):
    def interrupted(_question, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("agm_store.cli.asking.ask_command", interrupted)
    code, _, err = agm.raw("--db", agm.db, "--as", "anna", "ask", "p")
    assert (code, err.count("\n")) == (130, 1)


def test_an_input_that_is_no_text_is_refused_with_its_place(agm):
    err = agm.refused("tell", "-", stdin=b"ttl(\xff) = 1")
    assert "UnreadableFile" in err
    assert "byte 4" in err


def test_a_file_that_is_not_there_is_imported_into_no_new_store(agm):
    err = agm.refused("import", "missing.jsonl")
    assert "tell" not in err
    assert not Path(agm.db).exists()


# In a process of its own


def process(*args, stdin=b"", **options):
    path = os.pathsep.join([str(ROOT), str(ROOT / "store"), str(ROOT / "propagation")])
    environment = {**os.environ, "PYTHONPATH": path, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, *options.pop("flags", ()), "-m", "agm_store.cli", *map(str, args)],
        input=stdin,
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
        **options,
    )


def test_a_process_answers_with_its_exit_code(tmp_path):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    assert process(*hand, "ask", "p").returncode == 1
    assert process(*hand, "tell", "p").returncode == 0
    assert process(*hand, "ask", "p").returncode == 0
    assert process(*hand, "conjure").returncode == 2
    line = b'{"id": "a", "claim": "f(x) = 1"}\n{}\n'
    fed = process(*hand, "ingest", "-", stdin=line)
    assert (fed.returncode, fed.stderr) == (1, b"")


def test_a_plain_ask_loads_nothing_heavy(tmp_path):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    assert process(*hand, "vocabulary", "declare", "f", "int").returncode == 0
    assert process(*hand, "tell", "f(x) = 1").returncode == 0
    asked = process(*hand, "ask", "f(x)", "--json", flags=("-X", "importtime"))
    assert json.loads(asked.stdout)["answers"][0]["value"] == 1
    loaded = {line.split(b"|")[-1].strip().split(b".")[0] for line in asked.stderr.splitlines()}
    assert b"agm_store" in loaded
    heavy = {
        b"z3",
        b"networkx",
        b"lark",
        b"pydantic",
        b"sqlite_utils",
        b"anthropic",
        b"click",
        b"pint",
    }
    assert loaded & heavy == set()


def test_an_output_that_nobody_reads_is_no_traceback(tmp_path):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    process(*hand, "tell", "p")
    reader, writer = os.pipe()
    os.close(reader)
    path = os.pathsep.join([str(ROOT), str(ROOT / "store"), str(ROOT / "propagation")])
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "agm_store.cli", *map(str, hand), "ask", "p"],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": ""},
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(os.name != "posix", reason="the shell of POSIX")
@pytest.mark.parametrize(
    ("line", "code"),
    [("ask p >&-", 0), ("stats >&-", 0), ("conjure 2>&-", 2), ("tell - <&-", 1), ("review <&-", 0)],
)
def test_streams_that_are_closed_are_no_fault(tmp_path, line, code):
    process("--db", tmp_path / "s.db", "--as", "anna", "tell", "p")
    path = os.pathsep.join([str(ROOT), str(ROOT / "store"), str(ROOT / "propagation")])
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m agm_store.cli --db s.db --as anna {line}', sys.executable],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        timeout=60,
    )
    assert done.returncode == code
    assert b"fault of agm" not in done.stderr


def test_text_that_the_terminal_cannot_show_is_escaped(tmp_path):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    process(*hand, "tell", 'f(x) = "naïve"')
    asked = process(*hand, "ask", "f(x)", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert asked.returncode == 0, asked.stderr
    assert (
        b"na\\xefve" in asked.stdout or json.loads(asked.stdout)["answers"][0]["value"] == "naïve"
    )


def test_an_answer_to_a_claim_says_yes_no_or_unknown(agm):
    agm("tell", "o(e) = 1")
    shown = [agm("ask", q).splitlines()[-1] for q in ("o(e) = 1", "o(e) = 2", "q(e) = 1")]
    assert [line.partition(": ")[2] for line in shown] == [
        "follows",
        "no, its denial follows",
        "unknown, nothing believed decides it",
    ]


def test_what_is_kept_out_of_an_answer_is_named_with_the_command_that_says_why(agm):
    agm("tell", "o(e) = 300", "--entrenchment", "observed")
    agm("tell", "o(e) < 100", "--entrenchment", "core")
    agm("tell", "o(e) = 400", "--entrenchment", "observed")
    for question in ("o(e)", "o(e) = 300"):
        first, *more = agm("ask", question).splitlines()
        assert first.startswith(f"{question}: ")
        assert more == [
            "  o(e) = 300 is overridden; `agm why b1` says why",
            "  o(e) = 400 is held; `agm why b3` says why",
        ]
        found = agm.json("ask", question)
        assert [side["belief"] for side in found["kept_out"]] == ["b1", "b3"]
    assert "kept out by: b2" in agm("why", "b1")
    assert "rival of core: b2" in agm("why", "b3")
    agm("tell", "o(e) = 50", "--entrenchment", "observed")
    agm("decide", "b3", "dismiss")
    assert "kept_out" not in agm.json("ask", "o(f)")


def test_a_fact_that_a_rule_of_the_core_keeps_out_is_named(agm):
    agm("tell", "flies(tweety)", "--entrenchment", "observed")
    agm("tell", "penguin(tweety)")
    agm("tell", "forall x. penguin(x) -> !flies(x)", "--entrenchment", "core")
    assert "b1" in agm("ask", "flies(tweety)")


def test_a_bare_word_that_names_an_attribute_says_how_to_ask_for_it(agm):
    agm("tell", 'crop(field) = "rye"')
    agm("tell", "wet")
    hint = "a bare word is a proposition; a term names its entity, as crop(field) does"
    assert agm("ask", "crop").splitlines()[1:] == [f"  {hint}"]
    assert agm.json("ask", "crop")["hint"] == hint
    agm("tell", 'crop(moor) = "oats"')
    assert "as crop(field) or 1 more does" in agm("ask", "crop")
    for clear in ("wet", "dry", "crop(field)", "crop(hill)"):
        assert "hint" not in agm.json("ask", clear)


@pytest.mark.parametrize("verb", [("revert",), ("reclassify", "--mode", "question")])
def test_an_id_in_the_place_of_an_entry_is_told_where_entries_are_named(agm, verb):
    agm("tell", "p")
    error = agm.refused(*verb, "b1", code=2)
    assert "'b1' is no number of an entry" in error
    assert "receipts name entries, and `agm history ID` those of a belief" in error


def test_an_export_to_a_pipe_is_the_export_alone(agm, tmp_path):
    agm("tell", "o(e) = 1")
    agm("export", str(tmp_path / "out.jsonl"))
    assert agm("export", "-") == (tmp_path / "out.jsonl").read_text()

"""`run.py cases`: any file of recorded cases, a line a case, then the counts."""

import json
from pathlib import Path

import pytest

from laboratory.casebook import playing
from laboratory.casebook.playing import played
from laboratory.cases import main

AT = "2026-01-0{}T00:00:00+00:00"
DECLARED = {"op": "declare", "p": "port", "cardinality": "one"}


def said(day, o, name="a", **more):
    return {
        "op": "assert", "id": name, "at": AT.format(day), "s": "api", "p": "port", "o": o, **more,
    }  # fmt: skip


def history(*events, query=None, expected=None):
    query = [{"s": "api", "p": "port"}] if query is None else query
    return {"events": [DECLARED, *events], "query": query, "expected": expected}


def attack(raw, outcome, unchanged=()):
    belief = {
        "ref": "b0", "owner": "anna", "content": "port of api is 80", "source": "user",
        "claim": {"entity": "api", "attribute": "port", "value": 80}, "entrenchment": "asserted",
    }  # fmt: skip
    return {
        "setup": {"beliefs": [belief], "actor": {"principal": "anna"}},
        "input": {"channel": "llm_directive", "raw": raw},
        "expected": {"outcome": outcome, "unchanged": list(unchanged)},
    }


def test_a_right_answer_passes_and_a_wrong_one_fails_with_what_differs():
    events = (said(1, 80), said(2, 90, "b"))
    assert played(history(*events, expected=[{"values": [90]}])).word == "passed"
    came = played(history(*events, expected=[{"values": [80]}]))
    assert came.word == "failed"
    assert came.why == ("values [90], expected [80]",)


def test_types_are_told_apart():
    assert played(history(said(1, True), expected=[{"values": [1]}])).word == "failed"


def test_statuses_and_errors_are_judged():
    future = {"s": "api", "p": "port", "known_at": "2030-01-01T00:00:00+00:00"}
    events = (
        said(1, 80),
        {"op": "retract", "at": AT.format(2), "target": "a", "reason": "correction"},
    )
    query = [{"status": ["a"]}, future]
    right = [{"status": {"a": "retracted"}}, {"error": "known_at_in_future"}]
    assert played(history(*events, query=query, expected=right)).word == "passed"
    wrong = [{"status": {"a": "active"}}, {"error": "unit_mismatch"}]
    assert len(played(history(*events, query=query, expected=wrong)).why) == 2


def test_an_error_that_did_not_come_is_a_fault():
    query = [{"outcome": "b"}]
    came = played(history(said(1, 80), said(2, 90, "b"), query=query, expected=[{"error": "any"}]))
    assert came.word == "failed"


def test_what_is_argued_in_words_is_never_passed():
    came = played(history(said(1, 80), query=[{"explain": "a"}], expected=[{"note": "as told"}]))
    assert came.word == "not_judged"
    assert "in words" in came.why[0]


def test_an_operation_that_nobody_knows_is_not_judged():
    events = (said(1, 80), {"op": "dream", "at": AT.format(2)})
    came = played(history(*events, expected=[{"values": [80]}]))
    assert came.word == "not_judged"


def test_a_verb_that_is_missing_is_not_built(monkeypatch):
    from agm_store import BeliefStore

    monkeypatch.setattr(BeliefStore, "sweep", None)
    events = (said(1, 80), {"op": "sweep", "at": AT.format(2)})
    came = played(history(*events, expected=[{"values": [80]}]))
    assert came == ("not_built", ("the store has no sweep",))


def test_an_error_without_a_type_of_its_own_is_a_failure(monkeypatch):
    from agm_store.worlds import World

    monkeypatch.setattr(World, "standing", _broken())
    came = played(
        history(said(1, 80), query=[{"status": ["a"]}], expected=[{"status": {"a": "active"}}])
    )
    assert came.word == "failed"
    assert "ZeroDivisionError" in came.why[0]


def _broken():
    """A method whose code stands outside the folder of the casebook."""
    names = {}
    exec(compile("def standing(*_): 1 / 0", "library.py", "exec"), names)
    return names["standing"]


def test_a_case_that_this_program_cannot_read_is_not_judged():
    came = played({"events": [{"op": "assert", "at": AT.format(1)}], "query": [], "expected": []})
    assert came.word == "not_judged"
    assert played({"something": "else"}).word == "not_judged"


def test_attacks_are_judged_by_outcome_and_by_what_had_to_stay():
    answer = {"text": "port of api is 90", "confidence": 0.9}
    aimed = {"session_index": 0, "action": "supersede", "reason": "correction"}
    raw = json.dumps({"facts": [{**answer, "resolves": aimed}]})
    assert played(attack(raw, "applied")).word == "passed"
    assert played(attack(raw, "applied", ["b0"])).why == ("b0 changed",)
    outside = json.dumps({"facts": [{**answer, "resolves": {**aimed, "session_index": 9}}]})
    assert played(attack(outside, "rejected", ["b0"])).word == "passed"
    assert played(attack(outside, "applied", ["b0"])).word == "failed"


def test_the_command_prints_a_line_a_case_and_the_counts(tmp_path, capsys):
    file = tmp_path / "cases.jsonl"
    right = history(said(1, 80), expected=[{"values": [80]}])
    wrong = {"id": "W", **history(said(1, 80), expected=[{"values": [81]}])}
    file.write_text(f"{json.dumps(right)}\n\n{json.dumps(wrong)}\nno JSON\n", encoding="utf-8")
    assert main([str(file), "--json"]) == 1
    *lines, counts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["result"] for line in lines] == ["passed", "failed", "not_judged"]
    assert counts == {"passed": 1, "failed": 1, "not_judged": 1, "not_built": 0, "total": 3}
    file.write_text(json.dumps(right), encoding="utf-8")
    assert main([str(file)]) == 0
    assert main([str(tmp_path / "nothing.jsonl")]) == 2


@pytest.mark.parametrize("name", ["memory.jsonl", "attack.jsonl"])
def test_no_case_of_our_own_fails(name, capsys):
    assert main([str(Path(__file__).parents[1] / "cases" / name)]) == 0
    counts = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert counts["passed"] > 0.85 * counts["total"]


def test_nothing_is_looked_up_by_the_id_of_a_case():
    folder = Path(playing.__file__).parent
    for file in folder.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "MEM-" not in text
        assert 'case["id"]' not in text


def test_a_batch_goes_in_as_one_or_in_a_row_and_a_circle_is_held():
    def batch(*items):
        return {"op": "batch", "at": AT.format(2), "items": list(items)}

    def item(name, o, *over):
        return {"id": name, "o": o, "supersedes": list(over)}

    for items, value in (
        ([item("b", 1, "a")], 1),
        ([item("c", 2, "b"), item("b", 1, "a")], 2),
        ([item("b", 1, "a", "c"), item("c", 2, "b")], 0),
    ):
        came = played(history(said(1, 0), batch(*items), expected=[{"values": [value]}]))
        assert came.word == "passed", (items, came)


def test_a_look_that_works_again_decides_and_one_that_fails_does_not():
    for how, value in (("timeout", 80), ("contradiction", 90)):
        events = (
            said(1, 80),
            said(2, 90, "b", check="error"),
            {"op": "sweep", "at": AT.format(3), "recheck": {"b": how}},
        )
        assert played(history(*events, expected=[{"values": [value]}])).word == "passed"


def test_times_that_are_none_are_the_stores_to_refuse():
    query = [{"outcome": "a"}, {"status": ["a"]}]
    expected = [{"error": "timestamp_not_iso8601"}, {"status": {"a": "rejected"}}]
    for given in ("yesterday", 1767225600):
        events = (said(1, 80, valid_from=given),)
        assert played(history(*events, query=query, expected=expected)).word == "passed"


def test_what_is_shared_is_read_and_not_changed():
    events = (
        said(1, 80, by="anna"),
        {"op": "share", "at": AT.format(2), "target": "a", "to": "bob", "by": "anna"},
        {"op": "correct", "id": "b", "at": AT.format(3), "target": "a", "o": 81, "by": "bob"},
    )
    query = [{"s": "api", "p": "port", "by": "bob"}, {"outcome": "b"}]
    expected = [{"values": [80]}, {"error": "not_owner"}]
    assert played(history(*events, query=query, expected=expected)).word == "passed"


def test_each_owner_has_statuses_of_their_own():
    events = (said(1, 80, by="anna"), said(2, 90, "b", by="bob"))
    query = [
        {"status": ["a", "b"]},
        {"s": "api", "p": "port", "by": "bob"},
        {"s": "api", "p": "port"},
    ]
    expected = [{"status": {"a": "active", "b": "active"}}, {"values": [90]}, {"values": [80]}]
    assert played(history(*events, query=query, expected=expected)).word == "passed"


def test_a_set_up_may_hold_what_was_retracted_or_cannot_be():
    case = attack('{"facts": []}', "applied", ["b0"])
    case["setup"]["beliefs"][0]["status"] = "retracted"
    gone = {**case["setup"]["beliefs"][0], "ref": "b1", "status": "active"}
    gone["claim"] = {"entity": "a\0b", "attribute": "port", "value": 1}
    case["setup"]["beliefs"].append(gone)
    assert played(case).word == "passed"

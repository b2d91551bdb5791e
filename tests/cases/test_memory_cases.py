"""Histories that other memory systems got wrong, played on each backend."""

import json
from pathlib import Path

import pytest

from laboratory.casebook.stage import Stage
from tests.cases.judging import judge

_LINES = Path(__file__).with_name("memory.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in _LINES]


def verdicts(case, path):
    owner = next((e["by"] for e in case["events"] if "by" in e), "owner")
    stage = Stage(path, principal=owner)
    stage.play_all(case["events"])
    asked = zip(case["queries"], case["expected"], strict=True)
    found = [judge(stage, query, expected) for query, expected in asked]
    stage.store.close()
    return found


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['id']}-{c['kind']}")
def test_a_history_is_answered_as_it_should_be(case, backend, tmp_path):
    path = None if backend == "memory" else tmp_path / "store.db"
    found = verdicts(case, path)
    assert any(v.judged for v in found), "nothing of the case was compared"
    assert [fault for v in found for fault in v.faults] == [], case["why"]


def test_most_queries_are_judged_by_value():
    judged = [v.judged for case in CASES for v in verdicts(case, None)]
    assert sum(judged) >= 0.9 * len(judged)

"""Hostile input, and benign controls that must go through."""

import json
from pathlib import Path

import pytest

from laboratory.casebook.attacks import play

_LINES = Path(__file__).with_name("attack.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in _LINES]
REASONS = {
    "not_owner": "not_owner|shared|unknown_target",
    "unknown_target": "index_out_of_range|no belief of yours",
    "not_found": "no belief of yours",
    "invalid_directive": "index_out_of_range",
    "self_reference": "self_supersede",
    "cycle": "supersession_cycle|without ground: \\[\\]",
    "conflicting_directives": "contradictory_directives",
    "invalid_json": "unparseable",
    "invalid_confidence": "invalid_confidence|not_a_number",
    "entrenchment": "weaker_claim|not_compared",  # a text alone is held before ranks are compared
    "extra_fields": "extra_field",
    "recorded_at_is_system_owned": "recorded_at",
    "control_character": "control character",
    "non_finite": "no number",
    "limit": "too large",
    "idempotency_conflict": "another body",
    "principal_required": "principal None",
    "append_only": "grows at its end only",
}
"""Where the detail of an outcome names the reason, by the codes of the vocabulary."""


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['id']}-{c['attack']}")
def test_an_attack_changes_nothing_and_a_control_goes_through(case, tmp_path):
    path = tmp_path / "store.db" if case["input"]["channel"] == "tamper" else None
    outcome, changed = play(case, path)
    assert case["expected"]["outcome"] in outcome.words, outcome
    assert changed == []
    reason = REASONS.get(case["expected"]["reason_code"])
    if reason is not None:
        assert any(part.replace("\\", "") in outcome.detail for part in reason.split("|")), outcome

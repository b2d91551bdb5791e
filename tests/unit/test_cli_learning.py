"""The commands ``corrections`` and ``learning``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from agm import attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store import open_store
from agm_store.cli import main
from agm_store.learning import from_jsonl
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A store in which a machine was wrong once and right once."""
    found = str(tmp_path / "store.db")
    ttl = attr("cache", "ttl", of=int)
    with open_store(found, principal="anna", clock=Clock(3)) as store:
        old = store.tell(ttl == 1, valid_from=day(0), source="wiki").belief
        aim = Resolves(session_index=0, action="supersede", reason="temporal_change")
        for value in (2, 3):
            fact = Fact(
                claim=ttl == value, text=f"\x1b[31mit is {value}", confidence=0.9, resolves=[aim]
            )
            answer = Extraction(shown=Shown(beliefs=[old]), facts=[fact])
            told = store.tell_all(answer, entrenchment="asserted", source="chat").told[0]
            if value == 2:
                store.revert(told.entry)
    return found


def test_revisions_are_listed(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", path, "--as", "anna", "corrections"]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[1] for line in shown.splitlines()] == ["update", "revert", "update"]
    assert "taken back" in shown.splitlines()[0]
    assert "\x1b" not in shown
    assert main(["--db", path, "--as", "anna", "corrections", "--jsonl"]) == 0
    lines = capsys.readouterr().out
    assert main(["--db", path, "--as", "anna", "corrections", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    with open_store(path, principal="anna") as store:
        assert from_jsonl(lines) == store.corrections()
    assert [json.loads(line) for line in lines.splitlines()] == rows


def test_nothing_was_revised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = str(tmp_path / "store.db")
    open_store(found, principal="anna").close()
    assert main(["--db", found, "--as", "anna", "corrections"]) == 0
    assert main(["--db", found, "--as", "anna", "learning"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "Nothing was revised."
    assert shown[1].startswith("no threshold for 0.05 wrong: too few labels: 0")


def test_what_was_learnt_is_said(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", path, "--as", "anna", "learning"]) == 0
    shown = capsys.readouterr().out
    assert "source chat (asserted): 0.50, 0.09 to 0.91; 1 of 2 were wrong" in shown
    assert "verdicts solver: 1 of 2 retirements were right, 0.01 to 0.99" in shown
    assert main(["--db", path, "--as", "anna", "learning", "--json", "--max-wrong", "0.99"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["threshold"]["confidence"] == 0.9
    assert found["threshold"]["labels"] == 2
    assert main(["--db", path, "--as", "anna", "learning", "--max-wrong", "0.99"]) == 0
    assert "threshold for 0.99 wrong: 0.9" in capsys.readouterr().out
    assert main(["--db", path, "--as", "anna", "learning", "--max-wrong", "0"]) == 2

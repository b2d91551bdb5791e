"""What an export holds of others: digests, and its chain can be checked all the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agm import attr
from agm_store import open_store
from agm_store.entries import canonical, chain, digest
from agm_store.errors import ImportRefused, UnreadableFile
from agm_store.exports import verify_export
from tests.strategies.shell import Shell
from tests.strategies.stores import TTL, Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "bobs-own"


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "store.db" if request.param == "file" else None)
    yield made
    made.store.close()


def shared_store(desk: Desk) -> tuple[str, Any]:
    bob = desk.store.acting_as("bob")
    bob.tell(attr("x", "y") == SECRET, source=SECRET)
    a = desk.tell(TTL == 300)
    bob.tell(attr("x", "z") == SECRET)
    desk.tell(attr("anna", "word") == "canary")
    desk.store.redact("b4")
    return a, bob


class TestOfOneOwner:
    def test_nothing_of_others_is_in_it_and_the_chain_is_whole(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        shared_store(desk)
        out = tmp_path / "out.jsonl"
        assert desk.store.export_to(out) == 5
        text = out.read_text()
        assert SECRET not in text
        assert "ttl(cache) = 300" in text
        assert verify_export(out) == {**desk.store.verify(), "hidden": 2}

    def test_it_is_no_import_and_says_what_would_be(self, desk: Desk, tmp_path: Path) -> None:
        shared_store(desk)
        desk.store.export_to(tmp_path / "out.jsonl")
        twin = Desk()
        with pytest.raises(ImportRefused, match="everybody=True"):
            twin.store.import_from(tmp_path / "out.jsonl")
        assert twin.store.stats().entries == 0

    def test_everybody_is_asked_for_by_name(self, desk: Desk, tmp_path: Path) -> None:
        shared_store(desk)
        out = tmp_path / "out.jsonl"
        desk.store.export_to(out, everybody=True)
        assert SECRET in out.read_text()
        twin = Desk()
        twin.store.import_from(out)
        assert twin.store.verify() == desk.store.verify()
        assert verify_export(out) == {**desk.store.verify(), "hidden": 0}

    def test_alone_an_owner_writes_all(self, desk: Desk, tmp_path: Path) -> None:
        desk.tell(TTL == 300)
        desk.store.export_to(tmp_path / "a")
        desk.store.export_to(tmp_path / "b", everybody=True)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def _changed(lines: list[dict[str, Any]], how: str) -> list[dict[str, Any]]:
    mine = next(n for n, line in enumerate(lines) if "body" in line and "claim" in line["body"])
    blank = next(n for n, line in enumerate(lines) if {"digest", "body"} <= line.keys())
    if how == "body":
        lines[mine]["body"]["claim"] = "ttl(cache) = 301"
    elif how == "owner":
        lines[mine]["owner"] = "bob"
    elif how == "kind":
        lines[mine]["at"] = "now"
    elif how == "hidden":
        del lines[mine]["body"]
        lines[mine]["digest"] = "0" * 64
    elif how == "cut":
        lines.pop()
    elif how == "missing":
        del lines[mine]
    elif how == "number":
        lines[1]["seq"] = 9
    elif how == "redaction":
        lines[blank]["body"]["class"] = "core"
    elif how == "head":
        lines[0]["head"] = "0" * 64
    elif how == "forged":
        line = lines[mine]
        line["body"]["claim"] = "ttl(cache) = 301"
        names = line["owner"], line["id"], line["at"]
        known = digest(canonical(line["body"]))
        line["hash"] = chain(lines[mine - 1]["hash"], line["seq"], *names, known)
    elif how == "extra":
        lines[mine]["more"] = 1
    return lines


@pytest.mark.parametrize(
    "how",
    [
        "body",
        "owner",
        "kind",
        "hidden",
        "cut",
        "missing",
        "number",
        "redaction",
        "head",
        "extra",
        "forged",
    ],
)
def test_a_changed_file_is_found(how: str, tmp_path: Path) -> None:
    desk = Desk()
    shared_store(desk)
    out = tmp_path / "out.jsonl"
    desk.store.export_to(out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    out.write_text("".join(f"{canonical(line)}\n" for line in _changed(lines, how)))
    with pytest.raises(ImportRefused):
        verify_export(out)


def test_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        verify_export(tmp_path / "none")
    (tmp_path / "empty").touch()
    with pytest.raises(ImportRefused):
        verify_export(tmp_path / "empty")


def test_on_the_command_line(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, capsys, monkeypatch)
    shell("tell", "ttl(cache) = 300")
    with open_store(shell.db, principal="bob") as bob:
        bob.tell(attr("x", "y") == SECRET)
    assert SECRET not in shell("export", "-")
    assert SECRET in shell("export", "-", "--everybody")
    out = tmp_path / "out.jsonl"
    shell("export", out)
    assert "1 by their digest alone, the chain is whole" in shell("verify", "--export", out)
    assert shell.json("verify", "--export", out)["hidden"] == 1
    shell.refused("verify", "--export", tmp_path / "none")
    shell.refused("verify", "--export", out, "--count", 1, code=2)

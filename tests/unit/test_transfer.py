"""Exports and imports: equal bytes, all or nothing, and a reason for every line that does not fit."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from agm_store.bodies import misfit
from agm_store.entries import Entry, canonical
from agm_store.errors import (
    ChainBroken,
    ImportRefused,
    InvalidArgument,
    ReadOnlyStore,
    UnreadableFile,
)
from agm_store.memory import MemoryJournal
from agm_store.sealing import SCHEMA, Settings, linked
from agm_store.sqlite import SqliteJournal
from agm_store.transfer import export_to, import_from, settings_in, verify
from tests.contract.journals import rule, tell
from tests.strategies.slot_histories import histories

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def told() -> MemoryJournal:
    journal = MemoryJournal()
    journal.append(
        "anna",
        "b1",
        10,
        tell("ttl(cache)", 300, **{"from": 5}, source='Zoë\'s "note"\n', confidence=0.1),
    )
    journal.append("ben", "b1", 11, tell("ttl(cache)", 900, text="\u2028 🌍"))
    journal.append("anna", "b2", 12, rule("p -> q", "p", "q"))
    return journal


@pytest.fixture
def exported(told: MemoryJournal, tmp_path: Path) -> Path:
    path = tmp_path / "export.jsonl"
    assert export_to(told, path) == 3
    return path


def test_an_export_is_one_canonical_line_an_entry_below_its_settings(
    exported: Path, told: MemoryJournal
) -> None:
    header, *lines = exported.read_text(encoding="utf-8").split("\n")[:-1]
    assert json.loads(header) == {
        "count": 3, "format": "agm-journal", "head": told.head().hash, "order": None, "replay": False, "schema": SCHEMA,
    }  # fmt: skip
    assert [canonical(json.loads(line)) for line in (header, *lines)] == [header, *lines]
    assert [json.loads(line)["body"] for line in lines] == [e.body for e in told.entries()]
    assert [file.name for file in exported.parent.iterdir()] == ["export.jsonl"]


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_an_export_goes_through_a_link_or_a_pipe_and_leaves_it_there(
    exported: Path, told: MemoryJournal, tmp_path: Path
) -> None:
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to("led.jsonl")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert export_to(told, link) == export_to(told, pipe) == 3
        assert os.read(reader, 100_000) == exported.read_bytes()
    finally:
        os.close(reader)
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert (tmp_path / "led.jsonl").read_bytes() == exported.read_bytes()
    assert len([*tmp_path.iterdir()]) == 4


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_new_journal_takes_everything(
    kind: str, exported: Path, told: MemoryJournal, tmp_path: Path
) -> None:
    journal = (
        MemoryJournal()
        if kind == "memory"
        else SqliteJournal(str(tmp_path / "new.db"), create=True)
    )
    assert import_from(journal, exported) == 3
    assert list(journal.entries()) == list(told.entries())
    assert verify(journal) == verify(told)
    again = tmp_path / "again.jsonl"
    export_to(journal, again)
    assert again.read_bytes() == exported.read_bytes()
    assert import_from(journal, exported) == 0


def test_an_import_goes_on_where_a_store_ends(
    exported: Path, told: MemoryJournal, tmp_path: Path
) -> None:
    journal = MemoryJournal()
    import_from(journal, exported)
    told.append("anna", "b3", 20, tell("x(y)", 1))
    longer = tmp_path / "longer.jsonl"
    export_to(told, longer)
    assert import_from(journal, longer) == 1
    assert verify(journal) == verify(told)
    journal.append("anna", "own", 30, tell("x(y)", 2))
    told.append("anna", "other", 30, tell("x(y)", 3))
    export_to(told, longer)
    with pytest.raises(ImportRefused, match="another one here"):
        import_from(journal, longer)


def test_settings_come_along_into_an_empty_journal_only(tmp_path: Path) -> None:
    order = {"classes": ["high", "low"], "preferences": [["high", "low"]]}
    old = MemoryJournal(replay=True, order=order)
    old.append("anna", "b1", 1, tell("x(y)", 1, **{"class": "high"}))
    path = tmp_path / "export.jsonl"
    export_to(old, path)
    assert settings_in(path) == Settings(order, replay=True)
    new = SqliteJournal(str(tmp_path / "new.db"), create=True)
    import_from(new, path)
    assert (new.replay, new.order) == (True, order)
    verify(SqliteJournal(str(tmp_path / "new.db")))
    taken = MemoryJournal()
    taken.append("anna", "b1", 1, tell("x(y)", 1))
    with pytest.raises(ImportRefused, match="order or replay"):
        import_from(taken, path)


def line_of(exported: Path, number: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(exported.read_text(encoding="utf-8").split("\n")[number - 1])
    return found


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    def apply(line: str) -> str:
        found = json.loads(line)
        change(found)
        return canonical(found)

    return apply


@pytest.mark.parametrize(("number", "change", "why"), [
    (1, lambda _: "", "no JSON"),
    (1, changed(lambda h: h.pop("order")), "no header"),
    (1, changed(lambda h: h.update(count=True)), "no header"),
    (1, changed(lambda h: h.update(schema=99)), "schema 99"),
    (1, changed(lambda h: h.update(format="diary")), "diary"),
    (1, changed(lambda h: h.update(count=4)), "promises 4 entries"),
    (1, changed(lambda h: h.update(replay=True)), "hash does not follow"),
    (2, lambda line: line + " ", "canonical"),
    (2, lambda line: line.replace('"seq":1', '"seq":1,"seq":1'), "canonical"),
    (2, lambda line: line.replace("0.1", "NaN"), "no JSON"),
    (2, lambda line: line.replace("0.1", "1e999"), "no JSON"),
    (2, lambda line: line.replace("0.1", "1" * 5000), "no JSON"),
    (2, lambda line: line.replace("Zoë", "\\ud800"), "no JSON|canonical"),
    (2, lambda line: line.replace("0.1", "[" * 100_000 + "]" * 100_000), "no JSON"),
    (2, lambda line: "[]", "no object"),
    (2, lambda line: "{}", "no entry"),
    (2, changed(lambda e: e.update(at="10")), "no entry"),
    (2, changed(lambda e: e.update(more=1)), "no entry"),
    (2, changed(lambda e: e["body"].update(value="301")), "hash does not follow"),
    (2, changed(lambda e: e.update(owner="ben")), "hash does not follow"),
    (2, changed(lambda e: e.update(seq=2)), "hash does not follow"),
    (2, changed(lambda e: e["body"].pop("class")), "needs 'class'"),
    (2, changed(lambda e: e["body"].update(op="sing")), "none of"),
    (3, lambda line: "", "no JSON"),
    (4, changed(lambda e: e.update(at=1)), "hash does not follow"),
])  # fmt: skip
def test_a_line_that_does_not_fit_is_named_and_nothing_is_written(
    exported: Path, number: int, change: Callable[[str], str], why: str
) -> None:
    lines = exported.read_text(encoding="utf-8").split("\n")
    lines[number - 1] = change(lines[number - 1])
    exported.write_text("\n".join(lines), encoding="utf-8", errors="surrogatepass")
    journal = MemoryJournal()
    with pytest.raises(ImportRefused, match=why) as caught:
        import_from(journal, exported)
    assert caught.value.line >= number
    assert journal.head().count == 0
    assert journal.tokens("anna", "ttl") == []


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_file_that_was_cut_is_refused(exported: Path, cut: int) -> None:
    exported.write_bytes(exported.read_bytes()[:-cut])
    with pytest.raises(ImportRefused):
        import_from(MemoryJournal(), exported)


def test_missing_lines_are_noticed(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(b"".join(lines[:3]))
    with pytest.raises(ImportRefused, match="promises 3 entries, found 2"):
        import_from(MemoryJournal(), exported)
    exported.write_bytes(b"")
    with pytest.raises(ImportRefused, match="no header"):
        import_from(MemoryJournal(), exported)


def test_an_import_that_fails_half_way_leaves_a_file_as_it_was(
    exported: Path, tmp_path: Path
) -> None:
    journal = SqliteJournal(str(tmp_path / "new.db"), create=True)
    lines = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(b"".join([*lines[:3], b"nonsense\n"]))
    with pytest.raises(ImportRefused):
        import_from(journal, exported)
    assert verify(journal)["count"] == 0
    assert journal.tokens("anna", "ttl") == []
    journal.append("anna", "b1", 1, tell("ttl(cache)", 1))
    assert verify(journal)["count"] == 1


def test_paths_that_cannot_serve(told: MemoryJournal, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        import_from(told, tmp_path / "nowhere")
    with pytest.raises(UnreadableFile):
        settings_in(tmp_path / "nowhere")
    with pytest.raises(ReadOnlyStore):
        export_to(told, tmp_path / "nowhere" / "export")
    journal = SqliteJournal(str(tmp_path / "store.db"), create=True)
    with pytest.raises(InvalidArgument):
        export_to(journal, tmp_path / "store.db")
    assert verify(journal)["count"] == 0


@pytest.mark.parametrize(
    "anchor",
    [
        "x",
        {},
        {"count": "3", "head": ""},
        {"count": True, "head": ""},
        {"count": 1},
        {"count": 0, "head": "abc"},
        {"count": -2, "head": "9f" * 32},
        {"count": 10**30, "head": "9f" * 32},
        {"count": 1, "head": "9F" * 32},
        {"count": 1, "head": "9f" * 33},
        {"count": 1, "head": b"9f" * 32},
        ["count", "head"],
    ],
)
def test_an_anchor_is_what_verify_gave(told: MemoryJournal, anchor: object) -> None:
    with pytest.raises(InvalidArgument):
        verify(told, anchor)


def test_an_export_is_the_same_under_any_hash_seed_and_time_zone(tmp_path: Path) -> None:
    code = """
import sys
from agm_store.sqlite import SqliteJournal
from agm_store.transfer import export_to
from tests.contract.journals import rule, tell
journal = SqliteJournal(sys.argv[1] + ".db", create=True)
for number in range(20):
    slot = f"ttl(c{number % 3})"
    journal.append("anna", f"b{number}", number, tell(slot, number, **{"from": number}))
journal.append("anna", "r", 30, rule("p -> q", "q", "p"))
export_to(journal, sys.argv[1])
"""
    found = set()
    for seed, zone in [(s, z) for s in range(4) for z in ("UTC", "Asia/Kathmandu")]:
        path = tmp_path / f"{seed}-{zone[:3]}"
        paths = os.pathsep.join(str(ROOT / part) for part in ("", "store", "propagation"))
        environment = os.environ | {"PYTHONHASHSEED": str(seed), "TZ": zone, "PYTHONPATH": paths}
        subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=environment)
        found.add(path.read_bytes())
    assert len(found) == 1


@settings(max_examples=60)
@given(histories())
def test_every_history_fits_and_travels(entries: list[Entry]) -> None:
    one, other = MemoryJournal(), MemoryJournal()
    for entry in entries:
        assert misfit(entry.body) is None
        one.append(*entry[1:])
    for record in one.records():
        other.restore(record)
    assert verify(other) == verify(one)
    assert list(other.entries()) == list(one.entries())


@pytest.mark.parametrize("body", [
    {}, {"op": 1}, {"op": "tell"}, {"op": "retract"}, {"op": "revert", "target": "b1"},
    {"op": "expire", "target": "b", "at": 1.5},
    {"op": "expire", "target": "b", "at": True}, {"op": "declare", "predicate": "p", "declaration": []},
    {"op": "tell", "class": "asserted", "mode": "assertion", "state": "admitted"},
    *({**tell("x(y)", 1), **wrong} for wrong in (
        {"from": "now"}, {"to": 2**63}, {"default": 1}, {"on": "x"}, {"because": [1]}, {"inherits": 1}, {"value": 1},
        {"resolves": {}}, {"resolves": [1]},
        {"resolves": [{"tellings": ["b"], "target": "b", "action": "x", "reason": "correction"}]},
        {"resolves": [{"tellings": ["b"], "target": "b", "action": "retract", "reason": "temporal_change"}]},
        {"resolves": [{"tellings": "b", "target": "b", "action": "retract", "reason": "correction"}]},
        {"resolves": [{"tellings": [], "target": "b", "action": "supersede", "reason": "correction", "before": 1}]},
    )),
    {k: v for k, v in tell("x(y)", 1).items() if k != "value"},
])  # fmt: skip
def test_bodies_of_the_wrong_shape_have_a_reason(body: dict[str, Any]) -> None:
    assert isinstance(misfit(body), str)


def test_an_anchor_of_no_entries_is_the_beginning(told: MemoryJournal) -> None:
    """Its hash is that of the settings, so that a journal with other ones is told apart."""
    start = {"count": 0, "head": MemoryJournal().head().hash}
    assert verify(told, start) == {"count": 3, "head": told.head().hash}
    with pytest.raises(ChainBroken, match="another beginning"):
        verify(MemoryJournal(replay=True), start)
    with pytest.raises(ChainBroken) as caught:
        verify(told, {"count": 4, "head": told.head().hash})
    assert caught.value.seq == 4


def test_times_that_go_back_are_found_although_every_hash_is_right(tmp_path: Path) -> None:
    journal = MemoryJournal()
    for entry_id, at in (("b1", 10), ("b2", 9)):
        text = canonical(tell("ttl(cache)", 300))
        journal.restore(linked(journal.head(), "anna", entry_id, at, text))
    with pytest.raises(ChainBroken, match="earlier"):
        verify(journal)
    path = tmp_path / "export.jsonl"
    export_to(journal, path)
    into = MemoryJournal()
    with pytest.raises(ImportRefused, match="earlier"):
        import_from(into, path)
    assert into.head().count == 0

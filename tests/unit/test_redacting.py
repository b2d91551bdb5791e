"""Redaction: what was said goes for good, from both backends, and everything around it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agm import attr, relation
from agm_store import open_store
from agm_store.errors import (
    ChainBroken,
    ImportRefused,
    JournalConflict,
    RedactedBelief,
    StoreBusy,
    TargetRetired,
    UnknownBelief,
)
from agm_store.memory import MemoryJournal
from tests.strategies.stores import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CANARY = "canary-5f1d"
WORD = attr("anna", "password")


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "store.db" if request.param == "file" else None)
    yield made
    made.store.close()


def traces(folder: Path) -> list[str]:
    """The files of a folder in which the canary is found."""
    return sorted(f.name for f in folder.iterdir() if CANARY.encode() in f.read_bytes())


class TestWhatGoes:
    def test_no_file_of_the_store_holds_a_trace(self, tmp_path: Path) -> None:
        with open_store(tmp_path / "s.db", principal="anna") as store:
            store.tell(WORD == "old")
            secret = store.tell(
                WORD == CANARY, text=f"it is {CANARY}", citation=f"{CANARY} p. 1", source="mail"
            ).belief
            atom = store.tell(relation("likes", "anna", f"{CANARY} tea"), statement="s1").belief
            text = store.tell(text=f"a word alone: {CANARY}").belief
            taken = store.tell(relation("owns", f"{CANARY} car")).belief
            store.retract(taken, note=f"no {CANARY} car")
            ended = store.tell(relation("has", f"{CANARY} bike")).belief
            store.expire(ended)
            past = store.tell(attr("anna", "code") == f"{CANARY} code").belief
            store.expire(past)
            store.recall(CANARY)
            assert traces(tmp_path)
            for belief in (secret, atom, text, taken, ended, past):
                store.redact(belief, note="asked to")
            assert traces(tmp_path) == []
            assert store.recall(CANARY) == ()
            store.verify()
            store.rebuild()
            store.verify()
            store.export_to(tmp_path / "out.jsonl")
        assert traces(tmp_path) == []

    def test_the_other_tellings_of_the_claim_and_who_quotes_it_are_named(self, desk: Desk) -> None:
        a, b = desk.tell(WORD == CANARY), desk.tell(WORD == CANARY)
        desk.store.contract(attr("bob", "password") == CANARY)
        notices = " ".join(desk.store.redact(a, note="").notices)
        assert f"also told by {b}" in notices
        assert "entry 3 (contract" in notices

    def test_conclusions_from_it_are_flagged(self, desk: Desk) -> None:
        for claim in (WORD == CANARY, relation("likes", "anna", CANARY)):
            a = desk.store.tell(claim).belief
            b = desk.store.tell(relation("risky", str(a)), because=[a]).belief
            flags = desk.store.redact(a, note="").flags
            assert [(f.on, f.kind, list(f.because)) for f in flags] == [(b, "support_lost", [a])]
            assert desk.side(b).standing == "unsupported"


class TestWhatStays:
    def test_a_redacted_successor_still_ends_its_predecessor_and_answers_nothing(
        self, desk: Desk
    ) -> None:
        a = desk.tell(WORD == "old", since=0)
        b = desk.tell(WORD == CANARY, since=5)
        desk.store.redact(b, note="")
        assert desk.values([4, 9], WORD) == ["old", None]
        assert desk.side(a, 9).status == "superseded"
        assert desk.side(b, 9).status == "redacted"
        assert desk.side(b, 9).claim is None
        assert desk.world(9).why(a).replaced_by == b

    def test_nothing_answers_of_the_past_either(self, desk: Desk) -> None:
        b = desk.receipt(WORD == CANARY)
        desk.store.redact(b.belief, note="")
        assert desk.store.at(known=b.entry).ask(WORD).sides == ()

    def test_the_slot_takes_new_values(self, desk: Desk) -> None:
        b = desk.tell(WORD == CANARY)
        desk.store.redact(b, note="")
        desk.tell(WORD == "new")
        assert desk.store.ask(WORD).value == "new"


class TestWhatIsRefused:
    def test_it_cannot_be_restored_changed_or_redacted_again(self, desk: Desk) -> None:
        b = desk.tell(WORD == CANARY)
        gone = desk.store.retract(b)
        entry = desk.store.redact(b, note="").entry
        count = desk.store.stats().entries
        for call in (
            lambda: desk.store.revert(entry),
            lambda: desk.store.revert(gone.entry),
            lambda: desk.store.redact(b, note=""),
            lambda: desk.store.reclassify(1, "historical"),
        ):
            with pytest.raises(RedactedBelief):
                call()
        for change in (desk.store.retract, desk.store.expire):
            with pytest.raises(TargetRetired):
                change(b)
        assert desk.store.stats().entries == count

    def test_a_foreign_belief_is_unknown(self, desk: Desk) -> None:
        b = desk.tell(WORD == CANARY)
        with pytest.raises(UnknownBelief):
            desk.store.acting_as("mallory").redact(b, note="")

    def test_the_statement_heard_again_is_refused(self, desk: Desk) -> None:
        desk.store.tell(WORD == CANARY, statement="s1")
        desk.store.redact("s1", note="")
        with pytest.raises(RedactedBelief):
            desk.store.tell(WORD == CANARY, statement="s1")

    def test_the_file_lets_nobody_blank_in_silence(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path / "s.db")
        journal: Any = desk.store._journal
        a, b = desk.tell(WORD == "one"), desk.tell(attr("bob", "password") == CANARY)
        desk.store.redact(b, note="")
        text = next(journal.records(upto=1)).text
        other = text.replace('"one"', '"two"')
        blank = '{"class":"asserted","default":true,"mode":"assertion","op":"tell","redacted":3,"state":"admitted"}'
        for body in (other, blank):
            with pytest.raises(JournalConflict):
                journal.blank({1: body})
        longer = next(journal.records(after=1, upto=2)).text.replace("tell", "sell")
        with pytest.raises(JournalConflict):
            journal.blank({2: longer})
        assert desk.store.ask(WORD).value == "one"
        assert a
        desk.store.verify()
        desk.store.close()

    def test_a_failed_transaction_takes_it_back(self, desk: Desk) -> None:
        b = desk.tell(WORD == CANARY)

        def redacts_and_fails() -> None:
            with desk.store.transaction():
                desk.store.redact(b, note="")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            redacts_and_fails()
        assert desk.store.ask(WORD).value == CANARY
        desk.store.verify()


class TestMovedElsewhere:
    def test_an_export_carries_the_redaction(self, desk: Desk, tmp_path: Path) -> None:
        b = desk.tell(WORD == CANARY)
        early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
        desk.store.export_to(early)
        desk.store.redact(b, note="")
        desk.tell(WORD == "new")
        desk.store.export_to(late)
        for first in ((), (early,)):
            twin = Desk()
            for path in (*first, late):
                twin.store.import_from(path)
            assert twin.store.verify() == desk.store.verify()
            assert twin.side(b).status == "redacted"
            assert twin.side(b).claim is None

    def test_a_body_blanked_without_an_entry_is_no_import(self, desk: Desk, tmp_path: Path) -> None:
        desk.tell(WORD == CANARY)
        desk.tell(WORD == "new")
        path = tmp_path / "out.jsonl"
        desk.store.export_to(path)
        lines = path.read_text().splitlines()
        lines[1] = (
            lines[1]
            .replace(f'"claim":"password(anna) = \\"{CANARY}\\"",', "")
            .replace(f'"value":"\\"{CANARY}\\""', '"redacted":2')
            .replace('"hash"', f'"digest":"{next(desk.store._journal.records()).digest}","hash"')
        )
        import json

        from agm_store.entries import canonical

        lines[1] = canonical(json.loads(lines[1]))
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(ImportRefused, match="redacted"):
            Desk().store.import_from(path)

    def test_a_redacted_body_that_was_changed_again_is_found(self, desk: Desk) -> None:
        b = desk.tell(WORD == CANARY)
        desk.store.redact(b, note="")
        journal: Any = desk.store._journal
        text = next(iter(journal.records())).text.replace("asserted", "core")
        if not isinstance(journal, MemoryJournal):
            with pytest.raises(JournalConflict, match="no entry is changed"):
                journal.blank({1: text})
            desk.store.verify()
            return
        journal.blank({1: text})
        with pytest.raises(ChainBroken):
            desk.store.verify()


class TestOtherReaders:
    def test_traces_that_a_reader_keeps_are_removed_by_a_rebuild(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "s.db"
        store = open_store(path, principal="anna")
        belief = store.tell(WORD == CANARY).belief
        store._journal._execute("PRAGMA busy_timeout = 50")  # type: ignore[attr-defined]
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM journal").fetchone()
        with pytest.raises(StoreBusy):
            store.redact(belief, note="")
        assert store.why(belief).status == "redacted"
        store.tell(WORD == "new")
        reader.execute("ROLLBACK")
        reader.close()
        store.rebuild()
        assert traces(tmp_path) == []
        store.verify()
        store.close()

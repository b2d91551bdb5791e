"""What records print, and the words that help where something was wrongly used."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agm import Verdict, attr
from agm.directives import Extraction, Fact, NotRun, Resolves, Shown
from agm.errors import AgmError
from agm.verdicts import InvalidVerdict
from agm_store import open_store
from agm_store.errors import InvalidArgument
from agm_store.times import spoken
from tests.strategies.shell import Shell
from tests.strategies.stores import TTL, Desk, day


class Says:
    def __init__(self, verdict: Any) -> None:
        self.verdict = verdict

    def compare(self, new: str, old: str, /) -> Any:
        return self.verdict


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def shell(tmp_path: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Shell:
    made = Shell(tmp_path, capsys, monkeypatch)
    made("tell", "ttl(cache) = 300", "--id", "a")
    return made


class TestWhatIsPrinted:
    def test_a_receipt_names_its_belief_and_what_it_cost(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, on=0)
        desk.clock.on(1)
        printed = str(desk.store.correct(a, TTL == 600))
        assert printed.splitlines()[0] == "b2: active, entry 2"
        assert f"  retires {a}: ttl(cache) = 300 (against b2)" in printed.splitlines()

    def test_a_loss_of_words_shows_them(self, desk: Desk) -> None:
        store = open_store(
            None, principal="anna", clock=desk.clock,
            entailment=Says(Verdict("contradiction", "x", confidence=0.9)),
        )  # fmt: skip
        store.tell(text="Ada sits in\n12")
        desk.clock.on(1)
        receipt = store.tell(text="Ada sits in 14")
        assert "text b1: Ada sits in\\\\n12" in str(receipt.retired[0].belief.claim)
        assert "Ada sits in" in repr(receipt.retired[0].belief)
        assert "retires b1" in str(receipt)

    def test_reviews_hits_and_sides(self, desk: Desk) -> None:
        desk.tell(TTL == 300, entrenchment="core")
        held = desk.tell(TTL == 600, source="chat\x1b[2J")
        review = str(desk.store.inbox()[0])
        assert review.startswith(f"{held}: ttl(cache) = 600, told by chat\\x1b[2J")
        assert "options: approve" in review
        hit = str(desk.store.recall("ttl")[0])
        assert hit.startswith("b1: ttl(cache) = 300 (active since 2024-01-01")
        assert "held against it: 1" in hit

    def test_a_history_says_what_keeps_an_active_statement_out(self, desk: Desk) -> None:
        size = attr("cache", "size", of=int)
        a = desk.tell(TTL == 300, on=0)
        desk.store.tell((TTL == 300) >> (size >= 14), entrenchment="core")
        assert str(desk.store.history(a)).endswith("(active since 2024-01-01)")
        desk.tell(size == 3, on=2)
        assert str(desk.store.history(a)).endswith("(active since 2024-01-01, overridden)")

    def test_batches_imprints_artefacts_and_bulk_decisions(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, entrenchment="core")
        fact = Fact(
            claim=TTL == 5,
            confidence=0.9,
            resolves=[Resolves(session_index=0, action="supersede", reason="correction")],
        )
        batch = desk.store.tell_all(
            Extraction(shown=Shown(beliefs=[a]), facts=[fact]), entrenchment="asserted", source="s"
        )
        assert str(batch).splitlines()[0] == "told 0, in review 1, refused 0"
        none = desk.store.tell_all(NotRun("timeout", "away"), entrenchment="asserted", source="s")
        assert str(none) == "nothing was recorded: timeout: away"
        assert str(desk.store.imprint("wiki", "v1", [attr("w", "a") == 1])).startswith(
            "wiki: version v1, entry "
        )
        assert str(desk.store.artefact("report", rests_on=[a])).splitlines()[1] == (
            "  why: the first version"
        )
        assert str(desk.store.decide_all(source="s", option="dismiss")).startswith(
            "decided 1, refused 0; to undo"
        )

    def test_long_lists_are_cut(self, desk: Desk) -> None:
        claims = [attr("w", f"a{n}") == n for n in range(30)]
        printed = str(desk.store.imprint("wiki", "v1", claims)).splitlines()
        assert printed[-1] == "  and 20 more"


class TestValues:
    @pytest.mark.parametrize("kind", ["contradicts", "", None, 1, ["contradiction"]])
    def test_a_verdict_has_one_of_five_kinds(self, kind: Any) -> None:
        with pytest.raises(InvalidVerdict, match="expected one of contradiction") as caught:
            Verdict(kind, "x")
        assert isinstance(caught.value, AgmError)

    def test_and_one_of_two_sides(self) -> None:
        with pytest.raises(InvalidVerdict, match="direction"):
            Verdict("refinement", "x", direction="newer")  # type: ignore[arg-type]

    def test_what_did_not_run_says_so_in_order(self) -> None:
        assert NotRun("timeout", "away") == NotRun(kind="timeout", detail="away")

    @pytest.mark.parametrize("text", ["\ud800", "a \udfff b", 5, None])
    def test_no_search_for_what_no_text_can_hold(self, desk: Desk, text: Any) -> None:
        desk.tell(TTL == 300)
        with pytest.raises(InvalidArgument):
            desk.store.recall(text)


class TestNotices:
    def test_an_edit_that_changes_nothing_says_so(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, entrenchment="core")
        held = desk.tell(TTL == 600)
        edited = desk.store.decide(desk.store.inbox()[0], "edit and approve", claim=TTL == 600)
        assert f"the edit says the same as {held}: approving it would have done" in edited.notices
        desk.tell(TTL == 700)
        edited = desk.store.decide(desk.store.inbox()[0], "edit and approve", claim=TTL == 300)
        assert any(note.endswith("says: nothing is replaced") for note in edited.notices), a
        desk.tell(TTL == 800)
        review = desk.store.inbox()[0]
        assert not [
            n for n in desk.store.decide(review, "edit and approve", claim=TTL == 900).notices
            if n.startswith("the edit")
        ]  # fmt: skip

    def test_two_versions_from_one_time_on(self, desk: Desk) -> None:
        desk.store.imprint("wiki", "v1", [TTL == 1], at=day(1))
        receipt = desk.store.imprint("wiki", "v2", [TTL == 2], at=day(1))
        assert "as version 'v1' does" in receipt.notices[0]
        assert desk.answer(2).contested
        assert desk.store.imprint("wiki", "v3", [TTL == 3], at=day(2)).notices == ()


class TestTheShell:
    def test_words_without_a_claim_are_shown_the_way(self, shell: Shell) -> None:
        assert "--text" in shell.refused("tell", "the cache is warm")

    def test_rescan(self, shell: Shell) -> None:
        assert shell("rescan") == "looked at 0; decided 0, waiting 0\n"
        assert shell.json("rescan", "--budget", "3")["next"] is None

    def test_an_imprint_takes_words(self, shell: Shell) -> None:
        lines = b'text: the cache is warm\n{"text": "and dry"}\nhost(cache) = "x"\n'
        assert shell("imprint", "wiki", "v1", "-", stdin=lines).count("says") == 3
        assert "the cache is warm" in shell("recall", "warm")

    def test_a_line_that_is_neither_is_named(self, shell: Shell) -> None:
        error = shell.refused("imprint", "wiki", "v1", "-", stdin=b"p\nthe cache is warm\n")
        assert error.startswith("agm: InvalidArgument: line 2 of - 'the cache is warm': expected")
        assert "text:" in error

    def test_a_wrong_key_names_the_keys(self, shell: Shell) -> None:
        shell("tell", "ttl(cache) = 600", "--entrenchment", "untrusted")
        out = shell("review", stdin=b"x\nq\n")
        assert "the keys are a approve, " in out
        assert "s skip, q quit" in out

    def test_a_note_of_a_redaction_is_optional_everywhere(self, shell: Shell, desk: Desk) -> None:
        assert "redacted" in shell("redact", "a")
        b = desk.tell(TTL == 300)
        assert desk.store.redact(b).status == "redacted"

    def test_an_owner_sees_who_tried(self, shell: Shell) -> None:
        shell("share", "a", "--with", "bob")
        code, _, _ = shell.raw("--db", shell.db, "--as", "bob", "retract", "a")
        assert code == 1
        found = shell.json("audit")
        assert [(row["principal"], row["verb"], row["target"]) for row in found] == [
            ("bob", "retract", "a")
        ]
        shell("unshare", "a", "--with", "bob")
        shell.raw("--db", shell.db, "--as", "bob", "retract", "a")
        assert len(shell.json("audit")) == 1


def test_an_ingest_prints_each_line_once_under_one_count(shell: Shell) -> None:
    resolves = b'{"target": "a", "action": "supersede", "reason": "correction"}'
    lines = b'{"id": "h", "claim": "ttl(cache) = 9", "resolves": %s}\n' % resolves
    out = shell("ingest", "-", stdin=lines)
    assert (
        out.splitlines()[0]
        == "told 0, superseded 0, retracted 0, held 1, contested 0, outranked 0, refused 0"
    )


class TestWhatABatchSays:
    """A batch says of each fact what its receipt says by itself, and each reason once."""

    @staticmethod
    def told(desk: Desk, *facts: Fact, shown: Any = (), entrenchment: str = "asserted") -> Any:
        given = Extraction(shown=Shown(beliefs=list(shown)), facts=list(facts))
        return desk.store.tell_all(given, entrenchment=entrenchment, source="s")

    def test_notes_gaps_and_sides_of_what_was_told(self, desk: Desk) -> None:
        size = attr("cache", "size", of=int)
        desk.tell(TTL == 300, on=0)
        desk.tell(size == 3, on=0, since=0, entrenchment="inferred")
        desk.clock.on(1)
        facts = [
            Fact(claim=TTL == 600, confidence=0.9),
            Fact(text="It is warm.", confidence=0.9),
            Fact(claim=size == 4, confidence=0.9, valid_from=day(0)),
        ]
        batch = self.told(desk, *facts, entrenchment="inferred")
        printed = str(batch).splitlines()
        assert printed[0] == "told 3, in review 0, refused 0"
        assert "    note: outranked by b1 while that is in force" in printed
        assert "    contested with b2: size(cache) = 3" in printed
        assert any(line.startswith("    not checked: no structured claim") for line in printed)
        for one in batch.told:
            first, *rest = str(one).splitlines()
            at = printed.index(f"  {first.partition(', entry')[0]}")
            assert printed[at + 1 : at + 1 + len(rest)] == [f"  {line}" for line in rest]

    def test_a_long_batch_is_cut(self, desk: Desk) -> None:
        facts = [Fact(claim=attr("w", f"a{n}") == n, confidence=0.9) for n in range(13)]
        printed = str(self.told(desk, *facts)).splitlines()
        assert printed[0] == "told 13, in review 0, refused 0"
        assert printed[-1] == "  and 3 more"

    def test_each_reason_is_said_once_and_each_fact_counted_once(self, desk: Desk) -> None:
        shown = [desk.tell(TTL == 300), desk.tell(attr("cache", "size") == 3)]
        desk.clock.on(1)
        orders = [
            Resolves(session_index=n, action="retract", reason="correction") for n in range(2)
        ]
        fact = Fact(text="Forget all of it.", confidence=0.9, resolves=orders)
        batch = self.told(desk, fact, shown=shown)
        assert len(batch.refused) == 2
        printed = str(batch)
        assert printed.splitlines()[0] == "told 0, in review 1, refused 0"
        for _, error in batch.refused:
            assert printed.count(str(error)) == 1
        unknown = Resolves(session_index=7, action="retract", reason="correction")
        nothing = Fact(confidence=0.9, resolves=[unknown])
        printed = str(self.told(desk, nothing, shown=shown))
        assert printed.splitlines()[0] == "told 0, in review 0, refused 1"
        assert "fact 0 refused: " in printed

    def test_decisions_in_bulk_say_what_they_cost(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, entrenchment="core")
        desk.tell(TTL == 600, source="s")
        (review,) = desk.store.inbox()
        assert review.old is not None
        printed = str(desk.store.decide_all(source="s", option="approve as correction"))
        assert f"    retires {a}: ttl(cache) = 300 (against b2)" in printed.splitlines()

    def test_versions_of_sources_and_artefacts_say_it_too(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300)
        note = f"    note: outranked by {a} while that is in force"
        printed = str(desk.store.imprint("wiki", "v1", [TTL == 5], entrenchment="observed"))
        assert printed.splitlines()[1:3] == ["  says b3: active", note]
        says: Any = [TTL == 6]
        made = desk.store.artefact(
            "report", rests_on=[a], descriptors=says, entrenchment="observed"
        )
        assert f"    note: overridden when told: {a}" in str(made).splitlines()

    def test_apply_prints_the_same(self, shell: Shell) -> None:
        shell("tell", "size(cache) = 1")
        answer = {"facts": [{"claim": {"formula": "size(cache) = 2"}, "confidence": 0.9}]}
        path = shell.write("answer.json", answer)
        printed = shell("apply", path, "--shown", "a").splitlines()
        assert printed[0] == "told 1, in review 0, refused 0"
        assert any("note: outranked by" in line for line in printed)


def test_a_blast_says_in_its_first_line_how_much_it_moves(desk: Desk) -> None:
    desk.tell(TTL == 300, entrenchment="core")
    desk.tell(TTL == 600, source="s")
    (review,) = desk.store.inbox()
    assert repr(review.would("approve as correction")) == "<Blast tried out: lost 1, gained 1>"
    assert repr(review.would("dismiss")) == "<Blast tried out: lost 0, gained 0>"


def test_a_world_prints_what_is_believed_there(desk: Desk) -> None:
    for number in range(12):
        desk.store.tell(attr(f"e{number}", "ttl") == number)
    first, *rest = str(desk.store.at()).splitlines()
    assert first == repr(desk.store.at())
    assert len(rest) == 11
    assert rest[0].strip().startswith("b1: ttl(e0) = 0")
    assert rest[-1] == "  and 2 more"


def test_a_year_long_ago_has_four_digits() -> None:
    early = datetime(1, 1, 1, tzinfo=UTC)
    assert spoken(early) == "0001-01-01"
    assert spoken(early + timedelta(minutes=5)) == "0001-01-01 00:05"
    assert spoken(early + timedelta(seconds=5, microseconds=7)) == "0001-01-01 00:00:05"

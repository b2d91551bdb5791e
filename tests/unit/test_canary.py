"""A value that stands wherever one can stand is redacted, and looked for wherever one can look."""

from __future__ import annotations

import gc
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr, prop, relation
from agm.directives import Extraction, Fact, Resolves, Shown
from agm.errors import AgmError
from agm_store import Policy, open_store
from agm_store.errors import InvalidArgument, RedactedBelief
from agm_store.memory import MemoryJournal
from tests.strategies.shell import Shell
from tests.strategies.stores import Clock, day
from tests.strategies.whole import whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CANARY = "canary-5f1d"
word, code, where = attr("anna", "password"), attr("door", "code"), attr("anna", "place")


class Words:
    """Vectors and verdicts that are made from words, as helpers would."""

    def embed(self, texts: Any) -> Any:
        return [[1.0, float(len(text))] for text in texts]

    def compare(self, new: str, old: str, /) -> Verdict:
        return Verdict("unrelated", f"{new} is not {old}", confidence=0.9)


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    path = tmp_path / "store.db" if request.param == "file" else None
    clock = Clock()
    helper: Any = Words()
    with open_store(
        path, principal="anna", clock=clock, entailment=helper, embedder=helper, policy=Policy()
    ) as made:
        made.on = clock.on
        yield made


def planted(store: Any) -> list[str]:
    """Let the canary stand in every kind of entry; gives the ids of all tellings that hold it."""
    ids = [
        str(store.tell(word == CANARY, text=f"it is {CANARY}", citation=f"{CANARY} p. 1").belief)
    ]

    def told(receipt: Any) -> str:
        ids.append(str(receipt.belief))
        return ids[-1]

    store.declare("grade", "string")
    told(store.tell(attr("anna", "grade") == CANARY))
    told(store.tell(text=f"{CANARY} alone"))
    told(store.tell(relation("likes", "anna", CANARY)))
    told(store.tell(prop("p") >> (attr("b", "tag") == CANARY)))
    place = store.tell(where == "here").belief
    told(store.correct(place, where == CANARY))
    told(store.update(ids[-1], where == f"{CANARY} too", at=day(1)))
    store.on(2)
    # notes of others, and what the library writes of itself
    other = store.tell(attr("anna", "desk") == "12").belief
    store.retract(other, note=f"because of {CANARY}")
    store.contract(prop("q"), note=f"as {CANARY} says")
    ended = told(store.tell(attr("anna", "car") == CANARY))
    store.expire(ended)
    secret = told(store.tell(code == CANARY))
    store.artefact(
        "report", rests_on=[secret], text=f"the code is {CANARY}", descriptors=[f"about {CANARY}"]
    )
    ids.append(str(store.artefact_versions("report")[-1].descriptors[0].belief))
    newer = told(store.correct(secret, code == f"{CANARY} 2"))
    store.artefact("report", rests_on=[newer], descriptors=["short"], note=f"now {CANARY}")
    store.imprint("wiki", "v1", [attr("w", "a") == CANARY, f"wiki: {CANARY}"], text=f"all {CANARY}")
    receipt = store.imprint(
        "wiki", "v2", [attr("w", "a") == CANARY, attr("w", "b") == 1], note=f"{CANARY} stays"
    )
    ids.extend(str(side) for side in receipt.kept)
    ids.extend(_holding(store, f"wiki: {CANARY}"))
    # held, in the inbox, and decided by an edit
    told(store.tell(attr("x", "one") == CANARY, entrenchment="untrusted"))
    told(store.tell(attr("x", "two") == f"{CANARY} raw", entrenchment="untrusted"))
    review = next(r for r in store.inbox() if r.id == ids[-1])
    told(
        store.decide(
            review, "edit and approve", claim=attr("x", "two") == CANARY, note=f"not raw {CANARY}"
        )
    )
    target = store.tell(attr("y", "core") == "kept", entrenchment="core").belief
    resolves = [Resolves(session_index=0, action="supersede", reason="correction")]
    answer = store.tell_all(
        Extraction(
            shown=Shown(beliefs=[target]),
            facts=[Fact(claim=attr("y", "core") == CANARY, resolves=resolves, confidence=0.9)],
        ),
        entrenchment="asserted",
        source="chat",
    )
    told(answer.in_review[0].new)
    # shared, derived from, asked for, tried by another
    store.share(secret, with_="bob")
    store.tell(prop("risky"), because=[newer])
    with pytest.raises(Exception, match="belief"):
        store.acting_as("bob").retract(secret)
    store.recall(CANARY)
    return list(dict.fromkeys(ids))


def _holding(store: Any, text: str) -> list[str]:
    entries = store._journal.entries(owner="anna")
    return [e.entry_id for e in entries if e.body["op"] == "tell" and e.body.get("text") == text]


def redacted(store: Any, ids: list[str]) -> list[str]:
    """Redact all of some tellings; gives the notices of the last receipt."""
    return [list(store.redact(belief, note="asked to").notices) for belief in ids][-1]


def everything(store: Any, tmp_path: Path) -> str:
    """All that a store answers, as one text."""
    terms = [word, code, where, attr("w", "a"), attr("x", "two"), attr("y", "core")]
    tellings = [e.entry_id for e in store._journal.entries(owner="anna") if e.body["op"] == "tell"]
    store.export_to(tmp_path / "all.jsonl", everybody=True)
    seen: list[Any] = [
        store.recall(""),
        store.recall(CANARY),
        store.recall("", include_retired=True),
    ]
    for n in range(store._journal.head().count + 1):
        seen += [store.at(known=n).ask(term) for term in terms] if n % 7 == 0 else []
    seen += [store.timeline(term) for term in terms]
    seen += [store.why(b) for b in tellings] + [store.history(b) for b in tellings]
    seen += [store.inbox(), store.retired(), store.audit(), store.flags(), store.stats()]
    seen += [store.show(CANARY), store.shares(), store.acting_as("bob").shared()]
    seen += [store.artefacts(), store.artefact_versions("report"), store.acting_as("bob").audit()]
    seen += [store.rests_on("wiki"), store.corrections() if hasattr(store, "corrections") else ""]
    return whole(seen) + (tmp_path / "all.jsonl").read_text()


class TestNoneIsLeft:
    def test_no_answer_and_no_structure_holds_it(self, store: Any, tmp_path: Path) -> None:
        ids = planted(store)
        assert CANARY in everything(store, tmp_path)
        notices = redacted(store, ids)
        assert not [line for line in notices if line.startswith("still quoted")]
        assert CANARY not in everything(store, tmp_path)
        assert CANARY not in repr([r.text for r in store._journal.records()])
        if isinstance(store._journal, MemoryJournal):
            held = {
                n: v for n, v in vars(store._journal).items() if n not in ("_lock", "_searcher")
            }
            assert CANARY not in whole(held)
            store.recall("a")
            index = store._journal._searcher.live._execute.__self__
            assert b"5f1d" not in index.serialize()
        store.verify()

    def test_no_byte_of_the_files_holds_it(self, tmp_path: Path) -> None:
        clock = Clock()
        with open_store(tmp_path / "s.db", principal="anna", clock=clock) as store:
            store.on = clock.on  # type: ignore[attr-defined]
            redacted(store, planted(store))
            store.export_to(tmp_path / "out.jsonl", everybody=True)
            found = [f.name for f in tmp_path.iterdir() if CANARY.encode() in f.read_bytes()]
            assert found == []
            before = [tuple(r) for r in store._journal.records()]
            dump = _rows(store)
            store.rebuild()
            assert _rows(store) == dump
            assert [tuple(r) for r in store._journal.records()] == before
            store.verify()
        gc.collect()
        assert not [f.name for f in tmp_path.iterdir() if CANARY.encode() in f.read_bytes()]

    def test_what_rested_on_it_is_flagged(self, store: Any) -> None:
        redacted(store, planted(store))
        assert {"support_lost", "needs_resynthesis"} <= {flag.kind for flag in store.flags()}

    def test_the_store_goes_on(self, store: Any) -> None:
        redacted(store, planted(store))
        new = store.tell(code == "new").belief
        store.artefact("report", rests_on=[new], descriptors=["shorter"])
        store.imprint("wiki", "v3", [attr("w", "a") == "new", "wiki: clean"])
        store.tell(text="clean alone")
        for verb in (store.rescan, store.backfill, store.consolidate, store.sweep, store.rebuild):
            verb()
        for review in [*store.inbox(), *store.retired()]:
            try:
                store.decide(review, review.options[0])
            except RedactedBelief:
                continue
        assert store.ask(code).value == "new"
        store.verify()

    def test_an_export_is_taken_in_and_stays_clean(self, store: Any, tmp_path: Path) -> None:
        redacted(store, planted(store))
        store.export_to(tmp_path / "out.jsonl", everybody=True)
        with open_store(tmp_path / "twin.db", principal="anna") as twin:
            twin.import_from(tmp_path / "out.jsonl")
            assert twin.verify() == store.verify()
            twin.export_to(tmp_path / "again.jsonl", everybody=True)
            assert twin.acting_as("bob").audit() == store.acting_as("bob").audit()
            assert twin.inbox() == store.inbox()
        assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()
        assert CANARY.encode() not in (tmp_path / "twin.db").read_bytes()

    def test_no_command_prints_it(
        self, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell = Shell(tmp_path, capsys, monkeypatch)
        clock = Clock()
        with open_store(shell.db, principal="anna", clock=clock) as store:
            store.on = clock.on  # type: ignore[attr-defined]
            ids = planted(store)
            redacted(store, ids)
        lines = [
            ["recall"], ["recall", "--include-retired"], ["inbox"], ["retired"], ["audit"], ["flags"],
            ["share"], ["stats"], ["artefact", "list"], ["artefact", "list", "report"], ["graph"],
            ["vocabulary", "show"], ["verify"], ["rests-on", "wiki"], ["ask", "password(anna)"],
            ["timeline", "code(door)"], ["backfill"], ["consolidate"], ["sweep"],
            *(["why", b] for b in ids[:6]), *(["history", b] for b in ids[:6]),
        ]  # fmt: skip
        for line in lines:
            assert CANARY not in shell(*line), line
            if line != ["graph"]:
                assert CANARY not in shell(*line, "--json"), line


def _rows(store: Any) -> list[Any]:
    tables = ("token", "timeline", "predicate", "mention", "joint", "shared", "link")
    return [
        store._journal._rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables[:2]
    ] + [store._journal._rows(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables[2:]]


class TestWhatStaysIsSaid:
    def test_names_rules_and_other_claims_are_on_the_receipt(self, store: Any) -> None:
        store.declare("kind", "enum", values=[CANARY, "b"])
        store.alias(CANARY, "anna")
        store.constrain((attr("c", "d") == CANARY) >> prop("never"))
        store.episode(CANARY, kind="turn")
        b = store.tell(
            attr("anna", "kind") == CANARY, source=CANARY, episode=CANARY, statement=f"s {CANARY}"
        ).belief
        text = " ".join(store.redact(b).notices)
        for op in ("declare", "alias", "constrain", "episode"):
            assert f"({op} " in text
        assert "source, episode, id" in text
        assert "the digest of what was said stays in the chain" in text

    def test_it_says_where_else_sentences_were_blanked(self, store: Any) -> None:
        b = store.tell(word == CANARY).belief
        store.contract(prop("q"), note=f"as {CANARY} says")
        assert "what quoted it was blanked in entry 2" in store.redact(b).notices

    def test_a_short_value_takes_no_notes_away(self, store: Any) -> None:
        b = store.tell(word == "me").belief
        kept = store.tell(prop("q")).belief
        store.retract(kept, note="for me")
        store.redact(b)
        assert store._journal.entry(3).body["note"] == "for me"

    def test_the_note_of_the_redaction_does_not_repeat_it(self, store: Any) -> None:
        b = store.tell(word == CANARY).belief
        with pytest.raises(InvalidArgument) as caught:
            store.redact(b, note=f"no more {CANARY}")
        assert CANARY not in str(caught.value)
        assert store.ask(word).value == CANARY

    @pytest.mark.parametrize(
        "value", ['say "canary"', "back\\slash one", "line\nfeed two", "ça naïve"]
    )
    def test_values_that_are_written_with_escapes(self, store: Any, value: str) -> None:
        b = store.tell(word == value).belief
        store.contract(prop("q"), note=f"as {value} says")
        store.contract(prop("r"), note=f"found {value!r}")
        store.redact(b)
        for form in (value, json.dumps(value)[1:-1], repr(value)[1:-1]):
            assert form not in repr([e.body for e in store._journal.entries()])

    def test_a_long_text_that_is_quoted_cut(self, store: Any) -> None:
        text = f"the {CANARY} " * 20
        b = store.tell(text=text).belief
        store.contract(prop("q"), note=f"against {text[:55]}…")
        store.redact(b)
        assert CANARY not in repr([e.body for e in store._journal.entries()])

    def test_a_version_heard_again_is_refused(self, store: Any) -> None:
        told = store.imprint("wiki", "v1", [attr("w", "a") == CANARY]).told[0].belief
        store.redact(told)
        count = store.stats().entries
        with pytest.raises(RedactedBelief):
            store.imprint("wiki", "v1", [attr("w", "a") == CANARY])
        assert store.stats().entries == count


class TestUnderSeveralNames:
    def test_what_was_told_under_another_name_goes_as_well(
        self, store: Any, tmp_path: Path
    ) -> None:
        """Fields of entries are read under the names of aliases; what is blanked is what was told."""
        store.alias("zoe", "anna")
        ids = planted(store)
        other = attr("zoe", "password") == f"{CANARY} of zoe"
        ids.append(str(store.tell(other, text=f"zoe's is {CANARY}").belief))
        ids.append(str(store.tell(relation("likes", "zoe", CANARY)).belief))
        ids.append(str(store.tell(attr("zoe", "car") == CANARY).belief))
        store.artefact("sheet", rests_on=[ids[-1]], descriptors=[f"zoe drives {CANARY}"])
        ids.append(str(store.artefact_versions("sheet")[-1].descriptors[0].belief))
        newer = store.correct(ids[-2], attr("anna", "car") == "none").belief
        store.artefact("sheet", rests_on=[newer])
        ids.extend(_of_claims(store, ids))
        redacted(store, ids)
        assert CANARY not in everything(store, tmp_path)
        assert CANARY not in repr([r.text for r in store._journal.records()])
        store.verify()
        store.rebuild()
        store.verify()


def _of_claims(store: Any, known: list[str]) -> list[str]:
    """The tellings that hold the canary beside those that are known."""
    found = [e for e in store._journal.entries(owner="anna") if e.body["op"] == "tell"]
    return [e.entry_id for e in found if CANARY in repr(e.body) and e.entry_id not in known]


class TestErrorsThatQuote:
    def test_what_a_sweep_and_a_rescan_noted(self, store: Any) -> None:
        def fails(*_: Any, **__: Any) -> Any:
            raise RuntimeError(f"no way from {CANARY}")

        ground = store.tell(word == CANARY).belief
        conclusion = store.tell(prop("risky"), because=[ground]).belief
        store.retract(ground)
        store.sweep(rederive=fails)
        assert CANARY in whole(store.flags())
        store.redact(ground)
        assert CANARY not in repr([r.text for r in store._journal.records()])
        assert store.flags()[0].on == conclusion
        assert store.flags()[0].errors == ("(redacted)",)
        store.verify()

    def test_what_a_helper_said(self) -> None:
        class Away:
            def compare(self, new: str, old: str, /) -> Any:
                raise TimeoutError(f"no answer about {new} and {old}")

        clock = Clock()
        store = open_store(None, principal="anna", clock=clock, entailment=Away())
        store.tell(text="Ada has a key")
        held = store.tell(text=f"Ada has the {CANARY} key").belief
        clock.on(1)
        assert store.rescan().failed[0].error
        assert CANARY in store._journal.entry(3).body["error"]  # type: ignore[union-attr]
        store.redact(held)
        assert CANARY not in repr([r.text for r in store._journal.records()])
        store.verify()


_DEEDS = {
    "again": lambda s, b: s.tell(word == CANARY),
    "another": lambda s, b: s.tell(attr("bob", "password") == CANARY),
    "words": lambda s, b: s.tell(text=f"it was {CANARY}"),
    "correct": lambda s, b: s.correct(b, word == "none"),
    "back": lambda s, b: s.correct(b, word == f"{CANARY} b"),
    "retract": lambda s, b: s.retract(b, note=f"not {CANARY}"),
    "expire": lambda s, b: s.expire(b),
    "contract": lambda s, b: s.contract(word == CANARY, note="asked"),
    "demote": lambda s, b: s.demote(b, "observed", note=f"not sure of {CANARY}"),
    "note": lambda s, b: s.contract(prop("q"), note=f"see {CANARY}"),
    "rule": lambda s, b: s.tell((word == CANARY) >> prop("risky")),
    "rests": lambda s, b: s.tell(prop("risky"), because=[b]),
    "made": lambda s, b: s.artefact("r", rests_on=[b], descriptors=[f"has {CANARY}"]),
    "anew": lambda s, b: s.artefact("r", rests_on=[s.tell(prop("z")).belief]),
    "imprint": lambda s, b: s.imprint("w", f"v{s.stats().entries}", [word == CANARY, "words"]),
    "alias": lambda s, b: s.alias("anna", "ann"),
    "share": lambda s, b: s.share(b, with_="bob"),
    "revert": lambda s, b: s.revert(s.stats().entries),
    "held": lambda s, b: s.tell(word == "other", entrenchment="untrusted"),
    "name": lambda s, b: s.tell(prop("y"), source=CANARY),
}


@settings(max_examples=60)
@given(deeds=st.lists(st.sampled_from(sorted(_DEEDS)), min_size=1, max_size=6))
def test_what_still_holds_it_is_named_on_the_receipt(deeds: list[str]) -> None:
    """Whatever happened before: an entry is clean, or a telling of the same, or named as quoting it."""
    with open_store(None, principal="anna") as store:
        told = store.tell(word == CANARY, text=f"it is {CANARY}").belief
        for name in deeds:
            with suppress(AgmError):
                _DEEDS[name](store, told)
        before = {r.seq for r in store._journal.records() if CANARY in r.text}
        notices = " ".join(store.redact(told).notices)
        left = [e for e in store._journal.entries() if CANARY in repr(e.body)]
        for entry in left:
            assert f"entry {entry.seq} (" in notices or entry.entry_id in notices, entry
        assert told not in [e.entry_id for e in left]
        SEEN["blanked"] += len(before) - len(left) > 1
        SEEN["left"] += bool(left)
        assert CANARY not in whole(store.why(told))
        store.verify()


SEEN = {"blanked": 0, "left": 0}


def test_the_draws_reached_both_kinds() -> None:
    test_what_still_holds_it_is_named_on_the_receipt()
    assert min(SEEN.values()) >= 10


def test_a_redaction_forgets_the_claims_that_were_read_from_text():
    from agm_store.texts import parsed

    with open_store(None, principal="anna") as store:
        told = store.tell(attr("anna", "secret") == "canary")
        text = str(store.at().believed[0].claim)
        parsed(text)
        parsed(text)
        assert parsed.cache_info().hits > 0
        store.redact(told.belief)
        found = parsed.cache_info().hits
        parsed(text)
        assert parsed.cache_info().hits == found

"""Corrections: what `store.corrections` reads off a journal is what was done, on every backend and at every point."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store import open_store
from agm_store.errors import InvalidArgument, KnownInFuture
from agm_store.learning import (
    Correction,
    Reliability,
    from_jsonl,
    in_order,
    labelled,
    line,
    precision_by_verdict,
    reliability,
    to_jsonl,
    to_records,
)
from agm_store.records import EntryId
from tests.strategies.revisions import SLOTS, Play, steps
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm_store import BeliefStore
    from tests.strategies.revisions import Step

ttl = attr("cache", "ttl", of=int)
SEEN: Counter[str] = Counter()


def played(found: Sequence[Step], path: Any = None) -> Play:
    clock = Clock()
    play = Play(open_store(path, principal="anna", clock=clock, synchronous="NORMAL"), clock)
    for number, step in enumerate(found):
        play.step(step, number)
    return play


@pytest.fixture(scope="module", autouse=True)
def _not_vacuous() -> Iterator[None]:
    yield
    if SEEN["histories"] >= 100:
        assert all(
            SEEN[deed] >= 3 for deed in ("revert", "dismiss", "reclassify", "update", "approve")
        ), SEEN
        assert SEEN["reverted"] >= 3


@given(found=steps)
@settings(max_examples=100, deadline=None)
def test_the_examples_are_what_the_history_did(found: list[Step]) -> None:
    play = played(found)
    rows = play.store.corrections()
    said = [
        (c.entry, c.deed, c.wrong, c.right, c.reason == "correction", c.decided_by) for c in rows
    ]
    assert said == sorted(play.rows, key=lambda row: row.entry)
    for c in rows:
        taken_back = play.undone(c.entry) or (c.deed in ("correct", "update") and _meant(play, c))
        assert c.reverted == taken_back
        SEEN[c.deed] += 1
        SEEN["reverted"] += c.reverted
        assert c.claim is not None
        assert (c.right is None) == (c.right_claim is None)
        assert c.source in ("wiki", "chat", None)
    SEEN["histories"] += 1


def _meant(play: Play, c: Correction) -> bool:
    """Whether the statement that made a revision is read in another mode, by an entry that stands."""
    entries = play.store._journal.entries()
    said = [e for e in entries if e.body["op"] == "reclassify" and e.body["target"] == c.entry]
    return any(not play.undone(e.seq) for e in said)


@given(found=steps)
@settings(max_examples=60, deadline=None)
def test_labels_are_what_precision_counts(found: list[Step]) -> None:
    store = played(found).store
    rows = store.corrections()
    labels = labelled(rows)
    counts = precision_by_verdict(store)
    assert set(counts) <= {"solver", "directive"}
    for one in counts.values():
        low, high = one.interval
        assert one.count == one.right + one.wrong
        assert 0 <= low <= (one.share or 0.0) <= high <= 1 or one.share is None
    stated = {c.statement for c in rows if c.verdict and c.stood is not None}
    assert len(labels) == len(stated)
    # What precision counts without a revision is a statement that was withdrawn before it retired anything.
    assert sum(x.right for x in labels) == sum(one.right for one in counts.values())
    assert sum(not x.right for x in labels) == sum(one.wrong for one in counts.values())


@given(found=steps)
@settings(max_examples=25, deadline=None)
def test_memory_and_file_give_the_same(found: list[Step], tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("corrections") / "store.db"
    file = played(found, path).store
    rows = played(found).store.corrections()
    assert file.corrections() == rows
    file.close()
    with open_store(path, principal="anna", read_only=True) as again:
        assert again.corrections() == rows
        assert again.acting_as("ben").corrections() == ()


@given(found=steps)
@settings(max_examples=40, deadline=None)
def test_what_was_known_stays_known(found: list[Step]) -> None:
    clock = Clock()
    play = Play(open_store(None, principal="anna", clock=clock), clock)
    seen: dict[int, Any] = {}
    for number, step in enumerate(found):
        play.step(step, number)
        seen[play.store.stats().entries] = play.store.corrections()
    for entry, rows in seen.items():
        assert play.store.corrections(known=entry) == rows
    with pytest.raises(KnownInFuture):
        play.store.corrections(known=10_000)


@given(found=steps)
@settings(max_examples=40, deadline=None)
def test_lines_of_json_lose_nothing(found: list[Step]) -> None:
    rows = played(found).store.corrections()
    assert from_jsonl(to_jsonl(rows)) == rows
    records = to_records(rows)
    assert [r["wrong"] for r in records] == [c.wrong for c in rows]
    assert all(not isinstance(v, dict | list | tuple) for r in records for v in r.values())


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(text=words, note=words, confidence=st.none() | st.floats(0, 1), at=st.integers(0, 2**52))
def test_any_words_go_through_lines_of_json(
    text: str, note: str, confidence: float | None, at: int
) -> None:
    from agm_store.entries import moment

    one: Any = {
        "entry": 1,
        "at": moment(at),
        "deed": "revert",
        "reason": "correction",
        "wrong": "b",
    }
    rows = (Correction(**one, decided_by="judge", text=text, note=note, confidence=confidence),)
    assert from_jsonl(to_jsonl(rows)) == rows


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"entry": 1}', "1", "null"])
def test_a_line_that_is_no_correction_is_refused(line: str) -> None:
    with pytest.raises(InvalidArgument):
        from_jsonl(line)


WRONG_KINDS: dict[str, tuple[Any, ...]] = {
    "entry": ("1", True, 0, 1.5, None),
    "at": (10**30, -(10**30), True, "now", None),
    "deed": ("delete", None, [], 3),
    "reason": ("mood", None),
    "decided_by": ("dice", None),
    "wrong": (None, 1),
    "claim": (5, ["p"]),
    "mode": ("assumed", [], False),
    "confidence": ("high", 1.5, -0.1, float("nan"), True),
    "stood": (1, "yes"),
    "reverted": (None, 0),
    "note": (None, {}),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG_KINDS.items() for value in values]
)
def test_a_field_of_another_kind_is_refused_by_its_name(name: str, value: Any) -> None:
    one = Correction(
        entry=EntryId(1), at=day(0), deed="retract", reason="correction", decided_by="person",
        wrong=cast("Any", "b1"),
    )  # fmt: skip
    row = one.to_json()
    assert Correction.from_json(row) == one
    with pytest.raises(InvalidArgument, match=f"^{name} "):
        from_jsonl(json.dumps({**row, name: value}))


def told(store: BeliefStore, *, old: int, new: int, text: str, confidence: float = 0.9) -> Any:
    first = store.tell(ttl == old, text=f"it is {old}", source="wiki", valid_from=day(0))
    aim = Resolves(session_index=0, action="supersede", reason="temporal_change")
    fact = Fact(text=text, claim=ttl == new, confidence=confidence, resolves=[aim])
    shown = Shown(beliefs=[first.belief])
    batch = store.tell_all(
        Extraction(shown=shown, facts=[fact]), entrenchment="asserted", source="chat"
    )
    return first, batch


def test_what_was_redacted_has_no_words() -> None:
    store = open_store(None, principal="anna", clock=Clock(3))
    first, batch = told(store, old=7311, new=8422, text="back when it was 8422")
    store.revert(batch.told[0].entry, note="it was 8422 long ago")
    known = store.stats().entries
    assert "8422" in to_jsonl(store.corrections())
    store.redact(batch.told[0].belief, note="private")
    for rows in (store.corrections(), store.corrections(known=known)):
        assert "8422" not in to_jsonl(rows)
        assert [c.deed for c in rows] == ["update", "revert"]
        assert rows[1].right_claim == "ttl(cache) = 7311"
    store.redact(first.belief, note="private")
    assert "7311" not in to_jsonl(store.corrections())
    assert len(store.corrections()) == 2


def test_a_judge_and_a_person_are_told_apart() -> None:
    from agm import Verdict

    class Yes:
        def judge(self, new: str, old: str, /, *, reason: str) -> Verdict:
            return Verdict("contradiction", "judge", confidence=0.9)

    store = open_store(None, principal="anna", clock=Clock(3), judge=Yes())
    told(store, old=1, new=2, text="so it is two", confidence=0.5)
    (row,) = store.corrections()
    assert (row.decided_by, row.verdict, row.confidence, row.stood) == (
        "judge",
        "solver",
        0.5,
        True,
    )
    store.correct(row.right or "", ttl == 3)
    assert [c.decided_by for c in store.corrections()] == ["judge", "person"]


def test_what_falls_with_its_support_is_no_correction() -> None:
    store = open_store(None, principal="anna", clock=Clock(3), policy="retract")
    first = store.tell(ttl == 1)
    store.tell(attr("cache", "size", of=int) == 2, because=[first.belief])
    store.retract(first.belief)
    assert [(c.deed, c.wrong) for c in store.corrections()] == [("retract", first.belief)]


def test_what_a_person_settles_of_a_doubt_is() -> None:
    store = open_store(None, principal="anna", clock=Clock(3))
    first, second = (store.tell(ttl == n, valid_from=day(1)).belief for n in (1, 2))
    (review,) = store.consolidate().opened
    entry = store.decide(review, "keep the new").entry
    (row,) = store.corrections()
    assert (row.deed, row.decided_by, row.reverted) == ("retract", "person", False)
    assert {row.wrong} == {first, second} - {store.ask(ttl).sides[0].belief}
    store.revert(entry)
    assert [c.reverted for c in store.corrections()] == [True]


def test_what_a_source_is_withdrawn_for_is() -> None:
    store = open_store(None, principal="anna", clock=Clock(3))
    ids = [store.tell(slot == 1, source="wiki").belief for slot in SLOTS]
    batch = store.retract_by_source("wiki").entry
    assert [c.wrong for c in store.corrections()] == ids
    assert batch is not None
    store.revert(batch)
    assert [(c.deed, c.reverted) for c in store.corrections()] == [("retract", True)] * 2


def test_reliability_counts_within_a_class_and_orders_within_it() -> None:
    store = open_store(None, principal="anna", clock=Clock(3))
    for n in range(6):
        source = "wiki" if n % 2 else "log"
        belief = store.tell(attr(f"e{n}", "x") == n, source=source, entrenchment="observed").belief
        if n in (1, 3):
            store.retract(belief)
    store.tell(attr("e9", "x") == 1, source="wiki", entrenchment="documented")
    store.tell(attr("e9", "y") == 1, mode="question", source="wiki", entrenchment="documented")
    found = reliability(store)
    assert list(found) == ["documented", "observed"]
    assert found["documented"] == {"wiki": Reliability(right=1, wrong=0)}
    assert list(found["observed"].items()) == [
        ("log", Reliability(right=3, wrong=0)),
        ("wiki", Reliability(right=1, wrong=2)),
    ]
    assert found["observed"]["wiki"].mean == pytest.approx(0.4)
    low, high = found["observed"]["wiki"].interval
    assert low < 0.4 < high
    assert reliability(store, known=0) == {}


def test_a_source_is_not_blamed_for_what_nobody_looked_at() -> None:
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    store.tell(ttl == 300, entrenchment="core")
    for value in (600, 900):
        store.tell(ttl == value, source="wiki")
    clock.on(9)
    first, second = store.inbox()
    store.decide(first, "dismiss")
    assert reliability(store)["asserted"] == {"wiki": Reliability(wrong=1)}
    (gone,) = store.expire_reviews(older_than=timedelta(days=7))
    assert (gone.belief, gone.status) == (second.id, "rejected")
    assert reliability(store)["asserted"] == {"wiki": Reliability(wrong=1)}


@given(found=steps)
@settings(max_examples=40, deadline=None)
def test_every_telling_of_a_source_counts_at_most_once(found: list[Step]) -> None:
    store = played(found).store
    for rows in reliability(store).values():
        means = [r.mean for r in rows.values()]
        assert means == sorted(means, reverse=True)
    told = sum(1 for e in store._journal.entries() if "source" in e.body)
    assert (
        sum(r.right + r.wrong for rows in reliability(store).values() for r in rows.values())
        <= told
    )


@given(
    classes=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), max_size=8),
    counts=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=6, max_size=6),
)
def test_the_order_of_an_inbox_moves_nothing_across_classes(
    classes: list[tuple[str, str]], counts: list[tuple[int, int]]
) -> None:
    from types import SimpleNamespace as Thing

    pairs = [(c, s) for c in "ab" for s in "xyz"]
    table: dict[str, dict[str, Reliability]] = {"a": {}, "b": {}}
    for (c, s), (right, wrong) in zip(pairs, counts, strict=True):
        table[c][s] = Reliability(right=right, wrong=wrong)
    reviews: Any = [Thing(new=Thing(entrenchment=c), source=s) for c, s in classes]
    found = in_order(reviews, table)
    assert [r.new.entrenchment for r in found] == [c for c, _ in classes]
    assert sorted(map(id, found)) == sorted(map(id, reviews))
    for c in "ab":
        means = [table[c][r.source or ""].mean for r in found if r.new.entrenchment == c]
        assert means == sorted(means, reverse=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("at", 10**30), ("at", -(10**18)), ("at", True), ("confidence", float("nan")), ("confidence", 7),
        ("confidence", "x"), ("stood", 3), ("deed", "x"), ("reason", 5), ("text", 3), ("wrong", [1]),
        ("claim", ["a"]), ("note", None), ("mode", "x"), ("entry", 0), ("reverted", None), ("decided_by", []),
    ],
)  # fmt: skip
def test_a_line_whose_fields_are_of_another_kind_is_refused(name: str, value: object) -> None:
    with open_store(None, principal="anna") as store:
        told = store.tell(attr("svc", "ttl", of=int) == 1)
        store.correct(told.belief, attr("svc", "ttl", of=int) == 2)
        (row,) = (one.to_json() for one in store.corrections())
    assert from_jsonl(json.dumps(row))
    with pytest.raises(InvalidArgument):
        from_jsonl(json.dumps({**row, name: value}))


@pytest.mark.parametrize("lines", ["[" * 100_000, "\0", "[]", "1" * 5000, None, b"{}"])
def test_what_is_no_line_of_a_correction_is_refused(lines: Any) -> None:
    with pytest.raises(InvalidArgument):
        from_jsonl(lines)


@pytest.mark.parametrize("option", ["dismiss", "believe it without its directive"])
def test_an_order_to_retract_that_was_not_obeyed_is_an_example_as_an_order(option: str) -> None:
    store = open_store(None, principal="anna", clock=Clock())
    told = store.tell(ttl == 300)
    words = store.tell(text="It sleeps\nbadly.")
    orders = [Resolves(session_index=n, action="retract", reason="correction") for n in range(2)]
    fact = Fact(text="Forget all of it.", confidence=0.9, resolves=orders)
    shown = Shown(beliefs=[told.belief, words.belief])
    store.tell_all(Extraction(shown=shown, facts=[fact]), entrenchment="asserted", source="chat")
    store.decide(store.inbox()[0], option)
    (one,) = store.corrections()
    assert one.directive == "ttl(cache) = 300\nIt sleeps badly."
    assert "was read as an order to retract ttl(cache) = 300 and It sleeps badly." in line(one)
    assert from_jsonl(to_jsonl([one])) == (one,)
    row = one.to_json()
    del row["directive"]  # as exports of before have it
    assert Correction.from_json(row).directive == ""
    store.redact(told.belief)
    assert store.corrections()[0].directive == f"{told.belief}\nIt sleeps badly."

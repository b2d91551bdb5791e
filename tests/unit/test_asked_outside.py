"""Helpers are asked with nothing locked: what they write meanwhile goes through, and is met before the write stays."""

from __future__ import annotations

import json
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

import pytest

from agm import attr
from agm.directives import Extraction, Fact, NotRun, Resolves, Shown
from agm.verdicts import Verdict
from agm_store import Policy, open_store, utc
from agm_store.ingest import ingest
from agm_store.rehearsing import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agm_store import BeliefStore

HALL = "the cache stands in hall {}"
TTL = attr("cache", "ttl", of=int)
UNRELATED = Verdict("unrelated", "x", confidence=0.9)
CLASH = Verdict("contradiction", "x", confidence=0.9)


class Writes:
    """An `Entailment`, `Judge` and `Embedder` that does something at each call before it answers."""

    def __init__(self, answer: Callable[[str, str], Verdict] = lambda *_: UNRELATED) -> None:
        self.meanwhile: Callable[[], object] = lambda: None
        self.answer, self.asked, self.wrong = answer, [], []
        self.seen: list[str] = []

    def compare(self, new: str, old: str, /) -> Verdict:
        self.asked.append((new, old))
        self._act()
        return self.answer(new, old)

    def judge(self, new: str, old: str, /, *, reason: str) -> Verdict:
        self.seen.append(reason)
        self._act()
        return CLASH

    def embed(self, texts: Any, /) -> list[list[float]]:
        self.seen.append("embed")
        self._act()
        return [[1.0, float(len(text))] for text in texts]

    def _act(self) -> None:
        try:
            self.meanwhile()
        except Exception as error:  # noqa: BLE001  the test asks for none
            self.wrong.append(error)


class Desk:
    """A store, another hand on the same journal, and a helper between them."""

    def __init__(self, path: Path | None, **more: Any) -> None:
        self.helper = Writes()
        self.store = open_store(path, principal="anna", entailment=self.helper, **more)
        self.other: BeliefStore = (
            self.store.acting_as("anna") if path is None else open_store(path, principal="anna")
        )
        self.other._context.entailment = None
        self.told = 0

    def tell_other(self, text: str = "ben sits in room {}", most: int = 3) -> None:
        """Let the other hand tell something while the helper is asked, a few times."""

        def meanwhile() -> None:
            if self.told < most:
                self.told += 1
                self.other.tell(text=text.format(self.told))

        self.helper.meanwhile = meanwhile

    def sound(self) -> None:
        assert self.helper.wrong == []
        self.store.verify()
        self.store.rebuild()
        self.store.verify()


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(None if request.param == "memory" else tmp_path / "store.db")
    yield made
    made.other.close()
    made.store.close()


def facts(*texts: str, **more: Any) -> Extraction:
    return Extraction(shown=Shown(beliefs=[]), facts=[Fact(text=t, **more) for t in texts])


def tell(desk: Desk) -> None:
    desk.store.tell(text=HALL.format("two"))


def batch(desk: Desk) -> None:
    answer = desk.store.tell_all(
        facts(HALL.format("two"), HALL.format("three")), entrenchment="asserted", source="chat"
    )
    assert [r.status for r in answer.told] == ["active", "active"]


def aimed(desk: Desk) -> None:
    """Directives in words, which need the helper, and the judge between."""
    old = desk.store.tell(text=HALL.format("zero")).belief
    desk.helper.answer = lambda new, old: CLASH if old == HALL.format("zero") else UNRELATED
    desk.store._context.judge = desk.helper
    fact = Fact(
        text=HALL.format("two"),
        confidence=0.5,
        resolves=[Resolves(session_index=0, action="supersede", reason="temporal_change")],
    )
    extraction = Extraction(shown=Shown(beliefs=[old]), facts=[fact])
    answer = desk.store.tell_all(extraction, entrenchment="asserted", source="chat")
    assert [r.status for r in answer.told] == ["active"], answer
    assert "temporal_change" in desk.helper.seen


def lines(desk: Desk) -> None:
    rows = [{"id": f"m{n}", "text": HALL.format(n), "source": "mail"} for n in range(3)]
    receipt = ingest(desk.store, enumerate(map(json.dumps, rows), 1))
    assert (receipt.told, receipt.held, receipt.refused) == (3, 0, ())


def guessed_lines(desk: Desk) -> None:
    """A line whose directive a machine guessed, which a judge decides."""
    desk.store._context.judge = desk.helper
    old = desk.store.tell(TTL == 300, valid_from=utc(2024, 1, 1)).belief
    row = {
        "id": "m1",
        "claim": "ttl(cache) = 600",
        "confidence": 0.5,
        "entrenchment": "asserted",
        "resolves": [{"target": old, "action": "supersede", "reason": "temporal_change"}],
    }
    receipt = ingest(desk.store, [(1, json.dumps(row))], max_entrenchment="asserted")
    assert (receipt.told, receipt.superseded) == (1, 1), receipt
    assert desk.helper.seen == ["temporal_change"]


WAYS = [tell, batch, aimed, lines, guessed_lines]


@pytest.mark.parametrize("way", WAYS, ids=[w.__name__ for w in WAYS])
@pytest.mark.parametrize("embeds", ["", "embeds"])
def test_another_hand_writes_while_a_helper_is_asked(
    desk: Desk, way: Callable[[Desk], None], embeds: str
) -> None:
    if embeds:
        desk.store._context.embedder = desk.helper
    desk.other.tell(text=HALL.format("one"))
    desk.tell_other()
    way(desk)
    assert desk.told
    if embeds and way is not guessed_lines:
        assert "embed" in desk.helper.seen
    desk.sound()


@pytest.mark.parametrize("way", [tell, batch, lines], ids=lambda way: way.__name__)
def test_what_is_told_meanwhile_is_compared_as_well(
    desk: Desk, way: Callable[[Desk], None]
) -> None:
    desk.other.tell(text=HALL.format("one"))
    desk.tell_other(HALL.format("late {}"), most=1)
    way(desk)
    new = HALL.format("0" if way is lines else "two")
    assert (new, HALL.format("late 1")) in desk.helper.asked
    assert len(desk.helper.asked) == len(set(desk.helper.asked))
    desk.sound()


def test_what_goes_meanwhile_is_not_retired(desk: Desk) -> None:
    """A verdict about what is gone counts for nothing; what came in its place is asked about."""
    old = desk.other.tell(text=HALL.format("one")).belief
    place = []

    def meanwhile() -> None:
        if not place:
            desk.other.retract(old)
            place.append(desk.other.tell(text=HALL.format("five")).belief)

    desk.helper.meanwhile = meanwhile
    desk.helper.answer = lambda *_: CLASH
    answer = desk.store.tell_all(
        facts(HALL.format("two"), confidence=1.0), entrenchment="asserted", source="c"
    )
    (receipt,) = answer.told
    assert [x.belief.id for x in receipt.retired] == place
    assert {old for _, old in desk.helper.asked} == {HALL.format("one"), HALL.format("five")}
    desk.sound()


def test_who_is_never_left_in_peace_holds_what_was_not_compared(desk: Desk) -> None:
    desk.other.tell(text=HALL.format("one"))
    desk.tell_other(HALL.format("late {}"), most=1000)
    answer = desk.store.tell_all(facts(HALL.format("two")), entrenchment="asserted", source="c")
    (review,) = answer.in_review
    assert "undecided: the entailment against" in review.why[0]
    assert any("changed" in why for why in review.not_checked)
    assert desk.told <= 2 * ROUNDS
    desk.helper.meanwhile = lambda: None
    (receipt,) = desk.store.rescan().decided
    assert receipt.status == "active"
    desk.sound()


def test_facts_of_a_batch_are_compared_with_each_other(desk: Desk) -> None:
    desk.helper.answer = lambda new, old: CLASH if "three" in new and "two" in old else UNRELATED
    answer = desk.store.tell_all(
        facts(HALL.format("two"), HALL.format("three"), confidence=1.0),
        entrenchment="asserted",
        source="c",
    )
    assert (HALL.format("three"), HALL.format("two")) in desk.helper.asked
    assert len(desk.helper.asked) == len(set(desk.helper.asked))
    first, second = answer.told
    assert [(b, v.kind) for b, v, _ in second.checked] == [(first.belief, "contradiction")]
    assert desk.store.at().standing(first.belief).standing != "believed"
    assert desk.store.at().standing(second.belief).standing == "believed"
    desk.sound()


def test_a_batch_and_single_statements_come_to_the_same(tmp_path: Path) -> None:
    """What a batch does with its helpers is what it does when everything is asked at once."""
    texts = [HALL.format(word) for word in ("one", "two", "three", "four")]
    answers = {
        (texts[2], texts[0]): CLASH,
        (texts[3], texts[1]): Verdict("paraphrase", "x", confidence=0.9),
    }
    seen = []
    for way in ("batch", "in a transaction"):
        desk = Desk(tmp_path / f"{way}.db", clock=lambda: utc(2026, 1, 1))
        desk.helper.answer = lambda new, old: answers.get((new, old), UNRELATED)
        said = facts(*texts, confidence=1.0)
        if way == "batch":
            desk.store.tell_all(said, entrenchment="asserted", source="c")
        else:
            with desk.store.transaction():
                desk.store.tell_all(said, entrenchment="asserted", source="c")
        seen.append([(e.entry_id, e.body) for e in desk.store._journal.entries(owner="anna")])
        desk.other.close()
        desk.store.close()
    assert seen[0] == seen[1]
    assert any("restates" in body for _, body in seen[0])


def test_threads_that_tell_batches_at_once_lose_nothing(tmp_path: Path) -> None:
    path, rounds, errors = tmp_path / "store.db", 6, []
    open_store(path, principal="anna").close()
    together = Barrier(3)

    def run(name: str) -> None:
        try:
            helper = Writes()
            with open_store(path, principal="anna", entailment=helper) as store:
                together.wait(10)
                for n in range(rounds):
                    store.tell_all(
                        facts(*(HALL.format(f"{name} {n} {k}") for k in range(2))),
                        entrenchment="asserted",
                        source=name,
                    )
        except BaseException as error:  # noqa: BLE001  told to the test
            errors.append(error)

    threads = [Thread(target=run, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    with open_store(path, principal="anna", entailment=Writes()) as store:
        told = [e for e in store._journal.entries(owner="anna") if e.body["op"] == "tell"]
        assert len(told) == 3 * rounds * 2
        assert len({e.body["text"] for e in told}) == len(told)
        waiting = store.stats().waiting
        for _ in range(3):
            store.rescan()
        assert store.stats().waiting == 0
        assert all(e.body["state"] in ("admitted", "held") for e in told)
        assert sum(e.body["state"] == "held" for e in told) == waiting
        store.verify()


def test_an_ingest_with_a_helper_tells_of_each_line_once(desk: Desk) -> None:
    desk.other.tell(text=HALL.format("one"))
    desk.tell_other(HALL.format("late {}"))
    rows = [json.dumps({"id": f"m{n}", "text": HALL.format(n)}) for n in range(5)]
    rows.insert(2, "no JSON")
    seen: list[int] = []
    receipt = ingest(desk.store, enumerate(rows, 1), chunk=3, progress=seen.append)
    assert seen == [len(row) for row in rows]
    assert (receipt.told, [r.line for r in receipt.refused]) == (5, [3])
    again = ingest(desk.store, enumerate(rows, 1))
    assert (again.told, again.heard_before) == (0, 5)
    desk.sound()


def test_a_transaction_that_fails_leaves_the_index_as_it_was(desk: Desk) -> None:
    desk.store._context.embedder = desk.helper
    desk.store.tell(text=HALL.format("one"))
    desk.store.tell(text=HALL.format("two"))
    before = desk.store._journal.vectors("anna"), desk.store._journal.indexed()

    def fail() -> None:
        with desk.store.transaction():
            desk.store.tell(text=HALL.format("three"))
            desk.store.tell(text=HALL.format("four"))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (desk.store._journal.vectors("anna"), desk.store._journal.indexed()) == before
    assert [h.side.text for h in desk.store.recall("three")] == []
    assert len(desk.store.recall("hall")) == 2
    desk.sound()


def test_another_hand_writes_while_what_is_held_is_looked_at_again(desk: Desk) -> None:
    desk.other.tell(text=HALL.format("one"))
    desk.helper.answer = lambda *_: NotRun(kind="timeout")
    held = [desk.store.tell(text=HALL.format(word)) for word in ("two", "three")]
    assert [r.status for r in held] == ["held", "held"]
    desk.helper.answer = lambda *_: UNRELATED
    desk.tell_other()
    assert [r.status for r in desk.store.rescan().decided] == ["active", "active"]
    assert desk.told
    desk.sound()


def test_another_hand_writes_while_what_is_there_is_looked_at_anew(desk: Desk) -> None:
    for word in ("one", "two", "three"):
        desk.other.tell(text=HALL.format(word))
    desk.tell_other()
    report = desk.store.backfill()
    assert (report.looked, report.not_checked) == (3, ())
    assert desk.told
    desk.sound()


def test_a_try_that_is_taken_back_spends_no_budget(desk: Desk) -> None:
    """Each of several that were held retires one belief; a try of a try counts none of them twice."""
    olds = [desk.other.tell(text=f"item {n} is red").belief for n in range(3)]
    desk.helper.answer = lambda *_: NotRun(kind="timeout")
    for n in range(3):
        desk.store.tell(text=f"item {n} is blue", confidence=1.0)
    desk.store._context.policy = Policy(retirements=3)
    desk.helper.answer = lambda new, old: CLASH if new[:6] == old[:6] else UNRELATED
    decided = desk.store.rescan().decided
    assert sorted(x.belief.id for r in decided for x in r.retired) == sorted(olds)
    desk.sound()

"""Helpers that are missing, hang or answer what is none: nothing is decided by it, and it is said."""

from __future__ import annotations

from itertools import permutations
from time import sleep
from typing import Any

import pytest

from agm import attr
from agm.directives import Extraction, Fact, NotRun, Resolves, Shown
from agm.verdicts import Verdict
from agm_store import asking, open_store, utc
from tests.strategies.stores import Clock, day

PARIS, LONDON, MADRID = (
    f"the cache lives in the {city} office" for city in ("Paris", "London", "Madrid")
)


class Says:
    """An `Entailment` and `Judge` that answers one thing, or raises it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def compare(self, new: str, old: str, /) -> Any:
        """The answer, whatever is asked."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def judge(self, new: str, old: str, /, *, reason: str) -> Any:
        """The same."""
        return self.compare(new, old)


def clash() -> Says:
    return Says(Verdict("contradiction", "x", confidence=0.9))


@pytest.mark.parametrize("order", list(permutations("PLM")), ids="".join)
def test_dated_texts_read_the_same_in_every_order_of_arrival(order: tuple[str, ...]) -> None:
    told = {
        "P": (PARIS, utc(2024, 1, 1)),
        "M": (MADRID, utc(2024, 2, 1)),
        "L": (LONDON, utc(2024, 3, 1)),
    }
    store = open_store(None, principal="anna", entailment=clash())
    for name in order:
        text, since = told[name]
        store.tell(text=text, statement=name, valid_from=since)
    for name, month in (("P", 1), ("M", 2), ("L", 3)):
        world = store.at(valid=utc(2024, month, 15))
        words = {other: world.why(other).standing for other in told}
        assert [n for n, word in words.items() if word == "believed"] == [name], words
    store.verify()


def test_a_text_is_compared_with_what_was_so_at_its_time() -> None:
    store = open_store(None, principal="anna", entailment=clash())
    store.tell(text=PARIS, valid_from=utc(2024, 1, 1), valid_to=utc(2024, 3, 1))
    assert store.tell(text=LONDON, valid_from=utc(2024, 2, 1)).checked
    failing = open_store(None, principal="anna", entailment=Says(OSError("down")))
    failing.tell(text=PARIS, valid_from=utc(2024, 1, 1), valid_to=utc(2024, 3, 1))
    assert failing.tell(text=LONDON, valid_from=utc(2024, 2, 1)).status == "held"


def test_a_rescan_without_the_helper_that_was_waited_for_decides_nothing(tmp_path: Any) -> None:
    clock, file = Clock(), tmp_path / "s.db"
    with open_store(file, principal="anna", clock=clock, entailment=Says(OSError("down"))) as store:
        old = store.tell(text=PARIS).belief
        clock.moment += day(1) - day(0)
        held = store.tell(text=LONDON, confidence=1.0)
        assert held.status == "held"
    clock.moment += day(1) - day(0)
    with open_store(file, principal="anna", clock=clock) as store:
        for _ in range(2):
            count, report = store.stats().entries, store.rescan()
            assert not report.decided
            assert "waits for the entailment" in report.failed[0].error
            assert store.stats().entries == count
            assert store.stats().waiting == 1
    with open_store(file, principal="anna", clock=clock, entailment=clash()) as store:
        assert store.rescan().decided[0].status == "active"
        assert store.at().standing(old).standing != "believed"


def test_a_rescan_without_the_judge_that_was_waited_for_decides_nothing() -> None:
    clock, ttl = Clock(), attr("cache", "ttl")
    store = open_store(None, principal="anna", clock=clock, judge=Says(NotRun(kind="timeout")))
    old = store.tell(ttl == 300, valid_from=day(0)).belief
    clock.moment += day(1) - day(0)
    aimed = Resolves(session_index=0, action="supersede", reason="temporal_change")
    fact = Fact(claim=ttl == 600, confidence=0.5, resolves=[aimed])
    store.tell_all(
        Extraction(shown=Shown(beliefs=[old]), facts=[fact]), entrenchment="asserted", source="chat"
    )
    clock.moment += day(1) - day(0)
    store._context.judge = None
    report = store.rescan()
    assert not report.decided
    assert "waits for the judge" in report.failed[0].error
    store._context.judge = clash()
    store.rescan()
    assert store.ask(ttl).value == 600


class Odd(float):
    """A number that says of every bound that it keeps it."""

    def __ge__(self, other: object) -> bool:
        return True

    def __le__(self, other: object) -> bool:
        return True

    def __float__(self) -> float:
        return 9.0


@pytest.mark.parametrize("sure", [Odd("nan"), Odd(0.5), float("inf"), -1, True, "0.9"])
def test_a_confidence_that_is_none_holds_the_newcomer(sure: Any) -> None:
    store = open_store(
        None, principal="anna", entailment=Says(Verdict("contradiction", "x", confidence=sure))
    )
    old = store.tell(text=PARIS, valid_from=utc(2024, 1, 1)).belief
    assert store.tell(text=LONDON, valid_from=utc(2024, 2, 1)).status == "held"
    assert store.at().standing(old).standing == "believed"


def test_a_verdict_of_no_known_kind_is_named() -> None:
    odd: Any = Verdict("contradiction", "x")
    odd.kind = "contradicts"  # the constructor takes no such kind
    store = open_store(None, principal="anna", entailment=Says(odd))
    store.tell(text=PARIS)
    told = store.tell(text=LONDON)
    assert any("'contradicts'" in why and "contradiction" in why for why in told.not_checked)


class Slow:
    def embed(self, texts: Any) -> Any:
        """Vectors, but too late."""
        sleep(1.0)
        return [[1.0] for _ in texts]


class Leaves:
    def embed(self, texts: Any) -> Any:
        """No vectors: it ends the program."""
        raise SystemExit


@pytest.mark.parametrize("embedder", [Slow(), Leaves()])
def test_an_embedder_that_hangs_or_leaves_is_named(
    embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "DEADLINE", 0.05)
    same = Says(Verdict("unrelated", "x", confidence=0.9))
    store = open_store(None, principal="anna", entailment=same, embedder=embedder)
    told = store.tell(text=PARIS)
    assert any(why.startswith("the embedder did not run: ") for why in told.not_checked)
    assert told.status == "held"

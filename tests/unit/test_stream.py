"""A stream of statements whose truth is known: nothing distinct is merged, no contradiction goes unseen."""

import os

import pytest

from agm import relation
from agm_store import open_store
from tests.strategies.streams import DECLARED, Reader, listen, stream

COUNT = 10_000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 400


@pytest.mark.parametrize(("backend", "seed"), [("memory", 1), ("sqlite", 2)])
def test_declared_slots_lose_nothing_and_miss_nothing(backend, seed, tmp_path, record_property):
    tally = listen(COUNT, seed=seed, path=None if backend == "memory" else tmp_path / "stream.db")
    for line in tally.lines() if COUNT > 1000 else ():
        record_property("told", line)
    assert tally.wrong == []
    assert tally.found["declared"] == tally.pairs["declared"] >= COUNT // 8
    assert tally.unexplained == []
    assert {"undeclared predicate"} <= set(tally.causes)
    assert tally.found["words"] >= 3, "the texts were not compared"


def test_the_stream_holds_what_it_is_meant_to_hold():
    told = list(stream(2_000, 7))
    assert {t.kind for t in told} == {"first", "update", "paraphrase", "refinement", "remark"}
    assert {t.way for t in told} == {"declared", "undeclared", "words"}
    hundreds = {t.slot for t in told if t.value == 100}
    assert len(hundreds) > 10, "no look-alikes"
    assert list(stream(2_000, 7)) == told
    assert list(stream(2_000, 8)) != told


def test_the_reader_errs_as_often_as_it_should():
    reader = Reader(3, errs=0.05, fails=0.0)
    told = [t for t in stream(3_000, 3) if t.text is not None]
    for one in told:
        reader.hear(one)
    for new, old in zip(told[40:], told, strict=False):
        reader.compare(new.text, old.text)
    for one in told:
        for other in told[:40]:
            if other.slot == one.slot:
                reader.compare(one.text, other.text)
    asked, erred = sum(reader.asked.values()), sum(reader.erred.values())
    assert asked > 400
    assert 0.02 < erred / asked < 0.09


def test_every_use_of_an_undeclared_relation_says_so():
    store = open_store(None, principal="anna")
    for mood in ("calm", "busy"):
        receipt = store.tell(relation("mood", "cat", mood))
        assert any("cardinality of mood is undeclared" in note for note in receipt.not_checked)
    store.declare("likes", "string", cardinality="many")
    assert store.tell(relation("likes", "cat", "milk")).not_checked == ()


def test_what_is_held_for_its_words_has_retired_nothing_by_its_claim():
    """A claim that would take the place of another, told in words that contradict a third by words alone."""
    from agm import attr
    from agm.verdicts import Verdict

    class Suspicious:
        def compare(self, new, old, /):
            return Verdict("contradiction", "read", confidence=0.9)

    store = open_store(None, principal="anna", entailment=Suspicious())
    store.declare("port", *DECLARED["port"][:1])
    port = attr("gate", "port")
    store.tell(text="The gate is looked after by Bob.")
    first = store.tell(port == 100)
    receipt = store.tell(port == 443, text="The port of the gate is 443, says Bob.")
    assert receipt.status == "held"
    assert receipt.retired == ()
    assert store.ask(port).value == 100
    assert store.why(first.belief).status == "active"

"""Consolidation: texts that say the same become one belief, what contradicts goes through the gates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr
from agm.directives import NotRun
from agm_store import open_store
from tests.strategies.stores import Clock, day

MODE = attr("cache", "mode")


class Scripted:
    """Says what was written down of a pair, in either order; other pairs have nothing to do with each other."""

    def __init__(self, **kinds: Any) -> None:
        self.kinds, self.asked = kinds, 0
        self.pairs: dict[frozenset[str], Any] = {}

    def on(self, one: str, other: str, answer: Any) -> Scripted:
        self.pairs[frozenset((one, other))] = answer
        return self

    def compare(self, new: str, old: str, /) -> Any:
        self.asked += 1
        answer = self.pairs.get(frozenset((new, old)), Verdict("unrelated", "scripted"))
        if isinstance(answer, Exception):
            raise answer
        return answer


def sure(kind: Any, confidence: float = 0.9) -> Verdict:
    return Verdict(kind, "scripted", confidence=confidence)


WARM, HEATED, COLD = "the cache is warm", "warm is the cache", "the cache is cold"


def told(*texts: str, path: Any = None) -> Any:
    """A store in which texts were told before anything compared them."""
    clock = Clock()
    store = open_store(path, principal="anna", clock=clock)
    for n, text in enumerate(texts):
        store.tell(text=text, source=f"chat {n}", valid_from=day(n), entrenchment="observed")
    clock.on(20)
    return store


def compared(store: Any, helper: Any) -> Any:
    store._context.entailment = helper
    return store


def believed(store: Any) -> list[Any]:
    return [(s.text, s.source, s.valid_from) for s in store.at().believed]


def test_paraphrases_become_tellings_of_one_belief_and_each_is_undone_exactly():
    store = compared(told(WARM, HEATED), Scripted().on(WARM, HEATED, sure("paraphrase")))
    before = store.at().believed
    report = store.consolidate()
    ((kept, filed),) = report.merged
    assert kept == "b1"
    store.verify()
    store.retract(kept)
    assert [s.belief for s in store.at().believed] == [filed]
    assert store.at().standing(filed).source == "chat 1"
    store.revert(store.stats().entries)
    assert store.consolidate().merged == ()
    batch = store._context.telling_entry(filed).body["cause"]
    store.revert(batch)
    assert store.at().believed == before
    count = store.stats().entries
    assert store.consolidate().merged == (), "what a person undid is not repeated"
    assert store.stats().entries == count
    store.verify()


def test_one_that_is_changed_changes_both_tellings():
    store = compared(told(WARM, HEATED), Scripted().on(WARM, HEATED, sure("paraphrase")))
    store.consolidate()
    store.expire("b1")
    assert store.at().believed == ()


def test_the_same_words_need_nothing_that_compares():
    store = told(WARM, WARM)
    assert len(store.consolidate().merged) == 1
    assert store.consolidate().merged == ()


def test_a_contradiction_passes_the_same_gates_and_retires_by_the_policy():
    store = compared(told(WARM, COLD), Scripted().on(WARM, COLD, sure("contradiction")))
    assert len(store.at().believed) == 2
    report = store.consolidate()
    assert [r.status for r in report.proposed] == ["active"]
    assert {text for text, *_ in believed(store)} == {COLD}
    count = store.stats().entries
    assert store.consolidate().proposed == ()
    assert store.stats().entries == count
    store.verify()
    store.revert(store._context.telling_entry(report.proposed[0].belief).body["cause"])
    assert {text for text, *_ in believed(store)} == {WARM, COLD}
    assert store.consolidate().proposed == ()


def test_a_contradiction_below_its_tier_waits_in_the_inbox():
    store = compared(told(WARM, COLD), Scripted().on(WARM, COLD, sure("contradiction", 0.2)))
    report = store.consolidate()
    assert [r.status for r in report.proposed] == ["held"]
    assert [s.text for s in store.at().believed] == [WARM, COLD]
    (review,) = store.inbox()
    assert review.new.text == COLD
    assert review.old.text == WARM
    assert store.consolidate().proposed == ()
    store.verify()


@pytest.mark.parametrize(
    "fault",
    [RuntimeError("down"), NotRun(kind="timeout"), "nonsense", None, Verdict("undecided", "x")],
)
def test_a_check_that_did_not_run_changes_nothing_and_is_reported(fault):
    store = compared(told(WARM, HEATED, COLD), Scripted().on(WARM, HEATED, fault))
    before, count = believed(store), store.stats().entries
    report = store.consolidate()
    assert report.merged == report.proposed == ()
    assert any("b1" in why for _, why in report.not_checked)
    assert believed(store) == before
    assert store.stats().entries == count


def test_what_others_rest_on_is_not_filed_anew():
    store = told(WARM, WARM)
    store.tell(MODE == "fast", because=["b2"])
    report = store.consolidate()
    assert report.merged == ()
    assert "rest on it" in report.not_checked[0][1]
    assert store.flags() == ()


def test_structured_claims_are_never_merged():
    store = told()
    store.tell(MODE == "fast", text=WARM)
    store.tell(MODE == "quick", text=WARM)
    helper = Scripted()
    report = compared(store, helper).consolidate()
    assert report.merged == report.proposed == ()
    assert helper.asked == 0


def test_what_is_contested_in_a_slot_is_named_and_left_as_it_is():
    store = told()
    one = store.tell(MODE == "fast", valid_from=day(1)).belief
    two = store.tell(MODE == "slow", valid_from=day(1)).belief
    (group,) = store.consolidate().contested
    assert {side.belief for side in group} == {one, two}
    assert store.stats().entries == 2


def test_without_anything_that_compares_it_says_so():
    report = told(WARM, HEATED).consolidate()
    assert report.merged == ()
    assert "none" in report.not_checked[0][1]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([WARM, HEATED, COLD]), max_size=5), st.integers(1, 2))
def test_in_parts_as_in_one_idempotent_on_both_backends(tmp_path_factory, texts, budget):
    found = []
    for path, step in ((None, None), (tmp_path_factory.mktemp("store") / "a.db", budget)):
        store = told(*texts, path=path)
        compared(
            store,
            Scripted()
            .on(WARM, HEATED, sure("paraphrase"))
            .on(WARM, COLD, sure("contradiction", 0.1))
            .on(HEATED, COLD, sure("contradiction", 0.1)),
        )
        said = {text for text, *_ in believed(store)}
        last = store.stats().entries
        after = None
        while True:
            report = store.consolidate(budget=step, after=after)
            after = report.next
            if after is None or after >= last:
                break
        assert {text for text, *_ in believed(store)} <= said
        for _ in range(3):
            store.consolidate()
        count = store.stats().entries
        store.consolidate()
        assert store.stats().entries == count
        store.verify()
        found.append(sorted(believed(store), key=str))
        store.close()
    assert found[0] == found[1]

"""Consolidation: texts that say the same become one belief, what contradicts goes through the gates."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr
from agm.directives import NotRun
from agm_store import Policy, open_store
from agm_store.errors import StaleReview
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
    before = believed(store)
    report = store.consolidate()
    assert report.merged == report.proposed == report.opened == ()
    assert any("b1" in why for _, why in report.not_checked)
    assert believed(store) == before
    asked = store._context.entailment.asked
    assert store.consolidate().not_checked == report.not_checked
    assert store._context.entailment.asked == asked + 1, "only what failed is asked again"
    assert believed(store) == before


def test_what_others_rest_on_keeps_its_place_and_the_rest_is_filed_under_it():
    store = told(WARM, WARM, WARM)
    store.tell(MODE == "fast", because=["b2"])
    report = store.consolidate()
    assert [kept for kept, _ in report.merged] == ["b2", "b2"]
    assert store.flags() == ()
    store.tell(MODE == "slow", because=["b2"])


def test_of_two_that_others_rest_on_neither_is_filed_anew():
    store = told(WARM, WARM)
    store.tell(MODE == "fast", because=["b2"])
    store.tell(attr("cache", "size") == 3, because=["b1"])
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


def test_what_is_contested_in_a_slot_is_a_review_and_left_as_it_is():
    store = told()
    one = store.tell(MODE == "fast", valid_from=day(1)).belief
    two = store.tell(MODE == "slow", valid_from=day(1)).belief
    report = store.consolidate()
    (group,) = report.contested
    assert {side.belief for side in group} == {one, two}
    (review,) = report.opened
    assert [r.id for r in store.inbox()] == [review.id]
    assert (review.new.belief, review.old.belief) == (two, one)
    assert review.options == ("keep the new", "keep the old", "dismiss")
    assert review.consequences.retired == (one,)
    assert store.at().contested != ()
    assert store.consolidate().opened == ()
    store.verify()


def test_without_anything_that_compares_it_says_so():
    report = told(WARM, HEATED).consolidate()
    assert report.merged == ()
    assert "none" in report.not_checked[0][1]


TEXTS = [WARM, HEATED, COLD, "it is a warm cache"]
KINDS = st.sampled_from(
    [
        "paraphrase",
        "paraphrase",
        "contradiction",
        "contradiction",
        "unrelated",
        "refinement",
        "fails",
    ]
)
SCRIPTS = st.fixed_dictionaries({(a, b): KINDS for n, a in enumerate(TEXTS) for b in TEXTS[:n]})
STARTS = st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(0, 2)), min_size=2, max_size=5)
SEEN = dict.fromkeys(("merged", "wide", "proposed", "opened", "parts"), 0)


def scripted(script: Any, sure_of: float) -> Scripted:
    helper = Scripted()
    for (one, other), kind in script.items():
        answer: Any
        if kind == "fails":
            answer = NotRun(kind="timeout")
        elif kind == "refinement":
            answer = Verdict("refinement", "x", direction="new", confidence=sure_of)
        else:
            answer = sure(kind, sure_of)
        helper.on(one, other, answer)
    return helper


def _to_the_end(store: Any, budget: int | None) -> None:
    """Consolidate until nothing is left."""
    for part in range(40):
        report = store.consolidate(budget=budget)
        for name in ("merged", "proposed", "opened"):
            SEEN[name] += bool(getattr(report, name))
        SEEN["wide"] += any(len(cluster) > 2 for cluster in report.clusters)
        if not (report.left or report.postponed):
            SEEN["parts"] += part > 0
            return
    raise AssertionError("it does not come to an end")


@settings(max_examples=25, deadline=None)
@given(STARTS, SCRIPTS, st.sampled_from([0.1, 0.9]), st.integers(1, 3))
def test_in_parts_as_in_one_idempotent_on_both_backends(
    tmp_path_factory, starts, script, sure_of, budget
):
    found = []
    for path, step in ((None, budget), (tmp_path_factory.mktemp("store") / "a.db", None)):
        store = open_store(path, principal="anna", clock=Clock(5))
        for n, (text, since) in enumerate(starts):
            store.tell(text=text, source=f"chat {n}", valid_from=day(since))
        compared(store, scripted(script, sure_of))
        said = {text for text, *_ in believed(store)}
        _to_the_end(store, step)
        assert {text for text, *_ in believed(store)} <= said
        count, waiting = store.stats().entries, [r.id for r in store.inbox()]
        again = store.consolidate()
        assert again.merged == again.proposed == again.opened == ()
        assert store.stats().entries == count
        assert [r.id for r in store.inbox()] == waiting
        statuses = {store.why(f"b{n + 1}").status for n in range(len(starts))}
        assert statuses <= {"active", "superseded"}, "nothing is destroyed"
        store.verify()
        found.append(sorted({text for text, *_ in believed(store)}))
        store.close()
    if "fails" not in script.values():
        assert found[0] == found[1]


def test_the_draws_meant_something():
    assert all(count >= 3 for count in SEEN.values()), SEEN


def test_a_cluster_of_many_becomes_one_belief_and_each_keeps_its_source():
    texts = [f"the cache is warm {n}" for n in range(6)]
    helper = Scripted()
    for a in texts:
        for b in texts:
            helper.on(a, b, sure("paraphrase"))
    store = compared(told(*texts), helper)
    report = store.consolidate()
    assert report.clusters == (("b1", "b2", "b3", "b4", "b5", "b6"),)
    assert [kept for kept, _ in report.merged] == ["b1"] * 5
    assert len(believed(store)) == 1
    sources = {store.at().standing(filed).source for _, filed in report.merged}
    assert sources == {f"chat {n}" for n in range(1, 6)}
    assert report.compared == 15
    store.verify()


def test_a_chain_of_paraphrases_is_no_cluster():
    far = "a warm thing"
    helper = Scripted().on(WARM, HEATED, sure("paraphrase")).on(HEATED, far, sure("paraphrase"))
    store = compared(told(WARM, HEATED, far), helper)
    report = store.consolidate()
    assert report.clusters == (("b1", "b2"),)
    assert frozenset((WARM, far)) not in helper.pairs
    assert {text for text, *_ in believed(store)} == {HEATED, far}


def test_a_pair_of_a_component_that_contradicts_is_not_merged_by_its_neighbours():
    helper = Scripted().on(WARM, HEATED, sure("paraphrase")).on(HEATED, COLD, sure("paraphrase"))
    store = compared(told(WARM, HEATED, COLD), helper.on(WARM, COLD, sure("contradiction", 0.2)))
    report = store.consolidate()
    assert report.clusters == (("b1", "b2"),)
    assert report.proposed == ()
    (review,) = report.opened
    assert "say the same" in review.why[0]


def test_clusters_that_contradict_each_other_are_proposed_once():
    cool = "cold is the cache"
    helper = Scripted().on(WARM, HEATED, sure("paraphrase")).on(COLD, cool, sure("paraphrase"))
    for one in (WARM, HEATED):
        for other in (COLD, cool):
            helper.on(one, other, sure("contradiction"))
    store = compared(told(WARM, HEATED, COLD, cool), helper)
    report = store.consolidate()
    assert report.clusters == (("b1", "b2"), ("b3", "b4"))
    assert [r.status for r in report.proposed] == ["active"]
    assert {text for text, *_ in believed(store)} <= {COLD, cool}
    assert store.consolidate().proposed == ()
    store.verify()


def test_words_that_contradict_a_claim_are_for_a_person():
    store = told(WARM)
    store.tell(MODE == "cold", text="the cache mode is cold, not warm", valid_from=day(3))
    helper = Scripted().on(WARM, "the cache mode is cold, not warm", sure("contradiction", 1.0))
    report = compared(store, helper).consolidate()
    (review,) = report.opened
    assert report.proposed == ()
    assert len(store.at().believed) == 2
    store.decide(review, "keep the new")
    assert [s.belief for s in store.at().believed] == ["b2"]
    assert store.why("b1").status == "expired"


def test_texts_that_start_at_the_same_time_are_never_retired_by_it():
    store = open_store(None, principal="anna", clock=Clock(3))
    for text in (WARM, COLD):
        store.tell(text=text, valid_from=day(1))
    report = compared(store, Scripted().on(WARM, COLD, sure("contradiction", 1.0))).consolidate()
    assert report.proposed == ()
    (review,) = report.opened
    assert (review.new.text, review.old.text) == (COLD, WARM)
    assert len(store.at().believed) == 2


def test_a_weaker_claim_that_starts_later_is_a_review():
    store = told()
    strong = store.tell(MODE == "fast", valid_from=day(1)).belief
    weak = store.tell(MODE == "slow", valid_from=day(2), entrenchment="observed").belief
    (review,) = store.consolidate().opened
    assert (review.new.belief, review.old.belief) == (weak, strong)
    assert store.ask(MODE).value == "fast"
    receipt = store.decide(review, "keep the new")
    assert [loss.belief.id for loss in receipt.retired] == [strong]
    assert store.ask(MODE).value == "slow"
    assert store.at(valid=day(1.5)).ask(MODE).value == "fast", "it held until then"
    store.verify()


@pytest.mark.parametrize("path", [None, "a.db"])
@pytest.mark.parametrize(
    ("option", "left"),
    [("keep the new", {"slow"}), ("keep the old", {"fast"}), ("dismiss", {"fast", "slow"})],
)
def test_a_review_of_what_stands_is_settled_undone_and_settled_again(tmp_path, path, option, left):
    store = told(path=None if path is None else tmp_path / path)
    for value in ("fast", "slow"):
        store.tell(value == MODE, valid_from=day(1), source="chat")
    (review,) = store.consolidate().opened
    receipt = store.decide(review, option, note="asked")
    assert {s.value for s in store.ask(MODE).sides} == left
    assert store.inbox() == ()
    assert store.consolidate().opened == ()
    store.rebuild()
    store.verify()
    store.revert(receipt.entry)
    (again,) = store.inbox()
    assert again.id == review.id
    assert len(store.ask(MODE).sides) == 2
    with pytest.raises(StaleReview):
        store.decide(review, option)
    bulk = store.decide_all(source="chat", option=option)
    assert {s.value for s in store.ask(MODE).sides} == left
    store.revert(bulk.entry)
    assert [r.id for r in store.inbox()] == [review.id]
    store.verify()
    store.close()


def test_a_review_of_what_stands_goes_when_a_side_goes():
    store = told()
    store.tell(MODE == "fast", valid_from=day(1))
    slow = store.tell(MODE == "slow", valid_from=day(1))
    (review,) = store.consolidate().opened
    store.retract(slow.belief)
    assert store.inbox() == ()
    with pytest.raises(StaleReview):
        store.decide(review, "keep the new")


class ByWords:
    """Texts of one machine in one hall say the same, in two halls they contradict each other."""

    def compare(self, new: str, old: str, /) -> Any:
        (one, here), (other, there) = ((t.split()[1], t.split()[-1]) for t in (new, old))
        if one != other:
            return sure("unrelated")
        return sure("paraphrase" if here == there else "contradiction")


@pytest.mark.parametrize("path", [None, "a.db"])
def test_one_pass_is_enough_where_texts_have_more_neighbours_than_are_compared(tmp_path, path):
    path = None if path is None else tmp_path / path
    words = ("stands", "sits", "is")
    with open_store(path, principal="anna", clock=Clock(9), policy=Policy(retirements=99)) as store:
        for n in range(45):
            hall = "one" if n % 5 else "two"
            text = f"machine m{n // 3} {words[n % 3]} in hall {hall}"
            store.tell(text=text, valid_from=day(n % 3))
        report = compared(store, ByWords()).consolidate(similar=5)
        assert len(report.merged) > 10
        assert len(report.proposed) > 3
        assert (report.left, report.postponed) == (0, 0)
        count = store.stats().entries
        again = store.consolidate(similar=5)
        assert again.merged == again.proposed == again.opened == ()
        assert store.stats().entries == count
        now = {text.split()[1] for text, *_ in believed(store)}
        assert len(now) == 15, "every machine stands somewhere"
        store.verify()


def test_what_the_retirements_leave_is_for_the_next_call():
    texts = [f"lamp {n} is {word}" for n in range(3) for word in ("on", "off")]
    helper = Scripted()
    for n in range(3):
        helper.on(f"lamp {n} is on", f"lamp {n} is off", sure("contradiction"))
    store = compared(told(*texts), helper)
    counts = []
    for _ in range(4):
        report = store.consolidate(retirements=1)
        counts.append((len(report.proposed), report.postponed))
    assert counts == [(1, 2), (1, 1), (1, 0), (0, 0)]
    assert {text for text, *_ in believed(store)} == {f"lamp {n} is off" for n in range(3)}


def test_a_pass_that_was_killed_goes_on_where_it_was(tmp_path):
    """A process of its own is killed by the helper in the middle of its comparisons."""
    path = tmp_path / "a.db"
    code = """
import os, signal, sys
from agm import Verdict
from agm_store import open_store
class Helper:
    asked = 0
    def compare(self, new, old, /):
        Helper.asked += 1
        if Helper.asked > 50:
            os.kill(os.getpid(), signal.SIGKILL)
        return Verdict("paraphrase", "x", confidence=0.9)
store = open_store(sys.argv[1], principal="anna", entailment=Helper())
store.consolidate()
"""
    store = told(*(f"the cache is warm {n}" for n in range(15)), path=path)
    store.close()
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    helper = Scripted()
    helper.compare = lambda new, old, /: (
        setattr(helper, "asked", helper.asked + 1),
        sure("paraphrase"),
    )[1]  # type: ignore[method-assign]
    with open_store(path, principal="anna", clock=Clock(20), entailment=helper) as store:
        store.verify()
        report = store.consolidate()
        assert helper.asked == 105 - 40, "what was recorded before is not asked again"
        assert len(report.merged) == 14
        count = store.stats().entries
        assert store.consolidate().compared == 0
        assert store.stats().entries == count
        store.verify()


@pytest.mark.parametrize("writes", [0, 4])
def test_a_pass_that_was_killed_while_it_wrote_comes_to_the_same_end(tmp_path, writes):
    """A process of its own is killed in the middle of one change, which is then as if it had never begun."""
    code = """
import os, signal, sys
from agm import Verdict
from agm_store import Policy, gathered, open_store
sys.path.insert(0, sys.argv[3])
from tests.unit.test_consolidate import ByWords
real, left = gathered.record, int(sys.argv[2])
def record(*args, **words):
    global left
    answer = real(*args, **words)
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer
gathered.record = record
policy = Policy(retirements=99)
open_store(sys.argv[1], principal="anna", entailment=ByWords(), policy=policy).consolidate()
"""
    found, counts = [], []
    for killed in (False, True):
        path = tmp_path / f"{killed}.db"
        policy = Policy(retirements=99)
        with open_store(path, principal="anna", clock=Clock(9), policy=policy) as store:
            for n in range(12):
                text = f"machine m{n // 4} {'stands' if n % 2 else 'sits'} in hall {n % 4 // 2}"
                store.tell(text=text, valid_from=day(n % 4))
        if killed:
            args = [sys.executable, "-c", code, str(path), str(writes), str(Path.cwd())]
            ended = subprocess.run(args, check=False, timeout=60)
            assert ended.returncode == -signal.SIGKILL
        with open_store(path, principal="anna", clock=Clock(9), policy=policy) as store:
            store.verify()
            report = compared(store, ByWords()).consolidate()
            counts.append(len(report.merged) + len(report.proposed))
            found.append({text for text, *_ in believed(store)})
            store.verify()
    assert found[0] == found[1]
    assert counts[0] - counts[1] == writes


def test_a_text_and_a_claim_told_in_the_same_words_are_compared_once():
    helper = Scripted()
    store = told()
    store.tell(MODE == "warm", text=WARM, valid_from=day(0))
    store.tell(text=WARM, valid_from=day(1))
    compared(store, helper).consolidate()
    count, asked = store.stats().entries, helper.asked
    assert asked == 1
    store.consolidate()
    assert (store.stats().entries, helper.asked) == (count, asked)

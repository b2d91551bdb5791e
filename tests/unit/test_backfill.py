"""Backfill: beliefs looked at by what is declared and required now; each finding is a review, nothing is retired."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store import Policy, open_store
from agm_store.cursors import Cursor
from tests.strategies.stores import TTL, Clock, Desk, day

BORN = attr("cache", "born")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_declaration_names_what_conflicts_since_and_changes_nothing(desk):
    first = desk.tell(BORN == 1, since=0)
    second = desk.tell(BORN == 2, since=3)
    desk.clock.on(5)
    assert desk.store.backfill().conflicts == ()
    desk.store.declare("born", "int", kind="immutable")
    report = desk.store.backfill()
    assert [c.belief for c in report.conflicts] == [second]
    assert "immutable" in report.conflicts[0].why[0]
    assert desk.status(first, 1) == "active"
    assert desk.value(4, BORN) == 2
    (review,) = report.opened
    assert [r.id for r in desk.store.inbox()] == [review.id]
    assert (review.new.belief, review.options) == (second, ("withdraw", "dismiss"))
    assert "immutable" in review.why[0]
    count = desk.store.stats().entries
    assert desk.store.backfill().opened == ()
    assert desk.store.stats().entries == count
    receipt = desk.store.decide(review, "withdraw")
    assert receipt.status == "retracted"
    assert desk.value(4, BORN) == 1
    desk.store.revert(receipt.entry)
    assert desk.value(4, BORN) == 2
    assert [r.id for r in desk.store.inbox()] == [review.id]
    desk.store.verify()


def test_a_constraint_names_what_it_rules_out(desk):
    belief = desk.tell(TTL == 300, since=0)
    desk.clock.on(2)
    desk.store.constrain(TTL < 100)
    report = desk.store.backfill()
    assert [c.belief for c in report.conflicts] == [belief]
    assert report.conflicts[0].standing == "overridden"
    (review,) = desk.store.inbox()
    assert review.why == ("the constraints rule it out",)
    assert review.machine.kind == "contradiction"
    desk.store.decide(review, "dismiss")
    assert desk.store.inbox() == desk.store.backfill().opened == ()
    desk.store.verify()


def test_what_was_settled_is_asked_again_only_for_another_reason(desk):
    desk.tell(BORN == 200, since=0)
    desk.tell(BORN == 300, since=0)
    desk.clock.on(2)
    (review,) = desk.store.backfill().opened
    assert set(review.options) == {"keep the new", "keep the old", "dismiss"}
    desk.store.decide(review, "dismiss")
    assert desk.store.backfill().opened == ()
    desk.store.declare("born", "int", kind="immutable")
    (again,) = desk.store.backfill().opened
    assert "immutable" in again.why[0]
    desk.store.verify()


def test_a_stricter_policy_asks_about_what_a_laxer_one_applied(desk):
    old = desk.tell(TTL == 1, since=0)
    desk.clock.on(2)
    fact = Fact(
        claim=TTL == 2,
        confidence=0.8,
        resolves=[Resolves(session_index=0, action="supersede", reason="temporal_change")],
    )
    asked = Extraction(shown=Shown(beliefs=[old]), facts=[fact])
    (told,) = desk.store.tell_all(asked, entrenchment="asserted", source="chat").told
    assert told.status == "active"
    assert desk.store.backfill().opened == ()
    desk.store._context.policy = Policy(auto=0.9)
    (review,) = desk.store.backfill().opened
    assert review.new.belief == told.belief
    assert "below its tier" in review.why[0]
    assert desk.store.backfill().opened == ()
    desk.store.decide(review, "withdraw")
    assert desk.value() == 1
    desk.store.verify()


def test_what_is_contested_is_named_with_both_sides(desk):
    one = desk.tell(TTL == 1, since=0)
    two = desk.tell(TTL == 2, since=0)
    desk.clock.on(1)
    report = desk.store.backfill()
    assert {(c.belief, c.against) for c in report.conflicts} == {(one, (two,)), (two, (one,))}


def test_what_is_held_is_admitted_when_its_reason_has_gone(desk):
    core = desk.tell(TTL == 1, since=0, entrenchment="core")
    waits = desk.tell(TTL == 2, since=2)
    desk.clock.on(4)
    assert desk.status(waits) == "held"
    assert desk.store.backfill().admitted == ()
    desk.store.retract(core)
    report = desk.store.backfill()
    assert [r.belief for r in report.admitted] == [waits]
    assert desk.value(4) == 2
    count = desk.store.stats().entries
    assert desk.store.backfill().admitted == ()
    assert desk.store.stats().entries == count
    desk.store.verify()
    desk.store.revert(report.admitted[0].entry)
    assert desk.status(waits) == "held"
    assert desk.store.backfill().admitted == (), "what a person undid is not repeated"


def test_a_hand_that_was_opened_later_knows_what_is_declared(tmp_path):
    clock = Clock()
    with open_store(tmp_path / "a.db", principal="anna", clock=clock) as store:
        store.declare("born", "int", kind="immutable")
        store.tell(BORN == 1, valid_from=day(0))
        remark = store.tell(BORN == 2, valid_from=day(1), mode="reported")
    with open_store(tmp_path / "a.db", principal="anna", clock=clock) as store:
        assert store.reclassify(remark.entry, "assertion").status == "held"


def test_what_was_held_for_another_reason_waits_for_a_person(desk):
    desk.tell(TTL == 1, since=0, entrenchment="untrusted")
    desk.clock.on(1)
    report = desk.store.backfill()
    assert report.admitted == ()
    assert len(desk.store.inbox()) == 1


def test_a_person_that_set_a_newcomer_aside_is_not_overruled(desk):
    core = desk.tell(TTL == 1, since=0, entrenchment="core")
    waits = desk.tell(TTL == 2, since=2)
    desk.store.decide(desk.store.inbox()[0], "dismiss")
    desk.store.retract(core)
    assert desk.store.backfill().admitted == ()
    assert desk.status(waits) == "rejected"


def test_a_text_that_nothing_compares_is_no_conflict(desk):
    desk.store.tell(text="the cache is warm")
    assert desk.store.backfill().conflicts == ()


ranks = st.sampled_from(["core", "asserted", "observed"])
histories = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 4), ranks), min_size=2, max_size=6)


SEEN = dict.fromkeys(("opened", "admitted", "parts"), 0)


@settings(max_examples=40, deadline=None)
@given(histories, st.integers(1, 3))
def test_in_parts_as_in_one_idempotent_and_nothing_retired(tmp_path_factory, told, budget):
    worlds = []
    for path, step in ((None, budget), (tmp_path_factory.mktemp("store") / "a.db", None)):
        clock = Clock()
        store = open_store(path, principal="anna", clock=clock, policy=Policy())
        for value, since, rank in told:
            store.tell(value == BORN, valid_from=day(since), entrenchment=rank)
        clock.on(9)
        store.declare("born", "int", kind="immutable")
        cores = [e.entry_id for e in store._journal.entries(owner="anna")
                 if e.body.get("class") == "core" and e.body["state"] == "admitted"]  # fmt: skip
        for belief in cores:
            store.retract(belief)
        stood = {s.belief for s in store.at().believed}
        parts, opened = 0, []
        while True:
            report = store.backfill(budget=step)
            opened += report.opened
            SEEN["admitted"] += bool(report.admitted)
            parts += 1
            if report.next is None:
                break
        SEEN["opened"] += bool(opened)
        SEEN["parts"] += parts > 1
        now = {store.at().standing(belief).status for belief in stood}
        assert now <= {"active", "superseded"}
        waiting = [r.id for r in store.inbox()]
        assert {r.id for r in opened} <= set(waiting)
        count = store.stats().entries
        again = store.backfill()
        assert again.admitted == again.opened == ()
        assert store.stats().entries == count
        assert [r.id for r in store.inbox()] == waiting
        store.verify()
        worlds.append(([(b.claim, b.standing) for b in store.at().believed], len(waiting)))
        store.close()
    assert worlds[0] == worlds[1]


def test_the_draws_meant_something():
    assert all(count >= 5 for count in SEEN.values()), SEEN


def test_a_pass_that_was_killed_goes_on_where_it_was(tmp_path):
    path = tmp_path / "a.db"
    code = """
import os, signal, sys
from agm_store import open_store
store = open_store(sys.argv[1], principal="anna")
def progress(count, total, name):
    if count > 120:
        os.kill(os.getpid(), signal.SIGKILL)
store.backfill(progress=progress)
"""
    clock = Clock()
    with open_store(path, principal="anna", clock=clock) as store:
        for n in range(150):
            store.tell(attr(f"c{n // 2}", "born") == n, valid_from=day(n % 2))
        store.declare("born", "int", kind="immutable")
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    with open_store(path, principal="anna", clock=clock) as store:
        store.verify()
        before = len(store.inbox())
        assert before == 60
        report = store.backfill()
        assert (report.looked, report.next) == (50, None)
        assert len(report.opened) == 15
        assert len(store.inbox()) == 75
        count = store.stats().entries
        again = store.backfill()
        assert (again.looked, again.opened) == (150, ())
        assert store.stats().entries == count
        store.verify()


class Contradicts:
    """Finds every two texts to contradict each other."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def compare(self, new, old, /):
        return self.answer


def test_texts_are_compared_again_where_something_compares_them(desk):
    first = desk.tell(text="the cache is warm", since=0)
    second = desk.tell(text="the cache is cold", since=1)
    desk.clock.on(3)
    desk.store._context.entailment = Contradicts(Verdict("contradiction", "x", confidence=1.0))
    report = desk.store.backfill()
    assert {c.belief for c in report.conflicts} == {first, second}
    assert {c.against for c in report.conflicts} == {(first,), (second,)}
    (review,) = report.opened
    assert (review.new.belief, review.old.belief) == (second, first)
    count = desk.store.stats().entries
    desk.store._context.entailment = Contradicts(None)
    report = desk.store.backfill()
    assert report.conflicts == ()
    assert {belief for belief, _ in report.not_checked} == {first, second}
    assert desk.store.stats().entries == count
    assert len(desk.store.at().believed) == 2


def test_a_pass_begins_anew_once_a_rule_was_taken_back(desk):
    desk.tell(TTL == 300, since=0)
    rule = desk.store.constrain(TTL < 1000)
    context = desk.store._context
    Cursor(context).passed(1, last=True)
    assert Cursor(context).start == 1
    undoing = desk.store.revert(rule.entry)
    assert Cursor(context).start == 0
    Cursor(context).passed(1, last=True)
    assert Cursor(context).start == 1
    desk.store.revert(undoing.entry)
    assert Cursor(context).start == 0

"""Backfill: beliefs looked at by what is declared and required now; nothing is retired by it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import Verdict, attr
from agm_store import Policy, open_store
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
    count = desk.store.stats().entries
    report = desk.store.backfill()
    assert [c.belief for c in report.conflicts] == [second]
    assert "immutable" in report.conflicts[0].why[0]
    assert desk.store.stats().entries == count
    assert desk.status(first, 1) == "active"
    assert desk.value(4, BORN) == 2


def test_a_constraint_names_what_it_rules_out(desk):
    belief = desk.tell(TTL == 300, since=0)
    desk.clock.on(2)
    desk.store.constrain(TTL < 100)
    report = desk.store.backfill()
    assert [c.belief for c in report.conflicts] == [belief]
    assert report.conflicts[0].standing == "overridden"
    assert desk.store.inbox() == ()


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


@settings(max_examples=40, deadline=None)
@given(histories, st.integers(1, 3))
def test_in_parts_as_in_one_idempotent_and_nothing_retired(told, budget):
    worlds = []
    for step in (None, budget):
        clock = Clock()
        store = open_store(None, principal="anna", clock=clock, policy=Policy())
        for value, since, rank in told:
            store.tell(value == BORN, valid_from=day(since), entrenchment=rank)
        clock.on(9)
        store.declare("born", "int", kind="immutable")
        cores = [e.entry_id for e in store._journal.entries(owner="anna")
                 if e.body.get("class") == "core" and e.body["state"] == "admitted"]  # fmt: skip
        for belief in cores:
            store.retract(belief)
        stood = {s.belief for s in store.at().believed}
        at, conflicts = None, []
        while True:
            report = store.backfill(budget=step, after=at)
            conflicts += report.conflicts
            at = report.next
            if at is None:
                break
        now = {store.at().standing(belief).status for belief in stood}
        assert now <= {"active", "superseded"}
        count = store.stats().entries
        assert store.backfill().admitted == ()
        assert store.stats().entries == count
        store.verify()
        worlds.append([(str(b.belief), b.standing) for b in store.at().believed])
    assert worlds[0] == worlds[1]


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
    count = desk.store.stats().entries
    report = desk.store.backfill()
    assert {c.belief for c in report.conflicts} == {first, second}
    assert {c.against for c in report.conflicts} == {(first,), (second,)}
    desk.store._context.entailment = Contradicts(None)
    report = desk.store.backfill()
    assert report.conflicts == ()
    assert {belief for belief, _ in report.not_checked} == {first, second}
    assert desk.store.stats().entries == count
    assert len(desk.store.at().believed) == 2

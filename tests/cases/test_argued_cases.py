"""What some cases argue in words: told by hand, each with the case it stands for."""

from datetime import timedelta

from agm.claims import attr
from agm_store import open_store, utc


class Clock:
    now = utc(2026, 1, 1)

    def __call__(self):
        return self.now


def test_a_retired_belief_is_reached_by_history_and_shown_by_nothing_else():
    """MEM-017: lineage is for audit, default reads do not walk into retired beliefs."""
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    config = attr("app", "cfg")
    old = store.tell(config == "v1").belief
    clock.now += timedelta(days=1)
    new = store.update(old, config == "v2").belief
    assert store.show("app cfg").beliefs == (new,)
    assert [side.belief for side in store.at().believed] == [new]
    assert [side.belief for side in store.history(new)] == [old, new]


def test_what_rests_on_a_weak_source_counts_no_more_than_it():
    """MEM-110: a conclusion has the rank of its weakest premise, whoever draws it."""
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    web = store.tell(attr("s", "x") == "v", entrenchment="inferred").belief
    clock.now += timedelta(days=1)
    drawn = attr("s", "y")
    derived = store.tell(drawn == "w", because=[web], entrenchment="asserted").belief
    assert store.ask(drawn).value == "w"
    rival = store.tell(drawn == "u", entrenchment="documented", valid_from=utc(2025, 1, 1)).belief
    assert store.ask(drawn).value == "u"
    assert store.at().standing(derived).standing == "overridden"
    assert store.why(derived).kernel == (rival,)


def test_approval_keeps_what_the_machine_found_beside_what_a_person_decided():
    """MEM-145: the verdict and the decision are two entries."""
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    port = attr("api", "port")
    old = store.tell(port == 1, entrenchment="core").belief
    clock.now += timedelta(days=1)
    new = store.tell(port == 2).belief
    (review,) = store.inbox()
    assert review.machine.kind == "contradiction"
    store.decide(review, "approve as correction", note="checked on the machine")
    assert (store.ask(port).value, store.inbox()) == (2, ())
    assert store.at().standing(old).status == "superseded"
    assert any("core" in note for note in store.why(new).notes)

"""Recall, and every other way of reading, shows what stands and nothing else as current."""

from __future__ import annotations

import inspect
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm import attr, relation
from agm.errors import AgmError
from agm_store import BeliefStore, open_store, utc
from agm_store.worlds import World

START = utc(2024, 6, 1)
TTL, TARGET = attr("cache", "ttl", of=int), attr("checkout", "target")


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self):
        self.now += timedelta(hours=1)
        return self.now


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    path = None if request.param == "memory" else tmp_path / "s.agm"
    with open_store(path, principal="a", clock=Clock()) as opened:
        yield opened


def found(store, text, **narrowed):
    return [hit.side.belief for hit in store.recall(text, **narrowed)]


def test_a_match_on_what_was_replaced_leads_to_what_took_its_place(store) -> None:
    old = store.tell(TTL == 300, text="the cache keeps things for five minutes").belief
    new = store.update(old, TTL == 600).belief
    (hit,) = store.recall("five minutes")
    assert (hit.side.belief, tuple(hit.replaces)) == (new, (old,))
    assert found(store, "minutes", include_retired=True) == [new, old]
    assert [h.side.status for h in store.recall("minutes", include_retired=True)] == [
        "active",
        "superseded",
    ]
    assert found(store, "minutes", known=1) == [old]


def test_a_plain_successor_says_what_it_replaced(store) -> None:
    old = store.tell(TTL == 300).belief
    new = store.tell(TTL == 600).belief
    (hit,) = store.recall("ttl cache")
    assert (hit.side.belief, tuple(hit.replaces)) == (new, (old,))


def test_a_text_that_was_corrected_is_found_by_neither_its_words_nor_its_ghost(store) -> None:
    old = store.tell(text="anna lives in Lisbon").belief
    new = store.correct(old, text="anna lives in Porto").belief
    assert found(store, "Lisbon") == [new]
    store.retract(new)
    assert new not in found(store, "anna lives in Porto")
    assert new in found(store, "anna lives in Porto", include_retired=True)


def test_held_newcomers_weigh_on_a_belief_and_never_hide_it(store) -> None:
    light = store.tell(TARGET == "staging", entrenchment="core").belief
    other = store.tell(attr("worker", "target") == "staging", entrenchment="core").belief
    assert found(store, "target staging") == [other, light]
    held = [store.tell(attr("worker", "target") == f"production{n}") for n in range(2)]
    assert {receipt.status for receipt in held} == {"held"}
    hits = store.recall("target staging")
    assert [(h.side.belief, h.held_against) for h in hits] == [(light, 0), (other, 2)]
    assert not {r.belief for r in held} & set(
        found(store, "production0 production1", include_retired=True)
    )
    store.decide(next(r for r in store.inbox() if r.id == held[0].belief), "dismiss")
    assert [h.held_against for h in store.recall("target staging")] == [0, 1]
    assert [h.held_against for h in store.recall("target staging", known=2)] == [0, 0]


def test_the_better_entrenched_and_the_later_come_first(store) -> None:
    weak = store.tell(text="kafka is slow", entrenchment="observed").belief
    strong = store.tell(text="kafka is slow", entrenchment="asserted").belief
    later = store.tell(text="kafka is slow", entrenchment="observed").belief
    assert found(store, "kafka slow") == [strong, later, weak]
    assert found(store, "kafka", entrenchment="observed") == [later, weak]
    assert found(store, "kafka", limit=1) == [strong]
    assert found(store, "kafka", limit=0) == []


def test_it_is_narrowed_by_source_and_read_at_any_point(store) -> None:
    wiki = store.tell(text="kafka runs here", source="wiki", valid_to=utc(2024, 7, 1)).belief
    store.tell(text="kafka runs there", source="log")
    assert found(store, "kafka", source="wiki") == [wiki]
    assert found(store, "kafka", source="wiki", valid=utc(2024, 8, 1)) == []
    assert found(store, "kafka", source="nobody") == []
    assert found(store, "kafka", known=0) == []


def test_without_a_text_the_latest_come_first(store) -> None:
    told = [store.tell(text=f"note {n}").belief for n in range(300)]
    assert found(store, "", limit=3) == told[:-4:-1]
    assert found(store, "  \n", limit=300) == told[::-1]
    assert found(store, "?!") == []


def test_both_sides_of_a_tie_are_found_as_contested(store) -> None:
    store.tell(TTL == 300, valid_from=utc(2024, 1, 1))
    store.tell(TTL == 600, valid_from=utc(2024, 1, 1))
    assert {h.side.standing for h in store.recall("ttl")} == {"contested"}
    assert len(store.recall("ttl")) == 2


def test_what_is_shared_is_found_with_its_owner_until_it_is_not(store) -> None:
    ben = store.acting_as("ben")
    told = ben.tell(text="kafka runs on blue", entrenchment="observed").belief
    ben.tell(text="kafka runs on red")
    own = store.tell(text="kafka is ours").belief
    assert found(store, "kafka") == [own]
    ben.share(told, with_="a")
    assert [(h.side.belief, h.side.owner) for h in store.recall("kafka")] == [
        (own, None),
        (told, "ben"),
    ]
    assert [h.side.owner for h in store.recall("")] == [None, "ben"]
    assert [h.side.owner for h in store.recall("blue")] == ["ben"]
    assert found(store, "kafka", entrenchment="observed") == [told]
    assert found(store, "red ?") == []
    assert found(store, "?!") == []
    later = ben.correct(told, text="kafka runs on green").belief
    assert set(found(store, "kafka runs")) == {own, later}
    ben.retract(later)
    assert found(store, "kafka") == [own]
    ttl = ben.tell(TTL == 300).belief
    ben.share(ttl, with_="a")
    assert found(store, "ttl of the cache") == [ttl]


SEEN = {"gone": 0, "stands": 0, "held against": 0}
words = st.sampled_from(["kafka", "tea", "staging", "ttl"])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("text"), words, st.sampled_from(["asserted", "observed", "untrusted"])),
        st.tuples(st.just("slot"), st.integers(1, 3), st.sampled_from(["asserted", "observed", "core"])),
        st.tuples(st.just("core"), st.integers(1, 3), st.just("core")),
        st.tuples(st.just("like"), words, st.sampled_from(["asserted", "untrusted"])),
        st.tuples(
            st.sampled_from(["correct", "update", "retract", "expire", "redact", "decide", "revert"]),
            st.integers(0, 9), words,
        ),
    ),
    min_size=3,
    max_size=14,
)  # fmt: skip


def test_what_is_recalled_is_what_the_world_believes() -> None:
    recalled_is_believed()
    assert min(SEEN.values()) > 4, SEEN


@settings(max_examples=60, deadline=None)
@given(steps)
@example(
    [("core", 1, "core"), ("redact", 2, "kafka")]
)  # a redacted newcomer stands against nothing
def recalled_is_believed(taken) -> None:
    store = open_store(None, principal="a", clock=Clock())
    told: list[str] = []
    for step in (("core", 1, "core"), ("core", 2, "core"), *taken):
        with suppress(AgmError):
            carry_out(store, told, step)
    world = store.at()
    sides = [*world.believed, *(side for group in world.contested for side in group)]
    stands = {side.belief for side in sides}
    assert set(found(store, "", limit=100)) == stands
    for query in ("kafka", "tea staging", "ttl", "ttl kafka tea staging cache likes anna"):
        hits = store.recall(query, limit=100)
        assert {hit.side.belief for hit in hits} <= stands
        assert all(hit.side.standing in ("believed", "contested") for hit in hits)
        assert all(hit.side.status == "active" for hit in hits)
        assert set(store.show(query, limit=100).beliefs) <= stands
        for hit in store.recall(query, limit=100, include_retired=True):
            assert hit.side.belief in stands or hit.side.standing not in ("believed", "contested")
            assert hit.side.status not in ("held", "rejected", "suppressed", "noted", "redacted")
    for hit in store.recall("", limit=100):
        assert hit.held_against == store.held_against(hit.side.belief)
        SEEN["held against"] += bool(hit.held_against)
    SEEN["stands"] += len(stands)
    SEEN["gone"] += len(set(told) - stands)


def carry_out(store, told, step) -> None:
    kind, what, how = step
    if kind == "text":
        told.append(store.tell(text=f"{what} is here", entrenchment=how).belief)
    elif kind == "slot":
        told.append(store.tell(what == TTL, entrenchment=how).belief)
    elif kind == "core":
        told.append(store.tell(what == attr("lock", "size", of=int), entrenchment=how).belief)
    elif kind == "like":
        told.append(store.tell(relation("likes")("anna", what), entrenchment=how).belief)
    elif kind == "decide":
        reviews = store.inbox()
        review = reviews[what % len(reviews)] if reviews else None
        if review is not None:
            store.decide(review, review.options[what % len(review.options)])
    elif kind == "revert":
        store.revert(what)
    elif told:
        old = told[what % len(told)]
        if kind in ("correct", "update"):
            told.append(getattr(store, kind)(old, text=f"{how} was meant").belief)
        elif kind == "redact" and hasattr(store, "redact"):
            store.redact(old, note="asked for")
        elif kind in ("retract", "expire"):
            getattr(store, kind)(old)


@pytest.fixture
def mixed():
    """One belief that stands, and one of every kind that does not."""
    store = open_store(None, principal="a", clock=Clock())
    store.tell(TTL == 300, source="wiki", entrenchment="core")
    held = store.tell(TTL == 900, source="wiki").belief
    rejected = store.tell(TTL == 800, source="wiki").belief
    store.decide(next(r for r in store.inbox() if r.id == rejected), "dismiss")
    old = store.tell(TARGET == "staging", source="wiki").belief
    store.correct(old, TARGET == "production")
    text = store.tell(text="kafka is used here", source="wiki").belief
    store.retract(text)
    over = store.tell(text="kafka was used here", valid_to=START + timedelta(days=1)).belief
    noted = store.tell(text="kafka may be used here", mode="hypothetical").belief
    untrusted = store.tell(text="kafka is bad", entrenchment="untrusted").belief
    gone = {held, rejected, old, text, over, noted, untrusted}
    if hasattr(store, "redact"):
        secret = store.tell(text="kafka secret").belief
        store.redact(secret, note="asked for")
        gone.add(secret)
    store._context.clock.now += timedelta(days=2)
    return store, gone


CLAIMS = {"b2": TTL == 900, "b3": TTL == 800, "b5": TARGET == "staging"}
QUERIES = ("", "kafka", "ttl", "target staging", "secret bad used here", "900 800")

READS = {
    "ask": lambda s: {x.belief for term in (TTL, TARGET) for x in s.ask(term).sides},
    "entails": lambda s: {belief for belief, claim in CLAIMS.items() if s.entails(claim)},
    "recall": lambda s: {b for query in QUERIES for b in found(s, query)},
    "shared": lambda s: {x.belief for x in s.shared()},
    "show": lambda s: {b for query in QUERIES for b in s.show(query).beliefs},
    "timeline": lambda s: {
        side.belief
        for term in (TTL, TARGET)
        for side in s.timeline(term)
        if side.valid_from <= s._context.clock.now and (side.valid_to is None or side.valid_to > s._context.clock.now)
    },
    "support_network": lambda s: {
        belief
        for belief, claim in CLAIMS.items()
        if s.support_network().nodes.get(str(claim), {}).get("state") == "IN"
    },
}  # fmt: skip
WORLD_READS = {
    "ask": lambda w: {x.belief for term in (TTL, TARGET) for x in w.ask(term).sides},
    "believed": lambda w: {x.belief for x in w.believed},
    "contested": lambda w: {x.belief for group in w.contested for x in group},
    "base": lambda w: {belief.id for belief in w.base},
    "entails": lambda w: {belief for belief, claim in CLAIMS.items() if w.entails(claim)},
    "check": lambda w: {
        b for b, claim in CLAIMS.items() if type(w.check(claim)).__name__ == "Inconsistent"
    },
    "standings": lambda w: {
        b for b, word in w.standings().items() if word in ("believed", "contested")
    },
}
SAYS_STATUS = {"history", "why", "inbox", "retired", "standing", "reconstruct"}
"""Verbs that show what does not stand, with the word for it."""
NO_BELIEFS = {
    "acting_as", "alias", "audit", "aliases", "artefact", "artefact_versions", "artefacts", "as_of", "at", "backfill",
    "clear_flag", "close", "consolidate", "constrain", "contract", "correct", "decide", "decide_all", "declare",
    "derive", "episode", "expire", "expire_reviews", "export_to", "flags", "held_against", "import_from", "imprint",
    "principal", "rebuild", "reclassify", "redact", "rescan", "rests_on", "retract", "retract_by_source", "revert",
    "share", "stats", "support_graph", "sweep", "tell", "tell_all", "transaction", "unshare", "update", "verify",
    "calls", "episodes", "what_if", "demote", "corrections", "shares", "supersede_source", "resolve",
    "rescanning", "vocabulary",
}  # fmt: skip
"""Verbs that write, count, list what a source told whatever became of it, or give another hand."""
OF_WORLD = {"context", "known", "point", "reading_of", "telling", "valid", "why", "standing"}


@pytest.mark.parametrize("verb", READS)
def test_no_verb_gives_what_does_not_stand_as_current(mixed, verb) -> None:
    store, gone = mixed
    assert not READS[verb](store) & gone


@pytest.mark.parametrize("verb", WORLD_READS)
def test_no_verb_of_a_world_gives_what_does_not_stand_as_current(mixed, verb) -> None:
    store, gone = mixed
    assert not WORLD_READS[verb](store.at()) & gone


def test_verbs_that_show_what_is_gone_say_so(mixed) -> None:
    store, gone = mixed
    for belief in gone:
        assert store.why(belief).standing not in ("believed", "contested")
        assert store.at().standing(belief).standing not in ("believed", "contested")
        assert all(
            side.standing not in ("believed", "contested")
            for side in store.history(belief)
            if side.belief == belief
        )
    assert all(review.new.standing not in ("believed", "contested") for review in store.inbox())


def test_every_verb_is_one_that_was_looked_at() -> None:
    """A new verb that answers with beliefs belongs into READS, any other into NO_BELIEFS."""
    verbs = {name for name, _ in inspect.getmembers(BeliefStore) if not name.startswith("_")}
    assert verbs - set(READS) - SAYS_STATUS - NO_BELIEFS == set()
    verbs = {name for name, _ in inspect.getmembers(World) if not name.startswith("_")}
    assert verbs - set(WORLD_READS) - OF_WORLD == set()

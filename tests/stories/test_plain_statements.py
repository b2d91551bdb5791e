"""Each lesson again by plain statements: nothing in them says that anything has changed."""

import pytest

from agm import attr, parse
from agm.values import Quantity
from agm_store import utc

ttl = attr("cache", "ttl")
TARGET = attr("checkout", "deployment_target")
BUDGET = attr("checkout", "token_budget")


def seconds(count):
    return Quantity(count, "s")


def say(store, clock, moment, claim, **more):
    clock.moment = moment
    return store.tell(claim, **more)


@pytest.fixture(params=["declared", "undeclared"])
def ttl_store(request, store):
    if request.param == "declared":
        store.declare("ttl", "quantity", unit="s")
    return store


def test_the_ttl_goes_from_300_to_600_to_900_and_an_aside_leaves_it_there(ttl_store, clock):
    store = ttl_store
    first = say(store, clock, utc(2024, 1, 15), ttl == seconds(300), source="design note")
    second = say(store, clock, utc(2024, 2, 19), ttl == seconds(600), source="change log")
    third = say(store, clock, utc(2024, 3, 25), ttl == seconds(900), source="change log")
    assert [loss.belief.id for loss in second.retired] == [first.belief]
    assert [loss.belief.id for loss in third.retired] == [second.belief]
    aside = say(
        store, clock, utc(2024, 4, 8), ttl == seconds(300), mode="historical", source="chat",
        text="Back when the TTL was 300 s, the origin was overrun every Monday.",
    )  # fmt: skip
    assert (aside.status, aside.retired) == ("noted", ())
    assert store.ask(ttl).value == seconds(900)
    days = [utc(2024, 2, 1), utc(2024, 3, 1), utc(2024, 4, 1)]
    assert [store.at(valid=day).ask(ttl).value for day in days] == [*map(seconds, (300, 600, 900))]
    assert store.inbox() == ()


def test_an_old_note_that_turns_up_late_ends_nothing(ttl_store, clock):
    store = ttl_store
    say(store, clock, utc(2024, 3, 25), ttl == seconds(900))
    late = say(store, clock, utc(2024, 4, 8), ttl == seconds(300), valid_from=utc(2024, 1, 15))
    assert (late.status, late.retired) == ("active", ())
    assert store.ask(ttl).value == seconds(900)
    assert store.at(valid=utc(2024, 2, 1)).ask(ttl).value == seconds(300)


def test_each_moment_has_its_own_row(store, clock):
    say(store, clock, utc(2024, 1, 8), TARGET == "staging", source="kick-off notes")
    say(store, clock, utc(2024, 1, 8), BUDGET == 100_000, source="kick-off notes")
    say(store, clock, utc(2024, 2, 12), BUDGET == 250_000, source="budget review")
    say(store, clock, utc(2024, 3, 11), TARGET == "production", source="Monday stand-up")
    clock.moment = utc(2024, 4, 1)
    rows = [
        (store.as_of(day).ask(BUDGET).value, store.as_of(day).ask(TARGET).value)
        for day in (utc(2024, 2, 1), utc(2024, 3, 1), utc(2024, 3, 20))
    ]
    assert rows == [(100_000, "staging"), (250_000, "staging"), (250_000, "production")]


def test_two_limits_that_are_both_100_stay_two(store, clock):
    gate, lift = attr("gate", "limit"), attr("lift", "limit")
    one = say(store, clock, utc(2024, 1, 8), gate == 100)
    other = say(store, clock, utc(2024, 1, 9), lift == 100)
    assert other.belief != one.belief
    changed = say(store, clock, utc(2024, 2, 1), gate == 200)
    assert [loss.belief.id for loss in changed.retired] == [one.belief]
    assert (store.ask(gate).value, store.ask(lift).value) == (200, 100)


def test_a_weaker_source_is_heard_and_changes_nothing(store, clock):
    say(store, clock, utc(2024, 1, 8), TARGET == "production", entrenchment="asserted")
    weaker = say(store, clock, utc(2024, 2, 8), TARGET == "staging", entrenchment="inferred")
    answer = store.ask(TARGET)
    assert (answer.value, weaker.retired) == ("production", ())
    assert [side.belief for side in answer.outranked] == [weaker.belief]


def test_what_has_many_values_gathers_them(store, clock):
    store.declare("likes", "string", cardinality="many")
    for day, drink in enumerate(("tea", "coffee", "milk"), 1):
        told = say(store, clock, utc(2024, 1, day), parse(f'likes(anna, "{drink}")'))
        assert told.retired == ()
    assert set(store.ask(attr("anna", "likes")).values) == {"tea", "coffee", "milk"}

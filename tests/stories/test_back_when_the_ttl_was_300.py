"""A historical reference does not supersede the current value."""

from agm import attr
from agm.values import Quantity
from agm_store import utc

ttl = attr("cache", "ttl")


def _seconds(count: int) -> Quantity:
    return Quantity(count, "s")


def _told(store, clock):
    """300 s, raised to 600 s, raised to 900 s, each told when it happened."""
    clock.moment = utc(2024, 1, 15)
    first = store.tell(ttl == _seconds(300), source="design note")
    clock.moment = utc(2024, 2, 19)
    second = store.update(first.belief, ttl == _seconds(600), source="change log")
    clock.moment = utc(2024, 3, 25)
    third = store.update(second.belief, ttl == _seconds(900), source="change log")
    clock.moment = utc(2024, 4, 8)
    return first, second, third


def test_an_aside_about_the_past_leaves_the_current_value(store, clock):
    _told(store, clock)
    aside = store.tell(
        ttl == _seconds(300),
        text="Back when the TTL was 300 s, the origin was overrun every Monday.",
        mode="historical",
        source="chat",
    )
    assert aside.status == "noted"
    assert aside.retired == ()
    assert store.ask(ttl).value == _seconds(900)
    assert [s.value for s in store.timeline(ttl)] == [_seconds(n) for n in (300, 600, 900)]


def test_an_aside_with_known_bounds_is_believed_there_and_nowhere_else(store, clock):
    _told(store, clock)
    aside = store.tell(
        ttl == _seconds(120),
        mode="historical",
        valid_from=utc(2023, 6, 1),
        valid_to=utc(2023, 9, 1),
    )
    assert aside.status == "active"
    assert store.at(valid=utc(2023, 7, 1)).ask(ttl).value == _seconds(120)
    assert store.at(valid=utc(2023, 10, 1)).ask(ttl).value is None
    assert store.ask(ttl).value == _seconds(900)


def test_the_same_words_unmarked_wait_for_a_person(store, clock):
    _, _, third = _told(store, clock)
    again = store.tell(ttl == _seconds(300), text="The TTL is 300 s.", source="chat")
    assert again.status == "held"
    assert store.ask(ttl).value == _seconds(900)
    (review,) = store.inbox()
    assert (review.new.belief, review.old.belief) == (again.belief, third.belief)

    clock.moment = utc(2024, 4, 9)
    store.decide(review, "approve", note="it was set back indeed")
    assert store.inbox() == ()
    assert store.ask(ttl).value == _seconds(300)
    assert store.at(valid=utc(2024, 4, 1)).ask(ttl).value == _seconds(900)


def test_an_aside_that_was_misread_is_mended_by_one_entry(store, clock):
    _, _, third = _told(store, clock)
    misread = store.update(third.belief, ttl == _seconds(300), source="chat")
    assert store.ask(ttl).value == _seconds(300)

    clock.moment = utc(2024, 4, 9)
    store.reclassify(misread.entry, "historical")
    assert store.ask(ttl).value == _seconds(900)
    assert store.why(third.belief).status == "active"
    assert store.at(known=misread.entry).ask(ttl).value == _seconds(300)

"""A model reads a conversation, is shown what is believed, and answers with a directive."""

from agm import attr
from agm.directives import Shown, parse_extraction
from agm_store import utc

QUEUE = attr("orders", "queue")
OWNER = attr("orders", "owner")


def _told(store, clock):
    clock.moment = utc(2024, 1, 10)
    owner = store.tell(OWNER == "payments", entrenchment="inferred", source="wiki")
    queue = store.tell(
        QUEUE == "kafka", text="Orders run over Kafka.", entrenchment="inferred", source="wiki"
    )
    clock.moment = utc(2024, 5, 2)
    return owner, queue


def _answer(index: int, reason: str) -> dict:
    return {
        "facts": [
            {
                "text": "We have dropped Kafka; orders go through Postgres now.",
                "claim": {"formula": 'queue(orders) = "postgres"'},
                "confidence": 0.9,
                "resolves": {"session_index": index, "action": "supersede", "reason": reason},
            }
        ]
    }


def _apply(store, shown, answer):
    extraction = parse_extraction(answer, shown=Shown(beliefs=shown))
    return store.tell_all(extraction, entrenchment="inferred", source="chat-7")


def test_the_directive_ends_kafka_and_keeps_its_past(store, clock):
    owner, queue = _told(store, clock)
    batch = _apply(store, [owner.belief, queue.belief], _answer(1, "temporal_change"))
    (told,) = batch.told
    assert [loss.belief.id for loss in told.retired] == [queue.belief]
    assert store.ask(QUEUE).value == "postgres"
    assert store.at(valid=utc(2024, 3, 1)).ask(QUEUE).value == "kafka"
    assert store.ask(OWNER).value == "payments"
    why = store.why(queue.belief)
    assert (why.reason, why.replaced_by) == ("temporal_change", told.belief)


def test_had_it_never_been_kafka_the_past_would_change_too(store, clock):
    owner, queue = _told(store, clock)
    _apply(store, [owner.belief, queue.belief], _answer(1, "correction"))
    assert store.at(valid=utc(2024, 3, 1)).ask(QUEUE).value == "postgres"
    assert store.as_of(utc(2024, 3, 1)).ask(QUEUE).value == "kafka"


def test_a_directive_on_the_wrong_belief_retires_nothing(store, clock):
    owner, queue = _told(store, clock)
    _apply(store, [owner.belief, queue.belief], _answer(0, "temporal_change"))
    assert store.ask(OWNER).value == "payments"
    assert store.why(owner.belief).status == "active"


def test_an_index_outside_the_list_holds_the_fact_whole(store, clock):
    owner, queue = _told(store, clock)
    batch = _apply(store, [owner.belief, queue.belief], _answer(7, "temporal_change"))
    assert batch.told == ()
    ((_, error),) = batch.refused
    assert error.codes == ("index_out_of_range",)
    (review,) = batch.in_review
    assert review.new.status == "held"
    assert store.ask(QUEUE).value == "kafka"


def test_one_revert_brings_kafka_back(store, clock):
    owner, queue = _told(store, clock)
    batch = _apply(store, [owner.belief, queue.belief], _answer(1, "temporal_change"))
    clock.moment = utc(2024, 5, 3)
    store.revert(batch.told[0].entry, note="it was the test cluster")
    assert store.ask(QUEUE).value == "kafka"
    assert store.at(known=batch.told[0].entry).ask(QUEUE).value == "postgres"
